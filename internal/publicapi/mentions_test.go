package publicapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"parley"
	"parley/internal/store"
)

// TestMentions names members in notes. A text alone names nobody, and what the customer
// gets can name nobody.
func TestMentions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		bo := w.members(1)[0]
		play(t, w, map[string]string{"contact": w.Contact(`{"name":"Ann"}`), "owner": string(w.Home.Owner.ID), "bo": bo}, []step{
			{name: "create", path: "/conversations", body: `{"contactId":"{contact}"}`, status: 201, save: "c", events: []string{"conversation.created"}},
			{name: "note", path: "/conversations/{c}/messages", body: `{"content":"Bo?","isPrivate":true,"mentions":["{bo}","{owner}"]}`, status: 201, save: "m",
				is: []string{"mentions", `["{bo}","{owner}"]`}, events: []string{"message.created"}},
			{name: "read", method: "GET", path: "/messages/{m}", status: 200, is: []string{"mentions", `["{bo}","{owner}"]`}},
			{name: "text alone", path: "/conversations/{c}/messages", body: `{"content":"@{bo}","isPrivate":true,"mentions":[]}`, status: 201,
				is: []string{"mentions", "[]"}, events: []string{"message.created"}},
			{name: "to the customer", path: "/conversations/{c}/messages", body: `{"content":"Hi","mentions":["{bo}"]}`, status: 400,
				error: "mentions: must be absent on a message that is not private"},
			{name: "twice", path: "/conversations/{c}/messages", body: `{"content":"Bo?","isPrivate":true,"mentions":["{bo}","{bo}"]}`, status: 400,
				error: "mentions: must be at most 50 different ids"},
			{name: "unknown", path: "/conversations/{c}/messages", body: `{"content":"Bo?","isPrivate":true,"mentions":["{bo}","usr_x"]}`, status: 404,
				error: "mentions: no such member in this workspace"},
		})
	})
}

// TestMentions500 names 500 members at once, which is refused as a whole, and then by
// fifties.
func TestMentions500(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	all := w.members(500)
	path := "/v1/public/conversations/" + w.Conversation() + "/messages"
	note := func(members []string) string {
		ids, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"content":"Everybody!","isPrivate":true,"mentions":%s}`, ids)
	}
	position := ""
	w.Events(&position)
	for _, count := range []int{500, parley.MaxMentions + 1} {
		w.Post(path, note(all[:count])).Refused(400, "mentions: must be an array of 0 to 50 items")
	}
	if told := w.Events(&position); len(told) != 0 {
		t.Errorf("a refused note made the events %q", told)
	}
	for some := range slices.Chunk(all, parley.MaxMentions) {
		ids, err := json.Marshal(some)
		if err != nil {
			t.Fatal(err)
		}
		w.Post(path, note(some)).Want(201).Is("mentions", string(ids))
	}
	if told := w.Events(&position); len(told) != len(all)/parley.MaxMentions {
		t.Errorf("the notes made %d events", len(told))
	}
}

// members makes members and returns their ids.
func (w *world) members(count int) []string {
	w.T.Helper()
	ids := make([]string, count)
	made := parley.NewIDs(nil)
	for i := range ids {
		ids[i] = string(made.NewUserID())
	}
	err := w.Store.Write(w.T.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
		for i, id := range ids {
			m := parley.Member{
				ID: parley.UserID(id), Name: fmt.Sprint("Bo ", i), Email: fmt.Sprint("bo", i, "@acme.example"), Role: parley.Agent, CreatedAt: w.Now(),
			}
			if _, err := tx.InsertMember(w.Home.Workspace.ID, &m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return ids
}
