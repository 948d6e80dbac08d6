package store

import "parley"

const sessionColumns = "workspace_id, session_id, member_id, user_agent, created_at, seen_at, expires_at"

func scanSession(r row, s *parley.Session) error {
	return r.scan(&s.Workspace, &s.ID, (*string)(&s.MemberID), &s.UserAgent, &s.CreatedAt, &s.SeenAt, &s.ExpiresAt)
}

// InsertSession stores a new session with the hash of its token.
func (tx *Tx) InsertSession(ws parley.WorkspaceID, s *parley.Session, hash [32]byte) error {
	return tx.exec("INSERT INTO sessions ("+sessionColumns+", token_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		ws, s.ID, s.MemberID, s.UserAgent, s.CreatedAt, s.SeenAt, s.ExpiresAt, hash[:])
}

// UpdateAccess notes that somebody's access to the workspace ended or became
// less, so that every node checks its open streams.
func (tx *Tx) UpdateAccess(ws parley.WorkspaceID) error {
	return tx.exec("UPDATE workspaces SET access = access + 1 WHERE workspace_id = $1", ws)
}
