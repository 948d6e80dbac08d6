package dashboard_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/api"
	"parley/internal/access"
	"parley/internal/access/credential"
	"parley/internal/apitest"
	"parley/internal/audit/entry"
	"parley/internal/dashboard"
	"parley/internal/httpjson"
	"parley/internal/store"
)

const (
	confirmPath = "/v1/dashboard/session/confirm"
	unconfirmed = "confirm first that it is you, by POST /v1/dashboard/session/confirm; this lasts 15 minutes"
)

func confirmationSamples() map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"getConfirmation": func() apitest.Sample { return apitest.NewSample(confirmPath, "", 200) },
		"confirmSession":  func() apitest.Sample { return apitest.NewSample(confirmPath, `{"current":"{password}"}`, 200) },
	}
}

// confirm sends an answer to the second question.
func (w *world) confirm(token parley.Token, password, code string) apitest.Answer {
	w.T.Helper()
	body, err := json.Marshal(map[string]string{"current": password, "code": code})
	if err != nil {
		w.T.Fatal(err)
	}
	return w.Send(apitest.Request{Method: "POST", Path: confirmPath, Body: string(body), Session: token})
}

// refuses requires that a session must be confirmed first, and that nothing is recorded.
func (w *world) refuses(r apitest.Request) {
	w.T.Helper()
	before := w.lines()
	got := w.Send(r)
	got.Refused(403, unconfirmed)
	if code := got.Header.Get("Parley-Error"); code != "unconfirmed" {
		w.T.Errorf("Parley-Error is %q", code)
	}
	if left := w.linesAfter(before); len(left) != 0 {
		w.T.Errorf("refused, it leaves %v", left)
	}
}

// routine are the operations of admins and owners that need no confirmation: another change
// undoes them, they make nobody more powerful, and they give no secret away.
var routine = []string{
	"createInbox", "createLabel", "createProduct", "deleteInvitation", "deleteLabel", "deleteModelProvider",
	"deleteTeam", "finishWelcome", "simulateProductAgent", "testMail", "testModelProvider", "resendMail",
	"updateInbox", "updateLabel", "updateOfficeHours", "updateProduct", "updateProductAgent",
	"updateWidgetSettings", "updateWidgetTexts", "updateWorkspace", "setBudgets",
	// Whoever pairs a number holds its telephone.
	"connectNumber", "disconnectNumber", "reconnectNumber", "logOutNumber", "pairNumber", "endPairing",
}

// sometimes are the operations that need a confirmation for some of their inputs.
var sometimes = []string{"updateMember", "createTeam", "updateTeam"}

// TestDemands requires a decision for each operation that could need a confirmation: every
// change that takes an admin or owner, every file of theirs, and every answer with a secret.
// The document says which operations may ask for one.
func TestDemands(t *testing.T) {
	text, err := api.Dashboard().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Type any }
			}
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	secret := func(operation string) bool {
		_, answer, _ := strings.Cut(operation, `"responses"`)
		for name, schema := range document.Components.Schemas {
			for _, member := range []string{"secret", "key", "link", "recoveryCodes"} {
				kind := fmt.Sprint(schema.Properties[member].Type) // of a text or a list, not whether there is one
				if strings.Contains(answer, "schemas/"+name+`"`) && (strings.Contains(kind, "string") || kind == "array") {
					return true
				}
			}
		}
		return false
	}
	secrets, asks := []string(nil), []string(nil)
	for _, r := range dashboard.Routes() {
		var operation struct {
			Responses map[string]struct {
				Ref string `json:"$ref"`
			}
		}
		written := document.Paths[r.Path][strings.ToLower(r.Method)]
		if err := json.Unmarshal(written, &operation); err != nil {
			t.Fatal(err)
		}
		needs := r.Demand() == access.Confirmation || r.Demand() == access.ProvenFactor
		named := strings.HasSuffix(operation.Responses["403"].Ref, "Confirmed") || strings.HasSuffix(operation.Responses["403"].Ref, "Unconfirmed")
		if named != (needs || slices.Contains(sometimes, r.Operation)) {
			t.Errorf("the document says of %s that it may need a confirmation: %t", r.Operation, named)
		}
		if r.Open {
			if r.Demand() != access.NoDemand {
				t.Errorf("%s has no session to confirm", r.Operation)
			}
			continue
		}
		hasSecret := secret(string(written))
		if hasSecret {
			secrets = append(secrets, r.Operation)
		}
		changes := r.Method != http.MethodGet && r.Role.Includes(parley.Admin) && !slices.Contains(sometimes, r.Operation)
		file := strings.Contains(r.Path, ".") && r.Role.Includes(parley.Admin)
		if (changes && !slices.Contains(routine, r.Operation) || file || hasSecret) && !needs {
			t.Errorf("%s demands no confirmation; see Route.Demand", r.Operation)
		}
		if needs && slices.Contains(routine, r.Operation) {
			t.Errorf("%s is routine, and demands a confirmation", r.Operation)
		}
		if needs {
			asks = append(asks, r.Operation)
		}
	}
	for _, operation := range []string{"createKey", "createIdentityKey", "createInvitation", "resetMember", "beginSecondFactor", "renewRecoveryCodes"} {
		if !slices.Contains(secrets, operation) {
			t.Errorf("the search for secrets does not find %s in %v", operation, secrets)
		}
	}
	if len(asks) != 28 {
		t.Errorf("%d operations ask: %v", len(asks), asks)
	}
}

