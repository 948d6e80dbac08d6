package customers_test

import (
	"testing"
	"time"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk/desktest"
	"parley/internal/identity"
	"parley/internal/store"
)

const (
	noConversation = "no such conversation"
	ended          = "the session has ended; start another one"
)

// start starts a session in an inbox as its widget is now.
func start(w *desktest.World, svc *customers.Service, inbox parley.ID, in customers.NewCustomerSession) customers.CustomerEntry {
	w.T.Helper()
	widget, err := svc.Widget(w.T.Context(), inbox)
	w.Must(err)
	entry, err := svc.StartCustomerSession(w.T.Context(), widget, in)
	w.Must(err)
	return entry
}

// begin starts a conversation of a customer.
func begin(w *desktest.World, svc *customers.Service, s parley.CustomerSession, content string) parley.ID {
	w.T.Helper()
	started, err := svc.StartCustomerConversation(w.T.Context(), s, nil, customers.CustomerMessage{Content: content})
	w.Must(err)
	return started.Conversation.ID
}

// signed is the identity of a customer, valid for an hour.
func signed(w *desktest.World, svc *customers.Service, subject string) parley.Optional[string] {
	w.T.Helper()
	token, err := svc.SignIdentity(w.T.Context(), w.Home.Workspace.ID, identity.Claims{Subject: subject, ExpiresAt: w.Now().Add(time.Hour)})
	w.Must(err)
	return parley.Some(token)
}

// TestCustomersSeeTheirOwn has customers of one inbox, and one of another, read
// and write in a conversation: only whose it is can, and sees no notes.
func TestCustomersSeeTheirOwn(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, inbox := widgetOf(w)
		_, elsewhere := widgetOf(w)
		ann := start(w, svc, inbox, customers.NewCustomerSession{}).Session
		id := begin(w, svc, ann, "hello")
		w.Advance(time.Second)
		w.Post(w.By(), id, "a note", true)
		w.Post(w.By(), id, "an answer", false)
		thread, err := svc.CustomerThread(ann, id, parley.Position{}, 9).Now(t.Context())
		if err != nil || len(thread.Messages.Items) != 2 || thread.Conversation.UnreadCount != 1 {
			t.Errorf("the customer sees %+v, %v", thread, err)
		}
		w.Tells(func() {
			read, err := svc.ReadCustomerConversation(t.Context(), ann, id)
			if err != nil || read.UnreadCount != 0 {
				t.Errorf("after reading it is %+v, %v", read, err)
			}
		}, "message.updated status", "conversation.updated customerSeen")

		sameInOther := ann // a session of the same contact in another inbox
		sameInOther.ID, sameInOther.InboxID = parley.NewIDs(nil).New(w.Now()), elsewhere
		w.Must(w.Store.Write(t.Context(), ann.Workspace, func(tx *store.Tx) error {
			return customers.InsertCustomerSession(tx, ann.Workspace, &sameInOther, [32]byte{1})
		}))
		for name, s := range map[string]parley.CustomerSession{
			"another customer": start(w, svc, inbox, customers.NewCustomerSession{}).Session, "the same one in another inbox": sameInOther,
		} {
			w.Tells(func() {
				_, err := svc.CustomerConversation(t.Context(), s, id)
				w.Refused(err, parley.NotFound, noConversation)
				_, err = svc.PostCustomerMessage(t.Context(), s, nil, id, customers.CustomerMessage{Content: "me too"})
				w.Refused(err, parley.NotFound, noConversation)
				_, err = svc.ReadCustomerConversation(t.Context(), s, id)
				w.Refused(err, parley.NotFound, noConversation)
			})
			page, err := svc.CustomerConversations(s, parley.Position{}, 9).Now(t.Context())
			if err != nil || len(page.Items) != 0 {
				t.Errorf("%s lists %v, %v", name, page.Items, err)
			}
		}
	})
}

// TestSessionOfTheMoment goes on with a session that was admitted before it
// ended: what a customer may do is decided in the transaction.
func TestSessionOfTheMoment(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, inbox := widgetOf(w)
		ann := start(w, svc, inbox, customers.NewCustomerSession{})
		id := begin(w, svc, ann.Session, "hello")
		if n, err := svc.EndCustomerSession(t.Context(), ann.Session); err != nil || n != 1 {
			t.Errorf("%d sessions ended, %v", n, err)
		}
		_, err := svc.PostCustomerMessage(t.Context(), ann.Session, nil, id, customers.CustomerMessage{Content: "and"})
		w.Refused(err, parley.Unauthenticated, ended)
		_, err = svc.CustomerThread(ann.Session, id, parley.Position{}, 9).Now(t.Context())
		w.Refused(err, parley.Unauthenticated, ended)
		_, err = svc.AuthenticateCustomer(t.Context(), ann.Token)
		w.Refused(err, parley.Unauthenticated, ended)
	})
}

// TestVisitorsAreForgotten lets time pass for a visitor who wrote and for one
// who did not.
func TestVisitorsAreForgotten(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, inbox := widgetOf(w)
		silent, wrote := start(w, svc, inbox, customers.NewCustomerSession{}), start(w, svc, inbox, customers.NewCustomerSession{})
		begin(w, svc, wrote.Session, "hello")
		for _, step := range []struct {
			pass          time.Duration
			silent, wrote bool
		}{
			{parley.VisitorSilent - time.Millisecond, true, true}, // and the use prolongs both
			{parley.VisitorSilent, false, true},
			{parley.VisitorIdle - time.Millisecond, false, true},
			{parley.VisitorIdle, false, false},
		} {
			w.Advance(step.pass)
			for token, there := range map[parley.Token]bool{silent.Token: step.silent, wrote.Token: step.wrote} {
				if _, err := svc.AuthenticateCustomer(t.Context(), token); (err == nil) != there {
					t.Errorf("after %v the session of %s gives %v", step.pass, token, err)
				}
			}
		}
	})
}

// TestIdentityDecides signs a visitor in: the conversation moves to the contact
// of the identity, once, and the visitor's session ends.
func TestIdentityDecides(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, inbox := widgetOf(w)
		visitor := start(w, svc, inbox, customers.NewCustomerSession{})
		id := begin(w, svc, visitor.Session, "hello")
		ada := start(w, svc, inbox, customers.NewCustomerSession{Identity: signed(w, svc, "ada"), Visitor: visitor.Token})
		if _, err := svc.CustomerConversation(t.Context(), ada.Session, id); err != nil || ada.Contact.Identifier != "ada" {
			t.Errorf("signed in as %+v, the conversation gives %v", ada.Contact, err)
		}
		_, err := svc.AuthenticateCustomer(t.Context(), visitor.Token)
		w.Refused(err, parley.Unauthenticated, ended)
		eve := start(w, svc, inbox, customers.NewCustomerSession{Identity: signed(w, svc, "eve"), Visitor: ada.Token})
		_, err = svc.CustomerConversation(t.Context(), eve.Session, id)
		w.Refused(err, parley.NotFound, noConversation)
		if again := start(w, svc, inbox, customers.NewCustomerSession{Identity: signed(w, svc, "ada")}); again.Contact.ID != ada.Contact.ID {
			t.Error("the same subject is somebody else")
		}
		_, err = svc.UpdateWidget(t.Context(), w.By(), inbox, customers.WidgetChange{Identity: parley.Some(parley.IdentityRequired)})
		w.Must(err)
		widget, err := svc.Widget(t.Context(), inbox)
		w.Must(err)
		_, err = svc.StartCustomerSession(t.Context(), widget, customers.NewCustomerSession{})
		w.Refused(err, parley.Unauthenticated, "the identity was not accepted")
	})
}
