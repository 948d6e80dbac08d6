package widget_test

import (
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/customers"
	"parley/internal/store"
)

// countMoves returns the number of a contact's recorded moves between
// companies.
func countMoves(w *world, contact string, n *int) func(*store.View) error {
	return func(v *store.View) error {
		id, _ := parley.ParseID(contact)
		moves, err := customers.SelectCompanyMoves(v, w.Home.Workspace.ID, id, 100)
		*n = len(moves)
		return err
	}
}

func TestWidgetConfig(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/v1/widget/inboxes/" + w.inbox.String()
		w.Send(apitest.Request{Method: "GET", Path: path}).Want(200).Is("name", `"Home"`, "identity", `"optional"`, "team.0.name", `"owner"`)
		w.settings(`{"title":"Ask us","color":"#ABCDEF","position":"left","greeting":"","replyTime":"soon"}`)
		w.Send(apitest.Request{Method: "GET", Path: path}).Want(200).Is("title", `"Ask us"`, "color", `"#abcdef"`, "position", `"left"`, "greeting", `""`, "replyTime", `"soon"`)
		for _, inbox := range []string{w.Home.Inbox.ID.String(), "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05"} {
			w.Send(apitest.Request{Method: "GET", Path: "/v1/widget/inboxes/" + inbox}).Refused(404, "no such widget")
			w.start(map[string]string{"inboxId": inbox}).Refused(404, "no such widget")
		}
	})
}

func TestIdentityModes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		good, bad := w.signed(claims("ada", "")), w.signed(claims("ada", ""))[1:]
		const refused = "the identity was not accepted"
		w.start(map[string]string{"identity": bad}).Refused(401, refused)
		// A server that failed to sign sends null, which must not turn a
		// customer into a visitor.
		w.start(map[string]string{"identity": ""}).Refused(401, refused)
		w.agentGet("/v1/dashboard/identity-rejections").Want(200).Is("data.0.reason", `"malformed: the token is empty; did your server sign it?"`)
		w.settings(`{"identity":"off"}`)
		got := w.start(map[string]string{"identity": good}).Want(201).Is("customer.identified", "false")
		if ignored := got.Header.Get("Parley-Ignored"); ignored != "identity" {
			t.Errorf("Parley-Ignored is %q", ignored)
		}
		w.start(map[string]string{"identity": bad}).Want(201)
		w.start(map[string]string{"identity": ""}).Want(201)
		v := w.visitor()
		w.settings(`{"identity":"required"}`)
		v.get("session").Refused(401, "the session has ended; start another one")
		w.start(map[string]string{}).Refused(401, refused)
		w.start(map[string]string{"identity": bad}).Refused(401, refused)
		w.start(map[string]string{"identity": good}).Want(201).Is("customer.identified", "true")
	})
}

// TestSessionsEnd checks the lifetimes of sessions.
func TestSessionsEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		short, v := w.login(claims("ada", "")), w.visitor() // the identity is valid for an hour
		w.Advance(12 * time.Hour)
		short.get("session").Want(200)
		w.Advance(time.Hour + time.Second)
		short.get("session").Refused(401, "the session has ended; start another one")
		v.get("session").Want(200)
		v.begin("hello") // a visitor who writes nothing is deleted after a day
		silent := w.visitor()
		for range 3 {
			w.Advance(23 * time.Hour)
			silent.get("session").Want(200)
		}
		w.Advance(24*time.Hour + time.Second)
		silent.get("session").Want(401)
		v.get("session").Want(200)
		for range 3 { // a visitor's session lasts while it is used
			w.Advance(29 * 24 * time.Hour)
			v.get("session").Want(200)
		}
		w.Advance(30*24*time.Hour + time.Second)
		v.get("session").Want(401)
		w.Expire()
		c := w.visitor()
		w.Send(apitest.Request{Method: "DELETE", Path: "/v1/widget/session", Bearer: string(c.token)}).Want(200).Is("ended", "1")
		c.get("session").Want(401)
	})
}

// TestRevokedKeyEndsSessions revokes the key that vouched for a customer, whose
// session and stream must end. TestAccessEndsWithinASecond in live checks the
// time.
func TestRevokedKeyEndsSessions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, v := w.login(claims("ada", "")), w.visitor()
		_, _, err := w.Customers.CreateIdentityKey(t.Context(), w.By(), customers.NewIdentityKey{Kind: parley.SecretKey})
		if err != nil {
			t.Fatal(err)
		}
		eve := w.login(claims("eve", "")) // by the new one
		s := w.Serve(t)
		stream, visitors := ada.follow(t, s, ""), v.follow(t, s, "")
		ada.get("session").Want(200)
		keys, err := w.Customers.IdentityKeys(w.Home.Workspace.ID).Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Customers.RevokeIdentityKey(t.Context(), w.By(), keys[0].KID); err != nil {
			t.Fatal(err)
		}
		if kind, data := stream.Next(); kind != "" {
			t.Errorf("the stream goes on: %s %s", kind, data)
		}
		w.Advance(time.Second)
		ada.get("session").Want(401)
		eve.get("session").Want(200)
		id := v.begin("still here")
		if got := visitors.Is("conversation.updated"); !strings.Contains(got, id) {
			t.Errorf("the visitor hears %s", got)
		}
	})
}
