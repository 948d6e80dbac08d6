package publicapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/apitest"
	"parley/internal/publicapi"
)

func TestContacts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := map[string]string{
			"acme": w.Post("/v1/public/companies", `{"name":"Acme"}`).Want(201).Text("id"),
			"beta": w.Post("/v1/public/companies", `{"name":"Beta"}`).Want(201).Text("id"),
		}
		created := []string{"contact.created"}
		updated := func(fields string) []string { return []string{"contact.updated " + fields} }
		play(t, w, known, []step{
			{name: "empty", path: "/contacts", body: `{}`, status: 201, events: created, is: []string{
				"name", `""`, "email", `""`, "phoneNumber", "null", "shopName", `""`, "avatarUrl", "null", "identifier", `""`,
				"company", "null", "companyId", "null", "storeId", "null", "customAttributes", "{}"}},
			{name: "blank name", path: "/contacts", body: `{"name":" \t\n"}`, status: 201, events: created, is: []string{"name", `""`}},
			{name: "name with spaces around", path: "/contacts", body: `{"name":" A  B "}`, status: 201, events: created, is: []string{"name", `"A  B"`}},
			{name: "create", path: "/contacts", status: 201, save: "ann", events: created,
				body: `{"name":"Ann","email":"Ann@Acme.example","phoneNumber":"+49 (151) 234-5678","shopName":"S","identifier":"u1","avatarUrl":"https://a.example/p.png","customAttributes":{"plan":"pro","old":null}}`,
				is:   []string{"email", `"Ann@Acme.example"`, "phoneNumber", `"+491512345678"`, "identifier", `"u1"`, "customAttributes", `{"plan":"pro"}`}},
			{name: "company is ignored on create", path: "/contacts", body: `{"name":"Cy","email":"cy@acme.example","companyId":"{acme}"}`, status: 201, save: "cy", events: created, is: []string{"companyId", "null"}},
			{name: "match by email", path: "/contacts", body: `{"email":"aNN@acme.EXAMPLE","shopName":"T"}`, status: 200, events: updated("email,shopName"),
				is: []string{"id", `"{ann}"`, "name", `"Ann"`, "shopName", `"T"`}},
			{name: "match by identifier", path: "/contacts", body: `{"identifier":"u1","name":"Ann B"}`, status: 200, events: updated("name"), is: []string{"id", `"{ann}"`}},
			{name: "match by phone", path: "/contacts", body: `{"phoneNumber":"491512345678"}`, status: 200, is: []string{"id", `"{ann}"`, "phoneNumber", `"+491512345678"`}},
			{name: "match that changes nothing", path: "/contacts", body: `{"identifier":"u1"}`, status: 200, is: []string{"id", `"{ann}"`}},
			{name: "company on match", path: "/contacts", body: `{"identifier":"u1","companyId":"{acme}"}`, status: 200, events: updated("companyId"),
				is: []string{"company", `{"id":"{acme}","name":"Acme"}`, "companyId", `"{acme}"`, "storeId", `"{acme}"`}},
			{name: "unknown company on match", path: "/contacts", body: `{"identifier":"u1","companyId":"01a1fb68-2f6a-7000-87d8-89526ae1d0cd"}`, status: 404,
				error: "companyId: no such company in this workspace"},
			{name: "two owners", path: "/contacts", body: `{"identifier":"u1","email":"cy@acme.example"}`, status: 409,
				error: "identifier and email: must belong to one contact; they belong to {ann} and {cy}"},
			{name: "store is the company", method: "PATCH", path: "/contacts/{ann}", body: `{"storeId":"{beta}"}`, status: 200, events: updated("companyId"), is: []string{"company.name", `"Beta"`}},
			{name: "both alike", method: "PATCH", path: "/contacts/{ann}", body: `{"storeId":"{beta}","companyId":"{beta}"}`, status: 200},
			{name: "both different", path: "/contacts", body: `{"identifier":"u1","storeId":"{beta}","companyId":"{acme}"}`, status: 400,
				error: "storeId: must be the same as companyId, whose old name it is"},
			{name: "unlink", method: "PATCH", path: "/contacts/{ann}", body: `{"companyId":null}`, status: 200, events: updated("companyId"), is: []string{"company", "null", "storeId", "null"}},
			{name: "attributes merge", method: "PATCH", path: "/contacts/{ann}", body: `{"customAttributes":{"seats":3,"plan":null}}`, status: 200, events: updated("customAttributes"), is: []string{"customAttributes", `{"seats":3}`}},
			{name: "clear", method: "PATCH", path: "/contacts/{ann}", body: `{"email":"","phoneNumber":null,"avatarUrl":null}`, status: 200, events: updated("email,phoneNumber,avatarUrl"),
				is: []string{"email", `""`, "phoneNumber", "null"}},
			{name: "another's email", method: "PATCH", path: "/contacts/{ann}", body: `{"email":"CY@acme.example"}`, status: 409, error: "email: must not belong to another contact; it belongs to {cy}"},
			{name: "nothing", method: "PATCH", path: "/contacts/{ann}", body: `{}`, status: 200},
			{name: "mistakes", path: "/contacts", body: `{"name":5,"email":"x","phoneNumber":"abc","avatarUrl":"ftp://x","customAttributes":[],"companyId":"x"}`, status: 400,
				error: "name: must be a string of at most 255 characters; email: must be an e-mail address; " +
					"phoneNumber: must be a phone number: country code plus number, 7 to 15 digits, not starting with 0, or null; " +
					"avatarUrl: must be an http or https address of at most 2048 characters, or null; companyId: must be a UUID, or null; " +
					"customAttributes: must be an object of at most 65536 bytes"},
			{name: "huge number", path: "/contacts", body: `{"customAttributes":{"a":[1e400]}}`, status: 400,
				error: "customAttributes: must hold no number that is too large for a double"},
			{name: "too many attributes", path: "/contacts", body: `{"customAttributes":{"a":"` + strings.Repeat("x", 65536) + `"}}`, status: 400},
		})
		got := w.Post("/v1/public/contacts", `{"name":"Di","companyId":"`+known["acme"]+`","colour":"red"}`).Want(201)
		if ignored := got.Header.Get("Parley-Ignored"); ignored != "colour, companyId" {
			t.Errorf("Parley-Ignored is %q", ignored)
		}
	})
}

