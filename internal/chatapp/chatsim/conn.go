package chatsim

import (
	"context"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// linger is how long a connection stays open after its last stanza. A client
// that sees the end at once may not read that stanza, and a client that sees it
// right after the handshake does not notice it at all.
const linger = 200 * time.Millisecond

// handshakeTimeout is the time limit for a client's handshake.
const handshakeTimeout = 20 * time.Second

// A conn is the connection of one client.
type conn struct {
	server *Server
	wire   *websocket.Conn
	ch     *channel
	hello  greeting
	out    *queue // to the client
	in     *queue // messages from the client, in their order
	done   chan struct{}
	once   sync.Once

	// Under the server's lock:
	device *device  // after a login
	pair   *pairing // of a client that is no device yet
}

// chat serves a client's connection from beginning to end.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	wire, err := websocket.Accept(w, r, nil)
	if err != nil {
		s.log.Debug("chatsim: connection failed", "error", err)
		return
	}
	wire.SetReadLimit(-1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := &conn{server: s, wire: wire, out: newQueue(), in: newQueue(), done: make(chan struct{})}
	defer c.cut()
	stream := websocket.NetConn(ctx, wire, websocket.MessageBinary)
	err = stream.SetReadDeadline(time.Now().Add(handshakeTimeout))
	if err == nil {
		c.ch, c.hello, err = s.pki.accept(stream)
	}
	if err == nil {
		err = stream.SetReadDeadline(time.Time{})
	}
	if err != nil {
		s.log.Debug("chatsim: handshake failed", "error", err)
		return
	}
	if !s.enter(c) {
		return
	}
	defer s.leave(c)
	go c.writer()
	go c.handler()
	if c.hello.payload.GetDevicePairingData() != nil {
		s.register(c)
	} else {
		s.login(c)
	}
	c.reader()
}

// enter registers the connection, unless the server is closing.
func (s *Server) enter(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.gone:
		return false
	default:
		s.conns[c] = struct{}{}
		return true
	}
}

// leave unregisters the connection. Its device keeps undelivered stanzas.
func (s *Server) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if c.device != nil && c.device.conn == c {
		c.device.conn = nil
	}
	s.announce()
}

// cut ends the connection at once.
func (c *conn) cut() {
	c.once.Do(func() {
		close(c.done)
		_ = c.wire.CloseNow()
	})
}

// send queues a stanza. It never blocks.
func (c *conn) send(n waBinary.Node) { c.out.push(n) }

// sendLast sends a stanza and then closes the connection.
func (c *conn) sendLast(n waBinary.Node) {
	c.send(n)
	c.hangUp()
}

// hangUp closes the connection after linger.
func (c *conn) hangUp() { time.AfterFunc(linger, c.cut) }

func (c *conn) writer() {
	for {
		n, ok := c.out.pop(c.done)
		if !ok {
			return
		}
		data, err := waBinary.Marshal(n)
		if err == nil {
			err = c.ch.send(data)
		}
		if err != nil {
			c.server.log.Debug("chatsim: write failed", "error", err)
			c.cut()
			return
		}
	}
}

func (c *conn) reader() {
	for {
		data, err := c.ch.receive()
		if err != nil {
			return
		}
		data, err = waBinary.Unpack(data)
		if err != nil {
			return
		}
		n, err := waBinary.Unmarshal(data)
		if err != nil {
			c.server.log.Warn("chatsim: invalid stanza", "error", err)
			return
		}
		c.receive(n)
	}
}

// receive routes a stanza. It must not block, because the end of the connection
// is detected only while it is being read.
func (c *conn) receive(n *waBinary.Node) {
	switch n.Tag {
	case "iq":
		switch text(n, "type") {
		case "result":
			c.server.pairSigned(c, n)
		case "error":
			c.server.pairRefused(c, n)
		default:
			go c.server.request(c, n)
		}
	case "message", "receipt":
		c.in.push(*n)
	case "ack":
		c.server.settle(c, n)
	}
}

func (c *conn) handler() {
	for {
		n, ok := c.in.pop(c.done)
		switch {
		case !ok:
			return
		case n.Tag == "message":
			c.server.message(c, &n)
		default:
			c.server.receipt(c, &n)
		}
	}
}

// login logs a device in and sends the stanzas that waited for it, or sends the
// reason for a refusal.
func (s *Server) login(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, refusal := s.admit(c.hello)
	switch {
	case refusal != nil && refusal.Tag == "":
		c.hangUp()
	case refusal != nil:
		c.sendLast(*refusal)
	default:
		if d.conn != nil {
			d.conn.sendLast(streamError("409", node("conflict", waBinary.Attrs{"type": "replaced"})))
			d.conn.device = nil
		}
		c.device, d.conn = d, c
		c.send(node("success", waBinary.Attrs{"t": s.now().Unix(), "lid": d.lid()}))
		for _, waiting := range d.waiting {
			c.send(waiting.node)
		}
		c.send(node("ib", waBinary.Attrs{"from": types.ServerJID},
			node("offline", waBinary.Attrs{"count": len(d.waiting)})))
		s.announce()
	}
}

// admit returns the device of a client, or the refusal. A refusal without a tag
// means no answer. The caller holds the lock.
func (s *Server) admit(g greeting) (*device, *waBinary.Node) {
	a := s.accounts[strconv.FormatUint(g.payload.GetUsername(), 10)]
	if a == nil {
		return nil, failure(401, nil)
	}
	d := a.devices[uint16(g.payload.GetDevice())]
	left := a.ban.until.Sub(s.now())
	switch {
	case a.offline:
		return nil, &waBinary.Node{}
	case a.outdated:
		return nil, failure(405, nil)
	case left > 0:
		seconds := int64((left + time.Second - 1) / time.Second)
		return nil, failure(402, waBinary.Attrs{"code": a.ban.code, "expire": seconds})
	case d == nil || d.noise != g.static:
		return nil, failure(401, nil)
	}
	return d, nil
}

func failure(reason int, attrs waBinary.Attrs) *waBinary.Node {
	all := waBinary.Attrs{"reason": reason}
	maps.Copy(all, attrs)
	n := node("failure", all)
	return &n
}

func streamError(code string, children ...waBinary.Node) waBinary.Node {
	return node("stream:error", waBinary.Attrs{"code": code}, children...)
}
