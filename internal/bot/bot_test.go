package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/bot"
	"parley/internal/bot/answering"
	"parley/internal/desk"
	"parley/internal/live"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// An answerer decides in the tests.
type answerer func(ctx context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error)

// A world is a workspace whose product has the agent, and the nodes that share it.
type world struct {
	t       *testing.T
	options store.Options
	desk    *desk.Desk // of the test itself
	clock   atomic.Int64
	ids     *parley.IDs
	ws      parley.WorkspaceID
	member  parley.UserID
	product parley.ID
	contact parley.Contact

	mu      sync.Mutex
	signals []string
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := &world{t: t, options: o, ids: parley.NewIDs(nil)}
		w.clock.Store(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
		w.desk = w.newDesk()
		w.found()
		test(t, w)
	})
}

func (w *world) now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

func (w *world) advance(d time.Duration) { w.clock.Add(d.Milliseconds()) }

func (w *world) newDesk() *desk.Desk {
	return desk.New(desk.Options{Store: storetest.Open(w.t, w.options), Clock: w.now, IDs: w.ids, Log: storetest.Quiet()})
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// write runs a change as somebody.
func (w *world) write(by desk.Caller, change func(t *desk.Tx) error) {
	w.t.Helper()
	_, err := desk.Write(w.t.Context(), w.desk, by, func(t *desk.Tx) (struct{}, error) { return struct{}{}, change(t) })
	w.must(err)
}

func (w *world) system() desk.Caller { return desk.Caller{Workspace: w.ws} }

func (w *world) found() {
	w.ws, w.member, w.product = parley.WorkspaceID(w.ids.New(w.now())), w.ids.NewUserID(), w.ids.New(w.now())
	at, inbox := w.now(), w.ids.New(w.now())
	w.write(w.system(), func(t *desk.Tx) error {
		product := parley.Product{ID: w.product, Name: "Shop", Agent: parley.AgentAnswers, CreatedAt: at, UpdatedAt: at}
		err := t.InsertWorkspace(&parley.Workspace{ID: w.ws, Name: "x", Epoch: "e", CreatedAt: at})
		_, failed := t.InsertMember(w.ws, &parley.Member{ID: w.member, Email: "a@x.example", Name: "Ann", Role: parley.Owner, CreatedAt: at, UpdatedAt: at})
		return errors.Join(err, failed,
			t.InsertProduct(w.ws, &product), t.UpdateProduct(w.ws, &product),
			t.InsertInbox(w.ws, &parley.Inbox{ID: inbox, Name: "API", Channel: parley.ChannelAPI, ProductID: w.product, CreatedAt: at, UpdatedAt: at}))
	})
	saved, err := w.desk.SaveContact(w.t.Context(), w.system(), desk.ContactFields{Name: parley.Some("Bo")})
	w.must(err)
	w.contact = saved.Record
}

func (w *world) conversation() parley.ID {
	w.t.Helper()
	c, err := w.desk.CreateConversation(w.t.Context(), w.system(), desk.NewConversation{ContactID: w.contact.ID})
	w.must(err)
	return c.ID
}

// node returns a process of its own.
func (w *world) node(answer answerer) *bot.Service {
	return bot.New(bot.Options{Desk: w.newDesk(), Answer: answer, Signal: func(_ context.Context, _ parley.WorkspaceID, g live.Signal) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.signals = append(w.signals, string(g.Data))
	}})
}

// says writes a message: "c" is the customer, "m" a member, "b" a program that
// answers as the bot, "n" a member's note.
func (w *world) says(who string, conversation parley.ID, text string) error {
	in := desk.NewMessage{Content: text, Direction: parley.Outgoing}
	switch who {
	case "c":
		in.Direction = parley.Incoming
	case "m":
		in.AgentID = w.member
	case "n":
		in.AgentID, in.Private = w.member, true
	}
	_, err := w.desk.PostMessage(w.t.Context(), w.system(), conversation, in)
	return err
}

func (w *world) change(conversation parley.ID, in desk.ConversationChange) error {
	_, err := w.desk.UpdateConversation(w.t.Context(), w.system(), conversation, in)
	return err
}

// echo answers with the texts of the last burst, sentence by sentence.
func echo(_ context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error) {
	var burst []string
	for i := len(q.Turns) - 1; i >= 0 && q.Turns[i].From == answering.Customer; i-- {
		burst = append(burst, q.Turns[i].Text)
	}
	slices.Reverse(burst)
	for _, text := range burst {
		if err := emit(answering.Sentence{Text: text}); err != nil {
			return answering.Outcome{}, err
		}
	}
	return answering.Outcome{Kind: answering.Answer, Text: "re: " + strings.Join(burst, ", ")}, nil
}

