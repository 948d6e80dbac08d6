package live

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"parley"
)

// A feed holds the open streams of a workspace. All streams that keep up are at
// the same position of the log: the head of the feed.
type feed struct {
	hub *Hub
	ws  parley.WorkspaceID

	// advancing is locked while the feed moves along the log, so that only one
	// goroutine moves it. It is locked before mu.
	advancing sync.Mutex
	// checking is locked during a check of the streams' credentials. It is locked
	// after advancing and before mu.
	checking sync.Mutex

	mu        sync.Mutex         // guards the fields below and those of the streams
	head      parley.LogPosition // after the latest event that the feed has delivered
	access    int64              // the counter of the latest check; see parley.LogHead
	streams   []*stream
	customers int  // how many of the streams
	running   bool // a goroutine is advancing the feed
	rerun     bool // that goroutine must check once more
	signals   map[string]stickySignal
}

// A stickySignal is sent to new streams until it expires.
type stickySignal struct {
	signalText
	until time.Time // by the system clock
}

func newFeed(h *Hub, head parley.LogHead) *feed {
	return &feed{hub: h, ws: head.Workspace, head: head.LogPosition, access: head.Access, signals: map[string]stickySignal{}}
}

func (f *feed) add(s *stream) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.feed, s.index = f, len(f.streams)
	f.streams = append(f.streams, s)
	if !s.audience.IsZero() {
		f.customers++
	}
}

// remove removes a stream and reports whether the feed had it.
func (f *feed) remove(s *stream) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.index < 0 {
		return false
	}
	last := len(f.streams) - 1
	f.streams[s.index] = f.streams[last]
	f.streams[s.index].index = s.index
	f.streams[last] = nil
	f.streams = f.streams[:last]
	if !s.audience.IsZero() {
		f.customers--
	}
	s.index, s.keepsUp = -1, false
	return true
}

func (f *feed) empty() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.streams) == 0
}

func (f *feed) all() []*stream {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.streams)
}

func (f *feed) cutAll() {
	for _, s := range f.all() {
		s.cut()
	}
}

// wake makes the feed advance soon, in its own goroutine.
func (f *feed) wake() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rerun = true
	if !f.running {
		f.running = f.hub.spawn(f.run)
	}
}

func (f *feed) run() {
	for {
		f.mu.Lock()
		if !f.rerun {
			f.running = false
			f.mu.Unlock()
			return
		}
		f.rerun = false
		f.mu.Unlock()
		if err := f.advance(); err != nil && f.hub.ctx.Err() == nil {
			f.hub.logger.Warn("live: read of event log failed, retrying", "workspace", f.ws, "error", err)
		}
	}
}

// advance delivers the events after the head of the feed.
func (f *feed) advance() error {
	f.advancing.Lock()
	defer f.advancing.Unlock()
	for {
		at := f.position()
		tail, err := f.hub.log.EventsAfter(f.hub.ctx, f.ws, at, page)
		if err != nil || len(tail.Events) == 0 {
			return err
		}
		if tail.Lost {
			return f.restart(at)
		}
		batch := newRendering(f.hub, at.Epoch, tail.Events)
		if f.hasCustomers() {
			if err := batch.loadShown(f.hub.ctx, f.ws); err != nil {
				return err
			}
		}
		if err := f.cutEnded(tail.Access); err != nil {
			return err
		}
		f.deliver(at, batch)
	}
}

func (f *feed) hasCustomers() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.customers > 0
}

// position is the head of the feed.
func (f *feed) position() parley.LogPosition {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.head
}

