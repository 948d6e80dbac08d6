package publicapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares what the API shows of each resource, and each answer of
// its own shape, with testdata/golden. The clock stands still between the
// steps; ids, cursors and the log's epoch become placeholders, numbered in the
// order of their first appearance in a file.
func TestGolden(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	g := makeGolden(t, w)
	for _, x := range []struct {
		name   string
		got    apitest.Answer
		status int
	}{
		{"conversation", w.Post("/v1/public/conversations", `{"contactId":"`+g.contact+`","productId":null}`), 201},
		{"conversation_changed", w.Patch("/v1/public/conversations/"+g.conversation, `{"status":"pending","priority":"urgent","labels":["vip","<&>"],"assigneeId":"`+string(w.Home.Owner.ID)+`","customAttributes":{"order":17}}`), 200},
		{"conversation_page", w.Get("/v1/public/conversations?limit=1"), 200},
		{"conversation_page_empty", w.Get("/v1/public/conversations?label=nothing"), 200},
		{"thread", w.Get("/v1/public/conversations/" + g.conversation), 200},
		{"thread_page", w.Get("/v1/public/conversations/" + g.conversation + "?messages_limit=1"), 200},
		{"message_incoming", w.Post("/v1/public/conversations/"+g.conversation+"/messages", `{"content":"Where is it?","role":"incoming"}`), 201},
		{"message_note", w.Post("/v1/public/conversations/"+g.conversation+"/messages", `{"content":"*Careful*","isPrivate":true,"contentType":"markdown","agentUserId":"`+string(w.Home.Owner.ID)+`"}`), 201},
		{"contact", w.Get("/v1/public/contacts/" + g.contact), 200},
		{"contact_bare", w.Post("/v1/public/contacts", `{}`), 201},
		{"contact_page", w.Get("/v1/public/contacts?limit=2"), 200},
		{"company", w.Post("/v1/public/companies", `{"name":"Globex"}`), 201},
		{"company_record", w.Get("/v1/public/companies/" + g.company), 200},
		{"company_page", w.Get("/v1/public/companies?limit=1"), 200},
		{"company_contacts", w.Get("/v1/public/companies/" + g.company + "/contacts"), 200},
		{"store_record", w.Get("/v1/public/stores/" + g.company), 200},
		{"product", w.Get("/v1/public/products/" + g.product), 200},
		{"product_page", w.Get("/v1/public/products?include_archived=true"), 200},
		{"inbox_page", w.Get("/v1/public/inboxes"), 200},
		{"member_page", w.Get("/v1/public/members"), 200},
		{"number_page", w.Get("/v1/public/chatapp/numbers"), 200},
		{"group", g.made, 201},
		{"group_participants", w.Post("/v1/public/chatapp/groups/"+g.group+"/participants", `{"participants":["+49 151 0000079","4915100000002"]}`), 200},
		{"group_admin", w.Post("/v1/public/chatapp/groups/"+g.group+"/admins", `{"phone":"491510000077","admin":true}`), 200},
		{"article", w.Post("/v1/public/articles", `{"language":"de","title":"Rückgabe <&>","description":"Wie","body":"Text","keywords":["zurück"],"productId":"`+g.product+`"}`), 201},
		{"article_published", w.Post("/v1/public/articles/"+g.article+"/publish", `{"languages":["en"]}`), 200},
		{"article_page", w.Get("/v1/public/articles?limit=1"), 200},
		{"article_hits", w.Get("/v1/public/articles/search?q=return&language=en&productId=" + g.product), 200},
		{"article_text", w.Get("/v1/public/articles/" + g.article + "/texts/en"), 200},
		{"article_version_page", w.Get("/v1/public/articles/" + g.article + "/texts/en/versions"), 200},
		{"article_category", w.Post("/v1/public/article-categories", `{"names":{"en":"Orders"},"productId":"`+g.product+`"}`), 201},
		{"article_category_page", w.Get("/v1/public/article-categories?limit=1"), 200},
		{"help_center", w.Send(apitest.Request{Method: "PUT", Path: "/v1/public/help-centers/" + g.product, Body: `{"slug":"shop","title":"Shop help","languages":["de","en"]}`}), 201},
		{"help_center_page", w.Get("/v1/public/help-centers"), 200},
		{"event_page", w.Get("/v1/public/events?limit=200"), 200},
		{"event_page_reset", w.Get("/v1/public/events?limit=1&after=elsewhere.5"), 200},
		{"error", w.Get("/v1/public/conversations?limit=0&productId=x"), 400},
		{"error_unauthenticated", w.Send(apitest.Request{Method: "GET", Path: "/v1/public/contacts", Bearer: apitest.None}), 401},
		{"error_forbidden", w.Send(apitest.Request{Method: "GET", Path: "/v1/public/contacts", Bearer: w.keyWith(parley.ProductsRead)}), 403},
		{"error_not_found", w.Get("/v1/public/contacts/" + w.Home.Inbox.ID.String()), 404},
		{"error_method", w.Send(apitest.Request{Method: "DELETE", Path: "/v1/public/contacts"}), 405},
	} {
		w.Run(t, x.name, func(t *testing.T) {
			x.got.T = t
			compareGolden(t, x.name, x.got.Want(x.status).Body)
		})
	}
	w.MoveTo(time.Date(2027, time.February, 16, 0, 0, 0, 0, time.UTC))
	compareGolden(t, "contact_after_sunset", w.Get("/v1/public/contacts/"+g.contact).Want(200).Body)
	compareGolden(t, "error_gone", w.Get("/v1/public/stores/"+g.company).Want(410).Body)
}

