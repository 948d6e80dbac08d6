package numbers

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
)

// Pairing a number takes minutes in which a person holds a phone, so it
// continues after the request, in the same process. That process holds the
// number's lease meanwhile; a new pairing takes the lease away. The latest step
// is stored encrypted, so that any process can show it.
const (
	pairingStep = time.Second // how often the lease is renewed and checked
	// pairingTime is how long a pairing may take in total.
	pairingTime = 10 * time.Minute
	// pairingNewsKept is how many notices of steps are buffered.
	pairingNewsKept = 64
)

// Kinds of steps that the network does not report.
const (
	pairingStarting = "starting"
	pairingExpired  = string(chatapp.PairExpired)
	pairingRefused  = string(chatapp.PairRefused)
)

// PairBy is a way to pair a number.
type PairBy = chatapp.PairBy

// PairWays returns the ways to pair a number, the usual one first.
func PairWays() []PairBy { return []PairBy{chatapp.PairByQR, chatapp.PairByCode} }

// PairingNews says that a number's pairing has advanced. It contains no code.
type PairingNews struct {
	Workspace parley.WorkspaceID
	NumberID  parley.ID
	Kind      string // "" if the pairing was ended
	Until     time.Time
}

// PairingNews returns the channel on which the pairings of this process report
// their steps. Steps without a receiver are dropped.
func (s *Service) PairingNews() <-chan PairingNews { return s.pairingNews }

// pairings are the pairings in progress in this process. The zero value is
// empty.
type pairings struct {
	mu   sync.Mutex
	stop map[parley.ID]context.CancelFunc
	work sync.WaitGroup
}

func (p *pairings) begin(id parley.ID, stop context.CancelFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stop == nil {
		p.stop = map[parley.ID]context.CancelFunc{}
	}
	if old := p.stop[id]; old != nil {
		old()
	}
	p.stop[id] = stop
}

func (p *pairings) end(id parley.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stop := p.stop[id]; stop != nil {
		stop()
	}
}

func (p *pairings) stopAll() {
	p.mu.Lock()
	for _, stop := range p.stop {
		stop()
	}
	p.mu.Unlock()
	p.work.Wait()
}

// PairNumber starts pairing a number with a phone. [Service.Pairing] returns
// its steps. A pairing of the number that is in progress ends.
func (s *Service) PairNumber(ctx context.Context, by desk.Caller, id parley.ID, way PairBy) (parley.Pairing, error) {
	type begun struct {
		pairing parley.Pairing
		number  parley.Number
		lease   NumberLease
	}
	b, err := write(ctx, s, by, func(t *tx) (b begun, err error) {
		if b.number, err = t.Number(t.WS, id); err != nil {
			return b, err
		}
		if _, ok := s.connectors[b.number.Driver].(chatapp.Linker); !ok {
			return b, errNotLinked(b.number)
		}
		if b.number.Device != "" {
			return b, networkError(t.Now, chatapp.ErrPaired)
		}
		current, err := SelectNumberLease(t, t.WS, id)
		if err != nil {
			return b, err
		}
		b.lease = NumberLease{Owner: s.process, Generation: current.Generation + 1, Until: t.Now.Add(numberLease)}
		if err := UpdateNumberLease(t, t.WS, id, b.lease); err != nil {
			return b, err
		}
		changed := enabled(&b.number, true)
		if b.number, err = t.changeNumber(b.number, numberState{status: parley.NumberPairing}, changed...); err != nil {
			return b, err
		}
		if err := t.Audit.Of(entry.NumberPaired, entry.SubjectNumber, id.String()); err != nil {
			return b, err
		}
		b.pairing = parley.Pairing{NumberID: id, By: string(way), Kind: pairingStarting, UpdatedAt: t.Now}
		return b, t.savePairing(s, &b.pairing)
	})
	if err != nil {
		return parley.Pairing{}, err
	}
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), pairingTime)
	s.pairing.begin(id, cancel)
	s.pairing.work.Go(func() {
		defer cancel()
		p := &pairingWork{service: s, number: b.number, by: way, held: &heldNumber{
			ws: by.Workspace, host: hostOf(by.Workspace, b.number), token: b.lease,
		}}
		p.run(work, cancel)
	})
	s.tellPairing(by.Workspace, b.pairing)
	return b.pairing, nil
}

// savePairing stores a step with its code encrypted.
func (t *tx) savePairing(s *Service, p *parley.Pairing) error {
	sealed, err := s.vault.Seal([]byte(p.Code), t.WS.String(), "pairing "+p.NumberID.String())
	if err != nil {
		return err
	}
	return UpsertPairing(t, t.WS, p, sealed)
}

