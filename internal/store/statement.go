package store

import (
	"strconv"
	"strings"

	"parley"
)

// Packages over the store keep their own statements beside their rules, in files
// *sql.go, and run them by the functions of this file. Their signatures rule out
// the usual mistakes:
//
//   - The workspace is a parameter, alone or in a Visibility, and becomes $1; the other arguments begin with $2. Only the functions whose names
//     end in Across run a statement that names no workspace.
//   - The text must be a constant, so no value becomes SQL. A list of values is an
//     argument.
//   - A read needs a Reader and a change needs a Writer, so a statement runs in the
//     snapshot or the transaction of its verb.
//
// Arguments are values of the types that [Row.Scan] lists, or of parley.UserID. A
// zero id stands for NULL, and a zero time for 0.

// A Reader is a View or a type that embeds one, such as a Tx or the transaction of
// a package over the desk. No other type can be one.
type Reader interface{ reader() *View }

// A Writer is a Tx or a type that embeds one.
type Writer interface {
	Reader
	writer() *Tx
}

func (v *View) reader() *View { return v }

func (tx *Tx) writer() *Tx { return tx }

// A constant is the text of a statement. Other packages cannot name this type, so
// they can pass only constants.
type constant string

// A Row is the current row of a query.
type Row struct{ row row }

// Scan reads the columns of the row in order. Each destination is a pointer to a
// string, int, int64, bool, []byte, time.Time, *string, parley.ID or
// parley.WorkspaceID. NULL is read as the zero value.
func (r Row) Scan(dest ...any) error { return r.row.scan(dest...) }

// Behind returns the row without its first columns. A Scan of the result also
// reads those, into before.
func (r Row) Behind(before ...any) Row { return Row{prefixed{r.row, before}} }

// Weigh adds bytes to the size of the row in a page: of what the page shows besides
// the texts of the row.
func (r Row) Weigh(bytes int) { weigh(r.row, bytes) }

// Only reads a row that has one column.
func Only[T any](r Row, value *T) error { return r.Scan(value) }

// scanning adapts a scan function of another package.
func scanning[T any](scan func(Row, *T) error) func(row, *T) error {
	return func(r row, item *T) error { return scan(Row{r}, item) }
}

// A List is the last argument of a statement whose text says "IN ($n...)", where n
// is the number of that argument. It must not be empty. Its last value is repeated
// until their number is a power of two, because every number of placeholders is
// a statement to prepare.
type List []any

