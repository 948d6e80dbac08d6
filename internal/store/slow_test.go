package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/pgtest"
	"parley/internal/robustness/distributed"
	"parley/internal/store"
	"parley/internal/store/patience"
	"parley/internal/store/storetest"
)

// distributedStore opens a store over an engine that does not fail by itself.
func distributedStore(t *testing.T) (*store.Store, *distributed.Engine) {
	t.Helper()
	url := pgtest.NewCluster(t).URL("postgres")
	migratedPostgres(t, url)
	e := distributed.New(t, url)
	e.Failing = 0
	return storetest.Open(t, store.Options{Database: e.URL(), IDs: ids, Log: storetest.Quiet()}), e
}

// TestSlowEngine makes a write repeat until it has taken longer than a silent database gets.
// The engine answers each statement, so the write is not given up.
func TestSlowEngine(t *testing.T) {
	t.Parallel()
	s, e := distributedStore(t)
	ws, c := found(t, s)
	e.Delay = 150 * time.Millisecond
	e.Begin()
	e.Repeat(4)
	begun := time.Now()
	if err := s.Write(t.Context(), ws, post(ws, c.ID, "repeated")); err != nil {
		t.Errorf("after %s a write gave %v", time.Since(begun), err)
	}
	if took := time.Since(begun); took < patience.Silence {
		t.Errorf("a write took %s, so nothing is tested", took)
	}
	if got := messages(t, s, ws, c.ID); got["repeated"] != 1 {
		t.Errorf("messages are %v, want one", got)
	}
	log(t, s, ws)
}

// TestLoneWriteNeedsNoSavepoint counts the statements of a write that is alone in its group,
// before and after a group had to run again with savepoints.
func TestLoneWriteNeedsNoSavepoint(t *testing.T) {
	t.Parallel()
	s, e := distributedStore(t)
	ws, c := found(t, s)
	e.Begin()
	statements := func(text string) int64 {
		t.Helper()
		before := e.Statements()
		write(t, s, ws, post(ws, c.ID, text))
		return e.Statements() - before
	}
	statements("first") // which opens connections
	before := statements("before")
	refused := errors.New("no")
	undone := func(tx *store.Tx) error {
		if err := post(ws, c.ID, "undone")(tx); err != nil {
			return err
		}
		_, err := tx.Workspace(ws) // so that the database hears of it
		return errors.Join(err, refused)
	}
	if errs := grouped(t, s, ws, post(ws, c.ID, "beside"), undone); errs[0] != nil || errs[1] == nil {
		t.Fatalf("the closures gave %v", errs)
	}
	if after := statements("after"); after != before {
		t.Errorf("a write takes %d statements after a group with savepoints, and %d before", after, before)
	}
}

// TestOtherNodesMakeProgress holds a workspace for longer than a silent database gets, while
// it changes all the time, as where many nodes write to it in turns. A write waits for its
// turn, and for one that does not change it is given up.
func TestOtherNodesMakeProgress(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]int{"changes": 1, "hangs": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := pgtest.URL(t)
			s := storetest.Open(t, migratedPostgres(t, url))
			ws, c := found(t, s)
			var conns [2]*pgx.Conn
			for i := range conns {
				conn, err := pgx.Connect(t.Context(), url)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = conn.Close(context.Background()) }() // its transaction has ended
				conns[i] = conn
			}
			holder, err := conns[0].Begin(t.Context())
			if err == nil { // a lock beside which others can change the row
				_, err = holder.Exec(t.Context(), "SELECT 1 FROM workspaces WHERE workspace_id = $1 FOR KEY SHARE", ws[:])
			}
			if err != nil {
				t.Fatal(err)
			}
			begun, written := time.Now(), make(chan error, 1)
			var took time.Duration
			go func() {
				err := s.Write(context.Background(), ws, post(ws, c.ID, "late"))
				took = time.Since(begun)
				written <- err
			}()
			for time.Since(begun) < patience.Silence+3*time.Second {
				if _, err := conns[1].Exec(t.Context(), "UPDATE workspaces SET changed_at = changed_at + $2 WHERE workspace_id = $1", ws[:], step); err != nil {
					t.Error(err)
				}
				time.Sleep(200 * time.Millisecond)
			}
			if err := holder.Rollback(t.Context()); err != nil {
				t.Error(err)
			}
			err = <-written
			if name == "hangs" && (parley.KindOf(err) != parley.Unavailable || took > patience.Silence+time.Second) {
				t.Errorf("a write gave %v after %s, want Unavailable after %s", err, took, patience.Silence)
			}
			if name == "changes" && (err != nil || took < patience.Silence) {
				t.Errorf("a write gave %v after %s, want nothing, and later than after %s", err, took, patience.Silence)
			}
		})
	}
}

// TestOverloadIsRefused keeps a writer busy whose database answers all the time. The writes
// that wait are given up early if they are more than the next group takes.
func TestOverloadIsRefused(t *testing.T) {
	t.Parallel()
	for name, count := range map[string]int{"few": 8, "many": store.MaxGroup + 8} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := storetest.Open(t, migratedPostgres(t, pgtest.URL(t)))
			ws, c := found(t, s)
			busy, ended := make(chan struct{}), make(chan error, 1)
			var once sync.Once
			begun := time.Now()
			go func() {
				ended <- s.Write(context.Background(), ws, func(tx *store.Tx) error {
					once.Do(func() { close(busy) })
					for time.Since(begun) < patience.Silence+2*time.Second {
						if _, err := tx.Workspace(ws); err != nil {
							return err
						}
						time.Sleep(50 * time.Millisecond)
					}
					return nil
				})
			}()
			<-busy
			errs := make([]error, count)
			var all sync.WaitGroup
			for n := range errs {
				all.Go(func() { errs[n] = s.Write(t.Context(), ws, post(ws, c.ID, fmt.Sprint(n))) })
			}
			all.Wait()
			took := time.Since(begun)
			for n, err := range errs {
				if refused := parley.KindOf(err) == parley.Unavailable; refused != (name == "many") || !refused && err != nil {
					t.Fatalf("write %d of %d gave %v after %s", n, count, err, took)
				}
			}
			if err := <-ended; name == "few" && err != nil {
				t.Errorf("the write that keeps it busy gave %v", err)
			}
		})
	}
}
