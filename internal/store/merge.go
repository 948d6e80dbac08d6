package store

import (
	"time"

	"parley"
)

// MergedContact returns the contact that another contact was merged into.
func (v *View) MergedContact(ws parley.WorkspaceID, id parley.ID) (parley.Contact, error) {
	return one(v, "contact", scanContact, "SELECT "+ContactColumns+ContactTables+` WHERE k.workspace_id = $1
		AND k.contact_id = (SELECT into_id FROM merged_contacts WHERE workspace_id = $1 AND contact_id = $2)`, ws, id)
}

// UpdateConversationsContact moves the conversations of a contact to another
// contact and sets their UpdatedAt.
func (tx *Tx) UpdateConversationsContact(ws parley.WorkspaceID, from, to parley.ID, now time.Time) error {
	return tx.exec("UPDATE conversations SET contact_id = $3, changed_at = $4 WHERE workspace_id = $1 AND contact_id = $2",
		ws, from, to, tx.head(ws).at(now))
}

// Merged is what remains of a contact that was merged into another.
type Merged struct {
	ID         parley.ID
	Identifier string // now leads to the other contact; "" for none
	PhoneKey   string // see [parley.PhoneKey]; "" for none
}

// InsertMergedContact records that a contact was merged into another.
func (tx *Tx) InsertMergedContact(ws parley.WorkspaceID, from Merged, into parley.ID, at time.Time) error {
	return tx.exec("INSERT INTO merged_contacts (workspace_id, contact_id, into_id, merged_at, identifier, phone_key) VALUES ($1, $2, $3, $4, $5, $6)",
		ws, from.ID, into, at, from.Identifier, from.PhoneKey)
}
