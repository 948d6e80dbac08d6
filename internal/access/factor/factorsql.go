package factor

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A Factor is a member's second factor as it is stored.
type Factor struct {
	Member parley.UserID
	Sealed []byte // its secret, bound to Record
	Used   int64  // the step of the newest code that was accepted
	Since  time.Time
}

const columns = "member_id, sealed, used_step, created_at"

func scan(r store.Row, f *Factor) error {
	return r.Scan((*string)(&f.Member), &f.Sealed, &f.Used, &f.Since)
}

// SelectFactor returns the second factor of a member. A member without one is
// NotFound.
func SelectFactor(v store.Reader, ws parley.WorkspaceID, member parley.UserID) (Factor, error) {
	return store.One(v, ws, "second factor", scan, "SELECT "+columns+" FROM second_factors WHERE workspace_id = $1 AND member_id = $2", string(member))
}

// SelectMembers returns the current members who have a second factor, in order.
func SelectMembers(v store.Reader, ws parley.WorkspaceID) ([]parley.UserID, error) {
	return store.Many(v, ws, func(r store.Row, member *parley.UserID) error { return r.Scan((*string)(member)) },
		`SELECT f.member_id FROM second_factors f JOIN members m ON m.workspace_id = f.workspace_id AND m.member_id = f.member_id
		WHERE f.workspace_id = $1 AND m.removed_at = 0 ORDER BY f.member_id`)
}

// InsertFactor stores the second factor of a member who has none.
func InsertFactor(tx store.Writer, ws parley.WorkspaceID, f *Factor) error {
	return store.Exec(tx, ws, "INSERT INTO second_factors (workspace_id, "+columns+") VALUES ($1, $2, $3, $4, $5)",
		string(f.Member), f.Sealed, f.Used, f.Since)
}

// UpdateUsed stores that the code of a step was accepted. It reports false if
// that code, or a later one, was accepted before.
func UpdateUsed(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, step int64) (bool, error) {
	return store.Affected(tx, ws, "UPDATE second_factors SET used_step = $3 WHERE workspace_id = $1 AND member_id = $2 AND used_step < $3 RETURNING 1",
		string(member), step)
}

// DeleteFactor deletes the second factor of a member, with the recovery codes,
// and reports whether there was one.
func DeleteFactor(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) (bool, error) {
	if err := DeleteRecoveryCodes(tx, ws, member); err != nil {
		return false, err
	}
	return store.Affected(tx, ws, "DELETE FROM second_factors WHERE workspace_id = $1 AND member_id = $2 RETURNING 1", string(member))
}

// InsertRecoveryCode stores the hash of a recovery code.
func InsertRecoveryCode(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, hash [32]byte) error {
	return store.Exec(tx, ws, "INSERT INTO recovery_codes (workspace_id, member_id, code_hash) VALUES ($1, $2, $3)", string(member), hash[:])
}

// CountRecoveryCodes returns the number of a member's unused recovery codes.
func CountRecoveryCodes(v store.Reader, ws parley.WorkspaceID, member parley.UserID) (int, error) {
	return store.One(v, ws, "recovery codes", func(r store.Row, n *int) error { return r.Scan(n) },
		"SELECT count(*) FROM recovery_codes WHERE workspace_id = $1 AND member_id = $2", string(member))
}

// DeleteRecoveryCode deletes a recovery code, which is used by that, and
// reports whether the member had it.
func DeleteRecoveryCode(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, hash [32]byte) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM recovery_codes WHERE workspace_id = $1 AND member_id = $2 AND code_hash = $3 RETURNING 1", string(member), hash[:])
}

// DeleteRecoveryCodes deletes all recovery codes of a member.
func DeleteRecoveryCodes(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM recovery_codes WHERE workspace_id = $1 AND member_id = $2", string(member))
}

// SelectRequired reports whether every member needs a second factor.
func SelectRequired(v store.Reader, ws parley.WorkspaceID) (bool, error) {
	return store.One(v, ws, "workspace", func(r store.Row, required *bool) error { return r.Scan(required) },
		"SELECT require_second_factor FROM workspaces WHERE workspace_id = $1")
}

// UpdateRequired stores whether every member needs a second factor.
func UpdateRequired(tx store.Writer, ws parley.WorkspaceID, required bool) error {
	return store.Exec(tx, ws, "UPDATE workspaces SET require_second_factor = $2 WHERE workspace_id = $1", required)
}
