// Package sandbox plays the messaging application, so that anyone can try
// groups without a phone. A number behaves by its last two digits:
//
//	..00 is not on the application
//	..01 refuses to be added, by its privacy settings
//	..02 cannot be added, for the host has not saved it
//	..03 makes the network time out once (the work is done, the answer is
//	     lost), then works
//	..04 is a member already
//
// Any other is added. A host whose own number ends in ..09 is no admin of its
// groups.
//
// The network outlives a crash of the server: it keeps what it knows in a
// Journal. The package imports the vocabulary and the seam.
package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"parley"
	"parley/internal/chatapp"
)

// A Journal keeps the state of groups, each write durable when it returns.
type Journal interface {
	SaveSandboxGroup(ctx context.Context, ws parley.WorkspaceID, jid string, host parley.Phone, state []byte) error
	SandboxGroups(ctx context.Context, ws parley.WorkspaceID, host parley.Phone) ([][]byte, error)
}

// MaxMembers is the size of a group, the host included.
const MaxMembers = 1024

// A Network is the sandbox. It implements chatapp.Connector.
type Network struct {
	journal Journal
	clock   parley.Clock
	ids     *parley.IDs
	mu      sync.Mutex // one change at a time, as on a network of one server
}

var _ chatapp.Connector = (*Network)(nil)

// New returns a network over a journal.
func New(journal Journal, clock parley.Clock, ids *parley.IDs) *Network {
	return &Network{journal: journal, clock: clock, ids: ids}
}

// A group is the state of a group in the journal.
type group struct {
	JID       string                `json:"jid"`
	Name      string                `json:"name"`
	Code      string                `json:"code"` // of the invite link
	CreatedAt time.Time             `json:"createdAt"`
	Members   map[parley.Phone]bool `json:"members"` // true: an admin
	TimedOut  map[parley.Phone]bool `json:"timedOut"`
	Sent      []chatapp.Message     `json:"sent"` // the newest keptMessages
}

// keptMessages is how many messages a group remembers, to know one that is
// sent again.
const keptMessages = 50

// Capabilities returns those of the application that is played.
func (n *Network) Capabilities() chatapp.Capabilities {
	return chatapp.Capabilities{DirectAdd: true, Promote: true, MaxMembers: MaxMembers}
}

// CreateGroup makes a group.
func (n *Network) CreateGroup(ctx context.Context, host chatapp.Host, name string, participants []parley.Phone) (chatapp.Group, []chatapp.MemberResult, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.ContainsFunc(participants, func(p parley.Phone) bool { return !ends(p, "00") }) {
		return chatapp.Group{}, nil, chatapp.ErrNobody
	}
	now := n.clock.Now()
	g := &group{
		JID: fmt.Sprintf("1203%014d@g.us", jidNumber(n.ids.New(now))), Name: name, Code: n.ids.NewText(22), CreatedAt: now,
		Members: map[parley.Phone]bool{host.Phone: !ends(host.Phone, "09")}, TimedOut: map[parley.Phone]bool{},
	}
	results, late := g.add(participants)
	if err := n.save(ctx, host, g); err != nil {
		return chatapp.Group{}, nil, err
	}
	if late {
		return chatapp.Group{}, nil, chatapp.ErrTimeout
	}
	return g.shown(), results, nil
}

// jidNumber makes a number of an id's random and counted bits.
func jidNumber(id parley.ID) uint64 {
	var number uint64
	for _, b := range id[6:13] {
		number = number<<8 | uint64(b)
	}
	return number % 1e14
}

