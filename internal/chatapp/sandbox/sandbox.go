// Package sandbox simulates the messaging application, so that anyone can try
// groups without a phone. The last two digits of a number determine its
// behaviour:
//
//	..00 is not on the application
//	..01 refuses to be added, by its privacy settings
//	..02 cannot be added, because the host has not saved it as a contact
//	..03 makes the network time out once: the first call of the host that
//	     would add it takes effect, but its response is lost
//	..04 is already a member of every group
//
// Any other number is added. A host whose own number ends in ..09 is not an
// admin of its groups, but can add and invite. Messages to ..01 and ..02
// arrive.
//
// The network survives a crash of the server: its state is in a Journal and not
// in memory, so a new Network over the same journal is the same network. Within
// one process its changes are sequential. The package imports the vocabulary
// and chatapp. This file is the network; group.go holds the state of a group
// and the rules above.
package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
	"parley/internal/chatapp"
)

// A Journal stores the state of groups. A write is durable when it returns. The
// state is JSON that only this package reads.
type Journal interface {
	// SaveSandboxGroup inserts or replaces the state of a group of the host.
	SaveSandboxGroup(ctx context.Context, ws parley.WorkspaceID, jid string, host parley.Phone, state []byte) error
	// SandboxGroups returns the states of a host's groups, in any order.
	SandboxGroups(ctx context.Context, ws parley.WorkspaceID, host parley.Phone) ([][]byte, error)
}

// MaxMembers is the largest size of a group, including the host.
const MaxMembers = 1024

// A Network is the sandbox. It implements chatapp.Connector.
type Network struct {
	journal Journal
	clock   parley.Clock
	ids     *parley.IDs
	turn    chan struct{} // serializes changes; a channel, because the wait must end with its context
}

var _ chatapp.Connector = (*Network)(nil)

// New returns a network over a journal.
func New(journal Journal, clock parley.Clock, ids *parley.IDs) *Network {
	return &Network{journal: journal, clock: clock, ids: ids, turn: make(chan struct{}, 1)}
}

// Capabilities returns the capabilities of the simulated application.
func (n *Network) Capabilities() chatapp.Capabilities {
	return chatapp.Capabilities{DirectAdd: true, Promote: true, MaxMembers: MaxMembers, Media: true}
}

// CreateGroup creates a group. The name must satisfy parley.NameRule.
func (n *Network) CreateGroup(ctx context.Context, host chatapp.Host, name string, participants []parley.Phone) (chatapp.Group, []chatapp.MemberResult, error) {
	var none chatapp.Group
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > parley.MaxName {
		return none, nil, chatapp.ErrName
	}
	if !slices.ContainsFunc(participants, onChatapp) {
		return none, nil, chatapp.ErrNobody
	}
	leave, err := n.enter(ctx)
	if err != nil {
		return none, nil, err
	}
	defer leave()
	g := newGroup(n.ids, n.clock.Now(), host, name)
	results, err := n.add(ctx, host, g, participants)
	if err != nil && !errors.Is(err, chatapp.ErrTimeout) {
		return none, nil, err
	}
	if saveErr := n.save(ctx, host, g); saveErr != nil || err != nil {
		return none, nil, cmp.Or(saveErr, err)
	}
	return g.shown(), results, nil
}

// FindGroups returns the groups with a name, newest first.
func (n *Network) FindGroups(ctx context.Context, host chatapp.Host, name string, since time.Time) ([]chatapp.Group, error) {
	groups, err := n.groups(ctx, host, "")
	if err != nil {
		return nil, err
	}
	var found []chatapp.Group
	for _, g := range groups {
		if g.Name == name && !g.CreatedAt.Before(since) {
			found = append(found, g.shown())
		}
	}
	slices.SortFunc(found, func(a, b chatapp.Group) int {
		if order := b.CreatedAt.Compare(a.CreatedAt); order != 0 {
			return order
		}
		return strings.Compare(a.JID, b.JID) // the journal promises no order
	})
	return found, nil
}

// AddMembers adds participants to a group.
func (n *Network) AddMembers(ctx context.Context, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	var results []chatapp.MemberResult
	err := n.change(ctx, host, jid, func(g *group) (err error) {
		results, err = n.add(ctx, host, g, participants)
		return err
	})
	if err != nil {
		return nil, err // the results are lost with the response
	}
	return results, nil
}

// SetAdmin promotes or demotes a member.
func (n *Network) SetAdmin(ctx context.Context, host chatapp.Host, jid string, member parley.Phone, admin bool) error {
	return n.change(ctx, host, jid, func(g *group) error {
		if !g.Members[host.Phone] {
			return chatapp.ErrNotAdmin
		}
		if !g.has(member) {
			return chatapp.ErrNotMember
		}
		g.Members[member] = admin
		return nil
	})
}

