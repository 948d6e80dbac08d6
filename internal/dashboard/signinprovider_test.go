package dashboard_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/access/openid"
	"parley/internal/access/openid/openidtest"
	"parley/internal/apitest"
	"parley/internal/dashboard"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/outward"
)

// provided is a world with a provider, whose persons with an address at new.example join.
func (w *world) provided() {
	w.T.Helper()
	w.hasProvider()
	w.Patch(providerSettings, `{"joinRole":"agent","joinDomains":["new.example"]}`).Want(200)
}

func annAtProvider(more map[string]any) map[string]any {
	claims := map[string]any{"sub": "ann", "email": "ann@new.example", "email_verified": true, "name": "Ann"}
	maps.Copy(claims, more)
	return claims
}

// cookieOf returns a cookie that an answer sets; nil for none.
func cookieOf(a apitest.Answer, name string) *http.Cookie {
	a.T.Helper()
	for _, line := range a.Header.Values("Set-Cookie") {
		cookie, err := http.ParseSetCookie(line)
		if err != nil {
			a.T.Fatal(err)
		}
		if cookie.Name == name {
			return cookie
		}
	}
	return nil
}

// leads requires that a browser is led to a page, and with a session only to the one that was
// named.
func leads(a apitest.Answer, to string) {
	a.T.Helper()
	if got := a.Want(303).Header.Get("Location"); got != to {
		a.T.Errorf("the browser goes to %q, want %q", got, to)
	}
	if session := cookieOf(a, httpjson.SessionCookie); (session != nil) != (to == "/conversations?a=b" || to == "/") {
		a.T.Errorf("at %s the session is %v", to, session)
	}
}

// notIn is where a browser goes whose person did not get in.
func notIn(why string) string { return "/signin?next=%2Fconversations%3Fa%3Db&refused=" + why }

// TestProviderSignIn signs a person in by the provider, from begin to logout.
func TestProviderSignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		find := apitest.Request{Method: "GET", Path: providerSession, Session: apitest.None}
		w.Send(find).Want(200).Is("provider", "null")
		w.provided()
		w.Send(find).Want(200).Is("provider.workspaceId", quote(w.Home.Workspace.ID.String()), "provider.issuer", quote(w.issuer.URL))
		find.Path += "?workspaceId=" + w.Home.Inbox.ID.String()
		w.Send(find).Want(200).Is("provider", "null")

		in := w.returns(w.at(annAtProvider(map[string]any{"sid": "s-1"})))
		leads(in, "/conversations?a=b")
		if c := cookieOf(in, httpjson.AttemptCookie); c == nil || c.MaxAge >= 0 {
			t.Errorf("the attempt stays: %v", in.Header["Set-Cookie"])
		}
		if cookieOf(in, httpjson.TicketsCookie) != nil {
			t.Error("other known members of the browser are forgotten")
		}
		session := parley.Token(cookieOf(in, httpjson.SessionCookie).Value)
		w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: session}).Want(200).Is("member.name", `"Ann"`, "member.role", `"agent"`)
		w.Send(apitest.Request{Method: "GET", Path: providerAccount, Session: session}).Want(200).Is("issuer", quote(w.issuer.URL))
		state := w.Get(providerSettings).Want(200)
		state.Is("persons.0.issuer", quote(w.issuer.URL), "redirectUrl", quote("https://parley.example"+callbackOf(w.Home.Workspace.ID)),
			"logoutUrl", quote("https://parley.example"+w.logoutPath()), "provider.joinDomains", `["new.example"]`)
		if strings.Contains(string(state.Body), openidtest.ClientSecret) {
			t.Error("the secret is shown")
		}
		logOut := func(claims map[string]any) apitest.Answer { return w.logsOut(w.logout(claims)) }
		logOut(map[string]any{"sid": "s-2", "sub": nil}).Want(200)
		if w.as(session) != 200 {
			t.Error("the logout of another session ends this one")
		}
		logOut(map[string]any{"sid": "s-1"}).Want(200)
		if w.as(session) != 401 {
			t.Error("the session outlives its logout")
		}
	})
}

// logsOut sends a form as the provider's server does, which is no browser.
func (w *world) logsOut(body string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{
		Method: "POST", Path: w.logoutPath(), Body: body, Session: apitest.None,
		Header: http.Header{"Content-Type": {form}, "Sec-Fetch-Site": nil},
	})
}

