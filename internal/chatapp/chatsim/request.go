package chatsim

import (
	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// A Request is a request from a client to the server.
type Request struct {
	Phone string // of the account; "" before a device is paired
	// Kind is "message", "media upload", "media download", or for any other
	// request its namespace and the name of its first child: "w:g2 create",
	// "w:g2 query", "w:g2 invite", "w:g2 add", "w:g2 promote", "usync usync",
	// "encrypt key", "w:m media_conn", "md remove-companion-device".
	Kind string
	// Node is the request, read-only. It is nil for media.
	Node *waBinary.Node
}

// A Fault is a failure that a hook causes. The zero Fault is none.
type Fault struct {
	// Code is the error to answer with, such as 429, 406 or 463; for media it
	// is an HTTP status.
	Code int
	// Silent suppresses the answer.
	Silent bool
	// Cut closes the connection instead of answering.
	Cut bool
}

// Hooks observe every request. They are called without locks, may block, and
// may call methods of the server.
type Hooks struct {
	// Before is called first. If it returns a fault, the request has no effect.
	Before func(Request) Fault
	// After is called when the request has taken effect but has not been
	// answered. A fault loses the answer, so the client does not learn of the
	// effect.
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

// errorText returns the text for a code. Clients compare both.
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

// An answer is the response to a request: nodes, or an error code.
type answer struct {
	nodes []waBinary.Node
	code  int
}

func reply(nodes ...waBinary.Node) answer { return answer{nodes: nodes} }
func refuse(code int) answer              { return answer{code: code} }

// request handles one request of a client.
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

// fail applies a fault instead of answering.
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

// perform executes a request. Unknown requests get an empty answer, because
// clients send many that need none. The caller holds the lock.
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
	s.log.Debug("chatsim: request ignored", "kind", r.Kind)
	return reply()
}
