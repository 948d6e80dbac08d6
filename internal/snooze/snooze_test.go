package snooze_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/pgtest"
	"parley/internal/snooze"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A known is what a test knows of a conversation.
type known struct {
	id            parley.ID
	status        parley.Status
	until, wokeAt time.Time
	spam          bool
	wakes         int
}

// leaves records another status.
func (k *known) leaves(s parley.Status) {
	if k.status != s {
		k.status, k.until, k.wokeAt = s, time.Time{}, time.Time{}
	}
}

// A model is a few conversations, in the store and as they should be.
type model struct {
	*desktest.World
	random *rand.Rand
	all    []*known
}

// act does something to a conversation, and to what is known of it.
func (m *model) act(k *known) string {
	ctx := m.T.Context()
	change := func(in desk.ConversationChange) {
		m.T.Helper()
		_, err := m.Desk.UpdateConversation(ctx, m.By(), k.id, in)
		m.Must(err)
	}
	switch m.random.IntN(9) {
	case 0, 1, 2:
		until := m.Now().Add(time.Duration(1+m.random.IntN(600)) * time.Second)
		change(desk.ConversationChange{SnoozedUntil: parley.Some(until)})
		k.leaves(parley.Pending)
		k.until = until
		return "snoozed until " + until.Format(time.TimeOnly)
	case 3:
		change(desk.ConversationChange{SnoozedUntil: parley.Null[time.Time]()})
		if !k.until.IsZero() {
			k.leaves(parley.Open)
		}
		return "woken"
	case 4:
		s := parley.Statuses[m.random.IntN(len(parley.Statuses))]
		change(desk.ConversationChange{Status: parley.Some(s)})
		k.leaves(s)
		return string(s)
	case 5:
		change(desk.ConversationChange{Status: parley.Some(parley.Pending), SnoozedUntil: parley.Null[time.Time]()})
		k.leaves(parley.Pending)
		k.until = time.Time{}
		return "pending for good"
	case 6:
		k.spam = !k.spam
		change(desk.ConversationChange{Spam: parley.Some(k.spam)})
		if k.spam {
			k.until = time.Time{}
		}
		return fmt.Sprint("spam ", k.spam)
	case 7:
		_, err := m.Desk.PostMessage(ctx, m.By(), k.id, desk.NewMessage{Content: "?", Direction: parley.Incoming})
		m.Must(err)
		k.leaves(parley.Open)
		return "asked"
	default:
		private := m.random.IntN(2) == 0
		m.Post(m.By(), k.id, "!", private)
		if !private {
			k.wokeAt = time.Time{}
		}
		return fmt.Sprint("answered, privately: ", private)
	}
}

// wake has two nodes run what is due.
func (m *model) wake(nodes []*timer.Runner) {
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
	for _, k := range m.all {
		if k.status == parley.Pending && !k.until.IsZero() && !k.until.After(m.Now()) {
			k.leaves(parley.Open)
			k.wokeAt = m.Now()
			k.wakes++
		}
	}
}

// TestSnoozeModel snoozes, wakes, changes and answers conversations at random while the
// clock advances and jumps back: each is what it should be, and wakes exactly once.
func TestSnoozeModel(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		seed := rand.Uint64()
		t.Logf("the seed is %d", seed)
		m := &model{World: w, random: rand.New(rand.NewPCG(seed, 0))}
		contact := w.Contact(w.By(), "Ann")
		for range 4 {
			m.all = append(m.all, &known{id: w.Conversation(w.By(), contact.ID).ID, status: parley.Open})
		}
		nodes := []*timer.Runner{timer.New(w.Desk, snooze.Kinds()), timer.New(w.Desk, snooze.Kinds())}
		var did []string
		for range 250 {
			k := m.all[m.random.IntN(len(m.all))]
			did = append(did, fmt.Sprint(slices.Index(m.all, k), " ", m.act(k)))
			if w.Advance(time.Duration(m.random.IntN(120)) * time.Second); m.random.IntN(20) == 0 {
				w.Advance(-5 * time.Minute)
			}
			m.wake(nodes)
			for i, k := range m.all {
				thread, err := w.Desk.Thread(w.By().Visibility(), k.id, parley.Position{}, 1).Now(t.Context())
				w.Must(err)
				if c := thread.Conversation; c.Status != k.status || !c.Snoozed().Equal(k.until) || !c.WokeAt.Equal(k.wokeAt) {
					t.Fatalf("after %s the conversation %d is %s until %v and woke at %v, want %+v",
						strings.Join(did, "; "), i, c.Status, c.Snoozed(), c.WokeAt, *k)
				}
			}
		}
		for i, k := range m.all {
			if got := m.woke(k.id); got != k.wakes {
				t.Errorf("the conversation %d woke %d times, want %d", i, got, k.wakes)
			}
		}
	})
}

// woke counts the times that a conversation opened by itself, in its history.
func (m *model) woke(id parley.ID) (count int) {
	m.T.Helper()
	for after := (parley.Position{}); ; {
		page, err := m.Desk.ConversationHistory(m.By().Visibility(), id, after, 200).Now(m.T.Context())
		m.Must(err)
		for _, entry := range page.Items {
			if entry.Origin.Actor.Type == parley.ActorSystem {
				count++
			}
		}
		if !page.HasMore {
			return count
		}
		after = page.Next
	}
}

// TestWakeOfNothing lets a conversation without a row and one that was merged into another
// be due: neither wakes, and no timer stays.
func TestWakeOfNothing(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		contact := w.Contact(w.By(), "Ann")
		merged, target := w.Conversation(w.By(), contact.ID), w.Conversation(w.By(), contact.ID)
		until := w.Now().Add(time.Minute)
		_, err := w.Desk.UpdateConversation(t.Context(), w.By(), merged.ID, desk.ConversationChange{SnoozedUntil: parley.Some(until)})
		w.Must(err)
		_, err = desk.Write(t.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) {
			c, err := t.Conversation(t.Visibility, merged.ID)
			if err != nil {
				return struct{}{}, err
			}
			c.MergedInto, c.MergedAt = target.ID, t.Now
			if err := t.UpdateConversation(t.WS, &c, t.Now); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, desk.SetTimer(t, t.WS, desk.SnoozeTimer, t.IDs.New(t.Now).String(), until)
		})
		w.Must(err)
		w.Advance(time.Hour)
		node := timer.New(w.Desk, snooze.Kinds())
		w.Tells(func() { w.Must(node.RunDue(t.Context(), false)) })
		ages, err := node.DueAges(t.Context())
		if w.Must(err); ages[desk.SnoozeTimer] != 0 || node.Stats().Runs != 2 {
			t.Errorf("of nothing there were %d runs, and timers have been due for %v", node.Stats().Runs, ages)
		}
	})
}
