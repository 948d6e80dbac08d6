package robustness_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/internal/pgtest"
	"parley/internal/robustness/server"
	"parley/internal/robustness/wallclock"
	"parley/internal/robustness/workload"
)

const (
	day = 24 * time.Hour
	// doubt is what the log says when a clock that has run ahead is not trusted.
	doubt = "purge: nothing deleted, the clock has run ahead"
	// purgeTime is how long a server that runs may take to find that a purge is due.
	purgeTime = 65 * time.Second
)

// jumps are what happens in turn to the clock of a server under load.
var jumps = []struct {
	name    string
	to      time.Duration // ahead of the true time
	restart bool          // the server is killed, and starts with the new clock
	doubts  bool          // the log must say so: it is sure that a purge has come by
}{
	{"an hour ahead", time.Hour, false, false},
	{"two hours back", -time.Hour, false, false},
	{"30 days ahead", 30 * day, false, false},
	{"started again, 30 days ahead", 30 * day, true, true},
	{"true again", 0, false, false},
	{"started again 20 hours behind", -20 * time.Hour, true, false}, // a day behind, answers would be due for deletion when it is right
	{"started again 30 days ahead", 30 * day, true, true},
	{"started again with the true time", 0, true, false},
}

// A clockWorld is a world whose server has a wall clock that the test moves, a member who is
// signed in, and a group whose messages go to a network.
type clockWorld struct {
	*world

	session *workload.Session
	group   *workload.Group
	doubts  int // how often the log has told of one
}

// underClock starts a server of a program. Where no clock can be moved, the test is skipped.
func underClock(t *testing.T, program, database string) *clockWorld {
	t.Helper()
	if err := wallclock.Supported(); err != nil {
		t.Skipf("SKIPPED: this system lets no test move the clock of a process: %v", err)
	}
	x := &clockWorld{world: &world{Server: server.New(t, t.TempDir(), database), t: t}}
	x.File, x.Clock = program, &wallclock.Clock{}
	var password string
	x.workspace, x.key, password = x.FoundOwned()
	if _, err := x.Command("number", "create", "--workspace="+x.workspace, "--phone=+4930123456", "--driver=sandbox"); err != nil {
		t.Fatal(err)
	}
	x.client = workload.NewClient(t, x.URL(), x.key)
	x.log = workload.NewLog(x.client)
	x.Start()
	x.Until("no group can be made", func() (err error) {
		x.group, err = x.client.NewGroup(t.Context())
		return err
	})
	var err error
	if x.session, err = x.client.SignIn(t.Context(), server.Owner, password); err != nil {
		t.Fatal(err)
	}
	return x
}

// move moves the clock.
func (x *clockWorld) move(to time.Duration) {
	x.t.Helper()
	if err := x.Clock.Set(to); err != nil {
		x.t.Fatal(err)
	}
}

// lives requires that everything works after a jump: the server is ready, a message reaches
// the network, and the member is signed in.
func (x *clockWorld) lives(when string) {
	x.t.Helper()
	if err := x.Ready(); err != nil {
		x.t.Errorf("%s: %v", when, err)
	}
	id, err := x.group.Post(x.t.Context(), when)
	if err == nil {
		err = x.group.Delivered(x.t.Context(), id)
	}
	if err != nil {
		x.t.Errorf("%s: %v", when, err)
	}
	if x.Clock.Shift() > 14*day {
		return // which ends a session that was not used
	}
	if lives, err := x.session.Lives(x.t.Context()); !lives || err != nil {
		x.t.Errorf("%s: the session lives: %t, %v", when, lives, err)
	}
}

// doubted waits until the log tells once more that a clock is not trusted.
func (x *clockWorld) doubted(when string) {
	x.t.Helper()
	x.Until(when+": the clock is trusted", func() error {
		if strings.Count(x.WholeLog(), doubt) <= x.doubts {
			return fmt.Errorf("the log tells %d times of a doubt", x.doubts)
		}
		return nil
	})
	x.doubts = strings.Count(x.WholeLog(), doubt)
}

