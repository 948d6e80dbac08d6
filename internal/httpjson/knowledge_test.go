package httpjson_test

import (
	"testing"

	"parley/internal/httpjson"
)

// TestKnowledgeRules reads languages, versions, and names by language.
func TestKnowledgeRules(t *testing.T) {
	for raw, want := range map[string]string{`"PT-br"`: "pt-BR", `"en"`: "en", `"x"`: "", `5`: "", `null`: "", `"en-Latn"`: ""} {
		if got, err := httpjson.Language([]byte(raw)); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("the language %s is %q, %v", raw, got, err)
		}
	}
	for raw, want := range map[string]int64{`0`: 0, `7`: 7, `9007199254740991`: httpjson.MaxVersion, `-1`: -1, `9007199254740992`: -1, `1.5`: -1, `"1"`: -1, `null`: -1} {
		if got, err := httpjson.Version([]byte(raw)); (err == nil) != (want >= 0) || err == nil && got != want {
			t.Errorf("the version %s is %d, %v", raw, got, err)
		}
	}
	for raw, good := range map[string]bool{
		`{"en":"a","pt-br":"b"}`: true, `{"en":""}`: true, `{}`: false, `[]`: false, `null`: false, `{"en":null}`: false, `{"en":5}`: false,
		`{"x":"a"}`: false, `{"en":"a","EN":"b"}`: false, `{"en":"a","en":"b"}`: false, `"en"`: false,
	} {
		if names, err := httpjson.NamesByLanguage([]byte(raw)); (err == nil) != good {
			t.Errorf("the names %s are %v, %v", raw, names, err)
		}
	}
}
