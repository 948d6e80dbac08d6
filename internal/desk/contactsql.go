package desk

import (
	"parley"
	"parley/internal/store"
)

// CountGroups returns the number of messaging groups that a contact represents.
func CountGroups(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	return store.One(v, ws, "contact", store.Only[int], `SELECT count(*) FROM conversations c
		JOIN chatapp_groups g ON g.workspace_id = c.workspace_id AND g.conversation_id = c.conversation_id
		WHERE c.workspace_id = $1 AND c.contact_id = $2`, contact)
}

// CountContacts returns the number of contacts of a company.
func CountContacts(v store.Reader, ws parley.WorkspaceID, company parley.ID) (int, error) {
	return store.One(v, ws, "company", store.Only[int], "SELECT count(*) FROM contacts WHERE workspace_id = $1 AND company_id = $2", company)
}

// DeleteVisitorSessions ends the sessions of a contact that have no identity key, and
// reports whether there were any.
func DeleteVisitorSessions(tx store.Writer, ws parley.WorkspaceID, contact parley.ID) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM customer_sessions WHERE workspace_id = $1 AND contact_id = $2 AND kid = '' RETURNING 1", contact)
}
