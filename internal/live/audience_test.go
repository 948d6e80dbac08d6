package live_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/live"
)

// Show is the memory's view of the log.
func (m *memory) Show(_ context.Context, _ parley.WorkspaceID, events []parley.Event) ([]live.CustomerEvent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.blind {
		return nil, errBroken
	}
	if hold := m.showHold; hold != nil {
		m.shows++
		m.mu.Unlock()
		<-hold
		m.mu.Lock()
		m.shows--
	}
	var all []live.CustomerEvent
	for _, e := range events {
		if one, ok := m.shown[e.Seq]; ok {
			one.Seq = e.Seq
			all = append(all, one)
		}
	}
	return all, nil
}

// holdShow makes the view wait until it is released.
func (m *memory) holdShow() (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.showHold = make(chan struct{})
	return sync.OnceFunc(func() { close(m.showHold) })
}

// showing is how many wait for the view.
func (m *memory) showing() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shows
}

// show makes an audience see the events from one number to another.
func (w *world) show(a parley.Audience, from, to int64) {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	if w.log.shown == nil {
		w.log.shown = map[int64]live.CustomerEvent{}
	}
	for n := from; n <= to; n++ {
		w.log.shown[n] = live.CustomerEvent{Audience: a, Name: "told", Data: []byte("{}"), Reset: n == to && a.InboxID.IsZero()}
	}
}

// customer opens the stream of an audience.
func (w *world) customer(a parley.Audience, more string) *client {
	w.t.Helper()
	c := w.open(fmt.Sprintf("contact=%s&inbox=%s%s", a.ContactID, a.InboxID, more)).begin()
	c.next() // the position
	return c
}

// tells requires the next frame.
func (c *client) tells(event string, seq int64) {
	c.t.Helper()
	if f := c.next(); f.event != event || f.id != fmt.Sprintf("first.%d", seq) {
		c.t.Fatalf("the stream tells %+v, want %s %d", f, event, seq)
	}
}

// TestAudiences requires that customers receive only their part, of the past,
// live, and of events for all inboxes of a contact, while a member receives
// everything.
func TestAudiences(t *testing.T) {
	w := newWorld(t, worldOptions{})
	id := func() parley.ID { return w.ids.New(time.Now()) }
	ann := parley.Audience{ContactID: id(), InboxID: id()}
	annElsewhere := parley.Audience{ContactID: ann.ContactID, InboxID: id()}
	bob := parley.Audience{ContactID: id(), InboxID: ann.InboxID}
	w.show(ann, 1, 2)
	w.show(bob, 4, 5)
	w.append(w.ws, parley.MessageCreated, 5)
	streams := map[parley.Audience]*client{}
	for _, a := range []parley.Audience{ann, annElsewhere, bob} {
		streams[a] = w.customer(a, "&after=first.0")
	}
	member := w.open("after=first.0").begin()
	member.next()
	streams[ann].tells("told", 1)
	streams[ann].tells("told", 2)
	streams[bob].tells("told", 4)
	streams[bob].tells("told", 5)
	member.wants(1, 5)
	w.show(bob, 6, 6)
	w.show(ann, 7, 7)
	w.show(parley.Audience{ContactID: ann.ContactID}, 8, 8)
	w.show(annElsewhere, 9, 9)
	for range 5 { // one after the other, so that they arrive live
		w.append(w.ws, parley.MessageCreated, 1)
	}
	streams[bob].tells("told", 6)
	streams[ann].tells("told", 7)
	streams[ann].tells("reset", 8)
	streams[annElsewhere].tells("reset", 8)
	streams[annElsewhere].tells("told", 9)
	member.wants(6, 10)
}

// TestTheViewFails makes the view fail for a while: no event is sent that it
// did not see, and none is lost.
func TestTheViewFails(t *testing.T) {
	w := newWorld(t, worldOptions{})
	ann := parley.Audience{ContactID: w.ids.New(time.Now()), InboxID: w.ids.New(time.Now())}
	s := w.customer(ann, "")
	w.show(ann, 1, 3)
	w.append(w.ws, parley.MessageCreated, 1)
	s.tells("told", 1)
	w.log.mu.Lock()
	w.log.blind = true
	w.log.mu.Unlock()
	w.append(w.ws, parley.MessageCreated, 1)
	w.log.mu.Lock()
	w.log.blind = false
	w.log.mu.Unlock()
	w.append(w.ws, parley.MessageCreated, 1)
	s.tells("told", 2)
	s.tells("told", 3)
}

