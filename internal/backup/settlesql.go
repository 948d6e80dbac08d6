package backup

import (
	"time"

	"parley"
	"parley/internal/store"
)

// Reasons that messages and numbers show after a restore.
const (
	restoredMessage = "not sent: the server was restored from a backup, and the message may have been sent before"
	restoredNumber  = "the server was restored from a backup; pair the number again"
	restoredKeys    = "the server was restored from a backup; reconnect the number once no other server uses it"
)

// A settling is how settle changes a copy.
type settling struct {
	ids  *parley.IDs
	now  time.Time
	keys bool // the numbers have their keys
	// withoutSecrets removes what is sealed under a master key that is lost.
	withoutSecrets bool
}

// settle changes what a copy must not keep: the epochs of the event logs, which the
// positions of readers contain, the connections of numbers, messages that may have
// been sent meanwhile, and what belongs to processes. It returns how many numbers were
// connected.
func settle(tx *store.Tx, how settling) (numbers int, err error) {
	workspaces, err := tx.Workspaces()
	if err != nil {
		return 0, err
	}
	for _, ws := range workspaces {
		n, err := how.workspace(tx, ws.ID)
		if err != nil {
			return 0, err
		}
		numbers += n
	}
	if how.withoutSecrets {
		err = tx.ForgetMasterKeys()
	}
	return numbers, err
}

func (how settling) workspace(tx *store.Tx, ws parley.WorkspaceID) (numbers int, err error) {
	if err := store.Exec(tx, ws, "UPDATE workspaces SET epoch = $2, access = access + 1 WHERE workspace_id = $1", how.ids.NewText(8)); err != nil {
		return 0, err
	}
	numbers, err = store.One(tx, ws, "workspace", store.Only[int], "SELECT count(*) FROM numbers WHERE workspace_id = $1 AND enabled")
	if err != nil {
		return 0, err
	}
	reason := restoredNumber
	if how.keys {
		reason = restoredKeys
	}
	err = store.Exec(tx, ws, `UPDATE numbers SET enabled = false, device = CASE WHEN $5 THEN device ELSE '' END, lease_owner = '', lease_until = 0, updated_at = $2,
		status = CASE WHEN enabled THEN $3 ELSE status END, reason = CASE WHEN enabled THEN $4 ELSE reason END WHERE workspace_id = $1`,
		how.now, string(parley.NumberDisconnected), reason, how.keys)
	if err != nil {
		return 0, err
	}
	err = store.Exec(tx, ws, `UPDATE messages SET status = $2, error = $3 WHERE workspace_id = $1 AND EXISTS (SELECT 1 FROM deliveries d
		WHERE d.workspace_id = messages.workspace_id AND d.conversation_id = messages.conversation_id AND d.message_id = messages.message_id)`,
		string(parley.Failed), restoredMessage)
	if err != nil {
		return 0, err
	}
	if err := store.Exec(tx, ws, "DELETE FROM deliveries WHERE workspace_id = $1"); err != nil {
		return 0, err
	}
	// A link gives access to the workspace, and may have been used or withdrawn since.
	if err := store.Exec(tx, ws, "DELETE FROM invitations WHERE workspace_id = $1 AND used_at = 0"); err != nil {
		return 0, err
	}
	if how.withoutSecrets {
		err = store.Exec(tx, ws, `UPDATE identity_keys SET sealed = $2, revoked_at = CASE WHEN revoked_at = 0 THEN $3 ELSE revoked_at END
			WHERE workspace_id = $1 AND kind = 'secret'`, []byte(nil), how.now)
		if err != nil {
			return 0, err
		}
		if err := store.Exec(tx, ws, "UPDATE model_providers SET sealed = $2 WHERE workspace_id = $1", []byte(nil)); err != nil {
			return 0, err
		}
	}
	// The processes that held timers are gone.
	if err := store.Exec(tx, ws, "UPDATE timers SET owner = '', attempts = 0 WHERE workspace_id = $1"); err != nil {
		return 0, err
	}
	return numbers, store.Exec(tx, ws, "UPDATE group_requests SET owner = '', lease_until = 0 WHERE workspace_id = $1")
}
