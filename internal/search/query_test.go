package search

import (
	"reflect"
	"strings"
	"testing"
)

// TestParseQuery separates operators from words.
func TestParseQuery(t *testing.T) {
	for text, want := range map[string]query{
		"refund mü":                {words: "refund mü"},
		"from:ann refund":          {words: "refund", operators: []operator{{name: "from", value: "ann"}}},
		"refund -Label:big":        {words: "refund", operators: []operator{{name: "label", value: "big", not: true}}},
		`from:"Ann Lee" x`:         {words: "x", operators: []operator{{name: "from", value: "Ann Lee"}}},
		"from:„Ann Lee“x":          {words: "x", operators: []operator{{name: "from", value: "Ann Lee"}}},
		`in:" lyme`:                {operators: []operator{{name: "in", value: "lyme"}}},
		"is: open":                 {words: "open"},
		"https://a.example note:x": {words: "https://a.example note:x"},
		"a-from:b xfrom:c":         {words: "a-from:b xfrom:c"},
		"--from:b":                 {words: "--from:b"},
	} {
		if got := parseQuery(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

// FuzzParseQuery checks that no text is lost: written out again, a query reads the
// same.
func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{"a", `from:"a b" c -is:open`, "in:„", "label:a\u2003b", `-has:file"x`, "is:\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := parseQuery(text)
		var parts []string
		for _, op := range q.operators {
			if op.value == "" || len(op.value) > len(text) {
				t.Fatalf("%q has %+v", text, op)
			}
			if strings.ContainsFunc(op.value, isQuote) {
				return // such a value cannot be quoted
			}
			minus := ""
			if op.not {
				minus = "-"
			}
			parts = append(parts, minus+op.name+`:"`+op.value+`"`)
		}
		again := parseQuery(strings.Join(parts, " "))
		if !reflect.DeepEqual(again.operators, q.operators) {
			t.Fatalf("%q has %+v, written out %+v", text, q.operators, again.operators)
		}
		if _, err := filterOf(q.operators); err != nil && !strings.HasPrefix(err.Error(), "q: must have ") {
			t.Fatalf("%q is refused with %v", text, err)
		}
	})
}
