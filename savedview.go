package parley

import "time"

// Limits of saved views.
const (
	MaxViewName   = 60   // characters
	MaxViewQuery  = 2000 // bytes
	MaxViews      = 200  // of a member, of a team, and of everybody
	MaxViewPlace  = 10_000
	MaxViewCounts = 20   // pinned views whose conversations are counted
	MaxViewCount  = 1000 // where counting stops
)

// A ViewScope says who has a saved view.
type ViewScope string

// The scopes.
const (
	ViewOwn  ViewScope = "own"  // the member who made it
	ViewTeam ViewScope = "team" // the members of a team, who change it, and admins
	ViewAll  ViewScope = "all"  // every member; admins change it
)

// ViewScopes lists the scopes.
var ViewScopes = []ViewScope{ViewOwn, ViewTeam, ViewAll}

// A SavedView is a filter of the list of conversations under a name.
type SavedView struct {
	ID        ID
	Name      string
	Scope     ViewScope
	Team      ID     // with ViewTeam
	Owner     UserID // who made it
	Query     string // of the list of conversations; assigneeId=me is the member who looks
	Position  int    // its place among the views of its scope
	Pinned    bool   // whether its conversations are counted
	CreatedAt time.Time
	UpdatedAt time.Time
}

// A ViewCount is how many conversations a saved view has.
type ViewCount struct {
	ID    ID
	Count int  // at most [MaxViewCount]
	More  bool // there are more
}
