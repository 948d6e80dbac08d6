package live

import (
	"sync"

	"parley"
)

// A Bell collects the workspaces in which something changed until somebody
// looks. Ringing never waits.
type Bell struct {
	rung  chan struct{}
	relay chan struct{}

	mu     sync.Mutex
	here   map[parley.WorkspaceID]struct{} // for this node's rooms
	abroad map[parley.WorkspaceID]struct{} // to be told to the other nodes
}

// NewBell returns a Bell.
func NewBell() *Bell {
	return &Bell{
		rung: make(chan struct{}, 1), relay: make(chan struct{}, 1),
		here: map[parley.WorkspaceID]struct{}{}, abroad: map[parley.WorkspaceID]struct{}{},
	}
}

// Ring notes that workspaces changed.
func (b *Bell) Ring(workspaces []parley.WorkspaceID) {
	b.mu.Lock()
	for _, ws := range workspaces {
		b.here[ws] = struct{}{}
		b.abroad[ws] = struct{}{}
	}
	b.mu.Unlock()
	signal(b.rung)
	signal(b.relay)
}

// signal sets a flag that a channel of one place stands for.
func signal(flag chan struct{}) {
	select {
	case flag <- struct{}{}:
	default: // it is set
	}
}

func (b *Bell) take() []parley.WorkspaceID { return b.empty(b.here) }

func (b *Bell) takeAbroad() []parley.WorkspaceID { return b.empty(b.abroad) }

func (b *Bell) empty(set map[parley.WorkspaceID]struct{}) []parley.WorkspaceID {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]parley.WorkspaceID, 0, len(set))
	for ws := range set {
		all = append(all, ws)
	}
	clear(set)
	return all
}
