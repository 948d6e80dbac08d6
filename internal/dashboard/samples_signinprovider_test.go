package dashboard_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"parley"
	"parley/internal/access/openid/openidtest"
	"parley/internal/access/provider"
	"parley/internal/apitest"
	"parley/internal/httpjson"
	"parley/internal/store"
)

const (
	providerSettings = "/v1/dashboard/sign-in-provider"
	providerSession  = "/v1/dashboard/session/provider"
	providerAccount  = "/v1/dashboard/provider-account"
	form             = "application/x-www-form-urlencoded"
)

func signInProviderSamples(w *world) map[string]func() apitest.Sample {
	with := func(path, body string) func() apitest.Sample {
		return func() apitest.Sample {
			w.hasProvider()
			return apitest.NewSample(path, body, 200)
		}
	}
	return map[string]func() apitest.Sample{
		"findSignInProvider":  func() apitest.Sample { return apitest.NewSample(providerSession, "", 200) },
		"beginProviderSignIn": with(providerSession, `{"workspaceId":"`+w.Home.Workspace.ID.String()+`"}`),
		"finishProviderSignIn": func() apitest.Sample {
			w.hasProvider()
			m, _ := w.member(parley.Agent)
			back := w.at(map[string]any{"sub": w.person(m.ID)})
			s := apitest.NewSample(back.path(), "", 303)
			s.Cookie = back.cookie
			return s
		},
		"logOutByProvider": func() apitest.Sample {
			w.hasProvider()
			m, _ := w.member(parley.Agent)
			s := apitest.NewSample(w.logoutPath(), w.logout(map[string]any{"sub": w.person(m.ID)}), 200)
			s.Type = form
			return s
		},
		"getProviderAccount":     with(providerAccount, ""),
		"connectProviderAccount": with(providerAccount, `{"current":"{password}"}`),
		"disconnectMember": func() apitest.Sample {
			m, _ := w.member(parley.Agent)
			w.person(m.ID)
			return apitest.NewSample("/v1/dashboard/members/"+string(m.ID)+"/provider-account", "", 200)
		},
		"getSignInProvider": with(providerSettings, ""),
		"updateSignInProvider": func() apitest.Sample {
			return apitest.NewSample(providerSettings, w.providerBody("c"+fmt.Sprint(w.Tick())), 200)
		},
		"deleteSignInProvider": with(providerSettings, ""),
	}
}

// providerBody sets up the world's provider with a client.
func (w *world) providerBody(client string) string {
	return `{"issuer":"` + w.issuer.URL + `","clientId":"` + client + `","clientSecret":"` + openidtest.ClientSecret + `"}`
}

// hasProvider gives the workspace the world's issuer, unless it has it.
func (w *world) hasProvider() {
	w.T.Helper()
	w.Send(apitest.Request{Method: "PATCH", Path: providerSettings, Body: w.providerBody(openidtest.ClientID), Session: w.Owner}).Want(200)
}

// person makes a member a person of the world's issuer, and returns the subject.
func (w *world) person(member parley.UserID) string {
	w.T.Helper()
	subject := "person of " + string(member)
	w.write(func(tx *store.Tx, ws parley.WorkspaceID) error {
		_, err := provider.InsertIdentity(tx, ws, &provider.Identity{Issuer: w.issuer.URL, Subject: subject, Member: member, Since: w.Now()})
		return err
	})
	return subject
}

// A comeback is what a browser brings from the provider.
type comeback struct {
	to     string // the path of the address that the provider knows
	query  url.Values
	cookie string // of the attempt
}

// callbackOf is the path to which the provider of a workspace leads browsers.
func callbackOf(ws parley.WorkspaceID) string { return providerSession + "/callback/" + ws.String() }

func (b comeback) path() string { return b.to + "?" + b.query.Encode() }

// at is a browser that begins to sign in, and a person who signs in at the provider.
func (w *world) at(claims map[string]any) comeback {
	w.T.Helper()
	begun := w.Send(apitest.Request{
		Method: "POST", Path: providerSession, Body: `{"workspaceId":"` + w.Home.Workspace.ID.String() + `","next":"/conversations?a=b"}`, Session: apitest.None,
	}).Want(200)
	return w.cameBack(begun, claims)
}

func (w *world) cameBack(begun apitest.Answer, claims map[string]any) comeback {
	w.T.Helper()
	w.issuer.Claims = claims
	cookie, err := http.ParseSetCookie(begun.Header.Get("Set-Cookie"))
	if err != nil || cookie.Name != httpjson.AttemptCookie || !cookie.Secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.MaxAge != 600 {
		w.T.Fatalf("the cookie is %q: %v", begun.Header.Get("Set-Cookie"), err)
	}
	address, err := url.Parse(begun.Text("address"))
	if err != nil {
		w.T.Fatal(err)
	}
	to, known := strings.CutPrefix(address.Query().Get("redirect_uri"), "https://parley.example")
	if !known {
		w.T.Fatalf("the provider leads back to another server: %s", address)
	}
	return comeback{to: to, query: w.issuer.Authorize(w.T, address.String()), cookie: cookie.Name + "=" + cookie.Value}
}

// returns is a browser that the provider leads back, with cookies beside that of the attempt.
func (w *world) returns(b comeback, cookies ...string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{
		Method: "GET", Path: b.path(), Session: apitest.None,
		Header: http.Header{"Cookie": {strings.Join(append(cookies, b.cookie), "; ")}, "Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"navigate"}},
	})
}

func (w *world) logoutPath() string {
	return providerSettings + "/" + w.Home.Workspace.ID.String() + "/logout"
}

// logout is a form with a logout token.
func (w *world) logout(claims map[string]any) string { return "logout_token=" + w.logoutToken(claims) }

func (w *world) logoutToken(claims map[string]any) string {
	now := w.Now().Unix()
	whole := map[string]any{
		"iss": w.issuer.URL, "aud": openidtest.ClientID, "iat": now, "exp": now + 120, "jti": fmt.Sprint(w.Tick()),
		"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
	}
	maps.Copy(whole, claims)
	for name, value := range whole {
		if value == nil {
			delete(whole, name)
		}
	}
	return w.issuer.Sign(whole, map[string]any{"typ": "logout+jwt"})
}
