package publicapi_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/apitest"
)

// A step is a request, its answer, and exactly the events that follow. In path
// and body, {name} stands for what an earlier step saved.
type step struct {
	name   string
	method string // "" is POST
	path   string // below /v1/public
	body   string
	status int
	is     []string // pairs of a path in the answer and its JSON
	error  string   // the whole error
	save   string   // name for the id in the answer
	events []string
}

// play plays the steps in one world.
func play(t *testing.T, w *world, known map[string]string, steps []step) {
	t.Helper()
	position := ""
	w.events(&position)
	fill := func(text string) string {
		for name, value := range known {
			text = strings.ReplaceAll(text, "{"+name+"}", value)
		}
		return text
	}
	for _, s := range steps {
		w.Run(t, s.name, func(t *testing.T) {
			method := s.method
			if method == "" {
				method = "POST"
			}
			got := w.Send(apitest.Request{Method: method, Path: "/v1/public" + fill(s.path), Body: fill(s.body)}).Want(s.status)
			for i, value := range s.is {
				s.is[i] = fill(value)
			}
			got.Is(s.is...)
			if s.error != "" && got.Text("error") != fill(s.error) {
				t.Errorf("the error is %q, want %q", got.Text("error"), fill(s.error))
			}
			if s.save != "" {
				known[s.save] = got.Text("id")
			}
			if told := w.events(&position); !slices.Equal(told, s.events) {
				t.Errorf("the events are %q, want %q", told, s.events)
			}
		})
	}
}

func TestConversations(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		archived, err := w.Desk.CreateProduct(t.Context(), w.by(), "Old", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Desk.ArchiveProduct(t.Context(), w.by(), archived.ID, true); err != nil {
			t.Fatal(err)
		}
		routed := w.inbox("Routed", w.product.ID)
		known := map[string]string{
			"contact": w.Contact(`{"name":"Ann","email":"ann@acme.example","shopName":"S"}`),
			"product": w.product.ID.String(), "archived": archived.ID.String(), "inbox": w.Home.Inbox.ID.String(), "routed": routed,
			"owner": string(w.Home.Owner.ID), "unknown": "01a1fb68-2f6a-7000-87d8-89526ae1d0cd",
		}
		play(t, w, known, conversationSteps())
	})
}

