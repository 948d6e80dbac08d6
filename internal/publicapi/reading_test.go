package publicapi_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/reports"
	"parley/internal/store"
)

// TestFinding finds contacts and companies without writing.
func TestFinding(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		company := w.Post("/v1/public/companies", `{"name":"Acme","externalId":"acct 1"}`).Want(201).Text("id")
		w.Post("/v1/public/companies", `{"name":"acct 1"}`).Want(201)
		ann := w.Contact(`{"email":"Ann@Acme.example","identifier":"a","phoneNumber":"+49 151 7000001"}`)
		bo, cy := w.Contact(`{"email":"bo@acme.example","identifier":"A"}`), w.Contact(`{}`)
		for _, id := range []string{ann, cy} {
			w.Patch("/v1/public/contacts/"+id, `{"companyId":"`+company+`"}`).Want(200)
		}
		for query, want := range map[string][]string{
			"contacts":                                                 {cy, bo, ann},
			"contacts?email=ann@ACME.example":                          {ann},
			"contacts?email=@acme.example":                             {},
			"contacts?identifier=a":                                    {ann},
			"contacts?identifier=A":                                    {bo},
			"contacts?phone=%2B491517000001":                           {ann},
			"contacts?phone=49-151-7000001":                            {ann},
			"contacts?companyId=" + company:                            {cy, ann},
			"contacts?companyId=" + company + "&email=bo@acme.example": {},
			"companies?externalId=acct+1":                              {company},
			"companies?externalId=ACCT+1":                              {},
			"stores?externalId=acct+1":                                 {company},
			"companies?externalId=acct+1&search=none":                  {},
		} {
			if got := w.Get("/v1/public/" + query).Want(200).IDs(); !slices.Equal(got, want) {
				t.Errorf("%s finds %v, want %v", query, got, want)
			}
		}
		page := w.Get("/v1/public/contacts?limit=1&companyId=" + company).Want(200)
		next := page.Text("next_cursor")
		if got := w.Get("/v1/public/contacts?limit=1&companyId=" + company + "&cursor=" + next).Want(200).IDs(); !slices.Equal(got, []string{ann}) {
			t.Errorf("the second page is %v", got)
		}
		for _, query := range []string{"contacts?cursor=" + next, "contacts?email=x&cursor=" + next} {
			w.Get("/v1/public/" + query).Want(400)
		}
		for query, message := range map[string]string{
			"contacts?email=":         "email: must be 1 to 255 characters, not blank",
			"contacts?identifier=":    "identifier: must be 1 to 255 characters, not blank",
			"contacts?phone=x":        "phone: must have digits",
			"contacts?companyId=none": "companyId: must be a UUID",
			"companies?externalId=":   "externalId: must be 1 to 255 characters, not blank",
		} {
			w.Get("/v1/public/"+query).Refused(400, message)
		}
	})
}

// TestMessageOrder reads the messages of a conversation in both orders while
// new ones arrive.
func TestMessageOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.Conversation()
		path := "/v1/public/conversations/" + c + "/messages"
		var written []string
		say := func(more string) string {
			w.Advance(time.Millisecond)
			return w.Post(path, `{"content":"x"`+more+`}`).Want(201).Text("id")
		}
		for range 5 {
			written = append(written, say(""))
		}
		read := func(order string) []string {
			var got []string
			for cursor := ""; ; {
				page := w.Get(path + "?limit=2&order=" + order + "&cursor=" + cursor).Want(200)
				got = append(got, page.IDs()...)
				if cursor = page.Text("next_cursor"); cursor == "" {
					return got
				}
			}
		}
		backwards := slices.Clone(written)
		slices.Reverse(backwards)
		if got := read("asc"); !slices.Equal(got, written) {
			t.Errorf("forwards there are %v, want %v", got, written)
		}
		if got := read("desc"); !slices.Equal(got, backwards) {
			t.Errorf("backwards there are %v, want %v", got, backwards)
		}
		cursor := w.Get(path + "?limit=4").Want(200).Text("next_cursor")
		say(`,"createdAt":"2020-01-01T00:00:00Z"`) // belongs to a page that was read
		newest := say("")
		if got := w.Get(path + "?limit=4&cursor=" + cursor).Want(200).IDs(); !slices.Equal(got, []string{written[4], newest}) {
			t.Errorf("behind the fourth message there are %v", got)
		}
		w.Get(path + "?order=desc&cursor=" + cursor).Want(400)
		w.Get("/v1/public/conversations/" + w.Conversation() + "/messages?cursor=" + cursor).Want(400)
		w.Get(path+"?order=up").Refused(400, "order: must be one of asc, desc")
		one := w.Get("/v1/public/messages/" + newest).Want(200)
		one.Is("id", `"`+newest+`"`, "conversationId", `"`+c+`"`)
	})
}

