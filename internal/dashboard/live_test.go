package dashboard_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/desk"
)

func TestState(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.Get("/v1/dashboard/state").Want(200)
		first.Is("workspace.name", `"Home"`, "member.email", `"owner@home.example"`, "member.role", `"owner"`)
		if first.Count("members") != 1 || first.Count("inboxes") != 1 || first.Count("products") != 0 {
			t.Errorf("the state is %s", first.Body)
		}
		w.Conversation()
		second := w.Get("/v1/dashboard/state").Want(200)
		if seqOf(second.Text("position")) != seqOf(first.Text("position"))+2 {
			t.Errorf("two events moved the position from %s to %s", first.Text("position"), second.Text("position"))
		}
	})
}

func TestCounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine, unassigned, pending, done := w.Conversation(), w.Conversation(), w.Conversation(), w.Conversation()
		w.Patch("/v1/public/conversations/"+mine, `{"assigneeId":"`+string(w.Home.Owner.ID)+`"}`).Want(200)
		w.Patch("/v1/public/conversations/"+pending, `{"status":"pending"}`).Want(200)
		w.Patch("/v1/public/conversations/"+done, `{"status":"resolved"}`).Want(200)
		w.Post("/v1/public/conversations/"+unassigned+"/messages", `{"content":"hi","role":"incoming"}`).Want(201)
		w.Get("/v1/dashboard/counts").Want(200).Is("open", "2", "pending", "1", "mine", "1", "unassigned", "1", "unread", "1", "waiting", "1", "toRead", "1")
		w.Patch("/v1/public/conversations/"+pending, `{"snoozedUntil":"`+w.Now().Add(time.Hour).Format(time.RFC3339)+`"}`).Want(200)
		w.Get("/v1/dashboard/counts").Want(200).Is("pending", "1", "snoozed", "1", "back", "0")
		w.Advance(time.Hour)
		w.Expire()
		w.Get("/v1/dashboard/counts").Want(200).Is("open", "3", "pending", "0", "snoozed", "0", "back", "1")
	})
}

// TestSpamCountsNowhere marks as spam what would be in every count, and unread.
func TestSpamCountsNowhere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		open, pending := w.Conversation(), w.Conversation()
		w.Patch("/v1/public/conversations/"+pending, `{"status":"pending"}`).Want(200)
		w.Post("/v1/public/conversations/"+open+"/messages", `{"content":"buy","role":"incoming"}`).Want(201)
		w.Get("/v1/dashboard/counts").Want(200).Is("open", "1", "pending", "1", "unread", "1", "waiting", "1", "toRead", "1")
		w.Get("/v1/dashboard/unread").Want(200).Is("new", `["`+open+`"]`)
		for _, id := range []string{open, pending} {
			w.Patch("/v1/public/conversations/"+id, `{"spam":true,"assigneeId":"`+string(w.Home.Owner.ID)+`"}`).Want(200)
		}
		w.Post("/v1/public/conversations/"+open+"/messages", `{"content":"buy now","role":"incoming"}`).Want(201)
		w.Get("/v1/dashboard/counts").Want(200).Is("open", "0", "pending", "0", "mine", "0", "unassigned", "0", "unread", "0", "waiting", "0", "toRead", "0")
		w.Get("/v1/dashboard/unread").Want(200).Is("new", "[]")
	})
}

func TestReadConversation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id, after := w.Conversation(), ""
		w.Post("/v1/public/conversations/"+id+"/messages", `{"content":"hi","role":"incoming"}`).Want(201)
		w.Events(&after)
		w.Post("/v1/dashboard/conversations/"+id+"/read", "").Want(200).Is("unreadCount", "0")
		w.Post("/v1/dashboard/conversations/"+id+"/read", "").Want(200).Is("unreadCount", "0")
		if got := strings.Join(w.Events(&after), "; "); got != "conversation.updated unreadCount" {
			t.Errorf("the events are %q", got)
		}
		w.Post("/v1/dashboard/conversations/0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01/read", "").Refused(404, "no such conversation in this workspace")
		w.Post("/v1/dashboard/conversations/x/read", "").Refused(400, "id: must be a UUID")
	})
}

