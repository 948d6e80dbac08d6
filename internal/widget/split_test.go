package widget_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSplitConversation splits a conversation of a customer who has the chat open: the page is
// told to read anew and sees both, each with its messages and with what is unread in it.
func TestSplitConversation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ada, eve := w.login(claims("ada", "ada@x.example")), w.login(claims("eve", "eve@x.example"))
		id := ada.begin("first")
		answer := func(content string) string {
			w.Advance(time.Second)
			return w.agentPost("/v1/public/conversations/"+id+"/messages", `{"content":"`+content+`"}`).Want(201).Text("id")
		}
		answer("an answer")
		ada.post("conversations/"+id+"/read", "").Want(200).Is("unreadCount", "0")
		w.Advance(time.Second)
		second := ada.post("conversations/"+id+"/messages", `{"content":"second"}`).Want(201).Text("id")
		answer("another answer")
		hers := ada.follow(t, s, "")
		w.asOwner(http.MethodGet, "/v1/public/conversations/"+id).Want(200)
		made := w.agentPost("/v1/dashboard/conversations/"+id+"/split", `{"messageId":"`+second+`"}`).Want(201).Text("id")
		if got := hers.Is("conversation.updated"); !strings.Contains(got, made) {
			t.Errorf("the stream tells %s", got)
		}
		hers.Is("reset")
		list := ada.get("conversations").Want(200)
		if list.Is("data.0.id", `"`+made+`"`, "data.0.unreadCount", "1", "data.0.lastMessage.content", `"another answer"`,
			"data.1.id", `"`+id+`"`, "data.1.unreadCount", "0", "data.1.lastMessage.content", `"an answer"`); list.Count("data") != 2 {
			t.Errorf("the customer sees %s", list.Body)
		}
		ada.get("conversations/"+made).Want(200).Is("messages.data.0.content", `"second"`, "messages.data.1.content", `"another answer"`)
		if rest := ada.get("conversations/" + id).Want(200); rest.Count("messages.data") != 2 {
			t.Errorf("what stayed is %s", rest.Body)
		}
		eve.get("conversations/"+made).Refused(404, "no such conversation")
		w.Advance(time.Second)
		ada.post("conversations/"+made+"/messages", `{"content":"third"}`).Want(201)
		if got := hers.Is("message.created"); !strings.Contains(got, `"conversationId":"`+made+`"`) {
			t.Errorf("the stream tells %s", got)
		}
	})
}
