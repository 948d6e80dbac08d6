package contracttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// codes are those that an answer of a status may carry, as docs/api.md lists
// them.
func codes(status int) []string {
	return map[int][]string{
		http.StatusBadRequest:                   {"invalid"},
		http.StatusUnauthorized:                 {"unauthenticated"},
		http.StatusForbidden:                    {"forbidden"},
		http.StatusNotFound:                     {"not_found"},
		http.StatusMethodNotAllowed:             {"method_not_allowed"},
		http.StatusConflict:                     {"conflict", "in_progress"},
		http.StatusGone:                         {"gone"},
		http.StatusRequestEntityTooLarge:        {"too_large"},
		http.StatusUnsupportedMediaType:         {"unsupported_media_type"},
		http.StatusRequestedRangeNotSatisfiable: {"invalid"},
		http.StatusUnprocessableEntity:          {"idempotency_mismatch"},
		http.StatusTooManyRequests:              {"limited"},
		http.StatusInternalServerError:          {"internal"},
		http.StatusBadGateway:                   {"upstream_failed"},
		http.StatusServiceUnavailable:           {"unavailable"},
		http.StatusGatewayTimeout:               {"upstream_timeout"},
	}[status]
}

// checkFault checks the header Parley-Error of an error, and that it says what
// the message says: the header is what programs read, and people the message.
// An answer that is no error carries none.
func (g *Gate) checkFault(r *http.Request, status int, h http.Header, body []byte) error {
	values := h.Values("Parley-Error")
	if status < http.StatusBadRequest {
		if len(values) > 0 {
			return fmt.Errorf("an answer that is no error carries Parley-Error: %q", values)
		}
		return nil
	}
	if len(values) != 1 {
		return fmt.Errorf("an error must carry one Parley-Error, not %q", values)
	}
	if err := g.fault.Validate(values[0]); err != nil {
		return fmt.Errorf("the header Parley-Error: %q is not allowed: %w", values[0], err)
	}
	code, parameters, err := mime.ParseMediaType(values[0])
	if err != nil {
		return fmt.Errorf("the header Parley-Error: %q: %w", values[0], err)
	}
	if !slices.Contains(codes(status), code) {
		return fmt.Errorf("the code %q does not belong to the status %d", code, status)
	}
	if r.Method == http.MethodHead || status == http.StatusInternalServerError {
		return nil
	}
	var said struct {
		Error string `json:"error"`
	}
	if err := json.Unmarshal(body, &said); err != nil {
		return err
	}
	// A record that the address names is no other one.
	own := g.uuid.FindAllString(strings.ToLower(r.URL.Path), -1)
	return g.sameFault(said.Error, parameters["field"], parameters["id"], own)
}

// sameFault reports a message and parameters that name different things.
func (g *Gate) sameFault(message, fields, ids string, own []string) error {
	if fields == "" {
		if name := g.beginning.FindString(message); name != "" {
			return fmt.Errorf("the message %q is about a field, which Parley-Error must name", message)
		}
	}
	for field := range strings.SplitSeq(fields, ",") {
		if field != "" && !strings.Contains(message, field+": ") && !strings.Contains(message, field+" and ") {
			return fmt.Errorf("Parley-Error names the field %s, and the message does not: %q", field, message)
		}
	}
	named := g.uuid.FindAllString(message, -1)
	listed := strings.FieldsFunc(ids, func(c rune) bool { return c == ',' })
	asked := func(id string) bool { return slices.Contains(own, id) }
	named, listed = slices.DeleteFunc(named, asked), slices.DeleteFunc(listed, asked)
	slices.Sort(named)
	slices.Sort(listed)
	if !slices.Equal(slices.Compact(named), slices.Compact(listed)) {
		return errors.New("Parley-Error must name the records of the message: " + message)
	}
	return nil
}

// checkInputs demands that the inputs that Parley-Error names are such: what the
// operation documents, what the query holds, or what every request has. Whoever
// has a body may have put anything into it. What is no operation has no inputs.
func checkInputs(op *Operation, r *http.Request, h http.Header) error {
	_, parameters, err := mime.ParseMediaType(h.Get("Parley-Error"))
	if err != nil || parameters["field"] == "" { // checkFault says what is wrong
		return nil
	}
	_, query, _ := strings.Cut(r.URL.String(), "?")
	for name := range strings.SplitSeq(parameters["field"], ",") {
		ofEach := []string{"body", "query", "Authorization", "Content-Type", "Content-Encoding", "Last-Event-ID", "Range"}
		switch {
		case op != nil && (op.takes || slices.Contains(op.inputs, name) || slices.Contains(ofEach, name)):
		case op != nil && strings.Contains(query, name):
		default:
			return fmt.Errorf("Parley-Error names %s, which is no input of the request", name)
		}
	}
	return nil
}
