package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley"
)

const (
	// postgresWriters is how many transactions a node has open for writing.
	// Two keep the database busy while one waits for its disk; the closures
	// of one workspace always go to the same writer.
	postgresWriters = 2
	// maxGroup is how many closures share a commit at most: enough to make the
	// commit cheap, few enough that nobody waits long for the others.
	maxGroup = 256
	// maxQueue is how many closures may wait. More means that the database
	// does not keep up, and that it is better to say so at once.
	maxQueue = 4096
	// waitTime is how long a caller waits for the store, reading or writing.
	// It leaves half a second of the five within which every request is
	// answered, whatever the database does.
	waitTime = 4500 * time.Millisecond
	// groupTime is how long a group may take, tries included.
	groupTime = waitTime
	// maxTries is how often a group is tried whose transaction was lost.
	maxTries = 6
	// carefulGroups is how many groups set savepoints after one that had to run
	// again for want of them.
	carefulGroups = 64
)

// A writer runs closures in groups, one group at a time.
type writer struct {
	id     parley.ID
	ids    *parley.IDs
	engine engine
	log    *slog.Logger
	queue  chan *job
	done   chan struct{}

	committed func([]parley.WorkspaceID) // see Options
	lanes     *lanes                     // nil where no other node can hold a workspace
	outcome   *outcome                   // which all writers of the store share

	gate   sync.RWMutex // held for reading while a job is put into the queue
	closed bool

	// careful counts the groups that set savepoints, down to zero.
	careful atomic.Int64

	groups, closures, retries atomic.Int64 // see Stats
}

// A job is a closure that waits for its answer.
type job struct {
	ctx    context.Context
	ws     parley.WorkspaceID
	fn     func(*Tx) error
	err    error // fn's own, valid when the group is committed
	answer chan error
}

func newWriter(e engine, o Options, lanes *lanes, outcome *outcome) *writer {
	w := &writer{
		id: o.IDs.New(time.Now()), ids: o.IDs, engine: e, log: o.Log, queue: make(chan *job, maxQueue), done: make(chan struct{}),
		committed: o.Committed, lanes: lanes, outcome: outcome,
	}
	go w.run()
	return w
}

