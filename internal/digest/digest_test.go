package digest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/desk"
	"parley/internal/mail/mailsim"
	"parley/internal/notices"
	"parley/internal/store"
)

func nobody(context.Context, parley.WorkspaceID, parley.UserID) {}

// TestDigest mails once what is unread, and again only after it was read.
func TestDigest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, dee := w.talk("Ann <b>"), w.talk("Dee")
		w.names(ann, "Bo, is the\nparcel <i>back</i>?")
		w.pass(30 * time.Minute)
		w.none("the hour is not over")
		w.names(dee, strings.Repeat("long ", 100))
		w.pass(31 * time.Minute)
		l := w.one("everything unread, when the first is due")
		owner := w.Home.Owner.Name
		for _, text := range []string{
			"Dee\n– " + owner + " mentioned you “long ", "Ann <b>\n– " + owner + " mentioned you “Bo, is the parcel <i>back</i>?”\nhttps://support.example/inbox/" + ann.String(),
			"https://support.example/settings/notifications",
		} {
			if !strings.Contains(l.Plain, text) {
				t.Errorf("the mail does not say %q: %s", text, l.Plain)
			}
		}
		if strings.Contains(l.HTML, "<i>") || !strings.Contains(l.HTML, `<a href="https://support.example/inbox/`+dee.String()+`"`) {
			t.Errorf("the page is %s", l.HTML)
		}
		if l.Headers.Get("To") != "<bo@home.example>" || l.Subject != "Unread in "+w.Home.Workspace.Name+": 2" || !strings.HasPrefix(stopAddress(l), "https://support.example/m/stop/") {
			t.Errorf("the headers are %s, %s, %s", l.Headers.Get("To"), l.Subject, stopAddress(l))
		}
		w.names(ann, "Bo?")
		w.pass(2 * time.Hour)
		w.none("Bo was mailed of the conversation, and has not read it")
		_, err := w.Desk.ReadConversation(t.Context(), w.asBo(), ann)
		w.Must(err)
		w.names(ann, "Bo!")
		w.names(dee, "Bo!")
		w.pass(2 * time.Hour)
		if l := w.one("Bo has read it"); strings.Contains(l.Plain, "Dee") || !strings.Contains(l.Plain, "Bo!") {
			t.Errorf("the mail says %s", l.Plain)
		}
	})
}

// TestNotMailed leaves out what was read meanwhile, is spam, or is not wanted, and mails
// nobody who has left, does not want it, or has stopped it.
func TestNotMailed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		talk := w.talk("Ann")
		w.names(talk, "read")
		w.pass(30 * time.Minute)
		_, err := w.Desk.ReadConversation(t.Context(), w.asBo(), talk)
		w.Must(err)
		w.pass(time.Hour)
		w.none("it was read")

		w.names(talk, "spam")
		w.pass(30 * time.Minute)
		_, err = w.Desk.UpdateConversation(t.Context(), w.By(), talk, desk.ConversationChange{Spam: parley.Some(true)})
		w.Must(err)
		w.pass(time.Hour)
		w.none("it is spam")

		talk = w.talk("Ann")
		w.names(talk, "not wanted")
		w.pass(30 * time.Minute)
		w.choose(notices.PreferencesChange{Kinds: map[parley.NoticeKind][]parley.NoticeChannel{parley.NoticeMentioned: {parley.NoticeByPush}}})
		w.pass(time.Hour)
		w.none("it is not wanted by mail")
		w.choose(notices.PreferencesChange{Kinds: map[parley.NoticeKind][]parley.NoticeChannel{parley.NoticeMentioned: {parley.NoticeByMail}}, Language: parley.Some("de")})
		w.pass(0)
		l := w.one("it is wanted after all")
		if !strings.HasPrefix(l.Subject, "Ungelesen in ") {
			t.Errorf("the subject is %s", l.Subject)
		}

		w.Must(w.mail.Stop(t.Context(), strings.TrimPrefix(stopAddress(l), "https://support.example/m/stop/")))
		talk = w.talk("Dee")
		w.names(talk, "stopped")
		w.pass(2 * time.Hour)
		w.none("Bo has stopped mails")
		if c, err := w.digest.Choices(w.Home.Workspace.ID, w.bo.ID).Now(t.Context()); err != nil || !c.MailStopped || !c.MailWorks {
			t.Errorf("the choices are %+v, %v", c, err)
		}
		c, err := w.digest.Choose(t.Context(), w.asBo(), notices.PreferencesChange{}, true)
		if err != nil || c.MailStopped {
			t.Errorf("the choices are %+v, %v", c, err)
		}
		w.names(w.talk("Dee"), "resumed")
		w.pass(2 * time.Hour)
		w.one("mails are wanted again")

		talk = w.talk("Dee")
		w.names(talk, "kept from Bo")
		w.pass(0)
		w.write(func(t *desk.Tx) error {
			w.bo.Access = parley.AccessOwn
			return t.UpdateMember(t.WS, &w.bo)
		})
		w.pass(2 * time.Hour)
		w.none("Bo no longer sees it")
		_, err = w.Desk.UpdateConversation(t.Context(), w.By(), talk, desk.ConversationChange{AssigneeID: parley.Some(w.bo.ID)})
		w.Must(err)
		w.pass(2 * time.Hour)
		w.one("it is assigned to Bo")

		w.names(w.talk("Dee"), "gone")
		w.pass(0)
		w.write(func(t *desk.Tx) error {
			w.bo.RemovedAt = t.Now
			return t.UpdateMember(t.WS, &w.bo)
		})
		w.pass(2 * time.Hour)
		w.none("Bo has left")
	})
}

