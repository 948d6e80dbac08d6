package backup

import (
	"slices"
	"strings"
	"sync"

	"parley"
	"parley/internal/store/schema"
)

// leftOut are the tables that a backup does not contain. It does contain timers:
// somebody asked for their work, and the restored store does what is overdue once. A
// restore requires exactly these tables to be missing, so a change of this list needs
// another Format, or older backups are refused.
var leftOut = []string{
	"sessions",          // members sign in again
	"customer_sessions", // and so do customers
	"push_devices",      // belong to sessions
	"pushes",            // and these to them
	"number_pairings",   // the steps of a pairing expire within minutes
	"number_calls",      // calls between running processes
	"writers",           // belongs to running processes
	"search_positions",  // the index is rebuilt from the tables
	"followers",         // a copy has a new log, so each follower starts over
	"backup_schedules",  // is about the backups of the original server
}

// schemas has a function for each schema version that returns what contents does. It
// runs the migrations once, as they take a good part of the time of a small backup.
var schemas = sync.OnceValues(func() ([]func() ([]schema.Table, error), error) {
	latest, err := schema.Latest()
	if err != nil {
		return nil, err
	}
	all := make([]func() ([]schema.Table, error), latest+1)
	for version := range all {
		all[version] = sync.OnceValues(func() ([]schema.Table, error) {
			tables, err := schema.Tables(version)
			return slices.DeleteFunc(tables, func(t schema.Table) bool { return slices.Contains(leftOut, t.Name) }), err
		})
	}
	return all, nil
})

// contents returns the tables of a schema version that a backup contains: all that
// leftOut does not name, so a new table cannot be forgotten. The version may be
// that of a damaged or newer backup, which is an error.
func contents(version int) ([]schema.Table, error) {
	all, err := schemas()
	if err != nil {
		return nil, err
	}
	if version < 0 || version >= len(all) {
		return schema.Tables(version) // the error names the latest version
	}
	tables, err := all[version]()
	return slices.Clone(tables), err
}

// fileName returns the name of the member with an uploaded file.
func fileName(ws parley.WorkspaceID, file parley.ID) string {
	return filesFolder + ws.String() + "/" + file.String()
}

// fileOf parses a name that fileName returned.
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

// A file is an uploaded file, as its row describes it.
type file struct {
	ws   parley.WorkspaceID
	id   parley.ID
	size int64
}

// fileTables returns the tables whose rows have files, each with the column of the
// file's id.
func fileTables() map[string]string {
	return map[string]string{"attachments": "attachment_id", "article_pictures": "picture_id"}
}

// filesOf returns a function that reads the file from a row of the table; ok is false
// if the row has none.
func filesOf(t *schema.Table) (func(values []any) (f file, ok bool), error) {
	id := fileTables()[t.Name]
	if id == "" {
		return func([]any) (file, bool) { return file{}, false }, nil
	}
	places := make([]int, 4)
	for i, c := range []schema.Column{
		{Name: "workspace_id", Type: schema.UUIDColumn}, {Name: id, Type: schema.UUIDColumn},
		{Name: "size", Type: schema.IntegerColumn}, {Name: "stored", Type: schema.BooleanColumn},
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