// follow opens a stream with a session or, if there is none, a key.
func (w *world) follow(t *testing.T, s *httptest.Server, path, credential string) *apitest.Stream {
	t.Helper()
	return apitest.Follow(t, s.URL+path, func(r *http.Request) {
		if parley.Secret(credential).WellFormed() {
			apitest.SignBearer(r, credential)
		} else {
			apitest.SignSession(r, parley.Token(credential))
		}
	})
}

func TestStreams(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ann, annToken := w.member(parley.Agent)
		id := w.Conversation()
		position := w.Get("/v1/dashboard/state").Want(200).Text("position")
		board := w.follow(t, s, "/v1/dashboard/events?after="+position, string(annToken))
		public := w.follow(t, s, "/v1/public/events?types=message.created&after="+position, string(w.Home.Secret))
		w.Post("/v1/public/contacts", `{"name":"Bo"}`).Want(201)
		w.Post("/v1/public/conversations/"+id+"/messages", `{"content":"hi"}`).Want(201)
		board.Is("contact.created")
		for _, x := range []*apitest.Stream{board, public} {
			var e struct {
				Seq   int64
				Data  struct{ Content string }
				Moved struct{ UnreadCount int }
			}
			if err := json.Unmarshal([]byte(x.Is("message.created")), &e); err != nil {
				t.Fatal(err)
			}
			if e.Data.Content != "hi" || e.Seq != seqOf(position)+2 {
				t.Errorf("the event is %+v", e)
			}
		}
		// Signals reach members, but no readers with a key.
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/presence", Body: `{"conversationId":"` + id + `","typing":true}`, Session: annToken}).Want(200)
		if data := board.Is("presence"); data != `{"memberId":"`+string(ann.ID)+`","conversationId":"`+id+`","typing":true}` {
			t.Errorf("the signal is %s", data)
		}
		w.Post("/v1/public/conversations/"+id+"/messages", `{"content":"still here"}`).Want(201)
		public.Is("message.created")
	})
}

// TestAccessToStreamsEnds requires that a stream ends with its session, member
// or key, and that the counter that the hub reads four times a second changes.
// TestAccessEndsWithinASecond in live checks the time.
func TestAccessToStreamsEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		_, signedOut := w.member(parley.Agent)
		removed, removedToken := w.member(parley.Agent)
		_, stays := w.member(parley.Agent)
		ofOne, oneEnded := w.member(parley.Agent)
		ofOthers, otherEnded := w.member(parley.Agent)
		another, stayed := w.signIn(ofOne.ID), w.signIn(ofOthers.ID)
		ofAdmin, adminEnded := w.member(parley.Agent)
		rescoped := w.apiKey()
		for name, x := range map[string]struct {
			stream *apitest.Stream
			end    func()
		}{
			"signed out": {w.follow(t, s, "/v1/dashboard/events?types=number.created", string(signedOut)), func() {
				w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/session", Session: signedOut}).Want(200)
			}},
			"one ended": {w.follow(t, s, "/v1/dashboard/events?types=number.created", string(oneEnded)), func() {
				w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/sessions/" + w.sessionOf(oneEnded), Session: another}).Want(200)
			}},
			"others ended": {w.follow(t, s, "/v1/dashboard/events?types=number.created", string(otherEnded)), func() {
				w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/sessions/others", Session: stayed}).Want(200)
			}},
			"ended by an admin": {w.follow(t, s, "/v1/dashboard/events?types=number.created", string(adminEnded)), func() {
				w.Delete("/v1/dashboard/members/" + string(ofAdmin.ID) + "/sessions").Want(200)
			}},
			"removed": {w.follow(t, s, "/v1/dashboard/events?types=number.created", string(removedToken)), func() {
				w.Delete("/v1/dashboard/members/" + string(removed.ID)).Want(200)
			}},
			"revoked": {w.follow(t, s, "/v1/public/events?types=number.created", string(w.Home.Secret)), func() {
				w.Delete("/v1/dashboard/keys/" + w.Home.Key.ID.String()).Want(200)
			}},
			"rescoped": {w.follow(t, s, "/v1/public/events?types=number.created", rescoped.secret), func() {
				w.Patch("/v1/dashboard/keys/"+rescoped.id, `{"scopes":["contacts:read"]}`).Want(200)
			}},
		} {
			ends := w.accessEnds()
			x.end()
			if w.accessEnds() == ends {
				t.Errorf("%s: the hub is not told", name)
			}
			if kind, data := x.stream.Next(); kind != "" {
				t.Errorf("%s: the stream tells %s %s", name, kind, data)
			}
		}
		still := w.follow(t, s, "/v1/dashboard/events", string(stays))
		w.Contact(`{"name":"Cy"}`)
		for told := ""; told != "contact.created"; {
			if told, _ = still.Next(); told == "" {
				t.Fatal("the stream of a member who stays ends")
			}
		}
	})
}

