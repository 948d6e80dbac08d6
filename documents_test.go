package parley_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	documentLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	linkInText   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// articleEnding is the language and the ending in the name of an article's file.
var articleEnding = regexp.MustCompile(`\.[a-z]+\.md$`)

// TestLinksOfDocuments follows the links between the documents: each file and each
// heading exists.
func TestLinksOfDocuments(t *testing.T) {
	headings := map[string]map[string]bool{}
	for _, file := range filesOf(t, ".md") {
		headings[file] = headingsOf(t, file)
	}
	for file := range headings {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range documentLink.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(link[1], ":") {
				continue // another site
			}
			path, heading, _ := strings.Cut(link[1], "#")
			to := file
			if path != "" {
				to = filepath.Join(filepath.Dir(file), path)
			}
			if articles := filepath.Join("internal", "demo", "articles"); strings.HasPrefix(file, articles) {
				to += articleEnding.FindString(file) // a link to another article in the same language
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s: %v", file, link[1], err)
			} else if known := headings[to]; heading != "" && known != nil && !known[heading] {
				t.Errorf("%s links to %s, which has no such heading", file, link[1])
			}
		}
	}
}

// headingsOf returns the headings of a document, as links name them.
func headingsOf(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if title := strings.TrimLeft(line, "#"); title != line {
			title = linkInText.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "$1")
			found[strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
					return r
				}
				return -1
			}, title)] = true
		}
	}
	return found
}
