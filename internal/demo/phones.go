package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatsim"
	"parley/internal/desk"
	"parley/internal/numbers"
)

// ChatPhone is the demo's number that uses the real protocol of the messaging
// application, with a fake of its network.
const ChatPhone parley.Phone = "4930555020"

const (
	// phoneTime is how long one action of a person may take.
	phoneTime = 20 * time.Second
	// playTime is how long the demo's number may take to connect. After a
	// crash, the lease of the previous process must expire first.
	playTime = time.Minute
	// pollInterval is how often state without a change signal is read.
	pollInterval = 300 * time.Millisecond
)

// A person has a phone and is not part of the demo's data.
type person struct {
	phone   parley.Phone
	name    string
	refuses bool // at first, nobody may add them to groups
}

// persons are the customers. The first one writes the welcome message.
func persons() []person {
	return []person{
		{"4917655501", "Mia Sommer", false}, {"4917655502", "Tomás Vidal", false}, {"4917655503", "Noor Haddad", true},
	}
}

// welcome is the first customer's message to the new number.
func welcome() []string {
	return []string{
		"Hi, is this Northwind Outfitters? I saw the Ridgeline 2 tent on your site. Do you have one in stock for Saturday?",
		"By the way: I am a simulated phone. Open /phone beside this dashboard to see what I see and to answer as me.",
	}
}

// PhonesOptions configure Phones.
type PhonesOptions struct {
	Desk    *desk.Desk
	Numbers *numbers.Service
	Network *chatsim.Server
	Clock   parley.Clock // the network's
	Log     *slog.Logger
}

// Phones are the phones on the other side of the demo's number: unmodified
// clients of the messaging application, and the page on which people use them.
// They exist only with the demo's workspace.
type Phones struct {
	PhonesOptions
	page  []byte
	polls chan struct{} // a slot for each request that waits for a change

	mu       sync.Mutex
	phones   []*phone              // those of the customers, then the company's own
	accounts map[parley.Phone]bool // the company's, on the network
	plans    map[string]*faultPlan // by number
	changed  chan struct{}         // closed and replaced with each change
}

// A phone is a running phone.
type phone struct {
	*chatsim.Phone
	name    string
	company bool

	mu   sync.Mutex
	read map[messageKey]bool // the messages that its owner has seen
}

// NewPhones returns phones that are off until Run.
func NewPhones(o PhonesOptions) (*Phones, error) {
	page, err := phoneFiles.ReadFile("phone/phone.html")
	if err != nil {
		return nil, fmt.Errorf("read the phones' page: %w", err)
	}
	p := &Phones{
		PhonesOptions: o, page: page, polls: make(chan struct{}, mostPolls),
		accounts: map[parley.Phone]bool{}, plans: map[string]*faultPlan{}, changed: make(chan struct{}),
	}
	for _, one := range persons() {
		o.Network.AddAccount(string(one.phone), accountOf(one.name, one.refuses))
	}
	o.Network.AddAccount(string(ChatPhone), accountOf(Company, false))
	o.Network.SetHooks(p.hooks())
	return p, nil
}

// Run plays the demo: it connects the demo's number, switches the phones on,
// and makes the first customer write. The network is in memory, so it pairs the
// number again each time. It returns when the context has ended and the phones
// are off.
func (p *Phones) Run(ctx context.Context) {
	ws, err := demoWorkspace(ctx, p.Desk)
	if err != nil {
		return // not the demo's store
	}
	defer p.switchOff()
	if err := p.play(ctx, ws); err != nil && ctx.Err() == nil {
		p.Log.Warn("demo: starting the phones failed", "error", err)
	}
	p.keepAccounts(ctx, ws)
}

func (p *Phones) play(ctx context.Context, ws parley.WorkspaceID) error {
	for _, one := range persons() {
		if err := p.switchOn(ctx, one.phone, one.name, false); err != nil {
			return err
		}
	}
	saved, err := p.number(ctx, ws)
	if err != nil {
		return err
	}
	if saved.Record.Enabled {
		if err := p.connect(ctx, ws, saved.Record.ID); err != nil {
			return err
		}
	}
	if err := p.switchOn(ctx, ChatPhone, Company, true); err != nil || !saved.Created {
		return err
	}
	first := p.phone(string(persons()[0].phone))
	for _, text := range welcome() {
		if _, err := first.Send(ctx, string(ChatPhone), text); err != nil {
			return fmt.Errorf("write the welcome: %w", err)
		}
	}
	return nil
}

