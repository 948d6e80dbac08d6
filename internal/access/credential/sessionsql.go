package credential

import (
	"time"

	"parley"
	"parley/internal/store"
)

const sessionColumns = "workspace_id, session_id, member_id, user_agent, address, created_at, seen_at, expires_at, confirmed_at"

func scanSession(r store.Row, s *parley.Session) error {
	return r.Scan(&s.Workspace, &s.ID, (*string)(&s.MemberID), &s.UserAgent, &s.Address, &s.CreatedAt, &s.SeenAt, &s.ExpiresAt, &s.ConfirmedAt)
}

// InsertSession stores a new session with the hash of its token.
func InsertSession(tx store.Writer, ws parley.WorkspaceID, s *parley.Session, hash [32]byte) error {
	return store.Exec(tx, ws, "INSERT INTO sessions ("+sessionColumns+", token_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		s.ID, s.MemberID, s.UserAgent, s.Address, s.CreatedAt, s.SeenAt, s.ExpiresAt, s.ConfirmedAt, hash[:])
}

// UpdateSessionSeen stores when the session was last seen and when it expires.
func UpdateSessionSeen(tx store.Writer, ws parley.WorkspaceID, s *parley.Session) error {
	return store.Exec(tx, ws, "UPDATE sessions SET seen_at = $3, expires_at = $4 WHERE workspace_id = $1 AND session_id = $2",
		s.ID, s.SeenAt, s.ExpiresAt)
}

// UpdateSessionProvider stores that the provider opened a session, and the hash of its own;
// "" for none.
func UpdateSessionProvider(tx store.Writer, ws parley.WorkspaceID, id parley.ID, session string) error {
	return store.Exec(tx, ws, "UPDATE sessions SET by_provider = TRUE, provider_session = $3 WHERE workspace_id = $1 AND session_id = $2", id, session)
}

// SelectSessionProvider returns whether the provider opened a session, and the hash of its
// own; "" for none.
func SelectSessionProvider(v store.Reader, ws parley.WorkspaceID, id parley.ID) (by bool, session string, err error) {
	type opened struct {
		by      bool
		session string
	}
	o, err := store.One(v, ws, "session", func(r store.Row, o *opened) error { return r.Scan(&o.by, &o.session) },
		"SELECT by_provider, provider_session FROM sessions WHERE workspace_id = $1 AND session_id = $2", id)
	return o.by, o.session, err
}

// DeleteSessionsOfProvider ends the sessions that a session of the provider opened, and
// returns whose they were, in no order.
func DeleteSessionsOfProvider(tx store.Writer, ws parley.WorkspaceID, session string) ([]parley.UserID, error) {
	return store.Many(tx, ws, func(r store.Row, member *parley.UserID) error { return r.Scan((*string)(member)) },
		"DELETE FROM sessions WHERE workspace_id = $1 AND by_provider AND provider_session = $2 RETURNING member_id", session)
}

// UpdateSessionConfirmed stores when the member of a session proved who they are.
func UpdateSessionConfirmed(tx store.Writer, ws parley.WorkspaceID, id parley.ID, at time.Time) error {
	return store.Exec(tx, ws, "UPDATE sessions SET confirmed_at = $3 WHERE workspace_id = $1 AND session_id = $2", id, at)
}

// DeleteSession ends a session and reports whether it existed.
func DeleteSession(tx store.Writer, ws parley.WorkspaceID, id parley.ID) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM sessions WHERE workspace_id = $1 AND session_id = $2 RETURNING 1", id)
}

// DeleteSessionsOf ends all sessions of a member and returns how many of them
// were still valid at now.
func DeleteSessionsOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, now time.Time) (int, error) {
	ends, err := store.Many(tx, ws, store.Only[time.Time],
		"DELETE FROM sessions WHERE workspace_id = $1 AND member_id = $2 RETURNING expires_at", member)
	return countLive(ends, now), err
}

