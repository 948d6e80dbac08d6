package contracttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// codes returns the error codes allowed with a status, as listed in
// docs/api.md.
func codes(status int) []string {
	return map[int][]string{
		http.StatusBadRequest:                   {"invalid"},
		http.StatusUnauthorized:                 {"unauthenticated"},
		http.StatusForbidden:                    {"forbidden", "unconfirmed"},
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

// checkFault checks the header Parley-Error of an error, and that it agrees
// with the message: programs read the header, and people the message. Responses
// that are not errors must not have it.
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
	// A record in the path does not count as another record.
	own := g.uuid.FindAllString(strings.ToLower(r.URL.Path), -1)
	return g.sameFault(said.Error, parameters["field"], parameters["id"], own)
}

// sameFault returns an error if the message and the parameters name different
// things.
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

// checkInputs checks that Parley-Error names only inputs of the request:
// parameters and body fields of the operation, actual members of the query or
// body, or inputs that every request has. Unknown paths have no inputs.
func checkInputs(op *Operation, r *http.Request, h http.Header) error {
	_, parameters, err := mime.ParseMediaType(h.Get("Parley-Error"))
	if err != nil || parameters["field"] == "" { // checkFault reports this
		return nil
	}
	asked := queryNames(r)
	for name := range strings.SplitSeq(parameters["field"], ",") {
		if sent, err := url.PathUnescape(name); err == nil {
			name = sent // headers are limited to these letters
		}
		ofEach := []string{"query", "Authorization", "Content-Type", "Content-Encoding", "Last-Event-ID", "Range"}
		switch {
		case op != nil && (slices.Contains(op.Inputs, name) || slices.Contains(ofEach, name) || slices.Contains(asked, name)):
		case op != nil && op.takes && (name == "body" || slices.Contains(op.fields, name) || slices.Contains(namesOf(sentOf(r)), name)):
		default:
			return fmt.Errorf("Parley-Error names %s, which is no input of the request", name)
		}
	}
	return nil
}

// queryNames returns the names in a request's query, skipping those that are
// not encoded correctly.
func queryNames(r *http.Request) []string {
	var names []string
	_, query, _ := strings.Cut(r.URL.String(), "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(name); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// namesOf returns the member names of a JSON object, or nothing if body is not
// an object.
func namesOf(body []byte) []string {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return nil
	}
	return slices.Collect(maps.Keys(members))
}
