package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/model"
	"parley/internal/model/modelsim"
	"parley/internal/model/modelsim/modelsimtest"
	"parley/internal/outward"
)

const key = "sk-very-secret-key-0123456789"

// secretWord is part of every prompt, and of no error.
const secretWord = "marmalade"

func question() model.Request {
	return model.Request{MaxTokens: 50, Messages: []model.Message{{Role: model.System, Content: "Be kind."}, {Role: model.User, Content: "Where is my " + secretWord + "?"}}}
}

// short are times that a test can wait for.
func short() model.Times {
	return model.Times{FirstByte: 150 * time.Millisecond, Between: 150 * time.Millisecond, Whole: 600 * time.Millisecond}
}

// client returns a client with a key.
func client(t *testing.T, w *modelsimtest.World, name string, can model.Capabilities) *model.Client {
	t.Helper()
	c, err := w.Network.Client(model.Server{BaseURL: w.URL + "/", Key: key, Model: name, EmbeddingModel: "embed", Capabilities: can})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAnswers(t *testing.T) {
	w := modelsimtest.New(t, modelsim.Options{Key: key}, modelsimtest.Times())
	c := client(t, w, "quote", modelsimtest.Able())
	a, err := c.Chat(t.Context(), question())
	if want := "Where is my marmalade?"; err != nil || a.Text != want || a.Finish != "stop" || a.Streamed || a.Usage != (model.Usage{In: 7, Out: 5}) {
		t.Errorf("the answer is %+v, %v", a, err)
	}
	var pieces []string
	s, err := c.Stream(t.Context(), question(), func(piece string) error { pieces = append(pieces, piece); return nil })
	if err != nil || !s.Streamed || s.Text != a.Text || s.Usage != a.Usage || s.Finish != "stop" || strings.Join(pieces, "") != a.Text || len(pieces) != 4 {
		t.Errorf("the streamed answer is %+v in %q, %v", s, pieces, err)
	}
	enough := errors.New("enough")
	if _, err := c.Stream(t.Context(), question(), func(string) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("a caller that has enough gets %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	if _, err := c.Stream(ended, question(), func(string) error { end(); return nil }); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that gives up gets %v", err)
	}
	requests := w.Sim.Requests()
	if len(requests) != 4 || requests[0].Key != key || requests[0].Prompt != "Be kind.\nWhere is my marmalade?" {
		t.Errorf("the server got %+v", requests)
	}
	if want := `{"model":"quote","messages":[{"role":"system","content":"Be kind."},{"role":"user","content":"Where is my marmalade?"}],"max_tokens":50,"temperature":0}`; requests[0].Body != want {
		t.Errorf("the server got\n%s, want\n%s", requests[0].Body, want)
	}
	names, err := c.Models(t.Context())
	if err != nil || !slices.Contains(names, "quote") || !slices.IsSorted(names) {
		t.Errorf("the models are %q, %v", names, err)
	}
}

// TestFaults lets a server fail in every way, for answers of both kinds.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]model.Fault{
		"401": model.Unauthorized, "404": model.NotFound, "400": model.Refused, "429": model.Limited, "500": model.Failed, "redirect": model.Redirected,
		"html": model.NotAModel, "badjson": model.Broken, "failing": model.Failed, "cut": model.Cut, "reset": model.Unreachable, "stop": model.TimedOut,
		"drip": model.TimedOut, "hang": model.TimedOut, "endless": model.TooLarge, "longline": model.TooLarge, "unknowntool": model.UnknownTool, "empty": model.Empty,
		"nousage": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			times := short()
			if want != model.TimedOut {
				times = modelsimtest.Times() // a busy machine answers late, too
			}
			if name == "drip" {
				times.Between = 5 * time.Second // it never falls silent
			}
			w := modelsimtest.New(t, modelsim.Options{Drip: 5 * time.Millisecond}, times)
			c := client(t, w, name, modelsimtest.Able())
			whole, wholeErr := c.Chat(t.Context(), question())
			streamed, streamedErr := c.Stream(t.Context(), question(), func(string) error { return nil })
			check(t, want, wholeErr)
			check(t, want, streamedErr)
			for _, a := range []model.Answer{whole, streamed} {
				free := slices.Contains([]model.Fault{model.Unreachable, model.Unauthorized, model.NotFound, model.Refused, model.Limited, model.Redirected}, want) || name == "500"
				if known := want == model.UnknownTool || want == model.Empty; !known && (a.Usage.In == 0) != free || a.Usage.Estimated != (!known && !free) {
					t.Errorf("the usage is %+v", a.Usage)
				}
			}
			if requests := len(w.Sim.Requests()); name == "reset" && requests != 4 || name != "reset" && requests != 2 {
				t.Errorf("the server got %d requests", requests)
			}
		})
	}
}

