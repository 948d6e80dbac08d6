package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"

	"parley"
	"parley/internal/store/schema"
)

// Exec runs any statement inside a closure.
func (tx *Tx) Exec(sql string, args ...any) error { return tx.exec(sql, args...) }

// MaxQueue is how many closures may wait.
const MaxQueue = maxQueue

// MaxGroup is how many closures share a commit at most.
const MaxGroup = maxGroup

// CarefulGroups is how many groups set savepoints after one that ran again.
const CarefulGroups = carefulGroups

// CommitPatience is how long the writer asks about an unanswered commit.
const CommitPatience = commitPatience

// Int runs a query for one number.
func (v *View) Int(sql string, args ...any) (int, error) {
	return one(v, "row", func(r row, n *int) error { return r.scan(n) }, sql, args...)
}

// Text runs a query for one text.
func (v *View) Text(sql string, args ...any) (string, error) {
	return one(v, "row", func(r row, text *string) error { return r.scan(text) }, sql, args...)
}

// SetMinDumpLog sets the size that the log may always reach while a dump is read.
func (s *Store) SetMinDumpLog(bytes int64) { s.engine.(*sqliteEngine).minDumpLog = bytes }

// Text runs a query for one text.
func (d *Dump) Text(sql string) (text string, err error) {
	err = d.session.query(d.ctx, sql, nil, func(r row) error { return r.scan(&text) })
	return text, err
}

// ConversationsWithin is Conversations with another reach.
func (v *View) ConversationsWithin(r ScanLimits, vis parley.Visibility, f ConversationFilter, after parley.Position, limit int) (parley.Page[parley.Conversation], error) {
	l := conversationList{visibility: vis, filter: f, after: after, limit: limit, conditions: f.conditionsFor(vis)}
	return conversationPage(v, l, scanLimits{first: r.First, sortable: r.Sortable, last: r.Last})
}

// ScanLimits choose how a list is read; see scanLimits.
type ScanLimits struct{ First, Sortable, Last int }

// recorder records the statements of a read and runs none; each returns no
// rows.
type recorder struct {
	session
	statements []statement
}

type statement struct {
	sql  string
	args []any
}

func (r *recorder) query(_ context.Context, sql string, args []any, _ func(row) error) error {
	r.statements = append(r.statements, statement{sql, args})
	return nil
}

// Plan returns the engine's plans of the statements that read runs.
func (v *View) Plan(read func(*View) error) (string, error) {
	r := &recorder{session: v.session}
	if err := read(&View{ctx: v.ctx, session: r}); err != nil {
		return "", err
	}
	explain, columns := "EXPLAIN ", 0
	if _, ok := v.session.(*sqliteSession); ok {
		explain, columns = "EXPLAIN QUERY PLAN ", 3
	}
	var plan []string
	for _, s := range r.statements {
		lines, err := many(v, func(r row, line *string) error {
			dest := []any{new(int), new(int), new(int), line}
			return r.scan(dest[3-columns:]...)
		}, explain+s.sql, s.args...)
		if err != nil || len(lines) == 0 {
			return "", errors.Join(err, fmt.Errorf("no plan of %s", s.sql))
		}
		plan = append(plan, lines...)
	}
	return strings.Join(plan, "\n"), nil
}

// Statistics reports whether the engine has statistics of values.
func (s *Store) Statistics() bool {
	_, postgres := s.engine.(*postgresEngine)
	return postgres
}

// Autovacuum does at once what PostgreSQL does some time after many writes.
// SQLite has nothing like it.
func (s *Store) Autovacuum(ctx context.Context) error {
	e, ok := s.engine.(*postgresEngine)
	if !ok {
		return nil
	}
	_, err := e.pool.Exec(ctx, "VACUUM ANALYZE")
	return err
}

// Prepared runs a read three times on one SQLite connection and returns how
// often the last run asked the planner. The authorizer sees every statement
// that is prepared, including those prepared again.
func (s *Store) Prepared(ctx context.Context, read func(*View) error) (asked int, err error) {
	e := s.engine.(*sqliteEngine)
	conn, err := e.readers.Take(ctx)
	if err != nil {
		return 0, err
	}
	defer e.readers.Put(conn)
	count := func(sqlite.Action) sqlite.AuthResult { asked++; return sqlite.AuthResultOK }
	if err := conn.SetAuthorizer(sqlite.AuthorizeFunc(count)); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.SetAuthorizer(nil)) }()
	v := &View{ctx: ctx, session: &sqliteSession{conn: conn, texts: &e.texts}}
	for range 3 {
		asked = 0
		if err := read(v); err != nil {
			return 0, err
		}
	}
	return asked, nil
}

