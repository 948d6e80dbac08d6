package chatsim

import (
	"strings"

	"go.mau.fi/libsignal/ecc"
	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// fewKeys is the number of remaining keys below which the server asks a device
// for more.
const fewKeys = 4

// countKeys returns the number of available keys. It never returns zero: a
// client would then generate 812 keys instead of 50, which takes much longer.
func (d *device) countKeys() answer {
	return reply(node("count", waBinary.Attrs{"value": max(1, len(d.keys))}))
}

// putKeys stores the keys that a device provides for new senders.
func (d *device) putKeys(n *waBinary.Node) answer {
	list := n.GetChildByTag("list")
	d.keys = append(d.keys, list.GetChildren()...)
	if signed, ok := n.GetOptionalChildByTag("skey"); ok {
		d.signed = signed
	}
	if identity, ok := n.GetOptionalChildByTag("identity"); ok {
		d.identity = content(identity)
	}
	return reply()
}

// handOutKeys returns the keys needed to write to devices for the first time.
// Each key is used once.
func (s *Server) handOutKeys(n waBinary.Node) answer {
	list := node("list", nil)
	var users []waBinary.Node
	for _, user := range n.GetChildren() {
		jid := address(&user, "jid")
		attrs := waBinary.Attrs{"jid": jid}
		d := s.device(jid)
		if d == nil {
			users = append(users, node("user", attrs, node("error", waBinary.Attrs{"code": 404, "text": errorText(404)})))
			continue
		}
		bundle := []waBinary.Node{
			leaf("registration", d.registration), leaf("type", []byte{ecc.DjbType}),
			leaf("identity", d.identity), d.signed,
		}
		if len(d.keys) > 0 {
			bundle = append(bundle, d.keys[0])
			d.keys = d.keys[1:]
		}
		if len(d.keys) == fewKeys {
			s.askForKeys(d)
		}
		users = append(users, node("user", attrs, bundle...))
	}
	list.Content = users
	return reply(list)
}

func (s *Server) askForKeys(d *device) {
	d.deliver(s.notification("encrypt", types.ServerJID, node("count", waBinary.Attrs{"value": len(d.keys)})))
}

// device returns the device that a JID names, nil for none.
func (s *Server) device(jid types.JID) *device {
	if a := s.find(jid); a != nil {
		return a.devices[jid.Device]
	}
	return nil
}

// lookUp returns which numbers are on the network, and their devices.
func (s *Server) lookUp(n waBinary.Node) answer {
	asked := n.GetChildByTag("query")
	list := n.GetChildByTag("list")
	var users []waBinary.Node
	for _, user := range list.GetChildren() {
		if contact, ok := user.GetOptionalChildByTag("contact"); ok {
			if found, ok := s.lookUpNumber(content(contact)); ok {
				users = append(users, found)
			}
			continue
		}
		if a := s.find(address(&user, "jid")); a != nil {
			users = append(users, describe(a, address(&user, "jid"), asked))
		}
	}
	return reply(node("usync", n.Attrs, waBinary.Node{Tag: "list", Content: users}))
}

// lookUpNumber reports whether a number is on the network. It returns nothing
// for malformed numbers.
func (s *Server) lookUpNumber(query []byte) (waBinary.Node, bool) {
	number, _, _ := strings.Cut(strings.TrimPrefix(string(query), "+"), "@")
	if len(number) < 7 || len(number) > 15 || strings.Trim(number, "0123456789") != "" {
		return waBinary.Node{}, false
	}
	attrs, contact := waBinary.Attrs{}, leaf("contact", query)
	if a := s.accounts[number]; a != nil {
		attrs["jid"], attrs["pn_jid"] = a.lid(), a.pn()
		contact.Attrs = waBinary.Attrs{"type": "in"}
	} else {
		attrs["jid"] = types.NewJID(number, types.DefaultUserServer)
		contact.Attrs = waBinary.Attrs{"type": "out"}
	}
	return node("user", attrs, contact), true
}

// describe returns the requested details of an account. The phone itself is not
// listed among the devices, because it has no client here that could read
// messages.
func describe(a *account, as types.JID, asked waBinary.Node) waBinary.Node {
	var parts []waBinary.Node
	for _, part := range asked.GetChildren() {
		switch part.Tag {
		case "devices":
			var devices []waBinary.Node
			for number := range a.devices {
				devices = append(devices, node("device", waBinary.Attrs{"id": int(number)}))
			}
			parts = append(parts, node("devices", nil, node("device-list", nil, devices...)))
		case "lid":
			parts = append(parts, node("lid", waBinary.Attrs{"val": a.lid()}))
		}
	}
	return node("user", waBinary.Attrs{"jid": as}, parts...)
}
