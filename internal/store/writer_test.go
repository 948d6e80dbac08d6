package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var ids = parley.NewIDs(nil)

// found stores a workspace with a conversation.
func found(t testing.TB, s *store.Store) (parley.WorkspaceID, parley.Conversation) {
	t.Helper()
	h := storetest.NewHome(t, s)
	return h.WS, h.Conversation
}

func write(t testing.TB, s *store.Store, ws parley.WorkspaceID, fn func(*store.Tx) error) {
	t.Helper()
	storetest.Write(t, s, ws, fn)
}

func fill(t testing.TB, s *store.Store, ws parley.WorkspaceID, count int, insert func(tx *store.Tx, i int) error) {
	t.Helper()
	storetest.Fill(t, s, ws, count, insert)
}

func view(t testing.TB, s *store.Store, fn func(*store.View) error) {
	t.Helper()
	storetest.View(t, s, fn)
}

// post is a write as posting a message does it: a row and its event.
func post(ws parley.WorkspaceID, c parley.ID, text string) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		now := time.Now().UTC().Truncate(time.Millisecond)
		m := parley.Message{
			ID: ids.New(now), ConversationID: c, Content: text, ContentType: parley.Text, Direction: parley.Outgoing,
			Status: parley.Sent, Sender: parley.Sender{Type: parley.SenderBot}, CreatedAt: now,
		}
		if err := tx.InsertMessage(ws, &m); err != nil {
			return err
		}
		tx.Emit(ws, parley.Event{Type: parley.MessageCreated, CreatedAt: now, ConversationID: c, Data: []byte(fmt.Sprintf("%q", text))})
		return nil
	}
}

// log returns the whole event log and checks that it has no gap and that the
// workspace counts as many.
func log(t testing.TB, s *store.Store, ws parley.WorkspaceID) []parley.Event {
	t.Helper()
	var events []parley.Event
	view(t, s, func(v *store.View) (err error) {
		if events, err = v.Events(ws, 0, 1_000_000); err != nil {
			return err
		}
		w, err := v.Workspace(ws)
		if w.Seq != int64(len(events)) {
			t.Errorf("the workspace counts %d events, the log has %d", w.Seq, len(events))
		}
		return err
	})
	for i, e := range events {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d has the number %d", i+1, e.Seq)
		}
	}
	return events
}

func messages(t testing.TB, s *store.Store, ws parley.WorkspaceID, c parley.ID) map[string]int {
	t.Helper()
	texts := map[string]int{}
	view(t, s, func(v *store.View) error {
		var before parley.Position
		for more := true; more; {
			page, err := v.Messages(parley.WholeWorkspace(ws), c, before, 1_000_000) // which is bounded in bytes
			if err != nil {
				return err
			}
			for _, m := range page.Items {
				texts[m.Content]++
			}
			more, before = page.HasMore, page.Next
		}
		return nil
	})
	return texts
}

func TestEventsHaveNoGap(t *testing.T) {
	storetest.Both(t, func(t *testing.T, o store.Options) {
		nodes := []*store.Store{storetest.Open(t, o), storetest.Open(t, o)}
		const workspaces, writers, posts = 3, 64, 10
		var ws [workspaces]parley.WorkspaceID
		var conversations [workspaces]parley.Conversation
		for i := range ws {
			ws[i], conversations[i] = found(t, nodes[0])
		}
		var group sync.WaitGroup
		for n := range writers {
			group.Go(func() {
				for i := range posts {
					at := (n + i) % workspaces
					if err := nodes[n%2].Write(t.Context(), ws[at], post(ws[at], conversations[at].ID, fmt.Sprint(n, " ", i))); err != nil {
						t.Errorf("write: %v", err)
					}
				}
			})
		}
		group.Wait()
		total := 0
		for i := range ws {
			total += len(log(t, nodes[1], ws[i]))
		}
		if total != writers*posts {
			t.Errorf("there are %d events, want %d", total, writers*posts)
		}
	})
}

// grouped runs closures in one group: it holds the writer until all of them
// wait.
func grouped(t *testing.T, s *store.Store, ws parley.WorkspaceID, fns ...func(*store.Tx) error) []error {
	t.Helper()
	var all sync.WaitGroup
	open := hold(t, s, ws)
	errs := make([]error, len(fns))
	queued := s.Stats().Queued
	for i, fn := range fns {
		all.Go(func() { errs[i] = s.Write(t.Context(), ws, fn) })
		for s.Stats().Queued == queued {
			time.Sleep(100 * time.Microsecond) // the queue has no signal
		}
		queued = s.Stats().Queued
	}
	open()
	all.Wait()
	return errs
}

