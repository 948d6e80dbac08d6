package live

import (
	"slices"
	"strconv"

	"parley"
)

// texts are some events as server-sent events (WHATWG HTML, section 9.2),
// rendered once for every filter that a stream asks for.
type texts struct {
	hub      *Hub
	epoch    string
	events   []parley.Event
	rendered map[string][]byte
}

func newTexts(h *Hub, epoch string, events []parley.Event) *texts {
	return &texts{hub: h, epoch: epoch, events: events, rendered: map[string][]byte{}}
}

// want renders the events for a stream, unless that was done for another one.
func (t *texts) want(s *stream) {
	name := s.filter.key()
	if _, done := t.rendered[name]; done {
		return
	}
	var b []byte
	for i := range t.events {
		if e := &t.events[i]; s.filter.passes(e) {
			b = append(b, "event: "...)
			b = append(b, e.Type...)
			b = append(b, "\nid: "...)
			b = append(b, t.epoch...)
			b = append(b, '.')
			b = strconv.AppendInt(b, e.Seq, 10)
			b = append(b, "\ndata: "...)
			b = t.hub.render(b, e)
			b = append(b, "\n\n"...)
		}
	}
	t.rendered[name] = b
}

// of returns the events for a stream that was wanted.
func (t *texts) of(s *stream) []byte { return t.rendered[s.filter.key()] }

func (f *filter) key() string {
	if f == nil {
		return ""
	}
	return f.name
}

func (f *filter) passes(e *parley.Event) bool { return f == nil || slices.Contains(f.types, e.Type) }

// appendPosition tells a position alone. Without data it is no event, but a
// browser resumes from it.
func appendPosition(b []byte, at parley.LogPosition) []byte {
	return append(append(append(b, "id: "...), at.String()...), "\n\n"...)
}

// appendReset tells that events are missing before the position, so that the
// reader must load its state anew.
func appendReset(b []byte, at parley.LogPosition) []byte {
	b = append(b, "event: reset\nid: "...)
	b = append(b, at.String()...)
	b = append(b, "\ndata: {\"position\":\""...)
	b = append(b, at.String()...)
	return append(b, "\"}\n\n"...)
}
