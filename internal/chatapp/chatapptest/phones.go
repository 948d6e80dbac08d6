package chatapptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"parley"
	"parley/internal/chatapp"
)

// A World is an in-memory messaging application with connections, shared by the
// drivers of all nodes. If two clients connect one number, the later one stays,
// as on the real network. A phone that ends in "1" must be invited to groups,
// and one that ends in "0" is not on the application.
type World struct {
	mu      sync.Mutex
	clock   parley.Clock
	groups  map[string]*worldGroup
	lost    map[string]bool
	arrived []Arrival
	clients map[parley.Phone]*client
	paired  map[parley.Phone]bool
}

type worldGroup struct {
	chatapp.Group
	creator parley.Phone
	members []parley.Phone
}

// An Arrival is one attempt to send a message that reached the network.
type Arrival struct {
	chatapp.Message
	From parley.Phone
	Node string // the driver that sent it
	File []byte // the content of Media
}

// NewWorld returns an empty network.
func NewWorld(clock parley.Clock) *World {
	return &World{clock: clock, groups: map[string]*worldGroup{}, lost: map[string]bool{}, clients: map[parley.Phone]*client{}, paired: map[parley.Phone]bool{}}
}

// Arrivals returns the arrivals so far, in order.
func (w *World) Arrivals() []Arrival {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.arrived)
}

// Forget clears the arrivals.
func (w *World) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.arrived = nil
}

// Groups returns how many groups there are.
func (w *World) Groups() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.groups)
}

// LoseGroups deletes all groups from the network.
func (w *World) LoseGroups() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for jid := range w.groups {
		w.lost[jid] = true
	}
	clear(w.groups)
}

// Node returns the name of the driver that has a number open, or "".
func (w *World) Node(phone parley.Phone) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.clients[phone]; c != nil {
		return c.driver.name
	}
	return ""
}

// Tell delivers an event to the client of a number. Without a client it returns
// ErrNotConnected.
func (w *World) Tell(ctx context.Context, phone parley.Phone, what func(context.Context, chatapp.Host, chatapp.Inbound) error) error {
	w.mu.Lock()
	c := w.clients[phone]
	w.mu.Unlock()
	if c == nil {
		return chatapp.ErrNotConnected
	}
	c.hearing.Lock()
	defer c.hearing.Unlock()
	return what(ctx, c.host, c.in)
}

// A client is an open number of a driver.
type client struct {
	driver  *Driver
	host    chatapp.Host
	in      chatapp.Inbound
	hearing sync.Mutex // one call at a time
}

// Devices stores the devices that a driver has paired.
type Devices interface {
	NumberDevice(ctx context.Context, ws parley.WorkspaceID, number parley.ID) (string, error)
	SetNumberDevice(ctx context.Context, ws parley.WorkspaceID, number parley.ID, device string) error
}

// A Driver serves numbers of a World in one process. It is a Connector with the
// faults of a Network, a Linker and a Runner.
type Driver struct {
	*Network
	name    string
	world   *World
	devices Devices

	mu    sync.Mutex
	codes chan chatapp.PairStep // of the running pairing
	open  map[parley.ID]*client
}

var (
	_ chatapp.Connector = (*Driver)(nil)
	_ chatapp.Linker    = (*Driver)(nil)
	_ chatapp.Runner    = (*Driver)(nil)
)

// Driver returns the driver of one node.
func (w *World) Driver(name string, devices Devices) *Driver {
	d := &Driver{name: name, world: w, devices: devices, open: map[parley.ID]*client{}}
	d.Network = Wrap(carrier{d})
	return d
}

// Open connects a number at once, if it is paired.
func (d *Driver) Open(ctx context.Context, host chatapp.Host, in chatapp.Inbound) error {
	_, err := call(ctx, d.Network, Open, func() (struct{}, error) { return struct{}{}, d.connect(ctx, host, in) })
	return err
}

