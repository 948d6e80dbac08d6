package desk

import (
	"context"

	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// contactNow returns a contact, and for one that was merged into another, that
// one: ids of contacts stay good for whoever has kept them.
func contactNow(v *store.View, ws parley.WorkspaceID, id parley.ID) (parley.Contact, error) {
	c, err := v.Contact(ws, id)
	if parley.KindOf(err) == parley.NotFound {
		return v.MergedContact(ws, id)
	}
	return c, err
}

// MergeContacts makes a contact part of another one, which stays and is
// returned. It keeps what it has and takes over what it lacks: name, e-mail
// address, phone number, shop, picture, identifier, company and custom
// attributes. Conversations, and what was written in them, become its own.
// From then on the id of the other leads to it. Merging the same two again
// changes nothing. A contact that stands for a group is a Conflict.
func (d *Desk) MergeContacts(ctx context.Context, by Caller, id, into parley.ID) (parley.Contact, error) {
	if id == into {
		return parley.Contact{}, parley.InvalidField("intoId", "be another contact")
	}
	return write(ctx, d, by, func(t *tx) (parley.Contact, error) {
		from, err := contactNow(&t.View, t.ws, id)
		if err != nil {
			return from, err
		}
		to, err := contactNow(&t.View, t.ws, into)
		if err != nil {
			return to, reference("intoId", err)
		}
		if from.ID == to.ID {
			return to, nil
		}
		for _, c := range []parley.Contact{from, to} {
			groups, err := t.GroupCount(t.ws, c.ID)
			if err != nil {
				return to, err
			}
			if groups > 0 {
				return to, parley.Errorf(parley.Conflict, "the contact %s stands for a group and cannot be merged", c.ID)
			}
		}
		return t.merge(from, to)
	})
}

func (t *tx) merge(from, to parley.Contact) (parley.Contact, error) {
	changed, err := inherit(&to, &from)
	if err != nil {
		return to, err
	}
	// The one that goes leaves its conversations before it leaves, and its
	// identity before the other takes it.
	for _, step := range []func() error{
		func() error { return t.UpdateMessagesContact(t.ws, from.ID, to.ID) },
		func() error { return t.UpdateConversationsContact(t.ws, from.ID, to.ID, t.now) },
		func() error { return t.UpdateMergedContacts(t.ws, from.ID, to.ID) },
		func() error { return t.InsertMergedContact(t.ws, from.ID, to.ID, t.now) },
		func() error { return t.DeleteContact(t.ws, from.ID) },
	} {
		if err := step(); err != nil {
			return to, err
		}
	}
	if len(changed) > 0 {
		to.UpdatedAt = t.now
		if err := t.UpdateContact(t.ws, &to); err != nil {
			return to, err
		}
		if err := t.UpdateContactActivity(t.ws, &to); err != nil {
			return to, err
		}
		t.emit(parley.ContactUpdated, parley.ID{}, changed, wire.AppendContact(nil, &to, false))
	}
	t.emit(parley.ContactMerged, parley.ID{}, nil, wire.AppendMerge(nil, from.ID, to.ID))
	return to, nil
}

// inherit gives a contact what it lacks and another has, and returns the names
// of the fields that are different now.
func inherit(to, from *parley.Contact) (changed []string, err error) {
	for _, field := range []struct {
		name     string
		to, from *string
	}{
		{"name", &to.Name, &from.Name},
		{"email", &to.Email, &from.Email},
		{"phoneNumber", &to.PhoneNumber, &from.PhoneNumber},
		{"shopName", &to.ShopName, &from.ShopName},
		{"avatarUrl", &to.AvatarURL, &from.AvatarURL},
		{"identifier", &to.Identifier, &from.Identifier},
	} {
		if *field.to == "" && *field.from != "" {
			*field.to = *field.from
			changed = append(changed, field.name)
		}
	}
	if to.Company.ID.IsZero() && !from.Company.ID.IsZero() {
		to.Company = from.Company
		changed = append(changed, "companyId")
	}
	both, err := from.CustomAttributes.Merge(to.CustomAttributes)
	if err != nil {
		return nil, err
	}
	if both != to.CustomAttributes {
		to.CustomAttributes = both
		changed = append(changed, "customAttributes")
	}
	if from.LastActivityAt.After(to.LastActivityAt) {
		to.LastActivityAt = from.LastActivityAt
		changed = append(changed, "lastActivityAt")
	}
	return changed, nil
}
