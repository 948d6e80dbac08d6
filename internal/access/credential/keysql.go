// Package credential has the statements for what opens the server: the sessions of members,
// the keys of programs, invitations and links for passwords, of which only hashes are
// stored, what became of passwords and sessions, and what goes with a member who leaves. The
// verbs, which also know members and passwords, are those of access.
//
// It imports the vocabulary and the store.
package credential

import (
	"time"

	"parley"
	"parley/internal/store"
)

const keyColumns = "workspace_id, key_id, name, scopes, prefix, last_four, expires_at, revoked_at, created_at, last_used_at, created_by"

// shownKeyColumns adds the name of the member who created the key.
const shownKeyColumns = keyColumns + `, COALESCE((SELECT m.name FROM members m
	WHERE m.workspace_id = api_keys.workspace_id AND m.member_id = api_keys.created_by), '')`

func scanKey(r store.Row, k *parley.Key) error {
	var scopes string
	err := r.Scan(&k.Workspace, &k.ID, &k.Name, &scopes, &k.Prefix, &k.LastFour, &k.ExpiresAt, &k.RevokedAt, &k.CreatedAt,
		&k.LastUsedAt, &k.CreatedBy.ID, &k.CreatedBy.Name)
	k.CreatedBy.Type = MemberOrSystem(k.CreatedBy.ID)
	k.Scopes = parley.SplitScopes(scopes)
	return err
}

// MemberOrSystem returns the type of an actor that is stored as a member id or
// "".
func MemberOrSystem(id string) parley.ActorType {
	if id == "" {
		return parley.ActorSystem
	}
	return parley.ActorMember
}

// InsertKey stores a new key with the hash of its secret.
func InsertKey(tx store.Writer, ws parley.WorkspaceID, k *parley.Key, hash [32]byte) error {
	return store.Exec(tx, ws, "INSERT INTO api_keys ("+keyColumns+", secret_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		k.ID, k.Name, parley.JoinScopes(k.Scopes), k.Prefix, k.LastFour, k.ExpiresAt, k.RevokedAt, k.CreatedAt, k.LastUsedAt,
		k.CreatedBy.ID, hash[:])
}

// UpdateKey stores the name and the scopes of a key.
func UpdateKey(tx store.Writer, ws parley.WorkspaceID, k *parley.Key) error {
	return store.Exec(tx, ws, "UPDATE api_keys SET name = $3, scopes = $4 WHERE workspace_id = $1 AND key_id = $2",
		k.ID, k.Name, parley.JoinScopes(k.Scopes))
}

// UpdateKeyRevoked stores when the key was revoked.
func UpdateKeyRevoked(tx store.Writer, ws parley.WorkspaceID, id parley.ID, at time.Time) error {
	return store.Exec(tx, ws, "UPDATE api_keys SET revoked_at = $3 WHERE workspace_id = $1 AND key_id = $2", id, at)
}

// SelectKey returns a key.
func SelectKey(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.Key, error) {
	return store.One(v, ws, "key", scanKey, "SELECT "+shownKeyColumns+" FROM api_keys WHERE workspace_id = $1 AND key_id = $2", id)
}

// SelectKeyByHash returns the key with this secret hash, in any workspace. A request
// finds its workspace this way.
func SelectKeyByHash(v store.Reader, hash [32]byte) (parley.Key, error) {
	return store.OneAcross(v, "key", scanKey, "SELECT "+shownKeyColumns+" FROM api_keys WHERE secret_hash = $1", hash[:])
}

// SelectKeys returns the keys of a workspace, newest first.
func SelectKeys(v store.Reader, ws parley.WorkspaceID) ([]parley.Key, error) {
	return store.Many(v, ws, scanKey, "SELECT "+shownKeyColumns+" FROM api_keys WHERE workspace_id = $1 ORDER BY key_id DESC")
}

// UpdateKeyUsed stores when a key was last used, unless a use later than before
// is already stored, for example by another node.
func UpdateKeyUsed(tx store.Writer, ws parley.WorkspaceID, id parley.ID, at, before time.Time) error {
	return store.Exec(tx, ws, "UPDATE api_keys SET last_used_at = $3 WHERE workspace_id = $1 AND key_id = $2 AND last_used_at <= $4",
		id, at, before)
}

// UpdateStoresCalls adds calls under /v1/public/stores to the count of a key
// for one day. Calls of a key that does not exist are dropped.
func UpdateStoresCalls(tx store.Writer, ws parley.WorkspaceID, key parley.ID, calls parley.DayCalls, lastAt time.Time) error {
	return store.Exec(tx, ws, `INSERT INTO key_stores_calls (workspace_id, key_id, day, calls, last_at)
		SELECT workspace_id, key_id, CAST($3 AS bigint), CAST($4 AS bigint), CAST($5 AS bigint) FROM api_keys
		WHERE workspace_id = $1 AND key_id = $2
		ON CONFLICT (workspace_id, key_id, day) DO UPDATE SET calls = key_stores_calls.calls + excluded.calls,
		last_at = CASE WHEN excluded.last_at > key_stores_calls.last_at THEN excluded.last_at ELSE key_stores_calls.last_at END`,
		key, calls.Day.Unix()/daySeconds, calls.Calls, lastAt)
}

const daySeconds = 24 * 60 * 60

// StoresCalls counts the calls of a key under /v1/public/stores on one day.
type StoresCalls struct {
	KeyID  parley.ID
	LastAt time.Time
	parley.DayCalls
}

// SelectStoresCalls returns the calls under /v1/public/stores of all keys, ordered by
// key and day.
func SelectStoresCalls(v store.Reader, ws parley.WorkspaceID) ([]StoresCalls, error) {
	return store.Many(v, ws, func(r store.Row, c *StoresCalls) error {
		var day int64
		err := r.Scan(&c.KeyID, &day, &c.Calls, &c.LastAt)
		c.Day = time.Unix(day*daySeconds, 0).UTC()
		return err
	}, "SELECT key_id, day, calls, last_at FROM key_stores_calls WHERE workspace_id = $1 ORDER BY key_id, day")
}
