// Package chatsim is a fake server of the messaging network. It speaks the real
// protocol with unmodified clients of go.mau.fi/whatsmeow, so that tests and
// the demo cover everything up to the phone without the real network:
// handshake, pairing by QR and by code, groups, messages, receipts, media, and
// their failures.
//
// A Server has accounts, created by AddAccount. What a person does on the phone
// itself (scanning a code, logging out devices) and what the network does to an
// account (cutting it off, banning it) are methods of the Server. Clients reach
// it through HTTPClient, in this process or in another. A Phone simulates a
// person: it has its own client, paired with an account. Messages stay
// encrypted between clients; the server only forwards them.
//
// The fake cannot reproduce the policy of the real network: its limits, its
// bans, and when it returns which code. It uses codes that real clients have
// received.
//
// All state is in memory, under one lock. A connection has one goroutine that
// reads, one that writes and one that handles messages in order; each other
// request gets its own goroutine, because the real server answers requests in
// any order. The package imports nothing of Parley. Files: server, transport,
// noise and conn are the connection; account, pair and paircode the accounts;
// request, keys, group, groupedit, relay, receipt and media the requests of
// clients; phone, phonegroup and inbox the Phone.
package chatsim

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"go.mau.fi/whatsmeow/types"
)

// Options configure a Server.
type Options struct {
	// Seed determines the root key of the server's certificates. Clients trust
	// the server after Trust was called with the same seed.
	Seed string
	// Now is the clock of the network, for bans, restrictions, invitations and
	// the times of messages. Nil means time.Now.
	Now func() time.Time
	// Logger logs connections and invalid requests. Nil discards them.
	Logger *slog.Logger
}

// MaxMembers is the largest size of a group, including its creator.
const MaxMembers = 1024

// A Server is the fake network. Its methods are safe for concurrent use.
type Server struct {
	now    func() time.Time
	log    *slog.Logger
	pki    pki
	http   *http.Server
	inside *pipes
	gone   chan struct{} // closed by Close

	mu       sync.Mutex
	hooks    Hooks
	accounts map[string]*account // by phone, and by each alias
	lids     map[string]*account // by the user of the LID
	groups   map[string]*group   // by the user of the JID
	conns    map[*conn]struct{}
	changed  chan struct{} // closed and replaced when a device connects or disconnects
	files    map[string][]byte
	serial   int // numbers groups and stanzas
}

// New returns a server that is only reachable through HTTPClient.
func New(o Options) *Server {
	s := &Server{
		now: o.Now, log: o.Logger, pki: newPKI(o.Seed),
		inside: newPipes(), gone: make(chan struct{}),
		accounts: map[string]*account{}, lids: map[string]*account{}, groups: map[string]*group{},
		conns: map[*conn]struct{}{}, changed: make(chan struct{}), files: map[string][]byte{},
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ws/chat", s.chat)
	mux.HandleFunc("POST /mms/{type}/{token}", s.upload)
	mux.HandleFunc("GET /v/{token}", s.download)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(s.inside) }()
	return s
}

// Close cuts all connections and stops listening. The creators of Phones must
// close them first.
func (s *Server) Close() error {
	s.mu.Lock()
	select {
	case <-s.gone:
		s.mu.Unlock()
		return nil
	default:
	}
	close(s.gone)
	for c := range s.conns {
		c.cut()
	}
	s.mu.Unlock()
	return s.http.Close()
}

// Listen accepts clients of other processes, which use HTTPClient with the
// returned address. It speaks plain TCP. Close stops it.
func (s *Server) Listen(addr string) (net.Addr, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for chat clients: %w", err)
	}
	go func() { _ = s.http.Serve(l) }()
	return l.Addr(), nil
}

// HTTPClient returns the HTTP client for clients in this process. Use it for
// all three settings of the library: SetWebsocketHTTPClient,
// SetPreLoginHTTPClient and SetMediaHTTPClient.
func (s *Server) HTTPClient() *http.Client { return clientFor(s.inside.dial) }

// HTTPClient returns the HTTP client for the server of another process, given
// the address that its Listen returned.
func HTTPClient(addr string) *http.Client {
	return clientFor(func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", addr)
	})
}

// announce wakes the goroutines that wait for a device. The caller holds the
// lock.
func (s *Server) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// find returns the account of a JID, or nil. The caller holds the lock.
func (s *Server) find(jid types.JID) *account {
	if jid.Server == types.HiddenUserServer {
		return s.lids[jid.User]
	}
	return s.accounts[jid.User]
}
