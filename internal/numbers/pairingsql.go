package numbers

import (
	"parley"
	"parley/internal/store"
)

// UpsertPairing stores the latest step of a number's pairing; sealed is its
// encrypted code.
func UpsertPairing(tx store.Writer, ws parley.WorkspaceID, p *parley.Pairing, sealed []byte) error {
	return store.Exec(tx, ws, `INSERT INTO number_pairings (workspace_id, number_id, paired_by, kind, sealed, code_until, reason, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (workspace_id, number_id) DO UPDATE SET paired_by = excluded.paired_by, kind = excluded.kind,
		sealed = excluded.sealed, code_until = excluded.code_until, reason = excluded.reason, updated_at = excluded.updated_at`,
		p.NumberID, p.By, p.Kind, sealed, p.Until, p.Reason, p.UpdatedAt)
}

// A StoredPairing is a pairing step with its encrypted code.
type StoredPairing struct {
	parley.Pairing
	Sealed []byte
}

// SelectPairing returns the latest step of a number's pairing. Its Code is empty; the
// encrypted code is in Sealed.
func SelectPairing(v store.Reader, ws parley.WorkspaceID, number parley.ID) (StoredPairing, error) {
	return store.One(v, ws, "pairing", func(r store.Row, p *StoredPairing) error {
		return r.Scan(&p.NumberID, &p.By, &p.Kind, &p.Sealed, &p.Until, &p.Reason, &p.UpdatedAt)
	}, `SELECT number_id, paired_by, kind, sealed, code_until, reason, updated_at FROM number_pairings
		WHERE workspace_id = $1 AND number_id = $2`, number)
}

// DeletePairing deletes the pairing of a number.
func DeletePairing(tx store.Writer, ws parley.WorkspaceID, number parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM number_pairings WHERE workspace_id = $1 AND number_id = $2", number)
}
