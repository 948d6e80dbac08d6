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
// holder of its lease. The process renews the lease while it lives. When it
// dies, the lease expires and another process takes the number. A process that
// cannot renew closes the number before the lease expires by its own clock.
const (
	numberLease      = 12 * time.Second
	numberLeaseStep  = 4 * time.Second // age at which the lease is renewed
	numberLeaseSpare = 2 * time.Second // before the end, when the number is closed
	numberPause      = 500 * time.Millisecond
	// openPause is how long to wait after a number could not be opened.
	openPause = 5 * time.Second
	// takeAtOnce is how many free numbers a process takes in one pass. Of more
	// it takes half, so that other processes get some.
	takeAtOnce = 4
)

// errNotHeld says that another process has taken the number.
var errNotHeld = errors.New("this process does not hold the number")

// A holding has the numbers that a process holds. Its zero value is empty.
type holding struct {
	mu      sync.Mutex
	numbers map[parley.ID]*heldNumber
	work    sync.WaitGroup // background work for numbers
}

// A heldNumber is a number that this process holds.
type heldNumber struct {
	ws     parley.WorkspaceID
	host   chatapp.Host
	runner chatapp.Runner
	token  NumberLease // Until is not updated

	// Guarded by holding.mu:
	until   time.Time // the end of the lease
	openAt  time.Time // when to open it next; zero if it is open
	calling bool      // calls from other nodes are running
	closing bool      // it is being closed
}

// get returns a number that is held and open, or nil.
func (h *holding) get(id parley.ID) *heldNumber {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.numbers[id]
	if n == nil || n.closing || !n.openAt.IsZero() {
		return nil
	}
	return n
}

// holds reports whether a number is still held, by the clock of this process.
func (h *holding) holds(n *heldNumber, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.numbers[n.host.NumberID] == n && !n.closing && now.Before(n.until)
}

// put adds a number, unless it is present or still being closed.
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

// has reports whether the number is present, even if it is being closed.
func (h *holding) has(id parley.ID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.numbers[id] != nil
}

// pick returns the numbers that satisfy a condition and are not being closed.
// The condition is evaluated with the lock held.
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

// RunNumbers keeps the numbers of this process connected, and runs calls from
// other nodes, until the context ends. Then it releases the numbers.
func (s *Service) RunNumbers(ctx context.Context) {
	var listening sync.WaitGroup
	listening.Go(func() { s.listenForCalls(ctx) })
	stopDropping := every(ctx, numberPause, func(context.Context) { s.dropLate() })
	ticker := time.NewTicker(numberPause)
	defer ticker.Stop()
	for ctx.Err() == nil {
		if err := s.TendNumbers(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("numbers: maintenance failed, retrying", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-s.numbersWake:
		case <-ticker.C:
		}
	}
	listening.Wait()
	stopDropping()
	s.GiveNumbersBack(context.WithoutCancel(ctx))
}

// dropLate closes numbers as soon as their leases expire; there is nothing to
// release. It uses neither the store nor a driver, so it works even while
// TendNumbers waits for them.
func (s *Service) dropLate() {
	now := s.clock.Now()
	s.drop(s.held.pick(func(n *heldNumber) bool { return n.until.Sub(now) <= numberLeaseSpare }))
}

// GiveNumbersBack closes all numbers of this process and ends its pairings, so
// that other processes need not wait for the leases to expire.
func (s *Service) GiveNumbersBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, numberLeaseStep)
	defer cancel()
	s.pairing.stopAll()
	s.give(ctx, s.held.pick(func(*heldNumber) bool { return true }))
	s.held.work.Wait()
}

