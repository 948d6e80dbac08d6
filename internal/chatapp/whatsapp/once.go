package whatsapp

import (
	"cmp"
	"context"
	"errors"
	"net/http"
)

// errCut is the cause of ended requests that must not outlive their connection.
var errCut = errors.New("the connection ended")

// once returns a context that ends with the connection, or at the latest before
// the next one is made. The library repeats a query on the next connection,
// which would create a second group; this context prevents that.
func (s *session) once(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cut := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.connected {
		cut(errCut)
	}
	s.cuts[&cut] = struct{}{}
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cuts, &cut)
		cut(nil)
	}
}

// cut ends the requests of the connection that must not outlive it. The caller
// holds mu.
func (s *session) cut() {
	for cut := range s.cuts {
		(*cut)(errCut)
	}
	clear(s.cuts)
}

// cuttingClient returns a client for the connections of the session that ends
// the requests of the last connection before it makes the next. The library
// tells of an interruption in a goroutine of its own, which can be later than
// the next connection.
func (s *session) cuttingClient(client *http.Client) *http.Client {
	cutting := *cmp.Or(client, http.DefaultClient)
	cutting.Transport = cuttingTransport{s, cutting.Transport}
	return &cutting
}

type cuttingTransport struct {
	session *session
	next    http.RoundTripper // nil: http.DefaultTransport
}

func (t cuttingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.session.mu.Lock()
	t.session.cut()
	t.session.mu.Unlock()
	if t.next == nil {
		return http.DefaultTransport.RoundTrip(r)
	}
	return t.next.RoundTrip(r)
}
