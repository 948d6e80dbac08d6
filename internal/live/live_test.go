package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley"
	"parley/internal/live"
)

func TestDeliversInOrder(t *testing.T) {
	for _, pollOnly := range []bool{false, true} {
		t.Run(fmt.Sprintf("pollOnly=%t", pollOnly), func(t *testing.T) {
			w := newWorld(t, worldOptions{pollOnly: pollOnly})
			w.append(w.ws, parley.MessageCreated, 3)
			now := w.open("").begin()
			if f := now.next(); f != (frame{id: "first.3"}) {
				t.Fatalf("a stream from now begins with %+v, want its position alone", f)
			}
			behind := w.open("after=first.1").begin()
			behind.next()
			behind.wants(2, 3)
			w.append(w.ws, parley.MessageCreated, 1000)
			now.wants(4, 1003)
			behind.wants(4, 1003)
		})
	}
}

func TestFilter(t *testing.T) {
	w := newWorld(t, worldOptions{})
	c := w.open("types=contact.created,product.created").begin()
	c.next()
	w.append(w.ws, parley.MessageCreated, 2)
	w.append(w.ws, parley.ContactCreated, 1)
	if f := c.next(); f.id != "first.3" || f.event != "contact.created" {
		t.Fatalf("got %+v, want the contact", f)
	}
	w.append(w.ws, parley.MessageCreated, 5)
	eventually(t, "the position behind what the filter kept back", func() bool {
		w.hub.Sweep(time.Now(), time.Now().Add(time.Minute))
		return c.next() == frame{id: "first.8"}
	})
}

func TestReset(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.append(w.ws, parley.MessageCreated, 10)
	w.change(w.ws, func(h *history) { h.oldest, h.events = 6, h.events[5:] })
	// It has the members that events begin with.
	type reset struct {
		Seq       int64
		Type      string
		CreatedAt time.Time
		Position  string
	}
	for _, after := range []string{"first.4", "first.11", "second.7"} {
		c := w.open("after=" + after).begin()
		c.next()
		f := c.next()
		var told reset
		if err := json.Unmarshal([]byte(f.data), &told); err != nil || told.CreatedAt.IsZero() {
			t.Errorf("after %s the stream tells %+v (%v)", after, f, err)
		}
		told.CreatedAt = time.Time{}
		if want := (reset{Seq: 10, Type: "reset", Position: "first.10"}); f.event != "reset" || f.id != "first.10" || told != want {
			t.Errorf("after %s the stream tells %+v, want %+v", after, f, want)
		}
	}
	kept := w.open("after=first.5").begin()
	kept.next()
	kept.wants(6, 10)

	// Another history replaces this one while the stream is open.
	w.change(w.ws, func(h *history) { *h = history{epoch: "second", oldest: 1, seq: 2} })
	if f := kept.next(); f.event != "reset" || f.id != "second.2" {
		t.Errorf("after a new history the stream tells %+v", f)
	}
}

// TestAccessEndsWithinASecond ends access without a hint, and measures by a clock
// that moves when all wait.
func TestAccessEndsWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, worldOptions{pollOnly: true, piped: true})
		key := w.ids.New(time.Now())
		c := w.open("key=" + key.String()).begin()
		c.next()
		w.end(key)
		began := time.Now()
		if f := c.next(); f != (frame{}) {
			t.Errorf("a revoked key's stream tells %+v", f)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v to cut the stream", took)
		}
	})
}

func TestAccessEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, worldOptions{pollOnly: true, piped: true})
		key, other := w.ids.New(time.Now()), w.ids.New(time.Now())
		revoked := w.open("key=" + key.String()).begin()
		revoked.next()
		stays := w.open("key=" + other.String()).begin()
		stays.next()
		expires := w.open("until=" + time.Now().Add(300*time.Millisecond).UTC().Format(time.RFC3339Nano)).begin()
		expires.next()

		w.end(key)
		if f := revoked.next(); f != (frame{}) {
			t.Errorf("a revoked key's stream tells %+v", f)
		}
		if f := expires.next(); f != (frame{}) {
			t.Errorf("an expired key's stream tells %+v", f)
		}
		late := w.open("key=" + key.String()).begin()
		if f := late.next(); f != (frame{}) {
			t.Errorf("a stream that a revoked key opened tells %+v", f)
		}
		w.append(w.ws, parley.MessageCreated, 1)
		stays.wants(1, 1)
	})
}