// TendNumbers runs one maintenance pass: it renews leases, closes what must be
// closed, and takes and opens free numbers.
func (s *Service) TendNumbers(ctx context.Context) error {
	now := s.clock.Now()
	s.dropLate()
	rows, err := desk.View(s.desk, func(v *store.View) ([]NumberOf, error) { return SelectNumbersHeld(v, s.process) }).Now(ctx)
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

// drop closes numbers whose leases are lost.
func (s *Service) drop(numbers []*heldNumber) { s.closeNumbers(numbers, func(*heldNumber) {}) }

// give closes numbers and releases their leases.
func (s *Service) give(ctx context.Context, numbers []*heldNumber) {
	ctx = context.WithoutCancel(ctx)
	s.closeNumbers(numbers, func(n *heldNumber) {
		ctx, cancel := context.WithTimeout(ctx, numberLeaseStep)
		defer cancel()
		if err := s.releaseNumber(ctx, n); err != nil {
			s.log.Warn("numbers: lease not released, it will expire", "number", n.host.NumberID, "error", err)
		}
	})
}

// closeNumbers closes numbers in the background, because a client may take a
// while.
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

// beginClosing marks numbers as being closed, and returns those that were not
// marked before.
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

// releaseNumber releases a lease that this process still has. A number that has
// lost its device in the meantime is logged out.
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
// Everything that the network reports is written after this check: the
// workspace is locked, so no other process can take the number in between.
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

// renewNumbers renews leases, all workspaces at once. A failure is retried in
// the next pass, until the number must be closed.
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
				s.log.Warn("numbers: leases not renewed, retrying", "error", err)
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
				continue // the next pass finds out
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

// takeNumbers takes some of the free numbers.
func (s *Service) takeNumbers(ctx context.Context, now time.Time) error {
	free, err := desk.View(s.desk, func(v *store.View) ([]NumberOf, error) {
		return SelectFreeNumbers(v, now, now.Add(numberLease+parley.ClockSpare))
	}).Now(ctx)
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

// takeNumber takes the lease of a number and opens it. Messages that the
// previous holder had claimed become due at once.
func (s *Service) takeNumber(ctx context.Context, row NumberOf, runner chatapp.Runner) error {
	// The leases of other numbers are renewed after this.
	limited, cancel := context.WithTimeout(ctx, numberLeaseStep)
	defer cancel()
	lease, err := write(limited, s, desk.Caller{Workspace: row.Workspace}, func(t *tx) (NumberLease, error) {
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

// leased reports whether a lease of a given duration is active. A lease that
// ends later than that was granted by a clock that was ahead, and counts as
// expired: its holder is probably dead, or will notice when it writes.
func leased(until, now time.Time, longest time.Duration) bool {
	return now.Before(until) && !until.After(now.Add(longest+parley.ClockSpare))
}

// takeLease takes the lease of a number for a process. While another process
// has it, the returned lease is zero.
func (t *tx) takeLease(number parley.ID, process string) (NumberLease, error) {
	current, err := SelectNumberLease(t, t.WS, number)
	if err != nil || leased(current.Until, t.Now, numberLease) {
		return NumberLease{}, err
	}
	lease := NumberLease{Owner: process, Generation: current.Generation + 1, Until: t.Now.Add(numberLease)}
	return lease, UpdateNumberLease(t, t.WS, number, lease)
}

// breakLease takes the lease of a number from its holder, which notices with
// its next write.
func (t *tx) breakLease(number parley.ID) error {
	lease, err := SelectNumberLease(t, t.WS, number)
	if err != nil {
		return err
	}
	return UpdateNumberLease(t, t.WS, number, NumberLease{Generation: lease.Generation + 1})
}

// otherNetwork is the text shown for a number that this server does not open.
const otherNetwork = "it was paired on another network (a fake one, or the real one)"

// openNumber starts the client of a number. A number without credentials is
// logged out; other failures are retried after a pause. A number of another
// network is only marked.
func (s *Service) openNumber(ctx context.Context, n *heldNumber) {
	err := n.runner.Open(ctx, n.host, &inboundHandler{service: s, held: n, tries: map[store.NetworkMessage]int{}})
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
			s.log.Warn("numbers: logging out a number without credentials failed, retrying", "number", n.host.NumberID, "error", err)
		}
	case errors.Is(err, chatapp.ErrOtherNetwork):
		if err := s.leaveAlone(ctx, n); err != nil && !errors.Is(err, errNotHeld) && ctx.Err() == nil {
			s.log.Warn("numbers: marking a number of another network failed, retrying", "number", n.host.NumberID, "error", err)
		}
	case ctx.Err() == nil:
		s.log.Warn("numbers: opening a number failed, retrying", "number", n.host.NumberID, "error", err)
	}
}

// leaveAlone stores why a number does not connect. It stays paired, because its
// credentials are valid on its own network.
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

// forgetDevice logs out a number whose credentials are gone; the next pass
// releases it.
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
