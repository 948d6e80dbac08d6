// Package bot lets the automated agent answer customers. A customer's message that it
// is to answer leaves a job, in the transaction that stores the message (see
// internal/desk/agentjob.go). Any node takes a job that is due under a lease, asks
// internal/bot/answering what to do, and stores that in one transaction, which first
// checks that the job is still its own and that nobody else took the conversation. So
// whatever dies or happens meanwhile, each burst of messages gets one answer or one
// hand-over, and none after a person's message.
//
// It stands over the desk, in whose transactions it writes. It may import the
// vocabulary, the store, the desk, the JSON shapes, live streams for signals, and
// answering.
package bot

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/desk"
	"parley/internal/live"
	"parley/internal/store"
)

const (
	// poll is how much later than due a job may begin.
	poll = 500 * time.Millisecond
	// lease is how long a job belongs to a run that does not renew it.
	lease = 15 * time.Second
	// checkPause is the time between two looks of a run whether it still holds its
	// job. A run renews its lease when less than renewBelow is left.
	checkPause = time.Second
	renewBelow = 10 * time.Second
	// longestRun is when a run gives up.
	longestRun = 2 * time.Minute
	// maxAttempts is how many runs of a job may fail before a person gets it.
	maxAttempts = 4
	firstPause  = 2 * time.Second // after a failed run; each pause doubles it
	// runsAtOnce is the most runs of a process, and runsOfWorkspace of one workspace.
	runsAtOnce      = 16
	runsOfWorkspace = 6
	// farthest is how far ahead a job's time can be. A later one was given by a clock
	// that was ahead, and counts as due.
	farthest = time.Minute
)

// Options are what a Service uses.
type Options struct {
	Desk *desk.Desk
	// Answer decides about a question; see [answering.Answerer.Answer].
	Answer func(ctx context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error)
	// Signal sends what has no place in the log; see [live.Hub.Signal].
	Signal func(ctx context.Context, ws parley.WorkspaceID, g live.Signal)
}

// A Service runs the jobs of the automated agent and has the verbs of customers
// about it. Its methods may be called by many goroutines.
type Service struct {
	o       Options
	desk    *desk.Desk
	clock   parley.Clock
	ids     *parley.IDs
	log     *slog.Logger
	running sync.WaitGroup

	mu  sync.Mutex
	all int
	of  map[parley.WorkspaceID]int
}

// New returns a Service.
func New(o Options) *Service {
	base := o.Desk.Base()
	return &Service{o: o, desk: o.Desk, clock: base.Clock, ids: base.IDs, log: base.Log, of: map[parley.WorkspaceID]int{}}
}

