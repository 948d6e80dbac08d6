package live

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"parley"
)

// A room holds the open streams of a workspace. The streams that keep up all
// stand at the same place of the log: its head.
type room struct {
	hub *Hub
	ws  parley.WorkspaceID

	// advancing is held while the room moves along the log, so that one at a
	// time does. It is taken before mu.
	advancing sync.Mutex

	mu        sync.Mutex         // guards what is below, and what streams say of themselves
	head      parley.LogPosition // behind the newest event that the room has passed on
	access    int64              // see parley.LogHead
	streams   []*stream
	customers int  // of the streams
	awake     bool // a goroutine advances the room
	again     bool // … and has to look once more
	signals   map[string]sticky
}

// A sticky signal is told to newcomers until its time is up.
type sticky struct {
	to    parley.Audience
	of    parley.UserID // see Signal.Member
	text  []byte
	until time.Time // of the system's clock
}

func newRoom(h *Hub, head parley.LogHead) *room {
	return &room{hub: h, ws: head.Workspace, head: head.LogPosition, access: head.Access, signals: map[string]sticky{}}
}

func (r *room) add(s *stream) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.room, s.index = r, len(r.streams)
	r.streams = append(r.streams, s)
	if !s.audience.IsZero() {
		r.customers++
	}
}

// remove takes a stream out and reports whether it was in.
func (r *room) remove(s *stream) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.index < 0 {
		return false
	}
	last := len(r.streams) - 1
	r.streams[s.index] = r.streams[last]
	r.streams[s.index].index = s.index
	r.streams[last] = nil
	r.streams = r.streams[:last]
	if !s.audience.IsZero() {
		r.customers--
	}
	s.index, s.keepsUp = -1, false
	return true
}

func (r *room) empty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.streams) == 0
}

func (r *room) all() []*stream {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.streams)
}

func (r *room) cutAll() {
	for _, s := range r.all() {
		s.cut()
	}
}

// wake has the room advance, soon and in a goroutine of its own.
func (r *room) wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.again = true
	if !r.awake {
		r.awake = r.hub.spawn(r.run)
	}
}

func (r *room) run() {
	for {
		r.mu.Lock()
		if !r.again {
			r.awake = false
			r.mu.Unlock()
			return
		}
		r.again = false
		r.mu.Unlock()
		if err := r.advance(); err != nil && r.hub.ctx.Err() == nil {
			r.hub.logger.Warn("the event log could not be read; it is tried again", "workspace", r.ws, "error", err)
		}
	}
}

// advance passes on what the log has behind the room's head.
func (r *room) advance() error {
	r.advancing.Lock()
	defer r.advancing.Unlock()
	for {
		at := r.place()
		events, lost, err := r.hub.log.EventsAfter(r.hub.ctx, r.ws, at, page)
		if err != nil || len(events) == 0 {
			return err
		}
		if lost {
			return r.restart(at)
		}
		texts := newTexts(r.hub, at.Epoch, events)
		if r.hasCustomers() {
			if err := texts.show(r.hub.ctx, r.ws); err != nil {
				return err
			}
		}
		r.pass(at, texts)
	}
}

func (r *room) hasCustomers() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.customers > 0
}

// place is where the room is in the log.
func (r *room) place() parley.LogPosition {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.head
}

