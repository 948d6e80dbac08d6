package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// A Role says who speaks.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// A Message is a part of a prompt.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content"`
}

// A Tool is a function that a model may ask for.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON Schema of an object
}

// A ToolCall is what a model asks for. Arguments come from the model, and are
// not checked.
type ToolCall struct {
	Name      string
	Arguments string
}

// A Schema is the form that an answer shall have.
type Schema struct {
	Name string          // of letters, digits and underscores
	JSON json.RawMessage // JSON Schema of an object whose members are all required
}

// A Request asks a model for the next message.
type Request struct {
	Messages  []Message
	MaxTokens int     // of the answer; 0: as the server likes
	Schema    *Schema // a wish: a server without schemas answers as it likes
	Tools     []Tool  // only sent to a server that has tools
}

// Usage is what an exchange cost, in tokens.
type Usage struct {
	In, Out   int
	Estimated bool // the server did not tell, or told nonsense
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{In: u.In + v.In, Out: u.Out + v.Out, Estimated: u.Estimated || v.Estimated}
}

// An Answer is what a model said.
type Answer struct {
	Text      string
	ToolCalls []ToolCall // of tools that were offered
	Finish    string     // why it ended: "stop", "length", or another word of the server
	Usage     Usage
	Streamed  bool // it came in pieces
}

// Chat asks for the next message. Errors of the exchange are of type [Error]; if
// ctx ends, the error is that of ctx. With an error, the answer has what was
// received, and the usage that the server may count.
func (c *Client) Chat(ctx context.Context, r Request) (Answer, error) {
	body := c.chatBody(r)
	x, err := c.open(ctx, "/chat/completions", body, c.times.Whole)
	if err != nil {
		return Answer{Usage: spent(err, r.estimate())}, err
	}
	defer x.end()
	a, err := x.chat(r)
	return finished(a, r, err)
}

// Stream asks for the next message, and passes on each piece of its text. If
// the server cannot stream, the whole text is one piece. An error of say ends
// the exchange, and is returned.
func (c *Client) Stream(ctx context.Context, r Request, say func(piece string) error) (Answer, error) {
	if !c.server.Capabilities.Streaming {
		a, err := c.Chat(ctx, r)
		if err == nil && a.Text != "" {
			err = say(a.Text)
		}
		return a, err
	}
	body := c.chatBody(r)
	body.Stream = true
	if c.server.Capabilities.StreamUsage {
		body.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	x, err := c.open(ctx, "/chat/completions", body, c.times.FirstByte)
	if err != nil {
		return Answer{Usage: spent(err, r.estimate())}, err
	}
	defer x.end()
	a, err := x.stream(r, say)
	return finished(a, r, err)
}

// finished checks an answer, and estimates its usage if the server told none.
func finished(a Answer, r Request, err error) (Answer, error) {
	a.Text = strings.ReplaceAll(a.Text, "\x00", "")
	if a.Usage.In <= 0 || a.Usage.Out < 0 || a.Usage.In > maxTokens || a.Usage.Out > maxTokens {
		a.Usage = Usage{In: r.estimate(), Out: estimate(a.Text), Estimated: true}
		for _, call := range a.ToolCalls {
			a.Usage.Out += estimate(call.Name) + estimate(call.Arguments)
		}
	}
	called := len(a.ToolCalls) > 0
	a.ToolCalls = offered(a.ToolCalls, r.Tools)
	if err == nil && strings.TrimSpace(a.Text) == "" && len(a.ToolCalls) == 0 {
		fault := Empty
		if called {
			fault = UnknownTool
		}
		err = &Error{Fault: fault, Status: 200}
	}
	return a, err
}

// offered returns the calls of tools that exist.
func offered(calls []ToolCall, tools []Tool) []ToolCall {
	var known []ToolCall
	for _, call := range calls {
		for _, tool := range tools {
			if tool.Name == call.Name {
				known = append(known, call)
				break
			}
		}
	}
	return known
}

// maxTokens is more than any exchange can cost.
const maxTokens = 10_000_000

// The JSON of the interface.

type chatBody struct {
	Model               string          `json:"model"`
	Messages            []Message       `json:"messages"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	Tools               []toolBody      `json:"tools,omitempty"`
	Stream              bool            `json:"stream,omitempty"`
	StreamOptions       *streamOptions  `json:"stream_options,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type responseFormat struct {
	Type   string      `json:"type"`
	Schema *schemaBody `json:"json_schema,omitempty"`
}

type schemaBody struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type toolBody struct {
	Type     string       `json:"type"`
	Function functionBody `json:"function"`
}

type functionBody struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// chatBody returns the request in the words that the server understands.
func (c *Client) chatBody(r Request) chatBody {
	can := c.server.Capabilities
	body := chatBody{Model: c.server.Model, Messages: r.Messages}
	switch can.MaxTokensName {
	case nameMaxTokens:
		body.MaxTokens = r.MaxTokens
	case nameMaxCompletionTokens:
		body.MaxCompletionTokens = r.MaxTokens
	}
	if can.Temperature {
		body.Temperature = new(float64) // the most probable words, and as repeatable as the server can
	}
	switch {
	case r.Schema == nil:
	case can.JSONSchema:
		body.ResponseFormat = &responseFormat{Type: "json_schema", Schema: &schemaBody{Name: r.Schema.Name, Strict: true, Schema: r.Schema.JSON}}
	case can.JSONObject:
		body.ResponseFormat = &responseFormat{Type: "json_object"}
	}
	if can.Tools {
		for _, tool := range r.Tools {
			body.Tools = append(body.Tools, toolBody{Type: "function", Function: functionBody(tool)})
		}
	}
	return body
}

// usageBody is the usage as servers tell it.
type usageBody struct {
	In  int `json:"prompt_tokens"`
	Out int `json:"completion_tokens"`
}

// A content is the text of a message: a string, null, or a list of parts.
type content string

// UnmarshalJSON accepts all forms. What is not text is left out.
func (c *content) UnmarshalJSON(raw []byte) error {
	var text *string
	if json.Unmarshal(raw, &text) == nil {
		if text != nil {
			*c = content(*text)
		}
		return nil
	}
	var parts few[struct {
		Text string `json:"text"`
	}]
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Text)
	}
	*c = content(b.String())
	return nil
}

