package identity

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A publisher is the server of a sign-in service.
type publisher struct {
	asked atomic.Int64
	text  []byte
	err   error
}

func (p *publisher) fetch(context.Context, string) ([]byte, error) {
	p.asked.Add(1)
	return p.text, p.err
}

// TestSetsRemember simulates a day of requests to one address.
func TestSetsRemember(t *testing.T) {
	at := now
	p := &publisher{text: ring().set()}
	sets := NewSets(p.fetch, func() time.Time { return at }, quiet())
	look := func(kid string, there bool, asked int64) {
		t.Helper()
		key, err := sets.key(t.Context(), setURL, kid, RS256)
		if (key != nil) != there || err != nil || p.asked.Load() != asked {
			t.Errorf("after %v the key %s is %v, %v; the address was asked %d times, want %d", at.Sub(now), kid, key != nil, err, p.asked.Load(), asked)
		}
	}
	look("idp", true, 1)
	at = at.Add(setFresh - time.Second)
	look("idp", true, 1)
	at = at.Add(time.Second)
	look("idp", true, 2) // stale
	look("new", false, 2)
	at = at.Add(setPause - time.Second)
	look("new", false, 2)
	at = at.Add(time.Second)
	look("new", false, 3) // unknown, and a minute has passed
	look("other", false, 3)
	p.text = []byte(`{"keys":[` + rsaJWK("new", ring().rsa, "") + `]}`)
	at = at.Add(setPause)
	look("new", true, 4)
	look("idp", false, 4) // was taken out

	good := at
	p.err = errors.New("out of order")
	at = good.Add(setFresh)
	look("new", true, 5)
	look("new", true, 5) // not asked again within a minute
	at = good.Add(setKept - time.Second)
	look("new", true, 6)
	at = good.Add(setKept)
	at = at.Add(setPause)
	if key, err := sets.key(t.Context(), setURL, "new", RS256); key != nil || !errors.Is(err, p.err) {
		t.Errorf("a set that is a day old gives %v, %v", key, err)
	}
	p.err = nil
	look2 := p.asked.Load()
	at = at.Add(firstPause - time.Second)
	if _, err := sets.key(t.Context(), setURL, "new", RS256); err == nil || p.asked.Load() != look2 {
		t.Errorf("asked again at once: %v", err)
	}
	at = at.Add(time.Second)
	look("new", true, look2+1)
}

