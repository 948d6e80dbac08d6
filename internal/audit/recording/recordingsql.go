package recording

import (
	"encoding/json"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/store"
)

// Columns are those of an entry, in the order in which Scan reads them.
const Columns = "entry_id, at, actor_type, actor_id, address, user_agent, action, subject_type, subject_id, changes, amount"

// A storedChange is a change as the store keeps it.
type storedChange struct {
	Field string `json:"field"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
}

// InsertEntry stores an entry.
func InsertEntry(tx store.Writer, ws parley.WorkspaceID, e *entry.Entry) error {
	changes := ""
	if len(e.Changes) > 0 {
		stored := make([]storedChange, len(e.Changes))
		for i, c := range e.Changes {
			stored[i] = storedChange(c)
		}
		text, err := json.Marshal(stored)
		if err != nil {
			return err
		}
		changes = string(text)
	}
	return store.Exec(tx, ws, "INSERT INTO audit (workspace_id, "+Columns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		e.ID, e.At, string(e.ActorType), e.ActorID, e.Address, e.UserAgent, string(e.Action), string(e.SubjectType), e.SubjectID, changes, e.Count)
}

// Scan reads Columns.
func Scan(r store.Row, e *entry.Entry) error {
	var changes string
	if err := r.Scan(&e.ID, &e.At, (*string)(&e.ActorType), &e.ActorID, &e.Address, &e.UserAgent, (*string)(&e.Action),
		(*string)(&e.SubjectType), &e.SubjectID, &changes, &e.Count); err != nil || changes == "" {
		return err
	}
	var stored []storedChange
	if err := json.Unmarshal([]byte(changes), &stored); err != nil {
		return err
	}
	for _, c := range stored {
		e.Changes = append(e.Changes, entry.Change(c))
	}
	return nil
}
