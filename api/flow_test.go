package api_test

import (
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// TestFlowScalars refuses text that YAML parsers disagree on: inside brackets,
// a question mark anywhere in an unquoted text starts a key for some parsers,
// such as PyYAML.
func TestFlowScalars(t *testing.T) {
	for _, file := range []string{"openapi.yaml", "dashboard.yaml", "widget.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range ambiguous(string(text)) {
			t.Errorf("%s:%d: %s must be quoted", file, at.Position.Line, at.Value)
		}
	}
	for name, d := range documents() {
		asYAML, _ := texts(t, d)
		for _, at := range ambiguous(string(asYAML)) {
			t.Errorf("the %s document as it is handed out, line %d: %s must be quoted", name, at.Position.Line, at.Value)
		}
	}
	if got := ambiguous("a: [Where?, 'Who?']\nb: Why?\nc: { d: How? so, e: \"f: g?\" }\nh: [http://x, x:y]"); len(got) != 2 {
		t.Errorf("%d texts were found, want 2", len(got))
	}
}

// ambiguous returns the unquoted texts inside brackets that contain a question
// mark.
func ambiguous(text string) token.Tokens {
	var found token.Tokens
	depth := 0
	for _, at := range lexer.Tokenize(text) {
		switch at.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.StringType, token.MappingKeyType:
			if depth > 0 && strings.Contains(at.Value, "?") {
				found = append(found, at)
			}
		default: // quoted, or no text
		}
	}
	return found
}
