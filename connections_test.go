package parley_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// connecting are the names of the standard library with which a program
// connects to others.
var connecting = map[string][]string{
	"net":        {"Dial", "DialIP", "DialTCP", "DialTimeout", "DialUDP", "DialUnix", "Dialer"},
	"net/http":   {"Client", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm", "Transport"},
	"net/smtp":   {"Dial", "NewClient", "SendMail"},
	"crypto/tls": {"Dial", "DialWithDialer", "Dialer"},
}

// mayConnect are the packages that use these names, except as the type of a
// pointer, with the reason why they need not use internal/outward, which checks
// addresses that somebody else chose.
var mayConnect = map[string]string{
	"internal/healthcheck":            "it asks the server of its own settings",
	"internal/apitest":                "it connects to itself, in tests",
	"internal/robustness/distributed": "tests name the database",
	"internal/robustness/failover":    "it asks the cluster that it has started, in tests",
	"internal/robustness/server":      "it asks the server that it has started, in tests",
	"internal/robustness/histories":   "its lines break in tests",
	"internal/robustness/tenants":     "tests name the server",
	"internal/robustness/workload":    "tests name the server",
	"internal/outward":                "it is the way out",
	"internal/store/parting":          "the operator names the database",
	"internal/mail/smtp":              "the operator names the mail server",
	"internal/tracing/otlp":           "the operator names the collector",
	"internal/chatapp/chatsim":        "it connects to itself",
	"internal/chatapp/whatsapp":       "the library names the addresses of the network",
}

// TestConnections requires that only internal/outward and the packages with a
// reason connect.
func TestConnections(t *testing.T) {
	found := map[string]string{}
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if name := connects(t, file); name != "" {
			found[filepath.ToSlash(filepath.Dir(file))] = name + " in " + file
		}
	}
	for dir, what := range found {
		if mayConnect[dir] == "" {
			t.Errorf("%s connects past internal/outward: %s", dir, what)
		}
	}
	for dir := range mayConnect {
		if found[dir] == "" {
			t.Errorf("%s is excused and does not connect", dir)
		}
	}
}

// connects returns the first name with which a file connects, or "".
func connects(t *testing.T, file string) string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{} // by the name of the import
	for _, spec := range parsed.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = append(names[name], connecting[path]...)
	}
	first := ""
	ast.Inspect(parsed, func(node ast.Node) bool {
		if _, pointer := node.(*ast.StarExpr); pointer {
			return false // a client of another package
		}
		selector, ok := node.(*ast.SelectorExpr)
		if !ok || first != "" {
			return first == ""
		}
		if from, ok := selector.X.(*ast.Ident); ok && slices.Contains(names[from.Name], selector.Sel.Name) {
			first = from.Name + "." + selector.Sel.Name
		}
		return true
	})
	return first
}
