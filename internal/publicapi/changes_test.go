package publicapi_test

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"parley/internal/apitest"
)

// TestWaiting checks since when customers wait, at second n after step n.
func TestWaiting(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.Conversation()
		messages := "/v1/public/conversations/" + c + "/messages"
		owner := string(w.Home.Owner.ID)
		for _, step := range []struct {
			name, method, path, body string
			since                    string // "" is nobody waits
		}{
			{"nobody wrote", "GET", "/v1/public/conversations/" + c, "", ""},
			{"the company wrote", "POST", messages, `{"content":"x"}`, ""},
			{"an old question", "POST", messages, `{"content":"x","role":"incoming","createdAt":"2020-01-01T00:00:00Z"}`, ""},
			{"a question", "POST", messages, `{"content":"x","role":"incoming"}`, "04"},
			{"another one", "POST", messages, `{"content":"x","role":"incoming"}`, "04"},
			{"a note", "POST", messages, `{"content":"x","isPrivate":true,"agentUserId":"` + owner + `"}`, "04"},
			{"an old answer", "POST", messages, `{"content":"x","agentUserId":"` + owner + `","createdAt":"2020-01-01T00:00:01Z"}`, "04"},
			{"waiting for somebody else", "PATCH", "/v1/public/conversations/" + c, `{"status":"pending"}`, "04"},
			{"an answer", "POST", messages, `{"content":"x","agentUserId":"` + owner + `"}`, ""},
			{"a question opens", "POST", messages, `{"content":"x","role":"incoming"}`, "10"},
			{"an answer of the bot", "POST", messages, `{"content":"x"}`, ""},
			{"a last question", "POST", messages, `{"content":"x","role":"incoming"}`, "12"},
			{"done", "PATCH", "/v1/public/conversations/" + c, `{"status":"resolved"}`, ""},
			{"not done", "PATCH", "/v1/public/conversations/" + c, `{"status":"open"}`, ""},
		} {
			w.Advance(time.Second)
			w.Send(apitest.Request{Method: step.method, Path: step.path, Body: step.body})
			want := "null"
			if step.since != "" {
				want = `"2026-11-21T10:00:` + step.since + `.000Z"`
			}
			w.Run(t, step.name, func(*testing.T) { w.Get("/v1/public/conversations/"+c).Want(200).Is("waitingSince", want) })
		}
		position := ""
		if told := w.events(&position); !slices.Contains(told, "conversation.updated status,waitingSince") {
			t.Errorf("no event tells that resolving ended the wait: %q", told)
		}
	})
}

// TestWaitingLongest lists waiting customers, longest first, page by page, with
// the filters of the other lists.
func TestWaitingLongest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a, b, c, silent := w.Conversation(), w.Conversation(), w.Conversation(), w.Conversation()
		say := func(id, body string) {
			w.Advance(time.Second)
			w.Post("/v1/public/conversations/"+id+"/messages", body).Want(201)
		}
		const asks, answers = `{"content":"x","role":"incoming"}`, `{"content":"x"}`
		for _, id := range []string{b, c, a, b, c} {
			say(id, asks)
		}
		say(silent, answers)
		check := func(name, query string, want ...string) {
			t.Helper()
			var got []string
			for cursor := ""; ; {
				page := w.Get("/v1/public/conversations?limit=2&order=waiting" + query + "&cursor=" + cursor).Want(200)
				got = append(got, page.IDs()...)
				if cursor = page.Text("next_cursor"); cursor == "" {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v wait, want %v", name, got, want)
			}
		}
		check("all", "", b, c, a)
		w.Patch("/v1/public/conversations/"+c, `{"status":"pending","labels":["vip"]}`).Want(200)
		check("open ones", "&status=open", b, a)
		check("with a label", "&label=vip", c)
		check("of nobody", "&assigneeId=none", b, c, a)
		check("resolved ones", "&status=resolved")
		say(b, answers)
		say(b, asks)
		check("answered and asking again", "", c, a, b)
		w.Get("/v1/public/conversations?order=waiting&updatedSince=2026-11-21T00:00:00Z").Refused(400, "order: must not be waiting with updatedSince")
		w.Get("/v1/public/conversations?order=asc").Refused(400, "order: must be one of activity, waiting")
		cursor := w.Get("/v1/public/conversations?limit=1&order=waiting").Want(200).Text("next_cursor")
		w.Get("/v1/public/conversations?limit=1&cursor=" + cursor).Want(400)
	})
}

// TestPolling continues from the last updatedAt seen, while the clock jumps
// back.
func TestPolling(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		since := "2026-11-21T00:00:00.000Z"
		poll := func(limit string) []string {
			var found []string
			query := "/v1/public/conversations?limit=" + limit + "&updatedSince=" + url.QueryEscape(since)
			for cursor := ""; ; {
				page := w.Get(query + "&cursor=" + cursor).Want(200)
				for i, id := range page.IDs() {
					at := page.Text("data." + string(rune('0'+i)) + ".updatedAt")
					if at < since {
						t.Fatalf("a change of %s comes behind one of %s", at, since)
					}
					if since = at; !slices.Contains(found, id) {
						found = append(found, id)
					}
				}
				if cursor = page.Text("next_cursor"); cursor == "" {
					return found
				}
			}
		}
		check := func(name string, limit string, want ...string) {
			t.Helper()
			if got := poll(limit); !slices.Equal(got, want) {
				t.Errorf("%s: the poll gave %v, want %v", name, got, want)
			}
		}
		a, b, c := w.Conversation(), w.Conversation(), w.Conversation()
		check("all", "2", a, b, c)
		check("nothing new", "2", c)
		w.Post("/v1/public/conversations/"+a+"/messages", `{"content":"x","role":"incoming","createdAt":"2020-01-01T00:00:00Z"}`).Want(201)
		check("a backfill", "1", c, a)
		w.Advance(-time.Hour)
		w.Patch("/v1/public/conversations/"+b, `{"priority":"low"}`).Want(200)
		check("a clock that went back", "1", a, b)
		w.Post("/v1/public/conversations/"+c+"/messages", `{"content":"x"}`).Want(201)
		w.Post("/v1/public/conversations/"+b+"/messages", `{"content":"x"}`).Want(201)
		check("messages", "1", c, b)
		w.Advance(3 * time.Hour)
		w.Post("/v1/public/conversations/"+c+"/messages", `{"content":"x"}`).Want(201)
		check("a clock that went on", "9", b, c)
		if since != "2026-11-21T12:00:00.000Z" {
			t.Errorf("the last change is of %s, want that of the clock", since)
		}
		plain := w.Get("/v1/public/conversations?limit=1").Want(200).Text("next_cursor")
		changes := w.Get("/v1/public/conversations?limit=1&updatedSince=2026-11-21T00:00:00Z").Want(200).Text("next_cursor")
		for _, query := range []string{
			"updatedSince=2026-11-21T00:00:00Z&cursor=" + plain, "cursor=" + changes, "updatedSince=2026-11-21T00:00:01Z&cursor=" + changes,
		} {
			w.Get("/v1/public/conversations?limit=1&" + query).Want(400)
		}
	})
}
