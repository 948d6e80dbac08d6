package mail_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/mail"
	"parley/internal/mail/mailsim"
	"parley/internal/store"
)

// accepted counts the mails that the server took, by their ids.
func (w *world) accepted() map[parley.ID]int {
	w.t.Helper()
	all := map[parley.ID]int{}
	contents := map[parley.ID]string{}
	for _, m := range w.server.Mails() {
		_, after, _ := strings.Cut(m.Content, "Message-ID: <")
		name, _, _ := strings.Cut(after, "@support.example>")
		id, ok := parley.ParseID(name)
		if !ok {
			w.t.Fatalf("the server took %s", m.Content)
		}
		if contents[id] != "" && contents[id] != m.Content {
			w.t.Errorf("%s was sent with other bytes the second time", id)
		}
		contents[id] = m.Content
		all[id]++
	}
	return all
}

// TestMailExactlyOnceOrTold sends mails by a server that fails in every way. In the end
// each mail is sent if the server took it, or unknown; if it has failed, the server did
// not. A mail arrives twice only if its end was unknown, and never if it is sent once.
func TestMailExactlyOnceOrTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		random := rand.New(rand.NewPCG(16, 1))
		w.misbehave(func() mailsim.Fault {
			if random.IntN(3) == 0 {
				return mailsim.Fault{}
			}
			f := mailsim.Fault{At: mailsim.Stages[random.IntN(len(mailsim.Stages))], Do: mailsim.Deeds[random.IntN(len(mailsim.Deeds))], Taken: random.IntN(2) == 0}
			if random.IntN(2) == 0 {
				f.At = mailsim.End
			}
			return f
		})
		once := map[parley.ID]bool{}
		states, twice := map[parley.MailState]int{}, 0
		kind := func() bool {
			return states[parley.MailSent] == 0 || states[parley.MailFailed] == 0 || states[parley.MailUnknown] == 0 || twice == 0
		}
		// Which mail meets which fault is chance, so more rounds follow until every end is seen.
		for round := 0; round < 8 && kind(); round++ {
			for i := range 40 {
				d := mail.Draft{Kind: parley.MailMissed, Once: i%3 == 0, To: fmt.Sprintf("ann%d-%d@home.example", round, i)}
				once[w.queue(d)] = d.Once
			}
			all, accepted := w.settle(), w.accepted()
			clear(states)
			twice = 0
			for id, m := range all {
				n := accepted[id]
				states[m.State]++
				if n > 1 {
					twice++
				}
				wrong := m.State == parley.MailSent && n == 0 || m.State == parley.MailFailed && n > 0 || n > 3 || once[id] && n > 1 || m.Attempts == 0 ||
					m.State != parley.MailSent && m.Problem == ""
				if wrong {
					t.Errorf("%+v was taken %d times", m, n)
				}
			}
		}
		if kind() {
			t.Errorf("the test is too kind: %v, twice %d", states, twice)
		}
	})
}

// TestMailTwoNodes sends mails from two nodes at once: each arrives once.
func TestMailTwoNodes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for i := range 30 {
			w.queue(mail.Draft{Kind: parley.MailDigest, To: fmt.Sprintf("ann%d@home.example", i)})
		}
		other := w.newNode()
		for range 40 {
			var both sync.WaitGroup
			for _, n := range []*node{w.node, other} {
				both.Go(func() { n.run(t.Context(), t) })
			}
			both.Wait()
			if len(w.accepted()) == 30 {
				break
			}
		}
		for id, m := range w.settle() {
			if n := w.accepted()[id]; n != 1 || m.State != parley.MailSent || m.Attempts != 1 || m.Resendable {
				t.Errorf("%+v was taken %d times", m, n)
			}
		}
	})
}

// TestMailKilled leaves a mail to a node that stops at each answer of the server, with
// nothing stored after it. Another node sends it: at once if its contents cannot have
// arrived, and after a pause, which somebody can see, if they may have.
func TestMailKilled(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, at := range mailsim.Stages {
			reached := make(chan struct{}, 1)
			w.misbehave(func() mailsim.Fault { return mailsim.Fault{At: at, Do: mailsim.Hang, Taken: true, Reached: reached} })
			id := w.queue(mail.Draft{Kind: parley.MailInvitation})
			dead := w.newNode()
			dying, kill := context.WithCancel(t.Context())
			var ended sync.WaitGroup
			ended.Go(func() { _ = dead.timers.RunDue(dying, true) })
			<-reached
			w.must(dead.store.Close()) // what the node learns from now on, it cannot store
			kill()
			ended.Wait()
			w.misbehave(nil)
			w.run(t.Context(), t)
			if n := w.mails()[id]; !n.EndedAt.IsZero() {
				t.Errorf("%s: while the lease lasts, the mail is %+v", at, n)
			}
			w.advance(95 * time.Second)
			w.run(t.Context(), t)
			m, mayHaveArrived := w.mails()[id], at == mailsim.Data || at == mailsim.End
			if mayHaveArrived == (m.State == parley.MailSent) || mayHaveArrived && !strings.Contains(m.Problem, "stopped while it sent") {
				t.Errorf("%s: after the lease the mail is %+v", at, m)
			}
			m, n := w.settle()[id], w.accepted()[id]
			if want := map[bool]int{false: 1, true: 2}[at == mailsim.End]; m.State != parley.MailSent || n != want {
				t.Errorf("%s: in the end it is %+v and was taken %d times", at, m, n)
			}
		}
	})
}

