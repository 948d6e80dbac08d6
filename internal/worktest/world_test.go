package worktest_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/audit/entry"
	"parley/internal/bulk"
	"parley/internal/calendar"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/drafts"
	"parley/internal/erasure"
	"parley/internal/expiry"
	"parley/internal/later"
	"parley/internal/macros"
	"parley/internal/mail"
	"parley/internal/mail/mailsim"
	"parley/internal/mail/smtp"
	"parley/internal/notices"
	"parley/internal/numbers"
	"parley/internal/pgtest"
	"parley/internal/snooze"
	"parley/internal/store"
	"parley/internal/teams"
	"parley/internal/timer"
	"parley/internal/vault"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// zones are where the members live: with clocks that change and that do not, at
// different dates, by half an hour, and on both sides of the date line.
var zones = []string{
	"Africa/Cairo", "Africa/Johannesburg", "America/Caracas", "America/Los_Angeles", "America/New_York",
	"America/Sao_Paulo", "America/St_Johns", "Asia/Dubai", "Asia/Jerusalem", "Asia/Kathmandu",
	"Asia/Kolkata", "Asia/Tokyo", "Australia/Adelaide", "Australia/Lord_Howe", "Europe/Berlin",
	"Europe/Dublin", "Europe/London", "Pacific/Apia", "Pacific/Auckland", "Pacific/Chatham",
}

// quick are times for a mail server that hangs before it greets. It is given up fast then; one
// that has the mail is not, however slow the machine is, because that would send it twice.
var quick = smtp.Times{Connect: 5 * time.Second, Reply: 50 * time.Millisecond, Accept: time.Minute, Whole: time.Minute}

// A world is a workspace that is served by two nodes.
type world struct {
	t       *testing.T
	random  *rand.Rand
	options store.Options
	keys    *vault.Vault
	clock   atomic.Int64 // Unix milliseconds
	mailbox *mailsim.Server
	hangs   atomic.Bool // whether the mail server does not answer
	home    access.Founding
	nodes   []*node
	died    int      // nodes
	did     []string // since the last check
}

// A node is one server with all that a desk's work needs.
type node struct {
	store   *store.Store
	desk    *desk.Desk
	access  *access.Service
	later   *later.Service
	drafts  *drafts.Service
	macros  *macros.Service
	teams   *teams.Service
	bulk    *bulk.Service
	notices *notices.Service
	mail    *mail.Service
	erasure *erasure.Service
	timers  *timer.Runner
}

// seedOf returns what WORKTEST_SEED says, so that a failure can be repeated, or a new seed.
func seedOf(t *testing.T) uint64 {
	seed := rand.Uint64()
	if fixed := os.Getenv("WORKTEST_SEED"); fixed != "" {
		var err error
		if seed, err = strconv.ParseUint(fixed, 10, 64); err != nil {
			t.Fatalf("WORKTEST_SEED: %v", err)
		}
	}
	t.Logf("repeat with WORKTEST_SEED=%d", seed)
	return seed
}