// TestProviderRefusesOverHTTP lets nobody in by tokens that are forged, or of another
// sign-in, and shows no secret.
func TestProviderRefusesOverHTTP(t *testing.T) {
	w := onSQLite(t)
	w.provided()
	w.Patch(providerSettings, `{"groupsClaim":"groups"}`).Want(200)
	for name, claims := range w.issuer.HostileClaims() {
		w.Run(t, name, func(*testing.T) {
			why := openid.BadToken
			if name == "a megabyte" {
				why = openid.Unreachable
			}
			leads(w.returns(w.at(annAtProvider(claims))), notIn(string(why)))
		})
	}
	for name, forge := range openidtest.Forgeries {
		w.Run(t, name, func(t *testing.T) {
			w.issuer.Token = func(claims map[string]any) string {
				body, err := json.Marshal(claims)
				if err != nil {
					t.Error(err)
				}
				return forge(t, w.issuer, body)
			}
			defer func() { w.issuer.Token = nil }()
			leads(w.returns(w.at(annAtProvider(map[string]any{"sub": "person-1"}))), notIn(string(openid.BadToken)))
			w.Advance(time.Minute) // the keys may be asked for again
		})
	}
	if logged := w.Logged.String(); strings.Contains(logged, openidtest.ClientSecret) || strings.Contains(logged, openidtest.AccessToken) || strings.Contains(logged, "SECRET TEXT") {
		t.Errorf("the log has a secret:\n%s", logged)
	}
}

// TestProviderRefusesBrowsers lets no browser in that comes back with what is not its own.
func TestProviderRefusesBrowsers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.provided()
		claims := annAtProvider(nil)
		const bad = "/signin?refused=bad_provider_answer"
		for name, x := range map[string]struct {
			change func(*comeback)
			to     string
		}{
			"no attempt":              {func(b *comeback) { b.cookie = "" }, bad},
			"another browser's":       {func(b *comeback) { b.cookie = w.at(claims).cookie }, bad},
			"a forged attempt":        {func(b *comeback) { b.cookie = b.cookie[:len(b.cookie)-4] + "AAAA" }, bad},
			"another state":           {func(b *comeback) { b.query.Set("state", "x") }, bad},
			"no state":                {func(b *comeback) { b.query.Del("state") }, bad},
			"another provider's":      {func(b *comeback) { b.query.Set("iss", "https://other.example") }, notIn("bad_provider_answer")},
			"of no provider":          {func(b *comeback) { b.query.Del("iss") }, notIn("bad_provider_answer")},
			"no code":                 {func(b *comeback) { b.query.Del("code") }, notIn("bad_provider_answer")},
			"an invented code":        {func(b *comeback) { b.query.Set("code", "x") }, notIn("bad_provider_code")},
			"a code of another":       {func(b *comeback) { b.query.Set("code", w.at(claims).query.Get("code")) }, notIn("bad_provider_code")},
			"an error":                {func(b *comeback) { b.query.Set("error", "access_denied"); b.query.Del("code") }, notIn("provider_declined")},
			"a session as an attempt": {func(b *comeback) { b.cookie = httpjson.AttemptCookie + "=" + string(w.Owner) }, bad},
		} {
			back := w.at(claims)
			x.change(&back)
			got := w.returns(back)
			leads(got, x.to)
			if strings.Contains(x.to, "bad_provider_answer") && cookieOf(got, httpjson.AttemptCookie) != nil {
				t.Errorf("%s: another site ends the attempt of the browser", name)
			}
		}
		once := w.at(claims)
		leads(w.returns(once), "/conversations?a=b")
		leads(w.returns(once), notIn("bad_provider_answer"))
		late := w.at(claims)
		w.Advance(openid.AttemptLife)
		leads(w.returns(late), notIn("bad_provider_answer"))
		w.Send(apitest.Request{Method: "GET", Path: callbackOf(w.Home.Workspace.ID) + "?state=%00", Session: apitest.None}).Want(400)
		w.Send(apitest.Request{Method: "GET", Path: callbackOf(w.Home.Workspace.ID) + "?state=a&state=b", Session: apitest.None}).Want(400)
		// A provider that takes the place of another between begin and return gets no code.
		mixed := w.at(claims)
		other := openidtest.New(t, w.Now)
		w.Patch(providerSettings, strings.ReplaceAll(w.providerBody(openidtest.ClientID), w.issuer.URL, other.URL)).Want(200)
		leads(w.returns(mixed), notIn("bad_provider_answer"))
		if w.issuer.Asked("/token") == 0 || other.Asked("/token") != 0 {
			t.Error("the code of one provider was sent to another")
		}
	})
}

