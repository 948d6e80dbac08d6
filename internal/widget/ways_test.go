package widget_test

import (
	"testing"

	"parley/internal/apitest"
)

// TestWays requests the inboxes through which customers can be written to
// first. Those that lead to phones are in the dashboard's tests.
func TestWays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ways := func(contact string) apitest.Answer {
			return w.agentGet("/v1/dashboard/contacts/" + contact + "/ways").Want(200)
		}
		contact := func(body string) string { return w.agentPost("/v1/public/contacts", body).Want(201).Text("id") }
		nobody := contact(`{"name":"Nobody","email":"nobody@x.example"}`)
		ways(nobody).Is("data", "[]")
		// Through the API, where the contact has written before.
		conversation := w.agentPost("/v1/public/conversations", `{"contactId":"`+nobody+`"}`).Want(201).Text("id")
		path := "/v1/public/conversations/" + conversation + "/messages"
		w.agentPost(path, `{"content":"hello"}`).Want(201)
		ways(nobody).Is("data", "[]")
		w.agentPost(path, `{"content":"hi","role":"incoming"}`).Want(201)
		ways(nobody).Is("data.0.inbox.channelType", `"api"`, "data.0.phoneNumber", "null")
		into := contact(`{"name":"Into"}`)
		w.agentPost("/v1/dashboard/contacts/"+nobody+"/merge", `{"intoId":"`+into+`"}`).Want(200)
		for _, id := range []string{nobody, into} {
			ways(id).Is("data.0.inbox.channelType", `"api"`)
		}
		// On the web, as long as the session lasts.
		v := w.visitor()
		v.begin("hello")
		ways(v.contact().Text("id")).Is("data.0.inbox.id", `"`+w.inbox.String()+`"`, "data.0.inbox.channelType", `"web"`)
		ada := w.login(claims("ada", ""))
		ways(ada.id).Is("data.0.inbox.channelType", `"web"`)
		w.agentPost("/v1/dashboard/contacts/"+ada.id+"/sign-out", "").Want(200)
		ways(ada.id).Is("data", "[]")
	})
}
