package later_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/later"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A known is what a test knows of a scheduled message.
type known struct {
	id           parley.ID
	content      string
	conversation int
	at           time.Time // to be sent at
	knownAt      int       // the step of the author's last change
	quiet, held  bool
	version      int64
}

// A model is scheduled messages in a few conversations, in the store and as they should
// be.
type model struct {
	*desktest.World
	later         *later.Service
	random        *rand.Rand
	conversations []parley.ID
	wrote         []int // the step in which the customer of each conversation wrote last
	waiting       []*known
	sent          [][]string // the contents of each conversation's sent messages, sorted
	made, step    int
}

// act does something to a conversation or one of its messages.
func (m *model) act() string {
	m.step++
	ctx, at := m.T.Context(), m.random.IntN(len(m.conversations))
	when := m.Now().Add(time.Duration(60+m.random.IntN(600)) * time.Second)
	if len(m.waiting) == 0 || m.random.IntN(3) == 0 {
		m.made++
		k := &known{content: fmt.Sprintf("message %d", m.made), conversation: at, at: when, knownAt: m.step, quiet: m.random.IntN(2) == 0, version: 1}
		s, err := m.later.Schedule(ctx, m.By(), m.conversations[at], later.NewScheduled{Content: k.content, SendAt: when, IfQuiet: k.quiet})
		m.Must(err)
		k.id, m.waiting = s.ID, append(m.waiting, k)
		return fmt.Sprintf("%s in %d at %s, quiet %t", k.content, at, when.Format(time.TimeOnly), k.quiet)
	}
	k := m.waiting[m.random.IntN(len(m.waiting))]
	switch m.random.IntN(6) {
	case 0:
		_, err := m.later.Update(ctx, m.By(), k.id, later.Change{SendAt: parley.Some(when), Version: parley.Some(k.version)})
		m.Must(err)
		if !k.at.Equal(when) || k.held {
			k.version++
		}
		k.at, k.knownAt, k.held = when, m.step, false
		return k.content + " moves to " + when.Format(time.TimeOnly)
	case 1:
		k.content += "!"
		_, err := m.later.Update(ctx, m.By(), k.id, later.Change{Content: parley.Some(k.content)})
		m.Must(err)
		k.version, k.knownAt = k.version+1, m.step
		return k.content + " is written anew"
	case 2:
		_, err := m.later.Delete(ctx, m.By(), k.id)
		m.Must(err)
		m.waiting = slices.DeleteFunc(m.waiting, func(other *known) bool { return other == k })
		return k.content + " is deleted"
	case 3:
		_, err := m.later.SendNow(ctx, m.By(), k.id)
		m.Must(err)
		m.send(k)
		return k.content + " is sent now"
	default:
		_, err := m.Desk.PostMessage(ctx, m.By(), m.conversations[at], desk.NewMessage{Content: "?", Direction: parley.Incoming})
		m.Must(err)
		m.wrote[at] = m.step
		return fmt.Sprintf("the customer writes in %d", at)
	}
}

func (m *model) send(k *known) {
	m.sent[k.conversation] = append(m.sent[k.conversation], k.content)
	slices.Sort(m.sent[k.conversation])
	m.waiting = slices.DeleteFunc(m.waiting, func(other *known) bool { return other == k })
}

// run has two nodes send what is due.
func (m *model) run(nodes []*timer.Runner) {
	m.T.Helper()
	var running sync.WaitGroup
	for _, node := range nodes {
		running.Go(func() {
			if err := node.RunDue(m.T.Context(), false); err != nil {
				m.T.Error(err)
			}
		})
	}
	running.Wait()
	for _, k := range slices.Clone(m.waiting) {
		switch {
		case k.held || k.at.After(m.Now()):
		case k.quiet && m.wrote[k.conversation] > k.knownAt:
			k.held, k.version = true, k.version+1
		default:
			m.send(k)
		}
	}
}

