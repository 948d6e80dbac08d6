package helpcenter

import (
	"container/list"
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"parley"
	"parley/internal/assets"
	"parley/internal/desk"
	"parley/internal/knowledge"
)

const (
	// freshTime is how long pages are served without a look at the event log.
	freshTime = 300 * time.Millisecond
	// eventPage is how many events one read of the log returns, and maxEventPages
	// how many reads a look takes at most. Beyond that, pages are rendered again.
	eventPage     = 256
	maxEventPages = 8
	// maxLogs is the most workspaces whose logs are watched, and maxCenters the most
	// help centers whose settings are kept.
	maxLogs    = 10_000
	maxCenters = 10_000
	// pageBytes is what a kept page takes beside its text.
	pageBytes = 1 << 10
)

// A page is a rendered page.
type page struct {
	path       string
	workspace  parley.WorkspaceID
	generation int64 // of the workspace when its reads began; see logs
	until      time.Time
	file       assets.File
	size       int
	moved      string   // the address to which this one leads; "" for a page
	shown      readText // what a reader of the page has read; zero for none
}

// A cache keeps the pages that were read last, up to a number of bytes.
type cache struct {
	most    int
	renders atomic.Int64 // pages that were rendered

	mu       sync.Mutex
	pages    map[string]*list.Element // of *page, by path
	order    list.List                // the page read last is in front
	bytes    int
	building map[string]chan struct{} // closed when the page of a path is rendered
	centers  map[string]keptCenter
}

// A keptCenter is a help center as it was read in a generation.
type keptCenter struct {
	knowledge.PublicHelpCenter
	generation int64
}

func newCache(most int) *cache {
	return &cache{most: most, pages: map[string]*list.Element{}, building: map[string]chan struct{}{}, centers: map[string]keptCenter{}}
}

// get returns the page of a path, which may be outdated, or nil.
func (c *cache) get(path string) *page {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.pages[path]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*page)
}

// put keeps a page instead of the former one of its path.
func (c *cache) put(p *page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.pages[p.path]; e != nil {
		c.remove(e)
	}
	if p.size > c.most {
		return
	}
	c.pages[p.path] = c.order.PushFront(p)
	for c.bytes += p.size; c.bytes > c.most; {
		c.remove(c.order.Back())
	}
}

func (c *cache) remove(e *list.Element) {
	p := c.order.Remove(e).(*page)
	delete(c.pages, p.path)
	c.bytes -= p.size
}

