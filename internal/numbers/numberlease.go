package numbers

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
)

// A number whose driver is a Runner is connected by one process at a time: the
// one that holds its lease. It renews the lease while it lives. When it dies,
// the lease runs out and another one takes the number. Where it cannot renew, it
// closes the number before the lease runs out by its own clock.
const (
	numberLease      = 12 * time.Second
	numberLeaseStep  = 4 * time.Second // after which the lease is renewed
	numberLeaseSpare = 2 * time.Second // before the end, the number is closed
	numberPause      = 500 * time.Millisecond
	// openPause is how long a number rests that could not be opened.
	openPause = 5 * time.Second
	// takeAtOnce is how many free numbers a process takes in one look; of more,
	// it takes half, so that the others get theirs.
	takeAtOnce = 4
)

// errNotHeld says that another process has taken the number.
var errNotHeld = errors.New("this process does not hold the number")

// A holding is what a process holds. Its zero value is empty.
type holding struct {
	mu      sync.Mutex
	numbers map[parley.ID]*heldNumber
	work    sync.WaitGroup // what goes on for numbers in the background
}

// A heldNumber is a number that this process holds.
type heldNumber struct {
	ws     parley.WorkspaceID
	host   chatapp.Host
	runner chatapp.Runner
	token  NumberLease // its Until is not kept up to date

	// Guarded by holding.mu:
	until   time.Time // of the lease
	openAt  time.Time // when to open it next; zero when it is open
	calling bool      // calls of other nodes are being carried out
	closing bool      // it is being given up
}

// get returns a number that is held and open.
func (h *holding) get(id parley.ID) *heldNumber {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.numbers[id]
	if n == nil || n.closing || !n.openAt.IsZero() {
		return nil
	}
	return n
}

// holds reports whether a number that was held is held still, by the clock of
// this process.
func (h *holding) holds(n *heldNumber, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.numbers[n.host.NumberID] == n && !n.closing && now.Before(n.until)
}

// put adds a number, unless it is there or is still being closed.
func (h *holding) put(n *heldNumber) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.numbers == nil {
		h.numbers = map[parley.ID]*heldNumber{}
	}
	if h.numbers[n.host.NumberID] != nil {
		return false
	}
	h.numbers[n.host.NumberID] = n
	return true
}

// has reports whether there is anything of a number, also while it is closed.
func (h *holding) has(id parley.ID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.numbers[id] != nil
}

// pick returns the numbers that are not being given up and fulfil a condition,
// which is asked with the lock held.
func (h *holding) pick(want func(*heldNumber) bool) []*heldNumber {
	h.mu.Lock()
	defer h.mu.Unlock()
	var picked []*heldNumber
	for _, n := range h.numbers {
		if !n.closing && want(n) {
			picked = append(picked, n)
		}
	}
	return picked
}

// RunNumbers keeps the numbers connected that this process holds, and carries
// out what other nodes ask of them, until the context ends. Then it gives them
// back.
func (s *Service) RunNumbers(ctx context.Context) {
	var hearing sync.WaitGroup
	hearing.Go(func() { s.hearNumbers(ctx) })
	stopDropping := every(ctx, numberPause, func(context.Context) { s.dropLate() })
	ticker := time.NewTicker(numberPause)
	defer ticker.Stop()
	for ctx.Err() == nil {
		if err := s.TendNumbers(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("the numbers were not looked after for a moment", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-s.numbersWake:
		case <-ticker.C:
		}
	}
	hearing.Wait()
	stopDropping()
	s.GiveNumbersBack(context.WithoutCancel(ctx))
}

// dropLate closes the numbers that are held no more as soon as their time is up;
// nothing is to be given back. It asks nobody, so it closes them also while the
// store or a driver keeps TendNumbers waiting.
func (s *Service) dropLate() {
	now := s.clock.Now()
	s.drop(s.held.pick(func(n *heldNumber) bool { return n.until.Sub(now) <= numberLeaseSpare }))
}

// GiveNumbersBack closes all numbers that this process holds and ends its
// pairings, so that other processes need not wait for the leases to run out.
func (s *Service) GiveNumbersBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, numberLeaseStep)
	defer cancel()
	s.pairing.stopAll()
	s.give(ctx, s.held.pick(func(*heldNumber) bool { return true }))
	s.held.work.Wait()
}

