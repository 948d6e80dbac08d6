package desk

import (
	"time"

	"parley"
	"parley/internal/store"
)

// An Answer is the first answer to a request with an Idempotency-Key.
type Answer struct {
	Route     string
	Key       string
	ContactID parley.ID // the customer who sent the request; zero: a member or key
	BodyHash  [32]byte
	Status    int
	Body      string
	CreatedAt time.Time
}

// InsertAnswer stores an answer, replacing an earlier one for the same key.
func InsertAnswer(tx store.Writer, ws parley.WorkspaceID, a *Answer) error {
	return store.Exec(tx, ws, `INSERT INTO idempotency_keys (workspace_id, route, idempotency_key, body_hash, status, body, created_at, contact_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (workspace_id, route, idempotency_key) DO UPDATE SET body_hash = excluded.body_hash,
		status = excluded.status, body = excluded.body, created_at = excluded.created_at, contact_id = excluded.contact_id`,
		a.Route, a.Key, a.BodyHash[:], a.Status, a.Body, a.CreatedAt, a.ContactID)
}

// UpdateAnswersContact moves the answers of a contact to another contact and
// replaces the contact's id in their routes. An answer stays where it is, out
// of reach, if the other contact already has one with the same key.
func UpdateAnswersContact(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	return store.Exec(tx, ws, `UPDATE idempotency_keys AS i SET route = replace(i.route, $4, $5), contact_id = $3
		WHERE i.workspace_id = $1 AND i.contact_id = $2 AND NOT EXISTS (SELECT 1 FROM idempotency_keys o
			WHERE o.workspace_id = i.workspace_id AND o.route = replace(i.route, $4, $5) AND o.idempotency_key = i.idempotency_key)`,
		from, to, from.String(), to.String())
}

// SelectAnswer returns the stored answer for an idempotency key.
func SelectAnswer(v store.Reader, ws parley.WorkspaceID, route, key string) (Answer, error) {
	return store.One(v, ws, "answer", func(r store.Row, a *Answer) error {
		var hash []byte
		err := r.Scan(&a.Route, &a.Key, &hash, &a.Status, &a.Body, &a.CreatedAt, &a.ContactID)
		copy(a.BodyHash[:], hash)
		return err
	}, `SELECT route, idempotency_key, body_hash, status, body, created_at, contact_id FROM idempotency_keys
		WHERE workspace_id = $1 AND route = $2 AND idempotency_key = $3`, route, key)
}

// DeleteAnswers deletes the answers from before a time.
func DeleteAnswers(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM idempotency_keys WHERE workspace_id = $1 AND created_at < $2", before)
}