// TestMixedUpProviders gives the code of a workspace's provider to no other one: whoever
// rules a workspace leads a browser that signs in there through the provider of another
// workspace, with what an own attempt at that began with.
func TestMixedUpProviders(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		unnamed := func(metadata map[string]any) { delete(metadata, "authorization_response_iss_parameter_supported") }
		w.issuer.Change = unnamed
		w.provided()
		foreign, other := openidtest.New(t, w.Now), w.Found("Other")
		foreign.Change = unnamed
		_, owner, err := w.Access.StartSession(t.Context(), desk.Caller{Workspace: other.Workspace.ID}, other.Owner.ID, "")
		w.must(err)
		settings := strings.ReplaceAll(w.providerBody(openidtest.ClientID), w.issuer.URL, foreign.URL)
		w.Send(apitest.Request{Method: "PATCH", Path: providerSettings, Body: settings, Session: owner}).Want(200).
			Is("redirectUrl", quote("https://parley.example"+callbackOf(other.Workspace.ID)))

		own := w.at(annAtProvider(nil)) // the attempt whose challenge and nonce the browser brings
		begun := w.Send(apitest.Request{
			Method: "POST", Path: providerSession, Body: `{"workspaceId":"` + other.Workspace.ID.String() + `"}`, Session: apitest.None,
		}).Want(200)
		cookie, err := http.ParseSetCookie(begun.Header.Get("Set-Cookie"))
		w.must(err)
		address, err := url.Parse(begun.Text("address"))
		w.must(err)
		led := comeback{to: own.to, cookie: cookie.Name + "=" + cookie.Value, query: url.Values{
			"state": {address.Query().Get("state")}, "code": {own.query.Get("code")},
		}}
		leads(w.returns(led), "/signin?refused=bad_provider_answer")
		if n := foreign.Asked("/token"); n != 0 {
			t.Errorf("the other provider got the code %d times", n)
		}
		led.to, led.query = callbackOf(other.Workspace.ID), foreign.Authorize(t, address.String())
		led.query.Del("iss")
		leads(w.returns(led), "/signin?refused=provider_unverified")
		own.query.Del("iss")
		leads(w.returns(own), "/conversations?a=b")
	})
}

// TestProviderCodesAreLimited answers 429 after too many codes from a network address, and
// leaves the attempt in the browser.
func TestProviderCodesAreLimited(t *testing.T) {
	w := onSQLite(t)
	w.provided()
	for range 30 {
		back := w.at(annAtProvider(nil))
		back.query.Set("error", "access_denied")
		leads(w.returns(back), notIn("provider_declined"))
	}
	back := w.at(annAtProvider(nil))
	got := w.returns(back)
	got.Refused(429, "too many sign-ins with a provider from your network address; try again later")
	if wait := got.Header.Get("Retry-After"); wait != "60" || len(got.Header.Values("Set-Cookie")) != 0 {
		t.Errorf("the answer says %q, and sets %q", wait, got.Header.Values("Set-Cookie"))
	}
	w.Advance(time.Minute)
	leads(w.returns(back), "/conversations?a=b")
}

