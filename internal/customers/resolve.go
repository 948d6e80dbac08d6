package customers

import (
	"cmp"
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/merging"
	"parley/internal/wire"
)

// resolve returns the contact whom a signed identity names: the contact with
// its subject as identifier, else one without an identifier that has its e-mail
// address, else a new one. It stores what the identity says about the contact
// and its organization (docs/adr/0023-customers.md).
//
// Only the subject decides who somebody is. An address that belongs to the
// contact of another subject stays there, so that nobody can read what another
// person wrote; the two are recorded as possible duplicates. When a contact
// becomes that of a subject, sessions without an identity end. adopted reports
// whether the contact was found by its address.
func (t *tx) resolve(c *identity.Claims) (contact parley.Contact, adopted bool, err error) {
	if err := t.vouch(c); err != nil {
		return contact, false, err
	}
	contact, found, err := t.contactOf(c)
	if err != nil {
		return contact, false, err
	}
	if refused := c.IssuedAfter(contact.IdentityValidAfter); refused != nil {
		return contact, false, refused
	}
	t.Origin.Actor = parley.CustomerActor(contact.ID)
	before := contact
	if found != matchNone && contact.SignedAt.IsZero() {
		if err := t.EndVisitorSessions(contact.ID); err != nil {
			return contact, false, err
		}
	}
	contact.Identifier = cmp.Or(contact.Identifier, c.Subject)
	contact.Visitor = false
	if contact.SignedAt.IsZero() {
		contact.SignedAt = t.Now
	}
	taken, err := t.profile(&contact, c)
	if err != nil {
		return contact, false, err
	}
	if err := t.organization(&contact, c.Organization); err != nil {
		return contact, false, err
	}
	if err := t.saveResolved(&before, &contact, found != matchNone); err != nil {
		return contact, false, err
	}
	for _, pair := range taken {
		if err := merging.NoteDuplicate(t.Tx, contact.ID, pair); err != nil {
			return contact, false, err
		}
	}
	return contact, found == matchEmail, nil
}

// vouch records which source of identities first vouched for a subject, and
// refuses the subject from another one (docs/adr/0028-identity-sources.md). A
// subject moves to its new source once the previous one has no active key;
// while a key retires, it still vouches for its customers.
func (t *tx) vouch(c *identity.Claims) error {
	key, err := SelectIdentityKey(t, t.WS, c.KID)
	if parley.KindOf(err) == parley.NotFound {
		return errIdentityRefused() // deleted since the token was verified
	}
	if err != nil {
		return err
	}
	known, err := SelectIdentitySource(t, t.WS, c.Subject)
	if parley.KindOf(err) == parley.NotFound {
		return UpsertIdentitySource(t, t.WS, parley.IdentitySource{Subject: c.Subject, Source: key.Source()})
	}
	if err != nil || key.Source() == known.Source || key.Source() == known.Previous {
		return err
	}
	keys, err := SelectIdentityKeys(t, t.WS)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(keys, func(k parley.IdentityKey) bool {
		return k.Source() == known.Source && k.State(t.Now) == parley.KeyActive
	}) {
		return c.FromAnother(known.Source)
	}
	return UpsertIdentitySource(t, t.WS, parley.IdentitySource{Subject: c.Subject, Source: key.Source(), Previous: known.Source})
}

// A match says how the contact of an identity was found.
type match int

const (
	matchNone match = iota
	matchIdentifier
	matchEmail
)

// contactOf finds the contact of an identity, or starts a new one.
func (t *tx) contactOf(c *identity.Claims) (parley.Contact, match, error) {
	type way struct {
		find func(parley.WorkspaceID, string) (parley.Contact, error)
		by   string
		as   match
	}
	merged := func(ws parley.WorkspaceID, identifier string) (parley.Contact, error) {
		return SelectMergedContactByIdentifier(t, ws, identifier)
	}
	ways := []way{{t.ContactByIdentifier, c.Subject, matchIdentifier}, {merged, c.Subject, matchIdentifier}}
	if c.Email != "" && c.EmailVerified {
		ways = append(ways, way{t.adoptable, c.Email, matchEmail})
	}
	for _, w := range ways {
		contact, err := w.find(t.WS, w.by)
		if parley.KindOf(err) != parley.NotFound {
			return contact, w.as, err
		}
	}
	return parley.Contact{ID: t.IDs.New(t.Now), CreatedAt: t.Now, UpdatedAt: t.Now, LastActivityAt: t.Now}, matchNone, nil
}

// adoptable returns the contact with an e-mail address if it has no identifier
// and was never signed in: one from the API, or one whose address an agent
// entered.
func (t *tx) adoptable(ws parley.WorkspaceID, email string) (parley.Contact, error) {
	contact, err := t.ContactByEmail(ws, email)
	if err != nil {
		return contact, err
	}
	groups, err := desk.CountGroups(t, ws, contact.ID)
	if err != nil {
		return contact, err
	}
	if contact.Identifier != "" || !contact.SignedAt.IsZero() || groups > 0 {
		return contact, parley.NotFoundf("the address belongs to another contact")
	}
	return contact, nil
}

