package publicapi_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
	"parley/internal/teams"
)

// records are ids of records in a workspace, one of each kind.
type records struct {
	conversation, contact, company, product, group, file, message string
	article, category                                             string
	deletable                                                     deletable
}

func (w *world) records() records {
	w.T.Helper()
	r := records{conversation: w.Conversation(), contact: w.Contact(`{"name":"Bo"}`), product: w.product.ID.String()}
	r.company = w.Post("/v1/public/companies", `{"name":"Acme"}`).Want(201).Text("id")
	w.number("4930555001")
	r.group = w.Post("/v1/public/chatapp/groups", `{"name":"G","participants":["4915100000077"],"from":"4930555001"}`).Want(201).Text("conversation_id")
	r.file = w.Post("/v1/public/attachments?fileName=a.json", `{"a":1}`).Want(201).Text("id")
	r.message = w.Post("/v1/public/conversations/"+r.conversation+"/messages", `{"content":"hi"}`).Want(201).Text("id")
	r.article = w.Post("/v1/public/articles", `{"language":"en","title":"Return a parcel","slug":"return-`+r.message+`"}`).Want(201).Text("id")
	w.Post("/v1/public/articles/"+r.article+"/publish", "").Want(200) // keeps the first version
	r.category = w.Post("/v1/public/article-categories", `{"names":{"en":"Returns"}}`).Want(201).Text("id")
	w.Send(apitest.Request{Method: "PUT", Path: "/v1/public/help-centers/" + r.product, Body: `{"slug":"h-` + r.product + `","title":"Help"}`})
	r.deletable = w.makeDeletable()
	return r
}

// samples has a row for every operation; an operation without one fails the
// tests below.
func samples(r records) map[string]apitest.Sample {
	all := map[string]apitest.Sample{
		"listConversations":       apitest.NewSample("/v1/public/conversations", "", 200),
		"createConversation":      apitest.NewSample("/v1/public/conversations", `{"contactId":"`+r.contact+`"}`, 201),
		"getConversation":         apitest.NewSample("/v1/public/conversations/"+r.conversation, "", 200),
		"getConversationHistory":  apitest.NewSample("/v1/public/conversations/"+r.conversation+"/history", "", 200),
		"updateConversation":      apitest.NewSample("/v1/public/conversations/"+r.conversation, `{"priority":"low"}`, 200),
		"createMessage":           apitest.NewSample("/v1/public/conversations/"+r.conversation+"/messages", `{"content":"hi"}`, 201),
		"uploadAttachment":        apitest.NewSample("/v1/public/attachments", `{"a":1}`, 201),
		"getAttachment":           apitest.NewSample("/v1/public/attachments/"+r.file, "", 200),
		"createContact":           apitest.NewSample("/v1/public/contacts", `{"name":"Cy"}`, 201),
		"listContacts":            apitest.NewSample("/v1/public/contacts", "", 200),
		"getContact":              apitest.NewSample("/v1/public/contacts/"+r.contact, "", 200),
		"updateContact":           apitest.NewSample("/v1/public/contacts/"+r.contact, `{"shopName":"S"}`, 200),
		"listCompanies":           apitest.NewSample("/v1/public/companies", "", 200),
		"createCompany":           apitest.NewSample("/v1/public/companies", `{"name":"New"}`, 201),
		"getCompany":              apitest.NewSample("/v1/public/companies/"+r.company, "", 200),
		"updateCompany":           apitest.NewSample("/v1/public/companies/"+r.company, `{"notes":"N"}`, 200),
		"listCompanyContacts":     apitest.NewSample("/v1/public/companies/"+r.company+"/contacts", "", 200),
		"listProducts":            apitest.NewSample("/v1/public/products", "", 200),
		"getProduct":              apitest.NewSample("/v1/public/products/"+r.product, "", 200),
		"createGroup":             apitest.NewSample("/v1/public/chatapp/groups", `{"name":"G","participants":["4915100000078"],"from":"4930555001"}`, 201),
		"addGroupParticipants":    apitest.NewSample("/v1/public/chatapp/groups/"+r.group+"/participants", `{"participants":["4915100000079"]}`, 200),
		"setGroupAdmin":           apitest.NewSample("/v1/public/chatapp/groups/"+r.group+"/admins", `{"phone":"4915100000077","admin":true}`, 200),
		"listNumbers":             apitest.NewSample("/v1/public/chatapp/numbers", "", 200),
		"listInboxes":             apitest.NewSample("/v1/public/inboxes", "", 200),
		"listMembers":             apitest.NewSample("/v1/public/members", "", 200),
		"listTeams":               apitest.NewSample("/v1/public/teams", "", 200),
		"listEvents":              apitest.NewSample("/v1/public/events", "", 200),
		"getOpenapiJson":          apitest.NewSample("/v1/public/openapi.json", "", 200),
		"getOpenapiYaml":          apitest.NewSample("/v1/public/openapi.yaml", "", 200),
		"markConversationRead":    apitest.NewSample("/v1/public/conversations/"+r.conversation+"/read", `{"nothing":1}`, 200),
		"addConversationLabel":    apitest.NewSample("/v1/public/conversations/"+r.conversation+"/labels/vip", "", 200),
		"removeConversationLabel": apitest.NewSample("/v1/public/conversations/"+r.conversation+"/labels/vip", "", 200),
		"listMessages":            apitest.NewSample("/v1/public/conversations/"+r.conversation+"/messages", "", 200),
		"getMessage":              apitest.NewSample("/v1/public/messages/"+r.message, "", 200),
	}
	maps.Copy(all, knowledgeSamples(r))
	for operation, name := range map[string]string{
		"listCompanies": "listStores", "createCompany": "createStore", "getCompany": "getStore", "listCompanyContacts": "listStoreContacts",
	} {
		s := all[operation]
		s.Path = strings.Replace(s.Path, "/companies", "/stores", 1)
		all[name] = s
	}
	return all
}

