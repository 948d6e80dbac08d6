package dashboard_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/settings"
	"parley/internal/store"
)

const unknownID = "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"

// A step is a request, its answer, and exactly the events that follow. In path
// and body, {name} stands for what an earlier step saved.
type step struct {
	name   string
	method string // "" is POST
	path   string // below /v1
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
	w.Events(&position)
	fill := func(text string) string {
		for name, value := range known {
			text = strings.ReplaceAll(text, "{"+name+"}", value)
		}
		return text
	}
	outer := w.T
	defer func() { w.T = outer }()
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			w.T = t
			method := s.method
			if method == "" {
				method = "POST"
			}
			got := w.Send(apitest.Request{Method: method, Path: "/v1" + fill(s.path), Body: fill(s.body)}).Want(s.status)
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
			if told := w.Events(&position); !slices.Equal(told, s.events) {
				t.Errorf("the events are %q, want %q", told, s.events)
			}
		})
	}
}

func TestProductsAndInboxes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		play(t, w, map[string]string{"unknown": unknownID}, []step{
			{name: "add", path: "/dashboard/products", body: `{"name":"Tracker","description":"d"}`, status: 201, save: "product",
				is: []string{"name", `"Tracker"`, "description", `"d"`, "archived", "false"}, events: []string{"product.created"}},
			{name: "add without a name", path: "/dashboard/products", body: `{"name":" ","description":5}`, status: 400,
				error: "name: must be a string of 1 to 255 characters, not blank; description: must be a string of at most 10000 characters"},
			{name: "rename", method: "PATCH", path: "/dashboard/products/{product}", body: `{"name":"Parcels","description":""}`, status: 200,
				is: []string{"name", `"Parcels"`, "description", `""`}, events: []string{"product.updated name,description"}},
			{name: "change nothing", method: "PATCH", path: "/dashboard/products/{product}", body: `{"name":"Parcels","archived":false}`, status: 200},
			{name: "unknown product", method: "PATCH", path: "/dashboard/products/{unknown}", body: `{}`, status: 404, error: "no such product in this workspace"},

			{name: "add inbox", path: "/dashboard/inboxes", body: `{"name":"Site","channelType":"web","productId":"{product}"}`, status: 201, save: "inbox",
				is: []string{"channelType", `"web"`, "productId", `"{product}"`}, events: []string{"inbox.created"}},
			{name: "add inbox of the messaging application", path: "/dashboard/inboxes", body: `{"name":"X","channelType":"chatapp"}`, status: 400,
				error: "channelType: must be one of api, web"},
			{name: "add inbox with unknown product", path: "/dashboard/inboxes", body: `{"name":"X","channelType":"api","productId":"{unknown}"}`, status: 404,
				error: "productId: no such product in this workspace"},
			{name: "rename inbox", method: "PATCH", path: "/dashboard/inboxes/{inbox}", body: `{"name":"Website","productId":null}`, status: 200,
				is: []string{"name", `"Website"`, "productId", "null"}, events: []string{"inbox.updated name,productId"}},
			{name: "archive", method: "PATCH", path: "/dashboard/products/{product}", body: `{"archived":true}`, status: 200,
				is: []string{"archived", "true", "archivedAt", `"2026-11-21T10:00:00.000Z"`}, events: []string{"product.updated archived,archivedAt"}},
			{name: "route to an archived product", method: "PATCH", path: "/dashboard/inboxes/{inbox}", body: `{"name":"Y","productId":"{product}"}`, status: 400,
				error: "productId: must be an active product; this one is archived"},
			{name: "add inbox with an archived product", path: "/dashboard/inboxes", body: `{"name":"X","channelType":"api","productId":"{product}"}`, status: 400,
				error: "productId: must be an active product; this one is archived"},
			{name: "restore", method: "PATCH", path: "/dashboard/products/{product}", body: `{"archived":false}`, status: 200,
				is: []string{"archived", "false", "archivedAt", "null"}, events: []string{"product.updated archived,archivedAt"}},
			{name: "route", method: "PATCH", path: "/dashboard/inboxes/{inbox}", body: `{"productId":"{product}"}`, status: 200,
				is: []string{"name", `"Website"`, "productId", `"{product}"`}, events: []string{"inbox.updated productId"}},
			{name: "same route", method: "PATCH", path: "/dashboard/inboxes/{inbox}", body: `{"productId":"{product}"}`, status: 200},
			{name: "unknown inbox", method: "PATCH", path: "/dashboard/inboxes/{unknown}", body: `{}`, status: 404, error: "no such inbox in this workspace"},
			{name: "bad id", method: "PATCH", path: "/dashboard/inboxes/x", body: `{"productId":1}`, status: 400,
				error: "id: must be a UUID; productId: must be a UUID, or null"},
		})
	})
}