// check compares the fault, and demands that its texts keep the secrets.
func check(t *testing.T, want model.Fault, err error) {
	t.Helper()
	var e *model.Error
	if err == nil && want == "" {
		return
	}
	if !errors.As(err, &e) || e.Fault != want {
		t.Errorf("the error is %v, want %s", err, want)
		return
	}
	for _, text := range []string{e.Error(), e.Text(), fmt.Sprint(err)} {
		if strings.Contains(text, key) || strings.Contains(text, secretWord) || text == "" {
			t.Errorf("the text of the error is %q", text)
		}
	}
	if strings.Contains(e.Detail, key) {
		t.Errorf("the detail is %q", e.Detail)
	}
	if e.Fault == model.Limited && (e.RetryAfter != 7*time.Second || e.Code != "rate_limit_exceeded" || !e.Temporary()) {
		t.Errorf("the limit is %+v", e)
	}
	if e.Fault == model.Refused && (e.Code != "invalid_prompt" || !strings.Contains(e.Detail, secretWord) || e.Temporary()) {
		t.Errorf("the refusal is %+v", e)
	}
}

// TestOneMoreAttempt has a connection that breaks once.
func TestOneMoreAttempt(t *testing.T) {
	w := modelsimtest.New(t, modelsim.Options{}, modelsimtest.Times())
	w.Sim.Next("reset")
	if a, err := client(t, w, "quote", model.Capabilities{}).Chat(t.Context(), question()); err != nil || a.Text == "" || len(w.Sim.Requests()) != 2 {
		t.Errorf("the answer is %+v, %v", a, err)
	}
}

// TestProbe asks servers that lack something, and then uses what they have.
func TestProbe(t *testing.T) {
	all := modelsimtest.Able()
	for name, c := range map[string]struct {
		lacks []modelsim.Lack
		want  func(*model.Capabilities)
	}{
		"nothing":      {nil, func(*model.Capabilities) {}},
		"streaming":    {[]modelsim.Lack{modelsim.LacksStreaming}, func(c *model.Capabilities) { c.Streaming, c.StreamUsage = false, false }},
		"stream usage": {[]modelsim.Lack{modelsim.LacksStreamUsage}, func(c *model.Capabilities) { c.StreamUsage = false }},
		"usage":        {[]modelsim.Lack{modelsim.LacksUsage}, func(c *model.Capabilities) { c.Usage, c.StreamUsage = false, false }},
		"schema":       {[]modelsim.Lack{modelsim.LacksSchema}, func(c *model.Capabilities) { c.JSONSchema = false }},
		"JSON":         {[]modelsim.Lack{modelsim.LacksSchema, modelsim.LacksObject}, func(c *model.Capabilities) { c.JSONSchema, c.JSONObject = false, false }},
		"tools":        {[]modelsim.Lack{modelsim.LacksTools}, func(c *model.Capabilities) { c.Tools = false }},
		"max_tokens":   {[]modelsim.Lack{modelsim.LacksMaxTokens}, func(c *model.Capabilities) { c.MaxTokensName = "max_completion_tokens" }},
		"both": {[]modelsim.Lack{modelsim.LacksMaxTokens, modelsim.LacksTemperature}, func(c *model.Capabilities) {
			c.MaxTokensName, c.Temperature = "max_completion_tokens", false
		}},
		"embeddings": {[]modelsim.Lack{modelsim.LacksEmbeddings}, func(c *model.Capabilities) { c.Dimension = 0 }},
	} {
		w := modelsimtest.New(t, modelsim.Options{Lacks: c.lacks}, modelsimtest.Times())
		want := all
		c.want(&want)
		got, err := client(t, w, "quote", model.Capabilities{}).Probe(t.Context())
		if err != nil || got != want {
			t.Errorf("without %s: %+v, %v; want %+v", name, got, err, want)
		}
		asked := question()
		asked.Schema, asked.Tools = &model.Schema{Name: "x", JSON: json.RawMessage(`{"type":"object"}`)}, []model.Tool{{Name: "x", Parameters: json.RawMessage(`{}`)}}
		if _, err := client(t, w, "quote", got).Stream(t.Context(), asked, func(string) error { return nil }); err != nil {
			t.Errorf("without %s: %v", name, err)
		}
		if n := len(w.Sim.Requests()); n > 14 {
			t.Errorf("without %s: %d requests", name, n)
		}
	}
	w := modelsimtest.New(t, modelsim.Options{Key: "another"}, modelsimtest.Times())
	_, err := client(t, w, "quote", model.Capabilities{}).Probe(t.Context())
	check(t, model.Unauthorized, err)
	w = modelsimtest.New(t, modelsim.Options{}, modelsimtest.Times())
	w.Sim.Next("", "429")
	_, err = client(t, w, "quote", model.Capabilities{}).Probe(t.Context())
	check(t, model.Limited, err)
}

