package backup_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/backup"
	"parley/internal/blob"
	"parley/internal/desk"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// Messages posted each second while the latency is measured, and by how many
// posters.
const postRate, posters = 100, 8

// TestBackupBesidePosting prints how long it takes to post a message with and
// without a running backup, and what a backup takes. With
// PARLEY_BACKUP_MESSAGES=1000000 it measures a store of that size, and fails where
// posting is slowed too much.
func TestBackupBesidePosting(t *testing.T) {
	messages, seconds, long, empty := 500, 0, false, engines
	if text := os.Getenv("PARLEY_BACKUP_MESSAGES"); text != "" {
		var err error
		if messages, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		seconds, long = 20, true
		empty = map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": durable}
	}
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			l := newLoaded(t, empty[engine](t))
			begun := time.Now()
			l.fill(t, messages)
			t.Logf("posting %d messages took %v", messages, time.Since(begun).Round(time.Millisecond))
			alone := l.latencies(t, func() { time.Sleep(time.Duration(seconds) * time.Second) })
			path := filepath.Join(t.TempDir(), "x.backup")
			var report backup.Report
			beside := l.latencies(t, func() { report = l.backupTo(t, path) })
			t.Logf("posting alone: %v; beside a backup: %v", alone, beside)
			if report.Messages < int64(messages) {
				t.Errorf("the backup has %d messages, and %d were posted before", report.Messages, messages)
			}
			if long && (beside.at(50) > 2*alone.at(50) || beside.at(99) > 4*alone.at(99)) {
				t.Error("the backup slows posting too much")
			}
			measureRestore(t, path, empty)
		})
	}
}

// durable returns the options of a database that waits for its disk, unlike the one
// that tests share.
func durable(t testing.TB) store.Options {
	o := storetest.SQLite(t)
	o.Dir, o.Database = "", pgtest.NewCluster(t).URL("postgres")
	return o
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
	for range posters {
		posting.Go(func() {
			for at := range due {
				_, err := l.desk.PostMessage(context.Background(), l.by(), l.talk, desk.NewMessage{Content: "hi", Direction: parley.Incoming})
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

func (l *loaded) backupTo(t *testing.T, path string) backup.Report {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	from := backup.Source{Store: l.store, Files: newMemory(), Program: "test", Engine: "sqlite", Now: made, Log: storetest.Quiet()}
	report, err := backup.Create(t.Context(), file, from, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("the backup of %d messages took %v and has %d bytes", report.Messages, time.Since(begun).Round(time.Millisecond), report.Bytes)
	return report
}

// measureRestore restores a backup into an empty store of each engine.
func measureRestore(t *testing.T, path string, empty map[string]func(testing.TB) store.Options) {
	t.Helper()
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	file, err := open()
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if _, err := backup.Verify(t.Context(), file, nil); err != nil {
		t.Fatal(err)
	}
	_ = file.Close() // it was only read
	t.Logf("checking it took %v", time.Since(begun).Round(time.Millisecond))
	for _, engine := range []string{"sqlite", "postgres"} {
		begun := time.Now()
		if _, err := backup.Restore(t.Context(), open, nil, target(empty[engine](t), blob.NewFolder(t.TempDir()))); err != nil {
			t.Fatal(err)
		}
		t.Logf("restoring it into %s took %v", engine, time.Since(begun).Round(time.Millisecond))
	}
}
