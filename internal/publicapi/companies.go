package publicapi

import (
	"context"
	"iter"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

// maxNotes is the most characters of a company's notes, website and industry.
const maxNotes = 10000

// companyFields reads the fields that POST and PATCH share: all but the name.
func companyFields(c *call) desk.CompanyFields {
	note := httpjson.Text(maxNotes)
	in := desk.CompanyFields{
		Website:    httpjson.ChangeOrNull(c.Reader, "website", note),
		Industry:   httpjson.ChangeOrNull(c.Reader, "industry", note),
		Notes:      httpjson.ChangeOrNull(c.Reader, "notes", note),
		ExternalID: httpjson.ChangeOrNull(c.Reader, "externalId", httpjson.Text(parley.MaxName)),
	}
	return in
}

func (a *API) createCompany(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	name := httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxName))
	in := companyFields(c)
	in.Name = parley.Some(name)
	return do(c, func(saved desk.Saved[parley.Company]) httpjson.Reply {
		return httpjson.Saved(saved.Created, wire.AppendCompany(nil, &saved.Record))
	}, func(ctx context.Context, by desk.Caller) (desk.Saved[parley.Company], error) {
		saved, err := a.desk.SaveCompany(ctx, by, in)
		c.Ignore(saved.Ignored...)
		return saved, err
	})
}

func (a *API) updateCompany(c *call) (httpjson.Reply, error) {
	id, err := c.PathIDOrNotFound("id", "company")
	if err != nil {
		return httpjson.Reply{}, err
	}
	c.ReadBody()
	in := companyFields(c)
	in.Name = httpjson.Change(c.Reader, "name", httpjson.Filled(parley.MaxName))
	return do(c, func(changed parley.Company) httpjson.Reply {
		return httpjson.OK(wire.AppendCompany(nil, &changed))
	}, func(ctx context.Context, by desk.Caller) (parley.Company, error) {
		return a.desk.UpdateCompany(ctx, by, id, in)
	})
}

func (a *API) getCompany(c *call) (httpjson.Reply, error) {
	id, err := c.PathIDOrNotFound("id", "company")
	if err != nil {
		return httpjson.Reply{}, err
	}
	return get(c, func(r desk.CompanyRecord) []byte {
		return wire.AppendCompanyRecord(nil, &r.Company, r.ContactCount)
	}, a.desk.Company(c.ws, id))
}

func (a *API) listCompanies(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	filter := desk.CompanyFilter{
		Search:     c.QueryText("search", parley.MaxName, true),
		ExternalID: c.QueryFilled("externalId", parley.MaxName),
	}
	list := companyList(&filter)
	after := c.cursor("cursor", list)
	return get(c, func(p parley.Page[parley.Company]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), wire.AppendCompany)
	}, a.desk.Companies(c.ws, filter, after, limit))
}

func (a *API) listCompanyContacts(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultContactLimit)
	id, err := c.PathIDOrNotFound("id", "company")
	if err != nil {
		return httpjson.Reply{}, err
	}
	var pieces iter.Seq2[[]parley.Contact, error]
	reply, err := get(c, func(found iter.Seq2[[]parley.Contact, error]) []byte {
		pieces = found
		return nil
	}, a.desk.CompanyContacts(c.ws, id, limit))
	if err == nil {
		reply.Pieces = wire.DataPieces(pieces, c.contact)
	}
	return reply, err
}