func TestCompanies(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known := map[string]string{"ann": w.Contact(`{"name":"Ann"}`), "unknown": "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"}
		created := []string{"company.created"}
		updated := func(fields string) []string { return []string{"company.updated " + fields} }
		for _, base := range []string{"/companies", "/stores"} {
			known["id"] = base
			play(t, w, known, []step{
				{name: "create" + base, path: base, body: `{"name":"Acme"}`, status: 201, save: "acme", events: created,
					is: []string{"name", `"Acme"`, "website", "null", "industry", "null", "notes", "null", "externalId", "null"}},
				{name: "external id" + base, path: base, body: `{"name":"Beta","externalId":"b{id}","website":"https://beta.example","industry":"x","notes":""}`, status: 201, save: "beta",
					events: created, is: []string{"externalId", `"b{id}"`, "notes", "null"}},
				{name: "same external id" + base, path: base, body: `{"name":" Beta 2\n","externalId":" b{id}","industry":null}`, status: 200, events: updated("name"),
					is: []string{"id", `"{beta}"`, "name", `"Beta 2"`, "website", `"https://beta.example"`, "industry", `"x"`}},
				{name: "same again" + base, path: base, body: `{"name":"Beta 2","externalId":"b{id}"}`, status: 200},
				{name: "no name" + base, path: base, body: `{}`, status: 400, error: "name: must be given"},
				{name: "blank name" + base, path: base, body: `{"name":" "}`, status: 400, error: "name: must be a string of 1 to 255 characters, not blank"},
				{name: "null name" + base, path: base, body: `{"name":null,"website":5}`, status: 400,
					error: "name: must be a string of 1 to 255 characters, not blank; website: must be a string of at most 10000 characters, or null"},
				{name: "link" + base, method: "PATCH", path: "/contacts/{ann}", body: `{"companyId":"{beta}"}`, status: 200, events: []string{"contact.updated companyId"}},
				{name: "read" + base, method: "GET", path: base + "/{beta}", status: 200, is: []string{"contactCount", "1", "id", `"{beta}"`}},
				{name: "contacts" + base, method: "GET", path: base + "/{beta}/contacts", status: 200, is: []string{"data.0.id", `"{ann}"`}},
				{name: "no contacts" + base, method: "GET", path: base + "/{acme}/contacts", status: 200, is: []string{"data", "[]"}},
				{name: "unknown" + base, method: "GET", path: base + "/{unknown}", status: 404, error: "no such company in this workspace"},
			})
		}
		play(t, w, known, []step{
			{name: "change", method: "PATCH", path: "/companies/{acme}", body: `{"notes":"N","website":null}`, status: 200, events: updated("notes"), is: []string{"notes", `"N"`}},
			{name: "change nothing", method: "PATCH", path: "/companies/{acme}", body: `{"notes":"N"}`, status: 200},
			{name: "external id", method: "PATCH", path: "/companies/{acme}", body: `{"externalId":"a"}`, status: 200, events: updated("externalId")},
			{name: "taken external id", method: "PATCH", path: "/companies/{beta}", body: `{"externalId":"a"}`, status: 409,
				error: "externalId: must not belong to another company; it belongs to {acme}"},
			{name: "no external id", method: "PATCH", path: "/companies/{acme}", body: `{"externalId":null}`, status: 200, events: updated("externalId"), is: []string{"externalId", "null"}},
		})
	})
}

