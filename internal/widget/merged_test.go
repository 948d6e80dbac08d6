package widget_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestMergedConversation merges two conversations of a customer who has the chat open: the
// page is told to read anew and sees one, with the messages of both; the id of the merged
// one leads there, in reads as in writes; and the undo shows both again.
func TestMergedConversation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ada, eve := w.login(claims("ada", "ada@x.example")), w.login(claims("eve", "eve@x.example"))
		from, into := ada.begin("first"), ada.begin("second")
		w.Advance(time.Second)
		w.agentPost("/v1/public/conversations/"+from+"/messages", `{"content":"an answer"}`).Want(201)
		hers := ada.follow(t, s, "")
		w.asOwner(http.MethodGet, "/v1/public/conversations/"+from).Want(200)
		merge := func(id, act, body string) {
			t.Helper()
			w.agentPost("/v1/dashboard/conversations/"+id+"/"+act, body).Want(200)
			hers.Is("reset")
		}
		merge(from, "merge", `{"intoId":"`+into+`"}`)
		list := ada.get("conversations").Want(200)
		if list.Is("data.0.id", `"`+into+`"`, "data.0.unreadCount", "1", "data.0.lastMessage.content", `"an answer"`); list.Count("data") != 1 {
			t.Errorf("the customer sees %s", list.Body)
		}
		for _, id := range []string{from, into} {
			thread := ada.get("conversations/" + id).Want(200)
			thread.Is("id", `"`+into+`"`, "messages.data.0.content", `"first"`, "messages.data.1.content", `"second"`, "messages.data.2.content", `"an answer"`)
			eve.get("conversations/"+id).Refused(404, "no such conversation")
		}
		w.Advance(time.Second)
		ada.post("conversations/"+from+"/messages", `{"content":"third"}`).Want(201)
		if got := hers.Is("message.created"); !strings.Contains(got, `"conversationId":"`+into+`"`) {
			t.Errorf("the stream tells %s", got)
		}
		ada.post("conversations/"+from+"/read", "").Want(200).Is("id", `"`+into+`"`, "unreadCount", "0")
		w.agentGet("/v1/public/conversations/"+into).Want(200).Is("messages.data.2.status", `"read"`)
		for _, name := range []string{"message.updated", "conversation.updated"} {
			if got := hers.Is(name); !strings.Contains(got, into) || strings.Contains(got, from) {
				t.Errorf("the stream tells %s", got)
			}
		}
		merge(from, "unmerge", "")
		ada.get("conversations/"+from).Want(200).Is("id", `"`+from+`"`, "lastMessage.content", `"an answer"`)
		ada.get("conversations/"+into).Want(200).Is("messages.data.1.content", `"third"`)
	})
}
