package continuing_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/continuing"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/store/storetest"
	"parley/internal/threads"
)

// link returns the token of the link in the last mail of a world.
func (w *world) link() parley.Token {
	w.T.Helper()
	all := w.sent()
	if len(all) == 0 {
		w.T.Fatal("no mail arrived")
	}
	_, rest, found := strings.Cut(all[len(all)-1].Plain, "https://support.example/c/")
	if !found {
		w.T.Fatalf("the mail has no link: %s", all[len(all)-1].Plain)
	}
	token, _, _ := strings.Cut(rest, "\n")
	return parley.Token(token)
}

// missed begins a conversation whose customer is mailed, and returns the link.
func (w *world) missed(confirmed, typed string) (parley.Conversation, parley.Token) {
	w.T.Helper()
	c := w.begin("Ada", confirmed, typed)
	w.ask(c.ID, "Hello?")
	w.member(c.ID, "Here we are")
	w.pass(5 * time.Minute)
	return c, w.link()
}

// page requests the page of a link.
func (w *world) page(method string, token parley.Token) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	w.service.Pages(storetest.Quiet()).ServeHTTP(answer, httptest.NewRequest(method, "/c/"+string(token), nil))
	return answer
}

// sessions returns how many sessions a contact has.
func (w *world) sessions(contact parley.ID) (n int) {
	w.T.Helper()
	ended, err := w.customers.SignOutCustomer(w.T.Context(), w.By(), contact)
	w.Must(err)
	return ended
}

// TestScannersDoNothing opens a link as mail programs and their scanners do: nothing begins, and
// nothing is confirmed, until the button is pressed.
func TestScannersDoNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		c, token := w.missed("", "ada@home.example")
		w.Tells(func() {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodGet} {
				if got := w.page(method, token); got.Code != http.StatusOK || got.Header().Get("Cache-Control") != "no-store" || got.Header().Get("Referrer-Policy") != "no-referrer" {
					t.Errorf("%s answers %d %v", method, got.Code, got.Header())
				}
			}
		})
		if text := w.page(http.MethodGet, token).Body.String(); !strings.Contains(text, "<h1>Home</h1>") || strings.Contains(text, "ada@home.example") || strings.Contains(text, "Here we are") {
			t.Errorf("the page says %s", text)
		}
		if n := w.sessions(c.Contact.ID); n != 0 {
			t.Errorf("%d sessions began", n)
		}
		w.Tells(func() {
			got := w.page(http.MethodPost, token)
			to, err := url.Parse(got.Header().Get("Location"))
			w.Must(err)
			if got.Code != http.StatusSeeOther || to.Path != "/widget/frame" || to.Query().Get("inbox") != w.inbox.String() ||
				to.Query().Get("conversation") != c.ID.String() || !parley.Token(to.Fragment).WellFormed(customers.ReturnPrefix) {
				t.Errorf("the button answers %d, to %s", got.Code, to)
			}
		}, "contact.updated email")
		if n := w.sessions(c.Contact.ID); n != 1 {
			t.Errorf("%d sessions began", n)
		}
		for _, wrong := range []parley.Token{"", "x", token + "x", "cl_" + parley.Token(strings.Repeat("a", 43))} {
			if got := w.page(http.MethodPost, wrong); got.Code != http.StatusNotFound {
				t.Errorf("%q answers %d", wrong, got.Code)
			}
		}
	})
}

