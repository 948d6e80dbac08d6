package numbers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

const (
	// outboxPoll is how long a message waits at most whose wake-up was lost.
	outboxPoll = time.Second
	// outboxTime is how long a message waits for a number that cannot send.
	outboxTime = 24 * time.Hour
	// outboxLimitPause is how long a message rests at most that the network
	// refused for a while.
	outboxLimitPause = 15 * time.Minute
	// outboxBatch is how many deliveries one transaction gives up at most.
	outboxBatch = 50
	// outboxTries is how often a message is tried, with pauses that double
	// from outboxPause on: about a quarter of an hour in all.
	outboxTries = 10
	outboxPause = 2 * time.Second
	// sendsAtOnce is how many messages of a number may be on the way at once, of
	// different conversations.
	sendsAtOnce = 8
	// sendPatience is how long the next message waits for one that takes long.
	sendPatience = 2 * time.Second
)

// An outbox sends what waits in deliveries.
type outbox struct {
	service *Service
	wake    chan struct{} // tells that something may be due
	senders senders       // numbers that messages go out by just now
	claims  deliveryClaims
}

// wakeUp has the outbox look at once.
func (o *outbox) wakeUp() {
	select {
	case o.wake <- struct{}{}:
	default: // it is awake already
	}
}

// RunOutbox sends queued messages until the context ends. A number whose
// network is slow keeps no other one waiting.
func (s *Service) RunOutbox(ctx context.Context) {
	ticker := time.NewTicker(outboxPoll)
	defer ticker.Stop()
	var redated time.Time
	stop := s.outbox.keepClaims(ctx)
	defer stop()
	var sending sync.WaitGroup
	defer sending.Wait()
	for {
		if time.Since(redated) >= outboxRedate {
			redated = time.Now()
			if err := s.outbox.redateDeliveries(ctx); err != nil && ctx.Err() == nil {
				s.log.Warn("outbox: due times not checked", "error", err)
			}
		}
		if err := s.outbox.startDeliveries(ctx, &sending); err != nil && ctx.Err() == nil {
			s.log.Warn("the outbox stopped for a moment", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.outbox.wake:
		case <-s.desk.Queued():
		case <-ticker.C:
		}
	}
}

// Deliver sends every message that is due by this process, and returns when
// that is done. The messages of a conversation go out in their order.
func (s *Service) Deliver(ctx context.Context) error {
	var sending sync.WaitGroup
	err := errors.Join(s.outbox.redateDeliveries(ctx), s.outbox.startDeliveries(ctx, &sending))
	sending.Wait()
	return err
}

// startDeliveries begins to send what is due, each number in a goroutine of its
// own.
func (o *outbox) startDeliveries(ctx context.Context, sending *sync.WaitGroup) error {
	now := o.service.clock.Now()
	due, err := desk.View(ctx, o.service.desk, func(v *store.View) ([]NumberOf, error) { return SelectDueNumbers(v, now) })
	if err != nil {
		return err
	}
	for _, number := range due {
		serve, err := o.serves(ctx, number, now)
		if err != nil {
			return err
		}
		if !serve || !o.senders.begin(number.ID, now) {
			continue
		}
		sending.Go(func() {
			defer o.senders.end(number.ID)
			if err := o.deliverBy(ctx, number.Workspace, number.ID, sending); err != nil && ctx.Err() == nil {
				o.service.log.Warn("messages of a number wait", "number", number.ID, "error", err)
			}
		})
	}
	return nil
}

// serves reports whether this process has something to do for what is due by a
// number: it can send by it, or something has waited too long. It only reads, for
// it is asked every second for as long as a number cannot send.
func (o *outbox) serves(ctx context.Context, n NumberOf, now time.Time) (bool, error) {
	connector, ok := o.service.connectors[n.Driver]
	if _, runs := connector.(chatapp.Runner); ok && n.Status == parley.NumberConnected && (!runs || o.service.held.get(n.ID) != nil) {
		return true, nil
	}
	old, err := desk.View(ctx, o.service.desk, func(v *store.View) ([]store.Delivery, error) {
		return v.Deliveries(n.Workspace, n.ID, now.Add(-outboxTime), 1)
	})
	return len(old) > 0, err
}

// deliverBy sends what is due by a number, one message after the other, as a
// person would. One that takes long, for its file is large or the network does
// not answer, keeps those of other conversations waiting for sendPatience only.
func (o *outbox) deliverBy(ctx context.Context, ws parley.WorkspaceID, number parley.ID, sending *sync.WaitGroup) error {
	for {
		claim, err := o.claimDeliveries(ctx, ws, number)
		if err != nil || len(claim.deliveries) == 0 {
			return err
		}
		o.claims.put(ws, claim.deliveries, claim.until)
		for _, delivery := range claim.deliveries {
			o.senders.start(number, delivery.ConversationID)
			done := make(chan struct{})
			sending.Go(func() {
				defer close(done)
				defer o.senders.land(number, delivery.ConversationID)
				defer o.claims.drop(delivery.MessageID)
				if err := o.deliver(ctx, claim, delivery); err != nil && ctx.Err() == nil {
					o.service.log.Warn("what became of a message could not be stored; it is tried again", "message", delivery.MessageID, "error", err)
				}
			})
			wait := time.NewTimer(sendPatience)
			select {
			case <-done:
			case <-wait.C:
			}
			wait.Stop()
		}
		if o.senders.room(number) == 0 || o.senders.resting(number, o.service.clock.Now()) != nil {
			return nil //nolint:nilerr // a number at rest sends later
		}
	}
}

// A deliveryClaim is what a process sends by a number next.
type deliveryClaim struct {
	ws         parley.WorkspaceID
	number     parley.Number
	held       *heldNumber // nil where the driver has nothing to hold
	deliveries []store.Delivery
	until      time.Time // when the claim runs out that is not renewed
	spent      time.Time // when the deliveries were taken out of the budget; zero without one
}

// claimDeliveries takes deliveries for this process: their time is moved, so
// that no other one takes them meanwhile, and moved on while it sends them. A
// process that dies lets them run out. Those of a number that cannot send now wait, without a try, until they
// are too old; those of a number that another process holds are its own.
func (o *outbox) claimDeliveries(ctx context.Context, ws parley.WorkspaceID, number parley.ID) (deliveryClaim, error) {
	held := o.service.held.get(number)
	return write(ctx, o.service, desk.Caller{Workspace: ws}, func(t *tx) (deliveryClaim, error) {
		n, err := t.Number(t.WS, number)
		if err != nil {
			return deliveryClaim{}, err
		}
		claim := deliveryClaim{ws: ws, number: n}
		if err := t.giveUpOldDeliveries(n); err != nil {
			return claim, err
		}
		connector, ok := o.service.connectors[n.Driver]
		if !ok || n.Status != parley.NumberConnected {
			return claim, nil
		}
		if _, runs := connector.(chatapp.Runner); runs {
			if held == nil {
				return claim, nil
			}
			if _, err := t.heldNow(held); errors.Is(err, errNotHeld) {
				return claim, nil
			} else if err != nil {
				return claim, err
			}
			claim.held = held
		}
		return claim, t.claimWithinBudget(o.service, &claim)
	})
}

// claimWithinBudget claims as many deliveries as the number may send now.
func (t *tx) claimWithinBudget(s *Service, claim *deliveryClaim) error {
	n := claim.number
	r, err := t.roomFor(s, n, spendSends)
	if err != nil {
		return err
	}
	batch := s.outbox.senders.room(n.ID)
	if r.left != parley.NoBudget {
		batch = min(batch, r.left)
	}
	if batch <= 0 {
		return nil
	}
	due, err := t.Deliveries(t.WS, n.ID, t.Now, batch)
	if err != nil {
		return err
	}
	claim.until = t.Now.Add(outboxClaim)
	for _, delivery := range due {
		if s.outbox.senders.flies(delivery.ConversationID) {
			continue // it was made due though it is on the way; keepClaims renews it
		}
		claim.deliveries = append(claim.deliveries, delivery)
		delivery.DueAt = claim.until
		if err := t.UpdateDelivery(t.WS, &delivery); err != nil {
			return err
		}
	}
	if r.left == parley.NoBudget || len(claim.deliveries) == 0 {
		return nil
	}
	claim.spent = t.Now
	return t.spend(n, spendSends, len(claim.deliveries))
}

// giveUpOldDeliveries fails what has waited too long for a number that cannot
// send.
func (t *tx) giveUpOldDeliveries(n parley.Number) error {
	old, err := t.Deliveries(t.WS, n.ID, t.Now.Add(-outboxTime), outboxBatch)
	if err != nil {
		return err
	}
	for _, delivery := range old {
		m, err := t.Message(t.WS, delivery.ConversationID, delivery.MessageID)
		if err != nil {
			return err
		}
		if err := t.endDelivery(m, tooLate(n)); err != nil {
			return err
		}
	}
	return nil
}

// tooLate is why a message was given up.
func tooLate(n parley.Number) error {
	return failedFor(fmt.Sprintf("it could not be sent for %d hours; the number was last %s", outboxTime/time.Hour, n.Status))
}

// An outgoing is a message with whom it is for.
type outgoing struct {
	parts []chatapp.Message
	jid   string       // of the group
	phone parley.Phone // of the person
	known bool         // the other side has written before
}

// outgoing loads what is to be sent.
func (o *outbox) outgoing(ctx context.Context, claim deliveryClaim, delivery store.Delivery) (outgoing, error) {
	ws := claim.ws
	return desk.Snapshot(ctx, o.service.desk, func(v *store.View) (out outgoing, err error) {
		m, err := v.Message(ws, delivery.ConversationID, delivery.MessageID)
		if err != nil {
			return out, err
		}
		out.parts = o.service.parts(ws, &m)
		group, err := v.Group(ws, delivery.ConversationID)
		if err == nil {
			out.jid, out.known = group.JID, true
			return out, nil
		}
		if parley.KindOf(err) != parley.NotFound {
			return out, err
		}
		c, err := v.Conversation(ws, delivery.ConversationID)
		if err != nil {
			return out, err
		}
		if out.phone, err = desk.Addressee(v, ws, claim.number.ID, &c); err == nil && out.phone == "" {
			err = errNoPhone
		}
		if err != nil {
			return out, err
		}
		out.known, err = HasIncoming(v, ws, c.ID)
		return out, err
	})
}

// deliver sends one message and stores what became of it. The message's id is
// that of the network too, so that one sent twice arrives once; the same holds
// for each of its parts.
func (o *outbox) deliver(ctx context.Context, claim deliveryClaim, delivery store.Delivery) error {
	out, sendErr := o.outgoing(ctx, claim, delivery)
	if sendErr != nil && !errors.Is(sendErr, errNoPhone) {
		return sendErr
	}
	n := claim.number
	if now := o.service.clock.Now(); sendErr == nil && !out.known && now.Before(n.RestrictedUntil) {
		sendErr = &chatapp.LimitError{Reason: chatapp.Restricted, Until: n.RestrictedUntil}
	}
	asked := 0
	for i := 0; sendErr == nil && i < len(out.parts); i++ {
		part := out.parts[i]
		part.JID, part.Phone = out.jid, out.phone
		if sendErr = o.mayAsk(claim, delivery); sendErr != nil {
			break
		}
		if sendErr = o.sendOut(ctx, claim, part); !nothingDone(sendErr) {
			asked++
		}
		o.restAfter(n.ID, sendErr)
	}
	if ctx.Err() != nil && sendErr != nil {
		return ctx.Err()
	}
	// What the network has is written down even if the process ends.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), inboundTime)
	defer cancel()
	if sendErr != nil && !nothingDone(sendErr) {
		o.service.log.Warn("a message was not sent", "message", delivery.MessageID, "tries", delivery.Attempts+1, "error", sendErr)
	}
	_, err := write(last, o.service, desk.Caller{Workspace: claim.ws}, func(t *tx) (struct{}, error) {
		if err := t.spendRest(claim, asked-1); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, t.settleDelivery(o.service, claim.number, delivery, sendErr)
	})
	return err
}

// spendRest counts messages beyond the one that was counted when a delivery was
// claimed; -1 gives that one back.
func (t *tx) spendRest(claim deliveryClaim, more int) error {
	switch {
	case claim.spent.IsZero() || more == 0:
		return nil
	case more > 0:
		return t.spend(claim.number, spendSends, more)
	}
	return t.spendAt(claim.spent, claim.number, spendSends, more)
}

// mayAsk returns why the network is not to be asked to send: this process does
// not hold the number or the message any more, so that another one may send it, or
// the network does not want to hear it.
func (o *outbox) mayAsk(claim deliveryClaim, delivery store.Delivery) error {
	now := o.service.clock.Now()
	if !o.claims.holds(delivery.MessageID, now) || claim.held != nil && !o.service.held.holds(claim.held, now) {
		return chatapp.ErrNotConnected
	}
	return o.senders.resting(claim.number.ID, now)
}

// restAfter leaves a number in peace that is not connected or that the network
// limits: what waits for it is not tried one by one, which would make it worse.
// A restriction is none of these, for it speaks of strangers alone.
func (o *outbox) restAfter(number parley.ID, err error) {
	var limit *chatapp.LimitError
	switch now := o.service.clock.Now(); {
	case errors.Is(err, chatapp.ErrNotConnected):
		o.senders.rest(number, now.Add(outboxPause), err)
	case errors.As(err, &limit) && limit.Reason != chatapp.Restricted:
		o.senders.rest(number, limitEnd(limit, now), err)
	}
}

// limitEnd is when a message is tried again that a limit stopped. Whoever lifts
// a limit early need not wait for its end.
func limitEnd(limit *chatapp.LimitError, now time.Time) time.Time {
	end := limit.Until
	if most := now.Add(outboxLimitPause); most.Before(end) {
		end = most
	}
	return later(end, now.Add(outboxPause))
}

func (o *outbox) sendOut(ctx context.Context, claim deliveryClaim, m chatapp.Message) error {
	connector, ok := o.service.connectors[claim.number.Driver]
	if !ok {
		return chatapp.ErrNotConnected
	}
	limit := networkTime
	if m.Media != nil {
		limit = mediaTime
	}
	work, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return connector.Send(work, hostOf(claim.ws, claim.number), m)
}

// settleDelivery stores what became of a try. What was settled meanwhile, by a
// receipt or by the process that took the number over, stays as it is; and what
// another process sends now is left to that one.
func (t *tx) settleDelivery(s *Service, n parley.Number, delivery store.Delivery, sendErr error) error {
	m, err := t.Message(t.WS, delivery.ConversationID, delivery.MessageID)
	if err != nil || m.Status != parley.Queued {
		return err
	}
	if sendErr == nil || final(sendErr) {
		return t.endDelivery(m, sendErr)
	}
	if _, ours, err := t.ownDelivery(s, delivery); err != nil || !ours {
		return err
	}
	var limit *chatapp.LimitError
	switch {
	case m.CreatedAt.Before(t.Now.Add(-outboxTime)):
		return t.endDelivery(m, tooLate(n))
	case errors.As(sendErr, &limit): // no try is burnt
		delivery.DueAt = limitEnd(limit, t.Now)
		return t.UpdateDelivery(t.WS, &delivery)
	case errors.Is(sendErr, chatapp.ErrNotConnected):
		delivery.DueAt = t.Now.Add(outboxPause)
		return t.UpdateDelivery(t.WS, &delivery)
	}
	if delivery.Attempts++; delivery.Attempts >= outboxTries {
		return t.endDelivery(m, sendErr)
	}
	delivery.DueAt = t.Now.Add(outboxPause << (delivery.Attempts - 1))
	return t.UpdateDelivery(t.WS, &delivery)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// endDelivery takes a message from the queue: it was sent, or failed for good.
func (t *tx) endDelivery(m parley.Message, failure error) error {
	m.Status, m.Error = parley.Sent, ""
	changed := []string{"status"}
	if failure != nil {
		m.Status, m.Error = parley.Failed, reasonOf(failure)
		changed = append(changed, "error")
	}
	if err := t.DeleteDelivery(t.WS, m.ConversationID, m.ID); err != nil {
		return err
	}
	return t.setMessageStatus(m, changed)
}

func (t *tx) setMessageStatus(m parley.Message, changed []string) error {
	if err := t.UpdateMessageStatus(t.WS, &m); err != nil {
		return err
	}
	defer t.Because(parley.MessageCreated, m.ID)()
	t.Announce(parley.MessageUpdated, m.ConversationID, changed, wire.AppendMessage(nil, &m))
	return nil
}