// TestMailOfARestoredStore restores a store: what waited may have been sent after the
// backup, so it is not sent, and a member may send it.
func TestMailOfARestoredStore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		id := w.queue(mail.Draft{Kind: parley.MailInvitation})
		w.must(w.store.Write(t.Context(), w.home.Workspace.ID, func(tx *store.Tx) error {
			return store.Exec(tx, w.home.Workspace.ID, "UPDATE workspaces SET epoch = 'another' WHERE workspace_id = $1")
		}))
		m := w.settle()[id]
		if m.State != parley.MailUnknown || !m.Resendable || len(w.server.Mails()) != 0 {
			t.Errorf("after the restore the mail is %+v", m)
		}
		_, err := w.mail.Resend(t.Context(), w.by(), id)
		w.must(err)
		if m := w.settle()[id]; m.State != parley.MailSent || w.accepted()[id] != 1 {
			t.Errorf("sent again, the mail is %+v", m)
		}
		if _, err := w.mail.Resend(t.Context(), w.by(), id); parley.KindOf(err) != parley.Conflict {
			t.Errorf("a sent mail is sent again: %v", err)
		}
	})
}

// TestMailEnds ends mails before they are sent.
func TestMailEnds(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		invited, err := w.access.Invite(t.Context(), w.by(), access.Invitee{Email: "bo@home.example", Role: parley.Agent})
		w.must(err)
		withdrawn := w.queue(mail.Draft{Kind: parley.MailInvitation, Invitation: invited.Invitation.ID, Subject: "x"})
		_, err = w.access.WithdrawInvitation(t.Context(), w.by(), invited.Invitation.ID)
		w.must(err)
		first := w.queue(mail.Draft{Kind: parley.MailDigest, Subject: "digest 1"})
		second := w.queue(mail.Draft{Kind: parley.MailDigest, Subject: "digest 1"})
		contact, err := w.desk.SaveContact(t.Context(), w.by(), desk.ContactFields{Name: parley.Some("Cy")})
		w.must(err)
		gone := w.queue(mail.Draft{Kind: parley.MailMissed, Contact: parley.NewIDs(nil).New(w.now())})
		kept := w.queue(mail.Draft{Kind: parley.MailMissed, Contact: contact.Record.ID, Member: w.home.Owner.ID})
		all := w.settle()
		for id, want := range map[parley.ID]parley.MailState{
			withdrawn: parley.MailSuperseded, first: parley.MailSuperseded, second: parley.MailSent, gone: parley.MailSuperseded, kept: parley.MailSent,
		} {
			if all[id].State != want || all[id].Resendable {
				t.Errorf("%+v, want %s", all[id], want)
			}
		}

		w.misbehave(func() mailsim.Fault { return mailsim.Fault{At: mailsim.Greeting, Do: mailsim.Leave} })
		patient := w.queue(mail.Draft{Kind: parley.MailTest})
		began := w.now()
		m := w.settle()[patient]
		if took := m.EndedAt.Sub(began); m.State != parley.MailFailed || took < 67*time.Hour || took > 72*time.Hour || m.Attempts < 15 || !m.Resendable {
			t.Errorf("a mail that nobody takes is %+v after %v", m, took)
		}

		w.misbehave(func() mailsim.Fault { return mailsim.Fault{At: mailsim.Recipient, Do: mailsim.NoMailbox} })
		w.queue(mail.Draft{Kind: parley.MailInvitation, To: "Nobody@home.example"})
		w.settle()
		if id := w.queue(mail.Draft{Kind: parley.MailMissed, To: "nobody@home.example"}); !id.IsZero() {
			t.Error("an address that does not exist gets another mail")
		}
		if id := w.queue(mail.Draft{Kind: parley.MailReset, To: "nobody@home.example"}); id.IsZero() {
			t.Error("an address that does not exist cannot be invited again")
		}
		w.expires(patient)
	})
}

