package continuing_test

import (
	netmail "net/mail"
	"testing"
	"time"

	"parley"
	"parley/internal/continuing"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/mail"
	"parley/internal/mail/mailsim"
	"parley/internal/mail/smtp"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world has an inbox for the web, and a mail server.
type world struct {
	*desktest.World
	customers *customers.Service
	mail      *mail.Service
	server    *mailsim.Server
	service   *continuing.Service
	timers    *timer.Runner // of what customers missed
	sending   *timer.Runner // of mails
	inbox     parley.ID
}

// each runs a test in a new world on each engine.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, d *desktest.World) {
		w := &world{World: d, customers: customers.New(customers.Options{Desk: d.Desk})}
		var err error
		w.server, err = mailsim.Start("127.0.0.1:0", mailsim.Options{})
		w.Must(err)
		t.Cleanup(func() { _ = w.server.Close() })
		server, err := smtp.Parse("smtp://" + w.server.Addr() + "?tls=off")
		w.Must(err)
		w.mail = mail.New(mail.Options{
			Desk: d.Desk, Client: &smtp.Client{Server: server, Local: "parley.example"},
			From: netmail.Address{Name: "Home", Address: "support@home.example"}, PublicURL: "https://support.example",
		})
		w.service = continuing.New(continuing.Options{Desk: d.Desk, Mail: w.mail, PublicURL: "https://support.example"})
		w.timers, w.sending = timer.New(d.Desk, w.service.Kinds()), timer.New(d.Desk, w.mail.Kinds())
		inbox, err := d.Desk.CreateInbox(t.Context(), d.By(), desk.NewInbox{Name: "Web", Channel: parley.ChannelWeb})
		w.Must(err)
		w.inbox = inbox.ID
		w.Must(w.service.CatchUp(t.Context())) // it begins at the end of the log
		test(t, w)
	})
}

// settings changes those of the widget.
func (w *world) settings(in customers.WidgetChange) {
	w.T.Helper()
	_, err := w.customers.UpdateWidget(w.T.Context(), w.By(), w.inbox, in)
	w.Must(err)
}

// write changes the store.
func (w *world) write(do func(t *desk.Tx) error) {
	w.T.Helper()
	_, err := desk.Write(w.T.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) { return struct{}{}, do(t) })
	w.Must(err)
}

// begin starts a conversation of a new contact in the inbox. The address is confirmed, or
// typed by the visitor; "" for none.
func (w *world) begin(name, confirmed, typed string) parley.Conversation {
	w.T.Helper()
	fields := desk.ContactFields{Name: parley.Some(name)}
	if confirmed != "" {
		fields.Email = parley.Some(confirmed)
	}
	saved, err := w.Desk.SaveContact(w.T.Context(), w.By(), fields)
	w.Must(err)
	if typed != "" {
		w.write(func(t *desk.Tx) error {
			return customers.PutTyped(t, t.WS, &parley.Typed{ContactID: saved.Record.ID, Email: typed, Name: name, Times: 1, UpdatedAt: t.Now})
		})
	}
	c, err := w.Desk.CreateConversation(w.T.Context(), w.By(), desk.NewConversation{ContactID: saved.Record.ID, InboxID: w.inbox})
	w.Must(err)
	return c
}

// member posts a message of a member, ask one of the customer; Post is the automated agent's.
func (w *world) member(conversation parley.ID, content string) parley.Message {
	w.T.Helper()
	m, err := w.Desk.PostMessage(w.T.Context(), w.By(), conversation, desk.NewMessage{
		Content: content, ContentType: parley.Text, Direction: parley.Outgoing, AgentID: w.Home.Owner.ID,
	})
	w.Must(err)
	return m
}

func (w *world) ask(conversation parley.ID, content string) {
	w.T.Helper()
	_, err := w.Desk.PostMessage(w.T.Context(), w.By(), conversation, desk.NewMessage{Content: content, Direction: parley.Incoming})
	w.Must(err)
}

// see has the customer see a conversation up to a message.
func (w *world) see(conversation, message parley.ID) {
	w.T.Helper()
	w.write(func(t *desk.Tx) error { return t.UpdateConversationSeen(t.WS, conversation, message, t.Now) })
}

// pass moves the clock and runs what is due, but sends nothing.
func (w *world) pass(d time.Duration) {
	w.T.Helper()
	w.Must(w.service.CatchUp(w.T.Context())) // messages are heard of within a second
	w.Advance(d)
	w.Must(w.service.CatchUp(w.T.Context()))
	w.Must(w.timers.RunDue(w.T.Context(), true))
}

// mails returns all mails, the newest first.
func (w *world) mails() []parley.Mail {
	w.T.Helper()
	var all []parley.Mail
	for position := (parley.Position{}); ; {
		page, err := w.mail.Mails(w.Home.Workspace.ID, "", position, 100).Now(w.T.Context())
		w.Must(err)
		all = append(all, page.Items...)
		if !page.HasMore {
			return all
		}
		position = page.Next
	}
}

// has requires a number of mails.
func (w *world) has(n int, why string) {
	w.T.Helper()
	if got := len(w.mails()); got != n {
		w.T.Errorf("there are %d mails, want %d: %s", got, n, why)
	}
}

// sent sends what waits, and returns all mails that arrived.
func (w *world) sent() []mailsim.Letter {
	w.T.Helper()
	w.Must(w.sending.RunDue(w.T.Context(), true))
	var all []mailsim.Letter
	for _, m := range w.server.Mails() {
		l, err := m.Letter()
		w.Must(err)
		all = append(all, l)
	}
	return all
}

// due returns when the timer of a conversation is due, or the zero time.
func (w *world) due(conversation parley.ID) time.Time {
	w.T.Helper()
	var due desk.Timer
	err := w.Store.View(w.T.Context(), func(v *store.View) (err error) {
		home, err := v.Workspace(w.Home.Workspace.ID)
		if err != nil {
			return err
		}
		due, err = desk.SelectTimer(v, home.ID, continuing.Timer, conversation.String()+" "+home.Epoch)
		return err
	})
	if parley.KindOf(err) == parley.NotFound {
		return time.Time{}
	}
	w.Must(err)
	return due.DueAt
}