// TestProviderDecides says why a person does not get in.
func TestProviderDecides(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.provided()
		come := func(claims map[string]any) apitest.Answer { return w.returns(w.at(annAtProvider(claims))) }
		leads(come(map[string]any{"email_verified": false}), notIn("provider_unverified"))
		leads(come(map[string]any{"email_verified": "true"}), notIn("provider_unverified"))
		leads(come(map[string]any{"email": "ann@other.example"}), notIn("provider_not_member"))
		leads(come(map[string]any{"email": "ann@sub.new.example"}), notIn("provider_not_member"))
		leads(come(map[string]any{"email": w.Home.Owner.Email}), notIn("provider_unbound"))
		leads(come(nil), "/conversations?a=b")
		leads(come(map[string]any{"sub": "eve"}), notIn("provider_taken"))
		w.Patch(providerSettings, `{"groupsClaim":"groups","groups":[{"name":"leads","role":"admin"}]}`).Want(200).
			Is("provider.groups", `[{"name":"leads","role":"admin"}]`)
		leads(come(map[string]any{"groups": []string{"others"}}), notIn("provider_no_group"))
		w.require(true)
		half := come(map[string]any{"groups": []string{"leads"}})
		leads(half, "/signin?next=%2Fconversations%3Fa%3Db&step=setUp")
		if c := cookieOf(half, httpjson.HalfCookie); c == nil || c.SameSite != http.SameSiteStrictMode {
			t.Errorf("the half session is %v", c)
		}
		w.require(false)
		w.Patch(providerSettings, `{"required":true}`).Blames("exempt", 400, "exempt: must have an owner with a password, who gets in when the provider does not answer")
		m, _ := w.member(parley.Agent)
		w.Patch(providerSettings, `{"required":true,"exempt":["`+string(w.Home.Owner.ID)+`"]}`).Want(200).Is("provider.required", "true")
		w.enter("", login(m.Email, w.passwords[m.ID])).Want(202).Is("step", `"provider"`)
		w.enter("", login(w.Home.Owner.Email, w.Home.OwnerPassword)).Want(201)
	})
}

// TestConnectProviderAccount connects the account of a signed-in member who gives the
// password, in the same session.
func TestConnectProviderAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.provided()
		m, session := w.member(parley.Owner)
		_, other := w.member(parley.Owner)
		begin := func(token parley.Token) comeback {
			r := w.request("POST", apitest.NewSample(providerAccount, `{"current":"{password}"}`, 200), token)
			return w.cameBack(w.Send(r).Want(200), map[string]any{"sub": "boss"})
		}
		cookie := func(token parley.Token) string { return httpjson.SessionCookie + "=" + string(token) }
		w.Send(apitest.Request{Method: "POST", Path: providerAccount, Body: `{"current":"wrong"}`, Session: session}).Refused(400, "current: must be your password")
		const bad = "/settings/profile?refused=bad_provider_answer"
		leads(w.returns(begin(session)), bad)
		leads(w.returns(begin(session), cookie(other)), bad)
		leads(w.returns(begin(session), cookie("ps_x")), bad)
		ended := w.signIn(m.ID)
		late := begin(ended)
		w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/session", Session: ended}).Want(200)
		leads(w.returns(late, cookie(ended)), bad)
		w.Send(apitest.Request{Method: "GET", Path: providerAccount, Session: session}).Want(200).Is("connectedAt", "null")
		leads(w.returns(begin(session), cookie(session)), "/settings/profile")
		if w.Send(apitest.Request{Method: "GET", Path: providerAccount, Session: session}).Want(200).Text("connectedAt") == "" {
			t.Error("the account is not connected")
		}
		leads(w.returns(begin(other), cookie(other)), "/settings/profile?refused=provider_taken")
		leads(w.returns(w.at(map[string]any{"sub": "boss"})), "/conversations?a=b")
		w.Delete("/v1/dashboard/members/usr_nobody/provider-account").Want(404)
		w.Delete("/v1/dashboard/members/" + string(m.ID) + "/provider-account").Want(200)
		if w.as(session) != 401 {
			t.Error("a session outlives what connected it")
		}
		w.Delete("/v1/dashboard/members/usr_00000000000000000000/provider-account").Refused(404, "no such member in this workspace")
		_, admin := w.member(parley.Admin)
		w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/members/" + string(w.Home.Owner.ID) + "/provider-account", Session: admin}).Want(403)
		guess := apitest.Request{Method: "POST", Path: providerAccount, Body: `{"current":"wrong"}`, Session: other}
		for range 10 {
			w.Send(guess).Want(400)
		}
		w.Send(guess).Want(429)
	})
}