// TestMessagesFrom reads before and after a message, and continues from there.
func TestMessagesFrom(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.Conversation()
		path := "/v1/public/conversations/" + c + "/messages"
		var written []string
		for range 7 {
			w.Advance(time.Millisecond)
			written = append(written, w.Post(path, `{"content":"x"}`).Want(201).Text("id"))
		}
		check := func(query string, want ...string) string {
			t.Helper()
			page := w.Get(path + query).Want(200)
			if got := page.IDs(); !slices.Equal(got, want) {
				t.Errorf("%s gave %v, want %v", query, got, want)
			}
			return page.Text("next_cursor")
		}
		later := check("?limit=2&from="+written[3], written[3], written[4])
		check("?limit=9&from="+written[0]+"&cursor="+later, written[5], written[6])
		earlier := check("?limit=2&order=desc&from="+written[3], written[3], written[2])
		check("?order=desc&cursor="+earlier, written[1], written[0])
		check("?from="+written[6], written[6])
		w.Get(path+"?from=x").Refused(400, "from: must be a UUID")
		w.Get(path+"?from="+c).Refused(404, "from: no such message in this workspace")
		other := w.Post("/v1/public/conversations/"+w.Conversation()+"/messages", `{"content":"x"}`).Want(201).Text("id")
		w.Get(path+"?from="+other).Refused(404, "from: no such message in this workspace")
	})
}

// TestRead marks a conversation as read, with and without a body.
func TestRead(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ask, known := "/conversations/{c}/messages", map[string]string{"c": w.Conversation()}
		question := step{name: "ask", path: ask, body: `{"content":"x","role":"incoming"}`, status: 201, events: []string{"message.created"}}
		read := step{name: "read", path: "/conversations/{c}/read", status: 200, is: []string{"unreadCount", "0"}, events: []string{"conversation.updated unreadCount"}}
		again := read
		again.name, again.events = "read again", nil
		withBody := read
		withBody.name, withBody.body = "read with a body", `{}`
		play(t, w, known, []step{question, question, read, again, question, withBody})
		w.Get("/v1/public/conversations/"+known["c"]).Is("waitingSince", `"2026-11-21T10:00:00.000Z"`) // reading is no answer
	})
}

