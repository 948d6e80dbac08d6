package store

import (
	"context"
	"strconv"
	"strings"

	"parley"
)

// A View reads from the store. It is valid only inside the function that got
// it.
type View struct {
	ctx     context.Context
	session session
}

// A Tx reads and writes inside the transaction of a closure. It is valid only
// inside the closure that got it.
type Tx struct {
	View
	events []workspaceEvent
}

type workspaceEvent struct {
	ws parley.WorkspaceID
	parley.Event
}

// Emit puts an event into the workspace's log, in this transaction. Its Seq is
// given when the group of closures is committed.
func (tx *Tx) Emit(ws parley.WorkspaceID, e parley.Event) {
	tx.events = append(tx.events, workspaceEvent{ws, e})
}

func (tx *Tx) exec(sql string, args ...any) error {
	return tx.session.exec(tx.ctx, sql, args)
}

// inserted runs an INSERT … ON CONFLICT DO NOTHING RETURNING and reports
// whether a row came into being.
func (tx *Tx) inserted(sql string, args ...any) (bool, error) {
	found := false
	err := tx.session.query(tx.ctx, sql, args, func(row) error {
		found = true
		return nil
	})
	return found, err
}

// one reads the only row of a query; without a row it returns a NotFound error
// that says "no such <what> in this workspace".
func one[T any](v *View, what string, scan func(row, *T) error, sql string, args ...any) (T, error) {
	var item T
	found := false
	err := v.session.query(v.ctx, sql, args, func(r row) error {
		found = true
		return scan(r, &item)
	})
	if err == nil && !found {
		err = parley.NotFoundf("no such %s in this workspace", what)
	}
	return item, err
}

// many reads all rows of a query.
func many[T any](v *View, scan func(row, *T) error, sql string, args ...any) ([]T, error) {
	var items []T
	err := v.session.query(v.ctx, sql, args, func(r row) error {
		var item T
		if err := scan(r, &item); err != nil {
			return err
		}
		items = append(items, item)
		return nil
	})
	return items, err
}

// page reads the rows of a query that asks for one row more than limit, and
// makes a page of them.
func page[T any](items []T, err error, limit int, next func(last *T) parley.Position) (parley.Page[T], error) {
	p := parley.Page[T]{Items: items}
	if err == nil && len(items) > limit {
		p.Items, p.HasMore = items[:limit], true
		p.Next = next(&p.Items[limit-1])
	}
	return p, err
}

// A clause collects the conditions of a statement and their arguments.
type clause struct {
	conditions []string
	args       []any
}

// arg adds an argument and returns its placeholder.
func (c *clause) arg(v any) string {
	c.args = append(c.args, v)
	return "$" + strconv.Itoa(len(c.args))
}

// list adds arguments and returns their placeholders with commas between.
func (c *clause) list(values []any) string {
	places := make([]string, len(values))
	for i, v := range values {
		places[i] = c.arg(v)
	}
	return strings.Join(places, ", ")
}

// and adds a condition in which "?" stands for the argument, as often as it
// occurs.
func (c *clause) and(condition string, v any) {
	c.conditions = append(c.conditions, strings.ReplaceAll(condition, "?", c.arg(v)))
}

// where returns the conditions as a WHERE clause.
func (c *clause) where() string { return " WHERE " + strings.Join(c.conditions, " AND ") }
