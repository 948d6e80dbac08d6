package widget_test

import (
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/customers"
	"parley/internal/store"
)

// countMoves counts the moves between companies that are noted of a contact.
func countMoves(w *world, contact string, n *int) func(*store.View) error {
	return func(v *store.View) error {
		id, _ := parley.ParseID(contact)
		moves, err := v.CompanyMoves(w.home.Workspace.ID, id, 100)
		*n = len(moves)
		return err
	}
}

func TestWidgetConfig(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/v1/widget/inboxes/" + w.inbox.String()
		w.send(request{method: "GET", path: path}).want(200).is("name", `"Home"`, "identity", `"optional"`, "team.0.name", `"owner"`)
		w.settings(`{"title":"Ask us","color":"#ABCDEF","position":"left","greeting":"","replyTime":"soon"}`)
		w.send(request{method: "GET", path: path}).want(200).is("title", `"Ask us"`, "color", `"#abcdef"`, "position", `"left"`, "greeting", `""`, "replyTime", `"soon"`)
		for _, inbox := range []string{w.home.Inbox.ID.String(), "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05"} {
			w.send(request{method: "GET", path: "/v1/widget/inboxes/" + inbox}).refused(404, "no such widget")
			w.start(map[string]string{"inboxId": inbox}).refused(404, "no such widget")
		}
	})
}

func TestIdentityModes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		good, bad := w.signed(claims("ada", "")), w.signed(claims("ada", ""))[1:]
		const refused = "the identity was not accepted"
		w.start(map[string]string{"identity": bad}).refused(401, refused)
		// A server that failed to sign renders nothing: no customer becomes a visitor by that.
		w.start(map[string]string{"identity": ""}).refused(401, refused)
		w.agentGet("/v1/dashboard/identity-rejections").want(200).is("data.0.reason", `"malformed: the token is empty; did your server sign it?"`)
		w.settings(`{"identity":"off"}`)
		got := w.start(map[string]string{"identity": good}).want(201).is("customer.identified", "false")
		if ignored := got.header.Get("Parley-Ignored"); ignored != "identity" {
			t.Errorf("Parley-Ignored is %q", ignored)
		}
		w.start(map[string]string{"identity": bad}).want(201)
		w.start(map[string]string{"identity": ""}).want(201)
		v := w.visitor()
		w.settings(`{"identity":"required"}`)
		v.get("session").refused(401, "the session has ended; start another one")
		w.start(map[string]string{}).refused(401, refused)
		w.start(map[string]string{"identity": bad}).refused(401, refused)
		w.start(map[string]string{"identity": good}).want(201).is("customer.identified", "true")
	})
}

// TestSessionsEnd is about the times of sessions.
func TestSessionsEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		short, v := w.login(claims("ada", "")), w.visitor() // the identity is valid for an hour
		w.advance(12 * time.Hour)
		short.get("session").want(200)
		w.advance(time.Hour + time.Second)
		short.get("session").refused(401, "the session has ended; start another one")
		v.get("session").want(200)
		v.begin("hello") // who writes nothing is forgotten after a day
		silent := w.visitor()
		for range 3 {
			w.advance(23 * time.Hour)
			silent.get("session").want(200)
		}
		w.advance(24*time.Hour + time.Second)
		silent.get("session").want(401)
		v.get("session").want(200)
		for range 3 { // a visitor's session lasts while it is used
			w.advance(29 * 24 * time.Hour)
			v.get("session").want(200)
		}
		w.advance(30*24*time.Hour + time.Second)
		v.get("session").want(401)
		if err := w.customers.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		c := w.visitor()
		w.send(request{method: "DELETE", path: "/v1/widget/session", token: c.token}).want(200).is("ended", "1")
		c.get("session").want(401)
	})
}

// TestRevokedKeyEndsSessions revokes the key that vouched for a customer, whose
// session and stream must end within a second.
func TestRevokedKeyEndsSessions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, v := w.login(claims("ada", "")), w.visitor()
		_, _, err := w.customers.CreateIdentityKey(t.Context(), w.by(), customers.NewIdentityKey{Kind: parley.SecretKey})
		if err != nil {
			t.Fatal(err)
		}
		eve := w.login(claims("eve", "")) // by the new one
		s := w.streaming(t)
		stream, visitors := ada.follow(t, s, ""), v.follow(t, s, "")
		ada.get("session").want(200)
		keys, err := w.customers.IdentityKeys(t.Context(), w.home.Workspace.ID)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := w.customers.RevokeIdentityKey(t.Context(), w.by(), keys[0].KID); err != nil {
			t.Fatal(err)
		}
		if kind, data := stream.next(); kind != "" {
			t.Errorf("the stream goes on: %s %s", kind, data)
		}
		for ada.get("session").status != 401 {
			if time.Since(began) > 10*time.Second {
				t.Fatal("the session goes on")
			}
		}
		if took := time.Since(began); took > 2*time.Second { // a second, and a slow machine
			t.Errorf("it took %s", took)
		}
		eve.get("session").want(200)
		id := v.begin("still here")
		if got := visitors.is("conversation.updated"); !strings.Contains(got, id) {
			t.Errorf("the visitor hears %s", got)
		}
	})
}
