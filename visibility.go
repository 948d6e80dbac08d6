package parley

// A Visibility says which conversations a reader may see, including their messages,
// files, history, events and counts. A read that serves a caller takes a Visibility
// instead of a workspace. The zero Visibility includes nothing.
//
// The rule has two implementations that must change together: the methods of this
// file check values in memory, and internal/store/visibility.go builds conditions
// for statements.
type Visibility struct {
	workspace WorkspaceID
	whole     bool
	audience  Audience // unless whole
}

// WholeWorkspace returns the Visibility of members, API keys and the server itself:
// every conversation of the workspace.
func WholeWorkspace(ws WorkspaceID) Visibility { return Visibility{workspace: ws, whole: true} }

// Visibility returns what the session's customer may see: the conversations of the
// session's contact in the session's inbox, or the one that the session is limited to.
func (s CustomerSession) Visibility() Visibility {
	return Visibility{workspace: s.Workspace, audience: s.Audience()}
}

// Workspace returns the workspace of the conversations.
func (v Visibility) Workspace() WorkspaceID { return v.workspace }

// Audience returns the customer to whom the Visibility is limited. It is zero for
// a whole workspace.
func (v Visibility) Audience() Audience { return v.audience }

// Whole reports whether the Visibility includes every conversation of the workspace.
func (v Visibility) Whole() bool { return v.whole }

// Includes reports whether the Visibility includes an event of the log. An event
// does not name the customer whom its conversation belongs to now, so the Visibility
// of a customer includes no event. The events for customers are selected from the
// store.
func (v Visibility) Includes(e *Event) bool { return v.Whole() && e.Workspace == v.workspace }
