package widget_test

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
	"parley/internal/apitest"
)

// follow opens a customer's stream from now on, or after a position.
func (c *customer) follow(t *testing.T, s *httptest.Server, after string) *apitest.Stream {
	t.Helper()
	if after == "" {
		after = c.get("session").Want(200).Header.Get("Parley-Position")
	}
	return apitest.Follow(t, s.URL+"/v1/widget/events?after="+after, func(r *http.Request) { apitest.SignBearer(r, string(c.token)) })
}

// board opens the agent's stream.
func (w *world) board(t *testing.T, s *httptest.Server) *apitest.Stream {
	t.Helper()
	after := w.agentGet("/v1/dashboard/counts").Want(200).Header.Get("Parley-Position")
	return apitest.Follow(t, s.URL+"/v1/dashboard/events?after="+after, func(r *http.Request) { apitest.SignSession(r, w.Owner) })
}

// joins sends a signal until the stream receives it, which it does not while it
// is behind. Further copies are dropped with everything before mark, which
// makes an event of that name.
func joins(t *testing.T, s *apitest.Stream, signal func(), name string, mark func()) {
	t.Helper()
	for heard := false; !heard; {
		signal()
		select {
		case f, open := <-s.Frames:
			if !open {
				t.Fatal("the stream has ended")
			}
			heard = f.Name == "typing" || f.Name == "presence"
		case <-time.After(50 * time.Millisecond):
		}
	}
	mark()
	for {
		if got, _ := s.Next(); got == name {
			return
		}
	}
}

func TestCustomersStream(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ada := w.login(claims("ada", "ada@x.example"))
		from := ada.get("session").Want(200).Header.Get("Parley-Position")
		stream := ada.follow(t, s, from)
		id := ada.begin("hello")
		if got := stream.Is("conversation.updated"); !strings.Contains(got, `"id":"`+id+`"`) {
			t.Errorf("the stream tells %s", got)
		}
		stream.Is("message.created")
		agents := "/v1/public/conversations/" + id
		w.agentPost(agents+"/messages", `{"content":"a note","isPrivate":true}`).Want(201)
		w.agentPatch(agents, `{"priority":"high","labels":["x"]}`).Want(200)
		w.agentPost("/v1/dashboard/conversations/"+id+"/read", "").Want(200)
		w.agentPost(agents+"/messages", `{"content":"Hi Ada"}`).Want(201)
		if got := stream.Is("message.created"); !strings.Contains(got, "Hi Ada") || strings.Contains(got, "isPrivate") {
			t.Errorf("the stream tells %s", got)
		}
		ada.post("conversations/"+id+"/read", "").Want(200)
		if got := stream.Is("message.updated"); !strings.Contains(got, `"status":"read"`) {
			t.Errorf("the stream tells %s", got)
		}
		if got := stream.Is("conversation.updated"); !strings.Contains(got, `"unreadCount":0`) {
			t.Errorf("what was read is told as %s", got)
		}
		ada.post("conversations/"+id+"/read", "").Want(200) // nothing to tell
		w.agentPatch(agents, `{"status":"resolved"}`).Want(200)
		stream.Is("conversation.updated")
		// The same customer in another inbox receives nothing of this one.
		elsewhere := w.customer(map[string]string{"identity": w.signed(claims("ada", "")), "inboxId": w.webInbox(w.Home).String()})
		aside := elsewhere.follow(t, s, from)
		there := elsewhere.begin("over here")
		if got := aside.Is("conversation.updated"); !strings.Contains(got, there) {
			t.Errorf("another inbox's stream tells %s", got)
		}
		// Another stream receives the same from the beginning.
		again := ada.follow(t, s, from)
		for _, name := range []string{"conversation.updated", "message.created", "message.created", "message.updated", "conversation.updated", "conversation.updated"} {
			again.Is(name)
		}
		// A contact that is merged into this one brings its conversations.
		v := w.visitor()
		v.begin("it is me")
		// The stream has passed that position when it reports this. A reader
		// after the merge sees it, because it is then Ada's.
		w.agentPost(agents+"/messages", `{"content":"One moment"}`).Want(201)
		stream.Is("message.created")
		w.agentPost("/v1/dashboard/contacts/"+v.id+"/merge", `{"intoId":"`+ada.id+`"}`).Want(200)
		stream.Is("reset")
		ada.begin("next")
		stream.Is("conversation.updated")
	})
}

