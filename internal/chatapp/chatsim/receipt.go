package chatsim

import (
	"maps"
	"slices"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// ackKey identifies a stanza that was sent to a device or that a device refers
// to. The attribute with the other side is "from" in the former and "to" in the
// latter. For receipts the type is included, because one message has several
// receipts.
func ackKey(class string, n *waBinary.Node, side string) string {
	key := class + "|" + text(n, "id") + "|" + text(n, side) + "|" + text(n, "participant")
	if class == "receipt" {
		key += "|" + text(n, "type")
	}
	return key
}

// settle removes the stanzas that a device has acknowledged.
func (s *Server) settle(c *conn, n *waBinary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.device.settled(ackKey(text(n, "class"), n, "to"))
}

// settled removes a stanza that must not be sent again.
func (d *device) settled(key string) {
	if d == nil {
		return
	}
	d.waiting = slices.DeleteFunc(d.waiting, func(w waiting) bool { return w.key == key })
}

// receipt handles a client's receipt: a message has arrived, was read, or could
// not be decrypted and is requested again.
func (s *Server) receipt(c *conn, n *waBinary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.device == nil {
		return
	}
	// A client acknowledges a message only by a receipt.
	c.device.settled(ackKey("message", n, "to"))
	c.acknowledge(n, 0)
	s.relayReceipt(c.device, n)
}

// relayReceipt forwards a receipt to the sender of the message. The caller
// holds the lock.
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
		// Only the device that encrypted the message can encrypt it again.
		if kind == "retry" && target.number != author.Device {
			continue
		}
		attrs := waBinary.Attrs{"id": n.Attrs["id"], "t": s.now().Unix()}
		maps.Copy(attrs, origin)
		if kind != "" {
			attrs["type"] = kind
		}
		target.deliver(node("receipt", attrs, n.GetChildren()...))
	}
}