// FindGroups returns the groups of a name, newest first.
func (n *Network) FindGroups(ctx context.Context, host chatapp.Host, name string, since time.Time) ([]chatapp.Group, error) {
	groups, err := n.groups(ctx, host)
	if err != nil {
		return nil, err
	}
	var found []chatapp.Group
	for _, g := range groups {
		if g.Name == name && !g.CreatedAt.Before(since) {
			found = append(found, g.shown())
		}
	}
	slices.SortStableFunc(found, func(a, b chatapp.Group) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return found, nil
}

// AddMembers adds participants to a group.
func (n *Network) AddMembers(ctx context.Context, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	var results []chatapp.MemberResult
	err := n.change(ctx, host, jid, func(g *group) error {
		var late bool
		if results, late = g.add(participants); late {
			return chatapp.ErrTimeout
		}
		return nil
	})
	return results, err
}

// SetAdmin promotes or demotes a member.
func (n *Network) SetAdmin(ctx context.Context, host chatapp.Host, jid string, member parley.Phone, admin bool) error {
	return n.change(ctx, host, jid, func(g *group) error {
		if ends(host.Phone, "09") {
			return chatapp.ErrNotAdmin
		}
		if _, ok := g.Members[member]; !ok {
			return chatapp.ErrNotMember
		}
		g.Members[member] = admin
		return nil
	})
}

// InviteLink returns the address by which to join the group.
func (n *Network) InviteLink(ctx context.Context, host chatapp.Host, jid string) (string, error) {
	g, err := n.find(ctx, host, jid)
	if err != nil {
		return "", err
	}
	return "https://chatapp.example/" + g.Code, nil
}

// Send keeps a message with its group, once.
func (n *Network) Send(ctx context.Context, host chatapp.Host, m chatapp.Message) error {
	return n.change(ctx, host, m.JID, func(g *group) error {
		if slices.ContainsFunc(g.Sent, func(sent chatapp.Message) bool { return sent.ID == m.ID }) {
			return nil
		}
		g.Sent = append(g.Sent, m)
		g.Sent = g.Sent[max(0, len(g.Sent)-keptMessages):]
		return nil
	})
}

// Sent returns the newest messages that reached a group or, about the group, a
// person.
func (n *Network) Sent(ctx context.Context, host chatapp.Host, jid string) ([]chatapp.Message, error) {
	g, err := n.find(ctx, host, jid)
	if err != nil {
		return nil, err
	}
	return g.Sent, nil
}

// add decides what becomes of each participant. late says that the answer gets
// lost.
func (g *group) add(participants []parley.Phone) (results []chatapp.MemberResult, late bool) {
	for _, p := range participants {
		r := chatapp.MemberResult{Phone: p, Outcome: chatapp.Added}
		_, member := g.Members[p]
		switch {
		case ends(p, "00"):
			r.Outcome = chatapp.NotFound
		case ends(p, "01"), ends(p, "02"):
			r.Outcome, r.Code = chatapp.NeedsInvite, 403
		case len(g.Members) >= MaxMembers && !member:
			r.Outcome, r.Code = chatapp.Refused, 419
		case member, ends(p, "04"):
			r.Outcome = chatapp.Already
			g.Members[p] = g.Members[p]
		default:
			if ends(p, "03") && !g.TimedOut[p] {
				g.TimedOut[p], late = true, true
			}
			g.Members[p] = false
		}
		results = append(results, r)
	}
	return results, late
}

func (g *group) shown() chatapp.Group {
	return chatapp.Group{JID: g.JID, Name: g.Name, CreatedAt: g.CreatedAt}
}

// change changes a group and keeps it. What fn did is kept also when it
// returns ErrTimeout, for then only the answer is lost.
func (n *Network) change(ctx context.Context, host chatapp.Host, jid string, fn func(*group) error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	g, err := n.find(ctx, host, jid)
	if err != nil {
		return err
	}
	outcome := fn(g)
	if outcome != nil && !errors.Is(outcome, chatapp.ErrTimeout) {
		return outcome
	}
	if err := n.save(ctx, host, g); err != nil {
		return err
	}
	return outcome
}

func (n *Network) find(ctx context.Context, host chatapp.Host, jid string) (*group, error) {
	groups, err := n.groups(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		if g.JID == jid {
			return g, nil
		}
	}
	return nil, chatapp.ErrNoGroup
}

func (n *Network) groups(ctx context.Context, host chatapp.Host) ([]*group, error) {
	states, err := n.journal.SandboxGroups(ctx, host.Workspace, host.Phone)
	if err != nil {
		return nil, err
	}
	groups := make([]*group, len(states))
	for i, state := range states {
		groups[i] = &group{}
		if err := json.Unmarshal(state, groups[i]); err != nil {
			return nil, fmt.Errorf("read a group of the sandbox: %w", err)
		}
	}
	return groups, nil
}

func (n *Network) save(ctx context.Context, host chatapp.Host, g *group) error {
	state, err := json.Marshal(g)
	if err != nil {
		return fmt.Errorf("keep a group of the sandbox: %w", err)
	}
	return n.journal.SaveSandboxGroup(ctx, host.Workspace, g.JID, host.Phone, state)
}

func ends(p parley.Phone, digits string) bool { return strings.HasSuffix(string(p), digits) }
