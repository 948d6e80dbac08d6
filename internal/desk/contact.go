package desk

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// ContactFields are the details of a contact. Absent fields stay unchanged, or
// are empty on a new contact.
type ContactFields struct {
	Name             parley.Optional[string]
	Email            parley.Optional[string]
	PhoneNumber      parley.Optional[string] // null: none
	ShopName         parley.Optional[string]
	AvatarURL        parley.Optional[string] // null: none
	Identifier       parley.Optional[string]
	CompanyID        parley.Optional[parley.ID] // null: no company; has no effect on a new contact
	StoreID          parley.Optional[parley.ID] // the old name of CompanyID; see company
	CustomAttributes parley.Attributes          // merged; null deletes an attribute
}

// VisitorName is the name of contacts about whom nothing is known.
const VisitorName = "Visitor"

// Contact returns a contact, or the contact into which it was merged.
func (d *Desk) Contact(ws parley.WorkspaceID, id parley.ID) Read[parley.Contact] {
	return View(d, func(v *store.View) (parley.Contact, error) { return ContactNow(v, ws, id) })
}

// A ContactFilter narrows a list of contacts.
type ContactFilter = store.ContactFilter

// Contacts returns contacts, newest first.
func (d *Desk) Contacts(ws parley.WorkspaceID, f ContactFilter, after parley.Position, limit int) Read[parley.Page[parley.Contact]] {
	return View(d, func(v *store.View) (page parley.Page[parley.Contact], err error) {
		f := f // the closure may run more than once
		if f.Identifier, err = storedIdentifier(v, ws, f.Identifier); err != nil {
			return page, err
		}
		return v.Contacts(ws, f, after, limit)
	})
}

// CompanyContacts returns the contacts of a company, most recently active
// first, in batches that fit into memory. The read makes the first batch, and
// going through the result the others. Between two batches contacts may change,
// and deleted ones are left out.
func (d *Desk) CompanyContacts(ws parley.WorkspaceID, company parley.ID, limit int) Read[iter.Seq2[[]parley.Contact, error]] {
	type piece struct {
		contacts []parley.Contact
		rest     []parley.ID
	}
	read := func(v *store.View, ids []parley.ID) (p piece, err error) {
		if len(ids) == 0 {
			return p, nil
		}
		contacts, taken, err := v.ContactsByID(ws, ids)
		return piece{contacts, ids[taken:]}, err
	}
	first := Snapshot(d, func(v *store.View) (piece, error) {
		if _, err := v.Company(ws, company); err != nil {
			return piece{}, err
		}
		ids, err := v.CompanyContacts(ws, company, limit)
		if err != nil {
			return piece{}, err
		}
		return read(v, ids)
	})
	return Then(first, func(ctx context.Context, next piece) (iter.Seq2[[]parley.Contact, error], error) {
		return func(yield func([]parley.Contact, error) bool) {
			var err error
			for yield(next.contacts, err) && err == nil && len(next.rest) > 0 {
				next, err = Snapshot(d, func(v *store.View) (piece, error) { return read(v, next.rest) }).Now(ctx)
			}
		}, nil
	})
}

// SaveContact updates the contact with the given identity (the identifier, else
// the e-mail address, else the phone number), or creates one. An identity that
// belongs to two different contacts is a Conflict. It clears nothing, and a
// contact found by e-mail address or phone number keeps its identifier and the
// fields from a signed identity; fields without effect are returned as ignored.
// See [Desk.UpdateContact] for what is refused.
func (d *Desk) SaveContact(ctx context.Context, by Caller, in ContactFields) (Saved[parley.Contact], error) {
	if in.CompanyID.Set && in.StoreID.Set && in.CompanyID != in.StoreID {
		return Saved[parley.Contact]{}, errTwoCompanies()
	}
	in.normalize()
	return Write(ctx, d, by, func(t *Tx) (Saved[parley.Contact], error) {
		in := in // the closure may run more than once
		owners, err := t.identityOwners(&in)
		if err != nil {
			return Saved[parley.Contact]{}, err
		}
		if len(owners) == 0 {
			if err := in.checkEmail(""); err != nil {
				return Saved[parley.Contact]{}, err
			}
			c, err := t.createContact(in)
			return Saved[parley.Contact]{Record: c, Created: true, Ignored: in.companies()}, err
		}
		first := owners[0]
		for _, other := range owners[1:] {
			if other.contact.ID != first.contact.ID {
				return Saved[parley.Contact]{}, twoContacts(first, other)
			}
		}
		if err := in.checkEmail(first.contact.Email); err != nil {
			return Saved[parley.Contact]{}, err
		}
		ignored := in.keep(&first.contact, first.field == "identifier")
		c, err := t.ChangeContact(first.contact, in)
		return Saved[parley.Contact]{Record: c, Ignored: ignored}, err
	})
}