// TestACustomerComesWhileAFeedReads has a customer's stream join a feed without
// one while the feed reads the log.
func TestACustomerComesWhileAFeedReads(t *testing.T) {
	w := newWorld(t, worldOptions{pollOnly: true})
	ann := parley.Audience{ContactID: w.ids.New(time.Now()), InboxID: w.ids.New(time.Now())}
	w.show(ann, 1, 2)
	member := w.open("").begin()
	member.next()
	passing, pass := w.log.hold("EventsAfter", 0)
	w.append(w.ws, parley.MessageCreated, 1)
	<-passing // it has read 1
	s := w.customer(ann, "")
	eventually(t, "both streams keep up", func() bool { return w.hub.KeepUp() == 2 })
	pass()
	w.append(w.ws, parley.MessageCreated, 1)
	s.tells("told", 1)
	s.tells("told", 2)
	member.wants(1, 2)
}

// TestSignalsOfAudiences sends signals to members and to customers.
func TestSignalsOfAudiences(t *testing.T) {
	w := newWorld(t, worldOptions{})
	ann := parley.Audience{ContactID: w.ids.New(time.Now()), InboxID: w.ids.New(time.Now())}
	bob := parley.Audience{ContactID: w.ids.New(time.Now()), InboxID: ann.InboxID}
	hers, his, member := w.customer(ann, ""), w.customer(bob, ""), w.open("signals=1").begin()
	member.next()
	w.show(ann, 1, 1)
	w.show(bob, 2, 2)
	w.append(w.ws, parley.MessageCreated, 1)
	w.append(w.ws, parley.MessageCreated, 1)
	hers.tells("told", 1)
	his.tells("told", 2)
	member.wants(1, 2)
	eventually(t, "all streams keep up", func() bool { return w.hub.KeepUp() == 3 })
	w.hub.Signal(t.Context(), w.ws, live.Signal{Name: "typing", To: ann, Data: []byte(`"ann"`)})
	w.hub.Signal(t.Context(), w.ws, live.Signal{Name: "presence", Key: "a", Data: []byte(`"all"`), Stays: time.Minute})
	w.show(bob, 3, 3)
	w.show(ann, 4, 4)
	w.append(w.ws, parley.MessageCreated, 2)
	if f := hers.next(); f.event != "typing" {
		t.Errorf("she hears %+v", f)
	}
	hers.tells("told", 4)
	his.tells("told", 3)
	if f := member.next(); f.event != "presence" {
		t.Errorf("the member hears %+v", f)
	}
	// A state is sent to later streams of the same kind.
	late := w.customer(ann, "&after=first.3")
	late.tells("told", 4)
	w.show(ann, 5, 5)
	eventually(t, "the newcomer keeps up", func() bool { return w.hub.KeepUp() == 4 })
	w.append(w.ws, parley.MessageCreated, 1)
	late.tells("told", 5)
}

// TestSignalsOfMembers sends signals to one member, who is connected or
// connects later.
func TestSignalsOfMembers(t *testing.T) {
	w := newWorld(t, worldOptions{})
	ann, bo := w.open("signals=1&member=ann").begin(), w.open("signals=1&member=bo").begin()
	for _, c := range []*client{ann, bo} {
		c.next() // the position
	}
	eventually(t, "both streams keep up", func() bool { return w.hub.KeepUp() == 2 })
	w.hub.Signal(t.Context(), w.ws, live.Signal{Name: "reading", Member: "ann", Data: []byte(`"ann"`)})
	w.hub.Signal(t.Context(), w.ws, live.Signal{Name: "stays", Member: "bo", Data: []byte(`"bo"`), Stays: time.Minute})
	w.hub.Signal(t.Context(), w.ws, live.Signal{Name: "presence", Data: []byte(`"all"`)})
	for _, step := range []struct {
		who   *client
		event string
	}{{ann, "reading"}, {ann, "presence"}, {bo, "stays"}, {bo, "presence"}} {
		if f := step.who.next(); f.event != step.event {
			t.Errorf("a member hears %+v, want %s", f, step.event)
		}
	}
	for i, x := range []struct{ member, event string }{{"bo", "stays"}, {"ann", "last"}} {
		late := w.open("signals=1&member=" + x.member).begin()
		late.next()
		eventually(t, "the newcomer keeps up", func() bool { return w.hub.KeepUp() == 3+i })
		w.hub.Signal(t.Context(), w.ws, live.Signal{Name: "last", Data: []byte("{}")})
		if f := late.next(); f.event != x.event {
			t.Errorf("the newcomer %s hears %+v, want %s", x.member, f, x.event)
		}
	}
}

