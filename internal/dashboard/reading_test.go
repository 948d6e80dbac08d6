package dashboard_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
)

// unread returns what a member has not read: new conversations, marked ones,
// and their number.
func (w *world) unread(of parley.Token) (fresh, marked []string, toRead string) {
	w.T.Helper()
	list := w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/unread", Session: of}).Want(200)
	ids := func(name string) []string {
		var all []string
		for i := range list.Count(name) {
			all = append(all, list.Text(name+"."+string(rune('0'+i))))
		}
		slices.Sort(all)
		return all
	}
	counts := w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/counts", Session: of}).Want(200)
	return ids("new"), ids("marked"), fmt.Sprint(counts.Field("toRead"))
}

// TestUnreadOfMembers reads, answers and marks conversations as two members.
// Only an answer affects the other member: it marks the conversation as read
// for both.
func TestUnreadOfMembers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, ann := w.member(parley.Agent)
		bo, boToken := w.member(parley.Agent)
		a, b := w.Conversation(), w.Conversation()
		post := func(of parley.Token, path, body string) {
			t.Helper()
			w.Advance(time.Second)
			if got := w.Send(apitest.Request{Method: "POST", Path: path, Body: body, Session: of}); got.Status >= 300 {
				t.Fatalf("%s: %d %s", path, got.Status, got.Body)
			}
		}
		asks := func(id string) {
			post("", "/v1/public/conversations/"+id+"/messages", `{"content":"x","role":"incoming"}`)
		}
		check := func(name string, of parley.Token, fresh, marked []string, toRead string) {
			t.Helper()
			slices.Sort(fresh)
			gotFresh, gotMarked, gotToRead := w.unread(of)
			if !slices.Equal(gotFresh, fresh) || !slices.Equal(gotMarked, marked) || gotToRead != toRead {
				t.Errorf("%s: %v are new, %v marked, %s to be read; want %v, %v, %s", name, gotFresh, gotMarked, gotToRead, fresh, marked, toRead)
			}
		}
		check("nobody wrote", ann, nil, nil, "0")
		asks(a)
		asks(b)
		check("both ask", ann, []string{a, b}, nil, "2")
		post(ann, "/v1/dashboard/conversations/"+a+"/read", "")
		check("the one who read", ann, []string{b}, nil, "1")
		check("the other one", boToken, []string{a, b}, nil, "2")
		w.Get("/v1/public/conversations/"+a).Want(200).Is("unreadCount", "0")
		asks(a)
		check("asks again", ann, []string{a, b}, nil, "2")
		post("", "/v1/public/conversations/"+a+"/messages", `{"content":"old","role":"incoming","createdAt":"2020-01-01T00:00:00Z"}`)
		post(ann, "/v1/dashboard/conversations/"+a+"/read", "")
		post("", "/v1/public/conversations/"+a+"/messages", `{"content":"old","role":"incoming","createdAt":"2020-01-01T00:00:00Z"}`)
		check("a backfill", ann, []string{b}, nil, "1")
		w.Patch("/v1/public/conversations/"+b, `{"assigneeId":"`+string(bo.ID)+`"}`).Want(200)
		check("somebody else's", ann, []string{b}, nil, "0")
		check("their own", boToken, []string{a, b}, nil, "2")
		post(boToken, "/v1/public/conversations/"+b+"/messages", `{"content":"here you are"}`)
		check("answered", ann, nil, nil, "0")
		post(ann, "/v1/dashboard/conversations/"+a+"/unread", "")
		check("marked", ann, nil, []string{a}, "1")
		check("marked by somebody else", boToken, []string{a}, nil, "1")
		w.Patch("/v1/public/conversations/"+a, `{"status":"resolved"}`).Want(200)
		check("marked and resolved", ann, nil, []string{a}, "0")
		post(ann, "/v1/dashboard/conversations/"+a+"/read", "")
		check("read at last", ann, nil, nil, "0")
		w.Post("/v1/dashboard/conversations/0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01/unread", "").Refused(404, "no such conversation in this workspace")
	})
}

// TestReadingIsToldToOneMember listens as two members while one of them reads.
func TestReadingIsToldToOneMember(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		_, ann := w.member(parley.Agent)
		_, bo := w.member(parley.Agent)
		id := w.Conversation()
		tab, other := w.follow(t, s, "/v1/dashboard/events", string(ann)), w.follow(t, s, "/v1/dashboard/events", string(bo))
		// Signals reach streams that keep up, such as those that have received
		// an event.
		w.Post("/v1/public/conversations/"+id+"/messages", `{"content":"x"}`).Want(201)
		tab.Is("message.created")
		other.Is("message.created")
		w.Advance(time.Second)
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/conversations/" + id + "/unread", Session: ann}).Want(200)
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/conversations/" + id + "/read", Session: ann}).Want(200)
		if got := tab.Is("reading"); got != `{"conversationId":"`+id+`","unread":true}` {
			t.Errorf("the tab hears %s", got)
		}
		if got := tab.Is("reading"); got != `{"conversationId":"`+id+`","unread":false}` {
			t.Errorf("the tab hears %s", got)
		}
		w.Post("/v1/public/conversations/"+id+"/messages", `{"content":"y"}`).Want(201)
		other.Is("message.created")
	})
}
