package desk

import (
	"context"
	"strings"

	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// CompanyFields are the details of a company. Absent fields stay unchanged, or
// are empty on a new company.
type CompanyFields struct {
	Name       parley.Optional[string]
	Website    parley.Optional[string]
	Industry   parley.Optional[string]
	Notes      parley.Optional[string]
	ExternalID parley.Optional[string]
}

// A CompanyRecord is a company and the number of its contacts.
type CompanyRecord struct {
	Company      parley.Company
	ContactCount int
}

// Company returns a company with the number of its contacts.
func (d *Desk) Company(ws parley.WorkspaceID, id parley.ID) Read[CompanyRecord] {
	return Snapshot(d, func(v *store.View) (r CompanyRecord, err error) {
		if r.Company, err = v.Company(ws, id); err != nil {
			return r, err
		}
		r.ContactCount, err = CountContacts(v, ws, id)
		return r, err
	})
}

// A CompanyFilter narrows a list of companies.
type CompanyFilter = store.CompanyFilter

// Companies returns companies, newest first. If search is not empty, their name
// or website contains it.
func (d *Desk) Companies(ws parley.WorkspaceID, f CompanyFilter, after parley.Position, limit int) Read[parley.Page[parley.Company]] {
	return View(d, func(v *store.View) (page parley.Page[parley.Company], err error) {
		f := f // the closure may run more than once
		if f.ExternalID, err = storedExternalID(v, ws, f.ExternalID); err != nil {
			return page, err
		}
		return v.Companies(ws, f, after, limit)
	})
}

// SaveCompany creates a company, or updates the one with the external id, of
// which there is only one. It clears nothing; fields without effect are
// returned as ignored.
func (d *Desk) SaveCompany(ctx context.Context, by Caller, in CompanyFields) (Saved[parley.Company], error) {
	if err := in.normalize(); err != nil {
		return Saved[parley.Company]{}, err
	}
	return Write(ctx, d, by, func(t *Tx) (saved Saved[parley.Company], err error) {
		in := in // the closure may run more than once
		if in.ExternalID.Value, err = storedExternalID(&t.View, t.WS, in.ExternalID.Value); err != nil {
			return saved, err
		}
		if in.ExternalID.Or("") != "" {
			c, err := t.CompanyByExternalID(t.WS, in.ExternalID.Value)
			if err == nil {
				ignored := in.keep(&c)
				c, err = t.changeCompany(c, in)
				return Saved[parley.Company]{Record: c, Ignored: ignored}, err
			}
			if parley.KindOf(err) != parley.NotFound {
				return Saved[parley.Company]{}, err
			}
		}
		c := parley.Company{ID: t.IDs.New(t.Now), CreatedAt: t.Now, UpdatedAt: t.Now}
		in.Apply(&c)
		return Saved[parley.Company]{Record: c, Created: true}, t.AddCompany(&c)
	})
}

// AddCompany stores a new company and announces it.
func (t *Tx) AddCompany(c *parley.Company) error {
	free, err := t.InsertCompany(t.WS, c)
	if err == nil && !free {
		err = ErrTwice("external id")
	}
	if err != nil {
		return err
	}
	t.Announce(parley.CompanyCreated, parley.ID{}, nil, wire.AppendCompany(nil, c))
	return nil
}

// UpdateCompany changes the details of a company. The external id of another
// company is a Conflict that names it.
func (d *Desk) UpdateCompany(ctx context.Context, by Caller, id parley.ID, in CompanyFields) (parley.Company, error) {
	if err := in.normalize(); err != nil {
		return parley.Company{}, err
	}
	return Write(ctx, d, by, func(t *Tx) (parley.Company, error) {
		c, err := t.Company(t.WS, id)
		if err != nil {
			return c, err
		}
		in := in // the closure may run more than once
		if in.ExternalID.Value, err = storedExternalID(&t.View, t.WS, in.ExternalID.Value); err != nil {
			return c, err
		}
		if in.ExternalID.Or("") != "" {
			other, err := t.CompanyByExternalID(t.WS, in.ExternalID.Value)
			if err != nil && parley.KindOf(err) != parley.NotFound {
				return c, err
			}
			if err == nil && other.ID != id {
				return c, parley.FieldErrorf(parley.Conflict, "externalId",
					"must not belong to another company; it belongs to %s", other.ID).About(other.ID)
			}
		}
		return t.changeCompany(c, in)
	})
}

// changeCompany applies a caller's changes to a company. From then on
// identities no longer change the name or website if the caller set it.
func (t *Tx) changeCompany(c parley.Company, in CompanyFields) (parley.Company, error) {
	changed := in.Apply(&c)
	if c.NamedByIdentity && (in.Name.Set || in.Website.Set) {
		c.NamedByIdentity = false
		if len(changed) == 0 {
			return c, t.UpdateCompany(t.WS, &c)
		}
	}
	return t.SaveCompany(c, changed)
}

// SaveCompany stores a changed company.
func (t *Tx) SaveCompany(c parley.Company, changed []string) (parley.Company, error) {
	if len(changed) == 0 {
		return c, nil
	}
	c.UpdatedAt = t.Now
	if err := t.UpdateCompany(t.WS, &c); err != nil {
		return c, err
	}
	t.Announce(parley.CompanyUpdated, parley.ID{}, changed, wire.AppendCompany(nil, &c))
	return c, nil
}

// storedExternalID is storedForm for the external id of a company.
func storedExternalID(v *store.View, ws parley.WorkspaceID, externalID string) (string, error) {
	return storedForm(externalID, func(id string) (parley.Company, error) { return v.CompanyByExternalID(ws, id) })
}

// normalize normalizes details, except the external id; see storedForm. "" and null both
// mean no value. A name of control characters only is Invalid.
func (in *CompanyFields) normalize() error {
	for _, text := range []*parley.Optional[string]{&in.Name, &in.Website, &in.Industry} {
		text.Value = parley.OneLine(text.Value)
	}
	for _, text := range []*parley.Optional[string]{&in.Website, &in.Industry, &in.Notes} {
		text.Null = text.Null || text.Set && strings.TrimSpace(text.Value) == ""
	}
	in.ExternalID.Null = in.ExternalID.Null || in.ExternalID.Set && parley.OneLine(in.ExternalID.Value) == ""
	if in.Name.Set && in.Name.Value == "" {
		return parley.InvalidField("name", "be a string of 1 to 255 characters, not blank")
	}
	return nil
}

// keep removes changes that would clear something in a company found by a POST,
// and returns their names.
func (in *CompanyFields) keep(c *parley.Company) (ignored []string) {
	for _, text := range []struct {
		name   string
		stored *string
		in     *parley.Optional[string]
	}{{"website", c.Website, &in.Website}, {"industry", c.Industry, &in.Industry}, {"notes", c.Notes, &in.Notes}} {
		if text.in.Null && text.stored != nil {
			*text.in = parley.Optional[string]{}
			ignored = append(ignored, text.name)
		}
	}
	return ignored
}

// Apply applies the details to a company and returns the names of the changed
// fields.
func (in *CompanyFields) Apply(c *parley.Company) (changed []string) {
	Set(&changed, "name", &c.Name, in.Name)
	setText(&changed, "website", &c.Website, in.Website)
	setText(&changed, "industry", &c.Industry, in.Industry)
	setText(&changed, "notes", &c.Notes, in.Notes)
	Set(&changed, "externalId", &c.ExternalID, in.ExternalID)
	return changed
}

// setText is [Set] for a text that can be null.
func setText(changed *[]string, name string, field **string, update parley.Optional[string]) {
	if !update.Set {
		return
	}
	value, before := update.Or(""), ""
	if *field != nil {
		before = **field
	}
	if value == before {
		return
	}
	*field = nil
	if value != "" { // an empty text means none
		*field = &value
	}
	*changed = append(*changed, name)
}
