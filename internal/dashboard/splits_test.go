package dashboard_test

import (
	"strings"
	"testing"

	"parley/internal/apitest"
)

// TestSplitConversations splits a conversation by the API: the new one begins with the message,
// and both histories say so.
func TestSplitConversations(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const board, public = "/v1/dashboard/conversations/", "/v1/public/conversations/"
		id, messages := conversationOf(w, 3)
		split := func(id, message string) apitest.Answer {
			return w.Post(board+id+"/split", `{"messageId":"`+message+`"}`)
		}
		split(id, messages[0]).Refused(400, "messageId: must be a later message than the first one, because nothing would stay")
		split(id, "x").Refused(400, "messageId: must be a UUID")
		w.Post(board+id+"/split", `{}`).Refused(400, "messageId: must be given")
		split(id, unknownID).Refused(404, "messageId: no such message in this conversation")
		split(unknownID, messages[1]).Refused(404, "no such conversation in this workspace")
		end := w.Get("/v1/dashboard/state").Want(200).Text("position")
		made := split(id, messages[1]).Want(201).Is("splitFrom", `"`+id+`"`, "unreadCount", "2", "status", `"open"`).Text("id")
		w.Get("/v1/public/events?after="+end).Want(200).Is(
			"data.0.type", `"conversation.created"`, "data.0.data.unreadCount", "2", "data.0.cause", "null",
			"data.1.type", `"conversation.split"`, "data.1.conversationId", `"`+made+`"`, "data.1.data.id", `"`+made+`"`, "data.1.data.fromId", `"`+id+`"`, "data.1.data.messageId", `"`+messages[1]+`"`,
			"data.2.type", `"conversation.updated"`, "data.2.conversationId", `"`+id+`"`, "data.2.data.unreadCount", "1", "data.2.cause.type", `"conversation.split"`, "data.2.cause.id", `"`+made+`"`)
		w.Get(public+made).Want(200).Is("messages.data.0.id", `"`+messages[1]+`"`, "messages.data.1.id", `"`+messages[2]+`"`)
		if rest := w.Get(public + id).Want(200); rest.Count("messages.data") != 1 {
			t.Errorf("what stayed is %s", rest.Body)
		}
		w.Get("/v1/public/messages/"+messages[2]).Want(200).Is("conversationId", `"`+made+`"`)
		w.Get(public+id+"/history").Want(200).Is("data.1.changes.splitInto", `"`+made+`"`)
		w.Get(public+made+"/history").Want(200).Is("data.0.changes.splitFrom", `"`+id+`"`)
		w.Get(board+id+"/links").Want(200).Is("data.0.id", `"`+made+`"`)
		w.Get("/v1/public/conversations?include=lastMessage").Want(200).Is("data.0.lastMessage.id", `"`+messages[2]+`"`, "data.1.lastMessage.id", `"`+messages[0]+`"`)
		w.Post(board+made+"/merge", `{"intoId":"`+id+`"}`).Want(200).Is("unreadCount", "3")
		split(made, messages[2]).Want(201).Is("splitFrom", `"`+id+`"`) // its id leads there
	})
}

// TestSplitsInTheWay refuses splits of what must stay in one piece.
func TestSplitsInTheWay(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const board, public = "/v1/dashboard/conversations/", "/v1/public/conversations/"
		w.Post("/v1/dashboard/numbers", `{"phone":"4930555001","driver":"sandbox"}`).Want(201)
		group := w.Post("/v1/public/chatapp/groups", `{"name":"G","participants":["4915100000077"]}`).Want(201).Text("conversation_id")
		for range 2 {
			w.Post(public+group+"/messages", `{"content":"x"}`).Want(201)
		}
		messages := w.Get(public + group).Want(200)
		w.Post(board+group+"/split", `{"messageId":"`+messages.Text("messages.data.1.id")+`"}`).Refused(409, "a group cannot be split")
		id, written := conversationOf(w, 2)
		contact := w.Get(public + id).Want(200).Text("contact.id")
		w.Patch(public+id, `{"spam":true}`).Want(200)
		w.Post(board+id+"/split", `{"messageId":"`+written[1]+`"}`).Refused(409, "a conversation that is marked as spam cannot be split")
		w.Patch(public+id, `{"spam":false}`).Want(200)
		w.Post("/v1/dashboard/contacts/"+contact+"/erasure", "").Want(202)
		w.Post(board+id+"/split", `{"messageId":"`+written[1]+`"}`).Refused(409, "the conversation is being deleted")
	})
}

// TestSearchFollowsSplits finds messages in the conversation that they were split into, also if
// the index had not come to them, and in one that another split has put them into since.
func TestSearchFollowsSplits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.Conversation()
		w.message(id, "the umbrella", "")
		second := w.message(id, "another umbrella", "")
		third := w.message(id, "a third umbrella", "")
		w.indexed()
		late := w.message(id, "a late umbrella", "")
		split := func(id, message string) string {
			return w.Post("/v1/dashboard/conversations/"+id+"/split", `{"messageId":"`+message+`"}`).Want(201).Text("id")
		}
		one := split(id, second)
		two := split(one, third)
		check := func() {
			t.Helper()
			for in, want := range map[string]int{id: 1, one: 1, two: 2} {
				if got := w.search("umbrella", "conversationId="+in); len(got) != want {
					t.Errorf("in %s, the search finds %v, want %d", in, got, want)
				}
			}
			if got := w.search("umbrella"); len(got) != 4 {
				t.Errorf("the search finds %v", got)
			}
		}
		w.indexed()
		check()
		w.Post("/v1/dashboard/conversations/"+two+"/merge", `{"intoId":"`+id+`"}`).Want(200)
		if got := w.search("umbrella", "conversationId="+id); len(got) != 3 {
			t.Errorf("merged back, the search finds %v", got)
		}
		three := split(id, late)
		w.indexed()
		if got := w.search("umbrella", "conversationId="+three); len(got) != 1 {
			t.Errorf("split again, the search finds %v", got)
		}
	})
}

// TestErasureOfSplit deletes a conversation that was split from another one: the log and the
// stored answers do not tell of its messages, although those were written elsewhere and before.
func TestErasureOfSplit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.Conversation()
		w.message(id, "stays", "")
		request := apitest.Request{Method: "POST", Path: "/v1/public/conversations/" + id + "/messages", Body: `{"content":"secret"}`}
		request.Header = map[string][]string{"Idempotency-Key": {"one"}}
		message := w.Send(request).Want(201).Text("id")
		w.Advance(25 * 3600e9)
		w.message(id, "secret too", "")
		made := w.Post("/v1/dashboard/conversations/"+id+"/split", `{"messageId":"`+message+`"}`).Want(201).Text("id")
		w.confirm("", w.Home.OwnerPassword, "").Want(200)
		w.Delete("/v1/dashboard/conversations/" + made).Want(202)
		w.settle()
		log := string(w.Get("/v1/public/events?limit=200").Want(200).Body)
		if strings.Contains(log, "secret") || !strings.Contains(log, "stays") {
			t.Errorf("the log is %s", log)
		}
		if got := w.Send(request).Want(201); got.Text("id") == message {
			t.Errorf("the stored answer is %s", got.Body)
		}
		w.Get("/v1/public/conversations/" + id).Want(200)
	})
}
