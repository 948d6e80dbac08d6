package demo

import (
	"context"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/chatapp/chatsim"
	"parley/internal/desk"
)

// Limits of what the page shows.
const (
	mostChats    = 40
	mostMessages = 80 // per chat
	mostNumbers  = 50
)

// messageKey names a message on one phone.
type messageKey struct{ chat, from, id string }

func keyOf(m chatsim.Message) messageKey { return messageKey{m.Chat, m.From, m.ID} }

// phonesState is everything that the page shows.
type phonesState struct {
	Version string       `json:"version"`
	Phones  []phoneState `json:"phones"`
	Numbers []chatNumber `json:"numbers"`
}

// chatNumber is a number of the company, as seen from its phone.
type chatNumber struct {
	ID      string `json:"id"`
	Phone   string `json:"phone"`
	Status  string `json:"status"`
	Pairing string `json:"pairing"` // the kind of the code that the dashboard shows, or ""

	Offline    bool         `json:"offline"`
	Outdated   bool         `json:"outdated"`
	Banned     *time.Time   `json:"bannedUntil"`
	Restricted *time.Time   `json:"restrictedUntil"`
	Faults     []faultState `json:"faults"`
}

// faultState is the fault that the next requests of a kind will get.
type faultState struct {
	Do    networkAction `json:"do"`
	What  request       `json:"what"`
	Times int           `json:"times"`
	Code  int           `json:"code,omitempty"`
}

type phoneState struct {
	Number  string      `json:"number"`
	Name    string      `json:"name"`
	Company bool        `json:"company"`
	Refuses bool        `json:"refuses"` // to be added to groups
	Offline bool        `json:"offline"`
	Chats   []chatState `json:"chats"`
}

type chatState struct {
	ID       string         `json:"id"` // a phone number, or the JID of a group
	Name     string         `json:"name"`
	Group    bool           `json:"group"`
	Member   bool           `json:"member"`  // false: it was left
	Members  []string       `json:"members"` // of a group
	Unread   int            `json:"unread"`
	Messages []messageState `json:"messages"`

	at time.Time
}

type messageState struct {
	ID     string      `json:"id"`
	Mine   bool        `json:"mine"`
	From   string      `json:"from"`
	Text   string      `json:"text"`
	Media  *mediaState `json:"media"`
	Invite bool        `json:"invite"` // it is an invitation that can be accepted
	At     time.Time   `json:"at"`
	Status string      `json:"status"` // of one's own: sent, delivered or read
}

type mediaState struct {
	Name    string `json:"name"`
	Picture bool   `json:"picture"`
	Address string `json:"address"` // "" where the file could not be fetched
}

// state returns what the page shows, and a channel that is closed with the next
// change of the phones.
func (p *Phones) state(ctx context.Context, ws parley.WorkspaceID) (phonesState, <-chan struct{}, error) {
	phones, changed := p.running()
	s := phonesState{Phones: []phoneState{}, Numbers: []chatNumber{}}
	numbers, err := p.Numbers.Numbers(ws, parley.Position{}, mostNumbers).Now(ctx)
	if err != nil {
		return s, changed, err
	}
	names := map[string]string{}
	for _, n := range numbers.Items {
		if !p.hasAccount(n.Phone) {
			continue
		}
		names[string(n.Phone)] = Company
		one := chatNumber{ID: n.ID.String(), Phone: n.Phone.Display(), Status: string(n.Status)}
		p.addConditions(&one, string(n.Phone))
		if n.Status == parley.NumberPairing {
			step, err := p.Numbers.Pairing(desk.Caller{Workspace: ws}, n.ID).Now(ctx)
			if err != nil && parley.KindOf(err) != parley.NotFound {
				return s, changed, err
			}
			if step.Code != "" {
				one.Pairing = step.Kind
			}
		}
		s.Numbers = append(s.Numbers, one)
	}
	for _, one := range persons() {
		names[string(one.phone)] = one.name
	}
	groups := p.Network.Groups()
	for _, one := range phones {
		f := p.Network.Conditions(one.Number())
		s.Phones = append(s.Phones, phoneState{
			Number: one.Number(), Name: one.name, Company: one.company, Refuses: f.Refuse != 0, Offline: f.Offline,
			Chats: one.chats(groups, names),
		})
	}
	return s, changed, nil
}

