// Package lineartest checks that functions which read untrusted text take time
// proportional to its length: with a scanner that starts over at each
// character, one message could block the server.
//
// It imports nothing of this module. Each package with scanners lists them in
// linear_test.go. Check also parses the source of the package and finds
// functions that loop over a text and are not in the list.
package lineartest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	long  = 64 << 10 // bytes of the longest message
	parts = 10
	// maxRatio is how much more a long text may cost than its parts one by one:
	// 1 for a linear scanner, 10 for a quadratic one. A long text thus costs at
	// most 20 times as much as one of 6.4 KB.
	maxRatio = 2
	// negligible is a cost that needs no comparison. A quadratic scanner takes
	// a second or more for a long text.
	negligible = 4 * time.Millisecond
	// attempts is how often both are measured in turns, to exclude interference
	// by other processes. The minimum for the whole and the maximum for the
	// parts count. Clearly slow scanners get fewAttempts.
	attempts, fewAttempts = 10, 3
	doubt                 = 300 * time.Millisecond
)

// A Scanner runs functions on a text.
type Scanner struct {
	Functions []string
	Run       func(text string)
}

// Check measures the scanners with many texts. Every function of the package in
// the current folder that loops over a text must be listed with a scanner, or
// have a reason in excused. Under the race detector it measures nothing.
func Check(t *testing.T, scanners []Scanner, excused map[string]string) {
	t.Helper()
	listed := map[string]bool{}
	for _, s := range scanners {
		for _, name := range s.Functions {
			listed[name] = true
		}
	}
	loops, err := Loops(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range loops {
		if !listed[name] && excused[name] == "" {
			t.Errorf("%s loops over a text and is in no table of scanners", name)
		}
	}
	for name := range excused {
		if !slices.Contains(loops, name) {
			t.Errorf("%s is excused and does not loop over a text", name)
		}
	}
	if raceEnabled {
		return
	}
	for _, s := range scanners {
		for _, text := range texts() {
			if cost, ok := s.linear(text); !ok {
				t.Errorf("%s: %s", s.Functions[0], cost)
				break
			}
		}
	}
}

// linear reports whether a long text costs little more than its parts, and
// describes both costs.
func (s Scanner) linear(of pattern) (string, bool) {
	full := of.text(long)
	whole, pieces := s.cost(full, 1), time.Duration(0)
	for attempt := range attempts {
		if whole <= negligible {
			return "", true
		}
		pieces = max(pieces, s.cost(full[:long/parts], parts))
		if whole <= maxRatio*pieces {
			return "", true
		}
		if whole > doubt && attempt >= fewAttempts {
			break
		}
		whole = min(whole, s.cost(full, 1))
	}
	return fmt.Sprintf("%d bytes of %q, then %.40q, take %v and %d times a part of them %v", long, of.head, of.unit, whole, parts, pieces), false
}

// cost is the processor time of this thread, which other load does not affect.
func (s Scanner) cost(text string, times int) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := threadTime()
	for range times {
		s.Run(text)
	}
	return threadTime() - begin
}

func threadTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		panic(err) // a system without that clock
	}
	return time.Duration(now.Nano())
}

// A pattern generates texts of any length: a head, then a repeated unit.
type pattern struct{ head, unit string }

func (p pattern) text(size int) string {
	return (p.head + strings.Repeat(p.unit, size/len(p.unit)+1))[:size]
}

// texts returns the patterns: each punctuation character alone and after
// possible openings, letters and digits, fragments of what scanners look for,
// and random mixtures that are the same in each run.
func texts() []pattern {
	units := []string{
		"a", "0", "9", "é", "ß", "東", "각", "\u0301", "\u00ad", "\ufdfa", "👨‍👩‍👧", "\xff", "\x00", "\t", "\r\n", "\u2028",
		"(0)", "a.", "a@", ".a@b", "http://a)", "+1 ", "0-", `\"`, `\u0000`, "a b ", "a,b;", "%2", "&a=b", "--a\r\n", "{\"a\":", "[[", "=?", "<a ",
	}
	var all []pattern
	for c := ' '; c < 0x7f; c++ {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			continue
		}
		for _, head := range []string{"", "0", "http://a"} {
			all = append(all, pattern{head, string(c)})
		}
	}
	for _, unit := range units {
		all = append(all, pattern{"", unit})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		var b strings.Builder
		for range 200 + random.IntN(2000) {
			if random.IntN(3) == 0 {
				b.WriteString(units[random.IntN(len(units))])
			} else {
				b.WriteByte(byte(' ' + random.IntN(0x5f)))
			}
		}
		all = append(all, pattern{"", b.String()})
	}
	return all
}

// Loops returns the functions in a folder's package that have a text parameter
// and contain a loop or recursion.
func Loops(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	var names []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, failed := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if failed != nil {
			return nil, failed
		}
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if ok && fn.Body != nil && takesText(fn.Type) && loops(fn) {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names, err
}

// takesText reports whether a parameter is a string, bytes or JSON, or a slice
// of them.
func takesText(fn *ast.FuncType) bool {
	for _, parameter := range fn.Params.List {
		kind := parameter.Type
		for {
			array, ok := kind.(*ast.ArrayType)
			if !ok {
				break
			}
			kind = array.Elt
		}
		switch kind := kind.(type) {
		case *ast.Ident:
			if kind.Name == "string" || kind.Name == "byte" {
				return true
			}
		case *ast.SelectorExpr:
			if kind.Sel.Name == "RawMessage" {
				return true
			}
		}
	}
	return false
}

func loops(fn *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		case *ast.CallExpr:
			name, ok := n.Fun.(*ast.Ident)
			found = found || ok && fn.Recv == nil && name.Name == fn.Name.Name
		}
		return !found
	})
	return found
}
