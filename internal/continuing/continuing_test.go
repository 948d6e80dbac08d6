package continuing_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/continuing"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/threads"
	"parley/internal/timer"
	"parley/internal/visitors"
)

// A message is what the model knows of one of the team that the customer has not seen.
type message struct {
	at     time.Time
	member bool
}

// A known is a conversation as it should be.
type known struct {
	id        parley.ID
	confirmed bool
	typed     string // the address that the visitor typed
	missed    []message
	last      parley.ID // the newest message of the team
	spam      bool
	mailedAt  time.Time
	back      bool // since then
	mails     int
}

// owed reports whether a mail is due, by the rules as they are written down: the team has been
// quiet for five minutes, or it is fifteen since its first message; the customer was back since
// the last mail, or it is a day old; what is older than three days is not told.
func (k *known) owed(now time.Time, done map[string]bool) bool {
	var all []message
	for _, m := range k.missed {
		if now.Sub(m.at) <= 72*time.Hour && (k.confirmed || m.member) {
			all = append(all, m)
		}
	}
	switch {
	case k.spam || len(all) == 0, !k.confirmed && (k.typed == "" || done[k.typed]):
		return false
	case !k.mailedAt.IsZero() && !k.back && now.Sub(k.mailedAt) < 24*time.Hour:
		return false
	}
	return now.Sub(all[len(all)-1].at) >= 5*time.Minute || now.Sub(all[0].at) >= 15*time.Minute
}

// TestContinueModel does what people do in a few conversations, and requires after each step
// exactly the mails of the rules.
func TestContinueModel(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		random := rand.New(rand.NewPCG(16, 7))
		done := map[string]bool{}
		var all []*known
		for i := range 6 {
			k := &known{confirmed: i < 3}
			address := ""
			if k.confirmed {
				address = fmt.Sprintf("c%d@home.example", i)
			} else if i < 5 {
				k.typed = fmt.Sprintf("t%d@home.example", i)
			}
			k.id = w.begin("Ada", address, k.typed).ID
			all = append(all, k)
		}
		steps := 250
		if testing.Short() {
			steps = 80
		}
		k := all[0]
		for step := range steps {
			if random.IntN(4) == 0 { // the team often writes a few times in a row
				k = all[random.IntN(len(all))]
			}
			deed := random.IntN(12)
			switch {
			case deed < 5:
				k.last = w.member(k.id, "!").ID
				k.missed = append(k.missed, message{at: w.Now(), member: true})
			case deed < 7:
				k.last = w.Post(w.By(), k.id, "!", false).ID
				k.missed = append(k.missed, message{at: w.Now()})
			case deed == 7:
				w.Post(w.By(), k.id, "a note", true)
			case deed == 8 && !k.last.IsZero():
				w.see(k.id, k.last)
				k.missed, k.back = nil, true
			case deed == 9:
				w.ask(k.id, "?")
				k.missed, k.back = nil, true
			case deed == 10 && step > steps/2 && k == all[0]:
				_, err := w.Desk.UpdateConversation(t.Context(), w.By(), k.id, desk.ConversationChange{Spam: parley.Some(true)})
				w.Must(err)
				k.spam = true
			}
			pause := time.Duration(1+random.IntN(8)) * time.Minute
			if random.IntN(10) == 0 {
				pause = time.Duration(random.IntN(30)) * time.Hour
			}
			w.pass(pause)
			want := 0
			for _, k := range all {
				if k.owed(w.Now(), done) {
					k.mails, k.mailedAt, k.back, k.missed = k.mails+1, w.Now(), false, nil
					if !k.confirmed {
						done[k.typed] = true
					}
				}
				want += k.mails
			}
			if w.has(want, fmt.Sprintf("after step %d, deed %d", step, deed)); t.Failed() {
				return
			}
		}
		for i, k := range all {
			if i < 3 && k.mails < 2 || i >= 3 && k.typed != "" && k.mails != 1 || k.typed == "" && !k.confirmed && k.mails > 0 {
				t.Errorf("conversation %d has %d mails", i, k.mails)
			}
		}
	})
}

// TestTeamThatGoesOn writes again and again: the customer does not wait for its end.
func TestTeamThatGoesOn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		c := w.begin("Ada", "ada@home.example", "")
		for range 5 {
			w.member(c.ID, "One more")
			w.has(0, "the team goes on")
			w.pass(3*time.Minute - time.Second)
		}
		w.has(0, "it is not fifteen minutes")
		w.pass(5 * time.Second)
		w.has(1, "it is")
	})
}

