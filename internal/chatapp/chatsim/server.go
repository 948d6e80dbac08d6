// Package chatsim is a fake of the messaging network's server. It speaks the
// real protocol to unmodified clients of go.mau.fi/whatsmeow, so that tests and
// the demo run the whole way to a phone without the network: handshake, pairing
// by QR and by code, groups, messages, receipts, media, and everything that can
// go wrong with them.
//
// A Server has accounts, made by AddAccount. What the person does with the
// phone itself (scanning a code, logging out devices) and what the network does
// to an account (cutting it off, banning it) are methods of the Server. Clients
// reach it through HTTPClient, in this process or in another. A Phone plays a
// person: a client of its own, paired to an account. Messages stay encrypted
// from client to client; the server only carries them.
//
// What the fake cannot prove is the policy of the real network: its limits, its
// bans, and which code it answers when. The codes here are those that clients
// were seen to get.
//
// Everything is in memory, under one lock. A connection has one goroutine that
// reads, one that writes and one that handles messages in their order; requests
// each get their own, as the real server answers them in any order. The package
// imports nothing of Parley. Files: server, transport, noise and conn are the
// connection; account, pair, paircode the accounts; request, keys, group,
// groupedit, relay, receipt, media what clients ask; phone, phonegroup, inbox
// the Phone.
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

// Options say how a Server is made.
type Options struct {
	// Seed makes the root key of the server's certificates. Clients believe the
	// server after Trust was called with the same seed.
	Seed string
	// Now is the clock of the network: of bans, restrictions, invitations and
	// the times of messages. Nil means time.Now.
	Now func() time.Time
	// Logger hears of connections and of what was not understood. Nil means
	// silence.
	Logger *slog.Logger
}

// MaxMembers is the size of a group, its creator included.
const MaxMembers = 1024

// A Server is the fake network. Its methods may be called by many goroutines.
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
	changed  chan struct{} // closed and replaced whenever a device comes or goes
	files    map[string][]byte
	serial   int // numbers groups and stanzas
}

// New returns a server that nothing reaches yet but HTTPClient.
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

// Close cuts every connection and stops listening. Phones are closed by who
// made them, before.
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

// Listen lets clients of other processes in, through HTTPClient with the
// address that it returns. It speaks plain TCP. Close ends it.
func (s *Server) Listen(addr string) (net.Addr, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for chat clients: %w", err)
	}
	go func() { _ = s.http.Serve(l) }()
	return l.Addr(), nil
}

// HTTPClient returns what a client in this process reaches the server with. It
// is for all three of the library's settings: SetWebsocketHTTPClient,
// SetPreLoginHTTPClient and SetMediaHTTPClient.
func (s *Server) HTTPClient() *http.Client { return clientFor(s.inside.dial) }

// HTTPClient returns what a client reaches the server of another process with,
// at the address that its Listen returned.
func HTTPClient(addr string) *http.Client {
	return clientFor(func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", addr)
	})
}

// announce wakes those who wait for a device. The caller holds the lock.
func (s *Server) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// find returns the account that a JID names, nil for none. The caller holds the
// lock.
func (s *Server) find(jid types.JID) *account {
	if jid.Server == types.HiddenUserServer {
		return s.lids[jid.User]
	}
	return s.accounts[jid.User]
}