// profile updates a contact from the identity. An e-mail address or phone
// number of another contact stays there; taken returns these pairs. What the
// identity does not mention stays unchanged.
func (t *tx) profile(contact *parley.Contact, c *identity.Claims) (taken []parley.ContactDuplicate, err error) {
	signed := func(field *string, value string, bit parley.SignedFields) {
		if value != "" {
			*field = value
			contact.SignedFields |= bit
		}
	}
	signed(&contact.Name, c.Name, parley.SignedName)
	signed(&contact.AvatarURL, c.Picture, parley.SignedAvatar)
	phone := parley.E164(c.Phone)
	if c.Email != "" && c.EmailVerified {
		owner, free, err := freeFor(contact, func() (parley.Contact, error) { return t.ContactByEmail(t.WS, c.Email) })
		switch {
		case err != nil:
			return nil, err
		case free:
			signed(&contact.Email, c.Email, parley.SignedEmail)
		default:
			taken = append(taken, parley.ContactDuplicate{Other: owner, Email: c.Email})
		}
	}
	if phone != "" {
		owner, free, err := freeFor(contact, func() (parley.Contact, error) { return t.ContactByPhone(t.WS, phone) })
		switch {
		case err != nil:
			return nil, err
		case free:
			signed(&contact.PhoneNumber, phone, parley.SignedPhone)
		default:
			taken = append(taken, parley.ContactDuplicate{Other: owner, PhoneNumber: phone})
		}
	}
	merged, err := contact.CustomAttributes.Merge(c.Attributes)
	switch {
	case err == nil:
		contact.CustomAttributes = merged
	case parley.KindOf(err) != parley.Invalid:
		return nil, err
	} // attributes that would grow too large keep nobody out
	return taken, nil
}

// freeFor reports whether the value that find looks up is unused or belongs to
// the contact itself. Otherwise it returns the contact that has it.
func freeFor(contact *parley.Contact, find func() (parley.Contact, error)) (parley.ContactRef, bool, error) {
	owner, err := find()
	switch {
	case parley.KindOf(err) == parley.NotFound:
		return parley.ContactRef{}, true, nil
	case err != nil:
		return parley.ContactRef{}, false, err
	}
	return parley.ContactRef{ID: owner.ID}, owner.ID == contact.ID, nil
}

// organization links a contact to the company of its organization, which is
// created with its first customer. Null removes the contact from its company.
func (t *tx) organization(contact *parley.Contact, claim parley.Optional[identity.Organization]) error {
	if !claim.Set {
		return nil
	}
	was := contact.Company
	contact.Company = parley.CompanyRef{}
	if claim.Has() {
		company, err := t.companyOf(&claim.Value)
		if err != nil {
			return err
		}
		contact.Company = parley.CompanyRef{ID: company.ID, Name: company.Name}
	}
	if was.ID == contact.Company.ID {
		return nil
	}
	return InsertCompanyMove(t, t.WS, &parley.CompanyMove{
		ID: t.IDs.New(t.Now), ContactID: contact.ID, From: was, To: contact.Company, MovedAt: t.Now,
	})
}

// companyOf returns the company of an organization. Its name and website follow
// the identities until a member changes them.
func (t *tx) companyOf(o *identity.Organization) (parley.Company, error) {
	company, err := t.CompanyByExternalID(t.WS, o.ID)
	if parley.KindOf(err) == parley.NotFound {
		company = parley.Company{
			ID: t.IDs.New(t.Now), Name: cmp.Or(o.Name, o.ID), ExternalID: o.ID, NamedByIdentity: true, CreatedAt: t.Now, UpdatedAt: t.Now,
		}
		if o.Website != "" {
			company.Website = &o.Website
		}
		return company, t.AddCompany(&company)
	}
	if err != nil || !company.NamedByIdentity {
		return company, err
	}
	var in desk.CompanyFields
	if o.Name != "" {
		in.Name = parley.Some(o.Name)
	}
	if o.Website != "" {
		in.Website = parley.Some(o.Website)
	}
	return t.SaveCompany(company, in.Apply(&company))
}

// saveResolved stores a contact that an identity changed or created.
func (t *tx) saveResolved(before, contact *parley.Contact, known bool) error {
	if !known {
		return t.AddContact(contact)
	}
	if *before == *contact {
		return nil
	}
	var changed []string
	for _, field := range []struct {
		name string
		same bool
	}{
		{"name", before.Name == contact.Name},
		{"email", before.Email == contact.Email},
		{"phoneNumber", before.PhoneNumber == contact.PhoneNumber},
		{"avatarUrl", before.AvatarURL == contact.AvatarURL},
		{"identifier", before.Identifier == contact.Identifier},
		{"companyId", before.Company.ID == contact.Company.ID},
		{"customAttributes", before.CustomAttributes == contact.CustomAttributes},
	} {
		if !field.same {
			changed = append(changed, field.name)
		}
	}
	if len(changed) > 0 {
		contact.UpdatedAt = t.Now
	}
	if err := t.UpdateContact(t.WS, contact); err != nil || len(changed) == 0 {
		return err
	}
	t.Announce(parley.ContactUpdated, parley.ID{}, changed, wire.AppendContact(nil, contact, false))
	return nil
}

// absorbVisitor moves what a visitor wrote to the contact who the visitor
// turned out to be. Nothing else of the visitor is taken over, because nobody
// vouched for it, nor for what an agent recorded about it.
func (t *tx) absorbVisitor(visitor, into parley.ID) error {
	from, err := t.Contact(t.WS, visitor)
	if parley.KindOf(err) == parley.NotFound { // who wrote nothing yet, but may have uploaded something
		if err := desk.UpdateAnswersContact(t, t.WS, visitor, into); err != nil {
			return err
		}
		return desk.UpdateAttachmentsContact(t, t.WS, visitor, into)
	}
	if err != nil || !from.Visitor || from.ID == into {
		return err
	}
	to, err := t.Contact(t.WS, into)
	if err != nil {
		return err
	}
	var changed []string
	if from.LastActivityAt.After(to.LastActivityAt) {
		to.LastActivityAt = from.LastActivityAt
		changed = append(changed, "lastActivityAt")
	}
	_, err = merging.JoinContacts(t.Tx, from, to, changed)
	return err
}
