package chatsim

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/proto/waCompanionReg"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/util/keys"
	"google.golang.org/protobuf/proto"
)

// AccountOptions configure an account.
type AccountOptions struct {
	// Name is the display name that others see.
	Name string
	// Refuse is the code with which the network refuses to add this number to a
	// group: 403 for privacy settings (with a code for a personal invitation),
	// or 401, 402, 408, 417. 0 means that anyone may add it.
	Refuse int
	// Aliases are other spellings of the number that the network accepts, such
	// as Brazilian numbers with a ninth digit. Its answers contain the number
	// itself.
	Aliases []string
}

// maxDevices is how many linked devices an account may have.
const maxDevices = 4

// An account is a person on the network.
type account struct {
	phone   string
	lidUser string
	options AccountOptions
	key     *keys.KeyPair // of the phone itself; it signs the linked devices
	devices map[uint16]*device
	last    uint16            // last device number assigned
	wrote   map[*account]bool // accounts that it has written to

	offline    bool
	outdated   bool
	restricted time.Time // until then
	ban        struct {
		code  int
		until time.Time
	}
}

// A device is a client that is linked to an account.
type device struct {
	account      *account
	number       uint16
	name         string   // display name on the phone
	noise        [32]byte // login key
	identity     []byte
	registration []byte
	signed       waBinary.Node // its signed key, in the form sent to clients
	keys         []waBinary.Node
	conn         *conn // nil while it is offline
	waiting      []waiting
}

// waiting is a stanza that the device has not acknowledged yet.
type waiting struct {
	key  string
	node waBinary.Node
}

// AddAccount adds a number (digits, no "+") to the network, or changes the
// options of an existing one. It has no linked device until one is paired;
// earlier messages to it are lost.
func (s *Server) AddAccount(phone string, o AccountOptions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.accounts[phone]
	if a == nil {
		a = &account{
			phone: phone, lidUser: lidOf(phone), key: keys.NewKeyPair(),
			devices: map[uint16]*device{}, wrote: map[*account]bool{},
		}
		s.accounts[phone], s.lids[a.lidUser] = a, a
	}
	a.options = o
	for _, alias := range o.Aliases {
		s.accounts[alias] = a
	}
}

// lidOf derives the number that hides a phone number. It depends on nothing
// else, so a client's store remains valid when a server is created again.
func lidOf(phone string) string {
	sum := sha256.Sum256([]byte(phone))
	return strconv.FormatUint(1e14+binary.BigEndian.Uint64(sum[:])%9e14, 10)
}

func (a *account) pn() types.JID  { return types.NewJID(a.phone, types.DefaultUserServer) }
func (a *account) lid() types.JID { return types.NewJID(a.lidUser, types.HiddenUserServer) }

func (d *device) lid() types.JID {
	jid := d.account.lid()
	jid.Device = d.number
	return jid
}

func (d *device) pn() types.JID {
	jid := d.account.pn()
	jid.Device = d.number
	return jid
}

// Drop cuts the account's connections. Clients reconnect by themselves.
func (s *Server) Drop(phone string) {
	s.with(phone, func(a *account) { a.cut() })
}

// Offline cuts the account's connections, and cuts new ones before login until
// it is called with off false.
func (s *Server) Offline(phone string, off bool) {
	s.with(phone, func(a *account) {
		a.offline = off
		if off {
			a.cut()
		}
	})
}

// Ban rejects the account until a time, with a code of the network (101 wrote
// to too many strangers, 103 created too many groups). Connected clients are
// cut and learn of the ban when they reconnect. A past time ends a ban.
func (s *Server) Ban(phone string, code int, until time.Time) {
	s.with(phone, func(a *account) {
		a.ban.code, a.ban.until = code, until
		if until.After(s.now()) {
			a.cut()
		}
	})
}

// Restrict rejects, with code 463, messages of the account to people who have
// never written to it, until a time. Its devices are notified. A past time ends
// the restriction.
func (s *Server) Restrict(phone string, until time.Time) {
	s.with(phone, func(a *account) {
		a.restricted = until
		data := fmt.Sprintf(`{"data":{"xwa2_notify_account_reachout_timelock":{"is_active":%t,`+
			`"enforcement_type":"BIZ_COMMERCE_VIOLATION_DRUGS","time_enforcement_ends":"%d"}}}`,
			until.After(s.now()), until.Unix())
		s.notify(a, "mex", types.ServerJID, leaf("update", []byte(data)))
	})
}

// Logout simulates a person who removes all linked devices on the phone.
func (s *Server) Logout(phone string) {
	s.with(phone, func(a *account) {
		for _, d := range a.devices {
			if d.conn != nil {
				d.conn.sendLast(streamError("401", node("conflict", waBinary.Attrs{"type": "device_removed"})))
				d.conn.device = nil
			}
		}
		clear(a.devices)
		s.devicesChanged(a)
	})
}

