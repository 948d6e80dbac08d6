package store

import "parley"

// IdentitySource returns the source that vouches for a signed subject, or
// NotFound if the subject was never signed.
func (v *View) IdentitySource(ws parley.WorkspaceID, subject string) (parley.IdentitySource, error) {
	return one(v, "signed subject", func(r row, s *parley.IdentitySource) error {
		return r.scan(&s.Subject, &s.Source, &s.Previous)
	}, "SELECT subject, source, previous FROM identity_sources WHERE workspace_id = $1 AND subject = $2", ws, subject)
}

// UpsertIdentitySource stores the source that vouches for a signed subject.
func (tx *Tx) UpsertIdentitySource(ws parley.WorkspaceID, s parley.IdentitySource) error {
	return tx.exec(`INSERT INTO identity_sources (workspace_id, subject, source, previous) VALUES ($1, $2, $3, $4)
		ON CONFLICT (workspace_id, subject) DO UPDATE SET source = excluded.source, previous = excluded.previous`,
		ws, s.Subject, s.Source, s.Previous)
}
