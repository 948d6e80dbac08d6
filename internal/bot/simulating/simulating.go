// Package simulating replays the past: what would the automated agent have done
// about the first question of each conversation of a product?
//
// A simulation is a walk through the conversations in steps, so that it needs no
// job, survives restarts, and ends when nobody asks for the next step. It sends
// and stores nothing. A model's tokens count in the product's budget, and each
// step has a limit of its own.
//
// It stands over the desk and the package that decides answers, and has no
// statements.
package simulating

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/desk"
)

const (
	// stepTime is after what time a step begins with no other conversation.
	stepTime = 20 * time.Second
	// answerTime is the longest that one answer may take.
	answerTime = 40 * time.Second
	// maxMessages is how many messages of a conversation are read.
	maxMessages = 50
)

// A Service simulates. Its methods may be called by many goroutines.
type Service struct {
	desk     *desk.Desk
	answerer *answering.Answerer
}

// New returns a Service over a desk and the agent's answers.
func New(d *desk.Desk, a *answering.Answerer) *Service { return &Service{desk: d, answerer: a} }

// A Plan says what to simulate.
type Plan struct {
	Workspace parley.WorkspaceID
	Product   parley.ID
	Since     time.Time // of the first questions
	NoModel   bool      // only search for articles
	MaxTokens int       // that the next step may use; 0: none, as with NoModel
}

// A Step is a part of a simulation.
type Step struct {
	Answers []parley.SimulatedAnswer
	Tokens  int64 // that the model used
	Read    int   // conversations, those that were left out too
	Next    parley.Position
	HasMore bool
}

// Step simulates at most limit conversations after a position, the most recently
// active first; it may end earlier, to end soon. Conversations without a first
// question of the customer, and spam, are left out. A product that does not exist
// is NotFound.
func (svc *Service) Step(ctx context.Context, p Plan, after parley.Position, limit int) (Step, error) {
	if _, err := svc.desk.Product(p.Workspace, p.Product).Now(ctx); err != nil {
		return Step{}, err
	}
	begun, step := time.Now(), Step{Next: after, HasMore: true}
	for range limit {
		page, err := svc.desk.Conversations(parley.WholeWorkspace(p.Workspace), desk.ConversationFilter{ProductID: parley.Some(p.Product)}, step.Next, 1).Now(ctx)
		if err != nil {
			return step, err
		}
		step.Next, step.HasMore = page.Next, page.HasMore
		if len(page.Items) > 0 {
			c := page.Items[0]
			step.Read++
			if c.LastActivityAt.Before(p.Since) { // as all that follow
				step.Next, step.HasMore = parley.Position{}, false
				return step, nil
			}
			if err := svc.simulate(ctx, p, c.ID, &step); err != nil {
				return step, err
			}
		}
		if !step.HasMore || time.Since(begun) > stepTime {
			break
		}
	}
	return step, nil
}

// simulate adds the answer to the first question of a conversation, if it has one.
func (svc *Service) simulate(ctx context.Context, p Plan, conversation parley.ID, step *Step) error {
	page, err := svc.desk.Messages(parley.WholeWorkspace(p.Workspace), desk.MessageQuery{ConversationID: conversation, Order: parley.Ascending, Limit: maxMessages}).Now(ctx)
	if parley.KindOf(err) == parley.NotFound {
		return nil // deleted meanwhile
	}
	if err != nil {
		return err
	}
	question, human := split(answering.TurnsOf(page.Items))
	if len(question) == 0 || question[0].At.Before(p.Since) {
		return nil
	}
	q := answering.Question{Workspace: p.Workspace, Product: p.Product, Turns: question, NoModel: p.NoModel || p.MaxTokens == 0}
	q.MaxTokens = max(p.MaxTokens-int(step.Tokens), 1)
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	out, err := svc.answerer.Answer(limited, q, nil)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		out, err = answering.Outcome{Kind: answering.HandOver, Reason: answering.ModelDown}, nil
	}
	if err != nil {
		return err
	}
	tokens := int64(out.Usage.In + out.Usage.Out)
	step.Tokens += tokens
	step.Answers = append(step.Answers, parley.SimulatedAnswer{
		ConversationID: conversation, AskedAt: question[0].At, Question: joined(question), Human: joined(human), Kind: string(out.Kind), Reason: string(out.Reason),
		Text: cut(out.Text), Draft: cut(out.Draft), Sources: sources(out.Sources, human), Tokens: tokens,
	})
	return nil
}

// split returns the customer's messages before anybody else wrote, and the first
// ones of members in a row.
func split(turns []answering.Turn) (question, human []answering.Turn) {
	at := 0
	for at < len(turns) && turns[at].From == answering.Customer {
		at++
	}
	question = turns[:at]
	for at < len(turns) && turns[at].From != answering.Member {
		at++
	}
	from := at
	for at < len(turns) && turns[at].From == answering.Member {
		at++
	}
	return question, turns[from:at]
}

func sources(of []answering.Source, human []answering.Turn) []parley.SimulatedSource {
	all := make([]parley.SimulatedSource, len(of))
	for i, s := range of {
		all[i] = parley.SimulatedSource{ArticleID: s.ArticleID, Language: s.Language, Title: s.Title, Slug: s.Slug, Linked: leadsTo(human, s.Slug)}
	}
	return all
}

// leadsTo reports whether messages have a link that ends with a slug.
func leadsTo(turns []answering.Turn, slug string) bool {
	for _, turn := range turns {
		for word := range strings.FieldsSeq(turn.Text) {
			word, _, _ = strings.Cut(word, "#")
			if strings.HasSuffix(strings.TrimRight(word, ".,;:!?)]>\"'/"), "/"+slug) {
				return true
			}
		}
	}
	return false
}

// joined returns messages as one text.
func joined(turns []answering.Turn) string {
	texts := make([]string, len(turns))
	for i, turn := range turns {
		texts[i] = cut(turn.Text)
	}
	return cut(strings.Join(texts, "\n"))
}

// cut returns the beginning of a text.
func cut(text string) string {
	if len(text) <= parley.MaxSimulatedText || utf8.RuneCountInString(text) <= parley.MaxSimulatedText {
		return text
	}
	return string([]rune(text)[:parley.MaxSimulatedText-1]) + "…"
}
