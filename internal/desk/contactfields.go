package desk

import (
	"parley"
	"parley/internal/store"
)

// normalize normalizes details, except the identifier; see storedForm.
func (in *ContactFields) normalize() {
	for _, text := range []*parley.Optional[string]{&in.Name, &in.ShopName} {
		text.Value = parley.OneLine(text.Value)
	}
	in.PhoneNumber.Value = parley.E164(in.PhoneNumber.Value)
}

// storedForm normalizes an id that a caller chose: one line, without surrounding
// blanks. An id that is already stored in its original form, from a token or an
// earlier version, stays as it is.
func storedForm[T any](id string, find func(string) (T, error)) (string, error) {
	line := parley.OneLine(id)
	if line == id {
		return id, nil
	}
	if _, err := find(id); parley.KindOf(err) != parley.NotFound {
		return id, err
	}
	return line, nil
}

// storedIdentifier is storedForm for the identifier of a contact.
func storedIdentifier(v *store.View, ws parley.WorkspaceID, identifier string) (string, error) {
	return storedForm(identifier, func(id string) (parley.Contact, error) { return v.ContactByIdentifier(ws, id) })
}

// checkEmail refuses an invalid e-mail address unless the contact already has
// it.
func (in *ContactFields) checkEmail(stored string) error {
	if email := in.Email.Or(""); email != "" && !parley.ValidEmail(email) && parley.EmailKey(email) != parley.EmailKey(stored) {
		return parley.InvalidField("email", parley.EmailRule)
	}
	return nil
}

// A detail is a text of a contact with its requested value.
type detail struct {
	name   string
	stored string
	in     *parley.Optional[string]
	signed parley.SignedFields // the bit of the field; 0 for none
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

// keep removes changes that must not affect a contact found by a POST, and
// returns their names: values that would clear something, because many systems
// send "" for unknown values; and, if the contact was not found by its
// identifier, another identifier and values that would replace signed fields.
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
			kept = kept || parley.EmailKey(given) == parley.EmailKey(d.stored) // keeps its signed spelling
		}
		if kept {
			*d.in = parley.Optional[string]{}
			ignored = append(ignored, d.name)
		}
	}
	return ignored
}

// companies returns the names of the fields that name a company.
func (in *ContactFields) companies() (names []string) {
	if in.CompanyID.Set {
		names = append(names, "companyId")
	}
	if in.StoreID.Set {
		names = append(names, "storeId")
	}
	return names
}

// company returns the company to which a contact should be linked, and the name
// of the field that names it. stored is the present company. If both fields are
// given and differ, the one that differs from stored counts: a client may read
// a contact, change one field and send both back.
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
