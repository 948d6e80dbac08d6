package erasure_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

// A kept is a world with an inbox whose conversations a rule deletes after ten days.
type kept struct {
	*world
	inbox  parley.ID
	person string
}

func newKept(t *testing.T, o store.Options) *kept {
	t.Helper()
	w := &kept{world: newWorld(t, o)}
	w.inbox = w.NewInbox(desk.NewInbox{Name: "Old", Channel: parley.ChannelAPI})
	w.person = w.Contact(`{"name":"Ann"}`)
	return w
}

// resolved creates a resolved conversation with some messages.
func (w *kept) resolved(messages int) string {
	w.T.Helper()
	id := w.Post("/v1/public/conversations", `{"contactId":"`+w.person+`","inboxId":"`+w.inbox.String()+`"}`).Want(201).Text("id")
	for n := range messages {
		w.Post("/v1/public/conversations/"+id+"/messages", `{"content":"hello `+strconv.Itoa(n)+`","role":"incoming"}`).Want(201)
	}
	w.Patch("/v1/public/conversations/"+id, `{"status":"resolved"}`).Want(200)
	return id
}

func (w *kept) later(d time.Duration) {
	w.Advance(d)
	w.Owner = w.SignIn(w.Home.Owner.ID)
}

func (w *kept) rule(days string) {
	w.T.Helper()
	w.Send(apitest.Request{Method: http.MethodPut, Path: "/v1/dashboard/inboxes/" + w.inbox.String() + "/retention", Body: `{"days":` + days + `}`}).Want(200)
}

// settle runs timers until a rule has nothing to do.
func (w *kept) settle() {
	w.T.Helper()
	for range 6 {
		w.Advance(3 * time.Second)
		w.Expire()
	}
}

// deletedMessages counts the messages that the log reports as deleted.
func (w *kept) deletedMessages() int {
	w.T.Helper()
	return strings.Count(string(w.Get("/v1/public/events?types=message.deleted&limit=200").Want(200).Body), `"type":"message.deleted"`)
}

// TestRuleMeetsAChange lets the customer write while a rule deletes a conversation in
// parts: it stays with the new messages, and the log reports each deleted one. A
// conversation of usual length is never deleted in parts.
func TestRuleMeetsAChange(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newKept(t, o)
		long, short := w.resolved(8), w.resolved(2)
		w.later(20 * 24 * time.Hour)
		w.rule("10")
		dying := w.Erasure.Dying(3, 3) // three messages in a transaction, and death after the first
		for range 2 {
			w.expire(dying)
		}
		left := w.Get("/v1/public/conversations/" + long + "/messages").Want(200).Count("data")
		if left == 8 || left == 0 {
			t.Fatalf("the long conversation has %d messages: this proves nothing", left)
		}
		if n := w.Get("/v1/public/conversations/" + short + "/messages").Want(200).Count("data"); n != 2 {
			t.Errorf("the short conversation has %d messages", n)
		}
		w.Post("/v1/public/conversations/"+long+"/messages", `{"content":"one more thing","role":"incoming"}`).Want(201)
		w.Advance(time.Minute) // what failed is tried again after a pause
		w.settle()
		w.Get("/v1/public/conversations/" + short).Want(404)
		w.Get("/v1/public/conversations/"+long).Want(200).Is("status", `"open"`)
		if now := w.Get("/v1/public/conversations/" + long + "/messages").Want(200).Count("data"); now != left+1 || w.deletedMessages() != 8-left {
			t.Errorf("it has %d messages of %d and the new one, and the log tells of %d", now, left, w.deletedMessages())
		}
	})
}

