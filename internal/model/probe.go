package model

import (
	"context"
	"encoding/json"
	"errors"
)

// The names under which servers take the limit of an answer.
const (
	nameMaxTokens           = "max_tokens"
	nameMaxCompletionTokens = "max_completion_tokens"
)

// Capabilities are what a server was seen to do. They are stored; the zero value
// asks for nothing that any server lacks.
type Capabilities struct {
	// MaxTokensName is the name under which the server takes the limit of an
	// answer: max_tokens, max_completion_tokens, or "" if it takes none.
	MaxTokensName string `json:"maxTokensName"`
	Temperature   bool   `json:"temperature"` // it accepts 0
	Streaming     bool   `json:"streaming"`
	Usage         bool   `json:"usage"`       // it tells what a whole answer cost
	StreamUsage   bool   `json:"streamUsage"` // it tells what a streamed answer cost
	JSONSchema    bool   `json:"jsonSchema"`  // answers follow a schema
	JSONObject    bool   `json:"jsonObject"`  // answers are an object on request
	Tools         bool   `json:"tools"`
	Dimension     int    `json:"dimension"` // of embeddings; 0: none
}

// probeTokens is the limit of the answers of a probe. Models that think before
// they speak need some.
const probeTokens = 1000

// Probe finds out what the server can do, by at most ten short requests. The
// prompts are fixed and contain nothing of anybody. It returns an error if the
// server does not answer a simple question; everything else only costs a
// capability.
func (c *Client) Probe(ctx context.Context) (Capabilities, error) {
	p := &probe{Client: *c}
	p.server.Capabilities = Capabilities{}
	if err := p.plain(ctx); err != nil {
		return Capabilities{}, err
	}
	for _, step := range []func(context.Context) error{p.streams, p.schemas, p.tools, p.embeddings} {
		if err := step(ctx); err != nil {
			return Capabilities{}, err
		}
	}
	return p.server.Capabilities, nil
}

// A probe is a client that learns.
type probe struct{ Client }

func (p *probe) can() *Capabilities { return &p.server.Capabilities }

func ask(question string) Request {
	return Request{MaxTokens: probeTokens, Messages: []Message{{Role: System, Content: "You are being tested. Answer in one word."}, {Role: User, Content: question}}}
}

// plain asks a simple question, in one wording after the other until the
// server accepts one.
func (p *probe) plain(ctx context.Context) error {
	var err error
	for _, wording := range []Capabilities{
		{MaxTokensName: nameMaxTokens, Temperature: true},
		{MaxTokensName: nameMaxCompletionTokens, Temperature: true},
		{MaxTokensName: nameMaxCompletionTokens},
		{MaxTokensName: nameMaxTokens},
		{},
	} {
		*p.can() = wording
		var a Answer
		if a, err = p.Chat(ctx, ask("Say: ready")); err == nil {
			p.can().Usage = !a.Usage.Estimated
			return nil
		}
		var e *Error
		if !errors.As(err, &e) || e.Fault != Refused {
			break // other words would not help
		}
	}
	return err
}

// streams asks for an answer in pieces, with and then without the usage.
func (p *probe) streams(ctx context.Context) error {
	for _, usage := range []bool{true, false} {
		p.can().Streaming, p.can().StreamUsage = true, usage
		a, err := p.Stream(ctx, ask("Say: ready"), func(string) error { return nil })
		if err == nil && a.Streamed {
			p.can().StreamUsage = usage && !a.Usage.Estimated
			return nil
		}
		p.can().Streaming, p.can().StreamUsage = false, false
		if err := lacking(err); err != nil {
			return err
		}
	}
	return nil
}

// schemas asks for an answer in a form, and then for any object.
func (p *probe) schemas(ctx context.Context) error {
	r := ask(`Name the capital of France, as JSON: {"city":"…"}`)
	r.Schema = &Schema{Name: "capital", JSON: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)}
	for _, form := range []*bool{&p.can().JSONSchema, &p.can().JSONObject} {
		*form = true
		a, err := p.Chat(ctx, r)
		var object struct {
			City *string `json:"city"`
		}
		if err == nil && json.Unmarshal([]byte(a.Text), &object) == nil && object.City != nil {
			continue
		}
		*form = false
		if err := lacking(err); err != nil {
			return err
		}
	}
	return nil
}

// tools offers a tool.
func (p *probe) tools(ctx context.Context) error {
	r := ask("What time is it in Paris? Call the tool current_time to find out.")
	r.Tools = []Tool{{
		Name: "current_time", Description: "Returns the time in a city.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
	}}
	p.can().Tools = true
	a, err := p.Chat(ctx, r)
	p.can().Tools = err == nil && len(a.ToolCalls) == 1 && json.Valid([]byte(a.ToolCalls[0].Arguments))
	return lacking(err)
}

// embeddings asks for vectors, if the server has a model for them.
func (p *probe) embeddings(ctx context.Context) error {
	if p.server.EmbeddingModel == "" {
		return nil
	}
	vectors, _, err := p.Embed(ctx, []string{"a parcel", "an invoice"})
	if err == nil {
		p.can().Dimension = len(vectors[0])
	}
	return lacking(err)
}

// lacking returns an error only if it says something about the whole server, and
// nothing about what was asked for: some servers answer with 500 what they do
// not understand.
func lacking(err error) error {
	var e *Error
	if err == nil {
		return nil
	}
	if !errors.As(err, &e) || e.Fault == Unauthorized || e.Fault == Limited || e.Fault == Unreachable {
		return err
	}
	return nil
}
