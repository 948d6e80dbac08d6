package macros

import (
	"encoding/json"
	"fmt"

	"parley"
	"parley/internal/store"
)

const macroColumns = "macro_id, name, scope, owner_id, shortcut, actions, version, created_at, updated_at"

func scanMacro(r store.Row, m *parley.Macro) error {
	var actions string
	err := r.Scan(&m.ID, &m.Name, (*string)(&m.Scope), (*string)(&m.Owner), &m.Shortcut, &actions, &m.Version, &m.CreatedAt, &m.UpdatedAt)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(actions), &m.Actions)
}

// PutMacro inserts or replaces a macro.
func PutMacro(tx store.Writer, ws parley.WorkspaceID, m *parley.Macro) error {
	actions, err := json.Marshal(&m.Actions)
	if err != nil {
		return fmt.Errorf("encode the actions of a macro: %w", err)
	}
	return store.Exec(tx, ws, "INSERT INTO macros (workspace_id, "+macroColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (workspace_id, macro_id) DO UPDATE SET name = $3, scope = $4, shortcut = $6, actions = $7, version = $8, updated_at = $10`,
		m.ID, m.Name, string(m.Scope), string(m.Owner), m.Shortcut, string(actions), m.Version, m.CreatedAt, m.UpdatedAt)
}

// DeleteMacro deletes a macro.
func DeleteMacro(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM macros WHERE workspace_id = $1 AND macro_id = $2", id)
}

// SelectMacro returns a macro.
func SelectMacro(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.Macro, error) {
	return store.One(v, ws, "macro", scanMacro, "SELECT "+macroColumns+" FROM macros WHERE workspace_id = $1 AND macro_id = $2", id)
}

// SelectMacros returns the macros that a member has, in no order.
func SelectMacros(v store.Reader, ws parley.WorkspaceID, member parley.UserID) ([]parley.Macro, error) {
	return store.Many(v, ws, scanMacro, "SELECT "+macroColumns+" FROM macros WHERE workspace_id = $1 AND (scope = 'all' OR owner_id = $2)", string(member))
}