func conversationSteps() []step {
	updated := func(fields string) []string { return []string{"conversation.updated " + fields} }
	return []step{
		{name: "create", path: "/conversations", body: `{"contactId":"{contact}"}`, status: 201, save: "c", events: []string{"conversation.created"}, is: []string{
			"status", `"open"`, "priority", "null", "spam", "false", "labels", "[]", "unreadCount", "0", "product", "null", "assignee", "null", "customAttributes", "{}",
			"contact", `{"email":"ann@acme.example","id":"{contact}","name":"Ann","phoneNumber":null,"shopName":"S"}`,
			"inbox", `{"channelType":"api","id":"{inbox}","name":"API"}`, "createdAt", `"2026-11-21T10:00:00.000Z"`}},
		{name: "create by routing", path: "/conversations", body: `{"contactId":"{contact}","inboxId":"{routed}"}`, status: 201,
			is: []string{"product", `{"id":"{product}","name":"Shop"}`}, events: []string{"conversation.created"}, save: "routedConversation"},
		{name: "create without product on purpose", path: "/conversations", body: `{"contactId":"{contact}","inboxId":"{routed}","productId":null}`, status: 201,
			is: []string{"product", "null"}, events: []string{"conversation.created"}},
		{name: "create with product", path: "/conversations", body: `{"contactId":"{contact}","productId":"{product}"}`, status: 201,
			is: []string{"product.name", `"Shop"`}, events: []string{"conversation.created"}},
		{name: "create with archived product", path: "/conversations", body: `{"contactId":"{contact}","productId":"{archived}"}`, status: 400,
			error: "productId: must be an active product; this one is archived"},
		{name: "create with unknown contact", path: "/conversations", body: `{"contactId":"{unknown}"}`, status: 404, error: "contactId: no such contact in this workspace"},
		{name: "create without contact", path: "/conversations", body: `{}`, status: 400, error: "contactId: must be given"},
		{name: "create with a wrong contact", path: "/conversations", body: `{"contactId":"x"}`, status: 400, error: "contactId: must be a UUID"},
		{name: "create with several mistakes", path: "/conversations", body: `{"contactId":5,"inboxId":7,"productId":"x"}`, status: 400,
			error: "contactId: must be a UUID; inboxId: must be a UUID; productId: must be a UUID, or null"},

		{name: "change nothing", method: "PATCH", path: "/conversations/{c}", body: `{}`, status: 200, is: []string{"status", `"open"`}},
		{name: "change without a body", method: "PATCH", path: "/conversations/{c}", status: 200},
		{name: "change to the same", method: "PATCH", path: "/conversations/{c}", body: `{"status":"open","priority":null,"assigneeId":null,"labels":[]}`, status: 200},
		{name: "status", method: "PATCH", path: "/conversations/{c}", body: `{"status":"pending"}`, status: 200, is: []string{"status", `"pending"`}, events: updated("status")},
		{name: "priority", method: "PATCH", path: "/conversations/{c}", body: `{"priority":"urgent"}`, status: 200, is: []string{"priority", `"urgent"`, "status", `"pending"`}, events: updated("priority")},
		{name: "no priority", method: "PATCH", path: "/conversations/{c}", body: `{"priority":null}`, status: 200, is: []string{"priority", "null"}, events: updated("priority")},
		{name: "spam", method: "PATCH", path: "/conversations/{c}", body: `{"spam":true}`, status: 200, is: []string{"spam", "true", "status", `"pending"`}, events: updated("spam")},
		{name: "spam again", method: "PATCH", path: "/conversations/{c}", body: `{"spam":true}`, status: 200, is: []string{"spam", "true"}},
		{name: "no spam", method: "PATCH", path: "/conversations/{c}", body: `{"spam":false}`, status: 200, is: []string{"spam", "false"}, events: updated("spam")},
		{name: "neither", method: "PATCH", path: "/conversations/{c}", body: `{"spam":"yes"}`, status: 400, error: "spam: must be true or false"},
		{name: "assign", method: "PATCH", path: "/conversations/{c}", body: `{"assigneeId":"{owner}"}`, status: 200,
			is: []string{"assignee", `{"id":"{owner}","image":"","name":"owner"}`}, events: updated("assignee")},
		{name: "unassign", method: "PATCH", path: "/conversations/{c}", body: `{"assigneeId":null}`, status: 200, is: []string{"assignee", "null"}, events: updated("assignee")},
		{name: "labels", method: "PATCH", path: "/conversations/{c}", body: `{"labels":["a","b","a"]}`, status: 200, is: []string{"labels", `["a","b"]`}, events: updated("labels")},
		{name: "other labels", method: "PATCH", path: "/conversations/{c}", body: `{"labels":["b"]}`, status: 200, is: []string{"labels", `["b"]`}, events: updated("labels")},
		{name: "product", method: "PATCH", path: "/conversations/{c}", body: `{"productId":"{product}"}`, status: 200, is: []string{"product.id", `"{product}"`}, events: updated("product")},
		{name: "archived product", method: "PATCH", path: "/conversations/{c}", body: `{"productId":"{archived}","status":"open"}`, status: 400},
		{name: "no product", method: "PATCH", path: "/conversations/{c}", body: `{"productId":null}`, status: 200, is: []string{"product", "null"}, events: updated("product")},
		{name: "attributes", method: "PATCH", path: "/conversations/{c}", body: `{"customAttributes":{"b":2,"a":{"x":[1]}}}`, status: 200,
			is: []string{"customAttributes", `{"a":{"x":[1]},"b":2}`}, events: updated("customAttributes")},
		{name: "attributes merge", method: "PATCH", path: "/conversations/{c}", body: `{"customAttributes":{"b":null,"c":"<&>"}}`, status: 200,
			is: []string{"customAttributes.a.x", "[1]", "customAttributes.b", "null", "customAttributes.c", `"\u003c\u0026\u003e"`}, events: updated("customAttributes")},
		{name: "several", method: "PATCH", path: "/conversations/{c}", body: `{"status":"resolved","priority":"low","assigneeId":"{owner}"}`, status: 200, events: updated("status,priority,assignee")},
		{name: "unknown status", method: "PATCH", path: "/conversations/{c}", body: `{"status":"closed","priority":"none"}`, status: 400,
			error: "status: must be one of open, pending, resolved; priority: must be one of low, medium, high, urgent, or null"},
		{name: "null status", method: "PATCH", path: "/conversations/{c}", body: `{"status":null}`, status: 400, error: "status: must be one of open, pending, resolved"},
		{name: "unknown member", method: "PATCH", path: "/conversations/{c}", body: `{"assigneeId":"usr_x"}`, status: 404, error: "assigneeId: no such member in this workspace"},
		{name: "blank label", method: "PATCH", path: "/conversations/{c}", body: `{"labels":[" "]}`, status: 400,
			error: "labels: must be an array of 0 to 50 items; item 1 must be a string of 1 to 100 characters, not blank"},
		{name: "unknown conversation", method: "PATCH", path: "/conversations/{unknown}", body: `{"status":"open"}`, status: 404, error: "no such conversation in this workspace"},
	}
}