// twoContacts is the Conflict if two parts of an identity belong to different
// contacts.
func twoContacts(first, other identityOwner) error {
	e := parley.Errorf(parley.Conflict, "%s and %s: must belong to one contact; they belong to %s and %s",
		first.field, other.field, first.contact.ID, other.contact.ID).About(first.contact.ID, other.contact.ID)
	e.Fields = []string{first.field, other.field}
	return e
}

// UpdateContact changes the details of a contact, or of the contact into which
// it was merged. An identity that belongs to another contact is a Conflict that
// names it. So is another identifier or e-mail address for a contact with a
// signed identity.
func (d *Desk) UpdateContact(ctx context.Context, by Caller, id parley.ID, in ContactFields) (parley.Contact, error) {
	in.normalize()
	return Write(ctx, d, by, func(t *Tx) (parley.Contact, error) {
		c, err := ContactNow(&t.View, t.WS, id)
		if err != nil {
			return c, err
		}
		in := in // the closure may run more than once
		owners, err := t.identityOwners(&in)
		if err != nil {
			return c, err
		}
		for _, owner := range owners {
			if owner.contact.ID != c.ID {
				return c, parley.FieldErrorf(parley.Conflict, owner.field,
					"must not belong to another contact; it belongs to %s", owner.contact.ID).About(owner.contact.ID)
			}
		}
		if err := in.checkEmail(c.Email); err != nil {
			return c, err
		}
		return t.ChangeContact(c, in)
	})
}

// An identityOwner is the contact with a value of an identity.
type identityOwner struct {
	field   string
	contact parley.Contact
}

// identityOwners finds the contacts with the given identifier, e-mail address
// and phone number, in that order, and normalizes the identifier.
func (t *Tx) identityOwners(in *ContactFields) (owners []identityOwner, err error) {
	if in.Identifier.Value, err = storedIdentifier(&t.View, t.WS, in.Identifier.Value); err != nil {
		return nil, err
	}
	for _, identity := range []struct {
		field string
		value parley.Optional[string]
		find  func(parley.WorkspaceID, string) (parley.Contact, error)
	}{
		{"identifier", in.Identifier, t.ContactByIdentifier},
		{"email", in.Email, t.ContactByEmail},
		{"phoneNumber", in.PhoneNumber, t.ContactByPhone},
	} {
		if identity.value.Or("") == "" {
			continue
		}
		contact, err := identity.find(t.WS, identity.value.Value)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return nil, err
		}
		if err == nil {
			owners = append(owners, identityOwner{identity.field, contact})
		}
	}
	return owners, nil
}

func (t *Tx) createContact(in ContactFields) (parley.Contact, error) {
	c := parley.Contact{ID: t.IDs.New(t.Now), CreatedAt: t.Now, UpdatedAt: t.Now, LastActivityAt: t.Now}
	in.CompanyID, in.StoreID = parley.Optional[parley.ID]{}, parley.Optional[parley.ID]{} // contract: applies only on update
	if _, err := t.applyFields(&c, in); err != nil {
		return c, err
	}
	return c, t.AddContact(&c)
}

// AddContact stores a new contact and announces it.
func (t *Tx) AddContact(c *parley.Contact) error {
	if err := t.InsertContact(t.WS, c); err != nil {
		return err
	}
	t.Announce(parley.ContactCreated, parley.ID{}, nil, wire.AppendContact(nil, c, false))
	return nil
}

