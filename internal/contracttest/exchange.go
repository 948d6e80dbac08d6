package contracttest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Transport returns a RoundTripper that fails the test on every exchange that
// violates the document.
func (g *Gate) Transport(t testing.TB, next http.RoundTripper) http.RoundTripper {
	return gated{g, t, next}
}

type gated struct {
	gate *Gate
	t    testing.TB
	next http.RoundTripper
}

func (x gated) RoundTrip(r *http.Request) (*http.Response, error) {
	sent := r.Clone(r.Context())
	sent.Body = record(r.Body)
	res, err := x.next.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	if closeErr := res.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	if err := x.gate.Check(sent, res.StatusCode, res.Header, body); err != nil {
		x.t.Errorf("contract: %v", err)
	}
	return res, nil
}

// Do sends a request to a handler in memory and checks the exchange.
func (g *Gate) Do(t testing.TB, h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	r.Body = record(r.Body)
	sent := *r // a handler may wrap the body
	h.ServeHTTP(w, r)
	body := w.Body.Bytes()
	if r.Method == http.MethodHead {
		body = nil // as net/http does
	}
	if err := g.Check(&sent, w.Code, w.Header(), body); err != nil {
		t.Errorf("contract: %v", err)
	}
	return w
}

// A recorded body keeps what was read of it. A transport may still read the
// body when the response has arrived.
type recorded struct {
	io.ReadCloser
	mu   sync.Mutex
	read bytes.Buffer
}

// record returns a recorded body, or nil for no body.
func record(body io.ReadCloser) io.ReadCloser {
	if body == nil || body == http.NoBody {
		return body
	}
	return &recorded{ReadCloser: body}
}

func (b *recorded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	b.read.Write(p[:n])
	b.mu.Unlock()
	return n, err
}

// sentOf returns the part of a request's body that was read.
func sentOf(r *http.Request) []byte {
	b, ok := r.Body.(*recorded)
	if !ok {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.read.Bytes())
}
