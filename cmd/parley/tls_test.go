package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/certificates"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// A pair is a certificate of 127.0.0.1 that vouches for itself, with its key.
type pair struct {
	leaf      *x509.Certificate
	cert, key []byte // in PEM form
}

func newPair(t *testing.T, serial int64, until time.Time) pair {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "parley"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pair{
		leaf: leaf, cert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
	}
}

func newCertificate(t *testing.T, serial int64) pair {
	t.Helper()
	return newPair(t, serial, time.Now().Add(24*time.Hour))
}

// put writes a file whole.
func put(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// files writes a pair into a folder and returns its flags.
func (p pair) files(t *testing.T, folder string) *tlsFlags {
	t.Helper()
	f := &tlsFlags{cert: filepath.Join(folder, "cert.pem"), key: filepath.Join(folder, "key.pem")}
	put(t, f.cert, p.cert)
	put(t, f.key, p.key)
	return f
}

// held returns a pair as a server holds it.
func (p pair) held(t *testing.T) *certificates.Pair {
	t.Helper()
	c, err := p.files(t, t.TempDir()).open(time.Now, storetest.Quiet())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// trusting returns the settings of a client that trusts some pairs.
func trusting(pairs ...pair) *tls.Config {
	pool := x509.NewCertPool()
	for _, p := range pairs {
		pool.AddCert(p.leaf)
	}
	return &tls.Config{RootCAs: pool}
}

// serveTLS is serve with a certificate.
func serveTLS(t *testing.T, c *cli, pair *certificates.Pair, config *tls.Config) *server {
	t.Helper()
	s := serveWith(t, c, programOptions{log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour, tls: pair})
	s.url = "https" + strings.TrimPrefix(s.url, "http")
	transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	s.http = &http.Client{Transport: apitest.Gate().Transport(t, transport)}
	return s
}

func (s *server) address() string { return strings.TrimPrefix(s.url, "https://") }

// TestTLS serves under a certificate, to clients of every protocol and version.
func TestTLS(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	made := newCertificate(t, 1)
	held := made.held(t)
	s := serveTLS(t, c, held, trusting(made))
	key := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["apiKey"].(string)
	for _, path := range []string{"/healthz", "/v1/public/contacts", "/v1/public/unknown"} {
		res, _ := s.get(path, key)
		if res.ProtoMajor != 2 || res.Header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("%s is answered by %s with %v", path, res.Proto, res.Header)
		}
	}
	for version, works := range map[uint16]bool{tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		config := trusting(made)
		config.MinVersion, config.MaxVersion = version, version
		conn, err := tls.Dial("tcp", s.address(), config)
		if (err == nil) != works {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		if err == nil {
			_ = conn.Close()
		}
	}
	plain, err := http.Get("http://" + s.address() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	_ = plain.Body.Close()
	if plain.StatusCode != http.StatusBadRequest {
		t.Errorf("plain HTTP is answered with %d", plain.StatusCode)
	}
}

// TestTLSStreams opens event streams over both protocols. A stream is counted
// when it begins, and the server ends them all when it stops.
func TestTLSStreams(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	made := newCertificate(t, 1)
	held := made.held(t)
	s := serveTLS(t, c, held, trusting(made))
	key := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["apiKey"].(string)
	var streams []*bufio.Scanner
	for major, transport := range map[int]*http.Transport{
		1: {TLSClientConfig: trusting(made)}, 2: {TLSClientConfig: trusting(made), ForceAttemptHTTP2: true},
	} {
		defer transport.CloseIdleConnections()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/v1/public/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set("Accept", "text/event-stream")
		res, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		if res.ProtoMajor != major || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("the stream is of %s, with %v", res.Proto, res.Header)
		}
		streams = append(streams, bufio.NewScanner(res.Body))
	}
	c.command(t, "product", "create", "--workspace", s.workspace(), "--name", "Till")
	for _, lines := range streams {
		for lines.Scan() && lines.Text() != "event: product.created" {
		}
		if lines.Err() != nil || lines.Text() != "event: product.created" {
			t.Errorf("a stream ends with %v before the event", lines.Err())
		}
	}
}

// workspace returns the id of the only workspace.
func (s *server) workspace() string {
	s.t.Helper()
	all := s.cli.command(s.t, "workspace", "list")["data"].([]any)
	return all[0].(map[string]any)["id"].(string)
}

// TestConnectionLog leaves failed handshakes out of the log, because anybody can
// cause them.
func TestConnectionLog(t *testing.T) {
	var logged bytes.Buffer
	log := connectionLog(slog.New(slog.NewTextHandler(&logged, nil)))
	log.Print("http: TLS handshake error from 192.0.2.1:1: EOF")
	log.Print("http: Accept error: too many open files")
	if said := logged.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, `level=WARN msg="http: Accept error: too many open files"`) {
		t.Errorf("the log has %s", said)
	}
}

// TestCertificateChanges replaces the files under a server: by halves, by
// nonsense, and by the next certificate. Connections that are open stay.
func TestCertificateChanges(t *testing.T) {
	var past atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(past.Load())) }
	var logged bytes.Buffer
	first, second := newCertificate(t, 1), newCertificate(t, 2)
	flags := first.files(t, t.TempDir())
	held, err := flags.open(clock, slog.New(slog.NewTextHandler(&logged, nil)))
	if err != nil {
		t.Fatal(err)
	}
	s := serveTLS(t, &cli{data: t.TempDir(), logLevel: "error"}, held, trusting(first, second))
	shows := func(when string, serial int64) {
		t.Helper()
		past.Add(int64(certificates.LookTime))
		conn, err := tls.Dial("tcp", s.address(), trusting(first, second))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if got := conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64(); got != serial {
			t.Errorf("%s, the server shows certificate %d, want %d", when, got, serial)
		}
	}
	s.want("/healthz", "", http.StatusOK)
	put(t, flags.key, second.key)
	shows("with another's key", 1)
	shows("with another's key", 1)
	if n := strings.Count(logged.String(), "tls: certificate not loaded"); n != 1 {
		t.Errorf("one fault is logged %d times: %s", n, &logged)
	}
	put(t, flags.cert, second.cert)
	shows("with the next pair", 2)
	put(t, flags.cert, nil)
	shows("with an empty file", 2)
	if err := os.Remove(flags.cert); err != nil {
		t.Fatal(err)
	}
	shows("without the file", 2)
	s.want("/healthz", "", http.StatusOK)
	if said := logged.String(); !strings.Contains(said, "--tls-cert: ") || !strings.Contains(said, "tls: certificate loaded") {
		t.Errorf("the log has %s", said)
	}
}

