package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"parley"
	"parley/internal/chatapp"
)

const (
	// codeTime is how long a typed code holds: as long as the pictures last
	// that the network hands out with it.
	codeTime = 160 * time.Second
	// loginTime is how long the first login after pairing may take.
	loginTime = 30 * time.Second
	// logoutTime is how long Unpair tries to tell the network.
	logoutTime = 15 * time.Second
	// browser is what the network wants to be called by who pairs by a code. It
	// takes the names of a few browsers only.
	browser = "Chrome (Linux)"
)

// A pairing is a number on its way to be paired.
type pairing struct {
	driver *Driver
	host   chatapp.Host
	by     chatapp.PairBy
	cli    *whatsmeow.Client
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	steps  chan chatapp.PairStep
	login  chan struct{} // hears of the first login
}

// Pair begins to pair a number, see chatapp.Linker. A pairing of the number
// that is still on ends.
func (d *Driver) Pair(ctx context.Context, host chatapp.Host, by chatapp.PairBy) (<-chan chatapp.PairStep, error) {
	if by == chatapp.PairByCode && host.Phone == "" {
		return nil, errors.New("pairing by a code needs the number's phone")
	}
	p := &pairing{
		driver: d, host: host, by: by, done: make(chan struct{}),
		steps: make(chan chatapp.PairStep), login: make(chan struct{}, 1),
	}
	if err := p.replace(ctx); err != nil {
		return nil, err
	}
	codes, err := p.connect()
	if err != nil {
		p.end()
		return nil, fmt.Errorf("pair the number: %w", failure(err, d.clock.Now()))
	}
	go p.run(codes)
	return p.steps, nil
}

// replace takes the place of the number's last pairing.
func (p *pairing) replace(ctx context.Context) error {
	p.ctx, p.cancel = context.WithCancel(ctx)
	p.driver.mu.Lock()
	old, open := p.driver.pairings[p.host.NumberID], p.driver.sessions[p.host.NumberID]
	p.driver.pairings[p.host.NumberID] = p
	p.driver.mu.Unlock()
	if old != nil {
		old.stop()
	}
	device, err := p.driver.device(ctx, p.host)
	if err == nil && (device != nil || open != nil && !open.ended()) {
		err = chatapp.ErrPaired
	}
	if err != nil {
		p.end()
	}
	return err
}

// stop ends a pairing and waits for its end.
func (p *pairing) stop() {
	p.cancel()
	<-p.done
}

// end gives the place back.
func (p *pairing) end() {
	p.cancel()
	p.driver.mu.Lock()
	if p.driver.pairings[p.host.NumberID] == p {
		delete(p.driver.pairings, p.host.NumberID)
	}
	p.driver.mu.Unlock()
	close(p.done)
}

// connect opens a connection without an account, on which the codes come. The
// device is kept before the library stores its keys, so that no keys are ever
// stored that nobody knows of.
func (p *pairing) connect() (<-chan whatsmeow.QRChannelItem, error) {
	p.cli = p.driver.client(p.driver.container.NewDevice())
	p.cli.BackgroundEventCtx = p.ctx
	p.cli.PrePairCallback = func(jid types.JID, _, _ string) bool {
		err := p.driver.devices.SetDevice(p.ctx, p.host, jid.String())
		if err != nil {
			p.driver.log.Error("a paired device could not be kept", "number", p.host.NumberID, "error", err)
		}
		return err == nil
	}
	p.cli.AddEventHandlerWithSuccessStatus(func(event any) bool {
		switch event.(type) {
		case *events.Connected:
			select {
			case p.login <- struct{}{}:
			default:
			}
		case *events.Message, *events.Receipt, *events.GroupInfo, *events.UndecryptableMessage:
			return false // it comes again when the number is open
		}
		return true
	})
	codes, err := p.cli.GetQRChannel(p.ctx)
	if err != nil {
		return nil, err
	}
	return codes, p.cli.ConnectContext(p.ctx)
}

// run turns the library's items into steps.
func (p *pairing) run(codes <-chan whatsmeow.QRChannelItem) {
	defer close(p.steps)
	defer p.end()
	defer p.cli.Disconnect()
	asked := false
	for {
		select {
		case <-p.ctx.Done():
			return
		case item, ok := <-codes:
			if !ok {
				return
			}
			if item.Event == whatsmeow.QRChannelEventCode && p.by == chatapp.PairByCode {
				if asked {
					continue // the typed code stays the same
				}
				asked = true
			}
			step, ok := p.step(item)
			if !ok {
				continue
			}
			last := step.Kind != chatapp.QRCode && step.Kind != chatapp.PhoneCode
			if last {
				p.cli.Disconnect() // who hears the end may connect at once
			}
			if !p.send(step) || last {
				return
			}
		}
	}
}

