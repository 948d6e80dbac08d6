// Package merging has the rules of contacts that are one person: pairs that may be,
// and the merge of two into one.
//
// It stands over the desk, in whose transactions it writes. Its functions that take
// a transaction serve the packages whose verbs merge contacts too, or find out that
// two may be one: customers and erasure.
//
// It may import the vocabulary, the store, the JSON shapes of events and the desk.
package merging

import (
	"context"
	"fmt"

	"parley"
	"parley/internal/desk"
	"parley/internal/wire"
)

// A Service has the verbs of merging. Its methods may be called by many goroutines.
type Service struct{ desk *desk.Desk }

// New returns a Service over a desk.
func New(d *desk.Desk) *Service { return &Service{desk: d} }

// MergeContacts merges a contact into another one and returns the latter. That
// one keeps its values and takes over those it lacks: name, e-mail address,
// phone number, shop, picture, identifier, company and custom attributes. It
// takes over all conversations and messages. From then on the id of the merged
// contact leads to it. Merging the same two again has no effect. A contact that
// stands for a group is a Conflict, and so is one that is being erased: the other one
// would go too.
func (svc *Service) MergeContacts(ctx context.Context, by desk.Caller, id, into parley.ID) (parley.Contact, error) {
	if id == into {
		return parley.Contact{}, parley.InvalidField("intoId", "be another contact")
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Contact, error) {
		from, err := desk.ContactNow(&t.View, t.WS, id)
		if err != nil {
			return from, err
		}
		to, err := desk.ContactNow(&t.View, t.WS, into)
		if err != nil {
			return to, desk.Reference("intoId", err)
		}
		if from.ID == to.ID {
			return to, nil
		}
		for _, c := range []parley.Contact{from, to} {
			groups, err := desk.CountGroups(t, t.WS, c.ID)
			if err != nil {
				return to, err
			}
			if groups > 0 {
				return to, parley.Errorf(parley.Conflict, "the contact %s stands for a group and cannot be merged", c.ID).About(c.ID)
			}
			erased, err := isBeingErased(t, t.WS, c.ID)
			if err != nil {
				return to, err
			}
			if erased {
				return to, parley.Errorf(parley.Conflict, "the contact %s is being erased and cannot be merged", c.ID).About(c.ID)
			}
		}
		changed, err := inherit(&to, &from)
		if err != nil {
			return to, err
		}
		return JoinContacts(t, from, to, changed)
	})
}

// JoinContacts merges a contact into another one, some fields of which have
// changed.
func JoinContacts(t *desk.Tx, from, to parley.Contact, changed []string) (parley.Contact, error) {
	moved, err := conversationsOf(t, from.ID)
	if err != nil {
		return to, err
	}
	left := Merged{ID: from.ID, PhoneKey: parley.PhoneKey(from.PhoneNumber)}
	if !from.SignedAt.IsZero() {
		left.Identifier = from.Identifier // nobody vouched for another identifier, so it leads nowhere
	}
	follow := t.Because(parley.ContactMerged, from.ID)
	// The merged contact gives up its conversations before it is deleted, and
	// its identity before the other one takes it.
	for _, step := range []func() error{
		func() error { return MoveMessages(t, t.WS, from.ID, to.ID) },
		func() error { return t.UpdateConversationsContact(t.WS, from.ID, to.ID, t.Now) },
		func() error { return desk.UpdateAttachmentsContact(t, t.WS, from.ID, to.ID) },
		func() error { return desk.UpdateAnswersContact(t, t.WS, from.ID, to.ID) },
		func() error { return UpdateCompanyMovesContact(t, t.WS, from.ID, to.ID) },
		func() error { return MoveVisit(t, t.WS, from.ID, to.ID) },
		func() error { return MoveTyped(t, t.WS, from.ID, to.ID) },
		func() error { return MoveMerged(t, t.WS, from.ID, to.ID) },
		func() error { return InsertMergedContact(t, t.WS, left, to.ID, t.Now) },
		func() error { return moveSessions(t, from.ID, to.ID) },
		func() error { return ForgetDuplicates(t, from.ID) },
		func() error { return DeleteContact(t, t.WS, from.ID) },
	} {
		if err := step(); err != nil {
			return to, err
		}
	}
	if len(changed) > 0 {
		to.UpdatedAt = t.Now
	}
	if err := t.UpdateContact(t.WS, &to); err != nil {
		return to, err
	}
	if len(changed) > 0 {
		if err := t.UpdateContactActivity(t.WS, &to); err != nil {
			return to, err
		}
		t.Announce(parley.ContactUpdated, parley.ID{}, changed, wire.AppendContact(nil, &to, false))
	}
	follow()
	t.Announce(parley.ContactMerged, parley.ID{}, nil, wire.AppendMerge(nil, from.ID, to.ID))
	return to, tellMoved(t, moved, from.ID, &to)
}

