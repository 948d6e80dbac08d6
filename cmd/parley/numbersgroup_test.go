package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/chatapp/chatsim"
)

// A crashPoint is a step of creating a group at which the serving process dies.
type crashPoint struct {
	step  string        // a name of steps
	after bool          // the network has done what was asked; else it has not
	later time.Duration // with after: the network answers, and the process lives this much longer
}

func (m crashPoint) String() string {
	switch {
	case !m.after:
		return "before " + m.step
	case m.later > 0:
		return fmt.Sprintf("%s after %s", m.later, m.step)
	}
	return "after " + m.step
}

// steps names the requests of a number to the network.
type steps struct {
	mu    sync.Mutex
	seen  []string // from begin on
	began bool
}

func (s *steps) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.began = true
}

// name returns the kind of a request with its count since begin; before that,
// "".
func (s *steps) name(r chatsim.Request) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.began {
		return ""
	}
	kind := r.Kind
	if to := fmt.Sprint(r.Node.Attrs["to"]); kind == "message" {
		kind = "message to a person"
		if strings.HasSuffix(to, "@g.us") {
			kind = "message to the group"
		}
	}
	n := 1
	for slices.Contains(s.seen, fmt.Sprint(kind, " ", n)) {
		n++
	}
	name := fmt.Sprint(kind, " ", n)
	s.seen = append(s.seen, name)
	return name
}

func (s *steps) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// A groupMade is the answer to the creation of a group.
type groupMade struct {
	JID          string   `json:"group_jid"`
	Conversation string   `json:"conversation_id"`
	Link         string   `json:"invite_link"`
	Added        []string `json:"added"`
	Invited      []string `json:"invited"`
	Sent         []string `json:"invites_sent"`
	Absent       []string `json:"not_on_chatapp"`
}

// An insistent integrator repeats a request with its Idempotency-Key until it
// is answered, whatever happens to the serving process.
type insistent struct {
	*office
	path, body string
	steps      *steps
	victim     *node         // the process that dies
	died       chan struct{} // receives after each death
	left       int           // how many deaths are left
}

// insist returns an integrator, and makes the office's victim die at each of
// some crash points.
func (o *office) insist(path, body string, crashPoints []crashPoint) *insistent {
	c := &insistent{
		office: o, path: path, body: body, steps: &steps{}, victim: o.victim, died: make(chan struct{}, len(crashPoints)), left: len(crashPoints),
	}
	if c.victim == nil {
		c.victim = o.process
	}
	var reached sync.Map // the crash points after requests in flight
	o.simulatedNetwork.watch(o.phone, chatsim.Hooks{
		Before: func(r chatsim.Request) chatsim.Fault {
			name := c.steps.name(r)
			i := slices.IndexFunc(crashPoints, func(m crashPoint) bool { return m.step == name })
			if i < 0 {
				return chatsim.Fault{}
			}
			if !crashPoints[i].after {
				c.kill()
				return chatsim.Fault{Cut: true}
			}
			reached.Store(r.Node, crashPoints[i])
			return chatsim.Fault{}
		},
		After: func(r chatsim.Request) chatsim.Fault {
			m, ok := reached.Load(r.Node)
			if !ok {
				return chatsim.Fault{}
			}
			if later := m.(crashPoint).later; later > 0 {
				time.AfterFunc(later, c.kill)
				return chatsim.Fault{}
			}
			c.kill()
			return chatsim.Fault{Cut: true}
		},
	})
	c.steps.begin()
	return c
}

func (c *insistent) kill() {
	c.victim.kill()
	c.died <- struct{}{}
}

// ask sends the request once. It returns false without a good answer.
func (c *insistent) ask() (groupMade, bool) {
	c.t.Helper()
	var made groupMade
	a, err := c.send("POST", c.path, c.body, "order-7")
	if err != nil || a.status >= 300 {
		return made, false
	}
	if err := json.Unmarshal(a.body, &made); err != nil {
		c.t.Fatal(err)
	}
	return made, true
}

// restart starts the process again if it has died.
func (c *insistent) restart() {
	select {
	case <-c.died:
		c.victim.start()
		c.left--
	default:
	}
}

