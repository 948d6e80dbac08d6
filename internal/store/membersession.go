package store

import (
	"time"

	"parley"
)

// UpdateAccess records that access to the workspace was revoked or reduced, so
// that every node rechecks its open streams.
func (tx *Tx) UpdateAccess(ws parley.WorkspaceID) error {
	return tx.exec("UPDATE workspaces SET access = access + 1 WHERE workspace_id = $1", ws)
}

// ValidCredentials returns the credentials that may read the workspace's event
// log at a time: unexpired sessions of members and customers, and keys that are
// neither revoked nor expired, with their current scopes and sights.
func (v *View) ValidCredentials(ws parley.WorkspaceID, credentials []parley.Credential, now time.Time) ([]parley.Credential, error) {
	var c clause
	c.and("workspace_id = ?", ws)
	at := c.arg(now)
	ids := make([]any, len(credentials))
	for i, credential := range credentials {
		ids[i] = credential.ID
	}
	list := c.list(ids)
	return many(v, func(r row, found *parley.Credential) error {
		return r.scan((*string)(&found.Kind), &found.ID, &found.Contact, &found.Scopes, &found.Sight)
	}, `SELECT 'member', s.session_id, CAST(NULL AS uuid), '', m.sight_since FROM sessions s
		JOIN members m ON m.workspace_id = s.workspace_id AND m.member_id = s.member_id
		WHERE s.workspace_id = $1 AND s.session_id IN (`+list+`) AND s.expires_at > `+at+` AND m.removed_at = 0
		UNION ALL SELECT 'key', key_id, CAST(NULL AS uuid), scopes, 0 FROM api_keys
		WHERE workspace_id = $1 AND key_id IN (`+list+`) AND revoked_at = 0 AND (expires_at = 0 OR expires_at > `+at+`)
		UNION ALL SELECT 'customer', s.session_id, s.contact_id, '', 0 FROM customer_sessions s
		WHERE s.workspace_id = $1 AND s.session_id IN (`+list+`) AND s.expires_at > `+at+VouchedFor, c.args...)
}
