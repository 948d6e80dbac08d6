package dashboard_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/httpjson"
	"parley/internal/mail/mailsim"
	"parley/internal/store/storetest"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

// alerts sends what waits, and returns the mails about accounts that arrive at an address
// after some.
func (w *world) alerts(to string, after int) []mailsim.Letter {
	w.T.Helper()
	for w.Get("/v1/dashboard/mails?state=waiting").Want(200).Count("data") > 0 {
		w.Expire()
	}
	var all []mailsim.Letter
	for _, m := range w.Mailbox.Mails()[after:] {
		letter, err := m.Letter()
		if err != nil {
			w.T.Fatal(err)
		}
		if m.To == to {
			if strings.Contains(m.Content, "List-Unsubscribe") {
				w.T.Errorf("the mail %q can be stopped", letter.Subject)
			}
			all = append(all, letter)
		}
	}
	return all
}

// TestAlerts changes what opens an account, in each way, and requires one mail for each, with
// what, when, with what and from where, and nothing secret; and none for what is refused.
func TestAlerts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Agent)
		own := func(method, path, body string) apitest.Request {
			return apitest.Request{
				Method: method, Path: "/v1/dashboard/" + path, Body: body, Session: token, Address: "192.0.2.7:1", Header: http.Header{"User-Agent": {firefox}},
			}
		}
		told := func(what string, do func() []string, parts ...string) {
			t.Helper()
			before := len(w.Mailbox.Mails())
			secrets := do()
			all := w.alerts(m.Email, before)
			if what == "" {
				if len(all) != 0 {
					t.Errorf("%d mails tell what did not happen: %+v", len(all), all)
				}
				return
			}
			if len(all) != 1 || all[0].Subject != what {
				t.Errorf("the mails are %+v, want one: %s", all, what)
				return
			}
			for _, part := range append(parts, "When: "+w.Now().Format("2006-01-02 15:04 UTC"), "https://support.example/settings/profile") {
				if !strings.Contains(all[0].Plain, part) {
					t.Errorf("%s: %q is not in %s", what, part, all[0].Plain)
				}
			}
			for _, secret := range secrets {
				if secret == "" || strings.Contains(all[0].Plain, secret) {
					t.Errorf("%s: the secret %q is empty, or in %s", what, secret, all[0].Plain)
				}
			}
		}
		here := []string{"With: Firefox on Linux", "Network address: 192.0.2.7", "If it was not you"}
		password := func() string { return `"current":"` + w.passwords[m.ID] + `"` }
		told("", func() []string {
			w.Send(own("PUT", "password", `{"current":"wrong wrong wrong","next":"`+newPassword+`"}`)).Want(400)
			w.Send(own("PUT", "password", `{`+password()+`,"next":"short"}`)).Want(400)
			return nil
		})
		told("Your password at Home was changed", func() []string {
			in := w.Send(own("PUT", "password", `{`+password()+`,"next":"`+newPassword+`"}`)).Want(200)
			w.passwords[m.ID], token = newPassword, parley.Token(cookieOf(in, httpjson.SessionCookie).Value)
			return []string{newPassword, string(token)}
		}, here...)
		told("A second factor was set up for your account at Home", func() []string {
			setUp, code := w.begun(m.ID)
			in := w.Send(own("PUT", "second-factor", `{"setUp":"`+setUp+`","code":"`+code+`"}`)).Want(200)
			token = parley.Token(cookieOf(in, httpjson.SessionCookie).Value)
			return []string{in.Text("recoveryCodes.0"), code}
		}, here...)
		told("You have new recovery codes at Home", func() []string {
			return []string{w.Send(own("POST", "second-factor/recovery-codes", `{`+password()+`}`)).Want(200).Text("recoveryCodes.9")}
		}, here...)
		told("The second factor of your account at Home was removed", func() []string {
			in := w.Send(own("POST", "second-factor/off", `{`+password()+`}`)).Want(200)
			token = parley.Token(cookieOf(in, httpjson.SessionCookie).Value)
			return nil
		}, here...)
		w.hasFactor(m.ID)
		told("The second factor of your account at Home was removed", func() []string {
			w.Delete("/v1/dashboard/members/" + string(m.ID) + "/second-factor").Want(200)
			return nil
		}, "By: "+w.Home.Owner.Name, "If you did not expect it")
		told("", func() []string {
			w.Delete("/v1/dashboard/members/" + string(m.ID) + "/second-factor").Want(200)
			return nil
		})
		told("Your password at Home was changed", func() []string {
			link := strings.TrimPrefix(w.Post("/v1/dashboard/members/"+string(m.ID)+"/reset", "").Want(201).Text("link"), "/invite#")
			w.Send(apitest.Request{
				Method: "POST", Path: "/v1/dashboard/invitations/accept", Body: `{"token":"` + link + `","password":"another battery staple 8"}`, Session: apitest.None,
				Address: "192.0.2.7:1", Header: http.Header{"User-Agent": {firefox}},
			}).Want(201)
			w.passwords[m.ID] = "another battery staple 8"
			return []string{link}
		}, here...)
		told("Your password at Home was changed", func() []string {
			_, made, err := w.Access.SetRandomPassword(t.Context(), w.By(), m.ID)
			if err != nil {
				t.Fatal(err)
			}
			return []string{made}
		}, "By: "+w.Home.Owner.Name)
		other := w.Found("Other")
		if len(w.alerts(other.Owner.Email, 0)) != 0 {
			t.Error("another workspace is told")
		}
	})
}

