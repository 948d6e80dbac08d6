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

// AccountOptions say how an account behaves.
type AccountOptions struct {
	// Name is what others see of the person beside the number.
	Name string
	// Refuse is the code that adding this number to a group meets: 403 for
	// privacy settings (with a code for a private invitation), or 401, 402, 408,
	// 417. 0 means that anyone may add it.
	Refuse int
	// Aliases are other spellings of the number that the network understands,
	// as with Brazil's ninth digit. It answers with the number itself.
	Aliases []string
}

// maxDevices is how many linked devices an account may have.
const maxDevices = 4

// An account is a person on the network.
type account struct {
	phone   string
	lidUser string
	options AccountOptions
	key     *keys.KeyPair // of the phone itself, which signs the linked devices
	devices map[uint16]*device
	last    uint16            // device number given out
	wrote   map[*account]bool // to whom it ever wrote

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
	name         string   // what the phone shows it as
	noise        [32]byte // the key it logs in with
	identity     []byte
	registration []byte
	signed       waBinary.Node // its signed key, as it is handed out
	keys         []waBinary.Node
	conn         *conn // nil while it is offline
	waiting      []waiting
}

// waiting is a stanza that the device has not acknowledged.
type waiting struct {
	key  string
	node waBinary.Node
}

// AddAccount puts a number (digits, no "+") on the network, or changes the
// options of one that is there. It has no linked device until something is
// paired to it; what is sent to it until then arrives nowhere.
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

// lidOf makes the number that hides a phone number. It depends on nothing else,
// so that a client's store stays right when a server is made anew.
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

// Drop cuts the account's connections. Clients come back by themselves.
func (s *Server) Drop(phone string) {
	s.with(phone, func(a *account) { a.cut() })
}

// Offline cuts the account's connections and, until it is called with off
// false, cuts each again before it has logged in.
func (s *Server) Offline(phone string, off bool) {
	s.with(phone, func(a *account) {
		a.offline = off
		if off {
			a.cut()
		}
	})
}

// Ban refuses the account until the time that is given, with one of the
// network's codes (101 wrote to too many strangers, 103 made too many groups).
// Clients that are connected are cut and hear of it when they come back. A time
// that is past ends a ban.
func (s *Server) Ban(phone string, code int, until time.Time) {
	s.with(phone, func(a *account) {
		a.ban.code, a.ban.until = code, until
		if until.After(s.now()) {
			a.cut()
		}
	})
}

// Restrict refuses, with code 463, messages of the account to people who never
// wrote to it, until the time that is given. Its devices are told. A time that
// is past ends the restriction.
func (s *Server) Restrict(phone string, until time.Time) {
	s.with(phone, func(a *account) {
		a.restricted = until
		data := fmt.Sprintf(`{"data":{"xwa2_notify_account_reachout_timelock":{"is_active":%t,`+
			`"enforcement_type":"BIZ_COMMERCE_VIOLATION_DRUGS","time_enforcement_ends":"%d"}}}`,
			until.After(s.now()), until.Unix())
		s.notify(a, "mex", types.ServerJID, leaf("update", []byte(data)))
	})
}

// Logout is the person who removes all linked devices on the phone.
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

// Outdated refuses the account's clients as too old, or no longer.
func (s *Server) Outdated(phone string, yes bool) {
	s.with(phone, func(a *account) {
		a.outdated = yes
		if yes {
			a.cut()
		}
	})
}

// A Fate is what the network does to an account until it is told otherwise.
type Fate struct {
	Refuse             int       // as in AccountOptions
	Offline, Outdated  bool      // see the methods of these names
	Banned, Restricted time.Time // until then; past or zero: not
}

// Fate returns what the network does to an account. For one that is not there
// it is zero.
func (s *Server) Fate(phone string) (f Fate) {
	s.with(phone, func(a *account) {
		f = Fate{Refuse: a.options.Refuse, Offline: a.offline, Outdated: a.outdated, Banned: a.ban.until, Restricted: a.restricted}
	})
	return f
}

// Connected returns how many devices of the account are logged in.
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

// with does something to an account, under the lock; nothing where there is no
// such account.
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

// DeviceNames returns how a phone shows the devices that are linked to it, in
// the order in which they were paired.
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

// link makes a client the device of the account that it was told to be. The
// caller holds the lock.
func (s *Server) link(a *account, g greeting, number uint16) *device {
	data := g.payload.GetDevicePairingData()
	var props waCompanionReg.DeviceProps
	_ = proto.Unmarshal(data.GetDeviceProps(), &props) // a client that says nothing has no name
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

// unlink forgets a device. The caller holds the lock.
func (s *Server) unlink(d *device) {
	delete(d.account.devices, d.number)
	s.devicesChanged(d.account)
}

// devicesChanged tells everybody to ask anew for the devices of an account,
// for clients remember them. The caller holds the lock.
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

// notification builds what the server tells a device. The caller holds the
// lock.
func (s *Server) notification(kind string, from types.JID, children ...waBinary.Node) waBinary.Node {
	return node("notification", waBinary.Attrs{
		"type": kind, "from": from, "id": s.stanzaID(), "t": s.now().Unix(),
	}, children...)
}

// stanzaID names a stanza of the server. The caller holds the lock.
func (s *Server) stanzaID() string {
	s.serial++
	return "sim-" + strconv.Itoa(s.serial)
}

// deliver sends a stanza, and again at each login until it is acknowledged. The
// caller holds the lock.
func (d *device) deliver(n waBinary.Node) {
	d.waiting = append(d.waiting, waiting{key: ackKey(n.Tag, &n, "from"), node: n})
	if d.conn != nil {
		d.conn.send(n)
	}
}
