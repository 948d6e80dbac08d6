package widget_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestConversation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		after := ""
		w.events(&after)
		v := w.visitor()
		v.get("conversations").want(200).is("data", "[]", "has_more", "false")
		made := v.post("conversations", `{"content":"Where is my parcel?"}`).want(201)
		id := made.text("conversation.id")
		made.is("conversation.status", `"open"`, "conversation.unreadCount", "0", "message.from", `"customer"`,
			"conversation.lastMessage.content", `"Where is my parcel?"`, "message.status", `"delivered"`)
		if got := w.events(&after); got != "contact.created; conversation.created; message.created" {
			t.Errorf("the events are %q", got)
		}
		agents := "/v1/public/conversations/" + id
		w.agentGet(agents).want(200).is("contact.name", `"Visitor"`, "inbox.name", `"Web"`, "unreadCount", "1", "messages.data.0.senderType", `"contact"`)

		w.advance(time.Minute)
		w.agentPost(agents+"/messages", `{"content":"a note","isPrivate":true}`).want(201)
		v.get("conversations/"+id).want(200).is("unreadCount", "0", "lastMessage.content", `"Where is my parcel?"`,
			"lastActivityAt", `"`+made.text("conversation.lastActivityAt")+`"`)
		w.advance(time.Minute)
		w.agentPost(agents+"/messages", `{"content":"On its way."}`).want(201)
		w.advance(time.Minute)
		w.agentPost(agents+"/messages", `{"content":"Another note","isPrivate":true}`).want(201)
		thread := v.get("conversations/" + id).want(200)
		thread.is("unreadCount", "1", "lastMessage.content", `"On its way."`, "lastMessage.from", `"team"`, "messages.data.1.sender.name", `"owner"`)
		if thread.count("messages.data") != 2 || strings.Contains(string(thread.body), "note") {
			t.Errorf("the customer sees %s", thread.body)
		}
		v.get("conversations").want(200).is("data.0.unreadCount", "1", "data.0.id", `"`+id+`"`)
		w.events(&after)
		v.post("conversations/"+id+"/read", "").want(200).is("unreadCount", "0")
		v.post("conversations/"+id+"/read", "{}").want(200).is("unreadCount", "0")
		if got := w.events(&after); got != "message.updated status; conversation.updated customerSeen" {
			t.Errorf("the events are %q", got)
		}
		w.agentGet(agents).want(200).is("messages.data.2.status", `"read"`, "messages.data.1.status", `"sent"`, "messages.data.3.status", `"sent"`)

		w.agentPatch(agents, `{"status":"resolved"}`).want(200)
		v.get("conversations/"+id).want(200).is("status", `"resolved"`)
		w.events(&after)
		v.post("conversations/"+id+"/messages", `{"content":"Thanks"}`).want(201).is("from", `"customer"`, "sender.name", `"Visitor"`)
		if got := w.events(&after); got != "message.created; conversation.updated status" {
			t.Errorf("the events are %q", got)
		}
	})
}

// TestCustomersPages reads conversations and messages page by page.
func TestCustomersPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		v := w.visitor()
		var ids []string
		for range 5 {
			w.advance(time.Second)
			ids = append(ids, v.begin("hi"))
		}
		w.advance(time.Second)
		for range 5 {
			w.advance(time.Second)
			w.agentPost("/v1/public/conversations/"+ids[0]+"/messages", `{"content":"note","isPrivate":true}`).want(201)
			v.post("conversations/"+ids[0]+"/messages", `{"content":"more"}`).want(201)
		}
		var got []string
		for cursor := ""; ; {
			page := v.get("conversations?limit=2&cursor=" + cursor).want(200)
			for i := range page.count("data") {
				got = append(got, page.text("data."+string(rune('0'+i))+".id"))
			}
			if cursor = page.text("next_cursor"); cursor == "" {
				break
			}
		}
		if want := []string{ids[0], ids[4], ids[3], ids[2], ids[1]}; strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("the pages have\n%v, want\n%v", got, want)
		}
		seen := 0
		for cursor := ""; ; {
			page := v.get("conversations/" + ids[0] + "?messages_limit=2&messages_cursor=" + cursor).want(200)
			seen += page.count("messages.data")
			if cursor = page.text("messages.next_cursor"); cursor == "" {
				break
			}
		}
		if seen != 6 {
			t.Errorf("the pages have %d messages, want 6", seen)
		}
		other := w.visitor()
		cursor := v.get("conversations?limit=2").text("next_cursor")
		other.get("conversations?cursor="+cursor).refused(400, "cursor: must be a next_cursor of this list with the same filters")
	})
}

