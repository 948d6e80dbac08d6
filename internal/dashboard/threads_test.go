package dashboard_test

import (
	"strings"
	"testing"
	"time"

	"parley/internal/apitest"
)

func threadSamples(w *world) map[string]func() apitest.Sample {
	path := func() string { return "/v1/dashboard/conversations/" + w.Conversation() + "/links" }
	return map[string]func() apitest.Sample{
		"listLinkedConversations": func() apitest.Sample { return apitest.NewSample(path(), "", 200) },
		"linkConversations":       func() apitest.Sample { return apitest.NewSample(path()+"/"+w.Conversation(), "", 200) },
		"mergeConversations": func() apitest.Sample {
			from, into := twoOfOne(w)
			return apitest.NewSample("/v1/dashboard/conversations/"+from+"/merge", `{"intoId":"`+into+`"}`, 200)
		},
		"unmergeConversation": func() apitest.Sample {
			from, into := twoOfOne(w)
			w.Post("/v1/dashboard/conversations/"+from+"/merge", `{"intoId":"`+into+`"}`).Want(200)
			return apitest.NewSample("/v1/dashboard/conversations/"+from+"/unmerge", "", 200)
		},
		"splitConversation": func() apitest.Sample {
			id, messages := conversationOf(w, 2)
			return apitest.NewSample("/v1/dashboard/conversations/"+id+"/split", `{"messageId":"`+messages[1]+`"}`, 201)
		},
		"unlinkConversations": func() apitest.Sample { return apitest.NewSample(path()+"/"+w.Conversation(), "", 200) },
	}
}

// conversationOf returns a new conversation with some messages of its customer.
func conversationOf(w *world, n int) (id string, messages []string) {
	id = w.Conversation()
	for range n {
		w.Advance(time.Second)
		messages = append(messages, w.Post("/v1/public/conversations/"+id+"/messages", `{"content":"x","role":"incoming"}`).Want(201).Text("id"))
	}
	return id, messages
}

// twoOfOne returns two conversations of one contact.
func twoOfOne(w *world) (from, into string) {
	contact := w.Contact(`{"name":"Ann"}`)
	start := func() string {
		return w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"}`).Want(201).Text("id")
	}
	return start(), start()
}

// TestMergedConversations merges conversations by the API: the id of the merged one leads
// on, in reads as in writes, and the history of the other one names it.
func TestMergedConversations(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const board, public = "/v1/dashboard/conversations/", "/v1/public/conversations/"
		from, into := twoOfOne(w)
		merge := func(id, to string) apitest.Answer {
			return w.Post(board+id+"/merge", `{"intoId":"`+to+`"}`)
		}
		w.Post(public+from+"/messages", `{"content":"one","role":"incoming"}`).Want(201)
		merge(from, from).Refused(400, "intoId: must be another conversation")
		merge(from, w.Conversation()).Refused(409, "intoId: must be a conversation of the same contact; if both are one person, merge the contacts first")
		merge(from, into).Want(200).Is("id", `"`+into+`"`, "unreadCount", "1")
		merge(from, into).Refused(409, "the conversation was merged into "+into+" already; undo that first")
		w.Get(public+from).Want(200).Is("id", `"`+into+`"`, "messages.data.0.content", `"one"`)
		w.Post(public+from+"/messages", `{"content":"two"}`).Want(201).Is("conversationId", `"`+into+`"`)
		w.Patch(public+from, `{"priority":"high"}`).Want(200).Is("id", `"`+into+`"`)
		if list := w.Get("/v1/public/conversations").Want(200); list.Count("data") != 2 || strings.Contains(string(list.Body), `"id":"`+from+`"`) {
			t.Errorf("the list is %s", list.Body)
		}
		w.Get(public+from+"/history").Want(200).Is("data.1.changes.mergedFrom", `"`+from+`"`)
		w.Delete(board+from).Refused(409, "the conversation was merged into "+into+"; delete that one, or undo the merge first")
		w.Post(board+from+"/unmerge", "").Want(200).Is("id", `"`+from+`"`, "status", `"open"`, "mergedInto", "null")
		w.Post(board+from+"/unmerge", "").Refused(409, "the conversation is not merged into another one")
		w.Post(board+unknownID+"/unmerge", "").Refused(404, "no such conversation in this workspace")
		w.Get(public+from).Want(200).Is("id", `"`+from+`"`, "messages.data.0.content", `"one"`)
		w.Get(public+into).Want(200).Is("messages.data.0.content", `"two"`)
		merge(from, into).Want(200)
		w.Delete(board + into).Want(202)
		w.Get(public + from).Want(404)
	})
}

// TestLinkedConversations links conversations of different contacts. Both ends tell of
// the link, twice is once, and an erased conversation leaves none.
func TestLinkedConversations(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		_, token := w.member("agent")
		a, b, c := w.Conversation(), w.Conversation(), w.Conversation()
		tab := w.follow(t, s, "/v1/dashboard/events", string(token))
		w.Post("/v1/public/conversations/"+a+"/messages", `{"content":"x"}`).Want(201)
		tab.Is("message.created") // the stream stands: a signal sent before is lost
		path := func(of, to string) string { return "/v1/dashboard/conversations/" + of + "/links/" + to }
		put := func(of, to string) apitest.Answer { return w.Send(apitest.Request{Method: "PUT", Path: path(of, to)}) }
		linked := func(of string, to ...string) {
			t.Helper()
			got := w.Get("/v1/dashboard/conversations/" + of + "/links").Want(200)
			if got.Count("data") != len(to) {
				t.Fatalf("%d are linked, want %d: %s", got.Count("data"), len(to), got.Body)
			}
			for i, id := range to {
				got.Is([]string{"data.0.id", "data.1.id"}[i], `"`+id+`"`)
			}
		}
		hears := func(of, to string) {
			t.Helper()
			if got, want := tab.Is("link"), `{"conversationId":"`+of+`","otherId":"`+to+`"}`; got != want {
				t.Errorf("the signal is %s, want %s", got, want)
			}
		}
		put(a, b).Want(200).Is("data.0.id", `"`+b+`"`)
		hears(a, b)
		put(b, a).Want(200).Is("data.0.id", `"`+a+`"`) // as it is: no signal
		put(a, c).Want(200)
		hears(a, c)
		linked(a, c, b)
		linked(b, a)
		linked(c, a)
		w.Delete(path(b, a)).Want(200)
		hears(b, a)
		w.Delete(path(b, a)).Want(200)
		linked(a, c)
		linked(b)

		const unknown = "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01"
		put(a, a).Refused(400, "otherId: must be another conversation")
		put(a, unknown).Refused(404, "otherId: no such conversation in this workspace")
		put(unknown, a).Refused(404, "no such conversation in this workspace")
		w.Get("/v1/dashboard/conversations/" + unknown + "/links").Want(404)
		w.Delete(path(unknown, a)).Want(404)
		for range 19 {
			put(a, w.Conversation()).Want(200)
		}
		put(b, a).Refused(409, "one of the conversations has 20 links already")
		put(c, a).Want(200) // is there already
		linked(b)
	})
}