func TestCannedAnswers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		play(t, w, map[string]string{"unknown": unknownID}, []step{
			{name: "none", method: "GET", path: "/dashboard/canned-answers", status: 200, is: []string{"data", "[]"}},
			{name: "add", path: "/dashboard/canned-answers", body: `{"shortcut":"thanks","content":"Thank you!"}`, status: 201, save: "thanks",
				is: []string{"shortcut", `"thanks"`, "content", `"Thank you!"`}, events: []string{"canned_answer.created"}},
			{name: "add another", path: "/dashboard/canned-answers", body: `{"shortcut":"bye_2-x","content":"Bye"}`, status: 201, save: "bye", events: []string{"canned_answer.created"}},
			{name: "taken", path: "/dashboard/canned-answers", body: `{"shortcut":"thanks","content":"x"}`, status: 409,
				error: "shortcut: must not be that of another canned answer"},
			{name: "bad", path: "/dashboard/canned-answers", body: `{"shortcut":"Thanks","content":" "}`, status: 400,
				error: "shortcut: must be 1 to 32 of a-z, 0-9, _ and -; content: must be a string of 1 to 65536 bytes of UTF-8, not blank"},
			{name: "too long", path: "/dashboard/canned-answers", body: `{"shortcut":"` + strings.Repeat("x", 33) + `","content":"x"}`, status: 400,
				error: "shortcut: must be 1 to 32 of a-z, 0-9, _ and -"},
			{name: "sorted", method: "GET", path: "/dashboard/canned-answers", status: 200, is: []string{"data.0.id", `"{bye}"`, "data.1.id", `"{thanks}"`}},
			{name: "change", method: "PATCH", path: "/dashboard/canned-answers/{thanks}", body: `{"shortcut":"ta","content":"Ta"}`, status: 200,
				is: []string{"shortcut", `"ta"`, "content", `"Ta"`}, events: []string{"canned_answer.updated shortcut,content"}},
			{name: "change nothing", method: "PATCH", path: "/dashboard/canned-answers/{thanks}", body: `{"shortcut":"ta"}`, status: 200},
			{name: "change to a taken one", method: "PATCH", path: "/dashboard/canned-answers/{thanks}", body: `{"shortcut":"bye_2-x"}`, status: 409,
				error: "shortcut: must not be that of another canned answer"},
			{name: "unknown", method: "PATCH", path: "/dashboard/canned-answers/{unknown}", body: `{"content":"x"}`, status: 404,
				error: "no such canned answer in this workspace"},
			{name: "delete", method: "DELETE", path: "/dashboard/canned-answers/{thanks}", status: 200, is: []string{"shortcut", `"ta"`},
				events: []string{"canned_answer.deleted"}},
			{name: "delete again", method: "DELETE", path: "/dashboard/canned-answers/{thanks}", status: 404},
			{name: "free again", path: "/dashboard/canned-answers", body: `{"shortcut":"ta","content":"x"}`, status: 201, events: []string{"canned_answer.created"}},
		})
		page := w.Get("/v1/public/events?limit=200").Want(200)
		page.Is("data."+strconv.Itoa(page.Count("data")-2)+".type", `"canned_answer.deleted"`)
	})
}

