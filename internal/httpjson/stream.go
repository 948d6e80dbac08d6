package httpjson

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley"
)

// PositionHeader names the header with the position of the event log in the
// snapshot from which an answer was read. The stream reports later changes
// after that position.
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

// refused reports whether the parameters of a media type set its quality to 0,
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

// QueryPosition returns a position of the event log, or none if absent or
// empty.
func QueryPosition(in *Reader, name string) parley.Optional[parley.LogPosition] {
	text, ok := in.Query(name)
	if !ok || text == "" {
		return parley.Optional[parley.LogPosition]{}
	}
	return position(in, name, text)
}

// StreamPosition returns where a stream begins: after the event in the header
// Last-Event-ID, which browsers send when they resume, or after the parameter
// "after".
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
// absent. Unknown values are faults and left out.
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
