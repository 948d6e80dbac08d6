package parley_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A refusal is an error that a source makes. Numbers in its message are 7, and
// texts that only the running server knows are "something".
type refusal struct {
	Code    parley.Code `json:"code"`
	Field   string      `json:"field"` // "" for none, "*" for the one that the caller reads
	Message string      `json:"message"`
	Others  bool        `json:"others"` // whether it names other records
}

// refusalsGolden is read by the dashboard's own tests, which write out the
// sentence for each (web/dashboard/src/api/sentences.test.ts).
const refusalsGolden = "internal/dashboard/testdata/refusals.json"

// TestRefusalsGolden records all messages of refusals by the dashboard's server,
// so that nobody changes one without checking what members read.
func TestRefusalsGolden(t *testing.T) {
	known := constants(t, func(string) bool { return true })
	var all []refusal
	for _, file := range sources(t) {
		if refusesMembers(file) {
			all = append(all, refusalsOf(t, file, known)...)
		}
	}
	slices.SortFunc(all, func(a, b refusal) int {
		return strings.Compare(string(a.Code)+"\x00"+a.Field+"\x00"+a.Message, string(b.Code)+"\x00"+b.Field+"\x00"+b.Message)
	})
	all = slices.Compact(all)
	if len(all) < 100 {
		t.Fatalf("only %d refusals are found", len(all))
	}
	got, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(refusalsGolden, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(refusalsGolden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale: run make golden, then the dashboard's tests, and look at what members read", refusalsGolden)
	}
}

// refusesMembers reports whether a member may read the errors of a file.
func refusesMembers(file string) bool {
	if strings.HasSuffix(file, "_test.go") || file == "errors.go" {
		return false
	}
	for _, other := range []string{"internal/demo/", "internal/widget/", "internal/helpcenter/", "internal/chatapp/", "internal/apitest/", "internal/contracttest/", "cmd/", "web/", "scripts/"} {
		if strings.HasPrefix(file, other) {
			return false
		}
	}
	return true
}

// refusalKinds are the kinds by the names of their constants.
var refusalKinds = map[string]parley.Kind{
	"Invalid": parley.Invalid, "Unauthenticated": parley.Unauthenticated, "Forbidden": parley.Forbidden, "NotFound": parley.NotFound,
	"Conflict": parley.Conflict, "Mismatch": parley.Mismatch, "Gone": parley.Gone, "TooLarge": parley.TooLarge,
	"Unsupported": parley.Unsupported, "NotAllowed": parley.NotAllowed, "Limited": parley.Limited, "Unavailable": parley.Unavailable,
	"Internal": parley.Internal, "BadUpstream": parley.BadUpstream, "UpstreamTimeout": parley.UpstreamTimeout,
}

// refusalsOf returns the errors that a file creates.
func refusalsOf(t *testing.T, file string, known map[string]ast.Expr) []refusal {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	at := messages{pkg: parsed.Name.Name, known: known}
	about := map[ast.Node]bool{} // the errors with ids, which are inside their calls of About
	var found []refusal
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if run, ok := n.Fun.(*ast.SelectorExpr); ok && run.Sel.Name == "About" {
				about[run.X] = true
			}
			for _, one := range at.made(n) {
				one.Others = about[n]
				found = append(found, one)
			}
		case *ast.CompositeLit:
			found = append(found, at.composed(n)...)
		}
		return true
	})
	return slices.DeleteFunc(found, func(r refusal) bool {
		return r.Code == parley.CodeInternal || unknown.MatchString(r.Message) // the log's, or made elsewhere
	})
}

// unknown finds the messages that the source does not contain.
var unknown = regexp.MustCompile(`^(must )?(something)+$`)

// messages reads the messages of a package's errors.
type messages struct {
	pkg   string
	known map[string]ast.Expr
}

// made returns the refusal of a call that creates an error.
func (m messages) made(call *ast.CallExpr) []refusal {
	args := call.Args
	switch name := nameOf(call.Fun); {
	case (name == "InvalidField" || name == "Refuse") && len(args) == 2:
		return []refusal{{parley.CodeInvalid, m.field(args[0]), "must " + m.text(args[1]), false}}
	case name == "FieldErrorf":
		return []refusal{{refusalKinds[nameOf(args[0])].Code(), m.field(args[1]), m.printed(args[2:]), false}}
	case name == "Errorf" && len(args) > 1 && refusalKinds[nameOf(args[0])] != parley.Internal:
		return []refusal{{refusalKinds[nameOf(args[0])].Code(), "", m.printed(args[1:]), false}}
	case name == "NotFoundf":
		return []refusal{{parley.CodeNotFound, "", m.printed(args), false}}
	case (name == "broken" || name == "New") && len(args) == 1:
		if text := m.text(args[0]); name == "broken" || isRule.MatchString(text) {
			return []refusal{{parley.CodeInvalid, "*", "must " + text, false}}
		}
	}
	return nil
}

// isRule finds the errors that complete "must …".
var isRule = regexp.MustCompile(`^(be|have|hold|name|not) `)

// composed returns the refusal of a literal of parley.Fault or parley.Error.
func (m messages) composed(literal *ast.CompositeLit) []refusal {
	name, parts := nameOf(literal.Type), map[string]ast.Expr{}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			parts[nameOf(pair.Key)] = pair.Value
		}
	}
	switch {
	case name == "Fault" && parts["Rule"] != nil:
		return []refusal{{parley.CodeInvalid, m.field(parts["Field"]), "must " + m.text(parts["Rule"]), false}}
	case name == "Error" && parts["Message"] != nil:
		code := refusalKinds[nameOf(parts["Kind"])].Code()
		if nameOf(parts["Code"]) == "CodeUnconfirmed" {
			code = parley.CodeUnconfirmed
		}
		return []refusal{{code, "", m.text(parts["Message"]), false}}
	}
	return nil
}

func nameOf(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func (m messages) field(expr ast.Expr) string {
	if text, err := textOf(expr, m.pkg, m.known); err == nil {
		return text
	}
	return "*"
}

// text is a text as far as the source has it.
func (m messages) text(expr ast.Expr) string {
	if text, err := textOf(expr, m.pkg, m.known); err == nil {
		return text
	}
	switch e := expr.(type) {
	case *ast.BinaryExpr:
		return m.text(e.X) + m.text(e.Y)
	case *ast.CallExpr:
		switch name := nameOf(e.Fun); name {
		case "Itoa", "FormatInt":
			return "7"
		case "Sprintf":
			return m.printed(e.Args)
		}
	}
	return "something"
}

var verbs = regexp.MustCompile(`%[a-z]`)

// printed is a format with its arguments.
func (m messages) printed(args []ast.Expr) string {
	at := 0
	return verbs.ReplaceAllStringFunc(m.text(args[0]), func(verb string) string {
		at++
		switch {
		case verb == "%d":
			return "7"
		case verb == "%q":
			return strconv.Quote(m.text(args[at]))
		}
		return m.text(args[at])
	})
}