func (s *Service) tellPairing(ws parley.WorkspaceID, p parley.Pairing) {
	select {
	case s.pairingNews <- PairingNews{Workspace: ws, NumberID: p.NumberID, Kind: p.Kind, Until: p.Until}:
	default: // nobody receives
	}
}

// Pairing returns the latest step of a number's pairing.
func (s *Service) Pairing(by desk.Caller, id parley.ID) desk.Read[parley.Pairing] {
	stored := desk.View(s.desk, func(v *store.View) (StoredPairing, error) {
		if _, err := v.Number(by.Workspace, id); err != nil {
			return StoredPairing{}, err
		}
		return SelectPairing(v, by.Workspace, id)
	})
	return desk.Then(stored, func(_ context.Context, p StoredPairing) (parley.Pairing, error) {
		code, err := s.vault.Open(p.Sealed, by.Workspace.String(), "pairing "+id.String())
		p.Code = string(code)
		return p.Pairing, err
	})
}

// EndPairing ends a number's pairing, in whichever process it runs, and deletes
// it.
func (s *Service) EndPairing(ctx context.Context, by desk.Caller, id parley.ID) (parley.Number, error) {
	n, err := write(ctx, s, by, func(t *tx) (parley.Number, error) {
		n, err := t.Number(t.WS, id)
		if err != nil {
			return n, err
		}
		if _, err := SelectPairing(t, t.WS, id); err != nil {
			return n, err
		}
		if n.Status != parley.NumberPairing {
			return n, DeletePairing(t, t.WS, id)
		}
		if err := t.forgetPairing(&n); err != nil {
			return n, err
		}
		return t.changeNumber(n, numberState{status: parley.NumberDisconnected})
	})
	if err == nil {
		s.pairing.end(id)
		s.tellPairing(by.Workspace, parley.Pairing{NumberID: id})
	}
	return n, err
}

// forgetPairing deletes a pairing in progress, and what it may have paired at
// this moment, because nobody has confirmed that it is the right phone.
func (t *tx) forgetPairing(n *parley.Number) error {
	n.Device = ""
	return errors.Join(DeletePairing(t, t.WS, n.ID), t.breakLease(n.ID), t.UpdateNumberDevice(t.WS, n.ID, ""))
}

// abandonPairing ends a pairing whose process has died. A phone that was
// already paired is unpaired, because nobody has confirmed that it is the right
// one.
func (s *Service) abandonPairing(ctx context.Context, row NumberOf) error {
	limited, cancel := context.WithTimeout(ctx, numberLeaseStep) // leases are renewed after this
	defer cancel()
	lease, err := write(limited, s, desk.Caller{Workspace: row.Workspace}, func(t *tx) (NumberLease, error) {
		n, err := t.Number(t.WS, row.ID)
		if err != nil || n.Status != parley.NumberPairing {
			return NumberLease{}, err
		}
		return t.takeLease(n.ID, s.process) // if the process lives after all, its pairing ends
	})
	if err != nil || lease.Owner == "" {
		return err
	}
	if row.Device == "" {
		s.clearPairing(ctx, row, lease)
		return nil
	}
	// The network must be called, which may take a while.
	s.pairing.work.Go(func() { s.clearPairing(context.WithoutCancel(ctx), row, lease) })
	return nil
}

// clearPairing reverts what an abandoned pairing did.
func (s *Service) clearPairing(ctx context.Context, row NumberOf, lease NumberLease) {
	ctx, cancel := context.WithTimeout(ctx, numberLease)
	defer cancel()
	p := &pairingWork{service: s, number: row.Number, by: chatapp.PairByQR, held: &heldNumber{
		ws: row.Workspace, host: hostOf(row.Workspace, row.Number), token: lease,
	}}
	end := parley.Pairing{NumberID: row.ID, By: string(chatapp.PairByQR), Kind: pairingExpired}
	if linker, ok := s.connectors[row.Driver].(chatapp.Linker); ok && row.Device != "" {
		end.Reason = "the server ended while the phone was being paired; pair it again"
		err := linker.Unpair(ctx, p.held.host)
		if errors.Is(err, chatapp.ErrOtherNetwork) {
			return // a server on that network can do it
		}
		if err != nil {
			s.log.Warn("pairing: unpairing a phone failed, its owner can do it", "number", row.ID, "error", err)
		}
	}
	if err := p.finish(ctx, end); err != nil && !errors.Is(err, errNotHeld) {
		s.log.Warn("pairing: end not stored, retrying", "number", row.ID, "error", err)
	}
}

// A pairingWork is a pairing in progress in this process.
type pairingWork struct {
	service *Service
	number  parley.Number
	by      chatapp.PairBy
	held    *heldNumber
}

