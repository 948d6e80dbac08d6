package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
)

// No concurrent change is lost.
func TestAtOnce(t *testing.T) {
	w := newWorld()
	jid := w.group(t, "15550150")
	const n = 40
	var working sync.WaitGroup
	for i := range n {
		phone := parley.Phone(fmt.Sprintf("44201%03d50", i))
		working.Go(func() {
			results, err := w.AddMembers(t.Context(), w.host, jid, []parley.Phone{phone})
			if err != nil || results[0].Outcome != chatapp.Added {
				t.Errorf("%v, %v", results, err)
			}
		})
		working.Go(func() {
			m := chatapp.Message{ID: fmt.Sprint(i / 2), JID: jid, Text: "twice"}
			if err := w.Send(t.Context(), w.host, m); err != nil {
				t.Error(err)
			}
		})
		working.Go(func() {
			if _, _, err := w.CreateGroup(t.Context(), w.host, "Another", []parley.Phone{phone}); err != nil {
				t.Error(err)
			}
		})
	}
	working.Wait()
	for i := range n {
		results, err := w.AddMembers(t.Context(), w.host, jid, []parley.Phone{parley.Phone(fmt.Sprintf("44201%03d50", i))})
		if err != nil || results[0].Outcome != chatapp.Already {
			t.Errorf("%v, %v", results, err)
		}
	}
	if sent, err := w.Sent(t.Context(), w.host, jid); err != nil || len(sent) != n/2 {
		t.Errorf("%d messages, %v", len(sent), err)
	}
	if found, err := w.FindGroups(t.Context(), w.host, "Another", w.now); err != nil || len(found) != n {
		t.Errorf("%d groups, %v", len(found), err)
	}
}

// A number makes the network time out once, even if there are many concurrent
// requests for it.
func TestTimeoutAtOnce(t *testing.T) {
	w := newWorld()
	jid := w.group(t, "15550150")
	errs := make([]error, 16)
	var working sync.WaitGroup
	for i := range errs {
		working.Go(func() {
			if i%2 == 0 {
				_, errs[i] = w.AddMembers(t.Context(), w.host, jid, []parley.Phone{"15550103"})
			} else {
				_, _, errs[i] = w.CreateGroup(t.Context(), w.host, "Another", []parley.Phone{"15550103"})
			}
		})
	}
	working.Wait()
	late := 0
	for _, err := range errs {
		switch {
		case errors.Is(err, chatapp.ErrTimeout):
			late++
		case err != nil:
			t.Error(err)
		}
	}
	if late != 1 {
		t.Errorf("%d time-outs", late)
	}
}

// The process dies at each step, before and after the network's work. After the
// restart the same calls have the same result.
func TestKilledAtEachStep(t *testing.T) {
	participants := []parley.Phone{"15550150", "15550101"}
	for _, step := range []chatapptest.Step{chatapptest.CreateGroup, chatapptest.AddMembers, chatapptest.SetAdmin, chatapptest.Send} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s after=%v", step, after), func(t *testing.T) {
				w := newWorld()
				start := w.now
				faulty := chatapptest.Wrap(w.Network)
				if after {
					faulty.After(step, chatapptest.Kill)
				} else {
					faulty.Before(step, chatapptest.Kill)
				}
				if !chatapptest.Survive(func() { work(t, w, faulty, start, participants) }) {
					t.Fatal("it was not killed")
				}
				w.restart()
				jid := work(t, w, w.Network, start, participants)
				if found, err := w.FindGroups(t.Context(), w.host, "Team", start); err != nil || len(found) != 1 {
					t.Errorf("%d groups, %v", len(found), err)
				}
				results, err := w.AddMembers(t.Context(), w.host, jid, append(participants, "15550151"))
				if got := outcomes(results); got != "15550150 already, 15550101 needs invite, 15550151 already" || err != nil {
					t.Errorf("%s, %v", got, err)
				}
				if sent, err := w.Sent(t.Context(), w.host, jid); err != nil || len(sent) != 1 {
					t.Errorf("%d messages, %v", len(sent), err)
				}
			})
		}
	}
}

// work does what a careful caller does: it looks for the group before creating
// one.
func work(t *testing.T, w *world, network chatapp.Connector, start time.Time, participants []parley.Phone) string {
	t.Helper()
	found, err := network.FindGroups(t.Context(), w.host, "Team", start)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		g, _, err := network.CreateGroup(t.Context(), w.host, "Team", participants)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, g)
	}
	jid := found[0].JID
	_, addErr := network.AddMembers(t.Context(), w.host, jid, []parley.Phone{"15550151"})
	adminErr := network.SetAdmin(t.Context(), w.host, jid, "15550151", true)
	sendErr := network.Send(t.Context(), w.host, chatapp.Message{ID: "m", JID: jid, Text: "hello"})
	if err := errors.Join(addErr, adminErr, sendErr); err != nil {
		t.Fatal(err)
	}
	return jid
}

// A change that could not be stored did not happen.
func TestJournalFails(t *testing.T) {
	w := newWorld()
	jid := w.group(t, "15550150")
	broken := errors.New("disk full")
	w.journal.hook = func(context.Context) error { return broken }
	_, _, createErr := w.CreateGroup(t.Context(), w.host, "Another", []parley.Phone{"15550103"})
	_, addErr := w.AddMembers(t.Context(), w.host, jid, []parley.Phone{"15550103"})
	adminErr := w.SetAdmin(t.Context(), w.host, jid, "15550150", true)
	sendErr := w.Send(t.Context(), w.host, chatapp.Message{ID: "m", JID: jid, Text: "hello"})
	for _, err := range []error{createErr, addErr, adminErr, sendErr} {
		if !errors.Is(err, broken) {
			t.Errorf("the error is %v", err)
		}
	}
	w.journal.hook = nil
	if found, err := w.FindGroups(t.Context(), w.host, "Another", w.now); err != nil || found != nil {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := w.AddMembers(t.Context(), w.host, jid, []parley.Phone{"15550103"}); !errors.Is(err, chatapp.ErrTimeout) {
		t.Errorf("the first call that worked: %v", err)
	}
}

func TestContextEnds(t *testing.T) {
	w := newWorld()
	jid := w.group(t, "15550150")
	before := len(w.journal.groups)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, createErr := w.CreateGroup(ctx, w.host, "Another", []parley.Phone{"15550150"})
	_, findErr := w.FindGroups(ctx, w.host, "Team", w.now)
	_, addErr := w.AddMembers(ctx, w.host, jid, []parley.Phone{"15550151"})
	adminErr := w.SetAdmin(ctx, w.host, jid, "15550150", true)
	_, linkErr := w.InviteLink(ctx, w.host, jid)
	sendErr := w.Send(ctx, w.host, chatapp.Message{ID: "m", JID: jid, Text: "hello"})
	for _, err := range []error{createErr, findErr, addErr, adminErr, linkErr, sendErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v", err)
		}
	}
	if len(w.journal.groups) != before {
		t.Error("a group was made")
	}
}

// A caller that waits for a slow change gives up at its deadline.
func TestDeadlineInTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		jid := w.group(t, "15550150")
		release := make(chan struct{})
		w.journal.hook = func(context.Context) error { <-release; return nil }
		done := make(chan error)
		go func() {
			_, err := w.AddMembers(t.Context(), w.host, jid, []parley.Phone{"15550151"})
			done <- err
		}()
		synctest.Wait() // it holds the turn
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.SetAdmin(ctx, w.host, jid, "15550150", true); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the error is %v", err)
		}
		close(release)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
