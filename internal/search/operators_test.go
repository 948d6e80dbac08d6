package search_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// An archive is a workspace of random messages, and what the reference knows of them.
type archive struct {
	*world
	conversations map[parley.ID]parley.Conversation
	messages      []parley.Message // newest first
}

// day is a point of time in the world.
func day(n int) time.Time { return time.Date(2026, time.November, n, 0, 0, 0, 0, time.UTC) }

// newArchive writes messages from 1 to 21 November 2026.
func (w *world) newArchive() *archive {
	t, by := w.T, w.By()
	a := &archive{world: w, conversations: map[parley.ID]parley.Conversation{}}
	lamp, err := w.Desk.CreateProduct(t.Context(), by, "Lamp Shop", "")
	w.Must(err)
	web, err := w.Desk.CreateInbox(t.Context(), by, desk.NewInbox{Name: "Lyme Website", Channel: parley.ChannelWeb})
	w.Must(err)
	random := rand.New(rand.NewPCG(1, 2))
	for n, name := range []string{"Ann Lee", "Bo Lee", "Cara Noor", "Ann Noor", "Dov"} {
		in := desk.NewConversation{ContactID: w.Contact(by, name).ID, CreatedAt: day(1)}
		if n%2 == 0 {
			in.InboxID = web.ID
		}
		if n%3 == 0 {
			in.ProductID = parley.Some(lamp.ID)
		}
		c, err := w.Desk.CreateConversation(t.Context(), by, in)
		w.Must(err)
		for i := range 12 {
			m := desk.NewMessage{
				Content:     []string{"a red lamp", "the lamp is broken", "refund it", "lampshade red"}[random.IntN(4)],
				ContentType: parley.Text, Direction: parley.Outgoing,
				CreatedAt: day(1 + random.IntN(20)).Add(time.Duration(n*100+i) * time.Second),
			}
			switch random.IntN(4) {
			case 0:
				m.AgentID = by.Member
			case 1:
				m.AgentID, m.Private = by.Member, true
			case 2:
				m.Direction = parley.Incoming
			}
			if random.IntN(4) == 0 {
				m.AttachmentIDs = []parley.ID{w.file()}
			}
			_, err := w.Desk.PostMessage(t.Context(), by, c.ID, m)
			w.Must(err)
		}
		if n < 3 {
			_, err := w.Desk.PostMessage(t.Context(), by, c.ID, desk.NewMessage{Content: "now", ContentType: parley.Text, Direction: parley.Incoming})
			w.Must(err)
		}
		change := desk.ConversationChange{
			Status: parley.Some(parley.Statuses[n%3]), Spam: parley.Some(n == 4),
			Labels: parley.Some([][]string{{"refund"}, {"Big Deal", "refund"}, {}}[n%3]),
		}
		if n%2 == 0 {
			change.AssigneeID = parley.Some(by.Member)
		}
		a.conversations[c.ID], err = w.Desk.UpdateConversation(t.Context(), by, c.ID, change)
		w.Must(err)
		if n < 3 {
			a.conversations[c.ID] = w.inTeam(a.conversations[c.ID], n == 2)
		}
	}
	w.indexed()
	return a
}

// inTeam gives a conversation to a new team, which may be deleted, and lets it sleep.
func (w *world) inTeam(c parley.Conversation, deleted bool) parley.Conversation {
	ws := w.Home.Workspace.ID
	c.Team = parley.TeamRef{ID: parley.NewIDs(nil).New(w.Now()), Name: "Billing"}
	c.SnoozedUntil = w.Now().Add(time.Hour)
	storetest.Write(w.T, w.Store, ws, func(tx *store.Tx) error {
		return errors.Join(
			store.Exec(tx, ws, "INSERT INTO teams (workspace_id, team_id, name, color, created_at, updated_at, deleted_at) VALUES ($1, $2, $3, 'teal', 1, 1, $4)",
				c.Team.ID, c.Team.Name, map[bool]int{true: 1}[deleted]),
			tx.UpdateConversation(ws, &c, w.Now()),
		)
	})
	if deleted {
		c.Team = parley.TeamRef{}
	}
	return c
}

// file stores an unattached file.
func (w *world) file() parley.ID {
	w.T.Helper()
	f := desk.Attachment{Attachment: parley.Attachment{ID: parley.NewIDs(nil).New(w.Now()), FileName: "a.txt", ContentType: "text/plain", Size: 1, CreatedAt: w.Now()}, Stored: true}
	storetest.Write(w.T, w.Store, w.Home.Workspace.ID, func(tx *store.Tx) error { return desk.InsertAttachment(tx, w.Home.Workspace.ID, &f) })
	return f.ID
}

// An oracle is an operator and the rule that it stands for.
type oracle struct {
	text string
	is   func(m *parley.Message, c *parley.Conversation) bool
}

