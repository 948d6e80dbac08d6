package dashboard_test

import (
	"encoding/base32"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/access/factor"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	noHalf    = "your sign-in has expired; start again with your password"
	wrongCode = "code: must be the code that your app shows now, or a recovery code that was not used"
)

func secondFactorSamples(w *world) map[string]func() apitest.Sample {
	const own = "/v1/dashboard/second-factor"
	with := func(s apitest.Sample, cookie string) apitest.Sample {
		s.Cookie = cookie
		return s
	}
	return map[string]func() apitest.Sample{
		"signInByCode": func() apitest.Sample {
			m, _ := w.member(parley.Agent)
			p := w.setUp(m.ID)
			return with(apitest.NewSample("/v1/dashboard/session/code", `{"code":"`+p.codes[0]+`"}`, 201), w.half(m))
		},
		"beginRequiredSecondFactor": func() apitest.Sample {
			m, _ := w.member(parley.Agent)
			return with(apitest.NewSample("/v1/dashboard/session/second-factor", "", 200), w.half(m))
		},
		"setRequiredSecondFactor": func() apitest.Sample {
			m, _ := w.member(parley.Agent)
			setUp, code := w.begun(m.ID)
			return with(apitest.NewSample("/v1/dashboard/session/second-factor", `{"setUp":"`+setUp+`","code":"`+code+`"}`, 201), w.half(m))
		},
		"getSecondFactor":   func() apitest.Sample { return apitest.NewSample(own, "", 200) },
		"beginSecondFactor": func() apitest.Sample { return apitest.NewSample(own, `{"current":"{password}"}`, 200) },
		"setSecondFactor":   func() apitest.Sample { return apitest.NewSample(own, `{"setUp":"{setUp}","code":"{code}"}`, 200) },
		"turnOffSecondFactor": func() apitest.Sample {
			return apitest.NewSample(own+"/off", `{"current":"{password}"{factor}}`, 200)
		},
		"renewRecoveryCodes": func() apitest.Sample {
			return apitest.NewSample(own+"/recovery-codes", `{"current":"{password}"{factor}}`, 200)
		},
		"listSecondFactors": func() apitest.Sample { return apitest.NewSample(own+"s", "", 200) },
		"requireSecondFactor": func() apitest.Sample {
			return apitest.NewSample(own+"s", `{"requireSecondFactor":false}`, 200)
		},
		"resetSecondFactor": func() apitest.Sample {
			m, _ := w.member(parley.Agent)
			w.hasFactor(m.ID)
			return apitest.NewSample("/v1/dashboard/members/"+string(m.ID)+"/second-factor", "", 200)
		},
	}
}

// factorsIn replaces what a sample says of second factors: {setUp} and {code}
// by a set-up that the member began, and {factor} by nothing, after the member
// got one.
func (w *world) factorsIn(me parley.UserID, body string) string {
	if strings.Contains(body, "{setUp}") {
		setUp, code := w.begun(me)
		return strings.NewReplacer("{setUp}", setUp, "{code}", code).Replace(body)
	}
	if strings.Contains(body, "{factor}") {
		w.hasFactor(me)
	}
	return strings.ReplaceAll(body, "{factor}", "")
}

func (w *world) factorCaller(member parley.UserID) desk.Caller {
	return desk.Caller{Workspace: w.Home.Workspace.ID, Member: member}
}

// write runs a transaction in the workspace.
func (w *world) write(fn func(tx *store.Tx, ws parley.WorkspaceID) error) {
	w.T.Helper()
	ws := w.Home.Workspace.ID
	if err := w.Store.Write(w.T.Context(), ws, func(tx *store.Tx) error { return fn(tx, ws) }); err != nil {
		w.T.Fatal(err)
	}
}

// hasFactor gives a member a second factor, of an unknown secret, without ending
// the sessions.
func (w *world) hasFactor(member parley.UserID) {
	w.T.Helper()
	w.write(func(tx *store.Tx, ws parley.WorkspaceID) error {
		if _, err := factor.DeleteFactor(tx, ws, member); err != nil {
			return err
		}
		return factor.InsertFactor(tx, ws, &factor.Factor{Member: member, Sealed: []byte("sealed"), Since: w.Now()})
	})
}

