// Package smtp hands a mail over to one server (RFC 5321), chosen by the operator.
//
// It answers one question exactly: did the server take the mail? [Client.Send]
// returns nil if the server said so, whatever happens afterwards, and otherwise an
// [*Error] that says what is known: the mail was refused, it was not handed over and
// may be sent again, or nobody knows, because the connection ended between the end of
// the mail and the server's answer.
//
// A server may be slow, broken or hostile. Each step has a deadline, a reply has a
// limit, and before each command nothing may have arrived that was not asked for: an
// answer out of turn would otherwise be taken for that of a later command, or be text
// that somebody added before the encryption began.
//
// The exchange is written here instead of with net/smtp, because that package does
// not allow a look between STARTTLS and the command after it, reads replies of any
// length, and writes the end of a mail together with its last bytes. The package
// imports nothing of this module.
package smtp

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"golang.org/x/net/idna"
)

// Times limit the steps of an exchange.
type Times struct {
	Connect time.Duration // connecting, and the handshake of TLS
	Reply   time.Duration // each answer, and writing the mail
	Accept  time.Duration // the answer to the mail
	Whole   time.Duration // everything
}

// DefaultTimes returns the times of the program. Whole leaves time to store the
// outcome before a lease of 90 seconds ends.
func DefaultTimes() Times {
	return Times{Connect: 10 * time.Second, Reply: 20 * time.Second, Accept: 45 * time.Second, Whole: 80 * time.Second}
}

// An End says what became of a mail that was not accepted.
type End int

const (
	// Later means that the mail was not handed over and may be sent again.
	Later End = iota
	// Refused means that the server will not take this mail.
	Refused
	// NoMailbox means Refused, because the address does not exist.
	NoMailbox
	// Unknown means that the server may or may not have taken the mail.
	Unknown
)

// An Error says why a mail was not accepted, in words that an operator may read. It
// contains no part of the mail and no password.
type Error struct {
	End End
	// Connected says that the server greeted, so that other mails may succeed.
	Connected bool
	Problem   string
}

func (e *Error) Error() string { return e.Problem }

// A Mail is handed over as it is.
type Mail struct {
	From, To string // addresses without a name
	Content  []byte // with lines that end in CRLF
	// Ready, if set, is called when the server has accepted sender and recipient,
	// before any byte of the content. If it fails, the mail is not sent.
	Ready func(ctx context.Context) error
}

// A Client sends mails to one server. It may be used by many goroutines; each mail has
// a connection of its own.
type Client struct {
	Server Server
	Local  string         // the name of this server, for EHLO
	Times  Times          // zero: DefaultTimes
	Roots  *x509.CertPool // nil: the system's
	// Trace, if set, is called with each step in words that an operator may read.
	Trace func(step string)
}

// Send hands over a mail. The error is nil if the server took it, and an [*Error]
// otherwise.
func (c *Client) Send(ctx context.Context, m Mail) error {
	times := c.Times
	if times == (Times{}) {
		times = DefaultTimes()
	}
	ctx, cancel := context.WithTimeout(ctx, times.Whole)
	defer cancel()
	x := &exchange{client: c, times: times}
	defer x.close()
	err := x.send(ctx, m)
	if err == nil {
		return nil
	}
	var known *Error
	if !errors.As(err, &known) {
		known = &Error{End: Later, Problem: x.problem(err)}
	}
	known.Connected = x.greeted
	x.trace("failed: " + known.Problem)
	return known
}

// An exchange is one connection.
type exchange struct {
	client  *Client
	times   Times
	conn    net.Conn
	in      *bufio.Reader
	out     *bufio.Writer
	step    string // what is being done, for errors
	greeted bool
	ends    context.Context
	offers  map[string]string // extensions of EHLO in upper case, with their parameters
}

func (x *exchange) trace(step string) {
	if x.client.Trace != nil {
		x.client.Trace(step)
	}
}

// errOutOfTurn means that the server sent something that nobody asked for.
var errOutOfTurn = errors.New("the server answered out of turn")

// problem returns an error in words.
func (x *exchange) problem(err error) string {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return x.step + ": the server did not answer in time"
	}
	return x.step + ": " + printable(err.Error())
}

func (x *exchange) send(ctx context.Context, m Mail) error {
	if err := x.open(ctx); err != nil {
		return err
	}
	if err := x.secure(); err != nil {
		return err
	}
	if err := x.signIn(); err != nil {
		return err
	}
	if err := x.envelope(m); err != nil {
		return err
	}
	return x.data(ctx, m)
}

