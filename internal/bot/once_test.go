package bot_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/bot"
	"parley/internal/bot/answering"
	"parley/internal/bot/results"
	"parley/internal/desk"
	"parley/internal/store"
)

// TestDeath ends a node at each step of a run: another one answers once the lease has
// expired, and not before.
func TestDeath(t *testing.T) {
	steps := map[string]func(end context.CancelFunc) answerer{
		"before a word": func(end context.CancelFunc) answerer {
			return func(ctx context.Context, _ answering.Question, _ func(answering.Sentence) error) (answering.Outcome, error) {
				end()
				return answering.Outcome{}, ctx.Err()
			}
		},
		"after some sentences": func(end context.CancelFunc) answerer {
			return func(_ context.Context, _ answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error) {
				err := emit(answering.Sentence{Text: "We"})
				end()
				return answering.Outcome{}, errors.Join(err, emit(answering.Sentence{Text: "are"}))
			}
		},
		"before the answer is stored": func(end context.CancelFunc) answerer {
			return func(ctx context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error) {
				out, err := echo(ctx, q, emit)
				end()
				return out, err
			}
		},
	}
	each(t, func(t *testing.T, w *world) {
		for name, dying := range steps {
			c, other := w.conversation(), w.node(echo)
			w.must(w.says("c", c, "hello"))
			w.advance(3 * time.Second)
			ctx, end := context.WithCancel(t.Context())
			_ = w.node(dying(end)).RunDue(ctx) // ends with its context
			end()
			for _, look := range []struct {
				after time.Duration
				want  string
			}{{0, "c: hello"}, {14900 * time.Millisecond, "c: hello"}, {100 * time.Millisecond, "c: hello | a: re: hello"}, {time.Hour, "c: hello | a: re: hello"}} {
				w.advance(look.after)
				w.must(other.RunDue(t.Context()))
				if got := w.state(c).said; got != look.want {
					t.Errorf("%s: after %v more the conversation is %s", name, look.after, got)
				}
			}
		}
	})
}

// TestWithoutJob is the control of TestDeath: an answer that is stored apart from its
// job comes twice.
func TestWithoutJob(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.conversation()
		w.must(w.says("c", c, "hello"))
		ended := false
		node := w.node(func(ctx context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error) {
			w.write(w.system(), func(t *desk.Tx) error {
				return t.InsertMessage(w.ws, &parley.Message{
					ID: w.ids.New(t.Now), ConversationID: c, Content: "re: hello", ContentType: parley.Text, Direction: parley.Outgoing, Status: parley.Sent,
					Private: true, Agent: parley.AgentAnswer{Kind: parley.AnswerText}.Record(), Sender: parley.Sender{Type: parley.SenderBot}, CreatedAt: t.Now,
				})
			})
			if !ended {
				ended = true
				return answering.Outcome{}, errors.New("the process ended")
			}
			return answering.Outcome{Kind: answering.Answer, Text: "done"}, nil
		})
		for range 2 {
			w.advance(5 * time.Second)
			w.must(node.RunDue(t.Context()))
		}
		if got := w.state(c).said; strings.Count(got, "re: hello") != 2 {
			t.Errorf("answers apart from their job are %s, so the test sees nothing", got)
		}
	})
}

// TestFailures has every run fail: the pauses double, and then a person gets the
// conversation. A panic is a failure too.
func TestFailures(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c, tries := w.conversation(), 0
		node := w.node(func(context.Context, answering.Question, func(answering.Sentence) error) (answering.Outcome, error) {
			if tries++; tries == 2 {
				panic("no")
			}
			return answering.Outcome{}, errors.New("no")
		})
		w.must(w.says("c", c, "hello"))
		for at := range 40 {
			w.advance(time.Second)
			w.must(node.RunDue(t.Context()))
			if want := map[int]int{2: 1, 4: 2, 8: 3, 16: 4, 39: 4}[at]; want > 0 && tries != want {
				t.Errorf("after %d seconds there were %d tries, want %d", at+1, tries, want)
			}
		}
		got := w.state(c)
		if got.agent != (parley.AgentPart{State: parley.AgentHandedOver, Reason: "broken"}) || !strings.Contains(got.said, "note: Handed over") {
			t.Errorf("in the end the conversation is %s with %v", got.said, got.agent)
		}
	})
}

// TestWritesDuringRun has the customer write while the agent works: the first time it
// begins anew, so that one answer serves all; after that the customer gets the answer,
// and then another one.
func TestWritesDuringRun(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c, runs := w.conversation(), 0
		node := w.node(func(ctx context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error) {
			if runs++; runs < 3 {
				w.must(w.says("c", c, fmt.Sprint("more ", runs)))
			}
			return echo(ctx, q, emit)
		})
		w.must(w.says("c", c, "hello"))
		for range 5 {
			w.advance(3 * time.Second)
			w.must(node.RunDue(t.Context()))
		}
		w.wantSaid(c, "c: hello | c: more 1 | c: more 2 | a: re: hello, more 1 | a: re: more 2", waitingPart)
	})
}

// TestClockWasAhead runs a job whose time was given by a clock that was ahead.
func TestClockWasAhead(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c, node := w.conversation(), w.node(echo)
		w.advance(time.Hour)
		w.must(w.says("c", c, "hello"))
		w.advance(-time.Hour)
		w.must(node.RunDue(t.Context()))
		w.wantSaid(c, "c: hello | a: re: hello", waitingPart)
	})
}

