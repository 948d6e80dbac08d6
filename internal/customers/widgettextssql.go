package customers

import (
	"encoding/json"
	"time"

	"parley"
	"parley/internal/store"
)

// SelectWidgetTexts returns the texts of an inbox in all languages that have some, in
// the order of their tags.
func SelectWidgetTexts(v store.Reader, ws parley.WorkspaceID, inbox parley.ID) ([]parley.WidgetTexts, error) {
	return store.Many(v, ws, func(r store.Row, w *parley.WidgetTexts) error {
		var texts []byte
		if err := r.Scan(&w.InboxID, &w.Language, &texts); err != nil {
			return err
		}
		return json.Unmarshal(texts, &w.Texts)
	}, "SELECT inbox_id, language, texts FROM widget_texts WHERE workspace_id = $1 AND inbox_id = $2 ORDER BY language", inbox)
}

// PutWidgetTexts inserts or replaces the texts of an inbox in a language.
func PutWidgetTexts(tx store.Writer, ws parley.WorkspaceID, w *parley.WidgetTexts, at time.Time) error {
	texts, err := json.Marshal(w.Texts)
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, `INSERT INTO widget_texts (workspace_id, inbox_id, language, texts, updated_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, inbox_id, language) DO UPDATE SET texts = $4, updated_at = $5`, w.InboxID, w.Language, string(texts), at)
}

// DeleteWidgetTexts deletes the texts of an inbox in a language, if there are any.
func DeleteWidgetTexts(tx store.Writer, ws parley.WorkspaceID, inbox parley.ID, language string) error {
	return store.Exec(tx, ws, "DELETE FROM widget_texts WHERE workspace_id = $1 AND inbox_id = $2 AND language = $3", inbox, language)
}
