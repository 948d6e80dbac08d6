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
	// codeTime is how long a typed code is valid: as long as the QR codes that
	// the network sends with it.
	codeTime = 160 * time.Second
	// loginTime is the limit for the first login after pairing.
	loginTime = 30 * time.Second
	// logoutTime is how long Unpair tries to notify the network.
	logoutTime = 15 * time.Second
	// browser is the client name required for pairing by code. The network
	// accepts only a few browsers.
	browser = "Chrome (Linux)"
)

// A pairing is a number that is being paired.
type pairing struct {
	driver *Driver
	host   chatapp.Host
	by     chatapp.PairBy
	cli    *whatsmeow.Client
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	steps  chan chatapp.PairStep
	login  chan struct{} // signals the first login
}

// Pair starts to pair a number; see [chatapp.Linker]. A running pairing of the
// number ends.
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

// replace ends the number's previous pairing and registers this one.
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

// end unregisters the pairing.
func (p *pairing) end() {
	p.cancel()
	p.driver.mu.Lock()
	if p.driver.pairings[p.host.NumberID] == p {
		delete(p.driver.pairings, p.host.NumberID)
	}
	p.driver.mu.Unlock()
	close(p.done)
}

// connect opens a connection without an account, on which the codes arrive. It
// records the device before the library stores its keys, so that no keys are
// stored for an unknown device.
func (p *pairing) connect() (<-chan whatsmeow.QRChannelItem, error) {
	p.cli = p.driver.client(p.driver.container.NewDevice())
	p.cli.BackgroundEventCtx = p.ctx
	p.cli.PrePairCallback = func(jid types.JID, _, _ string) bool {
		err := p.driver.devices.SetDevice(p.ctx, p.host, jid.String())
		if err != nil {
			p.driver.log.Error("whatsapp: save of paired device failed", "number", p.host.NumberID, "error", err)
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
			return false // repeated when the number is open
		}
		return true
	})
	codes, err := p.cli.GetQRChannel(p.ctx)
	if err != nil {
		return nil, err
	}
	return codes, p.cli.ConnectContext(p.ctx)
}

// run converts the library's items into steps.
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
				p.cli.Disconnect() // the receiver of the last step may connect at once
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

// step converts an item. ok is false for items without meaning for a person.
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
	case whatsmeow.QRChannelErrUnexpectedEvent.Event:
		if len(p.login) > 0 { // the first login was reported before the success
			return p.finish()
		}
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

// failed logs why a pairing failed. The reason is not shown, because it may
// contain addresses of the operator's servers.
func (p *pairing) failed(err error) {
	p.driver.log.Warn("whatsapp: pairing failed", "number", p.host.NumberID, "error", err)
}

// finish waits for the first login, in which phone and network agree on the
// features of the device. The number is paired even without it.
func (p *pairing) finish() (chatapp.PairStep, bool) {
	timer := time.NewTimer(loginTime)
	defer timer.Stop()
	select {
	case <-p.login:
	case <-timer.C:
		p.driver.log.Warn("whatsapp: no login after pairing", "number", p.host.NumberID)
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

// Unpair logs a number out and deletes its device; see [chatapp.Linker].
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
			d.log.Warn("whatsapp: logout failed", "number", host.NumberID, "error", err)
			if err := device.Delete(ctx); err != nil {
				return fmt.Errorf("forget the device of a number: %w", err)
			}
		}
	}
	return d.devices.SetDevice(ctx, host, "")
}

// logout notifies the network that the device is gone; then the library deletes
// its keys. After a failure they remain.
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