// TestClockJumps moves the wall clock of the server both ways under load, and kills it and
// starts it again with a wrong clock. Nothing that was acknowledged is lost, deleted too
// early or done twice, messages and events keep their order, and everything goes on.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	for name, database := range engines {
		t.Run(name, func(t *testing.T) {
			rounds := times(t, 1, 5)
			t.Parallel()
			x := underClock(t, server.Program(t), database(t))
			reader := x.follow()
			for round := range rounds {
				for _, jump := range jumps {
					l := x.underLoad(workload.Options{Writers: writers, Patient: true})
					if jump.restart {
						x.Kill()
					}
					x.doubts = strings.Count(x.WholeLog(), doubt)
					x.move(jump.to)
					if jump.restart {
						x.Start()
					}
					done := l.Acknowledged()
					x.Until("no change succeeds", func() error { return more(l.Acknowledged, done+after) })
					if jump.doubts {
						x.doubted(jump.name)
					}
					x.lives(jump.name)
					l.End()
					if torture && round == 0 && jump.to == 30*day && !jump.restart {
						time.Sleep(purgeTime)
					}
					x.settle(l, jump.name)
					x.report(workload.NewLog(x.client).Begins(t.Context()), jump.name+", the log from its beginning")
				}
			}
			for _, l := range x.loads {
				wrong, _ := l.Settle(t.Context())
				x.report(wrong, "in the end, repeated")
			}
			x.report(x.log.Begins(t.Context()), "in the end")
			x.report(reader.End(x.log), "the stream")
			x.Verify(t)
			t.Logf("%d jumps of the clock: %d changes acknowledged, 0 lost, deleted, doubled or out of order; %d events from the first on, told by a stream that was opened %d times",
				rounds*len(jumps), x.acknowledged(), x.log.Seq(), reader.Opened())
		})
	}
}

// engines return the database of an empty store, by the name of the engine.
var engines = map[string]func(testing.TB) string{
	"sqlite":   func(testing.TB) string { return "" },
	"postgres": func(t testing.TB) string { return pgtest.URL(t) },
}

// TestClockJumpsOfTrustingProgram is the control of TestClockJumps, in the long form because
// it builds programs: one that trusts its clock, or changes made by it, must delete the log
// when it starts 30 days ahead, and one that gives messages the time of the clock must show
// them in the wrong order.
func TestClockJumpsOfTrustingProgram(t *testing.T) {
	times(t, 1, 1)
	if !torture {
		t.Skip("builds other programs; PARLEY_TORTURE=1 does")
	}
	t.Parallel()
	const watch = "internal/clockwatch/clockwatch.go"
	for _, guard := range []struct{ name, text, instead string }{
		{"trusting", "return !w.doubted, doubtBegins, nil", "return true, false, nil"},
		{"convinced", "newest(now.Add(-clockProbation))", "newest(now)"},
	} {
		t.Run(guard.name, func(t *testing.T) {
			x := underClock(t, server.Variant(t, guard.name, watch, guard.text, guard.instead), "")
			l := x.underLoad(workload.Options{Writers: writers, Patient: true})
			x.move(30 * day)
			done := l.Acknowledged()
			l.Wait(t.Context(), done+after)
			l.End()
			x.Kill()
			x.Start()
			x.Until("nothing is deleted", func() error { return whole(x) })
			wrong, _ := l.Settle(t.Context())
			t.Logf("control: the log does not begin with its first event any more, and %d repetitions of changes are not known", len(wrong))
			if len(wrong) == 0 {
				t.Error("every repetition is known")
			}
		})
	}
	t.Run("disorderly", func(t *testing.T) {
		x := underClock(t, server.Variant(t, "disorderly", "internal/desk/message.go", "if at.Before(c.LastActivityAt) {", "if false {"), "")
		l := x.underLoad(workload.Options{Writers: writers, Patient: true})
		x.Kill()
		x.move(-time.Hour)
		x.Start()
		done := l.Acknowledged()
		l.Wait(t.Context(), done+after)
		l.End()
		faults := 0
		for _, fault := range l.Check(t.Context(), x.log) {
			if strings.Contains(fault, "is shown before") {
				faults++
			}
		}
		t.Logf("control: %d messages are shown before earlier ones", faults)
		if faults == 0 {
			t.Error("the order is right, so TestClockJumps would not see a wrong one")
		}
	})
}

// whole returns an error if the log still begins with its first event.
func whole(x *clockWorld) error {
	if len(workload.NewLog(x.client).Begins(x.t.Context())) == 0 {
		return errors.New("the log is whole")
	}
	return nil
}