// TestLabels adds and removes labels one by one.
func TestLabels(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		many := make([]string, parley.MaxLabels)
		for i := range many {
			many[i] = fmt.Sprintf("%q", fmt.Sprint("l", i))
		}
		known := map[string]string{"c": w.Conversation(), "full": w.Conversation(), "long": strings.Repeat("é", 101)}
		w.Patch("/v1/public/conversations/"+known["full"], `{"labels":[`+strings.Join(many, ",")+`]}`).Want(200)
		updated := []string{"conversation.updated labels"}
		play(t, w, known, []step{
			{name: "add", method: "PUT", path: "/conversations/{c}/labels/vip", status: 200, is: []string{"labels", `["vip"]`}, events: updated},
			{name: "add again", method: "PUT", path: "/conversations/{c}/labels/%20vip%09", status: 200, is: []string{"labels", `["vip"]`}},
			{name: "another one", method: "PUT", path: "/conversations/{c}/labels/a%2Fb%20%C3%A9", status: 200, is: []string{"labels", `["vip","a/b é"]`}, events: updated},
			{name: "in another case", method: "PUT", path: "/conversations/{c}/labels/VIP", status: 200, is: []string{"labels", `["vip","a/b é","VIP"]`}, events: updated},
			{name: "remove", method: "DELETE", path: "/conversations/{c}/labels/vip", status: 200, is: []string{"labels", `["a/b é","VIP"]`}, events: updated},
			{name: "remove again", method: "DELETE", path: "/conversations/{c}/labels/vip", status: 200, is: []string{"labels", `["a/b é","VIP"]`}},
			{name: "PATCH trims", method: "PATCH", path: "/conversations/{c}", body: `{"labels":[" VIP","a/b é ","VIP"]}`, status: 200, is: []string{"labels", `["VIP","a/b é"]`}, events: updated},
			{name: "slashes and dots", method: "PUT", path: "/conversations/{c}/labels/%2F..%2F%2Fx%2F", status: 200, is: []string{"labels", `["VIP","a/b é","/..//x/"]`}, events: updated},
			{name: "without them", method: "DELETE", path: "/conversations/{c}/labels/%2F..%2F%2Fx%2F", status: 200, is: []string{"labels", `["VIP","a/b é"]`}, events: updated},
			{name: "dots alone", method: "PATCH", path: "/conversations/{c}", body: `{"labels":["vip",".."]}`, status: 400, error: "labels: must be an array of 0 to 50 items; item 2 must not be . or .., which no address can name"},
			{name: "by dots alone", method: "PUT", path: "/conversations/{c}/labels/%2e", status: 404},
			{name: "blank", method: "PUT", path: "/conversations/{c}/labels/%20", status: 400, error: "label: must be 1 to 100 characters, not blank"},
			{name: "too long", method: "PUT", path: "/conversations/{c}/labels/{long}", status: 400, error: "label: must be 1 to 100 characters, not blank"},
			{name: "no UTF-8", method: "DELETE", path: "/conversations/{c}/labels/%FF", status: 400},
			{name: "one too many", method: "PUT", path: "/conversations/{full}/labels/x", status: 400, error: "label: must be one of at most 50, and the conversation has as many"},
			{name: "one of fifty", method: "PUT", path: "/conversations/{full}/labels/l7", status: 200},
		})
		if got := w.Get("/v1/public/conversations?label=" + url.QueryEscape(" VIP ")).Want(200).IDs(); !slices.Equal(got, []string{known["c"]}) {
			t.Errorf("the label finds %v", got)
		}
	})
}

// TestListedLastMessage reads lists of conversations with their newest
// messages.
func TestListedLastMessage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contact := w.Contact(`{"name":"Ann"}`)
		start := func() string {
			return w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"}`).Want(201).Text("id")
		}
		silent, long, noted := start(), start(), start()
		post := func(conversation, body string) string {
			return w.Post("/v1/public/conversations/"+conversation+"/messages", body).Want(201).Text("id")
		}
		post(long, `{"content":"the first","role":"incoming"}`)
		last := post(long, `{"content":"`+strings.Repeat("é", 300)+`","role":"incoming"}`)
		note := post(noted, `{"content":"by hand","isPrivate":true}`)

		want := map[string][]string{
			silent: {"lastMessage", "null"},
			long: {"lastMessage.id", `"` + last + `"`, "lastMessage.preview", `"` + strings.Repeat("é", parley.MaxPreview) + `"`,
				"lastMessage.messageType", `"incoming"`, "lastMessage.senderType", `"contact"`, "lastMessage.isPrivate", "false"},
			noted: {"lastMessage.id", `"` + note + `"`, "lastMessage.preview", `"by hand"`, "lastMessage.isPrivate", "true",
				"lastMessage.messageType", `"outgoing"`, "lastMessage.contentType", `"text"`, "lastMessage.attachmentCount", "0"},
		}
		cursor, seen := "", 0
		for {
			page := w.Get("/v1/public/conversations?include=lastMessage&limit=1&contactId=" + contact + cursor).Want(200)
			pairs := slices.Clone(want[page.Text("data.0.id")])
			for i := 0; i < len(pairs); i += 2 {
				pairs[i] = "data.0." + pairs[i]
			}
			page.Is(pairs...)
			seen++
			if page.Text("next_cursor") == "" {
				break
			}
			cursor = "&cursor=" + page.Text("next_cursor")
		}
		if seen != len(want) {
			t.Errorf("the list shows %d conversations", seen)
		}
		w.Get("/v1/public/conversations?include=lastMessage&label=none").Want(200).Is("data", "[]")
		w.Get("/v1/public/conversations?include=everything").Refused(400, "include: must be one of lastMessage")
		if plain := w.Get("/v1/public/conversations?limit=1").Want(200); strings.Contains(string(plain.Body), "lastMessage") {
			t.Errorf("nobody asked for the newest message: %s", plain.Body)
		}
	})
}

