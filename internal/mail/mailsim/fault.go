package mailsim

import (
	"net"
	"strings"
	"sync"
	"time"
)

// A Stage is an answer of the server at which it can misbehave.
type Stage string

// The stages of an exchange, in order.
const (
	Greeting  Stage = "greeting"
	Hello     Stage = "EHLO"
	StartTLS  Stage = "STARTTLS"
	SignIn    Stage = "AUTH"
	Sender    Stage = "MAIL"
	Recipient Stage = "RCPT"
	Data      Stage = "DATA"
	End       Stage = "."
)

// Stages are the stages of an exchange without encryption and password.
var Stages = []Stage{Greeting, Hello, Sender, Recipient, Data, End}

// A Deed is what a server does instead of answering as it should.
type Deed int

// The deeds.
const (
	Nothing   Deed = iota
	Refuse         // 554
	NoMailbox      // 550 5.1.1
	Postpone       // 451
	Leave          // 421, and the connection ends
	Hang           // no answer, ever
	Cut            // the connection ends
	Drip           // one byte of the answer at a time, too slowly
	OutOfTurn      // a second answer behind the right one
	Garbage        // something that is no answer
	Endless        // an answer that does not end
)

// Deeds are all deeds but Nothing.
var Deeds = []Deed{Refuse, NoMailbox, Postpone, Leave, Hang, Cut, Drip, OutOfTurn, Garbage, Endless}

// A Fault is how the server misbehaves in one connection. The zero value is none.
type Fault struct {
	At Stage
	Do Deed
	// Taken says that the server keeps the mail although its answer at End is not the
	// right one. A server that refuses a mail never keeps it.
	Taken bool
	// Reached, if set, is told when the server misbehaves. It needs room for a value.
	Reached chan<- struct{}
}

// faulty gives each connection its fault.
type faulty struct {
	net.Listener
	fault func() Fault
}

func (l faulty) Accept() (net.Conn, error) {
	plain, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: plain, stage: Greeting, closed: make(chan struct{})}
	if l.fault != nil {
		c.fault = l.fault()
	}
	return c, nil
}

// A conn watches the commands of a client, and changes the answers.
type conn struct {
	net.Conn
	fault  Fault
	closed chan struct{}
	close  sync.Once

	mu    sync.Mutex
	stage Stage
	tail  string // the last bytes of a mail's content
}

// takes reports whether a mail that has arrived is kept.
func (c *conn) takes() bool {
	if c.fault.At != End {
		return true
	}
	switch c.fault.Do {
	case Nothing, OutOfTurn, Drip: // the right answer comes, if the client waits
		return true
	case Refuse, NoMailbox, Postpone, Leave:
		return false
	default:
		return c.fault.Taken
	}
}

func (c *conn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	text := string(p[:n])
	if c.stage == Data { // the mail's content
		c.tail += text
		c.tail = c.tail[max(0, len(c.tail)-5):]
		if c.tail == "\r\n.\r\n" {
			c.stage = End
		}
		return n, err
	}
	verb, _, _ := strings.Cut(strings.TrimRight(text, "\r\n"), " ")
	switch stage := Stage(strings.ToUpper(verb)); stage {
	case Hello, StartTLS, SignIn, Sender, Recipient, Data:
		c.stage, c.tail = stage, "\r\n"
	}
	return n, err
}

func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	stage := c.stage
	c.mu.Unlock()
	if stage != c.fault.At {
		return c.Conn.Write(p)
	}
	if c.fault.Reached != nil {
		select {
		case c.fault.Reached <- struct{}{}:
		default:
		}
	}
	instead := func(text string) (int, error) {
		_, err := c.Conn.Write([]byte(text))
		return len(p), err
	}
	switch c.fault.Do {
	case Refuse:
		return instead("554 5.3.0 refused\r\n")
	case NoMailbox:
		return instead("550 5.1.1 no such mailbox\r\n")
	case Postpone:
		return instead("451 4.3.0 try again later\r\n")
	case Leave:
		_, _ = instead("421 4.3.2 the server stops\r\n")
		return 0, c.Close()
	case Hang:
		<-c.closed
		return 0, net.ErrClosed
	case Cut:
		return 0, c.Close()
	case Drip:
		return c.drip(p)
	case OutOfTurn:
		return instead(string(p) + "250 2.0.0 out of turn\r\n")
	case Garbage:
		return instead("hello\r\n")
	case Endless:
		return instead(strings.Repeat("250-and\r\n", 10_000))
	default:
		return c.Conn.Write(p)
	}
}

// drip writes a byte now and then.
func (c *conn) drip(p []byte) (int, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for i := range p {
		select {
		case <-c.closed:
			return i, net.ErrClosed
		case <-tick.C:
		}
		if _, err := c.Conn.Write(p[i : i+1]); err != nil {
			return i, err
		}
	}
	return len(p), nil
}
