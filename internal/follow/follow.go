// Package follow runs followers of the event log: work that an event causes but
// that its commit does not wait for. The search index is one.
//
// A follower has a name and, in each workspace, a position in the log. A turn reads
// the events after the position, lets the follower prepare effects, and stores the
// effects and the new position in one transaction. The transaction fails if the
// position is no longer where the turn began. So if two nodes run the same turn,
// one wins, and a crash neither loses nor repeats an effect. Effects outside the
// store need rows that a turn stores and a sender works off: at least once.
//
// The package stands over the desk, whose transactions turns use, and below the
// packages that have followers. It may import the vocabulary, the store and the
// desk.
package follow

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// poll is the longest delay of a change whose wake-up was lost.
	poll = time.Second
	// batch is the most events that one turn reads. The store bounds their bytes.
	batch = 500
	// firstRest and longestRest bound the pause after a failed turn: an event that a
	// follower cannot process costs one try per minute.
	firstRest, longestRest = time.Second, time.Minute
	// versionPatience is how long a node waits for nodes of a newer version, which
	// may be about to replace it.
	versionPatience = time.Minute
)

// A Follower defines what happens with the events. Its functions may be called
// concurrently.
type Follower struct {
	// Name identifies the follower in the store. It must never change.
	Name string
	// Version is at least 1. A position of another version is a Loss. Nodes of an
	// older version leave a workspace to nodes of a newer one.
	Version int
	// Events prepares the effects of events, which come in their order. It runs
	// outside transactions and may run more than once, on several nodes, so it must
	// have no effects of its own.
	Events func(ctx context.Context, ws parley.WorkspaceID, events []parley.Event) (Step, error)
	// Tables reads the records that are older than the log. It is nil for a follower
	// that needs none.
	Tables *Tables
	// Lost decides where the follower starts, and where it resumes if its position is
	// no longer in the log.
	Lost func(Loss) Start
	// Moved, if set, runs at the end of each turn's transaction.
	Moved func(t *desk.Tx, to store.FollowerPosition) error
	// Gather is how long a wake-up waits for more changes: one transaction with many
	// events costs the writers less than many transactions.
	Gather time.Duration
}

// Tables lets a follower start with the records in the store.
type Tables struct {
	// First is the place of the first records. It must not be "".
	First string
	// Read reads the records after a place. The Prepare that it returns runs outside
	// the view.
	Read func(v *store.View, ws parley.WorkspaceID, place string) (Prepare, error)
}

// Prepare prepares the effects of what a turn has read.
type Prepare func(ctx context.Context) (Step, error)

// A Step is the outcome of a turn: its effects, and how far it went. The follower
// keeps it small, so that writes after it do not wait for long.
type Step struct {
	// Events is the number of events that were processed, at least 1.
	Events int
	// Place is where reading the tables continues; "" at their end.
	Place string
	// Store stores the effects. It may be nil, and may run more than once.
	Store func(t *desk.Tx) error
	// After, if set, runs once the effects are stored, on the node that stored them. A
	// crash can lose it.
	After func(ctx context.Context)
}

// A Reason is why a follower cannot simply continue.
type Reason string

// The reasons.
const (
	NeverStarted Reason = "never started"
	NewVersion   Reason = "new version"   // the position is of another version
	OtherHistory Reason = "other history" // the log was set back or has another epoch
	Behind       Reason = "behind"        // events after the position were deleted
)

// A Loss says why a follower cannot simply continue.
type Loss struct {
	Workspace parley.WorkspaceID
	Reason    Reason
	// Gone is the number of deleted events after the position. It is 0 unless the
	// reason is Behind: otherwise nobody knows which events the follower has seen.
	Gone int64
}

// A Start is where a follower starts or resumes.
type Start int

// The starts.
const (
	// FromTables reads the tables, then the log from its current end. A follower
	// without tables must not choose it.
	FromTables Start = iota
	// FromOldest resumes with the oldest event in the log.
	FromOldest
	// FromEnd resumes with the next event.
	FromEnd
)

// A Runner runs one follower in all workspaces.
type Runner struct {
	follower Follower
	desk     *desk.Desk
	clock    parley.Clock
	log      *slog.Logger
	wake     <-chan struct{}
	resting  rests
	counts   struct{ turns, overtaken, failures, missed atomic.Int64 }
}

// New returns a Runner. wake signals that something was committed. It may be nil,
// because a Runner also polls.
func New(d *desk.Desk, f Follower, wake <-chan struct{}) *Runner {
	base := d.Base()
	return &Runner{follower: f, desk: d, clock: base.Clock, log: base.Log, wake: wake}
}

// Stats are counts since a Runner was created.
type Stats struct {
	Turns     int64 // turns that moved a position
	Overtaken int64 // turns that another node finished first
	Failures  int64 // turns that failed
	Missed    int64 // events that the follower never received
}

// Stats returns the counts.
func (r *Runner) Stats() Stats {
	return Stats{
		Turns: r.counts.turns.Load(), Overtaken: r.counts.overtaken.Load(),
		Failures: r.counts.failures.Load(), Missed: r.counts.missed.Load(),
	}
}

// Run runs the follower until the context ends.
func (r *Runner) Run(ctx context.Context) {
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		if err := r.CatchUp(ctx); err != nil && ctx.Err() == nil {
			r.log.Warn("follow: turn failed, retrying", "follower", r.follower.Name, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-r.wake:
			parley.Pause(ctx, r.follower.Gather)
		}
	}
}