// expires requires that a failed mail loses its contents after a week, and later goes, and
// that a mail which no node sends ends.
func (w *world) expires(failed parley.ID) {
	w.t.Helper()
	forgotten := w.queue(mail.Draft{Kind: parley.MailTest})
	expire := func() {
		_, err := desk.Write(w.t.Context(), w.desk, w.by(), func(t *desk.Tx) (struct{}, error) { return struct{}{}, mail.Expire(t) })
		w.must(err)
	}
	w.advance(8 * 24 * time.Hour)
	expire()
	all := w.mails()
	if m := all[failed]; m.State != parley.MailFailed || m.Resendable {
		w.t.Errorf("after a week a failed mail is %+v", m)
	}
	if m := all[forgotten]; m.State != parley.MailFailed || !strings.Contains(m.Problem, "no server") {
		w.t.Errorf("a mail that no node sends is %+v", m)
	}
	w.advance(31 * 24 * time.Hour)
	expire()
	if left := w.mails(); len(left) != 0 {
		w.t.Errorf("after a month there are %d mails", len(left))
	}
}

// TestMailStops ends the mails to an address by the link in one of them.
func TestMailStops(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.queue(mail.Draft{Kind: parley.MailMissed})
		w.settle()
		_, after, _ := strings.Cut(w.server.Mails()[0].Content, "List-Unsubscribe: <https://support.example/m/stop/")
		token, _, _ := strings.Cut(after, ">")
		for _, odd := range []string{"", "x", token[1:], token + "a", strings.Repeat("a", 500), "A" + token[1:], token[:len(token)-1] + "_"} {
			if odd == token {
				continue
			}
			if err := w.mail.Stop(t.Context(), odd); parley.KindOf(err) != parley.NotFound {
				t.Errorf("the token %q gives %v", odd, err)
			}
		}
		w.must(w.mail.Stop(t.Context(), token))
		w.must(w.mail.Stop(t.Context(), token))
		if id := w.queue(mail.Draft{Kind: parley.MailConfirm, To: "ANN@home.example"}); !id.IsZero() {
			t.Error("a stopped address gets another mail")
		}
		if id := w.queue(mail.Draft{Kind: parley.MailReset}); id.IsZero() {
			t.Error("a stopped address gets no link for a new password")
		}
	})
}

// TestMailRests lets mails rest while the mail server is gone: few connections are tried.
func TestMailRests(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		var tried int
		w.misbehave(func() mailsim.Fault { tried++; return mailsim.Fault{At: mailsim.Greeting, Do: mailsim.Cut} })
		for i := range 30 {
			w.queue(mail.Draft{Kind: parley.MailTest, To: fmt.Sprintf("ann%d@home.example", i)})
		}
		for range 20 {
			w.run(t.Context(), t)
		}
		w.misbehave(nil) // from now on nothing counts
		if tried > 6 {   // three, and those that had begun
			t.Errorf("%d connections to a server that is gone", tried)
		}
		for _, m := range w.settle() {
			if m.State != parley.MailSent {
				t.Errorf("%+v", m)
			}
		}
	})
}

// TestMailHangsAfterData lets the server say nothing after a mail, and later refuse it:
// whether the first one arrived is unknown, and a member is told.
func TestMailHangsAfterData(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, then := range []mailsim.Fault{{At: mailsim.Recipient, Do: mailsim.Refuse}, {At: mailsim.End, Do: mailsim.Hang}, {}} {
			w.misbehave(func() mailsim.Fault { return mailsim.Fault{At: mailsim.End, Do: mailsim.Hang, Taken: true} })
			id := w.queue(mail.Draft{Kind: parley.MailInvitation})
			w.run(t.Context(), t)
			if m := w.mails()[id]; m.State != parley.MailWaiting || m.Problem != "answer to the mail: the server did not answer in time" || w.untilDue() < 9*time.Minute {
				t.Errorf("after no answer the mail is %+v", m)
			}
			w.misbehave(func() mailsim.Fault { return then })
			want, taken := parley.MailUnknown, 1
			if then.Do == mailsim.Nothing {
				want, taken = parley.MailSent, 2
			}
			if m, n := w.settle()[id], w.accepted()[id]; m.State != want || n != taken || m.Resendable != (want == parley.MailUnknown) {
				t.Errorf("then %+v: the mail is %+v and was taken %d times", then, m, n)
			}
		}
	})
}

// TestMailOutOfTurn lets the server accept a mail before its contents were sent.
func TestMailOutOfTurn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.misbehave(func() mailsim.Fault { return mailsim.Fault{At: mailsim.Data, Do: mailsim.OutOfTurn} })
		id := w.queue(mail.Draft{Kind: parley.MailInvitation})
		w.run(t.Context(), t)
		if m := w.mails()[id]; m.State != parley.MailWaiting || m.Problem != "mail: the server answered out of turn" || len(w.server.Mails()) > 0 {
			t.Errorf("after an answer out of turn the mail is %+v", m)
		}
		w.misbehave(nil)
		if m, n := w.settle()[id], w.accepted()[id]; m.State != parley.MailSent || n != 1 {
			t.Errorf("the mail is %+v and was taken %d times", m, n)
		}
	})
}