// TestIdempotencyIsTheCustomersOwn sends requests again, and the same key as
// another customer.
func TestIdempotencyIsTheCustomersOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		v, other := w.visitor(), w.visitor()
		send := func(c *customer, path, body string) answer {
			return w.send(request{
				method: "POST", path: "/v1/widget/" + path, body: body, token: c.token, header: http.Header{"Idempotency-Key": {"k"}},
			})
		}
		first := send(v, "conversations", `{"content":"hi"}`).want(201)
		again := send(v, "conversations", `{"content":"hi"}`).want(201)
		if string(first.body) != string(again.body) || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the answers are\n%s\n%s", first.body, again.body)
		}
		send(v, "conversations", `{"content":"other"}`).want(422)
		theirs := send(other, "conversations", `{"content":"hi"}`).want(201)
		if theirs.text("conversation.id") == first.text("conversation.id") {
			t.Error("a customer got another one's answer")
		}
		id := first.text("conversation.id")
		message := send(v, "conversations/"+id+"/messages", `{"content":"more"}`).want(201)
		if again := send(v, "conversations/"+id+"/messages", `{"content":"more"}`).want(201); again.text("id") != message.text("id") {
			t.Error("the message was written twice")
		}
		send(v, "conversations/"+id+"/messages", `{"content":"less"}`).want(422)
		v.get("conversations/"+id).want(200).is("messages.data.1.content", `"more"`)
	})
}

// TestTenancy asks for what belongs to another customer, another inbox and
// another workspace.
func TestTenancy(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		away, err := w.access.CreateWorkspace(t.Context(), "Away", "owner@away.example")
		if err != nil {
			t.Fatal(err)
		}
		elsewhere := w.webInbox(away).String()
		ada := w.login(claims("ada", "ada@x.example"))
		id := ada.begin("mine")
		second := w.customer(map[string]string{"identity": w.signed(claims("ada", "")), "inboxId": w.webInbox(w.home).String()})
		foreign := w.customer(map[string]string{"inboxId": elsewhere})
		foreign.begin("over here")
		// Our signature says nothing to them.
		w.start(map[string]string{"identity": w.signed(claims("ada", "ada@x.example")), "inboxId": elsewhere}).
			refused(401, "the identity was not accepted")
		visitors := w.visitor()
		for _, c := range []*customer{w.login(claims("eve", "eve@x.example")), visitors, second, foreign} {
			const none = "no such conversation"
			c.get("conversations/"+id).refused(404, none)
			c.post("conversations/"+id+"/messages", `{"content":"x"}`).refused(404, none)
			c.post("conversations/"+id+"/read", "").refused(404, none)
			c.post("conversations/"+id+"/typing", `{"typing":true}`).refused(404, none)
			for _, item := range c.get("conversations").want(200).field("data").([]any) {
				if item.(map[string]any)["id"] == id {
					t.Error("the list shows another customer's conversation")
				}
			}
		}
		if second.id != ada.id {
			t.Error("the inboxes of a workspace have other contacts")
		}
		// A session is no key and no member's session, nor the other way round.
		for _, path := range []string{"/v1/public/contacts", "/v1/public/events"} {
			w.send(request{method: "GET", path: path, token: ada.token}).want(401)
		}
		w.send(request{method: "GET", path: "/v1/dashboard/state", token: ada.token}).want(401)
		for _, wrong := range []string{string(w.home.Secret), string(w.agent), "cs_" + strings.Repeat("a", 43)} {
			w.send(request{method: "GET", path: "/v1/widget/session", header: http.Header{"Authorization": {"Bearer " + wrong}}}).want(401)
		}
	})
}
