package erasure_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/merging"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestDeletedWhileSending deletes a conversation while one of its messages is being
// sent: sending ends without an error, and nothing comes back.
func TestDeletedWhileSending(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		w.hear(chatapp.Incoming{ID: "1", Chat: chatapp.Chat{JID: "anna@chat", Phone: anna}, From: anna, FromName: "Anna", Text: "hello"})
		conversation := w.Get("/v1/public/conversations").Want(200).Text("data.0.id")
		w.Post("/v1/public/conversations/"+conversation+"/messages", `{"content":"welcome"}`).Want(201)
		id, _ := parley.ParseID(conversation)
		w.driver.Before(chatapptest.Send, func(ctx context.Context) error {
			_, err := w.Erasure.DeleteConversation(ctx, w.By(), id)
			return err
		})
		if err := w.Numbers.Deliver(t.Context()); err != nil {
			t.Errorf("sending: %v", err)
		}
		w.Get("/v1/public/conversations/" + conversation).Want(404)
	})
}

// TestWritesWhileErased lets the person write between the transactions of the erasure:
// a message that arrives before the contact is deleted is deleted too, and a later one
// creates a new contact.
func TestWritesWhileErased(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		w.plant()
		id := w.begin(w.Erasure)
		w.finish(w.Erasure.Holding("contact"), id) // groups and conversations are done, and the contact is there yet
		w.Get("/v1/public/contacts/" + w.anna).Want(200)
		w.change(chatapp.MemberChange{JID: "1@g", Kind: chatapp.Left, Phones: []parley.Phone{anna}, By: bob})
		w.hear(chatapp.Incoming{ID: "late", Chat: chatapp.Chat{JID: "anna2@chat", Phone: anna}, From: anna, FromName: w.text(), Text: w.text()})
		w.hear(chatapp.Incoming{ID: "late in the group", Chat: chatapp.Chat{JID: "1@g", Group: true}, From: anna, FromName: w.text(), Text: w.text()})
		if _, ended := w.finish(w.Erasure, id); !ended {
			t.Fatal("the erasure does not end")
		}
		for _, text := range []string{token, anna} {
			if left := w.remains(text); len(left) > 0 {
				t.Errorf("%s is left in %v", text, left)
			}
		}
		w.hear(chatapp.Incoming{ID: "back", Chat: chatapp.Chat{JID: "anna3@chat", Phone: anna}, From: anna, FromName: "Anna", Text: "I am back"})
		found := w.Get("/v1/public/contacts?phone=%2B" + anna).Want(200)
		if found.Count("data") != 1 || found.Text("data.0.id") == w.anna {
			t.Errorf("after it: %s", found.Body)
		}
	})
}

// TestMergedWhileErased merges another contact with the person during the erasure. A
// member may not, because the other contact would be deleted too. If somebody signs in
// with the identity of both, they are the same person, and both are deleted.
func TestMergedWhileErased(t *testing.T) {
	for name, into := range map[string]bool{"into another": true, "with another": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, storetest.MigratedSQLite(t))
			w.plant()
			id := w.begin(w.Erasure)
			w.finish(w.Erasure.Holding("contact"), id) // groups and conversations are done, and the contact is there yet
			other := w.send("POST", "/v1/public/contacts", object{"name": w.text(), "identifier": w.text()}).Want(201).Text("id")
			conversation := w.send("POST", "/v1/public/conversations", object{"contactId": other}).Want(201).Text("id")
			w.send("POST", "/v1/public/conversations/"+conversation+"/messages", object{"content": w.text()}).Want(201)
			from, to := other, w.anna
			if into {
				from, to = to, from
			}
			w.Post("/v1/dashboard/contacts/"+from+"/merge", `{"intoId":"`+to+`"}`).Refused(409, "the contact "+w.anna+" is being erased and cannot be merged")
			w.signIntoBoth(from, to)
			if _, ended := w.finish(w.Erasure, id); !ended {
				t.Fatal("the erasure does not end")
			}
			if left := w.remains(token); len(left) > 0 {
				t.Errorf("left in %v", left)
			}
			w.Get("/v1/public/conversations/" + conversation).Want(404)
			told := 0
			for after := ""; ; {
				page := w.Get("/v1/public/events?types=contact.deleted&limit=200&after=" + after).Want(200)
				told += strings.Count(string(page.Body), `"id":"`+other+`"`) + strings.Count(string(page.Body), `"id":"`+w.anna+`"`)
				if after = page.Text("next_cursor"); page.Field("has_more") != true {
					break
				}
			}
			if told != 2 {
				t.Errorf("the log tells %d times that the two are deleted", told)
			}
		})
	}
}

