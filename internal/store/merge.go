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

// GroupCount returns the number of messaging groups that a contact represents.
func (v *View) GroupCount(ws parley.WorkspaceID, contact parley.ID) (int, error) {
	return one(v, "contact", func(r row, n *int) error { return r.scan(n) },
		`SELECT count(*) FROM conversations c
		JOIN chatapp_groups g ON g.workspace_id = c.workspace_id AND g.conversation_id = c.conversation_id
		WHERE c.workspace_id = $1 AND c.contact_id = $2`, ws, contact)
}

// UpdateMessagesContact moves the messages that a contact sent to another
// contact. A contact writes only in its own conversations and in groups, so
// only those are searched.
func (tx *Tx) UpdateMessagesContact(ws parley.WorkspaceID, from, to parley.ID) error {
	return tx.exec(`UPDATE messages SET sender_contact_id = $3 WHERE workspace_id = $1 AND sender_contact_id = $2
		AND conversation_id IN (SELECT conversation_id FROM conversations WHERE workspace_id = $1 AND contact_id = $2
		UNION SELECT conversation_id FROM chatapp_groups WHERE workspace_id = $1)`, ws, from, to)
}

// UpdateConversationsContact moves the conversations of a contact to another
// contact and sets their UpdatedAt.
func (tx *Tx) UpdateConversationsContact(ws parley.WorkspaceID, from, to parley.ID, now time.Time) error {
	return tx.exec("UPDATE conversations SET contact_id = $3, changed_at = $4 WHERE workspace_id = $1 AND contact_id = $2",
		ws, from, to, tx.head(ws).at(now))
}

// UpdateMergedContacts redirects earlier merges into a contact to another
// contact.
func (tx *Tx) UpdateMergedContacts(ws parley.WorkspaceID, from, to parley.ID) error {
	return tx.exec("UPDATE merged_contacts SET into_id = $3 WHERE workspace_id = $1 AND into_id = $2", ws, from, to)
}

// Merged is what remains of a contact that was merged into another.
type Merged struct {
	ID         parley.ID
	Identifier string // now leads to the other contact; "" for none
}

// InsertMergedContact records that a contact was merged into another.
func (tx *Tx) InsertMergedContact(ws parley.WorkspaceID, from Merged, into parley.ID, at time.Time) error {
	return tx.exec("INSERT INTO merged_contacts (workspace_id, contact_id, into_id, merged_at, identifier) VALUES ($1, $2, $3, $4, $5)",
		ws, from.ID, into, at, from.Identifier)
}

// DeleteContact deletes a contact that no other row refers to.
func (tx *Tx) DeleteContact(ws parley.WorkspaceID, id parley.ID) error {
	return tx.exec("DELETE FROM contacts WHERE workspace_id = $1 AND contact_id = $2", ws, id)
}
