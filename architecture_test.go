package parley_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestImportTable compares the imports of the packages with the tables in
// docs/ARCHITECTURE.md: a package may import less, never more, and every
// package must have a row.
func TestImportTable(t *testing.T) {
	table := importTable(t)
	for _, dir := range packages(t) {
		allowed, ok := table[dir]
		if !ok {
			t.Errorf("docs/ARCHITECTURE.md has no row for %s", dir)
			continue
		}
		pkg, err := build.ImportDir(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range pkg.Imports {
			name, ours := strings.CutPrefix(path, "parley/")
			if path == "parley" {
				name, ours = "parley", true
			}
			if ours && !slices.Contains(allowed, name) {
				t.Errorf("%s imports %s, which its row does not allow", dir, name)
			}
		}
		delete(table, dir)
	}
	for dir := range table {
		t.Errorf("docs/ARCHITECTURE.md has a row for %s, which is no package", dir)
	}
}

// importTable reads the rows "| `package` | `import`, `import` |".
func importTable(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) < 2 || !strings.HasPrefix(strings.TrimSpace(cells[0]), "`") {
			continue
		}
		name := strings.Trim(cells[0], " `")
		if name == "parley" {
			name = "."
		}
		if _, err := os.Stat(name); err != nil {
			continue // a row of another table
		}
		var imports []string
		for field := range strings.SplitSeq(cells[1], ",") {
			imports = append(imports, strings.Trim(field, " `"))
		}
		table[name] = imports
	}
	return table
}

// packages returns the folders of this module that hold a package.
func packages(t *testing.T) []string {
	t.Helper()
	var dirs []string
	for _, file := range sources(t) {
		dir := filepath.Dir(file)
		if !strings.HasSuffix(file, "_test.go") && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// sources returns the Go files of this module.
func sources(t *testing.T) []string {
	t.Helper()
	return filesOf(t, ".go")
}

// filesOf returns the files of this module with these endings, without what is
// built.
func filesOf(t *testing.T, endings ...string) []string {
	t.Helper()
	skipped := []string{"node_modules", "testdata", "dist", "build"}
	var files []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains(skipped, entry.Name()) || len(path) > 1 && path[0] == '.'):
			return filepath.SkipDir
		case entry.IsDir() && path != "." && isModule(path):
			return filepath.SkipDir
		case slices.Contains(endings, filepath.Ext(path)):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// isModule reports whether a folder holds a module of its own.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

// TestSizes keeps files under 500 lines (tests: 800) and functions under 60:
// beyond that, the design needs another package or function.
func TestSizes(t *testing.T) {
	for _, file := range sources(t) {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		test := strings.HasSuffix(file, "_test.go")
		limit := 500
		if test {
			limit = 800
		}
		if lines := set.File(parsed.Pos()).LineCount(); lines > limit {
			t.Errorf("%s has %d lines, %d at most", file, lines, limit)
		}
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || test {
				continue
			}
			if lines := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1; lines > 60 {
				t.Errorf("%s: %s has %d lines, 60 at most", file, fn.Name.Name, lines)
			}
		}
	}
}

// TestSizesOfPages keeps the files of the pages under the same limits.
func TestSizesOfPages(t *testing.T) {
	for _, file := range filesOf(t, ".ts", ".tsx", ".mjs", ".js", ".css") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(text), "// Generated from ") {
			continue
		}
		limit := 500
		if strings.Contains(filepath.Base(file), ".test.") {
			limit = 800
		}
		if lines := strings.Count(string(text), "\n"); lines > limit {
			t.Errorf("%s has %d lines, %d at most", file, lines, limit)
		}
	}
}

// TestNoConflictMarkers finds merges that were committed half resolved. The
// compilers do not read documents.
func TestNoConflictMarkers(t *testing.T) {
	for _, file := range filesOf(t, ".go", ".md", ".yaml", ".sql", ".sh", ".ts", ".tsx", ".mjs", ".js", ".css", ".html") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ") {
				t.Errorf("%s has a line %q", file, strings.TrimSpace(line))
			}
		}
	}
}

