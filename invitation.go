package parley

import "time"

// How long the link of an invitation, and that of a password reset, can be
// used.
const (
	InvitationLife = 7 * 24 * time.Hour
	ResetLife      = 24 * time.Hour
)

// An Invitation is a link by which somebody becomes a member or, where it names
// a member, by which that member sets a new password. It is used once. The
// token itself is not kept, only its hash.
type Invitation struct {
	ID        ID
	Workspace WorkspaceID
	Email     string
	Role      Role
	MemberID  UserID    // set: a password reset of this member
	InvitedBy MemberRef // zero where the command line did it
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // zero while it was not used
}

// Open reports whether the invitation can be used at the given time.
func (i Invitation) Open(at time.Time) bool { return i.UsedAt.IsZero() && at.Before(i.ExpiresAt) }