// TestLabelsOfOlderSpelling finds and removes labels that were stored before their
// names were trimmed and composed.
func TestLabelsOfOlderSpelling(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.Conversation()
		known, ok := parley.ParseID(id)
		if !ok {
			t.Fatal(id)
		}
		_, err := w.Desk.UpdateConversation(t.Context(), w.by(), known, desk.ConversationChange{Labels: parley.Some([]string{" vip\t", "Cafe\u0301"})})
		if err != nil {
			t.Fatal(err)
		}
		path := "/v1/public/conversations/" + id + "/labels/"
		for _, label := range []string{"Caf\u00e9", "Cafe\u0301"} {
			if got := w.Get("/v1/public/conversations?label=" + url.QueryEscape(label)).Want(200).IDs(); !slices.Equal(got, []string{id}) {
				t.Errorf("the label %q finds %v", label, got)
			}
		}
		again := w.Send(apitest.Request{Method: "PUT", Path: path + "vip"}).Want(200)
		again.Is("labels", `["vip","Café"]`)
		if got := w.Get("/v1/public/conversations?label=vip").Want(200).IDs(); !slices.Equal(got, []string{id}) {
			t.Errorf("the label vip finds %v", got)
		}
		w.Send(apitest.Request{Method: "DELETE", Path: path + "vip"}).Want(200).Is("labels", `["Café"]`)
		w.Send(apitest.Request{Method: "DELETE", Path: path + "Caf%C3%A9"}).Want(200).Is("labels", `[]`)
	})
}

// TestLabelsHeal adds a label that exists in older spellings: one remains, in
// the present spelling and the first one's place.
func TestLabelsHeal(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		seq := ""
		for _, change := range []apitest.Request{{Method: "PUT", Path: "/labels/Caf%C3%A9"}, {Method: "PUT", Path: "/labels/%20Cafe%CC%81"}, {Method: "PATCH", Body: `{"labels":["x","Cafe\u0301"," Caf\u00e9","y"]}`}} {
			id := w.Conversation()
			w.label(id, "x", " Cafe\u0301", "Caf\u00e9\u2028", "y")
			change.Path = "/v1/public/conversations/" + id + change.Path
			w.events(&seq)
			w.Send(change).Want(200).Is("labels", "[\"x\",\"Caf\u00e9\",\"y\"]")
			if got := w.events(&seq); !slices.Equal(got, []string{"conversation.updated labels"}) {
				t.Errorf("%s %s: the events are %v", change.Method, change.Path, got)
			}
			w.Send(change).Want(200)
			if got := w.events(&seq); len(got) > 0 {
				t.Errorf("%s %s again: the events are %v", change.Method, change.Path, got)
			}
			if got := w.Get("/v1/public/conversations?label=Caf%C3%A9").Want(200).IDs(); !slices.Contains(got, id) {
				t.Errorf("%s %s: the label finds %v", change.Method, change.Path, got)
			}
		}
	})
}

// TestLabelsOfDots creates no label that an address cannot name, in whatever
// way, and removes existing ones.
func TestLabelsOfDots(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.Conversation()
		path := "/v1/public/conversations/" + id
		for _, name := range []string{".", ".."} {
			for _, blank := range []string{" ", "\t", "\x01", "\r\n", "\u0085", "\u00a0", "\u2028", "\u3000"} {
				for _, label := range []string{blank + name, name + blank, blank + name + blank} {
					escaped := url.PathEscape(label)
					for _, address := range []string{escaped, strings.ReplaceAll(escaped, ".", "%2e"), strings.ReplaceAll(escaped, ".", "%2E")} {
						w.Send(apitest.Request{Method: "PUT", Path: path + "/labels/" + address}).Refused(400, "label: must not be . or .., which no address can name")
					}
					quoted, err := json.Marshal([]string{"x", label})
					if err != nil {
						t.Fatal(err)
					}
					w.Patch(path, `{"labels":`+string(quoted)+`}`).Refused(400, "labels: must be an array of 0 to 50 items; item 2 must not be . or .., which no address can name")
				}
			}
		}
		w.label(id, "x", ".", "..", ". ")
		w.Patch(path, `{"labels":["x",".","..","y"]}`).Want(200).Is("labels", `["x",".","..","y"]`)
		w.Patch(path, `{"labels":["y","."]}`).Want(200).Is("labels", `["y","."]`)
		w.Patch(path, `{"labels":["y","..","."]}`).Want(400)
		w.Send(apitest.Request{Method: "DELETE", Path: path + "/labels/%20."}).Want(200).Is("labels", `["y"]`)
		w.Patch(path, `{"labels":["."]}`).Want(400)
	})
}

