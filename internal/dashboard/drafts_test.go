package dashboard_test

import (
	"fmt"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
)

func draftSamples(w *world) map[string]func() apitest.Sample {
	path := func() string { return "/v1/dashboard/conversations/" + w.Conversation() + "/draft" }
	return map[string]func() apitest.Sample{
		"listDrafts": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/drafts", "", 200) },
		"getDraft":   func() apitest.Sample { return apitest.NewSample(path(), "", 200) },
		"putDraft": func() apitest.Sample {
			return apitest.NewSample(path(), `{"content":"Thank you","version":0}`, 200)
		},
	}
}

// TestDrafts writes as two members, one of whom has two devices: nobody reads the
// other's words, no device overwrites the other's, and all hear when a draft begins
// and ends.
func TestDrafts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ann, annToken := w.member(parley.Agent)
		bo, boToken := w.member(parley.Agent)
		id := w.Conversation()
		path := "/v1/dashboard/conversations/" + id + "/draft"
		tab, other := w.follow(t, s, "/v1/dashboard/events", string(annToken)), w.follow(t, s, "/v1/dashboard/events", string(boToken))
		newest := w.Post("/v1/public/conversations/"+id+"/messages", `{"content":"x"}`).Want(201).Text("id")
		tab.Is("message.created")
		other.Is("message.created")
		w.Joined(tab, ann.ID)
		w.Joined(other, bo.ID)
		put := func(body string) apitest.Answer {
			w.Advance(time.Millisecond)
			return w.Send(apitest.Request{Method: "PUT", Path: path, Body: body, Session: annToken})
		}
		version := func(a apitest.Answer) string { return fmt.Sprintf("%.0f", a.Field("version")) }
		hears := func(follower interface{ Is(name string) string }, version string) {
			t.Helper()
			begun := `"2026-11-21T10:00:00`
			if version == "0" {
				begun = "null"
			}
			want := fmt.Sprintf(`{"conversationId":"%s","memberId":"%s","version":%s,"createdAt":%s`, id, ann.ID, version, begun)
			if got := follower.Is("draft"); len(got) < len(want) || got[:len(want)] != want {
				t.Errorf("the signal is %s, want %s…", got, want)
			}
		}
		put(`{"content":" ","version":0}`).Want(200).Is("version", "0")
		hears(tab, "0")
		first := version(put(`{"content":"Thank","begunId":"` + newest + `","version":0}`).Want(200))
		hears(tab, first)
		hears(other, first)
		second := version(put(`{"content":"Thank you","isPrivate":true,"attachmentIds":["` + newest + `"],"begunId":"` + newest + `","version":` + first + `}`).Want(200))
		hears(tab, second)
		put(`{"content":"Sorry","version":`+first+`}`).Refused(409, "version: must be that of the stored draft, which is "+second)
		put(`{"content":"Sorry","version":0}`).Want(409)

		as := func(who parley.Token, path string) apitest.Answer {
			return w.Send(apitest.Request{Method: "GET", Path: path, Session: who}).Want(200)
		}
		as(annToken, path).Is("content", `"Thank you"`, "isPrivate", "true", "begunId", `"`+newest+`"`, "attachmentIds.0", `"`+newest+`"`, "version", second)
		as(boToken, path).Is("content", `""`, "version", "0")
		as(annToken, "/v1/dashboard/drafts").Is("own.0.preview", `"Thank you"`, "own.0.version", second)
		if list := as(boToken, "/v1/dashboard/drafts"); list.Count("own") != 0 || list.Count("others") != 1 || list.Text("others.0.memberId") != string(ann.ID) {
			t.Errorf("Bo's list is %s", list.Body)
		}

		put(`{"content":"","version":`+second+`}`).Want(200).Is("version", "0")
		hears(tab, "0")
		hears(other, "0")
		put(`{"content":"x","version":`+second+`}`).Refused(409, "version: must be that of the stored draft, which is 0")
		put(`{"content":"x","version":-1,"attachmentIds":["a"]}`).Want(400)
		for method, body := range map[string]string{"GET": "", "PUT": `{"content":"x","version":0}`} {
			w.Send(apitest.Request{Method: method, Path: "/v1/dashboard/conversations/0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01/draft", Body: body}).
				Refused(404, "no such conversation in this workspace")
		}

		put(`{"content":"left behind","version":0}`).Want(200)
		w.Delete("/v1/dashboard/members/" + string(ann.ID)).Want(200)
		if list := as(boToken, "/v1/dashboard/drafts"); list.Count("others") != 0 {
			t.Errorf("a draft of a removed member stays: %s", list.Body)
		}
	})
}