// A state is what a test looks at.
type state struct {
	said  string // the conversation: "c: hi | a: re: hi | note: …"
	agent parley.AgentPart
	job   *desk.AgentJob
	c     parley.Conversation
}

func (w *world) state(conversation parley.ID) state {
	w.t.Helper()
	s, err := desk.Snapshot(w.desk, func(v *store.View) (s state, err error) {
		all := parley.WholeWorkspace(w.ws)
		if s.c, err = v.Conversation(all, conversation); err != nil {
			return s, err
		}
		s.agent = s.c.Agent
		page, err := v.Messages(all, conversation, parley.Position{}, 200)
		if err != nil {
			return s, err
		}
		var said []string
		for _, m := range page.Items {
			said = append(said, speaker(&m)+": "+m.Content)
		}
		s.said = strings.Join(said, " | ")
		job, err := desk.SelectAgentJob(v, w.ws, conversation)
		if err == nil {
			s.job = &job
		} else if parley.KindOf(err) == parley.NotFound {
			err = nil
		}
		return s, err
	}).Now(w.t.Context())
	w.must(err)
	if (s.job != nil) != (s.agent.State == parley.AgentAnswering) {
		w.t.Errorf("%s: the part is %v and the job %v", s.said, s.agent, s.job)
	}
	return s
}

func speaker(m *parley.Message) string {
	switch {
	case m.Direction == parley.Incoming:
		return "c"
	case m.Private && m.Sender.Type == parley.SenderBot:
		return "note"
	case m.Private:
		return "n"
	case m.Sender.Type == parley.SenderAgent:
		return "m"
	case m.Agent != "":
		return "a"
	}
	return "b"
}

func (w *world) wantSaid(conversation parley.ID, want string, agent parley.AgentPart) {
	w.t.Helper()
	if got := w.state(conversation); got.said != want || got.agent != agent {
		w.t.Errorf("the conversation is\n%s with %v, want\n%s with %v", got.said, got.agent, want, agent)
	}
}

var (
	answeringPart = parley.AgentPart{State: parley.AgentAnswering}
	waitingPart   = parley.AgentPart{State: parley.AgentWaiting}
	takenPart     = parley.AgentPart{State: parley.AgentTaken}
)

// TestBurst has a customer write in a burst: one answer serves all messages, three
// seconds after the last, and at most fifteen after the first.
func TestBurst(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c, node := w.conversation(), w.node(echo)
		for _, text := range []string{"hi", "my order", "is late"} {
			w.must(w.says("c", c, text))
			w.advance(2900 * time.Millisecond)
			w.must(node.RunDue(t.Context()))
		}
		w.wantSaid(c, "c: hi | c: my order | c: is late", answeringPart)
		w.advance(100 * time.Millisecond)
		w.must(node.RunDue(t.Context()))
		w.must(node.RunDue(t.Context()))
		w.wantSaid(c, "c: hi | c: my order | c: is late | a: re: hi, my order, is late", waitingPart)
		if got := strings.Join(w.signals, ""); strings.Count(got, `"number":2,"text":"is late"`) != 1 || len(w.signals) != 3 {
			t.Errorf("the customer was shown %s", got)
		}
		d := w.conversation()
		for range 5 {
			w.must(w.says("c", d, "x"))
			w.advance(2999 * time.Millisecond)
		}
		w.must(w.says("c", d, "y"))
		w.advance(5 * time.Millisecond)
		w.must(node.RunDue(t.Context()))
		w.wantSaid(d, "c: x | c: x | c: x | c: x | c: x | c: y | a: re: x, x, x, x, x, y", waitingPart)
	})
}

// takers are the ways in which somebody else takes a conversation.
func (w *world) takers() map[string]func(conversation parley.ID) error {
	change := func(in desk.ConversationChange) func(parley.ID) error {
		return func(id parley.ID) error { return w.change(id, in) }
	}
	return map[string]func(parley.ID) error{
		"member writes":  func(id parley.ID) error { return w.says("m", id, "I am here") },
		"program writes": func(id parley.ID) error { return w.says("b", id, "I am here") },
		"assigned":       change(desk.ConversationChange{AssigneeID: parley.Some(w.member)}),
		"resolved":       change(desk.ConversationChange{Status: parley.Some(parley.Resolved)}),
		"pending":        change(desk.ConversationChange{Status: parley.Some(parley.Pending)}),
		"spam":           change(desk.ConversationChange{Spam: parley.Some(true)}),
		"person": func(id parley.ID) error {
			w.write(w.system(), func(t *desk.Tx) error {
				c, err := t.Conversation(t.Visibility, id)
				return errors.Join(err, bot.AskForPerson(t, &c))
			})
			return nil
		},
		"switched off": func(parley.ID) error {
			w.write(w.system(), func(t *desk.Tx) error {
				p, err := t.Product(w.ws, w.product)
				p.Agent = parley.AgentOff
				return errors.Join(err, t.UpdateProduct(w.ws, &p))
			})
			return nil
		},
	}
}

