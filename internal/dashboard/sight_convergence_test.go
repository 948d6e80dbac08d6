package dashboard_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
)

// seen reads a world as a member does, at one of its nodes.
type seen struct {
	w     *world
	node  http.Handler
	token parley.Token
}

func (s seen) read(path string) exchange {
	got := s.w.SendTo(s.node, apitest.Request{Method: http.MethodGet, Path: path, Session: s.token})
	if got.Status == http.StatusNotFound {
		return exchange{path, got.Header.Get("Parley-Position"), []byte("null")}
	}
	got.Want(200)
	return exchange{path, got.Header.Get("Parley-Position"), got.Body}
}

// follows brings a mirror of a member who sees some conversations forward. If the log says
// that the member must reload, it returns a new mirror. It counts such turns, and
// the conversations that left the view.
func (m *mirror) follows(from source, counts *turns) *mirror {
	for {
		var page struct {
			Data       []event
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
			Reset      bool
		}
		from.read("/v1/public/events?limit=200&after="+m.place).into(m.t, &page)
		if page.Reset {
			m = load(m.t, from)
			counts.resets++
			continue
		}
		for _, e := range page.Data {
			switch {
			case e.Type == "withheld":
				continue
			case e.Type == "conversation.hidden":
				counts.hidden++
				e.Type = "conversation.deleted" // for the page it is gone
			case strings.HasPrefix(e.Type, "message."), strings.HasPrefix(e.Type, "conversation."), strings.HasPrefix(e.Type, "scheduled_message."):
				m.missed(from, e.ConversationID)
			}
			m.apply(e)
		}
		if m.place = page.NextCursor; !page.HasMore {
			return m
		}
	}
}

// turns count how often something happened.
type turns struct{ resets, hidden int }

// limited removes what no event tells a member who sees some conversations: a message in
// another one moves the contact's last activity.
func (m *mirror) limited() *mirror {
	for _, r := range m.kinds["contact"] {
		r.value = maps.Clone(r.value)
		delete(r.value, "lastActivityAt")
	}
	return m
}

// shifts are changes of what a member sees, and moves of conversations into and out of it.
func (x *writing) shifts(member parley.UserID) (shifts, moves []func()) {
	send := func(method, path, body string) {
		got := x.w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: x.w.Owner})
		if got.Status >= 500 {
			x.w.T.Errorf("%s %s %s: %d %s", method, path, body, got.Status, got.Body)
		}
	}
	const board, public = "/v1/dashboard/", "/v1/public/"
	shifts = []func(){
		func() {
			send("PATCH", board+"members/"+string(member), `{"access":"own","inboxIds":["`+x.one("inbox")+`"]}`)
		},
		func() { send("PATCH", board+"members/"+string(member), `{"access":"own","inboxIds":[]}`) },
		func() { send("PATCH", board+"members/"+string(member), `{"access":"all"}`) },
		func() { send("PATCH", board+"teams/"+x.one("team"), `{"memberIds":["`+string(member)+`"]}`) },
		func() { send("PATCH", board+"teams/"+x.one("team"), `{"memberIds":[]}`) },
		func() { send("DELETE", board+"teams/"+x.one("team"), "") },
		func() {
			send("POST", board+"teams", `{"name":"`+x.unique()+`","color":"teal","memberIds":["`+string(member)+`"]}`)
		},
	}
	moves = []func(){
		func() {
			send("PATCH", public+"conversations/"+x.one("conversation"), `{"assigneeId":"`+string(member)+`"}`)
		},
		func() { send("PATCH", public+"conversations/"+x.one("conversation"), `{"assigneeId":null}`) },
		func() { send("PATCH", public+"conversations/"+x.one("conversation"), `{"teamId":"`+x.one("team")+`"}`) },
		func() { send("PATCH", public+"conversations/"+x.one("conversation"), `{"teamId":null}`) },
		func() {
			send("POST", public+"conversations", `{"contactId":"`+x.one("contact")+`","inboxId":"`+x.one("inbox")+`"}`)
		},
	}
	return shifts, moves
}

// TestSightAndEventsAreFreshState writes at random and shifts what members see, while they
// read at two nodes that remember sessions apart. At each point the state that a member
// loaded, brought forward by the log, equals what the server shows the member afresh.
func TestSightAndEventsAreFreshState(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		x := newWriting(w, rand.New(rand.NewPCG(rand.Uint64(), 1)))
		for range 3 {
			x.run("createTeam")
		}
		nodes := []http.Handler{w.Handler, w.Node()}
		members, sources, mirrors := make([]parley.Member, 2), make([]seen, 2), make([]*mirror, 2)
		for i := range members {
			m, token := w.member(parley.Agent)
			change := access.MemberChange{}
			change.Access, change.InboxIDs = parley.Some(parley.AccessOwn), parley.Some([]parley.ID{parseID(t, x.ids["inbox"][i])})
			if _, err := w.Access.UpdateMember(t.Context(), w.By(), m.ID, change); err != nil {
				t.Fatal(err)
			}
			members[i], sources[i] = m, seen{w, nodes[i], token}
			mirrors[i] = load(t, sources[i])
		}
		names := slices.Sorted(maps.Keys(x.operations()))
		var counts turns
		for round := range uint64(12) {
			var writers sync.WaitGroup
			for seed := range uint64(2) {
				writers.Go(func() {
					random := rand.New(rand.NewPCG(round, seed))
					for range 8 {
						shifts, moves := x.shifts(members[random.IntN(len(members))].ID)
						if random.IntN(8) == 0 { // otherwise they always reload
							shifts[random.IntN(len(shifts))]()
						}
						moves[random.IntN(len(moves))]()
						x.run(names[random.IntN(len(names))])
					}
				})
			}
			for i := range mirrors { // while they write
				mirrors[i] = mirrors[i].follows(sources[i], &counts)
			}
			writers.Wait()
			for i := range mirrors {
				mirrors[i] = mirrors[i].follows(sources[i], &counts)
				fresh := load(t, seen{w, nodes[1-i], sources[i].token})
				for _, difference := range mirrors[i].limited().differences(fresh.limited()) {
					t.Errorf("round %d, member %d: %s", round, i, difference)
				}
			}
			if t.Failed() {
				return
			}
		}
		if counts.resets == 0 || counts.hidden == 0 {
			t.Errorf("members had to reload and lost conversations %+v times: this proves little", counts)
		}
	})
}

func parseID(t *testing.T, text string) parley.ID {
	t.Helper()
	id, ok := parley.ParseID(text)
	if !ok {
		t.Fatal(fmt.Sprint("no id: ", text))
	}
	return id
}
