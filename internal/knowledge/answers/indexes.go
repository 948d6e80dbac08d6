package answers

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"parley"
	"parley/internal/knowledge"
	"parley/internal/knowledge/ranking"
)

const (
	// maxIdle is how long an index stays without a question.
	maxIdle = 15 * time.Minute
	// maxTexts is how many texts all indexes hold, at about 4 KB each. The
	// index that is in use may be larger.
	maxTexts = 25_000
)

// A key names an index.
type key struct {
	ws      parley.WorkspaceID
	product parley.ID // zero: only articles for all products
}

func (k key) filter(language parley.Language) knowledge.PublishedFilter {
	return knowledge.PublishedFilter{ProductID: k.product, Language: language}
}

// An entry is the place of an index.
type entry struct {
	building chan struct{} // has a token while the index is built
	state    atomic.Pointer[state]
	used     time.Time // guarded by the mutex of indexes
}

// A state is an index and what it was built from. It is immutable.
type state struct {
	index    *ranking.Index
	texts    []version // sorted
	fallback parley.Language
	at       parley.LogPosition // up to which the log has no other texts
	built    time.Time          // zero: never
	took     time.Duration      // to build
}

// A version is a published text.
type version struct {
	article  parley.ID
	language parley.Language
	number   int64
}

func compareVersions(a, b version) int {
	return cmp.Or(cmp.Compare(a.language, b.language), cmp.Compare(a.article.String(), b.article.String()), cmp.Compare(a.number, b.number))
}

// indexes are the indexes of this node.
type indexes struct {
	mu  sync.Mutex
	all map[key]*entry
	// sweeping says that a timer will drop idle indexes.
	sweeping bool
}

// entry returns the place of an index, and drops others to make room.
func (x *indexes) entry(k key, clock parley.Clock) *entry {
	now := clock()
	x.mu.Lock()
	defer x.mu.Unlock()
	e := x.all[k]
	if e == nil {
		e = &entry{building: make(chan struct{}, 1)}
		x.all[k] = e
	}
	e.used = now
	x.drop(now)
	if !x.sweeping {
		x.sweeping = true
		time.AfterFunc(maxIdle, func() { x.sweep(clock) })
	}
	return e
}

// sweep drops idle indexes, and returns after a while if any are left.
func (x *indexes) sweep(clock parley.Clock) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.drop(clock())
	x.sweeping = len(x.all) > 0
	if x.sweeping {
		time.AfterFunc(maxIdle, func() { x.sweep(clock) })
	}
}

// drop drops the indexes that are idle, and those longest unused while there are
// too many texts.
func (x *indexes) drop(now time.Time) {
	total := 0
	keys := make([]key, 0, len(x.all))
	for k, e := range x.all {
		if now.Sub(e.used) >= maxIdle {
			delete(x.all, k)
			continue
		}
		keys = append(keys, k)
		total += e.size()
	}
	slices.SortFunc(keys, func(a, b key) int { return x.all[a].used.Compare(x.all[b].used) })
	for _, k := range keys[:max(0, len(keys)-1)] {
		if total <= maxTexts {
			return
		}
		total -= x.all[k].size()
		delete(x.all, k)
	}
}

func (e *entry) size() int {
	if s := e.state.Load(); s != nil {
		return len(s.texts)
	}
	return 0
}