// TestNothingAfterAccessEnds ends access and appends an event, before the hub
// polls or sweeps: the clock of the bubble does not move.
func TestNothingAfterAccessEnds(t *testing.T) {
	const ahead = 10 * time.Millisecond
	for name, end := range map[string]func(w *world, key parley.ID){
		"revoked": func(w *world, key parley.ID) { w.end(key) },
		"expired": func(*world, parley.ID) { time.Sleep(ahead) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, worldOptions{piped: true})
				key, query := w.ids.New(time.Now()), ""
				if name == "expired" {
					query = "&until=" + time.Now().Add(ahead).UTC().Format(time.RFC3339Nano)
				}
				c := w.open("key=" + key.String() + query).begin()
				c.next()
				synctest.Wait()
				end(w, key)
				w.append(w.ws, parley.MessageCreated, 1)
				if f := c.next(); f != (frame{}) {
					t.Errorf("the stream tells %+v", f)
				}
			})
		})
	}
}

// TestNothingAfterAccessEndsBehind is TestNothingAfterAccessEnds for a stream that
// catches up.
func TestNothingAfterAccessEndsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, worldOptions{piped: true})
		w.append(w.ws, parley.MessageCreated, 5)
		key := w.ids.New(time.Now())
		reading, read := w.log.hold("Events", 3)
		c := w.open("after=first.3&key=" + key.String()).begin()
		c.next()
		<-reading
		w.end(key)
		w.append(w.ws, parley.MessageCreated, 1)
		read()
		for f := c.next(); f != (frame{}); f = c.next() {
			if f.id == "first.6" {
				t.Errorf("the stream tells %+v", f)
			}
		}
	})
}

func TestStalledReaderSlowsNobody(t *testing.T) {
	w := newWorld(t, worldOptions{})
	stalled := w.open("after=first.0")
	if err := stalled.conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	reads := w.open("after=first.0").begin()
	reads.next()
	count := w.appendUntilSlowed(reads)
	// It resumes where it was.
	_ = stalled.conn.Close()
	again := w.open("after=first.100").begin()
	again.next()
	again.wants(101, count)
}

// TestStalledReaderIsCut has a client that reads nothing, by a clock that moves
// when all wait.
func TestStalledReaderIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, worldOptions{piped: true})
		w.open("after=first.0").begin()
		reads := w.open("after=first.0").begin()
		reads.next()
		began := time.Now()
		for count := int64(0); w.hub.Stats().Streams == 2; count++ {
			w.append(w.ws, parley.MessageCreated, 1)
			reads.wants(count+1, count+1)
			time.Sleep(time.Second)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("the stalled stream was cut after %v", took)
		}
		eventually(t, "the cut stream has stopped", func() bool { return w.hub.Idle() })
		// It resumes where it was.
		again := w.open("after=first.1").begin()
		again.next()
		again.wants(2, 2)
	})
}

func TestLeavesNothingBehind(t *testing.T) {
	w := newWorld(t, worldOptions{})
	before := runtime.NumGoroutine()
	clients := make([]*client, 150)
	for i := range clients {
		clients[i] = w.open("").begin()
		clients[i].next()
	}
	eventually(t, "no goroutine of a stream is left", func() bool { return runtime.NumGoroutine() < before+20 })
	w.append(w.ws, parley.MessageCreated, 1)
	for _, c := range clients {
		c.wants(1, 1)
		_ = c.conn.Close()
	}
	eventually(t, "the streams that were left are forgotten", func() bool {
		w.hub.Sweep(time.Now(), time.Now().Add(time.Minute))
		return w.hub.Stats().Streams == 0 && w.hub.Feeds() == 0
	})
}

func TestSurvivesABrokenLog(t *testing.T) {
	w := newWorld(t, worldOptions{})
	c := w.open("").begin()
	c.next()
	broken := func(b bool) {
		w.log.mu.Lock()
		w.log.broken = b
		w.log.mu.Unlock()
	}
	broken(true)
	w.append(w.ws, parley.MessageCreated, 2)
	fails := w.open("").begin()
	if f := fails.next(); f != (frame{}) {
		t.Errorf("a stream that could not begin tells %+v", f)
	}
	broken(false)
	c.wants(1, 2)
}

