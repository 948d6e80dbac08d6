package publicapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
)

// A sample is a request of an operation that succeeds.
type sample struct {
	path, body string
	status     int
}

// records are ids of records in a workspace, one of each kind.
type records struct {
	conversation, contact, company, product, group, file, message string
}

func (w *world) records() records {
	w.t.Helper()
	r := records{conversation: w.conversation(), contact: w.contact(`{"name":"Bo"}`), product: w.product.ID.String()}
	r.company = w.post("/v1/public/companies", `{"name":"Acme"}`).want(201).text("id")
	w.number("4930555001")
	r.group = w.post("/v1/public/chatapp/groups", `{"name":"G","participants":["4915100000077"],"from":"4930555001"}`).want(201).text("conversation_id")
	r.file = w.post("/v1/public/attachments?fileName=a.json", `{"a":1}`).want(201).text("id")
	r.message = w.post("/v1/public/conversations/"+r.conversation+"/messages", `{"content":"hi"}`).want(201).text("id")
	return r
}

// samples has a row for every operation; an operation without one fails the
// tests below.
func samples(r records) map[string]sample {
	all := map[string]sample{
		"listConversations":       {"/v1/public/conversations", "", 200},
		"createConversation":      {"/v1/public/conversations", `{"contactId":"` + r.contact + `"}`, 201},
		"getConversation":         {"/v1/public/conversations/" + r.conversation, "", 200},
		"getConversationHistory":  {"/v1/public/conversations/" + r.conversation + "/history", "", 200},
		"updateConversation":      {"/v1/public/conversations/" + r.conversation, `{"priority":"low"}`, 200},
		"createMessage":           {"/v1/public/conversations/" + r.conversation + "/messages", `{"content":"hi"}`, 201},
		"uploadAttachment":        {"/v1/public/attachments", `{"a":1}`, 201},
		"getAttachment":           {"/v1/public/attachments/" + r.file, "", 200},
		"createContact":           {"/v1/public/contacts", `{"name":"Cy"}`, 201},
		"listContacts":            {"/v1/public/contacts", "", 200},
		"getContact":              {"/v1/public/contacts/" + r.contact, "", 200},
		"updateContact":           {"/v1/public/contacts/" + r.contact, `{"shopName":"S"}`, 200},
		"listCompanies":           {"/v1/public/companies", "", 200},
		"createCompany":           {"/v1/public/companies", `{"name":"New"}`, 201},
		"getCompany":              {"/v1/public/companies/" + r.company, "", 200},
		"updateCompany":           {"/v1/public/companies/" + r.company, `{"notes":"N"}`, 200},
		"listCompanyContacts":     {"/v1/public/companies/" + r.company + "/contacts", "", 200},
		"listProducts":            {"/v1/public/products", "", 200},
		"getProduct":              {"/v1/public/products/" + r.product, "", 200},
		"createGroup":             {"/v1/public/chatapp/groups", `{"name":"G","participants":["4915100000078"],"from":"4930555001"}`, 201},
		"addGroupParticipants":    {"/v1/public/chatapp/groups/" + r.group + "/participants", `{"participants":["4915100000079"]}`, 200},
		"setGroupAdmin":           {"/v1/public/chatapp/groups/" + r.group + "/admins", `{"phone":"4915100000077","admin":true}`, 200},
		"listNumbers":             {"/v1/public/chatapp/numbers", "", 200},
		"listInboxes":             {"/v1/public/inboxes", "", 200},
		"listMembers":             {"/v1/public/members", "", 200},
		"listEvents":              {"/v1/public/events", "", 200},
		"getOpenapiJson":          {"/v1/public/openapi.json", "", 200},
		"getOpenapiYaml":          {"/v1/public/openapi.yaml", "", 200},
		"markConversationRead":    {"/v1/public/conversations/" + r.conversation + "/read", `{"nothing":1}`, 200},
		"addConversationLabel":    {"/v1/public/conversations/" + r.conversation + "/labels/vip", "", 200},
		"removeConversationLabel": {"/v1/public/conversations/" + r.conversation + "/labels/vip", "", 200},
		"listMessages":            {"/v1/public/conversations/" + r.conversation + "/messages", "", 200},
		"getMessage":              {"/v1/public/messages/" + r.message, "", 200},
	}
	for operation, name := range map[string]string{
		"listCompanies": "listStores", "createCompany": "createStore", "getCompany": "getStore", "listCompanyContacts": "listStoreContacts",
	} {
		s := all[operation]
		s.path = strings.Replace(s.path, "/companies", "/stores", 1)
		all[name] = s
	}
	return all
}

