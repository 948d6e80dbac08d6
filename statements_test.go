package parley_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// isStatement reports whether a text is SQL, or the beginning of it.
func isStatement(text string) bool { return statementWords.MatchString(text) }

var statementWords = regexp.MustCompile(`\b(SELECT\s+\S|INSERT INTO\s|DELETE FROM\s|UPDATE\s+\w+\s+(AS \w+ )?SET\s|DROP TABLE\s|CREATE TABLE\s)`)

// mayHoldStatements reports whether SQL may stand in a file: in the store, and
// beside the rules of a package in files named *sql.go. The driver of a network
// creates the tables of its library itself.
func mayHoldStatements(file string) bool {
	file = filepath.ToSlash(file)
	if file == "internal/chatapp/whatsapp/store.go" {
		return true
	}
	return strings.HasPrefix(file, "internal/store/") || strings.HasPrefix(file, "internal/pgtest/") ||
		strings.HasPrefix(file, "internal/") && strings.HasSuffix(file, "sql.go")
}

// strayStatements returns where a source has SQL though it may not.
func strayStatements(t *testing.T, file string, source any) []string {
	t.Helper()
	if strings.HasSuffix(file, "_test.go") || mayHoldStatements(file) {
		return nil
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && isStatement(text) {
			found = append(found, set.Position(literal.Pos()).String())
		}
		return true
	})
	return found
}

// TestStatementsHaveTheirFiles keeps SQL in the store and in files *sql.go.
func TestStatementsHaveTheirFiles(t *testing.T) {
	for _, file := range sources(t) {
		for _, where := range strayStatements(t, file, nil) {
			t.Errorf("%s: SQL belongs into a file *sql.go", where)
		}
	}
	const control = "package desk\n\nconst stray = \"SELECT name FROM contacts\"\n"
	if found := strayStatements(t, "internal/desk/contact.go", control); len(found) != 1 {
		t.Errorf("SQL among the rules is found %d times", len(found))
	}
	if found := strayStatements(t, "internal/desk/contactsql.go", control); len(found) != 0 {
		t.Errorf("SQL in its file is refused: %v", found)
	}
}

// acrossWorkspaces are the functions outside the store whose statements name no
// workspace: they find out which one is concerned, or concern all.
var acrossWorkspaces = []string{
	"credential.SelectInvitationByHash", "credential.SelectKeyByHash", "access.SelectLoginsByEmail", "credential.SelectSessionByHash", "provider.SelectWorkspaces",
	"bot.SelectWorkspacesAsking", "customers.SelectCustomerSessionByHash", "customers.SelectWidgetsWithOrigins", "customers.SelectWorkspaceOfInbox",
	"desk.SelectMisdatedTimers", "desk.SelectUntimedUploads", "desk.SelectWaits", "desk.SelectWorkspacesDue", "desk.SelectWorkspacesWithoutTimer",
	"follow.SelectLagsAcross", "follow.SelectLogLengthAcross", "mail.SelectStatesAcross", "push.SelectWaitingAcross", "push.SelectWorkspacesDueAcross", "continuing.selectLinkAcross", "knowledge.SelectHelpCenterBySlug", "knowledge.SelectPictureByID",
	"numbers.DeleteNumberCalls", "numbers.SelectCalledNumbers", "numbers.SelectDueNumbers", "numbers.SelectFreeNumbers",
	"numbers.SelectNumbersHeld",
	"erasure.selectErasing", "erasure.selectScheduled",
	"backup.selectPackedBytes", "schedule.DeletePlan", "schedule.SelectOldestWithoutBackups", "schedule.SelectState", "schedule.UpdateDone", "schedule.UpdateFailed",
	"schedule.UpsertPlan",
}

// A statement is SQL that a function of a file *sql.go runs.
type statement struct {
	function string // with its package
	call     string // the function of the store that runs it
	text     string
	where    string
}

// statementAt is the place of the SQL among the arguments of the functions of the
// store that run it.
var statementAt = map[string]int{
	"One": 4, "Many": 3, "ManyWithin": 4, "Page": 3, "Exec": 2, "Affected": 2,
	"OneAcross": 3, "ManyAcross": 2, "ExecAcross": 1,
}