func TestLabels(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		conversation := w.Conversation()
		w.Patch("/v1/public/conversations/"+conversation, `{"labels":["VIP"]}`).Want(200)
		// A record from before names were trimmed and composed.
		if _, err := w.Settings.CreateLabel(t.Context(), w.By(), " cafe\u0301 ", "red"); err != nil {
			t.Fatal(err)
		}
		w.Patch("/v1/dashboard/labels/caf%C3%A9", `{"color":"blue"}`).Want(200).Is("color", `"blue"`)
		w.Delete("/v1/dashboard/labels/caf%C3%A9").Want(200)
		w.Delete("/v1/dashboard/labels/caf%C3%A9").Refused(404, "no such label in this workspace")
		play(t, w, map[string]string{"conversation": conversation}, []step{
			{name: "none", method: "GET", path: "/dashboard/labels", status: 200, is: []string{"data", "[]"}},
			{name: "add", path: "/dashboard/labels", body: `{"name":"VIP","color":"red"}`, status: 201,
				is: []string{"name", `"VIP"`, "color", `"red"`}, events: []string{"label.created"}},
			{name: "add with odd name", path: "/dashboard/labels", body: `{"name":"Ärger / 50% ?#","color":"gray"}`, status: 201, events: []string{"label.created"}},
			{name: "another case is another name", path: "/dashboard/labels", body: `{"name":"vip","color":"pink"}`, status: 201, events: []string{"label.created"}},
			{name: "taken", path: "/dashboard/labels", body: `{"name":"VIP","color":"blue"}`, status: 409, error: "name: must not be that of another label"},
			{name: "bad", path: "/dashboard/labels", body: `{"name":"","color":"black"}`, status: 400,
				error: "name: must be a string of 1 to 100 characters, not blank; color: must be one of gray, red, orange, yellow, green, teal, blue, purple, pink"},
			{name: "no part of an address", path: "/dashboard/labels", body: `{"name":" .. ","color":"red"}`, status: 400,
				error: "name: must not be . or .., which no address can name"},
			{name: "slashes and dots", path: "/dashboard/labels", body: `{"name":"/a/../b//","color":"red"}`, status: 201, events: []string{"label.created"}},
			{name: "by slashes and dots", method: "DELETE", path: "/dashboard/labels/%2Fa%2F..%2Fb%2F%2F", status: 200, events: []string{"label.deleted"}},
			{name: "by blanks", method: "PATCH", path: "/dashboard/labels/%20VIP%20", body: `{"color":"red"}`, status: 200},
			{name: "sorted", method: "GET", path: "/dashboard/labels", status: 200,
				is: []string{"data.0.name", `"VIP"`, "data.1.name", `"vip"`, "data.2.name", `"Ärger / 50% ?#"`}},
			{name: "change", method: "PATCH", path: "/dashboard/labels/VIP", body: `{"color":"blue"}`, status: 200, is: []string{"color", `"blue"`},
				events: []string{"label.updated color"}},
			{name: "change nothing", method: "PATCH", path: "/dashboard/labels/VIP", body: `{"color":"blue"}`, status: 200},
			{name: "change the odd one", method: "PATCH", path: "/dashboard/labels/%C3%84rger%20%2F%2050%25%20%3F%23", body: `{"color":"teal"}`, status: 200,
				is: []string{"name", `"Ärger / 50% ?#"`}, events: []string{"label.updated color"}},
			{name: "unknown", method: "PATCH", path: "/dashboard/labels/x", body: `{"color":"blue"}`, status: 404, error: "no such label in this workspace"},
			{name: "what cannot be a name", method: "DELETE", path: "/dashboard/labels/a%00b", status: 400, error: "name: must be UTF-8 without the NUL character"},
			{name: "delete", method: "DELETE", path: "/dashboard/labels/VIP", status: 200, is: []string{"color", `"blue"`}, events: []string{"label.deleted"}},
			{name: "delete again", method: "DELETE", path: "/dashboard/labels/VIP", status: 404},
			{name: "conversations keep it", method: "GET", path: "/public/conversations/{conversation}", status: 200, is: []string{"labels", `["VIP"]`}},
		})
		page := w.Get("/v1/public/events?limit=200").Want(200)
		page.Is("data."+strconv.Itoa(page.Count("data")-1)+".data", `{"name":"VIP"}`)
	})
}

// TestCatalogueLimit fills the catalogues up to their limit.
func TestCatalogueLimit(t *testing.T) {
	w := onSQLite(t)
	err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
		for i := range parley.MaxCatalogue - 1 {
			name := "n" + strconv.Itoa(i)
			if _, err := settings.InsertLabel(tx, w.Home.Workspace.ID, &parley.Label{Name: name, Color: "red"}); err != nil {
				return err
			}
			answer := parley.CannedAnswer{ID: parley.NewIDs(nil).New(apitest.Start().Add(time.Duration(i))), Shortcut: name, Content: "x"}
			if _, err := settings.InsertCannedAnswer(tx, w.Home.Workspace.ID, &answer); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Post("/v1/dashboard/labels", `{"name":"last","color":"red"}`).Want(201)
	w.Post("/v1/dashboard/labels", `{"name":"more","color":"red"}`).Refused(409, "the workspace has 1000 labels already; delete one first")
	w.Post("/v1/dashboard/canned-answers", `{"shortcut":"last","content":"x"}`).Want(201)
	w.Post("/v1/dashboard/canned-answers", `{"shortcut":"more","content":"x"}`).
		Refused(409, "the workspace has 1000 canned answers already; delete one first")
	if n := w.Get("/v1/dashboard/labels").Want(200).Count("data"); n != parley.MaxCatalogue {
		t.Errorf("there are %d labels", n)
	}
}
