package search

import (
	"time"

	"parley"
	"parley/internal/store"
)

// maxSearchBytes is about how much text one read for the index returns, not
// counting its last record.
const maxSearchBytes = 256 << 10

// movedBatch is how many documents of moved messages one statement reads.
const movedBatch = 200

// SelectSearchableContacts returns at most limit contacts after an id, ordered by id,
// or from the start if it is zero. It returns fewer if they are large, but at
// least one if there is one.
func SelectSearchableContacts(v store.Reader, ws parley.WorkspaceID, after parley.ID, limit int) ([]parley.Contact, error) {
	if after.IsZero() {
		return store.ManyWithin(v, ws, maxSearchBytes, store.ScanContact, "SELECT "+store.ContactColumns+store.ContactTables+
			" WHERE k.workspace_id = $1 ORDER BY k.contact_id LIMIT $2", limit)
	}
	return store.ManyWithin(v, ws, maxSearchBytes, store.ScanContact, "SELECT "+store.ContactColumns+store.ContactTables+
		" WHERE k.workspace_id = $1 AND k.contact_id > $2 ORDER BY k.contact_id LIMIT $3", after, limit)
}

// SelectSearchableCompanies is [SelectSearchableContacts] for companies.
func SelectSearchableCompanies(v store.Reader, ws parley.WorkspaceID, after parley.ID, limit int) ([]parley.Company, error) {
	if after.IsZero() {
		return store.ManyWithin(v, ws, maxSearchBytes, store.ScanCompany,
			"SELECT "+store.CompanyColumns+" FROM companies WHERE workspace_id = $1 ORDER BY company_id LIMIT $2", limit)
	}
	return store.ManyWithin(v, ws, maxSearchBytes, store.ScanCompany,
		"SELECT "+store.CompanyColumns+" FROM companies WHERE workspace_id = $1 AND company_id > $2 ORDER BY company_id LIMIT $3", after, limit)
}

// SelectSearchableMessages returns messages after one of them, ordered by
// conversation and id, or from the start if it is zero. The limits are those of
// [SelectSearchableContacts].
func SelectSearchableMessages(v store.Reader, ws parley.WorkspaceID, after store.SearchRef, limit int) ([]parley.Message, error) {
	if after.ID.IsZero() {
		return store.ManyWithin(v, ws, maxSearchBytes, store.ScanMessage, "SELECT "+store.MessageColumns+store.MessageTables+
			" WHERE g.workspace_id = $1 ORDER BY g.conversation_id, g.message_id LIMIT $2", limit)
	}
	return store.ManyWithin(v, ws, maxSearchBytes, store.ScanMessage, "SELECT "+store.MessageColumns+store.MessageTables+
		` WHERE g.workspace_id = $1 AND (g.conversation_id, g.message_id) > ($2, $3)
		ORDER BY g.conversation_id, g.message_id LIMIT $4`, after.ConversationID, after.ID, limit)
}

// SelectFoundContacts returns the contacts in refs that still exist, in no particular
// order. refs must hold 1 to 200 entries.
func SelectFoundContacts(v store.Reader, ws parley.WorkspaceID, refs []store.SearchRef) ([]parley.Contact, error) {
	return store.Many(v, ws, store.ScanContact, "SELECT "+store.ContactColumns+store.ContactTables+" WHERE k.workspace_id = $1 AND k.contact_id IN ($2...)",
		recordIDs(refs))
}

// SelectFoundCompanies is [SelectFoundContacts] for companies.
func SelectFoundCompanies(v store.Reader, ws parley.WorkspaceID, refs []store.SearchRef) ([]parley.Company, error) {
	return store.Many(v, ws, store.ScanCompany, "SELECT "+store.CompanyColumns+" FROM companies WHERE workspace_id = $1 AND company_id IN ($2...)", recordIDs(refs))
}

func recordIDs(refs []store.SearchRef) store.List {
	ids := make([]parley.ID, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	return store.ListOf(ids)
}

// selectLabelNames returns the names of the labels that a workspace has defined.
func selectLabelNames(v store.Reader, ws parley.WorkspaceID) ([]string, error) {
	return store.Many(v, ws, store.Only[string], "SELECT label FROM labels WHERE workspace_id = $1")
}

// selectTeams returns the teams of a workspace that are not deleted.
func selectTeams(v store.Reader, ws parley.WorkspaceID) ([]parley.TeamRef, error) {
	return store.Many(v, ws, scanTeam, "SELECT team_id, name FROM teams WHERE workspace_id = $1 AND deleted_at = 0")
}

func scanTeam(r store.Row, t *parley.TeamRef) error { return r.Scan(&t.ID, &t.Name) }

// selectMessagesThere returns those of the messages that exist.
func selectMessagesThere(v store.Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], "SELECT message_id FROM messages WHERE workspace_id = $1 AND message_id IN ($2...)", store.ListOf(ids))
}

// selectMovedTo returns the next messages of a conversation after a place that are not younger
// than a time.
func selectMovedTo(v store.Reader, vis parley.Visibility, p place, at time.Time) ([]parley.ID, error) {
	return store.Many(v, vis, store.Only[parley.ID], `SELECT g.message_id FROM messages g WHERE OF_VISIBLE(g) AND g.conversation_id = $2
		AND g.message_id > $3 AND g.message_id < $4 ORDER BY g.message_id LIMIT $5`, p.conversation, parley.WorkspaceID(p.id), parley.FirstID(at.Add(time.Millisecond)), movedBatch)
}

// selectContactsThere returns those of the contacts that exist.
func selectContactsThere(v store.Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], "SELECT contact_id FROM contacts WHERE workspace_id = $1 AND contact_id IN ($2...)", store.ListOf(ids))
}

// KeepLegacyPosition stores the progress of the search index for nodes of the version
// before, which use search_positions. If the tables are being read, such a node starts
// over with them.
func KeepLegacyPosition(tx store.Writer, ws parley.WorkspaceID, p store.FollowerPosition) error {
	stage := ""
	if p.Place != "" {
		stage = "contacts"
	}
	return store.Exec(tx, ws, `INSERT INTO search_positions (workspace_id, step, version, epoch, seq, stage) VALUES ($1, 1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id) DO UPDATE SET step = search_positions.step + 1, version = $2, epoch = $3, seq = $4, stage = $5,
		after_conversation = NULL, after_id = NULL`, p.Version, p.Log.Epoch, p.Log.Seq, stage)
}
