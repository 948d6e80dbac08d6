package chatsim

import (
	"slices"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// ackKey names a stanza that was sent to a device, or that a device speaks of.
// The attribute of the other side is "from" in what it got and "to" in what it
// says. Of receipts alone the type belongs to it: one message has several.
func ackKey(class string, n *waBinary.Node, side string) string {
	key := class + "|" + text(n, "id") + "|" + text(n, side) + "|" + text(n, "participant")
	if class == "receipt" {
		key += "|" + text(n, "type")
	}
	return key
}

// settle forgets what a device has acknowledged.
func (s *Server) settle(c *conn, n *waBinary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.device.settled(ackKey(text(n, "class"), n, "to"))
}

// settled forgets a stanza that is not to be sent again.
func (d *device) settled(key string) {
	if d == nil {
		return
	}
	d.waiting = slices.DeleteFunc(d.waiting, func(w waiting) bool { return w.key == key })
}

// receipt takes a receipt of a client: a message has arrived, was read, or
// could not be read and is wanted again.
func (s *Server) receipt(c *conn, n *waBinary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.device == nil {
		return
	}
	// A client that got a message says so with a receipt alone.
	c.device.settled(ackKey("message", n, "to"))
	c.acknowledge(n, 0)
	s.relayReceipt(c.device, n)
}

// relayReceipt carries a receipt to who sent the message. The caller holds the
// lock.
func (s *Server) relayReceipt(d *device, n *waBinary.Node) {
	to, kind := address(n, "to"), text(n, "type")
	author := to
	origin := waBinary.Attrs{"from": d.lid()}
	if to.Server == types.GroupServer {
		author = address(n, "participant")
		origin = waBinary.Attrs{"from": to, "participant": d.lid(), "addressing_mode": "lid"}
	}
	a := s.find(author)
	if a == nil || a == d.account && kind != "retry" {
		return
	}
	if recipient, ok := n.Attrs["recipient"]; ok {
		origin["recipient"] = recipient
	}
	for _, target := range a.devices {
		// Only the device that encrypted a message can do so again.
		if kind == "retry" && target.number != author.Device {
			continue
		}
		attrs := waBinary.Attrs{"id": n.Attrs["id"], "t": s.now().Unix()}
		for key, value := range origin {
			attrs[key] = value
		}
		if kind != "" {
			attrs["type"] = kind
		}
		target.deliver(node("receipt", attrs, n.GetChildren()...))
	}
}