// TestProviderLogoutOverHTTP ends nothing by what is no logout token of the provider.
func TestProviderLogoutOverHTTP(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.provided()
		in := w.returns(w.at(annAtProvider(nil)))
		session := parley.Token(cookieOf(in, httpjson.SessionCookie).Value)
		const no = "logout_token: must be a logout token of the workspace's provider that was not used before"
		ann := map[string]any{"sub": "ann"}
		for name, more := range map[string]map[string]any{
			"other issuer": {"iss": "https://other.example"}, "other audience": {"aud": "other"}, "nonce": {"nonce": "n"}, "no event": {"events": nil},
			"other event": {"events": map[string]any{"a": map[string]any{}}}, "no id": {"jti": nil}, "nobody": {"sub": nil}, "expired": {"exp": w.Now().Unix() - 61},
			"old": {"iat": w.Now().Unix() - 661}, "no time": {"iat": nil},
		} {
			claims := map[string]any{"sub": "ann"}
			maps.Copy(claims, more)
			if got := w.logsOut(w.logout(claims)); got.Status != 400 {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		for name, forge := range openidtest.Forgeries {
			if name == "type of a logout" {
				continue // which this is
			}
			body, err := json.Marshal(map[string]any{
				"iss": w.issuer.URL, "aud": openidtest.ClientID, "iat": w.Now().Unix(), "exp": w.Now().Unix() + 120, "jti": name, "sub": "person-1",
				"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := w.logsOut("logout_token=" + url.QueryEscape(forge(t, w.issuer, body))); got.Status != 400 {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
			w.Advance(time.Minute)
		}
		for _, body := range []string{"", "a=b", "logout_token=", "logout_token=%zz", "logout_token=a&logout_token=b", "logout_token=%00", "logout_token=" + strings.Repeat("a", 65537)} {
			w.logsOut(body).Want(400)
		}
		w.logsOut("a=" + strings.Repeat("a", httpjson.MaxBody)).Want(413)
		w.Send(apitest.Request{Method: "POST", Path: w.logoutPath(), Body: "{}", Session: apitest.None}).Refused(415, "Content-Type: must be application/x-www-form-urlencoded")
		if w.as(session) != 200 {
			t.Fatal("what is no logout ends a session")
		}
		token := w.logout(ann)
		w.logsOut(token+"&"+token).Refused(400, "logout_token: must be given once")
		w.logsOut(token).Want(200)
		w.logsOut(token).Refused(400, no)
		if w.as(session) != 401 {
			t.Error("the session outlives its logout")
		}
		other := w.Found("Other").Workspace.ID.String()
		w.Send(apitest.Request{
			Method: "POST", Path: providerSettings + "/" + other + "/logout", Body: w.logout(ann), Session: apitest.None, Header: http.Header{"Content-Type": {form}},
		}).Refused(404, "the workspace has no sign-in provider")
	})
}

// TestProviderAway says that a provider does not work that is large, slow, elsewhere, or in
// the server's own network, and goes nowhere else.
func TestProviderAway(t *testing.T) {
	w := onSQLite(t)
	w.provided()
	const metadata, gone = "/.well-known/openid-configuration", "signing in with the provider does not work now; try again"
	answers := map[string]http.HandlerFunc{
		"huge": func(rw http.ResponseWriter, _ *http.Request) {
			for range 10 << 10 {
				if _, err := rw.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
		},
		"redirecting": func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, "https://127.0.0.1:1/", http.StatusTemporaryRedirect)
		},
	}
	if !testing.Short() {
		answers["hanging"] = func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // otherwise the end of the connection is not noticed
			<-r.Context().Done()
		}
	}
	for name, answer := range answers {
		w.Run(t, name, func(*testing.T) {
			for _, path := range []string{"/token", "/keys"} {
				w.Advance(25 * time.Hour) // nothing is remembered
				w.issuer.Answer[path] = answer
				why := "provider_unreachable"
				if name == "redirecting" && path == "/token" {
					why = "bad_provider_code"
				}
				leads(w.returns(w.at(annAtProvider(nil))), notIn(why))
				delete(w.issuer.Answer, path)
			}
			w.Owner = w.signIn(w.Home.Owner.ID)
			w.Advance(25 * time.Hour)
			w.issuer.Answer[metadata] = answer
			defer delete(w.issuer.Answer, metadata)
			begin := apitest.Request{Method: "POST", Path: providerSession, Body: `{"workspaceId":"` + w.Home.Workspace.ID.String() + `"}`, Session: apitest.None}
			w.Send(begin).Refused(503, gone)
			w.Advance(2 * time.Minute)
			w.Send(apitest.Request{Method: "POST", Path: providerAccount, Body: `{"current":"` + w.Home.OwnerPassword + `"}`}).Refused(503, gone)
			w.Advance(2 * time.Minute)
			w.logsOut(w.logout(map[string]any{"sub": "ann"})).Refused(503, gone)
			w.confirm("", w.Home.OwnerPassword, "").Want(200)
			if got := w.Patch(providerSettings, w.providerBody("x")); got.Status != 400 || !strings.HasPrefix(got.Text("error"), "issuer: must be of a provider that can be used: ") {
				t.Errorf("the settings are %d %s", got.Status, got.Body)
			}
		})
	}
}

