package erasure_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
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
	for n := range messages {
		path, key := "/v1/public/conversations/"+text+"/messages", fmt.Sprint("message ", n)
		w.Send(apitest.Request{Method: "POST", Path: path, Body: `{"content":"hello"}`, Header: http.Header{"Idempotency-Key": {key}}}).Want(201)
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

// TestLogInParts deletes a conversation with runs that read ten events or answers each:
// they go on where the last one ended, and each event is erased and counted once.
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
	if strings.Contains(string(w.backup()), "hello") {
		t.Error("an event or an answer is left")
	}
	if runs < 8 || runs == 20 || !ended || e.Counts.Events < 31 || w.erased() != e.Counts.Events {
		t.Errorf("after %d runs it ended: %v, and erased %d events of %d", runs, ended, e.Counts.Events, w.erased())
	}
}

// TestRestartInAPass lets a process end in a pass: erasures that began later wait for half
// a minute, and then go on.
func TestRestartInAPass(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		contact := w.Contact(`{"name":"Ann"}`)
		first := w.delete(contact, 1)
		kinds := w.Erasure.Kinds()
		pass := kinds[slices.IndexFunc(kinds, func(k timer.Kind) bool { return k.Name == erasure.TracesTimer })]
		_, err := desk.Write(t.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) {
			held := desk.Timer{Kind: pass.Name, Name: first.ID.String(), Owner: "ended", DueAt: t.Now.Add(pass.Lease), Attempts: 1}
			return struct{}{}, desk.UpdateTimer(t, t.WS, &held)
		})
		w.must(err)
		second := w.delete(contact, 1)
		w.Advance(30 * time.Second)
		if _, ended := w.finish(w.Erasure, second.ID); !ended {
			t.Error("the later erasure still waits")
		}
	})
}

// beforePass runs what is due, except for passes over the log.
func (w *world) beforePass(svc *erasure.Service) {
	w.T.Helper()
	kinds := slices.DeleteFunc(svc.Kinds(), func(k timer.Kind) bool { return k.Name == erasure.TracesTimer })
	for range 6 {
		w.Advance(3 * time.Second)
		w.must(timer.New(w.Desk, kinds).RunDue(w.T.Context(), true))
	}
}

// TestNoteOfTwo erases two members of a group with one pass. A note about the second one
// comes after the first erasure asked for it, and before the second did: it is deleted.
func TestNoteOfTwo(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		var erasures []erasure.Erasure
		for _, phone := range []parley.Phone{anna, bob} {
			w.hear(chatapp.Incoming{ID: "in the group " + string(phone), Chat: chatapp.Chat{JID: "1@g", Group: true}, From: phone, FromName: "Member", Text: "hello"})
		}
		begin := func(phone parley.Phone) {
			id, _ := parley.ParseID(w.Get("/v1/public/contacts?phone=%2B" + string(phone)).Want(200).Text("data.0.id"))
			e, err := w.Erasure.EraseContact(t.Context(), w.By(), id)
			w.must(err)
			erasures = append(erasures, e)
		}
		begin(anna)
		w.beforePass(w.Erasure)
		begin(bob)
		w.beforePass(w.Erasure.Holding("contact"))
		w.change(chatapp.MemberChange{JID: "1@g", Kind: chatapp.Joined, Phones: []parley.Phone{bob}, By: twice})
		w.change(chatapp.MemberChange{JID: "1@g", Kind: chatapp.Left, Phones: []parley.Phone{bob}, By: twice})
		if len(w.remains(bob)) == 0 {
			t.Fatal("there is no note: this proves nothing")
		}
		w.beforePass(w.Erasure)
		for _, e := range erasures {
			if waits, err := w.Erasure.Waits(t.Context(), w.Home.Workspace.ID, e.ID); err != nil || !waits {
				t.Fatalf("it waits for a pass: %v, %v", waits, err)
			}
		}
		for _, e := range erasures {
			if _, ended := w.finish(w.Erasure, e.ID); !ended {
				t.Fatal("the erasure does not end")
			}
		}
		if left := w.remains(bob); len(left) > 0 {
			t.Errorf("left in %v", left)
		}
	})
}

// TestPartingsStay splits a conversation and deletes the new one, and merges another two and
// deletes them: the log still says what became of messages that a program has seen before, so
// that it deletes its copies.
func TestPartingsStay(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newKept(t, o)
		split, merged, into := w.resolved(3), w.resolved(1), w.resolved(1)
		message := w.Get("/v1/public/conversations/" + split + "/messages").Want(200).Text("data.1.id")
		later := w.Post("/v1/dashboard/conversations/"+split+"/split", `{"messageId":"`+message+`"}`).Want(201).Text("id")
		w.Post("/v1/dashboard/conversations/"+merged+"/merge", `{"intoId":"`+into+`"}`).Want(200)
		for _, id := range []string{later, into} {
			w.Delete("/v1/dashboard/conversations/" + id).Want(202)
		}
		w.settle()
		w.Get("/v1/public/conversations/" + later).Want(404)
		events := string(w.Get("/v1/public/events?limit=200").Want(200).Body)
		for _, told := range []string{
			`"data":{"id":"` + later + `","fromId":"` + split + `","messageId":"` + message + `"}`,
			`"data":{"id":"` + merged + `","intoId":"` + into + `"}`,
			`"type":"conversation.deleted"`,
		} {
			if !strings.Contains(events, told) {
				t.Errorf("the log does not have %s:\n%s", told, events)
			}
		}
	})
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
