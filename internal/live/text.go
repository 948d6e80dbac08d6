package live

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"parley"
)

// texts are some events as server-sent events (WHATWG HTML, section 9.2),
// rendered once for every filter that a stream asks for, and for every audience.
type texts struct {
	hub      *Hub
	epoch    string
	events   []parley.Event
	rendered map[variant][]byte
	// What customers hear, by contact, once it is asked for.
	asked bool
	shown map[parley.ID][]Shown
}

// A variant is whom a text is for.
type variant struct {
	filter   string
	audience parley.Audience
}

func newTexts(h *Hub, epoch string, events []parley.Event) *texts {
	return &texts{hub: h, epoch: epoch, events: events, rendered: map[variant][]byte{}}
}

// behind returns the position behind one of the events.
func (t *texts) behind(e *parley.Event) parley.LogPosition {
	return parley.LogPosition{Epoch: t.epoch, Seq: e.Seq, Check: e.Check}
}

// behindSeq is behind for the number of one of the events, which follow each
// other without a gap.
func (t *texts) behindSeq(seq int64) parley.LogPosition {
	return t.behind(&t.events[seq-t.events[0].Seq])
}

// show asks what customers hear, which takes a look into the store.
func (t *texts) show(ctx context.Context, ws parley.WorkspaceID) error {
	if t.hub.view == nil {
		return errors.New("customers have streams and no view of the log")
	}
	all, err := t.hub.view.Show(ctx, ws, t.events)
	if err != nil {
		return err
	}
	t.asked, t.shown = true, map[parley.ID][]Shown{}
	for _, one := range all {
		t.shown[one.Audience.ContactID] = append(t.shown[one.Audience.ContactID], one)
	}
	return nil
}

// want renders the events for a stream, unless that was done for another one.
func (t *texts) want(s *stream) {
	name := s.variant()
	if _, done := t.rendered[name]; done {
		return
	}
	if !s.audience.IsZero() {
		t.rendered[name] = t.heard(s.audience)
		return
	}
	var b []byte
	for i := range t.events {
		if e := &t.events[i]; s.filter.passes(e) {
			shown := s.filter.show(e)
			b = t.head(b, string(shown.Type), t.behind(e))
			b = t.hub.render(b, &shown)
			b = append(b, "\n\n"...)
		}
	}
	t.rendered[name] = b
}

// heard renders what an audience hears.
func (t *texts) heard(a parley.Audience) []byte {
	var b []byte
	for _, one := range t.shown[a.ContactID] {
		switch {
		case !one.Audience.InboxID.IsZero() && one.Audience != a:
		case one.Reset:
			b = t.hub.appendReset(b, t.behindSeq(one.Seq))
		default:
			b = t.head(b, one.Name, t.behindSeq(one.Seq))
			b = append(b, one.Data...)
			b = append(b, "\n\n"...)
		}
	}
	return b
}

// head appends an event up to its data.
func (t *texts) head(b []byte, name string, at parley.LogPosition) []byte {
	b = append(b, "event: "...)
	b = append(b, name...)
	b = append(b, "\nid: "...)
	b = append(b, at.String()...)
	return append(b, "\ndata: "...)
}

// of returns the events for a stream that was wanted.
func (t *texts) of(s *stream) []byte { return t.rendered[s.variant()] }

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

// appendPosition tells a position alone. Without data it is no event, but a
// browser resumes from it.
func appendPosition(b []byte, at parley.LogPosition) []byte {
	return append(append(append(b, "id: "...), at.String()...), "\n\n"...)
}

// appendReset tells that events are missing before the position, so that the
// reader must load its state anew. It has the members that events begin with.
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