// require sets whether the workspace requires second factors, without ending
// sessions.
func (w *world) require(required bool) {
	w.T.Helper()
	w.write(func(tx *store.Tx, ws parley.WorkspaceID) error { return factor.UpdateRequired(tx, ws, required) })
}

// secretOf reads a secret as an app does.
func (w *world) secretOf(text string) factor.Secret {
	w.T.Helper()
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(text)
	if err != nil {
		w.T.Fatal(err)
	}
	return secret
}

// begun returns a set-up that a member began, and its code of now. A sample may
// have changed the password.
func (w *world) begun(member parley.UserID) (setUp, code string) {
	w.T.Helper()
	made, err := w.Access.SecondFactors().Begin(w.T.Context(), w.factorCaller(member), w.passwords[member])
	if parley.KindOf(err) == parley.Invalid {
		made, err = w.Access.SecondFactors().Begin(w.T.Context(), w.factorCaller(member), newPassword)
	}
	if err != nil {
		w.T.Fatal(err)
	}
	return made.SetUp, w.secretOf(made.Secret).Code(factor.Step(w.Now()))
}

// A phone is the app of a member.
type phone struct {
	w      *world
	secret factor.Secret
	codes  []string
}

// next is a code that was not used.
func (p phone) next() string {
	p.w.Advance(30 * time.Second)
	return p.secret.Code(factor.Step(p.w.Now()))
}

// setUp gives a member a second factor.
func (w *world) setUp(member parley.UserID) phone {
	w.T.Helper()
	made, err := w.Access.SecondFactors().Begin(w.T.Context(), w.factorCaller(member), w.passwords[member])
	if err != nil {
		w.T.Fatal(err)
	}
	p := phone{w: w, secret: w.secretOf(made.Secret)}
	done, err := w.Access.SecondFactors().Set(w.T.Context(), w.factorCaller(member), access.FactorChange{SetUp: made.SetUp, Code: p.secret.Code(factor.Step(w.Now()))})
	if err != nil {
		w.T.Fatal(err)
	}
	p.codes = done.RecoveryCodes
	return p
}

// half signs in by a password as far as it goes, and returns the cookie. Without
// a second factor, the workspace requires one meanwhile.
func (w *world) half(m parley.Member) string {
	w.T.Helper()
	w.require(true)
	defer w.require(false)
	return halfCookie(w.enter("", login(m.Email, w.passwords[m.ID])).Want(202))
}

// halfCookie returns the half session that an answer sets, and requires the
// attributes that protect it.
func halfCookie(a apitest.Answer) string {
	a.T.Helper()
	cookie, err := http.ParseSetCookie(a.Header.Get("Set-Cookie"))
	if err != nil || cookie.Name != "__Host-parley-half" || !cookie.Secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode ||
		cookie.Path != "/" || cookie.Domain != "" || cookie.MaxAge != 600 || len(a.Header.Values("Set-Cookie")) != 1 {
		a.T.Errorf("the cookies are %q, %v", a.Header.Values("Set-Cookie"), err)
	}
	return cookie.Name + "=" + cookie.Value
}

// by sends a request with the cookie of a half session.
func (w *world) by(half, method, path, body string) apitest.Answer {
	w.T.Helper()
	r := apitest.Request{Method: method, Path: "/v1/dashboard/session/" + path, Body: body, Session: apitest.None}
	if half != "" {
		r.Header = http.Header{"Cookie": {half}}
	}
	return w.Send(r)
}