// TestLinkConfirms has the ways in which a click confirms an address, and the ends of links.
func TestLinkConfirms(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		refused := func(token parley.Token, why string) {
			t.Helper()
			if _, err := w.service.Enter(ctx, token); parley.KindOf(err) != parley.NotFound || err == nil {
				t.Errorf("%s, but the error is %v", why, err)
			}
		}
		c, token := w.missed("", "ada@home.example")
		_, err := w.service.Enter(ctx, token)
		w.Must(err)
		ada, err := w.Desk.Contact(w.Home.Workspace.ID, c.Contact.ID).Now(ctx)
		w.Must(err)
		if ada.Email != "ada@home.example" {
			t.Errorf("the address is %q", ada.Email)
		}
		w.ask(c.ID, "I am back")
		w.member(c.ID, "Welcome")
		w.pass(5 * time.Minute)
		w.has(2, "the address is confirmed now, and gets more than one mail")
		w.sent()
		w.Advance(parley.ReturnLink)
		refused(token, "the link is old")

		// Another contact has the address: a member decides.
		w.begin("Chief", "chief@home.example", "")
		eve, token := w.missed("", "chief@home.example")
		w.Tells(func() {
			_, err := w.service.Enter(ctx, token)
			w.Must(err)
		}, "contact_duplicate.created")
		if got, err := w.Desk.Contact(w.Home.Workspace.ID, eve.Contact.ID).Now(ctx); err != nil || got.Email != "" {
			t.Errorf("the address is %q: %v", got.Email, err)
		}

		// The visitor types another address before the click, which must not confirm that one.
		bo, token := w.missed("", "bo@home.example")
		w.write(func(t *desk.Tx) error {
			return customers.PutTyped(t, t.WS, &parley.Typed{ContactID: bo.Contact.ID, Email: "victim@home.example", Times: 2, UpdatedAt: t.Now})
		})
		refused(token, "the address is another one")

		cy, token := w.missed("cy@home.example", "")
		_, err = w.Desk.UpdateContact(ctx, w.By(), cy.Contact.ID, desk.ContactFields{Email: parley.Some("cy2@home.example")})
		w.Must(err)
		refused(token, "a member changed the address")
		_, err = w.Desk.UpdateContact(ctx, w.By(), cy.Contact.ID, desk.ContactFields{Email: parley.Some("cy@home.example")})
		w.Must(err)
		_, err = w.service.Enter(ctx, token)
		w.Must(err)
		w.settings(customers.WidgetChange{Identity: parley.Some(parley.IdentityRequired)})
		refused(token, "the inbox requires identities")
		w.begin("Di", "di@home.example", "")
		di := w.begin("Di", "di2@home.example", "")
		w.member(di.ID, "Hello")
		w.pass(5 * time.Minute)
		letters := w.sent()
		if last := letters[len(letters)-1]; strings.Contains(last.Plain, "/c/") {
			t.Errorf("the mail leads into the conversation: %s", last.Plain)
		}
	})
}