func (d *Driver) connect(ctx context.Context, host chatapp.Host, in chatapp.Inbound) error {
	device, err := d.devices.NumberDevice(ctx, host.Workspace, host.NumberID)
	if err != nil {
		return err
	}
	d.world.mu.Lock()
	if device == "" || !d.world.paired[host.Phone] {
		d.world.mu.Unlock()
		return chatapp.ErrNotPaired
	}
	c := &client{driver: d, host: host, in: in}
	d.world.clients[host.Phone] = c
	d.world.mu.Unlock()
	d.mu.Lock()
	d.open[host.NumberID] = c
	d.mu.Unlock()
	return d.world.Tell(ctx, host.Phone, func(ctx context.Context, host chatapp.Host, in chatapp.Inbound) error {
		return in.State(ctx, host, chatapp.State{Status: parley.NumberConnected})
	})
}

// Close disconnects a number.
func (d *Driver) Close(host chatapp.Host) {
	d.mu.Lock()
	c := d.open[host.NumberID]
	delete(d.open, host.NumberID)
	d.mu.Unlock()
	if c == nil {
		return
	}
	d.world.mu.Lock()
	if d.world.clients[host.Phone] == c {
		delete(d.world.clients, host.Phone)
	}
	d.world.mu.Unlock()
	c.hearing.Lock()
	defer c.hearing.Unlock()
}

// connected reports whether the network's client of a number belongs to this
// driver.
func (d *Driver) connected(host chatapp.Host) bool {
	d.mu.Lock()
	c := d.open[host.NumberID]
	d.mu.Unlock()
	d.world.mu.Lock()
	defer d.world.mu.Unlock()
	return c != nil && d.world.clients[host.Phone] == c
}

// Pair shows a code and waits for Scan.
func (d *Driver) Pair(ctx context.Context, host chatapp.Host, by chatapp.PairBy) (<-chan chatapp.PairStep, error) {
	steps, codes := make(chan chatapp.PairStep), make(chan chatapp.PairStep)
	d.mu.Lock()
	d.codes = codes
	d.mu.Unlock()
	first := chatapp.PairStep{Kind: chatapp.QRCode, Code: "https://chatapp.example/link#secret-" + string(host.Phone), Until: d.world.clock.Now().Add(time.Minute)}
	if by == chatapp.PairByCode {
		first.Kind, first.Code = chatapp.PhoneCode, "ABCD-1234"
	}
	go func() {
		defer close(steps)
		for step := first; ; {
			if step.Kind == chatapp.Paired {
				d.world.mu.Lock()
				d.world.paired[host.Phone] = true
				d.world.mu.Unlock()
				if err := d.devices.SetNumberDevice(ctx, host.Workspace, host.NumberID, "device of "+string(step.Phone)); err != nil {
					step = chatapp.PairStep{Kind: chatapp.PairRefused, Reason: err.Error()}
				}
			}
			select {
			case <-ctx.Done():
				return
			case steps <- step:
			}
			if step.Kind != chatapp.QRCode && step.Kind != chatapp.PhoneCode {
				return
			}
			select {
			case <-ctx.Done():
				return
			case step = <-codes:
			}
		}
	}()
	return steps, nil
}

// Scan completes a pairing with a step such as Paired.
func (d *Driver) Scan(ctx context.Context, step chatapp.PairStep) error {
	d.mu.Lock()
	codes := d.codes
	d.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case codes <- step:
		return nil
	}
}

// Unpair logs a number out.
func (d *Driver) Unpair(ctx context.Context, host chatapp.Host) error {
	_, err := call(ctx, d.Network, Unpair, func() (struct{}, error) {
		d.world.mu.Lock()
		delete(d.world.paired, host.Phone)
		d.world.mu.Unlock()
		return struct{}{}, d.devices.SetNumberDevice(ctx, host.Workspace, host.NumberID, "")
	})
	return err
}

// A carrier is the inner connector of a driver, without faults.
type carrier struct{ *Driver }

func (c carrier) Capabilities() chatapp.Capabilities {
	return chatapp.Capabilities{DirectAdd: true, Promote: true, MaxMembers: 1024, Media: true, Receipts: true}
}

