package parley_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A fault is one of scripts/faults/list.txt.
type fault map[string]string

// TestFaults reads the faults that were found: docs/track-record.md has those of
// scripts/faults/list.txt, each with a test that is there.
func TestFaults(t *testing.T) {
	faults := listedFaults(t)
	text, err := os.ReadFile("docs/track-record.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Faults found\n")
	for line := range strings.Lines(strings.ReplaceAll(table, `\|`, "\x00")) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.HasPrefix(cells[1], "---") || strings.Contains(line, "| mended in |") {
			continue
		}
		name := strings.Trim(cells[3], " `")
		if name == "–" {
			continue // nothing shows it
		}
		f := faults[name]
		if f == nil {
			t.Errorf("make fault NAME=%s shows nothing", name)
			continue
		}
		delete(faults, name)
		if commit := strings.TrimSpace(cells[2]); commit != f["commit"] {
			t.Errorf("%s was mended in %s, the page says %s", name, f["commit"], commit)
		}
		if command := strings.ReplaceAll(strings.Trim(cells[4], " `"), "\x00", "|"); command != f["test"] {
			t.Errorf("the test of %s is %s, the page says %s", name, f["test"], command)
		}
		f.check(t, name)
	}
	for name := range faults {
		t.Errorf("docs/track-record.md does not have the fault %s", name)
	}
}

func listedFaults(t *testing.T) map[string]fault {
	t.Helper()
	text, err := os.ReadFile("scripts/faults/list.txt")
	if err != nil {
		t.Fatal(err)
	}
	faults, now := map[string]fault{}, fault{}
	for line := range strings.Lines(string(text)) {
		field, indented := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t")
		if !indented {
			now = fault{}
			faults[field] = now
			continue
		}
		key, value, _ := strings.Cut(field, " ")
		now[key] = value
	}
	if len(faults) < 20 {
		t.Errorf("%d faults are listed", len(faults))
	}
	return faults
}

var (
	faultTests = regexp.MustCompile(`^go test (\S+(?: \S+)*) -run '?(Test[A-Za-z0-9|]+)'?$`)
	faultPage  = regexp.MustCompile(`^cd (\S+) && npx vitest run (\S+)$`)
)

// check demands that the tests of a fault, and its patch, are there.
func (f fault) check(t *testing.T, name string) {
	t.Helper()
	if patch := f["back"]; strings.HasSuffix(patch, ".patch") {
		if _, err := os.Stat(filepath.Join("scripts/faults", patch)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if page := faultPage.FindStringSubmatch(f["test"]); page != nil {
		if _, err := os.Stat(filepath.Join(page[1], page[2])); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	command := faultTests.FindStringSubmatch(f["test"])
	if command == nil {
		t.Errorf("%s: %q is no command of tests", name, f["test"])
		return
	}
	there := ""
	for folder := range strings.FieldsSeq(command[1]) {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			there += string(text)
		}
	}
	for test := range strings.SplitSeq(command[2], "|") {
		if !strings.Contains(there, "\nfunc "+test+"(t *testing.T)") {
			t.Errorf("%s: there is no %s in %s", name, test, command[1])
		}
	}
}
