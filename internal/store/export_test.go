package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Exec runs any statement inside a closure.
func (tx *Tx) Exec(sql string, args ...any) error { return tx.exec(sql, args...) }

// MaxQueue is how many closures may wait.
const MaxQueue = maxQueue

// CommitPatience is how long an unanswered commit is asked after.
const CommitPatience = commitPatience

// Int runs a query for one number.
func (v *View) Int(sql string, args ...any) (int, error) {
	return one(v, "row", func(r row, n *int) error { return r.scan(n) }, sql, args...)
}

// Text runs a query for one text.
func (v *View) Text(sql string, args ...any) (string, error) {
	return one(v, "row", func(r row, text *string) error { return r.scan(text) }, sql, args...)
}

// recorder keeps the statement of a read and runs nothing.
type recorder struct {
	session
	sql  string
	args []any
}

func (r *recorder) query(_ context.Context, sql string, args []any, _ func(row) error) error {
	r.sql, r.args = sql, args
	return nil
}

// Plan returns the engine's plan of the statement that read runs.
func (v *View) Plan(read func(*View) error) (string, error) {
	r := &recorder{session: v.session}
	if err := read(&View{ctx: v.ctx, session: r}); err != nil {
		return "", err
	}
	explain, columns := "EXPLAIN ", 0
	if _, ok := v.session.(*sqliteSession); ok {
		explain, columns = "EXPLAIN QUERY PLAN ", 3
	}
	lines, err := many(v, func(r row, line *string) error {
		dest := []any{new(int), new(int), new(int), line}
		return r.scan(dest[3-columns:]...)
	}, explain+r.sql, r.args...)
	if err == nil && len(lines) == 0 {
		err = fmt.Errorf("no plan of %s", r.sql)
	}
	return strings.Join(lines, "\n"), err
}

// MigrateTo brings the schema of a store to a version.
func MigrateTo(ctx context.Context, o Options, version int) error {
	e, err := openEngine(ctx, o)
	if err != nil {
		return err
	}
	steps, err := migrations()
	if err == nil {
		_, _, err = e.migrate(ctx, steps[:version])
	}
	return errors.Join(err, e.close())
}

// MaxLanes is how many held workspaces are waited for at a time.
const MaxLanes = maxLanes
