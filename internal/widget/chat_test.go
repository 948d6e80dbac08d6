package widget_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/internal/apitest"
)

func TestConversation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		after := ""
		w.events(&after)
		v := w.visitor()
		v.get("conversations").Want(200).Is("data", "[]", "has_more", "false")
		made := v.post("conversations", `{"content":"Where is my parcel?"}`).Want(201)
		id := made.Text("conversation.id")
		made.Is("conversation.status", `"open"`, "conversation.unreadCount", "0", "message.from", `"customer"`,
			"conversation.lastMessage.content", `"Where is my parcel?"`, "message.status", `"delivered"`)
		if got := w.events(&after); got != "contact.created; conversation.created; message.created" {
			t.Errorf("the events are %q", got)
		}
		agents := "/v1/public/conversations/" + id
		w.agentGet(agents).Want(200).Is("contact.name", `"Visitor"`, "inbox.name", `"Web"`, "unreadCount", "1", "messages.data.0.senderType", `"contact"`)

		w.Advance(time.Minute)
		w.agentPost(agents+"/messages", `{"content":"a note","isPrivate":true}`).Want(201)
		v.get("conversations/"+id).Want(200).Is("unreadCount", "0", "lastMessage.content", `"Where is my parcel?"`,
			"lastActivityAt", `"`+made.Text("conversation.lastActivityAt")+`"`)
		w.Advance(time.Minute)
		w.agentPost(agents+"/messages", `{"content":"On its way."}`).Want(201)
		w.Advance(time.Minute)
		w.agentPost(agents+"/messages", `{"content":"Another note","isPrivate":true}`).Want(201)
		thread := v.get("conversations/" + id).Want(200)
		thread.Is("unreadCount", "1", "lastMessage.content", `"On its way."`, "lastMessage.from", `"team"`, "messages.data.1.sender.name", `"owner"`)
		if thread.Count("messages.data") != 2 || strings.Contains(string(thread.Body), "note") {
			t.Errorf("the customer sees %s", thread.Body)
		}
		v.get("conversations").Want(200).Is("data.0.unreadCount", "1", "data.0.id", `"`+id+`"`)
		w.events(&after)
		v.post("conversations/"+id+"/read", "").Want(200).Is("unreadCount", "0")
		v.post("conversations/"+id+"/read", "{}").Want(200).Is("unreadCount", "0")
		if got := w.events(&after); got != "message.updated status; conversation.updated customerSeen" {
			t.Errorf("the events are %q", got)
		}
		w.agentGet(agents).Want(200).Is("messages.data.2.status", `"read"`, "messages.data.1.status", `"sent"`, "messages.data.3.status", `"sent"`)

		w.agentPatch(agents, `{"status":"resolved"}`).Want(200)
		v.get("conversations/"+id).Want(200).Is("status", `"resolved"`)
		w.events(&after)
		v.post("conversations/"+id+"/messages", `{"content":"Thanks"}`).Want(201).Is("from", `"customer"`, "sender.name", `"Visitor"`)
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
			w.Advance(time.Second)
			ids = append(ids, v.begin("hi"))
		}
		w.Advance(time.Second)
		for range 5 {
			w.Advance(time.Second)
			w.agentPost("/v1/public/conversations/"+ids[0]+"/messages", `{"content":"note","isPrivate":true}`).Want(201)
			v.post("conversations/"+ids[0]+"/messages", `{"content":"more"}`).Want(201)
		}
		var got []string
		for cursor := ""; ; {
			page := v.get("conversations?limit=2&cursor=" + cursor).Want(200)
			for i := range page.Count("data") {
				got = append(got, page.Text("data."+string(rune('0'+i))+".id"))
			}
			if cursor = page.Text("next_cursor"); cursor == "" {
				break
			}
		}
		if want := []string{ids[0], ids[4], ids[3], ids[2], ids[1]}; strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("the pages have\n%v, want\n%v", got, want)
		}
		seen := 0
		for cursor := ""; ; {
			page := v.get("conversations/" + ids[0] + "?messages_limit=2&messages_cursor=" + cursor).Want(200)
			seen += page.Count("messages.data")
			if cursor = page.Text("messages.next_cursor"); cursor == "" {
				break
			}
		}
		if seen != 6 {
			t.Errorf("the pages have %d messages, want 6", seen)
		}
		other := w.visitor()
		cursor := v.get("conversations?limit=2").Text("next_cursor")
		other.get("conversations?cursor="+cursor).Refused(400, "cursor: must be a next_cursor of this list with the same filters")
	})
}

