package store

import (
	"time"

	"parley"
)

const keyColumns = "workspace_id, key_id, name, scopes, prefix, last_four, expires_at, revoked_at, created_at, last_used_at, created_by"

// shownKeyColumns adds the name of the member who created the key.
const shownKeyColumns = keyColumns + `, COALESCE((SELECT m.name FROM members m
	WHERE m.workspace_id = api_keys.workspace_id AND m.member_id = api_keys.created_by), '')`

func scanKey(r row, k *parley.Key) error {
	var scopes string
	err := r.scan(&k.Workspace, &k.ID, &k.Name, &scopes, &k.Prefix, &k.LastFour, &k.ExpiresAt, &k.RevokedAt, &k.CreatedAt,
		&k.LastUsedAt, &k.CreatedBy.ID, &k.CreatedBy.Name)
	k.CreatedBy.Type = memberOrSystem(k.CreatedBy.ID)
	k.Scopes = parley.SplitScopes(scopes)
	return err
}

// memberOrSystem returns the type of an actor that is stored as a member id or
// "".
func memberOrSystem(id string) parley.ActorType {
	if id == "" {
		return parley.ActorSystem
	}
	return parley.ActorMember
}

// InsertKey stores a new key with the hash of its secret.
func (tx *Tx) InsertKey(ws parley.WorkspaceID, k *parley.Key, hash [32]byte) error {
	return tx.exec("INSERT INTO api_keys ("+keyColumns+", secret_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		ws, k.ID, k.Name, parley.JoinScopes(k.Scopes), k.Prefix, k.LastFour, k.ExpiresAt, k.RevokedAt, k.CreatedAt, k.LastUsedAt,
		k.CreatedBy.ID, hash[:])
}

// UpdateKey stores the name and the scopes of a key.
func (tx *Tx) UpdateKey(ws parley.WorkspaceID, k *parley.Key) error {
	return tx.exec("UPDATE api_keys SET name = $3, scopes = $4 WHERE workspace_id = $1 AND key_id = $2",
		ws, k.ID, k.Name, parley.JoinScopes(k.Scopes))
}

// UpdateKeyRevoked stores when the key was revoked.
func (tx *Tx) UpdateKeyRevoked(ws parley.WorkspaceID, id parley.ID, at time.Time) error {
	return tx.exec("UPDATE api_keys SET revoked_at = $3 WHERE workspace_id = $1 AND key_id = $2", ws, id, at)
}

// Key returns a key.
func (v *View) Key(ws parley.WorkspaceID, id parley.ID) (parley.Key, error) {
	return one(v, "key", scanKey, "SELECT "+shownKeyColumns+" FROM api_keys WHERE workspace_id = $1 AND key_id = $2", ws, id)
}

// UpdateKeyUsed stores when a key was last used, unless a use later than before
// is already stored, for example by another node.
func (tx *Tx) UpdateKeyUsed(ws parley.WorkspaceID, id parley.ID, at, before time.Time) error {
	return tx.exec("UPDATE api_keys SET last_used_at = $3 WHERE workspace_id = $1 AND key_id = $2 AND last_used_at <= $4",
		ws, id, at, before)
}

// UpdateStoresCalls adds calls under /v1/public/stores to the count of a key
// for one day. Calls of a key that does not exist are dropped.
func (tx *Tx) UpdateStoresCalls(ws parley.WorkspaceID, key parley.ID, calls parley.DayCalls, lastAt time.Time) error {
	return tx.exec(`INSERT INTO key_stores_calls (workspace_id, key_id, day, calls, last_at)
		SELECT workspace_id, key_id, CAST($3 AS bigint), CAST($4 AS bigint), CAST($5 AS bigint) FROM api_keys
		WHERE workspace_id = $1 AND key_id = $2
		ON CONFLICT (workspace_id, key_id, day) DO UPDATE SET calls = key_stores_calls.calls + excluded.calls,
		last_at = CASE WHEN excluded.last_at > key_stores_calls.last_at THEN excluded.last_at ELSE key_stores_calls.last_at END`,
		ws, key, calls.Day.Unix()/daySeconds, calls.Calls, lastAt)
}

const daySeconds = 24 * 60 * 60

// StoresCalls counts the calls of a key under /v1/public/stores on one day.
type StoresCalls struct {
	KeyID  parley.ID
	LastAt time.Time
	parley.DayCalls
}

// StoresCalls returns the calls under /v1/public/stores of all keys, ordered by
// key and day.
func (v *View) StoresCalls(ws parley.WorkspaceID) ([]StoresCalls, error) {
	return many(v, func(r row, c *StoresCalls) error {
		var day int64
		err := r.scan(&c.KeyID, &day, &c.Calls, &c.LastAt)
		c.Day = time.Unix(day*daySeconds, 0).UTC()
		return err
	}, "SELECT key_id, day, calls, last_at FROM key_stores_calls WHERE workspace_id = $1 ORDER BY key_id, day", ws)
}

// Keys returns the keys of a workspace, newest first.
func (v *View) Keys(ws parley.WorkspaceID) ([]parley.Key, error) {
	return many(v, scanKey, "SELECT "+shownKeyColumns+" FROM api_keys WHERE workspace_id = $1 ORDER BY key_id DESC", ws)
}

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
func (tx *Tx) InsertAnswer(ws parley.WorkspaceID, a *Answer) error {
	return tx.exec(`INSERT INTO idempotency_keys (workspace_id, route, idempotency_key, body_hash, status, body, created_at, contact_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (workspace_id, route, idempotency_key) DO UPDATE SET body_hash = excluded.body_hash,
		status = excluded.status, body = excluded.body, created_at = excluded.created_at, contact_id = excluded.contact_id`,
		ws, a.Route, a.Key, a.BodyHash[:], a.Status, a.Body, a.CreatedAt, a.ContactID)
}

// UpdateAnswersContact moves the answers of a contact to another contact and
// replaces the contact's id in their routes. An answer stays where it is, out
// of reach, if the other contact already has one with the same key.
func (tx *Tx) UpdateAnswersContact(ws parley.WorkspaceID, from, to parley.ID) error {
	return tx.exec(`UPDATE idempotency_keys AS i SET route = replace(i.route, $4, $5), contact_id = $3
		WHERE i.workspace_id = $1 AND i.contact_id = $2 AND NOT EXISTS (SELECT 1 FROM idempotency_keys o
			WHERE o.workspace_id = i.workspace_id AND o.route = replace(i.route, $4, $5) AND o.idempotency_key = i.idempotency_key)`,
		ws, from, to, from.String(), to.String())
}

// Answer returns the stored answer for an idempotency key.
func (v *View) Answer(ws parley.WorkspaceID, route, key string) (Answer, error) {
	return one(v, "answer", func(r row, a *Answer) error {
		var hash []byte
		err := r.scan(&a.Route, &a.Key, &hash, &a.Status, &a.Body, &a.CreatedAt, &a.ContactID)
		copy(a.BodyHash[:], hash)
		return err
	}, `SELECT route, idempotency_key, body_hash, status, body, created_at, contact_id FROM idempotency_keys
		WHERE workspace_id = $1 AND route = $2 AND idempotency_key = $3`, ws, route, key)
}

// DeleteAnswers deletes the answers from before a time.
func (tx *Tx) DeleteAnswers(ws parley.WorkspaceID, before time.Time) error {
	return tx.exec("DELETE FROM idempotency_keys WHERE workspace_id = $1 AND created_at < $2", ws, before)
}
