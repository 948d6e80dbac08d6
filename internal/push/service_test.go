package push_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/outward"
	"parley/internal/push"
)

// A got is a message that a browser has decrypted, with the headers of its request.
type got struct {
	browser                      string
	ID, Kind, Actor, Text        string
	Count                        int
	ConversationID               string `json:"conversationId"`
	topic, urgency, audience, by string
	ttl                          int
}

// A fakeService is a push service with its browsers. It answers each browser with its next
// status, or 201.
type fakeService struct {
	t      testing.TB
	server *httptest.Server
	now    func() time.Time
	key    func() string // that browsers subscribed with

	mu       sync.Mutex
	browsers map[string]*ecdh.PrivateKey
	auth     []byte
	answers  map[string][]answer
	taken    []got // accepted
	asked    int
}

// An answer is what the service says. do, if set, runs before it.
type answer struct {
	status int
	header map[string]string
	do     func()
}

func newService(t testing.TB, now func() time.Time) *fakeService {
	s := &fakeService{t: t, now: now, browsers: map[string]*ecdh.PrivateKey{}, auth: []byte("0123456789abcdef"), answers: map[string][]answer{}}
	s.server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.server.StartTLS()
	t.Cleanup(s.server.Close)
	return s
}

// network trusts the service and allows its address.
func (s *fakeService) network() outward.Options {
	return outward.Options{
		Allowed: outward.Networks{netip.MustParsePrefix("127.0.0.1/32")},
		TLS:     &tls.Config{RootCAs: s.server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs},
	}
}

// subscribe returns the subscription of a new browser.
func (s *fakeService) subscribe(name string) push.Subscription {
	s.t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[name] = key
	encode := base64.RawURLEncoding.EncodeToString
	made, err := push.NewSubscription(s.server.URL+"/to/"+name, encode(key.PublicKey().Bytes()), encode(s.auth))
	if err != nil {
		s.t.Fatal(err)
	}
	return made
}

// answer sets the next answers for a browser.
func (s *fakeService) answer(name string, next ...answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[name] = append(s.answers[name], next...)
}

// takes returns what was accepted since the last call.
func (s *fakeService) takes() []got {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.taken
	s.taken = nil
	return all
}

func (s *fakeService) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	name, named := strings.CutPrefix(r.URL.Path, "/to/")
	s.mu.Lock()
	s.asked++
	key := s.browsers[name]
	next := answer{status: http.StatusCreated}
	if queued := s.answers[name]; len(queued) > 0 {
		next, s.answers[name] = queued[0], queued[1:]
	}
	s.mu.Unlock()
	if err != nil || !named || key == nil || r.Method != http.MethodPost {
		s.t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	message := s.open(key, body)
	message.browser, message.topic, message.urgency = name, r.Header.Get("Topic"), r.Header.Get("Urgency")
	message.ttl, err = strconv.Atoi(r.Header.Get("TTL"))
	if err != nil || len(message.topic) > 32 || r.Header.Get("Content-Encoding") != "aes128gcm" {
		s.t.Errorf("the headers are %v", r.Header)
	}
	message.audience, message.by = s.signed(r.Header.Get("Authorization"))
	if next.do != nil {
		next.do()
	}
	for name, value := range next.header {
		w.Header().Set(name, value)
	}
	if next.status == http.StatusCreated {
		s.mu.Lock()
		s.taken = append(s.taken, message)
		s.mu.Unlock()
	}
	w.WriteHeader(next.status)
}

// open decrypts a message as a browser does (RFC 8291, section 3).
func (s *fakeService) open(key *ecdh.PrivateKey, body []byte) (m got) {
	fail := func(err error) {
		if err != nil {
			s.t.Errorf("a browser cannot read its message: %v", err)
		}
	}
	salt, sender := body[:16], body[21:86]
	public, err := ecdh.P256().NewPublicKey(sender)
	fail(err)
	shared, err := key.ECDH(public)
	fail(err)
	secret, err := hkdf.Key(sha256.New, shared, s.auth, "WebPush: info\x00"+string(key.PublicKey().Bytes())+string(sender), 32)
	fail(err)
	content, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	fail(err)
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	fail(err)
	block, err := aes.NewCipher(content)
	fail(err)
	aead, err := cipher.NewGCM(block)
	fail(err)
	plain, err := aead.Open(nil, nonce, body[86:], nil)
	fail(err)
	fail(json.Unmarshal(bytes.TrimSuffix(bytes.TrimRight(plain, "\x00"), []byte{2}), &m))
	return m
}

// signed checks the signature of a request (RFC 8292), and returns its audience and subject.
func (s *fakeService) signed(header string) (audience, subject string) {
	token, key, _ := strings.Cut(strings.TrimPrefix(header, "vapid t="), ", k=")
	parts := strings.Split(token, ".")
	if len(parts) != 3 || key != s.key() {
		s.t.Errorf("the authorization is %q", header)
		return "", ""
	}
	decode := func(text string) []byte {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			s.t.Error(err)
		}
		return raw
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), decode(key))
	sum, signature := sha256.Sum256([]byte(parts[0]+"."+parts[1])), decode(parts[2])
	if err != nil || !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		s.t.Errorf("the signature is not valid: %v", err)
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(decode(parts[1]), &claims); err != nil {
		s.t.Error(err)
	}
	if left := time.Unix(claims.Exp, 0).Sub(s.now()); left <= 0 || left > 24*time.Hour {
		s.t.Errorf("the signature is valid for %v", left)
	}
	return claims.Aud, claims.Sub
}
