// Package live delivers the event log to whoever listens: it follows the logs
// of the workspaces that have open streams and writes each event, once
// rendered, to all of them as server-sent events.
//
// It imports the vocabulary alone; what it needs of the rest it declares as
// small interfaces.
//
// A stream is a connection taken over from net/http. While it keeps up it has
// no goroutine and no buffer: the workspace's room writes to it without
// waiting. A stream that cannot take all at once leaves the room and gets a
// goroutine, which reads the log from where the stream stands, as if it had
// just come back, and brings it into the room again. So the log itself is the
// queue of a slow reader, and nobody waits for one.
//
// What wakes a room is only a hint: the writer of this node through the Bell,
// another node through the Relay. Every room is also looked after four times a
// second, so that everything arrives with every hint lost.
package live

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"parley"
)

const (
	// pollPause is how often the ends of the logs are read without any hint.
	pollPause = 250 * time.Millisecond
	// sweepPause is how often the streams are looked over: for those whose time
	// is up, and those that nothing was written to for quietTime.
	sweepPause = time.Second
	// quietTime is how long nothing may pass on a line; then a comment does, so
	// that no proxy takes the line for dead.
	quietTime = 20 * time.Second
	// relayPause is the least time between two notices to the other nodes.
	relayPause = 10 * time.Millisecond
	// page is how many events are read at once.
	page = 256
	// maxReaders is how many streams read the log at once to catch up. Those of
	// customers, of whom there may be any number, have places of their own, so
	// that nobody else waits for them.
	maxReaders         = 32
	maxReadersCustomer = 8
	// maxBehind is how many events a customer's stream reads to catch up at most.
	// Few of them are the customer's, so one that is further behind is told to
	// load anew, which costs less.
	maxBehind = 2 * page
	// headBatch is how many workspaces one query asks about.
	headBatch = 256
)

// A Log is what live reads of the event log and of who may hear it.
type Log interface {
	// LogHeads returns where logs end, in no order.
	LogHeads(ctx context.Context, workspaces []parley.WorkspaceID) ([]parley.LogHead, error)
	// EventsAfter returns the events behind a position of which the reader is
	// sure; lost says that the log has another event in its place.
	EventsAfter(ctx context.Context, ws parley.WorkspaceID, after parley.LogPosition, limit int) (events []parley.Event, lost bool, err error)
	// Events returns a page behind a position that may not be in the log.
	Events(ctx context.Context, ws parley.WorkspaceID, after parley.Optional[parley.LogPosition], limit int) (parley.EventPage, error)
	// EndedCredentials returns those that open the workspace no more.
	EndedCredentials(ctx context.Context, ws parley.WorkspaceID, credentials []parley.Credential) ([]parley.Credential, error)
}

// A Relay carries hints and signals between the nodes that share a store.
// What it loses is not missed.
type Relay interface {
	// Tell carries a text of at most 7999 bytes to all nodes.
	Tell(ctx context.Context, text string) error
	// Listen hands what nodes tell to each, until the context ends or the
	// connection is lost.
	Listen(ctx context.Context, each func(text string)) error
}

// A View shows customers their part of the log.
type View interface {
	// Show returns what customers hear of some events, in the order of the
	// events. It may ask the store.
	Show(ctx context.Context, ws parley.WorkspaceID, events []parley.Event) ([]Shown, error)
}

// A Shown is what an audience hears of an event.
type Shown struct {
	Seq int64 // of the event
	// Audience is who hears it. Without an inbox, the contact in every inbox does.
	Audience parley.Audience
	Name     string // of the server-sent event
	Data     []byte // JSON
	// Reset, in the place of a name and data, tells to load everything anew.
	Reset bool
}

// Options are what a Hub works with.
type Options struct {
	Log    Log
	Bell   *Bell // nil: nothing wakes but the clock
	Relay  Relay // nil: there are no other nodes
	Clock  parley.Clock
	Logger *slog.Logger
	// Node names this process among the nodes.
	Node string
	// Render appends the JSON of an event.
	Render func(b []byte, e *parley.Event) []byte
	// View is for the streams of customers; nil: there are none.
	View View
	// Most is how many streams the node may hold, so that they leave it descriptors
	// for everything else; 0: as many as come.
	Most int
}

// A Hub holds the open streams of a node.
type Hub struct {
	log    Log
	bell   *Bell
	relay  Relay
	clock  parley.Clock
	logger *slog.Logger
	node   string
	render func([]byte, *parley.Event) []byte
	view   View
	most   int

	ctx     context.Context // of everything that the hub's streams do
	stop    context.CancelFunc
	readers chan struct{} // a place for each stream that reads the log
	crowd   chan struct{} // … of a customer
	stalled time.Duration // how long one write may take to a stream that is behind

	spawning sync.Mutex // guards stopped; taken behind a room's mu
	stopped  bool
	work     sync.WaitGroup

	mu    sync.Mutex // guards rooms and open; taken before a room's own
	rooms map[parley.WorkspaceID]*room
	open  map[counted]int // streams that are open or about to begin

	opened, ended, slowed, written atomic.Int64 // see Stats
}