// TestSetsShareOneLook verifies fifty customers while the address is slow, one
// of whom leaves.
func TestSetsShareOneLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan []byte)
		var asked atomic.Int64
		sets := NewSets(func(ctx context.Context, _ string) ([]byte, error) {
			asked.Add(1)
			select {
			case text := <-answer:
				return text, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}, time.Now, quiet())
		leaving, leave := context.WithCancel(t.Context())
		var left error
		var all sync.WaitGroup
		all.Go(func() { _, left = sets.key(leaving, setURL, "idp", RS256) })
		synctest.Wait()
		var found atomic.Int64
		for range 50 {
			all.Go(func() {
				if key, err := sets.key(t.Context(), setURL, "idp", RS256); key != nil && err == nil {
					found.Add(1)
				}
			})
		}
		synctest.Wait()
		leave() // the request that it started continues
		synctest.Wait()
		answer <- ring().set()
		all.Wait()
		if found.Load() != 50 || asked.Load() != 1 || !errors.Is(left, context.Canceled) {
			t.Errorf("%d found the key, the address was asked %d times, who left got %v", found.Load(), asked.Load(), left)
		}
		// An address that never answers delays nobody beyond the limit.
		began := time.Now()
		if _, err := sets.key(t.Context(), "https://slow.example/", "idp", RS256); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != fetchTime {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

// TestSetsAreBounded names more addresses than are cached.
func TestSetsAreBounded(t *testing.T) {
	at := now
	p := &publisher{text: ring().set()}
	sets := NewSets(p.fetch, func() time.Time { return at }, quiet())
	for i := range maxSets + 10 {
		at = at.Add(time.Millisecond)
		if _, err := sets.key(t.Context(), fmt.Sprint("https://a.example/", i), "idp", RS256); err != nil {
			t.Fatal(err)
		}
	}
	if len(sets.known) != maxSets || sets.known["https://a.example/9"] != nil || sets.known["https://a.example/10"] == nil {
		t.Errorf("%d are known", len(sets.known))
	}
}

// TestParseSet reads sets with invalid content.
func TestParseSet(t *testing.T) {
	r := ring()
	good := rsaJWK("good", r.rsa, "")
	for text, want := range map[string]int{
		`{"keys":[]}`:                                                      0,
		`{"keys":[` + good + `]}`:                                          1,
		`{"keys":[` + good + `],"x":{}}`:                                   1,
		`{"keys":[null,1,"x",[],{},` + good + `]}`:                         1,
		`{"keys":[` + rsaJWK("", r.rsa, "") + `]}`:                         0,
		`{"keys":[` + rsaJWK("a", r.rsa, `,"use":"enc"`) + `]}`:            0,
		`{"keys":[` + rsaJWK("a", r.rsa, `,"d":"AQAB"`) + `]}`:             0,
		`{"keys":[` + rsaJWK("a", r.weakRSA, "") + `]}`:                    0,
		`{"keys":[` + strings.Repeat(good+",", maxSetKeys+5) + good + `]}`: maxSetKeys,
	} {
		if keys, err := parseSet([]byte(text)); err != nil || len(keys) != want {
			t.Errorf("%.100s gives %d keys, %v, want %d", text, len(keys), err, want)
		}
	}
	for _, text := range []string{"", "x", "null", "[]", `{}`, `{"keys":null}`, `{"keys":{}}`, `{"keys":"x"}`, "<html>"} {
		if keys, err := parseSet([]byte(text)); err == nil {
			t.Errorf("%q gives %v", text, keys)
		}
	}
}

func TestParsePublicKey(t *testing.T) {
	r := ring()
	for name, key := range map[string]crypto.PublicKey{"RSA": r.rsa.Public(), "EC": r.ec.Public(), "Ed25519": r.ed.Public()} {
		pem, err := PublicPEM(key)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParsePublicKey("\n " + pem + " \n")
		if equal, ok := got.(interface{ Equal(crypto.PublicKey) bool }); err != nil || !ok || !equal.Equal(key) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	if got, err := ParsePublicKey(rsaJWK("", r.rsa, "")); err != nil || !r.rsa.PublicKey.Equal(got) {
		t.Errorf("JWK: got %v, %v", got, err)
	}
	okp := `{"kty":"OKP","crv":"Ed25519","x":"` + b64(r.ed[32:]) + `"}` // the public half
	if got, err := ParsePublicKey(okp); err != nil || !r.ed.Public().(ed25519.PublicKey).Equal(got) {
		t.Errorf("OKP: got %v, %v", got, err)
	}
	point, err := r.ec.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	ec := func(x, y []byte) string {
		return `{"kty":"EC","crv":"P-256","x":"` + b64(x) + `","y":"` + b64(y) + `"}`
	}
	if got, err := ParsePublicKey(ec(point[1:33], point[33:])); err != nil || !r.ec.PublicKey.Equal(got) {
		t.Errorf("EC: got %v, %v", got, err)
	}
	weak, err := PublicPEM(r.weakRSA.Public())
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(r.ec)
	if err != nil {
		t.Fatal(err)
	}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	otherCurve, err := PublicPEM(p384.Public())
	if err != nil {
		t.Fatal(err)
	}
	inPEM := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	for text, want := range map[string]error{
		"": errNoKey, "key": errNoKey, "{": errNoKey, "{}": errNoKey, "null": errNoKey, weak: errWeakKey, otherCurve: errOtherCurve,
		inPEM("PRIVATE KEY", private): errNotPublic, inPEM("RSA PRIVATE KEY", nil): errNotPublic, inPEM("PUBLIC KEY", private): errNoKey,
		inPEM("CERTIFICATE", private): errNoKey, inPEM("OTHER", private): errNoKey,
		rsaJWK("", r.weakRSA, ""): errWeakKey, rsaJWK("", r.rsa, `,"d":"AQAB"`): errNotPublic, `{"kty":"oct","k":"AAAA"}`: errNotPublic,
		`{"kty":"RSA","n":"AQAB","e":""}`: errNoKey, `{"kty":"RSA","n":"AQAB","e":"AQ"}`: errNoKey, `{"kty":"RSA","n":"!","e":"AQAB"}`: errNoKey,
		strings.Replace(rsaJWK("", r.rsa, ""), "AQAB", "AQAA", 1): errNoKey, // an even exponent
		ec(point[33:], point[1:33]):                               errNoKey, // not on the curve
		ec(point[1:32], point[33:]):                               errNoKey,
		`{"kty":"EC","crv":"P-384"}`:                              errOtherCurve, `{"kty":"OKP","crv":"Ed25519","x":"AA"}`: errNoKey, `{"kty":"OKP","crv":"X25519","x":"AA"}`: errNoKey,
	} {
		if got, err := ParsePublicKey(text); !errors.Is(err, want) {
			t.Errorf("%.60q gives %v, %v, want %v", text, got, err, want)
		}
	}
}

// FuzzParse parses arbitrary keys and sets: every result is a key that an
// algorithm can use.
func FuzzParse(f *testing.F) {
	f.Add(string(ring().set()))
	f.Add(rsaJWK("a", ring().rsa, ""))
	f.Fuzz(func(t *testing.T, text string) {
		keys, _ := parseSet([]byte(text))
		if key, err := ParsePublicKey(text); err == nil {
			keys = append(keys, setKey{public: key})
		}
		for _, k := range keys {
			if len(Algorithms(k.public)) == 0 || fit(k.public) != nil {
				t.Errorf("%q gives %v", text, k)
			}
		}
	})
}