// A wire delivers the messages of nodes to all of them.
type wire struct {
	mu    sync.Mutex
	heard []func(string)
}

func (x *wire) Tell(_ context.Context, text string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, each := range x.heard {
		each(text)
	}
	return nil
}

func (x *wire) Listen(ctx context.Context, each func(string)) error {
	x.mu.Lock()
	x.heard = append(x.heard, each)
	x.mu.Unlock()
	<-ctx.Done()
	return ctx.Err()
}

func TestSignalsAndNodes(t *testing.T) {
	between := &wire{}
	a := newWorld(t, worldOptions{relay: between, node: "a"})
	b := newWorld(t, worldOptions{relay: between, node: "b", log: a.log, pollOnly: true})
	b.ws = a.ws
	eventually(t, "both nodes listen", func() bool {
		between.mu.Lock()
		defer between.mu.Unlock()
		return len(between.heard) == 2
	})
	there, plain := b.open("signals=1").begin(), b.open("").begin()
	there.next()
	plain.next()
	eventually(t, "both streams keep up", func() bool { return b.hub.Stats().Streams == 2 })
	data, err := json.Marshal(struct{ Who string }{"Ann"})
	if err != nil {
		t.Fatal(err)
	}
	presence := live.Signal{Name: "presence", Key: "ann", Data: data, Stays: time.Minute}
	a.hub.Signal(t.Context(), a.ws, presence)
	want := frame{event: "presence", data: `{"Who":"Ann"}`}
	if f := there.next(); f != want {
		t.Errorf("the other node's stream tells %+v, want %+v", f, want)
	}
	newcomer := b.open("signals=1").begin()
	newcomer.next()
	if f := newcomer.next(); f != want {
		t.Errorf("a newcomer is told %+v, want %+v", f, want)
	}
	a.append(a.ws, parley.MessageCreated, 1)
	plain.wants(1, 1) // and no signal before it
}

// TestTenancy has 50 workspaces under random traffic, and keys that end
// meanwhile: no stream ever shows an event of another workspace, or one after
// its key was found to have ended.
func TestTenancy(t *testing.T) {
	const workspaces, streams, rounds = 50, 4, 60
	w := newWorld(t, worldOptions{})
	all := make([]parley.WorkspaceID, workspaces)
	dying := map[parley.WorkspaceID]parley.ID{}
	var readers sync.WaitGroup
	for i := range all {
		all[i] = w.workspace()
		for j := range streams {
			key := w.ids.New(time.Now())
			c := w.open("after=first.0&ws=" + all[i].String() + "&key=" + key.String()).begin()
			dies := j == 0 && i%2 == 0
			if dies {
				dying[all[i]] = key
			}
			readers.Go(func() { readOwn(t, c, all[i], dies, rounds) })
		}
	}
	for range rounds * workspaces / 2 {
		ws := all[rand.IntN(workspaces)]
		w.append(ws, parley.MessageCreated, 1)
		if key, ok := dying[ws]; ok && rand.IntN(4) == 0 {
			delete(dying, ws)
			w.log.mu.Lock()
			w.log.ended[parley.Credential{ID: key}] = true
			w.log.logs[ws].access++
			w.log.mu.Unlock()
		}
	}
	for _, ws := range all {
		missing := 0
		w.change(ws, func(h *history) { missing = rounds - int(h.seq) })
		w.append(ws, parley.MessageCreated, max(0, missing))
	}
	readers.Wait()
}

func readOwn(t *testing.T, c *client, ws parley.WorkspaceID, dies bool, rounds int64) {
	for n := int64(0); n < rounds; {
		f := c.next()
		if f == (frame{}) {
			if !dies {
				t.Errorf("the stream of %s ended at %d", ws, n)
			}
			return
		}
		if f.event == "" {
			continue
		}
		n++
		if f.id != fmt.Sprintf("first.%d", n) || !strings.Contains(f.data, ws.String()) {
			t.Errorf("the stream of %s tells %+v at %d", ws, f, n)
			return
		}
	}
}