// constants collects the constants of the packages that stand in some of the
// files, as pkg.Name.
func constants(t *testing.T, in func(file string) bool) map[string]ast.Expr {
	t.Helper()
	texts := map[string]ast.Expr{}
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") || !in(file) {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok || general.Tok != token.CONST {
				continue
			}
			for _, spec := range general.Specs {
				value := spec.(*ast.ValueSpec)
				for i := range value.Values {
					texts[parsed.Name.Name+"."+value.Names[i].Name] = value.Values[i]
				}
			}
		}
	}
	return texts
}

// textOf joins the parts of a constant text.
func textOf(expr ast.Expr, pkg string, known map[string]ast.Expr) (string, error) {
	switch e := expr.(type) {
	case *ast.BasicLit:
		return strconv.Unquote(e.Value)
	case *ast.BinaryExpr:
		left, err := textOf(e.X, pkg, known)
		if err != nil {
			return "", err
		}
		right, err := textOf(e.Y, pkg, known)
		return left + right, err
	case *ast.ParenExpr:
		return textOf(e.X, pkg, known)
	case *ast.Ident:
		if value, ok := known[pkg+"."+e.Name]; ok {
			return textOf(value, pkg, known)
		}
		return "", fmt.Errorf("%s is no constant of %s", e.Name, pkg)
	case *ast.SelectorExpr:
		if of, ok := e.X.(*ast.Ident); ok {
			if value, ok := known[of.Name+"."+e.Sel.Name]; ok {
				return textOf(value, of.Name, known)
			}
		}
	}
	return "", fmt.Errorf("%T is no constant text", expr)
}

// statementsOf returns the statements of a file *sql.go.
func statementsOf(t *testing.T, file string, source any, known map[string]ast.Expr) []statement {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []statement
	for _, decl := range parsed.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			run, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, ok := run.X.(*ast.Ident)
			at, runs := statementAt[run.Sel.Name]
			if !ok || of.Name != "store" || !runs {
				return true
			}
			text, err := textOf(call.Args[at], parsed.Name.Name, known)
			if err != nil {
				t.Errorf("%s: %v", set.Position(call.Pos()), err)
			}
			found = append(found, statement{
				function: parsed.Name.Name + "." + fn.Name.Name, call: run.Sel.Name, text: text, where: set.Position(call.Pos()).String(),
			})
			return true
		})
	}
	return found
}