// everyRoute runs a test for each route with its sample.
func everyRoute(t *testing.T, w *world, test func(t *testing.T, route publicapi.Route, s sample)) {
	t.Helper()
	all := samples(w.records())
	for _, route := range publicapi.Routes() {
		w.run(t, route.Operation, func(t *testing.T) {
			s, ok := all[route.Operation]
			if !ok {
				t.Fatalf("the operation %s has no row in samples", route.Operation)
			}
			test(t, route, s)
		})
	}
}

// TestRouteTableIsTheDocument compares the route table with the document:
// operations, scopes, and which of them need no key.
func TestRouteTableIsTheDocument(t *testing.T) {
	scopes := func(alternatives [][]parley.Scope) [][]string {
		var texts [][]string
		for _, scopes := range alternatives {
			var one []string
			for _, scope := range scopes {
				one = append(one, string(scope))
			}
			texts = append(texts, one)
		}
		return texts
	}
	equal := func(a, b [][]string) bool { return slices.EqualFunc(a, b, slices.Equal) }
	documented := map[string]bool{}
	for _, o := range gate().Operations() {
		if strings.HasPrefix(o.Path, "/v1/public") {
			documented[o.ID] = true
		}
	}
	for _, route := range publicapi.Routes() {
		found := false
		for _, o := range gate().Operations() {
			if o.ID != route.Operation {
				continue
			}
			found = true
			delete(documented, o.ID)
			if o.Method != route.Method || o.Path != route.Path || o.Open != route.Open {
				t.Errorf("%s is %s %s in the document, %s %s in the table", o.ID, o.Method, o.Path, route.Method, route.Path)
			}
			if !equal(o.Scopes, scopes(route.Scopes)) || !equal(o.Older, scopes(route.Older)) {
				t.Errorf("%s needs %v or %v in the document, %v or %v in the table", o.ID, o.Scopes, o.Older, route.Scopes, route.Older)
			}
		}
		if !found {
			t.Errorf("%s is not in the document", route.Operation)
		}
	}
	for id := range documented {
		t.Errorf("%s is in the document and not in the table", id)
	}
}

// TestScopes sends every operation with every subset of the scopes, before and
// after the sunset, and compares with what the contract says (section 5).
func TestScopes(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	keys := make([]string, 1<<len(parley.Scopes))
	for subset := 1; subset < len(keys); subset++ {
		keys[subset] = w.keyWith(scopesOf(subset)...)
	}
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
		if route.Open {
			w.send(request{method: route.Method, path: s.path, key: "none"}).want(s.status)
			return
		}
		for subset := 1; subset < len(keys); subset++ {
			held := scopesOf(subset)
			got := w.send(request{method: route.Method, path: s.path, body: s.body, key: keys[subset]})
			if may := permitted(route.Operation, held, true); (got.status != http.StatusForbidden) != may {
				t.Errorf("with %v the status is %d, permitted is %t", held, got.status, may)
			}
			if got.status != http.StatusForbidden && got.status >= 300 {
				t.Errorf("with %v the status is %d: %s", held, got.status, got.body)
			}
		}
	})
	w.clock.Store(publicapi.StoresSunset().UnixMilli())
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
		if route.Open || strings.HasPrefix(route.Path, "/v1/public/stores") {
			return
		}
		for subset := 1; subset < len(keys); subset++ {
			held := scopesOf(subset)
			got := w.send(request{method: route.Method, path: s.path, body: s.body, key: keys[subset]})
			if may := permitted(route.Operation, held, false); (got.status != http.StatusForbidden) != may {
				t.Errorf("after the sunset with %v the status is %d, permitted is %t", held, got.status, may)
			}
		}
	})
}

func scopesOf(subset int) []parley.Scope {
	var held []parley.Scope
	for i, scope := range parley.Scopes {
		if subset&(1<<i) != 0 {
			held = append(held, scope)
		}
	}
	return held
}