// New returns a Hub; Run makes it work.
func New(o Options) *Hub {
	h := &Hub{
		log: o.Log, bell: o.Bell, relay: o.Relay, clock: o.Clock, logger: o.Logger, node: o.Node, render: o.Render, view: o.View, most: o.Most,
		readers: make(chan struct{}, maxReaders), crowd: make(chan struct{}, maxReadersCustomer), stalled: stalled,
		rooms: map[parley.WorkspaceID]*room{}, open: map[counted]int{},
	}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// Stats are counters since the start.
type Stats struct {
	Streams int64 // open now
	Opened  int64
	Slowed  int64 // times that a stream could not take all at once
	Events  int64 // deliveries: one event to one stream
}

// Stats returns the counters.
func (h *Hub) Stats() Stats {
	opened := h.opened.Load()
	return Stats{Streams: opened - h.ended.Load(), Opened: opened, Slowed: h.slowed.Load(), Events: h.written.Load()}
}

// Run delivers until the context ends; then it cuts all streams, which resume
// elsewhere.
func (h *Hub) Run(ctx context.Context) {
	var tasks sync.WaitGroup
	tasks.Go(func() { h.follow(ctx) })
	tasks.Go(func() { h.sweep(ctx) })
	if h.relay != nil {
		tasks.Go(func() { h.tellNodes(ctx) })
		tasks.Go(func() { h.hearNodes(ctx) })
	}
	<-ctx.Done()
	h.stop()
	h.spawning.Lock()
	h.stopped = true
	h.spawning.Unlock()
	tasks.Wait()
	for _, r := range h.allRooms() {
		r.cutAll()
	}
	h.work.Wait()
}

// spawn runs fn in a goroutine that Run waits for, and reports whether it does:
// not when the hub has stopped.
func (h *Hub) spawn(fn func()) bool {
	h.spawning.Lock()
	defer h.spawning.Unlock()
	if !h.stopped {
		h.work.Go(fn)
	}
	return !h.stopped
}

// follow advances the rooms that a bell rang for, and looks after all of them
// every pollPause.
func (h *Hub) follow(ctx context.Context) {
	ticker := time.NewTicker(pollPause)
	defer ticker.Stop()
	var rung <-chan struct{}
	if h.bell != nil {
		rung = h.bell.rung
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-rung:
			for _, ws := range h.bell.take() {
				h.wake(ws)
			}
		case <-ticker.C:
			h.poll(ctx)
		}
	}
}

// wake advances the room of a workspace, if there is one.
func (h *Hub) wake(ws parley.WorkspaceID) {
	h.mu.Lock()
	r := h.rooms[ws]
	h.mu.Unlock()
	if r != nil {
		r.wake()
	}
}

// poll finds out by itself which rooms are behind, and where access ended.
func (h *Hub) poll(ctx context.Context) {
	rooms := h.allRooms()
	for len(rooms) > 0 {
		batch := rooms[:min(headBatch, len(rooms))]
		rooms = rooms[len(batch):]
		byID := make(map[parley.WorkspaceID]*room, len(batch))
		before := make(map[parley.WorkspaceID]parley.LogPosition, len(batch))
		ids := make([]parley.WorkspaceID, len(batch))
		for i, r := range batch {
			ids[i], byID[r.ws], before[r.ws] = r.ws, r, r.place()
		}
		heads, err := h.log.LogHeads(ctx, ids)
		if err != nil {
			if ctx.Err() == nil {
				h.logger.Warn("the ends of the event logs could not be read", "error", err)
			}
			return
		}
		for _, head := range heads {
			byID[head.Workspace].look(head, before[head.Workspace])
		}
	}
}

func (h *Hub) allRooms() []*room {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*room, 0, len(h.rooms))
	for _, r := range h.rooms {
		all = append(all, r)
	}
	return all
}

// sweep looks over the streams every sweepPause.
func (h *Hub) sweep(ctx context.Context) {
	ticker := time.NewTicker(sweepPause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			for _, r := range h.allRooms() {
				r.sweep(h.clock.Now(), time.Now())
			}
		}
	}
}

// enter puts a stream into the room of its workspace, which is made if it is
// not there.
func (h *Hub) enter(ctx context.Context, s *stream, ws parley.WorkspaceID) error {
	for {
		h.mu.Lock()
		r := h.rooms[ws]
		if r != nil {
			r.add(s)
			h.mu.Unlock()
			return nil
		}
		h.mu.Unlock()
		heads, err := h.log.LogHeads(ctx, []parley.WorkspaceID{ws})
		if err != nil {
			return err
		}
		if len(heads) == 0 {
			return parley.NotFoundf("no such workspace")
		}
		h.mu.Lock()
		if h.rooms[ws] == nil {
			h.rooms[ws] = newRoom(h, heads[0])
		}
		r = h.rooms[ws]
		h.mu.Unlock()
		r.wake() // for what the room was not there to be woken by
	}
}

// leave takes a stream out of its room, and drops a room that is empty.
func (h *Hub) leave(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.room.remove(s) {
		h.ended.Add(1)
		if s.room.empty() {
			delete(h.rooms, s.room.ws)
		}
		h.forget(s)
	}
}
