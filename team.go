package parley

import "time"

// Limits of teams.
const (
	MaxTeams       = 100 // in a workspace
	MaxTeamName    = 80  // characters
	MaxTeamMembers = 500
	MaxTeamSources = 500 // inboxes, and as many products
)

// A Team is a group of members. New conversations of its inboxes, and about its
// products, are given to it.
type Team struct {
	ID         ID
	Name       string
	Color      LabelColor
	MemberIDs  []UserID
	InboxIDs   []ID // each inbox leads to one team at most
	ProductIDs []ID // each product leads to one team at most
	CreatedAt  time.Time
	UpdatedAt  time.Time
}
