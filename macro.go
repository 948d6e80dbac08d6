package parley

import "time"

// Limits of macros.
const (
	MaxMacroName    = 80       // characters
	MaxMacroText    = 10_000   // bytes of a note or a reply, before its variables are filled in
	MaxMacroLabels  = 20       // labels that are added, and as many that are removed
	MaxMacroActions = 16 << 10 // bytes of all actions, as JSON
	MaxMacros       = 500      // of a workspace, and as many of each member
)

// A MacroScope says who has a macro.
type MacroScope string

// The scopes.
const (
	MacroOwn MacroScope = "own" // the member who made it
	MacroAll MacroScope = "all" // every member; admins change it
)

// MacroScopes lists the scopes.
var MacroScopes = []MacroScope{MacroOwn, MacroAll}

// A Macro is a name for several actions on a conversation.
type Macro struct {
	ID        ID
	Name      string
	Scope     MacroScope
	Owner     UserID // who made it
	Shortcut  string // see [WellFormedShortcut]; "" for none
	Actions   MacroActions
	Version   int64 // counts the changes, from 1
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Words that stand for a value in MacroActions.
const (
	MacroNone = "none" // no priority, or nobody
	MacroMe   = "me"   // the member who runs the macro
)

// MacroActions are what a macro does, in this order: its note, its reply, its changes.
// Empty fields do nothing. They are stored as JSON with these names.
type MacroActions struct {
	Note         string   `json:"note,omitempty"`  // with variables
	Reply        string   `json:"reply,omitempty"` // with variables
	Status       Status   `json:"status,omitempty"`
	Priority     string   `json:"priority,omitempty"`   // a [Priority], or MacroNone
	Assignee     string   `json:"assigneeId,omitempty"` // a [UserID], MacroMe or MacroNone
	ProductID    ID       `json:"productId,omitzero"`
	AddLabels    []string `json:"addLabels,omitempty"`
	RemoveLabels []string `json:"removeLabels,omitempty"`
}