// goldenWorld names the records of makeGolden.
type goldenWorld struct {
	records
	made apitest.Answer // of the group
}

// makeGolden makes one record of each kind, a second apart.
func makeGolden(t *testing.T, w *world) goldenWorld {
	t.Helper()
	g := goldenWorld{}
	next := func() { w.Advance(time.Second) }
	next()
	g.company = w.Post("/v1/public/companies", `{"name":"Acme","website":"https://acme.example","industry":"Retail","notes":"big","externalId":"acct-42"}`).Want(201).Text("id")
	next()
	g.contact = w.Contact(`{"name":"Ann Müller","email":"Ann@acme.example","phoneNumber":"+49 151 0000077","shopName":"Acme <Berlin>","avatarUrl":"https://img.example/ann.png","identifier":"crm-7","customAttributes":{"plan":"pro","seats":[1,2.50],"note":"\u2028\ud83d\ude00"}}`)
	w.Patch("/v1/public/contacts/"+g.contact, `{"companyId":"`+g.company+`"}`).Want(200)
	next()
	g.product = w.product.ID.String()
	old, err := w.Desk.CreateProduct(t.Context(), w.by(), "Old shop", "Closed since spring")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Desk.ArchiveProduct(t.Context(), w.by(), old.ID, true); err != nil {
		t.Fatal(err)
	}
	inbox := w.inbox("Mail", w.product.ID)
	next()
	g.conversation = w.Post("/v1/public/conversations", `{"contactId":"`+g.contact+`","inboxId":"`+inbox+`"}`).Want(201).Text("id")
	for _, body := range []string{`{"content":"Hello, <b>you</b>\nand \"you\""}`, `{"content":"Hi","role":"incoming","createdAt":"2026-11-20T08:15:30.5+02:00"}`} {
		next()
		w.Post("/v1/public/conversations/"+g.conversation+"/messages", body).Want(201)
	}
	w.number("4930555001")
	next()
	g.made = w.Post("/v1/public/chatapp/groups", `{"name":"Acme onboarding","participants":["+49 151 0000077","4915100000000","4915100000001","4915100000004"],"sendInviteLink":true,"shopName":"Acme","message":"Welcome!"}`).Want(201)
	g.group = g.made.Text("conversation_id")
	g.category = w.Post("/v1/public/article-categories", `{"names":{"en":"Returns","de":"Rückgabe"}}`).Want(201).Text("id")
	g.article = w.Post("/v1/public/articles", `{"language":"en","title":"Return a parcel","body":"**Free**","categoryId":"`+g.category+`"}`).Want(201).Text("id")
	next()
	return g
}

// compareGolden compares a body with the file of the name.
func compareGolden(t *testing.T, name string, body []byte) {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, body, "", "  "); err != nil {
		t.Fatal(err)
	}
	got := append(placeholders(indented.Bytes()), '\n')
	file := filepath.Join("testdata", "golden", name+".json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./internal/publicapi -run TestGolden -update writes it)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is now\n%s\nwant\n%s", file, got, want)
	}
}

// placeholders replaces what differs in each run.
func placeholders(text []byte) []byte {
	for _, kind := range []struct{ name, pattern string }{
		{"id", `[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`},
		{"user", `usr_[a-z2-7]{20}`},
		{"group", `[0-9]{15,20}@g\.us`},
		{"link", `https://chatapp\.example/[a-z2-7]+`},
	} {
		names := map[string]string{}
		text = regexp.MustCompile(kind.pattern).ReplaceAllFunc(text, func(found []byte) []byte {
			if names[string(found)] == "" {
				names[string(found)] = fmt.Sprintf("<%s %d>", kind.name, len(names)+1)
			}
			return []byte(names[string(found)])
		})
	}
	text = regexp.MustCompile(`("next_cursor": )"[^".]+(\.[0-9]+)(\.[a-z2-7]+)?"`).ReplaceAll(text, []byte(`$1"<epoch>$2.<check>"`))
	return regexp.MustCompile(`("next_cursor": )"[^".<]+"`).ReplaceAll(text, []byte(`$1"<cursor>"`))
}
