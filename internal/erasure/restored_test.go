package erasure_test

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/backup"
	"parley/internal/backup/schedule"
	"parley/internal/blob"
	"parley/internal/chatapp"
	"parley/internal/chatapp/sandbox"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

// packed returns a backup that is made now, as a file.
func (w *world) packed() []byte {
	w.T.Helper()
	var out bytes.Buffer
	from := backup.Source{Store: w.Store, Files: blob.NewFolder(w.place), Program: "test", Engine: "test", Now: w.Now(), Log: apitest.Log(w.T)}
	_, err := backup.Create(w.T.Context(), &out, from, nil)
	w.must(err)
	return out.Bytes()
}

// A restored store is one that was made of a backup, with lists of erasures.
type restored struct {
	t       *testing.T
	store   *store.Store
	options store.Options
	erasure *erasure.Service
	begun   int
}

func (w *world) restore(t *testing.T, file []byte, into store.Options, lists []erasure.List) *restored {
	t.Helper()
	to := backup.Target{
		Dir: into.Dir, Database: into.Database, Replace: true, Files: blob.NewFolder(filepath.Join(t.TempDir(), "restored")),
		CheckKey: func(string, bool) (bool, error) { return false, nil },
		IDs:      into.IDs, Now: w.Now(), Log: apitest.Log(t),
		Repeat: func(tx *store.Tx, _ time.Time) (int, error) { return erasure.Repeat(tx, lists, into.IDs, w.Now()) },
	}
	done, err := backup.Restore(t.Context(), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil }, nil, to)
	if err != nil {
		t.Fatal(err)
	}
	r := &restored{t: t, options: into, store: storetest.Open(t, into), begun: done.Repeated}
	d := desk.New(desk.Options{Store: r.store, Clock: w.Now, IDs: into.IDs, Log: apitest.Log(t)})
	r.erasure = erasure.New(d, numbers.New(numbers.Options{Desk: d, Connectors: map[parley.Driver]chatapp.Connector{
		parley.DriverSandbox: sandbox.New(r.store, w.Now, into.IDs),
	}}), schedule.Keep{}.End)
	return r
}

