package outward_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"parley/internal/outward"
	"parley/internal/outward/outwardtest"
)

var limits = outward.Limits{Time: 5 * time.Second, Bytes: 1000}

// get asks an address by a client over a dialer.
func get(t *testing.T, o outward.Options, l outward.Limits, url string) (string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := outward.NewDialer(o).Client(l).Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }() // all that is wanted was read
	text, err := io.ReadAll(answer.Body)
	return http.StatusText(answer.StatusCode) + " " + string(text), err
}

func hello(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("outside")) }

// TestNothingPrivateIsDialed gives each address that is not public as it is
// written, and as what a name leads to, and demands that nothing is dialed.
func TestNothingPrivateIsDialed(t *testing.T) {
	for _, text := range outward.NotPublicAddresses {
		addr := netip.MustParseAddr(text)
		if _, err := outward.NewDialer(outward.Options{}).DialContext(t.Context(), "tcp", net.JoinHostPort(text, "443")); !errors.Is(err, outward.ErrNotAllowed) {
			t.Errorf("%s as it is written: %v", text, err)
		}
		if addr.Zone() != "" {
			continue // no name leads to an address with a zone
		}
		names := outwardtest.NewNames(t, []netip.Addr{addr})
		_, err := get(t, outward.Options{Resolver: names.Resolver}, limits, "https://keys.example/")
		if !errors.Is(err, outward.ErrNotAllowed) || names.Asked.Load() == 0 {
			t.Errorf("a name that leads to %s: %v", text, err)
		}
	}
}

// TestRebinding has a name that leads outside when it is looked at first, and
// inside afterwards, or to both at once.
func TestRebinding(t *testing.T) {
	w := outwardtest.NewServers(t, hello)
	o := w.Named(t, []netip.Addr{w.Allowed}, []netip.Addr{w.Internal})
	if text, err := get(t, o, limits, w.URL); text != "OK outside" || err != nil {
		t.Fatalf("got %q, %v", text, err)
	}
	for range 3 {
		if text, err := get(t, o, limits, w.URL); !errors.Is(err, outward.ErrNotAllowed) {
			t.Errorf("got %q, %v", text, err)
		}
	}
	for _, both := range [][]netip.Addr{{w.Internal, w.Allowed}, {w.Allowed, w.Internal}} {
		if text, err := get(t, w.Named(t, both), limits, w.URL); text != "OK outside" || err != nil {
			t.Errorf("where the name leads to both: %q, %v", text, err)
		}
	}
	if n := w.Inside.Load(); n != 0 {
		t.Errorf("%d connections came inside", n)
	}
	w.Options.Allowed = outward.Networks{netip.MustParsePrefix("127.0.0.0/8")} // the control: nothing but the rule keeps it out
	if text, err := get(t, w.Named(t, []netip.Addr{w.Internal}), limits, w.URL); text != "OK inside" || err != nil || w.Inside.Load() != 1 {
		t.Errorf("where it is allowed: %q, %v", text, err)
	}
}

// TestBounds gives answers that must not be taken, or not followed.
func TestBounds(t *testing.T) {
	const tooLong = "it took too long"
	short := outward.Limits{Time: 300 * time.Millisecond, Bytes: limits.Bytes}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    string // the error, or what is got
	}{
		"redirection inside": {func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, "https://127.0.0.1:"+r.URL.Port()+"/", http.StatusFound)
		}, "Found"},
		"large":         {func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(make([]byte, 1001)) }, "too large"},
		"large headers": {func(rw http.ResponseWriter, _ *http.Request) { rw.Header().Set("X", strings.Repeat("x", 100<<10)) }, "headers exceeded"},
		"never":         {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, tooLong},
		"never ends": {func(rw http.ResponseWriter, r *http.Request) {
			_, _ = rw.Write([]byte("{"))
			_ = http.NewResponseController(rw).Flush()
			<-r.Context().Done()
			panic(http.ErrAbortHandler) // or the answer would end well, just in time
		}, tooLong},
		"just not too large": {func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte(strings.Repeat("x", 1000))) }, "OK " + strings.Repeat("x", 1000)},
	} {
		t.Run(name, func(t *testing.T) {
			w, l := outwardtest.NewServers(t, c.handler), limits
			if c.want == tooLong {
				l = short
			}
			text, err := get(t, w.Named(t, []netip.Addr{w.Allowed}), l, w.URL)
			if late := net.Error(nil); errors.As(err, &late) && late.Timeout() {
				text = tooLong
			} else if err != nil {
				text = err.Error()
			}
			if !strings.Contains(text, c.want) {
				t.Errorf("got %.80q, want %.80q", text, c.want)
			}
			if n := w.Inside.Load(); n != 0 {
				t.Errorf("%d connections came inside", n)
			}
		})
	}
	t.Run("certificate that nobody trusts", func(t *testing.T) {
		w := outwardtest.NewServers(t, hello)
		w.Options.TLS = nil
		if text, err := get(t, w.Named(t, []netip.Addr{w.Allowed}), limits, w.URL); err == nil {
			t.Errorf("got %q", text)
		}
	})
	t.Run("proxy of the environment", func(t *testing.T) {
		w := outwardtest.NewServers(t, hello)
		t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
		if text, err := get(t, w.Named(t, []netip.Addr{w.Allowed}), limits, w.URL); text != "OK outside" || err != nil {
			t.Errorf("got %q, %v", text, err)
		}
	})
}
