package model

import (
	"bufio"
	"strings"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of servers.
func TestLinear(t *testing.T) {
	c := &Client{server: Server{Key: "sk-0123456789"}}
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"estimate"}, Run: func(text string) { _ = estimate(text) }},
		{Functions: []string{"told", "word", "line"}, Run: func(text string) { c.told([]byte(text)); c.line(text); c.word(text) }},
		{Functions: []string{"nextEvent", "nextLine"}, Run: func(text string) {
			from := bufio.NewReaderSize(strings.NewReader(strings.ReplaceAll(text, ",", "\ndata:")), 4096)
			for {
				if _, err := nextEvent(from); err != nil {
					return
				}
			}
		}},
		{Functions: []string{"UnmarshalJSON", "event"}, Run: func(text string) {
			_ = new(content).UnmarshalJSON([]byte(text)) // only its cost counts
			_ = new(content).UnmarshalJSON([]byte("[" + strings.Repeat(`{"text":"a"},`, len(text)/20) + `{}]`))
			s := streaming{x: &exchange{client: c}}
			_ = s.event([]byte(text))
		}},
		{Functions: []string{"call", "finish"}, Run: func(text string) {
			var s streaming
			var piece callBody
			for range 3 * len(text) {
				piece.Function.Arguments = "a"
				_ = s.call(piece) // only its cost counts
			}
			s.finish()
		}},
	}, map[string]string{
		"open":          "tries twice",
		"embed":         "counts texts of this server",
		"Embed":         "cuts a list of texts of this server",
		"EstimateTexts": "adds up what estimate returns",
	})
}

// TestLists reads lists of servers, which are short.
func TestLists(t *testing.T) {
	for list, want := range map[string]bool{
		"null": true, "[]": true, `[{"text":"a"}]`: true, "[" + strings.Repeat("{},", maxFew-1) + "{}]": true,
		"[" + strings.Repeat("{},", maxFew) + "{}]": false, "{}": false, "7": false, `["a"]`: false, `[{"text":7}]`: false,
	} {
		var c content
		if err := c.UnmarshalJSON([]byte(list)); (err == nil) != want {
			t.Errorf("%.30s: %v", list, err)
		}
		var body chatAnswer
		if strings.HasPrefix(list, "[{},") && (decode([]byte(`{"choices":`+list+`}`), &body) == nil) != want {
			t.Errorf("choices: %.30s", list)
		}
	}
	s := streaming{x: &exchange{client: &Client{}}}
	for _, piece := range []string{"a", "b", "c"} {
		_ = s.event([]byte(`{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"name":"` + piece + `","arguments":"` + piece + `"}}]}}]}`))
	}
	if s.finish(); len(s.answer.ToolCalls) != 2 || s.answer.ToolCalls[1] != (ToolCall{"abc", "abc"}) {
		t.Errorf("the calls are %v", s.answer.ToolCalls)
	}
	if err := s.call(callBody{Index: maxCalls}); err == nil {
		t.Error("too many calls are no error")
	}
}

// FuzzEvents reads streams of any bytes.
func FuzzEvents(f *testing.F) {
	for _, text := range []string{"data: a\n\n", ": x\n\ndata: a\ndata: b\r\n\r\ndata: [DONE]\n\n", "data:", "\n\n\n", "event: a\ndata: {}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		from, size := bufio.NewReaderSize(strings.NewReader(text), 16), 0
		for {
			data, err := nextEvent(from)
			if err != nil {
				break
			}
			size += len(data)
		}
		if size > len(text) {
			t.Errorf("%d bytes became %d", len(text), size)
		}
	})
}
