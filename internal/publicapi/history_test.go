package publicapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/merging"
)

// history returns a conversation's history, page by page, as "type by actor for
// cause: changes".
func (w *world) history(conversation string) []string {
	w.T.Helper()
	var told []string
	for cursor := ""; ; {
		page := w.Get("/v1/public/conversations/" + conversation + "/history?limit=2&cursor=" + cursor).Want(200)
		for i := range page.Field("data").([]any) {
			at := fmt.Sprintf("data.%d.", i)
			line := page.Text(at+"type") + " by " + page.Text(at+"actor.type")
			if cause, ok := page.Field(at + "cause").(map[string]any); ok {
				line += fmt.Sprint(" for ", cause["type"])
			}
			changes := page.Field(at + "changes").(map[string]any)
			var names []string
			for name, value := range changes {
				if record, ok := value.(map[string]any); ok {
					value = record["name"]
				}
				names = append(names, fmt.Sprint(name, "=", value))
			}
			slices.Sort(names)
			told = append(told, line+": "+strings.Join(names, " "))
		}
		if cursor = page.Text("next_cursor"); cursor == "" {
			return told
		}
	}
}

// TestConversationHistory changes a conversation in every way that the history
// records, and in ways that it does not, and reads it after the log was
// deleted.
func TestConversationHistory(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, bo := w.Contact(`{"name":"Ann"}`), w.Contact(`{"name":"Bo"}`)
		c := w.Post("/v1/public/conversations", `{"contactId":"`+ann+`"}`).Want(201).Text("id")
		cookie := w.signIn()
		path := "/v1/public/conversations/" + c
		w.browse(cookie, "PATCH", path, `{"assigneeId":"`+string(w.Home.Owner.ID)+`","priority":"high"}`).Want(200)
		w.Patch(path, `{"labels":["vip"],"productId":"`+w.product.ID.String()+`"}`).Want(200)
		w.Patch(path, `{"customAttributes":{"a":1}}`).Want(200)
		w.Patch(path, `{"labels":["vip"]}`).Want(200)
		w.Patch(path, `{"spam":true}`).Want(200)
		w.Post(path+"/messages", `{"content":"hi"}`).Want(201)
		w.Post(path+"/messages", `{"content":"old","role":"incoming","createdAt":"2020-01-01T00:00:00Z"}`).Want(201)
		w.Patch(path, `{"status":"resolved","assigneeId":null,"priority":null}`).Want(200)
		w.Post(path+"/messages", `{"content":"again","role":"incoming"}`).Want(201)
		if _, err := merging.New(w.Desk).MergeContacts(t.Context(), w.by(), parseID(t, ann), parseID(t, bo)); err != nil {
			t.Fatal(err)
		}
		w.Advance(8 * 24 * time.Hour)
		w.Post(path+"/messages", `{"content":"new"}`).Want(201)
		w.Expire()
		want := []string{
			"conversation.created by key: assignee=<nil> contactId=" + ann + " inbox=API labels=[] mergedInto=<nil> priority=<nil> product=<nil> snoozedUntil=<nil> spam=false splitFrom=<nil> status=open team=<nil>",
			"conversation.updated by member: assignee=owner priority=high",
			"conversation.updated by key: labels=[vip] product=Shop",
			"conversation.updated by key: spam=true",
			"conversation.updated by key: assignee=<nil> priority=<nil> status=resolved",
			"conversation.updated by key for message.created: status=open",
			"conversation.updated by system for contact.merged: contactId=" + bo,
		}
		if told := w.history(c); !slices.Equal(told, want) {
			t.Errorf("the history is\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
		}
	})
}

// TestHistoryOfImport checks that an import is marked.
func TestHistoryOfImport(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		by := w.by()
		by.Actor, by.Imported = parley.Actor{Type: parley.ActorImport}, true
		c, err := w.Desk.CreateConversation(t.Context(), by, desk.NewConversation{ContactID: parseID(t, w.Contact(`{"name":"Ann"}`))})
		if err != nil {
			t.Fatal(err)
		}
		w.Get("/v1/public/conversations/"+c.ID.String()+"/history").Want(200).Is("data.0.imported", "true", "data.0.actor.type", `"import"`)
	})
}

func parseID(t *testing.T, text string) parley.ID {
	t.Helper()
	id, ok := parley.ParseID(text)
	if !ok {
		t.Fatalf("%q is no id", text)
	}
	return id
}
