package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/httpjson"
)

// An Answer is the answer to a request. Its checks fail the test that sent it.
type Answer struct {
	T      testing.TB
	Status int
	Header http.Header
	Body   []byte
}

// Want requires a status and returns the answer.
func (a Answer) Want(status int) Answer {
	a.T.Helper()
	if a.Status != status {
		a.T.Fatalf("status is %d, want %d: %s", a.Status, status, a.Body)
	}
	return a
}

// Refused requires an error with a message.
func (a Answer) Refused(status int, message string) {
	a.T.Helper()
	if got := a.Want(status).Text("error"); got != message {
		a.T.Errorf("the error is %q, want %q", got, message)
	}
}

// Blames requires an error about an input, in the body and in the header
// Parley-Error.
func (a Answer) Blames(field string, status int, message string) {
	a.T.Helper()
	a.Refused(status, message)
	if got := a.Header.Get("Parley-Error"); !strings.HasSuffix(got, "; field="+field) {
		a.T.Errorf("Parley-Error is %q, and not about %s", got, field)
	}
}

// Field returns the value at a path in the body, such as "data.0.id".
func (a Answer) Field(path string) any {
	a.T.Helper()
	var value any
	if err := json.Unmarshal(a.Body, &value); err != nil {
		a.T.Fatalf("the body is not JSON: %v: %s", err, a.Body)
	}
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			i := 0
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(v) {
				a.T.Fatalf("there is no item %s in %s", name, a.Body)
			}
			value = v[i]
		default:
			a.T.Fatalf("there is no %s in %s", path, a.Body)
		}
	}
	return value
}

// Text returns a string in the body, "" for any other value.
func (a Answer) Text(path string) string {
	a.T.Helper()
	text, _ := a.Field(path).(string)
	return text
}

// Is requires values in the body, given as pairs of a path and JSON.
func (a Answer) Is(pairs ...string) Answer {
	a.T.Helper()
	for pair := range slices.Chunk(pairs, 2) {
		got, err := json.Marshal(a.Field(pair[0]))
		if err != nil {
			a.T.Fatal(err)
		}
		if string(got) != pair[1] {
			a.T.Errorf("%s is %s, want %s", pair[0], got, pair[1])
		}
	}
	return a
}

// Count returns the length of the list at a path.
func (a Answer) Count(path string) int {
	a.T.Helper()
	items, ok := a.Field(path).([]any)
	if !ok {
		a.T.Fatalf("%s is no list: %s", path, a.Body)
	}
	return len(items)
}

// IDs returns the ids of a page's items.
func (a Answer) IDs() []string {
	a.T.Helper()
	var page struct {
		Data []struct{ ID string }
	}
	if err := json.Unmarshal(a.Body, &page); err != nil {
		a.T.Fatal(err)
	}
	ids := make([]string, len(page.Data))
	for i, item := range page.Data {
		ids[i] = item.ID
	}
	return ids
}

// Cookie returns the session that an answer sets, and requires the attributes
// that protect it.
func (a Answer) Cookie() parley.Token {
	a.T.Helper()
	cookie, err := http.ParseSetCookie(a.Header.Get("Set-Cookie"))
	if err != nil {
		a.T.Fatalf("the cookie is %q: %v", a.Header.Get("Set-Cookie"), err)
	}
	if cookie.Name != httpjson.SessionCookie || !cookie.Secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode ||
		cookie.Path != "/" || cookie.Domain != "" || cookie.MaxAge != 90*24*3600 {
		a.T.Errorf("the cookie is %q", cookie.Raw)
	}
	return parley.Token(cookie.Value)
}

// Cleared requires that an answer makes the browser delete its cookie.
func (a Answer) Cleared() {
	a.T.Helper()
	cookie, err := http.ParseSetCookie(a.Header.Get("Set-Cookie"))
	if err != nil || cookie.Name != httpjson.SessionCookie || cookie.Value != "" || cookie.MaxAge != -1 || !cookie.Secure || cookie.Path != "/" {
		a.T.Errorf("the cookie is %q, %v", a.Header.Get("Set-Cookie"), err)
	}
}

// Readable requires that pages of an origin, "" for none, may read an answer,
// and never with cookies.
func (a Answer) Readable(origin string) Answer {
	a.T.Helper()
	if got := a.Header.Get("Access-Control-Allow-Origin"); got != origin {
		a.T.Errorf("%d: the page that may read it is %q, want %q", a.Status, got, origin)
	}
	if a.Header.Get("Access-Control-Allow-Credentials") != "" {
		a.T.Error("cookies are allowed")
	}
	return a
}
