// Package chatapptest simulates failures of a messaging application for tests:
// refusals, lost responses, timeouts, and the death of the process before or
// after an operation takes effect. A World is an in-memory application with
// connections, for tests with several nodes.
//
// It imports the vocabulary and chatapp. Only tests import it.
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

// A Fault is applied to one call. If it returns an error, the call returns that
// error instead of its result; if it returns nil, the call continues, so a
// fault can also just observe or wait.
type Fault func(context.Context) error

// ErrKilled is the value with which Kill panics.
var ErrKilled = errors.New("the process was killed here")

// Fail returns a fault with an error.
func Fail(err error) Fault { return func(context.Context) error { return err } }

// Hang is the fault of a network that never responds.
func Hang(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// Kill simulates the death of the caller's process by a panic with ErrKilled. A
// test that triggers it in a goroutine must recover there; see Survive.
func Kill(context.Context) error { panic(ErrKilled) }

// Survive runs fn and reports whether Kill ended it.
func Survive(fn func()) (killed bool) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case ErrKilled:
			killed = true
		default:
			panic(r)
		}
	}()
	fn()
	return false
}

// A Network is a connector with faults. Without faults it behaves like the
// inner connector.
type Network struct {
	inner  chatapp.Connector
	mu     sync.Mutex
	before map[Step][]Fault
	after  map[Step][]Fault
	calls  []Step
}

var _ chatapp.Connector = (*Network)(nil)

// Wrap returns a Network around a connector.
func Wrap(inner chatapp.Connector) *Network {
	return &Network{inner: inner, before: map[Step][]Fault{}, after: map[Step][]Fault{}}
}

// Before adds a fault before the next call of a step that has none. If it
// fails, the call has no effect.
func (n *Network) Before(step Step, f Fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.before[step] = append(n.before[step], f)
}

// After adds a fault after the next call of a step that has none. The call has
// taken effect, and only its response is lost.
func (n *Network) After(step Step, f Fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.after[step] = append(n.after[step], f)
}

// Reset removes the faults that have not been triggered.
func (n *Network) Reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.before)
	clear(n.after)
}

// Calls returns the steps called so far, in order, except Open.
func (n *Network) Calls() []Step {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.calls)
}

// take returns and removes the faults for a call.
func (n *Network) take(step Step) (before, after Fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if step != Open { // Open sends no request
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

// call runs one call with its faults. A lost response becomes the zero value of
// T.
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

// Capabilities returns the capabilities of the inner connector.
func (n *Network) Capabilities() chatapp.Capabilities { return n.inner.Capabilities() }

// CreateGroup calls the inner connector, with the faults of the step.
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

// FindGroups calls the inner connector, with the faults of the step.
func (n *Network) FindGroups(ctx context.Context, host chatapp.Host, name string, since time.Time) ([]chatapp.Group, error) {
	return call(ctx, n, FindGroups, func() ([]chatapp.Group, error) { return n.inner.FindGroups(ctx, host, name, since) })
}

// AddMembers calls the inner connector, with the faults of the step.
func (n *Network) AddMembers(ctx context.Context, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	return call(ctx, n, AddMembers, func() ([]chatapp.MemberResult, error) {
		return n.inner.AddMembers(ctx, host, jid, participants)
	})
}

// SetAdmin calls the inner connector, with the faults of the step.
func (n *Network) SetAdmin(ctx context.Context, host chatapp.Host, jid string, member parley.Phone, admin bool) error {
	_, err := call(ctx, n, SetAdmin, func() (struct{}, error) {
		return struct{}{}, n.inner.SetAdmin(ctx, host, jid, member, admin)
	})
	return err
}

// InviteLink calls the inner connector, with the faults of the step.
func (n *Network) InviteLink(ctx context.Context, host chatapp.Host, jid string) (string, error) {
	return call(ctx, n, InviteLink, func() (string, error) { return n.inner.InviteLink(ctx, host, jid) })
}

// Send calls the inner connector, with the faults of the step.
func (n *Network) Send(ctx context.Context, host chatapp.Host, m chatapp.Message) error {
	_, err := call(ctx, n, Send, func() (struct{}, error) { return struct{}{}, n.inner.Send(ctx, host, m) })
	return err
}