// addConditions fills in the network's conditions and faults of a number.
func (p *Phones) addConditions(one *chatNumber, number string) {
	f, now := p.Network.Conditions(number), p.Clock.Now()
	one.Offline, one.Outdated, one.Faults = f.Offline, f.Outdated, []faultState{}
	if now.Before(f.Banned) {
		one.Banned = new(f.Banned)
	}
	if now.Before(f.Restricted) {
		one.Restricted = new(f.Restricted)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, fault := range p.faultPlan(number).faults {
		one.Faults = append(one.Faults, faultState{Do: key.do, What: key.what, Times: fault.times, Code: fault.code})
	}
	slices.SortFunc(one.Faults, func(a, b faultState) int {
		return strings.Compare(string(a.Do)+string(a.What), string(b.Do)+string(b.What))
	})
}

// chats groups the messages of a phone into chats, the latest first.
func (one *phone) chats(groups []chatsim.Group, names map[string]string) []chatState {
	one.mu.Lock()
	defer one.mu.Unlock()
	own := one.Number()
	byID := map[string]*chatState{}
	chat := func(id string) *chatState {
		if byID[id] == nil {
			byID[id] = &chatState{ID: id, Name: nameOf(id, names), Member: true, Members: []string{}, Messages: []messageState{}}
		}
		return byID[id]
	}
	for _, m := range one.Messages() {
		c := chat(m.Chat)
		c.at = m.At
		c.Messages = append(c.Messages, one.message(m, names))
		if !m.FromMe && !one.read[keyOf(m)] {
			c.Unread++
		}
	}
	for _, g := range groups {
		member := slices.ContainsFunc(g.Members, func(m chatsim.Member) bool { return m.Phone == own })
		if byID[g.JID] == nil && !member {
			continue
		}
		c := chat(g.JID)
		c.Name, c.Group, c.Member = g.Name, true, member
		for _, m := range g.Members {
			c.Members = append(c.Members, nameOf(m.Phone, names))
		}
		if c.at.IsZero() {
			c.at = g.CreatedAt
		}
	}
	all := make([]chatState, 0, len(byID))
	for _, c := range byID {
		c.Messages = c.Messages[max(0, len(c.Messages)-mostMessages):]
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b chatState) int {
		if c := b.at.Compare(a.at); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all[:min(len(all), mostChats)]
}

func (one *phone) message(m chatsim.Message, names map[string]string) messageState {
	s := messageState{ID: m.ID, Mine: m.FromMe, From: nameOf(m.From, names), Text: m.Text, At: m.At,
		Invite: m.Invited() && !m.FromMe}
	if m.Media != nil {
		s.Media = &mediaState{Name: m.Media.FileName, Picture: isPicture(m.Media.ContentType)}
		if m.Media.Data != nil {
			s.Media.Address = "/phone/files/" + one.Number() + "/" + m.ID
		}
	}
	if m.FromMe {
		s.Status = "sent"
		for _, kind := range []string{chatsim.Delivered, chatsim.Read} {
			if one.HasReceipt(m.ID, kind) {
				s.Status = kind
			}
		}
	}
	return s
}

// unread returns the messages of a chat that the phone's owner has not seen,
// and marks them as seen.
func (one *phone) unread(chat string) []chatsim.Message {
	one.mu.Lock()
	defer one.mu.Unlock()
	var news []chatsim.Message
	for _, m := range one.Messages() {
		if m.Chat == chat && !m.FromMe && !one.read[keyOf(m)] {
			one.read[keyOf(m)] = true
			news = append(news, m)
		}
	}
	return news
}

func nameOf(id string, names map[string]string) string {
	if name := names[id]; name != "" {
		return name
	}
	if number, _, group := strings.Cut(id, "@"); group {
		return "Group " + number
	}
	return "+" + id
}

// isPicture reports whether a browser may display a file as a picture: none of
// these types can contain a script.
func isPicture(contentType string) bool {
	return slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, contentType)
}
