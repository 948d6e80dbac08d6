package backup_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"parley"
	"parley/internal/backup"
	"parley/internal/blob"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// Messages posted each second while the latency is measured, by how many posters, and
// into how many conversations.
const postRate, posters, openTalks = 100, 8, 200

// TestBackupBesidePosting prints how long it takes to post a message with and
// without a running backup, to a file and to a bucket, and what a backup takes. The
// store on PostgreSQL is the one that was restored there, once its autovacuum has seen
// the new tables. With
// PARLEY_BACKUP_MESSAGES=1000000 it measures stores of that size, and fails where
// posting is slowed too much.
func TestBackupBesidePosting(t *testing.T) {
	m := measurement{messages: 500, empty: engines}
	if text := os.Getenv("PARLEY_BACKUP_MESSAGES"); text != "" {
		var err error
		if m.messages, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		m.alone, m.long = 10*time.Second, true
		m.empty = map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": storetest.DurablePostgres}
	}
	l := newLoaded(t, m.empty["sqlite"](t))
	m.took(t, fmt.Sprintf("posting %d messages", m.messages), func() { l.fill(t, m.messages) })
	for range openTalks {
		l.talks = append(l.talks, l.newTalk(t))
	}
	m.beside(t, "sqlite, to a bucket", l, bucket(t))
	path := filepath.Join(t.TempDir(), "x.backup")
	m.beside(t, "sqlite, to a file", l, toFile(path))
	m.took(t, "checking it", func() {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }() // it was only read
		if _, err := backup.Verify(t.Context(), file, nil); err != nil {
			t.Fatal(err)
		}
	})
	restored := map[string]store.Options{}
	for _, engine := range []string{"sqlite", "postgres"} {
		restored[engine] = m.empty[engine](t)
		m.took(t, "restoring it into "+engine, func() {
			open := func() (io.ReadCloser, error) { return os.Open(path) }
			if _, err := backup.Restore(t.Context(), open, nil, target(restored[engine], blob.NewFolder(t.TempDir()))); err != nil {
				t.Fatal(err)
			}
		})
	}
	moved := &loaded{store: storetest.Open(t, restored["postgres"]), files: l.files, ws: l.ws, inbox: l.inbox, talks: l.talks}
	moved.open()
	if m.long {
		vacuumed(t, restored["postgres"].Database)
	}
	m.beside(t, "postgres, to a file", moved, toFile(path+"2"))
}

// A measurement says how much is measured.
type measurement struct {
	messages int
	alone    time.Duration // how long posting is measured before and behind a backup
	long     bool          // long enough to judge
	empty    map[string]func(testing.TB) store.Options
}

func (m *measurement) took(t *testing.T, what string, do func()) {
	t.Helper()
	begun := time.Now()
	do()
	t.Logf("%s took %v", what, time.Since(begun).Round(time.Millisecond))
}

// beside measures posting without a backup, beside one, and without one again, since
// the machine may do other things meanwhile.
func (m *measurement) beside(t *testing.T, what string, l *loaded, write destination) {
	t.Helper()
	var report backup.Report
	alone := l.latencies(t, func() { time.Sleep(m.alone) })
	beside := l.latencies(t, func() {
		m.took(t, "a backup of "+what, func() { report = l.backupTo(t, write) })
	})
	log := l.store.LogBytes()
	alone = append(alone, l.latencies(t, func() { time.Sleep(m.alone) })...)
	slices.Sort(alone)
	t.Logf("it has %d messages and %d bytes; the write-ahead log had %d MB", report.Messages, report.Bytes, log>>20)
	t.Logf("posting alone: %v; beside it: %v", alone, beside)
	if report.Messages < int64(m.messages) {
		t.Errorf("the backup has %d messages, and %d were posted before", report.Messages, m.messages)
	}
	if m.long && (beside.at(50) > 2*alone.at(50) || beside.at(99) > 4*alone.at(99)) {
		t.Errorf("the backup of %s slows posting too much", what)
	}
}

