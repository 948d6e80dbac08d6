package httpjson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley"
	"parley/internal/httpjson"
)

// asText makes a rule's value comparable.
func asText[T any](rule httpjson.Rule[T]) func(json.RawMessage) (string, error) {
	return func(raw json.RawMessage) (string, error) {
		value, err := rule(raw)
		return fmt.Sprint(value), err
	}
}

func quoted(n int, s string) string { return `"` + strings.Repeat(s, n) + `"` }

// The rules as their errors say them.
const (
	textRule    = "be a string of at most 3 characters"
	filledRule  = "be a string of 1 to 3 characters, not blank"
	contentRule = "be a string of 1 to 4 bytes of UTF-8, not blank"
	emailRule   = "be an e-mail address"
	webRule     = "be an http or https address of at most 2048 characters"
	uuidRule    = "be a UUID"
	userRule    = "be the id of a member"
	booleanRule = "be true or false"
	momentRule  = "be a time such as 2026-11-20T08:15:30Z, not before 1970"
	statusRule  = "be one of open, pending, resolved"
	listRule    = "be an array of 1 to 2 items"
	objectRule  = "be an object of at most 65536 bytes"
)

func TestRules(t *testing.T) {
	for _, group := range []struct {
		name   string
		rule   func(json.RawMessage) (string, error)
		broken string
		good   map[string]string // value to what it says
		bad    []string          // values, or "value => rule"
	}{
		{"Text", asText(httpjson.Text(3)), textRule,
			map[string]string{`""`: "", `"abc"`: "abc", `"äöü"`: "äöü", `"\u00e4\n"`: "ä\n"}, []string{`"abcd"`, `null`, `1`, `{}`, `["a"]`, `true`}},
		{"Filled", asText(httpjson.Filled(3)), filledRule,
			map[string]string{`"a"`: "a", `" a "`: " a ", `"😀😀😀"`: "😀😀😀"}, []string{`""`, `"  "`, `"\u00a0\t"`, `"abcd"`, `null`, `1`}},
		{"Content", asText(httpjson.Content(4)), contentRule,
			map[string]string{`"abcd"`: "abcd", `"😀"`: "😀"}, []string{`""`, `" \n"`, `"abcde"`, `"😀a"`, `null`, `[]`}},
		{"Email", asText(httpjson.Email), emailRule,
			map[string]string{`""`: "", `"a.b+c@shop.example"`: "a.b+c@shop.example", quoted(64, "a")[:65] + `@b.example"`: strings.Repeat("a", 64) + "@b.example"},
			[]string{`"a"`, `"a@"`, `"@b.example"`, `"a@b@c"`, `"A <a@b.example>"`, `" a@b.example"`, `"a@-b.example"`, `"a@b..example"`, `"a b@c.example"`,
				quoted(65, "a")[:66] + `@b.example"`, `"a@` + strings.Repeat("b.", 130) + `c"`, `null`, `5`}},
		{"EmailOrStored", asText(httpjson.EmailOrStored), emailRule,
			map[string]string{`""`: "", `"a@b.example"`: "a@b.example", `"u@my_host.local"`: "u@my_host.local", `"u@[192.0.2.1]"`: "u@[192.0.2.1]"},
			[]string{`"a"`, `"A <a@b.example>"`, `" a@b.example"`, `"a b@c.example"`, `"a@b_` + strings.Repeat("b", 260) + `"`, `null`, `5`}},
		{"URL", asText(httpjson.URL), webRule,
			map[string]string{`""`: "", `"https://a.example/b?c#d"`: "https://a.example/b?c#d", `"http://localhost:1"`: "http://localhost:1"},
			[]string{`"a.example"`, `"//a.example"`, `"javascript:alert(1)"`, `"ftp://a.example"`, `"https:///x"`, `"https://a.example/` + strings.Repeat("x", 2048) + `"`, `null`}},
		{"Phone", asText(httpjson.Phone), parley.PhoneRule,
			map[string]string{`"+49 (151) 000-0001"`: "491510000001"}, []string{`""`, `"0151000000"`, `"12"`, `"x"`, `491510000001`, `null`}},
		{"PhoneText", asText(httpjson.PhoneText), parley.PhoneRule,
			map[string]string{`""`: "", `"+49 151 0000001"`: "+49 151 0000001"}, []string{`"12"`, `null`, `1`, `"+49 151 0000001` + strings.Repeat(" ", 30) + `"`}},
		{"ID", asText(httpjson.ID), uuidRule,
			map[string]string{`"` + someID + `"`: someID, `"` + strings.ToUpper(someID) + `"`: someID},
			[]string{`""`, `"x"`, `"` + someID[1:] + `"`, `"{` + someID + `}"`, `"00000000-0000-0000-0000-000000000000"`, `null`, `1`}},
		{"User", asText(httpjson.User), userRule, map[string]string{`"usr_a"`: "usr_a"}, []string{`""`, `null`, `5`, quoted(256, "u")}},
		{"Bool", asText(httpjson.Bool), booleanRule, map[string]string{`true`: "true", `false`: "false"}, []string{`"true"`, `1`, `null`}},
		{"Whole", asText(httpjson.Whole(-1, 30)), "be a whole number from -1 to 30", map[string]string{`0`: "0", `30`: "30", `-1`: "-1"},
			[]string{`31`, `-2`, `1.0`, `1e1`, `"1"`, `null`, `99999999999999999999`, `[]`}},
		{"Time", asText(httpjson.Time), momentRule,
			map[string]string{`"2026-11-20T08:15:30.1239+02:00"`: "2026-11-20 06:15:30.123 +0000 UTC", `"1970-01-01T00:00:00.001Z"`: "1970-01-01 00:00:00.001 +0000 UTC"},
			[]string{`""`, `"2026-11-20"`, `"2026-11-20T08:15:30"`, `"2026-11-20T8:15:30Z"`, `"2026-11-20 08:15:30Z"`, `"2026-02-30T08:15:30Z"`, `"2026-11-20T08:15:30+25:00"`, `"2026-11-20T08:15:30,5Z"`,
				`"1970-01-01T00:00:00Z"`, `"1969-12-31T23:59:59Z"`, `1790000000`, `null`}},
		{"OneOf", asText(httpjson.OneOf(parley.Statuses)), statusRule, map[string]string{`"open"`: "open", `"\u006fpen"`: "open"}, []string{`"Open"`, `"closed"`, `""`, `null`, `0`}},
		{"ListOf", asText(httpjson.ListOf(1, 2, httpjson.Filled(3))), listRule,
			map[string]string{`["a"]`: "[a]", ` ["a" , "b"]`[1:]: "[a b]"},
			[]string{`[]`, `["a","b","c"]`, `null`, `"a"`, `{}`, `["a",1] => ` + listRule + "; item 2 must " + filledRule, `[null] => ` + listRule + "; item 1 must " + filledRule}},
		{"Facts", asText(httpjson.Facts), "be an object of at most 20 texts, numbers, true and false, of at most 4096 bytes",
			map[string]string{`{}`: "", `{"b":1,"a":"x","c":null}`: `{"a":"x","b":1}`, `{"a":true}`: `{"a":true}`},
			[]string{`null`, `[]`, `{"a":{}}`, `{"a":[]}`, `{"a":1,"a":2}`, `{"a":` + quoted(4092, "x") + `}`}},
		{"Attributes", asText(httpjson.Attributes), objectRule,
			map[string]string{`{}`: "{}", `{"a": [1]}`: `{"a": [1]}`, `{"a":` + quoted(parley.MaxAttributes-8, "x") + `}`: `{"a":` + quoted(parley.MaxAttributes-8, "x") + `}`},
			[]string{`null`, `[]`, `"{}"`, `{"a":` + quoted(parley.MaxAttributes-7, "x") + `}`}},
	} {
		t.Run(group.name, func(t *testing.T) {
			for raw, want := range group.good {
				if got, err := group.rule(json.RawMessage(raw)); err != nil || got != want {
					t.Errorf("%.80s says %.80q (%v), want %.80q", raw, got, err, want)
				}
			}
			for _, raw := range group.bad {
				raw, want, special := strings.Cut(raw, " => ")
				if !special {
					want = group.broken
				}
				if got, err := group.rule(json.RawMessage(raw)); err == nil || err.Error() != want {
					t.Errorf("%.80s says %.80q, the rule is %v, want %q", raw, got, err, want)
				}
			}
		})
	}
}
