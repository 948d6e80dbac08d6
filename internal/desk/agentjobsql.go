package desk

import (
	"parley"
	"parley/internal/store"
)

// AgentJobColumns are the columns of a job.
const AgentJobColumns = "conversation_id, message_id, first_at, due_at, attempts, restarted, owner"

// ScanAgentJob reads a job.
func ScanAgentJob(r store.Row, j *AgentJob) error {
	return r.Scan(&j.ConversationID, &j.MessageID, &j.FirstAt, &j.DueAt, &j.Attempts, &j.Restarted, &j.Owner)
}

// InsertAgentJob inserts a job.
func InsertAgentJob(tx store.Writer, ws parley.WorkspaceID, j *AgentJob) error {
	return store.Exec(tx, ws, "INSERT INTO agent_jobs (workspace_id, "+AgentJobColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		j.ConversationID, j.MessageID, j.FirstAt, j.DueAt, j.Attempts, j.Restarted, j.Owner)
}

// UpdateAgentJob stores everything about a job.
func UpdateAgentJob(tx store.Writer, ws parley.WorkspaceID, j *AgentJob) error {
	return store.Exec(tx, ws, `UPDATE agent_jobs SET message_id = $3, first_at = $4, due_at = $5, attempts = $6, restarted = $7, owner = $8
		WHERE workspace_id = $1 AND conversation_id = $2`, j.ConversationID, j.MessageID, j.FirstAt, j.DueAt, j.Attempts, j.Restarted, j.Owner)
}

// DeleteAgentJob deletes the job of a conversation. A run that holds it loses it.
func DeleteAgentJob(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM agent_jobs WHERE workspace_id = $1 AND conversation_id = $2", conversation)
}

// SelectAgentJob returns the job of a conversation.
func SelectAgentJob(v store.Reader, ws parley.WorkspaceID, conversation parley.ID) (AgentJob, error) {
	return store.One(v, ws, "agent job", ScanAgentJob,
		"SELECT "+AgentJobColumns+" FROM agent_jobs WHERE workspace_id = $1 AND conversation_id = $2", conversation)
}
