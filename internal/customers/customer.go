package customers

import (
	"context"
	"net/url"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/store"
)

// CustomerPrefix begins every token of a customer's session.
const CustomerPrefix = "cs"

// ReturnPrefix begins every token of a session that a link in a mail began. It takes the
// place of no visitor's session, and servers that do not know such sessions refuse it.
const ReturnPrefix = "cr"

// errCustomerGone is the error for a customer without a session, whatever the
// reason.
func errCustomerGone() *parley.Error {
	return parley.Errorf(parley.Unauthenticated, "the session has ended; start another one")
}

// errIdentityRefused is the error for a customer whose identity was refused,
// whatever the reason, or is missing.
func errIdentityRefused() *parley.Error {
	return parley.Errorf(parley.Unauthenticated, "the identity was not accepted")
}

// A NewCustomerSession has the inputs with which a widget starts a session.
type NewCustomerSession struct {
	Identity parley.Optional[string] // the signed identity; absent for a visitor
	Visitor  parley.Token            // of the visitor's session before; "" for none
	Page     string                  // address of the page around the widget; "" if it is not known
}

// A CustomerEntry is a customer's session with the customer and, if the session
// is new, its token, which is shown only this once.
type CustomerEntry struct {
	Session parley.CustomerSession
	Contact parley.Contact // with the id alone for a visitor who wrote nothing yet
	Token   parley.Token

	adopted bool // the contact was there without an identifier, and was found by the e-mail address
	ended   bool // another session ended by this one
}

// StartCustomerSession starts a session for the customer in front of a widget:
// for the contact that the identity names (see resolve), or for a visitor. What
// the visitor of an earlier session in the same inbox wrote is taken over, and
// that session ends. If the widget does not use identities, an identity is
// ignored. A refused identity, or a missing one that the widget requires, is
// Unauthenticated.
func (svc *Service) StartCustomerSession(ctx context.Context, w Widget, in NewCustomerSession) (CustomerEntry, error) {
	ws, seen := w.Workspace.ID, IdentityAttempt{InboxID: w.Inbox.ID, Origin: originOf(in.Page)}
	var claims *identity.Claims
	if w.Settings.Identity != parley.IdentityOff && in.Identity.Has() { // an empty one too: a server failed to sign it
		verified, err := svc.VerifyIdentity(ctx, ws, in.Identity.Value, seen)
		if err != nil {
			return CustomerEntry{}, err
		}
		claims = &verified
	}
	token, err := parley.NewToken(CustomerPrefix)
	if err != nil {
		return CustomerEntry{}, err
	}
	entry, err := write(ctx, svc, desk.Caller{Workspace: ws}, func(t *tx) (CustomerEntry, error) {
		entry := CustomerEntry{Token: token, Session: parley.CustomerSession{
			ID: t.IDs.New(t.Now), Workspace: ws, InboxID: w.Inbox.ID, CreatedAt: t.Now, SeenAt: t.Now,
		}}
		before, err := t.admit(&entry, in.Visitor, claims)
		if err != nil {
			return entry, err
		}
		entry.ended = !before.ID.IsZero() || entry.Session.Signed()
		return entry, InsertCustomerSession(t, t.WS, &entry.Session, token.Hash())
	})
	if entry.ended || err != nil && parley.KindOf(err) == parley.Unavailable { // a visitor who just arrives must not cost the others their place in the cache
		svc.customers.Forget()
	}
	if refused, ok := identity.AsRejected(err); ok {
		svc.keepRejected(ctx, ws, refused, seen)
		err = errIdentityRefused()
	}
	if err == nil && entry.adopted {
		svc.log.Info("identity: contact adopted by e-mail address", "workspace", ws, "contact", entry.Contact.ID, "kid", entry.Session.KID)
	}
	return entry, err
}

// BeginReturn starts the session of a link in a mail, which sees one conversation, and returns
// its token.
func BeginReturn(t *desk.Tx, c *parley.Conversation) (parley.Token, error) {
	token, err := parley.NewToken(ReturnPrefix)
	if err != nil {
		return "", err
	}
	return token, InsertCustomerSession(t, t.WS, &parley.CustomerSession{
		ID: t.IDs.New(t.Now), Workspace: t.WS, InboxID: c.Inbox.ID, ContactID: c.Contact.ID, ConversationID: c.ID,
		CreatedAt: t.Now, SeenAt: t.Now, ExpiresAt: t.Now.Add(parley.ReturnLife),
	}, token.Hash())
}

