package widget_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/identity"
)

func TestFirstLogin(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		after := ""
		w.events(&after)
		in := of(claims("u1", "Ada@acme.example"), "acme", "Acme Inc")
		in.Name, in.Phone, in.Picture, in.Attributes = "Ada", "+49 151 1234567", "https://img.example/ada.png", `{"plan":"gold"}`
		c := w.login(in)
		if got := w.events(&after); got != "company.created; contact.created" {
			t.Errorf("the events are %q", got)
		}
		c.get("session").Want(200).Is("customer.name", `"Ada"`, "customer.email", `"Ada@acme.example"`, "customer.identified", "true")
		c.contact().Is("identifier", `"u1"`, "name", `"Ada"`, "email", `"Ada@acme.example"`, "phoneNumber", `"+491511234567"`,
			"avatarUrl", `"https://img.example/ada.png"`, "company.name", `"Acme Inc"`, "customAttributes.plan", `"gold"`)
		again := w.login(in)
		if again.id != c.id || w.events(&after) != "" {
			t.Error("the same identity again changed something")
		}
		// Absent claims change nothing; null deletes an attribute.
		w.login(identity.Claims{Subject: "u1", Attributes: `{"plan":null}`})
		if got := w.events(&after); got != "contact.updated customAttributes" {
			t.Errorf("the events are %q", got)
		}
		c.contact().Is("name", `"Ada"`, "company.name", `"Acme Inc"`, "customAttributes", "{}")
	})
}

// TestFirstLoginsAtOnce signs in twenty customers of a new organization
// concurrently, each twice.
func TestFirstLoginsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var wait sync.WaitGroup
		ids := make([]string, 40)
		for i := range ids {
			token := w.signed(of(claims("u"+string(rune('a'+i/2)), string(rune('a'+i/2))+"@acme.example"), "acme", "Acme"))
			wait.Go(func() { ids[i] = w.customer(map[string]string{"identity": token}).id })
		}
		wait.Wait()
		if n := w.agentGet("/v1/public/companies").Want(200).Count("data"); n != 1 {
			t.Errorf("there are %d companies", n)
		}
		contacts := w.agentGet("/v1/public/contacts?limit=100").Want(200)
		if n := contacts.Count("data"); n != 20 {
			t.Errorf("there are %d contacts", n)
		}
		company := w.agentGet("/v1/public/companies").Text("data.0.id")
		w.agentGet("/v1/public/companies/"+company).Want(200).Is("contactCount", "20", "externalId", `"acme"`)
		for i := range 20 {
			if ids[2*i] == "" || ids[2*i] != ids[2*i+1] {
				t.Errorf("customer %d is %q and %q", i, ids[2*i], ids[2*i+1])
			}
		}
	})
}

// TestBlanksTellPeopleApart signs subjects that differ in blanks: each is a
// different person, who reads nothing of the others.
func TestBlanksTellPeopleApart(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		seen := map[string]string{}
		for _, subject := range []string{"vic", "vic\u00a0", "\u3000vic", "vic ", " vic", "vic\u2028"} {
			c := w.login(claims(subject, ""))
			if other, taken := seen[c.id]; taken {
				t.Errorf("%q comes in as %q", subject, other)
			}
			seen[c.id] = subject
			c.begin("hello")
			if n := c.get("conversations").Want(200).Count("data"); n != 1 {
				t.Errorf("%q reads %d conversations", subject, n)
			}
			if again := w.login(claims(subject, "")); again.id != c.id {
				t.Errorf("%q comes back as %q", subject, seen[again.id])
			}
			quoted, err := json.Marshal(subject)
			if err != nil {
				t.Fatal(err)
			}
			// A program finds each by the value that it reads, and writes it
			// back.
			c.contact().Is("identifier", string(quoted))
			w.agentPatch("/v1/public/contacts/"+c.id, `{"identifier":`+string(quoted)+`}`).Want(200).Is("identifier", string(quoted))
			w.agentPost("/v1/public/contacts", `{"shopName":"S","identifier":`+string(quoted)+`}`).Want(200).Is("id", `"`+c.id+`"`, "identifier", string(quoted))
		}
	})
}

// TestUnusualAddresses signs in with addresses that are invalid here.
func TestUnusualAddresses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.login(claims("ann", "ann@x.example"))
		for _, email := range []string{"u@my_host.local", `"a b"@c.example`, "u@[192.0.2.1]", strings.Repeat("a", 70) + "@b.example"} {
			if again := w.login(claims("ann", email)); again.id != c.id {
				t.Errorf("with %q Ann is another one", email)
			}
			c.contact().Is("email", `"ann@x.example"`)
			w.login(claims(email, email)).contact().Is("email", `""`)
		}
	})
}

func TestWhoseAddressItIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := w.agentPost("/v1/public/contacts", `{"name":"Bob","email":"bob@x.example"}`).Want(201).Text("id")
		stranger := w.login(identity.Claims{Subject: "mallory", Email: "bob@x.example"}) // not verified
		if stranger.id == known {
			t.Fatal("an address that nobody verified took a contact over")
		}
		stranger.contact().Is("email", `""`)
		bob := w.login(claims("bob", "BOB@x.example"))
		if bob.id != known {
			t.Error("a verified address did not find its contact")
		}
		bob.contact().Is("identifier", `"bob"`, "name", `"Bob"`)
		other := w.login(claims("bob-two", "bob@x.example"))
		if other.id == known {
			t.Fatal("the address of another subject took a contact over")
		}
		other.contact().Is("email", `""`, "identifier", `"bob-two"`)
		bob.contact().Is("email", `"BOB@x.example"`)
		w.login(claims("bob-two", "bob@x.example"))
		list := w.agentGet("/v1/dashboard/contact-duplicates?contactId=" + known).Want(200)
		if list.Count("data") != 1 {
			t.Fatalf("the possible duplicates are %s", list.Body)
		}
		list.Is("data.0.contact.id", `"`+other.id+`"`, "data.0.other.id", `"`+known+`"`, "data.0.email", `"bob@x.example"`)
		// A taken address leaves the old one; a free one replaces it.
		w.login(claims("bob-two", "two@x.example"))
		w.login(claims("bob-two", "bob@x.example"))
		other.contact().Is("email", `"two@x.example"`)
	})
}

// TestTakenPhoneNumbers signs in with another contact's phone number, in
// another spelling: it stays with that contact, and the two become possible
// duplicates.
func TestTakenPhoneNumbers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := w.agentPost("/v1/public/contacts", `{"name":"Bob","phoneNumber":"0049 151 1234567"}`).Want(201).Text("id")
		in := claims("bob", "")
		in.Phone = "+49 (0)151 1234567"
		bob := w.login(in)
		if bob.id == known {
			t.Fatal("a phone number that nobody verified took a contact over")
		}
		bob.contact().Is("phoneNumber", "null")
		w.login(in) // is not recorded again
		list := w.agentGet("/v1/dashboard/contact-duplicates?contactId=" + known).Want(200)
		if list.Count("data") != 1 {
			t.Fatalf("the possible duplicates are %s", list.Body)
		}
		list.Is("data.0.contact.id", `"`+bob.id+`"`, "data.0.other.id", `"`+known+`"`, "data.0.email", `""`, "data.0.phoneNumber", `"+491511234567"`)
	})
}

// TestADismissedPairStaysAway dismisses a possible duplicate and resolves
// another one by merging.
func TestADismissedPairStaysAway(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bob, two := w.login(claims("bob", "bob@x.example")), w.login(claims("two", "bob@x.example"))
		const duplicates = "/v1/dashboard/contact-duplicates"
		id := w.agentGet(duplicates).Want(200).Text("data.0.id")
		w.Send(apitest.Request{Method: "DELETE", Path: duplicates + "/" + id, Session: w.Owner}).Want(200)
		w.login(claims("two", "bob@x.example"))
		if n := w.agentGet(duplicates).Want(200).Count("data"); n != 0 {
			t.Errorf("a dismissed pair came back: %d", n)
		}
		three := w.login(claims("three", "bob@x.example"))
		conversation := three.begin("it is me")
		w.agentPost("/v1/dashboard/contacts/"+three.id+"/merge", `{"intoId":"`+bob.id+`"}`).Want(200)
		if n := w.agentGet(duplicates).Want(200).Count("data"); n != 0 {
			t.Errorf("a merged pair is still there: %d", n)
		}
		// Both subjects lead to the remaining contact, also in open sessions.
		for _, c := range []*customer{three, w.login(claims("three", "bob@x.example")), bob} {
			if got := c.get("session").Want(200).Text("customer.id"); got != bob.id {
				t.Errorf("the customer is %s, want %s", got, bob.id)
			}
			c.get("conversations/" + conversation).Want(200)
		}
		two.get("conversations/"+conversation).Refused(404, "no such conversation")
	})
}

func TestOrganizations(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.login(of(claims("u1", ""), "acme", ""))
		company := c.contact().Text("company.id")
		c.contact().Is("company.name", `"acme"`)
		after := ""
		w.events(&after)
		named := of(claims("u1", ""), "acme", "Acme")
		named.Organization.Value.Website = "https://acme.example"
		w.login(named)
		if got := w.events(&after); got != "company.updated name,website" {
			t.Errorf("the events are %q", got)
		}
		w.agentPatch("/v1/public/companies/"+company, `{"name":"Acme"}`).Want(200) // somebody says so
		w.login(of(claims("u1", ""), "acme", "Something else"))
		c.contact().Is("company.name", `"Acme"`)
		w.login(of(claims("u1", ""), "globex", "Globex"))
		c.contact().Is("company.name", `"Globex"`)
		w.login(claims("u1", ""))
		c.contact().Is("company.name", `"Globex"`)
		left := claims("u1", "")
		left.Organization = parley.Null[identity.Organization]()
		w.login(left)
		c.contact().Is("company", "null")
		// A company created through the API is found by its external id.
		made := w.agentPost("/v1/public/companies", `{"name":"Initech","externalId":"ini"}`).Want(201).Text("id")
		w.login(of(claims("u1", ""), "ini", "INI"))
		c.contact().Is("company.id", `"`+made+`"`, "company.name", `"Initech"`)
		moves := 0
		if err := w.Store.View(t.Context(), countMoves(w, c.id, &moves)); err != nil || moves != 4 {
			t.Errorf("%d moves are noted, error %v", moves, err)
		}
	})
}

func TestVisitorWhoSignsIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		v := w.visitor()
		first := v.begin("hello?")
		v.contact().Is("name", `"Visitor"`)
		v.get("session").Want(200).Is("customer.name", `""`, "customer.identified", "false")
		// Nobody vouched for what an agent entered for a visitor.
		w.agentPatch("/v1/public/contacts/"+v.id, `{"phoneNumber":"+49 151 7654321"}`).Want(200)
		ada := w.login(claims("ada", "ada@x.example"))
		old := ada.begin("my first")
		after := ""
		w.events(&after)
		in := w.customer(map[string]string{"identity": w.signed(claims("ada", "ada@x.example")), "visitor": string(v.token)})
		if in.id != ada.id {
			t.Fatal("the customer is another one")
		}
		if got := w.events(&after); strings.TrimPrefix(got, "contact.updated lastActivityAt; ") != "contact.merged; conversation.updated contact" {
			t.Errorf("the events are %q", got)
		}
		for _, id := range []string{first, old} {
			in.get("conversations/" + id).Want(200)
		}
		in.contact().Is("phoneNumber", "null", "name", `""`)
		v.get("session").Refused(401, "the session has ended; start another one")
		if got := w.agentGet("/v1/public/contacts/" + v.id).Want(200).Text("id"); got != ada.id {
			t.Errorf("the visitor leads to %s", got)
		}
	})
}

// TestNobodyTakesASignedSessionAlong passes another customer's session as the
// visitor's earlier one.
func TestNobodyTakesASignedSessionAlong(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.login(claims("ada", "ada@x.example"))
		id := ada.begin("mine")
		eve := w.customer(map[string]string{"identity": w.signed(claims("eve", "eve@x.example")), "visitor": string(ada.token)})
		eve.get("conversations/"+id).Refused(404, "no such conversation")
		visitor := w.customer(map[string]string{"visitor": string(ada.token)})
		visitor.get("conversations/"+id).Refused(404, "no such conversation")
		ada.get("conversations/" + id).Want(200)
		// A visitor of another inbox is not taken over either.
		v := w.visitor()
		written := v.begin("hello")
		elsewhere := w.customer(map[string]string{"inboxId": w.webInbox(w.Home).String(), "visitor": string(v.token)})
		elsewhere.get("conversations/"+written).Refused(404, "no such conversation")
		v.get("conversations/" + written).Want(200)
		for _, odd := range []string{"cs_", "x", strings.Repeat("a", 200), "cs_" + strings.Repeat("a", 43)} {
			w.customer(map[string]string{"visitor": odd})
		}
	})
}

// TestVisitorsDoNotFollow merges and corrects visitors' contacts as an agent: a
// visitor must not come to see what a known customer wrote.
func TestVisitorsDoNotFollow(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, v := w.login(claims("ada", "ada@x.example")), w.visitor()
		id := ada.begin("secret")
		v.begin("I am Ada")
		w.agentPost("/v1/dashboard/contacts/"+v.id+"/merge", `{"intoId":"`+ada.id+`"}`).Want(200)
		v.get("conversations/" + id).Want(401)
		ada.get("conversations/" + id).Want(200)
		// In the other direction.
		bob, other := w.login(claims("bob", "bob@x.example")), w.visitor()
		secret := bob.begin("secret too")
		other.begin("I am Bob")
		w.agentPost("/v1/dashboard/contacts/"+bob.id+"/merge", `{"intoId":"`+other.id+`"}`).Want(200).Is("identifier", `"bob"`)
		other.get("conversations/" + secret).Want(401)
		bob.get("conversations/" + secret).Want(200)
		// An agent enters the address of a signed-in customer.
		claimed := w.visitor()
		claimed.begin("I am Cy")
		w.agentPatch("/v1/public/contacts/"+claimed.id, `{"email":"cy@x.example"}`).Want(200)
		cy := w.login(claims("cy", "cy@x.example"))
		if cy.id != claimed.id {
			t.Error("the address did not find its contact")
		}
		hidden := cy.begin("for the team alone")
		claimed.get("conversations/" + hidden).Want(401)
	})
}
