package dashboard_test

import (
	"testing"

	"parley/internal/apitest"
)

func threadSamples(w *world) map[string]func() apitest.Sample {
	path := func() string { return "/v1/dashboard/conversations/" + w.Conversation() + "/links" }
	return map[string]func() apitest.Sample{
		"listLinkedConversations": func() apitest.Sample { return apitest.NewSample(path(), "", 200) },
		"linkConversations":       func() apitest.Sample { return apitest.NewSample(path()+"/"+w.Conversation(), "", 200) },
		"unlinkConversations":     func() apitest.Sample { return apitest.NewSample(path()+"/"+w.Conversation(), "", 200) },
	}
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
