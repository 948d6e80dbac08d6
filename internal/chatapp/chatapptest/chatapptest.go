// Package chatapptest makes a messaging application fail at a chosen step, for
// tests of those who must bear it: refusals, lost answers, silence, and the
// death of the process before or after the network's work. A World is an
// application with connections, for tests of several nodes.
//
// It imports the vocabulary and the seam. Only tests import it.
package chatapptest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"parley"
	"parley/internal/chatapp"
)

// A Step is a method of a connector.
type Step string

// The steps.
const (
	CreateGroup Step = "CreateGroup"
	FindGroups  Step = "FindGroups"
	AddMembers  Step = "AddMembers"
	SetAdmin    Step = "SetAdmin"
	InviteLink  Step = "InviteLink"
	Send        Step = "Send"
	Unpair      Step = "Unpair" // of a Driver
	Open        Step = "Open"   // of a Driver
)

// Steps lists the steps of a connector.
func Steps() []Step { return []Step{CreateGroup, FindGroups, AddMembers, SetAdmin, InviteLink, Send} }

// A Fault is what goes wrong with one call. With an error, the call returns it
// in place of its answer; with nil, the call goes on, so that a fault can also
// just watch or wait.
type Fault func(context.Context) error

// ErrKilled is what Kill panics with.
var ErrKilled = errors.New("the process was killed here")

// Fail is the fault of an error.
func Fail(err error) Fault { return func(context.Context) error { return err } }

// Hang is the fault of a network that never answers.
func Hang(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// Kill ends the caller as the death of its process would, by a panic with
// ErrKilled. Whoever calls it in a goroutine of a test recovers there, see
// Survive.
func Kill(context.Context) error { panic(ErrKilled) }

// Survive runs fn and reports whether Kill ended it.
func Survive(fn func()) (killed bool) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case error(ErrKilled):
			killed = true
		default:
			panic(r)
		}
	}()
	fn()
	return false
}

// A Network is a connector with faults. Without any, it is the one behind it.
type Network struct {
	inner  chatapp.Connector
	mu     sync.Mutex
	before map[Step][]Fault
	after  map[Step][]Fault
	calls  []Step
}

var _ chatapp.Connector = (*Network)(nil)

// Wrap returns a network over a connector.
func Wrap(inner chatapp.Connector) *Network {
	return &Network{inner: inner, before: map[Step][]Fault{}, after: map[Step][]Fault{}}
}

// Before puts a fault in front of the next call of a step that has none yet:
// where it fails, the network is not asked.
func (n *Network) Before(step Step, f Fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.before[step] = append(n.before[step], f)
}

// After puts a fault behind the next call of a step that has none yet: the
// network has done its work, and only the answer is lost.
func (n *Network) After(step Step, f Fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.after[step] = append(n.after[step], f)
}

// Reset takes back the faults that no call has met yet.
func (n *Network) Reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.before)
	clear(n.after)
}

// Calls returns the steps that were called so far, in their order, but Open.
func (n *Network) Calls() []Step {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.calls)
}

// take returns the faults of a call that starts.
func (n *Network) take(step Step) (before, after Fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if step != Open { // which asks nothing of the network
		n.calls = append(n.calls, step)
	}
	next := func(queues map[Step][]Fault) Fault {
		queue := queues[step]
		if len(queue) == 0 {
			return Fail(nil)
		}
		queues[step] = queue[1:]
		return queue[0]
	}
	return next(n.before), next(n.after)
}

// call makes one call with its faults. It gives T's zero value in place of a
// lost answer.
func call[T any](ctx context.Context, n *Network, step Step, ask func() (T, error)) (T, error) {
	var none T
	before, after := n.take(step)
	if err := before(ctx); err != nil {
		return none, err
	}
	answer, err := ask()
	if lost := after(ctx); lost != nil {
		return none, lost
	}
	return answer, err
}

// Capabilities returns those of the connector behind.
func (n *Network) Capabilities() chatapp.Capabilities { return n.inner.Capabilities() }

// CreateGroup asks the connector behind, with the faults of the step.
func (n *Network) CreateGroup(ctx context.Context, host chatapp.Host, name string, participants []parley.Phone) (chatapp.Group, []chatapp.MemberResult, error) {
	type made struct {
		group   chatapp.Group
		results []chatapp.MemberResult
	}
	m, err := call(ctx, n, CreateGroup, func() (m made, err error) {
		m.group, m.results, err = n.inner.CreateGroup(ctx, host, name, participants)
		return m, err
	})
	return m.group, m.results, err
}

// FindGroups asks the connector behind, with the faults of the step.
func (n *Network) FindGroups(ctx context.Context, host chatapp.Host, name string, since time.Time) ([]chatapp.Group, error) {
	return call(ctx, n, FindGroups, func() ([]chatapp.Group, error) { return n.inner.FindGroups(ctx, host, name, since) })
}

// AddMembers asks the connector behind, with the faults of the step.
func (n *Network) AddMembers(ctx context.Context, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	return call(ctx, n, AddMembers, func() ([]chatapp.MemberResult, error) {
		return n.inner.AddMembers(ctx, host, jid, participants)
	})
}

// SetAdmin asks the connector behind, with the faults of the step.
func (n *Network) SetAdmin(ctx context.Context, host chatapp.Host, jid string, member parley.Phone, admin bool) error {
	_, err := call(ctx, n, SetAdmin, func() (struct{}, error) {
		return struct{}{}, n.inner.SetAdmin(ctx, host, jid, member, admin)
	})
	return err
}

// InviteLink asks the connector behind, with the faults of the step.
func (n *Network) InviteLink(ctx context.Context, host chatapp.Host, jid string) (string, error) {
	return call(ctx, n, InviteLink, func() (string, error) { return n.inner.InviteLink(ctx, host, jid) })
}

// Send asks the connector behind, with the faults of the step.
func (n *Network) Send(ctx context.Context, host chatapp.Host, m chatapp.Message) error {
	_, err := call(ctx, n, Send, func() (struct{}, error) { return struct{}{}, n.inner.Send(ctx, host, m) })
	return err
}
