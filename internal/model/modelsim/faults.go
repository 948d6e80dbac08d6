package modelsim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Faults are the names of the ways to fail.
func Faults() []string {
	return []string{
		"401",         // the key is refused
		"404",         // no such model
		"400",         // refused, and the prompt is repeated
		"429",         // with Retry-After: 7
		"500",         // with a text
		"redirect",    // to a cloud's metadata
		"html",        // a web page with status 200
		"badjson",     // JSON that stops in the middle
		"failing",     // an error with status 200, in a stream after a piece
		"cut",         // the connection breaks in the middle
		"reset",       // the connection breaks before the answer begins
		"stop",        // half of an answer, then silence
		"drip",        // byte by byte, slowly
		"hang",        // silence
		"endless",     // an answer without an end
		"longline",    // a line without an end
		"nousage",     // an answer that does not tell what it cost
		"unknowntool", // a call of a tool that nobody offered
		"empty",       // an answer without a text
		"dimension",   // vectors of two dimensions
		"zero",        // vectors without a direction
		"fewer",       // a vector too few
		"nan",         // a vector with what is no number
	}
}

// VectorFaults are those of [Faults] that concern embeddings only.
func VectorFaults() []string { return []string{"dimension", "zero", "fewer", "nan"} }

// A speech is what a model says.
type speech struct {
	text            string
	call, arguments string // of a tool; "" for none
}

// A writer writes an answer, and fails on the way if it shall.
type writer struct {
	http.ResponseWriter

	request *http.Request
	fault   string
	drip    time.Duration
	pace    time.Duration // between the words of a stream
	prompt  string
	usage   bool
}

// hang waits until the client is gone.
func (w *writer) hang() { <-w.request.Context().Done() }

// fails takes the ways to fail that need no answer, and reports whether there was one.
func (w *writer) fails() bool {
	switch w.fault {
	case "401":
		refuse(w, 401, "invalid_api_key", "Incorrect API key provided: "+w.request.Header.Get("Authorization"))
	case "404":
		refuse(w, 404, "model_not_found", "no such model")
	case "400":
		refuse(w, 400, "invalid_prompt", "this prompt is refused: "+w.prompt)
	case "429":
		w.Header().Set("Retry-After", "7")
		refuse(w, 429, "rate_limit_exceeded", "too many requests")
	case "500":
		refuse(w, 500, "server_error", "the model broke")
	case "redirect":
		http.Redirect(w, w.request, "http://169.254.169.254/latest/meta-data/", http.StatusTemporaryRedirect)
	case "html":
		w.Header().Set("Content-Type", "text/html")
		w.put("<!doctype html><title>Welcome</title><p>Please sign in")
	case "hang":
		w.hang()
	case "reset":
		panic(http.ErrAbortHandler)
	case "longline":
		for w.request.Context().Err() == nil {
			w.put(strings.Repeat("data", 16<<10))
		}
	default:
		return false
	}
	return true
}

// put writes a text at once, and reports whether the client took it.
func (w *writer) put(text string) bool {
	_, err := w.Write([]byte(text))
	return err == nil && http.NewResponseController(w.ResponseWriter).Flush() == nil
}

// send writes a whole answer, or what the fault leaves of it.
func (w *writer) send(text string) {
	half := len(text) / 2
	switch w.fault {
	case "badjson":
		w.put(text[:half])
	case "cut":
		w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		w.put(text[:half])
		panic(http.ErrAbortHandler)
	case "stop":
		w.put(text[:half])
		w.hang()
	case "drip":
		w.dripped(text)
	default:
		w.put(text)
	}
}

// paced waits for the next word, and reports whether the client is still there.
func (w *writer) paced() bool {
	if w.pace == 0 {
		return true
	}
	select {
	case <-w.request.Context().Done():
		return false
	case <-time.After(w.pace):
		return true
	}
}

// dripped writes a text byte by byte.
func (w *writer) dripped(text string) {
	tick := time.NewTicker(w.drip)
	defer tick.Stop()
	for i := range len(text) {
		select {
		case <-w.request.Context().Done():
			return
		case <-tick.C:
		}
		if !w.put(text[i : i+1]) {
			return
		}
	}
}

type choice struct {
	Index   int      `json:"index"`
	Message *message `json:"message,omitempty"`
	Delta   *message `json:"delta,omitempty"`
	Finish  *string  `json:"finish_reason"`
}

type message struct {
	Role    string     `json:"role,omitempty"`
	Content *string    `json:"content"`
	Calls   []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	Index    int      `json:"index"`
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type,omitempty"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type usage struct {
	In  int `json:"prompt_tokens"`
	Out int `json:"completion_tokens"`
}

type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

// cost counts words.
func (w *writer) cost(said speech) *usage {
	if !w.usage {
		return nil
	}
	return &usage{In: 1 + len(strings.Fields(w.prompt)), Out: 1 + len(strings.Fields(said.text))}
}

func written(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts can always be written
	}
	return string(text)
}

// whole answers in one piece.
func (w *writer) whole(said speech) {
	w.Header().Set("Content-Type", "application/json")
	switch w.fault {
	case "failing":
		w.put(`{"error":{"message":"the model broke","code":"overloaded"}}`)
		return
	case "endless":
		for w.put(`{"choices":[{"message":{"content":"`); w.request.Context().Err() == nil; {
			w.put(strings.Repeat("more and ", 8<<10))
		}
		return
	}
	finish, m := "stop", message{Role: "assistant", Content: &said.text}
	if said.call != "" {
		finish, m.Content = "tool_calls", nil
		m.Calls = []toolCall{{ID: "call_1", Type: "function", Function: function{said.call, said.arguments}}}
	}
	w.send(written(completion{ID: "sim", Object: "chat.completion", Choices: []choice{{Message: &m, Finish: &finish}}, Usage: w.cost(said)}))
}

// stream answers in pieces of a word.
func (w *writer) stream(said speech) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.put(": the model warms up\n\n")
	event := func(delta message, finish *string) string {
		return "data: " + written(completion{ID: "sim", Object: "chat.completion.chunk", Choices: []choice{{Delta: &delta, Finish: finish}}}) + "\n\n"
	}
	none, finish := "", "stop"
	events := []string{event(message{Role: "assistant", Content: &none}, nil)}
	for piece := range strings.SplitAfterSeq(said.text, " ") {
		events = append(events, event(message{Content: &piece}, nil))
	}
	if said.call != "" {
		finish = "tool_calls"
		middle := len(said.arguments) / 2
		events = append(events, event(message{Calls: []toolCall{{ID: "call_1", Type: "function", Function: function{said.call, said.arguments[:middle]}}}}, nil),
			event(message{Calls: []toolCall{{Function: function{Arguments: said.arguments[middle:]}}}}, nil))
	}
	switch w.fault {
	case "failing":
		w.put(events[0] + events[1] + `data: {"error":{"message":"the model broke","code":"overloaded"}}` + "\n\n")
		return
	case "endless":
		for w.request.Context().Err() == nil && w.put(events[1]) {
		}
		return
	}
	events = append(events, event(message{}, &finish))
	if cost := w.cost(said); cost != nil {
		events = append(events, "data: "+written(completion{ID: "sim", Object: "chat.completion.chunk", Choices: []choice{}, Usage: cost})+"\n\n")
	}
	if w.fault != "" && w.fault != "nousage" {
		w.send(strings.Join(events, "") + "data: [DONE]\n\n")
		return
	}
	for _, one := range append(events, "data: [DONE]\n\n") {
		if !w.paced() || !w.put(one) {
			return
		}
	}
}
