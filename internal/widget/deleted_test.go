package widget_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/internal/apitest"
)

// TestDeletedConversation deletes a conversation that a customer has open: the
// customer's page is told to read anew, finds it gone, and can begin another one.
// Other customers hear nothing of it.
func TestDeletedConversation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ada, eve := w.login(claims("ada", "ada@x.example")), w.login(claims("eve", "eve@x.example"))
		id := ada.begin("hello")
		hers, theirs := ada.follow(t, s, ""), eve.follow(t, s, "")
		w.asOwner(http.MethodDelete, "/v1/dashboard/conversations/"+id).Want(202)
		hers.Is("reset")
		ada.get("conversations/"+id).Refused(404, "no such conversation")
		next := ada.begin("hello again")
		if got := hers.Is("conversation.updated"); !strings.Contains(got, next) {
			t.Errorf("the stream tells %s", got)
		}
		own := eve.begin("me too")
		if got := theirs.Is("conversation.updated"); !strings.Contains(got, own) {
			t.Errorf("another customer's stream tells %s", got)
		}
	})
}

// TestErasedCustomer erases a customer who has the chat open: the stream and the
// session end, and the same identity begins a new contact.
func TestErasedCustomer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ada := w.login(claims("ada", "ada@x.example"))
		ada.begin("hello")
		stream := ada.follow(t, s, "")
		w.asOwner(http.MethodPost, "/v1/dashboard/contacts/"+ada.id+"/erasure").Want(202)
		for range 4 {
			w.Expire()
			w.Advance(3 * time.Second)
		}
		for name, _ := stream.Next(); name != ""; name, _ = stream.Next() {
			if name != "reset" {
				t.Errorf("the stream tells %s", name)
			}
		}
		ada.get("session").Want(401)
		if again := w.login(claims("ada", "ada@x.example")); again.id == ada.id {
			t.Error("the erased contact is back")
		}
	})
}

// asOwner sends a request of the owner without a body.
func (w *world) asOwner(method, path string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{Method: method, Path: path, Session: w.Owner})
}
