package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// answered is the longest time that the callers of these tests wait for an
// answer that the store gives after five seconds, because the machine may be
// slow. Before lanes it took thirty.
const answered = 20 * time.Second

// migratedPostgres returns the options of a PostgreSQL store that is up to
// date.
func migratedPostgres(t *testing.T, url string) store.Options {
	t.Helper()
	o := store.Options{Database: url, IDs: ids, Log: storetest.Quiet()}
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return o
}

// foundFor stores count workspaces that one writer of a node writes for.
func foundFor(t *testing.T, s *store.Store, count int) ([]parley.WorkspaceID, []parley.Conversation) {
	t.Helper()
	var workspaces []parley.WorkspaceID
	var conversations []parley.Conversation
	for len(workspaces) < count {
		if ws, c := found(t, s); ws[15]%2 == 0 {
			workspaces, conversations = append(workspaces, ws), append(conversations, c)
		}
	}
	return workspaces, conversations
}

// lockRows holds the rows of workspaces in a session of its own until the
// returned function is called.
func lockRows(t *testing.T, url string, workspaces ...parley.WorkspaceID) (release func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	run := func(sql string, args ...any) {
		if _, err := conn.Exec(context.Background(), sql, args...); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
	run("BEGIN")
	for _, ws := range workspaces {
		run("SELECT seq FROM workspaces WHERE workspace_id = $1 FOR UPDATE", ws[:])
	}
	release = sync.OnceFunc(func() {
		run("ROLLBACK")
		_ = conn.Close(context.Background())
	})
	t.Cleanup(release)
	return release
}

// within fails the test if fn takes longer than a caller may wait.
func within(t *testing.T, what string, fn func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- fn() }()
	select {
	case err := <-done:
		return err
	case <-time.After(answered):
		t.Fatalf("%s: no answer within %s", what, answered)
		return nil
	}
}

// TestLockedWorkspaceHoldsUpNoOther holds more workspaces than there are lanes
// and writes to others of the same writer. Without lanes, the first group with
// a closure of a held workspace keeps the writer busy.
func TestLockedWorkspaceHoldsUpNoOther(t *testing.T) {
	url := pgtest.URL(t)
	s := storetest.Open(t, migratedPostgres(t, url))
	const locked = store.MaxLanes + 2
	workspaces, conversations := foundFor(t, s, locked+3)
	release := lockRows(t, url, workspaces[:locked]...)

	var all sync.WaitGroup
	for i := range locked {
		all.Go(func() {
			err := within(t, "a write to a held workspace", func() error {
				return s.Write(t.Context(), workspaces[i], post(workspaces[i], conversations[i].ID, "given up"))
			})
			if parley.KindOf(err) != parley.Unavailable {
				t.Errorf("a write to a held workspace gave %v, want Unavailable", err)
			}
		})
	}
	for i := locked; i < len(workspaces); i++ {
		all.Go(func() {
			for n := range 20 {
				if err := s.Write(t.Context(), workspaces[i], post(workspaces[i], conversations[i].ID, fmt.Sprint(n))); err != nil {
					t.Errorf("a write beside held workspaces: %v", err)
				}
			}
		})
	}
	all.Wait()
	release()
	for i := range workspaces {
		ws, c := workspaces[i], conversations[i].ID
		write(t, s, ws, post(ws, c, "after"))
		got := messages(t, s, ws, c)
		if got["given up"] != 0 || got["after"] != 1 {
			t.Errorf("messages of workspace %d are %v, want no double and nothing that was given up", i, got)
		}
		log(t, s, ws)
	}
}

