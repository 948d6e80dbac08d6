package digest_test

import (
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/digest"
	"parley/internal/mail"
	"parley/internal/mail/mailsim"
	"parley/internal/mail/smtp"
	"parley/internal/notices"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// quick are times for servers that never answer.
var quick = smtp.Times{Connect: time.Second, Reply: 200 * time.Millisecond, Accept: 200 * time.Millisecond, Whole: 2 * time.Second}

// A world has an owner, a second member called Bo, and a mail server.
type world struct {
	*desktest.World
	mail    *mail.Service
	server  *mailsim.Server
	faults  sync.Mutex
	fault   mailsim.Fault // of the next connections
	notices *notices.Service
	digest  *digest.Service
	timers  *timer.Runner // of digests
	sending *timer.Runner // of mails
	bo      parley.Member
	read    int // mails of the server that a test has read
}

// each runs a test in a new world on each engine.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, d *desktest.World) {
		w := &world{World: d}
		var err error
		w.server, err = mailsim.Start("127.0.0.1:0", mailsim.Options{Fault: w.nextFault})
		w.Must(err)
		t.Cleanup(func() { _ = w.server.Close() })
		server, err := smtp.Parse("smtp://" + w.server.Addr() + "?tls=off")
		w.Must(err)
		w.mail = mail.New(mail.Options{
			Desk: d.Desk, Client: &smtp.Client{Server: server, Local: "parley.example", Times: quick},
			From: netmail.Address{Name: "Home", Address: "support@home.example"}, PublicURL: "https://support.example",
		})
		w.digest = digest.New(digest.Options{Desk: d.Desk, Mail: w.mail, PublicURL: "https://support.example"})
		w.notices = notices.New(notices.Options{Desk: d.Desk, Told: []notices.Told{w.digest.Told}, Tell: nobody})
		w.timers, w.sending = timer.New(d.Desk, w.digest.Kinds()), timer.New(d.Desk, w.mail.Kinds())
		w.bo = parley.Member{ID: parley.NewIDs(nil).NewUserID(), Name: "Bo", Email: "bo@home.example", Role: parley.Agent, CreatedAt: w.Now()}
		storetest.Write(t, w.Store, w.Home.Workspace.ID, func(tx *store.Tx) error { return storetest.Did(tx.InsertMember(w.Home.Workspace.ID, &w.bo)) })
		w.Must(w.notices.CatchUp(t.Context())) // it begins at the end of the log
		test(t, w)
	})
}

func (w *world) nextFault() mailsim.Fault {
	w.faults.Lock()
	defer w.faults.Unlock()
	return w.fault
}

// misbehave decides how the mail server misbehaves from now on.
func (w *world) misbehave(f mailsim.Fault) {
	w.faults.Lock()
	defer w.faults.Unlock()
	w.fault = f
}

// asBo is Bo as a caller.
func (w *world) asBo() desk.Caller {
	return desk.Caller{Workspace: w.Home.Workspace.ID, Member: w.bo.ID, Actor: parley.MemberActor(&w.bo)}
}

// write changes the store.
func (w *world) write(do func(t *desk.Tx) error) {
	w.T.Helper()
	_, err := desk.Write(w.T.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) { return struct{}{}, do(t) })
	w.Must(err)
}

// talk begins a conversation with a contact.
func (w *world) talk(contact string) parley.ID {
	w.T.Helper()
	return w.Conversation(w.By(), w.Contact(w.By(), contact).ID).ID
}

// names has the owner write a note that names Bo.
func (w *world) names(talk parley.ID, text string) {
	w.T.Helper()
	_, err := w.Desk.PostMessage(w.T.Context(), w.By(), talk, desk.NewMessage{
		Content: text, Direction: parley.Outgoing, Private: true, AgentID: w.Home.Owner.ID, Mentions: []parley.UserID{w.bo.ID},
	})
	w.Must(err)
}

// choose changes what Bo has chosen.
func (w *world) choose(in notices.PreferencesChange) {
	w.T.Helper()
	_, err := w.digest.Choose(w.T.Context(), w.asBo(), in, false)
	w.Must(err)
}

// pass tells what has happened, moves the clock and runs the digests that are due.
func (w *world) pass(d time.Duration) {
	w.T.Helper()
	w.Must(w.notices.CatchUp(w.T.Context()))
	w.Advance(d)
	w.Must(w.timers.RunDue(w.T.Context(), true))
}

// at has Bo at a page now.
func (w *world) atPage(session parley.Session) {
	w.T.Helper()
	session.SeenAt, session.ExpiresAt = w.Now(), w.Now().Add(time.Hour)
	w.write(func(t *desk.Tx) error { return credential.UpdateSessionSeen(t, t.WS, &session) })
}

// sent sends what waits, and returns the mails that arrived since it was called last.
func (w *world) sent() []mailsim.Letter {
	w.T.Helper()
	w.Must(w.sending.RunDue(w.T.Context(), true))
	return w.arrived()
}

// arrived returns the mails that arrived since it was called last.
func (w *world) arrived() []mailsim.Letter {
	w.T.Helper()
	var all []mailsim.Letter
	for _, m := range w.server.Mails()[w.read:] {
		w.read++
		l, err := m.Letter()
		w.Must(err)
		all = append(all, l)
	}
	return all
}

// stopAddress returns the address under which a mail is the last of its kind.
func stopAddress(l mailsim.Letter) string {
	return strings.Trim(l.Headers.Get("List-Unsubscribe"), "<>")
}

// one requires that one mail was sent, and returns it.
func (w *world) one(why string) mailsim.Letter {
	w.T.Helper()
	all := w.sent()
	if len(all) != 1 {
		w.T.Fatalf("%d mails were sent, want one: %s", len(all), why)
	}
	return all[0]
}

// none requires that no mail was sent.
func (w *world) none(why string) {
	w.T.Helper()
	if all := w.sent(); len(all) > 0 {
		w.T.Fatalf("%d mails were sent, the first %s; want none: %s", len(all), all[0].Plain, why)
	}
}
