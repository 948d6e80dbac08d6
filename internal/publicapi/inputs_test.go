package publicapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/internal/apitest"
	"parley/internal/contracttest"
	"parley/internal/publicapi"
)

// membersOf returns the members of an operation's body according to the
// document.
func membersOf(t *testing.T, operation string) []contracttest.Member {
	t.Helper()
	for _, o := range apitest.Gate().Operations() {
		if o.ID == operation {
			return o.Members
		}
	}
	t.Fatalf("the document has no operation %s", operation)
	return nil
}

func with(body, member string) string {
	if body == "{}" {
		return "{" + member + "}"
	}
	return strings.TrimSuffix(body, "}") + "," + member + "}"
}

// TestNullMembers sends every optional member of every POST as null, which
// equals leaving it out, and of every PATCH, which does not.
func TestNullMembers(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	tried := 0
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if route.Operation == "uploadAttachment" || route.Method == "GET" {
			return
		}
		for _, m := range membersOf(t, route.Operation) {
			if m.Required || strings.Contains(s.Body, `"`+m.Name+`"`) {
				continue
			}
			got := w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: with(s.Body, fmt.Sprintf("%q:null", m.Name))})
			tried++
			switch {
			case (route.Method == "PATCH" || route.Method == "PUT") && !m.Nullable:
				got.Want(400)
			case got.Status != s.Status && got.Status != 200:
				t.Errorf("%s: null gives %d: %s", m.Name, got.Status, got.Body)
			case route.Method == "POST" && !m.Nullable && got.Header.Get("Parley-Ignored") != "":
				t.Errorf("%s: null is ignored: %q", m.Name, got.Header.Get("Parley-Ignored"))
			}
		}
	})
	if tried < 20 {
		t.Errorf("only %d members were tried", tried)
	}
}

// takesNothing reports whether the body of an operation has no members.
func takesNothing(operation string) bool {
	return operation == "markConversationRead" || operation == "restoreArticleVersion"
}

// TestForgottenBodies sends no body where one is required, and a member twice.
func TestForgottenBodies(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if s.Body == "" || route.Operation == "uploadAttachment" {
			return
		}
		if takesNothing(route.Operation) || route.Operation == "publishArticle" { // the body may be absent
			w.Send(apitest.Request{Method: route.Method, Path: s.Path, Header: http.Header{"Content-Type": nil}}).Want(200)
			return
		}
		got := w.Send(apitest.Request{Method: route.Method, Path: s.Path, Header: http.Header{"Content-Type": nil}})
		if route.Method == "POST" {
			got.Refused(400, "body: must be a JSON object; there is none")
		} else {
			got.Want(200)
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(s.Body, `{"`), `"`)
		w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: with(s.Body, fmt.Sprintf("%q:null", name))}).Want(400)
		got = w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: with(s.Body, `"colour":1,"col\u006fur":2`)})
		got.Refused(400, "colour: must be given once")
	})
	w.Post("/v1/public/contacts", `{"customAttributes":{"a":[{"b":1},{"b":1,"\u0062":2}]}}`).Refused(400, "customAttributes: must hold each name once")
	w.Post("/v1/public/contacts", `{"customAttributes":{"a":[{"b":1},{"b":1}],"b":"a","c":{"b":"\"a\":"}}}`).Want(201)
}

// TestStrictHandling requires every operation to refuse what it would ignore.
func TestStrictHandling(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	strict := http.Header{"Prefer": {"handling=strict"}}
	const rule = ": must be absent, for it has no effect here"
	var position string
	w.events(&position)
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if takesNothing(route.Operation) {
			s.Body = "" // what its sample holds has no effect
		}
		w.events(&position)
		got := w.Send(apitest.Request{Method: route.Method, Path: s.Path + "?limt=5", Body: s.Body, Header: strict})
		got.Refused(400, "limt"+rule)
		if got.Header.Get("Preference-Applied") != "handling=strict" || got.Header.Get("Parley-Error") != "invalid; field=limt" {
			t.Errorf("the headers are %v", got.Header)
		}
		if s.Body != "" && route.Operation != "uploadAttachment" {
			got = w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: with(s.Body, `"private":true`), Header: strict})
			got.Refused(400, "private"+rule)
		}
		if told := w.events(&position); len(told) != 0 {
			t.Errorf("what was refused wrote %v", told)
		}
		got = w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: s.Body, Header: strict}).Want(s.Status)
		if got.Header.Get("Preference-Applied") != "handling=strict" {
			t.Errorf("Preference-Applied is %q", got.Header.Get("Preference-Applied"))
		}
	})
}

