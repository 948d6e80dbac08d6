package publicapi

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

// contact renders a contact, with storeId until the sunset.
func (c *call) contact(b []byte, contact *parley.Contact) []byte {
	return wire.AppendContact(b, contact, c.stores)
}

// contactFields reads the body of POST and PATCH.
func contactFields(c *call) desk.ContactFields {
	c.ReadBody()
	return desk.ContactFields{
		Name:             httpjson.Change(c.Reader, "name", httpjson.Text(parley.MaxName)),
		Email:            httpjson.Change(c.Reader, "email", httpjson.EmailOrStored),
		PhoneNumber:      httpjson.ChangeOrNull(c.Reader, "phoneNumber", httpjson.PhoneText),
		ShopName:         httpjson.Change(c.Reader, "shopName", httpjson.Text(parley.MaxName)),
		AvatarURL:        httpjson.ChangeOrNull(c.Reader, "avatarUrl", httpjson.URL),
		Identifier:       httpjson.Change(c.Reader, "identifier", httpjson.Text(parley.MaxName)),
		CompanyID:        httpjson.ChangeOrNull(c.Reader, "companyId", httpjson.ID),
		StoreID:          c.storeID(),
		CustomAttributes: httpjson.Default(c.Reader, "customAttributes", httpjson.Attributes, ""),
	}
}

// storeID reads storeId, which is an alias of companyId until the sunset.
func (c *call) storeID() parley.Optional[parley.ID] {
	if !c.stores {
		return parley.Optional[parley.ID]{}
	}
	return httpjson.ChangeOrNull(c.Reader, "storeId", httpjson.ID)
}

func (a *API) createContact(c *call) (httpjson.Reply, error) {
	in := contactFields(c)
	return do(c, func(saved desk.Saved[parley.Contact]) httpjson.Reply {
		return httpjson.Saved(saved.Created, c.contact(nil, &saved.Record))
	}, func(ctx context.Context, by desk.Caller) (desk.Saved[parley.Contact], error) {
		saved, err := a.desk.SaveContact(ctx, by, in)
		c.Ignore(saved.Ignored...)
		return saved, err
	})
}

func (a *API) updateContact(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	in := contactFields(c)
	return do(c, func(changed parley.Contact) httpjson.Reply {
		return httpjson.OK(c.contact(nil, &changed))
	}, func(ctx context.Context, by desk.Caller) (parley.Contact, error) {
		return a.desk.UpdateContact(ctx, by, id, in)
	})
}

func (a *API) getContact(c *call) (httpjson.Reply, error) {
	id, err := c.PathIDOrNotFound("id", "contact")
	if err != nil {
		return httpjson.Reply{}, err
	}
	return get(c, func(contact parley.Contact) []byte { return c.contact(nil, &contact) },
		a.desk.Contact(c.ws, id))
}

func (a *API) listContacts(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	filter := desk.ContactFilter{
		Email:      c.QueryFilled("email", parley.MaxName),
		Identifier: c.QueryFilled("identifier", parley.MaxName),
		Phone:      c.QueryText("phone", parley.MaxName, false),
		CompanyID:  c.QueryID("companyId"),
	}
	if filter.Phone != "" && parley.PhoneKey(filter.Phone) == "" {
		c.Refuse("phone", "have digits")
	}
	list := contactList(&filter)
	after := c.cursor("cursor", list)
	return get(c, func(p parley.Page[parley.Contact]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), c.contact)
	}, a.desk.Contacts(c.ws, filter, after, limit))
}