// permitted is the contract's own table of scopes, written once more so that a
// slip in the route table shows.
func permitted(operation string, held []parley.Scope, older bool) bool {
	has := func(scope parley.Scope) bool { return slices.Contains(held, scope) }
	switch operation {
	case "listConversations", "getConversation", "getConversationHistory", "listInboxes", "listMembers", "listNumbers", "getAttachment", "listMessages", "getMessage":
		return has("conversations:read")
	case "listEvents":
		return has("conversations:read") || has("contacts:read") || has("companies:read") || has("products:read")
	case "createConversation", "updateConversation", "createMessage", "createGroup", "addGroupParticipants", "setGroupAdmin", "uploadAttachment",
		"markConversationRead", "addConversationLabel", "removeConversationLabel":
		return has("conversations:write")
	case "listContacts", "getContact":
		return has("contacts:read")
	case "createContact", "updateContact":
		return has("contacts:write")
	case "listCompanies", "getCompany", "listStores", "getStore":
		return has("companies:read") || older && has("contacts:read")
	case "createCompany", "createStore":
		return has("companies:write") || older && has("contacts:write")
	case "updateCompany":
		return has("companies:write")
	case "listCompanyContacts", "listStoreContacts":
		return has("contacts:read") && (older || has("companies:read"))
	case "listProducts", "getProduct":
		return has("products:read")
	}
	panic("no rule for " + operation)
}

func TestAuthentication(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	expiring, secret, err := w.access.CreateKey(t.Context(), w.by(), deskKey(start.Add(time.Hour)))
	if err != nil {
		t.Fatal(err)
	}
	_ = expiring
	typo := []byte(w.key)
	typo[10] ^= 1
	unknown, err := parley.NewSecret(strings.NewReader(strings.Repeat("x", 32)))
	if err != nil {
		t.Fatal(err)
	}
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
		if route.Open {
			return
		}
		send := func(key string) answer {
			return w.send(request{method: route.Method, path: s.path, body: s.body, key: key})
		}
		send(string(secret)).want(s.status)
		for _, key := range []string{"none", string(typo), string(unknown), "pk_short"} {
			send(key).want(401)
		}
		// A caller who is not known learns nothing of what is wrong.
		got := w.send(request{method: route.Method, path: s.path + "?limit=0", body: "{", key: "none"})
		got.refused(401, "Authorization: must be Bearer and an API key")
	})
	w.advance(time.Hour)
	w.send(request{method: "GET", path: "/v1/public/contacts", key: string(secret)}).refused(401, "the API key is not valid")
	w.send(request{method: "GET", path: "/v1/public/contacts", key: "none", header: http.Header{"Authorization": {"Basic " + w.key}}}).want(401)
}

// TestRevokedKey revokes a key that was just used and waits the second that
// the contract's decisions allow.
func TestRevokedKey(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key, secret, err := w.access.CreateKey(t.Context(), w.by(), deskKey(time.Time{}))
		if err != nil {
			t.Fatal(err)
		}
		use := func() int {
			return w.send(request{method: "GET", path: "/v1/public/contacts", key: string(secret)}).status
		}
		if use() != 200 {
			t.Fatal("a new key does not open")
		}
		// Another desk over the same store revokes, as the command line does.
		if _, err := access.New(w.desk).RevokeKey(t.Context(), w.by(), key.ID); err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(time.Second)
		for use() != 401 {
			if time.Now().After(deadline) {
				t.Fatal("a revoked key opens after a second")
			}
			time.Sleep(10 * time.Millisecond) // the cache has no signal
		}
	})
}