// TestTaken has somebody take the conversation before the agent begins, and while it
// works: it says nothing afterwards, and nothing to the next message either, but for
// those that say nothing about who answers next.
func TestTaken(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, take := range w.takers() {
			for _, during := range []bool{false, true} {
				w.write(w.system(), func(t *desk.Tx) error {
					p, err := t.Product(w.ws, w.product)
					p.Agent = parley.AgentAnswers
					return errors.Join(err, t.UpdateProduct(w.ws, &p))
				})
				c := w.conversation()
				node := w.node(func(ctx context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error) {
					w.must(take(c))
					return echo(ctx, q, emit)
				})
				w.must(w.says("c", c, "hello"))
				if !during {
					w.must(take(c))
				}
				w.advance(time.Minute)
				w.must(node.RunDue(t.Context()))
				got := w.state(c)
				if strings.Contains(got.said, "a: ") || got.job != nil {
					t.Errorf("%s, during the run: %v: the agent said %s, and has %v", name, during, got.said, got.job)
				}
				w.must(w.says("c", c, "more"))
				silent := name != "resolved"
				if got := w.state(c).agent.State; (got == parley.AgentAnswering) == silent {
					t.Errorf("%s, during the run: %v: after the next message the agent's part is %q", name, during, got)
				}
				w.must(w.change(c, desk.ConversationChange{Spam: parley.Some(true)}))
			}
		}
	})
}

// TestNotes leaves the agent at work if a member writes a note.
func TestNotes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c, node := w.conversation(), w.node(echo)
		w.must(w.says("c", c, "hello"))
		w.must(w.says("n", c, "let us see"))
		w.advance(3 * time.Second)
		w.must(node.RunDue(t.Context()))
		w.wantSaid(c, "c: hello | n: let us see | a: re: hello", waitingPart)
		w.must(w.says("m", c, "and I"))
		w.wantSaid(c, "c: hello | n: let us see | a: re: hello | m: and I", takenPart)
	})
}

// TestHandOver hands over by the outcome: the note, the state, and silence until the
// conversation is resolved. The customer goes on waiting.
func TestHandOver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.conversation()
		node := w.node(func(_ context.Context, q answering.Question, _ func(answering.Sentence) error) (answering.Outcome, error) {
			if len(q.Turns) > 1 {
				return answering.Outcome{}, fmt.Errorf("the question has turns from before it was opened: %v", q.Turns)
			}
			return answering.Outcome{Kind: answering.HandOver, Reason: answering.NoArticle, Text: "A person will answer.", Summary: "why", Sources: []answering.Source{{Title: "T", Version: 2}}}, nil
		})
		for range 2 {
			w.must(w.says("c", c, "hello"))
			w.advance(3 * time.Second)
			w.must(node.RunDue(t.Context()))
			got := w.state(c)
			if !strings.HasSuffix(got.said, "c: hello | a: A person will answer. | note: why") || got.agent != (parley.AgentPart{State: parley.AgentHandedOver, Reason: "no_article"}) {
				t.Fatalf("the conversation is %s with %v", got.said, got.agent)
			}
			if got.c.WaitingSince.IsZero() || got.c.UnreadCount == 0 || got.c.Status != parley.Open || got.c.Assignee.ID != "" {
				t.Errorf("after the hand-over the conversation is %+v", got.c)
			}
			w.must(w.says("c", c, "?"))
			w.must(node.RunDue(t.Context()))
			if got := w.state(c); !strings.HasSuffix(got.said, "| c: ?") {
				t.Errorf("after the hand-over the agent says %s", got.said)
			}
			list, err := w.desk.Conversations(parley.WholeWorkspace(w.ws), desk.ConversationFilter{HandedOver: true}, parley.Position{}, 9).Now(t.Context())
			w.must(err)
			if len(list.Items) != 1 {
				t.Errorf("the filter finds %v", list.Items)
			}
			w.advance(time.Second)
			w.must(w.change(c, desk.ConversationChange{Status: parley.Some(parley.Resolved)}))
			w.advance(time.Second)
		}
	})
}