// TendNumbers looks once after the numbers: it renews the leases, closes what is
// to be closed, and takes and opens what nobody holds.
func (s *Service) TendNumbers(ctx context.Context) error {
	now := s.clock.Now()
	s.dropLate()
	rows, err := desk.View(ctx, s.desk, func(v *store.View) ([]NumberOf, error) { return SelectNumbersHeld(v, s.process) })
	if err != nil {
		return err
	}
	state := make(map[parley.ID]NumberOf, len(rows))
	for _, row := range rows {
		state[row.ID] = row
	}
	s.drop(s.held.pick(func(n *heldNumber) bool {
		return state[n.host.NumberID].Lease.Generation != n.token.Generation
	}))
	s.give(ctx, s.held.pick(func(n *heldNumber) bool {
		row := state[n.host.NumberID]
		return !row.Enabled || row.Device == ""
	}))
	s.renewNumbers(ctx, s.held.pick(func(n *heldNumber) bool {
		left := n.until.Sub(now)
		return left <= numberLease-numberLeaseStep || left > numberLease // the clock jumped back
	}))
	if err := s.takeNumbers(ctx, now); err != nil {
		return err
	}
	for _, n := range s.held.pick(func(n *heldNumber) bool { return !n.openAt.IsZero() && !now.Before(n.openAt) }) {
		s.openNumber(ctx, n)
	}
	return s.serveCalls(ctx)
}

// drop closes numbers whose lease is lost.
func (s *Service) drop(numbers []*heldNumber) { s.closeNumbers(numbers, func(*heldNumber) {}) }

// give closes numbers and gives their leases back.
func (s *Service) give(ctx context.Context, numbers []*heldNumber) {
	ctx = context.WithoutCancel(ctx)
	s.closeNumbers(numbers, func(n *heldNumber) {
		ctx, cancel := context.WithTimeout(ctx, numberLeaseStep)
		defer cancel()
		if err := s.releaseNumber(ctx, n); err != nil {
			s.log.Warn("a number's lease was not given back; it runs out", "number", n.host.NumberID, "error", err)
		}
	})
}

// closeNumbers closes numbers in the background, for a client may take its time.
func (s *Service) closeNumbers(numbers []*heldNumber, then func(*heldNumber)) {
	for _, n := range s.held.beginClosing(numbers) {
		s.held.work.Go(func() {
			n.runner.Close(n.host)
			then(n)
			s.held.mu.Lock()
			defer s.held.mu.Unlock()
			delete(s.held.numbers, n.host.NumberID)
		})
	}
}

// beginClosing marks numbers as being given up, and returns those that nobody
// else had marked.
func (h *holding) beginClosing(numbers []*heldNumber) []*heldNumber {
	h.mu.Lock()
	defer h.mu.Unlock()
	var begun []*heldNumber
	for _, n := range numbers {
		if !n.closing {
			n.closing = true
			begun = append(begun, n)
		}
	}
	return begun
}

