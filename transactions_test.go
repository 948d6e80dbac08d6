package parley_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// afterSuccess are the variables that transactions set, because they have a second
// result. Whoever reads them has looked at the error first.
var afterSuccess = []string{
	"internal/backup/restore.go: m", "internal/desk/desk.go: queued", "internal/desk/desk.go: result",
	"internal/erasure/restored.go: at", "internal/notices/follower.go: told", "internal/numbers/numbercall.go: c",
	"internal/numbers/pairing.go: end", "internal/numbers/pairing.go: next", "internal/reseal/reseal.go: changed",
	"internal/store/installation.go: lacking", "internal/timer/batch.go: due",
}

// setOutside returns the variables that transactions of a source set though they are
// not theirs.
func setOutside(t *testing.T, file string, source any) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		transaction, ok := n.(*ast.FuncLit)
		if !ok || !takesTx(transaction.Type) {
			return true
		}
		report := func(target ast.Expr) {
			name := variableOf(target)
			if name == nil || name.Obj == nil || transaction.Pos() <= name.Obj.Pos() && name.Obj.Pos() < transaction.End() {
				return
			}
			found = append(found, file+": "+name.Name)
		}
		ast.Inspect(transaction.Body, func(n ast.Node) bool {
			switch s := n.(type) {
			case *ast.AssignStmt:
				for _, target := range s.Lhs {
					report(target)
				}
			case *ast.IncDecStmt:
				report(s.X)
			}
			return true
		})
		return true
	})
	return found
}

// takesTx reports whether a function has a parameter of a type *Tx or *tx.
func takesTx(f *ast.FuncType) bool {
	for _, parameter := range f.Params.List {
		pointer, ok := parameter.Type.(*ast.StarExpr)
		if !ok {
			continue
		}
		switch to := pointer.X.(type) {
		case *ast.Ident:
			ok = strings.EqualFold(to.Name, "tx")
		case *ast.SelectorExpr:
			ok = to.Sel.Name == "Tx"
		default:
			ok = false
		}
		if ok {
			return true
		}
	}
	return false
}

// variableOf returns the variable of which an expression is a part.
func variableOf(e ast.Expr) *ast.Ident {
	switch x := e.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return variableOf(x.X)
	case *ast.IndexExpr:
		return variableOf(x.X)
	case *ast.StarExpr:
		return variableOf(x.X)
	case *ast.ParenExpr:
		return variableOf(x.X)
	}
	return nil
}

// TestTransactionsReturnResults finds transactions that set variables of their caller. A
// write whose caller has stopped waiting may still run, so the caller must not read them
// before it knows that the write succeeded; a result that is returned is empty until then.
func TestTransactionsReturnResults(t *testing.T) {
	known := map[string]bool{}
	for _, at := range afterSuccess {
		known[at] = false
	}
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, at := range setOutside(t, file, nil) {
			if _, ok := known[at]; !ok {
				t.Errorf("%s is set in a transaction: return it, or read it after success alone and add it to afterSuccess", at)
			}
			known[at] = true
		}
	}
	for at, set := range known {
		if !set {
			t.Errorf("%s is not set in a transaction", at)
		}
	}
	const control = "package p\n\nfunc f() {\n\tvar a, b struct{ n int }\n\twrite(func(t *desk.Tx) error {\n\t\tc := 1\n\t\tc, a.n = 2, 3\n\t\tb.n++\n\t\treturn nil\n\t})\n}\n"
	if found := setOutside(t, "p.go", control); len(found) != 2 {
		t.Errorf("the variables of the control that are found are %v", found)
	}
}