// hold keeps the writer of a workspace busy until the function that it returns
// is called.
func hold(t *testing.T, s *store.Store, ws parley.WorkspaceID) (open func()) {
	t.Helper()
	busy, opened, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var once sync.Once
	go func() {
		defer close(ended)
		err := s.Write(context.Background(), ws, func(*store.Tx) error {
			once.Do(func() { close(busy) })
			<-opened
			return nil
		})
		if err != nil {
			t.Errorf("the write that holds the writer: %v", err)
		}
	}()
	<-busy
	open = sync.OnceFunc(func() {
		close(opened)
		<-ended
	})
	t.Cleanup(open)
	return open
}

func TestFailureTakesNoNeighbour(t *testing.T) {
	refused := parley.Errorf(parley.Conflict, "no")
	for name, bad := range map[string]func(parley.WorkspaceID, parley.ID) func(*store.Tx) error{
		"before writing": func(parley.WorkspaceID, parley.ID) func(*store.Tx) error {
			return func(*store.Tx) error { return refused }
		},
		"after writing": func(ws parley.WorkspaceID, c parley.ID) func(*store.Tx) error {
			return func(tx *store.Tx) error { return errors.Join(post(ws, c, "bad")(tx), refused) }
		},
		"broken statement": func(ws parley.WorkspaceID, c parley.ID) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				if err := post(ws, c, "bad")(tx); err != nil {
					return err
				}
				return tx.InsertConversation(ws, &parley.Conversation{ID: c}, at(1)) // exists
			}
		},
		"panic": func(ws parley.WorkspaceID, c parley.ID) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				if err := post(ws, c, "bad")(tx); err != nil {
					return err
				}
				panic("a mistake")
			}
		},
		"broken text": func(ws parley.WorkspaceID, c parley.ID) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				return errors.Join(post(ws, c, "bad")(tx), tx.Exec("INSERT INTO nothing VALUES (1)"))
			}
		},
		"failure overlooked": func(ws parley.WorkspaceID, c parley.ID) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				_, _ = tx.Int("SELECT count(*) FROM nothing")
				return post(ws, c, "bad")(tx)
			}
		},
		"event of another workspace": func(ws parley.WorkspaceID, c parley.ID) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				tx.Emit(parley.WorkspaceID(ids.New(time.Now())), parley.Event{Type: parley.MessageCreated})
				return post(ws, c, "bad")(tx)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				ws, c := found(t, s)
				before := s.Stats()
				errs := grouped(t, s, ws, post(ws, c.ID, "first"), bad(ws, c.ID), post(ws, c.ID, "last"))
				// One transaction of the write that holds the writer, and one of all
				// others; but on PostgreSQL a statement that fails may show when the
				// next closure runs already, and then each runs alone.
				statement := slices.Contains([]string{"broken text", "failure overlooked", "broken statement"}, name)
				if n := s.Stats().Groups - before.Groups; n != 2 && !statement {
					t.Errorf("the writes took %d transactions, want 2", n)
				}
				if errs[0] != nil || errs[2] != nil {
					t.Errorf("the neighbours failed: %v, %v", errs[0], errs[2])
				}
				if errs[1] == nil {
					t.Error("the bad closure did not fail")
				}
				if got := messages(t, s, ws, c.ID); len(got) != 2 || got["first"] != 1 || got["last"] != 1 {
					t.Errorf("messages are %v, want first and last", got)
				}
				if events := log(t, s, ws); len(events) != 2 {
					t.Errorf("there are %d events, want 2", len(events))
				}
				// Alone in its group it fails too, and leaves nothing.
				if s.Write(t.Context(), ws, bad(ws, c.ID)) == nil {
					t.Error("the bad closure did not fail alone")
				}
				log(t, s, ws)
			})
		})
	}
}

