package widget_test

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/apitest"
)

// say types something into the form of a widget.
func (c *customer) say(body string) apitest.Answer {
	c.w.T.Helper()
	return c.post("session/address", body)
}

// TestAsking asks before and after the first message, and keeps what visitors typed with
// the contact that they become.
func TestAsking(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const unasked = "email: must not be set, because the widget does not ask for it"
		v := w.visitor()
		w.agentGet("/v1/dashboard/inboxes/"+w.inbox.String()+"/widget").Want(200).Is("ask", `"off"`, "askFields", "[]", "askRequired", "false")
		v.get("inboxes/"+w.inbox.String()).Want(200).Is("ask", "null")
		v.say(`{"email":"ada@acme.example"}`).Refused(409, unasked)
		w.agentPatch("/v1/dashboard/inboxes/"+w.inbox.String()+"/widget", `{"ask":"before"}`).Refused(400, "askFields: must name what the widget asks for")
		w.settings(`{"ask":"before","askFields":["email","email"]}`).Is("askFields", `["email"]`)
		w.settings(`{"askFields":["email","name"],"askRequired":true}`).Is("askFields", `["email","name"]`)
		v.get("inboxes/"+w.inbox.String()).Want(200).Is("ask.when", `"before"`, "ask.fields", `["email","name"]`, "ask.required", "true")

		v.post("conversations", `{"content":"hi"}`).Refused(403, "the widget asks visitors who they are before the first message")
		v.say(`{"name":"Ada"}`).Refused(400, "email: must be given")
		v.say(`{"email":"ada","name":"Ada"}`).Want(400)
		w.agentGet("/v1/dashboard/contacts/" + v.id + "/visit").Want(404)
		v.say(`{"email":"ada@acme.example","name":" Ada "}`).Want(200)
		w.seen(v.id).Is("typed.name", `"Ada"`, "typed.email", `"ada@acme.example"`, "visit", "null")
		w.agentGet("/v1/public/contacts/"+v.id).Want(200).Is("name", `"Ada"`, "email", `""`)
		v.begin("hi")
		if text := string(v.get("session").Want(200).Body); strings.Contains(text, "Ada") || strings.Contains(text, "acme") {
			t.Errorf("the customer reads %s", text)
		}

		// A name that a member gave stays, and a customer with an identity is not asked.
		w.settings(`{"ask":"after","askRequired":false}`)
		w.agentPatch("/v1/public/contacts/"+v.id, `{"name":"Ada Lovelace"}`).Want(200)
		v.say(`{"name":"Eve"}`).Want(200)
		w.agentGet("/v1/public/contacts/"+v.id).Want(200).Is("name", `"Ada Lovelace"`)
		w.seen(v.id).Is("typed.name", `"Eve"`, "typed.email", `"ada@acme.example"`)
		v.say(`{}`).Refused(400, "email: must be given, or name")
		v.say(`{"name":"Ada"}`).Want(200)
		v.say(`{"name":"Ada"}`).Refused(409, "the visitor has said a name or an address 3 times")
		signed := w.customer(map[string]string{"identity": w.signed(claims("ada", ""))})
		signed.say(`{"name":"Ada"}`).Refused(409, "the identity says who the customer is")
		w.settings(`{"ask":"before","askRequired":true}`)
		signed.begin("hi")

		// What was typed goes along with a merge; the later of two stays.
		late := w.visitor()
		late.say(`{"email":"late@acme.example","name":"Late"}`).Want(200)
		w.agentPost("/v1/dashboard/contacts/"+v.id+"/merge", `{"intoId":"`+late.id+`"}`).Want(200)
		w.seen(v.id).Is("typed.email", `"late@acme.example"`)
	})
}

// TestTypedAddressOpensNothing types the address of somebody else: the visitor gets nothing
// of theirs, the address becomes nobody's, and members see two who may be one.
func TestTypedAddressOpensNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.settings(`{"ask":"after","askFields":["email"]}`)
		chief := w.agentPost("/v1/public/contacts", `{"name":"Chief","email":"Chief@acme.example"}`).Want(201).Text("id")
		known := w.customer(map[string]string{"identity": w.signed(claims("chief", "chief@acme.example"))})
		secret := known.begin("a secret")
		eve := w.visitor()
		own := eve.begin("hi")
		eve.say(`{"email":"chief@ACME.example"}`).Want(200)
		eve.say(`{"email":"chief@ACME.example"}`).Want(200)
		eve.get("conversations/" + secret).Want(404)
		page := eve.get("conversations").Want(200)
		page.Is("data.0.id", `"`+own+`"`)
		if page.Count("data") != 1 {
			t.Errorf("the visitor sees %s", page.Body)
		}
		w.agentGet("/v1/public/contacts/"+eve.id).Want(200).Is("email", `""`, "name", `"Visitor"`)
		again := w.visitor()
		again.say(`{"email":"chief@acme.example"}`).Want(200)
		if again.id == eve.id || again.get("conversations").Want(200).Count("data") != 0 {
			t.Error("the address opened the conversations of another visitor")
		}
		pairs := w.agentGet("/v1/dashboard/contact-duplicates?contactId=" + eve.id).Want(200)
		pairs.Is("data.0.contact.id", `"`+eve.id+`"`, "data.0.other.id", `"`+chief+`"`)
		if pairs.Count("data") != 1 {
			t.Errorf("the duplicates are %s", pairs.Body)
		}

		// Whoever creates a contact by a typed address does not find the visitor.
		free := w.visitor()
		free.say(`{"email":"free@acme.example"}`).Want(200)
		made := w.agentPost("/v1/public/contacts", `{"email":"free@acme.example"}`).Want(201).Text("id")
		if made == free.id {
			t.Error("the visitor became the owner of an address")
		}
		in := w.customer(map[string]string{"identity": w.signed(claims("boss", "chief@acme.example"))})
		if in.id == eve.id || in.id == again.id {
			t.Error("an identity took over a visitor by a typed address")
		}
		for i := range 10 {
			status := 200
			if i >= 3 {
				status = 409
			}
			if i == 0 {
				continue // free has typed once
			}
			free.say(fmt.Sprintf(`{"email":"guess%d@acme.example"}`, i)).Want(status)
		}
	})
}
