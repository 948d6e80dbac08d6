package store

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"parley"
)

// A View reads from the store. It is valid only inside the function that
// received it.
type View struct {
	ctx     context.Context
	session session
}

// A Tx reads and writes inside the transaction of a closure. It is valid only
// inside the closure that received it.
type Tx struct {
	View
	events []workspaceEvent
	heads  map[parley.WorkspaceID]*head
	moved  []parley.ID // conversations whose UpdatedAt the closure has set
}

type workspaceEvent struct {
	ws parley.WorkspaceID
	parley.Event
}

// Emit adds an event to the workspace's log, as part of this transaction. The
// event gets its Seq when the group of closures commits.
func (tx *Tx) Emit(ws parley.WorkspaceID, e parley.Event) {
	tx.events = append(tx.events, workspaceEvent{ws, e})
}

func (tx *Tx) exec(sql string, args ...any) error {
	return tx.session.exec(tx.ctx, sql, args)
}

// inserted runs a statement with RETURNING and reports whether it returned a
// row: that an INSERT met no conflict, or that an UPDATE or DELETE found
// something.
func (tx *Tx) inserted(sql string, args ...any) (bool, error) {
	found := false
	err := tx.session.query(tx.ctx, sql, args, func(row) error {
		found = true
		return nil
	})
	return found, err
}

// one reads the only row of a query. Without a row it returns a NotFound error
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

// maxPageBytes is the most JSON that one page holds, unless its first item
// alone is larger. A page stays in memory until it is sent.
const maxPageBytes = 1 << 20

// itemOverhead is the most that the JSON of an item takes besides the texts of
// its row: names of members, ids, times, numbers.
const itemOverhead = 1 << 10

// errEnough ends a query early, without failing it.
var errEnough = errors.New("enough")

// manyWithin is [many], but stops after the row with which the JSON of the
// texts reaches a number of bytes. It returns at least one item if there is
// one.
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

// page reads a page of a list: at most limit items, and fewer if their JSON
// exceeds maxPageBytes, but at least one if there is one. The query must ask
// for limit+1 rows. next returns the position after the shown items.
func page[T any](v *View, q pageQuery, scan func(row, *T) error, next func(shown []T) parley.Position) (parley.Page[T], error) {
	var p parley.Page[T]
	size := 0
	err := v.session.query(v.ctx, q.sql, q.args, func(r row) error {
		var item T
		weighed := weighedRow{row: r}
		if err := scan(&weighed, &item); err != nil {
			return err
		}
		size += weighed.bytes + itemOverhead
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

// A pageQuery is the query for a page of at most limit items.
type pageQuery struct {
	sql   string
	args  []any
	limit int
}

// byOffset returns the next function of a list whose position is an offset.
func byOffset[T any](after parley.Position) func(shown []T) parley.Position {
	return func(shown []T) parley.Position { return parley.Position{Offset: after.Offset + len(shown)} }
}

// afterLast returns the next function of a list whose position is that of the
// last item shown.
func afterLast[T any](position func(last *T) parley.Position) func(shown []T) parley.Position {
	return func(shown []T) parley.Position { return position(&shown[len(shown)-1]) }
}

// A weighedRow counts the bytes that the texts of a row take in JSON. A text
// that is JSON itself counts as a string with escaped quotes, so it is never
// underestimated.
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
		case *[]byte: // JSON of an event or the history, sent as it is
			r.bytes += len(*d)
		case **string:
			if *d != nil {
				r.bytes += parley.JSONSize(**d)
			}
		}
	}
	return err
}

// weigh adds bytes that an answer shows besides the texts of the row.
func (r *weighedRow) weigh(bytes int) { r.bytes += bytes }

func (p prefixed) weigh(bytes int) { weigh(p.row, bytes) }

// weigh adds bytes to a row that counts them.
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

// list adds arguments and returns their placeholders, separated by commas.
func (c *clause) list(values []any) string {
	places := make([]string, len(values))
	for i, v := range values {
		places[i] = c.arg(v)
	}
	return strings.Join(places, ", ")
}

// and adds a condition. Every "?" in it stands for the argument.
func (c *clause) and(condition string, v any) {
	c.conditions = append(c.conditions, strings.ReplaceAll(condition, "?", c.arg(v)))
}

// where returns the conditions as a WHERE clause.
func (c *clause) where() string { return " WHERE " + strings.Join(c.conditions, " AND ") }
