package bulk_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/access"
	"parley/internal/bulk"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
	"parley/internal/vault"
)

// BenchmarkBulk resolves 10,000 conversations on stores that wait for their disk, while
// two callers post and two read the list. It reports how long that takes, and how much
// longer these requests take meanwhile: half of them, and the slowest hundredth.
func BenchmarkBulk(b *testing.B) {
	for name, options := range map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": storetest.DurablePostgres} {
		b.Run(name, func(b *testing.B) {
			o := options(b)
			if _, _, err := store.Migrate(b.Context(), o); err != nil {
				b.Fatal(err)
			}
			benchBulk(b, storetest.Open(b, o), func() { waitForStatistics(b, o.Database) })
		})
	}
}

// others send requests until they are stopped, and measure them.
type others struct {
	desk    *desk.Desk
	by      desk.Caller
	posts   []parley.ID
	stopped atomic.Bool
	mu      sync.Mutex
	took    []time.Duration
}

func (o *others) request(b *testing.B, caller, n int) {
	began := time.Now()
	var err error
	if caller%2 == 0 {
		_, err = o.desk.PostMessage(b.Context(), o.by, o.posts[n%len(o.posts)], desk.NewMessage{Content: "hello", Direction: parley.Outgoing})
	} else {
		_, err = o.desk.ListedConversations(o.by.Visibility(), desk.ConversationFilter{Status: parley.Open}, parley.Position{}, 50).Now(b.Context())
	}
	took := time.Since(began)
	if err != nil {
		b.Error(err)
	}
	o.mu.Lock()
	o.took = append(o.took, took)
	o.mu.Unlock()
	time.Sleep(5 * time.Millisecond) // a load that leaves room
}

// during measures the requests while do runs: the median and the 99th hundredth.
func (o *others) during(b *testing.B, do func()) (p50, p99 time.Duration) {
	o.took = nil
	o.stopped.Store(false)
	var running sync.WaitGroup
	for caller := range 4 {
		running.Go(func() {
			for n := 0; !o.stopped.Load(); n++ {
				o.request(b, caller, n)
			}
		})
	}
	do()
	o.stopped.Store(true)
	running.Wait()
	slices.Sort(o.took)
	return o.took[len(o.took)/2], o.took[len(o.took)*99/100]
}

// waitForStatistics waits until a PostgreSQL server has looked at the tables by itself,
// as it does within a minute or two of their rows' coming. A store of 10,000 conversations
// is seldom younger than that.
func waitForStatistics(b *testing.B, database string) {
	b.Helper()
	if database == "" {
		return
	}
	conn, err := pgx.Connect(b.Context(), database)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(b.Context())) }()
	for known := false; !known; time.Sleep(100 * time.Millisecond) {
		err := conn.QueryRow(b.Context(), `SELECT bool_and(n_mod_since_analyze = 0 AND last_autoanalyze IS NOT NULL)
			FROM pg_stat_user_tables WHERE relname IN ('conversations', 'messages')`).Scan(&known)
		if err != nil {
			b.Fatal(err)
		}
	}
}

func benchBulk(b *testing.B, s *store.Store, settle func()) {
	b.Helper()
	secrets, err := vault.FromBase64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	must(err)
	d := desk.New(desk.Options{Store: s, Vault: secrets, Clock: time.Now, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
	home, err := access.New(d).CreateWorkspace(b.Context(), "Acme", "ann@acme.example")
	must(err)
	by := desk.Caller{Workspace: home.Workspace.ID, Member: home.Owner.ID, Actor: parley.MemberActor(&home.Owner)}
	contact, err := d.SaveContact(b.Context(), by, desk.ContactFields{Name: parley.Some("Bob")})
	must(err)
	o := &others{desk: d, by: desk.Caller{Workspace: by.Workspace}}
	make1 := func(label string) parley.ID {
		c, err := d.CreateConversation(b.Context(), by, desk.NewConversation{ContactID: contact.Record.ID, Labels: []string{label}})
		must(err)
		return c.ID
	}
	for range 20 {
		o.posts = append(o.posts, make1("talk"))
	}
	svc := bulk.New(d, filterOf)
	node := timer.New(d, svc.Kinds(func(context.Context, parley.WorkspaceID, *parley.BulkJob) {}))
	for range parley.MaxBulk {
		_, err := d.PostMessage(b.Context(), o.by, make1("many"), desk.NewMessage{Content: "hello", Direction: parley.Incoming})
		must(err)
	}
	settle()
	p50, p99 := o.during(b, func() { time.Sleep(3 * time.Second) })
	var slow50, slow99 time.Duration
	for b.Loop() {
		_, err := svc.Start(b.Context(), by, bulk.Request{Query: "label=many", Do: bulk.Action{Change: desk.ConversationValues{Status: parley.Some(parley.Resolved)}}})
		must(err)
		slow50, slow99 = o.during(b, func() { must(node.RunDue(b.Context(), false)) })
		b.StopTimer()
		jobs, err := svc.Jobs(by).Now(b.Context())
		must(err)
		if jobs[0].Changed != parley.MaxBulk {
			b.Fatalf("the job is %+v", jobs[0])
		}
		_, err = svc.Undo(b.Context(), by, jobs[0].ID)
		must(err)
		must(node.RunDue(b.Context(), false))
		b.StartTimer()
	}
	b.ReportMetric(float64(slow50)/float64(p50), "x-p50")
	b.ReportMetric(float64(slow99)/float64(p99), "x-p99")
	b.Log(fmt.Sprint("requests took ", p50, " and ", p99, ", meanwhile ", slow50, " and ", slow99))
}