// TestACustomerFarBehind opens streams of a customer and a member far behind:
// the customer's is told to reload without reading the log, and the member's
// reads it.
func TestACustomerFarBehind(t *testing.T) {
	w := newWorld(t, worldOptions{})
	ann := parley.Audience{ContactID: w.ids.New(time.Now()), InboxID: w.ids.New(time.Now())}
	open := w.open("").begin() // so that the feed knows the end of the log
	open.next()
	w.append(w.ws, parley.MessageCreated, 600)
	open.wants(1, 600)
	w.log.mu.Lock()
	before := w.log.reads
	w.log.mu.Unlock()
	w.show(ann, 1, 602)
	far := w.customer(ann, "&after=first.0")
	far.tells("reset", 600)
	w.log.mu.Lock()
	if n := w.log.reads - before; n != 0 {
		t.Errorf("the log was read %d times", n)
	}
	w.log.mu.Unlock()
	near := w.customer(ann, "&after=first.500")
	for n := int64(501); n <= 600; n++ {
		near.tells("told", n)
	}
	eventually(t, "all streams keep up", func() bool { return w.hub.KeepUp() == 3 })
	w.append(w.ws, parley.MessageCreated, 1)
	far.tells("told", 601)
	near.tells("told", 601)
	member := w.open("after=first.0").begin()
	member.next()
	member.wants(1, 601)
}

// TestCustomersCatchUpAmongThemselves makes more streams of customers wait for
// the store than may read at once: a member's stream still reads.
func TestCustomersCatchUpAmongThemselves(t *testing.T) {
	w := newWorld(t, worldOptions{pollOnly: true})
	w.append(w.ws, parley.MessageCreated, 5)
	release := w.log.holdShow()
	defer release()
	const many = 40 // more than there are slots
	for range many {
		ann := parley.Audience{ContactID: w.ids.New(time.Now()), InboxID: w.ids.New(time.Now())}
		w.customer(ann, "&after=first.0&key="+w.ids.New(time.Now()).String())
	}
	eventually(t, "customers read", func() bool { return w.log.showing() > 0 })
	member := w.open("after=first.0").begin()
	member.next()
	member.wants(1, 5)
	if n := w.log.showing(); n > 8 {
		t.Errorf("%d customers read at once", n)
	}
}

// TestStreamsOfAnAddress opens as many streams as visitors of one address may
// have, each in its own session.
func TestStreamsOfAnAddress(t *testing.T) {
	w := newWorld(t, worldOptions{})
	query := func(address string) string {
		a := parley.Audience{ContactID: w.ids.New(time.Now()), InboxID: w.ids.New(time.Now())}
		return fmt.Sprintf("contact=%s&inbox=%s&address=%s&key=%s", a.ContactID, a.InboxID, address, w.ids.New(time.Now()))
	}
	var all []*client
	for range 100 {
		all = append(all, w.open(query("here")).begin())
	}
	refused := func() bool {
		c := w.open(query("here"))
		c.deadline()
		res, err := http.ReadResponse(c.in, nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.conn.Close() // whether it began or not
		return res.StatusCode != 200
	}
	if !refused() {
		t.Error("one stream too many is open")
	}
	w.open(query("there")).begin()
	w.open(query("")).begin()
	_ = all[0].conn.Close() // the other side leaves
	// Whoever left is noticed with the next event.
	w.append(w.ws, parley.MessageCreated, 1)
	eventually(t, "a slot is free again", func() bool { return !refused() })
}
