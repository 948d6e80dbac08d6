package live

import (
	"sync"

	"parley"
)

// A Bell collects the workspaces whose logs have grown, for the goroutines that
// deliver events. Ringing never blocks.
type Bell struct {
	rung  chan struct{}
	relay chan struct{}

	mu     sync.Mutex
	local  map[parley.WorkspaceID]struct{} // for the feeds of this node
	remote map[parley.WorkspaceID]struct{} // to announce to the other nodes
}

// NewBell returns a Bell.
func NewBell() *Bell {
	return &Bell{
		rung: make(chan struct{}, 1), relay: make(chan struct{}, 1),
		local: map[parley.WorkspaceID]struct{}{}, remote: map[parley.WorkspaceID]struct{}{},
	}
}

// Ring records that workspaces changed.
func (b *Bell) Ring(workspaces []parley.WorkspaceID) {
	b.mu.Lock()
	for _, ws := range workspaces {
		b.local[ws] = struct{}{}
		b.remote[ws] = struct{}{}
	}
	b.mu.Unlock()
	signal(b.rung)
	signal(b.relay)
}

// signal sets a flag, represented by a channel with a buffer of one.
func signal(flag chan struct{}) {
	select {
	case flag <- struct{}{}:
	default: // already set
	}
}

func (b *Bell) takeLocal() []parley.WorkspaceID { return b.drain(b.local) }

func (b *Bell) takeRemote() []parley.WorkspaceID { return b.drain(b.remote) }

func (b *Bell) drain(set map[parley.WorkspaceID]struct{}) []parley.WorkspaceID {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]parley.WorkspaceID, 0, len(set))
	for ws := range set {
		all = append(all, ws)
	}
	clear(set)
	return all
}
