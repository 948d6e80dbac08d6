package store

import (
	"time"

	"parley"
)

const sessionColumns = "workspace_id, session_id, member_id, user_agent, created_at, seen_at, expires_at"

func scanSession(r row, s *parley.Session) error {
	return r.scan(&s.Workspace, &s.ID, (*string)(&s.MemberID), &s.UserAgent, &s.CreatedAt, &s.SeenAt, &s.ExpiresAt)
}

// InsertSession stores a new session with the hash of its token.
func (tx *Tx) InsertSession(ws parley.WorkspaceID, s *parley.Session, hash [32]byte) error {
	return tx.exec("INSERT INTO sessions ("+sessionColumns+", token_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		ws, s.ID, s.MemberID, s.UserAgent, s.CreatedAt, s.SeenAt, s.ExpiresAt, hash[:])
}

// UpdateSessionSeen stores when the session was last seen and when it expires.
func (tx *Tx) UpdateSessionSeen(ws parley.WorkspaceID, s *parley.Session) error {
	return tx.exec("UPDATE sessions SET seen_at = $3, expires_at = $4 WHERE workspace_id = $1 AND session_id = $2",
		ws, s.ID, s.SeenAt, s.ExpiresAt)
}

// DeleteSession ends a session and reports whether it existed.
func (tx *Tx) DeleteSession(ws parley.WorkspaceID, id parley.ID) (bool, error) {
	return tx.inserted("DELETE FROM sessions WHERE workspace_id = $1 AND session_id = $2 RETURNING 1", ws, id)
}

// DeleteSessionsOf ends all sessions of a member and returns how many of them
// were still valid at now.
func (tx *Tx) DeleteSessionsOf(ws parley.WorkspaceID, member parley.UserID, now time.Time) (int, error) {
	live := 0
	err := tx.session.query(tx.ctx, "DELETE FROM sessions WHERE workspace_id = $1 AND member_id = $2 RETURNING expires_at",
		[]any{ws, member}, func(r row) error {
			var expires time.Time
			err := r.scan(&expires)
			if now.Before(expires) {
				live++
			}
			return err
		})
	return live, err
}

// DeleteExpiredSessions deletes sessions that expired before a time.
func (tx *Tx) DeleteExpiredSessions(ws parley.WorkspaceID, before time.Time) error {
	return tx.exec("DELETE FROM sessions WHERE workspace_id = $1 AND expires_at < $2", ws, before)
}

// Session returns a session, even if expired.
func (v *View) Session(ws parley.WorkspaceID, id parley.ID) (parley.Session, error) {
	return one(v, "session", scanSession,
		"SELECT "+sessionColumns+" FROM sessions WHERE workspace_id = $1 AND session_id = $2", ws, id)
}

// SessionsOf returns at most 200 valid sessions of a member, last seen first.
func (v *View) SessionsOf(ws parley.WorkspaceID, member parley.UserID, now time.Time) ([]parley.Session, error) {
	return many(v, scanSession, "SELECT "+sessionColumns+` FROM sessions
		WHERE workspace_id = $1 AND member_id = $2 AND expires_at > $3 ORDER BY seen_at DESC, session_id DESC LIMIT 200`,
		ws, member, now)
}

const invitationColumns = `i.workspace_id, i.invitation_id, i.email, i.role, i.member_id, i.invited_by, m.name,
	i.created_at, i.expires_at, i.used_at`

// invitationTables joins the inviting member for the name.
const invitationTables = ` FROM invitations i
	LEFT JOIN members m ON m.workspace_id = i.workspace_id AND m.member_id = i.invited_by `

func scanInvitation(r row, i *parley.Invitation) error {
	return r.scan(&i.Workspace, &i.ID, &i.Email, (*string)(&i.Role), (*string)(&i.MemberID), (*string)(&i.InvitedBy.ID),
		&i.InvitedBy.Name, &i.CreatedAt, &i.ExpiresAt, &i.UsedAt)
}

// InsertInvitation stores a new invitation with the hash of its token.
func (tx *Tx) InsertInvitation(ws parley.WorkspaceID, i *parley.Invitation, hash [32]byte) error {
	return tx.exec(`INSERT INTO invitations (workspace_id, invitation_id, email, role, member_id, invited_by, created_at,
		expires_at, used_at, token_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		ws, i.ID, i.Email, string(i.Role), i.MemberID, i.InvitedBy.ID, i.CreatedAt, i.ExpiresAt, i.UsedAt, hash[:])
}

// UpdateInvitationUsed stores when an invitation was used.
func (tx *Tx) UpdateInvitationUsed(ws parley.WorkspaceID, id parley.ID, at time.Time) error {
	return tx.exec("UPDATE invitations SET used_at = $3 WHERE workspace_id = $1 AND invitation_id = $2", ws, id, at)
}

// DeleteInvitation withdraws an invitation.
func (tx *Tx) DeleteInvitation(ws parley.WorkspaceID, id parley.ID) error {
	return tx.exec("DELETE FROM invitations WHERE workspace_id = $1 AND invitation_id = $2", ws, id)
}

// DeleteResetsOf withdraws the unused password reset links of a member.
func (tx *Tx) DeleteResetsOf(ws parley.WorkspaceID, member parley.UserID) error {
	return tx.exec("DELETE FROM invitations WHERE workspace_id = $1 AND member_id = $2 AND used_at = 0", ws, member)
}

// DeleteInvitationsBy withdraws the unused invitations that a member sent.
func (tx *Tx) DeleteInvitationsBy(ws parley.WorkspaceID, member parley.UserID) error {
	return tx.exec("DELETE FROM invitations WHERE workspace_id = $1 AND invited_by = $2 AND used_at = 0", ws, member)
}

// DeleteExpiredInvitations deletes invitations that expired before a time, used
// or not.
func (tx *Tx) DeleteExpiredInvitations(ws parley.WorkspaceID, before time.Time) error {
	return tx.exec("DELETE FROM invitations WHERE workspace_id = $1 AND expires_at < $2", ws, before)
}

// Invitation returns an invitation, even if used or expired.
func (v *View) Invitation(ws parley.WorkspaceID, id parley.ID) (parley.Invitation, error) {
	return one(v, "invitation", scanInvitation,
		"SELECT "+invitationColumns+invitationTables+"WHERE i.workspace_id = $1 AND i.invitation_id = $2", ws, id)
}

// Invitations returns the invitations that are still usable, newest first.
func (v *View) Invitations(ws parley.WorkspaceID, now time.Time) ([]parley.Invitation, error) {
	return many(v, scanInvitation, "SELECT "+invitationColumns+invitationTables+
		"WHERE i.workspace_id = $1 AND i.used_at = 0 AND i.expires_at > $2 ORDER BY i.invitation_id DESC", ws, now)
}

// UpdateAccess records that access to the workspace was revoked or reduced, so
// that every node rechecks its open streams.
func (tx *Tx) UpdateAccess(ws parley.WorkspaceID) error {
	return tx.exec("UPDATE workspaces SET access = access + 1 WHERE workspace_id = $1", ws)
}

// ValidCredentials returns the credentials that may read the workspace's event
// log at a time: unexpired sessions of members and customers, and keys that are
// neither revoked nor expired, with their current scopes.
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
		return r.scan((*string)(&found.Kind), &found.ID, &found.Contact, &found.Scopes)
	}, `SELECT 'member', s.session_id, CAST(NULL AS uuid), '' FROM sessions s
		JOIN members m ON m.workspace_id = s.workspace_id AND m.member_id = s.member_id
		WHERE s.workspace_id = $1 AND s.session_id IN (`+list+`) AND s.expires_at > `+at+` AND m.removed_at = 0
		UNION ALL SELECT 'key', key_id, CAST(NULL AS uuid), scopes FROM api_keys
		WHERE workspace_id = $1 AND key_id IN (`+list+`) AND revoked_at = 0 AND (expires_at = 0 OR expires_at > `+at+`)
		UNION ALL SELECT 'customer', s.session_id, s.contact_id, '' FROM customer_sessions s
		WHERE s.workspace_id = $1 AND s.session_id IN (`+list+`) AND s.expires_at > `+at+vouchedFor, c.args...)
}
