package widget_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/customers"
	"parley/internal/identity"
	"parley/internal/merging"
	"parley/internal/store"
)

// ends requires that a stream ends.
func ends(s *apitest.Stream) {
	s.T.Helper()
	for {
		name, data := s.Next()
		if name == "" {
			return
		}
		if name == "message.created" {
			s.T.Fatalf("the stream tells %s", data)
		}
	}
}

// TestNobodySitsWhereACustomerComes enters a known customer's identifier or
// address for a visitor who claims to be that customer. The visitor's session
// ends: with an identifier at once, else when the customer signs in.
func TestNobodySitsWhereACustomerComes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		note := func(field, value string) (*customer, *apitest.Stream) {
			v := w.visitor()
			v.begin("I am " + value)
			stream := v.follow(t, s, "")
			w.agentPatch("/v1/public/contacts/"+v.id, `{"`+field+`":"`+value+`","name":"So they say"}`).Want(200)
			return v, stream
		}
		v, stream := note("identifier", "cy")
		v.get("conversations").Want(401)
		ends(stream)
		w.login(claims("cy", "cy@x.example")).get("conversations").Want(200)
		v, stream = note("email", "di@x.example")
		v.get("conversations").Want(200)
		w.login(claims("di", "di@x.example")).get("conversations").Want(200)
		v.get("conversations").Want(401)
		ends(stream)
		// A name and a phone number identify nobody, so the session stays.
		v = w.visitor()
		v.begin("I am Flo")
		w.agentPatch("/v1/public/contacts/"+v.id, `{"name":"Flo","phoneNumber":"+49 151 7654321","identifier":""}`).Want(200)
		v.get("conversations").Want(200)
		// The identifier exists, and a visitor's session too, however it came
		// about.
		w.agentPatch("/v1/public/contacts/"+v.id, `{"identifier":"flo"}`).Want(200)
		stay := w.visitor()
		stay.begin("me too")
		if err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			from, to := contactID(t, stay.id), contactID(t, v.id)
			_, err := merging.MoveCustomerSessions(tx, w.Home.Workspace.ID, from, to)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Second)
		stay.get("conversations").Want(200)
		stream = stay.follow(t, s, "")
		flo := w.login(claims("flo", ""))
		if flo.id != v.id {
			t.Fatal("the identifier did not find its contact")
		}
		ends(stream) // within the second that ending access may take
		hidden := flo.begin("for the team alone")
		stay.get("conversations/" + hidden).Want(401)
	})
}

// noteBehind gives a visitor's contact an identifier without ending the
// session.
func (w *world) noteBehind(v *customer, identifier string) {
	w.T.Helper()
	err := w.Store.Write(w.T.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
		c, err := tx.Contact(w.Home.Workspace.ID, contactID(w.T, v.id))
		if err != nil {
			return err
		}
		c.Identifier = identifier
		return tx.UpdateContact(w.Home.Workspace.ID, &c)
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

func contactID(t testing.TB, text string) parley.ID {
	t.Helper()
	id, ok := parley.ParseID(text)
	if !ok {
		t.Fatalf("%q is no id", text)
	}
	return id
}

// TestWhatAgentsNoteLeadsNowhere enters a customer's identifier for a visitor
// who turns out to be somebody else, or whom an agent merges.
func TestWhatAgentsNoteLeadsNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		v := w.visitor()
		v.begin("I am Cy")
		w.noteBehind(v, "cy")
		eve := w.customer(map[string]string{"identity": w.signed(claims("eve", "eve@x.example")), "visitor": string(v.token)})
		if got := w.agentGet("/v1/public/contacts/" + v.id).Want(200).Text("id"); got != eve.id {
			t.Fatalf("the visitor leads to %s, want Eve", got)
		}
		cy := w.login(claims("cy", "cy@x.example"))
		if cy.id == eve.id {
			t.Fatal("Cy is shown what Eve wrote")
		}
		secret := cy.begin("mine")
		eve.get("conversations/"+secret).Refused(404, "no such conversation")
		noted := w.agentPost("/v1/public/contacts", `{"name":"Gil","identifier":"gil"}`).Want(201).Text("id")
		w.agentPost("/v1/dashboard/contacts/"+noted+"/merge", `{"intoId":"`+eve.id+`"}`).Want(200).Is("identifier", `"eve"`)
		if gil := w.login(claims("gil", "")); gil.id == eve.id {
			t.Error("an identifier that somebody noted leads to another customer")
		}
		// A signed identifier replaces an unsigned one.
		claimed := w.agentPost("/v1/public/contacts", `{"name":"Hal","identifier":"hal"}`).Want(201).Text("id")
		ida := w.login(claims("ida", ""))
		w.agentPost("/v1/dashboard/contacts/"+ida.id+"/merge", `{"intoId":"`+claimed+`"}`).Want(200).Is("identifier", `"ida"`)
		if hal := w.login(claims("hal", "")); hal.id == claimed {
			t.Error("Hal is shown what Ida wrote")
		}
		if again := w.login(claims("ida", "")); again.id != claimed {
			t.Error("Ida lost what she wrote")
		}
	})
}