// signIntoBoth merges two contacts by a signed identity that matches both.
func (w *world) signIntoBoth(from, to string) {
	w.T.Helper()
	_, err := desk.Write(w.T.Context(), w.Desk, w.By(), func(t *desk.Tx) (parley.Contact, error) {
		var pair [2]parley.Contact
		for i, text := range []string{from, to} {
			id, _ := parley.ParseID(text)
			var err error
			if pair[i], err = t.Contact(t.WS, id); err != nil {
				return pair[i], err
			}
		}
		return merging.JoinContacts(t, pair[0], pair[1], nil)
	})
	w.must(err)
}

// TestReplay erases a person again in a store that is back in its earlier state, like a
// restored backup.
func TestReplay(t *testing.T) {
	w := newWorld(t, storetest.MigratedSQLite(t))
	w.plant()
	erased := w.erase(w.Erasure)
	// The same ids come back, as from an earlier backup.
	contact, _ := parley.ParseID(w.anna)
	if err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
		if err := store.Exec(tx, w.Home.Workspace.ID, "DELETE FROM erasures WHERE workspace_id = $1"); err != nil {
			return err
		}
		return tx.InsertContact(w.Home.Workspace.ID, &parley.Contact{ID: contact, Name: w.text(), CreatedAt: w.Now(), UpdatedAt: w.Now(), LastActivityAt: w.Now()})
	}); err != nil {
		t.Fatal(err)
	}
	w.Get("/v1/public/contacts/" + w.anna).Want(200)
	for _, want := range []int{1, 0} {
		begun, err := w.Erasure.Replay(t.Context(), w.By(), []erasure.Erased{{ID: erased.ID, Subjects: erased.Subjects}, {}})
		w.must(err)
		if begun != want {
			t.Errorf("%d erasures began, want %d", begun, want)
		}
	}
	all, err := w.Erasure.All(t.Context(), w.Home.Workspace.ID)
	w.must(err)
	if len(all) != 1 {
		t.Fatalf("there are %d erasures", len(all))
	}
	if _, ended := w.finish(w.Erasure, erased.ID); !ended {
		t.Fatal("the erasure does not end")
	}
	w.Get("/v1/public/contacts/" + w.anna).Want(404)
	if left := w.remains(token); len(left) > 0 {
		t.Errorf("left in %v", left)
	}
}

// TestDraftedArticleStays erases a person from whose conversation an article was
// drafted: the article stays, and nothing leads back to the conversation.
func TestDraftedArticleStays(t *testing.T) {
	w := newWorld(t, storetest.MigratedSQLite(t))
	w.plant()
	article := w.Post("/v1/public/articles", `{"language":"en","title":"Returns"}`).Want(201).Text("id")
	origin := "/v1/dashboard/articles/" + article + "/origin"
	w.send("PUT", origin, object{"conversationId": w.own[0]}).Want(200)
	talk, _ := parley.ParseID(w.own[0])
	for _, want := range []int{1, 0} {
		if left, err := w.Knowledge.Drafted(parley.WholeWorkspace(w.Home.Workspace.ID), talk).Now(t.Context()); err != nil || len(left) != want {
			t.Errorf("the conversation has %v, %v, want %d articles", left, err, want)
		}
		if want > 0 {
			w.erase(w.Erasure)
		}
	}
	w.Get(origin).Want(200).Is("conversationId", "null")
	w.Get("/v1/public/articles/" + article).Want(200)
}

// TestContinuesAfterDeath lets the process die after each number of small transactions,
// and another process continue: nothing remains, and everything is counted once.
func TestContinuesAfterDeath(t *testing.T) {
	planted := newWorld(t, storetest.MigratedSQLite(t))
	planted.plant()
	want := planted.erase(planted.Erasure).Counts
	for _, after := range []int{0, 1, 3, 7, 15, 30, 45, 60, 75, 90} {
		w := newWorld(t, storetest.MigratedSQLite(t))
		w.plant()
		id := w.begin(w.Erasure)
		w.Advance(time.Second)
		w.expire(w.Erasure.Dying(3, after))
		w.Advance(time.Minute) // what failed is tried again after a pause
		e, ended := w.finish(w.Erasure, id)
		if !ended {
			t.Fatalf("after %d steps: the erasure does not end", after)
		}
		for _, text := range []string{token, anna} {
			if left := w.remains(text); len(left) > 0 {
				t.Errorf("after %d steps: %s is left in %v", after, text, left)
			}
		}
		if e.Counts.Conversations != want.Conversations || e.Counts.Messages != want.Messages || e.Counts.Files != want.Files {
			t.Errorf("after %d steps: %+v, want %+v", after, e.Counts, want)
		}
	}
}