// TestLogOfAPart lets the customer write after a rule deleted the first messages: what
// they said leaves the log too, also if nothing else, or only something much younger, is
// deleted with them.
func TestLogOfAPart(t *testing.T) {
	for name, others := range map[string]int{"alone": 0, "with a younger one": 1} {
		t.Run(name, func(t *testing.T) {
			storetest.EachOptions(t, func(t *testing.T, o store.Options) {
				w := newKept(t, o)
				long := w.resolved(8)
				w.later(2 * 24 * time.Hour)
				for range others {
					w.resolved(1)
				}
				w.later(3 * 24 * time.Hour)
				w.rule("2")
				for dying, n := w.Erasure.Dying(3, 3), 0; n < 2; n++ {
					w.expire(dying)
				}
				if left := w.Get("/v1/public/conversations/" + long + "/messages").Want(200).Count("data"); left == 8 || left == 0 {
					t.Fatalf("the conversation has %d messages: this proves nothing", left)
				}
				w.Post("/v1/public/conversations/"+long+"/messages", `{"content":"one more thing","role":"incoming"}`).Want(201)
				w.Advance(time.Minute)
				w.settle()
				events := string(w.Get("/v1/public/events?limit=200").Want(200).Body)
				if strings.Contains(events, "hello 0") || !strings.Contains(events, "hello 7") || !strings.Contains(events, "one more thing") {
					t.Errorf("the log has %s", events)
				}
			})
		})
	}
}

// TestRuleEndsAtOnce removes a rule, or makes it longer, after it chose what to delete:
// nothing more is deleted.
func TestRuleEndsAtOnce(t *testing.T) {
	for name, days := range map[string]string{"taken away": "null", "longer": "90"} {
		t.Run(name, func(t *testing.T) {
			w := newKept(t, storetest.MigratedSQLite(t))
			conversation := w.resolved(1)
			w.later(20 * 24 * time.Hour)
			w.rule("10")
			for dying, n := w.Erasure.Dying(3, 0), 0; n < 2; n++ {
				w.expire(dying) // it chose, and nothing is deleted
			}
			all, err := w.Erasure.All(t.Context(), w.Home.Workspace.ID)
			w.must(err)
			if len(all) != 0 {
				t.Errorf("what a rule does is in the list: %v", all)
			}
			w.rule(days)
			w.Advance(time.Minute)
			w.settle()
			w.Get("/v1/public/conversations/" + conversation).Want(200)
		})
	}
}

// TestRuleFollowsTheClockSlowly sets the clock a year ahead, for longer than the doubt
// lasts: hardly anything is deleted, and nothing more once the clock is right again.
// Under a right clock the rule deletes in time.
func TestRuleFollowsTheClockSlowly(t *testing.T) {
	w := newKept(t, storetest.MigratedSQLite(t))
	w.rule("10")
	conversation := w.resolved(1)
	w.later(365 * 24 * time.Hour)
	for range 3 {
		w.Advance(61 * time.Minute)
		w.settle()
	}
	w.Get("/v1/public/conversations/" + conversation).Want(200)
	for range 9 {
		w.Advance(61 * time.Minute)
		w.settle()
	}
	w.Get("/v1/public/conversations/" + conversation).Want(404)
}

// TestTick advances the time of a rule with the clock.
func TestTick(t *testing.T) {
	at := func(hours int) time.Time { return time.Date(2026, time.November, 21, hours, 0, 0, 0, time.UTC) }
	for name, c := range map[string]struct{ clock, looked, now, want int }{
		"too early":              {10, 10, 10, 10},
		"an hour later":          {10, 10, 11, 11},
		"a day later":            {10, 10, 34, 34},
		"a year later":           {10, 10, 8760, 34},
		"the next hour then":     {34, 8760, 8761, 58},
		"the clock is set back":  {34, 8760, 12, 12},
		"and was not far behind": {10, 8760, 12, 10},
	} {
		if got := erasure.Tick(at(c.clock), at(c.looked), at(c.now)); !got.Equal(at(c.want)) {
			t.Errorf("%s: the rule goes by %s, want %s", name, got, at(c.want))
		}
	}
}

// The timers of a rule delete, so they wait while the clock is in doubt.
func TestRulesWaitForTheClock(t *testing.T) {
	w := newKept(t, storetest.MigratedSQLite(t))
	conversation := w.resolved(1)
	w.later(20 * 24 * time.Hour)
	w.rule("10")
	w.must(timer.New(w.Desk, w.Erasure.Kinds()).RunDue(t.Context(), false))
	w.Get("/v1/public/conversations/" + conversation).Want(200)
}
