package reply

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	a = "s0123abcd"
	b = "sdeadbeef"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Reply{
		`{"action":"answer","sources":["` + a + `"],"answer":"Yes."}`:                                    {Answer, []string{a}, "Yes.", true},
		`{"answer":"Yes.","sources":["` + a + `","` + b + `","` + a + `"],"action":"ANSWER "}`:           {Answer, []string{a, b}, "Yes.", true},
		"Here it is:\n```json\n{\"action\": \"answer\", \"sources\": [], \"answer\": \" Yes. \"}\n```":   {Answer, []string{}, "Yes.", true},
		`<think>{"action":"handover"}</think>{"action":"clarify","sources":[],"answer":"Which?"} bye`:    {Clarify, []string{}, "Which?", true},
		`{"confidence":0.9,"more":{"a":["}",1,{"b":null}]},"sources":"[` + a + `]","answer":"Yes."}`:     {Answer, []string{a}, "Yes.", true},
		`{"action":"escalate","answer":null}`:                                                            {Handover, nil, "", true},
		`{"action":"refund","sources":["x9"],"answer":"Done."}`:                                          {Handover, []string{"?"}, "Done.", true},
		`{"sources":[7,{"id":"` + b + `"}],"answer":"Yes."}`:                                             {Answer, []string{"?", b}, "Yes.", true},
		`{"action":"answer","sources":["` + a + `"],"answer":"Line\n\"one\" \u00e9\ud83d\ude00\/ \ud83d`: {Answer, []string{a}, "Line\n\"one\" é😀/", false},
		"{\"answer\":\"two\nlines\"":                      {Answer, nil, "two\nlines", true},
		"You can [" + a + "] return it (" + b + "). " + a: {Answer, []string{a, b}, "You can return it.", true},
		"Use {name} here":                                 {Answer, []string{}, "Use {name} here", true},
		`{"action":"answer"`:                              {Handover, nil, "", false},
	} {
		got, ok := Parse(text)
		if want.Text == "" {
			got.Complete, want.Complete = false, false
		}
		if !ok || got.Action != want.Action || got.Text != want.Text || got.Complete != want.Complete || !slices.Equal(got.Sources, want.Sources) {
			t.Errorf("%s\nis %+v, %t, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "  ", "<think>hm", "{", "{}", "[]{", `{"a":1}`} {
		if r, ok := Parse(text); ok && r.Text != strings.TrimSpace(text) {
			t.Errorf("%q is %+v", text, r)
		}
	}
}

// TestPartial reads every beginning of an answer: what is shown only grows.
func TestPartial(t *testing.T) {
	const whole = `<think>hm</think> {"action":"answer","sources":["` + a + `"],"answer":"Größe \"L\" \ud83d\ude00 \u00fcber\n30 days."} `
	before, shown := "", 0
	for i := range len(whole) + 1 {
		r, ok := Partial(whole[:i])
		if !ok {
			continue
		}
		shown++
		if r.Action != Answer || len(r.Sources) != 1 || !strings.HasPrefix(r.Text, before) || !utf8.ValidString(r.Text) || strings.ContainsRune(r.Text, utf8.RuneError) {
			t.Fatalf("%s is %+v", whole[:i], r)
		}
		before = r.Text
	}
	if before != "Größe \"L\" 😀 über\n30 days." || shown < 30 {
		t.Errorf("at the end it is %q", before)
	}
	if r, ok := Partial(`{"answer":"Yes","sources":["` + a + `"],"action":"answer"`); !ok || !r.Complete {
		t.Errorf("another order: %+v", r)
	}
	if r, ok := Partial(`{"answer":"Yes`); ok {
		t.Errorf("shown before its sources: %+v", r)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("Yes.", a, true)
	f.Add("\"\\\u2028\x00", "]", false)
	f.Fuzz(func(t *testing.T, text, source string, object bool) {
		if !object {
			if r, ok := Parse(text); ok && !utf8.ValidString(r.Text) && utf8.ValidString(text) {
				t.Errorf("%q is %+v", text, r)
			}
			return
		}
		raw, err := json.Marshal(map[string]any{"action": "answer", "answer": text, "sources": []string{source}})
		if err != nil {
			t.Fatal(err)
		}
		r, ok := Parse(string(raw))
		want := strings.TrimSpace(strings.ToValidUTF8(text, ""))
		if clean := !strings.ContainsAny(text, "\x00\ufffd") && utf8.ValidString(text) && !strings.Contains(text, "</think>"); clean && (!ok || r.Text != want) {
			t.Errorf("%s is %+v", raw, r)
		}
	})
}
