package apitest

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/api"
	"parley/internal/contracttest"
	"parley/internal/pgtest"
)

// Gate returns the gate for all documents. The tests of a package share it, so
// that it knows which documented answers they have seen.
var Gate = sync.OnceValue(func() *contracttest.Gate {
	g, err := contracttest.New(api.YAML(), api.DashboardYAML(), api.WidgetYAML())
	if err != nil {
		panic(err)
	}
	return g
})

// A Coverage is what the tests of a package must have seen at the end.
type Coverage struct {
	// Operations are those of the package; all of their documented answers must
	// be seen.
	Operations []string
	// Example reports whether the example of an error, named "operation status
	// message", must be seen verbatim; nil for none.
	Example func(name string) bool
}

// Main runs the tests of a package and, if all of them ran, requires the
// coverage.
func Main(m *testing.M, c Coverage) {
	flag.Parse()
	debug.SetGCPercent(400) // the heap is small, with much garbage
	code := m.Run()
	if code == 0 && all() && !c.seen() {
		code = 1
	}
	pgtest.Stop()
	os.Exit(code)
}

// all reports whether every test of the package runs completely.
func all() bool {
	chosen := func(name string) bool { return flag.Lookup("test."+name).Value.String() != "" }
	return !testing.Short() && !slices.ContainsFunc([]string{"run", "skip", "fuzz", "list", "bench"}, chosen)
}

func (c Coverage) seen() bool {
	seen := true
	miss := func(what, name string) {
		fmt.Println("FAIL: "+what+":", name)
		seen = false
	}
	for _, name := range Gate().Unseen() {
		if operation, _, _ := strings.Cut(name, " "); slices.Contains(c.Operations, operation) {
			miss("documented and never seen", name)
		}
	}
	for _, name := range Gate().Unsaid() {
		operation, _, _ := strings.Cut(name, " ")
		if c.Example != nil && slices.Contains(c.Operations, operation) && c.Example(name) {
			miss("the example of an error that was never answered", name)
		}
	}
	return seen
}
