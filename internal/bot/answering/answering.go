// Package answering decides what the automated agent does about a customer's
// question: answer it, show articles, ask back, or hand over to a person.
//
// Code decides and the model proposes. A question contains nothing but visible
// messages of one conversation; to these the package adds published articles of
// one product, and nothing else reaches a model. A model's sentence goes to a
// customer only after its figures, dates, links and promises were found in the
// sources that it cites. Without a model, or when it fails, there are still
// articles and people. Embeddings put the likely articles in order, and nothing else.
//
// It stores nothing and sends nothing: whoever asks does both. It stands over the
// desk, knowledge and its index, providers, and the pure packages of the agent,
// and has no statements.
package answering

import (
	"context"
	"log/slog"
	"time"

	"parley"
	"parley/internal/bot/claims"
	"parley/internal/bot/reranking"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/model"
	"parley/internal/providers"
)

// A Speaker wrote a turn.
type Speaker string

// The speakers.
const (
	Customer Speaker = "customer"
	Bot      Speaker = "bot"
	Member   Speaker = "member" // a person of the team
)

// A Turn is a message that the customer sees. Notes are none.
type Turn struct {
	From Speaker
	Text string
	At   time.Time
}

// A Question is all that an answer is made from, besides the product's published
// articles. It has no names and nothing of other conversations.
type Question struct {
	Workspace parley.WorkspaceID
	Product   parley.ID // zero: only articles for all products
	// Language is that of the customer's page or browser, "" if unknown. The
	// language of the messages counts more.
	Language parley.Language
	// Turns are the conversation since it was last opened, the oldest first. The
	// last one is the customer's.
	Turns    []Turn
	Answers  int  // messages of the agent among the turns
	Failures int  // of its answers that did not help
	NoModel  bool // show articles, even if the product has a model
	// MaxTokens is how many tokens the model may use for it, by estimates that
	// are rather too high; 0: what the product's budget has left.
	MaxTokens int
}

// A Kind says what to do.
type Kind string

// The kinds.
const (
	Answer     Kind = "answer"     // Text is an answer from Sources
	Cards      Kind = "cards"      // Text introduces Sources, at most MaxCards
	Clarify    Kind = "clarify"    // Text asks back
	HandOver   Kind = "hand_over"  // Text says so; Sources may help meanwhile
	Suggestion Kind = "suggestion" // HandOver, and a Draft for a member
)

// MaxCards is the most articles that are shown instead of an answer.
const MaxCards = 3

// A Reason says why something else than an answer was chosen.
type Reason string

// The reasons.
const (
	Asked       Reason = "asked"        // for a person
	Greeting    Reason = "greeting"     // and nothing else
	Unhelped    Reason = "unhelped"     // the customer says that the answer did not help
	NoArticle   Reason = "no_article"   // none is likely to answer
	FailedTwice Reason = "failed_twice" // two answers did not help
	Turns       Reason = "turns"        // the limit of answers in a row is reached
	OtherTongue Reason = "language"     // the agent does not answer in it
	ModelOff    Reason = "model_off"    // the question has NoModel, or no product
	NoProvider  Reason = "no_provider"  // of a model
	Budget      Reason = "budget"       // the tokens of the day are used up
	ModelDown   Reason = "model_down"   // or it answers nonsense
	Unclear     Reason = "unclear"      // the model asks back
	Declined    Reason = "declined"     // the model found no answer in the articles
	Unchecked   Reason = "unchecked"    // the model claims what no source says
	Broken      Reason = "broken"       // runs failed; whoever runs them gives it
)

// A Source is a published article that an answer rests on.
type Source struct {
	ArticleID parley.ID
	Language  parley.Language
	Version   int64
	Title     string
	Slug      string
	Path      string // on this server, "" if the product has no open help center
}

// A Sentence is a part of an answer that may be shown at once, because it was
// checked.
type Sentence struct {
	Text    string // with the space or line break that precedes it
	Sources []Source
}

// An Outcome is what to do about a question.
type Outcome struct {
	Kind   Kind
	Reason Reason // "" of an Answer
	// Text is what the customer reads, whatever the kind. It replaces all
	// sentences that were shown before.
	Text     string
	Language parley.Language // of Text, "" if unknown
	Sources  []Source        // the most important first
	// Draft is for members only: an answer with claims that no source supports.
	Draft     string
	Unchecked []claims.Claim // these claims
	// Summary is the text of the [Note] of a HandOver or Suggestion.
	Summary string
	// Missed is the question of a hand-over for NoArticle, to be counted as a gap.
	Missed *knowledge.Miss
	// Failed reports that the customer's message says that the answer before did
	// not help. The next question must count it among its Failures.
	Failed bool
	Usage  model.Usage
	Model  string // that was asked, "" for none
}

// HandsOver reports whether a person must take over.
func (o *Outcome) HandsOver() bool { return o.Kind == HandOver || o.Kind == Suggestion }

// Options are what an Answerer uses.
type Options struct {
	Desk      *desk.Desk
	Knowledge *knowledge.Service
	Articles  *answers.Service
	Providers *providers.Service
	// PublicURL is the address of this server, such as https://help.example, ""
	// if unknown. Answers may then contain links to their own sources.
	PublicURL string
	Log       *slog.Logger
}

// An Answerer answers. Its methods may be called by many goroutines.
type Answerer struct {
	o        Options
	reranker *reranking.Reranker
}

// New returns an Answerer. A process needs one, which has the vectors of passages.
func New(o Options) *Answerer {
	return &Answerer{o: o, reranker: reranking.New(reranking.Options{Providers: o.Providers, Clock: o.Desk.Base().Clock, Log: o.Log})}
}

// Answer decides what to do about a question. While a model answers, emit gets
// each sentence as soon as it was checked; an error of emit ends the work and is
// returned. A nil emit is not called. A question whose last turn is not the
// customer's is an error. All other errors are of the store, or of ctx: a model
// that fails makes a HandOver.
func (a *Answerer) Answer(ctx context.Context, q Question, emit func(Sentence) error) (Outcome, error) {
	t, err := readTalk(q)
	if err != nil {
		return Outcome{}, err
	}
	return a.begin(q, t, emit).decide(ctx)
}

func (a *Answerer) begin(q Question, t talk, emit func(Sentence) error) *work {
	return &work{Answerer: a, q: q, talk: t, emit: emit, texts: map[parley.ID][]parley.PublishedText{}}
}
