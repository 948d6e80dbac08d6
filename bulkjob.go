package parley

import "time"

// Limits of changes of many conversations at once.
const (
	MaxBulk            = 10_000 // conversations of a job
	MaxBulkIDs         = 200    // conversations that a request names, and as many exceptions
	MaxBulkOfWorkspace = 3      // jobs that run at once; a member has one
	MaxBulkJobs        = 20     // jobs of a list
	// BulkRetention is how long a job is stored, and can be undone, after its start.
	BulkRetention = 7 * 24 * time.Hour
)

// A BulkAction is what a job does with each of its conversations.
type BulkAction string

// The actions.
const (
	BulkChange  BulkAction = "change" // its settings
	BulkLabel   BulkAction = "label"
	BulkUnlabel BulkAction = "unlabel"
	BulkRead    BulkAction = "read" // marks it as read
	BulkUndo    BulkAction = "undo" // takes back what another job did
)

// A BulkState is the state of a job.
type BulkState string

// The states. All but the first are final.
const (
	BulkRunning   BulkState = "running"
	BulkDone      BulkState = "done"      // each conversation was reached
	BulkCancelled BulkState = "cancelled" // by a member, or because its member left
	BulkFailed    BulkState = "failed"    // of a fault of the server
)

// A BulkReason is why a job did not change a conversation.
type BulkReason string

// The reasons.
const (
	BulkGone      BulkReason = "gone"      // it was deleted, or its member must not see it
	BulkMerged    BulkReason = "merged"    // it was merged into another one
	BulkMoved     BulkReason = "moved"     // it no longer matches the filter, or somebody changed what is undone
	BulkWrote     BulkReason = "wrote"     // the customer wrote after the start
	BulkUnchanged BulkReason = "unchanged" // it was as wanted before
	BulkRefused   BulkReason = "refused"   // the change breaks a rule there
)

// BulkReasons lists the reasons. A conversation that was refused failed; the others were
// skipped.
var BulkReasons = []BulkReason{BulkGone, BulkMerged, BulkMoved, BulkWrote, BulkUnchanged, BulkRefused}

// A BulkJob changes many conversations in the background.
type BulkJob struct {
	ID     ID
	Member UserID // who started it
	Action BulkAction
	Undoes ID // the job whose changes it takes back; zero with other actions
	State  BulkState

	Total   int                // conversations that it began with
	Changed int                // those that it changed so far
	Reasons map[BulkReason]int // how many it did not change so far, by reason

	CreatedAt time.Time
	EndedAt   time.Time // zero while it runs
}

// Skipped returns how many conversations the job skipped so far.
func (j *BulkJob) Skipped() (n int) {
	for reason, count := range j.Reasons {
		if reason != BulkRefused {
			n += count
		}
	}
	return n
}

// Failed returns for how many conversations the change was refused so far.
func (j *BulkJob) Failed() int { return j.Reasons[BulkRefused] }