// TestWrongCertificates starts the server with files that it cannot use. The
// error names the flag, and no store is made.
func TestWrongCertificates(t *testing.T) {
	folder := t.TempDir()
	one, other := newCertificate(t, 1), newCertificate(t, 2)
	good := one.files(t, folder)
	file := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		put(t, path, text)
		return path
	}
	locked := pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("locked")})
	for name, x := range map[string]struct {
		flags tlsFlags
		says  string
	}{
		"no certificate":        {tlsFlags{filepath.Join(folder, "none"), good.key}, "--tls-cert: open "},
		"no key":                {tlsFlags{good.cert, filepath.Join(folder, "none")}, "--tls-key: open "},
		"nonsense":              {tlsFlags{file("a", []byte("nonsense")), good.key}, "--tls-cert: must name a file of certificates in PEM form"},
		"a damaged certificate": {tlsFlags{file("b", bytes.Replace(one.cert, []byte("MII"), []byte("AAA"), 1)), good.key}, "--tls-cert: must name"},
		"the key as both":       {tlsFlags{good.key, good.key}, "--tls-cert: must name"},
		"another's key":         {tlsFlags{good.cert, file("c", other.key)}, "--tls-key: must name the key of the first certificate"},
		"a key with a password": {tlsFlags{good.cert, file("d", locked)}, "--tls-key: must name the key"},
		"no key in the file":    {tlsFlags{good.cert, file("e", nil)}, "--tls-key: must name the key"},
	} {
		c := &cli{data: filepath.Join(t.TempDir(), "none")}
		status, stdout, stderr := c.run2(t, "serve", "--listen=127.0.0.1:0", "--tls-cert="+x.flags.cert, "--tls-key="+x.flags.key)
		if status != exitUsage || !strings.Contains(stderr, x.says) || stdout != "" {
			t.Errorf("%s: status %d, says %q, want %q", name, status, stderr, x.says)
		}
		if _, err := os.Stat(c.data); err == nil {
			t.Errorf("%s: a store was made", name)
		}
	}
	var logged bytes.Buffer
	over := newPair(t, 3, time.Now().Add(-time.Minute))
	if _, err := over.files(t, t.TempDir()).open(time.Now, slog.New(slog.NewTextHandler(&logged, nil))); err != nil || !strings.Contains(logged.String(), "tls: the certificate is not valid now") {
		t.Errorf("a certificate that has ended gives %v and logs %s", err, &logged)
	}
}

