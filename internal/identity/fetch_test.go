package identity

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// notPublicAddresses must never be asked for keys.
var notPublicAddresses = strings.Fields(`
	0.0.0.0 0.0.0.1 0.255.255.255
	10.0.0.0 10.0.0.1 10.255.255.255
	100.64.0.0 100.64.0.1 100.100.100.200 100.127.255.255
	127.0.0.0 127.0.0.1 127.1.2.3 127.255.255.255
	168.63.129.16
	169.254.0.1 169.254.169.254 169.254.170.2 169.254.255.255
	172.16.0.0 172.16.0.1 172.17.0.1 172.31.255.255
	192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
	192.168.0.0 192.168.0.1 192.168.255.255
	198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
	224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.254 255.255.255.255
	:: ::1 ::2 ::7f00:1 ::127.0.0.1 ::169.254.169.254
	::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:192.168.0.1 ::ffff:0.0.0.0 ::ffff:100.64.0.1
	64:ff9b::7f00:1 64:ff9b::169.254.169.254 64:ff9b::8.8.8.8 64:ff9b:1::7f00:1 64:ff9b:1:ffff::10.0.0.1
	100::1 100:0:0:1::1
	2001::1 2001:0:7f00:1::1 2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2001:db8:ffff::1
	2002:7f00:1::1 2002:a00:1::1 2002:a9fe:a9fe::1 3fff::1 3fff:fff::1
	4000::1 5f00::1
	fc00::1 fd00::1 fd00:ec2::254 fd12:3456:789a::1 fdff:ffff::1
	fe80::1 fe80::1%eth0 fe80::a9fe:a9fe febf::1 fec0::1
	ff00::1 ff02::1 ff05::1:3 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
	2606:4700::1111%eth0
`)

var publicAddresses = strings.Fields(`
	1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 168.63.129.15 168.63.129.17
	169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
	::ffff:8.8.8.8 2001:200::1 2001:4860:4860::8888 2003::1 2606:4700::1111 2a00:1450:4001::1 3ffe::1
`)

func TestPublic(t *testing.T) {
	if len(notPublicAddresses) < 60 {
		t.Errorf("there are only %d addresses", len(notPublicAddresses))
	}
	for want, list := range map[bool][]string{false: notPublicAddresses, true: publicAddresses} {
		for _, text := range list {
			if public(netip.MustParseAddr(text)) != want {
				t.Errorf("%s: public is not %v", text, want)
			}
		}
	}
}

// TestNothingPrivateIsAsked gives each address that is not public as it is
// written, and as what a name leads to, and demands that nothing is dialed.
func TestNothingPrivateIsAsked(t *testing.T) {
	for _, text := range notPublicAddresses {
		addr := netip.MustParseAddr(text)
		host := text
		if addr.Is6() {
			host = "[" + strings.Replace(text, "%", "%25", 1) + "]"
		}
		if _, err := NewFetch()(t.Context(), "https://"+host+"/jwks"); err == nil || !strings.Contains(err.Error(), "everybody on the internet can reach") {
			t.Errorf("%s as it is written: %v", text, err)
		}
		if addr.Zone() != "" {
			continue // no name leads to an address with a zone
		}
		names := newNames(t, []netip.Addr{addr})
		f := newFetcher(reach{resolver: names.resolver})
		if _, err := f.fetch(t.Context(), "https://keys.example/jwks"); !errors.Is(err, errNotReachable) || names.asked.Load() == 0 {
			t.Errorf("a name that leads to %s: %v", text, err)
		}
	}
}

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

// names plays a name server whose answers change: each look takes the next one,
// and the last one stays.
type names struct {
	resolver *net.Resolver
	asked    atomic.Int64

	mu      sync.Mutex
	answers [][]netip.Addr
}

func newNames(t *testing.T, answers ...[]netip.Addr) *names {
	n := &names{answers: answers}
	n.resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		t.Cleanup(func() { _ = ours.Close() }) // which ends serve
		go n.serve(ours)
		return theirs, nil
	}}
	return n
}

