package bot

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/desk"
	"parley/internal/live"
	"parley/internal/store"
	"parley/internal/wire"
)

// maxTurns is how many messages of a conversation a question has at most.
const maxTurns = 60

// take claims a job and runs it.
func (s *Service) take(ctx context.Context, ws parley.WorkspaceID, due desk.AgentJob) {
	held, err := s.claim(ctx, ws, due)
	if err == nil {
		if err = s.run(ctx, ws, held); err != nil && ctx.Err() == nil && !errors.Is(err, errMoved) {
			s.log.Warn("agent: run failed, retrying", "workspace", ws, "conversation", held.ConversationID, "attempts", held.Attempts, "error", err)
			err = s.retry(ctx, ws, held)
		}
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, errMoved) {
		s.log.Warn("agent: store of a job failed, its lease runs out", "workspace", ws, "conversation", due.ConversationID, "error", err)
	}
}

// run answers what a job asks and stores the outcome.
func (s *Service) run(ctx context.Context, ws parley.WorkspaceID, held desk.AgentJob) error {
	asked, err := s.question(ctx, ws, held)
	if err != nil {
		return err
	}
	var out answering.Outcome
	switch {
	case !asked.wanted:
	case held.Attempts > maxAttempts:
		out = answering.Outcome{Kind: answering.HandOver, Reason: answering.Broken, Summary: asked.note(answering.Broken).String()}
	default:
		if out, err = s.answer(ctx, ws, held, &asked); err != nil {
			return err
		}
	}
	_, err = desk.Write(ctx, s.desk, by(ws), func(t *desk.Tx) (struct{}, error) { return struct{}{}, finish(t, held, &asked, &out) })
	return err
}

// An asked is what a job asks.
type asked struct {
	wanted   bool // the agent still has the conversation
	question answering.Question
	audience parley.Audience
}

// question reads what a job asks: nothing but this conversation since it was last
// opened, and of that what the customer sees.
func (s *Service) question(ctx context.Context, ws parley.WorkspaceID, held desk.AgentJob) (asked, error) {
	return desk.Snapshot(s.desk, func(v *store.View) (asked, error) {
		var a asked
		job, err := current(v, ws, held)
		if err != nil {
			return a, err
		}
		all := parley.WholeWorkspace(ws)
		c, err := v.Conversation(all, held.ConversationID)
		if err != nil {
			return a, err
		}
		a.audience = parley.Audience{ContactID: c.Contact.ID, InboxID: c.Inbox.ID}
		a.question = answering.Question{Workspace: ws, Product: c.Product.ID, NoModel: c.Product.Agent == parley.AgentCards}
		page, err := v.PublicMessages(all, c.ID, parley.Position{}, maxTurns)
		if err != nil {
			return a, err
		}
		for _, m := range since(page.Items, c.OpenedAt) {
			a.add(&m)
		}
		a.askLast(job.FirstAt)
		a.wanted = desk.AgentMayAnswer(&c) && len(a.question.Turns) > 0 && a.question.Turns[len(a.question.Turns)-1].From == answering.Customer
		return a, nil
	}).Now(ctx)
}

// askLast moves what the customer has asked since a time behind the answers that the
// agent gave meanwhile to the messages before.
func (a *asked) askLast(first time.Time) {
	open := func(t answering.Turn) bool { return t.From == answering.Customer && !t.At.Before(first) }
	turns := a.question.Turns
	from := slices.IndexFunc(turns, open)
	if from < 0 || slices.ContainsFunc(turns[from:], func(t answering.Turn) bool { return t.From == answering.Member }) {
		return
	}
	slices.SortStableFunc(turns[from:], func(x, y answering.Turn) int {
		switch {
		case open(x) == open(y):
			return 0
		case open(y):
			return -1
		}
		return 1
	})
}

// answer asks for an outcome, while the lease is renewed and the customer sees the
// sentences that are already certain. A panic must not end the process, because the
// next process would run the same job.
func (s *Service) answer(ctx context.Context, ws parley.WorkspaceID, held desk.AgentJob, a *asked) (out answering.Outcome, err error) {
	work, cancel := context.WithTimeout(ctx, longestRun)
	defer cancel()
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		s.keep(work, cancel, ws, held)
	}()
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("agent: run panicked", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
		cancel()
		<-kept
	}()
	number := 0
	return s.o.Answer(work, a.question, func(part answering.Sentence) error {
		s.o.Signal(work, ws, live.Signal{
			Name: "answering", To: a.audience, Data: wire.AppendAgentSentence(nil, held.ConversationID, held.Owner, number, part.Text),
		})
		number++
		return work.Err()
	})
}

// note describes to the members what is asked, for a reason to hand over.
func (a *asked) note(reason answering.Reason) *answering.Note {
	return &answering.Note{Reason: reason, Turns: a.question.Turns, Answers: a.question.Answers, Failures: a.question.Failures}
}

// since returns the messages, the oldest first, that are not before a time.
func since(messages []parley.Message, opened time.Time) []parley.Message {
	from := slices.IndexFunc(messages, func(m parley.Message) bool { return !m.CreatedAt.Before(opened) })
	if from < 0 {
		return nil
	}
	return messages[from:]
}

// add adds a message to a question. Lines by Parley itself say nothing about it.
func (a *asked) add(m *parley.Message) {
	turn, q := answering.Turn{From: answering.Member, Text: m.Content, At: m.CreatedAt}, &a.question
	switch answer := m.Agent.Answer(); {
	case m.Sender.Type == parley.SenderSystem:
		return
	case m.Direction == parley.Incoming:
		turn.From = answering.Customer
	case answer.Kind != "":
		turn.From = answering.Bot
		q.Answers++
		if answer.Failed {
			q.Failures++
		}
	}
	q.Turns = append(q.Turns, turn)
}
