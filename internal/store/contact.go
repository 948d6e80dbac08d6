package store

import (
	"slices"

	"parley"
)

// ContactColumns are the columns of a contact, from the tables of ContactTables.
const ContactColumns = `k.contact_id, k.name, k.email, k.phone_number, k.shop_name, k.avatar_url, k.identifier,
	k.custom_attributes, k.created_at, k.updated_at, k.last_activity_at, k.signed_at, k.signed_fields,
	k.identity_valid_after, k.visitor, o.company_id, o.name`

// ContactTables are the tables that ContactColumns are read from.
const ContactTables = ` FROM contacts k
	LEFT JOIN companies o ON o.workspace_id = k.workspace_id AND o.company_id = k.company_id`

func scanContact(r row, c *parley.Contact) error {
	return r.scan(&c.ID, &c.Name, &c.Email, &c.PhoneNumber, &c.ShopName, &c.AvatarURL, &c.Identifier,
		(*string)(&c.CustomAttributes), &c.CreatedAt, &c.UpdatedAt, &c.LastActivityAt, &c.SignedAt,
		(*int64)(&c.SignedFields), &c.IdentityValidAfter, &c.Visitor, &c.Company.ID, &c.Company.Name)
}

// InsertContact stores a new contact. The caller has checked that the
// identifier, e-mail address and phone number are free.
func (tx *Tx) InsertContact(ws parley.WorkspaceID, c *parley.Contact) error {
	return tx.exec(`INSERT INTO contacts (workspace_id, contact_id, name, email, email_key, phone_number, phone_key,
		shop_name, avatar_url, identifier, company_id, custom_attributes, created_at, updated_at, last_activity_at, signed_at, visitor,
		signed_fields, identity_valid_after)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
		ws, c.ID, c.Name, c.Email, parley.EmailKey(c.Email), c.PhoneNumber, parley.PhoneKey(c.PhoneNumber),
		c.ShopName, c.AvatarURL, c.Identifier, c.Company.ID, string(c.CustomAttributes), c.CreatedAt, c.UpdatedAt, c.LastActivityAt,
		c.SignedAt, c.Visitor, int64(c.SignedFields), c.IdentityValidAfter)
}

// UpdateContact stores the fields of a contact that can change, except for its
// last activity. The caller has checked that the identifier, e-mail address and
// phone number are free.
func (tx *Tx) UpdateContact(ws parley.WorkspaceID, c *parley.Contact) error {
	return tx.exec(`UPDATE contacts SET name = $3, email = $4, email_key = $5, phone_number = $6, phone_key = $7,
		shop_name = $8, avatar_url = $9, identifier = $10, company_id = $11, custom_attributes = $12, updated_at = $13,
		signed_at = $14, visitor = $15, signed_fields = $16, identity_valid_after = $17 WHERE workspace_id = $1 AND contact_id = $2`,
		ws, c.ID, c.Name, c.Email, parley.EmailKey(c.Email), c.PhoneNumber, parley.PhoneKey(c.PhoneNumber),
		c.ShopName, c.AvatarURL, c.Identifier, c.Company.ID, string(c.CustomAttributes), c.UpdatedAt, c.SignedAt, c.Visitor,
		int64(c.SignedFields), c.IdentityValidAfter)
}

// UpdateContactActivity stores the time of the contact's last message.
func (tx *Tx) UpdateContactActivity(ws parley.WorkspaceID, c *parley.Contact) error {
	return tx.exec("UPDATE contacts SET last_activity_at = $3 WHERE workspace_id = $1 AND contact_id = $2",
		ws, c.ID, c.LastActivityAt)
}

// Contact returns a contact.
func (v *View) Contact(ws parley.WorkspaceID, id parley.ID) (parley.Contact, error) {
	return one(v, "contact", scanContact,
		"SELECT "+ContactColumns+ContactTables+" WHERE k.workspace_id = $1 AND k.contact_id = $2", ws, id)
}

// ContactByIdentifier returns the contact with an identifier, which must not be
// empty.
func (v *View) ContactByIdentifier(ws parley.WorkspaceID, identifier string) (parley.Contact, error) {
	return one(v, "contact", scanContact, "SELECT "+ContactColumns+ContactTables+
		" WHERE k.workspace_id = $1 AND k.identifier = $2 AND k.identifier <> ''", ws, identifier)
}

// ContactByEmail returns the contact with an e-mail address, ignoring case. The
// address must not be empty.
func (v *View) ContactByEmail(ws parley.WorkspaceID, email string) (parley.Contact, error) {
	return one(v, "contact", scanContact, "SELECT "+ContactColumns+ContactTables+
		" WHERE k.workspace_id = $1 AND k.email_key = $2 AND k.email_key <> ''", ws, parley.EmailKey(email))
}

// ContactByPhone returns the contact with a phone number. Only the digits
// count, and there must be at least one.
func (v *View) ContactByPhone(ws parley.WorkspaceID, phone string) (parley.Contact, error) {
	return one(v, "contact", scanContact, "SELECT "+ContactColumns+ContactTables+
		" WHERE k.workspace_id = $1 AND k.phone_key = $2 AND k.phone_key <> ''", ws, parley.PhoneKey(phone))
}

// A ContactFilter narrows a list of contacts. Zero fields do not filter.
type ContactFilter struct {
	Email      string // ignoring case
	Identifier string
	Phone      string // compared as in [View.ContactByPhone]
	CompanyID  parley.ID
}

// Contacts returns contacts, newest first.
func (v *View) Contacts(ws parley.WorkspaceID, f ContactFilter, after parley.Position, limit int) (parley.Page[parley.Contact], error) {
	var c clause
	c.and("k.workspace_id = ?", ws)
	if f.Email != "" {
		c.and("k.email_key = ? AND k.email_key <> ''", parley.EmailKey(f.Email))
	}
	if f.Identifier != "" {
		c.and("k.identifier = ? AND k.identifier <> ''", f.Identifier)
	}
	if f.Phone != "" {
		c.and("k.phone_key = ? AND k.phone_key <> ''", parley.PhoneKey(f.Phone))
	}
	if !f.CompanyID.IsZero() {
		c.and("k.company_id = ?", f.CompanyID)
	}
	if !after.IsZero() {
		c.and("k.contact_id < ?", after.ID)
	}
	sql := "SELECT " + ContactColumns + ContactTables + c.where() + " ORDER BY k.contact_id DESC LIMIT " + c.arg(limit+1)
	return page(v, pageQuery{sql, c.args, limit}, scanContact, afterLast(func(last *parley.Contact) parley.Position {
		return parley.Position{ID: last.ID}
	}))
}

// CompanyContacts returns the ids of at most limit contacts of a company, most
// recently active first.
func (v *View) CompanyContacts(ws parley.WorkspaceID, company parley.ID, limit int) ([]parley.ID, error) {
	return many(v, func(r row, id *parley.ID) error { return r.scan(id) }, `SELECT contact_id FROM contacts
		WHERE workspace_id = $1 AND company_id = $2 ORDER BY last_activity_at DESC, contact_id DESC LIMIT $3`, ws, company, limit)
}

const (
	// contactOverhead is the most that the JSON of a contact takes besides the
	// texts of its own row: the name of its company, and what itemOverhead
	// names.
	contactOverhead = 3 << 10
	// jsonGrowth is the most bytes of JSON that one byte of text can become.
	jsonGrowth = 6
)

// ContactsByID returns the contacts that still exist among ids, in the order of
// ids. taken is the number of ids that it looked at: fewer than all if their
// JSON might exceed the size of a page, but at least one existing contact. ids
// must hold 1 to 200 ids.
func (v *View) ContactsByID(ws parley.WorkspaceID, ids []parley.ID) (contacts []parley.Contact, taken int, err error) {
	type weight struct {
		id    parley.ID
		bytes int
	}
	of := func(ids []parley.ID) *clause {
		var c clause
		c.and("k.workspace_id = ?", ws)
		list := make([]any, len(ids))
		for i, id := range ids {
			list[i] = id
		}
		c.conditions = append(c.conditions, "k.contact_id IN ("+c.list(padded(list))+")")
		return &c
	}
	c := of(ids)
	weights, err := many(v, func(r row, w *weight) error { return r.scan(&w.id, &w.bytes) },
		`SELECT k.contact_id, octet_length(k.custom_attributes) + octet_length(k.name) + octet_length(k.email) +
			octet_length(k.phone_number) + octet_length(k.shop_name) + octet_length(k.avatar_url) + octet_length(k.identifier)
		FROM contacts k`+c.where(), c.args...)
	if err != nil {
		return nil, 0, err
	}
	place, heavy := map[parley.ID]int{}, map[parley.ID]int{}
	for _, w := range weights {
		heavy[w.id] = w.bytes
	}
	for size := 0; taken < len(ids); taken++ {
		bytes, there := heavy[ids[taken]]
		if !there {
			continue
		}
		if size += contactOverhead + jsonGrowth*bytes; size > maxPageBytes && len(place) > 0 {
			break
		}
		place[ids[taken]] = taken
	}
	c = of(ids[:taken])
	contacts, err = many(v, scanContact, "SELECT "+ContactColumns+ContactTables+c.where(), c.args...)
	slices.SortFunc(contacts, func(a, b parley.Contact) int { return place[a.ID] - place[b.ID] })
	return contacts, taken, err
}

// MergedContact returns the contact that another contact was merged into.
func (v *View) MergedContact(ws parley.WorkspaceID, id parley.ID) (parley.Contact, error) {
	return one(v, "contact", scanContact, "SELECT "+ContactColumns+ContactTables+` WHERE k.workspace_id = $1
		AND k.contact_id = (SELECT into_id FROM merged_contacts WHERE workspace_id = $1 AND contact_id = $2)`, ws, id)
}
