package credential

import (
	"parley"
	"parley/internal/store"
)

// DeleteNoticesOf deletes what a member was told.
func DeleteNoticesOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM notices WHERE workspace_id = $1 AND member_id = $2", member)
}

// DeleteFollowsOf deletes what a member follows.
func DeleteFollowsOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM follows WHERE workspace_id = $1 AND member_id = $2", member)
}

// DeletePreferencesOf deletes what a member chose about notices.
func DeletePreferencesOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM notice_preferences WHERE workspace_id = $1 AND member_id = $2", member)
}

// DeleteDraftsOf deletes what a member has written and not sent.
func DeleteDraftsOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM drafts WHERE workspace_id = $1 AND member_id = $2", member)
}

// DeleteOwnViews deletes the saved views that only this member has.
func DeleteOwnViews(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM views WHERE workspace_id = $1 AND owner_id = $2 AND scope = 'own'", string(member))
}

// DeleteOwnMacros deletes the macros that only this member has.
func DeleteOwnMacros(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM macros WHERE workspace_id = $1 AND owner_id = $2 AND scope = 'own'", string(member))
}

// DeleteTeamMemberships takes a member out of all teams.
func DeleteTeamMemberships(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM team_members WHERE workspace_id = $1 AND member_id = $2", string(member))
}