// TestUnconfirmed sends each operation that needs a confirmation too long after the sign-in,
// after the confirmation of another session, and after one of its own.
func TestUnconfirmed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, route := range dashboard.Routes() {
			if route.Demand() != access.Confirmation {
				continue
			}
			w.Run(t, route.Operation, func(t *testing.T) {
				w.confirm("", w.Home.OwnerPassword, "").Want(200) // the owner's, who prepares the samples
				s := samples(w)[route.Operation]()
				m, token := w.member(parley.Owner)
				if left := w.Send(apitest.Request{Method: "GET", Path: confirmPath, Session: token}).Want(200); left.Text("confirmedUntil") == "" {
					t.Errorf("a sign-in counts as no confirmation: %s", left.Body)
				}
				w.Advance(access.ConfirmedFor)
				r := w.request(route.Method, s, token)
				var position string
				w.Events(&position)
				w.refuses(r)
				if route.Method == http.MethodGet {
					w.Send(apitest.Request{Method: http.MethodHead, Path: r.Path, Session: token}).Want(403)
				}
				w.Send(apitest.Request{Method: "GET", Path: confirmPath, Session: token}).Want(200).Is("confirmedUntil", "null", "password", "true", "code", "false")
				other := w.signIn(m.ID)
				w.confirm(other, w.passwords[m.ID], "").Want(200)
				w.refuses(r)
				if told := w.Events(&position); len(told) != 0 {
					t.Errorf("refused, it tells %v", told)
				}
				w.confirm(token, w.passwords[m.ID], "").Want(200).Is("confirmedUntil", quote(w.Now().Add(access.ConfirmedFor).Format("2006-01-02T15:04:05.000Z")))
				w.Advance(access.ConfirmedFor - time.Millisecond)
				w.Send(r).Want(s.Status)
				w.Advance(time.Millisecond)
				w.refuses(w.request(route.Method, s, token))
			})
		}
	})
}

// TestUnconfirmedMember changes members: roles and access need a confirmation, names and
// pictures none.
func TestUnconfirmedMember(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, _ := w.member(parley.Agent)
		w.Advance(access.ConfirmedFor)
		change := func(body string) apitest.Request {
			return apitest.Request{Method: "PATCH", Path: "/v1/dashboard/members/" + string(m.ID), Body: body}
		}
		for _, body := range []string{`{"role":"owner"}`, `{"name":"Bo","role":"admin"}`, `{"access":"some"}`, `{"inboxIds":[]}`} {
			w.refuses(change(body))
		}
		w.Send(change(`{"name":"Bo","image":"https://img.example/x.png"}`)).Want(200).Is("role", `"agent"`, "name", `"Bo"`)
		w.confirm("", w.Home.OwnerPassword, "").Want(200)
		w.Send(change(`{"role":"owner"}`)).Want(200).Is("role", `"owner"`)
	})
}

