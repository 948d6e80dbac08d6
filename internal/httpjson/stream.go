package httpjson

import (
	"net/http"
	"slices"
	"strconv"
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
		kind, parameters, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(kind), "text/event-stream") {
			return !refused(parameters)
		}
	}
	return false
}

// refused reports whether the parameters of a media type give it the quality 0,
// which means "not this one" (RFC 9110, section 12.4.2).
func refused(parameters string) bool {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			quality, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return err == nil && quality == 0
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
// absent. One that is not known is refused and left out.
func QueryList[T ~string](in *Reader, name string, known []T) []T {
	text, ok := in.Query(name)
	if !ok {
		return nil
	}
	var list []T
	bad := false
	for item := range strings.SplitSeq(text, ",") {
		if slices.Contains(known, T(item)) {
			list = append(list, T(item))
		} else {
			bad = true
		}
	}
	if bad {
		in.Refuse(name, oneOf(known))
	}
	return list
}
