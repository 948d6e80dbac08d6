package store

import (
	"time"

	"parley"
)

// A Delivery is a message queued for its channel. The messages of a
// conversation must go out in order, so only its oldest delivery is ever due.
// The others store their time negated until they are the oldest; that way a
// query for due deliveries never reads them, however many there are.
type Delivery struct {
	ConversationID parley.ID
	MessageID      parley.ID
	NumberID       parley.ID // sends the message
	Attempts       int
	DueAt          time.Time
}

const deliveryColumns = "conversation_id, message_id, number_id, attempts, due_at"

func scanDelivery(r row, d *Delivery) error {
	return r.scan(&d.ConversationID, &d.MessageID, &d.NumberID, &d.Attempts, &d.DueAt)
}

// InsertDelivery queues a message behind the other deliveries of its
// conversation.
func (tx *Tx) InsertDelivery(ws parley.WorkspaceID, d *Delivery) error {
	return tx.exec(`INSERT INTO deliveries (workspace_id, conversation_id, message_id, number_id, attempts, due_at)
		VALUES ($1, $2, $3, $4, $5, CAST($6 AS bigint) * CASE
		WHEN EXISTS (SELECT 1 FROM deliveries o WHERE o.workspace_id = $1 AND o.conversation_id = $2) THEN -1 ELSE 1 END)`,
		ws, d.ConversationID, d.MessageID, d.NumberID, d.Attempts, d.DueAt)
}

// UpdateDelivery stores the number of attempts and the time of the next one.
func (tx *Tx) UpdateDelivery(ws parley.WorkspaceID, d *Delivery) error {
	return tx.exec(`UPDATE deliveries SET attempts = $4, due_at = $5
		WHERE workspace_id = $1 AND conversation_id = $2 AND message_id = $3`,
		ws, d.ConversationID, d.MessageID, d.Attempts, d.DueAt)
}

// UpdateDeliveriesDue makes the deliveries of a number due that were scheduled
// for later.
func (tx *Tx) UpdateDeliveriesDue(ws parley.WorkspaceID, number parley.ID, now time.Time) error {
	return tx.exec("UPDATE deliveries SET due_at = $3 WHERE workspace_id = $1 AND number_id = $2 AND due_at > $3", ws, number, now)
}

// RedateDeliveries makes the deliveries due that are scheduled later than
// farthest.
func (tx *Tx) RedateDeliveries(ws parley.WorkspaceID, now, farthest time.Time) error {
	return tx.exec(`UPDATE deliveries SET due_at = CASE WHEN due_at > 0 THEN CAST($2 AS bigint) ELSE -CAST($2 AS bigint) END
		WHERE workspace_id = $1 AND (due_at > $3 OR due_at < -CAST($3 AS bigint))`, ws, now, farthest)
}

// ReleaseClaims makes all deliveries of a workspace due and ends its leases of
// numbers, group requests and timers. Leases that have already ended keep their time.
func (tx *Tx) ReleaseClaims(ws parley.WorkspaceID, now time.Time) error {
	for _, sql := range []string{
		"UPDATE deliveries SET due_at = $2 WHERE workspace_id = $1 AND due_at > $2",
		"UPDATE numbers SET lease_until = $2 WHERE workspace_id = $1 AND lease_until > $2",
		"UPDATE group_requests SET lease_until = $2 WHERE workspace_id = $1 AND lease_until > $2",
		"UPDATE timers SET due_at = $2, owner = '' WHERE workspace_id = $1 AND owner <> ''",
	} {
		if err := tx.exec(sql, ws, now); err != nil {
			return err
		}
	}
	return nil
}

// DeleteDelivery removes a message from the queue. The next delivery of the
// conversation gets its real time.
func (tx *Tx) DeleteDelivery(ws parley.WorkspaceID, conversation, message parley.ID) error {
	err := tx.exec("DELETE FROM deliveries WHERE workspace_id = $1 AND conversation_id = $2 AND message_id = $3", ws, conversation, message)
	if err != nil {
		return err
	}
	return tx.exec(`UPDATE deliveries SET due_at = -due_at WHERE workspace_id = $1 AND conversation_id = $2 AND due_at < 0
		AND message_id = (SELECT o.message_id FROM deliveries o WHERE o.workspace_id = $1 AND o.conversation_id = $2
		ORDER BY o.message_id LIMIT 1)`, ws, conversation)
}

// Delivery returns the delivery of a message.
func (v *View) Delivery(ws parley.WorkspaceID, conversation, message parley.ID) (Delivery, error) {
	return one(v, "delivery", scanDelivery, "SELECT "+deliveryColumns+` FROM deliveries
		WHERE workspace_id = $1 AND conversation_id = $2 AND message_id = $3`, ws, conversation, message)
}

// Deliveries returns the due deliveries of a number, longest due first.
func (v *View) Deliveries(ws parley.WorkspaceID, number parley.ID, now time.Time, limit int) ([]Delivery, error) {
	return many(v, scanDelivery, "SELECT "+deliveryColumns+` FROM deliveries
		WHERE workspace_id = $1 AND number_id = $2 AND due_at > 0 AND due_at <= $3 ORDER BY due_at, message_id LIMIT $4`,
		ws, number, now, limit)
}
