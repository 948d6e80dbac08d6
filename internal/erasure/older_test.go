package erasure_test

import (
	"fmt"
	"strings"
	"testing"

	"parley"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// leave stores a running erasure as a program before schema 24 does.
func (w *world) leave(id parley.ID, step, working string, finishedAt int64) {
	w.T.Helper()
	_, err := desk.Write(w.T.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) {
		return struct{}{}, store.Exec(t, t.WS, "UPDATE erasures SET step = $3, working = $4, finished_at = $5 WHERE workspace_id = $1 AND erasure_id = $2",
			id, step, working, finishedAt)
	})
	w.must(err)
}

// TestGoesOnFromOlderPrograms lets a program before schema 24 begin the steps that read
// the log and the stored answers. What it stored about them misleads nobody: nothing
// remains, neither here nor in a store that was restored from a backup of that time.
func TestGoesOnFromOlderPrograms(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		for _, step := range []string{"log", "answers"} {
			t.Run(step, func(t *testing.T) {
				w := newWorld(t, emptyLike(t, o))
				w.send("POST", "/v1/public/conversations", object{"contactId": w.Contact(`{"name":"Ann"}`)}).Want(201)
				conversation := w.Get("/v1/public/conversations").Want(200).Text("data.0.id")
				w.send("POST", "/v1/public/conversations/"+conversation+"/messages", object{"content": w.text()}).Want(201)
				id, _ := parley.ParseID(conversation)
				e, err := w.Erasure.DeleteConversation(t.Context(), w.By(), id)
				w.must(err)
				w.leave(e.ID, step, fmt.Sprintf(`{"seq":%[1]d,"last":%[1]d,"route":"~","key":"~"}`, w.end()), 0)
				if !strings.Contains(string(w.backup()), token) {
					t.Fatal("the store has no text: this proves nothing")
				}
				file := w.packed()
				if e, ended := w.finish(w.Erasure, e.ID); !ended || e.Counts.Events == 0 {
					t.Errorf("it ends: %v, %+v", ended, e.Counts)
				}
				if left := w.remains(token); len(left) > 0 {
					t.Errorf("left in %v", left)
				}
				r := w.restore(t, file, emptyLike(t, o), nil)
				if err := r.erasure.FinishRepeated(t.Context()); err != nil || r.begun != 1 {
					t.Errorf("after a restore, %d are carried out: %v", r.begun, err)
				}
				if left := r.holds(w.Home.Workspace.ID, w); len(left) > 0 {
					t.Errorf("the restored store holds %v", left)
				}
			})
		}
	})
}

// asked returns what is stored of the first request for a group.
func (w *world) asked() string {
	w.T.Helper()
	r, err := desk.View(w.Desk, func(v *store.View) (numbers.GroupRequest, error) {
		return numbers.SelectGroupRequest(v, w.Home.Workspace.ID, "group 0")
	}).Now(w.T.Context())
	w.must(err)
	return r.Asked + r.Answer
}

// TestOlderProgramsReadNoRequests deletes a group. A program before schema 24 takes the
// erasure over from this one, and gives it back or ends it: the members leave the stored
// request all the same.
func TestOlderProgramsReadNoRequests(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		for name, left := range map[string]struct {
			step, working string
			finished      bool
		}{"given back": {"log", `{"seq":1,"last":1}`, false}, "ended": {"", "", true}} {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t, emptyLike(t, o))
				id, e := w.deleteGroup()
				var at int64
				if left.finished {
					at = w.Now().UnixMilli()
				}
				if !strings.Contains(w.asked(), anna) {
					t.Fatal("the request names nobody: this proves nothing")
				}
				w.leave(e.ID, left.step, left.working, at)
				w.finish(w.Erasure, e.ID) // which runs what is due at least once
				if strings.Contains(w.asked(), anna) {
					t.Errorf("the stored request of %s still names its members: %s", id, w.asked())
				}
			})
		}
	})
}

// deleteGroup creates a group and deletes its conversation, up to the pass.
func (w *world) deleteGroup() (group string, e erasure.Erasure) {
	w.T.Helper()
	group = w.send("POST", "/v1/public/chatapp/groups", object{"name": "Friends", "participants": []string{anna, bob}, "from": box}).Want(201).Text("conversation_id")
	id, _ := parley.ParseID(group)
	e, err := w.Erasure.DeleteConversation(w.T.Context(), w.By(), id)
	w.must(err)
	return group, e
}

// TestRequestsBeforeTheContact looks at the stored request for a group before the contact
// is deleted: it names the others alone, so that a repeated request adds nobody again.
func TestRequestsBeforeTheContact(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		w.anna = w.Contact(`{"name":"Anna","phoneNumber":"+` + anna + `"}`)
		w.send("POST", "/v1/public/chatapp/groups", object{"name": "Friends", "participants": []string{anna, bob}, "from": host}).Want(201)
		if !strings.Contains(w.asked(), anna) {
			t.Fatal("the request does not name the person: this proves nothing")
		}
		w.finish(w.Erasure.Holding("contact"), w.begin(w.Erasure))
		w.Get("/v1/public/contacts/" + w.anna).Want(200)
		if text := w.asked(); strings.Contains(text, anna) || !strings.Contains(text, bob) {
			t.Errorf("stored is %s", text)
		}
	})
}
