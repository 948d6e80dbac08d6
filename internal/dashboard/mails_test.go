package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/mail/mailsim"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func mailSamples(w *world) map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"listMails": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/mails", "", 200) },
		"resendMail": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/mails/"+w.failedMail()+"/again", "", 200)
		},
		"testMail": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/mails/test", "", 200) },
		"forgotPassword": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/password/forgot", `{"email":"nobody@home.example"}`, 202)
		},
	}
}

// failedMail invites somebody by a mail that the mail server refuses, and returns its id.
func (w *world) failedMail() string {
	w.T.Helper()
	w.Refuses.Store(true)
	defer w.Refuses.Store(false)
	w.Post("/v1/dashboard/invitations", `{"email":"`+w.email()+`","role":"agent","mail":true}`).Want(201)
	for w.Get("/v1/dashboard/mails?state=waiting").Want(200).Count("data") > 0 {
		w.Expire() // other work may take the places of one run
	}
	return w.Get("/v1/dashboard/mails?state=failed").Want(200).Text("data.0.id")
}

// newest returns the last mail that arrived.
func (w *world) newest() mailsim.Mail {
	w.T.Helper()
	all := w.Mailbox.Mails()
	if len(all) == 0 {
		w.T.Fatal("no mail has arrived")
	}
	return all[len(all)-1]
}

// linkOf returns the token of the link in a mail. Lines of quoted-printable are joined.
func linkOf(m mailsim.Mail) string {
	_, after, _ := strings.Cut(strings.ReplaceAll(m.Content, "=\r\n", ""), "https://support.example/invite#")
	token, _, _ := strings.Cut(after, "\r\n")
	return token
}

// TestMails invites by mail, asks for new passwords, and follows the links.
func TestMails(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Post("/v1/dashboard/invitations", `{"email":"cy@home.example","role":"agent","mail":true}`).Want(201)
		w.Get("/v1/dashboard/mails").Want(200).Is("data.0.state", `"waiting"`, "data.0.kind", `"invitation"`)
		if sender := w.Get("/v1/dashboard/mails").Want(200).Text("sender"); sender != "Acme <support@acme.example>" {
			t.Errorf("the sender is %s", sender)
		}
		w.Expire()
		w.Get("/v1/dashboard/mails?state=sent").Want(200).Is("data.0.attempts", "1", "data.0.problem", `""`, "data.0.resendable", "false")
		m := w.newest()
		if m.To != "cy@home.example" || !strings.Contains(m.Content, "invites you to Home") {
			t.Errorf("the mail is %+v", m)
		}
		accept := `{"token":"` + linkOf(m) + `","name":"Cy","password":"correct horse battery"}`
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/invitations/accept", Body: accept, Session: apitest.None}).Want(201).Is("member.email", `"cy@home.example"`)

		member, _ := w.member(parley.Agent)
		w.Post("/v1/dashboard/members/"+string(member.ID)+"/reset", `{"mail":true}`).Want(201)
		w.Post("/v1/dashboard/members/"+string(member.ID)+"/reset", `{"mail":1}`).Refused(400, "mail: must be true or false")
		w.Expire()
		if m := w.newest(); m.To != member.Email || !strings.Contains(m.Content, "Subject: Set a new password for Home") {
			t.Errorf("the mail is %+v", m)
		}

		id := w.failedMail()
		w.Post("/v1/dashboard/mails/"+id+"/again", "").Want(200).Is("state", `"waiting"`)
		w.Post("/v1/dashboard/mails/"+id+"/again", "").Refused(409, "the mail has not failed, or its contents were deleted")
		w.Post("/v1/dashboard/mails/"+w.Home.Workspace.ID.String()+"/again", "").Refused(404, "no such mail in this workspace")
		w.Expire()
		page := w.Get("/v1/dashboard/mails?limit=1").Want(200)
		w.Get("/v1/dashboard/mails?limit=1&cursor=" + page.Text("next_cursor")).Want(200)
		w.Get("/v1/dashboard/mails?limit=1&state=sent&cursor=" + page.Text("next_cursor")).Want(400)

		w.Post("/v1/dashboard/mails/test", "").Want(200).Is("sent", "true")
		if m := w.newest(); m.To != "owner@home.example" || !strings.Contains(m.Content, "A test of the mail of Home") {
			t.Errorf("the mail is %+v", m)
		}
		w.Refuses.Store(true)
		w.Post("/v1/dashboard/mails/test", "").Want(200).Is("sent", "false")
	})
}

