package parley

import "time"

// A PushDevice is a browser of a member that gets notices by its push service. It belongs
// to a session, and ends with it.
type PushDevice struct {
	ID        ID
	MemberID  UserID
	SessionID ID
	UserAgent string
	CreatedAt time.Time
	UsedAt    time.Time // when its push service took the last notice; zero for never
}

// A PushOutcome says what became of a notice that was given to a push service.
type PushOutcome string

// The outcomes of a notice at a push service.
const (
	PushAccepted PushOutcome = "accepted"
	PushLater    PushOutcome = "later"   // the service does not answer, or wants it later
	PushRefused  PushOutcome = "refused" // the service does not take it from this server
	PushGone     PushOutcome = "gone"    // the browser has ended the subscription
)

// MaxPushDevices is how many devices of a member get notices. Another one takes the place
// of the one that was added first.
const MaxPushDevices = 20
