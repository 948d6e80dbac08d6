package backup

import (
	"slices"
	"strings"

	"parley"
	"parley/internal/store"
)

// leftOut are the tables whose rows a backup does not hold. Timers are held: they
// are what somebody asked for, and what is due meanwhile happens once, by the copy.
// A restore expects the tables of this list to be missing, so a change of it needs
// another Format, or backups of before are refused.
var leftOut = []string{
	"sessions",          // a copy has none: members sign in again
	"customer_sessions", // and so do customers
	"number_pairings",   // the steps of a pairing end within minutes
	"number_calls",      // questions between processes that run now
	"writers",           // belongs to processes that run now
	"search_positions",  // the index is made anew from the tables
	"followers",         // the log of a copy is another one: each follower begins anew
	"backup_schedules",  // tells of the backups of the server that made this one
}

// contents returns the tables of a schema version that a backup holds. Every
// table that is not left out by name is in it, so a new one cannot be forgotten.
func contents(version int) ([]store.Table, error) {
	tables, err := store.Tables(version)
	return slices.DeleteFunc(tables, func(t store.Table) bool { return slices.Contains(leftOut, t.Name) }), err
}

// fileName returns the name of the member that holds an uploaded file.
func fileName(ws parley.WorkspaceID, file parley.ID) string {
	return filesFolder + ws.String() + "/" + file.String()
}

// fileOf reads what fileName wrote.
func fileOf(name string) (ws parley.WorkspaceID, file parley.ID, ok bool) {
	rest, ok := strings.CutPrefix(name, filesFolder)
	if !ok {
		return ws, file, false
	}
	first, second, _ := strings.Cut(rest, "/")
	workspace, validFirst := parley.ParseID(first)
	file, validSecond := parley.ParseID(second)
	return parley.WorkspaceID(workspace), file, validFirst && validSecond
}

// A file is an uploaded file that a row names.
type file struct {
	ws   parley.WorkspaceID
	id   parley.ID
	size int64
}

// filesOf returns a function that returns the file that a row of a table names.
func filesOf(t *store.Table) (func(values []any) (f file, ok bool), error) {
	if t.Name != "attachments" {
		return func([]any) (file, bool) { return file{}, false }, nil
	}
	places := make([]int, 4)
	for i, c := range []store.Column{
		{Name: "workspace_id", Type: store.UUIDColumn}, {Name: "attachment_id", Type: store.UUIDColumn},
		{Name: "size", Type: store.IntegerColumn}, {Name: "stored", Type: store.BooleanColumn},
	} {
		places[i] = slices.Index(t.Columns, c)
		if places[i] < 0 {
			return nil, damaged("the table of files has no column %s", c.Name)
		}
	}
	return func(values []any) (file, bool) {
		f := file{ws: parley.WorkspaceID(values[places[0]].(parley.ID)), id: values[places[1]].(parley.ID), size: values[places[2]].(int64)}
		return f, values[places[3]].(bool)
	}, nil
}