// do queues a closure and waits for its answer, for waitTime at most. A
// closure that has not begun by then never runs.
func (w *writer) do(ctx context.Context, ws parley.WorkspaceID, fn func(*Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, waitTime)
	defer cancel()
	j := &job{ctx: ctx, ws: ws, fn: fn, answer: make(chan error, 1)}
	if err := w.put(j); err != nil {
		return err
	}
	select {
	case err := <-j.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) put(j *job) error {
	w.gate.RLock()
	defer w.gate.RUnlock()
	if w.closed {
		return unavailableError(errors.New("the store is closed"))
	}
	if w.lanes.take(j) {
		return nil
	}
	select {
	case w.queue <- j:
		return nil
	default:
		return unavailableError(errors.New("too many writes wait"))
	}
}

func (w *writer) stop() {
	w.gate.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.gate.Unlock()
	<-w.done
}

func (w *writer) run() {
	var jobs []*job
	ended := false
	defer func() {
		if ended {
			close(w.done)
			return
		}
		// A closure ended the goroutine, as runtime.Goexit does. Its transaction
		// is undone; its neighbours, and those who come later, need an answer.
		for _, j := range jobs {
			select {
			case j.answer <- unavailableError(errors.New("a write ended its goroutine")):
			default: // it has one
			}
		}
		go w.run()
	}()
	for first := range w.queue {
		jobs = append(jobs[:0], first)
		for len(jobs) < maxGroup && len(w.queue) > 0 {
			jobs = append(jobs, <-w.queue)
		}
		_ = w.settle(transaction{writer: w.id}, jobs) // only a patient transaction leaves jobs
	}
	ended = true
}

// A transaction is how a group takes part in the database.
type transaction struct {
	writer parley.ID // whose row tells what was committed
	// patient waits for workspaces that another transaction holds; without it
	// their jobs go to a lane each, and the group goes on with the rest.
	patient bool
	// savepoints makes each closure one that can be undone.
	savepoints bool
}

// settle runs the jobs and answers every one of them. Where the transaction
// is lost for a reason that may lie in one of the jobs, each runs in a
// transaction of its own, so that only the guilty one fails. Where it may have
// been committed, nothing runs again. It returns the jobs of a patient
// transaction whose workspace another one still holds.
func (w *writer) settle(how transaction, jobs []*job) (left []*job) {
	ctx, cancel := context.WithTimeout(context.Background(), groupTime)
	defer cancel()
	jobs, err := w.try(ctx, how, jobs)
	var lost *lostGroup
	for n := 1; errors.As(err, &lost) && lost.again && !lost.held && n < maxTries && ctx.Err() == nil && awaited(jobs); n++ {
		w.retries.Add(1)
		w.log.Warn("writer: transaction lost, retrying", "closures", len(jobs), "try", n, "error", err)
		time.Sleep(10 * time.Millisecond << n)
		jobs, err = w.try(ctx, how, jobs)
	}
	if err != nil && (lost == nil || !lost.held) {
		w.outcome.failed()
	}
	switch {
	case err == nil:
		for _, j := range jobs {
			j.answer <- j.err
		}
	case lost != nil && lost.held:
		return jobs
	case len(jobs) == 1 && lost != nil && !lost.again && !lost.unknown:
		jobs[0].answer <- lost.err
	case len(jobs) == 1 || lost != nil && (lost.again || lost.unknown):
		for _, j := range jobs {
			j.answer <- err
		}
	default:
		for _, j := range jobs {
			left = append(left, w.settle(how, []*job{j})...)
		}
	}
	return left
}

// awaited reports whether a caller still waits for one of the jobs.
func awaited(jobs []*job) bool {
	return slices.ContainsFunc(jobs, func(j *job) bool { return j.ctx.Err() == nil })
}

// try runs the jobs in one transaction and commits it. It returns those that
// are its own, which are all but the ones that it gave to a lane. Without an
// error, each of them has its own outcome in err.
//
// A savepoint for each closure costs about a tenth of the writer's time, and
// hardly a closure needs one: most that fail do so before they change anything.
// So there are none until a closure has to be undone; then the group runs again
// with them, and so do the next groups, lest a caller whose closures all fail
// make each group run twice.
func (w *writer) try(ctx context.Context, how transaction, jobs []*job) ([]*job, error) {
	how.savepoints = w.careful.Load() > 0
	if how.savepoints {
		w.careful.Add(-1)
	}
	jobs, err := w.tryAs(ctx, how, jobs)
	if errors.Is(err, errNoSavepoint) {
		w.careful.Store(carefulGroups)
		how.savepoints = true
		jobs, err = w.tryAs(ctx, how, jobs)
	}
	return jobs, err
}

func (w *writer) tryAs(ctx context.Context, how transaction, jobs []*job) ([]*job, error) {
	if !awaited(jobs) {
		for _, j := range jobs {
			j.err = j.ctx.Err()
		}
		return jobs, nil // nobody waits for them any more
	}
	begun, err := w.engine.begin(ctx, how.writer)
	if err != nil {
		return jobs, err
	}
	defer begun.abort()
	g := &strictGroup{group: begun, savepoints: how.savepoints}
	tx := &Tx{View: View{ctx: ctx, session: g}}
	if tx.heads, err = w.lockWorkspaces(tx, how, jobs); err != nil && how.patient && lockTimeout(err) {
		return jobs, &lostGroup{err: err, again: true, held: true}
	}
	if err != nil {
		return jobs, asLost(g, err)
	}
	if !how.patient {
		jobs = w.lanes.giveWay(w, jobs, tx.heads)
	}
	return jobs, w.runAll(tx, g, jobs)
}

// runAll runs the jobs in a transaction that holds their workspaces, and
// commits it.
func (w *writer) runAll(tx *Tx, g *strictGroup, jobs []*job) error {
	ran, kept := 0, 0
	for _, j := range jobs {
		if j.err = j.ctx.Err(); j.err != nil {
			continue // nobody waits for it any more
		}
		ran++
		err := w.runOne(tx, g, j)
		if errors.Is(err, errNoSavepoint) && len(jobs) == 1 {
			return nil // the end of the transaction undoes it
		}
		if err != nil {
			return asLost(g, err)
		}
		if j.err == nil {
			kept++
		}
	}
	if kept == 0 {
		return nil // there is nothing to commit
	}
	if err := w.number(tx); err != nil {
		return asLost(g, err)
	}
	if err := g.commit(tx.ctx); err != nil {
		return asLost(g, err)
	}
	w.outcome.succeeded()
	w.groups.Add(1)
	w.closures.Add(int64(ran))
	if w.committed != nil {
		w.committed(slices.Collect(maps.Keys(tx.heads)))
	}
	return nil
}

func asLost(g group, err error) error {
	var lost *lostGroup
	if errors.As(err, &lost) || errors.Is(err, errNoSavepoint) {
		return err
	}
	return &lostGroup{err: err, again: mayTryAgain(err) && g.lost(err)}
}

// lockWorkspaces reads the number of the newest event of each workspace and
// the time of its newest change, and on PostgreSQL locks the workspaces' rows in
// the order of their ids until the transaction ends. So the closures of one
// workspace run one after the other on all nodes: its events are numbered
// without a gap, a closure can check a rule and then write without a race, and
// there is no room for a deadlock. Unless the transaction is patient, it passes
// over a workspace that another one holds.
func (w *writer) lockWorkspaces(tx *Tx, how transaction, jobs []*job) (map[parley.WorkspaceID]*head, error) {
	workspaces := make([]parley.WorkspaceID, 0, len(jobs))
	for _, j := range jobs {
		workspaces = append(workspaces, j.ws)
	}
	slices.SortFunc(workspaces, func(a, b parley.WorkspaceID) int { return bytes.Compare(a[:], b[:]) })
	workspaces = slices.Compact(workspaces)
	var c clause
	list := make([]any, len(workspaces))
	for i, ws := range workspaces {
		list[i] = ws
	}
	// Each count of placeholders is a statement to prepare and keep; so there
	// are few of them, and the last workspace fills up.
	for len(list)&(len(list)-1) != 0 {
		list = append(list, list[len(list)-1])
	}
	sql := "SELECT workspace_id, seq, changed_at FROM workspaces WHERE workspace_id IN (" + c.list(list) + ") ORDER BY workspace_id" + w.engine.forUpdate(how.patient)
	heads := make(map[parley.WorkspaceID]*head, len(workspaces))
	err := tx.session.query(tx.ctx, sql, c.args, func(r row) error {
		var ws parley.WorkspaceID
		var h head
		err := r.scan(&ws, &h.seq, &h.before)
		heads[ws] = &h
		return err
	})
	return heads, err
}

// A strictGroup remembers the first statement of a closure that failed. A
// closure that overlooks it fails all the same, for the engines differ in what
// they would make of the rest of it.
type strictGroup struct {
	group
	savepoints bool // each closure has one
	err        error
	wrote      bool // a statement of the closure may have changed something
}

func (g *strictGroup) begin(ctx context.Context) error {
	g.err, g.wrote = nil, false
	return g.enter(ctx, g.savepoints)
}

func (g *strictGroup) query(ctx context.Context, sql string, args []any, each func(row) error) error {
	g.wrote = g.wrote || !strings.HasPrefix(sql, "SELECT")
	return g.keep(g.group.query(ctx, sql, args, each))
}

func (g *strictGroup) exec(ctx context.Context, sql string, args []any) error {
	g.wrote = true
	return g.keep(g.group.exec(ctx, sql, args))
}

func (g *strictGroup) keep(err error) error {
	if g.err == nil && !errors.Is(err, errEnough) { // a page that is full is no failure
		g.err = err
	}
	return err
}

// runOne runs a job's closure. Its error is that of a lost transaction; the
// closure's own error is in the job, and what the closure did is undone.
func (w *writer) runOne(tx *Tx, g *strictGroup, j *job) error {
	if err := g.begin(tx.ctx); err != nil {
		return err
	}
	mark := len(tx.events)
	tx.moved = tx.moved[:0]
	j.err = w.call(tx, j)
	if j.err == nil && g.err == nil {
		j.err = ownEvents(j.ws, tx.events[mark:])
	}
	if j.err == nil && g.err == nil {
		j.err = tx.moveConversations(tx.events[mark:])
	}
	if j.err == nil && g.err == nil {
		return g.leave(tx.ctx)
	}
	if g.err != nil {
		j.err = g.err
	}
	tx.events = tx.events[:mark]
	var lost *lostGroup
	if errors.As(g.err, &lost) {
		return lost
	}
	if g.err != nil && g.lost(g.err) {
		return &lostGroup{err: g.err, again: mayTryAgain(g.err)}
	}
	if g.err == nil && !g.wrote {
		return g.leave(tx.ctx) // there is nothing to undo
	}
	return g.undo(tx.ctx)
}

// ownEvents refuses events of a workspace that the closure did not name: that
// workspace is not locked, so its events cannot be numbered.
func ownEvents(ws parley.WorkspaceID, events []workspaceEvent) error {
	for _, e := range events {
		if e.ws != ws {
			return &parley.Error{Kind: parley.Internal, Message: "a write emitted an event of another workspace"}
		}
	}
	return nil
}

func (w *writer) call(tx *Tx, j *job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.log.Error("a write panicked and was undone", "panic", p, "stack", string(debug.Stack()))
			err = &parley.Error{Kind: parley.Internal, Message: "a write panicked", Cause: fmt.Errorf("panic: %v", p)}
		}
	}()
	return j.fn(tx)
}

// number gives the events their numbers and checks and stores them, and stores where the
// workspaces' logs and changes end now.
func (w *writer) number(tx *Tx) error {
	for i := range tx.events {
		e := &tx.events[i]
		h := tx.head(e.ws)
		h.seq++
		h.touched = true
		e.Seq, e.Check = h.seq, w.ids.NewText(parley.EventCheckLength)
		if err := tx.insertEvent(e.ws, &e.Event); err != nil {
			return err
		}
	}
	for ws, h := range tx.heads {
		if !h.touched {
			continue
		}
		if err := tx.updateHead(ws, h); err != nil {
			return err
		}
	}
	return nil
}
