package store

import (
	"context"

	"parley"
)

// GroupColumns are the columns of a group.
const GroupColumns = "conversation_id, number_id, jid, invite_link, found"

func scanGroup(r row, g *parley.Group) error {
	return r.scan(&g.ConversationID, &g.NumberID, &g.JID, &g.InviteLink, &g.Found)
}

// Group returns the group of a conversation.
func (v *View) Group(ws parley.WorkspaceID, conversation parley.ID) (parley.Group, error) {
	return one(v, "group", scanGroup,
		"SELECT "+GroupColumns+" FROM chatapp_groups WHERE workspace_id = $1 AND conversation_id = $2", ws, conversation)
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