// open connects, and reads the greeting.
func (x *exchange) open(ctx context.Context) error {
	s := x.client.Server
	x.step = "connect to " + s.address()
	dialing, cancel := context.WithTimeout(ctx, x.times.Connect)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(dialing, "tcp", s.address())
	if err != nil {
		return err
	}
	x.ends = ctx
	x.use(conn)
	context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	if s.security == tlsFirst {
		if err := x.handshake(); err != nil {
			return err
		}
	}
	x.trace("connected to " + s.address())
	x.step = "greeting"
	got, err := x.read(x.times.Reply)
	if err == nil {
		err = expect(got, 220)
	}
	if err != nil {
		return err
	}
	x.trace("greeting: " + got.text())
	x.greeted = true
	return x.hello()
}

func (x *exchange) use(conn net.Conn) {
	x.conn, x.in, x.out = conn, bufio.NewReader(conn), bufio.NewWriter(conn)
}

func (x *exchange) handshake() error {
	x.step = "TLS"
	x.limit(x.times.Connect)
	conn := tls.Client(x.conn, &tls.Config{ServerName: x.client.Server.Host, RootCAs: x.client.Roots, MinVersion: tls.VersionTLS12})
	if err := conn.HandshakeContext(x.ends); err != nil {
		return err
	}
	x.use(conn)
	x.trace("encrypted: " + tls.VersionName(conn.ConnectionState().Version))
	return nil
}

// hello introduces this server, and reads what the other one offers.
func (x *exchange) hello() error {
	got, err := x.command(250, "EHLO", "EHLO "+x.client.Local)
	if err != nil {
		return err
	}
	x.offers = map[string]string{}
	for _, line := range got.lines[1:] {
		name, parameters, _ := strings.Cut(line, " ")
		x.offers[strings.ToUpper(name)] = strings.ToUpper(parameters)
	}
	return nil
}

// secure begins TLS, unless it began already or is off. A server that does not offer it gets
// neither password nor mail.
func (x *exchange) secure() error {
	if x.client.Server.security != starttls {
		return nil
	}
	x.step = "STARTTLS"
	if _, offered := x.offers["STARTTLS"]; !offered {
		return errors.New("the server does not offer it; write smtps://, or tls=off if the network is safe")
	}
	if _, err := x.command(220, "STARTTLS", "STARTTLS"); err != nil {
		return err
	}
	if x.in.Buffered() > 0 { // text that would be taken for the encrypted server's
		return errOutOfTurn
	}
	if err := x.handshake(); err != nil {
		return err
	}
	return x.hello()
}

// signIn uses PLAIN (RFC 4616), or LOGIN where that alone is offered.
func (x *exchange) signIn() error {
	s := x.client.Server
	if s.User == "" {
		return nil
	}
	x.step = "sign in"
	ways := " " + x.offers["AUTH"] + " "
	encode := base64.StdEncoding.EncodeToString
	switch {
	case strings.Contains(ways, " PLAIN "):
		_, err := x.command(235, "sign in", "AUTH PLAIN "+encode([]byte("\x00"+s.User+"\x00"+s.password)))
		return err
	case strings.Contains(ways, " LOGIN "):
		if _, err := x.command(334, "sign in", "AUTH LOGIN"); err != nil {
			return err
		}
		if _, err := x.command(334, "sign in", encode([]byte(s.User))); err != nil {
			return err
		}
		_, err := x.command(235, "sign in", encode([]byte(s.password)))
		return err
	default:
		return errors.New("the server offers neither PLAIN nor LOGIN")
	}
}

// envelope states sender and recipient.
func (x *exchange) envelope(m Mail) error {
	x.step = "addresses"
	from, option, err := x.path(m.From)
	if err != nil {
		return err
	}
	to, wider, err := x.path(m.To)
	if err != nil {
		return &Error{End: Refused, Problem: x.problem(err)}
	}
	if wider != "" {
		option = wider
	}
	if _, err := x.command(250, "sender", "MAIL FROM:<"+from+">"+option); err != nil {
		return err
	}
	got, err := x.ask("recipient", "RCPT TO:<"+to+">")
	switch {
	case err != nil:
		return err
	case got.code == 250 || got.code == 251:
		return nil
	case got.noMailbox():
		return &Error{End: NoMailbox, Problem: "recipient: " + got.text()}
	case got.code >= 500:
		return &Error{End: Refused, Problem: "recipient: " + got.text()}
	default:
		return expect(got, 250)
	}
}