// label stores labels as they are.
func (w *world) label(conversation string, labels ...string) {
	w.T.Helper()
	id, ok := parley.ParseID(conversation)
	if !ok {
		w.T.Fatal(conversation)
	}
	err := w.Store.Write(w.T.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
		return tx.UpdateConversationLabels(w.Home.Workspace.ID, id, nil, labels)
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

// TestIfLastMessage posts only if nobody else has written.
func TestIfLastMessage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := map[string]string{"c": w.Conversation(), "unknown": "01a1fb68-2f6a-7000-87d8-89526ae1d0cd", "owner": string(w.Home.Owner.ID)}
		created, path := []string{"message.created"}, "/conversations/{c}/messages"
		play(t, w, known, []step{
			{name: "none there", path: path, body: `{"content":"x","ifLastMessageId":"{unknown}"}`, status: 409,
				error: "ifLastMessageId: must be the last message of the conversation, which has none"},
			{name: "not asked", path: path, body: `{"content":"x","ifLastMessageId":null}`, status: 201, save: "first", events: created},
			{name: "it is", path: path, body: `{"content":"x","ifLastMessageId":"{first}"}`, status: 201, save: "second", events: created},
			{name: "it is not", path: path, body: `{"content":"x","ifLastMessageId":"{first}"}`, status: 409,
				error: "ifLastMessageId: must be the last message of the conversation, which is {second}"},
			{name: "a backfill comes before it", path: path, body: `{"content":"x","createdAt":"2020-01-01T00:00:00Z"}`, status: 201, events: created},
			{name: "it still is", path: path, body: `{"content":"x","isPrivate":true,"agentUserId":"{owner}","ifLastMessageId":"{second}"}`, status: 201, save: "note", events: created},
			{name: "a note is one too", path: path, body: `{"content":"x","ifLastMessageId":"{second}"}`, status: 409,
				error: "ifLastMessageId: must be the last message of the conversation, which is {note}"},
			{name: "no id", path: path, body: `{"content":"x","ifLastMessageId":"x"}`, status: 400},
		})
		refused := w.Post("/v1/public/conversations/"+known["c"]+"/messages", `{"content":"x","ifLastMessageId":"`+known["first"]+`"}`).Want(409)
		if got := refused.Header.Get("Parley-Error"); !strings.Contains(got, "ifLastMessageId") || !strings.Contains(got, known["note"]) {
			t.Errorf("Parley-Error is %q", got)
		}
	})
}

// TestIfStatus posts only if nobody has resolved the conversation. A stored
// message is not checked again, so that a caller who missed the answer gets it.
func TestIfStatus(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := map[string]string{"c": w.Conversation(), "owner": string(w.Home.Owner.ID)}
		created, path := []string{"message.created"}, "/conversations/{c}/messages"
		body := `{"content":"x","ifStatus":["open","pending"]}`
		play(t, w, known, []step{
			{name: "open", path: path, body: body, status: 201, events: created},
			{name: "resolve", method: "PATCH", path: "/conversations/{c}", body: `{"status":"resolved"}`, status: 200, events: []string{"conversation.updated status"}},
			{name: "resolved", path: path, body: body, status: 409, error: "ifStatus: must have the status of the conversation, which is resolved"},
			{name: "not asked", path: path, body: `{"content":"x","ifStatus":null}`, status: 201, events: created},
			{name: "it may be", path: path, body: `{"content":"x","ifStatus":["resolved"]}`, status: 201, events: created},
			{name: "none", path: path, body: `{"content":"x","ifStatus":[]}`, status: 400},
			{name: "no status", path: path, body: `{"content":"x","ifStatus":["closed"]}`, status: 400},
			{name: "no list", path: path, body: `{"content":"x","ifStatus":"open"}`, status: 400},
		})
		again := apitest.Request{Method: "POST", Path: "/v1/public/conversations/" + w.Conversation() + "/messages", Body: body, Header: withKey("k")}
		first := w.Send(again).Want(201).Text("id")
		w.Patch(strings.TrimSuffix(again.Path, "/messages"), `{"status":"resolved"}`).Want(200)
		if got := w.Send(again).Want(201).Text("id"); got != first {
			t.Errorf("the answer again is %s, want %s", got, first)
		}
		again.Header = withKey("other")
		w.Send(again).Want(409)
		again.Body = `{"content":"x"}`
		w.Send(again).Want(201) // a refusal stored nothing
	})
}