// TestAlertsOfBrowsers signs in with browsers: each new one is told once, and at most three of
// a day; one that signed in before, and a refused sign-in, are not.
func TestAlertsOfBrowsers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, _ := w.member(parley.Agent)
		p := phone{}
		signIn := func(cookie, address string) (known string) {
			t.Helper()
			r := apitest.Request{
				Method: "POST", Path: "/v1/dashboard/session", Body: login(m.Email, w.passwords[m.ID]), Session: apitest.None, Address: address,
				Header: http.Header{"User-Agent": {firefox}},
			}
			if cookie != "" {
				r.Header.Set("Cookie", cookie)
			}
			in := w.Send(r)
			if in.Status == 202 {
				half := cookieOf(in, httpjson.HalfCookie)
				r.Path, r.Body = "/v1/dashboard/session/code", `{"code":"`+p.next()+`"}`
				r.Header.Set("Cookie", strings.TrimPrefix(cookie+"; ", "; ")+half.Name+"="+half.Value)
				in = w.Send(r)
			}
			in.Want(201)
			c := cookieOf(in, httpjson.TicketsCookie)
			return c.Name + "=" + c.Value
		}
		count := 0
		tells := func(what string, more int) {
			t.Helper()
			all := w.alerts(m.Email, 0)
			if len(all) != count+more {
				t.Errorf("%s: %d mails, want %d", what, len(all)-count, more)
			}
			if count = len(all); more > 0 && all[count-1].Subject != "Your account at Home was signed in to from a new browser" {
				t.Errorf("%s: the mail is %+v", what, all[count-1])
			}
		}
		w.enter("", login(m.Email, "wrong wrong wrong")).Want(401)
		tells("a wrong password", 0)
		known := signIn("", "192.0.2.7:1")
		tells("a new browser", 1)
		w.Get("/v1/dashboard/audit?action=session.started").Want(200).Is("data.0.changes.0.field", `"browser"`, "data.0.changes.0.to", `"new"`)
		known = signIn(known, "192.0.2.8:1")
		tells("the same browser, elsewhere", 0)
		w.Get("/v1/dashboard/audit?action=session.started").Want(200).Is("data.0.changes", "[]")
		p = w.setUp(m.ID)
		w.alerts(m.Email, 0)
		count = len(w.alerts(m.Email, 0))
		signIn(known, "192.0.2.8:1")
		tells("the same browser with a second step", 0)
		signIn("", "192.0.2.7:1")
		tells("a new browser with a second step", 1)
		for range 3 {
			signIn("", "192.0.2.7:1")
		}
		tells("a flood", 1)
		w.Advance(25 * time.Hour)
		w.Owner = w.signIn(w.Home.Owner.ID)
		signIn("", "192.0.2.7:1")
		tells("the next day", 1)
	})
}

// TestAlertsOfProvider signs in with a provider: the cookie of known browsers does not come
// along from its site, so that these sign-ins tell nothing.
func TestAlertsOfProvider(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.provided()
		for range 2 {
			w.returns(w.at(annAtProvider(nil))).Want(303)
		}
		if all := w.alerts("ann@new.example", 0); len(all) != 0 {
			t.Errorf("a sign-in with the provider tells %+v", all)
		}
		w.Get("/v1/dashboard/audit?action=session.started").Want(200).Is("data.0.changes", "[]")
	})
}

// TestAlertsInGerman writes in the language and the zone of the member's choice.
func TestAlertsInGerman(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Agent)
		w.Send(apitest.Request{Method: "PUT", Path: "/v1/dashboard/notice-preferences", Body: `{"language":"de","zone":"Europe/Berlin"}`, Session: token}).Want(200)
		w.enter("192.0.2.7:1", login(m.Email, w.passwords[m.ID])).Want(201)
		all := w.alerts(m.Email, 0)
		if len(all) != 1 || all[0].Subject != "Bei Ihrem Konto bei Home hat sich ein neuer Browser angemeldet" {
			t.Fatalf("the mails are %+v", all)
		}
		berlin, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			t.Fatal(err)
		}
		when := "Wann: " + w.Now().In(berlin).Format("2006-01-02 15:04") + " (Europe/Berlin), " + w.Now().Format("2006-01-02 15:04 UTC")
		for _, part := range []string{when, "Womit: ein unbekanntes Programm", "Netzwerkadresse: 192.0.2.7", "Überall abmelden"} {
			if !strings.Contains(all[0].Plain, part) {
				t.Errorf("%q is not in %s", part, all[0].Plain)
			}
		}
	})
}

// TestNoAlerts sends nothing without a mail server, and to nobody who joins.
func TestNoAlerts(t *testing.T) {
	w := newWorldOf(t, apitest.Options{Store: storetest.MigratedSQLite(t), NoMail: true})
	m, _ := w.member(parley.Agent)
	w.enter("", login(m.Email, w.passwords[m.ID])).Want(201)
	if n := w.Get("/v1/dashboard/mails").Want(200).Count("data"); n != 0 {
		t.Errorf("%d mails wait", n)
	}
	w = onSQLite(t)
	made, err := w.Access.Invite(t.Context(), w.By(), access.Invitee{Email: "cy@home.example", Role: parley.Agent})
	if err != nil {
		t.Fatal(err)
	}
	w.Send(apitest.Request{
		Method: "POST", Path: "/v1/dashboard/invitations/accept", Body: `{"token":"` + string(made.Token) + `","name":"Cy","password":"` + newPassword + `"}`, Session: apitest.None,
	}).Want(201)
	if all := w.alerts("cy@home.example", 0); slices.ContainsFunc(all, func(mailsim.Letter) bool { return true }) {
		t.Errorf("who joins is told %+v", all)
	}
}