func TestMessages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := map[string]string{"c": w.Conversation(), "owner": string(w.Home.Owner.ID)}
		created, reopened := []string{"message.created"}, []string{"message.created", "conversation.updated status"}
		play(t, w, known, []step{
			{name: "outgoing", path: "/conversations/{c}/messages", body: `{"content":"hi"}`, status: 201, events: created, is: []string{
				"content", `"hi"`, "contentType", `"text"`, "senderType", `"bot"`, "senderId", `"bot"`, "messageType", `"outgoing"`, "status", `"sent"`,
				"isPrivate", "false", "sender.name", `"Automated agent"`, "attachments", "[]", "conversationId", `"{c}"`}},
			{name: "incoming", path: "/conversations/{c}/messages", body: `{"content":"hello","role":"incoming"}`, status: 201, events: created,
				is: []string{"senderType", `"contact"`, "sender", `{"image":"","name":"Ann"}`, "messageType", `"incoming"`}},
			{name: "unread", method: "GET", path: "/conversations/{c}", status: 200, is: []string{"unreadCount", "1"}},
			{name: "bot does not read", path: "/conversations/{c}/messages", body: `{"content":"bot"}`, status: 201, events: created},
			{name: "note does not read", path: "/conversations/{c}/messages", body: `{"content":"note","isPrivate":true,"agentUserId":"{owner}"}`, status: 201, events: created, is: []string{"isPrivate", "true"}},
			{name: "still unread", method: "GET", path: "/conversations/{c}", status: 200, is: []string{"unreadCount", "1"}},
			{name: "member answers", path: "/conversations/{c}/messages", body: `{"content":"answer","agentUserId":"{owner}","contentType":"markdown"}`, status: 201, events: created,
				is: []string{"senderType", `"agent"`, "senderId", `"{owner}"`, "sender.name", `"owner"`, "contentType", `"markdown"`}},
			{name: "read", method: "GET", path: "/conversations/{c}", status: 200, is: []string{"unreadCount", "0"}},
			{name: "resolve", method: "PATCH", path: "/conversations/{c}", body: `{"status":"resolved"}`, status: 200, events: []string{"conversation.updated status"}},
			{name: "outgoing does not open", path: "/conversations/{c}/messages", body: `{"content":"bye"}`, status: 201, events: created},
			{name: "backfill does not open", path: "/conversations/{c}/messages", body: `{"content":"old","role":"incoming","createdAt":"2020-01-01T00:00:00.5Z"}`, status: 201, events: created,
				is: []string{"createdAt", `"2020-01-01T00:00:00.500Z"`}},
			{name: "still resolved", method: "GET", path: "/conversations/{c}", status: 200, is: []string{"status", `"resolved"`, "unreadCount", "0",
				"lastActivityAt", `"2026-11-21T10:00:00.000Z"`, "messages.data.0.content", `"old"`}},
			{name: "incoming opens", path: "/conversations/{c}/messages", body: `{"content":"again","role":"incoming"}`, status: 201, events: reopened},
			{name: "open", method: "GET", path: "/conversations/{c}", status: 200, is: []string{"status", `"open"`, "unreadCount", "1"}},
			{name: "wait for the customer", method: "PATCH", path: "/conversations/{c}", body: `{"status":"pending"}`, status: 200, events: []string{"conversation.updated status"}},
			{name: "backfill does not open what is pending", path: "/conversations/{c}/messages", body: `{"content":"old","role":"incoming","createdAt":"2020-01-01T00:00:00Z"}`, status: 201, events: created},
			{name: "outgoing does not open what is pending", path: "/conversations/{c}/messages", body: `{"content":"and?"}`, status: 201, events: created},
			{name: "still pending", method: "GET", path: "/conversations/{c}", status: 200, is: []string{"status", `"pending"`}},
			{name: "incoming opens what is pending", path: "/conversations/{c}/messages", body: `{"content":"here","role":"incoming"}`, status: 201, events: reopened},
			{name: "open again", method: "GET", path: "/conversations/{c}", status: 200, is: []string{"status", `"open"`, "unreadCount", "2"}},
			{name: "no content", path: "/conversations/{c}/messages", body: `{"role":"outgoing"}`, status: 400, error: "content: must be given"},
			{name: "blank", path: "/conversations/{c}/messages", body: `{"content":" \n\t"}`, status: 400, error: "content: must be a string of 1 to 65536 bytes of UTF-8, not blank"},
			{name: "NUL", path: "/conversations/{c}/messages", body: `{"content":"a\u0000b"}`, status: 400, error: "content: must not contain the NUL character"},
			{name: "longest", path: "/conversations/{c}/messages", body: `{"content":"` + strings.Repeat("é", 32768) + `"}`, status: 201, events: created},
			{name: "too long", path: "/conversations/{c}/messages", body: `{"content":"` + strings.Repeat("é", 32768) + `x"}`, status: 400},
			{name: "wrong role", path: "/conversations/{c}/messages", body: `{"content":"x","role":"agent"}`, status: 400, error: "role: must be one of outgoing, incoming"},
			{name: "incoming by a member", path: "/conversations/{c}/messages", body: `{"content":"x","role":"incoming","agentUserId":"{owner}"}`, status: 400, error: "agentUserId: must be absent on an incoming message"},
			{name: "incoming note", path: "/conversations/{c}/messages", body: `{"content":"x","role":"incoming","isPrivate":true}`, status: 400, error: "isPrivate: must be false on an incoming message"},
			{name: "a clock ahead", path: "/conversations/{c}/messages", body: `{"content":"x","createdAt":"2026-11-21T10:01:00Z"}`, status: 201,
				events: []string{"message.created"}, is: []string{"createdAt", `"2026-11-21T10:00:00.000Z"`}},
			{name: "future", path: "/conversations/{c}/messages", body: `{"content":"x","createdAt":"2026-11-21T10:01:00.001Z"}`, status: 400, error: "createdAt: must not be in the future"},
			{name: "unknown member", path: "/conversations/{c}/messages", body: `{"content":"x","agentUserId":"usr_x"}`, status: 404, error: "agentUserId: no such member in this workspace"},
		})
	})
}

