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
	"parley/internal/tracing"
	"parley/internal/wire"
)

const (
	// outboxPoll is the longest delay of a message whose wake-up was lost.
	outboxPoll = time.Second
	// outboxTime is how long a message waits for a number that cannot send.
	outboxTime = 24 * time.Hour
	// outboxLimitPause is the longest pause after the network limited a
	// message.
	outboxLimitPause = 15 * time.Minute
	// outboxBatch is how many deliveries one transaction fails at most.
	outboxBatch = 50
	// outboxTries is how often a message is tried, with pauses that double from
	// outboxPause: about a quarter of an hour in total.
	outboxTries = 10
	outboxPause = 2 * time.Second
	// sendsAtOnce is how many messages of a number, from different
	// conversations, may be in flight at once.
	sendsAtOnce = 8
	// sendPatience is how long the next message waits for a slow one.
	sendPatience = 2 * time.Second
)

// An outbox sends the messages in deliveries.
type outbox struct {
	service *Service
	wake    chan struct{} // receives when something may be due
	senders senders       // numbers that are currently sending
	claims  deliveryClaims
}

// wakeUp makes the outbox look at once.
func (o *outbox) wakeUp() {
	select {
	case o.wake <- struct{}{}:
	default: // a wake-up is pending
	}
}

// RunOutbox sends queued messages until the context ends. A number with a slow
// network does not delay others.
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
				s.log.Warn("outbox: check of due times failed, retrying", "error", err)
			}
		}
		if err := s.outbox.startDeliveries(ctx, &sending); err != nil && ctx.Err() == nil {
			s.log.Warn("outbox: read failed, retrying", "error", err)
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

// Deliver sends all due messages of this process and returns when they are
// done. The messages of a conversation are sent in order.
func (s *Service) Deliver(ctx context.Context) error {
	var sending sync.WaitGroup
	err := errors.Join(s.outbox.redateDeliveries(ctx), s.outbox.startDeliveries(ctx, &sending))
	sending.Wait()
	return err
}

// startDeliveries starts sending due messages, with a goroutine per number.
func (o *outbox) startDeliveries(ctx context.Context, sending *sync.WaitGroup) error {
	now := o.service.clock.Now()
	due, err := desk.View(o.service.desk, func(v *store.View) ([]NumberOf, error) { return SelectDueNumbers(v, now) }).Now(ctx)
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
				o.service.log.Warn("outbox: sending by a number failed, its messages wait", "number", number.ID, "error", err)
			}
		})
	}
	return nil
}

// serves reports whether this process has something to do for a number's due
// messages: it can send them, or some have waited too long. It only reads,
// because it runs every second while a number cannot send.
func (o *outbox) serves(ctx context.Context, n NumberOf, now time.Time) (bool, error) {
	connector, ok := o.service.connectors[n.Driver]
	if _, runs := connector.(chatapp.Runner); ok && n.Status == parley.NumberConnected && (!runs || o.service.held.get(n.ID) != nil) {
		return true, nil
	}
	old, err := desk.View(o.service.desk, func(v *store.View) ([]store.Delivery, error) {
		return v.Deliveries(n.Workspace, n.ID, now.Add(-outboxTime), 1)
	}).Now(ctx)
	return len(old) > 0, err
}

// deliverBy sends the due messages of a number one after the other, as a person
// would. A slow one, with a large file or an unresponsive network, delays those
// of other conversations by sendPatience only.
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
				defer o.senders.finish(number, delivery.ConversationID)
				defer o.claims.drop(delivery.MessageID)
				traced, span := o.service.desk.Base().Tracer.Begin(ctx, "outbox.deliver", tracing.Workspace(ws))
				err := o.deliver(traced, claim, delivery)
				span.End(err)
				if err != nil && ctx.Err() == nil {
					o.service.log.Warn("outbox: result of a message not stored, retrying", "message", delivery.MessageID, "error", err)
				}
			})
			wait := time.NewTimer(sendPatience)
			select {
			case <-done:
			case <-wait.C:
			}
			wait.Stop()
		}
		if o.senders.capacity(number) == 0 || o.senders.paused(number, o.service.clock.Now()) != nil {
			return nil //nolint:nilerr // a paused number sends later
		}
	}
}

// A deliveryClaim has the next deliveries of a process by a number.
type deliveryClaim struct {
	ws         parley.WorkspaceID
	number     parley.Number
	held       *heldNumber // nil if the driver needs no lease
	deliveries []store.Delivery
	until      time.Time // the end of the claim unless it is renewed
	spent      time.Time // when the deliveries were charged to the budget; zero without a budget
}