// everyRoute runs a test for each route with its sample.
func everyRoute(t *testing.T, w *world, test func(t *testing.T, route publicapi.Route, s apitest.Sample)) {
	t.Helper()
	apitest.EachRoute(t, w.World, publicapi.Routes(), func(r publicapi.Route) string { return r.Operation }, samples(w.records()), test)
}

func TestRouteTableIsTheDocument(t *testing.T) { surface(nil).Matches(t) }

func TestStoreAway(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	surface(samples(w.records())).NeedsTheStore(t, w.World)
}

func TestOpenRoutesAreCounted(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	surface(nil).CountsOpenRoutes(t, w.World, func(open *httpjson.AddressLimiter) http.Handler {
		return publicapi.New(publicapi.Options{Desk: w.Desk, Access: w.Access, Numbers: w.Numbers, Knowledge: w.Knowledge, Answers: w.Answers, Clock: w.Now, Log: apitest.Log(t), Sunset: publicapi.StoresSunset(), Open: open}).Handler()
	})
}

// TestScopes sends every operation with every set of scopes, before and after the sunset,
// and compares with the contract (section 5). As a control, what older scopes no longer open after the sunset must differ from the table of
// before.
func TestScopes(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	var sets [][]parley.Scope
	var keys []string
	for subset := 1; subset < 1<<len(parley.Scopes); subset++ {
		held := subsetOf(parley.Scopes, subset)
		sets, keys = append(sets, held), append(keys, w.keyWith(held...))
	}
	cells, changed := 0, map[string]int{}
	// send sends an operation with every key, and reports where it is permitted.
	send := func(t *testing.T, route publicapi.Route, s apitest.Sample, older bool) {
		for i, held := range sets {
			cells++
			got := w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: s.Body, Bearer: keys[i]})
			may := got.Status != http.StatusForbidden
			if permitted(route.Operation, held, older) != may {
				t.Errorf("older scopes count: %t; with %v the status is %d, permitted is %t", older, held, got.Status, !may)
			}
			if older && may && got.Status >= 300 {
				t.Errorf("with %v the status is %d: %s", held, got.Status, got.Body)
			}
			if !older && permitted(route.Operation, held, true) != may {
				changed[route.Operation]++
			}
		}
	}
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if route.Open {
			w.Send(apitest.Request{Method: route.Method, Path: s.Path, Bearer: apitest.None}).Want(s.Status)
			return
		}
		send(t, route, s, true)
	})
	w.MoveTo(publicapi.StoresSunset())
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if !route.Open && !strings.HasPrefix(route.Path, "/v1/public/stores") {
			send(t, route, s, false)
		}
	})
	if got, want := slices.Sorted(maps.Keys(changed)), []string{"createCompany", "getCompany", "listCompanies", "listCompanyContacts"}; !slices.Equal(got, want) {
		t.Errorf("control: after the sunset the operations %v differ from the table of before, want %v", got, want)
	}
	t.Logf("%d sets of scopes, %d cells; the sunset changes %v", len(sets), cells, changed)
}

// subsetOf returns the scopes whose bits are set.
func subsetOf(of []parley.Scope, bits int) []parley.Scope {
	var held []parley.Scope
	for i, scope := range of {
		if bits&(1<<i) != 0 {
			held = append(held, scope)
		}
	}
	return held
}

