package widget_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/internal/apitest"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// visit describes the customer's visit.
func (c *customer) visit(body string) apitest.Answer {
	c.w.T.Helper()
	return c.w.Send(apitest.Request{
		Method: "PUT", Path: "/v1/widget/session/visit", Body: body, Bearer: string(c.token), Address: c.address,
		Header: http.Header{"User-Agent": {firefox}},
	})
}

// seen returns what members read of a contact's visit.
func (w *world) seen(contact string) apitest.Answer {
	w.T.Helper()
	return w.agentGet("/v1/dashboard/contacts/" + contact + "/visit").Want(200)
}

// TestVisits follows a visitor through a shop, into another contact, and away.
func TestVisits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		v, other := w.visitor(), w.visitor()
		v.visit(`{"page":"https://shop.example/"}`).Want(200) // nobody has written: it is about no one
		w.agentGet("/v1/dashboard/contacts/" + v.id + "/visit").Want(404)
		v.begin("hi")
		other.begin("hi")
		w.seen(v.id).Is("visit", "null")
		position := ""
		w.events(&position)
		v.visit(`{"page":"https://shop.example/cart?token=x&utm_source=mail#pay","title":"Cart","referrer":"https://search.example/?q=secret",
			"language":"de-AT","zone":"Europe/Vienna","facts":{"b":true,"a":"x","gone":null}}`).Want(200)
		w.seen(v.id).Is(
			"visit.page", `"https://shop.example/cart?utm_source=mail"`, "visit.title", `"Cart"`, "visit.referrer", `"https://search.example/"`,
			"visit.language", `"de-AT"`, "visit.zone", `"Europe/Vienna"`, "visit.device", `"Firefox on Linux"`, "visit.facts", `{"a":"x","b":true}`)
		w.Advance(time.Second)
		v.visit(`{"page":"javascript:alert(1)"}`).Want(200) // replaces all of it
		w.seen(v.id).Is("visit.page", `""`, "visit.facts", "{}", "visit.title", `""`)
		if told := w.events(&position); told != "" {
			t.Errorf("the log has %s", told)
		}
		w.seen(other.id).Is("visit", "null")
		if text := string(v.get("session").Want(200).Body); strings.Contains(text, "visit") {
			t.Errorf("the customer reads %s", text)
		}

		// The later of two visits stays with the contact that stays.
		w.Advance(time.Second)
		other.visit(`{"page":"https://shop.example/later"}`).Want(200)
		w.agentPost("/v1/dashboard/contacts/"+other.id+"/merge", `{"intoId":"`+v.id+`"}`).Want(200)
		w.seen(other.id).Is("visit.page", `"https://shop.example/later"`)
		early := w.visitor()
		early.begin("hi")
		early.visit(`{"page":"https://shop.example/a"}`).Want(200)
		w.Advance(time.Second)
		late := w.visitor()
		late.begin("hi")
		late.visit(`{"page":"https://shop.example/b"}`).Want(200)
		w.agentPost("/v1/dashboard/contacts/"+early.id+"/merge", `{"intoId":"`+late.id+`"}`).Want(200)
		w.seen(late.id).Is("visit.page", `"https://shop.example/b"`)
	})
}

// TestHostileVisits sends what no browser of ours sends.
func TestHostileVisits(t *testing.T) {
	w := onSQLite(t)
	v := w.visitor()
	v.begin("hi")
	many := make([]string, 21)
	for i := range many {
		many[i] = fmt.Sprintf(`"%d":1`, i)
	}
	bad := []string{
		`{"facts":[]}`, `{"facts":"x"}`, `{"facts":{"a":{}}}`, `{"facts":{"a":[1]}}`, `{"facts":{"a":1,"a":2}}`, `{"facts":{"a":1e999}}`,
		`{"facts":{` + strings.Join(many, ",") + `}}`, `{"facts":{"a":"` + strings.Repeat("x", 4096) + `"}}`, `{"title":"` + strings.Repeat("x", 301) + `"}`,
		`{"zone":1}`, `{"language":"` + strings.Repeat("x", 36) + `"}`, `{"referrer":"` + strings.Repeat("x", 2049) + `"}`,
	}
	for i, body := range bad {
		if i%10 == 0 {
			w.Advance(time.Minute)
		}
		v.visit(strings.Replace(body, "{", `{"page":"",`, 1)).Want(400)
	}
	w.seen(v.id).Is("visit", "null")
	w.Advance(time.Minute)
	for range 12 {
		v.visit(`{"page":""}`).Want(200)
	}
	v.visit(`{"page":""}`).Want(429)
}

// TestMembersHearOfVisits listens as a member and as another customer.
func TestMembersHearOfVisits(t *testing.T) {
	w := onSQLite(t)
	s := w.Serve(t)
	v, other := w.visitor(), w.visitor()
	id := v.begin("hi")
	other.begin("hi")
	member, stranger := w.board(t, s), other.follow(t, s, "")
	drain(t, member, v, id)
	v.visit(`{"page":"https://shop.example/"}`).Want(200)
	v.post("conversations/"+id+"/messages", `{"content":"done"}`).Want(201)
	other.post("conversations", `{"content":"done"}`).Want(201)
	heard := false
	for name := ""; name != "message.created"; {
		var data string
		name, data = member.Next()
		heard = heard || name == "visit" && data == `{"contactId":"`+v.id+`"}`
	}
	if !heard {
		t.Error("the member did not hear of the visit")
	}
	for name := ""; name != "message.created"; {
		if name, _ = stranger.Next(); name == "visit" {
			t.Error("another customer heard of the visit")
		}
	}
}