func TestCompanySearch(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ids := map[string]string{}
		for name, website := range map[string]string{"Ärger & Söhne": "", "100% Wool_Shop": "https://wool.example", `Back\slash`: "", "Straße": ""} {
			ids[name] = w.Post("/v1/public/companies", `{"name":"`+strings.ReplaceAll(name, `\`, `\\`)+`","website":"`+website+`"}`).Want(201).Text("id")
		}
		for search, name := range map[string]string{
			"%C3%A4RGER": "Ärger & Söhne", "S%C3%96HNE": "Ärger & Söhne", "100%25": "100% Wool_Shop", "l_s": "100% Wool_Shop",
			"WOOL.EX": "100% Wool_Shop", "k%5Cs": `Back\slash`, "stra%C3%9Fe": "Straße", "STRASSE": "Straße", "arger": "Ärger & Söhne", "A%CC%88rger": "Ärger & Söhne",
		} {
			if got := w.Get("/v1/public/companies?search=" + search).Want(200).IDs(); !slices.Equal(got, []string{ids[name]}) {
				t.Errorf("%s finds %v, want %s", search, got, name)
			}
		}
		if got := w.Get("/v1/public/companies?search=_").IDs(); len(got) != 1 {
			t.Errorf("an underscore finds %d companies", len(got))
		}
		if got := w.Get("/v1/public/companies?search=").IDs(); len(got) != 4 {
			t.Errorf("an empty search finds %d companies", len(got))
		}
		w.Get("/v1/public/companies?search="+strings.Repeat("x", 256)).Refused(400, "search: must be 1 to 255 characters")
	})
}

// TestCompanyContactsOrder checks "most recently active first".
func TestCompanyContactsOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		company := w.Post("/v1/public/companies", `{"name":"Acme"}`).Want(201).Text("id")
		var contacts, conversations []string
		for range 3 {
			w.Advance(time.Second)
			id := w.Contact(`{"name":"C"}`)
			w.Patch("/v1/public/contacts/"+id, `{"companyId":"`+company+`"}`).Want(200)
			contacts = append(contacts, id)
			conversations = append(conversations, w.Post("/v1/public/conversations", `{"contactId":"`+id+`"}`).Want(201).Text("id"))
		}
		w.Advance(time.Second)
		w.Post("/v1/public/conversations/"+conversations[1]+"/messages", `{"content":"x","role":"incoming"}`).Want(201)
		w.Post("/v1/public/conversations/"+conversations[0]+"/messages", `{"content":"x"}`).Want(201) // not the contact's own
		want := []string{contacts[1], contacts[2], contacts[0]}
		if got := w.Get("/v1/public/companies/" + company + "/contacts").IDs(); !slices.Equal(got, want) {
			t.Errorf("the order is %v, want %v", got, want)
		}
		if got := w.Get("/v1/public/companies/" + company + "/contacts?limit=2").IDs(); !slices.Equal(got, want[:2]) {
			t.Errorf("the first two are %v, want %v", got, want[:2])
		}
	})
}