// answer asks until there is an answer, and once more after the last death.
func (c *insistent) answer() groupMade {
	c.t.Helper()
	var made groupMade
	c.until("the answer", func() bool {
		got, ok := c.ask()
		c.restart()
		made = got
		return ok
	})
	c.until("the death", func() bool {
		c.restart()
		return c.left == 0
	})
	again, ok := c.ask()
	if !ok || !reflect.DeepEqual(again, made) {
		c.t.Errorf("the answer was %+v, and is %+v", made, again)
	}
	return made
}

// createGroup creates a group, with a process that dies at some crash points,
// and returns the resulting requests to the network.
func (o *office) createGroup(crashPoints ...crashPoint) []string {
	o.t.Helper()
	welcome := "Welcome from " + o.phone
	c := o.insist("/v1/public/chatapp/groups", fmt.Sprintf(`{"name":"Project","participants":[%q,%q,%q],"message":%q,"sendInviteLink":true}`,
		annPhone, bobPhone, nobodysPhone, welcome), crashPoints)
	made := c.answer()
	groups := o.simulatedNetwork.groups(o.phone)
	if len(groups) != 1 {
		o.t.Fatalf("the network has %d groups: %+v", len(groups), groups)
	}
	want := groupMade{
		JID: groups[0].JID, Link: "https://chat.whatsapp.com/" + groups[0].InviteCode, Conversation: made.Conversation,
		Added: []string{annPhone}, Invited: []string{bobPhone}, Sent: []string{bobPhone}, Absent: []string{nobodysPhone},
	}
	if !reflect.DeepEqual(made, want) {
		o.t.Errorf("the answer is %+v, want %+v", made, want)
	}
	if len(groups[0].Members) != 2 {
		o.t.Errorf("the members are %+v", groups[0].Members)
	}
	if all := o.conversations(); !slices.Equal(all, []string{made.Conversation}) {
		o.t.Fatalf("the conversations are %q, want %q", all, made.Conversation)
	}
	o.untilLine(made.Conversation, "bot delivered: "+welcome)
	if lines := o.lines(made.Conversation); len(lines) != 1 {
		o.t.Errorf("the messages are %q", lines)
	}
	if got := texts(o.simulatedNetwork.ann, made.JID); !slices.Equal(got, []string{welcome}) {
		o.t.Errorf("Ann sees %q in the group", got)
	}
	o.bobWasSent(made.Link)
	return c.steps.all()
}

// addToGroup adds people to a group, with a process that dies at some crash
// points.
func (o *office) addToGroup(crashPoints ...crashPoint) {
	o.t.Helper()
	var made groupMade
	o.want(201, "POST", "/v1/public/chatapp/groups", `{"name":"Project","participants":["`+annPhone+`"]}`, &made)
	c := o.insist("/v1/public/chatapp/groups/"+made.Conversation+"/participants",
		fmt.Sprintf(`{"participants":[%q,%q],"sendInviteLink":true}`, annPhone, bobPhone), crashPoints)
	got := c.answer()
	want := groupMade{
		JID: made.JID, Link: made.Link, Added: []string{annPhone}, Invited: []string{bobPhone}, Sent: []string{bobPhone}, Absent: []string{},
	}
	if !reflect.DeepEqual(got, want) {
		o.t.Errorf("the answer is %+v, want %+v", got, want)
	}
	o.bobWasSent(made.Link)
}

// bobWasSent checks that Bob's phone got a link once. The network has it when
// the request is answered, his phone a moment later.
func (o *office) bobWasSent(link string) {
	o.t.Helper()
	o.until("the link on Bob's phone", func() bool { return len(texts(o.simulatedNetwork.bob, o.phone)) > 0 })
	if got := texts(o.simulatedNetwork.bob, o.phone); !slices.Equal(got, []string{link}) {
		o.t.Errorf("Bob was sent %q", got)
	}
}