// TestRaces has customers, members, programs and two nodes act at random and at once,
// with runs that fail and nodes that stop. Afterwards every burst has had one answer at
// most, none came after somebody else's, and what nobody took is answered.
func TestRaces(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for seed := range uint64(12) {
			w.race(rand.New(rand.NewPCG(seed, 1)))
		}
	})
}

// race runs a random history of a few conversations.
func (w *world) race(r *rand.Rand) {
	var conversations []parley.ID
	for range 4 {
		conversations = append(conversations, w.conversation())
	}
	var rolling sync.Mutex
	roll := func(n int) int {
		rolling.Lock()
		defer rolling.Unlock()
		return r.IntN(n)
	}
	flaky := func(ctx context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error) {
		switch roll(8) {
		case 0:
			return answering.Outcome{}, errors.New("no")
		case 1:
			return answering.Outcome{Kind: answering.HandOver, Reason: answering.NoArticle, Text: "A person will answer.", Summary: "why"}, nil
		}
		return echo(ctx, q, emit)
	}
	ctx, stop := context.WithCancel(w.t.Context())
	var running sync.WaitGroup
	for range 2 {
		node := w.node(flaky)
		running.Go(func() {
			for ctx.Err() == nil {
				life, end := context.WithTimeout(ctx, time.Duration(1+roll(20))*time.Millisecond)
				_ = node.RunDue(life) // ends with its context
				end()
				w.advance(time.Duration(roll(1500)) * time.Millisecond)
			}
		})
	}
	for i := range 60 {
		c := conversations[roll(len(conversations))]
		var err error
		switch roll(14) {
		case 0:
			err = w.says("m", c, "member")
		case 1:
			err = w.says("b", c, "program")
		case 2:
			err = w.change(c, desk.ConversationChange{AssigneeID: parley.Some(w.member)})
		case 3:
			err = w.change(c, desk.ConversationChange{AssigneeID: parley.Null[parley.UserID]()})
		case 4, 5:
			err = w.change(c, desk.ConversationChange{Status: parley.Some(parley.Resolved)})
		case 6:
			w.write(w.system(), func(t *desk.Tx) error {
				found, err := t.Conversation(t.Visibility, c)
				return errors.Join(err, bot.AskForPerson(t, &found))
			})
		default:
			err = w.says("c", c, fmt.Sprintf("(%d)", i))
		}
		w.must(err)
	}
	stop()
	running.Wait()
	w.drain(w.node(echo), conversations)
}

// drain lets a node finish, and checks what is stored.
func (w *world) drain(node *bot.Service, conversations []parley.ID) {
	for range 30 {
		w.advance(20 * time.Second)
		w.must(node.RunDue(w.t.Context()))
	}
	for _, id := range conversations {
		got := w.state(id)
		if got.job != nil {
			w.t.Errorf("there is still the job %+v of %s", got.job, got.said)
		}
		if problem := w.problem(id, got.c); problem != "" {
			w.t.Errorf("%s: %s with %v", problem, got.said, got.agent)
		}
	}
}

// problem returns what is wrong with a conversation: the agent wrote after somebody
// else, answered a message twice, or forgot one.
func (w *world) problem(id parley.ID, c parley.Conversation) string {
	page, err := desk.View(w.desk, func(v *store.View) (parley.Page[parley.Message], error) {
		return v.PublicMessages(parley.WholeWorkspace(w.ws), id, parley.Position{}, 200)
	}).Now(w.t.Context())
	w.must(err)
	last, answers := "", ""
	for i := range page.Items {
		who := speaker(&page.Items[i])
		switch {
		case who == "a" && last != "c" && last != "a":
			return "the agent wrote after " + last
		case who == "a":
			answers += page.Items[i].Content
		}
		last = who
	}
	for i := range 60 {
		if strings.Count(answers, fmt.Sprintf("(%d)", i)) > 1 {
			return fmt.Sprintf("message %d was answered twice", i)
		}
	}
	if last == "c" && c.Agent.State == parley.AgentWaiting {
		return "the customer was forgotten"
	}
	return w.miscounted(id, c.Agent)
}

// miscounted says how what is counted of a conversation differs from the agent's part
// in it. No count is less than nothing.
func (w *world) miscounted(id parley.ID, part parley.AgentPart) string {
	type counted struct {
		result results.Result
		all    []results.Count
	}
	got, err := desk.Snapshot(w.desk, func(v *store.View) (c counted, err error) {
		found, err := results.SelectResults(v, w.ws, []parley.ID{id})
		if len(found) > 0 {
			c.result = found[0]
		}
		if err == nil {
			c.all, err = results.Counts(v, w.ws, 0, 1<<20)
		}
		return c, err
	}).Now(w.t.Context())
	w.must(err)
	over := got.result.Result == parley.AgentHandedOverResult
	switch {
	case slices.ContainsFunc(got.all, func(c results.Count) bool { return c.Count < 0 }):
		return fmt.Sprintf("the counts are %+v", got.all)
	case part.State == parley.AgentHandedOver && (!over || got.result.Reason != part.Reason), part.State == parley.AgentWaiting && (over || got.result.Result == parley.AgentUnfinished):
		return fmt.Sprintf("the result is %+v", got.result)
	}
	return ""
}
