package publicapi_test

import (
	"slices"
	"testing"
	"time"

	"parley/internal/merging"
)

// TestSpam marks a conversation as spam: lists leave it out unless asked, each with
// its own cursor, and nothing but a caller takes the mark off again.
func TestSpam(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, bo := w.Contact(`{"name":"Ann"}`), w.Contact(`{"name":"Bo"}`)
		var ids []string
		for _, contact := range []string{ann, ann, bo} {
			w.Advance(time.Second)
			ids = append(ids, w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"}`).Want(201).Is("spam", "false").Text("id"))
		}
		spam, ham, other := ids[0], ids[1], ids[2]
		path := "/v1/public/conversations/" + spam
		w.Patch(path, `{"spam":true,"status":"resolved"}`).Want(200).Is("spam", "true", "status", `"resolved"`)
		w.Advance(time.Second)
		w.Post(path+"/messages", `{"content":"buy","role":"incoming"}`).Want(201)
		w.Get(path).Want(200).Is("spam", "true", "status", `"open"`, "unreadCount", "1")
		for query, want := range map[string][]string{
			"":                                  {other, ham},
			"spam=false":                        {other, ham},
			"spam=true":                         {spam},
			"spam=any":                          {spam, other, ham},
			"status=open&order=waiting":         {},
			"order=waiting&spam=any":            {spam},
			"contactId=" + ann:                  {ham},
			"spam=true&contactId=" + ann:        {spam},
			"spam=true&contactId=" + bo:         {},
			"updatedSince=2026-11-21T10:00:00Z": {ham, other, spam},
			"updatedSince=2026-11-21T10:00:00Z&spam=any":   {ham, other, spam},
			"updatedSince=2026-11-21T10:00:00Z&spam=false": {ham, other},
		} {
			if got := w.Get("/v1/public/conversations?" + query).Want(200).IDs(); !slices.Equal(got, want) {
				t.Errorf("%q finds %v, want %v", query, got, want)
			}
		}
		page := w.Get("/v1/public/conversations?spam=any&limit=1").Want(200)
		w.Get("/v1/public/conversations?spam=any&limit=1&cursor="+page.Text("next_cursor")).Want(200).Is("data.0.id", `"`+other+`"`)
		w.Get("/v1/public/conversations?limit=1&cursor="+page.Text("next_cursor")).Refused(400, "cursor: must be a next_cursor of this list with the same filters")
		// A merge moves what is hidden too.
		if _, err := merging.New(w.Desk).MergeContacts(t.Context(), w.by(), parseID(t, ann), parseID(t, bo)); err != nil {
			t.Fatal(err)
		}
		w.Get(path).Want(200).Is("contact.id", `"`+bo+`"`, "spam", "true")
		w.Patch(path, `{"spam":false}`).Want(200)
		if got := w.Get("/v1/public/conversations").Want(200).IDs(); got[0] != spam {
			t.Errorf("after the mark is off, the list begins with %v", got)
		}
	})
}