// TestSignedStays changes a signed customer as programs and members.
func TestSignedStays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		in := claims("ada", "Ada@x.example")
		in.Name, in.Phone = "Ada", "+49 151 1234567"
		ada := w.login(in)
		secret := ada.begin("mine")
		path := "/v1/public/contacts/" + ada.id
		const rule = ": must stay as it is, for it came with a signed identity"
		for body, field := range map[string]string{
			`{"identifier":"mallory"}`: "identifier", `{"identifier":""}`: "identifier", `{"email":"mallory@x.example"}`: "email", `{"email":""}`: "email",
		} {
			w.agentPatch(path, body).Refused(409, field+rule)
		}
		w.agentPost("/v1/public/contacts", `{"identifier":"ada","email":"other@x.example"}`).Refused(409, "email"+rule)
		ignored := func(a apitest.Answer, names string) {
			t.Helper()
			if got := a.Header.Get("Parley-Ignored"); got != names {
				t.Errorf("Parley-Ignored is %q, want %q", got, names)
			}
		}
		ignored(w.agentPost("/v1/public/contacts", `{"identifier":"mallory","email":"Ada@x.example"}`).Want(200).Is("identifier", `"ada"`), "identifier")
		if mallory := w.login(claims("mallory", "")); mallory.get("conversations/"+secret).Status != 404 {
			t.Error("Mallory reads what Ada wrote")
		}
		// Found by the address: signed fields stay, the rest is applied.
		ignored(w.agentPost("/v1/public/contacts", `{"email":"ADA@x.example","name":"A.","phoneNumber":null,"avatarUrl":"https://img.example/a.png","shopName":"S"}`).Want(200).
			Is("id", `"`+ada.id+`"`, "name", `"Ada"`, "email", `"Ada@x.example"`, "phoneNumber", `"+491511234567"`,
				"avatarUrl", `"https://img.example/a.png"`, "shopName", `"S"`), "email, name, phoneNumber")
		w.agentPost("/v1/public/contacts", `{"email":"ada@x.example","avatarUrl":"https://img.example/b.png"}`).Want(200).Is("avatarUrl", `"https://img.example/b.png"`)
		// Found by the identifier, and in the dashboard, names change, and are
		// then unsigned.
		w.agentPost("/v1/public/contacts", `{"identifier":"ada","name":"Ada L."}`).Want(200).Is("name", `"Ada L."`)
		w.agentPost("/v1/public/contacts", `{"email":"ada@x.example","name":"A.","phoneNumber":"1234567"}`).Want(200).Is("name", `"A."`, "phoneNumber", `"+491511234567"`)
		w.agentPatch(path, `{"identifier":"ada","email":"ada@X.example","phoneNumber":"+49 151 7654321"}`).Want(200).
			Is("email", `"Ada@x.example"`, "phoneNumber", `"+491517654321"`)
		// Nobody vouched for this address, so it may change, and identifies
		// nobody.
		bo := w.login(claims("bo", ""))
		w.agentPatch("/v1/public/contacts/"+bo.id, `{"email":"cy@x.example"}`).Want(200)
		bo.get("session").Want(200)
		if cy := w.login(claims("cy", "cy@x.example")); cy.id == bo.id {
			t.Error("an address that somebody noted on a signed contact leads to it")
		}
		w.agentPatch("/v1/public/contacts/"+bo.id, `{"email":"bo@x.example"}`).Want(200)
		// Without a signature everything changes.
		made := w.agentPost("/v1/public/contacts", `{"identifier":"x","email":"x@x.example"}`).Want(201).Text("id")
		w.agentPatch("/v1/public/contacts/"+made, `{"identifier":"y","email":""}`).Want(200).Is("identifier", `"y"`, "email", `""`)
	})
}