// TestTyping shows who is typing, in both directions, and nothing about looking
// or writing notes.
func TestTyping(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ada, eve := w.login(claims("ada", "ada@x.example")), w.login(claims("eve", "eve@x.example"))
		id, other := ada.begin("hello"), eve.begin("hello")
		hers, theirs, board := ada.follow(t, s, ""), eve.follow(t, s, ""), w.board(t, s)
		presence := func(body string) { w.agentPost("/v1/dashboard/presence", body).Want(200) }
		in := func(id, more string) string { return `{"conversationId":"` + id + `"` + more + `}` }
		const typing, note = `,"typing":true`, `,"typing":true,"isPrivate":true`
		for _, x := range []struct {
			stream *apitest.Stream
			c      *customer
			id     string
		}{{hers, ada, id}, {theirs, eve, other}, {board, eve, other}} {
			joins(t, x.stream, func() { presence(in(x.id, typing)) }, "message.created", func() {
				presence(in(x.id, ""))
				x.c.post("conversations/"+x.id+"/messages", `{"content":"hi"}`).Want(201)
			})
		}
		drain(t, hers, ada, id)
		drain(t, theirs, eve, other)

		for _, body := range []string{
			in(id, ""), in(id, note), in(id, typing), in(id, note), in(id, typing), in(other, typing), `{"conversationId":null}`,
			in("0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01", typing),
		} {
			presence(body)
		}
		for _, types := range []string{"true", "false", "true", "false"} {
			if got := hers.Is("typing"); got != in(id, `,"name":"owner","typing":`+types) {
				t.Errorf("the customer hears %s, want %s", got, types)
			}
		}
		for _, types := range []string{"true", "false"} {
			if got := theirs.Is("typing"); got != in(other, `,"name":"owner","typing":`+types) {
				t.Errorf("the other customer hears %s, want %s", got, types)
			}
		}
		ada.post("conversations/"+id+"/typing", `{"typing":true}`).Want(200)
		for {
			name, data := board.Next()
			if name == "presence" && strings.Contains(data, "contactId") {
				if data != `{"contactId":"`+ada.id+`","conversationId":"`+id+`","typing":true}` {
					t.Errorf("the members hear %s", data)
				}
				break
			}
		}
		// Nothing else was sent.
		ada.post("conversations/"+id+"/messages", `{"content":"bye"}`).Want(201)
		hers.Is("message.created")
		eve.post("conversations/"+other+"/messages", `{"content":"bye"}`).Want(201)
		theirs.Is("message.created")
	})
}

// drain reads a stream up to what its customer does now.
func drain(t *testing.T, s *apitest.Stream, c *customer, id string) {
	t.Helper()
	mark := c.post("conversations/"+id+"/messages", `{"content":"mark"}`).Want(201).Text("id")
	for {
		if name, data := s.Next(); name == "" || strings.Contains(data, mark) {
			return
		}
	}
}

// TestFiftyCustomers signs in, writes, reads and merges customers at random
// while agents answer, write notes and resolve: each stream may only show
// conversations that its customer had at some time.
func TestFiftyCustomers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		const customers, rounds = 50, 12
		x := &randomCustomers{w: w, owners: map[string]map[string]bool{}, alias: map[string]string{}}
		var streams []*apitest.Stream
		for i := range customers {
			c := w.login(claims(fmt.Sprint("u", i), ""))
			x.all = append(x.all, c)
			streams = append(streams, c.follow(t, s, ""))
			x.begin(c)
		}
		var work, reading sync.WaitGroup
		heard := make([][]string, customers)
		for i, stream := range streams {
			reading.Go(func() { heard[i] = all(stream) })
		}
		for part := range 4 {
			work.Go(func() {
				random := rand.New(rand.NewPCG(uint64(part), 9))
				for range rounds * customers / 4 {
					x.step(random)
				}
			})
		}
		work.Wait()
		for _, c := range x.all {
			if _, err := w.Customers.EndCustomerSession(t.Context(), c.session(t)); err != nil {
				t.Fatal(err)
			}
		}
		reading.Wait()
		told := 0
		for i, c := range x.all {
			for _, data := range heard[i] {
				told++
				x.check(t, c, data)
			}
		}
		if told < customers*4 {
			t.Errorf("only %d events were heard, so this test proves nothing", told)
		}
	})
}

