package live

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"parley"
)

// A Signal is news beside the log, without a number: who is there, who is
// typing. It reaches the streams that want signals and keep up; what is lost
// is not told again.
type Signal struct {
	Name string // of the server-sent event
	Key  string // whose it is: a newer signal of the same name takes its place
	Data []byte // JSON
	// To is the customer whom it is for; zero: members and keys.
	To parley.Audience
	// Member is the one whom it is for; "": all of them.
	Member parley.UserID
	// Stays is how long newcomers are told of it too; 0: not at all.
	Stays time.Duration
}

func (g Signal) text() []byte {
	b := make([]byte, 0, len(g.Name)+len(g.Data)+16)
	b = append(b, "event: "...)
	b = append(b, g.Name...)
	b = append(b, "\ndata: "...)
	b = append(b, g.Data...)
	return append(b, "\n\n"...)
}

// Signal tells the streams of a workspace, on every node.
func (h *Hub) Signal(ctx context.Context, ws parley.WorkspaceID, g Signal) {
	h.signalHere(ws, g)
	if h.relay == nil {
		return
	}
	text, err := json.Marshal(notice{Node: h.node, Workspace: parley.ID(ws), Signal: &g})
	if err == nil {
		err = h.relay.Tell(ctx, string(text))
	}
	if err != nil && ctx.Err() == nil {
		h.logger.Warn("a signal did not reach the other nodes", "error", err)
	}
}

func (h *Hub) signalHere(ws parley.WorkspaceID, g Signal) {
	h.mu.Lock()
	r := h.rooms[ws]
	h.mu.Unlock()
	if r != nil {
		r.signal(g)
	}
}

// A notice is what nodes tell each other: workspaces that changed, or a signal.
type notice struct {
	Node      string      `json:"n"`
	Changed   []parley.ID `json:"c,omitempty"`
	Workspace parley.ID   `json:"w,omitzero"`
	Signal    *Signal     `json:"s,omitempty"`
}

// maxChanged is how many workspaces fit into one notice.
const maxChanged = 150

// tellNodes tells the other nodes which workspaces changed, at most every
// relayPause.
func (h *Hub) tellNodes(ctx context.Context) {
	if h.bell == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.bell.relay:
		}
		changed := h.bell.takeAbroad()
		for len(changed) > 0 {
			part := changed[:min(maxChanged, len(changed))]
			changed = changed[len(part):]
			n := notice{Node: h.node}
			for _, ws := range part {
				n.Changed = append(n.Changed, parley.ID(ws))
			}
			text, err := json.Marshal(n)
			if err == nil {
				err = h.relay.Tell(ctx, string(text))
			}
			if err != nil && ctx.Err() == nil {
				h.logger.Warn("a wake-up did not reach the other nodes; they find out by themselves", "error", err)
			}
		}
		pause(ctx, relayPause)
	}
}

// hearNodes listens to the other nodes. After a lost connection it begins
// anew; meanwhile every room is looked after all the same.
func (h *Hub) hearNodes(ctx context.Context) {
	for ctx.Err() == nil {
		err := h.relay.Listen(ctx, func(text string) {
			var n notice
			if err := json.NewDecoder(strings.NewReader(text)).Decode(&n); err != nil || n.Node == h.node {
				return // another program's, or our own
			}
			for _, ws := range n.Changed {
				h.wake(parley.WorkspaceID(ws))
			}
			if n.Signal != nil {
				h.signalHere(parley.WorkspaceID(n.Workspace), *n.Signal)
			}
		})
		if ctx.Err() == nil {
			h.logger.Warn("the other nodes cannot be heard; it is tried again", "error", err)
		}
		pause(ctx, time.Second)
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