// Run runs a statement unchanged, without the engine's form of it.
func (v *View) Run(sql string, args ...any) error {
	s := v.session.(*sqliteSession)
	raw := &sqliteTexts{}
	raw.known.Store(sql, sql)
	return (&sqliteSession{conn: s.conn, texts: raw, file: s.file}).query(v.ctx, sql, args, nil)
}

// MigrateTo brings the schema of a store to a version.
func MigrateTo(ctx context.Context, o Options, version int) error {
	e, err := openEngine(ctx, o)
	if err != nil {
		return err
	}
	steps, err := schema.Steps()
	if err == nil {
		_, err = e.migrate(ctx, steps[:version], migrating{begins: func(schema.Step) {}})
	}
	return errors.Join(err, e.close())
}

// MigrateWith is Migrate of a later program, which has more steps.
func MigrateWith(ctx context.Context, o Options, texts ...string) (from, to int, err error) {
	steps, err := schema.Steps()
	if err != nil {
		return 0, 0, err
	}
	for _, text := range texts {
		version := len(steps) + 1
		steps = append(steps, schema.NewStep(version, fmt.Sprintf("%04d_later.sql", version), text))
	}
	return migrate(ctx, o, steps)
}

// MaxLanes is how many lanes wait at a time.
const MaxLanes = maxLanes

// WriteOlder runs fn in a transaction of a store whose schema is too old for the
// writer: it locks no workspace and numbers no events.
func WriteOlder(ctx context.Context, s *Store, fn func(*Tx) error) error {
	g, err := s.engine.begin(ctx, s.writers[0].id)
	if err != nil {
		return err
	}
	defer g.abort()
	if err := fn(&Tx{View: View{ctx: ctx, session: g}, heads: map[parley.WorkspaceID]*head{}}); err != nil {
		return err
	}
	return g.commit(ctx)
}

// WriterPragma sets a pragma of the connection that writes.
func (s *Store) WriterPragma(t interface{ Fatal(...any) }, pragma string) {
	if err := schema.Execute(s.engine.(*sqliteEngine).writer, "PRAGMA "+pragma); err != nil {
		t.Fatal(err)
	}
}

// ForgetOutcome makes the newest commit an old one.
func (s *Store) ForgetOutcome() {
	s.outcome.mu.Lock()
	defer s.outcome.mu.Unlock()
	s.outcome.committed = time.Time{}
}

// CountStatements counts from now on, before anything is written, the statements
// that closures run inside the writers' transactions.
func (s *Store) CountStatements() *atomic.Int64 {
	count := new(atomic.Int64)
	for _, w := range s.writers {
		w.engine = observedEngine{w.engine, func(string) { count.Add(1) }}
	}
	return count
}

// CountReadsOfWriters is CountStatements of those that only read. On PostgreSQL each
// waits for an answer, whereas changes do not.
func (s *Store) CountReadsOfWriters() *atomic.Int64 {
	count := new(atomic.Int64)
	for _, w := range s.writers {
		w.engine = observedEngine{w.engine, func(sql string) {
			if strings.HasPrefix(sql, "SELECT") {
				count.Add(1)
			}
		}}
	}
	return count
}

// CountReads counts from now on the statements that views run.
func (s *Store) CountReads() *atomic.Int64 {
	count := new(atomic.Int64)
	s.engine = observedEngine{s.engine, func(string) { count.Add(1) }}
	return count
}

// Statements collects the statements of views and writers from now on. Call it before
// the first write.
func (s *Store) Statements() *sync.Map {
	seen := new(sync.Map)
	note := func(sql string) { seen.Store(sql, true) }
	s.engine = observedEngine{s.engine, note}
	for _, w := range s.writers {
		w.engine = observedEngine{w.engine, note}
	}
	return seen
}

