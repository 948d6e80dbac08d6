package store

import (
	"context"
	"time"

	"parley"
)

const numberColumns = "number_id, phone, driver, status, inbox_id, created_at, updated_at"

func scanNumber(r row, n *parley.Number) error {
	return r.scan(&n.ID, (*string)(&n.Phone), (*string)(&n.Driver), (*string)(&n.Status), &n.InboxID, &n.CreatedAt, &n.UpdatedAt)
}

// InsertNumber stores a new number and reports whether the workspace did not
// have it yet.
func (tx *Tx) InsertNumber(ws parley.WorkspaceID, n *parley.Number) (bool, error) {
	return tx.inserted("INSERT INTO numbers (workspace_id, "+numberColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (workspace_id, phone) DO NOTHING RETURNING 1`,
		ws, n.ID, string(n.Phone), string(n.Driver), string(n.Status), n.InboxID, n.CreatedAt, n.UpdatedAt)
}

// UpdateNumber stores what can change of a number.
func (tx *Tx) UpdateNumber(ws parley.WorkspaceID, n *parley.Number) error {
	return tx.exec("UPDATE numbers SET status = $3, updated_at = $4 WHERE workspace_id = $1 AND number_id = $2",
		ws, n.ID, string(n.Status), n.UpdatedAt)
}

// Number returns a number.
func (v *View) Number(ws parley.WorkspaceID, id parley.ID) (parley.Number, error) {
	return one(v, "number", scanNumber,
		"SELECT "+numberColumns+" FROM numbers WHERE workspace_id = $1 AND number_id = $2", ws, id)
}

// NumberByPhone returns a number by its digits.
func (v *View) NumberByPhone(ws parley.WorkspaceID, phone parley.Phone) (parley.Number, error) {
	return one(v, "number", scanNumber,
		"SELECT "+numberColumns+" FROM numbers WHERE workspace_id = $1 AND phone = $2", ws, string(phone))
}

// Numbers returns numbers, oldest first.
func (v *View) Numbers(ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Number], error) {
	items, err := many(v, scanNumber, "SELECT "+numberColumns+` FROM numbers
		WHERE workspace_id = $1 AND number_id > $2 ORDER BY number_id LIMIT $3`, ws, afterID(after), limit+1)
	return page(items, err, limit, func(last *parley.Number) parley.Position {
		return parley.Position{ID: last.ID}
	})
}

// ConnectedNumbers returns at most limit numbers that are connected.
func (v *View) ConnectedNumbers(ws parley.WorkspaceID, limit int) ([]parley.Number, error) {
	return many(v, scanNumber, "SELECT "+numberColumns+` FROM numbers
		WHERE workspace_id = $1 AND status = $2 ORDER BY number_id LIMIT $3`, ws, string(parley.NumberConnected), limit)
}

const groupColumns = "conversation_id, number_id, jid, invite_link"

func scanGroup(r row, g *parley.Group) error {
	return r.scan(&g.ConversationID, &g.NumberID, &g.JID, &g.InviteLink)
}

// InsertGroup stores that a conversation is a group.
func (tx *Tx) InsertGroup(ws parley.WorkspaceID, g *parley.Group) error {
	return tx.exec("INSERT INTO chatapp_groups (workspace_id, "+groupColumns+") VALUES ($1, $2, $3, $4, $5)",
		ws, g.ConversationID, g.NumberID, g.JID, g.InviteLink)
}

// UpdateGroupInviteLink stores the link by which to join a group.
func (tx *Tx) UpdateGroupInviteLink(ws parley.WorkspaceID, g *parley.Group) error {
	return tx.exec("UPDATE chatapp_groups SET invite_link = $3 WHERE workspace_id = $1 AND conversation_id = $2",
		ws, g.ConversationID, g.InviteLink)
}

// Group returns the group of a conversation.
func (v *View) Group(ws parley.WorkspaceID, conversation parley.ID) (parley.Group, error) {
	return one(v, "group", scanGroup,
		"SELECT "+groupColumns+" FROM chatapp_groups WHERE workspace_id = $1 AND conversation_id = $2", ws, conversation)
}

// GroupByJID returns the group of a number by the application's name of it.
func (v *View) GroupByJID(ws parley.WorkspaceID, number parley.ID, jid string) (parley.Group, error) {
	return one(v, "group", scanGroup,
		"SELECT "+groupColumns+" FROM chatapp_groups WHERE workspace_id = $1 AND number_id = $2 AND jid = $3", ws, number, jid)
}

// A GroupMember is a number in a group, or one that was asked to join.
type GroupMember struct {
	Phone  parley.Phone
	Joined bool // else it was invited
	Admin  bool
}

// UpsertGroupMember stores a member of a group. Who has joined stays joined
// and keeps the role; see UpdateGroupAdmin.
func (tx *Tx) UpsertGroupMember(ws parley.WorkspaceID, conversation parley.ID, m GroupMember) error {
	return tx.exec(`INSERT INTO group_members (workspace_id, conversation_id, phone, joined, admin) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, conversation_id, phone) DO UPDATE SET joined = excluded.joined OR group_members.joined`,
		ws, conversation, string(m.Phone), m.Joined, m.Admin)
}

// UpdateGroupAdmin stores whether a member is an admin of the group.
func (tx *Tx) UpdateGroupAdmin(ws parley.WorkspaceID, conversation parley.ID, phone parley.Phone, admin bool) error {
	return tx.exec("UPDATE group_members SET admin = $4 WHERE workspace_id = $1 AND conversation_id = $2 AND phone = $3",
		ws, conversation, string(phone), admin)
}

// GroupMembers returns the members of a group in the order of their numbers.
func (v *View) GroupMembers(ws parley.WorkspaceID, conversation parley.ID) ([]GroupMember, error) {
	return many(v, func(r row, m *GroupMember) error { return r.scan((*string)(&m.Phone), &m.Joined, &m.Admin) },
		"SELECT phone, joined, admin FROM group_members WHERE workspace_id = $1 AND conversation_id = $2 ORDER BY phone", ws, conversation)
}

// A GroupRequest is the creation of a group with an Idempotency-Key. Owner
// names the process that works on it until LeaseUntil; Answer is empty until
// the group exists.
type GroupRequest struct {
	Key        string
	NumberID   parley.ID
	Name       string
	StartedAt  time.Time
	Owner      string
	LeaseUntil time.Time
	Answer     string
}

// GroupRequest returns the creation of a group by its key.
func (v *View) GroupRequest(ws parley.WorkspaceID, key string) (GroupRequest, error) {
	return one(v, "group request", func(r row, q *GroupRequest) error {
		return r.scan(&q.Key, &q.NumberID, &q.Name, &q.StartedAt, &q.Owner, &q.LeaseUntil, &q.Answer)
	}, `SELECT idempotency_key, number_id, name, started_at, owner, lease_until, answer FROM group_requests
		WHERE workspace_id = $1 AND idempotency_key = $2`, ws, key)
}

// UpsertGroupRequest stores the state of the creation of a group.
func (tx *Tx) UpsertGroupRequest(ws parley.WorkspaceID, q *GroupRequest) error {
	return tx.exec(`INSERT INTO group_requests (workspace_id, idempotency_key, number_id, name, started_at, owner, lease_until, answer)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (workspace_id, idempotency_key) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until, answer = excluded.answer`,
		ws, q.Key, q.NumberID, q.Name, q.StartedAt, q.Owner, q.LeaseUntil, q.Answer)
}

// DeleteGroupRequest forgets a creation that came to nothing.
func (tx *Tx) DeleteGroupRequest(ws parley.WorkspaceID, key string) error {
	return tx.exec("DELETE FROM group_requests WHERE workspace_id = $1 AND idempotency_key = $2", ws, key)
}

// A Delivery is a message that waits for its channel.
type Delivery struct {
	ConversationID parley.ID
	MessageID      parley.ID
	Attempts       int
	DueAt          time.Time
}

// InsertDelivery queues a message for its channel.
func (tx *Tx) InsertDelivery(ws parley.WorkspaceID, d *Delivery) error {
	return tx.exec("INSERT INTO deliveries (workspace_id, conversation_id, message_id, attempts, due_at) VALUES ($1, $2, $3, $4, $5)",
		ws, d.ConversationID, d.MessageID, d.Attempts, d.DueAt)
}

// UpdateDelivery stores when a message is to be tried next.
func (tx *Tx) UpdateDelivery(ws parley.WorkspaceID, d *Delivery) error {
	return tx.exec(`UPDATE deliveries SET attempts = $4, due_at = $5
		WHERE workspace_id = $1 AND conversation_id = $2 AND message_id = $3`,
		ws, d.ConversationID, d.MessageID, d.Attempts, d.DueAt)
}

// DeleteDelivery takes a message from the queue.
func (tx *Tx) DeleteDelivery(ws parley.WorkspaceID, conversation, message parley.ID) error {
	return tx.exec("DELETE FROM deliveries WHERE workspace_id = $1 AND conversation_id = $2 AND message_id = $3", ws, conversation, message)
}

// Deliveries returns the deliveries of a workspace that are due, in the order
// of their conversations and messages. A message whose conversation has an
// older one in the queue is not among them: messages go out in their order.
func (v *View) Deliveries(ws parley.WorkspaceID, now time.Time, limit int) ([]Delivery, error) {
	return many(v, func(r row, d *Delivery) error { return r.scan(&d.ConversationID, &d.MessageID, &d.Attempts, &d.DueAt) },
		`SELECT conversation_id, message_id, attempts, due_at FROM deliveries d WHERE workspace_id = $1 AND due_at <= $2
		AND NOT EXISTS (SELECT 1 FROM deliveries o WHERE o.workspace_id = d.workspace_id
		AND o.conversation_id = d.conversation_id AND o.message_id < d.message_id)
		ORDER BY conversation_id, message_id LIMIT $3`, ws, now, limit)
}

// SaveSandboxGroup keeps the state of a group of the sandbox network, in a
// transaction of its own: the network is a world outside.
func (s *Store) SaveSandboxGroup(ctx context.Context, ws parley.WorkspaceID, jid string, host parley.Phone, state []byte) error {
	return s.Write(ctx, ws, func(tx *Tx) error {
		return tx.exec(`INSERT INTO sandbox_groups (workspace_id, jid, host, state) VALUES ($1, $2, $3, $4)
			ON CONFLICT (workspace_id, jid) DO UPDATE SET state = excluded.state`, ws, jid, string(host), string(state))
	})
}

// SandboxGroups returns the states of a host's groups in the sandbox network,
// in the order of their names.
func (s *Store) SandboxGroups(ctx context.Context, ws parley.WorkspaceID, host parley.Phone) ([][]byte, error) {
	var states [][]byte
	err := s.View(ctx, func(v *View) (err error) {
		states, err = many(v, func(r row, state *[]byte) error { return r.scan(state) },
			"SELECT state FROM sandbox_groups WHERE workspace_id = $1 AND host = $2 ORDER BY jid", ws, string(host))
		return err
	})
	return states, err
}