func (a *archive) oracles() []oracle {
	by := a.By().Member
	named := func(part string) func(*parley.Message, *parley.Conversation) bool {
		return func(m *parley.Message, c *parley.Conversation) bool {
			return m.Sender.Type == parley.SenderContact && strings.Contains(c.Contact.Name, part)
		}
	}
	labelled := func(label string) func(*parley.Message, *parley.Conversation) bool {
		return func(_ *parley.Message, c *parley.Conversation) bool { return slices.Contains(c.Labels, label) }
	}
	of := func(is func(c *parley.Conversation) bool) func(*parley.Message, *parley.Conversation) bool {
		return func(_ *parley.Message, c *parley.Conversation) bool { return is(c) }
	}
	sent := func(types ...parley.SenderType) func(*parley.Message, *parley.Conversation) bool {
		return func(m *parley.Message, _ *parley.Conversation) bool { return slices.Contains(types, m.Sender.Type) }
	}
	return []oracle{
		{"from:ann", named("Ann")}, {`from:"bo lee"`, named("Bo Lee")}, {"FROM:Noo", named("Noor")}, {"from:nobody", named("nobody")},
		{"from:me", sent(parley.SenderAgent)}, {"from:team", sent(parley.SenderAgent)}, {"from:customer", sent(parley.SenderContact)}, {"from:bot", sent(parley.SenderBot)},
		{"label:refund", labelled("refund")}, {`label:"Big Deal"`, labelled("Big Deal")}, {"label:none", labelled("none")},
		{"is:open", of(func(c *parley.Conversation) bool { return c.Status == parley.Open })},
		{"is:Resolved", of(func(c *parley.Conversation) bool { return c.Status == parley.Resolved })},
		{"is:pending", of(func(c *parley.Conversation) bool { return c.Status == parley.Pending })},
		{"is:unread", of(func(c *parley.Conversation) bool { return c.UnreadCount > 0 })},
		{"is:waiting", of(func(c *parley.Conversation) bool { return !c.WaitingSince.IsZero() })},
		{"is:snoozed", of(func(c *parley.Conversation) bool { return c.Status == parley.Pending && !c.SnoozedUntil.IsZero() })},
		{"team:bill", of(func(c *parley.Conversation) bool { return c.Team.Name == "Billing" })},
		{"team:none", of(func(c *parley.Conversation) bool { return c.Team.ID.IsZero() })},
		{"is:spam", of(func(c *parley.Conversation) bool { return c.Spam })},
		{"is:note", func(m *parley.Message, _ *parley.Conversation) bool { return m.Private }},
		{"is:unassigned", of(func(c *parley.Conversation) bool { return c.Assignee.ID == "" })},
		{"is:mine", of(func(c *parley.Conversation) bool { return c.Assignee.ID == by })},
		{"assignee:me", of(func(c *parley.Conversation) bool { return c.Assignee.ID == by })},
		{"assignee:none", of(func(c *parley.Conversation) bool { return c.Assignee.ID == "" })},
		{"assignee:owner@home.example", of(func(c *parley.Conversation) bool { return c.Assignee.ID == by })},
		{"in:lyme", of(func(c *parley.Conversation) bool { return c.Inbox.Name == "Lyme Website" })},
		{"in:web", of(func(c *parley.Conversation) bool { return c.Inbox.Channel == parley.ChannelWeb })},
		{`in:"lamp sh`, of(func(c *parley.Conversation) bool { return c.Product.Name == "Lamp Shop" })},
		{"has:file", func(m *parley.Message, _ *parley.Conversation) bool { return len(m.Attachments) > 0 }},
		{"before:2026-11-09", func(m *parley.Message, _ *parley.Conversation) bool { return m.CreatedAt.Before(day(9)) }},
		{"after:2026-11-09", func(m *parley.Message, _ *parley.Conversation) bool { return !m.CreatedAt.Before(day(9)) }},
		{"before:2026-11-11T01:00:00+01:00", func(m *parley.Message, _ *parley.Conversation) bool { return m.CreatedAt.Before(day(11)) }},
		{"after:2026-11", func(m *parley.Message, _ *parley.Conversation) bool { return !m.CreatedAt.Before(day(1)) }},
		{"before:2026", func(m *parley.Message, _ *parley.Conversation) bool { return false }},
		{"label:", func(*parley.Message, *parley.Conversation) bool { return true }}, // still being typed
	}
}

