package chatsim

import (
	"maps"
	"time"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// message handles a client's message: it delivers the message and acknowledges
// it.
func (s *Server) message(c *conn, n *waBinary.Node) {
	r := Request{Phone: s.phoneOf(c), Kind: "message", Node: n}
	if f := s.before(r); f != (Fault{}) {
		c.failMessage(n, f)
		return
	}
	s.mu.Lock()
	code := s.relay(c.device, n)
	s.mu.Unlock()
	if f := s.after(r); f != (Fault{}) {
		c.failMessage(n, f)
		return
	}
	c.acknowledge(n, code)
}

func (c *conn) failMessage(n *waBinary.Node, f Fault) {
	switch {
	case f.Cut:
		c.cut()
	case !f.Silent:
		c.acknowledge(n, f.Code)
	}
}

// acknowledge confirms a message or receipt, or rejects it with a code.
func (c *conn) acknowledge(n *waBinary.Node, code int) {
	attrs := waBinary.Attrs{
		"class": n.Tag, "id": n.Attrs["id"], "from": n.Attrs["to"], "t": c.server.now().Unix(),
	}
	if participant, ok := n.Attrs["participant"]; ok {
		attrs["participant"] = participant
	}
	if kind, ok := n.Attrs["type"]; ok && n.Tag == "receipt" {
		attrs["type"] = kind
	}
	if code != 0 {
		attrs["error"] = code
	}
	c.send(node("ack", attrs))
}

// relay delivers a message and returns the code of a refusal, 0 for none. The
// caller holds the lock.
func (s *Server) relay(d *device, n *waBinary.Node) int {
	if d == nil {
		return 401
	}
	to := address(n, "to")
	switch {
	case text(n, "category") == "peer":
		return 0 // to the phone itself, which has no client here
	case to.Server == types.GroupServer:
		return s.relayGroup(d, n, to)
	case to.Server == types.DefaultUserServer, to.Server == types.HiddenUserServer:
		return s.relayDirect(d, n, to)
	}
	return 0 // status updates and the like are not delivered
}

// relayGroup delivers a message to the members of a group. The part for all
// members is sent once per device; a part encrypted for one device is sent only
// to it and lets it decrypt the rest.
func (s *Server) relayGroup(d *device, n *waBinary.Node, to types.JID) int {
	g := s.groups[to.User]
	if g == nil {
		return 404
	}
	if g.members[d.account] == nil || g.announce && !g.members[d.account].admin {
		return 403
	}
	origin := waBinary.Attrs{
		"from": to, "participant": d.lid(), "participant_pn": d.account.pn(), "addressing_mode": "lid",
	}
	if one := address(n, "participant"); !one.IsEmpty() {
		s.relayTo(s.device(one), d, n, origin, nil)
		return 0
	}
	own := s.ownParts(n)
	for _, m := range g.order {
		for _, target := range m.account.devices {
			if target != d {
				s.relayTo(target, d, n, origin, own[target])
			}
		}
	}
	return 0
}

// relayDirect delivers a message to the devices of one person and to the other
// devices of the sender.
func (s *Server) relayDirect(d *device, n *waBinary.Node, to types.JID) int {
	peer := s.find(to)
	if peer == nil {
		return 404
	}
	again := n.GetChildByTag("participants").Tag == ""
	stranger := !peer.wrote[d.account] && peer != d.account
	if !again && stranger && d.account.restricted.After(s.now()) {
		return 463
	}
	outward := waBinary.Attrs{"from": d.lid(), "sender_pn": d.account.pn()}
	inward := waBinary.Attrs{"from": d.lid(), "recipient": peer.lid(), "peer_recipient_pn": peer.pn()}
	if again {
		if peer == d.account {
			inward["recipient"] = n.Attrs["recipient"]
			s.relayTo(s.device(to), d, n, inward, nil)
		} else {
			s.relayTo(s.device(to), d, n, outward, nil)
		}
		return 0
	}
	d.account.wrote[peer] = true
	for target, parts := range s.ownParts(n) {
		switch {
		case target == d:
		case target.account == d.account:
			s.relayTo(target, d, n, inward, parts)
		case target.account == peer:
			s.relayTo(target, d, n, outward, parts)
		}
	}
	return 0
}

// ownParts returns the parts of a message that were encrypted for single
// devices.
func (s *Server) ownParts(n *waBinary.Node) map[*device][]waBinary.Node {
	parts := map[*device][]waBinary.Node{}
	participants := n.GetChildByTag("participants")
	for _, to := range participants.GetChildrenByTag("to") {
		if d := s.device(address(&to, "jid")); d != nil {
			parts[d] = to.GetChildren()
		}
	}
	return parts
}

// relayTo delivers a message to one device: its origin, the parts for this
// device, and the part for all.
func (s *Server) relayTo(target, sender *device, n *waBinary.Node, origin waBinary.Attrs, own []waBinary.Node) {
	if target == nil {
		return
	}
	attrs := waBinary.Attrs{
		"id": n.Attrs["id"], "type": n.Attrs["type"], "t": s.now().Truncate(time.Second).Unix(),
	}
	if name := sender.account.options.Name; name != "" {
		attrs["notify"] = name
	}
	if edit, ok := n.Attrs["edit"]; ok {
		attrs["edit"] = edit
	}
	maps.Copy(attrs, origin)
	children := append([]waBinary.Node(nil), own...)
	for _, child := range n.GetChildren() {
		switch child.Tag {
		case "enc", "device-identity", "meta":
			children = append(children, child)
		}
	}
	target.deliver(node("message", attrs, children...))
}