func (p *pairing) send(step chatapp.PairStep) bool {
	select {
	case p.steps <- step:
		return true
	case <-p.ctx.Done():
		return false
	}
}

// step translates an item. False is for one that says nothing to a person.
func (p *pairing) step(item whatsmeow.QRChannelItem) (chatapp.PairStep, bool) {
	now := p.driver.clock.Now()
	refused := func(reason string) (chatapp.PairStep, bool) {
		return chatapp.PairStep{Kind: chatapp.PairRefused, Reason: reason}, true
	}
	switch item.Event {
	case whatsmeow.QRChannelEventCode:
		if p.by == chatapp.PairByQR {
			return chatapp.PairStep{Kind: chatapp.QRCode, Code: item.Code, Until: now.Add(item.Timeout)}, true
		}
		code, err := p.cli.PairPhone(p.ctx, string(p.host.Phone), true, whatsmeow.PairClientChrome, browser)
		if err != nil {
			p.failed(err)
			return refused("the network gives no code for this number")
		}
		return chatapp.PairStep{Kind: chatapp.PhoneCode, Code: code, Until: now.Add(codeTime)}, true
	case whatsmeow.QRChannelSuccess.Event:
		return p.finish()
	case whatsmeow.QRChannelTimeout.Event:
		return chatapp.PairStep{Kind: chatapp.PairExpired}, true
	case whatsmeow.QRChannelClientOutdated.Event:
		return refused("the network demands a newer version of this server")
	case whatsmeow.QRChannelEventPasskeyRequest, whatsmeow.QRChannelEventPasskeyResponse:
		return refused("this account asks for a passkey, which this server cannot give; use another number")
	case whatsmeow.QRChannelEventError:
		p.failed(item.Error)
		return refused("the pairing failed; try again")
	case whatsmeow.QRChannelScannedWithoutMultidevice.Event:
		return chatapp.PairStep{}, false // the same picture can be scanned again
	}
	return refused("the network ended the pairing: " + item.Event)
}

// failed logs why a pairing failed, which is not for people: it may name
// addresses and servers of the operator's.
func (p *pairing) failed(err error) {
	p.driver.log.Warn("a pairing failed", "number", p.host.NumberID, "error", err)
}

// finish waits for the first login, in which the phone and the network settle
// what the device may do. Without it the number is paired all the same.
func (p *pairing) finish() (chatapp.PairStep, bool) {
	timer := time.NewTimer(loginTime)
	defer timer.Stop()
	select {
	case <-p.login:
	case <-timer.C:
		p.driver.log.Warn("the first login after pairing is late", "number", p.host.NumberID)
	case <-p.ctx.Done():
	}
	name, err := p.driver.devices.Device(context.WithoutCancel(p.ctx), p.host)
	jid, parseErr := types.ParseJID(name)
	if err := errors.Join(err, parseErr); err != nil {
		p.failed(err)
		return chatapp.PairStep{Kind: chatapp.PairRefused, Reason: "the paired device could not be kept; try again"}, true
	}
	return chatapp.PairStep{Kind: chatapp.Paired, Phone: parley.Phone(jid.User)}, true
}

// Unpair logs a number out and forgets it, see chatapp.Linker.
func (d *Driver) Unpair(ctx context.Context, host chatapp.Host) error {
	d.Close(host)
	d.mu.Lock()
	p := d.pairings[host.NumberID]
	d.mu.Unlock()
	if p != nil {
		p.stop()
	}
	device, err := d.device(ctx, host)
	if err != nil {
		return err
	}
	if device != nil {
		if err := d.logout(ctx, d.client(device)); err != nil {
			d.log.Warn("the network was not told that a number left", "number", host.NumberID, "error", err)
			if err := device.Delete(ctx); err != nil {
				return fmt.Errorf("forget the device of a number: %w", err)
			}
		}
	}
	return d.devices.SetDevice(ctx, host, "")
}

// logout tells the network that the device is gone; the library deletes its
// keys then. A failure leaves them.
func (d *Driver) logout(ctx context.Context, cli *whatsmeow.Client) error {
	ctx, cancel := context.WithTimeout(ctx, logoutTime)
	defer cancel()
	cli.EnableAutoReconnect = false
	end := make(chan error, 8)
	cli.AddEventHandlerWithSuccessStatus(func(event any) bool {
		switch e := event.(type) {
		case *events.Connected:
			end <- nil
		case events.PermanentDisconnect:
			end <- errors.New(e.PermanentDisconnectDescription())
		case *events.Disconnected:
			end <- whatsmeow.ErrNotConnected
		case *events.Message, *events.Receipt, *events.GroupInfo:
			return false
		}
		return true
	})
	if err := cli.ConnectContext(ctx); err != nil {
		return err
	}
	defer cli.Disconnect()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-end:
		if err != nil {
			return err
		}
	}
	return cli.Logout(ctx)
}