// ListOf returns the values as a List.
func ListOf[T any](values []T) List {
	list := make(List, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}

// bound returns a statement and its arguments. If the last argument is a List, each
// of its values gets a placeholder.
func bound(sql constant, args []any) (string, []any) {
	last := len(args) - 1
	if last < 0 {
		return string(sql), args
	}
	list, ok := args[last].(List)
	if !ok {
		return string(sql), args
	}
	c := clause{args: args[:last:last]}
	place := "$" + strconv.Itoa(last+1)
	return strings.ReplaceAll(string(sql), place+"...", c.list(padded(list))), c.args
}

// An Extent limits the rows of a statement: to a workspace, or to the conversations
// that a reader may see. With a Visibility, the text marks the place of the rule:
// "VISIBLE(c)" for a row c of conversations, "OF_VISIBLE(r)" for a row r of a
// table with a column conversation_id, and "SUMS_VISIBLE(r)" for a row r that counts
// conversations of the whole workspace. A [Seen] also marks the table: "SEEN(c)".
type Extent interface {
	parley.WorkspaceID | parley.Visibility | Seen
}

// limited returns a statement that is limited to an extent, and its arguments: the
// workspace first, and more last.
func limited[E Extent](extent E, sql constant, args []any, more ...any) (string, []any) {
	switch e := any(extent).(type) {
	case parley.Visibility:
		return limited(Seen{Visibility: e}, sql, args, more...)
	case Seen:
		text, all := bound(sql, append([]any{e.Workspace()}, args...))
		return withVisibility(e, text, append(all, more...))
	default:
		text, all := bound(sql, append([]any{e}, args...))
		return text, append(all, more...)
	}
}

// One reads the only row of a query. Without a row it returns a NotFound error
// that says "no such <what> in this workspace".
func One[T any, E Extent](v Reader, of E, what string, scan func(Row, *T) error, sql constant, args ...any) (T, error) {
	text, all := limited(of, sql, args)
	return one(v.reader(), what, scanning(scan), text, all...)
}

// Many reads all rows of a query.
func Many[T any, E Extent](v Reader, of E, scan func(Row, *T) error, sql constant, args ...any) ([]T, error) {
	text, all := limited(of, sql, args)
	return many(v.reader(), scanning(scan), text, all...)
}

// ManyWithin is [Many], but stops after the row with which the JSON of the texts
// reaches a number of bytes. It returns at least one item if there is one.
func ManyWithin[T any, E Extent](v Reader, of E, bytes int, scan func(Row, *T) error, sql constant, args ...any) ([]T, error) {
	text, all := limited(of, sql, args)
	return manyWithin(v.reader(), bytes, scanning(scan), text, all...)
}

// A ListPage says how to read a page of a list: at most Limit items, and fewer if
// their JSON exceeds a megabyte, but at least one if there is one.
type ListPage[T any] struct {
	Limit int
	Scan  func(Row, *T) error
	// Next returns the position of the last item shown, after which the next page
	// begins.
	Next func(last *T) parley.Position
}

// Page reads a page of a list. It adds the last argument of the statement, the
// LIMIT: one more than the limit of the page, to learn whether there is another.
func Page[T any, E Extent](v Reader, of E, p ListPage[T], sql constant, args ...any) (parley.Page[T], error) {
	text, all := limited(of, sql, args, p.Limit+1)
	return page(v.reader(), pageQuery{text, all, p.Limit}, scanning(p.Scan), afterLast(p.Next))
}

// Exec runs a statement that returns no rows.
func Exec(tx Writer, ws parley.WorkspaceID, sql constant, args ...any) error {
	text, all := limited(ws, sql, args)
	return tx.writer().exec(text, all...)
}

// Affected runs a statement with RETURNING and reports whether it returned a row:
// that an INSERT met no conflict, or that an UPDATE or DELETE found something.
func Affected(tx Writer, ws parley.WorkspaceID, sql constant, args ...any) (bool, error) {
	text, all := limited(ws, sql, args)
	return tx.writer().inserted(text, all...)
}

// OneAcross is [One] over all workspaces.
func OneAcross[T any](v Reader, what string, scan func(Row, *T) error, sql constant, args ...any) (T, error) {
	text, all := bound(sql, args)
	return one(v.reader(), what, scanning(scan), text, all...)
}

// ManyAcross is [Many] over all workspaces.
func ManyAcross[T any](v Reader, scan func(Row, *T) error, sql constant, args ...any) ([]T, error) {
	text, all := bound(sql, args)
	return many(v.reader(), scanning(scan), text, all...)
}

// ExecAcross is [Exec] over all workspaces.
func ExecAcross(tx Writer, sql constant, args ...any) error {
	text, all := bound(sql, args)
	return tx.writer().exec(text, all...)
}

// The functions below read records of the store for packages that select them by
// a condition of their own.

// ScanMessage reads MessageColumns.
func ScanMessage(r Row, m *parley.Message) error { return scanMessage(r.row, m) }

// ScanContact reads ContactColumns.
func ScanContact(r Row, c *parley.Contact) error { return scanContact(r.row, c) }

// ScanCompany reads CompanyColumns.
func ScanCompany(r Row, c *parley.Company) error { return scanCompany(r.row, c) }

// ScanMember reads MemberColumns.
func ScanMember(r Row, m *parley.Member) error { return scanMember(r.row, m) }

// ScanNumber reads NumberColumns.
func ScanNumber(r Row, n *parley.Number) error { return scanNumber(r.row, n) }

// ScanGroup reads GroupColumns.
func ScanGroup(r Row, g *parley.Group) error { return scanGroup(r.row, g) }