// TestMessagePages reads a conversation backwards.
func TestMessagePages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.Conversation()
		var want []string
		for i := range 7 {
			text := string(rune('a' + i))
			w.Post("/v1/public/conversations/"+c+"/messages", `{"content":"`+text+`"}`).Want(201)
			want = append(want, text)
		}
		var got []string
		cursor := ""
		for {
			page := w.Get("/v1/public/conversations/" + c + "?messages_limit=3&messages_cursor=" + cursor).Want(200)
			var texts []string
			for i := range page.Field("messages.data").([]any) {
				texts = append(texts, page.Text("messages.data."+string(rune('0'+i))+".content"))
			}
			got = append(texts, got...)
			if cursor = page.Text("messages.next_cursor"); cursor == "" {
				page.Is("messages.has_more", "false")
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("the messages are %v, want %v", got, want)
		}
		w.Get("/v1/public/conversations/"+c+"?messages_limit=0").Refused(400, "messages_limit: must be an integer from 1 to 200")
	})
}

// TestConversationFilters looks for conversations by each filter.
func TestConversationFilters(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		company := w.Post("/v1/public/companies", `{"name":"Acme"}`).Want(201).Text("id")
		ann, bo := w.Contact(`{"name":"Ann"}`), w.Contact(`{"name":"Bo"}`)
		w.Patch("/v1/public/contacts/"+ann, `{"companyId":"`+company+`"}`).Want(200)
		routed := w.inbox("Routed", w.product.ID)
		create := func(contact, more string) string {
			w.Advance(time.Second)
			return w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"`+more+`}`).Want(201).Text("id")
		}
		first, second, third := create(ann, ""), create(bo, `,"inboxId":"`+routed+`"`), create(ann, "")
		w.Patch("/v1/public/conversations/"+first, `{"status":"resolved","labels":["vip","a"],"assigneeId":"`+string(w.Home.Owner.ID)+`"}`).Want(200)
		w.Advance(10 * time.Second)
		w.Patch("/v1/public/conversations/"+second, `{"priority":"low"}`).Want(200)
		for query, want := range map[string][]string{
			"":                                      {third, second, first},
			"status=resolved":                       {first},
			"status=open":                           {third, second},
			"inboxId=" + routed:                     {second},
			"contactId=" + ann:                      {third, first},
			"companyId=" + company:                  {third, first},
			"productId=" + w.product.ID.String():    {second},
			"productId=none":                        {third, first},
			"assigneeId=none":                       {third, second},
			"assigneeId=" + string(w.Home.Owner.ID): {first},
			"label=vip":                             {first},
			"label=none":                            {},
			"updatedSince=2026-11-21T10:00:03Z":     {third, first, second}, // oldest change first
			"updatedSince=2026-11-21T10:00:10%2B00:00":                                                   {second},
			"status=open&contactId=" + ann + "&companyId=" + company + "&productId=none&assigneeId=none": {third},
		} {
			if got := w.Get("/v1/public/conversations?" + query).Want(200).IDs(); !slices.Equal(got, want) {
				t.Errorf("%s finds %v, want %v", query, got, want)
			}
		}
		// A message moves a conversation to the front, a change of settings does not.
		w.Post("/v1/public/conversations/"+first+"/messages", `{"content":"x"}`).Want(201)
		if got := w.Get("/v1/public/conversations").IDs(); got[0] != first {
			t.Errorf("the list begins with %s, want %s", got[0], first)
		}
		for query, message := range map[string]string{
			"status=closed": "status: must be one of open, pending, resolved", "productId=x": "productId: must be a UUID or none",
			"inboxId=x": "inboxId: must be a UUID", "updatedSince=yesterday": "updatedSince: must be a time such as 2026-11-20T08:15:30Z, not before 1970",
			"label=": "label: must be 1 to 100 characters, not blank", "spam=yes": "spam: must be one of false, true, any",
		} {
			w.Get("/v1/public/conversations?"+query).Refused(400, message)
		}
	})
}