// TestUnconfirmedTeam changes teams: who is in one may see the conversations to which its
// inboxes and products lead, so that all three need a confirmation; the rest needs none.
func TestUnconfirmedTeam(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, _ := w.member(parley.Agent)
		product := w.Post("/v1/dashboard/products", `{"name":"Tents"}`).Want(201).Text("id")
		const teams = "/v1/dashboard/teams"
		for field, id := range map[string]string{"memberIds": string(m.ID), "inboxIds": w.Home.Inbox.ID.String(), "productIds": product} {
			w.Advance(access.ConfirmedFor)
			list := `"` + field + `":["` + id + `"]`
			made := w.Post(teams, `{"name":"Returns","color":"teal"}`).Want(201).Text("id")
			create := apitest.Request{Method: "POST", Path: teams, Body: `{"name":"Tents","color":"teal",` + list + `}`}
			change := apitest.Request{Method: "PATCH", Path: teams + "/" + made, Body: `{` + list + `}`}
			w.refuses(create)
			w.refuses(change)
			w.Patch(change.Path, `{"name":"Late returns","color":"red"}`).Want(200).Is("name", `"Late returns"`, field, "[]")
			w.confirm("", w.Home.OwnerPassword, "").Want(200)
			other := w.Send(create).Want(201).Text("id")
			w.Send(change).Want(200).Is(field+".0", quote(id))
			w.Delete(teams + "/" + made).Want(200)
			w.Delete(teams + "/" + other).Want(200)
		}
	})
}

// TestUnconfirmedFactor changes what is the member's own: with a second factor, the password
// that the operation asks for is not enough.
func TestUnconfirmedFactor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		own := func(token parley.Token, m parley.Member) map[string]apitest.Request {
			setUp, code := w.begun(m.ID)
			password := `"current":"` + w.passwords[m.ID] + `"`
			of := func(method, path, body string) apitest.Request {
				return apitest.Request{Method: method, Path: "/v1/dashboard/" + path, Body: body, Session: token}
			}
			return map[string]apitest.Request{
				"begin": of("POST", "second-factor", `{`+password+`}`), "renew": of("POST", "second-factor/recovery-codes", `{`+password+`}`),
				"off": of("POST", "second-factor/off", `{`+password+`}`), "password": of("PUT", "password", `{`+password+`,"next":"`+newPassword+`"}`),
				"set": of("PUT", "second-factor", `{"setUp":"`+setUp+`","code":"`+code+`"}`),
			}
		}
		for _, name := range []string{"begin", "renew", "off", "password", "set"} {
			m, _ := w.member(parley.Agent)
			p := w.setUp(m.ID)
			token := w.signIn(m.ID)
			w.Advance(access.ConfirmedFor)
			w.refuses(own(token, m)[name])
			w.confirm(token, w.passwords[m.ID], "").Refused(400, wrongCode)
			w.confirm(token, w.passwords[m.ID], "123456").Refused(400, wrongCode)
			w.confirm(token, "wrong wrong wrong", p.next()).Refused(400, "current: must be your password")
			w.refuses(own(token, m)[name])
			before, code := w.lines(), p.next()
			w.confirm(token, w.passwords[m.ID], code).Want(200).Is("password", "true", "code", "true")
			if got := w.linesAfter(before); !slices.Equal(got, []entry.Action{entry.Confirmed}) || w.lines()[0].Changes[0].To != "app" {
				t.Errorf("the confirmation leaves %v", got)
			}
			w.confirm(token, w.passwords[m.ID], code).Refused(400, wrongCode)
			w.Send(own(token, m)[name]).Want(200)
		}
		m, token := w.member(parley.Agent)
		w.Advance(access.ConfirmedFor)
		requests := own(token, m)
		w.Send(requests["begin"]).Want(200)
		if w.Send(requests["set"]).Want(200); w.as(token) != 401 {
			t.Error("the session did not end")
		}
	})
}

