package erasure_test

import (
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// erased counts the erased events of the log.
func (w *world) erased() (count int) {
	w.T.Helper()
	for after := ""; ; {
		page := w.Get("/v1/public/events?limit=200&after=" + after).Want(200)
		count += strings.Count(string(page.Body), `"type":"erased"`)
		if after = page.Text("next_cursor"); page.Field("has_more") != true {
			return count
		}
	}
}

// end returns the number of the last event.
func (w *world) end() int64 {
	w.T.Helper()
	now, err := desk.View(w.Desk, func(v *store.View) (parley.Workspace, error) { return v.Workspace(w.Home.Workspace.ID) }).Now(w.T.Context())
	w.must(err)
	return now.Seq
}

// delete creates a conversation with some messages and deletes it.
func (w *world) delete(contact string, messages int) erasure.Erasure {
	w.T.Helper()
	text := w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"}`).Want(201).Text("id")
	for range messages {
		w.Post("/v1/public/conversations/"+text+"/messages", `{"content":"hello"}`).Want(201)
	}
	id, _ := parley.ParseID(text)
	e, err := w.Erasure.DeleteConversation(w.T.Context(), w.By(), id)
	w.must(err)
	w.Get("/v1/public/conversations/" + text).Want(404)
	return e
}

// TestOnePassForAll deletes conversations: the log is not read with the request, and
// then once for all of them, from a day before the oldest one. Each counts its own
// events.
func TestOnePassForAll(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		contact := w.Contact(`{"name":"Ann"}`)
		w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"}`).Want(201)
		old := w.end()
		w.Advance(48 * time.Hour)
		w.Owner = w.SignIn(w.Home.Owner.ID)
		ws := w.Home.Workspace.ID
		first, second := w.delete(contact, 1), w.delete(contact, 3)
		if n := w.erased(); n != 0 {
			t.Errorf("%d events are erased with the request", n)
		}
		for _, e := range []erasure.Erasure{first, second} {
			if waits, err := w.Erasure.Waits(t.Context(), ws, e.ID); err != nil || !waits {
				t.Errorf("it waits for a pass: %v, %v", waits, err)
			}
			if at, err := w.Erasure.Start(t.Context(), ws, e.ID); err != nil || at != old {
				t.Errorf("the pass begins after event %d, %v, want %d", at, err, old)
			}
		}
		w.must(w.Erasure.ReadTraces(t.Context(), w.By(), second.ID))
		for _, e := range []erasure.Erasure{first, second} {
			if waits, err := w.Erasure.Waits(t.Context(), ws, e.ID); err != nil || waits {
				t.Errorf("it still waits for a pass: %v, %v", waits, err)
			}
		}
		one, ended := w.finish(w.Erasure, first.ID)
		two, both := w.finish(w.Erasure, second.ID)
		if !ended || !both || one.Counts.Events == 0 || two.Counts.Events != one.Counts.Events+2 || w.erased() != one.Counts.Events+two.Counts.Events {
			t.Errorf("they erased %d and %d events of %d", one.Counts.Events, two.Counts.Events, w.erased())
		}
	})
}

// TestLogInParts deletes a conversation with runs that read ten events each: they go on
// where the last one ended, and each event is erased and counted once.
func TestLogInParts(t *testing.T) {
	w := newWorld(t, storetest.MigratedSQLite(t))
	contact := w.Contact(`{"name":"Ann"}`)
	e, parts, runs := w.delete(contact, 30), w.Erasure.InPages(10, 1), 0
	for waits := true; waits && runs < 20; runs++ {
		w.must(parts.ReadTraces(t.Context(), w.By(), e.ID))
		var err error
		waits, err = w.Erasure.Waits(t.Context(), w.Home.Workspace.ID, e.ID)
		w.must(err)
	}
	e, ended := w.finish(w.Erasure, e.ID)
	if runs < 4 || runs == 20 || !ended || e.Counts.Events < 31 || w.erased() != e.Counts.Events {
		t.Errorf("after %d runs it ended: %v, and erased %d events of %d", runs, ended, e.Counts.Events, w.erased())
	}
}

// TestMadeAt reads the times of ids.
func TestMadeAt(t *testing.T) {
	at := time.Date(2026, time.November, 21, 10, 0, 0, int(7*time.Millisecond), time.UTC)
	if got := erasure.MadeAt(parley.NewIDs(nil).New(at)); !got.Equal(at) {
		t.Errorf("the id is of %s, want %s", got, at)
	}
	random, _ := parley.ParseID("0190a1b2-0000-4000-8000-000000000000")
	if got := erasure.MadeAt(random); !got.IsZero() {
		t.Errorf("a random id is of %s", got)
	}
}