// admit gives a session to a customer, by the widget's settings in this
// transaction. A change of the settings ends the sessions that they no longer
// allow, and none is started after it. It returns the visitor's previous
// session, which has ended, or the zero session.
func (t *tx) admit(entry *CustomerEntry, visitor parley.Token, claims *identity.Claims) (before parley.CustomerSession, err error) {
	settings, err := widgetSettings(&t.View, t.WS, entry.Session.InboxID)
	if err != nil {
		return before, err
	}
	signed := claims != nil && settings.Identity != parley.IdentityOff
	if !signed && settings.Identity == parley.IdentityRequired {
		return before, errIdentityRefused()
	}
	if before, err = t.visitorBefore(entry.Session.InboxID, visitor); err != nil {
		return before, err
	}
	if signed {
		return before, t.beginSigned(entry, before, claims)
	}
	return before, t.beginVisitor(entry, before)
}

// originOf returns the origin of a page's address, or "" if it has none or
// contains characters that browsers never write in an origin.
func originOf(page string) string {
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !parley.WellFormedHost(u.Host) {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// visitorBefore ends the visitor's session of a token and returns it, or the
// zero session if there is none in the inbox. A session with an identity is not
// used, because whoever has its token need not be the person who signs in now.
func (t *tx) visitorBefore(inbox parley.ID, token parley.Token) (parley.CustomerSession, error) {
	var none parley.CustomerSession
	if !token.WellFormed(CustomerPrefix) {
		return none, nil
	}
	s, err := SelectCustomerSessionByHash(t, token.Hash(), t.Now)
	if parley.KindOf(err) == parley.NotFound {
		return none, nil
	}
	if err != nil || s.Workspace != t.WS || s.InboxID != inbox || s.Signed() {
		return none, err
	}
	if _, err := DeleteCustomerSession(t, t.WS, s.ID); err != nil {
		return none, err
	}
	return s, t.UpdateAccess(t.WS)
}

// beginVisitor makes a session that of a visitor, the previous one if there was
// one.
func (t *tx) beginVisitor(entry *CustomerEntry, before parley.CustomerSession) (err error) {
	entry.Session.ContactID = before.ContactID
	if before.ID.IsZero() {
		entry.Session.ContactID = t.IDs.New(t.Now)
	}
	entry.Contact, err = visitorContact(&t.View, &entry.Session)
	entry.Session.ExpiresAt = t.Now.Add(visitorLife(&entry.Contact))
	return err
}

// visitorLife is how long a visitor's session lasts after its last use. A
// visitor who wrote nothing has nothing to come back for.
func visitorLife(c *parley.Contact) time.Duration {
	if c.CreatedAt.IsZero() {
		return parley.VisitorSilent
	}
	return parley.VisitorIdle
}

// beginSigned makes a session that of the contact whom an identity names.
func (t *tx) beginSigned(entry *CustomerEntry, before parley.CustomerSession, claims *identity.Claims) (err error) {
	if entry.Contact, entry.adopted, err = t.resolve(claims); err != nil {
		return err
	}
	entry.Session.ContactID, entry.Session.KID = entry.Contact.ID, claims.KID
	entry.Session.ExpiresAt = claims.ExpiresAt.Add(parley.IdentityGrace)
	if last := t.Now.Add(parley.IdentityLife); entry.Session.ExpiresAt.After(last) {
		entry.Session.ExpiresAt = last
	}
	if before.ID.IsZero() {
		return nil
	}
	return t.absorbVisitor(before.ContactID, entry.Contact.ID)
}

// visitorContact returns the contact of a session, or only the id for a visitor
// who wrote nothing yet.
func visitorContact(v *store.View, s *parley.CustomerSession) (parley.Contact, error) {
	c, err := v.Contact(s.Workspace, s.ContactID)
	if parley.KindOf(err) == parley.NotFound && !s.Signed() {
		return parley.Contact{ID: s.ContactID, Visitor: true}, nil
	}
	return c, err
}

// AuthenticateCustomer returns the session of a customer's token, and from time
// to time records the use of a visitor's. A malformed or unknown token, an
// ended session, and a session whose key was revoked are Unauthenticated.
func (svc *Service) AuthenticateCustomer(ctx context.Context, token parley.Token) (parley.CustomerSession, error) {
	if !token.WellFormed(CustomerPrefix) && !token.WellFormed(ReturnPrefix) {
		return parley.CustomerSession{}, errCustomerGone()
	}
	hash, now := token.Hash(), svc.clock.Now()
	s, known := svc.customers.Get(hash)
	if !known || !s.Signed() && now.Sub(s.SeenAt) >= access.SeenPause {
		var err error
		s, err = desk.View(svc.desk, func(v *store.View) (parley.CustomerSession, error) { return SelectCustomerSessionByHash(v, hash, now) }).Now(ctx)
		if parley.KindOf(err) == parley.NotFound {
			err = errCustomerGone()
		}
		if err != nil {
			return s, err
		}
		if !s.Signed() && now.Sub(s.SeenAt) >= access.SeenPause {
			if s, err = svc.seenVisitor(ctx, s); err != nil {
				return s, err
			}
		}
		svc.customers.Put(hash, s)
	}
	if !now.Before(s.ExpiresAt) {
		return s, errCustomerGone()
	}
	return s, nil
}

// seenVisitor records the use of a visitor's session, which extends it. If the
// store cannot be written to, the session stays as it was.
func (svc *Service) seenVisitor(ctx context.Context, s parley.CustomerSession) (parley.CustomerSession, error) {
	moved, err := write(ctx, svc, desk.Caller{Workspace: s.Workspace}, func(t *tx) (parley.CustomerSession, error) {
		moved, err := SelectCustomerSession(t, t.WS, s.ID, t.Now)
		if err != nil || t.Now.Sub(moved.SeenAt) < access.SeenPause {
			return moved, err
		}
		contact, err := visitorContact(&t.View, &moved)
		if err != nil {
			return moved, err
		}
		if moved.SeenAt = t.Now; !moved.Limited() {
			moved.ExpiresAt = t.Now.Add(visitorLife(&contact))
		}
		return moved, UpdateCustomerSessionSeen(t, t.WS, &moved)
	})
	switch {
	case err == nil:
		return moved, nil
	case parley.KindOf(err) == parley.NotFound:
		return s, errCustomerGone() // it was ended meanwhile
	}
	svc.log.Warn("customers: use of session not stored", "error", err)
	return s, nil
}

// SessionNow returns the present state of a session, which may have ended, or
// belong to another contact, since the request was admitted.
func (svc *Service) SessionNow(v *store.View, s parley.CustomerSession) (parley.CustomerSession, error) {
	now, err := SelectCustomerSession(v, s.Workspace, s.ID, svc.clock.Now())
	if parley.KindOf(err) == parley.NotFound {
		err = errCustomerGone()
	}
	return now, err
}

// Customer returns the present state of a session and its customer.
func (svc *Service) Customer(s parley.CustomerSession) desk.Read[CustomerEntry] {
	return desk.Snapshot(svc.desk, func(v *store.View) (e CustomerEntry, err error) {
		if e.Session, err = svc.SessionNow(v, s); err != nil {
			return e, err
		}
		e.Contact, err = visitorContact(v, &e.Session)
		return e, err
	})
}

// EndCustomerSession ends a session and returns the number of ended sessions.
func (svc *Service) EndCustomerSession(ctx context.Context, s parley.CustomerSession) (int, error) {
	defer svc.customers.Forget()
	return write(ctx, svc, desk.Caller{Workspace: s.Workspace}, func(t *tx) (int, error) {
		there, err := DeleteCustomerSession(t, t.WS, s.ID)
		if err != nil || !there {
			return 0, err
		}
		return 1, t.UpdateAccess(t.WS)
	})
}

// SignOutCustomer ends all sessions of a contact, also given the id of one that
// was merged into it, and returns their number. From then on, identities issued
// earlier are refused, and so are those that do not say when they were issued.
func (svc *Service) SignOutCustomer(ctx context.Context, by desk.Caller, id parley.ID) (int, error) {
	defer svc.customers.Forget()
	return write(ctx, svc, by, func(t *tx) (int, error) {
		c, err := desk.ContactNow(&t.View, t.WS, id)
		if err != nil {
			return 0, err
		}
		c.IdentityValidAfter = t.Now
		if err := t.UpdateContact(t.WS, &c); err != nil {
			return 0, err
		}
		ended, err := DeleteCustomerSessions(t, t.WS, c.ID)
		if err != nil || ended == 0 {
			return 0, err
		}
		if err := t.Audit.Of(entry.CustomerSignedOut, entry.SubjectContact, c.ID.String()); err != nil {
			return 0, err
		}
		return ended, t.UpdateAccess(t.WS)
	})
}