// releaseNumber gives a lease back that is still ours. A number that lost its
// device meanwhile is logged out.
func (s *Service) releaseNumber(ctx context.Context, n *heldNumber) error {
	_, err := write(ctx, s, desk.Caller{Workspace: n.ws}, func(t *tx) (struct{}, error) {
		number, err := t.heldNow(n)
		if errors.Is(err, errNotHeld) {
			return struct{}{}, nil
		}
		if err != nil {
			return struct{}{}, err
		}
		if number.Device == "" && number.Status == parley.NumberConnected {
			if _, err := t.changeNumber(number, numberState{status: parley.NumberLoggedOut}, "paired"); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, UpdateNumberLease(t, t.WS, number.ID, NumberLease{Generation: n.token.Generation})
	})
	return err
}

// heldNow returns a number that is still held under a lease, else errNotHeld.
// Everything that comes from the network is written behind it: the workspace is
// locked, so nobody takes the number in between.
func (t *tx) heldNow(n *heldNumber) (parley.Number, error) {
	lease, err := SelectNumberLease(t, t.WS, n.host.NumberID)
	if err != nil {
		return parley.Number{}, err
	}
	if lease.Owner != n.token.Owner || lease.Generation != n.token.Generation {
		return parley.Number{}, errNotHeld
	}
	return t.Number(t.WS, n.host.NumberID)
}

// renewNumbers renews leases, all workspaces at once. What fails is tried again
// at the next look, until the number must be closed.
func (s *Service) renewNumbers(ctx context.Context, numbers []*heldNumber) {
	byWorkspace := map[parley.WorkspaceID][]*heldNumber{}
	for _, n := range numbers {
		byWorkspace[n.ws] = append(byWorkspace[n.ws], n)
	}
	ctx, cancel := context.WithTimeout(ctx, numberLeaseSpare)
	defer cancel()
	var renewing sync.WaitGroup
	for ws, numbers := range byWorkspace {
		renewing.Go(func() {
			if err := s.renewIn(ctx, ws, numbers); err != nil && ctx.Err() == nil {
				s.log.Warn("leases of numbers were not renewed", "error", err)
			}
		})
	}
	renewing.Wait()
}

func (s *Service) renewIn(ctx context.Context, ws parley.WorkspaceID, numbers []*heldNumber) error {
	type renewed struct {
		numbers []*heldNumber
		until   time.Time
	}
	done, err := write(ctx, s, desk.Caller{Workspace: ws}, func(t *tx) (renewed, error) {
		r := renewed{until: t.Now.Add(numberLease)}
		for _, n := range numbers {
			_, err := t.heldNow(n)
			if errors.Is(err, errNotHeld) {
				continue // the next look finds it out
			}
			if err != nil {
				return r, err
			}
			lease := n.token
			lease.Until = r.until
			if err := UpdateNumberLease(t, t.WS, n.host.NumberID, lease); err != nil {
				return r, err
			}
			r.numbers = append(r.numbers, n)
		}
		return r, nil
	})
	if err != nil {
		return err
	}
	s.held.mu.Lock()
	defer s.held.mu.Unlock()
	for _, n := range done.numbers {
		n.until = done.until
	}
	return nil
}

// takeNumbers takes some of the numbers that nobody holds.
func (s *Service) takeNumbers(ctx context.Context, now time.Time) error {
	free, err := desk.View(ctx, s.desk, func(v *store.View) ([]NumberOf, error) {
		return SelectFreeNumbers(v, now, now.Add(numberLease+clockSpare))
	})
	if err != nil {
		return err
	}
	share := max(takeAtOnce, (len(free)+1)/2)
	for _, row := range free {
		runner, ok := s.connectors[row.Driver].(chatapp.Runner)
		if !ok || s.held.has(row.ID) {
			continue
		}
		if share--; share < 0 {
			return nil
		}
		if row.Status == parley.NumberPairing {
			err = s.abandonPairing(ctx, row)
		} else {
			err = s.takeNumber(ctx, row, runner)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takeNumber takes the lease of a number and opens it. What an earlier holder
// was about to send is due at once.
func (s *Service) takeNumber(ctx context.Context, row NumberOf, runner chatapp.Runner) error {
	lease, err := write(ctx, s, desk.Caller{Workspace: row.Workspace}, func(t *tx) (NumberLease, error) {
		n, err := t.Number(t.WS, row.ID)
		if err != nil || !n.Enabled || n.Device == "" || n.Status == parley.NumberPairing {
			return NumberLease{}, err
		}
		lease, err := t.takeLease(n.ID, s.process)
		if err != nil || lease.Owner == "" {
			return lease, err
		}
		return lease, t.UpdateDeliveriesDue(t.WS, n.ID, t.Now)
	})
	if err != nil || lease.Owner == "" {
		return err
	}
	n := &heldNumber{
		ws: row.Workspace, host: hostOf(row.Workspace, row.Number), runner: runner, token: lease, until: lease.Until, openAt: s.clock.Now(),
	}
	if s.held.put(n) {
		s.openNumber(ctx, n)
	}
	return nil
}

// clockSpare is how far ahead another node's clock may be.
const clockSpare = 10 * time.Minute

// leased reports whether a lease runs that is given for a duration. One that
// ends later than it can was given by a clock that was ahead, and counts as
// over: whoever holds it is as likely dead, or finds out when it writes.
func leased(until, now time.Time, longest time.Duration) bool {
	return now.Before(until) && !until.After(now.Add(longest+clockSpare))
}

// takeLease takes the lease of a number for a process. While another one holds
// it, the lease returned is zero.
func (t *tx) takeLease(number parley.ID, process string) (NumberLease, error) {
	current, err := SelectNumberLease(t, t.WS, number)
	if err != nil || leased(current.Until, t.Now, numberLease) {
		return NumberLease{}, err
	}
	lease := NumberLease{Owner: process, Generation: current.Generation + 1, Until: t.Now.Add(numberLease)}
	return lease, UpdateNumberLease(t, t.WS, number, lease)
}

// breakLease takes the lease of a number from whoever has it, which they find
// out with what they write next.
func (t *tx) breakLease(number parley.ID) error {
	lease, err := SelectNumberLease(t, t.WS, number)
	if err != nil {
		return err
	}
	return UpdateNumberLease(t, t.WS, number, NumberLease{Generation: lease.Generation + 1})
}

// otherNetwork is what people read of a number that this server leaves alone.
const otherNetwork = "it was paired on another network (a fake one, or the real one)"

// openNumber starts the client of a number. One without credentials is logged
// out; another failure is tried again after a pause. One of another network
// only says so.
func (s *Service) openNumber(ctx context.Context, n *heldNumber) {
	err := n.runner.Open(ctx, n.host, &listener{service: s, held: n, tries: map[store.NetworkMessage]int{}})
	s.held.mu.Lock()
	n.openAt = time.Time{}
	if err != nil {
		n.openAt = s.clock.Now().Add(openPause)
	}
	s.held.mu.Unlock()
	switch {
	case err == nil:
		s.outbox.wakeUp()
	case errors.Is(err, chatapp.ErrNotPaired):
		if err := s.forgetDevice(ctx, n); err != nil {
			s.log.Warn("a number without credentials was not logged out; it is tried again", "number", n.host.NumberID, "error", err)
		}
	case errors.Is(err, chatapp.ErrOtherNetwork):
		if err := s.leaveAlone(ctx, n); err != nil && !errors.Is(err, errNotHeld) && ctx.Err() == nil {
			s.log.Warn("that a number was paired on another network was not kept; it is tried again", "number", n.host.NumberID, "error", err)
		}
	case ctx.Err() == nil:
		s.log.Warn("a number could not be opened; it is tried again", "number", n.host.NumberID, "error", err)
	}
}

// leaveAlone says of a number why it does not connect. It stays paired: its
// credentials are good on the network that they are of.
func (s *Service) leaveAlone(ctx context.Context, n *heldNumber) error {
	_, err := write(ctx, s, desk.Caller{Workspace: n.ws}, func(t *tx) (struct{}, error) {
		number, err := t.heldNow(n)
		if err != nil {
			return struct{}{}, err
		}
		_, err = t.changeNumber(number, numberState{
			status: parley.NumberDisconnected, restricted: number.RestrictedUntil, reason: otherNetwork,
		})
		return struct{}{}, err
	})
	return err
}

// forgetDevice logs a number out whose credentials are gone; the next look
// gives it back.
func (s *Service) forgetDevice(ctx context.Context, n *heldNumber) error {
	_, err := write(ctx, s, desk.Caller{Workspace: n.ws}, func(t *tx) (struct{}, error) {
		number, err := t.heldNow(n)
		if err != nil {
			return struct{}{}, err
		}
		if err := t.UpdateNumberDevice(t.WS, number.ID, ""); err != nil {
			return struct{}{}, err
		}
		number.Device = ""
		_, err = t.changeNumber(number, numberState{
			status: parley.NumberLoggedOut, reason: "the number must be paired anew: its credentials are not in this server's store",
		}, "paired")
		return struct{}{}, err
	})
	return err
}

func hostOf(ws parley.WorkspaceID, n parley.Number) chatapp.Host {
	return chatapp.Host{Workspace: ws, NumberID: n.ID, Phone: n.Phone}
}