// PlanOf returns SQLite's plan of a statement, without running it.
func (v *View) PlanOf(sql string) ([]string, error) {
	e := v.session.(observedSession).session.(*sqliteSession)
	stmt, _, err := e.conn.PrepareTransient("EXPLAIN QUERY PLAN " + e.texts.of(sql))
	if err != nil {
		return nil, err
	}
	var steps []string
	for {
		more, err := stmt.Step()
		if err != nil || !more {
			return steps, errors.Join(err, stmt.Finalize())
		}
		steps = append(steps, stmt.ColumnText(3))
	}
}

// An observedEngine calls ran before each statement of a view or a writer.
type observedEngine struct {
	engine
	ran func(sql string)
}

func (e observedEngine) view(ctx context.Context, snapshot bool, fn func(session) error) error {
	return e.engine.view(ctx, snapshot, func(s session) error { return fn(observedSession{s, e.ran}) })
}

func (e observedEngine) begin(ctx context.Context, writer parley.ID) (group, error) {
	g, err := e.engine.begin(ctx, writer)
	return observedGroup{g, e.ran}, err
}

type observedSession struct {
	session
	ran func(sql string)
}

func (s observedSession) query(ctx context.Context, sql string, args []any, each func(row) error) error {
	s.ran(sql)
	return s.session.query(ctx, sql, args, each)
}

type observedGroup struct {
	group
	ran func(sql string)
}

func (g observedGroup) query(ctx context.Context, sql string, args []any, each func(row) error) error {
	g.ran(sql)
	return g.group.query(ctx, sql, args, each)
}

func (g observedGroup) exec(ctx context.Context, sql string, args []any) error {
	g.ran(sql)
	return g.group.exec(ctx, sql, args)
}

// MigrateInterrupted begins to migrate a store and is interrupted before the
// statement n of the steps that are left, or before the commit if n is the number
// of statements or -1. On SQLite it calls stop, in the open transaction, and then
// fails; on PostgreSQL the server ends the session. It returns false, and has
// done nothing, if n is too large.
func MigrateInterrupted(ctx context.Context, o Options, n int, stop func()) (interrupted bool, err error) {
	e, err := openEngine(ctx, o)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	from, err := schemaVersion(ctx, e)
	if err != nil {
		return false, err
	}
	steps, err := schema.Steps()
	if err != nil {
		return false, err
	}
	embedded, isSQLite := e.(*sqliteEngine)
	interruption := "SELECT pg_terminate_backend(pg_backend_pid());"
	if isSQLite {
		interruption = "SELECT interruption(); SELECT abs(-9223372036854775807 - 1);" // which no number holds
		function := &sqlite.FunctionImpl{Scalar: func(sqlite.Context, []sqlite.Value) (sqlite.Value, error) {
			stop()
			return sqlite.IntegerValue(0), nil
		}}
		if err := embedded.writer.CreateFunction("interruption", function); err != nil {
			return false, err
		}
	}
	for i := from; i < len(steps); i++ {
		text := steps[i].Postgres()
		if isSQLite {
			text = steps[i].SQLite()
		}
		parts := statementsOf(text)
		if n == -1 && i < len(steps)-1 {
			continue
		}
		if n == -1 {
			n = len(parts)
		}
		if n < len(parts) || n == len(parts) && i == len(steps)-1 {
			steps[i] = schema.NewStep(steps[i].Version, steps[i].Name, strings.Join(parts[:n], "")+interruption)
			_, err := e.migrate(ctx, steps[:i+1], migrating{begins: func(schema.Step) {}})
			if err == nil {
				return true, errors.New("the migration was not interrupted")
			}
			return true, nil
		}
		n -= len(parts)
	}
	return false, nil
}

// statementsOf splits a script, whose texts and comments may hold semicolons.
func statementsOf(script string) (parts []string) {
	begin := 0
	for i := 0; i < len(script); i++ {
		rest, end := script[i:], 0
		switch {
		case strings.HasPrefix(rest, "--"):
			end = strings.IndexByte(rest, '\n')
		case strings.HasPrefix(rest, "/*"):
			end = strings.Index(rest, "*/") + 1
		case rest[0] == '\'' || rest[0] == '"':
			end = 1 + strings.IndexByte(rest[1:], rest[0])
		case rest[0] == ';':
			parts = append(parts, script[begin:i+1])
			begin = i + 1
		}
		if end < 0 {
			break
		}
		i += end
	}
	return parts
}
