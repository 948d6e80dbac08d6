package customers

import (
	"strings"
	"time"

	"parley"
	"parley/internal/store"
)

const widgetColumns = "inbox_id, origins, identity, title, greeting, reply_time, color, position, show_team, ask, ask_fields, ask_required, continue_after"

func scanWidgetSettings(r store.Row, s *parley.WidgetSettings) error {
	var origins, fields string
	err := r.Scan(&s.InboxID, &origins, (*string)(&s.Identity), &s.Title, &s.Greeting, &s.ReplyTime, &s.Color, (*string)(&s.Position),
		&s.ShowTeam, (*string)(&s.Ask), &fields, &s.AskRequired, &s.ContinueAfter)
	if origins != "" {
		s.Origins = strings.Split(origins, "\n")
	}
	for field := range strings.FieldsSeq(fields) {
		s.AskFields = append(s.AskFields, parley.AskField(field))
	}
	return err
}

// PutWidgetSettings inserts or replaces the settings of an inbox's widget.
func PutWidgetSettings(tx store.Writer, ws parley.WorkspaceID, s *parley.WidgetSettings, at time.Time) error {
	var fields []string
	for _, field := range s.AskFields {
		fields = append(fields, string(field))
	}
	return store.Exec(tx, ws, "INSERT INTO widget_settings (workspace_id, "+widgetColumns+`, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
		ON CONFLICT (workspace_id, inbox_id) DO UPDATE SET origins = $3, identity = $4, title = $5, greeting = $6, reply_time = $7,
			color = $8, position = $9, show_team = $10, ask = $11, ask_fields = $12, ask_required = $13, continue_after = $14, updated_at = $15`,
		s.InboxID, strings.Join(s.Origins, "\n"), string(s.Identity), s.Title, s.Greeting, s.ReplyTime, s.Color, string(s.Position), s.ShowTeam,
		string(s.Ask), strings.Join(fields, " "), s.AskRequired, s.ContinueAfter, at)
}

// SelectWidgetSettings returns the settings of an inbox's widget, or NotFound if none
// were ever stored.
func SelectWidgetSettings(v store.Reader, ws parley.WorkspaceID, inbox parley.ID) (parley.WidgetSettings, error) {
	return store.One(v, ws, "widget", scanWidgetSettings,
		"SELECT "+widgetColumns+" FROM widget_settings WHERE workspace_id = $1 AND inbox_id = $2", inbox)
}

// SelectWidgetsWithOrigins returns the settings of the widgets that restrict their
// origins. It reads every row of widget_settings.
func SelectWidgetsWithOrigins(v store.Reader) ([]parley.WidgetSettings, error) {
	return store.ManyAcross(v, scanWidgetSettings, "SELECT "+widgetColumns+" FROM widget_settings WHERE origins <> ''")
}

// SelectWorkspaceOfInbox returns the workspace of an inbox. The page of a widget
// knows only the inbox.
func SelectWorkspaceOfInbox(v store.Reader, inbox parley.ID) (parley.WorkspaceID, error) {
	return store.OneAcross(v, "inbox", func(r store.Row, ws *parley.WorkspaceID) error { return r.Scan(ws) },
		"SELECT workspace_id FROM inboxes WHERE inbox_id = $1", inbox)
}