// permitted is the contract's own table of scopes, repeated here so that a
// mistake in the route table shows.
func permitted(operation string, held []parley.Scope, older bool) bool {
	has := func(scope parley.Scope) bool { return slices.Contains(held, scope) }
	switch operation {
	case "listConversations", "getConversation", "getConversationHistory", "listInboxes", "listMembers", "listTeams", "listNumbers", "getAttachment", "listMessages", "getMessage":
		return has("conversations:read")
	case "listEvents":
		return has("conversations:read") || has("contacts:read") || has("companies:read") || has("products:read") || has("knowledge:read")
	case "listArticles", "searchArticles", "getArticle", "getArticleText", "listArticleVersions", "listArticleCategories", "listHelpCenters":
		return has("knowledge:read")
	case "createArticle", "updateArticle", "deleteArticle", "publishArticle", "saveArticleText", "deleteArticleText", "restoreArticleVersion",
		"createArticleCategory", "updateArticleCategory", "deleteArticleCategory", "saveHelpCenter", "deleteHelpCenter":
		return has("knowledge:write")
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
	expiring, secret, err := w.Access.CreateKey(t.Context(), w.by(), deskKey(apitest.Start().Add(time.Hour)))
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
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if route.Open {
			return
		}
		send := func(key string) apitest.Answer {
			return w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: s.Body, Bearer: key})
		}
		send(string(secret)).Want(s.Status)
		for _, key := range []string{"none", string(typo), string(unknown), "pk_short"} {
			send(key).Want(401)
		}
		// An unknown caller learns nothing about what is wrong.
		got := w.Send(apitest.Request{Method: route.Method, Path: s.Path + "?limit=0", Body: "{", Bearer: apitest.None})
		got.Refused(401, "Authorization: must be Bearer and an API key")
	})
	w.Advance(time.Hour)
	w.Send(apitest.Request{Method: "GET", Path: "/v1/public/contacts", Bearer: string(secret)}).Refused(401, "the API key is not valid")
	w.Send(apitest.Request{Method: "GET", Path: "/v1/public/contacts", Bearer: apitest.None, Header: http.Header{"Authorization": {"Basic " + w.key}}}).Want(401)
}

// TestRevokedKey revokes a key that was just used. After the second that
// revoking may take, it opens nothing.
func TestRevokedKey(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key, secret, err := w.Access.CreateKey(t.Context(), w.by(), deskKey(time.Time{}))
		if err != nil {
			t.Fatal(err)
		}
		use := func() int {
			return w.Send(apitest.Request{Method: "GET", Path: "/v1/public/contacts", Bearer: string(secret)}).Status
		}
		if use() != 200 {
			t.Fatal("a new key does not open")
		}
		// Another desk over the same store revokes, as the command line does.
		if _, err := access.New(w.Desk).RevokeKey(t.Context(), w.by(), key.ID); err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Second)
		if use() != 401 {
			t.Fatal("a revoked key opens")
		}
	})
}