// InviteLink returns the URL of the group. Its host name cannot belong to
// anyone (RFC 2606, section 2).
func (n *Network) InviteLink(ctx context.Context, host chatapp.Host, jid string) (string, error) {
	g, err := n.find(ctx, host, jid)
	if err != nil {
		return "", err
	}
	return "https://chatapp.example/" + g.Code, nil
}

// Send stores a message with its group, once. A message to a person that
// concerns no group arrives and is not stored.
func (n *Network) Send(ctx context.Context, host chatapp.Host, m chatapp.Message) error {
	if m.ID == "" {
		return errors.New("a message without an id cannot be known again")
	}
	if m.Phone != "" && !onChatapp(m.Phone) {
		return chatapp.ErrNotOnChatapp
	}
	if m.JID == "" && m.Phone != "" {
		return ctx.Err()
	}
	return n.change(ctx, host, m.JID, func(g *group) error {
		g.keep(m)
		return nil
	})
}

// Forget removes persons from the simulated groups, with the messages to them.
func (n *Network) Forget(ctx context.Context, host chatapp.Host, who chatapp.Person) error {
	leave, err := n.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	groups, err := n.groups(ctx, host, "")
	if err != nil {
		return err
	}
	for _, g := range groups {
		if !g.forget(who.Phones) {
			continue
		}
		if err := n.save(ctx, host, g); err != nil {
			return err
		}
	}
	return nil
}

// Sent returns the latest messages to a group, and to persons about the group,
// oldest first, at most keptMessages.
func (n *Network) Sent(ctx context.Context, host chatapp.Host, jid string) ([]chatapp.Message, error) {
	g, err := n.find(ctx, host, jid)
	if err != nil {
		return nil, err
	}
	return g.sent(), nil
}

// add adds participants to a group, each once. If one of them makes the network
// time out, it returns ErrTimeout after the work is done.
func (n *Network) add(ctx context.Context, host chatapp.Host, g *group, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	results, slow := g.add(n.ids, n.clock.Now(), participants)
	if len(slow) == 0 {
		return results, nil
	}
	groups, err := n.groups(ctx, host, "") // these numbers may have timed out in another group
	if err != nil {
		return nil, err
	}
	var late error
	for _, phone := range slow {
		if !slices.ContainsFunc(groups, func(other *group) bool { return other.TimedOut[phone] }) {
			g.TimedOut[phone], late = true, chatapp.ErrTimeout
		}
	}
	return results, late
}

// change applies fn to a group and saves it. It also saves after ErrTimeout,
// which means that only the response is lost.
func (n *Network) change(ctx context.Context, host chatapp.Host, jid string, fn func(*group) error) error {
	leave, err := n.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	g, err := n.find(ctx, host, jid)
	if err != nil {
		return err
	}
	outcome := fn(g)
	if outcome != nil && !errors.Is(outcome, chatapp.ErrTimeout) {
		return outcome
	}
	return cmp.Or(n.save(ctx, host, g), outcome)
}

// enter waits until no other change is running.
func (n *Network) enter(ctx context.Context) (leave func(), err error) {
	select {
	case n.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	leave = func() { <-n.turn }
	if err := ctx.Err(); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

func (n *Network) find(ctx context.Context, host chatapp.Host, jid string) (*group, error) {
	groups, err := n.groups(ctx, host, jid)
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

// groups returns the host's groups. With a jid it skips other groups without
// decoding them.
func (n *Network) groups(ctx context.Context, host chatapp.Host, jid string) ([]*group, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	states, err := n.journal.SandboxGroups(ctx, host.Workspace, host.Phone)
	if err != nil {
		return nil, fmt.Errorf("read the groups of the sandbox: %w", err)
	}
	var groups []*group
	for _, state := range states {
		if !bytes.Contains(state, []byte(jid)) {
			continue
		}
		g := &group{}
		if err := json.Unmarshal(state, g); err != nil {
			return nil, fmt.Errorf("read a group of the sandbox: %w", err)
		}
		groups = append(groups, g)
	}
	return groups, nil
}

func (n *Network) save(ctx context.Context, host chatapp.Host, g *group) error {
	state, err := json.Marshal(g)
	if err != nil {
		return fmt.Errorf("keep a group of the sandbox: %w", err)
	}
	if err := n.journal.SaveSandboxGroup(ctx, host.Workspace, g.JID, host.Phone, state); err != nil {
		return fmt.Errorf("keep a group of the sandbox: %w", err)
	}
	return nil
}