// A destination has fill write a backup somewhere. Its rows may be held first.
type destination struct {
	to   func(ctx context.Context, fill func(io.Writer) error) error
	hold bool
}

func toFile(path string) destination {
	return destination{to: func(_ context.Context, fill func(io.Writer) error) error {
		file, err := os.Create(path)
		if err != nil {
			return err
		}
		return errors.Join(fill(file), file.Close())
	}}
}

// bucket serves one.
func bucket(t *testing.T) destination {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	backend := s3mem.New()
	if err := backend.CreateBucket("backups"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	shelf, err := blob.OpenShelf("s3://backups/?region=eu-central-1&path-style=true&endpoint=" + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return destination{hold: true, to: func(ctx context.Context, fill func(io.Writer) error) error {
		return shelf.Write(ctx, "x.backup", fill)
	}}
}

// vacuumed waits until autovacuum has seen the large tables of a restored database.
func vacuumed(t *testing.T, database string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }() // it only read
	for waiting := true; waiting; time.Sleep(time.Second) {
		if err := conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_stat_user_tables WHERE relname IN ('messages', 'events') AND last_autovacuum IS NULL)
			OR EXISTS (SELECT 1 FROM pg_stat_activity WHERE backend_type = 'autovacuum worker')`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
}

// fill posts messages as fast as the store takes them.
func (l *loaded) fill(t *testing.T, messages int) {
	t.Helper()
	talks := make([]parley.ID, 1+messages/1000)
	for i := range talks {
		talks[i] = l.newTalk(t)
	}
	next := make(chan int)
	var all sync.WaitGroup
	for range 256 {
		all.Go(func() {
			for i := range next {
				content := fmt.Sprintf("Hello, this is message %d of the store that is to be backed up. Where is my parcel with the number %d?", i, i*7919)
				if _, err := l.desk.PostMessage(context.Background(), l.by(), talks[i%len(talks)], desk.NewMessage{Content: content, Direction: parley.Incoming}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range messages {
		next <- i
	}
	close(next)
	all.Wait()
}

// times are how long something took, the shortest first.
type times []time.Duration

func (s times) at(percent int) time.Duration {
	if len(s) == 0 {
		return 0
	}
	return s[(len(s)-1)*percent/100]
}

func (s times) String() string {
	return fmt.Sprintf("%d posted, p50 %v, p99 %v, longest %v", len(s), s.at(50).Round(time.Microsecond), s.at(99).Round(time.Microsecond), s.at(100).Round(time.Microsecond))
}

// latencies posts messages at a rate, whatever the store does, until while returns.
func (l *loaded) latencies(t *testing.T, while func()) times {
	t.Helper()
	var mu sync.Mutex
	var all times
	due, stop := make(chan time.Time, 1000), make(chan struct{})
	var posting sync.WaitGroup
	var turn atomic.Int64
	for range posters {
		posting.Go(func() {
			for at := range due {
				talk := l.talks[int(turn.Add(1))%len(l.talks)]
				_, err := l.desk.PostMessage(context.Background(), l.by(), talk, desk.NewMessage{Content: "hi", Direction: parley.Incoming})
				took := time.Since(at) // with the time it waited for a poster
				mu.Lock()
				all = append(all, took)
				mu.Unlock()
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	posting.Go(func() {
		defer close(due)
		ticker := time.NewTicker(time.Second / postRate)
		defer ticker.Stop()
		for {
			select {
			case at := <-ticker.C:
				due <- at
			case <-stop:
				return
			}
		}
	})
	while()
	close(stop)
	posting.Wait()
	slices.Sort(all)
	return all
}

func (l *loaded) backupTo(t *testing.T, write destination) (report backup.Report) {
	t.Helper()
	err := write.to(t.Context(), func(out io.Writer) (err error) {
		from := backup.Source{Store: l.store, Files: l.files, Program: "test", Engine: "sqlite", Now: made, Log: storetest.Quiet(), Hold: write.hold}
		report, err = backup.Create(t.Context(), out, from, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}
