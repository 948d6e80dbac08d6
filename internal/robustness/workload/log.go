package workload

import (
	"context"
	"fmt"
)

// A Log is what was read of the event log of a workspace.
type Log struct {
	client   *Client
	position string // after the last event; "" at the beginning
	seq      int64
	events   map[int64]string // what tells an event from others of its number
	told     map[string]int   // how often "type id" was told
	updates  map[string]int   // how often an attribute of a conversation got a value: "id value"
}

// NewLog returns a log of which nothing was read.
func NewLog(c *Client) *Log {
	return &Log{client: c, events: map[int64]string{}, told: map[string]int{}, updates: map[string]int{}}
}

// An event is an event of the log.
type event struct {
	Seq     int64
	Type    string
	At      string `json:"createdAt"`
	Changed []string
	Data    struct {
		ID               string
		CustomAttributes map[string]any `json:"customAttributes"`
	}
}

// name is what tells an event from one with its number in another history.
func (e *event) name() string { return e.Type + " " + e.Data.ID + " " + e.At }

// Position is the position after the last event that was read.
func (g *Log) Position() string { return g.position }

// Seq is the number of the last event that was read.
func (g *Log) Seq() int64 { return g.seq }

// read reads on to the end, and returns what is wrong with the numbers.
func (g *Log) read(ctx context.Context) (wrong []string) {
	for {
		path := "/events?limit=200"
		if g.position != "" {
			path += "&after=" + g.position
		}
		var p page[event]
		if err := g.client.get(ctx, path, &p); err != nil {
			return append(wrong, err.Error())
		}
		if p.Reset {
			return append(wrong, fmt.Sprintf("the log has lost its position after event %d", g.seq))
		}
		for _, e := range p.Data {
			if e.Seq != g.seq+1 {
				wrong = append(wrong, fmt.Sprintf("after event %d comes %d", g.seq, e.Seq))
			}
			g.note(e)
		}
		g.position = p.NextCursor
		if !p.HasMore {
			return wrong
		}
	}
}

func (g *Log) note(e event) {
	g.seq = e.Seq
	g.events[e.Seq] = e.name()
	g.told[e.Type+" "+e.Data.ID]++
	if value, ok := e.Data.CustomAttributes["n"].(string); ok && e.Type == "conversation.updated" && len(e.Changed) == 1 && e.Changed[0] == "customAttributes" {
		g.updates[e.Data.ID+" "+value]++
	}
}