// TestSecondFactor sets one up, signs in by codes and recovery codes, and turns
// it off, as a browser does.
func TestSecondFactor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Agent)
		as := func(method, path, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: method, Path: "/v1/dashboard/second-factor" + path, Body: body, Session: token})
		}
		password := `{"current":"` + w.passwords[m.ID] + `"}`
		as("GET", "", "").Want(200).Is("since", "null", "recoveryCodes", "0", "required", "false")
		as("POST", "", `{"current":"wrong"}`).Refused(400, "current: must be your password")
		as("POST", "/off", password).Refused(409, "there is no second factor")
		as("POST", "/recovery-codes", password).Refused(409, "there is no second factor")
		begun := as("POST", "", password).Want(200)
		secret := w.secretOf(begun.Text("secret"))
		p := phone{w: w, secret: secret}
		as("PUT", "", `{"setUp":"`+begun.Text("setUp")+`","code":"1"}`).Refused(400, "code: must be the code that your app shows now; if it is, check the clock of the phone")
		as("GET", "", "").Is("since", "null")
		set := as("PUT", "", `{"setUp":"`+begun.Text("setUp")+`","code":"`+p.next()+`"}`).Want(200)
		if w.as(token) != 401 {
			t.Error("the earlier session did not end")
		}
		token = set.Cookie()
		as("GET", "", "").Want(200).Is("since", quote(w.Now().Format("2006-01-02T15:04:05.000Z")), "recoveryCodes", "10")

		entered := w.enter("", login(m.Email, w.passwords[m.ID])).Want(202).Is("step", `"code"`, "workspace.name", `"Home"`)
		half := halfCookie(entered)
		if got := w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: apitest.None, Header: http.Header{"Cookie": {half}}}); got.Status != 401 {
			t.Errorf("a half session reads %d", got.Status)
		}
		w.by("", "POST", "code", `{"code":"123456"}`).Refused(401, noHalf)
		w.by(half, "POST", "code", `{"code":"123456"}`).Refused(400, wrongCode)
		in := w.by(half, "POST", "code", `{"code":"`+p.next()+`"}`).Want(201).Is("member.id", quote(string(m.ID)))
		if w.as(in.Cookie()) != 200 {
			t.Error("a code opens no session")
		}
		cookies := strings.Join(in.Header.Values("Set-Cookie"), "\n")
		if !strings.Contains(cookies, "__Host-parley-known=") || !strings.Contains(cookies, "__Host-parley-half=; Path=/; Max-Age=0") {
			t.Errorf("the cookies are %s", cookies)
		}
		codes := as("POST", "/recovery-codes", password).Want(200)
		w.by(half, "POST", "code", `{"code":"`+set.Text("recoveryCodes.0")+`"}`).Refused(400, wrongCode)
		w.by(half, "POST", "code", `{"code":"`+codes.Text("recoveryCodes.0")+`"}`).Want(201)
		w.Get("/v1/dashboard/audit?action=session.started").Want(200).Is("data.0.changes.0.to", `"recovery"`, "data.1.changes.0.to", `"app"`)

		off := as("POST", "/off", password).Want(200)
		token = off.Cookie()
		as("GET", "", "").Is("since", "null", "recoveryCodes", "0")
		w.enter("", login(m.Email, w.passwords[m.ID])).Want(201)
		for range 10 {
			as("POST", "", `{"current":"wrong"}`).Want(400)
		}
		for _, path := range []string{"", "/off", "/recovery-codes"} {
			as("POST", path, password).Want(429)
		}
	})
}

