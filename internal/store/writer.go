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
	"parley/internal/store/patience"
	"parley/internal/store/pgfault"
	"parley/internal/tracing"
)

const (
	// postgresWriters is how many writing transactions a node has open. Two
	// keep the database busy while one waits for the disk. The closures of one
	// workspace always go to the same writer.
	postgresWriters = 2
	// maxGroup is how many closures share a commit at most: enough to make the
	// commit cheap, few enough that no closure waits long for the others.
	maxGroup = 256
	// maxQueue is how many closures may wait. If there are more, the database
	// does not keep up, and an immediate refusal is better than a timeout.
	maxQueue = 4096
	// maxTries is how often a group is tried if its transaction is lost.
	maxTries = 6
	// carefulGroups is how many groups use savepoints after a group had to run
	// again because it had none.
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
	pulse     *patience.Pulse            // of the queue; nil if the store is embedded
	lanes     *lanes                     // nil if no other node can lock a workspace
	outcome   *outcome                   // shared by all writers of the store

	gate   sync.RWMutex // read-locked while a job enters the queue
	closed bool

	// careful is how many more groups use savepoints.
	careful atomic.Int64

	groups, closures, retries atomic.Int64 // see Stats
}

// A job is a closure whose caller waits.
type job struct {
	ctx    context.Context
	ws     parley.WorkspaceID
	fn     func(*Tx) error
	pulse  atomic.Pointer[patience.Pulse] // of the queue where it waits
	err    error                          // of fn; valid once the group has committed
	answer chan error
	// When the closure last began and ended; valid once the job is answered.
	began, ended time.Time
}

// trace adds to the span of an answered job what its time went to.
func (j *job) trace(queued time.Time) {
	if span := tracing.Of(j.ctx); span.On() {
		span.Past("store.queue", queued, j.began)
		span.Past("store.run", j.began, j.ended)
		span.Past("store.commit", j.ended, time.Now())
	}
}

func newWriter(e engine, o Options, lanes *lanes, outcome *outcome) *writer {
	w := &writer{
		id: o.IDs.New(time.Now()), ids: o.IDs, engine: e, log: o.Log, queue: make(chan *job, maxQueue), done: make(chan struct{}),
		committed: o.Committed, lanes: lanes, outcome: outcome,
	}
	if lanes != nil {
		w.pulse = patience.NewPulse()
	}
	go w.run()
	return w
}