// TestStrictHandlingOfAGroupAgain sends the key of a group with a body that is
// not examined, so the answer must not claim strict handling.
func TestStrictHandlingOfAGroupAgain(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	post := func(body string) apitest.Answer {
		return w.Send(apitest.Request{Method: "POST", Path: "/v1/public/chatapp/groups", Body: body, Header: http.Header{
			"Prefer": {"handling=strict"}, "Idempotency-Key": {"k"}, "Content-Type": {"application/json"},
		}})
	}
	const good = `{"name":"G","participants":["4915100000077"]`
	post(good+`,"colour":1}`).Blames("colour", 400, "colour: must be absent, for it has no effect here")
	if got := post(good + "}").Want(201).Header.Get("Preference-Applied"); got != "handling=strict" {
		t.Errorf("of a new group, Preference-Applied is %q", got)
	}
	for _, body := range []string{good + "}", good + `,"colour":1}`, `{"name":""}`} {
		if got := post(body).Want(200).Header.Values("Preference-Applied"); len(got) != 0 {
			t.Errorf("%s: of a group that is there, Preference-Applied is %q", body, got)
		}
	}
}

// TestAliases sends every deprecated member, an old name of another: answers
// use the name that was sent.
func TestAliases(t *testing.T) {
	aliases := map[string]string{"createContact storeId": "companyId", "updateContact storeId": "companyId"}
	for _, o := range apitest.Gate().Operations() {
		for _, m := range o.Members {
			if _, known := aliases[o.ID+" "+m.Name]; m.Deprecated && !known {
				t.Errorf("%s %s has no row here", o.ID, m.Name)
			}
		}
	}
	w := onSQLite(t, worldOptions{})
	ann := w.Contact(`{"name":"Ann","identifier":"ann"}`)
	const unknown = "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"
	for _, name := range []string{"storeId", "companyId"} {
		body := func(value string) string { return fmt.Sprintf(`{"identifier":"ann",%q:%s}`, name, value) }
		refused := func(got apitest.Answer, status int, code, rule string) {
			t.Helper()
			got.Refused(status, name+": "+rule)
			if fault := got.Header.Get("Parley-Error"); fault != code+"; field="+name {
				t.Errorf("%s: Parley-Error is %q", name, fault)
			}
		}
		for _, send := range []func(string) apitest.Answer{
			func(body string) apitest.Answer { return w.Post("/v1/public/contacts", body) },
			func(body string) apitest.Answer { return w.Patch("/v1/public/contacts/"+ann, body) },
		} {
			refused(send(body(`"`+unknown+`"`)), 404, "not_found", "no such company in this workspace")
			refused(send(body(`"x"`)), 400, "invalid", "must be a UUID, or null")
		}
		got := w.Post("/v1/public/contacts", fmt.Sprintf(`{"name":"New",%q:%q}`, name, unknown)).Want(201)
		if ignored := got.Header.Get("Parley-Ignored"); ignored != name {
			t.Errorf("Parley-Ignored is %q, want %q", ignored, name)
		}
	}
	got := w.Post("/v1/public/contacts", fmt.Sprintf(`{"storeId":%q,"companyId":%q}`, unknown, unknown)).Want(201)
	if ignored := got.Header.Get("Parley-Ignored"); ignored != "companyId, storeId" {
		t.Errorf("Parley-Ignored is %q", ignored)
	}
	w.Advance(publicapi.StoresSunset().Sub(w.Now()))
	got = w.Patch("/v1/public/contacts/"+ann, fmt.Sprintf(`{"storeId":%q}`, unknown)).Want(200)
	if ignored := got.Header.Get("Parley-Ignored"); ignored != "storeId" {
		t.Errorf("behind the sunset, Parley-Ignored is %q", ignored)
	}
}

func TestTwoAuthorizations(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	r := apitest.Request{Method: "GET", Path: "/v1/public/contacts", Header: http.Header{"Authorization": {"Bearer " + w.key, "Bearer " + w.key}}}
	w.Send(r).Refused(401, "Authorization: must be Bearer and an API key")
}

// TestIdempotentValues repeats POSTs with equivalent bodies, and at the old
// address of companies.
func TestIdempotentValues(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		send := func(path, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: "POST", Path: "/v1/public/" + path, Body: body, Header: withKey("k")})
		}
		first := send("companies", `{"name":"Acme","externalId":"a","notes":null}`).Want(201)
		for _, path := range []string{"companies", "stores"} {
			for _, body := range []string{
				`{"name":"Acme","externalId":"a","notes":null}`, `{ "notes" : null, "externalId":"\u0061", "name":"Acme" }`,
			} {
				got := send(path, body).Want(201)
				if string(got.Body) != string(first.Body) || got.Header.Get("Idempotent-Replayed") != "true" {
					t.Errorf("%s %s: the answer is %s", path, body, got.Body)
				}
			}
			send(path, `{"name":"Acme","externalId":"a","notes":""}`).Want(422)
			send(path, `{"name":"Acme","externalId":"a"}`).Want(422)
		}
		send("contacts", `{"name":"Acme"}`).Want(201) // another route
	})
}
