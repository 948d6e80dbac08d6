package bulk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley"
	"parley/internal/store"
)

// A Job is a job as the store knows it.
type Job struct {
	parley.BulkJob
	Query string // the filter that conversations must match; "" for none
	Do    Action
}

const jobColumns = "job_id, member_id, query, action, undoes_id, state, total, changed, reasons, created_at, ended_at"

func scanJob(r store.Row, j *Job) error {
	var action, reasons string
	err := r.Scan(&j.ID, (*string)(&j.Member), &j.Query, &action, &j.Undoes, (*string)(&j.State), &j.Total, &j.Changed, &reasons, &j.CreatedAt, &j.EndedAt)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(reasons), &j.Reasons); err != nil {
		return fmt.Errorf("read the reasons of a job: %w", err)
	}
	j.Do, err = parseAction(action)
	if j.Action = j.Do.word(); !j.Undoes.IsZero() {
		j.Action = parley.BulkUndo
	}
	return err
}

// PutJob inserts a job, or stores its progress.
func PutJob(tx store.Writer, ws parley.WorkspaceID, j *Job) error {
	reasons, err := json.Marshal(j.Reasons)
	if err != nil {
		return fmt.Errorf("encode the reasons of a job: %w", err)
	}
	action, err := j.Do.text()
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, "INSERT INTO bulk_jobs (workspace_id, "+jobColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		ON CONFLICT (workspace_id, job_id) DO UPDATE SET state = $7, changed = $9, reasons = $10, ended_at = $12`,
		j.ID, string(j.Member), j.Query, action, j.Undoes, string(j.State), j.Total, j.Changed, string(reasons), j.CreatedAt, j.EndedAt)
}

// SelectJob returns a job.
func SelectJob(v store.Reader, ws parley.WorkspaceID, id parley.ID) (Job, error) {
	return store.One(v, ws, "bulk job", scanJob, "SELECT "+jobColumns+" FROM bulk_jobs WHERE workspace_id = $1 AND job_id = $2", id)
}

// SelectJobs returns the newest jobs of a member, at most limit.
func SelectJobs(v store.Reader, ws parley.WorkspaceID, member parley.UserID, limit int) ([]Job, error) {
	return store.Many(v, ws, scanJob, "SELECT "+jobColumns+" FROM bulk_jobs WHERE workspace_id = $1 AND member_id = $2 ORDER BY job_id DESC LIMIT $3",
		string(member), limit)
}

// SelectRunners returns the members of the jobs that run, one for each job.
func SelectRunners(v store.Reader, ws parley.WorkspaceID) ([]parley.UserID, error) {
	return store.Many(v, ws, func(r store.Row, m *parley.UserID) error { return r.Scan((*string)(m)) },
		"SELECT member_id FROM bulk_jobs WHERE workspace_id = $1 AND ended_at = 0 ORDER BY job_id")
}

// A Batch is a portion of the conversations that a job has not reached yet.
type Batch struct {
	Place int
	IDs   []parley.ID
}

// InsertBatch stores a portion of a job.
func InsertBatch(tx store.Writer, ws parley.WorkspaceID, job parley.ID, b Batch) error {
	texts := make([]string, len(b.IDs))
	for i, id := range b.IDs {
		texts[i] = id.String()
	}
	return store.Exec(tx, ws, "INSERT INTO bulk_batches (workspace_id, job_id, place, ids) VALUES ($1, $2, $3, $4)", job, b.Place, strings.Join(texts, " "))
}

// SelectBatches returns the next portions of a job, at most limit.
func SelectBatches(v store.Reader, ws parley.WorkspaceID, job parley.ID, limit int) ([]Batch, error) {
	return store.Many(v, ws, func(r store.Row, b *Batch) error {
		var ids string
		if err := r.Scan(&b.Place, &ids); err != nil {
			return err
		}
		for text := range strings.FieldsSeq(ids) {
			id, ok := parley.ParseID(text)
			if !ok {
				return fmt.Errorf("a job has the conversation %q", text)
			}
			b.IDs = append(b.IDs, id)
		}
		return nil
	}, "SELECT place, ids FROM bulk_batches WHERE workspace_id = $1 AND job_id = $2 ORDER BY place LIMIT $3", job, limit)
}

// DeleteBatch deletes a portion of a job.
func DeleteBatch(tx store.Writer, ws parley.WorkspaceID, job parley.ID, place int) error {
	return store.Exec(tx, ws, "DELETE FROM bulk_batches WHERE workspace_id = $1 AND job_id = $2 AND place = $3", job, place)
}

// DeleteBatches deletes what a job has not reached yet.
func DeleteBatches(tx store.Writer, ws parley.WorkspaceID, job parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM bulk_batches WHERE workspace_id = $1 AND job_id = $2", job)
}

// An Item is what a job did with a conversation.
type Item struct {
	ConversationID parley.ID
	Reason         parley.BulkReason // "": it changed the conversation
	Inverse        Action            // takes the change back; zero if nothing does
}

// InsertItem stores what a job did with a conversation.
func InsertItem(tx store.Writer, ws parley.WorkspaceID, job parley.ID, item *Item) error {
	inverse, err := item.Inverse.text()
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, "INSERT INTO bulk_items (workspace_id, job_id, conversation_id, reason, inverse) VALUES ($1, $2, $3, $4, $5)",
		job, item.ConversationID, string(item.Reason), inverse)
}

// SelectItems returns what a job did with some conversations, 1 to 200. The bounds of
// their ids tell a planner without statistics where in the index they are.
func SelectItems(v store.Reader, ws parley.WorkspaceID, job parley.ID, conversations []parley.ID) ([]Item, error) {
	compare := func(a, b parley.ID) int { return bytes.Compare(a[:], b[:]) }
	return store.Many(v, ws, func(r store.Row, item *Item) (err error) {
		var inverse string
		if err := r.Scan(&item.ConversationID, (*string)(&item.Reason), &inverse); err != nil {
			return err
		}
		item.Inverse, err = parseAction(inverse)
		return err
	}, `SELECT conversation_id, reason, inverse FROM bulk_items WHERE workspace_id = $1 AND job_id = $2
		AND conversation_id >= $3 AND conversation_id <= $4 AND conversation_id IN ($5...) ORDER BY conversation_id`,
		job, slices.MinFunc(conversations, compare), slices.MaxFunc(conversations, compare), store.ListOf(conversations))
}

// SelectChanged returns the conversations that a job changed.
func SelectChanged(v store.Reader, ws parley.WorkspaceID, job parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], `SELECT conversation_id FROM bulk_items
		WHERE workspace_id = $1 AND job_id = $2 AND reason = '' ORDER BY conversation_id`, job)
}

// SelectWrote returns those of some conversations, at most 200, in which the customer
// wrote after a message or a time of which id is the bound.
func SelectWrote(v store.Reader, vis parley.Visibility, conversations []parley.ID, after parley.ID) ([]parley.ID, error) {
	return store.Many(v, vis, store.Only[parley.ID], `SELECT DISTINCT g.conversation_id FROM messages g
		WHERE OF_VISIBLE(g) AND g.message_id > $2 AND g.direction = 'incoming' AND g.conversation_id IN ($3...)`, after, store.ListOf(conversations))
}

// DeleteOldItems deletes items of jobs before a bound, at most limit, and returns how
// many.
func DeleteOldItems(tx store.Writer, ws parley.WorkspaceID, before parley.ID, limit int) (int, error) {
	gone, err := store.Many(tx, ws, store.Only[parley.ID], `DELETE FROM bulk_items WHERE workspace_id = $1 AND (job_id, conversation_id) IN
		(SELECT i.job_id, i.conversation_id FROM bulk_items i WHERE i.workspace_id = $1 AND i.job_id < $2 ORDER BY i.job_id, i.conversation_id LIMIT $3)
		RETURNING conversation_id`, before, limit)
	return len(gone), err
}

// DeleteOldJobs deletes jobs before a bound that have ended.
func DeleteOldJobs(tx store.Writer, ws parley.WorkspaceID, before parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM bulk_jobs WHERE workspace_id = $1 AND job_id < $2 AND ended_at > 0", before)
}
