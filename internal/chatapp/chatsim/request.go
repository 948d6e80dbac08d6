package chatsim

import (
	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// A Request is something that a client asks of the server.
type Request struct {
	Phone string // of the account; "" before a device is paired
	// Kind is "message", "media upload", "media download" or, of any other
	// request, its namespace and the name of its first child: "w:g2 create",
	// "w:g2 query", "w:g2 invite", "w:g2 add", "w:g2 promote", "usync usync",
	// "encrypt key", "w:m media_conn", "md remove-companion-device".
	Kind string
	// Node is what was sent, to be read only. It is nil for media.
	Node *waBinary.Node
}

// A Fault is what a hook makes of a request. The zero Fault lets it be.
type Fault struct {
	// Code is an error to answer: 429, 406, 463. Of media it is a status.
	Code int
	// Silent gives no answer at all.
	Silent bool
	// Cut ends the connection instead of an answer.
	Cut bool
}

// Hooks see every request. They are called without a lock, may take their
// time, and may call methods of the server.
type Hooks struct {
	// Before is called first. With a fault, nothing is done.
	Before func(Request) Fault
	// After is called when the work is done and not yet answered. With a fault
	// the answer is lost, which is how a client learns nothing of work that was
	// done.
	After func(Request) Fault
}

// SetHooks replaces the hooks. Either may be nil.
func (s *Server) SetHooks(h Hooks) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hooks = h
}

func (s *Server) before(r Request) Fault {
	s.mu.Lock()
	hook := s.hooks.Before
	s.mu.Unlock()
	if hook == nil {
		return Fault{}
	}
	return hook(r)
}

func (s *Server) after(r Request) Fault {
	s.mu.Lock()
	hook := s.hooks.After
	s.mu.Unlock()
	if hook == nil {
		return Fault{}
	}
	return hook(r)
}

// errorText returns the words that go with a code. Clients compare both.
func errorText(code int) string {
	switch code {
	case 400:
		return "bad-request"
	case 401:
		return "not-authorized"
	case 403:
		return "forbidden"
	case 404:
		return "item-not-found"
	case 405:
		return "not-allowed"
	case 406:
		return "not-acceptable"
	case 409:
		return "conflict"
	case 410:
		return "gone"
	case 419:
		return "resource-limit"
	case 429:
		return "rate-overlimit"
	case 503:
		return "service-unavailable"
	}
	return "internal-server-error"
}

// An answer is what a request comes back with: nodes, or a code.
type answer struct {
	nodes []waBinary.Node
	code  int
}

func reply(nodes ...waBinary.Node) answer { return answer{nodes: nodes} }
func refuse(code int) answer              { return answer{code: code} }

// request answers one request of a client.
func (s *Server) request(c *conn, n *waBinary.Node) {
	r := Request{Phone: s.phoneOf(c), Kind: kindOf(n), Node: n}
	if f := s.before(r); f != (Fault{}) {
		c.fail(n, f)
		return
	}
	s.mu.Lock()
	a := s.perform(c, r)
	s.mu.Unlock()
	if f := s.after(r); f != (Fault{}) {
		c.fail(n, f)
		return
	}
	c.answer(n, a)
}

func kindOf(n *waBinary.Node) string {
	kind := text(n, "xmlns")
	if child := first(n); child.Tag != "" {
		kind += " " + child.Tag
	}
	return kind
}

// phoneOf returns the account of a connection, "" before it has one.
func (s *Server) phoneOf(c *conn) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.device == nil {
		return ""
	}
	return c.device.account.phone
}

// fail does what a fault says, in place of an answer.
func (c *conn) fail(n *waBinary.Node, f Fault) {
	switch {
	case f.Cut:
		c.cut()
	case !f.Silent:
		c.answer(n, refuse(f.Code))
	}
}

func (c *conn) answer(n *waBinary.Node, a answer) {
	attrs := waBinary.Attrs{"id": n.Attrs["id"], "from": n.Attrs["to"], "type": "result"}
	if attrs["from"] == nil {
		attrs["from"] = types.ServerJID
	}
	if a.code != 0 {
		attrs["type"] = "error"
		a.nodes = []waBinary.Node{node("error", waBinary.Attrs{"code": a.code, "text": errorText(a.code)})}
	}
	c.send(node("iq", attrs, a.nodes...))
}

// perform does what is asked. What it does not know it answers with nothing, as
// most of what clients ask needs no answer. The caller holds the lock.
func (s *Server) perform(c *conn, r Request) answer {
	child := first(r.Node)
	if r.Kind == "md link_code_companion_reg" {
		return s.linkByCode(c, child)
	}
	d := c.device
	if d == nil {
		return refuse(401)
	}
	switch r.Kind {
	case "encrypt count":
		return d.countKeys()
	case "encrypt registration":
		return d.putKeys(r.Node)
	case "encrypt key":
		return s.handOutKeys(child)
	case "usync usync":
		return s.lookUp(child)
	case "privacy privacy":
		return reply(node("privacy", nil, node("category", waBinary.Attrs{"name": "readreceipts", "value": "all"})))
	case "w:m media_conn":
		return mediaAddress()
	case "md remove-companion-device":
		s.unlink(d)
		return reply()
	}
	if text(r.Node, "xmlns") == "w:g2" {
		return s.groupRequest(d, r.Node, child)
	}
	s.log.Debug("request without an effect", "kind", r.Kind)
	return reply()
}