// TestOnlyAnUndoneGroupRunsAgain counts how often closures run. A closure that
// fails before it changed something costs its neighbours nothing; one that has
// to be undone makes its group run again, and those that follow have savepoints.
func TestOnlyAnUndoneGroupRunsAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, c := found(t, s)
		refused := parley.Errorf(parley.Conflict, "no")
		runs := 0
		counted := func(fns ...func(*store.Tx) error) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				runs++
				for _, fn := range fns {
					if err := fn(tx); err != nil {
						return err
					}
				}
				return nil
			}
		}
		refuse := func(*store.Tx) error { return refused }
		look := func(tx *store.Tx) error { // so that the database hears of what waits
			_, err := tx.Workspace(ws)
			return err
		}
		texts := 0
		group := func(what string, want int, bad ...func(*store.Tx) error) {
			t.Helper()
			runs = 0
			texts += 2
			first, last := fmt.Sprint(texts-1), fmt.Sprint(texts)
			errs := grouped(t, s, ws, counted(post(ws, c.ID, first)), counted(bad...), counted(post(ws, c.ID, last)))
			if errs[0] != nil || !errors.Is(errs[1], refused) || errs[2] != nil {
				t.Errorf("%s: the closures gave %v", what, errs)
			}
			if runs != want {
				t.Errorf("%s: closures ran %d times, want %d", what, runs, want)
			}
		}
		bad := post(ws, c.ID, "bad")
		group("fails before it writes", 3, look, refuse)
		move := func(tx *store.Tx) error { // of a follower that was never there
			_, err := tx.MoveFollower(ws, "nobody", store.FollowerPosition{Step: 9})
			return err
		}
		group("changes nothing, and fails", 3, look, move, refuse)
		runs = 0
		if err := s.Write(t.Context(), ws, counted(bad, look, refuse)); !errors.Is(err, refused) || runs != 1 {
			t.Errorf("alone: it gave %v and ran %d times, want once", err, runs)
		}
		group("fails after it wrote", 6-1, bad, look, refuse) // the last one first runs in the second try
		group("fails after it wrote, again", 3, bad, look, refuse)
		for range store.CarefulGroups {
			write(t, s, ws, look)
		}
		group("fails after it wrote, much later", 6-1, bad, look, refuse)
		if got := messages(t, s, ws, c.ID); len(got) != texts || got["bad"] != 0 {
			t.Errorf("messages are %v, want the numbers to %d", got, texts)
		}
		log(t, s, ws)
	})
}

func TestAnswerComesAfterTheCommit(t *testing.T) {
	storetest.Both(t, func(t *testing.T, o store.Options) {
		writer, reader := storetest.Open(t, o), storetest.Open(t, o)
		ws, c := found(t, writer)
		for i := range 20 {
			text := fmt.Sprint(i)
			write(t, writer, ws, post(ws, c.ID, text))
			if messages(t, reader, ws, c.ID)[text] != 1 {
				t.Fatalf("message %s was acknowledged and is not there", text)
			}
		}
	})
}

func TestClosedStore(t *testing.T) {
	storetest.Both(t, func(t *testing.T, o store.Options) {
		s, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		ws, c := found(t, s)
		open := hold(t, s, ws)
		var all sync.WaitGroup
		errs := make([]error, 50)
		for i := range errs {
			all.Go(func() { errs[i] = s.Write(t.Context(), ws, post(ws, c.ID, fmt.Sprint(i))) })
		}
		for s.Stats().Queued < int64(len(errs)) {
			time.Sleep(100 * time.Microsecond) // the queue has no signal
		}
		var closing error
		all.Go(func() { closing = s.Close() })
		for parley.KindOf(s.View(t.Context(), func(*store.View) error { return nil })) != parley.Unavailable {
			time.Sleep(100 * time.Microsecond) // Close has no signal
		}
		open()
		all.Wait()
		if err := errors.Join(append(errs, closing)...); err != nil {
			t.Errorf("writes that waited when the store was closed: %v", err)
		}
		if err := s.Write(t.Context(), ws, post(ws, c.ID, "late")); parley.KindOf(err) != parley.Unavailable {
			t.Errorf("a write after Close gave %v, want Unavailable", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("the second Close: %v", err)
		}
		again := storetest.Open(t, o)
		if got := len(log(t, again, ws)); got != len(errs) {
			t.Errorf("%d of %d acknowledged writes are there", got, len(errs))
		}
	})
}

func TestCancelledWriteIsSkipped(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, c := found(t, s)
		open := hold(t, s, ws)
		ctx, cancel := context.WithCancel(t.Context())
		answer := make(chan error)
		go func() { answer <- s.Write(ctx, ws, post(ws, c.ID, "cancelled")) }()
		for s.Stats().Queued == 0 {
			time.Sleep(100 * time.Microsecond) // the queue has no signal
		}
		cancel()
		if err := <-answer; parley.KindOf(err) != parley.Unavailable {
			t.Errorf("a cancelled write gave %v, want Unavailable", err)
		}
		open()
		write(t, s, ws, post(ws, c.ID, "after"))
		if got := messages(t, s, ws, c.ID); got["cancelled"] != 0 || got["after"] != 1 {
			t.Errorf("messages are %v, want only after", got)
		}
	})
}

// TestFullQueue fills the queue of a writer, and the lane of a workspace, with
// writes whose callers have gone.
func TestFullQueue(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, c := found(t, s)
		fillQueue(t, s, ws)
		write(t, s, ws, post(ws, c.ID, "after"))
		if got := messages(t, s, ws, c.ID); got["after"] != 1 {
			t.Errorf("messages are %v, want only after", got)
		}
		// A workspace without a row is one that cannot be locked.
		fillQueue(t, s, parley.WorkspaceID(ids.New(time.Now())))
	})
}

