package sandbox_test

import (
	"bytes"
	"context"
	"sync"

	"parley"
)

// A memory is a journal for tests. It outlives the networks over it, as a
// database outlives the processes that use it.
type memory struct {
	mu     sync.Mutex
	groups map[groupKey]keptGroup
	hook   func(context.Context) error // before each write; an error loses it
}

type groupKey struct {
	ws  parley.WorkspaceID
	jid string
}

type keptGroup struct {
	host  parley.Phone
	state []byte
}

func newMemory() *memory { return &memory{groups: map[groupKey]keptGroup{}} }

func (m *memory) SaveSandboxGroup(ctx context.Context, ws parley.WorkspaceID, jid string, host parley.Phone, state []byte) error {
	if m.hook != nil {
		if err := m.hook(ctx); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.groups[groupKey{ws, jid}] = keptGroup{host, bytes.Clone(state)}
	return nil
}

func (m *memory) SandboxGroups(_ context.Context, ws parley.WorkspaceID, host parley.Phone) ([][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var states [][]byte
	for key, group := range m.groups {
		if key.ws == ws && group.host == host {
			states = append(states, bytes.Clone(group.state))
		}
	}
	return states, nil
}
