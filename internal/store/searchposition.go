package store

import "parley"

// A SearchStage says which table is read into the index of the search; "" means
// none, so that the log is followed.
type SearchStage string

// The stages, in their order.
const (
	SearchContacts  SearchStage = "contacts"
	SearchCompanies SearchStage = "companies"
	SearchMessages  SearchStage = "messages"
	SearchFollows   SearchStage = ""
)

// A SearchPosition is how far a workspace is in the index of the search.
type SearchPosition struct {
	Step    int // counts the moves; 0 before the first
	Version int // of the way in which words are made
	Log     parley.LogPosition
	Stage   SearchStage
	// After is the last record that was read in the stage.
	After SearchRef
}

// SearchPosition returns how far the workspace is in the index; NotFound where
// it never was.
func (v *View) SearchPosition(ws parley.WorkspaceID) (SearchPosition, error) {
	return one(v, "search position", func(r row, p *SearchPosition) error {
		return r.scan(&p.Step, &p.Version, &p.Log.Epoch, &p.Log.Seq, (*string)(&p.Stage), &p.After.ConversationID, &p.After.ID)
	}, `SELECT step, version, epoch, seq, stage, after_conversation, after_id
		FROM search_positions WHERE workspace_id = $1`, ws)
}

// MoveSearchPosition moves the position on from the step before to p.Step. It
// reports false, and nothing moves, where somebody else has moved it.
func (tx *Tx) MoveSearchPosition(ws parley.WorkspaceID, p SearchPosition) (bool, error) {
	args := []any{ws, p.Step, p.Version, p.Log.Epoch, p.Log.Seq, string(p.Stage), p.After.ConversationID, p.After.ID}
	if p.Step == 1 {
		return tx.inserted(`INSERT INTO search_positions (workspace_id, step, version, epoch, seq, stage, after_conversation, after_id)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (workspace_id) DO NOTHING RETURNING 1`, args...)
	}
	return tx.inserted(`UPDATE search_positions SET step = $2, version = $3, epoch = $4, seq = $5, stage = $6,
		after_conversation = $7, after_id = $8 WHERE workspace_id = $1 AND step = $2 - 1 RETURNING 1`, args...)
}

// maxSearchBytes is about how much one read for the index returns of texts and
// attributes, but for its last record.
const maxSearchBytes = 256 << 10

// SearchableContacts returns contacts behind one of them, by their ids, or from
// the first where that is zero: limit of them at most, and fewer where they are
// large, but one at least if there is one.
func (v *View) SearchableContacts(ws parley.WorkspaceID, after parley.ID, limit int) ([]parley.Contact, error) {
	c := behindID("k.workspace_id", "k.contact_id", ws, after)
	return manyWithin(v, maxSearchBytes, scanContact,
		"SELECT "+contactColumns+contactTables+c.where()+" ORDER BY k.contact_id LIMIT "+c.arg(limit), c.args...)
}

// SearchableCompanies is SearchableContacts for companies.
func (v *View) SearchableCompanies(ws parley.WorkspaceID, after parley.ID, limit int) ([]parley.Company, error) {
	c := behindID("workspace_id", "company_id", ws, after)
	return manyWithin(v, maxSearchBytes, scanCompany,
		"SELECT "+companyColumns+" FROM companies"+c.where()+" ORDER BY company_id LIMIT "+c.arg(limit), c.args...)
}

func behindID(workspace, column string, ws parley.WorkspaceID, after parley.ID) clause {
	var c clause
	c.and(workspace+" = ?", ws)
	if !after.IsZero() {
		c.and(column+" > ?", after)
	}
	return c
}

// SearchableMessages returns the messages behind one of them, conversation by
// conversation, or from the first where that is zero, as many as
// SearchableContacts would.
func (v *View) SearchableMessages(ws parley.WorkspaceID, after SearchRef, limit int) ([]parley.Message, error) {
	var c clause
	c.and("g.workspace_id = ?", ws)
	if !after.ID.IsZero() {
		c.conditions = append(c.conditions,
			"(g.conversation_id, g.message_id) > ("+c.arg(after.ConversationID)+", "+c.arg(after.ID)+")")
	}
	return manyWithin(v, maxSearchBytes, scanMessage, "SELECT "+messageColumns+messageTables+c.where()+
		" ORDER BY g.conversation_id, g.message_id LIMIT "+c.arg(limit), c.args...)
}

// A FoundMessage is a message with the contact of its conversation.
type FoundMessage struct {
	Message parley.Message // without its sender's name
	Contact parley.ContactRef
}

// FoundMessages returns the messages that refs name, in any order. There are
// some, 200 at most.
func (v *View) FoundMessages(ws parley.WorkspaceID, refs []SearchRef) ([]FoundMessage, error) {
	var c clause
	workspace := c.arg(ws)
	places := make([]any, len(refs))
	for i, ref := range refs {
		places[i] = ref
	}
	either := ""
	for i, place := range padded(places) {
		ref := place.(SearchRef)
		if i > 0 {
			either += " OR "
		}
		either += "(g.workspace_id = " + workspace + " AND g.conversation_id = " + c.arg(ref.ConversationID) +
			" AND g.message_id = " + c.arg(ref.ID) + ")"
	}
	return many(v, func(r row, f *FoundMessage) error {
		return r.scan(&f.Message.ID, &f.Message.ConversationID, &f.Message.Content, &f.Message.CreatedAt,
			&f.Contact.ID, &f.Contact.Name, &f.Contact.Email, &f.Contact.PhoneNumber)
	}, `SELECT g.message_id, g.conversation_id, g.content, g.created_at, k.contact_id, k.name, k.email, k.phone_number
		FROM messages g
		LEFT JOIN conversations c ON c.workspace_id = g.workspace_id AND c.conversation_id = g.conversation_id
		LEFT JOIN contacts k ON k.workspace_id = c.workspace_id AND k.contact_id = c.contact_id WHERE `+either, c.args...)
}

// FoundContacts returns the contacts that refs name and that are still there, in
// any order. There are some, 200 at most.
func (v *View) FoundContacts(ws parley.WorkspaceID, refs []SearchRef) ([]parley.Contact, error) {
	var c clause
	c.and("k.workspace_id = ?", ws)
	c.conditions = append(c.conditions, "k.contact_id IN ("+c.list(recordIDs(refs))+")")
	return many(v, scanContact, "SELECT "+contactColumns+contactTables+c.where(), c.args...)
}

// FoundCompanies is FoundContacts for companies.
func (v *View) FoundCompanies(ws parley.WorkspaceID, refs []SearchRef) ([]parley.Company, error) {
	var c clause
	c.and("workspace_id = ?", ws)
	c.conditions = append(c.conditions, "company_id IN ("+c.list(recordIDs(refs))+")")
	return many(v, scanCompany, "SELECT "+companyColumns+" FROM companies"+c.where(), c.args...)
}

func recordIDs(refs []SearchRef) []any {
	ids := make([]any, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	return padded(ids)
}
