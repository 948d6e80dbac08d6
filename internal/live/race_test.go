package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	"parley"
)

// TestALateLookLosesNothing reads the head of the log before the feed moves on
// and compares it afterwards, while a stream joins and the next event is about
// to arrive: the stream must receive every event.
func TestALateLookLosesNothing(t *testing.T) {
	w := newWorld(t, worldOptions{pollOnly: true})
	w.append(w.ws, parley.MessageCreated, 10)
	first := w.open("").begin()
	if f := first.next(); f.id != "first.10" {
		t.Fatalf("the stream begins with %+v", f)
	}
	joining, join := w.log.hold("Events", 9)
	s := w.open("after=first.9").begin()
	s.next()
	<-joining // it has read up to 10, and is about to join there
	polled, look := w.log.hold("LogHeads", 10)
	<-polled // the poll has read 10
	w.append(w.ws, parley.MessageCreated, 1)
	ended, end := w.log.hold("EventsAfter", 11)
	ahead := w.open("after=first.9").begin()
	ahead.next()
	ahead.wants(10, 11)
	<-ended // it has moved the feed to 11
	end()
	passing, pass := w.log.hold("EventsAfter", 11)
	w.append(w.ws, parley.MessageCreated, 1)
	w.open("after=first.10") // takes the feed along too
	<-passing                // it has read 12, and is about to pass it on
	polledAgain, lookAgain := w.log.hold("LogHeads", 12)
	look()        // 10, where the feed is at 11
	<-polledAgain // that look is over
	lookAgain()
	join()
	if f := s.next(); f.id != "first.10" {
		t.Errorf("the stream tells %+v, want first.10", f)
	}
	pass()
	s.wants(11, 12)
	first.wants(11, 12)
}

// TestACutStreamReadsNoMore cuts a stream while it catches up: it must stop
// reading the log.
func TestACutStreamReadsNoMore(t *testing.T) {
	w := newWorld(t, worldOptions{pollOnly: true})
	w.append(w.ws, parley.MessageCreated, 5)
	key := w.ids.New(time.Now())
	reading, goOn := w.log.hold("Events", 3)
	c := w.open("after=first.3&types=number.created&key=" + key.String()).begin()
	c.next()
	<-reading
	w.end(key)
	eventually(t, "the stream is cut", func() bool { return w.hub.Stats().Streams == 0 })
	goOn()
	eventually(t, "the stream has stopped", func() bool { return w.hub.Idle() })
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	if w.log.reads > 3 {
		t.Errorf("a stream that was cut read the log %d times", w.log.reads)
	}
}

// TestTheHeadComesLast reads the end of the log when a stream begins: until its
// position is known, the client gets no head that it could mistake for the
// beginning.
func TestTheHeadComesLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, worldOptions{pollOnly: true, piped: true})
		reading, goOn := w.log.hold("LogHeads", 0)
		c := w.open("")
		<-reading
		if err := c.conn.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		if b, err := c.in.Peek(1); err == nil {
			t.Errorf("the answer begins with %q", b)
		}
		goOn()
		c.begin()
		w.append(w.ws, parley.MessageCreated, 1)
		c.next() // its place
		c.wants(1, 1)
	})
}

// TestTooManyStreams opens more streams with one key than a node takes.
func TestTooManyStreams(t *testing.T) {
	w := newWorld(t, worldOptions{})
	for range 200 {
		w.open("").begin().next()
	}
	eventually(t, "all streams are open", func() bool { return w.hub.Stats().Streams == 200 })
	c := w.open("")
	c.deadline()
	if line, err := c.in.ReadString('\n'); err != nil || line != "HTTP/1.1 503 Service Unavailable\r\n" { // as world.serve answers errors
		t.Errorf("one stream more is answered by %q, %v", line, err)
	}
}