// TestForeignRecords sends every operation with ids of another workspace, with
// unknown ids and with malformed ones: foreign and unknown records must look
// exactly alike.
func TestForeignRecords(t *testing.T) {
	const unknown = "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"
	each(t, func(t *testing.T, w *world) {
		other := w.Found("Other")
		home := w.key
		w.key = string(other.Secret)
		foreignHome := w.Home
		w.Home = other
		product, err := w.Desk.CreateProduct(t.Context(), w.by(), "Foreign", "")
		if err != nil {
			t.Fatal(err)
		}
		w.product = product
		foreign := w.records()
		w.key, w.Home = home, foreignHome
		own := w.records()
		for _, id := range [][2]string{
			{own.conversation, foreign.conversation}, {own.contact, foreign.contact}, {own.company, foreign.company},
			{own.group, foreign.group}, {own.product, foreign.product}, {own.file, foreign.file}, {own.message, foreign.message},
			{own.article, foreign.article}, {own.category, foreign.category},
		} {
			for operation, s := range samples(own) {
				if !strings.Contains(s.Path, id[0]) {
					continue
				}
				w.Run(t, operation, func(t *testing.T) {
					method := methodOf(t, operation)
					ask := func(with string) apitest.Answer {
						return w.Send(apitest.Request{Method: method, Path: strings.ReplaceAll(s.Path, id[0], with), Body: s.Body})
					}
					theirs, none := ask(id[1]).Want(404), ask(unknown).Want(404)
					if string(theirs.Body) != string(none.Body) {
						t.Errorf("a foreign record answers %s, an unknown one %s", theirs.Body, none.Body)
					}
					want := 404
					if slices.Contains([]string{"getConversation", "getConversationHistory", "updateConversation", "createMessage", "updateContact", "addGroupParticipants", "setGroupAdmin", "getAttachment",
						"markConversationRead", "addConversationLabel", "removeConversationLabel", "listMessages", "getMessage"}, operation) || knowledgeSamples(own)[operation].Path != "" {
						want = 400 // where the contract calls the id a UUID
					}
					ask("not-a-uuid").Want(want)
				})
			}
		}
		for _, body := range []string{
			`{"contactId":"%"}`, `{"contactId":"` + own.contact + `","inboxId":"%"}`, `{"contactId":"` + own.contact + `","productId":"%"}`,
			`{"contactId":"` + own.contact + `","teamId":"%"}`,
		} {
			w.foreignReference("POST", "/v1/public/conversations", body, foreign.contact, unknown)
		}
		team, err := w.Work.Teams.CreateTeam(t.Context(), desk.Caller{Workspace: other.Workspace.ID}, teams.Change{Name: parley.Some("Theirs"), Color: parley.Some[parley.LabelColor]("red")})
		if err != nil {
			t.Fatal(err)
		}
		w.foreignReference("PATCH", "/v1/public/conversations/"+own.conversation, `{"teamId":"%"}`, team.ID.String(), unknown)
		w.foreignReference("PATCH", "/v1/public/conversations/"+own.conversation, `{"productId":"%"}`, foreign.product, unknown)
		w.foreignReference("PATCH", "/v1/public/conversations/"+own.conversation, `{"assigneeId":"%"}`, string(other.Owner.ID), "usr_unknown")
		w.foreignReference("POST", "/v1/public/conversations/"+own.conversation+"/messages", `{"content":"x","agentUserId":"%"}`, string(other.Owner.ID), "usr_unknown")
		w.foreignReference("POST", "/v1/public/conversations/"+own.conversation+"/messages", `{"attachmentIds":["%"]}`, foreign.file, unknown)
		w.foreignReference("PATCH", "/v1/public/contacts/"+own.contact, `{"companyId":"%"}`, foreign.company, unknown)
		w.foreignReference("PATCH", "/v1/public/contacts/"+own.contact, `{"storeId":"%"}`, foreign.company, unknown)
		w.foreignReference("POST", "/v1/public/articles", `{"language":"en","title":"T","productId":"%"}`, foreign.product, unknown)
		w.foreignReference("POST", "/v1/public/articles", `{"language":"en","title":"T","categoryId":"%"}`, foreign.category, unknown)
		w.foreignReference("PATCH", "/v1/public/articles/"+own.article, `{"categoryId":"%"}`, foreign.category, unknown)
		w.foreignReference("POST", "/v1/public/article-categories", `{"names":{"en":"T"},"productId":"%"}`, foreign.product, unknown)
		w.foreignReference("POST", "/v1/public/chatapp/groups", `{"name":"G","participants":["4915100000001"],"integrationId":"%"}`, foreign.company, unknown)
		if list := w.Get("/v1/public/contacts?limit=200"); strings.Contains(string(list.Body), foreign.contact) {
			t.Error("a list shows a foreign contact")
		}
		for _, filter := range []string{"contactId=" + foreign.contact, "companyId=" + foreign.company, "productId=" + foreign.product, "teamId=" + team.ID.String(), "assigneeId=" + string(other.Owner.ID)} {
			if got := w.Get("/v1/public/conversations?" + filter).Want(200).IDs(); len(got) != 0 {
				t.Errorf("the filter %s finds %v", filter, got)
			}
		}
	})
}

func (w *world) foreignReference(method, path, body, foreign, unknown string) {
	w.T.Helper()
	ask := func(id string) apitest.Answer {
		return w.Send(apitest.Request{Method: method, Path: path, Body: strings.ReplaceAll(body, "%", id)}).Want(404)
	}
	if theirs, none := ask(foreign), ask(unknown); string(theirs.Body) != string(none.Body) {
		w.T.Errorf("%s %s: a foreign record answers %s, an unknown one %s", method, path, theirs.Body, none.Body)
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
	w.Advance(time.Minute)
	for range 1000 {
		w.Send(apitest.Request{Method: "GET", Path: "/v1/public/inboxes", Bearer: key}).Want(200)
	}
	for _, route := range publicapi.Routes() {
		if route.Open {
			continue
		}
		s := all[route.Operation]
		got := w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: s.Body, Bearer: key}).Want(429)
		if got.Header.Get("Retry-After") != "10" || got.Header.Get("RateLimit") != `"default";r=0;t=10` || got.Header.Get("RateLimit-Policy") != `"default";q=1000;w=10` {
			t.Errorf("%s: the headers are %v", route.Operation, got.Header)
		}
	}
	w.Get("/v1/public/inboxes").Want(200) // another key has its own quota
	w.Advance(10 * time.Second)
	w.Send(apitest.Request{Method: "GET", Path: "/v1/public/inboxes", Bearer: key}).Want(200)
}