// TestProviderNeedsAnAddress refuses what needs the address of a server that does not know
// it, or that may not reach the provider's network.
func TestProviderNeedsAnAddress(t *testing.T) {
	w := onSQLite(t)
	w.provided()
	handler := func(public string, network outward.Options) http.Handler {
		return w.Enveloped(dashboard.New(dashboard.Options{
			Desk: w.Desk, Access: access.New(w.Desk), OpenID: openid.NewNetwork(outward.NewDialer(network), w.Now), PublicURL: public, Clock: w.Now, Log: apitest.Log(t),
		}).Handler())
	}
	const unknown = "this server does not know its own address, to which the provider sends members back; its operator sets --public-url"
	begin := apitest.Request{Method: "POST", Path: providerSession, Body: `{"workspaceId":"` + w.Home.Workspace.ID.String() + `"}`, Session: apitest.None}
	connect := apitest.Request{Method: "POST", Path: providerAccount, Body: `{"current":"` + w.Home.OwnerPassword + `"}`}
	save := apitest.Request{Method: "PATCH", Path: providerSettings, Body: w.providerBody("x")}
	nameless := handler("", w.issuer.Options())
	for _, r := range []apitest.Request{begin, connect, save} {
		w.SendTo(nameless, r).Refused(409, unknown)
	}
	w.SendTo(nameless, apitest.Request{Method: "GET", Path: providerSettings}).Want(200).Is("redirectUrl", `""`, "logoutUrl", `""`)
	private := w.issuer.Options()
	private.Allowed = nil
	w.SendTo(handler("https://parley.example", private), begin).Want(503)
	got := w.SendTo(handler("https://parley.example", private), save).Want(400)
	if strings.Contains(string(got.Body), "127.0.0.1") {
		t.Errorf("the answer has an address of the network: %s", got.Body)
	}
	w.Delete(providerSettings).Want(200).Is("provider", "null")
	for _, r := range []apitest.Request{begin, connect, {Method: "DELETE", Path: providerSettings}} {
		w.Send(r).Refused(404, "the workspace has no sign-in provider")
	}
}

// TestProviderInputs names what is wrong with settings, and with the page to open.
func TestProviderInputs(t *testing.T) {
	w := onSQLite(t)
	w.provided()
	for body, message := range map[string]string{
		`{"groups":[{"name":"a"}]}`:                                                              "groups: must be an array of 0 to 100 items; item 1 must be an object of name and role",
		`{"groups":[{"name":"a","role":"boss"}]}`:                                                "groups: must be an array of 0 to 100 items; item 1 must have the role admin or agent",
		`{"groupsClaim":"g","groups":[{"name":"a","role":"owner"}]}`:                             "groups: must have the role admin or agent; a provider makes nobody an owner",
		`{"groupsClaim":"g","groups":[{"name":"a","role":"admin"},{"name":"a","role":"agent"}]}`: "groups: must have each group once",
		`{"issuer":"http://id.example"}`:                                                         "issuer: must be of a provider that can be used: must be an https address without a user, a query and a fragment",
		`{"joinRole":"owner"}`:                                                                   "joinRole: must be admin or agent; a provider makes nobody an owner",
	} {
		if got := w.Patch(providerSettings, body); got.Status != 400 || got.Text("error") != message {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	for _, next := range []string{"//evil.example", "https://evil.example", "evil", "/\\\\evil.example", "/a b", "/ü", "javascript:alert(1)", "/%zz"} {
		w.Send(apitest.Request{
			Method: "POST", Path: providerSession, Body: `{"workspaceId":"` + w.Home.Workspace.ID.String() + `","next":"` + next + `"}`, Session: apitest.None,
		}).Blames("next", 400, "next: must be a page of this server, such as /conversations")
	}
}
