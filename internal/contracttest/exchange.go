package contracttest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Transport returns a RoundTripper that fails the test with every exchange
// that the document does not allow.
func (g *Gate) Transport(t testing.TB, next http.RoundTripper) http.RoundTripper {
	return gated{g, t, next}
}

type gated struct {
	gate *Gate
	t    testing.TB
	next http.RoundTripper
}

func (x gated) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := x.next.RoundTrip(r)
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
	if err := x.gate.Check(r, res.StatusCode, res.Header, body); err != nil {
		x.t.Errorf("contract: %v", err)
	}
	return res, nil
}

// Do has a handler answer a request in memory and checks the exchange.
func (g *Gate) Do(t testing.TB, h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body := w.Body.Bytes()
	if r.Method == http.MethodHead {
		body = nil // as net/http does
	}
	if err := g.Check(r, w.Code, w.Header(), body); err != nil {
		t.Errorf("contract: %v", err)
	}
	return w
}
