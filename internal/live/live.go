// Package live delivers the event log to subscribers. It follows the logs of
// the workspaces that have open streams, renders each new event once, and
// writes it to all of these streams as server-sent events.
//
// It imports only the vocabulary, and declares small interfaces for what it
// needs from other packages.
//
// A stream is a connection taken over from net/http. While it keeps up it has
// no goroutine and no buffer, unless TLS or HTTP/2 is in between (see queue):
// the feed of its workspace writes to it without blocking. A stream that cannot
// take everything at once leaves the feed and gets a goroutine, which reads the
// log from the position of the stream, as if the client had just reconnected,
// and then returns the stream to the feed. The log itself is thus the queue of a
// slow reader, and no other reader waits for it.
//
// Wake-ups are only hints: from the writer of this node through the Bell, and
// from other nodes through the Relay. Every feed is also checked four times a
// second, so events arrive even if all hints are lost.
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
	// pollInterval is how often the heads of the logs are read without any
	// hint.
	pollInterval = 250 * time.Millisecond
	// sweepInterval is how often the streams are checked for expiry and for
	// heartbeatTime.
	sweepInterval = time.Second
	// heartbeatTime is how long a connection may be silent. Then the hub sends
	// a comment, so that no proxy considers the connection dead.
	heartbeatTime = 20 * time.Second
	// relayInterval is the least time between two announcements to other nodes.
	relayInterval = 10 * time.Millisecond
	// page is how many events one read returns.
	page = 256
	// maxReaders is how many streams may read the log at once to catch up.
	// Customers can be numerous, so their streams have a separate limit and
	// delay only each other.
	maxReaders         = 32
	maxReadersCustomer = 8
	// maxBehind is how many events a customer's stream reads at most to catch
	// up. Few of them concern that customer, so a stream further behind is told
	// to reload, which costs less.
	maxBehind = 2 * page
	// headBatch is how many workspaces one query covers.
	headBatch = 256
)

// A Log is the event log and its access rules, as far as live needs them.
type Log interface {
	// LogHeads returns the ends of logs, in no particular order.
	LogHeads(ctx context.Context, workspaces []parley.WorkspaceID) ([]parley.LogHead, error)
	// EventsAfter returns the events after a position that was once in the log.
	EventsAfter(ctx context.Context, ws parley.WorkspaceID, after parley.LogPosition, limit int) (parley.LogTail, error)
	// Events returns a page after a position that may not be in the log.
	Events(ctx context.Context, ws parley.WorkspaceID, after parley.Optional[parley.LogPosition], limit int) (parley.EventPage, error)
	// EndedCredentials returns the credentials that no longer open the
	// workspace.
	EndedCredentials(ctx context.Context, ws parley.WorkspaceID, credentials []parley.Credential) ([]parley.Credential, error)
}

// A Relay carries hints and signals between the nodes that share a store.
// Losing some does no harm.
type Relay interface {
	// Tell sends a text of at most 7999 bytes to all nodes.
	Tell(ctx context.Context, text string) error
	// Listen passes each text that a node sends to each, until the context ends
	// or the connection breaks.
	Listen(ctx context.Context, each func(text string)) error
}

// A View selects and renders the events that customers may see.
type View interface {
	// Show returns what customers see of some events, in the order of the
	// events. It may query the store.
	Show(ctx context.Context, ws parley.WorkspaceID, events []parley.Event) ([]CustomerEvent, error)
}

// A CustomerEvent is an event as a customer sees it.
type CustomerEvent struct {
	Seq int64 // of the event
	// Audience is the customer who sees it. Without an inbox, the contact sees
	// it in every inbox.
	Audience parley.Audience
	Name     string // of the server-sent event
	Data     []byte // JSON
	// Reset, instead of a name and data, tells the client to reload everything.
	Reset bool
}

// Options configure a Hub.
type Options struct {
	Log    Log
	Bell   *Bell // nil: only polling wakes the feeds
	Relay  Relay // nil: no other nodes
	Clock  parley.Clock
	Logger *slog.Logger
	// Node identifies this process among the nodes.
	Node string
	// Render appends the JSON of an event.
	Render func(b []byte, e *parley.Event) []byte
	// View serves the streams of customers; nil: there are none.
	View View
	// MaxStreams is how many streams the node may hold, so that file
	// descriptors remain for everything else; 0: no limit.
	MaxStreams int
}

// A Hub holds the open streams of a node.
type Hub struct {
	log        Log
	bell       *Bell
	relay      Relay
	clock      parley.Clock
	logger     *slog.Logger
	node       string
	render     func([]byte, *parley.Event) []byte
	view       View
	maxStreams int

	ctx             context.Context // of all work for streams
	stop            context.CancelFunc
	readers         chan struct{} // a slot for each stream that reads the log
	customerReaders chan struct{} // the same for streams of customers

	spawnMu sync.Mutex // guards stopped; locked after a feed's mu
	stopped bool
	work    sync.WaitGroup

	mu    sync.Mutex // guards feeds and open; locked before a feed's mu
	feeds map[parley.WorkspaceID]*feed
	open  map[quotaKey]int // streams that are open or about to start

	opened, ended, slowed, written atomic.Int64 // see Stats
}

