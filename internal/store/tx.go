package store

import (
	"context"
	"errors"
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
	heads  map[parley.WorkspaceID]*head
	moved  []parley.ID // conversations whose UpdatedAt the closure has moved
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

// maxPageBytes is how much one page holds at most in the JSON of its answer,
// unless its first item alone is larger. A page is held in memory until it is
// sent.
const maxPageBytes = 1 << 20

// itemBytes is what the JSON of an item takes at most besides the texts of its
// row: names of members, ids, times, numbers.
const itemBytes = 1 << 10

// errEnough ends a query whose other rows are not wanted.
var errEnough = errors.New("enough")

// manyWithin is many that ends behind the row with which the JSON of the rows' texts
// reaches a number of bytes: so it returns one item at least if there is one.
func manyWithin[T any](v *View, bytes int, scan func(row, *T) error, sql string, args ...any) ([]T, error) {
	var items []T
	size := 0
	err := v.session.query(v.ctx, sql, args, func(r row) error {
		var item T
		weighed := weighedRow{row: r}
		if err := scan(&weighed, &item); err != nil {
			return err
		}
		items = append(items, item)
		if size += weighed.bytes; size >= bytes {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return items, err
}

// page reads a page of a list: limit of its items at most, and fewer where their
// JSON is more than maxPageBytes, but one at least if there is one. The query asks for one row more
// than limit; next returns where the page behind some items starts.
func page[T any](v *View, q pageQuery, scan func(row, *T) error, next func(shown []T) parley.Position) (parley.Page[T], error) {
	var p parley.Page[T]
	size := 0
	err := v.session.query(v.ctx, q.sql, q.args, func(r row) error {
		var item T
		weighed := weighedRow{row: r}
		if err := scan(&weighed, &item); err != nil {
			return err
		}
		size += weighed.bytes + itemBytes
		if shown := len(p.Items); shown == q.limit || shown > 0 && size > maxPageBytes {
			p.HasMore = true
			return errEnough
		}
		p.Items = append(p.Items, item)
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	if err == nil && p.HasMore {
		p.Next = next(p.Items)
	}
	return p, err
}

// A pageQuery is the query of a page of at most limit items.
type pageQuery struct {
	sql   string
	args  []any
	limit int
}

// byOffset is the next of a list whose position is an offset.
func byOffset[T any](after parley.Position) func(shown []T) parley.Position {
	return func(shown []T) parley.Position { return parley.Position{Offset: after.Offset + len(shown)} }
}

// behind is the next of a list whose position is that of the last item shown.
func behind[T any](position func(last *T) parley.Position) func(shown []T) parley.Position {
	return func(shown []T) parley.Position { return position(&shown[len(shown)-1]) }
}

// A weighedRow counts the bytes that the texts of a row take in JSON. What is
// JSON already counts no less than it takes: a string of it is counted like any
// other, with its quotes escaped.
type weighedRow struct {
	row
	bytes int
}

func (r *weighedRow) scan(dest ...any) error {
	err := r.row.scan(dest...)
	for _, d := range dest {
		switch d := d.(type) {
		case *string:
			r.bytes += parley.JSONSize(*d)
		case *[]byte: // of an event or the history, as the answer shows it
			r.bytes += len(*d)
		case **string:
			if *d != nil {
				r.bytes += parley.JSONSize(**d)
			}
		}
	}
	return err
}

// weigh counts what an answer shows of a row besides its texts.
func (r *weighedRow) weigh(bytes int) { r.bytes += bytes }

func (p prefixed) weigh(bytes int) { weigh(p.row, bytes) }

// weigh counts bytes where the row is weighed.
func weigh(r row, bytes int) {
	if weighed, ok := r.(interface{ weigh(bytes int) }); ok {
		weighed.weigh(bytes)
	}
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