// TestImports starts conversations of the past, and ones that begin with more
// than a contact.
func TestImports(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := map[string]string{"contact": w.Contact(`{"name":"Ann"}`), "owner": string(w.Home.Owner.ID)}
		created := []string{"conversation.created"}
		play(t, w, known, []step{
			{name: "today", path: "/conversations", body: `{"contactId":"{contact}"}`, status: 201, save: "today", events: created},
			{name: "import", path: "/conversations", status: 201, save: "old", events: created,
				body: `{"contactId":"{contact}","status":"resolved","priority":"high","labels":[" a","b","a"],"assigneeId":"{owner}","customAttributes":{"n":1,"x":null},"createdAt":"2021-03-04T10:00:00+01:00"}`,
				is: []string{"status", `"resolved"`, "priority", `"high"`, "labels", `["a","b"]`, "assignee.id", `"{owner}"`, "customAttributes", `{"n":1}`,
					"createdAt", `"2021-03-04T09:00:00.000Z"`, "lastActivityAt", `"2021-03-04T09:00:00.000Z"`, "waitingSince", "null"}},
			{name: "its messages", path: "/conversations/{old}/messages", body: `{"content":"x","role":"incoming","createdAt":"2021-03-05T00:00:00Z"}`, status: 201, events: []string{"message.created"}},
			{name: "as it was", method: "GET", path: "/conversations/{old}", status: 200,
				is: []string{"status", `"resolved"`, "lastActivityAt", `"2021-03-05T00:00:00.000Z"`, "unreadCount", "0"}},
			{name: "all null", path: "/conversations", status: 201, events: created, save: "null",
				body: `{"contactId":"{contact}","status":null,"priority":null,"labels":null,"assigneeId":null,"customAttributes":null,"createdAt":null}`,
				is:   []string{"status", `"open"`, "priority", "null", "labels", "[]", "assignee", "null", "createdAt", `"2026-11-21T10:00:00.000Z"`}},
			{name: "a clock ahead", path: "/conversations", body: `{"contactId":"{contact}","createdAt":"2026-11-21T10:01:00Z"}`, status: 201, events: created,
				is: []string{"createdAt", `"2026-11-21T10:00:00.000Z"`}},
			{name: "the future", path: "/conversations", body: `{"contactId":"{contact}","createdAt":"2026-11-21T10:01:00.001Z"}`, status: 400, error: "createdAt: must not be in the future"},
			{name: "unknown member", path: "/conversations", body: `{"contactId":"{contact}","assigneeId":"usr_x"}`, status: 404, error: "assigneeId: no such member in this workspace"},
			{name: "wrong values", path: "/conversations", body: `{"contactId":"{contact}","status":"new","labels":[""],"customAttributes":[]}`, status: 400},
		})
		list := w.Get("/v1/public/conversations").Want(200).IDs()
		if list[len(list)-1] != known["old"] {
			t.Errorf("the list is %v, want %s last", list, known["old"])
		}
		if got := w.Get("/v1/public/conversations?label=b&updatedSince=2026-11-21T10:00:00Z").Want(200).IDs(); !slices.Equal(got, []string{known["old"]}) {
			t.Errorf("whoever polls finds %v, want the import", got)
		}
		events := w.Get("/v1/public/events?limit=200").Want(200)
		for i := range events.Field("data").([]any) {
			at := fmt.Sprint("data.", i, ".")
			if id, _ := events.Field(at + "conversationId").(string); id == known["old"] {
				events.Is(at+"imported", "true")
			}
		}
		day := func(at time.Time) int {
			on := parley.Some(parley.DayOf(at))
			report, err := w.Desk.Report(parley.WholeWorkspace(w.Home.Workspace.ID), reports.Query{From: on, To: on, By: parley.ByDay}).Now(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return report.Total.Opened
		}
		if then, now := day(time.Date(2021, 3, 4, 0, 0, 0, 0, time.UTC)), day(apitest.Start()); then != 1 || now != 3 {
			t.Errorf("%d were opened on the day of the import, %d today, want 1 and 3", then, now)
		}
	})
}
