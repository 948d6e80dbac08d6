package follow

import (
	"sync"
	"time"

	"parley"
)

// rests are the workspaces that get no turns for now. The zero value is empty.
type rests struct {
	mu       sync.Mutex
	failing  map[parley.WorkspaceID]rest
	standing map[parley.WorkspaceID]standstill
}

// A rest is the pause after a failure.
type rest struct {
	until time.Time
	pause time.Duration
}

// A standstill is a position of a newer version that does not move.
type standstill struct {
	step  int
	since time.Time
}

// rests reports whether a workspace gets no turn now. A rest that ends later than
// now plus longestRest was given by a clock that was ahead, and is over.
func (r *rests) rests(ws parley.WorkspaceID, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	failing, ok := r.failing[ws]
	return ok && now.Before(failing.until) && failing.until.Sub(now) <= longestRest
}

// failed starts a rest that is twice as long as the previous one.
func (r *rests) failed(ws parley.WorkspaceID, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failing == nil {
		r.failing = map[parley.WorkspaceID]rest{}
	}
	pause := min(max(firstRest, 2*r.failing[ws].pause), longestRest)
	r.failing[ws] = rest{now.Add(pause), pause}
}

// succeeded ends the rest of a workspace.
func (r *rests) succeeded(ws parley.WorkspaceID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.failing, ws)
	delete(r.standing, ws)
}

// stands reports whether nodes of a newer version may still move a position: this
// process has seen it at the same step for less than versionPatience.
func (r *rests) stands(ws parley.WorkspaceID, step int, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.standing == nil {
		r.standing = map[parley.WorkspaceID]standstill{}
	}
	seen, ok := r.standing[ws]
	if !ok || seen.step != step || now.Before(seen.since) {
		seen = standstill{step, now}
		r.standing[ws] = seen
	}
	return now.Sub(seen.since) < versionPatience
}