// maxPackage is how many lines a package may have, without its tests: one with
// more has two subjects.
const maxPackage = 4500

// isLarger are the packages that have more lines, and how many they may have.
// docs/adr/0065-packages-over-the-desk.md says why they are not split.
var isLarger = map[string]int{
	"internal/numbers": 5400, // each part works on the lease of a number
	"internal/store":   6500, // engines, writer, whole tables, and the statements on shared records
}

// TestSizesOfPackages keeps packages small.
func TestSizesOfPackages(t *testing.T) {
	lines := map[string]int{}
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines[filepath.ToSlash(filepath.Dir(file))] += strings.Count(string(text), "\n")
	}
	for dir, n := range lines {
		if most := max(maxPackage, isLarger[dir]); n > most {
			t.Errorf("%s has %d lines, %d at most", dir, n, most)
		}
	}
	for dir := range isLarger {
		if lines[dir] <= maxPackage {
			t.Errorf("%s has %d lines and needs no exception", dir, lines[dir])
		}
	}
}

// TestContextsCarryNoResults allows two values in a context: the id of the
// request, for log lines, and the span, which the library of OpenTelemetry puts
// there for internal/tracing. What a function needs or returns is in its signature.
func TestContextsCarryNoResults(t *testing.T) {
	for _, file := range sources(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		may := filepath.ToSlash(file) == "internal/httpjson/middleware.go" || file == "architecture_test.go"
		if strings.Contains(string(text), "context.WithValue(") && !may {
			t.Errorf("%s puts a value into a context", file)
		}
		spans := strings.HasPrefix(filepath.ToSlash(file), "internal/tracing/") || file == "architecture_test.go"
		if strings.Contains(string(text), "opentelemetry.io/otel/trace") && !spans {
			t.Errorf("%s uses the spans of a context; internal/tracing does", file)
		}
	}
}

// TestPackageComments requires a comment on every package.
func TestPackageComments(t *testing.T) {
	for _, dir := range packages(t) {
		pkg, err := build.ImportDir(dir, build.ImportComment)
		if err != nil {
			t.Fatal(err)
		}
		if pkg.Doc == "" {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

// TestOneReaderOfInputs requires that only the strict reader of httpjson reads
// the inputs of requests. The parsers of net/http drop what they do not
// understand, and a dropped parameter looks like an absent one.
func TestOneReaderOfInputs(t *testing.T) {
	lax := []string{"FormValue", "PostFormValue", "ParseForm", "ParseMultipartForm", "FormFile", "PostForm", "RawQuery", "ParseQuery"}
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, filepath.Join("internal", "httpjson")+string(filepath.Separator)) {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, nested := selector.X.(*ast.SelectorExpr)
			query := selector.Sel.Name == "Query" && nested && of.Sel.Name == "URL"
			if query || slices.Contains(lax, selector.Sel.Name) {
				t.Errorf("%s reads a request by %s; use httpjson.NewReader", set.Position(n.Pos()), selector.Sel.Name)
			}
			return true
		})
	}
}

// TestPasswordsAreNotCheap keeps cheap password hashing in tests: only the
// vault, the tests' worlds, and the place where access takes the vault's default
// may choose a cost.
func TestPasswordsAreNotCheap(t *testing.T) {
	may := []string{"internal/vault", "internal/apitest", "internal/desk/desktest"}
	for _, file := range sources(t) {
		dir := filepath.ToSlash(filepath.Dir(file))
		if strings.HasSuffix(file, "_test.go") || slices.Contains(may, dir) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, choice := range []string{"WithPasswordCost", "vault.Cost{", "NewPasswords("} {
			own := choice == "NewPasswords(" && filepath.ToSlash(file) == "internal/access/service.go"
			if strings.Contains(string(text), choice) && !own {
				t.Errorf("%s uses %s, and may choose another cost of passwords, which only tests may", file, choice)
			}
		}
	}
}
