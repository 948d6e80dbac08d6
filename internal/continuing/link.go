package continuing

import (
	"context"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/merging"
	"parley/internal/store"
)

const (
	// linkPath begins the address of a link in a mail, and linkPrefix its token.
	linkPath   = "/c/"
	linkPrefix = "cl"
)

// errNoLink is the error for a link that leads nowhere, whatever the reason.
func errNoLink() *parley.Error { return parley.NotFoundf("this link is not valid") }

// newLink stores a link to a letter's conversation, and returns its address.
func (svc *Service) newLink(t *desk.Tx, l *letter) (string, error) {
	token, err := parley.NewToken(linkPrefix)
	if err != nil {
		return "", err
	}
	key, err := svc.mail.AddressKey(t, l.to.address)
	if err != nil {
		return "", err
	}
	return svc.publicURL + linkPath + string(token), insertLink(t, t.WS, token.Hash(), link{
		conversation: l.conversation, contact: l.to.contact, toKey: key, expiresAt: t.Now.Add(parley.ReturnLink),
	})
}

// A destination is where a link leads.
type destination struct {
	link         link
	company      string
	conversation parley.Conversation
}

// destinationOf returns where a token leads. A link of a contact who was merged into another
// one, of a conversation that is gone, or of one whose inbox requires identities now, leads
// nowhere.
func destinationOf(v *store.View, l link) (d destination, err error) {
	d.link = l
	vis := desk.Caller{Workspace: l.workspace}.Visibility()
	if d.conversation, err = desk.ConversationNow(v, vis, l.conversation); err != nil {
		return d, err
	}
	p, err := selectPlace(v, vis, d.conversation.ID)
	if err != nil {
		return d, err
	}
	if d.conversation.Contact.ID != l.contact || p.identity == parley.IdentityRequired || p.channel != parley.ChannelWeb {
		return d, errNoLink()
	}
	w, err := v.Workspace(l.workspace)
	d.company = w.Name
	return d, err
}

// find returns the link of a token; an unknown or malformed one is NotFound.
func (svc *Service) find(ctx context.Context, token parley.Token) (destination, error) {
	if !token.WellFormed(linkPrefix) {
		return destination{}, errNoLink()
	}
	now := svc.desk.Base().Clock.Now()
	return desk.Snapshot(svc.desk, func(v *store.View) (destination, error) {
		l, err := selectLinkAcross(v, token.Hash(), now)
		if err != nil {
			return destination{}, err
		}
		return destinationOf(v, l)
	}).Now(ctx)
}

// An Entry is what a link in a mail opens.
type Entry struct {
	Inbox, Conversation parley.ID
	Token               parley.Token // of a session that sees this conversation alone
}

// Enter begins a session for the customer of a link. Whoever has the link reads the mails to
// its address, so the address is confirmed: it becomes the contact's, unless it is another
// one's. A link whose address is not the contact's any more is NotFound, as is one that has
// expired.
func (svc *Service) Enter(ctx context.Context, token parley.Token) (Entry, error) {
	found, err := svc.find(ctx, token)
	if err != nil {
		return Entry{}, err
	}
	return desk.Write(ctx, svc.desk, desk.Caller{Workspace: found.link.workspace}, func(t *desk.Tx) (Entry, error) {
		d, err := destinationOf(&t.View, found.link)
		if err != nil {
			return Entry{}, err
		}
		contact, err := t.Contact(t.WS, d.link.contact)
		if err != nil {
			return Entry{}, err
		}
		t.Origin.Actor = parley.CustomerActor(contact.ID)
		if err := svc.confirm(t, &contact, d.link.toKey); err != nil {
			return Entry{}, err
		}
		session, err := customers.BeginReturn(t, &d.conversation)
		return Entry{Inbox: d.conversation.Inbox.ID, Conversation: d.conversation.ID, Token: session}, err
	})
}

// confirm makes an address the contact's, if it is the one that the visitor typed.
func (svc *Service) confirm(t *desk.Tx, contact *parley.Contact, toKey string) error {
	is := func(address string) (bool, error) {
		if address == "" {
			return false, nil
		}
		key, err := svc.mail.AddressKey(t, address)
		return key == toKey, err
	}
	if known, err := is(contact.Email); err != nil || known {
		return err
	}
	typed, err := customers.TypedOf(t, t.WS, contact.ID)
	if err != nil {
		return err
	}
	if same, err := is(typed.Email); err != nil || !same || contact.Email != "" {
		if err == nil {
			err = errNoLink()
		}
		return err
	}
	other, err := t.ContactByEmail(t.WS, typed.Email)
	switch {
	case err == nil:
		return merging.NoteDuplicate(t, contact.ID, parley.ContactDuplicate{Other: desk.ContactRef(&other), Email: typed.Email})
	case parley.KindOf(err) != parley.NotFound:
		return err
	}
	_, err = t.ChangeContact(*contact, desk.ContactFields{Email: parley.Some(typed.Email)})
	return err
}

// Expire deletes the links that have expired.
func Expire(t *desk.Tx) error { return deleteExpiredLinks(t, t.WS, t.Now) }
