package dashboard_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
)

// ids returns the ids of the items of a list.
func (w *world) ids(path string) []string {
	w.T.Helper()
	list := w.Get(path).Want(200)
	ids := make([]string, list.Count("data"))
	for i := range ids {
		ids[i] = list.Text("data." + strconv.Itoa(i) + ".id")
	}
	return ids
}

func TestSearchContacts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := map[string]string{}
		for _, body := range []string{
			`{"name":"Ärger Söhne","email":"Info@Aerger.example"}`,
			`{"name":"Ann Example","email":"ann@acme.example","phoneNumber":"+49 (151) 234-5678","identifier":"CRM-7"}`,
			`{"name":"100% Wool_Shop"}`, `{"name":"Iİı"}`, `{"name":"Straße 123"}`,
		} {
			w.Advance(time.Millisecond)
			var contact struct{ Name string }
			if err := json.Unmarshal([]byte(body), &contact); err != nil {
				t.Fatal(err)
			}
			known[contact.Name] = w.Contact(body)
		}
		w.indexed()
		for search, want := range map[string][]string{
			"äRGER": {"Ärger Söhne"}, "SÖHNE är": {"Ärger Söhne"}, "info@AERGER": {"Ärger Söhne"}, "rger": nil, "ärger ann": nil,
			"ann": {"Ann Example"}, "crm-7": {"Ann Example"}, "acme  EXAMPLE": {"Ann Example"}, "+49 151 2345678": {"Ann Example"},
			"2345678": {"Ann Example"}, "151x": nil, "100": {"100% Wool_Shop"}, "wool_s": {"100% Wool_Shop"},
			"%": nil, `\`: nil, "STRASSE 1": {"Straße 123"}, "  ": nil,
			"example": {"Ann Example", "Ärger Söhne"}, "a b c d e f g h i": nil,
		} {
			got := w.ids("/v1/dashboard/contacts?search=" + url.QueryEscape(search))
			slices.Sort(got)
			var ids []string
			for _, name := range want {
				ids = append(ids, known[name])
			}
			slices.Sort(ids)
			if !slices.Equal(got, ids) {
				t.Errorf("%q finds %d contacts, want %v", search, len(got), want)
			}
		}
		if got := w.ids("/v1/dashboard/contacts?search=example"); len(got) != 2 || got[0] != known["Ann Example"] {
			t.Errorf("who has the word in the name is not first: %v", got)
		}
		w.Patch("/v1/public/contacts/"+known["Ann Example"], `{"name":"Bo Other","email":"bo@x.example","phoneNumber":null}`).Want(200)
		w.indexed()
		if got := w.ids("/v1/dashboard/contacts?search=ann"); len(got) != 0 {
			t.Errorf("an old name finds %v", got)
		}
		if got := w.ids("/v1/dashboard/contacts?search=bo%40x"); !slices.Equal(got, []string{known["Ann Example"]}) {
			t.Errorf("a new name finds %v", got)
		}
		w.Get("/v1/dashboard/contacts?limit=0&search=" + url.QueryEscape(string(make([]byte, 1)))).Want(400)
	})
}

func TestContactPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var all []string
		for i := range 5 {
			w.Advance(time.Millisecond)
			all = append([]string{w.Contact(`{"name":"Ann ` + strconv.Itoa(i) + `"}`)}, all...)
			w.Contact(`{"name":"Bo"}`)
		}
		w.indexed()
		var got []string
		cursor := ""
		for range 3 {
			page := w.Get("/v1/dashboard/contacts?search=ANN&limit=2&cursor=" + cursor).Want(200)
			for i := range page.Count("data") {
				got = append(got, page.Text("data."+strconv.Itoa(i)+".id"))
			}
			cursor = page.Text("next_cursor")
		}
		if !slices.Equal(got, all) || cursor != "" {
			t.Errorf("the pages hold %v, want %v; the last cursor is %q", got, all, cursor)
		}
		cursor = w.Get("/v1/dashboard/contacts?search=ann&limit=2").Text("next_cursor")
		w.Get("/v1/dashboard/contacts?search=bo&cursor="+cursor).
			Refused(400, "cursor: must be a next_cursor of this list with the same filters")
	})
}

// TestCustomersOfNobody requests what a customer has of a contact that does not
// exist; the tests of the widget cover existing ones.
func TestCustomersOfNobody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/v1/dashboard/contacts/" + unknownID
		w.Post(path+"/sign-out", "").Refused(404, "no such contact in this workspace")
		w.Get(path+"/ways").Refused(404, "no such contact in this workspace")
		w.Get(path+"/visit").Refused(404, "no such contact in this workspace")
		w.Get(path+"/company-moves").Refused(404, "no such contact in this workspace")
	})
}

// TestWaysToAPhone connects a number and disconnects it again.
func TestWaysToAPhone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ways := func(contact string) apitest.Answer {
			return w.Get("/v1/dashboard/contacts/" + contact + "/ways").Want(200)
		}
		phone, bare := w.Contact(`{"name":"Ann","phoneNumber":"+49 151 12345678"}`), w.Contact(`{"name":"Bo","email":"bo@x.example"}`)
		ways(phone).Is("data", "[]")
		number := w.Post("/v1/dashboard/numbers", `{"phone":"4930555020","driver":"sandbox"}`).Want(201).Text("id")
		got := ways(phone).Is("data.0.inbox.channelType", `"chatapp"`, "data.0.phoneNumber", `"+4915112345678"`)
		if got.Count("data") != 1 {
			t.Errorf("there are %d ways", got.Count("data"))
		}
		ways(bare).Is("data", "[]")
		ways(w.Contact(`{"name":"The number itself","phoneNumber":"+4930555020"}`)).Is("data", "[]")
		started := w.Post("/v1/public/conversations", `{"contactId":"`+phone+`","inboxId":"`+got.Text("data.0.inbox.id")+`"}`).Want(201).Text("id")
		w.Post("/v1/public/conversations/"+started+"/messages", `{"content":"hello"}`).Want(201).Is("status", `"queued"`)
		w.Post("/v1/dashboard/numbers/"+number+"/disconnect", "").Want(200)
		ways(phone).Is("data", "[]")
	})
}

// twoContacts are two contacts, one with all fields and one with none, and the
// records of the first.
type twoContacts struct{ full, bare, company, conversation string }

func (w *world) twoContacts() twoContacts {
	w.T.Helper()
	p := twoContacts{bare: w.Contact(`{}`)}
	p.company = w.Post("/v1/public/companies", `{"name":"Acme"}`).Want(201).Text("id")
	p.full = w.Contact(`{"name":"Ann","email":"Ann@acme.example","phoneNumber":"+49 151 1234567","shopName":"S","avatarUrl":"https://img.example/a.png",` +
		`"identifier":"crm-7","customAttributes":{"plan":"pro","seats":1}}`)
	w.Patch("/v1/public/contacts/"+p.full, `{"companyId":"`+p.company+`"}`).Want(200)
	p.conversation = w.Post("/v1/public/conversations", `{"contactId":"`+p.full+`"}`).Want(201).Text("id")
	w.Advance(time.Second)
	w.Post("/v1/public/conversations/"+p.conversation+"/messages", `{"content":"hello","role":"incoming"}`).Want(201)
	return p
}

func TestMergeGivesWhatIsMissing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.twoContacts()
		w.Patch("/v1/public/contacts/"+p.bare, `{"customAttributes":{"plan":"free","x":null,"y":2}}`).Want(200)
		w.Advance(time.Second)
		shown := []string{
			"id", `"` + p.bare + `"`, "name", `"Ann"`, "email", `"Ann@acme.example"`, "phoneNumber", `"+491511234567"`, "shopName", `"S"`,
			"avatarUrl", `"https://img.example/a.png"`, "identifier", `"crm-7"`, "company", `{"id":"` + p.company + `","name":"Acme"}`,
			"customAttributes", `{"plan":"free","seats":1,"y":2}`, "lastActivityAt", `"2026-11-21T10:00:01.000Z"`,
			"createdAt", `"2026-11-21T10:00:00.000Z"`, "updatedAt", `"2026-11-21T10:00:02.000Z"`,
		}
		play(t, w, map[string]string{"full": p.full, "bare": p.bare, "c": p.conversation}, []step{
			{name: "merge", path: "/dashboard/contacts/{full}/merge", body: `{"intoId":"{bare}"}`, status: 200, is: shown, events: []string{
				"contact.updated name,email,phoneNumber,shopName,avatarUrl,identifier,companyId,customAttributes,lastActivityAt", "contact.merged", "conversation.updated contact"}},
			{name: "merge again", path: "/dashboard/contacts/{full}/merge", body: `{"intoId":"{bare}"}`, status: 200, is: shown},
			{name: "the old id leads to the other", method: "GET", path: "/public/contacts/{full}", status: 200, is: shown},
			{name: "conversation", method: "GET", path: "/public/conversations/{c}", status: 200, is: []string{
				"contact.id", `"{bare}"`, "contact.name", `"Ann"`, "messages.data.0.senderId", `"{bare}"`, "messages.data.0.sender.name", `"Ann"`}},
			{name: "conversations by the old id", method: "GET", path: "/public/conversations?contactId={full}", status: 200, is: []string{"data.0.id", `"{c}"`}},
			{name: "conversations by the new id", method: "GET", path: "/public/conversations?contactId={bare}", status: 200, is: []string{"data.0.id", `"{c}"`}},
			{name: "change by the old id", method: "PATCH", path: "/public/contacts/{full}", body: `{"name":"Anna","email":"ann@acme.example"}`, status: 200,
				is: []string{"id", `"{bare}"`, "name", `"Anna"`}, events: []string{"contact.updated name,email"}},
			{name: "write by the old id", path: "/public/conversations", body: `{"contactId":"{full}"}`, status: 201, is: []string{"contact.id", `"{bare}"`},
				events: []string{"conversation.created"}},
			{name: "by identity", path: "/public/contacts", body: `{"identifier":"crm-7","shopName":"T"}`, status: 200, is: []string{"id", `"{bare}"`},
				events: []string{"contact.updated shopName"}},
		})
		if ids := w.ids("/v1/public/contacts"); !slices.Equal(ids, []string{p.bare}) {
			t.Errorf("the contacts are %v", ids)
		}
		if changed := w.ids("/v1/public/conversations?updatedSince=2026-11-21T10:00:02Z"); !slices.Contains(changed, p.conversation) {
			t.Error("who asks what changed is not told of the conversation")
		}
	})
}

func TestMergeKeepsWhatIsThere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.twoContacts()
		w.Advance(time.Second)
		other := w.Contact(`{"name":"Bo","email":"bo@x.example","phoneNumber":"77777777","shopName":"T","avatarUrl":"https://img.example/b.png",` +
			`"identifier":"crm-8","customAttributes":{"plan":"free","seats":2}}`)
		company := w.Post("/v1/public/companies", `{"name":"Beta"}`).Want(201).Text("id")
		w.Patch("/v1/public/contacts/"+other, `{"companyId":"`+company+`"}`).Want(200)
		play(t, w, map[string]string{"full": p.full, "other": other, "bare": p.bare, "unknown": unknownID}, []step{
			{name: "merge", path: "/dashboard/contacts/{full}/merge", body: `{"intoId":"{other}"}`, status: 200, events: []string{"contact.merged", "conversation.updated contact"}, is: []string{
				"name", `"Bo"`, "email", `"bo@x.example"`, "phoneNumber", `"+77777777"`, "shopName", `"T"`, "avatarUrl", `"https://img.example/b.png"`,
				"identifier", `"crm-8"`, "company.name", `"Beta"`, "customAttributes", `{"plan":"free","seats":2}`}},
			{name: "a third", path: "/dashboard/contacts/{other}/merge", body: `{"intoId":"{bare}"}`, status: 200, is: []string{"name", `"Bo"`}, events: []string{
				"contact.updated name,email,phoneNumber,shopName,avatarUrl,identifier,companyId,customAttributes,lastActivityAt", "contact.merged", "conversation.updated contact"}},
			{name: "the first leads to the last", method: "GET", path: "/public/contacts/{full}", status: 200, is: []string{"id", `"{bare}"`}},
			{name: "back", path: "/dashboard/contacts/{bare}/merge", body: `{"intoId":"{full}"}`, status: 200, is: []string{"id", `"{bare}"`}},
			{name: "itself", path: "/dashboard/contacts/{bare}/merge", body: `{"intoId":"{bare}"}`, status: 400, error: "intoId: must be another contact"},
			{name: "unknown", path: "/dashboard/contacts/{unknown}/merge", body: `{"intoId":"{bare}"}`, status: 404, error: "no such contact in this workspace"},
			{name: "into unknown", path: "/dashboard/contacts/{bare}/merge", body: `{"intoId":"{unknown}"}`, status: 404, error: "intoId: no such contact in this workspace"},
			{name: "bad", path: "/dashboard/contacts/x/merge", body: `{}`, status: 400, error: "id: must be a UUID; intoId: must be given"},
			{name: "a freed address", path: "/public/contacts", body: `{"email":"ann@acme.example"}`, status: 201, events: []string{"contact.created"}},
		})
		if got := w.Get("/v1/public/conversations/" + p.conversation); got.Text("messages.data.0.senderId") != p.bare {
			t.Errorf("the message is by %v", got.Field("messages.data.0.senderId"))
		}
		data := w.Get("/v1/public/events?limit=200")
		if at := mergeIn(data); data.Text(at+".data.id") != p.full || data.Text(at+".data.intoId") != other {
			t.Errorf("the first merge tells %v", data.Field(at+".data"))
		}
	})
}

// mergeIn returns the path of the first merge in a page of events.
func mergeIn(page apitest.Answer) string {
	page.T.Helper()
	for i := range page.Count("data") {
		if at := "data." + strconv.Itoa(i); page.Text(at+".type") == string(parley.ContactMerged) {
			return at
		}
	}
	page.T.Fatal("no event tells of a merge")
	return ""
}

// TestMergeOfGroups refuses to merge a group's contact, in either direction.
func TestMergeOfGroups(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Post("/v1/dashboard/numbers", `{"phone":"4930555001","driver":"sandbox"}`).Want(201)
		group := w.Post("/v1/public/chatapp/groups", `{"name":"G","participants":["4915100000077"]}`).Want(201).Text("conversation_id")
		contact := w.Get("/v1/public/conversations/" + group).Want(200).Text("contact.id")
		w.Patch("/v1/public/contacts/"+contact, `{"identifier":"mine"}`).Want(200) // stands for the group nevertheless
		ann := w.Contact(`{"name":"Ann"}`)
		refusal := "the contact " + contact + " stands for a group and cannot be merged"
		w.Post("/v1/dashboard/contacts/"+contact+"/merge", `{"intoId":"`+ann+`"}`).Refused(409, refusal)
		w.Post("/v1/dashboard/contacts/"+ann+"/merge", `{"intoId":"`+contact+`"}`).Refused(409, refusal)
	})
}

// TestMergeOfTooMuch merges attributes that are too large together: nothing
// changes.
func TestMergeOfTooMuch(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		large := strings.Repeat("x", parley.MaxAttributes*2/3)
		ann, bo := w.Contact(`{"name":"Ann","customAttributes":{"a":"`+large+`"}}`), w.Contact(`{"customAttributes":{"b":"`+large+`"}}`)
		play(t, w, map[string]string{"ann": ann, "bo": bo}, []step{
			{name: "merge", path: "/dashboard/contacts/{ann}/merge", body: `{"intoId":"{bo}"}`, status: 400,
				error: "intoId: must name a contact whose custom attributes take at most 65536 bytes as JSON together with these"},
			{name: "Ann is there", method: "GET", path: "/public/contacts/{ann}", status: 200, is: []string{"id", `"{ann}"`}},
			{name: "Bo is as before", method: "GET", path: "/public/contacts/{bo}", status: 200, is: []string{"name", `""`}},
		})
	})
}

// TestMergeAcrossWorkspaces names a contact of another workspace.
func TestMergeAcrossWorkspaces(t *testing.T) {
	w := onSQLite(t)
	ours := w.Contact(`{"name":"Ann"}`)
	other, err := w.Access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
	if err != nil {
		t.Fatal(err)
	}
	header := map[string][]string{"Authorization": {"Bearer " + string(other.Secret)}}
	foreign := w.Send(apitest.Request{Method: "POST", Path: "/v1/public/contacts", Body: `{"name":"Bo"}`, Session: apitest.None, Header: header}).Want(201).Text("id")
	w.Post("/v1/dashboard/contacts/"+foreign+"/merge", `{"intoId":"`+ours+`"}`).Want(404)
	w.Post("/v1/dashboard/contacts/"+ours+"/merge", `{"intoId":"`+foreign+`"}`).Want(404)
}