// TestIdempotencyIsTheCustomersOwn repeats requests, and uses the same key as
// another customer.
func TestIdempotencyIsTheCustomersOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		v, other := w.visitor(), w.visitor()
		send := func(c *customer, path, body string) apitest.Answer {
			return w.Send(apitest.Request{
				Method: "POST", Path: "/v1/widget/" + path, Body: body, Bearer: string(c.token), Header: http.Header{"Idempotency-Key": {"k"}},
			})
		}
		first := send(v, "conversations", `{"content":"hi"}`).Want(201)
		again := send(v, "conversations", `{"content":"hi"}`).Want(201)
		if string(first.Body) != string(again.Body) || again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the answers are\n%s\n%s", first.Body, again.Body)
		}
		send(v, "conversations", `{"content":"other"}`).Want(422)
		theirs := send(other, "conversations", `{"content":"hi"}`).Want(201)
		if theirs.Text("conversation.id") == first.Text("conversation.id") {
			t.Error("a customer got another one's answer")
		}
		id := first.Text("conversation.id")
		message := send(v, "conversations/"+id+"/messages", `{"content":"more"}`).Want(201)
		if again := send(v, "conversations/"+id+"/messages", `{"content":"more"}`).Want(201); again.Text("id") != message.Text("id") {
			t.Error("the message was written twice")
		}
		send(v, "conversations/"+id+"/messages", `{"content":"less"}`).Want(422)
		v.get("conversations/"+id).Want(200).Is("messages.data.1.content", `"more"`)
	})
}

// TestTenancy requests records of another customer, another inbox and another
// workspace.
func TestTenancy(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		away, err := w.Access.CreateWorkspace(t.Context(), "Away", "owner@away.example")
		if err != nil {
			t.Fatal(err)
		}
		elsewhere := w.webInbox(away).String()
		ada := w.login(claims("ada", "ada@x.example"))
		id := ada.begin("mine")
		second := w.customer(map[string]string{"identity": w.signed(claims("ada", "")), "inboxId": w.webInbox(w.Home).String()})
		foreign := w.customer(map[string]string{"inboxId": elsewhere})
		foreign.begin("over here")
		// Our signature is worth nothing there.
		w.start(map[string]string{"identity": w.signed(claims("ada", "ada@x.example")), "inboxId": elsewhere}).
			Refused(401, "the identity was not accepted")
		visitors := w.visitor()
		for _, c := range []*customer{w.login(claims("eve", "eve@x.example")), visitors, second, foreign} {
			const none = "no such conversation"
			c.get("conversations/"+id).Refused(404, none)
			c.post("conversations/"+id+"/messages", `{"content":"x"}`).Refused(404, none)
			c.post("conversations/"+id+"/read", "").Refused(404, none)
			c.post("conversations/"+id+"/typing", `{"typing":true}`).Refused(404, none)
			for _, item := range c.get("conversations").Want(200).Field("data").([]any) {
				if item.(map[string]any)["id"] == id {
					t.Error("the list shows another customer's conversation")
				}
			}
		}
		if second.id != ada.id {
			t.Error("the inboxes of a workspace have other contacts")
		}
		// A customer's session is neither a key nor a member's session, and
		// vice versa.
		for _, path := range []string{"/v1/public/contacts", "/v1/public/events"} {
			w.Send(apitest.Request{Method: "GET", Path: path, Bearer: string(ada.token)}).Want(401)
		}
		w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/state", Bearer: string(ada.token)}).Want(401)
		for _, wrong := range []string{string(w.Home.Secret), string(w.Owner), "cs_" + strings.Repeat("a", 43)} {
			w.Send(apitest.Request{Method: "GET", Path: "/v1/widget/session", Header: http.Header{"Authorization": {"Bearer " + wrong}}}).Want(401)
		}
	})
}