// TestReturnLinkScope has a session of a link try what sessions do: it sees one conversation and
// makes no other.
func TestReturnLinkScope(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		c, token := w.missed("ada@home.example", "")
		other, err := w.Desk.CreateConversation(ctx, w.By(), desk.NewConversation{ContactID: c.Contact.ID, InboxID: w.inbox})
		w.Must(err)
		w.member(other.ID, "a secret")
		entry, err := w.service.Enter(ctx, token)
		w.Must(err)
		s, err := w.customers.AuthenticateCustomer(ctx, entry.Token)
		w.Must(err)
		if !s.Limited() || entry.Conversation != c.ID || !s.ExpiresAt.Equal(w.Now().Add(parley.ReturnLife)) {
			t.Fatalf("the session is %+v", s)
		}
		page, err := w.customers.CustomerConversations(s, parley.Position{}, 10).Now(ctx)
		w.Must(err)
		if len(page.Items) != 1 || page.Items[0].ID != c.ID {
			t.Errorf("the session sees %+v", page.Items)
		}
		_, err = w.customers.PostCustomerMessage(ctx, s, nil, c.ID, customers.CustomerMessage{Content: "I am back"})
		w.Must(err)
		_, err = w.customers.ReadCustomerConversation(ctx, s, c.ID)
		w.Must(err)

		gone := func(what string, err error) {
			t.Helper()
			if parley.KindOf(err) != parley.NotFound || err == nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		_, err = w.customers.CustomerThread(s, other.ID, parley.Position{}, 10).Now(ctx)
		gone("reading another", err)
		_, err = w.customers.CustomerConversation(ctx, s, other.ID)
		gone("looking at another", err)
		_, err = w.customers.PostCustomerMessage(ctx, s, nil, other.ID, customers.CustomerMessage{Content: "?"})
		gone("writing in another", err)
		_, err = w.customers.ReadCustomerConversation(ctx, s, other.ID)
		gone("marking another", err)
		_, err = w.customers.ChangeCustomerConversation(ctx, s, other.ID, func(*desk.Tx, *parley.Conversation) error { return nil })
		gone("changing another", err)
		_, err = w.customers.StartCustomerConversation(ctx, s, nil, customers.CustomerMessage{Content: "?"})
		w.Refused(err, parley.Forbidden, "a link in a mail opens one conversation")
		_, err = w.customers.Say(ctx, s, customers.Answer{Email: "other@home.example"})
		w.Refused(err, parley.Conflict, "a link in a mail says who the customer is")

		// Its token starts no session that sees more.
		widget, err := w.customers.Widget(ctx, w.inbox)
		w.Must(err)
		began, err := w.customers.StartCustomerSession(ctx, widget, customers.NewCustomerSession{Visitor: entry.Token})
		w.Must(err)
		if began.Session.ContactID == c.Contact.ID {
			t.Error("the token of a link starts a session of its contact")
		}

		// Events of the other conversation are not for it.
		events, err := w.Desk.Events(ctx, w.Home.Workspace.ID, parley.Optional[parley.LogPosition]{}, 200)
		w.Must(err)
		shown, err := w.customers.CustomerEvents(ctx, w.Home.Workspace.ID, events.Events)
		w.Must(err)
		for i := range shown {
			if to := shown[i].Audience; to.ContactID == c.Contact.ID && s.Audience().Sees(to) != (shown[i].Event.ConversationID == c.ID) {
				t.Errorf("the session sees %s of %s: %t", shown[i].Event.Type, shown[i].Event.ConversationID, s.Audience().Sees(to))
			}
		}

		w.Advance(10 * time.Minute) // its use does not extend it
		_, err = w.customers.AuthenticateCustomer(ctx, entry.Token)
		w.Must(err)
		w.Advance(parley.ReturnLife - 10*time.Minute)
		if _, err = w.customers.AuthenticateCustomer(ctx, entry.Token); parley.KindOf(err) != parley.Unauthenticated {
			t.Errorf("after a day: %v", err)
		}
	})
}

// TestLinkOfAMergedConversation opens a link after its conversation was merged: its session,
// and one that began before, see the messages of both, and still no other conversation.
func TestLinkOfAMergedConversation(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		c, token := w.missed("ada@home.example", "")
		early, err := w.service.Enter(ctx, token)
		w.Must(err)
		start := func(content string) parley.Conversation {
			made, err := w.Desk.CreateConversation(ctx, w.By(), desk.NewConversation{ContactID: c.Contact.ID, InboxID: w.inbox})
			w.Must(err)
			w.member(made.ID, content)
			return made
		}
		into, other := start("the target"), start("a secret")
		merging := threads.New(w.Desk)
		_, err = merging.Merge(ctx, w.By(), c.ID, into.ID)
		w.Must(err)
		late, err := w.service.Enter(ctx, token)
		w.Must(err)
		if late.Conversation != into.ID {
			t.Errorf("the link opens %s, want %s", late.Conversation, into.ID)
		}
		for name, entry := range map[string]continuing.Entry{"early": early, "late": late} {
			s, err := w.customers.AuthenticateCustomer(ctx, entry.Token)
			w.Must(err)
			thread, err := w.customers.CustomerThread(s, c.ID, parley.Position{}, 10).Now(ctx)
			w.Must(err)
			if thread.Conversation.ID != into.ID || len(thread.Messages.Items) != 3 {
				t.Errorf("%s: the session sees %s with %d messages", name, thread.Conversation.ID, len(thread.Messages.Items))
			}
			if _, err = w.customers.CustomerThread(s, other.ID, parley.Position{}, 10).Now(ctx); parley.KindOf(err) != parley.NotFound {
				t.Errorf("%s: reading another: %v", name, err)
			}
		}
		_, err = merging.Unmerge(ctx, w.By(), c.ID)
		w.Must(err)
		if n := w.sessions(c.Contact.ID); n != 0 {
			t.Errorf("%d sessions of links outlive the undo", n)
		}
	})
}
