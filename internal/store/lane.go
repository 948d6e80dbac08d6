package store

import (
	"slices"
	"sync"
	"time"

	"parley"
)

// maxLanes is how many workspaces are waited for at a time. Each takes one
// connection for as long as its lane has jobs.
const maxLanes = 8

// lanes are for workspaces that a writer found held by another transaction: by
// one of another node that writes there too, or by one that hangs. The jobs of
// each such workspace get a queue and a goroutine of their own, which waits for
// the workspace, so that nobody else waits for it. A lane ends when it has no
// jobs left; then the workspace belongs to its writer again.
//
// A nil *lanes has none: on an embedded store nobody else writes.
type lanes struct {
	slots chan parley.ID // names of writers; who has one may run a transaction
	busy  sync.WaitGroup // goroutines of lanes

	guard sync.Mutex
	open  map[parley.WorkspaceID]*lane
}

// A lane is the queue of one workspace. It is guarded by lanes.guard.
type lane struct{ jobs []*job }

func newLanes(ids *parley.IDs) *lanes {
	l := &lanes{slots: make(chan parley.ID, maxLanes), open: map[parley.WorkspaceID]*lane{}}
	for range maxLanes {
		l.slots <- ids.New(time.Now())
	}
	return l
}

// take puts a job into the lane of its workspace, if there is one.
func (l *lanes) take(j *job) bool {
	if l == nil {
		return false
	}
	l.guard.Lock()
	defer l.guard.Unlock()
	lane := l.open[j.ws]
	if lane == nil || len(lane.jobs) >= maxQueue {
		return false
	}
	lane.jobs = append(lane.jobs, j)
	return true
}

// giveWay moves the jobs of workspaces that are not held into lanes, and
// returns the other jobs.
func (l *lanes) giveWay(w *writer, jobs []*job, held map[parley.WorkspaceID]*head) []*job {
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
			l.open[j.ws] = &lane{}
			l.busy.Go(func() { l.run(w, j.ws) })
		}
		l.open[j.ws].jobs = append(l.open[j.ws].jobs, j)
	}
	return stay
}

// run settles the jobs of a workspace until there are none. The slot goes back
// after each try, so that no lane whose workspace stays held keeps it from the
// lanes beyond maxLanes.
func (l *lanes) run(w *writer, ws parley.WorkspaceID) {
	for {
		slot := <-l.slots
		jobs := l.next(ws)
		if len(jobs) > 0 {
			l.putBack(ws, w.settle(transaction{writer: slot, patient: true}, jobs))
		}
		l.slots <- slot
		if len(jobs) == 0 {
			return
		}
	}
}

// putBack puts those jobs before the others that somebody still waits for.
func (l *lanes) putBack(ws parley.WorkspaceID, jobs []*job) {
	jobs = slices.DeleteFunc(jobs, func(j *job) bool { return j.ctx.Err() != nil })
	l.guard.Lock()
	defer l.guard.Unlock()
	l.open[ws].jobs = append(jobs, l.open[ws].jobs...)
}

// next takes the jobs of a workspace that are to be settled together. Without
// any, the lane is closed.
func (l *lanes) next(ws parley.WorkspaceID) []*job {
	l.guard.Lock()
	defer l.guard.Unlock()
	lane := l.open[ws]
	n := min(len(lane.jobs), maxGroup)
	jobs := lane.jobs[:n:n]
	lane.jobs = lane.jobs[n:]
	if n == 0 {
		delete(l.open, ws)
	}
	return jobs
}

// queued returns how many jobs wait in lanes.
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

// wait returns when all jobs of lanes are settled.
func (l *lanes) wait() {
	if l != nil {
		l.busy.Wait()
	}
}
