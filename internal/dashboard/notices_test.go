package dashboard_test

import (
	"fmt"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
)

func noticeSamples(w *world) map[string]func() apitest.Sample {
	sample := func(path, body string) func() apitest.Sample {
		return func() apitest.Sample { return apitest.NewSample("/v1/dashboard/"+path, body, 200) }
	}
	of := func(path string) func() apitest.Sample {
		return func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/conversations/"+w.Conversation()+"/"+path, "", 200)
		}
	}
	return map[string]func() apitest.Sample{
		"listNotices": sample("notices", ""), "readNotices": sample("notices/read", `{"all":true}`),
		"getNoticePreferences": sample("notice-preferences", ""), "updateNoticePreferences": sample("notice-preferences", `{"mailDelay":"4h"}`),
		"listFollowers": of("followers"), "followConversation": of("follow"), "unfollowConversation": of("follow"),
	}
}

// TestNotices tells two members what concerns them, and nobody what they did
// themselves.
func TestNotices(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ann, annToken := w.member(parley.Agent)
		bo, boToken := w.member(parley.Agent)
		id := w.Conversation()
		path := "/v1/public/conversations/" + id
		as := func(who parley.Token, method, path, body string) apitest.Answer {
			w.Advance(time.Millisecond)
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: who})
		}
		list := func(who parley.Token) apitest.Answer {
			t.Helper()
			if err := w.Notices.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			return as(who, "GET", "/v1/dashboard/notices", "").Want(200)
		}
		tells := func(who parley.Token, unread int, want ...string) {
			t.Helper()
			got := list(who).Is("unread", fmt.Sprint(unread))
			if got.Count("data") != len(want) {
				t.Fatalf("the notices are %s, want %q", got.Body, want)
			}
			for i, want := range want {
				at := fmt.Sprintf("data.%d.", i)
				if is := fmt.Sprintf("%s by %s %s: %v×%s", got.Text(at+"kind"), got.Text(at+"actor.type"), got.Text(at+"actor.name"), got.Field(at+"count"), got.Text(at+"text")); is != want {
					t.Errorf("notice %d is %q, want %q", i, is, want)
				}
			}
		}
		list(annToken) // the follower begins
		stream := w.follow(t, s, "/v1/dashboard/events?types=contact.created", string(boToken))
		w.Joined(stream, bo.ID)

		// Ann names Bo, who follows from now on.
		as(annToken, "POST", path+"/messages", `{"content":"Bo?","isPrivate":true,"mentions":["`+string(bo.ID)+`"]}`).Want(201)
		tells(boToken, 1, "mentioned by member "+ann.Name+": 1×Bo?")
		stream.Is("notice")
		tells(annToken, 0)
		list(boToken).Is("following", `["`+id+`"]`)
		as(annToken, "GET", "/v1/dashboard/conversations/"+id+"/followers", "").Want(200).Is("memberIds", `["`+string(bo.ID)+`"]`)
		as(annToken, "PUT", "/v1/dashboard/conversations/"+id+"/follow", "").Want(200).Is("memberIds", `["`+string(bo.ID)+`","`+string(ann.ID)+`"]`)

		// The customer's messages of one while are one notice; the text is that of the last.
		w.Post(path+"/messages", `{"content":"Hello?","role":"incoming"}`).Want(201)
		tells(boToken, 2, "answered by customer : 1×Hello?", "mentioned by member "+ann.Name+": 1×Bo?")
		as(annToken, "PATCH", path, `{"assigneeId":"`+string(bo.ID)+`"}`).Want(200)
		w.Advance(time.Millisecond)
		w.Post(path+"/messages", `{"content":"Anybody?","role":"incoming"}`).Want(201)
		tells(boToken, 3, "answered by customer : 2×Anybody?", "assigned by member "+ann.Name+": 1×", "mentioned by member "+ann.Name+": 1×Bo?")

		// Reading some, and then answering, which reads all of the conversation.
		first := list(boToken).Text("data.2.id")
		as(boToken, "POST", "/v1/dashboard/notices/read", `{"ids":["`+first+`"]}`).Want(200).Is("unread", "2")
		stream.Is("notice")
		as(annToken, "POST", "/v1/dashboard/notices/read", `{"ids":["`+first+`"]}`).Want(200).Is("unread", "1")
		as(boToken, "POST", path+"/messages", `{"content":"Yes.","agentUserId":"`+string(bo.ID)+`"}`).Want(201)
		tells(boToken, 0, "answered by customer : 2×Anybody?", "assigned by member "+ann.Name+": 1×", "mentioned by member "+ann.Name+": 1×Bo?")
		tells(annToken, 1, "answered by member "+bo.Name+": 3×Yes.")

		// Looking into the conversation reads, too; who has left it hears nothing.
		as(annToken, "POST", "/v1/dashboard/conversations/"+id+"/read", "").Want(200)
		tells(annToken, 0, "answered by member "+bo.Name+": 3×Yes.")
		as(annToken, "DELETE", "/v1/dashboard/conversations/"+id+"/follow", "").Want(200).Is("memberIds", `["`+string(bo.ID)+`"]`)
		w.Post(path+"/messages", `{"content":"Thanks","role":"incoming"}`).Want(201)
		tells(annToken, 0, "answered by member "+bo.Name+": 3×Yes.")
		as(annToken, "PUT", "/v1/dashboard/conversations/"+id+"/follow", "").Want(200).Is("memberIds", `["`+string(bo.ID)+`","`+string(ann.ID)+`"]`)
		w.Post(path+"/messages", `{"content":"Bye","role":"incoming"}`).Want(201)
		tells(annToken, 1, "answered by customer : 1×Bye", "answered by member "+bo.Name+": 3×Yes.")
		as(annToken, "POST", "/v1/dashboard/notices/read", `{"all":true}`).Want(200).Is("unread", "0")

		for _, body := range []string{`{}`, `{"all":false}`, `{"ids":["` + first + `"],"all":true}`} {
			as(annToken, "POST", "/v1/dashboard/notices/read", body).Refused(400, "ids: must be given, unless all is true")
		}
		as(annToken, "POST", "/v1/dashboard/notices/read", `{"ids":[]}`).Refused(400, "ids: must be an array of 1 to 200 items")
		for method, path := range map[string]string{"GET": "followers", "PUT": "follow", "DELETE": "follow"} {
			as(annToken, method, "/v1/dashboard/conversations/0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01/"+path, "").Refused(404, "no such conversation in this workspace")
		}

		// A conversation takes its notices with it, and so does spam for a while.
		w.Patch(path, `{"spam":true}`).Want(200)
		tells(boToken, 0)
		w.Patch(path, `{"spam":false}`).Want(200)
		if list(boToken).Count("data") == 0 {
			t.Error("the notices of a conversation that is no spam are gone")
		}
		w.Delete("/v1/dashboard/members/" + string(ann.ID)).Want(200)
		as(boToken, "GET", "/v1/dashboard/conversations/"+id+"/followers", "").Want(200).Is("memberIds", `["`+string(bo.ID)+`"]`)
	})
}
