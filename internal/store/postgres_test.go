package store_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// terminate ends the session of a closure's own transaction.
func terminate(t *testing.T, other *store.Store, tx *store.Tx) {
	pid, err := tx.Int("SELECT pg_backend_pid()")
	if err != nil {
		t.Errorf("pid: %v", err)
	}
	view(t, other, func(v *store.View) error {
		if done, err := v.Int("SELECT CASE WHEN pg_terminate_backend($1) THEN 1 ELSE 0 END", pid); done != 1 {
			t.Errorf("terminate session %d: %d, %v", pid, done, err)
		}
		return nil
	})
}

// TestLostTransactionIsRunAgain loses the transaction of a group at its first
// attempt in several ways. Each closure must take effect once.
func TestLostTransactionIsRunAgain(t *testing.T) {
	raise := func(code string) func(*testing.T, *store.Store, *store.Tx) error {
		return func(_ *testing.T, _ *store.Store, tx *store.Tx) error {
			return tx.Exec("DO 'BEGIN RAISE EXCEPTION USING ERRCODE = ''" + code + "''; END'")
		}
	}
	for name, lose := range map[string]func(*testing.T, *store.Store, *store.Tx) error{
		"serialization failure": raise("40001"),
		"deadlock":              raise("40P01"),
		"lock timeout":          raise("55P03"),
		"session ended": func(t *testing.T, other *store.Store, tx *store.Tx) error {
			terminate(t, other, tx)
			return nil
		},
		"session ended, failure hidden": func(t *testing.T, other *store.Store, tx *store.Tx) error {
			terminate(t, other, tx)
			if _, err := tx.Int("SELECT 1"); err != nil {
				return parley.Errorf(parley.Conflict, "hidden")
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := storetest.Postgres(t)
			if _, _, err := store.Migrate(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			s, other := storetest.Open(t, o), storetest.Open(t, o)
			ws, c := found(t, s)
			runs := 0
			errs := grouped(t, s, ws, post(ws, c.ID, "first"), func(tx *store.Tx) error {
				if err := post(ws, c.ID, "middle")(tx); err != nil {
					return err
				}
				if runs++; runs == 1 {
					return lose(t, other, tx)
				}
				return nil
			}, post(ws, c.ID, "last"))
			if err := errors.Join(errs...); err != nil || runs != 2 {
				t.Errorf("the closure ran %d times, with %v, want twice", runs, err)
			}
			if got := messages(t, other, ws, c.ID); got["first"] != 1 || got["middle"] != 1 || got["last"] != 1 || len(log(t, other, ws)) != 3 {
				t.Errorf("messages are %v, want each once", got)
			}
			if s.Stats().Retries != 1 {
				t.Errorf("there were %d retries, want 1", s.Stats().Retries)
			}
		})
	}
}

// TestLostForEver loses a transaction at every attempt.
func TestLostForEver(t *testing.T) {
	o := storetest.Postgres(t)
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, o)
	ws, c := found(t, s)
	err := s.Write(t.Context(), ws, func(tx *store.Tx) error {
		return errors.Join(post(ws, c.ID, "never")(tx), tx.Exec("DO 'BEGIN RAISE EXCEPTION USING ERRCODE = ''40001''; END'"))
	})
	if parley.KindOf(err) != parley.Unavailable {
		t.Errorf("the write gave %v, want Unavailable", err)
	}
	if len(log(t, s, ws)) != 0 || len(messages(t, s, ws, c.ID)) != 0 {
		t.Error("the write left something behind")
	}
}

// A relay is between the store and PostgreSQL. When it is armed, it intercepts
// the next COMMIT: it holds back what the client sends after the answer to the
// closure's last query, disconnects the client and calls held; the server gets
// the COMMIT only when held has returned.
type relay struct {
	url    string
	armed  atomic.Bool
	closed atomic.Bool // refuses new connections
	held   func()

	guard   sync.Mutex
	clients []net.Conn
}

// cut disconnects all clients, and refuses new ones until closed is false.
func (r *relay) cut() {
	r.closed.Store(true)
	r.guard.Lock()
	defer r.guard.Unlock()
	for _, client := range r.clients {
		_ = client.Close()
	}
}

