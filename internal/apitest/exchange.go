package apitest

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"

	"parley"
	"parley/internal/httpjson"
)

// None as a Bearer or Session sends no credential.
const None = "none"

// A Request is a request by a test, in the form that a browser sends. Without
// Bearer and Session it is signed with the world's Sign.
type Request struct {
	Method, Path, Body string
	Bearer             string       // a key, or a customer's token
	Session            parley.Token // a member's
	Header             http.Header
	Address            string // of the client, with the port
}

// Send sends a request through the contract gate.
func (w *World) Send(r Request) Answer {
	w.T.Helper()
	return w.SendTo(w.Handler, r)
}

// SendTo sends a request to a handler through the contract gate.
func (w *World) SendTo(h http.Handler, r Request) Answer {
	w.T.Helper()
	var body io.Reader
	if r.Body != "" {
		body = strings.NewReader(r.Body)
	}
	req := httptest.NewRequest(r.Method, r.Path, body)
	if r.Body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	r.sign(w, req)
	got := Gate().Do(w.T, h, req)
	return Answer{w.T, got.Code, got.Header(), got.Body.Bytes()}
}

// sign gives a request the caller, the headers and the address of r.
func (r Request) sign(w *World, req *http.Request) {
	if r.Address != "" {
		req.RemoteAddr = r.Address
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if r.Bearer == "" && r.Session == "" && w.Sign != nil {
		w.Sign(req)
	}
	if r.Bearer != "" && r.Bearer != None {
		SignBearer(req, r.Bearer)
	}
	if r.Session != "" && r.Session != None {
		SignSession(req, r.Session)
	}
	maps.Copy(req.Header, r.Header)
}

// SignBearer adds a key or a customer's token to a request.
func SignBearer(r *http.Request, credential string) {
	r.Header.Set("Authorization", "Bearer "+credential)
}

// SignSession adds a member's session to a request.
func SignSession(r *http.Request, session parley.Token) {
	r.AddCookie(&http.Cookie{Name: httpjson.SessionCookie, Value: string(session)})
}

// Get sends a GET.
func (w *World) Get(path string) Answer {
	w.T.Helper()
	return w.Send(Request{Method: http.MethodGet, Path: path})
}

// Post sends a POST.
func (w *World) Post(path, body string) Answer {
	w.T.Helper()
	return w.Send(Request{Method: http.MethodPost, Path: path, Body: body})
}

// Patch sends a PATCH.
func (w *World) Patch(path, body string) Answer {
	w.T.Helper()
	return w.Send(Request{Method: http.MethodPatch, Path: path, Body: body})
}

// Delete sends a DELETE.
func (w *World) Delete(path string) Answer {
	w.T.Helper()
	return w.Send(Request{Method: http.MethodDelete, Path: path})
}

// An Event is an event of the log in the form of the public API.
type Event struct {
	Type           string
	ConversationID string `json:"conversationId"`
	Changed        []string
}

// String returns "type changed…".
func (e Event) String() string { return strings.TrimSpace(e.Type + " " + strings.Join(e.Changed, ",")) }

// EventsAfter returns the events after a position and moves the position to the
// end of the log. It reads page by page, with requests like r.
func (w *World) EventsAfter(position *string, r Request) []Event {
	w.T.Helper()
	var told []Event
	for {
		r.Method, r.Path = http.MethodGet, "/v1/public/events?limit=200&after="+*position
		page := w.Send(r).Want(200)
		var p struct {
			Data       []Event
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
		}
		if err := json.Unmarshal(page.Body, &p); err != nil {
			w.T.Fatal(err)
		}
		told = append(told, p.Data...)
		*position = p.NextCursor
		if !p.HasMore {
			return told
		}
	}
}

// Events returns the events after a position as texts, and moves the position.
func (w *World) Events(position *string) []string {
	w.T.Helper()
	return Texts(w.EventsAfter(position, Request{}))
}

// Texts returns events as texts.
func Texts(events []Event) []string {
	var texts []string
	for _, e := range events {
		texts = append(texts, e.String())
	}
	return texts
}
