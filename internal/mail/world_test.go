package mail_test

import (
	"context"
	"log/slog"
	netmail "net/mail"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/mail"
	"parley/internal/mail/mailsim"
	"parley/internal/mail/smtp"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
	"parley/internal/vault"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// quick are times for servers that never answer.
var quick = smtp.Times{Connect: time.Second, Reply: 100 * time.Millisecond, Accept: 100 * time.Millisecond, Whole: 2 * time.Second}

// A world is a store with a mail server, and the nodes that share both.
type world struct {
	t       *testing.T
	options store.Options
	keys    *vault.Vault
	clock   atomic.Int64 // Unix milliseconds
	server  *mailsim.Server
	home    access.Founding
	log     apitest.Lines
	*node   // the first one

	mu    sync.Mutex
	fault func() mailsim.Fault
}

// A node is a process of its own.
type node struct {
	store  *store.Store
	desk   *desk.Desk
	access *access.Service
	mail   *mail.Service
	timers *timer.Runner
}

// each runs a test in a new world on each engine.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		t.Parallel()
		w := &world{t: t, options: o}
		w.clock.Store(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
		keys, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
		w.must(err)
		w.keys = keys.WithPasswordCost(vault.Cost{Memory: 8, Passes: 1})
		w.server, err = mailsim.Start("127.0.0.1:0", mailsim.Options{Fault: w.nextFault})
		w.must(err)
		t.Cleanup(func() { _ = w.server.Close() })
		w.node = w.newNode()
		w.home, err = w.access.CreateWorkspace(t.Context(), "Acme", "owner@acme.example")
		w.must(err)
		test(t, w)
	})
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

func (w *world) advance(d time.Duration) { w.clock.Add(d.Milliseconds()) }

// misbehave decides how the mail server misbehaves from now on; nil: not at all.
func (w *world) misbehave(fault func() mailsim.Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = fault
}

func (w *world) nextFault() mailsim.Fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault == nil {
		return mailsim.Fault{}
	}
	return w.fault()
}

// newNode starts another node.
func (w *world) newNode() *node {
	w.t.Helper()
	n := &node{store: storetest.Open(w.t, w.options)}
	n.desk = desk.New(desk.Options{Store: n.store, Clock: w.now, IDs: parley.NewIDs(nil), Vault: w.keys, Log: slog.New(slog.NewTextHandler(&w.log, nil))})
	n.access = access.New(n.desk)
	server, err := smtp.Parse("smtp://" + w.server.Addr() + "?tls=off")
	w.must(err)
	n.mail = mail.New(mail.Options{
		Desk: n.desk, Client: &smtp.Client{Server: server, Local: "parley.example", Times: quick},
		From: netmail.Address{Name: "Acme", Address: "support@acme.example"}, PublicURL: "https://support.example",
	})
	n.timers = timer.New(n.desk, n.mail.Kinds())
	return n
}

func (w *world) by() desk.Caller { return desktest.OwnerOf(w.home) }

// queue queues a mail.
func (w *world) queue(d mail.Draft) parley.ID {
	w.t.Helper()
	if d.To == "" {
		d.To = "ann@home.example"
	}
	if d.Content.Subject == "" {
		d.Content = mail.Content{Language: "en", Subject: "Hello", Paragraphs: []string{"Hello Ann."}}
	}
	id, err := desk.Write(w.t.Context(), w.desk, w.by(), func(t *desk.Tx) (parley.ID, error) { return w.mail.Queue(t, d) })
	w.must(err)
	return id
}

// mails returns all mails by their ids.
func (w *world) mails() map[parley.ID]parley.Mail {
	w.t.Helper()
	all := map[parley.ID]parley.Mail{}
	for position := (parley.Position{}); ; {
		page, err := w.mail.Mails(w.home.Workspace.ID, "", position, 50).Now(w.t.Context())
		w.must(err)
		for _, m := range page.Items {
			all[m.ID] = m
		}
		if !page.HasMore {
			return all
		}
		position = page.Next
	}
}

// run runs what is due on a node.
func (n *node) run(ctx context.Context, t *testing.T) {
	t.Helper()
	if err := n.timers.RunDue(ctx, true); err != nil {
		t.Error(err)
	}
}

// settle runs what becomes due until each mail has ended.
func (w *world) settle() map[parley.ID]parley.Mail {
	w.t.Helper()
	for range 2000 {
		w.run(w.t.Context(), w.t)
		all, waiting := w.mails(), 0
		for _, m := range all {
			if m.EndedAt.IsZero() {
				waiting++
			}
		}
		if waiting == 0 {
			return all
		}
		w.advance(w.untilDue())
	}
	w.t.Fatal("mails still wait")
	return nil
}

// untilDue returns how long nothing is due.
func (w *world) untilDue() time.Duration {
	w.t.Helper()
	next := w.now().Add(5 * time.Hour)
	for id, m := range w.mails() {
		if !m.EndedAt.IsZero() {
			continue
		}
		w.must(w.store.View(w.t.Context(), func(v *store.View) error {
			due, err := desk.SelectTimer(v, w.home.Workspace.ID, mail.Timer, id.String())
			if err == nil && due.DueAt.Before(next) {
				next = due.DueAt
			}
			return err
		}))
	}
	return max(next.Sub(w.now()), 0)
}