func newRelay(t *testing.T, server string) *relay {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	r := &relay{url: "postgres://postgres@" + listener.Addr().String() + "/postgres?sslmode=disable"}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			if r.closed.Load() {
				_ = client.Close()
				continue
			}
			r.guard.Lock()
			r.clients = append(r.clients, client)
			r.guard.Unlock()
			go r.pass(client, u.Query().Get("host")+"/.s.PGSQL.5432")
		}
	}()
	return r
}

func (r *relay) pass(client net.Conn, socket string) {
	server, err := net.Dial("unix", socket)
	if err != nil {
		_ = client.Close()
		return
	}
	var inside atomic.Bool // the server has reported a transaction since the relay was armed
	go func() {
		defer func() { _ = client.Close() }()
		header := make([]byte, 5)
		for {
			if _, err := io.ReadFull(server, header); err != nil {
				return
			}
			body := make([]byte, int(header[1])<<24|int(header[2])<<16|int(header[3])<<8|int(header[4])-4)
			if _, err := io.ReadFull(server, body); err != nil {
				return
			}
			if header[0] == 'Z' && body[0] == 'T' && r.armed.Load() {
				inside.Store(true)
			}
			_, _ = client.Write(append(header, body...)) // the client may be cut off
		}
	}()
	defer func() { _ = server.Close() }()
	chunk := make([]byte, 64<<10)
	for {
		n, err := client.Read(chunk)
		if err != nil {
			return
		}
		if inside.Load() && r.armed.CompareAndSwap(true, false) {
			_ = client.Close()
			r.held()
		}
		if _, err := server.Write(chunk[:n]); err != nil {
			return
		}
	}
}

// warm makes the writer's connection prepare the statements of a post, so that
// the next post takes one round trip for the closure and one for the commit.
// The workspace comes from another store, because one that has no row yet uses
// a lane, on a connection of its own.
func warm(t *testing.T, s, other *store.Store) {
	ws, c := found(t, other)
	for range 2 {
		write(t, s, ws, func(tx *store.Tx) error {
			_, err := tx.Workspace(ws)
			return errors.Join(err, post(ws, c.ID, "warm")(tx))
		})
	}
}