// TestNothingAfterAccessEnds ends access and changes something at once: the stream
// must not report the change, whatever the hub polls meanwhile.
func TestNothingAfterAccessEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		_, signedOut := w.member(parley.Agent)
		removed, removedToken := w.member(parley.Agent)
		revoked, rescoped := w.apiKey(), w.apiKey()
		const members, keys = "/v1/dashboard/events?types=contact.created", "/v1/public/events?types=contact.created"
		for name, x := range map[string]struct {
			stream *apitest.Stream
			end    func()
		}{
			"signed out": {w.follow(t, s, members, string(signedOut)), func() {
				w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/session", Session: signedOut}).Want(200)
			}},
			"removed":  {w.follow(t, s, members, string(removedToken)), func() { w.Delete("/v1/dashboard/members/" + string(removed.ID)).Want(200) }},
			"revoked":  {w.follow(t, s, keys, revoked.secret), func() { w.Delete("/v1/dashboard/keys/" + revoked.id).Want(200) }},
			"rescoped": {w.follow(t, s, keys, rescoped.secret), func() { w.Patch("/v1/dashboard/keys/"+rescoped.id, `{"scopes":["companies:read"]}`).Want(200) }},
		} {
			w.Contact(`{"name":"Before ` + name + `"}`)
			for !strings.Contains(x.stream.Is("contact.created"), "Before "+name) { // of the cases before
			}
			x.end()
			w.Contact(`{"name":"After ` + name + `"}`)
			if kind, data := x.stream.Next(); kind != "" {
				t.Errorf("%s: the stream tells %s %s", name, kind, data)
			}
		}
	})
}

func TestStreamRefusals(t *testing.T) {
	w := onSQLite(t)
	for path, message := range map[string]string{
		"/v1/dashboard/events?after=x":                    "after: must be a next_cursor of the events or an id of the event stream",
		"/v1/dashboard/events?types=message.created,nope": "types: must be one of " + eventTypes(),
	} {
		w.Get(path).Refused(400, message)
	}
	w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/events", Header: http.Header{"Last-Event-Id": {"17"}}}).
		Refused(400, "Last-Event-ID: must be a next_cursor of the events or an id of the event stream")
}

// TestTooManyStreams opens more streams in one session than a node takes.
func TestTooManyStreams(t *testing.T) {
	w := onSQLite(t)
	s := w.Serve(t)
	_, token := w.member(parley.Agent)
	for range 200 {
		w.follow(t, s, "/v1/dashboard/events", string(token))
	}
	w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/events", Session: token}).
		Refused(429, "at most 200 streams may be open at once")
}

func eventTypes() string {
	names := make([]string, len(parley.EventTypes))
	for i, kind := range parley.EventTypes {
		names[i] = string(kind)
	}
	return strings.Join(names, ", ")
}

