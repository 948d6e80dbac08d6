package store

import "parley"

// KeepSearchPosition stores the progress of the search index for nodes of the
// version before, which use search_positions. If the tables are being read, such a
// node starts over with them.
func (tx *Tx) KeepSearchPosition(ws parley.WorkspaceID, p FollowerPosition) error {
	return tx.exec(`INSERT INTO search_positions (workspace_id, step, version, epoch, seq, stage) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id) DO UPDATE SET step = search_positions.step + 1, version = $3, epoch = $4, seq = $5, stage = $6,
		after_conversation = NULL, after_id = NULL`, ws, 1, p.Version, p.Log.Epoch, p.Log.Seq, legacyStage(p))
}

func legacyStage(p FollowerPosition) string {
	if p.Place == "" {
		return ""
	}
	return "contacts"
}

// maxSearchBytes is about how much text one read for the index returns, not
// counting its last record.
const maxSearchBytes = 256 << 10

// SearchableContacts returns at most limit contacts after an id, ordered by id,
// or from the start if it is zero. It returns fewer if they are large, but at
// least one if there is one.
func (v *View) SearchableContacts(ws parley.WorkspaceID, after parley.ID, limit int) ([]parley.Contact, error) {
	c := behindID("k.workspace_id", "k.contact_id", ws, after)
	return manyWithin(v, maxSearchBytes, scanContact,
		"SELECT "+contactColumns+contactTables+c.where()+" ORDER BY k.contact_id LIMIT "+c.arg(limit), c.args...)
}

// SearchableCompanies is [View.SearchableContacts] for companies.
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

// SearchableMessages returns messages after one of them, ordered by
// conversation and id, or from the start if it is zero. The limits are those of
// [View.SearchableContacts].
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
	Message parley.Message // without the name of its sender
	Contact parley.ContactRef
}

// FoundMessages returns the messages that refs name, in no particular order.
// refs must hold 1 to 200 entries.
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

// FoundContacts returns the contacts in refs that still exist, in no particular
// order. refs must hold 1 to 200 entries.
func (v *View) FoundContacts(ws parley.WorkspaceID, refs []SearchRef) ([]parley.Contact, error) {
	var c clause
	c.and("k.workspace_id = ?", ws)
	c.conditions = append(c.conditions, "k.contact_id IN ("+c.list(recordIDs(refs))+")")
	return many(v, scanContact, "SELECT "+contactColumns+contactTables+c.where(), c.args...)
}

// FoundCompanies is [View.FoundContacts] for companies.
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