// restart goes on at the end of a log that is not the one that the room
// followed, unless the room is somewhere else by now.
func (r *room) restart(from parley.LogPosition) error {
	heads, err := r.hub.log.LogHeads(r.hub.ctx, []parley.WorkspaceID{r.ws})
	if err != nil || len(heads) == 0 {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.head == from {
		r.begin(heads[0].LogPosition)
	}
	return nil
}

// pass writes the events behind a place to all streams that keep up, unless the
// room is somewhere else by now.
func (r *room) pass(from parley.LogPosition, texts *texts) {
	events := texts.events
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.head != from {
		return
	}
	if next := events[0].Seq; next != r.head.Seq+1 {
		// Those between were deleted before the room could read them.
		r.begin(parley.LogPosition{Epoch: from.Epoch, Seq: next - 1})
		return
	}
	at := texts.behind(&events[len(events)-1])
	r.head = at
	keepUp := 0
	for _, s := range r.streams {
		if s.keepsUp && !s.audience.IsZero() && !texts.asked {
			s.fallBehind(nil) // it came meanwhile, and asks for itself
		}
		if s.keepsUp {
			texts.want(s)
			keepUp++
		}
	}
	r.each(func(s *stream) {
		if s.keepsUp {
			s.at = at
			s.offer(texts.of(s))
		}
	})
	r.hub.written.Add(int64(len(events) * keepUp))
}

// crowd is how many streams are worth the start of more goroutines.
const crowd = 512

// each calls fn for every stream, on several processors where there are many
// streams. r.mu is held.
func (r *room) each(fn func(*stream)) {
	workers := runtime.GOMAXPROCS(0)
	if len(r.streams) < crowd || workers == 1 {
		for _, s := range r.streams {
			fn(s)
		}
		return
	}
	var done sync.WaitGroup
	for part := range slices.Chunk(r.streams, (len(r.streams)+workers-1)/workers) {
		done.Go(func() {
			for _, s := range part {
				fn(s)
			}
		})
	}
	done.Wait()
}

// look compares the room with where its log ends. before is where the room was
// when the log was asked: a log is never shorter than that, unless it is
// another one, but the room may have moved on since.
func (r *room) look(head parley.LogHead, before parley.LogPosition) {
	r.mu.Lock()
	anew := head.Epoch != r.head.Epoch || head.Seq < before.Seq || head.Seq == r.head.Seq && head.Check != r.head.Check
	behind := head.Seq > r.head.Seq
	ended := head.Access != r.access
	r.access = head.Access
	if anew {
		r.begin(head.LogPosition)
	}
	r.mu.Unlock()
	if behind && !anew {
		r.wake()
	}
	if ended {
		r.hub.spawn(r.expel)
	}
}

// begin goes on from a place that does not follow the room's own. Every stream
// is behind then, and is told to load anew. r.mu is held.
func (r *room) begin(at parley.LogPosition) {
	r.head = at
	for _, s := range r.streams {
		if s.keepsUp {
			s.fallBehind(nil)
		}
	}
}

// expel cuts the streams whose credential opens the workspace no more.
func (r *room) expel() {
	streams := r.all()
	byCredential := make(map[parley.Credential][]*stream, len(streams))
	credentials := make([]parley.Credential, 0, len(streams))
	for _, s := range streams {
		if byCredential[s.credential] == nil {
			credentials = append(credentials, s.credential)
		}
		byCredential[s.credential] = append(byCredential[s.credential], s)
	}
	ended, err := r.hub.log.EndedCredentials(r.hub.ctx, r.ws, credentials)
	if err != nil {
		if r.hub.ctx.Err() == nil {
			r.hub.logger.Warn("credentials of open streams could not be checked; it is tried again", "workspace", r.ws, "error", err)
		}
		r.mu.Lock()
		r.access-- // so that the next look finds a difference
		r.mu.Unlock()
		return
	}
	for _, credential := range ended {
		for _, s := range byCredential[credential] {
			s.cut()
		}
	}
}

// sweep cuts the streams whose time is up or whose other side has left, and
// sends a sign of life where nothing was written for a while.
func (r *room) sweep(now, clock time.Time) {
	var over []*stream
	r.mu.Lock()
	for _, s := range r.streams {
		switch {
		case !s.until.IsZero() && !now.Before(s.until):
			over = append(over, s)
		case s.keepsUp && clock.Sub(s.wroteAt) >= quietTime:
			if s.gone() {
				over = append(over, s)
			} else {
				s.offer(s.sign())
			}
		}
	}
	for key, signal := range r.signals {
		if !clock.Before(signal.until) {
			delete(r.signals, key)
		}
	}
	r.mu.Unlock()
	for _, s := range over {
		s.cut()
	}
}

// signal tells the streams that want signals, those that keep up.
func (r *room) signal(g Signal) {
	text := g.text()
	r.mu.Lock()
	defer r.mu.Unlock()
	if g.Stays > 0 {
		r.signals[g.Name+" "+g.Key] = sticky{to: g.To, of: g.Member, text: text, until: time.Now().Add(g.Stays)}
	} else {
		delete(r.signals, g.Name+" "+g.Key)
	}
	r.each(func(s *stream) {
		if s.keepsUp && s.signals && s.hears(g.To, g.Member) {
			s.offer(text)
		}
	})
}