// run pairs until a phone is paired or refused, or the time is over.
func (p *pairingWork) run(ctx context.Context, cancel context.CancelFunc) {
	s := p.service
	defer every(ctx, pairingStep, func(ctx context.Context) { p.renew(ctx, cancel) })()
	defer cancel()
	end := p.pair(ctx)
	end.By, end.NumberID = string(p.by), p.number.ID
	// The end is also stored after a timeout.
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), numberLeaseStep)
	defer stop()
	if err := p.finish(last, end); err != nil && !errors.Is(err, errNotHeld) {
		s.log.Warn("pairing: end not stored, it will expire", "number", p.number.ID, "error", err)
	}
}

// renew renews the lease, and ends the pairing if another process has taken it.
func (p *pairingWork) renew(ctx context.Context, cancel context.CancelFunc) {
	_, err := write(ctx, p.service, desk.Caller{Workspace: p.held.ws}, func(t *tx) (struct{}, error) {
		if _, err := t.heldNow(p.held); err != nil {
			return struct{}{}, err
		}
		lease := p.held.token
		lease.Until = t.Now.Add(numberLease)
		return struct{}{}, UpdateNumberLease(t, t.WS, p.number.ID, lease)
	})
	if errors.Is(err, errNotHeld) {
		cancel()
	}
}

// pair requests codes from the network and stores them, until the last step,
// which it returns.
func (p *pairingWork) pair(ctx context.Context) parley.Pairing {
	s := p.service
	linker, ok := s.connectors[p.number.Driver].(chatapp.Linker)
	if !ok {
		return parley.Pairing{Kind: pairingRefused}
	}
	steps, err := linker.Pair(ctx, p.held.host, p.by)
	if err != nil {
		s.log.Warn("pairing: failed", "number", p.number.ID, "error", err)
		// Its message is for people; its cause is not.
		reason := "the pairing failed; try again"
		var refusal *parley.Error
		if errors.As(networkError(s.clock.Now(), err), &refusal) {
			reason = refusal.Message
		}
		return parley.Pairing{Kind: pairingRefused, Reason: reason}
	}
	for step := range steps {
		next := parley.Pairing{NumberID: p.number.ID, By: string(p.by), Kind: string(step.Kind), Code: step.Code, Until: step.Until, Reason: step.Reason}
		switch {
		case step.Kind == chatapp.Paired && !desk.SamePhone(p.number.Phone, step.Phone):
			if err := linker.Unpair(ctx, p.held.host); err != nil {
				s.log.Warn("pairing: unpairing a wrong phone failed, its owner can do it", "number", p.number.ID, "error", err)
			}
			return parley.Pairing{Kind: pairingRefused, Reason: "the phone that was paired is " + step.Phone.Display() + ", not " + p.number.Phone.Display()}
		case step.Kind == chatapp.Paired:
			p.number.NetworkPhone = step.Phone
			return next
		case next.Over():
			return next
		}
		_, err := write(ctx, s, desk.Caller{Workspace: p.held.ws}, func(t *tx) (struct{}, error) {
			if _, err := t.heldNow(p.held); err != nil {
				return struct{}{}, err
			}
			next.UpdatedAt = t.Now
			return struct{}{}, t.savePairing(s, &next)
		})
		if err != nil {
			return parley.Pairing{Kind: pairingRefused, Reason: "the code could not be stored; try again"}
		}
		s.tellPairing(p.held.ws, next)
	}
	return parley.Pairing{Kind: pairingExpired}
}

// finish stores the end and releases the lease, so that a paired number is
// opened.
func (p *pairingWork) finish(ctx context.Context, end parley.Pairing) error {
	s := p.service
	_, err := write(ctx, s, desk.Caller{Workspace: p.held.ws}, func(t *tx) (struct{}, error) {
		n, err := t.heldNow(p.held)
		if err != nil {
			return struct{}{}, err
		}
		end.UpdatedAt = t.Now
		if err := t.savePairing(s, &end); err != nil {
			return struct{}{}, err
		}
		var changed []string
		if end.Kind != string(chatapp.Paired) && n.Device != "" { // a wrong phone, which may not have been reported
			if err := t.UpdateNumberDevice(t.WS, n.ID, ""); err != nil {
				return struct{}{}, err
			}
			n.Device = ""
		}
		if end.Kind == string(chatapp.Paired) {
			changed = append(changed, "paired") // by the driver
			if p.number.NetworkPhone != n.Phone {
				n.NetworkPhone = p.number.NetworkPhone
			}
		}
		if _, err := t.changeNumber(n, numberState{status: parley.NumberDisconnected, reason: end.Reason}, changed...); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, UpdateNumberLease(t, t.WS, n.ID, NumberLease{Generation: p.held.token.Generation})
	})
	if err == nil {
		s.tellPairing(p.held.ws, end)
		s.wakeNumbers()
	}
	return err
}