// number returns the demo's number, and creates it if necessary.
func (p *Phones) number(ctx context.Context, ws parley.WorkspaceID) (desk.Saved[parley.Number], error) {
	all, err := p.Numbers.Numbers(ws, parley.Position{}, mostNumbers).Now(ctx)
	if err != nil {
		return desk.Saved[parley.Number]{}, err
	}
	if i := slices.IndexFunc(all.Items, func(n parley.Number) bool { return n.Phone == ChatPhone }); i >= 0 {
		return desk.Saved[parley.Number]{Record: all.Items[i]}, nil
	}
	return p.Numbers.ConnectNumber(ctx, desk.Caller{Workspace: ws}, ChatPhone, parley.DriverWhatsApp)
}

// connect pairs the number and waits until it is connected. A pairing with the
// network of an earlier process must first be found to be logged out.
func (p *Phones) connect(ctx context.Context, ws parley.WorkspaceID, id parley.ID) error {
	ctx, cancel := context.WithTimeout(ctx, playTime)
	defer cancel()
	asked := false
	return p.each(ctx, func() (bool, error) {
		saved, err := p.number(ctx, ws)
		n := saved.Record
		switch {
		case err != nil || n.Status == parley.NumberConnected || !n.Enabled:
			return true, err
		case n.Paired():
			return false, nil
		case !asked:
			asked = true
			_, err := p.Numbers.PairNumber(ctx, desk.Caller{Workspace: ws}, id, chatapp.PairByQR)
			return false, err
		}
		step, err := p.Numbers.Pairing(desk.Caller{Workspace: ws}, id).Now(ctx)
		if err != nil || !step.IsQR() {
			return false, err
		}
		// The code may already be used, with the news still on its way.
		if err := p.Network.ScanQR(string(ChatPhone), step.Code); !errors.Is(err, chatsim.ErrNotShown) {
			return false, err
		}
		return false, nil
	})
}

// keepAccounts creates an account on the network for every real number of the
// workspace as soon as it is added, and keeps the company's own phone on, until
// the context ends.
func (p *Phones) keepAccounts(ctx context.Context, ws parley.WorkspaceID) {
	err := p.each(ctx, func() (bool, error) {
		if err := p.keepCompanyOn(ctx); err != nil && ctx.Err() == nil {
			p.Log.Warn("demo: restarting the company's phone failed, retrying", "error", err)
		}
		all, err := p.Numbers.Numbers(ws, parley.Position{}, mostNumbers).Now(ctx)
		for _, n := range all.Items {
			if n.Driver == parley.DriverWhatsApp && !p.hasAccount(n.Phone) {
				p.Network.AddAccount(string(n.Phone), accountOf(Company, false))
				p.mu.Lock()
				p.accounts[n.Phone] = true
				p.mu.Unlock()
				p.wake()
			}
		}
		return false, err
	})
	if err != nil && ctx.Err() == nil {
		p.Log.Warn("demo: adding new numbers to the network stopped", "error", err)
		<-ctx.Done()
	}
}

func (p *Phones) hasAccount(number parley.Phone) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.accounts[number]
}

// each calls look every pollInterval until it returns true or an error, or the
// context ends.
func (p *Phones) each(ctx context.Context, look func() (bool, error)) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		if done, err := look(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

// switchOn starts a phone.
func (p *Phones) switchOn(ctx context.Context, number parley.Phone, name string, company bool) error {
	starting, cancel := context.WithTimeout(ctx, phoneTime)
	defer cancel()
	on, err := chatsim.NewPhone(starting, p.Network, string(number))
	if err != nil {
		return err
	}
	one := &phone{Phone: on, name: name, company: company, read: map[messageKey]bool{}}
	p.mu.Lock()
	p.phones = append(p.phones, one)
	p.mu.Unlock()
	go p.listen(ctx, one)
	return nil
}

// listen announces what a phone receives.
func (p *Phones) listen(ctx context.Context, one *phone) {
	for {
		changed := one.Changed()
		p.wake()
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// with returns the same phone with another client.
func (one *phone) with(on *chatsim.Phone) *phone {
	one.mu.Lock()
	defer one.mu.Unlock()
	return &phone{Phone: on, name: one.name, company: one.company, read: maps.Clone(one.read)}
}

func (p *Phones) switchOff() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.phones {
		one.Close()
	}
	p.phones = nil
}

// wake announces a change to the waiting requests.
func (p *Phones) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.changed)
	p.changed = make(chan struct{})
}

// running returns the phones that are on, and a channel that is closed with the
// next change.
func (p *Phones) running() ([]*phone, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.phones), p.changed
}

// phone returns a phone that is on, or nil.
func (p *Phones) phone(number string) *phone {
	all, _ := p.running()
	if i := slices.IndexFunc(all, func(one *phone) bool { return one.Number() == number }); i >= 0 {
		return all[i]
	}
	return nil
}