// DeleteOtherSessionsOf is [DeleteSessionsOf] without one session.
func DeleteOtherSessionsOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, keep parley.ID, now time.Time) (int, error) {
	ends, err := store.Many(tx, ws, store.Only[time.Time],
		"DELETE FROM sessions WHERE workspace_id = $1 AND member_id = $2 AND session_id <> $3 RETURNING expires_at", member, keep)
	return countLive(ends, now), err
}

// DeleteSessionsByProvider ends the sessions that the provider opened.
func DeleteSessionsByProvider(tx store.Writer, ws parley.WorkspaceID) error {
	return store.Exec(tx, ws, "DELETE FROM sessions WHERE workspace_id = $1 AND by_provider")
}

// DeleteUntrustedSessions ends the sessions that the provider opened of members who have a
// second factor, or of all, if each member needs one.
func DeleteUntrustedSessions(tx store.Writer, ws parley.WorkspaceID, required bool) error {
	if required {
		return DeleteSessionsByProvider(tx, ws)
	}
	return store.Exec(tx, ws, `DELETE FROM sessions WHERE workspace_id = $1 AND by_provider AND EXISTS (SELECT 1 FROM second_factors f
		WHERE f.workspace_id = sessions.workspace_id AND f.member_id = sessions.member_id)`)
}

// SelectPasswordSessionMembers returns whose sessions a password opened, in order.
func SelectPasswordSessionMembers(v store.Reader, ws parley.WorkspaceID) ([]parley.UserID, error) {
	return store.Many(v, ws, func(r store.Row, member *parley.UserID) error { return r.Scan((*string)(member)) },
		"SELECT DISTINCT member_id FROM sessions WHERE workspace_id = $1 AND NOT by_provider ORDER BY member_id")
}

// DeletePasswordSessionsOf ends the sessions of a member that a password opened.
func DeletePasswordSessionsOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM sessions WHERE workspace_id = $1 AND member_id = $2 AND NOT by_provider", member)
}

func countLive(ends []time.Time, now time.Time) (live int) {
	for _, expires := range ends {
		if now.Before(expires) {
			live++
		}
	}
	return live
}

// DeleteSessionsWithoutFactor ends the sessions of members who have no second
// factor.
func DeleteSessionsWithoutFactor(tx store.Writer, ws parley.WorkspaceID) error {
	return store.Exec(tx, ws, `DELETE FROM sessions WHERE workspace_id = $1 AND NOT EXISTS (SELECT 1 FROM second_factors f
		WHERE f.workspace_id = sessions.workspace_id AND f.member_id = sessions.member_id)`)
}

// DeleteExpiredSessions deletes sessions that expired before a time.
func DeleteExpiredSessions(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM sessions WHERE workspace_id = $1 AND expires_at < $2", before)
}

// SelectSession returns a session, even if expired.
func SelectSession(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.Session, error) {
	return store.One(v, ws, "session", scanSession,
		"SELECT "+sessionColumns+" FROM sessions WHERE workspace_id = $1 AND session_id = $2", id)
}

// SelectSessionByHash returns the session of a token, in any workspace.
func SelectSessionByHash(v store.Reader, hash [32]byte) (parley.Session, error) {
	return store.OneAcross(v, "session", scanSession, "SELECT "+sessionColumns+" FROM sessions WHERE token_hash = $1", hash[:])
}

// SelectSessionsOf returns at most 200 valid sessions of a member, last seen first.
func SelectSessionsOf(v store.Reader, ws parley.WorkspaceID, member parley.UserID, now time.Time) ([]parley.Session, error) {
	return store.Many(v, ws, scanSession, "SELECT "+sessionColumns+` FROM sessions
		WHERE workspace_id = $1 AND member_id = $2 AND expires_at > $3 ORDER BY seen_at DESC, session_id DESC LIMIT 200`,
		member, now)
}