// tables finds the tables of a statement.
var tables = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE) ([a-z_]+|SEEN)`)

// withs finds the names of the queries of a WITH clause, which are no tables.
var withs = regexp.MustCompile(`\bWITH (?:RECURSIVE )?([a-z_]+) \([a-z_, ]*\) AS \(`)

// faultOf says what is wrong with a statement, or "".
func faultOf(s statement) string {
	for _, not := range notPortable {
		if found := not.FindString(s.text); found != "" {
			return "not both engines understand " + strconv.Quote(found) + " in one way"
		}
	}
	if strings.HasSuffix(s.call, "Across") {
		if !slices.Contains(acrossWorkspaces, s.function) {
			return s.function + " is not among those that may run over all workspaces"
		}
		return ""
	}
	named := strings.Count(s.text, "workspace_id") + strings.Count(s.text, "VISIBLE(")
	count := len(tables.FindAllString(s.text, -1))
	for _, with := range withs.FindAllStringSubmatch(s.text, -1) {
		count -= len(regexp.MustCompile(`\b(?:FROM|JOIN) `+with[1]+`\b`).FindAllString(s.text, -1))
	}
	if count == 0 || named < count {
		return fmt.Sprintf("the statement has %d tables and names %d workspaces", count, named)
	}
	inserts := regexp.MustCompile(`^\s*INSERT INTO \w+ \(workspace_id, [^)]*\)\s+(VALUES \(\$1,|SELECT )`).MatchString(s.text)
	if !inserts && !strings.Contains(s.text, "workspace_id = $1") && !strings.Contains(s.text, "VISIBLE(") {
		return "the statement does not hold the workspace against its $1"
	}
	return ""
}

// notPortable is SQL that the engines understand differently, or one of them
// not at all.
var notPortable = []*regexp.Regexp{
	regexp.MustCompile(`::`),
	regexp.MustCompile(`(?i)\b(ILIKE|LOWER\(|UPPER\(|NOW\(|DATETIME\(|STRFTIME\(|DATE_TRUNC|STRING_AGG|GROUP_CONCAT|JSON\w*\(|ARRAY|ANY\()`),
	regexp.MustCompile(`(?i)\b(INSERT OR|REPLACE INTO|LATERAL|NULLS (FIRST|LAST)|ON CONFLICT ON CONSTRAINT|FOR UPDATE|LAST_INSERT_ROWID)`),
	regexp.MustCompile(`(?i)\bAS (MATERIALIZED )?\(\s*(INSERT|UPDATE|DELETE)\b`),
	regexp.MustCompile(`\?\d*`),
	regexp.MustCompile(`(?i)\bIN \(\$\d+\)`),
}

// TestStatementsNameTheirWorkspace reads every statement outside the store: it is
// a constant, compares the workspace with $1 and names one for each table, unless
// it is one of the few over all workspaces, and uses only SQL that both engines
// understand alike.
func TestStatementsNameTheirWorkspace(t *testing.T) {
	known := constants(t, mayHoldStatements)
	count, across := 0, map[string]bool{}
	for _, file := range sources(t) {
		if !strings.HasSuffix(file, "sql.go") || strings.HasPrefix(filepath.ToSlash(file), "internal/store/") {
			continue
		}
		for _, s := range statementsOf(t, file, nil, known) {
			count++
			across[s.function] = across[s.function] || strings.HasSuffix(s.call, "Across")
			if fault := faultOf(s); fault != "" {
				t.Errorf("%s: %s:\n%s", s.where, fault, s.text)
			}
		}
	}
	if count == 0 {
		t.Error("no statement was found")
	}
	for _, function := range acrossWorkspaces {
		if !across[function] {
			t.Errorf("%s runs over no other workspace", function)
		}
	}
}

// ofOneEngine are the files of the store that are about one engine: its sessions,
// and the columns that migrations made in it. Only one engine reads their
// statements.
var ofOneEngine = regexp.MustCompile(`^internal/store/(sqlite|postgres)\w*\.go$|^internal/store/(applied|migrate)\.go$`)

// placeholder is what the store's lists write for a value, before they number
// it; see notPortable.
var placeholder = regexp.MustCompile(`\?`)

// notPortableIn returns the texts of a source of the store that the engines
// understand differently.
func notPortableIn(t *testing.T, file string, source any) []string {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		text = placeholder.ReplaceAllString(text, "$$1")
		for _, not := range notPortable {
			if word := not.FindString(text); word != "" {
				found = append(found, fmt.Sprintf("%s: not both engines understand %q in one way", set.Position(literal.Pos()), word))
			}
		}
		return true
	})
	return found
}

// TestStatementsOfTheStore reads every text of the store, except in the files of
// one engine, and requires SQL that both engines understand alike.
func TestStatementsOfTheStore(t *testing.T) {
	count := 0
	for _, file := range sources(t) {
		name := filepath.ToSlash(file)
		if filepath.ToSlash(filepath.Dir(file)) != "internal/store" || strings.HasSuffix(name, "_test.go") || ofOneEngine.MatchString(name) {
			continue
		}
		count++
		for _, fault := range notPortableIn(t, file, nil) {
			t.Error(fault)
		}
	}
	if count == 0 {
		t.Error("no file of the store was found")
	}
	for text, faulty := range map[string]bool{
		"SELECT name FROM contacts WHERE workspace_id = ?": false,
		"created_at > now()": true,
		"lower(name) = ?":    true,
		" FOR UPDATE":        true,
	} {
		control := "package store\n\nconst sql = " + strconv.Quote(text) + "\n"
		if found := notPortableIn(t, "internal/store/contact.go", control); (len(found) > 0) != faulty {
			t.Errorf("%q has the faults %q", text, found)
		}
	}
}

// TestStatementsAreCalledByTheirPackage forbids calling a function of a file
// *sql.go from another package, except that the packages over the desk call the
// desk's. They are exported for tests: for those that write and read back everything,
// and for the packages that are worlds of tests.
func TestStatementsAreCalledByTheirPackage(t *testing.T) {
	statements := map[string]bool{}
	for _, file := range sources(t) {
		if !strings.HasSuffix(file, "sql.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() {
				statements[parsed.Name.Name+"."+fn.Name.Name] = true
			}
		}
	}
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(filepath.Dir(file), "test") {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, ok := selector.X.(*ast.Ident)
			if ok && !(of.Name == "desk" && overDesk.MatchString(filepath.ToSlash(file))) && statements[of.Name+"."+selector.Sel.Name] && imports(parsed, of.Name) {
				t.Errorf("%s: %s.%s belongs to its package", set.Position(n.Pos()), of.Name, selector.Sel.Name)
			}
			return true
		})
	}
}

// overDesk are the files of the packages that share the desk's transaction, and so
// its statements.
var overDesk = regexp.MustCompile(`^internal/(access|alerts|bot|bulk|continuing|customers|digest|drafts|erasure|expiry|knowledge|later|macros|mail|merging|notices|numbers|providers|push|search|settings|snooze|teams|threads|timer|views|visitors)/`)

// imports reports whether a file imports a package of ours by its name.
func imports(file *ast.File, name string) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
		return i.Name == nil && i.Path.Value == strconv.Quote("parley/internal/"+name)
	})
}

// TestStatementFaults has one fault each.
func TestStatementFaults(t *testing.T) {
	known := constants(t, mayHoldStatements)
	for call, faulty := range map[string]bool{
		`store.Exec(tx, ws, "DELETE FROM labels WHERE workspace_id = $1 AND label = $2", label)`:                                                        false,
		`store.Exec(tx, ws, "DELETE FROM labels WHERE label = $2", label)`:                                                                              true,
		`store.Exec(tx, ws, "INSERT INTO labels (workspace_id, label) VALUES ($1, $2)", label)`:                                                         false,
		`store.Exec(tx, ws, "INSERT INTO labels (workspace_id, label) VALUES ($2, $1)", label)`:                                                         true,
		`store.Exec(tx, ws, "DELETE FROM labels WHERE workspace_id = $2", other)`:                                                                       true,
		`store.Many(v, ws, scan, "SELECT name FROM a JOIN b ON b.id = a.id WHERE a.workspace_id = $1")`:                                                 true,
		`store.Many(v, ws, scan, "SELECT name FROM a JOIN b ON b.workspace_id = a.workspace_id AND b.id = a.id WHERE a.workspace_id = $1")`:             false,
		`store.Many(v, ws, scan, "SELECT name FROM a WHERE workspace_id = $1 AND lower(name) = $2", name)`:                                              true,
		`store.Many(v, ws, scan, "SELECT name FROM a WHERE workspace_id = $1 AND at > $2::bigint", at)`:                                                 true,
		`store.ManyAcross(v, scan, "SELECT name FROM a")`:                                                                                               true,
		`store.Exec(tx, ws, "WITH gone AS (DELETE FROM labels WHERE workspace_id = $1 RETURNING 1) SELECT 1 FROM gone, b WHERE b.workspace_id = $1")`:   true,
		`store.Many(v, ws, scan, "WITH RECURSIVE n (i) AS (SELECT $2 UNION ALL SELECT i + 1 FROM n) SELECT name FROM n JOIN b ON b.workspace_id = $1")`: false,
		`store.Many(v, ws, scan, "WITH RECURSIVE n (i) AS (SELECT $2 UNION ALL SELECT i + 1 FROM n) SELECT name FROM n JOIN b ON b.id = i")`:            true,
	} {
		source := "package desk\n\nfunc f() {\n\t_ = " + call + "\n}\n"
		found := statementsOf(t, "internal/desk/labelsql.go", source, known)
		if len(found) != 1 {
			t.Fatalf("%s: %d statements", call, len(found))
		}
		if fault := faultOf(found[0]); (fault != "") != faulty {
			t.Errorf("%s: %q", call, fault)
		}
	}
}

// maxMethods is how many declared methods a type may have: one with more has
// two purposes.
const maxMethods = 60

// hasMore lists the types with more methods, and how many. None of these
// numbers may grow.
var hasMore = map[string]int{
	"internal/chatapp/chatsim.Server": 79, // one for each request of the network
	"internal/dashboard.Dashboard":    75, // one for each operation
}

// TestMethodsOfTypes counts the methods of each type.
func TestMethodsOfTypes(t *testing.T) {
	count := map[string]int{}
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			of := fn.Recv.List[0].Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			if index, ok := of.(*ast.IndexExpr); ok {
				of = index.X
			}
			if name, ok := of.(*ast.Ident); ok {
				count[filepath.ToSlash(filepath.Dir(file))+"."+name.Name]++
			}
		}
	}
	for name, n := range count {
		if limit := max(maxMethods, hasMore[name]); n > limit {
			t.Errorf("%s has %d methods, %d at most", name, n, limit)
		}
	}
	for name, limit := range hasMore {
		if count[name] < limit {
			t.Errorf("%s has %d methods; lower its limit of %d", name, count[name], limit)
		}
	}
}