// TestNobodyReadsOverHTTP2 asks for more than the client's window and reads
// nothing: the handlers end, whether the client reads its connection or not.
func TestNobodyReadsOverHTTP2(t *testing.T) {
	made := newCertificate(t, 1)
	held := made.held(t)
	p := &program{tls: held}
	const asked = 20
	ended := make(chan error, asked)
	server := newServer(httpjson.Envelope{
		IDs: parley.NewIDs(nil), Timeout: time.Minute, Writing: httpjson.WriteTimes{Piece: 100 * time.Millisecond},
	}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, err := w.Write(make([]byte, 32<<20))
		ended <- err
	})), storetest.Quiet())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = p.accept(server, impatientListener{listener}) }()
	defer func() { _ = server.Close() }()
	transport := &http.Transport{TLSClientConfig: trusting(made), ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	for range asked {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+listener.Addr().String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := transport.RoundTrip(req)
		if err != nil || res.ProtoMajor != 2 {
			t.Fatalf("%v, %v", res, err)
		}
		defer func() { _ = res.Body.Close() }()
	}
	for range asked {
		if err := <-ended; err == nil {
			t.Errorf("an answer that nobody reads ends with %v", err)
		}
	}
}

// TestTLSStreamsHoldNoPlace opens more streams of one visitor than requests of one
// session may be under way: over HTTP/2 a stream is a request that does not end.
func TestTLSStreamsHoldNoPlace(t *testing.T) {
	const streams = 18 // of 20 that a customer may have; 16 requests may be under way
	c := &cli{data: t.TempDir(), logLevel: "error"}
	made := newCertificate(t, 1)
	held := made.held(t)
	s := serveTLS(t, c, held, trusting(made))
	ws := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["id"].(string)
	inbox := c.command(t, "inbox", "create", "--workspace", ws, "--name", "Site", "--channel", "web")["id"].(string)
	transport := &http.Transport{TLSClientConfig: trusting(made), ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	token := ""
	ask := func(method, path, body, accept string, status int) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, s.url+"/v1/widget"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", accept)
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		if res.StatusCode != status || res.ProtoMajor != 2 {
			t.Fatalf("%s %s is answered %d by %s, want %d", method, path, res.StatusCode, res.Proto, status)
		}
		return res
	}
	var session struct{ Token string }
	if err := json.NewDecoder(ask(http.MethodPost, "/sessions", `{"inboxId":"`+inbox+`"}`, "", http.StatusCreated).Body).Decode(&session); err != nil {
		t.Fatal(err)
	}
	token = session.Token
	for range streams {
		ask(http.MethodGet, "/events", "", "text/event-stream", http.StatusOK)
	}
	ask(http.MethodGet, "/session", "", "", http.StatusOK)
}
