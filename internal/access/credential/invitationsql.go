package credential

import (
	"cmp"
	"time"

	"parley"
	"parley/internal/store"
)

const invitationColumns = `i.workspace_id, i.invitation_id, i.email, i.role, i.access, i.inbox_ids, i.member_id, i.invited_by, m.name,
	i.created_at, i.expires_at, i.used_at`

// invitationTables joins the inviting member for the name.
const invitationTables = ` FROM invitations i
	LEFT JOIN members m ON m.workspace_id = i.workspace_id AND m.member_id = i.invited_by `

func scanInvitation(r store.Row, i *parley.Invitation) error {
	var inboxes string
	err := r.Scan(&i.Workspace, &i.ID, &i.Email, (*string)(&i.Role), (*string)(&i.Access), &inboxes, (*string)(&i.MemberID), (*string)(&i.InvitedBy.ID),
		&i.InvitedBy.Name, &i.CreatedAt, &i.ExpiresAt, &i.UsedAt)
	if err == nil {
		i.InboxIDs, err = store.ParseIDs(inboxes)
	}
	return err
}

// InsertInvitation stores a new invitation with the hash of its token.
func InsertInvitation(tx store.Writer, ws parley.WorkspaceID, i *parley.Invitation, hash [32]byte) error {
	return store.Exec(tx, ws, `INSERT INTO invitations (workspace_id, invitation_id, email, role, member_id, invited_by, created_at,
		expires_at, used_at, token_hash, access, inbox_ids) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		i.ID, i.Email, string(i.Role), i.MemberID, i.InvitedBy.ID, i.CreatedAt, i.ExpiresAt, i.UsedAt, hash[:], string(cmp.Or(i.Access, parley.AccessAll)), store.IDsText(i.InboxIDs))
}

// UpdateInvitationUsed stores when an invitation was used.
func UpdateInvitationUsed(tx store.Writer, ws parley.WorkspaceID, id parley.ID, at time.Time) error {
	return store.Exec(tx, ws, "UPDATE invitations SET used_at = $3 WHERE workspace_id = $1 AND invitation_id = $2", id, at)
}

// DeleteInvitation withdraws an invitation.
func DeleteInvitation(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM invitations WHERE workspace_id = $1 AND invitation_id = $2", id)
}

// DeleteResetsOf withdraws the unused password reset links of a member.
func DeleteResetsOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM invitations WHERE workspace_id = $1 AND member_id = $2 AND used_at = 0", member)
}

// DeleteInvitationsBy withdraws the unused invitations that a member sent.
func DeleteInvitationsBy(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) error {
	return store.Exec(tx, ws, "DELETE FROM invitations WHERE workspace_id = $1 AND invited_by = $2 AND used_at = 0", member)
}

// DeleteExpiredInvitations deletes invitations that expired before a time, used
// or not.
func DeleteExpiredInvitations(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM invitations WHERE workspace_id = $1 AND expires_at < $2", before)
}

// SelectInvitation returns an invitation, even if used or expired.
func SelectInvitation(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.Invitation, error) {
	return store.One(v, ws, "invitation", scanInvitation,
		"SELECT "+invitationColumns+invitationTables+"WHERE i.workspace_id = $1 AND i.invitation_id = $2", id)
}

// SelectInvitationByHash returns the invitation of a token, in any workspace.
func SelectInvitationByHash(v store.Reader, hash [32]byte) (parley.Invitation, error) {
	return store.OneAcross(v, "invitation", scanInvitation, "SELECT "+invitationColumns+invitationTables+"WHERE i.token_hash = $1", hash[:])
}

// SelectInvitations returns the invitations that are still usable, newest first.
func SelectInvitations(v store.Reader, ws parley.WorkspaceID, now time.Time) ([]parley.Invitation, error) {
	return store.Many(v, ws, scanInvitation, "SELECT "+invitationColumns+invitationTables+
		"WHERE i.workspace_id = $1 AND i.used_at = 0 AND i.expires_at > $2 ORDER BY i.invitation_id DESC", now)
}