// all reads a stream to its end and returns the data of its events.
func all(s *apitest.Stream) []string {
	var heard []string
	for {
		name, data := s.Next()
		if name == "" {
			return heard
		}
		if name != "reset" {
			heard = append(heard, data)
		}
	}
}

// randomCustomers are customers who write at random. The contents of messages
// name their conversation, and those of notes say so.
type randomCustomers struct {
	w   *world
	all []*customer

	mu            sync.Mutex
	conversations []string
	owners        map[string]map[string]bool // contacts that had a conversation
	alias         map[string]string          // contacts that were merged
}

func (x *randomCustomers) begin(c *customer) {
	got := c.post("conversations", `{"content":"of a customer"}`)
	if got.Status != 201 {
		return // throttled, or just merged
	}
	id := got.Text("conversation.id")
	x.mu.Lock()
	defer x.mu.Unlock()
	x.conversations = append(x.conversations, id)
	x.owners[id] = map[string]bool{c.id: true}
}

func (x *randomCustomers) one(random *rand.Rand) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.conversations[random.IntN(len(x.conversations))]
}

func (x *randomCustomers) step(random *rand.Rand) {
	c, id := x.all[random.IntN(len(x.all))], x.one(random)
	agents := "/v1/public/conversations/" + id
	switch random.IntN(9) {
	case 0:
		x.begin(c)
	case 1, 2:
		c.post("conversations/"+id+"/messages", `{"content":"more of a customer"}`)
	case 3:
		c.post("conversations/"+id+"/read", "")
	case 4, 5:
		x.w.agentPost(agents+"/messages", `{"content":"SECRET note","isPrivate":true}`).Want(201)
	case 6:
		x.w.agentPost(agents+"/messages", `{"content":"answer"}`).Want(201)
	case 7:
		x.w.agentPatch(agents, `{"status":"`+[]string{"open", "resolved"}[random.IntN(2)]+`","priority":"high"}`).Want(200)
	case 8:
		if random.IntN(4) > 0 {
			x.w.agentPost("/v1/dashboard/presence", `{"conversationId":"`+id+`","typing":true}`).Want(200)
			return
		}
		x.merge(c, x.all[random.IntN(len(x.all))])
	}
}

// merge merges the contacts of two customers. The moving conversations are
// recorded before, so that events in between are allowed.
func (x *randomCustomers) merge(a, b *customer) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, owners := range x.owners {
		if owners[a.id] || owners[x.now(a.id)] {
			owners[b.id], owners[x.now(b.id)] = true, true
		}
	}
	if x.w.agentPost("/v1/dashboard/contacts/"+a.id+"/merge", `{"intoId":"`+b.id+`"}`).Status == 200 && x.now(a.id) != x.now(b.id) {
		x.alias[x.now(a.id)] = x.now(b.id)
	}
}

// now returns the contact that a contact is part of.
func (x *randomCustomers) now(id string) string {
	for x.alias[id] != "" {
		id = x.alias[id]
	}
	return id
}

// check requires that a customer may see an event.
func (x *randomCustomers) check(t *testing.T, c *customer, data string) {
	t.Helper()
	if strings.Contains(data, "SECRET") {
		t.Errorf("a customer heard a note: %s", data)
	}
	var e struct{ ID, ConversationID string }
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		t.Fatal(err)
	}
	id := e.ConversationID
	if id == "" {
		id = e.ID
	}
	owners := x.owners[id]
	allowed := owners[c.id] || owners[x.now(c.id)]
	for owner := range owners { // somebody merged into this customer
		allowed = allowed || x.now(owner) == x.now(c.id)
	}
	if !allowed {
		t.Errorf("the customer %s heard of %s, which is of %v: %s", c.id, id, owners, data)
	}
}

// session returns the customer's session.
func (c *customer) session(t *testing.T) parley.CustomerSession {
	t.Helper()
	s, err := c.w.Customers.AuthenticateCustomer(t.Context(), c.token)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
