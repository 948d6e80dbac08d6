package erasure_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/backup/schedule"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
	"parley/internal/vault"
)

// What the workspace of the benchmark has before the first person is erased.
const (
	benchEvents  = 100_000
	benchGroups  = 300
	benchMembers = 20 // of each group
	benchOwn     = 10 // conversations of an erased person
	benchTalk    = 50 // messages of each
	benchCallers = 4
	benchPosts   = 2000 // measured alone
)

// BenchmarkPostWhileErasing posts messages with some callers, first alone, then while a
// person is erased: 10 conversations in a workspace of 100,000 events and 300 groups,
// of which three have the person as a member. It reports how long a post takes.
func BenchmarkPostWhileErasing(b *testing.B) {
	for name, options := range map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": storetest.DurablePostgres} {
		b.Run(name, func(b *testing.B) {
			x := newBench(b, options(b))
			var alone, beside []time.Duration
			var took time.Duration
			for b.Loop() {
				person := x.person()
				alone = append(alone, x.posts(func(done int64) bool { return done >= benchPosts })...)
				var ended atomic.Bool
				var erasing sync.WaitGroup
				erasing.Go(func() {
					defer ended.Store(true)
					began := time.Now()
					x.erase(person)
					took += time.Since(began)
				})
				beside = append(beside, x.posts(func(int64) bool { return ended.Load() })...)
				erasing.Wait()
			}
			report := func(name string, all []time.Duration, share float64) float64 {
				slices.Sort(all)
				ms := all[int(float64(len(all)-1)*share)].Seconds() * 1000
				b.ReportMetric(ms, name)
				return ms
			}
			report("alone-p50-ms", alone, 0.5)
			before := report("alone-p99-ms", alone, 0.99)
			report("beside-p50-ms", beside, 0.5)
			b.ReportMetric(report("beside-p99-ms", beside, 0.99)/before, "p99-ratio")
			report("beside-max-ms", beside, 1)
			b.ReportMetric(float64(len(beside))/float64(b.N), "posts-beside")
			b.ReportMetric(took.Seconds()/float64(b.N), "erasure-s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

type benchWorld struct {
	b       *testing.B
	desk    *desk.Desk
	erasure *erasure.Service
	timers  *timer.Runner
	by      desk.Caller
	inbox   parley.ID
	talk    parley.ID // the conversation in which the callers post
	groups  []parley.ID
	ahead   atomic.Int64 // how far the clock is ahead, so that no step has to wait
	people  int
}

func newBench(b *testing.B, o store.Options) *benchWorld {
	b.Helper()
	if _, _, err := store.Migrate(b.Context(), o); err != nil {
		b.Fatal(err)
	}
	secrets, err := vault.FromBase64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	if err != nil {
		b.Fatal(err)
	}
	x := &benchWorld{b: b}
	clock := func() time.Time { return time.Now().Add(time.Duration(x.ahead.Load())) }
	x.desk = desk.New(desk.Options{Store: storetest.Open(b, o), Vault: secrets, Clock: clock, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
	x.erasure = erasure.New(x.desk, numbers.New(numbers.Options{Desk: x.desk}), schedule.Keep{}.End)
	x.timers = timer.New(x.desk, x.erasure.Kinds())
	home, err := access.New(x.desk).CreateWorkspace(b.Context(), "Acme", "ann@acme.example")
	if err != nil {
		b.Fatal(err)
	}
	x.by, x.inbox = desk.Caller{Workspace: home.Workspace.ID}, home.Inbox.ID
	x.fill()
	return x
}

func (x *benchWorld) write(do func(t *desk.Tx) error) {
	x.b.Helper()
	if _, err := desk.Write(x.b.Context(), x.desk, x.by, func(t *desk.Tx) (struct{}, error) { return struct{}{}, do(t) }); err != nil {
		x.b.Fatal(err)
	}
}

// begin starts a conversation with a new contact, or another one with a known one.
func (x *benchWorld) begin(t *desk.Tx, who *parley.Contact, messages int) (parley.Conversation, error) {
	if who.ID.IsZero() {
		who.ID, who.CreatedAt, who.UpdatedAt, who.LastActivityAt = t.IDs.New(t.Now), t.Now, t.Now, t.Now
		if err := t.AddContact(who); err != nil {
			return parley.Conversation{}, err
		}
	}
	c, err := t.StartConversation(x.inbox, who, "")
	for range messages {
		var m parley.Message
		if err == nil {
			m, err = t.NewMessage(&c, desk.NewMessage{Content: "Hello, when will my parcel arrive? I have waited for a week.", ContentType: parley.Text, Direction: parley.Incoming})
		}
		if err == nil {
			err = t.Post(&c, &m, false)
		}
	}
	return c, err
}

func phone(of, n int) parley.Phone { return parley.Phone(fmt.Sprintf("49151%03d%05d", of, n)) }

// fill makes groups with members and messages, up to the number of events.
func (x *benchWorld) fill() {
	x.b.Helper()
	number := parley.Number{Phone: "4930555001", Driver: parley.DriverSandbox, Status: parley.NumberConnected, Enabled: true, InboxID: x.inbox}
	x.write(func(t *desk.Tx) error {
		number.ID, number.CreatedAt, number.UpdatedAt = t.IDs.New(t.Now), t.Now, t.Now
		_, err := t.InsertNumber(t.WS, &number)
		return err
	})
	for n := range benchGroups {
		x.write(func(t *desk.Tx) error {
			c, err := x.begin(t, &parley.Contact{Name: fmt.Sprint("Group ", n)}, benchEvents/benchGroups)
			if err != nil {
				return err
			}
			x.groups = append(x.groups, c.ID)
			if err := numbers.InsertGroup(t, t.WS, &parley.Group{ConversationID: c.ID, NumberID: number.ID, JID: fmt.Sprint(n, "@g")}); err != nil {
				return err
			}
			for m := range benchMembers {
				err = errors.Join(err, numbers.UpsertGroupMember(t, t.WS, c.ID, numbers.GroupMember{Phone: phone(n, m), Joined: true}))
			}
			return err
		})
	}
	x.write(func(t *desk.Tx) error {
		c, err := x.begin(t, &parley.Contact{Name: "Bob"}, 1)
		x.talk = c.ID
		return err
	})
}

// person makes somebody with conversations, who is a member of some groups.
func (x *benchWorld) person() parley.ID {
	x.b.Helper()
	x.people++
	mine := phone(999, x.people)
	ann := parley.Contact{Name: fmt.Sprint("Ann ", x.people), PhoneNumber: "+" + string(mine)}
	for range benchOwn {
		x.write(func(t *desk.Tx) error {
			_, err := x.begin(t, &ann, benchTalk)
			return err
		})
	}
	x.write(func(t *desk.Tx) (err error) {
		for _, group := range x.groups[:3] {
			err = errors.Join(err, numbers.UpsertGroupMember(t, t.WS, group, numbers.GroupMember{Phone: mine, Joined: true}))
		}
		return err
	})
	return ann.ID
}

// posts posts messages until it is enough, and returns how long each took.
func (x *benchWorld) posts(enough func(done int64) bool) []time.Duration {
	var done atomic.Int64
	var mu sync.Mutex
	var all []time.Duration
	var callers sync.WaitGroup
	for range benchCallers {
		callers.Go(func() {
			var took []time.Duration
			for !enough(done.Add(1)) {
				began := time.Now()
				if _, err := x.desk.PostMessage(x.b.Context(), x.by, x.talk, desk.NewMessage{Content: "It arrives tomorrow.", Direction: parley.Outgoing}); err != nil {
					x.b.Error(err)
					return
				}
				took = append(took, time.Since(began))
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
		})
	}
	callers.Wait()
	return all
}

// erase erases a person, without the pauses between the steps.
func (x *benchWorld) erase(person parley.ID) {
	ctx := context.WithoutCancel(x.b.Context())
	begun, err := x.erasure.EraseContact(ctx, x.by, person)
	for n := 0; err == nil && begun.FinishedAt.IsZero(); n++ {
		if n > 100 {
			err = errors.New("the erasure does not end")
			break
		}
		x.ahead.Add(int64(3 * time.Second))
		if err = x.timers.RunDue(ctx, true); err == nil {
			begun, err = x.erasure.Erasure(x.by.Workspace, begun.ID).Now(ctx)
		}
	}
	if err != nil {
		x.b.Error(err)
	}
}
