package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"parley"
	"parley/internal/store/patience"
)

// maxLanes is how many lanes may wait for their workspaces at a time. Each of
// them uses one connection.
const maxLanes = 8

// lanes serve workspaces whose rows another transaction has locked: a
// transaction of another node that writes there too, or one that hangs. The
// jobs of such a workspace move to their own queue and goroutine, so that only
// they wait for the lock. A lane ends when it has no jobs left; then the
// workspace returns to its writer.
//
// A nil *lanes has no lanes. An embedded store has no other writers.
type lanes struct {
	slots chan parley.ID // writer ids; a lane takes one to run a transaction
	busy  sync.WaitGroup // the goroutines of all lanes

	guard sync.Mutex
	open  map[parley.WorkspaceID]*lane
}

// A lane is the queue of one workspace. It is guarded by lanes.guard.
type lane struct {
	jobs  []*job
	pulse *patience.Pulse
	seen  head // of the workspace, when it was last held by another transaction
}

func newLanes(ids *parley.IDs) *lanes {
	l := &lanes{slots: make(chan parley.ID, maxLanes), open: map[parley.WorkspaceID]*lane{}}
	for range maxLanes {
		l.slots <- ids.New(time.Now())
	}
	return l
}

// enqueue adds a job to the lane of its workspace. It reports whether there is
// one, and whether it had space. A job that found none must not go to the
// writer, which would move it to the lane.
func (l *lanes) enqueue(j *job) (open, queued bool) {
	if l == nil {
		return false, false
	}
	l.guard.Lock()
	defer l.guard.Unlock()
	lane := l.open[j.ws]
	if lane == nil || len(lane.jobs) >= maxQueue {
		return lane != nil, false
	}
	j.pulse.Store(lane.pulse)
	lane.jobs = append(lane.jobs, j)
	return true, true
}

// divert moves the jobs of workspaces that are not in held to lanes and returns
// the other jobs.
func (l *lanes) divert(w *writer, jobs []*job, held map[parley.WorkspaceID]*head) []*job {
	if l == nil {
		return jobs
	}
	stay := make([]*job, 0, len(jobs))
	l.guard.Lock()
	defer l.guard.Unlock()
	for _, j := range jobs {
		if _, ok := held[j.ws]; ok {
			stay = append(stay, j)
			continue
		}
		if l.open[j.ws] == nil {
			l.open[j.ws] = &lane{pulse: patience.NewPulse()}
			l.busy.Go(func() { l.run(w, j.ws) })
		}
		j.pulse.Store(l.open[j.ws].pulse)
		l.open[j.ws].jobs = append(l.open[j.ws].jobs, j)
	}
	return stay
}

// run settles the jobs of a workspace until none are left. If a closure ends this
// goroutine, for example with runtime.Goexit, another one goes on: the lane stays
// open, and whatever is written to its workspace goes there.
func (l *lanes) run(w *writer, ws parley.WorkspaceID) {
	empty := false
	defer func() {
		if !empty {
			l.busy.Go(func() { l.run(w, ws) })
		}
	}()
	for !empty {
		empty = !l.turn(w, ws)
	}
}

// turn tries once to settle jobs of a workspace, and reports whether there were
// any. It returns its slot afterwards, so that more than maxLanes blocked
// workspaces take turns.
func (l *lanes) turn(w *writer, ws parley.WorkspaceID) bool {
	slot := <-l.slots
	defer func() { l.slots <- slot }()
	lane, jobs := l.next(ws)
	if len(jobs) == 0 {
		return false
	}
	settled := false
	defer func() {
		if !settled {
			answerEnded(jobs)
		}
	}()
	left := w.settle(transaction{writer: slot, patient: true, pulse: lane.pulse}, jobs)
	if len(left) > 0 {
		w.look(ws, lane)
	}
	l.putBack(ws, left)
	settled = true
	return true
}

// look beats the pulse of a lane whose workspace is held, if that has changed since the
// last look: then other nodes write there in turns, and nobody hangs.
func (w *writer) look(ws parley.WorkspaceID, l *lane) {
	ctx, cancel := context.WithTimeout(context.Background(), postgresPingTimeout)
	defer cancel()
	var now head
	err := w.engine.view(ctx, false, func(s session) error {
		return s.query(ctx, "SELECT seq, changed_at FROM workspaces WHERE workspace_id = $1", []any{ws}, func(r row) error { return r.scan(&now.seq, &now.before) })
	})
	if err == nil && l.seen != (head{}) && l.seen != now {
		l.pulse.Beat()
	}
	l.seen = now
}

// putBack puts jobs back at the front of their lane, except those whose callers
// have gone.
func (l *lanes) putBack(ws parley.WorkspaceID, jobs []*job) {
	jobs = slices.DeleteFunc(jobs, func(j *job) bool { return j.ctx.Err() != nil })
	l.guard.Lock()
	defer l.guard.Unlock()
	l.open[ws].jobs = append(jobs, l.open[ws].jobs...)
}

// next returns the lane of a workspace and takes its jobs that can share a transaction.
// If there are none, it closes the lane.
func (l *lanes) next(ws parley.WorkspaceID) (*lane, []*job) {
	l.guard.Lock()
	defer l.guard.Unlock()
	lane := l.open[ws]
	n := min(len(lane.jobs), maxGroup)
	jobs := lane.jobs[:n:n]
	lane.jobs = lane.jobs[n:]
	if n == 0 {
		delete(l.open, ws)
	}
	return lane, jobs
}

// queued returns the number of jobs in all lanes.
func (l *lanes) queued() int64 {
	if l == nil {
		return 0
	}
	l.guard.Lock()
	defer l.guard.Unlock()
	n := 0
	for _, lane := range l.open {
		n += len(lane.jobs)
	}
	return int64(n)
}

// wait blocks until the jobs of all lanes are settled.
func (l *lanes) wait() {
	if l != nil {
		l.busy.Wait()
	}
}