// fillQueue holds the writer of a workspace and queues writes until one more must be
// refused.
func fillQueue(t *testing.T, s *store.Store, ws parley.WorkspaceID) {
	t.Helper()
	open := hold(t, s, ws)
	nothing := func(*store.Tx) error { return nil }
	before := s.Stats().Queued
	room := make(chan error)
	go func() { room <- s.Write(t.Context(), ws, nothing) }()
	for s.Stats().Queued == before {
		time.Sleep(100 * time.Microsecond) // the queue has no signal
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	for range store.MaxQueue - 1 {
		if err := s.Write(gone, ws, nothing); !errors.Is(err, context.Canceled) {
			t.Fatalf("a write whose caller has gone gave %v", err)
		}
	}
	ran := false
	err := s.Write(t.Context(), ws, func(*store.Tx) error { ran = true; return nil })
	if parley.KindOf(err) != parley.Unavailable || !strings.Contains(err.Error(), "too many writes wait") {
		t.Errorf("a write into a full queue gave %v", err)
	}
	open()
	if err := <-room; err != nil {
		t.Errorf("a write that found room: %v", err)
	}
	write(t, s, ws, nothing)
	if ran {
		t.Error("a write that was refused ran")
	}
}

// TestClosureThatEndsItsGoroutine is what t.FailNow in a closure does.
func TestClosureThatEndsItsGoroutine(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, c := found(t, s)
		err := s.Write(t.Context(), ws, func(tx *store.Tx) error {
			_ = post(ws, c.ID, "ended")(tx)
			runtime.Goexit()
			return nil
		})
		if parley.KindOf(err) != parley.Unavailable {
			t.Errorf("the write gave %v, want Unavailable", err)
		}
		write(t, s, ws, post(ws, c.ID, "after"))
		if got := messages(t, s, ws, c.ID); got["ended"] != 0 || got["after"] != 1 {
			t.Errorf("messages are %v, want only after", got)
		}
	})
}

// TestFoundingThatEndsItsGoroutine does the same where on PostgreSQL another
// goroutine writes: a workspace that is not there yet has a lane.
func TestFoundingThatEndsItsGoroutine(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		now := time.Now().UTC().Truncate(time.Millisecond)
		ws := parley.WorkspaceID(ids.New(now))
		insert := func(tx *store.Tx) error {
			return tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "W", Epoch: "e", CreatedAt: now})
		}
		err := within(t, "a closure that ends its goroutine", func() error {
			return s.Write(t.Context(), ws, func(tx *store.Tx) error {
				_ = insert(tx)
				runtime.Goexit()
				return nil
			})
		})
		if parley.KindOf(err) != parley.Unavailable || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the write gave %v, want Unavailable at once", err)
		}
		write(t, s, ws, insert)
	})
}

// TestViewsKeepNoWriterWaiting uses up all connections for reading.
func TestViewsKeepNoWriterWaiting(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, c := found(t, s)
		const readers = 8
		var in, out sync.WaitGroup
		leave := make(chan struct{})
		in.Add(readers)
		for range readers {
			out.Go(func() {
				err := s.View(t.Context(), func(v *store.View) error {
					in.Done()
					<-leave
					_, err := v.Workspace(ws)
					return err
				})
				if err != nil {
					t.Errorf("view: %v", err)
				}
			})
		}
		in.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if err := s.Write(ctx, ws, post(ws, c.ID, "x")); err != nil {
			t.Errorf("a write beside many views: %v", err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if err := s.View(ended, func(*store.View) error { return nil }); parley.KindOf(err) != parley.Unavailable {
			t.Errorf("a view that waits in vain gave %v, want Unavailable", err)
		}
		close(leave)
		out.Wait()
	})
}

// TestCancelledView ends the context of a query that would take for ever.
func TestCancelledView(t *testing.T) {
	endless := map[string]string{
		"sqlite":   "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
		"postgres": "SELECT 1 FROM pg_sleep(1000)",
	}
	for engine, sql := range endless {
		t.Run(engine, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				if !strings.HasSuffix(t.Name(), "/"+engine) {
					t.Skip("this is the other engine's query")
				}
				ws, c := found(t, s)
				for _, read := range []func(context.Context, func(*store.View) error) error{s.View, s.Snapshot} {
					for range 10 { // more than there are connections
						ctx, cancel := context.WithCancel(t.Context())
						err := read(ctx, func(v *store.View) error {
							time.AfterFunc(time.Millisecond, cancel)
							_, err := v.Int(sql)
							return err
						})
						if parley.KindOf(err) != parley.Unavailable {
							t.Fatalf("a cancelled view gave %v, want Unavailable", err)
						}
					}
				}
				write(t, s, ws, post(ws, c.ID, "after"))
				log(t, s, ws)
			})
		})
	}
}