// TestRequiredSecondFactor has the owner require second factors, members set
// them up as they sign in or join, and admins reset them.
func TestRequiredSecondFactor(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		require := func(required string) apitest.Answer {
			return w.Send(apitest.Request{Method: "PATCH", Path: "/v1/dashboard/second-factors", Body: `{"requireSecondFactor":` + required + `}`, Session: w.Owner})
		}
		require("true").Refused(409, "set up your own second factor first")
		w.setUp(w.Home.Owner.ID)
		w.Owner = w.signIn(w.Home.Owner.ID)
		admin, adminToken := w.member(parley.Admin)
		m, token := w.member(parley.Agent)
		require("true").Want(200).Is("requireSecondFactor", "true", "memberIds", `["`+string(w.Home.Owner.ID)+`"]`)
		if w.as(token) != 401 || w.as(adminToken) != 401 || w.as(w.Owner) != 200 {
			t.Error("the sessions of members without a second factor go on, or others ended")
		}
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/second-factor/off", Body: `{"current":"` + w.Home.OwnerPassword + `"}`, Session: w.Owner}).
			Refused(409, "the workspace requires a second factor; set up another one instead")

		half := halfCookie(w.enter("", login(m.Email, w.passwords[m.ID])).Want(202).Is("step", `"setUp"`))
		w.by("", "POST", "second-factor", "").Refused(401, noHalf)
		begun := w.by(half, "POST", "second-factor", "").Want(200)
		body := `{"setUp":"` + begun.Text("setUp") + `","code":"` + w.secretOf(begun.Text("secret")).Code(factor.Step(w.Now())) + `"}`
		w.by("", "PUT", "second-factor", body).Refused(401, noHalf)
		if now := w.by(half, "PUT", "second-factor", body).Want(201); w.as(now.Cookie()) != 200 || now.Count("recoveryCodes") != 10 {
			t.Error("a set-up opens no session")
		}
		w.by(half, "PUT", "second-factor", body).Refused(401, noHalf) // it is not replaced

		joined := w.accept(string(w.invite(parley.Agent)), "Cy", newPassword).Want(202).Is("step", `"setUp"`)
		halfCookie(joined)

		adminToken = w.signIn(admin.ID)
		reset := func(of parley.UserID, by parley.Token) apitest.Answer {
			return w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/members/" + string(of) + "/second-factor", Session: by})
		}
		reset(w.Home.Owner.ID, adminToken).Refused(403, "your role is admin; only an owner manages an owner")
		reset(w.Home.Owner.ID, w.Owner).Refused(409, "turn off your own second factor in your settings")
		reset("usr_aaaaaaaaaaaaaaaaaaaa", adminToken).Want(404)
		reset(m.ID, adminToken).Want(200).Is("id", quote(string(m.ID)))
		reset(m.ID, adminToken).Want(200)
		w.enter("", login(m.Email, w.passwords[m.ID])).Want(202).Is("step", `"setUp"`)
	})
}

// TestHalfSessionOpensNothing sends every operation with the cookie of a half
// session alone, also in the place of a session's.
func TestHalfSessionOpensNothing(t *testing.T) {
	w := onSQLite(t)
	m, _ := w.member(parley.Owner)
	w.setUp(m.ID)
	half := w.half(m)
	_, value, _ := strings.Cut(half, "=")
	for _, route := range append(surface(w).Rows, apitest.Row{Method: "GET", Path: "/v1/public/conversations"}) {
		if route.Open {
			continue
		}
		path := strings.NewReplacer("{id}", w.Home.Inbox.ID.String(), "{language}", "en").Replace(route.Path)
		for _, cookie := range []string{half, "__Host-parley=" + value} {
			r := httptest.NewRequest(route.Method, path, nil)
			r.Header.Set("Cookie", cookie)
			got := httptest.NewRecorder()
			w.Handler.ServeHTTP(got, r)
			if got.Code != 401 {
				t.Errorf("%s gives %d", route.Operation, got.Code)
			}
		}
	}
}

// TestSessionInPlace begins no new life of a session when a password or a second factor
// changes.
func TestSessionInPlace(t *testing.T) {
	w := onSQLite(t)
	m, token := w.member(parley.Agent)
	opened := func() string {
		return w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: token}).Want(200).Text("session.createdAt")
	}
	first, own := opened(), "/v1/dashboard/second-factor"
	for _, x := range []struct{ method, path, body string }{
		{"PUT", "/v1/dashboard/password", `{"current":"{password}","next":"correct horse battery"}`},
		{"PUT", own, `{"setUp":"{setUp}","code":"{code}"}`},
		{"POST", own + "/off", `{"current":"{password}"}`},
	} {
		w.Advance(time.Minute)
		token = w.Send(w.request(x.method, apitest.NewSample(x.path, x.body, 200), token)).Want(200).Cookie()
		w.people[token], w.passwords[m.ID] = m.ID, "correct horse battery"
		if now := opened(); now != first {
			t.Errorf("%s makes a session of %s, in place of one of %s", x.path, now, first)
		}
	}
}
