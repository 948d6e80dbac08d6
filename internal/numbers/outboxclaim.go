package numbers

import (
	"context"
	"sync"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// outboxClaim is how long a delivery is reserved for a process that does
	// not renew its claim.
	outboxClaim = 12 * time.Second
	// outboxClaimStep is the age at which a claim is renewed.
	outboxClaimStep = 4 * time.Second
	// outboxClaimLook is how often claims are checked for renewal.
	outboxClaimLook = 250 * time.Millisecond
	// outboxClaimPatience is how long a renewal may take.
	outboxClaimPatience = 2 * time.Second
)

// A claimedDelivery is a delivery that this process is sending or will send
// next.
type claimedDelivery struct {
	ws parley.WorkspaceID
	store.Delivery
	until time.Time
}

// deliveryClaims are the claims of this process, by message. The zero value is
// empty.
type deliveryClaims struct {
	mu  sync.Mutex
	all map[parley.ID]claimedDelivery
}

// put adds claims.
func (c *deliveryClaims) put(ws parley.WorkspaceID, deliveries []store.Delivery, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[parley.ID]claimedDelivery{}
	}
	for _, delivery := range deliveries {
		c.all[delivery.MessageID] = claimedDelivery{ws, delivery, until}
	}
}

// drop ends the claims of messages.
func (c *deliveryClaims) drop(messages ...parley.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, message := range messages {
		delete(c.all, message)
	}
}

// holds reports whether the claim of a message is active, by the clock of this
// process.
func (c *deliveryClaims) holds(message parley.ID, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return now.Before(c.all[message].until)
}

// extend extends claims that were not dropped in the meantime.
func (c *deliveryClaims) extend(messages []parley.ID, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, message := range messages {
		if claim, ok := c.all[message]; ok {
			claim.until = until
			c.all[message] = claim
		}
	}
}

// aging returns the claims to renew, by workspace.
func (c *deliveryClaims) aging(now time.Time) map[parley.WorkspaceID][]store.Delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := map[parley.WorkspaceID][]store.Delivery{}
	for _, claim := range c.all {
		left := claim.until.Sub(now)
		if left <= outboxClaim-outboxClaimStep || left > outboxClaim { // the clock jumped back
			found[claim.ws] = append(found[claim.ws], claim.Delivery)
		}
	}
	return found
}

// keepClaims renews the claims of this process until stop is called, so that no
// other process takes a message that is slow to send.
func (o *outbox) keepClaims(ctx context.Context) (stop func()) {
	// Messages in flight outlive the outbox.
	return every(context.WithoutCancel(ctx), outboxClaimLook, o.renewClaims)
}

// every calls do after each step until stop is called or ctx ends. stop waits
// for a running call.
func every(ctx context.Context, step time.Duration, do func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		ticker := time.NewTicker(step)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				do(ctx)
			}
		}
	})
	return func() {
		cancel()
		running.Wait()
	}
}

// renewClaims renews claims, all workspaces at once. A failure is retried with
// the next check.
func (o *outbox) renewClaims(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, outboxClaimPatience)
	defer cancel()
	var renewing sync.WaitGroup
	for ws, deliveries := range o.claims.aging(o.service.clock.Now()) {
		renewing.Go(func() {
			if err := o.renewClaimsIn(ctx, ws, deliveries); err != nil && ctx.Err() == nil {
				o.service.log.Warn("outbox: claims not renewed, retrying", "error", err)
			}
		})
	}
	renewing.Wait()
}

func (o *outbox) renewClaimsIn(ctx context.Context, ws parley.WorkspaceID, deliveries []store.Delivery) error {
	type renewed struct {
		kept, lost []parley.ID
		until      time.Time
	}
	done, err := write(ctx, o.service, desk.Caller{Workspace: ws}, func(t *tx) (renewed, error) {
		r := renewed{until: t.Now.Add(outboxClaim)}
		for _, delivery := range deliveries {
			current, ours, err := t.ownDelivery(o.service, delivery)
			if err != nil {
				return r, err
			}
			if !ours {
				r.lost = append(r.lost, delivery.MessageID)
				continue
			}
			current.DueAt = r.until
			if err := t.UpdateDelivery(t.WS, &current); err != nil {
				return r, err
			}
			r.kept = append(r.kept, delivery.MessageID)
		}
		return r, nil
	})
	if err != nil {
		return err
	}
	o.claims.extend(done.kept, done.until)
	o.claims.drop(done.lost...)
	return nil
}

// ownDelivery returns a delivery that this process claimed, and whether it
// still belongs to this process: its claim is active, or no other process has
// taken it.
func (t *tx) ownDelivery(s *Service, claimed store.Delivery) (store.Delivery, bool, error) {
	current, err := t.Delivery(t.WS, claimed.ConversationID, claimed.MessageID)
	if parley.KindOf(err) == parley.NotFound { // it is settled
		return current, false, nil
	}
	return current, s.outbox.claims.holds(claimed.MessageID, t.Now) || !current.DueAt.After(t.Now), err
}