// enter waits until nobody else renders the page of a path. If somebody did, it
// returns false, and the page may be there. The caller must call leave.
func (c *cache) enter(ctx context.Context, path string) (leave func(), first bool, err error) {
	first = true
	for {
		c.mu.Lock()
		wait := c.building[path]
		if wait == nil {
			done := make(chan struct{})
			c.building[path] = done
			c.mu.Unlock()
			return func() {
				c.mu.Lock()
				delete(c.building, path)
				c.mu.Unlock()
				close(done)
			}, first, nil
		}
		c.mu.Unlock()
		first = false
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

func (c *cache) center(slug string) (keptCenter, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	center, ok := c.centers[slug]
	return center, ok
}

func (c *cache) putCenter(center keptCenter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.centers) >= maxCenters {
		clear(c.centers)
	}
	c.centers[center.Slug] = center
}

// logs watch the event logs of the workspaces whose pages are read. A
// workspace's generation changes when its pages may have changed.
type logs struct {
	desk  *desk.Desk
	clock parley.Clock
	last  atomic.Int64 // the latest generation of any workspace

	mu  sync.Mutex
	all map[parley.WorkspaceID]*watched
}

// A watched is the log of a workspace.
type watched struct {
	looking    sync.Mutex   // held by the one who reads the log
	generation atomic.Int64 // 0 before the first look
	lookedAt   atomic.Int64 // nanoseconds
	head       parley.LogPosition
}

func newLogs(d *desk.Desk, clock parley.Clock) *logs {
	return &logs{desk: d, clock: clock, all: map[parley.WorkspaceID]*watched{}}
}

func (l *logs) of(ws parley.WorkspaceID) *watched {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.all[ws]
	if w == nil {
		if len(l.all) >= maxLogs {
			clear(l.all) // generations never repeat, so every page is rendered again
		}
		w = &watched{}
		l.all[ws] = w
	}
	return w
}

// generation returns the generation of a workspace's pages, at most freshTime
// after it changed on any node.
func (l *logs) generation(ctx context.Context, ws parley.WorkspaceID) (int64, error) {
	w := l.of(ws)
	if generation := w.current(l.clock()); generation > 0 {
		return generation, nil
	}
	w.looking.Lock()
	defer w.looking.Unlock()
	now := l.clock()
	if generation := w.current(now); generation > 0 {
		return generation, nil
	}
	if err := l.look(ctx, ws, w); err != nil {
		return 0, err
	}
	w.lookedAt.Store(now.UnixNano())
	return w.generation.Load(), nil
}

// current returns the generation if somebody looked at the log lately, else 0.
func (w *watched) current(now time.Time) int64 {
	if age := time.Duration(now.UnixNano() - w.lookedAt.Load()); age >= 0 && age < freshTime {
		return w.generation.Load()
	}
	return 0
}

// look moves to the end of a log.
func (l *logs) look(ctx context.Context, ws parley.WorkspaceID, w *watched) error {
	heads, err := l.desk.LogHeads(ctx, []parley.WorkspaceID{ws})
	if err != nil {
		return err
	}
	if len(heads) == 0 {
		return errNoPage
	}
	head := heads[0].LogPosition
	if w.generation.Load() > 0 && head == w.head {
		return nil
	}
	changed := true
	if w.generation.Load() > 0 && head.Epoch == w.head.Epoch && head.Seq > w.head.Seq {
		if changed, err = l.changed(ctx, ws, w.head, head.Seq); err != nil {
			return err
		}
	}
	if changed {
		w.generation.Store(l.last.Add(1))
	}
	w.head = head
	return nil
}

// changed reports whether an event after a position, up to a number, can have
// changed public pages.
func (l *logs) changed(ctx context.Context, ws parley.WorkspaceID, after parley.LogPosition, to int64) (bool, error) {
	for range maxEventPages {
		tail, err := l.desk.EventsAfter(ctx, ws, after, eventPage)
		if err != nil || tail.Lost || len(tail.Events) == 0 || tail.Events[0].Seq != after.Seq+1 {
			return true, err
		}
		for i := range tail.Events {
			if knowledge.ChangesPublic(&tail.Events[i]) {
				return true, nil
			}
		}
		last := tail.Events[len(tail.Events)-1]
		if last.Seq >= to {
			return false, nil
		}
		after = parley.LogPosition{Epoch: after.Epoch, Seq: last.Seq, Check: last.Check}
	}
	return true, nil
}

// kept answers with a kept page if there is one and it is current.
func (s *Site) kept(w http.ResponseWriter, r *http.Request) bool {
	p := s.cache.get(r.RequestURI)
	if p == nil || !s.o.Clock().Before(p.until) {
		return false
	}
	generation, err := s.logs.generation(r.Context(), p.workspace)
	if err != nil || generation != p.generation {
		return false
	}
	s.send(w, r, p)
	return true
}

// send answers with a page and counts its reader.
func (s *Site) send(w http.ResponseWriter, r *http.Request, p *page) {
	if p.moved != "" {
		_ = moved(w, r, p.moved) // it is a path of this server
		return
	}
	if !p.shown.article.IsZero() && r.Method == http.MethodGet && !crawls(r) {
		s.tallies.add(p.workspace, p.shown, tally{shown: 1})
	}
	p.file.Serve(w, r)
}

// center returns the help center with a slug, with its settings as of the
// generation.
func (s *Site) center(ctx context.Context, slug string) (keptCenter, error) {
	known, ok := s.cache.center(slug)
	if !ok {
		first, err := s.o.Knowledge.PublicHelpCenter(ctx, slug)
		if err != nil {
			return known, err
		}
		known = keptCenter{PublicHelpCenter: first}
	}
	for range 3 { // the slug may go to another workspace meanwhile
		generation, err := s.logs.generation(ctx, known.Workspace)
		if err != nil || generation == known.generation {
			return known, err
		}
		// The settings are read after the generation, so that the next look sees a change
		// in between.
		now, err := s.o.Knowledge.PublicHelpCenter(ctx, slug)
		if err != nil {
			return known, err
		}
		if now.Workspace == known.Workspace {
			known = keptCenter{now, generation}
			s.cache.putCenter(known)
			return known, nil
		}
		known = keptCenter{PublicHelpCenter: now}
	}
	return known, errNoPage
}
