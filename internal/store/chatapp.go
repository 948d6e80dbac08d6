package store

import (
	"context"
	"time"

	"parley"
)

const groupColumns = "conversation_id, number_id, jid, invite_link, found"

func scanGroup(r row, g *parley.Group) error {
	return r.scan(&g.ConversationID, &g.NumberID, &g.JID, &g.InviteLink, &g.Found)
}

// InsertGroup stores that a conversation is a group.
func (tx *Tx) InsertGroup(ws parley.WorkspaceID, g *parley.Group) error {
	return tx.exec("INSERT INTO chatapp_groups (workspace_id, "+groupColumns+") VALUES ($1, $2, $3, $4, $5, $6)",
		ws, g.ConversationID, g.NumberID, g.JID, g.InviteLink, g.Found)
}

// UpdateGroup stores the invite link of a group and whether the group was only
// discovered. The other columns never change.
func (tx *Tx) UpdateGroup(ws parley.WorkspaceID, g *parley.Group) error {
	return tx.exec("UPDATE chatapp_groups SET invite_link = $3, found = $4 WHERE workspace_id = $1 AND conversation_id = $2",
		ws, g.ConversationID, g.InviteLink, g.Found)
}

// Group returns the group of a conversation.
func (v *View) Group(ws parley.WorkspaceID, conversation parley.ID) (parley.Group, error) {
	return one(v, "group", scanGroup,
		"SELECT "+groupColumns+" FROM chatapp_groups WHERE workspace_id = $1 AND conversation_id = $2", ws, conversation)
}

// GroupByJID returns the group of a number by its name in the messaging
// application.
func (v *View) GroupByJID(ws parley.WorkspaceID, number parley.ID, jid string) (parley.Group, error) {
	return one(v, "group", scanGroup,
		"SELECT "+groupColumns+" FROM chatapp_groups WHERE workspace_id = $1 AND number_id = $2 AND jid = $3", ws, number, jid)
}

// A GroupMember is a number that is in a group or was invited to it.
type GroupMember struct {
	Phone   parley.Phone
	Network parley.Phone // the network's spelling, if it differs; else ""
	Joined  bool         // false: invited
	Admin   bool
}

// UpsertGroupMember stores a member of a group. A member who has joined stays
// joined and keeps the role; see [Tx.UpdateGroupAdmin] and
// [Tx.DeleteGroupMember].
func (tx *Tx) UpsertGroupMember(ws parley.WorkspaceID, conversation parley.ID, m GroupMember) error {
	return tx.exec(`INSERT INTO group_members (workspace_id, conversation_id, phone, network_phone, joined, admin) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id, conversation_id, phone) DO UPDATE SET joined = excluded.joined OR group_members.joined,
		network_phone = CASE excluded.network_phone WHEN '' THEN group_members.network_phone ELSE excluded.network_phone END`,
		ws, conversation, string(m.Phone), string(m.Network), m.Joined, m.Admin)
}

// UpdateGroupAdmin stores whether a member is an admin of the group.
func (tx *Tx) UpdateGroupAdmin(ws parley.WorkspaceID, conversation parley.ID, phone parley.Phone, admin bool) error {
	return tx.exec("UPDATE group_members SET admin = $4 WHERE workspace_id = $1 AND conversation_id = $2 AND phone = $3",
		ws, conversation, string(phone), admin)
}

// DeleteGroupMember removes a member from a group.
func (tx *Tx) DeleteGroupMember(ws parley.WorkspaceID, conversation parley.ID, phone parley.Phone) error {
	return tx.exec("DELETE FROM group_members WHERE workspace_id = $1 AND conversation_id = $2 AND phone = $3",
		ws, conversation, string(phone))
}

const memberOfGroupColumns = "phone, network_phone, joined, admin"

func scanGroupMember(r row, m *GroupMember) error {
	return r.scan((*string)(&m.Phone), (*string)(&m.Network), &m.Joined, &m.Admin)
}

// GroupMembers returns the members of a group, ordered by phone number.
func (v *View) GroupMembers(ws parley.WorkspaceID, conversation parley.ID) ([]GroupMember, error) {
	return many(v, scanGroupMember, "SELECT "+memberOfGroupColumns+
		" FROM group_members WHERE workspace_id = $1 AND conversation_id = $2 ORDER BY phone", ws, conversation)
}

// GroupMember returns the member of a group with a phone number, in either
// spelling.
func (v *View) GroupMember(ws parley.WorkspaceID, conversation parley.ID, phone parley.Phone) (GroupMember, error) {
	return one(v, "member of the group", scanGroupMember, "SELECT "+memberOfGroupColumns+` FROM group_members
		WHERE workspace_id = $1 AND conversation_id = $2 AND (phone = $3 OR network_phone = $3)
		ORDER BY CASE phone WHEN $3 THEN 1 ELSE 0 END`, ws, conversation, string(phone))
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

// GroupRequest returns a group request by its key.
func (v *View) GroupRequest(ws parley.WorkspaceID, key string) (GroupRequest, error) {
	return one(v, "group request", func(r row, q *GroupRequest) error {
		return r.scan(&q.Key, &q.NumberID, &q.Name, &q.StartedAt, &q.Owner, &q.LeaseUntil, &q.Asked, &q.Answer)
	}, `SELECT idempotency_key, number_id, name, started_at, owner, lease_until, asked, answer FROM group_requests
		WHERE workspace_id = $1 AND idempotency_key = $2`, ws, key)
}

// UpsertGroupRequest stores the state of a group request.
func (tx *Tx) UpsertGroupRequest(ws parley.WorkspaceID, q *GroupRequest) error {
	return tx.exec(`INSERT INTO group_requests (workspace_id, idempotency_key, number_id, name, started_at, owner, lease_until, asked, answer)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (workspace_id, idempotency_key) DO UPDATE SET
		owner = excluded.owner, lease_until = excluded.lease_until, asked = excluded.asked, answer = excluded.answer`,
		ws, q.Key, q.NumberID, q.Name, q.StartedAt, q.Owner, q.LeaseUntil, q.Asked, q.Answer)
}

// DeleteGroupRequest deletes a group request that failed.
func (tx *Tx) DeleteGroupRequest(ws parley.WorkspaceID, key string) error {
	return tx.exec("DELETE FROM group_requests WHERE workspace_id = $1 AND idempotency_key = $2", ws, key)
}

// SaveSandboxGroup stores the state of a group in the sandbox network. It uses
// its own transaction, because the sandbox stands for a system outside of
// Parley.
func (s *Store) SaveSandboxGroup(ctx context.Context, ws parley.WorkspaceID, jid string, host parley.Phone, state []byte) error {
	return s.Write(ctx, ws, func(tx *Tx) error {
		return tx.exec(`INSERT INTO sandbox_groups (workspace_id, jid, host, state) VALUES ($1, $2, $3, $4)
			ON CONFLICT (workspace_id, jid) DO UPDATE SET state = excluded.state`, ws, jid, string(host), string(state))
	})
}

// SandboxGroups returns the states of a host's groups in the sandbox network,
// ordered by JID.
func (s *Store) SandboxGroups(ctx context.Context, ws parley.WorkspaceID, host parley.Phone) ([][]byte, error) {
	var states [][]byte
	err := s.View(ctx, func(v *View) (err error) {
		states, err = many(v, func(r row, state *[]byte) error { return r.scan(state) },
			"SELECT state FROM sandbox_groups WHERE workspace_id = $1 AND host = $2 ORDER BY jid", ws, string(host))
		return err
	})
	return states, err
}