// holds returns what of the person a store shows: the contact, and rows with a text of
// the person.
func (r *restored) holds(ws parley.WorkspaceID, w *world) (found []string) {
	r.t.Helper()
	contact, _ := parley.ParseID(w.anna)
	err := r.store.View(r.t.Context(), func(v *store.View) error {
		if _, err := v.Contact(ws, contact); err == nil {
			found = append(found, "the contact")
		}
		for _, id := range w.own {
			conversation, _ := parley.ParseID(id)
			if _, err := v.Conversation(parley.WholeWorkspace(ws), conversation); err == nil {
				found = append(found, "the conversation "+id)
			}
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	var rows bytes.Buffer
	if _, err := backup.Create(r.t.Context(), &rows, backup.Source{Store: r.store, Files: blob.NewFolder(r.t.TempDir()), Program: "t", Engine: "t", Now: w.Now(), Log: apitest.Log(r.t)}, nil); err != nil {
		r.t.Fatal(err)
	}
	if text := unpack(r.t, &rows); strings.Contains(text, token) {
		at := strings.Index(text, token)
		found = append(found, "a text: "+text[max(0, at-80):min(len(text), at+40)])
	}
	return found
}

// emptyLike returns a new store of the same engine.
func emptyLike(t *testing.T, o store.Options) store.Options {
	t.Helper()
	if o.Database == "" {
		return storetest.MigratedSQLite(t)
	}
	return storetest.MigratedPostgres(t)
}

// erasedSince erases the person, deletes a conversation of somebody else, and lets a
// rule delete another, and returns the lists.
func (w *world) erasedSince() []erasure.List {
	w.T.Helper()
	w.erase(w.Erasure)
	var lists []erasure.List
	w.must(w.Store.View(w.T.Context(), func(v *store.View) (err error) {
		lists, err = erasure.ListsOf(v)
		return err
	}))
	return lists
}

// TestRestoresRepeat restores a backup from before an erasure, into a store of either
// engine. Before anybody is served, the person is gone again, wherever the process dies
// on the way. Without the list, the person is back: that is the control.
func TestRestoresRepeat(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		w.plant()
		file := w.packed()
		lists, ws := w.erasedSince(), w.Home.Workspace.ID
		if back := w.restore(t, file, emptyLike(t, o), nil); len(back.holds(ws, w)) < 3 || back.begun != 0 {
			t.Fatalf("without a list the store holds only %v: this proves nothing", back.holds(ws, w))
		}
		for _, dies := range []int{0, 2, 5, 12, 30, 1000} {
			r := w.restore(t, file, emptyLike(t, o), lists)
			if r.begun != 1 {
				t.Fatalf("%d erasures are to be repeated", r.begun)
			}
			if err := r.erasure.Dying(40, dies).FinishRepeated(t.Context()); (err == nil) != (dies == 1000) {
				t.Errorf("after %d steps: %v", dies, err)
			}
			if err := r.erasure.FinishRepeated(t.Context()); err != nil {
				t.Fatal(err)
			}
			if left := r.holds(ws, w); len(left) > 0 {
				t.Errorf("after death in step %d the store holds %v", dies, left)
			}
			if err := r.erasure.FinishRepeated(t.Context()); err != nil {
				t.Errorf("again: %v", err)
			}
		}
	})
}

// TestRestoresRepeatEachKind restores a backup that has conversations which were
// deleted since, one by a member and one by a rule, and an erasure that was running.
func TestRestoresRepeatEachKind(t *testing.T) {
	w := newKept(t, storetest.MigratedSQLite(t))
	byMember, byRule := w.resolved(1), w.resolved(1)
	w.begin2()
	file := w.packed()
	id, _ := parley.ParseID(byMember)
	_, err := w.Erasure.DeleteConversation(t.Context(), w.By(), id)
	w.must(err)
	w.later(20 * 24 * time.Hour)
	w.rule("10")
	w.settle()
	w.Get("/v1/public/conversations/" + byRule).Want(404)
	var lists []erasure.List
	w.must(w.Store.View(t.Context(), func(v *store.View) (err error) {
		lists, err = erasure.ListsOf(v)
		return err
	}))
	r := w.restore(t, file, storetest.MigratedSQLite(t), lists)
	if r.begun != 3 {
		t.Errorf("%d erasures are to be repeated, want 3", r.begun)
	}
	w.must(r.erasure.FinishRepeated(t.Context()))
	w.must(r.store.View(t.Context(), func(v *store.View) error {
		for _, text := range []string{byMember, byRule} {
			conversation, _ := parley.ParseID(text)
			if _, err := v.Conversation(parley.WholeWorkspace(w.Home.Workspace.ID), conversation); parley.KindOf(err) != parley.NotFound {
				t.Errorf("the conversation %s is back: %v", text, err)
			}
		}
		contact, _ := parley.ParseID(w.bob)
		if _, err := v.Contact(w.Home.Workspace.ID, contact); parley.KindOf(err) != parley.NotFound {
			t.Errorf("whose erasure was running is back: %v", err)
		}
		return nil
	}))
}

// begin2 begins to erase somebody, and does nothing more.
func (w *kept) begin2() {
	w.T.Helper()
	w.bob = w.Contact(`{"name":"Bob"}`)
	id, _ := parley.ParseID(w.bob)
	_, err := w.Erasure.EraseContact(w.T.Context(), w.By(), id)
	w.must(err)
}

// TestListsAreChecked reads a list as it was written, and refuses one with any byte of
// an id changed, or cut.
func TestListsAreChecked(t *testing.T) {
	id := func(n int) parley.ID { return parley.NewIDs(nil).New(time.UnixMilli(int64(n))) }
	list := erasure.List{Workspace: parley.WorkspaceID(id(1)), Erased: []erasure.Erased{{ID: id(2), Subjects: erasure.Subjects{Contacts: []parley.ID{id(3)}}}}}
	content, err := list.Pack()
	if err != nil {
		t.Fatal(err)
	}
	got, err := erasure.UnpackList(content)
	if err != nil || got.Workspace != list.Workspace || len(got.Erased) != 1 || got.Erased[0].Contacts[0] != list.Erased[0].Contacts[0] {
		t.Errorf("read as %+v, %v", got, err)
	}
	at := bytes.Index(content, []byte(list.Erased[0].Contacts[0].String()))
	changed := bytes.Clone(content)
	changed[at] ^= 1
	for name, bad := range map[string][]byte{"changed": changed, "cut": content[:len(content)-3], "empty": nil, "another file": []byte(`{"data":[]}`)} {
		if list, err := erasure.UnpackList(bad); err == nil {
			t.Errorf("%s: read as %+v", name, list)
		}
	}
}

// TestKeeper keeps a list beside the backups of a schedule: from when an erasure
// begins, also behind a failure, and with what another store wrote there. Without a
// schedule it keeps none.
func TestKeeper(t *testing.T) {
	w := newWorld(t, storetest.MigratedSQLite(t))
	shelf, err := blob.OpenShelf(t.TempDir())
	w.must(err)
	failing := &failingShelf{Shelf: shelf, fails: true}
	ws, name := w.Home.Workspace.ID, "parley-erasures-"+parley.ID(w.Home.Workspace.ID).String()+".json"
	run := func() {
		w.Advance(time.Minute)
		_ = timer.New(w.Desk, append(w.Erasure.Kinds(), w.Erasure.Keeper(failing))).RunDue(t.Context(), true) // a failure is tried again
	}
	read := func() erasure.List {
		t.Helper()
		content, err := shelf.Read(t.Context(), name)
		w.must(err)
		if content == nil {
			return erasure.List{}
		}
		list, err := erasure.UnpackList(content)
		w.must(err)
		return list
	}
	erase := func(text string) {
		contact, _ := parley.ParseID(w.Contact(`{"name":"` + text + `"}`))
		_, err := w.Erasure.EraseContact(t.Context(), w.By(), contact)
		w.must(err)
	}
	erase("Ann")
	failing.fails = false
	run()
	if list := read(); len(list.Erased) != 0 {
		t.Errorf("without a schedule there is %v", list)
	}
	w.must(schedule.Plan(t.Context(), w.Desk, 24*time.Hour))
	w.must(w.Erasure.KeepLists(t.Context()))
	run()
	if list := read(); list.Workspace != ws || len(list.Erased) != 1 {
		t.Errorf("the list is %v", list)
	}
	elsewhere := erasure.List{Workspace: ws, Erased: []erasure.Erased{{ID: w.options.IDs.New(w.Now()), Subjects: erasure.Subjects{Contacts: []parley.ID{w.options.IDs.New(w.Now())}}}}}
	content, err := elsewhere.Pack()
	w.must(err)
	w.must(shelf.Replace(t.Context(), name, content))
	failing.fails = true
	erase("Bo")
	run()
	if list := read(); len(list.Erased) != 1 {
		t.Errorf("a failing shelf has %v", list)
	}
	failing.fails = false
	w.Advance(time.Hour)
	run()
	run() // the end of the erasure may have moved the timer under the first
	if list := read(); len(list.Erased) != 3 || len(list.Erased[0].Contacts) != 1 {
		t.Errorf("the list is %v, want three", list)
	}
}

// A failingShelf fails to write as long as it is told to.
type failingShelf struct {
	blob.Shelf
	fails bool
}

func (f *failingShelf) Replace(ctx context.Context, name string, content []byte) error {
	if f.fails {
		return io.ErrShortWrite
	}
	return f.Shelf.Replace(ctx, name, content)
}