// on runs fn with the world locked, if the number is connected.
func (c carrier) on(host chatapp.Host, fn func(*World) error) error {
	if !c.connected(host) {
		return chatapp.ErrNotConnected
	}
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	return fn(c.world)
}

func (c carrier) CreateGroup(_ context.Context, host chatapp.Host, name string, participants []parley.Phone) (chatapp.Group, []chatapp.MemberResult, error) {
	var made chatapp.Group
	var results []chatapp.MemberResult
	err := c.on(host, func(w *World) error {
		g := &worldGroup{creator: host.Phone, members: []parley.Phone{host.Phone}}
		g.Group = chatapp.Group{JID: fmt.Sprintf("%d@g", len(w.groups)+1), Name: name, CreatedAt: w.clock.Now()}
		results = g.add(participants)
		if len(g.members) == 1 {
			return chatapp.ErrNobody
		}
		w.groups[g.JID] = g
		made = g.Group
		return nil
	})
	return made, results, err
}

func (g *worldGroup) add(phones []parley.Phone) []chatapp.MemberResult {
	var results []chatapp.MemberResult
	for _, phone := range phones {
		r := chatapp.MemberResult{Phone: phone, Outcome: chatapp.Added}
		switch {
		case slices.Contains(g.members, phone):
			r.Outcome = chatapp.Already
		case strings.HasSuffix(string(phone), "0"):
			r.Outcome = chatapp.NotFound
		case strings.HasSuffix(string(phone), "1"):
			r.Outcome, r.Invite = chatapp.NeedsInvite, chatapp.Invite{Code: "for " + string(phone), ExpiresAt: g.CreatedAt.Add(72 * time.Hour)}
		default:
			g.members = append(g.members, phone)
		}
		results = append(results, r)
	}
	return results
}

func (c carrier) FindGroups(_ context.Context, host chatapp.Host, name string, since time.Time) ([]chatapp.Group, error) {
	var found []chatapp.Group
	err := c.on(host, func(w *World) error {
		for _, g := range w.groups {
			if g.Name == name && g.creator == host.Phone && !g.CreatedAt.Before(since) {
				found = append(found, g.Group)
			}
		}
		return nil
	})
	return found, err
}

func (c carrier) AddMembers(_ context.Context, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	var results []chatapp.MemberResult
	err := c.on(host, func(w *World) error {
		g := w.groups[jid]
		if g == nil {
			return chatapp.ErrNoGroup
		}
		results = g.add(participants)
		return nil
	})
	return results, err
}

func (c carrier) SetAdmin(_ context.Context, host chatapp.Host, jid string, member parley.Phone, _ bool) error {
	return c.on(host, func(w *World) error {
		g := w.groups[jid]
		if g == nil {
			return chatapp.ErrNoGroup
		}
		if !slices.Contains(g.members, member) {
			return chatapp.ErrNotMember
		}
		return nil
	})
}

func (c carrier) InviteLink(_ context.Context, host chatapp.Host, jid string) (string, error) {
	return "https://chatapp.example/" + jid, c.on(host, func(*World) error { return nil })
}

// Send records every attempt, so that arrivals show duplicates.
func (c carrier) Send(ctx context.Context, host chatapp.Host, m chatapp.Message) error {
	var file []byte
	if m.Media != nil {
		content, err := m.Media.Open(ctx)
		if err != nil {
			return err
		}
		file, err = io.ReadAll(content)
		if err := errors.Join(err, content.Close()); err != nil {
			return err
		}
	}
	return c.on(host, func(w *World) error {
		if m.JID == "" && strings.HasSuffix(string(m.Phone), "0") {
			return chatapp.ErrNotOnChatapp
		}
		if m.Phone == "" && w.lost[m.JID] {
			return chatapp.ErrNoGroup
		}
		w.arrived = append(w.arrived, Arrival{Message: m, From: host.Phone, Node: c.name, File: file})
		return nil
	})
}