func TestEmbeddings(t *testing.T) {
	w := modelsimtest.New(t, modelsim.Options{}, short())
	c := client(t, w, "quote", model.Capabilities{})
	texts := make([]string, 70)
	for i := range texts {
		texts[i] = fmt.Sprintf("word%d parcel", i)
	}
	vectors, used, err := c.Embed(t.Context(), texts)
	if err != nil || len(vectors) != 70 || len(vectors[69]) != modelsim.Dimension || used != (model.Usage{In: 143}) || len(w.Sim.Requests()) != 3 {
		t.Fatalf("%d vectors, usage %+v, %v", len(vectors), used, err)
	}
	for fault, want := range map[string]model.Fault{
		"dimension": model.Broken, "fewer": model.Broken, "nan": model.Broken, "html": model.NotAModel, "badjson": model.Broken, "cut": model.Cut,
		"hang": model.TimedOut, "429": model.Limited,
	} {
		w.Sim.Next(fault)
		_, used, err := c.Embed(t.Context(), []string{"a", "b"})
		check(t, want, err)
		if refused := fault == "429"; refused != (used.In == 0) {
			t.Errorf("%s: the usage is %+v", fault, used)
		}
	}
	w.Sim.Next("nousage")
	if _, used, err := c.Embed(t.Context(), []string{"parcel"}); err != nil || used != (model.Usage{In: 2, Estimated: true}) {
		t.Errorf("the usage is %+v, %v", used, err)
	}
}

// TestForms gives answers in the forms of several servers.
func TestForms(t *testing.T) {
	body := ""
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte(body)) }))
	t.Cleanup(server.Close)
	hosts, err := outward.ParseHosts("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	c, err := model.NewNetwork(hosts, modelsimtest.Times()).Client(model.Server{BaseURL: server.URL, Model: "m", Capabilities: modelsimtest.Able()})
	if err != nil {
		t.Fatal(err)
	}
	large := strings.Repeat("x", 300<<10)
	for text, want := range map[string]string{
		`{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`: "ab",
		`{"choices":[{"message":{"content":"nul\u0000l"}}],"usage":{"prompt_tokens":-1}}`:               "null",
		"data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n":          "a", // nobody says that it is done
		"data:{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\nevent: x\r\ndata: [DONE]":          "a",
		"data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n":             "a",
		"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n":                                     "cut",
		`{"choices":[{"message":{"content":7}}]}`:                                                       "broken",
		`{"choices":[]}`:         "broken",
		`[]`:                     "broken",
		`{"error":"overloaded"}`: "failed",
		`{"choices":[{"message":{"content":"` + large + `"}}]}`:                   "too_large",
		"data: {\"choices\":[{\"delta\":{\"content\":\"" + large + "\"}}]}\n\n":   "too_large",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":99}]}}]}\n\n": "too_large",
		"data: <html>\n\n": "not_a_model",
		"":                 "cut",
	} {
		body = text
		a, err := c.Stream(t.Context(), question(), func(string) error { return nil })
		got := a.Text
		var e *model.Error
		if errors.As(err, &e) {
			got = string(e.Fault)
		}
		if got != want {
			t.Errorf("%.80q is %q (%v), want %q", text, got, err, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	network := model.NewNetwork(nil, short())
	for address, ok := range map[string]bool{
		"https://api.example/v1": true, "http://localhost:11434/v1/": true, "https://api.example": true, "https://[::1]:1/v1": true,
		"": false, "api.example/v1": false, "ftp://api.example": false, "https://": false, "https://ann@api.example": false, "https://api.example/v1?key=1": false,
		"https://api.example/#a": false, "https://api.example/a b": false, "https://api.example/" + strings.Repeat("x", model.MaxBaseURL): false, "file:///etc/passwd": false,
	} {
		if _, err := network.Client(model.Server{BaseURL: address, Model: "m"}); (err == nil) != ok {
			t.Errorf("%.60q: %v", address, err)
		}
	}
	for _, bad := range []model.Server{{Model: ""}, {Model: "a\nb"}, {Model: strings.Repeat("x", model.MaxName+1)}, {Model: "m", Key: "a b"}, {Model: "m", Key: "a\r\nX: y"}, {Model: "m", Key: "é"}} {
		bad.BaseURL = "https://api.example"
		if _, err := network.Client(bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	for _, inside := range []string{"http://127.0.0.1:1/v1", "https://127.0.0.1:1/v1", "http://169.254.169.254/v1", "http://1.1.1.1/v1"} {
		c, err := network.Client(model.Server{BaseURL: inside, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Chat(t.Context(), question())
		if check(t, model.Unreachable, err); !errors.Is(err, outward.ErrNotAllowed) {
			t.Errorf("%s: %v", inside, err)
		}
	}
}
