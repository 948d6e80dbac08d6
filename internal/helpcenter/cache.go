package helpcenter

import (
	"container/list"
	"context"
	"net/http"
	"sync"
	"time"

	"parley"
	"parley/internal/assets"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
)

const (
	// maxCenters is the most help centers whose settings are kept, and the most slugs
	// without one.
	maxCenters = 10_000
	// missTime is how long a slug has no help center before the store is asked
	// again: no log tells of the first one.
	missTime = time.Second
	// pageBytes is what a kept page takes beside its text, and missBytes the most that
	// addresses without a page take. They push no page out.
	pageBytes = 1 << 10
	missBytes = 2 << 20
	// sitemapBytes is what kept sitemaps take. They have a cache of their own: without
	// --public-url a request chooses the origin, and none may push pages out.
	sitemapBytes = 8 << 20
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
	missing    bool     // there is no page at the address
	sitemap    bool     // its path begins with an origin
	shown      readText // what a reader of the page has read; zero for none
}

// A cache keeps the pages that were read last, up to a number of bytes.
type cache struct {
	most int

	mu    sync.Mutex
	pages map[string]*list.Element // of *page, by path
	order list.List                // the page read last is in front
	bytes int
}

// centers are the help centers that were read, and slugs that have none.
type centers struct {
	mu      sync.Mutex
	known   map[string]keptCenter
	missing map[string]time.Time // until when
}

// A keptCenter is a help center as it was read in a generation.
type keptCenter struct {
	knowledge.PublicHelpCenter
	generation int64
}

func newCache(most int) *cache {
	return &cache{most: most, pages: map[string]*list.Element{}}
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

// get returns the help center with a slug as it was read last, or errNoPage if
// there was none a moment ago.
func (c *centers) get(slug string, now time.Time) (center keptCenter, ok bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if until, ok := c.missing[slug]; ok && now.Before(until) {
		return center, false, errNoPage
	}
	center, ok = c.known[slug]
	return center, ok, nil
}

func (c *centers) put(center keptCenter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.missing, center.Slug)
	if len(c.known) >= maxCenters || c.known == nil {
		c.known = map[string]keptCenter{}
	}
	c.known[center.Slug] = center
}

func (c *centers) miss(slug string, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.known, slug)
	if len(c.missing) >= maxCenters || c.missing == nil {
		c.missing = map[string]time.Time{}
	}
	c.missing[slug] = until
}

// kept answers with a kept page if there is one and it is current.
func (s *Site) kept(w http.ResponseWriter, r *http.Request) bool {
	p := s.pages.get(r.RequestURI)
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
	if !p.shown.article.IsZero() && r.Method == http.MethodGet && !crawls(r) && s.readers.first(s, r, p.shown) {
		s.o.Recorder.Read(p.workspace, parley.ArticleFeedback{ArticleID: p.shown.article, Language: p.shown.language, Shown: 1})
	}
	p.file.Serve(w, r)
}

// center returns the help center with a slug, with its settings as of the
// generation.
func (s *Site) center(ctx context.Context, slug string) (keptCenter, error) {
	known, ok, err := s.centers.get(slug, s.o.Clock())
	if err == nil && !ok {
		known.PublicHelpCenter, err = s.readCenter(ctx, slug)
	}
	if err != nil {
		return known, err
	}
	for range 3 { // the slug may go to another workspace meanwhile
		generation, err := s.logs.generation(ctx, known.Workspace)
		if err != nil || generation == known.generation {
			return known, err
		}
		// The settings are read after the generation, so that the next look sees a change
		// in between.
		now, err := s.readCenter(ctx, slug)
		if err != nil {
			return known, err
		}
		if now.Workspace == known.Workspace {
			known = keptCenter{now, generation}
			s.centers.put(known)
			return known, nil
		}
		known = keptCenter{PublicHelpCenter: now}
	}
	return known, errNoPage
}

// readCenter reads the settings of a help center. Its readers of all workspaces
// share their turns, because the slug names none.
func (s *Site) readCenter(ctx context.Context, slug string) (knowledge.PublicHelpCenter, error) {
	center, err := httpjson.InTurn(ctx, s.o.Turns, httpjson.Asker{}, func(ctx context.Context) (knowledge.PublicHelpCenter, error) {
		return s.o.Knowledge.PublicHelpCenter(ctx, slug)
	})
	if parley.KindOf(err) == parley.NotFound {
		s.centers.miss(slug, s.o.Clock().Add(missTime))
	}
	return center, err
}
