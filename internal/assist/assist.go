// Package assist helps members to write: it drafts an answer from articles,
// summarizes a conversation, rewrites a text, and translates. What it returns is
// shown to the member, and sent by nobody else.
//
// A model gets only what the task needs, of one conversation that the member may
// see. What may go to the customer is never made from private notes, and a
// summary only if the member asks for them. Drafts rest on published articles.
// What the model claims beyond its material is marked.
//
// It stands over the desk, providers and the agent's packages, and has no
// statements. Calls are paid from the product's budget.
package assist

import (
	"context"
	"log/slog"
	"strings"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/bot/claims"
	"parley/internal/bot/language"
	"parley/internal/desk"
	"parley/internal/providers"
)

// A Task is what a member asks for.
type Task string

// The tasks.
const (
	Draft     Task = "draft"     // an answer from articles
	Summarize Task = "summarize" // the conversation
	Rewrite   Task = "rewrite"   // a text, in a Style
	Translate Task = "translate" // a text, into the language of a Reader
)

// A Style is how a text is rewritten.
type Style string

// The styles.
const (
	Shorter    Style = "shorter"
	Friendlier Style = "friendlier"
	Formal     Style = "formal"
	Spelling   Style = "spelling" // only mistakes are corrected
)

// A Reader is for whom a text is translated.
type Reader string

// The readers.
const (
	ForCustomer Reader = "customer"
	ForMember   Reader = "member"
)

// MaxText is the most characters of a text to rewrite or translate.
const MaxText = 10_000

// maxMessages is how many of the latest messages of a conversation are read.
const maxMessages = 100

// A Request is what a member asks for.
type Request struct {
	Conversation parley.ID
	Task         Task
	Style        Style           // of Rewrite
	Reader       Reader          // of Translate
	Text         string          // of Rewrite and Translate; "" with ForMember: what the customer wrote last
	Language     parley.Language // of the member, for summaries and ForMember
	Notes        bool            // a summary may rest on private notes too
}

// A Result is what a member gets.
type Result struct {
	Text     string
	Language parley.Language    // of the text, "" if unknown
	Sources  []answering.Source // of a draft
	// Unchecked are claims of the text that stand neither in its sources nor in
	// what it was made from.
	Unchecked []claims.Claim
	Problem   string // why there is no text, in words for the member; "" if there is
}

// Options are what a Service uses.
type Options struct {
	Desk      *desk.Desk
	Providers *providers.Service
	Answerer  *answering.Answerer
	Log       *slog.Logger
}

// A Service helps members. Its methods may be called by many goroutines.
type Service struct {
	o Options
}

// New returns a Service.
func New(o Options) *Service { return &Service{o: o} }

// Available reports whether the workspace has a model.
func (svc *Service) Available(ws parley.WorkspaceID) desk.Read[bool] { return svc.o.Providers.Any(ws) }

// A Job is a request that can be met.
type Job struct {
	svc     *Service
	request Request
	talk    talk
	chosen  providers.Chosen
}

// Prepare reads what a request needs. The conversation is NotFound if the member
// may not see it. Without a product, a model, or a text to work on, it is a
// Conflict.
func (svc *Service) Prepare(ctx context.Context, vis parley.Visibility, r Request) (*Job, error) {
	thread, err := svc.o.Desk.Thread(vis, r.Conversation, parley.Position{}, maxMessages).Now(ctx)
	if err != nil {
		return nil, err
	}
	product := thread.Conversation.Product.ID
	if product.IsZero() {
		return nil, parley.Errorf(parley.Conflict, "the conversation has no product, so no language model helps with it")
	}
	j := &Job{svc: svc, request: r, talk: talk{workspace: vis.Workspace(), product: product, messages: thread.Messages.Items}}
	j.chosen, err = svc.o.Providers.Choose(ctx, vis.Workspace(), product)
	if parley.KindOf(err) == parley.NotFound {
		return nil, parley.Errorf(parley.Conflict, "the workspace has no language model")
	}
	if err != nil {
		return nil, err
	}
	return j, j.check()
}

// check returns why a request cannot be met.
func (j *Job) check() error {
	r := &j.request
	r.Text = strings.TrimSpace(r.Text)
	switch {
	case r.Task == Translate && r.Reader == ForMember && r.Text == "":
		if r.Text = j.talk.asked(); r.Text == "" {
			return parley.Errorf(parley.Conflict, "the customer has written nothing")
		}
	case (r.Task == Rewrite || r.Task == Translate) && r.Text == "":
		return parley.InvalidField("text", "not be empty")
	case r.Task == Draft && j.talk.asked() == "":
		return parley.Errorf(parley.Conflict, "the customer has written nothing")
	case r.Task == Summarize && j.talk.transcript(r.Notes) == "":
		return parley.Errorf(parley.Conflict, "the conversation has no text")
	}
	if r.Task == Translate && r.Reader == ForCustomer {
		if r.Language = j.talk.language(); r.Language == "" {
			return parley.Errorf(parley.Conflict, "the customer's language is not known")
		}
	}
	return nil
}

// Run asks the model, and gives emit each piece of the text as it arrives. An
// error of emit ends the work and is returned; all others are of the store, or
// of ctx. What the model fails at is the Problem of the result.
func (j *Job) Run(ctx context.Context, emit func(piece string) error) (Result, error) {
	if j.request.Task == Draft {
		return j.draft(ctx, emit)
	}
	return j.write(ctx, emit)
}

// draft drafts an answer.
func (j *Job) draft(ctx context.Context, emit func(string) error) (Result, error) {
	out, err := j.svc.o.Answerer.Propose(ctx, j.talk.question(), func(s answering.Sentence) error { return emit(s.Text) })
	if err != nil {
		return Result{}, err
	}
	result := Result{Language: out.Language}
	switch {
	case out.Draft != "":
		result.Text, result.Sources, result.Unchecked = out.Draft, out.Sources, out.Unchecked
	case out.Kind == answering.Answer, out.Reason == answering.Unclear:
		result.Text, result.Sources = out.Text, out.Sources
	default:
		result.Problem = answering.Why(out.Reason)
	}
	return result, nil
}

// unchecked returns the claims of a text that its material does not have.
func unchecked(text, material string, of parley.Language) []claims.Claim {
	facts := claims.Collect([]claims.Source{{Text: material, Language: language.Of(material)}})
	return facts.Check(text, claims.Rules{Language: string(of)})
}