// TestSearchOperatorsModel compares random queries of words and operators with a
// reference that looks at every message.
func TestSearchOperatorsModel(t *testing.T) {
	desktest.Each(t, func(t *testing.T, home *desktest.World) {
		a := (&world{home, search.New(search.Options{Desk: home.Desk})}).newArchive()
		oracles := a.oracles()
		vis := a.By().Visibility()
		all, err := a.svc.Search(vis, search.Search{Text: "after:2026-11-01", Limit: 100}).Now(t.Context())
		a.Must(err)
		for _, hit := range all.Items {
			m, err := a.Desk.Message(vis, hit.ID).Now(t.Context())
			a.Must(err)
			a.messages = append(a.messages, m)
		}
		if len(a.messages) != 63 {
			t.Fatalf("the archive has %d messages", len(a.messages))
		}
		rapid.Check(t, func(r *rapid.T) {
			words := rapid.SampledFrom([]string{"", "", "lamp", "red", "refund", "lamp broken"}).Draw(r, "words")
			parts := strings.Fields(words)
			var rules []oracle
			for range rapid.IntRange(0, 3).Draw(r, "operators") {
				rule := oracles[rapid.IntRange(0, len(oracles)-1).Draw(r, "operator")]
				if rule.text != `in:"lamp sh` && rule.text != "label:" && rapid.Bool().Draw(r, "not") {
					is := rule.is
					rule = oracle{"-" + rule.text, func(m *parley.Message, c *parley.Conversation) bool { return !is(m, c) }}
				}
				if rule.text == `in:"lamp sh` && slices.Contains(parts, rule.text) {
					continue // the first open quote would end at the second
				}
				rules = append(rules, rule)
				parts = slices.Insert(parts, rapid.IntRange(0, len(parts)).Draw(r, "place"), rule.text)
			}
			// An open quote extends to the end.
			slices.SortStableFunc(parts, func(x, y string) int { return strings.Count(x, `"`)%2 - strings.Count(y, `"`)%2 })
			in := search.Search{By: a.By().Member, Text: strings.Join(parts, " "), Kind: parley.SearchMessage, Limit: 100}
			if rapid.Bool().Draw(r, "inside") {
				in.ConversationID = a.messages[0].ConversationID
			}
			if words == "" && !slices.ContainsFunc(rules, func(o oracle) bool { return o.text != "label:" }) {
				return // refused
			}
			page, err := a.svc.Search(vis, in).Now(t.Context())
			if err != nil {
				r.Fatalf("%q: %v", in.Text, err)
			}
			got := []string{}
			for _, hit := range page.Items {
				got = append(got, hit.ID.String())
			}
			want := a.reference(in, strings.Fields(words), rules)
			if words != "" && in.ConversationID.IsZero() { // ranked
				slices.Sort(got)
				slices.Sort(want)
			}
			if !slices.Equal(got, want) {
				r.Fatalf("%q finds %d messages, the reference %d:\n%v\n%v", in.Text, len(got), len(want), got, want)
			}
		})
	})
}

// reference returns the ids of the messages that a search should find, newest first.
func (a *archive) reference(in search.Search, words []string, rules []oracle) []string {
	want := []string{}
	for i := range a.messages {
		m := &a.messages[i]
		c := a.conversations[m.ConversationID]
		contains := func(word string) bool {
			for have := range strings.FieldsSeq(m.Content) {
				if have == word || word == words[len(words)-1] && strings.HasPrefix(have, word) {
					return true
				}
			}
			return false
		}
		if (in.ConversationID.IsZero() || m.ConversationID == in.ConversationID) &&
			!slices.ContainsFunc(words, func(word string) bool { return !contains(word) }) &&
			!slices.ContainsFunc(rules, func(rule oracle) bool { return !rule.is(m, &c) }) {
			want = append(want, m.ID.String())
		}
	}
	return want
}

// TestSearchRefusesOperators asks with values that an operator cannot have.
func TestSearchRefusesOperators(t *testing.T) {
	desktest.Each(t, func(t *testing.T, home *desktest.World) {
		w := &world{home, search.New(search.Options{Desk: home.Desk})}
		for text, want := range map[string]string{
			"is:blue":         "q: must have one of open, pending, resolved, unread, waiting, snoozed, spam, note, unassigned, mine after is:",
			"has:wings":       "q: must have file after has:",
			"before:tomorrow": "q: must have a date such as 2026-11-23 after before:",
			"-after:9999":     "q: must have a date such as 2026-11-23 after after:",
			"label:":          "q: must contain a letter or a digit",
		} {
			_, err := w.svc.Search(w.By().Visibility(), search.Search{Text: text, Limit: 9}).Now(t.Context())
			w.Refused(err, parley.Invalid, want)
		}
	})
}

// TestSearchOperatorsSeeNoMore searches by operators with the visibility of a customer.
func TestSearchOperatorsSeeNoMore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rose, c := w.garden(w.By())
		stranger := w.Contact(w.By(), "Stranger")
		for contact, want := range map[parley.ID]int{rose.ID: 2, stranger.ID: 0} {
			customer := parley.CustomerSession{Workspace: w.Home.Workspace.ID, InboxID: c.Inbox.ID, ContactID: contact}
			for _, text := range []string{"garden is:open", "is:open"} {
				page, err := w.svc.Search(customer.Visibility(), search.Search{Text: text, ConversationID: c.ID, Limit: 9}).Now(t.Context())
				if w.Must(err); len(page.Items) != want {
					t.Errorf("%q finds %s, want %d messages", text, fmt.Sprint(page.Items), want)
				}
			}
		}
	})
}