// New returns a Hub. It delivers nothing until Run is called.
func New(o Options) *Hub {
	h := &Hub{
		log: o.Log, bell: o.Bell, relay: o.Relay, clock: o.Clock, logger: o.Logger, node: o.Node, render: o.Render, view: o.View, maxStreams: o.MaxStreams,
		readers: make(chan struct{}, maxReaders), customerReaders: make(chan struct{}, maxReadersCustomer),
		feeds: map[parley.WorkspaceID]*feed{}, open: map[quotaKey]int{},
	}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// Stats are counters since the Hub was created.
type Stats struct {
	Streams int64 // open now
	Opened  int64
	Slowed  int64 // times that a stream could not take everything at once
	Events  int64 // deliveries: one event to one stream
}

// Stats returns the counters.
func (h *Hub) Stats() Stats {
	opened := h.opened.Load()
	return Stats{Streams: opened - h.ended.Load(), Opened: opened, Slowed: h.slowed.Load(), Events: h.written.Load()}
}

// Run delivers events until the context ends. Then it cuts all streams; their
// clients resume at another node.
func (h *Hub) Run(ctx context.Context) {
	var tasks sync.WaitGroup
	tasks.Go(func() { h.follow(ctx) })
	tasks.Go(func() { h.sweep(ctx) })
	if h.relay != nil {
		tasks.Go(func() { h.notifyNodes(ctx) })
		tasks.Go(func() { h.listenToNodes(ctx) })
	}
	<-ctx.Done()
	h.stop()
	h.spawnMu.Lock()
	h.stopped = true
	h.spawnMu.Unlock()
	tasks.Wait()
	for _, f := range h.allFeeds() {
		f.cutAll()
	}
	h.work.Wait()
}

// spawn runs fn in a goroutine that Run waits for. It returns false, without
// running fn, if the hub has stopped.
func (h *Hub) spawn(fn func()) bool {
	h.spawnMu.Lock()
	defer h.spawnMu.Unlock()
	if !h.stopped {
		h.work.Go(fn)
	}
	return !h.stopped
}

// follow advances the feeds that the bell rang for, and checks all feeds every
// pollInterval.
func (h *Hub) follow(ctx context.Context) {
	ticker := time.NewTicker(pollInterval)
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
			for _, ws := range h.bell.takeLocal() {
				h.wake(ws)
			}
		case <-ticker.C:
			h.poll(ctx)
		}
	}
}

// wake advances the feed of a workspace, if there is one.
func (h *Hub) wake(ws parley.WorkspaceID) {
	h.mu.Lock()
	f := h.feeds[ws]
	h.mu.Unlock()
	if f != nil {
		f.wake()
	}
}

// poll checks which feeds are behind and which have lost access, without any
// hint.
func (h *Hub) poll(ctx context.Context) {
	feeds := h.allFeeds()
	for len(feeds) > 0 {
		batch := feeds[:min(headBatch, len(feeds))]
		feeds = feeds[len(batch):]
		byID := make(map[parley.WorkspaceID]*feed, len(batch))
		before := make(map[parley.WorkspaceID]parley.LogPosition, len(batch))
		ids := make([]parley.WorkspaceID, len(batch))
		for i, f := range batch {
			ids[i], byID[f.ws], before[f.ws] = f.ws, f, f.position()
		}
		heads, err := h.log.LogHeads(ctx, ids)
		if err != nil {
			if ctx.Err() == nil {
				h.logger.Warn("live: read of log heads failed, retrying", "error", err)
			}
			return
		}
		for _, head := range heads {
			byID[head.Workspace].compare(head, before[head.Workspace])
		}
	}
}

func (h *Hub) allFeeds() []*feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*feed, 0, len(h.feeds))
	for _, f := range h.feeds {
		all = append(all, f)
	}
	return all
}

// sweep checks all streams every sweepInterval.
func (h *Hub) sweep(ctx context.Context) {
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			for _, f := range h.allFeeds() {
				f.sweep(h.clock.Now(), time.Now())
			}
		}
	}
}

// enter adds a stream to the feed of its workspace, and creates the feed if
// there is none.
func (h *Hub) enter(ctx context.Context, s *stream, ws parley.WorkspaceID) error {
	for {
		h.mu.Lock()
		f := h.feeds[ws]
		if f != nil {
			f.add(s)
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
		if h.feeds[ws] == nil {
			h.feeds[ws] = newFeed(h, heads[0])
		}
		f = h.feeds[ws]
		h.mu.Unlock()
		f.wake() // for hints that arrived before the feed existed
	}
}

// leave removes a stream from its feed, and drops the feed if it is empty.
func (h *Hub) leave(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.feed.remove(s) {
		h.ended.Add(1)
		if s.feed.empty() {
			delete(h.feeds, s.feed.ws)
		}
		h.uncount(s)
	}
}