// waiting waits until count sessions wait for a lock.
func waiting(t *testing.T, s *store.Store, count int) {
	deadline := time.Now().Add(10 * time.Second)
	for n := 0; n < count; {
		if time.Now().After(deadline) {
			t.Errorf("%d sessions wait for a lock, want %d", n, count)
			return
		}
		view(t, s, func(v *store.View) (err error) {
			n, err = v.Int("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
			return err
		})
	}
}

// TestCommitOnItsWay loses the connection while the COMMIT is in transit; the
// server gets it when the writer has already asked about it. The first write of
// a store is a separate case, because its writer has no row yet.
func TestCommitOnItsWay(t *testing.T) {
	cluster := pgtest.NewCluster(t)
	direct := store.Options{Database: cluster.URL("postgres"), IDs: ids, Log: storetest.Quiet()}
	if _, _, err := store.Migrate(t.Context(), direct); err != nil {
		t.Fatal(err)
	}
	observer := storetest.Open(t, direct)
	ws, c := found(t, observer)
	r := newRelay(t, cluster.URL("postgres"))
	r.held = func() { waiting(t, observer, 1) }
	through := direct
	through.Database = r.url
	s := storetest.Open(t, through)
	for _, text := range []string{"first commit", "second commit"} {
		warm(t, s, observer)
		if text == "first commit" {
			write(t, observer, ws, func(tx *store.Tx) error { return tx.Exec("DELETE FROM writers") })
		}
		runs := 0
		write(t, s, ws, func(tx *store.Tx) error {
			if runs++; runs == 1 {
				r.armed.Store(true)
			}
			_, err := tx.Workspace(ws) // its answer says that the transaction is open
			return errors.Join(err, post(ws, c.ID, text)(tx))
		})
		if got := messages(t, observer, ws, c.ID)[text]; got != 1 || runs != 1 || r.armed.Load() {
			t.Errorf("%s: the closure ran %d times, the message is there %d times, want once", text, runs, got)
		}
	}
	log(t, observer, ws)
}

// TestUnknownCommit loses the connection at the COMMIT of a group, and the
// database with it. Whether it took effect is unknown, so no closure may run
// again.
func TestUnknownCommit(t *testing.T) {
	cluster := pgtest.NewCluster(t)
	direct := store.Options{Database: cluster.URL("postgres"), IDs: ids, Log: storetest.Quiet()}
	if _, _, err := store.Migrate(t.Context(), direct); err != nil {
		t.Fatal(err)
	}
	observer := storetest.Open(t, direct)
	ws, c := found(t, observer)
	r := newRelay(t, cluster.URL("postgres"))
	r.held = func() {
		r.cut()
		// Back after the query, and soon enough for a closure that is run again
		// by mistake to succeed.
		time.AfterFunc(store.CommitPatience+time.Second, func() { r.closed.Store(false) })
	}
	through := direct
	through.Database = r.url
	s := storetest.Open(t, through)
	warm(t, s, observer)
	var runs [3]atomic.Int64
	var fns []func(*store.Tx) error
	for i := range runs {
		fns = append(fns, func(tx *store.Tx) error {
			runs[i].Add(1)
			if i == len(runs)-1 {
				r.armed.Store(true)
			}
			_, err := tx.Workspace(ws) // its answer says that the transaction is open
			return errors.Join(err, post(ws, c.ID, fmt.Sprint(i))(tx))
		})
	}
	for i, err := range grouped(t, s, ws, fns...) {
		if parley.KindOf(err) != parley.Unavailable || runs[i].Load() != 1 {
			t.Errorf("closure %d ran %d times and gave %v, want once and Unavailable", i, runs[i].Load(), err)
		}
	}
	for r.closed.Load() {
		time.Sleep(time.Millisecond) // until the database can be reached again
	}
	write(t, s, ws, post(ws, c.ID, "after")) // waits for the previous transaction
	if got := messages(t, observer, ws, c.ID); len(got) != 4 || got["0"] != 1 || got["1"] != 1 || got["2"] != 1 {
		t.Errorf("messages are %v, want each once: the database did commit", got)
	}
	log(t, observer, ws)
}

// TestTwoNodesWaitForEachOther lets one node write while the other's
// transaction holds the workspace.
func TestTwoNodesWaitForEachOther(t *testing.T) {
	o := storetest.Postgres(t)
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	a, b := storetest.Open(t, o), storetest.Open(t, o)
	ws, c := found(t, a)
	open := hold(t, a, ws)
	var all sync.WaitGroup
	ran := make(chan struct{})
	all.Go(func() {
		err := b.Write(t.Context(), ws, func(tx *store.Tx) error {
			close(ran)
			return post(ws, c.ID, "b")(tx)
		})
		if err != nil {
			t.Errorf("write: %v", err)
		}
	})
	waiting(t, a, 1)
	select {
	case <-ran:
		t.Error("the closure ran while another node held the workspace")
	default:
	}
	open()
	all.Wait()
	log(t, b, ws)
}

// TestWritesAreReadCommitted writes to a database whose transactions are serializable
// unless they ask for something else.
func TestWritesAreReadCommitted(t *testing.T) {
	o := storetest.MigratedPostgres(t)
	u, err := url.Parse(o.Database)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("default_transaction_isolation", "serializable")
	u.RawQuery = query.Encode()
	o.Database = u.String()
	s := storetest.Open(t, o)
	serializable := func(setting string) string {
		return "SELECT CASE current_setting('" + setting + "') WHEN 'serializable' THEN 1 ELSE 0 END"
	}
	ws, _ := found(t, s)
	write(t, s, ws, func(tx *store.Tx) error {
		wanted, err := tx.Int(serializable("default_transaction_isolation"))
		level, isErr := tx.Int(serializable("transaction_isolation"))
		if wanted != 1 || level != 0 {
			t.Errorf("serializable by default: %d; the transaction of a write: %d; want 1 and 0", wanted, level)
		}
		return errors.Join(err, isErr)
	})
}
