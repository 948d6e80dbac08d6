package worktest_test

import (
	"fmt"
	"slices"
	"strings"

	"parley"
	"parley/internal/mail"
	"parley/internal/store"
)

// check compares the store with what should be.
func (y *year) check() {
	y.t.Helper()
	y.checkTalks()
	y.checkCounts()
	y.checkDues()
	y.checkDrafts()
	y.checkNotices()
	y.checkMails()
	y.checkTimers()
}

// same requires that two lists have the same lines in any order.
func (y *year) same(what string, got, want []string) {
	y.t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		y.t.Fatalf("after %s\nthe %s are\n%s\nwant\n%s", strings.Join(y.did, "\n"), what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (y *year) checkTalks() {
	y.t.Helper()
	ctx, vis, d := y.t.Context(), y.owner().Visibility(), y.node().desk
	page, err := d.Conversations(vis, store.ConversationFilter{Spam: parley.AnySpam}, parley.Position{}, 200).Now(ctx)
	y.must(err)
	var got, want []string
	for _, c := range page.Items {
		labels := slices.Clone(c.Labels)
		slices.Sort(labels)
		got = append(got, fmt.Sprint(c.ID, c.Status, c.Snoozed().UnixMilli(), c.WokeAt.UnixMilli(), c.Spam, c.Assignee.ID, c.Team.ID, labels))
	}
	for _, k := range y.talks {
		want = append(want, fmt.Sprint(k.id, k.status, k.until.UnixMilli(), k.wokeAt.UnixMilli(), k.spam, k.assignee, k.team, k.labels))
	}
	y.same("conversations", got, want)
	for _, k := range y.talks {
		thread, err := d.Thread(vis, k.id, parley.Position{}, 200).Now(ctx)
		y.must(err)
		var said []string
		for _, m := range thread.Messages.Items {
			if m.Direction == parley.Outgoing {
				said = append(said, m.Content)
			}
		}
		y.same("messages of the team", said, slices.Clone(k.said[max(0, len(k.said)-len(said)):]))
		if !thread.Messages.HasMore && len(said) != len(k.said) {
			y.t.Fatalf("the conversation has %d messages of the team, want %d", len(said), len(k.said))
		}
	}
}

func (y *year) checkCounts() {
	y.t.Helper()
	var want parley.Counts
	for _, k := range y.talks {
		switch {
		case k.spam:
		case k.status == parley.Open:
			want.Open++
			if !k.wokeAt.IsZero() {
				want.Back++
			}
		case k.status == parley.Pending:
			want.Pending++
			if !k.until.IsZero() {
				want.Snoozed++
			}
		}
	}
	got, err := y.node().desk.Counts(y.owner().Visibility(), y.home.Owner.ID).Now(y.t.Context())
	y.must(err)
	if got.Open != want.Open || got.Pending != want.Pending || got.Snoozed != want.Snoozed || got.Back != want.Back {
		y.t.Fatalf("the counts are %+v, want %+v", got, want)
	}
}

func (y *year) checkDues() {
	y.t.Helper()
	var got, want []string
	for _, k := range y.talks {
		all, err := y.node().later.List(y.owner().Visibility(), k.id).Now(y.t.Context())
		y.must(err)
		for _, s := range all {
			got = append(got, fmt.Sprint(s.ID, s.Content, s.State, s.Held, s.SendAt.UnixMilli()))
		}
	}
	for _, d := range y.dues {
		state := parley.ScheduledWaiting
		if d.held != "" {
			state = parley.ScheduledHeld
		}
		want = append(want, fmt.Sprint(d.id, d.content, state, d.held, d.at.UnixMilli()))
	}
	y.same("scheduled messages", got, want)
}

func (y *year) checkDrafts() {
	y.t.Helper()
	var got, want []string
	marks, err := y.node().drafts.Drafts(y.owner().Visibility(), y.home.Owner.ID).Now(y.t.Context())
	y.must(err)
	for _, m := range marks.Others {
		got = append(got, m.ConversationID.String()+" "+string(m.MemberID))
	}
	for at := range y.written {
		want = append(want, at)
	}
	y.same("drafts", got, want)
}

// sending is how many mails a node sends at a time.
const sending = 2

// checkMails requires that what the mail server took is what was sent, and that nothing came
// twice but what a node was sending when it died.
func (y *year) checkMails() {
	y.t.Helper()
	took, twice := map[string]bool{}, 0
	for _, m := range y.mailbox.Mails() {
		id := m.Content[strings.Index(m.Content, "Message-ID: ")+len("Message-ID: "):]
		id = id[:strings.IndexByte(id, '\r')]
		if took[id] {
			twice++
		}
		took[id] = true
	}
	if twice > y.died*sending {
		y.t.Fatalf("%d mails came twice, though only %d nodes died", twice, y.died)
	}
	for position := (parley.Position{}); ; {
		page, err := y.node().mail.Mails(y.home.Workspace.ID, "", position, 50).Now(y.t.Context())
		y.must(err)
		for _, m := range page.Items {
			if m.State == parley.MailSending || m.State == parley.MailUnknown {
				continue // by a node that died
			}
			id := "<" + m.ID.String() + "@support.example>"
			if sent := m.State == parley.MailSent; sent != took[id] {
				y.t.Fatalf("the mail %s is %s, and that the server took it is %t", id, m.State, took[id])
			}
		}
		if !page.HasMore {
			return
		}
		position = page.Next
	}
}

// checkTimers requires that nothing waits that was due.
func (y *year) checkTimers() {
	y.t.Helper()
	ages, err := y.nodes[0].timers.DueAges(y.t.Context())
	y.must(err)
	for kind, age := range ages {
		if age > 0 && kind != mail.Timer {
			y.t.Fatalf("a timer of the kind %q has been due for %v", kind, age)
		}
	}
}
