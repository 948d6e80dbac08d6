package parley_test

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestThreatModel reads the table of docs/security.md: each promise names tests that are
// there.
func TestThreatModel(t *testing.T) {
	text, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n## The threat model\n")
	table, _, ends := strings.Cut(table, "\n## ")
	if !found || !ends {
		t.Fatal("docs/security.md has no threat model")
	}
	there := testNames(t)
	named := regexp.MustCompile("`([a-z]+\\.Test[A-Za-z0-9]+)`")
	promises := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.TrimSpace(cells[2]) == "" || strings.HasPrefix(cells[1], "---") || strings.Contains(cells[2], "the promise") {
			continue
		}
		promises++
		names := named.FindAllStringSubmatch(cells[3], -1)
		if len(names) == 0 {
			t.Errorf("no test shows that %s", strings.TrimSpace(cells[2]))
		}
		for _, name := range names {
			if !there[name[1]] {
				t.Errorf("there is no test %s, which is to show that %s", name[1], strings.TrimSpace(cells[2]))
			}
		}
	}
	if promises < 20 {
		t.Errorf("the threat model has %d promises", promises)
	}
}

// testNames returns all tests, by the last part of their folder and their name. Those of
// the program are main's.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]+)\(t \*testing\.T\)`)
	names := map[string]bool{}
	for _, file := range sources(t) {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		folder := path.Base(path.Dir(file))
		if strings.HasPrefix(file, "cmd/") {
			folder = "main"
		}
		for _, name := range declared.FindAllStringSubmatch(string(text), -1) {
			names[folder+"."+name[1]] = true
		}
	}
	return names
}