// TestAdoptableIsUnsigned has a signed contact without an identifier, which was
// possible in earlier versions.
func TestAdoptableIsUnsigned(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.login(claims("ada", "ada@x.example"))
		w.noteBehind(ada, "")
		if eve := w.login(claims("eve", "ada@x.example")); eve.id == ada.id {
			t.Error("the address of a signed contact took it over")
		}
	})
}

// TestSettingsOfTheTransaction starts sessions with settings that have since
// changed.
func TestSettingsOfTheTransaction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		widget := func() customers.Widget {
			got, err := w.Customers.Widget(t.Context(), w.inbox)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		optional := widget()
		w.settings(`{"identity":"required"}`)
		if e, err := w.Customers.StartCustomerSession(t.Context(), optional, customers.NewCustomerSession{}); parley.KindOf(err) != parley.Unauthenticated {
			t.Errorf("a visitor gets %+v, %v", e.Session, err)
		}
		required, ada := widget(), w.login(claims("ada", ""))
		v := customers.NewCustomerSession{Identity: parley.Some(w.signed(claims("ada", "")))}
		w.settings(`{"identity":"off"}`)
		ada.get("session").Refused(401, "the session has ended; start another one")
		if e, err := w.Customers.StartCustomerSession(t.Context(), required, v); err != nil || e.Session.Signed() {
			t.Errorf("where identities are off one gives %+v, %v", e.Session, err)
		}
	})
}

// TestSignOut signs a customer out everywhere, by the id of a merged contact.
func TestSignOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		old := w.agentPost("/v1/public/contacts", `{"name":"Ada"}`).Want(201).Text("id")
		lost := w.signed(claims("ada", ""))
		ada, eve := w.login(claims("ada", "")), w.login(claims("eve", ""))
		w.agentPost("/v1/dashboard/contacts/"+old+"/merge", `{"intoId":"`+ada.id+`"}`).Want(200)
		w.customer(map[string]string{"identity": lost})
		stream := ada.follow(t, s, "")
		path := "/v1/dashboard/contacts/" + old + "/sign-out"
		w.agentPost(path, "").Want(200).Is("ended", "2")
		ada.get("session").Want(401)
		eve.get("session").Want(200)
		ends(stream)
		w.agentPost(path, "").Want(200).Is("ended", "0")
		w.start(map[string]string{"identity": lost}).Refused(401, "the identity was not accepted")
		list := w.agentGet("/v1/dashboard/identity-rejections").Want(200)
		if got := list.Text("data.0.reason"); !strings.HasPrefix(got, "signed out: ") || list.Text("data.0.subject") != "ada" {
			t.Errorf("the refusal is kept as %s", list.Body)
		}
		w.Advance(time.Second)
		if again := w.login(claims("ada", "")); again.id != ada.id {
			t.Error("Ada is another one now")
		}
		// A merged contact stays signed out.
		other := w.login(claims("ida", ""))
		w.agentPost("/v1/dashboard/contacts/"+ada.id+"/merge", `{"intoId":"`+other.id+`"}`).Want(200)
		w.start(map[string]string{"identity": lost}).Want(401)
		w.agentPost("/v1/dashboard/contacts/0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05/sign-out", "").Refused(404, "no such contact in this workspace")
	})
}