// TestHungNodeLosesTheWorkspace stops a node inside a transaction. The database
// ends that transaction after postgresIdleTimeout, and the other node
// continues.
func TestHungNodeLosesTheWorkspace(t *testing.T) {
	o := migratedPostgres(t, pgtest.URL(t))
	hung, other := storetest.Open(t, o), storetest.Open(t, o)
	ws, c := found(t, other)
	holds, goOn := make(chan struct{}), make(chan struct{})
	resume := sync.OnceFunc(func() { close(goOn) })
	t.Cleanup(resume)
	var once sync.Once
	stopped := make(chan error, 1)
	go func() {
		stopped <- hung.Write(context.Background(), ws, func(tx *store.Tx) error {
			_, err := tx.Workspace(ws) // its answer says that the transaction holds the row
			once.Do(func() { close(holds) })
			<-goOn
			if err != nil {
				return err
			}
			return post(ws, c.ID, "hung")(tx)
		})
	}()
	<-holds
	err := within(t, "a write beside a hung node", func() error {
		for {
			err := other.Write(t.Context(), ws, post(ws, c.ID, "other"))
			if parley.KindOf(err) != parley.Unavailable {
				return err
			}
		}
	})
	if err != nil {
		t.Errorf("a write beside a hung node: %v", err)
	}
	if err := <-stopped; parley.KindOf(err) != parley.Unavailable {
		t.Errorf("the write of the hung node gave %v, want Unavailable", err)
	}
	resume()
	write(t, hung, ws, post(ws, c.ID, "recovered"))
	if got := messages(t, other, ws, c.ID); got["other"] != 1 || got["hung"] != 0 || got["recovered"] != 1 {
		t.Errorf("messages are %v, want other and recovered once", got)
	}
	log(t, other, ws)
}

// TestFrozenServer stops all processes of the database. Reads and writes are
// still answered, and succeed again when it continues.
func TestFrozenServer(t *testing.T) {
	cluster := pgtest.NewCluster(t)
	s := storetest.Open(t, migratedPostgres(t, cluster.URL("postgres")))
	ws, c := found(t, s)
	read := func() error {
		return s.View(t.Context(), func(v *store.View) error {
			_, err := v.Workspace(ws)
			return err
		})
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	cluster.Freeze()
	var all sync.WaitGroup
	for what, ask := range map[string]func() error{
		"read": read,
		"snapshot": func() error {
			return s.Snapshot(t.Context(), func(v *store.View) error {
				_, err := v.Workspace(ws)
				return err
			})
		},
		"write":         func() error { return s.Write(t.Context(), ws, post(ws, c.ID, "frozen")) },
		"another write": func() error { return s.Write(t.Context(), ws, post(ws, c.ID, "frozen too")) },
	} {
		all.Go(func() {
			if err := within(t, what, ask); parley.KindOf(err) != parley.Unavailable {
				t.Errorf("%s on a frozen database gave %v, want Unavailable", what, err)
			}
		})
	}
	all.Wait()
	cluster.Thaw()
	err := within(t, "a write after the thaw", func() error {
		for {
			err := s.Write(t.Context(), ws, post(ws, c.ID, "thawed"))
			if parley.KindOf(err) != parley.Unavailable {
				return err
			}
		}
	})
	if err != nil {
		t.Errorf("a write after the thaw: %v", err)
	}
	if got := messages(t, s, ws, c.ID); got["thawed"] == 0 || got["frozen"] > 1 || got["frozen too"] > 1 {
		t.Errorf("messages are %v, want nothing twice", got)
	}
	log(t, s, ws)
}

// TestEmptyDatabase replaces the store's database by an empty one, like a
// failover to a server that was never filled.
func TestEmptyDatabase(t *testing.T) {
	s := storetest.Open(t, migratedPostgres(t, pgtest.URL(t)))
	ws, c := found(t, s)
	write(t, s, ws, func(tx *store.Tx) error { return tx.Exec("ALTER SCHEMA public RENAME TO elsewhere") })
	for what, err := range map[string]error{
		"ping":  s.Ping(t.Context()),
		"write": s.Write(t.Context(), ws, post(ws, c.ID, "lost")),
	} {
		if parley.KindOf(err) != parley.Unavailable {
			t.Errorf("%s on an empty database gave %v, want Unavailable", what, err)
		}
	}
}
