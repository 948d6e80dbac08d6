package expiry_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/blob"
	"parley/internal/desk"
	"parley/internal/expiry"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world is a store with a workspace, and the nodes that share it.
type world struct {
	t       *testing.T
	options store.Options
	store   *store.Store // of the test itself
	place   *place
	clock   atomic.Int64
	ids     *parley.IDs
	ws      parley.WorkspaceID
}

// A place stores files and counts deletions. ended, if set, runs instead of the
// first one.
type place struct {
	desk.Files
	deleted atomic.Int64
	ended   func() error
}

func (p *place) Delete(ctx context.Context, ws parley.WorkspaceID, file parley.ID) error {
	if ended := p.ended; ended != nil {
		p.ended = nil
		return ended()
	}
	p.deleted.Add(1)
	return p.Files.Delete(ctx, ws, file)
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := &world{t: t, options: o, ids: parley.NewIDs(nil), place: &place{Files: blob.NewFolder(t.TempDir())}}
		w.clock.Store(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
		w.store = storetest.Open(t, o)
		w.ws = parley.WorkspaceID(w.ids.New(w.now()))
		w.write(func(tx *store.Tx) error {
			return tx.InsertWorkspace(&parley.Workspace{ID: w.ws, Name: "x", Epoch: "e", CreatedAt: w.now()})
		})
		test(t, w)
	})
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

func (w *world) advance(d time.Duration) { w.clock.Add(d.Milliseconds()) }

func (w *world) write(fn func(tx *store.Tx) error) {
	w.t.Helper()
	w.must(w.store.Write(w.t.Context(), w.ws, fn))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// A node is a process of its own.
type node struct {
	*desk.Desk
	timers *timer.Runner
}

func (w *world) node() node {
	w.t.Helper()
	d := desk.New(desk.Options{
		Store: storetest.Open(w.t, w.options), Clock: w.now, IDs: w.ids, Log: slog.New(slog.DiscardHandler), Files: w.place,
	})
	return node{d, timer.New(d, expiry.Kinds(d, expiry.Retention{Events: parley.EventRetention, Audit: entry.Retention}))}
}

func (w *world) upload(n node) parley.ID {
	w.t.Helper()
	a, err := n.Attachments().Upload(w.t.Context(), desk.Caller{Workspace: w.ws}, desk.NewUpload{FileName: "a", Content: strings.NewReader("x")})
	w.must(err)
	return a.ID
}

// kept reports whether a file has a row.
func (w *world) kept(file parley.ID) bool {
	w.t.Helper()
	err := w.store.View(w.t.Context(), func(v *store.View) error {
		_, err := desk.SelectAttachment(v, parley.WholeWorkspace(w.ws), file)
		return err
	})
	if parley.KindOf(err) != parley.NotFound {
		w.must(err)
	}
	return err == nil
}

// timed returns when the workspace's timer for files is due; zero if it has
// none.
func (w *world) timed() time.Time {
	w.t.Helper()
	var waiting desk.Timer
	err := w.store.View(w.t.Context(), func(v *store.View) (err error) {
		waiting, err = desk.SelectTimer(v, w.ws, desk.UploadsTimer, "")
		return err
	})
	if parley.KindOf(err) != parley.NotFound {
		w.must(err)
	}
	return waiting.DueAt
}

// TestUploads stores files under the timer of the first one: each is deleted when it
// is a day old, and the timer with the last.
func TestUploads(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.node()
		first := w.upload(n)
		w.advance(time.Hour)
		second := w.upload(n)
		for _, look := range []struct {
			after         time.Duration
			first, second bool
			next          time.Duration // of the timer, from the look on
		}{
			{23 * time.Hour, true, true, time.Millisecond},
			{time.Millisecond, false, true, time.Hour},
			{time.Hour, false, false, 0},
		} {
			w.advance(look.after)
			w.must(n.timers.RunDue(t.Context(), true))
			if w.kept(first) != look.first || w.kept(second) != look.second {
				t.Errorf("after %v more the first file is kept: %t, and the second: %t", look.after, w.kept(first), w.kept(second))
			}
			var want time.Time
			if look.next > 0 {
				want = w.now().Add(look.next)
			}
			if got := w.timed(); !got.Equal(want) {
				t.Errorf("after %v more the timer is due at %v, want %v", look.after, got, want)
			}
		}
		if got := w.place.deleted.Load(); got != 2 {
			t.Errorf("%d files were deleted, want 2", got)
		}
	})
}

// TestUploadsWithoutTimer finds a file that a node of the previous version
// stored.
func TestUploadsWithoutTimer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.node()
		file := w.upload(n)
		w.write(func(tx *store.Tx) error { return desk.DeleteTimer(tx, w.ws, desk.UploadsTimer, "") })
		w.advance(25 * time.Hour)
		w.must(n.timers.RunDue(t.Context(), true))
		if !w.kept(file) {
			t.Error("the file went without a timer, so the test sees nothing")
		}
		w.must(n.timers.Sweep(t.Context()))
		w.must(n.timers.RunDue(t.Context(), true))
		if w.kept(file) {
			t.Error("the file is kept")
		}
	})
}

// TestUploadsAfterACrash ends a process while it deletes a file: another node
// deletes it when the lease has expired.
func TestUploadsAfterACrash(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a, b := w.node(), w.node()
		file := w.upload(a)
		w.advance(25 * time.Hour)
		ctx, end := context.WithCancel(t.Context())
		w.place.ended = func() error {
			end()
			return ctx.Err()
		}
		_ = a.timers.RunDue(ctx, true) // ends with its context
		for _, look := range []struct {
			after time.Duration
			kept  bool
		}{{0, true}, {5*time.Minute - time.Millisecond, true}, {time.Millisecond, false}} {
			w.advance(look.after)
			w.must(b.timers.RunDue(t.Context(), true))
			if w.kept(file) != look.kept {
				t.Errorf("after %v more the file is kept: %t", look.after, !look.kept)
			}
		}
	})
}

// TestRows has two nodes delete more events than one run may: each event once,
// and none that are too new.
func TestRows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		emit := func(count int) {
			w.write(func(tx *store.Tx) error {
				for range count {
					tx.Emit(w.ws, parley.Event{Type: parley.MessageCreated, CreatedAt: w.now(), Data: []byte(`{}`)})
				}
				return nil
			})
		}
		emit(4100)
		w.advance(parley.EventRetention + time.Millisecond)
		emit(5)
		var running sync.WaitGroup
		for range 2 {
			n := w.node()
			running.Go(func() {
				if err := errors.Join(n.timers.Sweep(t.Context()), n.timers.RunDue(t.Context(), true)); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		w.must(w.store.View(t.Context(), func(v *store.View) error {
			oldest, err := v.OldestEvent(w.ws)
			if err == nil && oldest != 4101 {
				t.Errorf("the oldest event is %d, want 4101", oldest)
			}
			return err
		}))
	})
}