// TestConfirmThrottled counts wrong passwords and wrong codes, apart from each other, and
// keeps nobody else out.
func TestConfirmThrottled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, _ := w.member(parley.Agent)
		p := w.setUp(m.ID)
		token := w.signIn(m.ID)
		for range 10 {
			w.confirm(token, w.passwords[m.ID], "123456").Want(400)
		}
		w.confirm(token, w.passwords[m.ID], p.next()).Want(429)
		other, bystander := w.member(parley.Agent)
		for range 10 {
			w.confirm(bystander, "wrong wrong wrong", "").Want(400)
		}
		w.confirm(bystander, w.passwords[other.ID], "").Want(429)
		w.Send(apitest.Request{Method: "POST", Path: providerAccount, Body: `{"current":"x"}`, Session: bystander}).Want(429)
		w.confirm("", w.Home.OwnerPassword, "").Want(200)
		before := w.lines()
		w.Access.FlushRefusals(t.Context(), true)
		if got := w.linesAfter(before); len(got) != 4 || slices.Compact(got)[0] != entry.NotConfirmed {
			t.Errorf("the flush leaves %v", got)
		}
		if got := w.Access.Refused(); got[access.BadCode] != 10 || got[access.BadPassword] != 10 || got[access.Throttled] != 3 {
			t.Errorf("the metrics are %v", got)
		}
		w.Advance(16 * time.Minute)
		w.confirm(token, w.passwords[m.ID], p.codes[0]).Want(200)
	})
}

// TestConfirmationOfOthers confirms sessions that the question does not fit: of a member
// without a password, of before the record, and of a clock ahead.
func TestConfirmationOfOthers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		confirmed := func(at time.Time) bool {
			w.write(func(tx *store.Tx, ws parley.WorkspaceID) error {
				all, err := credential.SelectSessionsOf(tx, ws, w.Home.Owner.ID, w.Now())
				if err != nil {
					return err
				}
				return credential.UpdateSessionConfirmed(tx, ws, all[0].ID, at)
			})
			return w.Get(confirmPath).Want(200).Text("confirmedUntil") != ""
		}
		for at, want := range map[time.Time]bool{
			{}: false, w.Now(): true, w.Now().Add(time.Second): true, w.Now().Add(access.ConfirmedFor): false, w.Now().Add(-access.ConfirmedFor): false,
		} {
			if got := confirmed(at); got != want {
				t.Errorf("confirmed at %s, at %s it counts: %t", at, w.Now(), got)
			}
		}
		m, token := w.member(parley.Agent)
		w.write(func(tx *store.Tx, ws parley.WorkspaceID) error {
			none := m
			none.PasswordHash = ""
			return tx.UpdateMember(ws, &none)
		})
		w.Send(apitest.Request{Method: "GET", Path: confirmPath, Session: token}).Want(200).Is("password", "false")
		w.confirm(token, "x", "").Refused(409, "you have no password; sign in again instead, which confirms the new session")
	})
}

// TestConfirmWithoutPassword takes a password for no proof while it opens nothing, because
// the provider is required, but from owners who are exempt.
func TestConfirmWithoutPassword(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.provided()
		m, _ := w.member(parley.Admin)
		in := w.returns(w.at(map[string]any{"sub": w.person(m.ID)})).Want(303)
		session := parley.Token(cookieOf(in, httpjson.SessionCookie).Value)
		w.Advance(access.ConfirmedFor)
		how := apitest.Request{Method: "GET", Path: confirmPath, Session: session}
		w.Send(how).Want(200).Is("password", "true")
		w.confirm("", w.Home.OwnerPassword, "").Want(200)
		w.Patch(providerSettings, `{"required":true,"exempt":["`+string(w.Home.Owner.ID)+`"]}`).Want(200)
		for _, password := range []string{w.passwords[m.ID], "wrong wrong wrong"} {
			w.confirm(session, password, "").Refused(409, "you have no password; sign in again instead, which confirms the new session")
		}
		w.Send(how).Want(200).Is("password", "false", "confirmedUntil", "null")
		w.confirm("", w.Home.OwnerPassword, "").Want(200).Is("password", "true")
	})
}

