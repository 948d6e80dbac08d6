package merging

import (
	"time"

	"parley"
	"parley/internal/store"
)

// isBeingErased reports whether an erasure of a record has begun and not ended.
func isBeingErased(v store.Reader, ws parley.WorkspaceID, subject parley.ID) (bool, error) {
	found, err := store.Many(v, ws, store.Only[int], "SELECT 1 FROM erasures WHERE workspace_id = $1 AND subject_id = $2 AND finished_at = 0 LIMIT 1", subject)
	return len(found) > 0, err
}

// MoveMessages moves the messages that a contact sent to another contact. A contact
// writes only in its own conversations and in groups, so only those are searched.
func MoveMessages(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	return store.Exec(tx, ws, `UPDATE messages SET sender_contact_id = $3 WHERE workspace_id = $1 AND sender_contact_id = $2
		AND conversation_id IN (SELECT conversation_id FROM conversations WHERE workspace_id = $1 AND contact_id = $2
		UNION SELECT conversation_id FROM chatapp_groups WHERE workspace_id = $1)`, from, to)
}

// UpdateCompanyMovesContact moves the company moves of a contact to another
// contact.
func UpdateCompanyMovesContact(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	return store.Exec(tx, ws, "UPDATE company_moves SET contact_id = $3 WHERE workspace_id = $1 AND contact_id = $2", from, to)
}

// MoveVisit moves the visit of a contact to another contact, who keeps a later one.
func MoveVisit(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	if err := store.Exec(tx, ws, `DELETE FROM visits WHERE workspace_id = $1 AND contact_id = $3
		AND updated_at < (SELECT v.updated_at FROM visits v WHERE v.workspace_id = $1 AND v.contact_id = $2)`, from, to); err != nil {
		return err
	}
	if err := store.Exec(tx, ws, `UPDATE visits SET contact_id = $3 WHERE workspace_id = $1 AND contact_id = $2
		AND NOT EXISTS (SELECT 1 FROM visits v WHERE v.workspace_id = $1 AND v.contact_id = $3)`, from, to); err != nil {
		return err
	}
	return store.Exec(tx, ws, "DELETE FROM visits WHERE workspace_id = $1 AND contact_id = $2", from)
}

// MoveTyped moves what a contact typed to another contact, who keeps something later.
func MoveTyped(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	if err := store.Exec(tx, ws, `DELETE FROM contact_addresses WHERE workspace_id = $1 AND contact_id = $3
		AND updated_at < (SELECT a.updated_at FROM contact_addresses a WHERE a.workspace_id = $1 AND a.contact_id = $2)`, from, to); err != nil {
		return err
	}
	if err := store.Exec(tx, ws, `UPDATE contact_addresses SET contact_id = $3 WHERE workspace_id = $1 AND contact_id = $2
		AND NOT EXISTS (SELECT 1 FROM contact_addresses a WHERE a.workspace_id = $1 AND a.contact_id = $3)`, from, to); err != nil {
		return err
	}
	return store.Exec(tx, ws, "DELETE FROM contact_addresses WHERE workspace_id = $1 AND contact_id = $2", from)
}

// MoveMerged redirects earlier merges into a contact to another contact.
func MoveMerged(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	return store.Exec(tx, ws, "UPDATE merged_contacts SET into_id = $3 WHERE workspace_id = $1 AND into_id = $2", from, to)
}

// MoveCustomerSessions moves the sessions of a contact to another contact and reports
// whether there were any.
func MoveCustomerSessions(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) (bool, error) {
	return store.Affected(tx, ws, "UPDATE customer_sessions SET contact_id = $3 WHERE workspace_id = $1 AND contact_id = $2 RETURNING 1", from, to)
}

// DeleteContact deletes a contact that no other row refers to.
func DeleteContact(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM contacts WHERE workspace_id = $1 AND contact_id = $2", id)
}

// Merged is what remains of a contact that was merged into another.
type Merged struct {
	ID         parley.ID
	Identifier string // now leads to the other contact; "" for none
	PhoneKey   string // see [parley.PhoneKey]; "" for none
}

// InsertMergedContact records that a contact was merged into another.
func InsertMergedContact(tx store.Writer, ws parley.WorkspaceID, from Merged, into parley.ID, at time.Time) error {
	return store.Exec(tx, ws, "INSERT INTO merged_contacts (workspace_id, contact_id, into_id, merged_at, identifier, phone_key) VALUES ($1, $2, $3, $4, $5, $6)",
		from.ID, into, at, from.Identifier, from.PhoneKey)
}