func newWorld(t *testing.T, o store.Options) *world {
	seed := seedOf(t)
	w := &world{t: t, random: rand.New(rand.NewPCG(seed, 0)), options: o}
	w.clock.Store(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
	keys, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	w.must(err)
	w.keys = keys.WithPasswordCost(vault.Cost{Memory: 8, Passes: 1})
	w.mailbox, err = mailsim.Start("127.0.0.1:0", mailsim.Options{Fault: func() mailsim.Fault {
		if w.hangs.Load() {
			return mailsim.Fault{At: mailsim.Greeting, Do: mailsim.Hang}
		}
		return mailsim.Fault{}
	}})
	w.must(err)
	t.Cleanup(func() { _ = w.mailbox.Close() })
	w.nodes = []*node{w.newNode(), w.newNode()}
	w.home, err = w.nodes[0].access.CreateWorkspace(t.Context(), "Acme", "owner@acme.example")
	w.must(err)
	return w
}

func (w *world) newNode() *node {
	s, err := store.Open(w.t.Context(), w.options)
	w.must(err)
	n := &node{store: s}
	w.t.Cleanup(func() { _ = n.store.Close() })
	n.desk = desk.New(desk.Options{Store: n.store, Clock: w.now, IDs: parley.NewIDs(nil), Vault: w.keys, Log: slog.New(slog.DiscardHandler)})
	n.access, n.later, n.drafts, n.macros = access.New(n.desk), later.New(n.desk), drafts.New(n.desk), macros.New(n.desk)
	server, err := smtp.Parse("smtp://" + w.mailbox.Addr() + "?tls=off")
	w.must(err)
	n.mail = mail.New(mail.Options{
		Desk: n.desk, Client: &smtp.Client{Server: server, Local: "parley.example", Times: quick},
		From: netmail.Address{Name: "Acme", Address: "support@acme.example"}, PublicURL: "https://support.example",
	})
	n.erasure = erasure.New(n.desk, numbers.New(numbers.Options{Desk: n.desk, Connectors: map[parley.Driver]chatapp.Connector{}}),
		func(made time.Time, every time.Duration) time.Time { return made.Add(14 * every) })
	n.teams, n.bulk = teams.New(n.desk), bulk.New(n.desk, filterOf)
	n.notices = notices.New(notices.Options{Desk: n.desk, Tell: func(context.Context, parley.WorkspaceID, parley.UserID) {}})
	n.timers = timer.New(n.desk, slices.Concat(expiry.Kinds(n.desk, expiry.Retention{Events: parley.EventRetention, Audit: entry.Retention}), n.erasure.Kinds(), n.mail.Kinds(), snooze.Kinds(), later.Kinds(),
		n.bulk.Kinds(func(context.Context, parley.WorkspaceID, *parley.BulkJob) {})))
	return n
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v, after %s", err, strings.Join(w.did, "; "))
	}
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

// node is one of the nodes.
func (w *world) node() *node { return w.nodes[w.random.IntN(len(w.nodes))] }

// by is the caller for a member.
func (w *world) by(member parley.UserID) desk.Caller {
	return desk.Caller{Workspace: w.home.Workspace.ID, Member: member}
}

func (w *world) owner() desk.Caller { return desktest.OwnerOf(w.home) }

// due does what is due, and tells members of what has happened.
func (n *node) due(ctx context.Context) error {
	return cmp.Or(n.timers.RunDue(ctx, true), n.notices.CatchUp(ctx))
}

// run runs what is due, on one node or on both at once. Now and then one dies meanwhile,
// and another takes its place.
func (w *world) run() {
	w.t.Helper()
	if w.random.IntN(3) > 0 {
		w.must(w.node().due(w.t.Context()))
		return
	}
	dies := -1
	if w.random.IntN(15) == 0 {
		dies = w.random.IntN(len(w.nodes))
		w.did = append(w.did, fmt.Sprint("node ", dies, " dies"))
	}
	var running sync.WaitGroup
	for at, n := range w.nodes {
		ctx := w.t.Context()
		if at == dies {
			var kill context.CancelFunc
			ctx, kill = context.WithCancel(ctx)
			time.AfterFunc(time.Duration(w.random.IntN(3_000))*time.Microsecond, kill)
		}
		running.Go(func() {
			if err := n.due(ctx); err != nil && ctx.Err() == nil {
				w.t.Error(err)
			}
		})
	}
	running.Wait()
	if dies >= 0 {
		w.died++
		w.must(w.nodes[dies].store.Close())
		w.nodes[dies] = w.newNode()
		w.must(w.nodes[dies].due(w.t.Context()))
	}
}

// nine returns the next nine o'clock in a zone that is days ahead.
func (w *world) nine(zone string, days int) time.Time {
	location, err := calendar.Zone(zone)
	w.must(err)
	y, m, d := w.now().In(location).Date()
	return time.Date(y, m, d+days, 9, 0, 0, 0, location).UTC()
}

// sweep starts the timers of what every workspace has, as a server does hourly.
func (w *world) sweep() { w.must(w.node().timers.Sweep(w.t.Context())) }