// check compares the store with what is known.
func (m *model) check(did []string) {
	m.T.Helper()
	for at, id := range m.conversations {
		all, err := m.later.List(m.By().Visibility(), id).Now(m.T.Context())
		m.Must(err)
		var got, want []string
		for _, s := range all {
			got = append(got, fmt.Sprint(s.Content, " ", s.State, s.Held, s.SendAt.UnixMilli(), " ", s.IfQuiet, s.Version))
		}
		for _, k := range m.waiting {
			state := string(parley.ScheduledWaiting)
			if k.held {
				state = string(parley.ScheduledHeld) + string(parley.HeldCustomerWrote)
			}
			if k.conversation == at {
				want = append(want, fmt.Sprint(k.content, " ", state, k.at.UnixMilli(), " ", k.quiet, k.version))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		thread, err := m.Desk.Thread(m.By().Visibility(), id, parley.Position{}, 200).Now(m.T.Context())
		m.Must(err)
		var sent []string
		for _, message := range thread.Messages.Items {
			if message.Direction == parley.Outgoing {
				sent = append(sent, message.Content)
			}
		}
		slices.Sort(sent)
		if !slices.Equal(got, want) || !slices.Equal(sent, m.sent[at]) {
			m.T.Fatalf("after %s\nthe conversation %d has %q and sent %q,\nwant %q and %q", strings.Join(did, "; "), at, got, sent, want, m.sent[at])
		}
	}
}

// TestLaterModel schedules, changes, deletes and sends messages at random while customers
// write and the clock advances and jumps back: each is sent exactly once, or held.
func TestLaterModel(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		seed := rand.Uint64()
		t.Logf("the seed is %d", seed)
		m := &model{World: w, later: later.New(w.Desk), random: rand.New(rand.NewPCG(seed, 0))}
		contact := w.Contact(w.By(), "Ann")
		for range 2 {
			m.conversations = append(m.conversations, w.Conversation(w.By(), contact.ID).ID)
		}
		m.wrote, m.sent = make([]int, 2), make([][]string, 2)
		nodes := []*timer.Runner{timer.New(w.Desk, later.Kinds()), timer.New(w.Desk, later.Kinds())}
		var did []string
		for range 120 {
			if len(m.waiting) < 2*parley.MaxScheduled {
				did = append(did, m.act())
			}
			if w.Advance(time.Duration(m.random.IntN(200)) * time.Second); m.random.IntN(20) == 0 {
				w.Advance(-30 * time.Second)
			}
			m.run(nodes)
			m.check(did)
			if len(m.waiting) > 15 { // a conversation is nearly full
				_, err := m.later.SendNow(t.Context(), w.By(), m.waiting[0].id)
				w.Must(err)
				m.send(m.waiting[0])
			}
		}
	})
}

// TestHeld lets messages become due that must not be sent by themselves.
func TestHeld(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		ctx, svc := t.Context(), later.New(w.Desk)
		ann, _, err := w.Access.CreateMember(ctx, w.By(), access.NewMember{Email: "ann@home.example", Name: "Ann", Role: parley.Agent})
		w.Must(err)
		by := desk.Caller{Workspace: w.Home.Workspace.ID, Member: ann.ID}
		c := w.Conversation(w.By(), w.Contact(w.By(), "Bob").ID)
		node := timer.New(w.Desk, later.Kinds())
		schedule := func(content string, private bool) parley.ID {
			t.Helper()
			s, err := svc.Schedule(ctx, by, c.ID, later.NewScheduled{Content: content, SendAt: w.Now().Add(time.Hour), IfQuiet: true, Private: private})
			w.Must(err)
			return s.ID
		}
		state := func() string {
			t.Helper()
			all, err := svc.List(w.By().Visibility(), c.ID).Now(ctx)
			w.Must(err)
			var states []string
			for _, s := range all {
				states = append(states, s.Content+" "+string(s.State)+" "+string(s.Held))
			}
			return strings.Join(states, "; ")
		}
		due := func(want string, events ...string) {
			t.Helper()
			w.Advance(time.Hour)
			w.Tells(func() { w.Must(node.RunDue(ctx, false)) }, events...)
			if got := state(); got != want {
				t.Errorf("the messages are %q, want %q", got, want)
			}
		}

		id := schedule("restored", false)
		w.Must(w.Store.Write(ctx, w.Home.Workspace.ID, func(tx *store.Tx) error {
			return store.Exec(tx, w.Home.Workspace.ID, "UPDATE workspaces SET epoch = 'another' WHERE workspace_id = $1")
		}))
		due("restored held restored", "scheduled_message.updated state,heldReason")
		due("restored held restored")
		_, err = svc.Update(ctx, by, id, later.Change{SendAt: parley.Some(w.Now().Add(time.Minute))})
		w.Must(err)
		due("", "message.created", "scheduled_message.deleted")

		_, err = svc.Update(ctx, w.By(), schedule("a note", true), later.Change{IfQuiet: parley.Some(false)}) // an owner
		w.Must(err)
		left := schedule("left", false)
		_, err = w.Access.RemoveMember(ctx, w.By(), ann.ID)
		w.Must(err)
		due("a note held author_left; left held author_left", "scheduled_message.updated state,heldReason", "scheduled_message.updated state,heldReason")
		m, err := svc.SendNow(ctx, w.By(), left)
		if w.Must(err); m.Sender.MemberID != w.Home.Owner.ID || m.Content != "left" {
			t.Errorf("the owner sent %+v", m)
		}
	})
}
