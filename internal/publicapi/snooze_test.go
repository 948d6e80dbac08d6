package publicapi_test

import (
	"testing"
	"time"
)

// TestSnooze snoozes a conversation by the API: it opens by itself, and the next answer
// ends the time after it.
func TestSnooze(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contact := w.Contact(`{"name":"Ann"}`)
		known := map[string]string{"contact": contact}
		play(t, w, known, []step{
			{name: "create", path: "/conversations", body: `{"contactId":"{contact}"}`, status: 201, save: "c", is: []string{"snoozedUntil", "null", "wokeAt", "null"}, events: []string{"conversation.created"}},
			{name: "snooze", method: "PATCH", path: "/conversations/{c}", body: `{"snoozedUntil":"2026-11-21T10:30:00Z"}`, status: 200,
				is: []string{"status", `"pending"`, "snoozedUntil", `"2026-11-21T10:30:00.000Z"`}, events: []string{"conversation.updated status,snoozedUntil"}},
			{name: "the same", method: "PATCH", path: "/conversations/{c}", body: `{"snoozedUntil":"2026-11-21T10:30:00Z","status":"pending"}`, status: 200},
			{name: "written back", method: "PATCH", path: "/conversations/{c}", body: `{"status":"pending"}`, status: 200, is: []string{"snoozedUntil", `"2026-11-21T10:30:00.000Z"`}},
			{name: "with another status", method: "PATCH", path: "/conversations/{c}", body: `{"snoozedUntil":"2026-11-21T11:00:00Z","status":"open"}`, status: 400,
				error: "status: must be pending or absent beside snoozedUntil"},
		})
		w.Advance(time.Hour)
		w.Expire()
		play(t, w, known, []step{
			{name: "woken", method: "GET", path: "/conversations/{c}", status: 200, is: []string{"status", `"open"`, "snoozedUntil", "null", "wokeAt", `"2026-11-21T11:00:00.000Z"`}},
			{name: "answer", path: "/conversations/{c}/messages", body: `{"content":"Here I am."}`, status: 201, events: []string{"message.created"}},
			{name: "answered", method: "GET", path: "/conversations/{c}", status: 200, is: []string{"status", `"open"`, "wokeAt", "null"}},
			{name: "snooze again", method: "PATCH", path: "/conversations/{c}", body: `{"snoozedUntil":"2026-11-22T09:00:00+01:00"}`, status: 200,
				is: []string{"snoozedUntil", `"2026-11-22T08:00:00.000Z"`}, events: []string{"conversation.updated status,snoozedUntil"}},
			{name: "a question", path: "/conversations/{c}/messages", body: `{"content":"Hello?","role":"incoming"}`, status: 201,
				events: []string{"message.created", "conversation.updated status,snoozedUntil"}},
			{name: "null does nothing", method: "PATCH", path: "/conversations/{c}", body: `{"snoozedUntil":null}`, status: 200, is: []string{"status", `"open"`}},
			{name: "and again", method: "PATCH", path: "/conversations/{c}", body: `{"snoozedUntil":"2026-11-22T08:00:00Z"}`, status: 200, events: []string{"conversation.updated status,snoozedUntil"}},
			{name: "null wakes", method: "PATCH", path: "/conversations/{c}", body: `{"snoozedUntil":null}`, status: 200,
				is: []string{"status", `"open"`, "wokeAt", "null"}, events: []string{"conversation.updated status,snoozedUntil"}},
		})
	})
}

// TestSnoozeFarAndPast snoozes until times that are past, too far, or none.
func TestSnoozeFarAndPast(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	id := w.Post("/v1/public/conversations", `{"contactId":"`+w.Contact(`{"name":"Ann"}`)+`"}`).Want(201).Text("id")
	path := "/v1/public/conversations/" + id
	const far = "snoozedUntil: must be in the future, at most 400 days ahead"
	for _, text := range []string{"2026-11-21T10:00:00Z", "1970-01-02T00:00:00Z", "9999-12-31T23:59:59Z", w.Now().Add(400*24*time.Hour + time.Second).Format(time.RFC3339)} {
		w.Patch(path, `{"snoozedUntil":"`+text+`"}`).Refused(400, far)
	}
	for _, text := range []string{`"tomorrow"`, `5`, `"2026-11-31T10:00:00Z"`, `""`} {
		w.Patch(path, `{"snoozedUntil":`+text+`}`).Want(400)
	}
	w.Patch(path, `{"snoozedUntil":"`+w.Now().Add(400*24*time.Hour).Format(time.RFC3339)+`"}`).Want(200)
}
