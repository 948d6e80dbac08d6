package bot

import (
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// SelectDueJobs returns jobs that are due, at most limit, those first that have
// waited longest. A job later than farthest is due too.
func SelectDueJobs(v store.Reader, ws parley.WorkspaceID, now, farthest time.Time, limit int) ([]desk.AgentJob, error) {
	return store.Many(v, ws, desk.ScanAgentJob, "SELECT "+desk.AgentJobColumns+
		" FROM agent_jobs WHERE workspace_id = $1 AND (due_at <= $2 OR due_at > $3) ORDER BY due_at LIMIT $4", now, farthest, limit)
}

// SelectWorkspacesAsking returns the workspaces with jobs that are due, those first
// whose oldest one has waited longest. It looks for one job of each workspace.
func SelectWorkspacesAsking(v store.Reader, now, farthest time.Time) ([]parley.WorkspaceID, error) {
	return store.ManyAcross(v, store.Only[parley.WorkspaceID], `SELECT d.workspace_id FROM (SELECT w.workspace_id, COALESCE(
			(SELECT j.due_at FROM agent_jobs j WHERE j.workspace_id = w.workspace_id AND j.due_at <= $1 ORDER BY j.due_at LIMIT 1),
			(SELECT j.due_at FROM agent_jobs j WHERE j.workspace_id = w.workspace_id AND j.due_at > $2 ORDER BY j.due_at LIMIT 1)
		) AS due_at FROM workspaces w) d WHERE d.due_at IS NOT NULL ORDER BY d.due_at`, now, farthest)
}

// UpdateMessageAgent stores what a message of the agent has beside its text.
func UpdateMessageAgent(tx store.Writer, ws parley.WorkspaceID, m *parley.Message) error {
	return store.Exec(tx, ws, "UPDATE messages SET agent = $4 WHERE workspace_id = $1 AND conversation_id = $2 AND message_id = $3",
		m.ConversationID, m.ID, string(m.Agent))
}
