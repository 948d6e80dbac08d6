package merging

import (
	"parley"
	"parley/internal/store"
)

const duplicateColumns = `d.duplicate_id, d.email, d.phone_number, d.created_at,
	k.contact_id, k.name, k.email, o.contact_id, o.name, o.email`

const duplicateTables = ` FROM contact_duplicates d
	JOIN contacts k ON k.workspace_id = d.workspace_id AND k.contact_id = d.contact_id
	JOIN contacts o ON o.workspace_id = d.workspace_id AND o.contact_id = d.other_id `

func scanDuplicate(r store.Row, d *parley.ContactDuplicate) error {
	return r.Scan(&d.ID, &d.Email, &d.PhoneNumber, &d.CreatedAt, &d.Contact.ID, &d.Contact.Name, &d.Contact.Email, &d.Other.ID, &d.Other.Name, &d.Other.Email)
}

// PairKnown reports whether a pair of contacts is recorded as a possible
// duplicate, in either order. Dismissed pairs count.
func PairKnown(v store.Reader, ws parley.WorkspaceID, a, b parley.ID) (bool, error) {
	n, err := store.One(v, ws, "count", store.Only[int64],
		`SELECT COUNT(*) FROM contact_duplicates WHERE workspace_id = $1
			AND (contact_id = $2 AND other_id = $3 OR contact_id = $3 AND other_id = $2)`, a, b)
	return n > 0, err
}

// InsertDuplicate records that two contacts may be the same person. The caller
// has checked that the pair is new.
func InsertDuplicate(tx store.Writer, ws parley.WorkspaceID, d *parley.ContactDuplicate) error {
	return store.Exec(tx, ws, `INSERT INTO contact_duplicates (workspace_id, duplicate_id, contact_id, other_id, email, phone_number, dismissed, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, false, $7)`,
		d.ID, d.Contact.ID, d.Other.ID, d.Email, d.PhoneNumber, d.CreatedAt)
}

// DismissDuplicate records that two contacts are different people.
func DismissDuplicate(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "UPDATE contact_duplicates SET dismissed = true WHERE workspace_id = $1 AND duplicate_id = $2", id)
}

// DeleteDuplicatesOf deletes the possible duplicates of a contact, including
// dismissed ones, and returns their ids.
func DeleteDuplicatesOf(tx store.Writer, ws parley.WorkspaceID, contact parley.ID) ([]parley.ID, error) {
	return store.Many(tx, ws, store.Only[parley.ID],
		"DELETE FROM contact_duplicates WHERE workspace_id = $1 AND (contact_id = $2 OR other_id = $2) RETURNING duplicate_id", contact)
}

// SelectDuplicate returns a possible duplicate that was not dismissed.
func SelectDuplicate(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.ContactDuplicate, error) {
	return store.One(v, ws, "possible duplicate", scanDuplicate,
		"SELECT "+duplicateColumns+duplicateTables+"WHERE d.workspace_id = $1 AND d.duplicate_id = $2 AND NOT d.dismissed", id)
}

// SelectDuplicates returns possible duplicates, newest first. A non-zero contact
// selects the pairs that include it.
func SelectDuplicates(v store.Reader, ws parley.WorkspaceID, contact parley.ID, limit int) ([]parley.ContactDuplicate, error) {
	if contact.IsZero() {
		return store.Many(v, ws, scanDuplicate, "SELECT "+duplicateColumns+duplicateTables+` WHERE d.workspace_id = $1 AND NOT d.dismissed
			ORDER BY d.duplicate_id DESC LIMIT $2`, limit)
	}
	return store.Many(v, ws, scanDuplicate, "SELECT "+duplicateColumns+duplicateTables+` WHERE d.workspace_id = $1 AND NOT d.dismissed
		AND (d.contact_id = $2 OR d.other_id = $2) ORDER BY d.duplicate_id DESC LIMIT $3`, contact, limit)
}