// do queues a closure and waits for its answer, as long as patience allows. A
// closure that has not started by then never runs.
func (w *writer) do(ctx context.Context, ws parley.WorkspaceID, fn func(*Tx) error) error {
	queued := time.Now()
	j := &job{ws: ws, fn: fn, answer: make(chan error, 1)}
	j.pulse.Store(w.pulse)
	ctx, cancel := patience.Context(ctx, func() *patience.Pulse {
		if int64(len(w.queue))+w.lanes.queued() > maxGroup {
			return nil // the database does not keep up with the load, so nobody gets longer
		}
		return j.pulse.Load()
	})
	defer cancel()
	j.ctx = ctx
	if err := w.put(j); err != nil {
		return err
	}
	select {
	case err := <-j.answer:
		j.trace(queued)
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (w *writer) put(j *job) error {
	w.gate.RLock()
	defer w.gate.RUnlock()
	if w.closed {
		return unavailableError(errors.New("the store is closed"))
	}
	open, queued := w.lanes.enqueue(j)
	if !open {
		select {
		case w.queue <- j:
			queued = true
		default:
		}
	}
	if !queued {
		return unavailableError(errors.New("too many writes wait"))
	}
	return nil
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
		// A closure ended this goroutine, for example with runtime.Goexit. Its
		// transaction is undone; the other callers, present and future, still
		// need answers.
		answerEnded(jobs)
		go w.run()
	}()
	for first := range w.queue {
		jobs = append(jobs[:0], first)
		for len(jobs) < maxGroup && len(w.queue) > 0 {
			jobs = append(jobs, <-w.queue)
		}
		_ = w.settle(transaction{writer: w.id, pulse: w.pulse}, jobs) // only a patient transaction leaves jobs
	}
	ended = true
}

// answerEnded answers the jobs of a group whose goroutine a closure has ended.
func answerEnded(jobs []*job) {
	for _, j := range jobs {
		select {
		case j.answer <- unavailableError(errors.New("a write ended its goroutine")):
		default: // already answered
		}
	}
}

// A transaction describes how a group runs.
type transaction struct {
	writer parley.ID       // its row records what was committed
	pulse  *patience.Pulse // beats when a statement is answered
	// patient waits for workspaces that another transaction has locked. Without
	// it, their jobs move to lanes and the group continues with the others.
	patient bool
	// savepoints makes every closure undoable.
	savepoints bool
}

// settle runs the jobs and answers all of them. If one job may have caused the
// loss of the transaction, each job runs again in its own transaction, so that
// only the faulty one fails. If the transaction may have been committed,
// nothing runs again. A patient transaction returns the jobs whose workspace is
// still locked.
func (w *writer) settle(how transaction, jobs []*job) (left []*job) {
	ctx, cancel := patience.Context(context.Background(), func() *patience.Pulse { return how.pulse })
	defer cancel()
	jobs, err := w.try(ctx, how, jobs)
	var lost *lostGroup
	for n := 1; errors.As(err, &lost) && lost.retry && !lost.held && n < maxTries && ctx.Err() == nil && awaited(jobs); n++ {
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
	case len(jobs) == 1 && lost != nil && !lost.retry && !lost.unknown:
		jobs[0].answer <- lost.err
	case len(jobs) == 1 || lost != nil && (lost.retry || lost.unknown):
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

// awaited reports whether the caller of at least one job still waits.
func awaited(jobs []*job) bool {
	return slices.ContainsFunc(jobs, func(j *job) bool { return j.ctx.Err() == nil })
}

// try runs the jobs in one transaction and commits it. It returns the jobs of
// this transaction, without those that it moved to lanes. If try succeeds, each
// of them has its result in err.
//
// Savepoints cost about a tenth of the writer's time, and few closures need
// one: most of those that fail do so before they change anything. Groups
// therefore use none until a closure must be undone. Then the group runs again
// with savepoints, and so do the following groups; otherwise a caller whose
// closures always fail would make every group run twice.
func (w *writer) try(ctx context.Context, how transaction, jobs []*job) ([]*job, error) {
	how.savepoints = w.careful.Load() > 0
	if how.savepoints {
		w.careful.Add(-1)
	}
	jobs, err := w.tryOnce(ctx, how, jobs)
	if errors.Is(err, errNoSavepoint) {
		w.careful.Store(carefulGroups)
		how.savepoints = true
		jobs, err = w.tryOnce(ctx, how, jobs)
	}
	return jobs, err
}

func (w *writer) tryOnce(ctx context.Context, how transaction, jobs []*job) ([]*job, error) {
	if !awaited(jobs) {
		for _, j := range jobs {
			j.err = j.ctx.Err()
		}
		return jobs, nil // all callers have gone
	}
	begun, err := w.engine.begin(ctx, how.writer)
	if err != nil {
		return jobs, err
	}
	defer begun.abort()
	// The end of the transaction undoes a closure that is alone in it.
	g := &strictGroup{group: begun, pulse: how.pulse, savepoints: how.savepoints && len(jobs) > 1}
	tx := &Tx{View: View{ctx: ctx, session: g}}
	if tx.heads, err = w.lockWorkspaces(tx, how, jobs); err != nil && how.patient && pgfault.LockTimeout(err) {
		return jobs, &lostGroup{err: err, retry: true, held: true}
	}
	if err != nil {
		return jobs, asLost(g, err)
	}
	if !how.patient {
		jobs = w.lanes.divert(w, jobs, tx.heads)
	}
	return jobs, w.runAll(tx, g, jobs)
}

// runAll runs the jobs in a transaction that has locked their workspaces, and
// commits it.
func (w *writer) runAll(tx *Tx, g *strictGroup, jobs []*job) error {
	ran, kept := 0, 0
	for _, j := range jobs {
		if j.err = j.ctx.Err(); j.err != nil {
			continue // its caller has gone
		}
		ran++
		j.began = time.Now()
		err := w.runOne(tx, g, j)
		j.ended = time.Now()
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
	if err := w.numberEvents(tx); err != nil {
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
	return &lostGroup{err: err, retry: pgfault.Repeatable(err) && g.lost(err)}
}

// lockWorkspaces reads the head of each workspace. On PostgreSQL it also locks
// the rows of the workspaces, ordered by id, until the transaction ends. The
// closures of a workspace therefore run one after the other across all nodes:
// its events are numbered without gaps, a closure can check a rule and then
// write without a race, and the common order prevents deadlocks. Unless the
// transaction is patient, locked workspaces are skipped.
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
	sql := "SELECT workspace_id, seq, changed_at FROM workspaces WHERE workspace_id IN (" + c.list(padded(list)) + ") ORDER BY workspace_id" + w.engine.forUpdate(how.patient)
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

// A strictGroup remembers the first failed statement of a closure. A closure
// that ignores the failure still fails, because the engines differ in what they
// do with the rest of it.
type strictGroup struct {
	group
	pulse      *patience.Pulse
	savepoints bool // each closure has one
	err        error
	wrote      bool // a statement of the closure may have changed something
}

func (g *strictGroup) begin(ctx context.Context) error {
	g.err, g.wrote = nil, false
	return g.enter(ctx, g.savepoints)
}

func (g *strictGroup) query(ctx context.Context, sql string, args []any, each func(row) error) error {
	if strings.HasPrefix(sql, "SELECT") {
		return g.answered(g.group.query(ctx, sql, args, each))
	}
	// A change that returns what it changed, and returns nothing, has changed nothing.
	g.wrote = g.wrote || !strings.Contains(sql, "RETURNING")
	return g.answered(g.group.query(ctx, sql, args, func(r row) error {
		g.wrote = true
		if each == nil {
			return nil
		}
		return each(r)
	}))
}

// answered notes the result of a statement for which the closure has waited.
func (g *strictGroup) answered(err error) error {
	if err == nil {
		g.pulse.Beat()
	}
	return g.keep(err)
}

func (g *strictGroup) exec(ctx context.Context, sql string, args []any) error {
	g.wrote = true
	return g.keep(g.group.exec(ctx, sql, args))
}

func (g *strictGroup) keep(err error) error {
	if g.err == nil && !errors.Is(err, errEnough) { // a full page is not a failure
		g.err = err
	}
	return err
}

// runOne runs the closure of a job. It returns an error only if the transaction
// is lost; the error of the closure goes into the job, and its effects are
// undone.
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
		return &lostGroup{err: g.err, retry: pgfault.Repeatable(g.err)}
	}
	if g.err == nil && !g.wrote {
		return g.leave(tx.ctx) // there is nothing to undo
	}
	return g.undo(tx.ctx)
}

// ownEvents rejects events of a workspace other than the closure's: it is not
// locked, so its events cannot be numbered.
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
			w.log.Error("writer: a write panicked, rolled back", "panic", p, "stack", string(debug.Stack()))
			err = &parley.Error{Kind: parley.Internal, Message: "a write panicked", Cause: fmt.Errorf("panic: %v", p)}
		}
	}()
	return j.fn(tx)
}