// hearThroughDeath writes as Ann faster than the process can store, which dies
// a little after the first message.
func (o *office) hearThroughDeath(later time.Duration) {
	o.t.Helper()
	id := o.begun(o.phone)
	want := []string{"contact delivered: hello"}
	died := make(chan struct{})
	time.AfterFunc(later, func() {
		o.process.kill()
		close(died)
	})
	for i := range 8 {
		text := fmt.Sprint("line ", i)
		o.said(o.simulatedNetwork.ann, o.phone, text)
		want = append(want, "contact delivered: "+text)
	}
	<-died
	o.process.start()
	o.untilLine(id, want[len(want)-1])
	if got := o.lines(id); !slices.Equal(got, want) {
		o.t.Errorf("the messages are %q, want %q", got, want)
	}
}

// A deathCase is one way to die in the middle of something.
type deathCase struct {
	name   string
	engine func(*testing.T) *cli
	test   func(*office)
}

// deathCases are the ways to die during some steps of creating a group.
func deathCases(steps []string) []deathCase {
	var all []deathCase
	create := func(name string, engine func(*testing.T) *cli, crashPoints ...crashPoint) {
		all = append(all, deathCase{fmt.Sprint(name, " ", crashPoints), engine, func(o *office) { o.createGroup(crashPoints...) }})
	}
	for _, step := range steps {
		create("sqlite", onSQLite, crashPoint{step: step})
		create("sqlite", onSQLite, crashPoint{step: step, after: true})
	}
	create("sqlite", onSQLite, crashPoint{step: "w:g2 create 1", after: true}, crashPoint{step: "w:g2 add 1", after: true})
	for _, later := range []time.Duration{time.Millisecond, 4 * time.Millisecond, 8 * time.Millisecond} {
		create("sqlite", onSQLite, crashPoint{"w:g2 invite 1", true, later})
		create("sqlite", onSQLite, crashPoint{"message to a person 1", true, later})
		all = append(all, deathCase{fmt.Sprint("hear ", later), onSQLite, func(o *office) { o.hearThroughDeath(later) }})
	}
	create("postgres", onPostgres, crashPoint{"w:g2 invite 1", true, 4 * time.Millisecond})
	for _, m := range []crashPoint{{step: "w:g2 create 1", after: true}, {step: "w:g2 invite 1"}, {step: "message to a person 1", after: true}} {
		create("postgres", onPostgres, m)
		// One of two nodes receives the requests, and the other holds the
		// number.
		all = append(all, deathCase{fmt.Sprint("the holder ", m), onPostgres, func(o *office) {
			o.victim, o.process = o.process, serveProcess(o.t, o.cli, o.simulatedNetwork.address)
			o.createGroup(m)
		}}, deathCase{fmt.Sprint("the node that is asked ", m), onPostgres, func(o *office) {
			o.process = serveProcess(o.t, o.cli, o.simulatedNetwork.address)
			o.createGroup(m)
		}})
	}
	for _, m := range []crashPoint{{step: "w:g2 add 1", after: true}, {step: "message to a person 1", after: true}} {
		all = append(all, deathCase{fmt.Sprint("add ", m), onSQLite, func(o *office) { o.addToGroup(m) }})
	}
	return all
}

// TestDeathWhileAGroupIsMade kills the process at each request to the network
// that creates a group: before the network acts, after it and before the
// answer, and a little later, while Parley stores the result. Each time it is
// restarted and asked again, and in the end there is one group. The same is
// done for adding people and for incoming messages.
func TestDeathWhileAGroupIsMade(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for leases to run out")
	}
	t.Parallel()
	x := newSimulatedNetwork(t)
	steps := pairedOffice(t, x, onSQLite(t), "4930555100").createGroup()
	t.Logf("a group is made by %q", steps)
	for _, one := range []string{"usync usync 1", "w:g2 create 1", "w:g2 invite 1", "message to the group 1", "message to a person 1"} {
		if !slices.Contains(steps, one) {
			t.Fatalf("the creation of a group does not ask %q, but %q", one, steps)
		}
	}
	// All at once, more than the machine has processors: most of the time they
	// wait for leases.
	var running sync.WaitGroup
	defer running.Wait()
	for i, c := range deathCases(steps) {
		phone := fmt.Sprint(4930555101 + i)
		running.Go(func() {
			t.Run(c.name, func(t *testing.T) { c.test(pairedOffice(t, x, c.engine(t), phone)) })
		})
	}
}
