package live

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"parley"
)

// A rendering is a batch of events as server-sent events (WHATWG HTML, section
// 9.2), rendered once per filter and audience.
type rendering struct {
	hub      *Hub
	epoch    string
	events   []parley.Event
	rendered map[variant][]byte
	// What customers see, by contact, once loaded.
	loaded bool
	shown  map[parley.ID][]CustomerEvent
}

// A variant identifies the recipients of a text.
type variant struct {
	filter   string // also names a member who does not see everything
	audience parley.Audience
}

func newRendering(h *Hub, epoch string, events []parley.Event) *rendering {
	return &rendering{hub: h, epoch: epoch, events: events, rendered: map[variant][]byte{}}
}

// positionAfter returns the position after one of the events.
func (t *rendering) positionAfter(e *parley.Event) parley.LogPosition {
	return parley.LogPosition{Epoch: t.epoch, Seq: e.Seq, Check: e.Check}
}

// positionAfterSeq is positionAfter by sequence number. The events have no
// gaps.
func (t *rendering) positionAfterSeq(seq int64) parley.LogPosition {
	return t.positionAfter(&t.events[seq-t.events[0].Seq])
}

// loadShown loads what customers see, which may query the store.
func (t *rendering) loadShown(ctx context.Context, ws parley.WorkspaceID) error {
	if t.hub.view == nil {
		return errors.New("customers have streams and no view of the log")
	}
	all, err := t.hub.view.Show(ctx, ws, t.events)
	if err != nil {
		return err
	}
	t.loaded, t.shown = true, map[parley.ID][]CustomerEvent{}
	for _, one := range all {
		t.shown[one.Audience.ContactID] = append(t.shown[one.Audience.ContactID], one)
	}
	return nil
}

// render renders the events for a stream, unless its variant is already
// rendered.
func (t *rendering) render(s *stream) {
	name := s.variant()
	if _, done := t.rendered[name]; done {
		return
	}
	if !s.audience.IsZero() {
		t.rendered[name] = t.renderFor(s.audience)
		return
	}
	var b []byte
	for i := range t.events {
		if e := &t.events[i]; s.filter.passes(e) {
			shown := s.filter.show(e)
			b = t.head(b, string(shown.Type), t.positionAfter(e))
			b = t.hub.render(b, &shown)
			b = append(b, "\n\n"...)
		}
	}
	t.rendered[name] = b
}

// renderFor renders what an audience sees.
func (t *rendering) renderFor(a parley.Audience) []byte {
	var b []byte
	for _, one := range t.shown[a.ContactID] {
		switch {
		case !a.Sees(one.Audience):
		case one.Reset:
			b = t.hub.appendReset(b, t.positionAfterSeq(one.Seq))
		default:
			b = t.head(b, one.Name, t.positionAfterSeq(one.Seq))
			b = append(b, one.Data...)
			b = append(b, "\n\n"...)
		}
	}
	return b
}

// head appends an event up to its data.
func (t *rendering) head(b []byte, name string, at parley.LogPosition) []byte {
	b = append(b, "event: "...)
	b = append(b, name...)
	b = append(b, "\nid: "...)
	b = append(b, at.String()...)
	return append(b, "\ndata: "...)
}

// textFor returns the events for a stream after render.
func (t *rendering) textFor(s *stream) []byte { return t.rendered[s.variant()] }

func (s *stream) variant() variant { return variant{s.filter.key(), s.audience} }

func (f *filter) key() string {
	if f == nil {
		return ""
	}
	return f.name
}

func (f *filter) passes(e *parley.Event) bool {
	return f == nil || f.types == nil || slices.Contains(f.types, e.Type)
}

func (f *filter) show(e *parley.Event) parley.Event {
	if f == nil {
		return *e
	}
	return f.reader.Show(*e)
}

// appendPosition appends a position alone. Without data it is not an event, but
// a browser resumes from it.
func appendPosition(b []byte, at parley.LogPosition) []byte {
	return append(append(append(b, "id: "...), at.String()...), "\n\n"...)
}

// appendReset appends a reset: events before the position are missing, so the
// client must reload its state. It starts with the same members as events do.
func (h *Hub) appendReset(b []byte, at parley.LogPosition) []byte {
	b = append(b, "event: reset\nid: "...)
	b = append(b, at.String()...)
	b = append(b, "\ndata: {\"seq\":"...)
	b = strconv.AppendInt(b, at.Seq, 10)
	b = append(b, ",\"type\":\"reset\",\"createdAt\":\""...)
	b = h.clock.Now().UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
	b = append(b, "\",\"position\":\""...)
	b = append(b, at.String()...)
	return append(b, "\"}\n\n"...)
}
