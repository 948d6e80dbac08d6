package identity

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"parley/internal/outward"
	"parley/internal/outward/outwardtest"
)

func TestCheckSetURL(t *testing.T) {
	for _, good := range []string{"https://login.acme.example/jwks.json", "https://a.example:443/", "https://a.example?tenant=1", "https://a.example./", "https://1.a1.example/"} {
		if err := CheckSetURL(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "x", "http://a.example/", "HTTP://a.example/", "ftp://a.example/", "file:///etc/passwd", "//a.example/", "https://", "https:///jwks",
		"https://user@a.example/", "https://user:secret@a.example/", "https://a.example/#x", "gopher://a.example/", "javascript:alert(1)",
		"https://a.example/" + strings.Repeat("x", maxURL), "https://127.0.0.1/", "https://[::1]/", "https://[::ffff:7f00:1]:443/", "https://%zz/",
		"https://a.example:8443/", "https://a.example:80/", "https://a.example:0443/", "https://93.184.216.34/", "https://[2606:4700::1111]/",
		"https://0x7f.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0X7F.0x/", "https://a.example.0177/", "https://10.0.0.1./", "https://./",
	} {
		if CheckSetURL(bad) == nil {
			t.Errorf("%.60s is taken", bad)
		}
	}
}

// TestFailuresTellNoNames fails to fetch a set in every way, and requires that
// the owners of a workspace see the same text for everything that did not reach
// a public server, and the operator's log the rest.
func TestFailuresTellNoNames(t *testing.T) {
	inside := outwardtest.NewNames(t, []netip.Addr{netip.MustParseAddr("127.0.0.1")}).Resolver
	nowhere := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("the name server ns.corp.example refuses")
	}}
	hello := func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("outside")) }
	never := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	moved := func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "http://example.com/", http.StatusMovedPermanently)
	}
	large := func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(make([]byte, maxSet+1)) }
	servers := func(handler http.HandlerFunc) (outward.Options, string) {
		w := outwardtest.NewServers(t, handler)
		return w.Named(t, []netip.Addr{w.Allowed}), w.URL + "/jwks"
	}
	slow, slowURL := servers(never)
	untrusted, untrustedURL := servers(hello)
	untrusted.TLS = nil
	missing, missingURL := servers(http.NotFound)
	elsewhere, elsewhereURL := servers(moved)
	page, pageURL := servers(hello)
	long, longURL := servers(large)
	const hidden = "they could not be fetched from a public address; the operator's log says more"
	anyURL := func(string) error { return nil } // the ports of the servers are not 443
	for name, c := range map[string]struct {
		options outward.Options
		check   func(string) error
		address string
		told    string
	}{
		"name that leads inside": {outward.Options{Resolver: inside}, CheckSetURL, "https://db.corp.example/", hidden},
		"name without an answer": {outward.Options{Resolver: nowhere}, CheckSetURL, "https://db.corp.example/", hidden},
		"no answer in time":      {slow, anyURL, slowURL, hidden},
		"certificate":            {untrusted, anyURL, untrustedURL, hidden},
		"status":                 {missing, anyURL, missingURL, "the status of the answer is 404; it must be 200"},
		"redirection":            {elsewhere, anyURL, elsewhereURL, "the status of the answer is 301; it must be 200"},
		"other content":          {page, anyURL, pageURL, "the answer is not a set of keys"},
		"large":                  {long, anyURL, longURL, "the answer has more than 262144 bytes"},
		"address":                {outward.Options{}, CheckSetURL, "https://0x7f.1/", "the address must have a name for a host that everybody on the internet can reach"},
	} {
		t.Run(name, func(t *testing.T) {
			var logged strings.Builder
			keys := ring().keys()
			limits := outward.Limits{Time: fetchTime, Bytes: maxSet}
			if c.address == slowURL {
				limits.Time = 300 * time.Millisecond
			}
			f := fetcher{client: outward.NewDialer(c.options).Client(limits), check: c.check}
			keys.Sets = NewSets(f.fetch, func() time.Time { return now }, slog.New(slog.NewTextHandler(&logged, nil)))
			set := &keys.All[len(keys.All)-1]
			set.SetURL = c.address
			token := by(jwt.SigningMethodRS256, ring().rsa, `{"alg":"RS256","kid":"idp"}`, valid(`"iss":"`+issuer+`","aud":"`+audience+`"`))
			_, err := Verify(t.Context(), token, keys, now)
			if want := "keys unavailable: the keys at " + c.address + " cannot be had: " + c.told; err == nil || err.Error() != want {
				t.Errorf("an owner is told %v,\nwant %s", err, want)
			}
			if !strings.Contains(logged.String(), "identity: key set not fetched") || !strings.Contains(logged.String(), c.address) {
				t.Errorf("the operator is told %q", logged.String())
			}
		})
	}
}