// conversationsOf returns all conversations of a contact.
func conversationsOf(t *desk.Tx, contact parley.ID) ([]parley.Conversation, error) {
	var all []parley.Conversation
	var after parley.Position
	for {
		page, err := t.Conversations(parley.WholeWorkspace(t.WS), desk.ConversationFilter{ContactID: contact, Spam: parley.AnySpam, AnyMerged: true}, after, parley.MaxLimit)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if !page.HasMore {
			return all, nil
		}
		after = page.Next
	}
}

// tellMoved announces that conversations belong to another contact; readers
// without access to contacts learn it only from this.
func tellMoved(t *desk.Tx, moved []parley.Conversation, from parley.ID, to *parley.Contact) error {
	defer t.Because(parley.ContactMerged, from)()
	for i := range moved {
		c := &moved[i]
		c.Contact = desk.ContactRef(to)
		t.AnnounceChange(c, c.Place(), "contact")
	}
	return nil
}

// moveSessions moves the sessions of a merged contact to the other one if a key
// vouches for them. Visitors' sessions end: nobody vouches for the visitor, who
// would see what the two contacts wrote together.
func moveSessions(t *desk.Tx, from, to parley.ID) error {
	visited, err := desk.DeleteVisitorSessions(t, t.WS, from)
	if err != nil {
		return err
	}
	stayed, err := desk.DeleteVisitorSessions(t, t.WS, to)
	if err != nil {
		return err
	}
	moved, err := MoveCustomerSessions(t, t.WS, from, to)
	if err != nil || !(visited || stayed || moved) {
		return err
	}
	return t.UpdateAccess(t.WS)
}

// inherit copies values that a contact lacks from another, and returns the
// names of the changed fields. A signed identifier replaces an unsigned one.
func inherit(to, from *parley.Contact) (changed []string, err error) {
	if to.Visitor && from.Name != "" && to.Name == desk.VisitorName {
		to.Name = "" // no one gave the name
	}
	to.Visitor = to.Visitor && from.Visitor
	if to.SignedAt.IsZero() && !from.SignedAt.IsZero() {
		to.SignedAt, to.Identifier = from.SignedAt, ""
	}
	if from.IdentityValidAfter.After(to.IdentityValidAfter) {
		to.IdentityValidAfter = from.IdentityValidAfter
	}
	for _, field := range []struct {
		name     string
		to, from *string
		signed   parley.SignedFields
	}{
		{"name", &to.Name, &from.Name, parley.SignedName},
		{"email", &to.Email, &from.Email, parley.SignedEmail},
		{"phoneNumber", &to.PhoneNumber, &from.PhoneNumber, parley.SignedPhone},
		{"shopName", &to.ShopName, &from.ShopName, 0},
		{"avatarUrl", &to.AvatarURL, &from.AvatarURL, parley.SignedAvatar},
		{"identifier", &to.Identifier, &from.Identifier, 0},
	} {
		if *field.to == "" && *field.from != "" {
			*field.to = *field.from
			to.SignedFields |= from.SignedFields & field.signed
			changed = append(changed, field.name)
		}
	}
	if to.Company.ID.IsZero() && !from.Company.ID.IsZero() {
		to.Company = from.Company
		changed = append(changed, "companyId")
	}
	both, err := from.CustomAttributes.Merge(to.CustomAttributes)
	if parley.KindOf(err) == parley.Invalid {
		return nil, parley.InvalidField("intoId", fmt.Sprintf("name a contact whose custom attributes take at most %d bytes as JSON together with these", parley.MaxAttributes))
	}
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
