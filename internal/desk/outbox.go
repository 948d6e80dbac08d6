package desk

import (
	"context"
	"errors"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/store"
	"parley/internal/wire"
)

const (
	// outboxPoll is how long a message waits at most whose wake-up was lost.
	outboxPoll = time.Second
	// outboxBatch is how many deliveries of a workspace are worked on at once.
	outboxBatch = 50
	// outboxClaim is how long a delivery is left to the node that took it.
	outboxClaim = time.Minute
	// outboxTries is how often a message is tried, with pauses that double
	// from outboxPause on: about a quarter of an hour in all.
	outboxTries = 10
	outboxPause = 2 * time.Second
)

func (d *Desk) wakeOutbox() {
	select {
	case d.wake <- struct{}{}:
	default: // it is awake already
	}
}

// RunOutbox sends queued messages until the context ends.
func (d *Desk) RunOutbox(ctx context.Context) {
	ticker := time.NewTicker(outboxPoll)
	defer ticker.Stop()
	for {
		if err := d.Deliver(ctx); err != nil && ctx.Err() == nil {
			d.log.Warn("the outbox stopped for a moment", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		case <-ticker.C:
		}
	}
}

// Deliver sends every message that is due. The messages of a conversation go
// out in their order.
func (d *Desk) Deliver(ctx context.Context) error {
	for {
		workspaces, err := view(ctx, d, func(v *store.View) ([]parley.WorkspaceID, error) {
			return v.DueWorkspaces(d.clock.Now())
		})
		if err != nil || len(workspaces) == 0 {
			return err
		}
		worked := 0
		for _, ws := range workspaces {
			claimed, err := d.claimDeliveries(ctx, ws)
			if err != nil {
				return err
			}
			worked += len(claimed)
			for _, delivery := range claimed {
				if err := d.deliver(ctx, ws, delivery); err != nil {
					return err
				}
			}
		}
		if worked == 0 {
			return nil // what is due waits behind another node's
		}
	}
}

// claimDeliveries takes deliveries for this node: their time is moved, so that
// no other node takes them meanwhile. A node that dies lets them run out.
func (d *Desk) claimDeliveries(ctx context.Context, ws parley.WorkspaceID) ([]store.Delivery, error) {
	return write(ctx, d, Caller{Workspace: ws}, func(t *tx) ([]store.Delivery, error) {
		due, err := t.Deliveries(t.ws, t.now, outboxBatch)
		if err != nil {
			return nil, err
		}
		for _, delivery := range due {
			delivery.DueAt = t.now.Add(outboxClaim)
			if err := t.UpdateDelivery(t.ws, &delivery); err != nil {
				return nil, err
			}
		}
		return due, nil
	})
}

// deliver sends one message and stores what became of it. The message's id is
// that of the network too, so that one sent twice arrives once.
func (d *Desk) deliver(ctx context.Context, ws parley.WorkspaceID, delivery store.Delivery) error {
	m, err := view(ctx, d, func(v *store.View) (parley.Message, error) {
		return v.Message(ws, delivery.ConversationID, delivery.MessageID)
	})
	if err != nil {
		return err
	}
	group, number, err := d.groupAndHost(ctx, ws, delivery.ConversationID)
	if err != nil {
		return err
	}
	network, host, sendErr := d.host(ws, number)
	if sendErr == nil {
		work, cancel := context.WithTimeout(ctx, networkTime)
		sendErr = network.Send(work, host, chatapp.Message{ID: m.ID.String(), JID: group.JID, Text: m.Content})
		cancel()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	_, err = write(ctx, d, Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		return struct{}{}, t.settleDelivery(m, delivery, sendErr)
	})
	return err
}

func (t *tx) settleDelivery(m parley.Message, delivery store.Delivery, sendErr error) error {
	delivery.Attempts++
	if sendErr != nil && !final(sendErr) && delivery.Attempts < outboxTries {
		delivery.DueAt = t.now.Add(outboxPause << (delivery.Attempts - 1))
		return t.UpdateDelivery(t.ws, &delivery)
	}
	m.Status = parley.Sent
	changed := []string{"status"}
	if sendErr != nil {
		m.Status, m.Error = parley.Failed, sendErr.Error()
		changed = append(changed, "error")
	}
	if err := t.UpdateMessageStatus(t.ws, &m); err != nil {
		return err
	}
	if err := t.DeleteDelivery(t.ws, m.ConversationID, m.ID); err != nil {
		return err
	}
	t.emit(parley.MessageUpdated, m.ConversationID, changed, wire.AppendMessage(nil, &m))
	return nil
}

// final reports whether it is no use to send again.
func final(err error) bool {
	return errors.Is(err, chatapp.ErrNotMember) || errors.Is(err, chatapp.ErrNotOnChatapp) || errors.Is(err, chatapp.ErrNoGroup)
}