// Outdated sets whether the account's clients are rejected as too old.
func (s *Server) Outdated(phone string, yes bool) {
	s.with(phone, func(a *account) {
		a.outdated = yes
		if yes {
			a.cut()
		}
	})
}

// Conditions are the conditions that the network imposes on an account.
type Conditions struct {
	Refuse             int       // as in AccountOptions
	Offline, Outdated  bool      // see the methods of the same names
	Banned, Restricted time.Time // until a time; past or zero: none
}

// Conditions returns the conditions of an account; they are zero if it does not
// exist.
func (s *Server) Conditions(phone string) (f Conditions) {
	s.with(phone, func(a *account) {
		f = Conditions{Refuse: a.options.Refuse, Offline: a.offline, Outdated: a.outdated, Banned: a.ban.until, Restricted: a.restricted}
	})
	return f
}

// Connected returns the number of logged-in devices of an account.
func (s *Server) Connected(phone string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connected(phone)
}

func (s *Server) connected(phone string) int {
	n := 0
	if a := s.accounts[phone]; a != nil {
		for _, d := range a.devices {
			if d.conn != nil {
				n++
			}
		}
	}
	return n
}

// WaitConnected waits until a device of the account is logged in.
func (s *Server) WaitConnected(ctx context.Context, phone string) error {
	for {
		s.mu.Lock()
		n, changed := s.connected(phone), s.changed
		s.mu.Unlock()
		if n > 0 {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// with applies do to an account, under the lock. It does nothing if the account
// does not exist.
func (s *Server) with(phone string, do func(*account)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.accounts[phone]; a != nil {
		do(a)
	}
}

// cut ends the account's connections.
func (a *account) cut() {
	for _, d := range a.devices {
		if d.conn != nil {
			d.conn.cut()
		}
	}
}

// DeviceNames returns the display names of an account's linked devices, in the
// order of pairing.
func (s *Server) DeviceNames(phone string) []string {
	var names []string
	s.with(phone, func(a *account) {
		for _, number := range slices.Sorted(maps.Keys(a.devices)) {
			if number != 0 {
				names = append(names, a.devices[number].name)
			}
		}
	})
	return names
}

// link turns a client into the device that was assigned to it. The caller holds
// the lock.
func (s *Server) link(a *account, g greeting, number uint16) *device {
	data := g.payload.GetDevicePairingData()
	var props waCompanionReg.DeviceProps
	_ = proto.Unmarshal(data.GetDeviceProps(), &props) // without properties, the client has no name
	d := &device{
		account: a, number: number, name: props.GetOs(), noise: g.static,
		identity: data.GetEIdent(), registration: data.GetERegid(),
		signed: node("skey", nil,
			leaf("id", data.GetESkeyID()), leaf("value", data.GetESkeyVal()), leaf("signature", data.GetESkeySig())),
	}
	a.devices[d.number] = d
	s.devicesChanged(a)
	return d
}

// unlink removes a device. The caller holds the lock.
func (s *Server) unlink(d *device) {
	delete(d.account.devices, d.number)
	s.devicesChanged(d.account)
}

// devicesChanged tells all clients to fetch the devices of an account again,
// because they cache them. The caller holds the lock.
func (s *Server) devicesChanged(a *account) {
	for _, other := range s.lids {
		if other == a {
			s.notify(a, "account_sync", a.pn(),
				node("devices", waBinary.Attrs{"dhash": "2:changed"}))
			continue
		}
		update := node("update", waBinary.Attrs{"device_hash": "2:changed"})
		s.notify(other, "devices", a.lid(), update)
		s.notify(other, "devices", a.pn(), update)
	}
}

// notify sends a notification to every device of an account. The caller holds
// the lock.
func (s *Server) notify(a *account, kind string, from types.JID, children ...waBinary.Node) {
	for _, d := range a.devices {
		d.deliver(s.notification(kind, from, children...))
	}
}

// notification builds a notification for a device. The caller holds the lock.
func (s *Server) notification(kind string, from types.JID, children ...waBinary.Node) waBinary.Node {
	return node("notification", waBinary.Attrs{
		"type": kind, "from": from, "id": s.stanzaID(), "t": s.now().Unix(),
	}, children...)
}

// stanzaID returns an id for a stanza of the server. The caller holds the lock.
func (s *Server) stanzaID() string {
	s.serial++
	return "sim-" + strconv.Itoa(s.serial)
}

// deliver sends a stanza, and repeats it at each login until it is
// acknowledged. The caller holds the lock.
func (d *device) deliver(n waBinary.Node) {
	d.waiting = append(d.waiting, waiting{key: ackKey(n.Tag, &n, "from"), node: n})
	if d.conn != nil {
		d.conn.send(n)
	}
}