// forgot asks for a new password from a network address, in a language.
func (w *world) forgot(email, address string) apitest.Answer {
	w.T.Helper()
	got := w.Send(apitest.Request{
		Method: "POST", Path: "/v1/dashboard/password/forgot", Body: `{"email":"` + email + `"}`, Session: apitest.None, Address: address,
		Header: http.Header{"Accept-Language": {"de-AT"}},
	})
	w.Dashboard.Settle()
	w.Expire()
	return got
}

// TestForgotPassword asks for new passwords: the answer is the same for members and
// strangers, the link works once, and the fourth request of a day sends nothing.
func TestForgotPassword(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		known, unknown := w.forgot(" OWNER@home.example", "192.0.2.1:1").Want(202), w.forgot("nobody@home.example", "192.0.2.1:1").Want(202)
		if string(known.Body) != string(unknown.Body) || len(w.Mailbox.Mails()) != 1 {
			t.Fatalf("the answers are %s and %s, after %d mails", known.Body, unknown.Body, len(w.Mailbox.Mails()))
		}
		m := w.newest()
		if m.To != "owner@home.example" || !strings.Contains(m.Content, "Neues Passwort f=C3=BCr Home") && !strings.Contains(m.Content, "Neues_Passwort_f=C3=BCr_Home") {
			t.Errorf("the mail is %+v", m)
		}
		accept := apitest.Request{Method: "POST", Path: "/v1/dashboard/invitations/accept", Body: `{"token":"` + linkOf(m) + `","password":"correct horse battery"}`, Session: apitest.None}
		w.Send(accept).Want(201)
		w.Send(accept).Want(404)
		w.enter("", login("owner@home.example", "correct horse battery")).Want(201)
		for range 3 { // other work may take the places of one run
			w.Expire()
		}
		alerts := len(w.Mailbox.Mails()) - 1 // about the password and the new browser
		if alerts != 2 {
			t.Errorf("there are %d alerts", alerts)
		}
		for i := range 6 {
			w.forgot("owner@home.example", fmt.Sprintf("192.0.2.%d:1", i)).Want(202)
		}
		if n := len(w.Mailbox.Mails()) - alerts; n != 3 {
			t.Errorf("after 7 requests there are %d mails", n)
		}
		w.Advance(25 * time.Hour)
		w.forgot("owner@home.example", "192.0.2.1:1").Want(202)
		if n := len(w.Mailbox.Mails()) - alerts; n != 4 {
			t.Errorf("a day later there are %d mails", n)
		}
	})
}

// TestMailOff refuses what needs a mail server, and creates no link that nobody gets.
func TestMailOff(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorldOf(t, apitest.Options{Store: o, NoMail: true})
		const off = "mail: must not be set, because this server sends no mail"
		w.Get("/v1/dashboard/mails").Want(200).Is("sender", "null")
		w.Post("/v1/dashboard/invitations", `{"email":"cy@home.example","role":"agent","mail":true}`).Refused(409, off)
		if w.Get("/v1/dashboard/invitations").Want(200).Count("data") != 0 {
			t.Error("there is an invitation")
		}
		m, _ := w.member(parley.Agent)
		w.Post("/v1/dashboard/members/"+string(m.ID)+"/reset", `{"mail":true}`).Refused(409, off)
		w.Post("/v1/dashboard/mails/test", "").Refused(409, "this server sends no mail")
		w.forgot("owner@home.example", "").Refused(409, "this server sends no mail; ask an admin of your workspace for a link")
	})
}
