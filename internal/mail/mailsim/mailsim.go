// Package mailsim is a mail server for tests and for the demo. It stands on a library
// of others, so that a mistake of ours in the protocol is not made on both sides, and it can
// misbehave at any point of an exchange.
//
// It accepts mail for every address and delivers none: the mails stay in memory. The
// package imports nothing of this module. Only tests, internal/demo and its border in
// cmd/parley link it.
package mailsim

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

const (
	// kept is the most mails that a server remembers.
	kept = 2000
	// maxContent is the most bytes of a mail.
	maxContent = 1 << 20
)

// A Mail is one that the server accepted.
type Mail struct {
	From, To string
	Content  string
	At       time.Time
	Local    string // the name by which the client introduced itself
	TLS      bool
	User     string // who signed in; "" for nobody
}

// Options configure a Server.
type Options struct {
	TLS            *tls.Config // offers STARTTLS; nil: no encryption
	User, Password string      // who may sign in; "" for nobody
	LoginOnly      bool        // offers LOGIN and not PLAIN
	// Fault, if set, decides for each connection how the server misbehaves.
	Fault func() Fault
}

// A Server is a mail server on this machine. Its methods may be called by many goroutines.
type Server struct {
	options  Options
	server   *smtp.Server
	listener net.Listener
	ended    sync.WaitGroup

	mu    sync.Mutex
	mails []Mail
	came  chan struct{} // closed by the next mail
}

// Start returns a server that listens at an address of this machine, such as
// "127.0.0.1:0".
func Start(address string, o Options) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, listener: listener, came: make(chan struct{})}
	s.server = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &session{server: s, conn: c}, nil }))
	s.server.Domain, s.server.TLSConfig, s.server.EnableSMTPUTF8 = "mailsim.example", o.TLS, true
	s.server.MaxMessageBytes, s.server.MaxRecipients = maxContent, 1
	s.server.AllowInsecureAuth = true
	s.server.ReadTimeout, s.server.WriteTimeout = time.Minute, time.Minute
	s.server.ErrorLog = log.New(io.Discard, "", 0)
	s.ended.Go(func() { _ = s.server.Serve(faulty{Listener: listener, fault: o.Fault}) })
	return s, nil
}

// Addr returns host and port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Mails returns the mails, the oldest first.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

// Came returns a channel that is closed by the next mail.
func (s *Server) Came() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.came
}

// Close ends the server and its connections.
func (s *Server) Close() error {
	err := s.server.Close()
	s.ended.Wait()
	return err
}

func (s *Server) accept(m Mail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, m)
	if len(s.mails) > kept {
		s.mails = slices.Delete(s.mails, 0, len(s.mails)-kept)
	}
	close(s.came)
	s.came = make(chan struct{})
}

// A session is one connection.
type session struct {
	server *Server
	conn   *smtp.Conn
	mail   Mail
	user   string
}

func (s *session) Reset()        { s.mail = Mail{} }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.options.User != "" && s.user == "" {
		return &smtp.SMTPError{Code: 530, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "sign in first"}
	}
	s.mail.From = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.To = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	var content bytes.Buffer
	if _, err := content.ReadFrom(r); err != nil {
		return err
	}
	m := s.mail
	_, m.TLS = s.conn.TLSConnectionState()
	m.Content, m.At, m.Local, m.User = content.String(), time.Now(), s.conn.Hostname(), s.user
	if c, ok := s.conn.Conn().(*conn); !ok || c.takes() {
		s.server.accept(m)
	}
	return nil
}

var errPassword = errors.New("wrong user or password")

func (s *session) AuthMechanisms() []string {
	switch {
	case s.server.options.User == "":
		return nil
	case s.server.options.LoginOnly:
		return []string{sasl.Login}
	default:
		return []string{sasl.Plain}
	}
}

func (s *session) Auth(mechanism string) (sasl.Server, error) {
	check := func(user, password string) error {
		if user != s.server.options.User || password != s.server.options.Password {
			return errPassword
		}
		s.user = user
		return nil
	}
	if strings.EqualFold(mechanism, sasl.Login) {
		return &login{check: check}, nil
	}
	return sasl.NewPlainServer(func(_, user, password string) error { return check(user, password) }), nil
}

// login is the server of LOGIN, which the library has not.
type login struct {
	check func(user, password string) error
	user  string
	asked int
}

func (l *login) Next(response []byte) (challenge []byte, done bool, err error) {
	l.asked++
	switch l.asked {
	case 1:
		return []byte("Username:"), false, nil
	case 2:
		l.user = string(response)
		return []byte("Password:"), false, nil
	default:
		return nil, true, l.check(l.user, string(response))
	}
}
