package customers

import (
	"context"
	"net/url"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/store"
)

// CustomerPrefix begins every token of a customer's session.
const CustomerPrefix = "cs"

// errCustomerGone is told where a customer has no session, whatever the reason.
func errCustomerGone() *parley.Error {
	return parley.Errorf(parley.Unauthenticated, "the session has ended; start another one")
}

// errIdentityRefused is told to a customer whose identity was refused, whatever
// the reason, or is needed.
func errIdentityRefused() *parley.Error {
	return parley.Errorf(parley.Unauthenticated, "the identity was not accepted")
}

// A NewCustomerSession is what a widget starts a session with.
type NewCustomerSession struct {
	Identity parley.Optional[string] // the signed identity; absent for a visitor
	Visitor  parley.Token            // of the visitor's session before; "" for none
	Page     string                  // address of the page around the widget; "" if it is not known
}

// A CustomerEntry is a customer's session with the customer, and, where the
// session has just begun, the token that is told this once.
type CustomerEntry struct {
	Session parley.CustomerSession
	Contact parley.Contact // with the id alone for a visitor who wrote nothing yet
	Token   parley.Token

	adopted bool // the contact was there without an identifier, and was found by the e-mail address
}

// StartCustomerSession starts the session of a customer in front of a widget:
// of the contact whom the identity names (see resolve), or of a visitor. What
// the visitor of an earlier session of the same inbox wrote comes along, and
// that session ends. Where the widget takes no identities, one is not looked at;
// one that is refused, or is missing where the widget needs one, is
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
	ended := false // whether another session ended by this one
	entry, err := write(ctx, svc, desk.Caller{Workspace: ws}, func(t *tx) (CustomerEntry, error) {
		entry := CustomerEntry{Token: token, Session: parley.CustomerSession{
			ID: t.IDs.New(t.Now), Workspace: ws, InboxID: w.Inbox.ID, CreatedAt: t.Now, SeenAt: t.Now,
		}}
		before, err := t.letIn(&entry, in.Visitor, claims)
		if err != nil {
			return entry, err
		}
		ended = !before.ID.IsZero() || entry.Session.Signed()
		return entry, InsertCustomerSession(t, t.WS, &entry.Session, token.Hash())
	})
	if ended { // a visitor who just arrives must not cost the others their place in the cache
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

// letIn makes a session that of a customer, as the widget's settings are in this
// transaction: whoever changed them has ended the sessions that they do not
// allow, and none comes after. It returns the visitor's session before, which has
// ended, or the zero session.
func (t *tx) letIn(entry *CustomerEntry, visitor parley.Token, claims *identity.Claims) (before parley.CustomerSession, err error) {
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

// originOf returns the origin of a page's address, "" where it has none, or one
// with characters that browsers write in no origin.
func originOf(page string) string {
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !parley.WellFormedHost(u.Host) {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// visitorBefore ends the visitor's session of a token and returns it, or the
// zero session where there is none in that inbox. A session that somebody
// vouched for leads nowhere here: who has its token is not who signs in now.
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

// beginVisitor makes a session that of a visitor, the one before if there was
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

// visitorLife is how long a visitor's session lasts from its last use on. One
// who wrote nothing has nothing to come back for.
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

// visitorContact returns the contact of a session, with the id alone where it
// is a visitor's who wrote nothing yet.
func visitorContact(v *store.View, s *parley.CustomerSession) (parley.Contact, error) {
	c, err := v.Contact(s.Workspace, s.ContactID)
	if parley.KindOf(err) == parley.NotFound && !s.Signed() {
		return parley.Contact{ID: s.ContactID, Visitor: true}, nil
	}
	return c, err
}

// AuthenticateCustomer returns the session of a customer's token, and notes at
// times that a visitor's was used. A token that is malformed or unknown, a
// session that has ended, and one whose key was revoked are Unauthenticated.
func (svc *Service) AuthenticateCustomer(ctx context.Context, token parley.Token) (parley.CustomerSession, error) {
	if !token.WellFormed(CustomerPrefix) {
		return parley.CustomerSession{}, errCustomerGone()
	}
	hash, now := token.Hash(), svc.clock.Now()
	s, known := svc.customers.Get(hash)
	if !known || !s.Signed() && now.Sub(s.SeenAt) >= access.SeenPause {
		var err error
		s, err = desk.View(ctx, svc.desk, func(v *store.View) (parley.CustomerSession, error) { return SelectCustomerSessionByHash(v, hash, now) })
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

// seenVisitor stores that a visitor's session was used, which moves its end.
// Where the store cannot be written to now, the session goes on as it was.
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
		moved.SeenAt, moved.ExpiresAt = t.Now, t.Now.Add(visitorLife(&contact))
		return moved, UpdateCustomerSessionSeen(t, t.WS, &moved)
	})
	switch {
	case err == nil:
		return moved, nil
	case parley.KindOf(err) == parley.NotFound:
		return s, errCustomerGone() // it was ended meanwhile
	}
	svc.log.Warn("the use of a customer's session was not stored", "error", err)
	return s, nil
}

// sessionNow returns a session as it is now: it may have ended, or belong to
// another contact, since the request was let in.
func (svc *Service) sessionNow(v *store.View, s parley.CustomerSession) (parley.CustomerSession, error) {
	now, err := SelectCustomerSession(v, s.Workspace, s.ID, svc.clock.Now())
	if parley.KindOf(err) == parley.NotFound {
		err = errCustomerGone()
	}
	return now, err
}

// Customer returns a session and its customer as they are now.
func (svc *Service) Customer(ctx context.Context, s parley.CustomerSession) (CustomerEntry, error) {
	return desk.Snapshot(ctx, svc.desk, func(v *store.View) (e CustomerEntry, err error) {
		if e.Session, err = svc.sessionNow(v, s); err != nil {
			return e, err
		}
		e.Contact, err = visitorContact(v, &e.Session)
		return e, err
	})
}

// EndCustomerSession ends a session and returns how many ended.
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

// SignOutCustomer signs a contact out everywhere, also by the id of one that was
// merged into it, and returns how many sessions ended. Identities that were
// issued before are refused from now on, also those that do not say when.
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
		return ended, t.UpdateAccess(t.WS)
	})
}