// checkSigned refuses to change the identity of a signed contact. The signed
// e-mail address in another case is equal, and keeps its signed spelling.
func (in *ContactFields) checkSigned(c *parley.Contact) error {
	const rule = "must stay as it is, for it came with a signed identity"
	if !c.SignedAt.IsZero() && in.Identifier.Set && in.Identifier.Or("") != c.Identifier {
		return parley.FieldErrorf(parley.Conflict, "identifier", rule)
	}
	if c.SignedFields.Has(parley.SignedEmail) && in.Email.Set {
		if parley.EmailKey(in.Email.Or("")) != parley.EmailKey(c.Email) {
			return parley.FieldErrorf(parley.Conflict, "email", rule)
		}
		in.Email = parley.Optional[string]{}
	}
	return nil
}

// ChangeContact stores new details. When a contact that was never signed gets
// an identifier, its visitors' sessions end, because from then on its messages
// may be for another person than the one in front of the widget. An e-mail
// address that an agent enters during a chat ends nothing until its owner signs
// in.
func (t *Tx) ChangeContact(c parley.Contact, in ContactFields) (parley.Contact, error) {
	if err := in.checkSigned(&c); err != nil {
		return c, err
	}
	phone := c.PhoneNumber
	changed, err := t.applyFields(&c, in)
	if err != nil || len(changed) == 0 {
		return c, err
	}
	if slices.Contains(changed, "phoneNumber") {
		if err := t.leavePhone(c, phone); err != nil {
			return c, err
		}
	}
	if slices.Contains(changed, "identifier") && c.Identifier != "" && c.SignedAt.IsZero() {
		if err := t.EndVisitorSessions(c.ID); err != nil {
			return c, err
		}
	}
	for name, bit := range map[string]parley.SignedFields{
		"name": parley.SignedName, "phoneNumber": parley.SignedPhone, "avatarUrl": parley.SignedAvatar,
	} {
		if slices.Contains(changed, name) {
			c.SignedFields &^= bit
		}
	}
	c.UpdatedAt = t.Now
	if err := t.UpdateContact(t.WS, &c); err != nil {
		return c, err
	}
	t.Announce(parley.ContactUpdated, parley.ID{}, changed, wire.AppendContact(nil, &c, false))
	return c, nil
}

// ContactNow returns a contact, or the contact into which it was merged, so
// that ids of contacts stay valid.
func ContactNow(v *store.View, ws parley.WorkspaceID, id parley.ID) (parley.Contact, error) {
	c, err := v.Contact(ws, id)
	if parley.KindOf(err) == parley.NotFound {
		return v.MergedContact(ws, id)
	}
	return c, err
}

// EndVisitorSessions ends the sessions of a contact that no key vouches for,
// because anybody may be using them.
func (t *Tx) EndVisitorSessions(contact parley.ID) error {
	ended, err := DeleteVisitorSessions(t, t.WS, contact)
	if err != nil || !ended {
		return err
	}
	return t.UpdateAccess(t.WS)
}

func (t *Tx) applyFields(c *parley.Contact, in ContactFields) (changed []string, err error) {
	Set(&changed, "name", &c.Name, in.Name)
	Set(&changed, "email", &c.Email, in.Email)
	Set(&changed, "phoneNumber", &c.PhoneNumber, in.PhoneNumber)
	Set(&changed, "shopName", &c.ShopName, in.ShopName)
	Set(&changed, "avatarUrl", &c.AvatarURL, in.AvatarURL)
	Set(&changed, "identifier", &c.Identifier, in.Identifier)
	link, field, err := in.company(c.Company.ID)
	if err != nil {
		return nil, err
	}
	if link.Set && link.Or(parley.ID{}) != c.Company.ID {
		c.Company = parley.CompanyRef{}
		if link.Has() {
			company, err := t.Company(t.WS, link.Value)
			if err != nil {
				return nil, Reference(field, err)
			}
			c.Company = parley.CompanyRef{ID: company.ID, Name: company.Name}
		}
		changed = append(changed, "companyId")
	}
	return changed, MergeAttributes(&changed, &c.CustomAttributes, in.CustomAttributes)
}

// ErrTwice is a programming error: a rule was checked and then broken in the
// same transaction.
func ErrTwice(what string) error {
	return fmt.Errorf("%s: %w", what, errors.New("unique value was taken in the same transaction"))
}
