package parley_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestDecisionRecords requires that docs/adr/README.md lists every decision
// record once, in order, with the number and the title of the record itself.
func TestDecisionRecords(t *testing.T) {
	files, err := filepath.Glob("docs/adr/[0-9]*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no records", err)
	}
	var want []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		number, err := strconv.Atoi(name[:4])
		if err != nil {
			t.Errorf("%s: its name must begin with four digits", file)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		title, ok := strings.CutPrefix(first, "# "+strconv.Itoa(number)+". ")
		if !ok {
			t.Errorf("%s begins with %q; it must begin with \"# %d. \"", file, first, number)
		}
		want = append(want, strconv.Itoa(number)+". ["+title+"]("+name+")")
	}
	list, err := os.ReadFile("docs/adr/README.md")
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`(?m)^\d+\. \[.*$`).FindAllString(string(list), -1)
	for i := range max(len(got), len(want)) {
		if entry, record := at(got, i), at(want, i); entry != record {
			t.Fatalf("docs/adr/README.md has\n%s\nwhere it must have\n%s", entry, record)
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}
