package live

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"parley"
)

// A Signal is ephemeral news outside the log, without a sequence number:
// presence, typing. It reaches the streams that accept signals and keep up. A
// lost signal is not sent again.
type Signal struct {
	Name string // of the server-sent event
	Key  string // a later signal with the same name and key replaces it
	Data []byte // JSON
	// To is the customer who receives it; zero: members and keys.
	To parley.Audience
	// Member is the only member who receives it; "": all of them.
	Member parley.UserID
	// Places are where the conversations stand that it is about. Members who may not see
	// one of them receive Hidden instead, or nothing if that is empty.
	Places []parley.Place
	Hidden []byte // JSON
	// Stays is how long new streams still receive it; 0: not at all.
	Stays time.Duration
}

// A signalText is a rendered signal with its recipients.
type signalText struct {
	to     parley.Audience
	member parley.UserID // see Signal.Member
	places []parley.Place
	text   []byte
	hidden []byte // nil for none
}

func (g *Signal) texts() signalText {
	text := signalText{to: g.To, member: g.Member, places: g.Places, text: g.text(g.Data)}
	if len(g.Hidden) > 0 {
		text.hidden = g.text(g.Hidden)
	}
	return text
}

func (g *Signal) text(data []byte) []byte {
	b := make([]byte, 0, len(g.Name)+len(data)+16)
	b = append(b, "event: "...)
	b = append(b, g.Name...)
	b = append(b, "\ndata: "...)
	b = append(b, data...)
	return append(b, "\n\n"...)
}

// Signal sends a signal to the streams of a workspace, on every node.
func (h *Hub) Signal(ctx context.Context, ws parley.WorkspaceID, g Signal) {
	h.signalHere(ws, g)
	if h.relay == nil {
		return
	}
	err := h.tell(ctx, nodeMessage{Node: h.node, Workspace: parley.ID(ws), Signal: packSignal(&g)})
	if err != nil && ctx.Err() == nil {
		h.logger.Warn("live: signal to other nodes failed", "error", err)
	}
}

func (h *Hub) signalHere(ws parley.WorkspaceID, g Signal) {
	h.mu.Lock()
	f := h.feeds[ws]
	h.mu.Unlock()
	if f != nil {
		f.signal(g)
	}
}

// A nodeMessage is what nodes send each other: workspaces that changed, or a
// signal. Nodes of two versions talk during an upgrade, so the names in its JSON
// do not change. TestNodeMessages demands every field of a Signal, which is
// copied.
type nodeMessage struct {
	Node      string      `json:"n"`
	Changed   []parley.ID `json:"c,omitempty"`
	Workspace parley.ID   `json:"w,omitzero"`
	Signal    *nodeSignal `json:"s,omitempty"`
}

type nodeSignal struct {
	Name   string        `json:"Name"`
	Key    string        `json:"Key"`
	Data   []byte        `json:"Data"`
	To     nodeAudience  `json:"To"`
	Member parley.UserID `json:"Member"`
	Stays  time.Duration `json:"Stays"` // nanoseconds
	Places []nodePlace   `json:"Places,omitempty"`
	Hidden []byte        `json:"Hidden,omitempty"`
}

type nodePlace struct {
	InboxID    parley.ID     `json:"InboxID"`
	TeamID     parley.ID     `json:"TeamID,omitzero"`
	AssigneeID parley.UserID `json:"AssigneeID,omitempty"`
}

// A nodeAudience names no conversation, because no signal does.
type nodeAudience struct {
	ContactID parley.ID `json:"ContactID"`
	InboxID   parley.ID `json:"InboxID"`
}

func packSignal(g *Signal) *nodeSignal {
	packed := &nodeSignal{
		Name: g.Name, Key: g.Key, Data: g.Data, To: nodeAudience{ContactID: g.To.ContactID, InboxID: g.To.InboxID}, Member: g.Member, Stays: g.Stays,
		Hidden: g.Hidden,
	}
	for _, p := range g.Places {
		packed.Places = append(packed.Places, nodePlace(p))
	}
	return packed
}

func (s *nodeSignal) unpack() Signal {
	g := Signal{
		Name: s.Name, Key: s.Key, Data: s.Data, To: parley.Audience{ContactID: s.To.ContactID, InboxID: s.To.InboxID}, Member: s.Member, Stays: s.Stays,
		Hidden: s.Hidden,
	}
	for _, p := range s.Places {
		g.Places = append(g.Places, parley.Place(p))
	}
	return g
}

// tell sends a message to the other nodes.
func (h *Hub) tell(ctx context.Context, m nodeMessage) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return h.relay.Tell(ctx, string(text))
}

// maxChanged is how many workspaces fit into one nodeMessage.
const maxChanged = 150

// notifyNodes announces to the other nodes which workspaces changed, at most
// every relayInterval.
func (h *Hub) notifyNodes(ctx context.Context) {
	if h.bell == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.bell.relay:
		}
		changed := h.bell.takeRemote()
		for len(changed) > 0 {
			part := changed[:min(maxChanged, len(changed))]
			changed = changed[len(part):]
			n := nodeMessage{Node: h.node}
			for _, ws := range part {
				n.Changed = append(n.Changed, parley.ID(ws))
			}
			if err := h.tell(ctx, n); err != nil && ctx.Err() == nil {
				h.logger.Warn("live: wake-up of other nodes failed, they will poll", "error", err)
			}
		}
		parley.Pause(ctx, relayInterval)
	}
}

// listenToNodes listens to the other nodes. After a lost connection it starts
// again; meanwhile polling still finds every change.
func (h *Hub) listenToNodes(ctx context.Context) {
	for ctx.Err() == nil {
		err := h.relay.Listen(ctx, func(text string) {
			var n nodeMessage
			if err := json.NewDecoder(strings.NewReader(text)).Decode(&n); err != nil || n.Node == h.node {
				return // from another program, or our own
			}
			for _, ws := range n.Changed {
				h.wake(parley.WorkspaceID(ws))
			}
			if n.Signal != nil {
				h.signalHere(parley.WorkspaceID(n.Workspace), n.Signal.unpack())
			}
		})
		if ctx.Err() == nil {
			h.logger.Warn("live: listening to other nodes failed, retrying", "error", err)
		}
		parley.Pause(ctx, time.Second)
	}
}