// serve answers questions in the framing for streams (RFC 1035, section
// 4.2.2).
func (n *names) serve(conn net.Conn) {
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		answer := n.answer(question)
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

func (n *names) answer(question []byte) []byte {
	end := 12
	for question[end] != 0 { // over the labels of the name
		end += int(question[end]) + 1
	}
	end += 5 // its end, the type and the class
	kind := binary.BigEndian.Uint16(question[end-4:])
	answer := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[12:end]...)
	for _, addr := range n.next(kind) {
		raw := addr.AsSlice()
		answer = append(answer, 0xc0, 12, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(raw)))
		answer = append(answer, raw...)
		answer[7]++
	}
	return answer
}

// next returns what is told of one kind of addresses. Both kinds are asked for
// at once, so an answer is used up when the addresses of its own kind were.
func (n *names) next(kind uint16) []netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	const typeA, typeAAAA = 1, 28
	now := n.answers[0]
	if is4 := now[0].Is4(); is4 && kind != typeA || !is4 && kind != typeAAAA {
		return nil
	}
	n.asked.Add(1)
	if len(n.answers) > 1 {
		n.answers = n.answers[1:]
	}
	return now
}

// A town is two servers at one port: one that stands for the public internet
// and one that stands for what is inside, with a count of who came to it.
type town struct {
	address  string // of the name whose server is to be asked
	inside   atomic.Int64
	reach    reach
	public   netip.Addr
	internal netip.Addr
}

func newTown(t *testing.T, public http.HandlerFunc) *town {
	t.Helper()
	w := &town{public: netip.MustParseAddr("127.0.0.2"), internal: netip.MustParseAddr("127.0.0.1")}
	outside := listen(t, w.public.String()+":0")
	_, port, err := net.SplitHostPort(outside.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	inner := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("inside")) }))
	inner.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			w.inside.Add(1)
		}
	}
	inner.Listener = listen(t, w.internal.String()+":"+port)
	inner.StartTLS()
	t.Cleanup(inner.Close)
	outer := httptest.NewUnstartedServer(public)
	outer.Listener = outside
	outer.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that are meant to fail
	outer.StartTLS()
	t.Cleanup(outer.Close)
	trust := outer.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	w.address = "https://example.com:" + port + "/jwks"
	w.reach = reach{
		public: func(a netip.Addr) bool { return a == w.public }, tls: &tls.Config{RootCAs: trust},
		check: func(string) error { return nil }, // its port is another one
	}
	return w
}

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// fetch asks the town's address while the name leads where it is told.
func (w *town) fetch(t *testing.T, names *names) (string, error) {
	t.Helper()
	r := w.reach
	r.resolver = names.resolver
	text, err := newFetcher(r).fetch(t.Context(), w.address)
	return string(text), err
}

func hello(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("outside")) }

// TestRebinding has a name that leads outside when it is looked at first, and
// inside afterwards, or to both at once.
func TestRebinding(t *testing.T) {
	w := newTown(t, hello)
	names := newNames(t, []netip.Addr{w.public}, []netip.Addr{w.internal})
	if text, err := w.fetch(t, names); text != "outside" || err != nil {
		t.Fatalf("got %q, %v", text, err)
	}
	for range 3 {
		if text, err := w.fetch(t, names); !errors.Is(err, errNotReachable) {
			t.Errorf("got %q, %v", text, err)
		}
	}
	for _, both := range [][]netip.Addr{{w.internal, w.public}, {w.public, w.internal}} {
		if text, err := w.fetch(t, newNames(t, both)); text != "outside" || err != nil {
			t.Errorf("where the name leads to both: %q, %v", text, err)
		}
	}
	if n := w.inside.Load(); n != 0 {
		t.Errorf("%d connections came inside", n)
	}
	w.reach.public = func(netip.Addr) bool { return true } // the control: nothing but the rule keeps it out
	if text, err := w.fetch(t, newNames(t, []netip.Addr{w.internal})); text != "inside" || err != nil || w.inside.Load() != 1 {
		t.Errorf("without the rule: %q, %v", text, err)
	}
}