// TestStreamsAreTheirWorkspaces runs 50 workspaces under random traffic and
// revokes half of the keys: a stream shows exactly the events of its own
// workspace, in order, until its key ends.
func TestStreamsAreTheirWorkspaces(t *testing.T) {
	const workspaces, posts = 50, 600
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		all := make([]*tenant, workspaces)
		var readers sync.WaitGroup
		for i := range all {
			x := newTenant(w, i)
			all[i] = x
			key := w.follow(t, s, "/v1/public/events?after="+x.epoch+".0", string(x.Secret))
			session := w.follow(t, s, "/v1/dashboard/events?after="+x.epoch+".0", string(x.token))
			readers.Go(func() { x.read(key, x.dies) })
			readers.Go(func() { x.read(session, false) })
		}
		for range posts {
			x := all[rand.IntN(workspaces)]
			x.post()
			if x.dies && rand.IntN(8) == 0 {
				if _, err := w.Access.RevokeKey(t.Context(), desk.Caller{Workspace: x.Workspace.ID}, x.Key.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, x := range all {
			x.close()
		}
		readers.Wait()
	})
}

// A tenant is one of many workspaces. The content of its messages is its id.
type tenant struct {
	access.Founding
	w            *world
	token        parley.Token
	epoch        string
	conversation parley.ID
	dies         bool // its key is revoked at some point
}

func newTenant(w *world, i int) *tenant {
	w.T.Helper()
	founded, err := w.Access.CreateWorkspace(w.T.Context(), fmt.Sprint("Tenant ", i), "owner@tenant.example")
	if err != nil {
		w.T.Fatal(err)
	}
	x := &tenant{Founding: founded, w: w, epoch: founded.Workspace.Epoch, dies: i%2 == 0}
	by := desk.Caller{Workspace: founded.Workspace.ID}
	if _, x.token, err = w.Access.StartSession(w.T.Context(), by, founded.Owner.ID, "test"); err != nil {
		w.T.Fatal(err)
	}
	contact, err := w.Desk.SaveContact(w.T.Context(), by, desk.ContactFields{Name: parley.Some(founded.Workspace.ID.String())})
	if err != nil {
		w.T.Fatal(err)
	}
	c, err := w.Desk.CreateConversation(w.T.Context(), by, desk.NewConversation{ContactID: contact.Record.ID})
	if err != nil {
		w.T.Fatal(err)
	}
	x.conversation = c.ID
	return x
}

func (x *tenant) post() {
	_, err := x.w.Desk.PostMessage(x.w.T.Context(), desk.Caller{Workspace: x.Workspace.ID}, x.conversation, desk.NewMessage{
		Content: x.Workspace.ID.String(), ContentType: parley.Text, Direction: parley.Outgoing,
	})
	if err != nil {
		x.w.T.Error(err)
	}
}

// close renames the workspace, which is the signal to stop reading.
func (x *tenant) close() {
	if _, err := x.w.Access.RenameWorkspace(x.w.T.Context(), desk.Caller{Workspace: x.Workspace.ID}, "closed"); err != nil {
		x.w.T.Error(err)
	}
}

// read reads a stream until the workspace is closed or, if its key is revoked,
// the stream ends.
func (x *tenant) read(s *apitest.Stream, dies bool) {
	for seq := int64(1); ; seq++ {
		kind, data := s.Next()
		if kind == "" && dies || kind == "workspace.updated" {
			return
		}
		var e struct{ Seq int64 }
		if err := json.Unmarshal([]byte(data), &e); err != nil || e.Seq != seq {
			s.T.Errorf("after event %d comes %s %s (%v)", seq-1, kind, data, err)
			return
		}
		if strings.HasPrefix(kind, "message.") && !strings.Contains(data, x.Workspace.ID.String()) {
			s.T.Errorf("the stream of %s tells %s", x.Workspace.ID, data)
			return
		}
	}
}