// TestOddOrigins refuses identities from pages with addresses that no browser
// sends.
func TestOddOrigins(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for page, want := range map[string]string{
			"https://a%ff.example/": "", "https://a%20b/": "", "https://ü.example/": "", "https://" + strings.Repeat("a", 256): "", "https://": "",
			"ftp://a.example/": "", "https://user@Shop.example:8443/x?y": "https://Shop.example:8443", "http://[::1]:80/": "http://[::1]:80",
		} {
			w.start(map[string]string{"identity": "x", "page": page}).Want(401)
			list := w.agentGet("/v1/dashboard/identity-rejections").Want(200)
			got, _ := list.Field("data.0.origin").(string)
			if got != want {
				t.Errorf("of %s the origin %q is kept, want %q", page, got, want)
			}
			w.Advance(time.Minute)
		}
		if n := w.agentGet("/v1/dashboard/identity-rejections").Want(200).Count("data"); n != 8 {
			t.Errorf("%d refusals are kept", n)
		}
	})
}

// TestAnswersFollow repeats a visitor's request after signing in.
func TestAnswersFollow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		send := func(c *customer, path, content string) apitest.Answer {
			return w.Send(apitest.Request{
				Method: "POST", Path: "/v1/widget/" + path, Body: `{"content":"` + content + `"}`, Bearer: string(c.token), Header: http.Header{"Idempotency-Key": {"k"}},
			})
		}
		v := w.visitor()
		id := send(v, "conversations", "hello").Want(201).Text("conversation.id")
		more := send(v, "conversations/"+id+"/messages", "more").Want(201).Text("id")
		ada := w.login(claims("ada", ""))
		taken := send(ada, "conversations", "hello").Want(201).Text("conversation.id") // under the same key
		in := w.customer(map[string]string{"identity": w.signed(claims("ada", "")), "visitor": string(v.token)})
		if got := send(in, "conversations/"+id+"/messages", "more").Want(201); got.Text("id") != more || got.Header.Get("Idempotent-Replayed") != "true" {
			t.Error("the message was written twice")
		}
		if got := send(in, "conversations", "hello").Want(201).Text("conversation.id"); got != taken {
			t.Error("Ada's own answer is another one")
		}
		eve := w.login(claims("eve", ""))
		send(eve, "conversations/"+id+"/messages", "more").Want(404)
	})
}

// TestCompanyMovesAreShown merges customers who moved between companies.
func TestCompanyMovesAreShown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.login(of(claims("ada", ""), "acme", "Acme"))
		w.login(of(claims("ada", ""), "globex", "Globex"))
		left := identity.Claims{Subject: "ada", Organization: parley.Null[identity.Organization]()}
		w.login(left)
		path := "/v1/dashboard/contacts/" + ada.id + "/company-moves"
		w.agentGet(path).Want(200).Is("data.0.from.name", `"Globex"`, "data.0.to", "null", "data.1.from.name", `"Acme"`, "data.1.to.name", `"Globex"`,
			"data.2.from", "null", "data.2.to.name", `"Acme"`)
		ida := w.login(claims("ida", ""))
		w.agentPost("/v1/dashboard/contacts/"+ada.id+"/merge", `{"intoId":"`+ida.id+`"}`).Want(200)
		for _, id := range []string{ada.id, ida.id} {
			if n := w.agentGet("/v1/dashboard/contacts/" + id + "/company-moves").Want(200).Count("data"); n != 3 {
				t.Errorf("%d moves are shown", n)
			}
		}
		w.agentGet("/v1/dashboard/contacts/0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05/company-moves").Refused(404, "no such contact in this workspace")
	})
}

// TestTheTeamCanHide configures a widget without a team.
func TestTheTeamCanHide(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/v1/widget/inboxes/" + w.inbox.String()
		for _, show := range []string{"false", "true"} {
			w.settings(`{"showTeam":`+show+`}`).Is("showTeam", show)
			w.settings(`{"title":"Ask us"}`).Is("showTeam", show)
			if n := w.Send(apitest.Request{Method: "GET", Path: path}).Want(200).Count("team"); (n > 0) != (show == "true") {
				t.Errorf("with %s the widget shows %d members", show, n)
			}
		}
	})
}