// TestFetchBounds gives answers that must not be taken.
func TestFetchBounds(t *testing.T) {
	for name, public := range map[string]http.HandlerFunc{
		"redirection inside": func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, "https://127.0.0.1:"+r.URL.Port()+"/", http.StatusFound)
		},
		"redirection to another way": func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, "http://example.com/", http.StatusMovedPermanently)
		},
		"not found":     http.NotFound,
		"large":         func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(make([]byte, maxSet+1)) },
		"large headers": func(rw http.ResponseWriter, _ *http.Request) { rw.Header().Set("X", strings.Repeat("x", 100<<10)) },
		"never":         func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"never ends": func(rw http.ResponseWriter, r *http.Request) {
			_, _ = rw.Write([]byte("{"))
			_ = http.NewResponseController(rw).Flush()
			<-r.Context().Done()
			panic(http.ErrAbortHandler) // or the answer would end well, just in time
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t, public)
			w.reach.within = 300 * time.Millisecond
			if text, err := w.fetch(t, newNames(t, []netip.Addr{w.public})); err == nil {
				t.Errorf("got %.40q", text)
			}
			if n := w.inside.Load(); n != 0 {
				t.Errorf("%d connections came inside", n)
			}
		})
	}
	t.Run("just not too large", func(t *testing.T) {
		w := newTown(t, func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(make([]byte, maxSet)) })
		if text, err := w.fetch(t, newNames(t, []netip.Addr{w.public})); len(text) != maxSet || err != nil {
			t.Errorf("got %d bytes, %v", len(text), err)
		}
	})
	t.Run("certificate that nobody trusts", func(t *testing.T) {
		w := newTown(t, hello)
		w.reach.tls = nil
		if text, err := w.fetch(t, newNames(t, []netip.Addr{w.public})); err == nil {
			t.Errorf("got %q", text)
		}
	})
	t.Run("proxy of the environment", func(t *testing.T) {
		w := newTown(t, hello)
		t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
		if text, err := w.fetch(t, newNames(t, []netip.Addr{w.public})); text != "outside" || err != nil {
			t.Errorf("got %q, %v", text, err)
		}
	})
}

// TestFailuresTellNoNames has a set fail in every way, and demands that the
// owners of a workspace are told one text for whatever did not reach a public
// server, and the operator's log the rest.
func TestFailuresTellNoNames(t *testing.T) {
	inside := newNames(t, []netip.Addr{netip.MustParseAddr("127.0.0.1")})
	nowhere := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("the name server ns.corp.example refuses")
	}}
	slow := newTown(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	untrusted, missing, page := newTown(t, hello), newTown(t, http.NotFound), newTown(t, hello)
	in := func(w *town, change func(*reach)) reach {
		r := w.reach
		r.resolver, r.within = newNames(t, []netip.Addr{w.public}).resolver, 300*time.Millisecond
		change(&r)
		return r
	}
	as := func(*reach) {}
	const hidden = "they could not be fetched from a public address; the operator's log says more"
	for name, c := range map[string]struct {
		reach   reach
		address string
		told    string
	}{
		"name that leads inside": {reach{resolver: inside.resolver}, "https://db.corp.example/", hidden},
		"name without an answer": {reach{resolver: nowhere}, "https://db.corp.example/", hidden},
		"no answer in time":      {in(slow, as), slow.address, hidden},
		"certificate":            {in(untrusted, func(r *reach) { r.tls = nil }), untrusted.address, hidden},
		"status":                 {in(missing, as), missing.address, "the status of the answer is 404; it must be 200"},
		"other content":          {in(page, as), page.address, "the answer is not a set of keys"},
		"address":                {reach{}, "https://0x7f.1/", "the address must have a name for a host that everybody on the internet can reach"},
	} {
		t.Run(name, func(t *testing.T) {
			var logged strings.Builder
			keys := ring().keys()
			keys.Sets = NewSets(newFetcher(c.reach).fetch, func() time.Time { return now }, slog.New(slog.NewTextHandler(&logged, nil)))
			set := &keys.All[len(keys.All)-1]
			set.SetURL = c.address
			token := by(jwt.SigningMethodRS256, ring().rsa, `{"alg":"RS256","kid":"idp"}`, valid(`"iss":"`+issuer+`","aud":"`+audience+`"`))
			_, err := Verify(t.Context(), token, keys, now)
			if want := "keys unavailable: the keys at " + c.address + " cannot be had: " + c.told; err == nil || err.Error() != want {
				t.Errorf("an owner is told %v,\nwant %s", err, want)
			}
			if !strings.Contains(logged.String(), "identity: set of keys not fetched") || !strings.Contains(logged.String(), c.address) {
				t.Errorf("the operator is told %q", logged.String())
			}
		})
	}
}