// TestSilence holds a digest until quiet hours end and the member is back, and while the
// member is at the page, but not for ever.
func TestSilence(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.choose(notices.PreferencesChange{AwayUntil: parley.Some(w.Now().Add(48 * time.Hour))})
		w.names(w.talk("Ann"), "away")
		w.pass(47 * time.Hour)
		w.none("Bo is away")
		w.pass(time.Hour)
		w.one("Bo is back")

		session := parley.Session{Workspace: w.Home.Workspace.ID, ID: parley.NewIDs(nil).New(w.Now()), MemberID: w.bo.ID, CreatedAt: w.Now()}
		w.write(func(t *desk.Tx) error { return credential.InsertSession(t, t.WS, &session, [32]byte{1}) })
		w.names(w.talk("Dee"), "there")
		w.pass(50 * time.Minute)
		w.atPage(session)
		w.pass(15 * time.Minute)
		w.one("Bo has left the page for fifteen minutes")
		w.names(w.talk("Dee"), "there")
		w.pass(time.Hour - time.Minute)
		for range 23 {
			w.atPage(session)
			w.pass(5 * time.Minute)
			w.none("Bo is at the page")
		}
		w.atPage(session)
		w.pass(10 * time.Minute)
		w.one("Bo does not read it")
	})
}

// TestEpoch mails nothing of before a restore.
func TestEpoch(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.names(w.talk("Ann"), "before")
		w.pass(0)
		w.write(func(t *desk.Tx) error {
			return store.Exec(t, t.WS, "UPDATE workspaces SET epoch = 'another' WHERE workspace_id = $1")
		})
		w.pass(2 * time.Hour)
		w.none("the store was restored")
		w.names(w.talk("Dee"), "after")
		w.pass(2 * time.Hour)
		if l := w.one("it happened after the restore"); strings.Contains(l.Plain, "before") {
			t.Errorf("the mail says %s", l.Plain)
		}
	})
}

// TestManyNotices bounds a digest.
func TestManyNotices(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contact := w.Contact(w.By(), "Ann").ID
		for range 1000 {
			_, err := w.Desk.UpdateConversation(t.Context(), w.By(), w.Conversation(w.By(), contact).ID, desk.ConversationChange{AssigneeID: parley.Some(w.bo.ID)})
			w.Must(err)
		}
		w.pass(time.Hour)
		l := w.one("a thousand notices")
		if !strings.HasSuffix(l.Subject, ": 1000") || !strings.Contains(l.Plain, "Further conversations: 980") || strings.Count(l.Plain, "/inbox/") != 20 {
			t.Errorf("the mail is %s: %s", l.Subject, l.Plain)
		}
		if len(l.HTML) > 50_000 {
			t.Errorf("the mail has %d bytes", len(l.HTML))
		}
		w.pass(time.Hour)
		w.none("they were mailed")
	})
}

// TestUnknownEnd keeps the digest of a mail server that ends the connection after the mail: nobody
// knows whether it took it, so it is sent again with the same id.
func TestUnknownEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.names(w.talk("Ann"), "hang")
		w.misbehave(mailsim.Fault{At: mailsim.End, Do: mailsim.Cut})
		w.pass(time.Hour)
		w.none("the server does not answer")
		w.misbehave(mailsim.Fault{})
		w.Advance(15 * time.Minute)
		w.one("the server is back")
		w.pass(5 * time.Hour)
		w.none("it was mailed")
	})
}