// maxFew is the most elements of a list in an answer. Without a limit, a list of
// empty objects would take a hundred times the memory of its text.
const maxFew = 64

// errList refuses a list. It is only seen as [Broken].
var errList = errors.New("model: this is no list, or one too long")

// A few is a list of at most maxFew elements.
type few[T any] []T

// UnmarshalJSON reads a list, or null.
func (f *few[T]) UnmarshalJSON(raw []byte) error {
	*f = nil
	if string(raw) == "null" {
		return nil
	}
	from := json.NewDecoder(bytes.NewReader(raw))
	if start, err := from.Token(); err != nil || start != json.Delim('[') {
		return errList
	}
	for from.More() {
		if len(*f) == maxFew {
			return errList
		}
		var one T
		if err := from.Decode(&one); err != nil {
			return err
		}
		*f = append(*f, one)
	}
	return nil
}

type messageBody struct {
	Content   content       `json:"content"`
	ToolCalls few[callBody] `json:"tool_calls"`
}

type callBody struct {
	Index    int `json:"index"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type chatAnswer struct {
	Choices few[struct {
		Message messageBody `json:"message"`
		Delta   messageBody `json:"delta"`
		Finish  string      `json:"finish_reason"`
	}] `json:"choices"`
	Usage *usageBody      `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// failed returns the failure that an answer with status 200 reports.
func (a *chatAnswer) failed(c *Client) error {
	if len(a.Error) == 0 || string(a.Error) == "null" {
		return nil
	}
	e := &Error{Fault: Failed, Status: 200}
	e.Code, e.Detail = c.told([]byte(`{"error":` + string(a.Error) + `}`))
	return e
}

// chat reads an answer that is not streamed.
func (x *exchange) chat(r Request) (Answer, error) {
	var body chatAnswer
	if err := x.whole(&body); err != nil {
		return Answer{}, err
	}
	return x.client.wholeAnswer(&body)
}

// wholeAnswer returns the answer of a body that is not streamed.
func (c *Client) wholeAnswer(body *chatAnswer) (Answer, error) {
	if err := body.failed(c); err != nil {
		return Answer{}, err
	}
	if len(body.Choices) == 0 {
		return Answer{}, &Error{Fault: Broken, Status: 200}
	}
	first := body.Choices[0]
	a := Answer{Text: string(first.Message.Content), Finish: first.Finish}
	if body.Usage != nil {
		a.Usage = Usage{In: body.Usage.In, Out: body.Usage.Out}
	}
	size := len(a.Text)
	for _, call := range first.Message.ToolCalls {
		size += len(call.Function.Name) + len(call.Function.Arguments)
		a.ToolCalls = append(a.ToolCalls, ToolCall{Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	if size > maxText {
		return Answer{Usage: a.Usage}, &Error{Fault: TooLarge, Status: 200}
	}
	return a, nil
}
