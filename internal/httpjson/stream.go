package httpjson

import (
	"net/http"
	"slices"
	"strings"

	"parley"
)

// PositionHeader names the header that tells where the event log was in the
// snapshot that an answer was read from. What changed later is what the stream
// tells behind that position.
const PositionHeader = "Parley-Position"

// WantsStream reports whether the caller accepts server-sent events.
func WantsStream(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		kind, _, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(kind), "text/event-stream") {
			return true
		}
	}
	return false
}

// QueryPosition returns a position of the event log; absent or empty is none.
func QueryPosition(in *Reader, name string) parley.Optional[parley.LogPosition] {
	text, ok := in.Query(name)
	if !ok || text == "" {
		return parley.Optional[parley.LogPosition]{}
	}
	return position(in, name, text)
}

// StreamPosition returns where a stream is to begin: behind the event that the
// header Last-Event-ID names, which a browser sends when it resumes, or else
// behind the parameter after.
func StreamPosition(in *Reader) parley.Optional[parley.LogPosition] {
	after := QueryPosition(in, "after")
	if last := in.request.Header.Get("Last-Event-ID"); last != "" {
		return position(in, "Last-Event-ID", last)
	}
	return after
}

func position(in *Reader, name, text string) parley.Optional[parley.LogPosition] {
	at, ok := parley.ParseLogPosition(text)
	if !ok {
		in.Refuse(name, "be a next_cursor of the events or an id of the event stream")
	}
	return parley.Some(at)
}

// QueryList returns some of the known values, separated by commas, or nil when
// absent.
func QueryList[T ~string](in *Reader, name string, known []T) []T {
	text, ok := in.Query(name)
	if !ok {
		return nil
	}
	var list []T
	for item := range strings.SplitSeq(text, ",") {
		if !slices.Contains(known, T(item)) {
			in.Refuse(name, oneOf(known))
			return nil
		}
		list = append(list, T(item))
	}
	return list
}
