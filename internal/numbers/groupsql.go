package numbers

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A GroupMember is a number that is in a group or was invited to it.
type GroupMember struct {
	Phone   parley.Phone
	Network parley.Phone // the network's spelling, if it differs; else ""
	Joined  bool         // false: invited
	Admin   bool
}

// UpsertGroupMember stores a member of a group. A member who has joined stays
// joined and keeps the role; see [UpdateGroupAdmin] and
// [DeleteGroupMember].
func UpsertGroupMember(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, m GroupMember) error {
	return store.Exec(tx, ws, `INSERT INTO group_members (workspace_id, conversation_id, phone, network_phone, joined, admin) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id, conversation_id, phone) DO UPDATE SET joined = excluded.joined OR group_members.joined,
		network_phone = CASE excluded.network_phone WHEN '' THEN group_members.network_phone ELSE excluded.network_phone END`,
		conversation, string(m.Phone), string(m.Network), m.Joined, m.Admin)
}

// UpdateGroupAdmin stores whether a member is an admin of the group.
func UpdateGroupAdmin(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, phone parley.Phone, admin bool) error {
	return store.Exec(tx, ws, "UPDATE group_members SET admin = $4 WHERE workspace_id = $1 AND conversation_id = $2 AND phone = $3",
		conversation, string(phone), admin)
}

// DeleteGroupMember removes a member from a group.
func DeleteGroupMember(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, phone parley.Phone) error {
	return store.Exec(tx, ws, "DELETE FROM group_members WHERE workspace_id = $1 AND conversation_id = $2 AND phone = $3",
		conversation, string(phone))
}

const memberOfGroupColumns = "phone, network_phone, joined, admin"

func scanGroupMember(r store.Row, m *GroupMember) error {
	return r.Scan((*string)(&m.Phone), (*string)(&m.Network), &m.Joined, &m.Admin)
}

// SelectGroupMembers returns the members of a group, ordered by phone number.
func SelectGroupMembers(v store.Reader, ws parley.WorkspaceID, conversation parley.ID) ([]GroupMember, error) {
	return store.Many(v, ws, scanGroupMember, "SELECT "+memberOfGroupColumns+
		" FROM group_members WHERE workspace_id = $1 AND conversation_id = $2 ORDER BY phone", conversation)
}

// SelectGroupMember returns the member of a group with a phone number, in either
// spelling.
func SelectGroupMember(v store.Reader, ws parley.WorkspaceID, conversation parley.ID, phone parley.Phone) (GroupMember, error) {
	return store.One(v, ws, "member of the group", scanGroupMember, "SELECT "+memberOfGroupColumns+` FROM group_members
		WHERE workspace_id = $1 AND conversation_id = $2 AND (phone = $3 OR network_phone = $3)
		ORDER BY CASE phone WHEN $3 THEN 1 ELSE 0 END`, conversation, string(phone))
}

// A GroupRequest is a request to create a group, identified by its
// Idempotency-Key. Owner is the process that works on it until LeaseUntil.
// Asked holds the request until the group exists; Answer is empty until then.
type GroupRequest struct {
	Key        string
	NumberID   parley.ID
	Name       string
	StartedAt  time.Time
	Owner      string
	LeaseUntil time.Time
	Asked      string
	Answer     string
}

const groupRequestColumns = "idempotency_key, number_id, name, started_at, owner, lease_until, asked, answer"

func scanGroupRequest(r store.Row, q *GroupRequest) error {
	return r.Scan(&q.Key, &q.NumberID, &q.Name, &q.StartedAt, &q.Owner, &q.LeaseUntil, &q.Asked, &q.Answer)
}

// SelectGroupRequest returns a group request by its key.
func SelectGroupRequest(v store.Reader, ws parley.WorkspaceID, key string) (GroupRequest, error) {
	return store.One(v, ws, "group request", scanGroupRequest,
		"SELECT "+groupRequestColumns+" FROM group_requests WHERE workspace_id = $1 AND idempotency_key = $2", key)
}

// UpsertGroupRequest stores the state of a group request.
func UpsertGroupRequest(tx store.Writer, ws parley.WorkspaceID, q *GroupRequest) error {
	return store.Exec(tx, ws, `INSERT INTO group_requests (workspace_id, idempotency_key, number_id, name, started_at, owner, lease_until, asked, answer)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (workspace_id, idempotency_key) DO UPDATE SET
		owner = excluded.owner, lease_until = excluded.lease_until, asked = excluded.asked, answer = excluded.answer`,
		q.Key, q.NumberID, q.Name, q.StartedAt, q.Owner, q.LeaseUntil, q.Asked, q.Answer)
}

// DeleteGroupRequest deletes a group request that failed.
func DeleteGroupRequest(tx store.Writer, ws parley.WorkspaceID, key string) error {
	return store.Exec(tx, ws, "DELETE FROM group_requests WHERE workspace_id = $1 AND idempotency_key = $2", key)
}

// InsertGroup stores that a conversation is a group.
func InsertGroup(tx store.Writer, ws parley.WorkspaceID, g *parley.Group) error {
	return store.Exec(tx, ws, "INSERT INTO chatapp_groups (workspace_id, "+store.GroupColumns+") VALUES ($1, $2, $3, $4, $5, $6)",
		g.ConversationID, g.NumberID, g.JID, g.InviteLink, g.Found)
}

// UpdateGroup stores the invite link of a group and whether the group was only
// discovered. The other columns never change.
func UpdateGroup(tx store.Writer, ws parley.WorkspaceID, g *parley.Group) error {
	return store.Exec(tx, ws, "UPDATE chatapp_groups SET invite_link = $3, found = $4 WHERE workspace_id = $1 AND conversation_id = $2",
		g.ConversationID, g.InviteLink, g.Found)
}

// SelectGroupByJID returns the group of a number by its name in the messaging
// application.
func SelectGroupByJID(v store.Reader, ws parley.WorkspaceID, number parley.ID, jid string) (parley.Group, error) {
	return store.One(v, ws, "group", store.ScanGroup,
		"SELECT "+store.GroupColumns+" FROM chatapp_groups WHERE workspace_id = $1 AND number_id = $2 AND jid = $3", number, jid)
}