// TestMissedMail reads a mail to a customer whose address is confirmed.
func TestMissedMail(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.settings(customers.WidgetChange{Origins: parley.Some([]string{"https://shop.example", "https://other.example"}), ContinueAfter: parley.Some(10)})
		c := w.begin("Ada", "ada@home.example", "")
		w.write(func(t *desk.Tx) error {
			return visitors.PutVisit(t, t.WS, &parley.Visit{ContactID: c.Contact.ID, Language: "de-AT", Facts: "{}", UpdatedAt: t.Now})
		})
		w.ask(c.ID, "Is it waterproof?")
		w.member(c.ID, "Yes.\n<b>All of it</b>")
		w.member(c.ID, strings.Repeat("ä", 2500))
		for range 12 {
			w.Post(w.By(), c.ID, "And more", false)
		}
		w.pass(9 * time.Minute)
		w.has(0, "it is early")
		w.pass(time.Minute)
		letters := w.sent()
		if len(letters) != 1 {
			t.Fatalf("%d mails arrived", len(letters))
		}
		l := letters[0]
		if l.Headers.Get("To") != "<ada@home.example>" || l.Subject != "Home hat Ihnen geantwortet" || l.Headers.Get("Content-Language") != "de" ||
			l.Headers.Get("Auto-Submitted") != "auto-generated" || !strings.HasPrefix(l.Headers.Get("List-Unsubscribe"), "<https://support.example/m/stop/") {
			t.Errorf("the headers are %q, the subject %q", l.Headers, l.Subject)
		}
		for text, part := range map[string]string{
			"Yes.\n<b>All of it</b>\n": l.Plain, "Yes.<br>\n&lt;b&gt;All of it&lt;/b&gt;": l.HTML, strings.Repeat("ä", 1999) + "…": l.Plain,
			"auf shop.example": l.Plain, "https://support.example/c/cl_": l.Plain, "weitere Nachrichten": l.Plain,
		} {
			if !strings.Contains(part, text) {
				t.Errorf("the mail has no %.40q: %s", text, part)
			}
		}
		if n := strings.Count(l.Plain, "And more"); n != 8 {
			t.Errorf("the mail has %d of the messages", n)
		}
	})
}

// TestTypedMail reads the mail to an address that a visitor typed: nothing in it comes from the
// visitor, and it is the only one.
func TestTypedMail(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.settings(customers.WidgetChange{Origins: parley.Some([]string{"https://shop.example"})})
		c := w.begin("EVIL\r\nBcc: evil@home.example", "", "victim@home.example")
		w.write(func(t *desk.Tx) error {
			return visitors.PutVisit(t, t.WS, &parley.Visit{
				ContactID: c.Contact.ID, Page: "https://evil.example/", Title: "EVIL", Referrer: "https://evil.example/", Language: "EVIL", Facts: `{"a":"EVIL"}`, UpdatedAt: t.Now,
			})
		})
		w.ask(c.ID, "EVIL words")
		w.Post(w.By(), c.ID, "An automatic answer to EVIL words", false)
		w.pass(time.Hour)
		w.has(0, "only the automated agent has answered")
		w.member(c.ID, "We look into it.")
		w.pass(5 * time.Minute)
		letters := w.sent()
		if len(letters) != 1 {
			t.Fatalf("%d mails arrived", len(letters))
		}
		if l := letters[0]; strings.Contains(strings.ToLower(l.Raw+l.Plain+l.HTML+l.Subject), "evil") || len(l.Headers["Bcc"]) > 0 {
			t.Errorf("the visitor's words are in the mail: %s", l.Plain)
		} else if !strings.Contains(l.Plain, "We look into it.") || !strings.Contains(l.Plain, "2026-11-21 10:00 UTC") || !strings.Contains(l.Plain, "shop.example") {
			t.Errorf("the mail says %s", l.Plain)
		}
		if m := w.mails()[0]; m.Kind != parley.MailConfirm || m.State != parley.MailSent {
			t.Errorf("the mail is %+v", m)
		}
		w.member(c.ID, "Are you there?")
		w.pass(48 * time.Hour)
		again := w.begin("Eve", "", "Victim@HOME.example")
		w.member(again.ID, "Hello?")
		w.pass(time.Hour)
		w.has(1, "an address that was typed gets one mail")
	})
}

// TestTypedGetsOne types one address in many conversations, which two nodes work off at the same
// time; and many addresses in one inbox, which wait for their hour.
func TestTypedGetsOne(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		tries := 60
		if testing.Short() {
			tries = 10
		}
		for range tries {
			w.member(w.begin("Visitor", "", "victim@home.example").ID, "Hello")
		}
		w.Must(w.service.CatchUp(t.Context()))
		w.Advance(time.Hour)
		var nodes sync.WaitGroup
		for range 2 {
			node := timer.New(w.Desk, continuing.New(continuing.Options{Desk: w.Desk, Mail: w.mail}).Kinds())
			nodes.Go(func() {
				if err := node.RunDue(t.Context(), true); err != nil {
					t.Error(err)
				}
			})
		}
		nodes.Wait()
		w.has(1, "an address that was typed gets one mail")
		w.Advance(time.Hour)
		for i := range 32 {
			w.member(w.begin("Visitor", "", fmt.Sprintf("v%d@home.example", i)).ID, "Hello")
		}
		w.pass(5 * time.Minute)
		w.has(31, "an inbox mails thirty such addresses in an hour")
		w.pass(30 * time.Minute)
		w.has(31, "the others wait")
		w.pass(31 * time.Minute)
		w.has(33, "the hour is over")
	})
}

