package desk

import (
	"parley"
	"parley/internal/store"
)

// tidy brings details into the form in which they are kept, but for the
// identifier: see asKept.
func (in *ContactFields) tidy() {
	for _, text := range []*parley.Optional[string]{&in.Name, &in.ShopName} {
		text.Value = parley.OneLine(text.Value)
	}
	in.PhoneNumber.Value = parley.E164(in.PhoneNumber.Value)
}

// asKept returns an id that a caller chose in the form in which it is kept: on one
// line, without blanks around it. One that is stored as it was given, by a token
// or a version before, stays as it is.
func asKept[T any](id string, find func(string) (T, error)) (string, error) {
	line := parley.OneLine(id)
	if line == id {
		return id, nil
	}
	if _, err := find(id); parley.KindOf(err) != parley.NotFound {
		return id, err
	}
	return line, nil
}

// identifierAsKept is asKept for a contact's identifier.
func identifierAsKept(v *store.View, ws parley.WorkspaceID, identifier string) (string, error) {
	return asKept(identifier, func(id string) (parley.Contact, error) { return v.ContactByIdentifier(ws, id) })
}

// checkEmail refuses what is no e-mail address for a contact that does not have
// it already.
func (in *ContactFields) checkEmail(stored string) error {
	if email := in.Email.Or(""); email != "" && !parley.ValidEmail(email) && parley.EmailKey(email) != parley.EmailKey(stored) {
		return parley.InvalidField("email", parley.EmailRule)
	}
	return nil
}

// A detail is a text of a contact with what somebody wants it to be.
type detail struct {
	name   string
	stored string
	in     *parley.Optional[string]
	signed parley.SignedFields // the bit of it; 0 for none
}

func (in *ContactFields) details(c *parley.Contact) []detail {
	return []detail{
		{"name", c.Name, &in.Name, parley.SignedName},
		{"email", c.Email, &in.Email, 0}, // a signed one is refused another, see checkSigned
		{"phoneNumber", c.PhoneNumber, &in.PhoneNumber, parley.SignedPhone},
		{"shopName", c.ShopName, &in.ShopName, 0},
		{"avatarUrl", c.AvatarURL, &in.AvatarURL, parley.SignedAvatar},
		{"identifier", c.Identifier, &in.Identifier, 0},
	}
}

// keep leaves out what must not change a contact that a POST has found, and
// returns its names: what would clear something, for many systems send "" for
// what they do not know; and, where the contact was not found by its identifier,
// another identifier and what would take the place of signed fields.
func (in *ContactFields) keep(c *parley.Contact, byIdentifier bool) (ignored []string) {
	for _, d := range in.details(c) {
		given := d.in.Or("")
		if !d.in.Set || given == d.stored {
			continue
		}
		kept := given == ""
		if !byIdentifier {
			kept = kept || c.SignedFields.Has(d.signed) || d.name == "identifier" && d.stored != ""
		}
		if d.name == "email" && c.SignedFields.Has(parley.SignedEmail) {
			kept = kept || parley.EmailKey(given) == parley.EmailKey(d.stored) // stays as it was signed
		}
		if kept {
			*d.in = parley.Optional[string]{}
			ignored = append(ignored, d.name)
		}
	}
	return ignored
}

// companies returns the names by which a company was given.
func (in *ContactFields) companies() (names []string) {
	if in.CompanyID.Set {
		names = append(names, "companyId")
	}
	if in.StoreID.Set {
		names = append(names, "storeId")
	}
	return names
}

// company returns to which company a contact is to be linked that is linked to
// the stored one, and the name by which that was given. Where both names were
// given, and differ, the one that differs from what is stored counts: a client
// reads a contact, changes one of them and writes all of it back.
func (in *ContactFields) company(stored parley.ID) (parley.Optional[parley.ID], string, error) {
	company, store := in.CompanyID, in.StoreID
	switch {
	case !store.Set, company == store, company.Set && store.Or(parley.ID{}) == stored:
		return company, "companyId", nil
	case !company.Set, company.Or(parley.ID{}) == stored:
		return store, "storeId", nil
	}
	return company, "", errTwoCompanies()
}

func errTwoCompanies() *parley.Error {
	return parley.InvalidField("storeId", "be the same as companyId, whose old name it is")
}
