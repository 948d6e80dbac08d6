package parley

import "time"

// How long the link of an invitation and of a password reset is valid.
const (
	InvitationLife = 7 * 24 * time.Hour
	ResetLife      = 24 * time.Hour
)

// An Invitation is a link with which a person becomes a member or, if it names
// a member, with which that member sets a new password. It can be used once.
// Only the hash of its token is stored.
type Invitation struct {
	ID        ID
	Workspace WorkspaceID
	Email     string
	Role      Role
	Access    Access    // of the new member
	InboxIDs  []ID      // of AccessOwn, sorted
	MemberID  UserID    // set: a password reset of this member
	InvitedBy MemberRef // zero if created on the command line
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // zero if unused
}

// Open reports whether the invitation can be used at a time.
func (i Invitation) Open(at time.Time) bool { return i.UsedAt.IsZero() && at.Before(i.ExpiresAt) }