// restart moves the feed to the end of a log that replaced the one it followed,
// unless the feed has moved since.
func (f *feed) restart(from parley.LogPosition) error {
	heads, err := f.hub.log.LogHeads(f.hub.ctx, []parley.WorkspaceID{f.ws})
	if err != nil || len(heads) == 0 {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.head == from {
		f.jumpTo(heads[0].LogPosition)
	}
	return nil
}

// deliver writes the events after a position to all streams that keep up,
// unless the feed has moved since.
func (f *feed) deliver(from parley.LogPosition, batch *rendering) {
	events := batch.events
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.head != from {
		return
	}
	if next := events[0].Seq; next != f.head.Seq+1 {
		// The events in between were deleted before the feed read them.
		f.jumpTo(parley.LogPosition{Epoch: from.Epoch, Seq: next - 1})
		return
	}
	at := batch.positionAfter(&events[len(events)-1])
	f.head = at
	keepUp := 0
	now := f.hub.clock.Now()
	for _, s := range f.streams {
		if s.keepsUp && s.expired(now) {
			s.keepsUp = false
			s.hub.spawn(s.cut) // cut locks the feed
		}
		if s.keepsUp && !s.audience.IsZero() && !batch.loaded {
			s.fallBehind(nil) // it joined after the query, and catches up by itself
		}
		if s.keepsUp {
			batch.render(s)
			keepUp++
		}
	}
	f.each(func(s *stream) {
		if s.keepsUp {
			s.position = at
			s.offer(batch.textFor(s))
		}
	})
	f.hub.written.Add(int64(len(events) * keepUp))
}

// parallelThreshold is how many streams are worth starting goroutines for.
const parallelThreshold = 512

// each calls fn for every stream, in parallel if there are many. The caller
// holds f.mu.
func (f *feed) each(fn func(*stream)) {
	workers := runtime.GOMAXPROCS(0)
	if len(f.streams) < parallelThreshold || workers == 1 {
		for _, s := range f.streams {
			fn(s)
		}
		return
	}
	var done sync.WaitGroup
	for part := range slices.Chunk(f.streams, (len(f.streams)+workers-1)/workers) {
		done.Go(func() {
			for _, s := range part {
				fn(s)
			}
		})
	}
	done.Wait()
}

// compare checks the feed against the end of its log. before is the position of
// the feed when the log was queried: a log cannot be shorter than that unless
// it was replaced, while the feed may have moved on since.
func (f *feed) compare(head parley.LogHead, before parley.LogPosition) {
	f.mu.Lock()
	anew := head.Epoch != f.head.Epoch || head.Seq < before.Seq || head.Seq == f.head.Seq && head.Check != f.head.Check
	behind := head.Seq > f.head.Seq
	ended := head.Access != f.access
	if anew {
		f.jumpTo(head.LogPosition)
	}
	f.mu.Unlock()
	if behind && !anew {
		f.wake()
	}
	if ended {
		f.hub.spawn(func() {
			if err := f.cutEnded(head.Access); err != nil && f.hub.ctx.Err() == nil {
				f.hub.logger.Warn("live: check of stream credentials failed, retrying", "workspace", f.ws, "error", err)
			}
		})
	}
}

// jumpTo continues at a position that does not follow the current one. It
// leaves every stream behind, and each is told to reload. The caller holds
// f.mu.
func (f *feed) jumpTo(at parley.LogPosition) {
	f.head = at
	for _, s := range f.streams {
		if s.keepsUp {
			s.fallBehind(nil)
		}
	}
}

// cutEnded cuts the streams whose credentials no longer open the workspace, unless
// the latest check was for the same access counter. When it returns, the streams
// left had access at some time after the counter was read. A stream that joins
// during the check has its own, see [Hub.admit].
func (f *feed) cutEnded(access int64) error {
	f.checking.Lock()
	defer f.checking.Unlock()
	if f.checkedFor(access) {
		return nil
	}
	streams := f.all()
	byCredential := make(map[parley.Credential][]*stream, len(streams))
	credentials := make([]parley.Credential, 0, len(streams))
	for _, s := range streams {
		if byCredential[s.credential] == nil {
			credentials = append(credentials, s.credential)
		}
		byCredential[s.credential] = append(byCredential[s.credential], s)
	}
	ended, err := f.hub.log.EndedCredentials(f.hub.ctx, f.ws, credentials)
	if err != nil {
		return err
	}
	for _, credential := range ended {
		for _, s := range byCredential[credential] {
			s.cut()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.access = access
	return nil
}

func (f *feed) checkedFor(access int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.access == access
}

// sweep cuts the streams that have expired or whose client has disconnected,
// and sends heartbeats to silent ones.
func (f *feed) sweep(now, clock time.Time) {
	var over []*stream
	f.mu.Lock()
	for _, s := range f.streams {
		switch {
		case s.expired(now):
			over = append(over, s)
		case s.keepsUp && clock.Sub(s.wroteAt) >= heartbeatTime:
			if s.out.peerClosed() {
				over = append(over, s)
			} else {
				s.offer(s.heartbeat())
			}
		}
	}
	for key, signal := range f.signals {
		if !clock.Before(signal.until) {
			delete(f.signals, key)
		}
	}
	f.mu.Unlock()
	for _, s := range over {
		s.cut()
	}
}

// signal sends a signal to the streams that accept it and keep up.
func (f *feed) signal(g Signal) {
	text := g.texts()
	f.mu.Lock()
	defer f.mu.Unlock()
	if g.Stays > 0 {
		f.signals[g.Name+" "+g.Key] = stickySignal{signalText: text, until: time.Now().Add(g.Stays)}
	} else {
		delete(f.signals, g.Name+" "+g.Key)
	}
	f.each(func(s *stream) {
		if s.keepsUp && s.signals {
			s.offer(s.textOf(&text))
		}
	})
}