// path returns an address as SMTP writes it, and the option that it needs. A domain
// is written in ASCII; any other letter needs SMTPUTF8 (RFC 6531).
func (x *exchange) path(address string) (path, option string, err error) {
	at := strings.LastIndexByte(address, '@')
	if at < 1 || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '<' || r == '>' }) {
		return "", "", errors.New("the address is not valid")
	}
	domain, err := idna.Lookup.ToASCII(address[at+1:])
	if err != nil {
		return "", "", errors.New("the domain is not valid")
	}
	if local := address[:at]; strings.ContainsFunc(local, func(r rune) bool { return r > '~' }) {
		if _, offered := x.offers["SMTPUTF8"]; !offered {
			return "", "", errors.New("the server does not take addresses with such letters")
		}
		option = " SMTPUTF8"
	}
	return address[:at+1] + domain, option, nil
}

// data hands over the content. Until its last line is written, the server cannot take
// the mail; from then on, only its answer says whether it did.
func (x *exchange) data(ctx context.Context, m Mail) error {
	x.step = "mail"
	if m.Ready != nil {
		if err := m.Ready(ctx); err != nil {
			return err
		}
	}
	got, err := x.ask("mail", "DATA")
	switch {
	case err != nil:
		return err
	case got.code >= 500:
		return &Error{End: Refused, Problem: "mail: " + got.text()}
	}
	if err := expect(got, 354); err != nil {
		return err
	}
	x.limit(x.times.Reply)
	if err := x.body(m.Content); err != nil {
		return err
	}
	if x.in.Buffered() > 0 {
		return errOutOfTurn
	}
	if err := ctx.Err(); err != nil { // the last moment at which nothing has happened
		return err
	}
	x.step = "answer to the mail"
	got, err = x.ended()
	switch {
	case err != nil:
		return &Error{End: Unknown, Problem: x.problem(err)}
	case got.code == 250:
		x.trace("accepted: " + got.text())
		_, _ = x.out.WriteString("QUIT\r\n") // its answer says nothing about the mail
		_ = x.out.Flush()
		return nil
	case got.code >= 500:
		return &Error{End: Refused, Problem: "mail: " + got.text()}
	case got.code >= 400:
		return expect(got, 250)
	default:
		return &Error{End: Unknown, Problem: x.problem(errors.New(got.text()))}
	}
}

// body writes the content, with a point before each line that begins with one (RFC
// 5321, section 4.5.2), without the line that ends it.
func (x *exchange) body(content []byte) error {
	for line := range bytes.Lines(content) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 && line[0] == '.' {
			_ = x.out.WriteByte('.') // Flush returns the error
		}
		_, _ = x.out.Write(line)
		_, _ = x.out.WriteString("\r\n")
	}
	return x.out.Flush()
}

// ended writes the line that ends the content, and reads the answer.
func (x *exchange) ended() (reply, error) {
	x.limit(x.times.Reply)
	if _, err := x.conn.Write([]byte(".\r\n")); err != nil {
		return reply{}, err
	}
	return x.read(x.times.Accept)
}

// command sends a line and requires an answer with a code.
func (x *exchange) command(code int, step, line string) (reply, error) {
	got, err := x.ask(step, line)
	if err == nil {
		err = expect(got, code)
	}
	if err == nil {
		x.trace(step + ": " + got.text())
	}
	return got, err
}

// ask sends a line and reads the answer.
func (x *exchange) ask(step, line string) (reply, error) {
	x.step = step
	if x.in.Buffered() > 0 {
		return reply{}, errOutOfTurn
	}
	x.limit(x.times.Reply)
	if _, err := x.out.WriteString(line + "\r\n"); err != nil {
		return reply{}, err
	}
	if err := x.out.Flush(); err != nil {
		return reply{}, err
	}
	return x.read(x.times.Reply)
}

func (x *exchange) read(patience time.Duration) (reply, error) {
	x.limit(patience)
	return readReply(x.in)
}

// limit gives the connection a deadline, at most that of the whole exchange.
func (x *exchange) limit(patience time.Duration) {
	at := time.Now().Add(patience)
	if end, ok := x.ends.Deadline(); ok && end.Before(at) {
		at = end
	}
	_ = x.conn.SetDeadline(at)
	if x.ends.Err() != nil { // the end came before this deadline was set
		_ = x.conn.SetDeadline(time.Unix(1, 0))
	}
}

func (x *exchange) close() {
	if x.conn != nil {
		_ = x.conn.Close()
	}
}

// expect returns an error unless a reply has a code.
func expect(got reply, code int) error {
	if got.code == code {
		return nil
	}
	return fmt.Errorf("the server answered %s", got.text())
}
