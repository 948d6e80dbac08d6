package store

import (
	"context"

	"parley/internal/store/schema"
)

// postgresColumns is PostgreSQL's query for the columns of all tables; SQLite's is
// schema.Columns.
const postgresColumns = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"

// checkHistory compares the applied steps with those of this program, and returns
// the schema version of the store. Missing hashes are filled in after
// [schema.CheckColumns] has confirmed the tables.
func checkHistory(ctx context.Context, s session, columns string, steps []schema.Step) (version int, err error) {
	var applied []schema.Applied
	err = s.query(ctx, "SELECT version, hash, compatible FROM schema_versions ORDER BY version", nil, func(r row) error {
		var a schema.Applied
		err := r.scan(&a.Version, &a.Hash, &a.Compatible)
		applied = append(applied, a)
		return err
	})
	if err != nil {
		return 0, err
	}
	unnamed, err := schema.Check(applied, steps)
	if err != nil || unnamed == 0 {
		return len(applied), err
	}
	if err := checkColumns(ctx, s, columns, steps[:unnamed]); err != nil {
		return len(applied), err
	}
	for _, step := range steps[:unnamed] {
		if err := s.exec(ctx, "UPDATE schema_versions SET hash = $1 WHERE version = $2 AND hash = ''", []any{step.Hash, step.Version}); err != nil {
			return len(applied), err
		}
	}
	return len(applied), nil
}

// checkColumns verifies that a store whose steps have no hashes has the columns of
// these steps.
func checkColumns(ctx context.Context, s session, columns string, steps []schema.Step) error {
	present := map[string]bool{}
	err := s.query(ctx, columns, nil, func(r row) error {
		var table, column string
		err := r.scan(&table, &column)
		present[table+"."+column] = true
		return err
	})
	if err != nil {
		return err
	}
	return schema.CheckColumns(present, steps)
}