// TestNoMail has the reasons for which nobody gets a mail.
func TestNoMail(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		c := w.begin("Ada", "ada@home.example", "")
		last := w.member(c.ID, "Hello")
		w.pass(5 * time.Minute)
		w.has(1, "Ada was away")
		w.see(c.ID, last.ID) // before the mail left
		if letters := w.sent(); len(letters) != 0 || w.mails()[0].State != parley.MailSuperseded {
			t.Errorf("%d mails arrived, and it is %s", len(letters), w.mails()[0].State)
		}

		w.member(c.ID, "Anything else?")
		w.settings(customers.WidgetChange{ContinueAfter: parley.Some(0)})
		w.pass(time.Hour)
		w.has(1, "the inbox sends none")
		w.settings(customers.WidgetChange{ContinueAfter: parley.Some(5)})
		w.member(c.ID, "Bye")
		w.pass(time.Hour)
		letters := w.sent()
		if w.has(2, "the inbox sends some again"); len(letters) != 1 || !strings.Contains(letters[0].Plain, "Anything else?\n\nBye") {
			t.Fatalf("%d mails arrived", len(letters))
		}

		_, token, _ := strings.Cut(letters[0].Headers.Get("List-Unsubscribe"), "/m/stop/")
		w.Must(w.mail.Stop(ctx, strings.TrimSuffix(token, ">")))
		w.ask(c.ID, "I am here")
		w.member(c.ID, "And we too")
		w.pass(48 * time.Hour)
		w.has(2, "Ada wants none")

		bo := w.begin("Bo", "bo@home.example", "")
		_, err := w.Desk.PostMessage(ctx, w.By(), bo.ID, desk.NewMessage{
			Content: "long ago", ContentType: parley.Text, Direction: parley.Outgoing, AgentID: w.Home.Owner.ID, CreatedAt: w.Now().Add(-time.Hour),
		})
		w.Must(err)
		w.pass(time.Hour)
		w.has(2, "imported messages mail nobody")
		w.member(bo.ID, "Hello")
		w.pass(4 * 24 * time.Hour) // such as without a server
		w.has(2, "the message is old")
		w.member(bo.ID, "Hello again")
		w.Must(w.service.CatchUp(ctx))
		if due := w.due(bo.ID); !due.Equal(w.Now().Add(5 * time.Minute)) {
			t.Errorf("the timer is due at %s", due)
		}
		w.write(func(t *desk.Tx) error {
			return store.Exec(t, t.WS, "UPDATE workspaces SET epoch = 'another' WHERE workspace_id = $1")
		})
		w.pass(time.Hour)
		w.has(2, "the store was restored, and the mail may have been sent since the backup")
		other := w.Conversation(w.By(), bo.Contact.ID)
		w.member(other.ID, "by another channel")
		w.pass(time.Hour)
		w.has(2, "the inbox has no website")
		if due := w.due(other.ID); !due.IsZero() {
			t.Errorf("its timer is due at %s", due)
		}
	})
}

// TestMailAfterSplit splits what a customer has missed off into another conversation: the mail
// comes from there, once, and tells nothing that an earlier one told.
func TestMailAfterSplit(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.settings(customers.WidgetChange{Origins: parley.Some([]string{"https://shop.example"}), ContinueAfter: parley.Some(10)})
		svc := threads.New(w.Desk)
		split := func(c, message parley.ID) parley.Conversation {
			t.Helper()
			made, err := svc.Split(t.Context(), w.By(), c, message)
			w.Must(err)
			return made
		}
		c := w.begin("Ada", "ada@home.example", "")
		w.ask(c.ID, "Is it waterproof?")
		first := w.member(c.ID, "Yes.")
		w.pass(time.Minute)
		made := split(c.ID, first.ID)
		w.pass(11 * time.Minute)
		letters := w.sent()
		if len(letters) != 1 || !strings.Contains(letters[0].Plain, "Yes.") {
			t.Fatalf("%d mails arrived", len(letters))
		}
		w.member(made.ID, "All of it.")
		again := split(made.ID, w.member(made.ID, "And the bag.").ID)
		w.pass(48 * time.Hour)
		for _, l := range w.sent()[1:] {
			if strings.Contains(l.Plain, "Yes.") {
				t.Errorf("a mail tells again: %s", l.Plain)
			}
		}
		if again.SplitFrom != made.ID {
			t.Errorf("the third comes from %s", again.SplitFrom)
		}
	})
}