// claimDeliveries claims deliveries for this process by moving their due time,
// and keeps moving it while they are sent, so that no other process takes them.
// If the process dies, the claims expire. Deliveries of a number that cannot
// send wait, without using a try, until they are too old. Deliveries of a
// number with a lease belong to the process that holds it.
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
	r, err := t.allowanceFor(s, n, spendSends)
	if err != nil {
		return err
	}
	batch := s.outbox.senders.capacity(n.ID)
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
		if s.outbox.senders.isSending(delivery.ConversationID) {
			continue // it became due while in flight; keepClaims renews it
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

// giveUpOldDeliveries fails messages that have waited too long for a number
// that cannot send.
func (t *tx) giveUpOldDeliveries(n parley.Number) error {
	old, err := t.Deliveries(t.WS, n.ID, t.Now.Add(-outboxTime), outboxBatch)
	if err != nil {
		return err
	}
	for _, delivery := range old {
		m, err := t.Message(t.Visibility, delivery.ConversationID, delivery.MessageID)
		if err != nil {
			return err
		}
		if err := t.endDelivery(m, tooLate(n)); err != nil {
			return err
		}
	}
	return nil
}

// tooLate returns the error of a message that waited too long.
func tooLate(n parley.Number) error {
	return failedFor(fmt.Sprintf("it could not be sent for %d hours; the number was last %s", outboxTime/time.Hour, n.Status))
}

// An outgoingMessage is a message with its recipient.
type outgoingMessage struct {
	parts []chatapp.Message
	jid   string       // of a group
	phone parley.Phone // of a person
	known bool         // the recipient has written before
}

// outgoingMessage loads a message for sending.
func (o *outbox) outgoingMessage(ctx context.Context, claim deliveryClaim, delivery store.Delivery) (outgoingMessage, error) {
	ws := claim.ws
	return desk.Snapshot(o.service.desk, func(v *store.View) (out outgoingMessage, err error) {
		m, err := v.Message(parley.WholeWorkspace(ws), delivery.ConversationID, delivery.MessageID)
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
		c, err := desk.ConversationNow(v, parley.WholeWorkspace(ws), delivery.ConversationID)
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
	}).Now(ctx)
}

// deliver sends a message and stores the result. The message has the same id on
// the network, so that one sent twice arrives once; the same holds for each of
// its parts.
func (o *outbox) deliver(ctx context.Context, claim deliveryClaim, delivery store.Delivery) error {
	out, sendErr := o.outgoingMessage(ctx, claim, delivery)
	if parley.KindOf(sendErr) == parley.NotFound {
		return nil // its conversation was deleted
	}
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
		asking, span := tracing.Start(ctx, "network.send")
		if sendErr = o.sendOut(asking, claim, part); !nothingDone(sendErr) {
			asked++
		}
		span.End(sendErr)
		o.pauseAfter(n.ID, sendErr)
	}
	if ctx.Err() != nil && sendErr != nil {
		return ctx.Err()
	}
	// A result of the network is stored even if the process is stopping.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), inboundTime)
	defer cancel()
	if sendErr != nil && !nothingDone(sendErr) {
		o.service.log.Warn("outbox: sending a message failed", "message", delivery.MessageID, "tries", delivery.Attempts+1, "error", sendErr)
	}
	_, err := write(last, o.service, desk.Caller{Workspace: claim.ws}, func(t *tx) (struct{}, error) {
		if err := t.spendRest(claim, asked-1); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, t.settleDelivery(o.service, claim.number, delivery, sendErr)
	})
	return err
}

// spendRest charges messages beyond the one charged with the claim; -1 refunds
// that one.
func (t *tx) spendRest(claim deliveryClaim, more int) error {
	switch {
	case claim.spent.IsZero() || more == 0:
		return nil
	case more > 0:
		return t.spend(claim.number, spendSends, more)
	}
	return t.spendAt(claim.spent, claim.number, spendSends, more)
}

// mayAsk returns why the network must not be asked to send: this process no
// longer holds the number or the message, which another process may then send,
// or the network refuses for now.
func (o *outbox) mayAsk(claim deliveryClaim, delivery store.Delivery) error {
	now := o.service.clock.Now()
	if !o.claims.holds(delivery.MessageID, now) || claim.held != nil && !o.service.held.holds(claim.held, now) {
		return chatapp.ErrNotConnected
	}
	return o.senders.paused(claim.number.ID, now)
}

// pauseAfter pauses a number that is not connected or that the network limits.
// Trying its messages one by one would make things worse. A restriction is not
// a reason, because it only concerns strangers.
func (o *outbox) pauseAfter(number parley.ID, err error) {
	var limit *chatapp.LimitError
	switch now := o.service.clock.Now(); {
	case errors.Is(err, chatapp.ErrNotConnected):
		o.senders.pause(number, now.Add(outboxPause), err)
	case errors.As(err, &limit) && limit.Reason != chatapp.Restricted:
		o.senders.pause(number, limitEnd(limit, now), err)
	}
}

// limitEnd is when to retry a limited message. If the limit is lifted early,
// the message does not wait for its end.
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

// settleDelivery stores the result of a try. A message that was settled in the
// meantime, by a receipt or a process that took over the number, stays as it
// is, and one that another process is sending is left to that process. Of one that
// was deleted, nothing is stored.
func (t *tx) settleDelivery(s *Service, n parley.Number, delivery store.Delivery, sendErr error) error {
	m, err := t.Message(t.Visibility, delivery.ConversationID, delivery.MessageID)
	if parley.KindOf(err) == parley.NotFound {
		return nil
	}
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
	case errors.As(sendErr, &limit): // no try is used
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

// endDelivery removes a message from the queue: it was sent, or failed for
// good.
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