// TestForeignRecords sends every operation with ids of another workspace, with
// unknown ids and with malformed ones: a foreign record and an unknown one
// must look alike to the byte.
func TestForeignRecords(t *testing.T) {
	const unknown = "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"
	each(t, func(t *testing.T, w *world) {
		other := w.found("Other")
		home := w.key
		w.key = string(other.Secret)
		foreignHome := w.home
		w.home = other
		product, err := w.desk.CreateProduct(t.Context(), w.by(), "Foreign", "")
		if err != nil {
			t.Fatal(err)
		}
		w.product = product
		foreign := w.records()
		w.key, w.home = home, foreignHome
		own := w.records()
		for _, id := range [][2]string{
			{own.conversation, foreign.conversation}, {own.contact, foreign.contact}, {own.company, foreign.company},
			{own.group, foreign.group}, {own.product, foreign.product}, {own.file, foreign.file}, {own.message, foreign.message},
		} {
			for operation, s := range samples(own) {
				if !strings.Contains(s.path, id[0]) {
					continue
				}
				w.run(t, operation, func(t *testing.T) {
					method := methodOf(t, operation)
					ask := func(with string) answer {
						return w.send(request{method: method, path: strings.ReplaceAll(s.path, id[0], with), body: s.body})
					}
					theirs, none := ask(id[1]).want(404), ask(unknown).want(404)
					if string(theirs.body) != string(none.body) {
						t.Errorf("a foreign record answers %s, an unknown one %s", theirs.body, none.body)
					}
					want := 404
					if slices.Contains([]string{"getConversation", "getConversationHistory", "updateConversation", "createMessage", "updateContact", "addGroupParticipants", "setGroupAdmin", "getAttachment",
						"markConversationRead", "addConversationLabel", "removeConversationLabel", "listMessages", "getMessage"}, operation) {
						want = 400 // where the contract calls the id a UUID
					}
					ask("not-a-uuid").want(want)
				})
			}
		}
		for _, body := range []string{
			`{"contactId":"%"}`, `{"contactId":"` + own.contact + `","inboxId":"%"}`, `{"contactId":"` + own.contact + `","productId":"%"}`,
		} {
			w.foreignReference("POST", "/v1/public/conversations", body, foreign.contact, unknown)
		}
		w.foreignReference("PATCH", "/v1/public/conversations/"+own.conversation, `{"productId":"%"}`, foreign.product, unknown)
		w.foreignReference("PATCH", "/v1/public/conversations/"+own.conversation, `{"assigneeId":"%"}`, string(other.Owner.ID), "usr_unknown")
		w.foreignReference("POST", "/v1/public/conversations/"+own.conversation+"/messages", `{"content":"x","agentUserId":"%"}`, string(other.Owner.ID), "usr_unknown")
		w.foreignReference("POST", "/v1/public/conversations/"+own.conversation+"/messages", `{"attachmentIds":["%"]}`, foreign.file, unknown)
		w.foreignReference("PATCH", "/v1/public/contacts/"+own.contact, `{"companyId":"%"}`, foreign.company, unknown)
		w.foreignReference("PATCH", "/v1/public/contacts/"+own.contact, `{"storeId":"%"}`, foreign.company, unknown)
		w.foreignReference("POST", "/v1/public/chatapp/groups", `{"name":"G","participants":["4915100000001"],"integrationId":"%"}`, foreign.company, unknown)
		if list := w.get("/v1/public/contacts?limit=200"); strings.Contains(string(list.body), foreign.contact) {
			t.Error("a list shows a foreign contact")
		}
		for _, filter := range []string{"contactId=" + foreign.contact, "companyId=" + foreign.company, "productId=" + foreign.product, "assigneeId=" + string(other.Owner.ID)} {
			if got := w.get("/v1/public/conversations?" + filter).want(200).ids(); len(got) != 0 {
				t.Errorf("the filter %s finds %v", filter, got)
			}
		}
	})
}

func (w *world) foreignReference(method, path, body, foreign, unknown string) {
	w.t.Helper()
	ask := func(id string) answer {
		return w.send(request{method: method, path: path, body: strings.ReplaceAll(body, "%", id)}).want(404)
	}
	if theirs, none := ask(foreign), ask(unknown); string(theirs.body) != string(none.body) {
		w.t.Errorf("%s %s: a foreign record answers %s, an unknown one %s", method, path, theirs.body, none.body)
	}
}

func methodOf(t *testing.T, operation string) string {
	t.Helper()
	for _, route := range publicapi.Routes() {
		if route.Operation == operation {
			return route.Method
		}
	}
	t.Fatalf("there is no operation %s", operation)
	return ""
}

func TestRateLimit(t *testing.T) {
	w := onSQLite(t, worldOptions{rate: httpjson.Rate{Quota: 1000, Window: 10 * time.Second}})
	all := samples(w.records())
	key := w.keyWith(parley.Scopes...)
	w.advance(time.Minute)
	for range 1000 {
		w.send(request{method: "GET", path: "/v1/public/inboxes", key: key}).want(200)
	}
	for _, route := range publicapi.Routes() {
		if route.Open {
			continue
		}
		s := all[route.Operation]
		got := w.send(request{method: route.Method, path: s.path, body: s.body, key: key}).want(429)
		if got.header.Get("Retry-After") != "10" || got.header.Get("RateLimit") != `"default";r=0;t=10` || got.header.Get("RateLimit-Policy") != `"default";q=1000;w=10` {
			t.Errorf("%s: the headers are %v", route.Operation, got.header)
		}
	}
	w.get("/v1/public/inboxes").want(200) // another key has its own quota
	w.advance(10 * time.Second)
	w.send(request{method: "GET", path: "/v1/public/inboxes", key: key}).want(200)
}