func TestProducts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		old, err := w.Desk.CreateProduct(t.Context(), w.by(), "Old", "d")
		if err != nil {
			t.Fatal(err)
		}
		position := ""
		w.events(&position)
		for range 2 { // the second changes nothing
			if _, err := w.Desk.ArchiveProduct(t.Context(), w.by(), old.ID, true); err != nil {
				t.Fatal(err)
			}
		}
		if told := w.events(&position); !slices.Equal(told, []string{"product.updated archived,archivedAt"}) {
			t.Errorf("the events are %v", told)
		}
		if got := w.Get("/v1/public/products").IDs(); !slices.Equal(got, []string{w.product.ID.String()}) {
			t.Errorf("the products are %v", got)
		}
		if got := w.Get("/v1/public/products?include_archived=true").IDs(); !slices.Equal(got, []string{w.product.ID.String(), old.ID.String()}) {
			t.Errorf("all products are %v", got)
		}
		w.Get("/v1/public/products/"+old.ID.String()).Want(200).Is("archived", "true", "archivedAt", `"2026-11-21T10:00:00.000Z"`, "description", `"d"`)
		w.Get("/v1/public/products?include_archived=yes").Refused(400, "include_archived: must be true or false")
	})
}

// TestSunset calls every stores route one second before the sunset and at that
// instant (contract, section 9).
func TestSunset(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	r := w.records()
	w.Patch("/v1/public/contacts/"+r.contact, `{"storeId":"`+r.company+`"}`).Want(200)
	older := w.keyWith("contacts:read", "contacts:write")
	headers := func(a apitest.Answer) {
		t.Helper()
		for name, want := range map[string]string{
			"Deprecation": "@1771200000", "Sunset": "Tue, 16 Feb 2027 00:00:00 GMT", "Link": `</docs/deprecations/stores>; rel="deprecation"`,
		} {
			if got := a.Header.Values(name); !slices.Equal(got, []string{want}) {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
	}
	all := samples(r)
	stores := map[string]apitest.Sample{}
	for _, route := range publicapi.Routes() {
		if strings.HasPrefix(route.Path, "/v1/public/stores") {
			stores[route.Operation] = all[route.Operation]
		}
	}
	if len(stores) != 4 {
		t.Fatalf("there are %d stores routes, want 4", len(stores))
	}
	w.MoveTo(publicapi.StoresSunset().Add(-time.Second))
	for operation, s := range stores {
		method := methodOf(t, operation)
		headers(w.Send(apitest.Request{Method: method, Path: s.Path, Body: s.Body, Bearer: older}).Want(s.Status))
		headers(w.Send(apitest.Request{Method: method, Path: s.Path, Bearer: apitest.None}).Want(401))
		headers(w.Send(apitest.Request{Method: method, Path: s.Path, Bearer: w.keyWith("products:read")}).Want(403))
	}
	headers(w.Get("/v1/public/stores/unknown").Want(404))
	headers(w.Get("/v1/public/stores/a/b/c").Want(404))
	headers(w.Get("/v1/public/stores//x").Want(404))
	headers(w.Patch("/v1/public/stores", "{}").Want(405))
	headers(w.Get("/v1/public/stores?limit=0").Want(400))
	if w.Get("/v1/public/companies").Header.Get("Deprecation") != "" {
		t.Error("companies are said to be deprecated")
	}
	w.Get("/v1/public/contacts/"+r.contact).Is("storeId", `"`+r.company+`"`)
	if !strings.Contains(string(w.Get("/v1/public/events?limit=200").Body), `"storeId":"`+r.company+`"`) {
		t.Error("the events of contacts have no storeId")
	}

	w.Advance(time.Second)
	for operation, s := range stores {
		got := w.Send(apitest.Request{Method: methodOf(t, operation), Path: s.Path, Body: s.Body, Bearer: apitest.None})
		headers(got)
		want := "the routes under /v1/public/stores ended at 2027-02-16T00:00:00Z; use " + strings.Replace(s.Path, "/stores", "/companies", 1)
		got.Refused(http.StatusGone, want)
	}
	for _, a := range []apitest.Answer{w.Get("/v1/public/contacts/" + r.contact), w.Get("/v1/public/contacts"), w.Get("/v1/public/events?limit=200")} {
		if strings.Contains(string(a.Body), "storeId") {
			t.Errorf("storeId is still there: %.200s", a.Body)
		}
	}
	got := w.Patch("/v1/public/contacts/"+r.contact, `{"storeId":null}`).Want(200).Is("companyId", `"`+r.company+`"`)
	if got.Header.Get("Parley-Ignored") != "storeId" {
		t.Errorf("Parley-Ignored is %q", got.Header.Get("Parley-Ignored"))
	}
	w.Send(apitest.Request{Method: "GET", Path: "/v1/public/companies", Bearer: older}).Refused(403, "the API key lacks a scope; this operation needs companies:read")
}