// TestConfirmAtProvider signs in again to confirm, which only the provider's question does.
func TestConfirmAtProvider(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.provided()
		m, _ := w.member(parley.Agent)
		claims := map[string]any{"sub": w.person(m.ID)}
		begin := func(more string) apitest.Answer {
			return w.Send(apitest.Request{
				Method: "POST", Path: providerSession, Session: apitest.None, Body: `{"workspaceId":"` + w.Home.Workspace.ID.String() + `"` + more + `}`,
			})
		}
		back := func(more string) apitest.Answer { return w.returns(w.cameBack(begin(more).Want(200), claims)) }
		confirmed := func(in apitest.Answer) bool {
			leads(in, "/")
			session := parley.Token(cookieOf(in, httpjson.SessionCookie).Value)
			how := w.Send(apitest.Request{Method: "GET", Path: confirmPath, Session: session}).Want(200)
			how.Is("byProvider", "true")
			return how.Text("confirmedUntil") != ""
		}
		if confirmed(back("")) || confirmed(back(`,"confirm":false`)) {
			t.Error("a browser that the provider knew counts as confirmed")
		}
		w.Get(confirmPath).Want(200).Is("byProvider", "false")
		if !confirmed(back(`,"confirm":true`)) {
			t.Error("signing in again does not confirm")
		}
		claims["auth_time"] = w.Now().Add(-time.Hour).Unix()
		leads(back(`,"confirm":true`), "/signin?refused=bad_provider_token")
		begin(`,"confirm":1`).Blames("confirm", 400, "confirm: must be true or false")
	})
}

// TestConfirmWithEarlierPassword gives a password that was right when it was checked, while
// another one is being stored: the transaction looks again.
func TestConfirmWithEarlierPassword(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Agent)
		w.Advance(access.ConfirmedFor)
		w.Send(apitest.Request{Method: "GET", Path: confirmPath, Session: token}).Want(200) // stores that the session is used
		busy, open := make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			once := sync.OnceFunc(func() {
				close(busy)
				<-open
			})
			w.write(func(tx *store.Tx, ws parley.WorkspaceID) error {
				once()
				other := m
				other.PasswordHash = "of another password"
				return tx.UpdateMember(ws, &other)
			})
		})
		<-busy
		queued, done := w.Store.Stats().Queued, make(chan struct{})
		all.Go(func() {
			defer close(done)
			w.confirm(token, w.passwords[m.ID], "").Refused(400, "current: must be your password")
		})
		for waits := true; waits && w.Store.Stats().Queued == queued; { // the queue has no signal
			select {
			case <-done:
				t.Error("the confirmation does not wait")
				waits = false
			case <-time.After(time.Millisecond):
			}
		}
		close(open)
		all.Wait()
		w.Send(apitest.Request{Method: "GET", Path: confirmPath, Session: token}).Want(200).Is("confirmedUntil", "null")
	})
}

// TestLateConfirmation sends bodies that arrive after the confirmation has run out, or after
// the member has signed out: the transaction of the change looks again.
func TestLateConfirmation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		handler, tried := w.Dashboard.Handler(), 0
		for _, route := range dashboard.Routes() {
			if needs := route.Demand(); needs == access.NoDemand && !slices.Contains(sometimes, route.Operation) || needs == access.ProvenFactor {
				continue
			}
			for _, out := range []bool{false, true} {
				w.confirm("", w.Home.OwnerPassword, "").Want(200)
				s := samples(w)[route.Operation]()
				if s.Body == "" {
					continue
				}
				tried++
				m, token := w.member(parley.Owner)
				sent := w.request(route.Method, s, token)
				if route.Operation == "updateMember" {
					sent.Body = `{"role":"agent"}`
				}
				late := &lateBody{Reader: strings.NewReader(sent.Body), meanwhile: func() { w.Advance(access.ConfirmedFor) }}
				want := http.StatusForbidden
				if route.Operation == "confirmSession" {
					want = http.StatusOK
				}
				if out {
					want = http.StatusUnauthorized
					late.meanwhile = func() {
						if _, err := w.Access.EndSessions(t.Context(), w.factorCaller(m.ID)); err != nil {
							t.Error(err)
						}
					}
				}
				r := httptest.NewRequest(route.Method, sent.Path, late)
				r.Header.Set("Content-Type", "application/json")
				apitest.SignSession(r, token)
				before, answer := w.lines(), httptest.NewRecorder()
				if handler.ServeHTTP(answer, r); answer.Code != want {
					t.Errorf("%s late (signed out: %t) is %d %s, want %d", route.Operation, out, answer.Code, answer.Body, want)
				}
				left := slices.DeleteFunc(w.linesAfter(before), func(a entry.Action) bool { return a == entry.SessionsEnded })
				if want != http.StatusOK && len(left) != 0 {
					t.Errorf("%s late (signed out: %t) leaves %v", route.Operation, out, left)
				}
			}
		}
		if tried < 16 {
			t.Errorf("only %d requests had a body", tried)
		}
	})
}