// Run runs jobs until the context ends.
func (s *Service) Run(ctx context.Context) {
	defer s.running.Wait()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		if err := s.startDue(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("agent: read of due jobs failed, retrying", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// RunDue runs the jobs that are due now, as many as fit at once, and returns when
// they are done.
func (s *Service) RunDue(ctx context.Context) error {
	defer s.running.Wait()
	return s.startDue(ctx)
}

// startDue starts what is due in all workspaces, those that have waited longest
// first. A workspace with many jobs leaves room for others.
func (s *Service) startDue(ctx context.Context) error {
	now := s.clock.Now()
	workspaces, err := desk.View(s.desk, func(v *store.View) ([]parley.WorkspaceID, error) {
		return SelectWorkspacesAsking(v, now, now.Add(farthest))
	}).Now(ctx)
	for _, ws := range workspaces {
		due, failed := desk.View(s.desk, func(v *store.View) ([]desk.AgentJob, error) {
			return SelectDueJobs(v, ws, now, now.Add(farthest), runsOfWorkspace)
		}).Now(ctx)
		err = errors.Join(err, failed)
		for i := range due {
			if !s.enter(ws) {
				break
			}
			s.running.Go(func() {
				defer s.leave(ws)
				s.take(ctx, ws, due[i])
			})
		}
	}
	return err
}

// enter reports whether a run of a workspace may start. Each enter that returns true
// needs a leave.
func (s *Service) enter(ws parley.WorkspaceID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= runsAtOnce || s.of[ws] >= runsOfWorkspace {
		return false
	}
	s.all++
	s.of[ws]++
	return true
}

func (s *Service) leave(ws parley.WorkspaceID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.of[ws]--; s.of[ws] == 0 {
		delete(s.of, ws)
	}
}

// by is on whose behalf the agent writes.
func by(ws parley.WorkspaceID) desk.Caller {
	return desk.Caller{Workspace: ws, Actor: parley.Actor{Type: parley.ActorBot}}
}

// errMoved says that a job is not the run's: another node has it, or it was changed
// or deleted.
var errMoved = errors.New("the job has moved")

// claim takes the lease of a job that is due. The attempt counts from here, so that a
// job that ends the process is not repeated for ever.
func (s *Service) claim(ctx context.Context, ws parley.WorkspaceID, due desk.AgentJob) (desk.AgentJob, error) {
	owner := s.ids.NewText(20)
	return desk.Write(ctx, s.desk, by(ws), func(t *desk.Tx) (desk.AgentJob, error) {
		job, err := desk.SelectAgentJob(t, ws, due.ConversationID)
		if parley.KindOf(err) == parley.NotFound || err == nil && (job.Owner != due.Owner || !job.DueAt.Equal(due.DueAt)) {
			return job, errMoved
		}
		if err != nil {
			return job, err
		}
		job.Owner, job.DueAt = owner, t.Now.Add(lease).Truncate(time.Millisecond)
		job.Attempts++
		return job, desk.UpdateAgentJob(t, ws, &job)
	})
}

// current returns the job of a run, or errMoved if the run no longer holds it.
func current(v store.Reader, ws parley.WorkspaceID, held desk.AgentJob) (desk.AgentJob, error) {
	job, err := desk.SelectAgentJob(v, ws, held.ConversationID)
	if parley.KindOf(err) == parley.NotFound || err == nil && job.Owner != held.Owner {
		return job, errMoved
	}
	return job, err
}

// keep renews the lease of a run until its context ends, and cancels the run when it
// has lost its job: what the model would say is no longer wanted.
func (s *Service) keep(ctx context.Context, cancel context.CancelFunc, ws parley.WorkspaceID, held desk.AgentJob) {
	ticker := time.NewTicker(checkPause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		job, err := desk.View(s.desk, func(v *store.View) (desk.AgentJob, error) { return current(v, ws, held) }).Now(ctx)
		if err == nil && job.DueAt.Before(s.clock.Now().Add(renewBelow)) {
			_, err = desk.Write(ctx, s.desk, by(ws), func(t *desk.Tx) (struct{}, error) {
				job, err := current(t, ws, held)
				if err != nil {
					return struct{}{}, err
				}
				job.DueAt = t.Now.Add(lease)
				return struct{}{}, desk.UpdateAgentJob(t, ws, &job)
			})
		}
		if errors.Is(err, errMoved) {
			cancel()
			return
		}
	}
}

// retry makes a job due again after a failed run, later each time.
func (s *Service) retry(ctx context.Context, ws parley.WorkspaceID, held desk.AgentJob) error {
	_, err := desk.Write(ctx, s.desk, by(ws), func(t *desk.Tx) (struct{}, error) {
		job, err := current(t, ws, held)
		if err != nil {
			return struct{}{}, err
		}
		job.Owner, job.DueAt = "", t.Now.Add(firstPause<<(job.Attempts-1))
		return struct{}{}, desk.UpdateAgentJob(t, ws, &job)
	})
	return err
}

// kindOf is the kind of a message with an outcome.
func kindOf(o *answering.Outcome) parley.AnswerKind {
	if o.HandsOver() {
		return parley.AnswerHandOver
	}
	return cmp.Or(map[answering.Kind]parley.AnswerKind{
		answering.Cards: parley.AnswerCards, answering.Clarify: parley.AnswerQuestion,
	}[o.Kind], parley.AnswerText)
}

// record is what is stored with a message with an outcome.
func record(o *answering.Outcome) parley.AgentRecord {
	a := parley.AgentAnswer{Kind: kindOf(o), Failed: o.Failed}
	for _, s := range o.Sources {
		a.Sources = append(a.Sources, parley.AgentSource{ArticleID: s.ArticleID, Language: s.Language, Version: s.Version, Title: s.Title, URL: s.Path})
	}
	return a.Record()
}
