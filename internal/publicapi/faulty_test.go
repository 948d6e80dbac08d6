package publicapi_test

import (
	"context"
	"sync"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/sandbox"
)

// A faulty network is the sandbox with errors on demand.
type faulty struct {
	*sandbox.Network

	mu      sync.Mutex
	before  error         // instead of doing anything
	after   error         // instead of the answer of CreateGroup, once
	hold    chan struct{} // CreateGroup waits for it
	entered chan struct{} // and tells that it does
	creates int           // groups made
}

func (f *faulty) fail(before error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = before
}

func (f *faulty) failure() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.before
}

func (f *faulty) CreateGroup(ctx context.Context, host chatapp.Host, name string, participants []parley.Phone) (chatapp.Group, []chatapp.MemberResult, error) {
	if err := f.failure(); err != nil {
		return chatapp.Group{}, nil, err
	}
	if f.hold != nil {
		f.entered <- struct{}{}
		<-f.hold
	}
	group, results, err := f.Network.CreateGroup(ctx, host, name, participants)
	f.mu.Lock()
	defer f.mu.Unlock()
	if group.JID != "" {
		f.creates++
	}
	if f.after != nil {
		err, f.after = f.after, nil
		return chatapp.Group{}, nil, err
	}
	return group, results, err
}

func (f *faulty) AddMembers(ctx context.Context, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	if err := f.failure(); err != nil {
		return nil, err
	}
	return f.Network.AddMembers(ctx, host, jid, participants)
}

func (f *faulty) SetAdmin(ctx context.Context, host chatapp.Host, jid string, member parley.Phone, admin bool) error {
	if err := f.failure(); err != nil {
		return err
	}
	return f.Network.SetAdmin(ctx, host, jid, member, admin)
}

func (f *faulty) Send(ctx context.Context, host chatapp.Host, m chatapp.Message) error {
	if err := f.failure(); err != nil {
		return err
	}
	return f.Network.Send(ctx, host, m)
}
