package dashboard_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/desk"
)

// sees lets a member see the conversations of some inboxes.
func (w *world) sees(member parley.UserID, inboxes ...parley.ID) {
	w.T.Helper()
	change := access.MemberChange{}
	change.Access, change.InboxIDs = parley.Some(parley.AccessOwn), parley.Some(inboxes)
	if _, err := w.Access.UpdateMember(w.T.Context(), w.By(), member, change); err != nil {
		w.T.Fatal(err)
	}
}

// state returns the position of the state that a member loads.
func (w *world) state(session parley.Token) string {
	w.T.Helper()
	return w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/state", Session: session}).Want(200).Text("position")
}

// visible waits for the next frame that is neither withheld nor about a member.
func visible(s *apitest.Stream) (name, data string) {
	s.T.Helper()
	for {
		if name, data = s.Next(); name != "withheld" && !strings.HasPrefix(name, "member.") && !strings.HasPrefix(name, "contact.") {
			return name, data
		}
	}
}

// TestSightOfStreams moves a conversation into and out of what a member sees. The stream
// tells of it only meanwhile, and so do signals.
func TestSightOfStreams(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ann, annToken := w.member(parley.Agent)
		empty := w.NewInbox(desk.NewInbox{Name: "Empty", Channel: parley.ChannelAPI})
		w.sees(ann.ID, empty)
		id, other := w.Conversation(), w.Conversation()
		tab := w.follow(t, s, "/v1/dashboard/events?after="+w.state(annToken), string(annToken))
		w.Joined(tab, ann.ID)
		path, board := "/v1/public/conversations/"+id, "/v1/dashboard/conversations/"+id
		is := func(want, part string) {
			t.Helper()
			if name, data := visible(tab); name != want || !strings.Contains(data, part) {
				t.Fatalf("the stream tells %q %s, want %q with %s", name, data, want, part)
			}
		}
		signals := func() {
			t.Helper()
			w.Post("/v1/dashboard/presence", `{"conversationId":"`+id+`","typing":true}`).Want(200)
			var draft struct{ Version int64 }
			put := w.Send(apitest.Request{Method: "PUT", Path: board + "/draft", Body: `{"content":"x","version":0}`}).Want(200)
			if err := json.Unmarshal(put.Body, &draft); err != nil {
				t.Fatal(err)
			}
			w.Send(apitest.Request{Method: "PUT", Path: board + "/links/" + other}).Want(200)
			w.Delete(board + "/links/" + other).Want(200)
			w.Send(apitest.Request{Method: "PUT", Path: board + "/draft", Body: fmt.Sprintf(`{"content":"","version":%d}`, draft.Version)}).Want(200)
		}
		w.Post(path+"/messages", `{"content":"quetzal"}`).Want(201)
		signals()
		is("presence", `"conversationId":null`) // the owner is there, and not where
		w.Patch(path, `{"assigneeId":"`+string(ann.ID)+`"}`).Want(200)
		is("conversation.updated", id)
		w.Post(path+"/messages", `{"content":"hello"}`).Want(201)
		is("message.created", "hello")
		signals()
		is("presence", id)
		is("draft", id)
		is("draft", id) // the link is to one that the member does not see
		w.Patch(path, `{"assigneeId":null}`).Want(200)
		is("conversation.hidden", id)
		w.Post(path+"/messages", `{"content":"quetzal"}`).Want(201)

		made := w.Post("/v1/public/conversations", `{"contactId":"`+w.Contact(`{"name":"Bo"}`)+`","inboxId":"`+empty.String()+`"}`).Want(201).Text("id")
		is("conversation.created", made)
		team := w.Post("/v1/dashboard/teams", `{"name":"Second","color":"teal"}`).Want(201).Text("id")
		is("team.created", team)
		w.Patch(path, `{"teamId":"`+team+`"}`).Want(200)
		w.Patch("/v1/dashboard/teams/"+team, `{"memberIds":["`+string(ann.ID)+`"]}`).Want(200)
		is("", "") // the member sees others now, and the stream ends
	})
}

// TestSightReset resumes with positions from before and after a change of what a member
// sees, also right before it.
func TestSightReset(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ann, annToken := w.member(parley.Agent)
		inbox := w.NewInbox(desk.NewInbox{Name: "Mine", Channel: parley.ChannelAPI})
		resets := func(after string) bool {
			t.Helper()
			got := w.Send(apitest.Request{Method: "GET", Path: "/v1/public/events?after=" + after, Session: annToken}).Want(200)
			tab := w.follow(t, s, "/v1/dashboard/events?after="+after, string(annToken))
			defer tab.Close()
			w.Contact(`{"name":"Bo"}`) // which is told, if no reset is
			first, _ := tab.Next()
			listed := strings.Contains(string(got.Body), `"reset":true`)
			if streamed := first == "reset"; streamed != listed {
				t.Errorf("the list resets: %t, the stream begins with %s", listed, first)
			}
			return listed
		}
		for _, change := range []func(){
			func() { w.sees(ann.ID, inbox) },
			func() { w.sees(ann.ID) },
			func() {
				w.Patch("/v1/dashboard/members/"+string(ann.ID), `{"access":"all"}`).Want(200)
			},
		} {
			before := w.state(annToken)
			if resets(before) {
				t.Error("a member who sees what they saw must reload")
			}
			change()
			if !resets(before) {
				t.Error("a member who sees other conversations need not reload")
			}
			if resets(w.state(annToken)) {
				t.Error("a member who has reloaded must reload again")
			}
		}
	})
}

// TestSightRace takes conversations from a member while streams and lists read and others
// write. Nothing that was written afterwards reaches the member.
func TestSightRace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ann, annToken := w.member(parley.Agent)
		inbox := w.NewInbox(desk.NewInbox{Name: "Mine", Channel: parley.ChannelAPI})
		other := w.NewInbox(desk.NewInbox{Name: "Other", Channel: parley.ChannelAPI})
		path := "/v1/public/conversations/" + w.Post("/v1/public/conversations", `{"contactId":"`+w.Contact(`{"name":"Bo"}`)+`","inboxId":"`+inbox.String()+`"}`).Want(201).Text("id")
		node := w.Node()
		for round := range 6 {
			w.sees(ann.ID, inbox)
			tab := w.follow(t, s, "/v1/dashboard/events?after="+w.state(annToken), string(annToken))
			w.Joined(tab, ann.ID)
			secret := fmt.Sprintf("quetzal%d", round)
			var running sync.WaitGroup
			running.Go(func() {
				for i := range 5 {
					w.Post(path+"/messages", fmt.Sprintf(`{"content":"open %d"}`, i)).Want(201)
				}
			})
			w.sees(ann.ID, other)
			w.Post(path+"/messages", `{"content":"`+secret+`"}`).Want(201)
			for _, r := range []apitest.Request{
				{Method: "GET", Path: path, Session: annToken}, {Method: "GET", Path: "/v1/public/events", Session: annToken},
				{Method: "GET", Path: "/v1/public/conversations", Session: annToken},
			} {
				// The other node remembers the session as it was.
				if got := w.SendTo(node, r); strings.Contains(string(got.Body), secret) {
					t.Errorf("%s gives away: %s", r.Path, got.Body)
				}
			}
			running.Wait()
			for {
				name, data := tab.Next()
				if name == "" {
					break
				}
				if strings.Contains(data, secret) {
					t.Errorf("the stream gives away: %s", data)
				}
			}
		}
	})
}
