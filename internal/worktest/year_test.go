package worktest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/later"
	"parley/internal/macros"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// A talk is a conversation as it should be.
type talk struct {
	id, contact   parley.ID
	status        parley.Status
	until, wokeAt time.Time
	spam          bool
	assignee      parley.UserID
	team          parley.ID
	labels        []string // sorted
	wrote         int      // the step in which the customer wrote last
	said          []string // the contents of the team's messages, in their order
}

// leaves records another status.
func (k *talk) leaves(s parley.Status) {
	if k.status != s {
		k.status, k.until, k.wokeAt = s, time.Time{}, time.Time{}
	}
}

// A due is a scheduled message as it should be.
type due struct {
	id, talk parley.ID
	content  string
	author   parley.UserID
	at       time.Time
	step     int // of the author's last change
	quiet    bool
	held     parley.HeldReason
}

// A colleague is a member, who lives in a zone.
type colleague struct {
	id   parley.UserID
	zone string
}

// A year is a desk's year, in the store and as it should be.
type year struct {
	*world
	team    []colleague
	talks   []*talk
	dues    []*due
	written map[string]string // the contents of drafts by conversation and author
	told    map[named]told
	teams   []parley.ID
	macro   parley.ID
	invited int
	step    int
	woke    int
}

func newYear(w *world) *year {
	y := &year{world: w, written: map[string]string{}, told: map[named]told{}}
	for range zones {
		y.joins()
	}
	m, err := w.node().macros.CreateMacro(w.t.Context(), w.owner(), parley.Macro{
		Name: "Refund", Scope: parley.MacroAll,
		Actions: parley.MacroActions{Reply: "Your money is on its way.", Status: parley.Resolved, AddLabels: []string{"refund"}, Assignee: parley.MacroMe},
	})
	w.must(err)
	y.macro = m.ID
	y.founds()
	return y
}

// joins adds a member in the next zone.
func (y *year) joins() {
	y.invited++
	m, _, err := y.node().access.CreateMember(y.t.Context(), y.owner(), access.NewMember{
		Email: fmt.Sprintf("member%d@acme.example", y.invited), Name: fmt.Sprint("Member ", y.invited), Role: parley.Agent,
	})
	y.must(err)
	y.team = append(y.team, colleague{id: m.ID, zone: zones[y.invited%len(zones)]})
}

// work lets a member or a customer do something, and returns what.
func (y *year) work() string {
	y.step++
	if len(y.talks) < 5 || len(y.talks) < 20 && y.random.IntN(6) == 0 {
		return y.arrives()
	}
	k, who := y.talks[y.random.IntN(len(y.talks))], y.team[y.random.IntN(len(y.team))]
	did := y.acts()[y.random.IntN(len(y.acts()))]
	return fmt.Sprint(slices.Index(y.talks, k), " ", who.zone, " ", did(k, who))
}

// acts are what happens to a conversation, the common ones more than once.
func (y *year) acts() []func(*talk, colleague) string {
	return []func(*talk, colleague) string{
		y.asks, y.asks, y.answers, y.answers, y.answers, y.snoozes, y.snoozes, y.snoozes, y.snoozes, y.schedules, y.schedules, y.reschedules,
		y.changes, y.changes, y.labels, y.routes, y.selects, y.mentions, y.mentions, y.mentions, y.writes, y.runsMacro, y.marks, y.leavesTeam, y.invites, y.erases,
	}
}

func (y *year) arrives() string {
	ctx, n := y.t.Context(), y.node()
	saved, err := n.desk.SaveContact(ctx, y.owner(), desk.ContactFields{Name: parley.Some(fmt.Sprint("Customer ", y.step))})
	y.must(err)
	c, err := n.desk.CreateConversation(ctx, y.owner(), desk.NewConversation{ContactID: saved.Record.ID})
	y.must(err)
	y.talks = append(y.talks, &talk{id: c.ID, contact: saved.Record.ID, status: parley.Open})
	return "a customer arrives"
}

func (y *year) asks(k *talk, _ colleague) string {
	_, err := y.node().desk.PostMessage(y.t.Context(), y.owner(), k.id, desk.NewMessage{Content: "?", Direction: parley.Incoming})
	y.must(err)
	k.leaves(parley.Open)
	k.wrote = y.step
	return "the customer asks"
}

func (y *year) answers(k *talk, who colleague) string {
	content, private := fmt.Sprint("answer ", y.step), y.random.IntN(3) == 0
	_, err := y.node().desk.PostMessage(y.t.Context(), y.by(who.id), k.id, desk.NewMessage{
		Content: content, ContentType: parley.Text, Direction: parley.Outgoing, AgentID: who.id, Private: private,
	})
	y.must(err)
	k.said = append(k.said, content)
	if !private {
		k.wokeAt = time.Time{}
		y.heeds(k, who.id)
	}
	return content
}

func (y *year) change(k *talk, who colleague, in desk.ConversationChange) {
	y.t.Helper()
	_, err := y.node().desk.UpdateConversation(y.t.Context(), y.by(who.id), k.id, in)
	y.must(err)
}

// snoozes puts a conversation off until nine o'clock of a member who lives anywhere.
func (y *year) snoozes(k *talk, who colleague) string {
	k.leaves(parley.Pending)
	k.until = y.nine(who.zone, 1+y.random.IntN(5))
	y.change(k, who, desk.ConversationChange{SnoozedUntil: parley.Some(k.until)})
	return "snoozes until " + k.until.Format(time.DateTime)
}

func (y *year) changes(k *talk, who colleague) string {
	s, in := parley.Statuses[y.random.IntN(len(parley.Statuses))], desk.ConversationChange{}
	if in.Status = parley.Some(s); y.random.IntN(2) == 0 {
		k.assignee, in.AssigneeID = who.id, parley.Some(who.id)
	}
	y.change(k, who, in)
	k.leaves(s)
	return "makes it " + string(s)
}

func (y *year) labels(k *talk, who colleague) string {
	label, on := []string{"vip", "bug"}[y.random.IntN(2)], y.random.IntN(3) > 0
	_, err := y.node().desk.LabelConversation(y.t.Context(), y.by(who.id), k.id, label, on)
	y.must(err)
	k.label(label, on)
	return fmt.Sprint(label, " ", on)
}

func (k *talk) label(label string, on bool) {
	k.labels = slices.DeleteFunc(k.labels, func(other string) bool { return other == label })
	if on {
		k.labels = append(k.labels, label)
		slices.Sort(k.labels)
	}
}

func (y *year) marks(k *talk, who colleague) string {
	if k.spam = !k.spam; k.spam {
		k.until = time.Time{}
	}
	y.change(k, who, desk.ConversationChange{Spam: parley.Some(k.spam)})
	return fmt.Sprint("spam ", k.spam)
}

func (y *year) schedules(k *talk, who colleague) string {
	d := &due{talk: k.id, content: fmt.Sprint("later ", y.step), author: who.id, at: y.nine(who.zone, 1+y.random.IntN(9)), step: y.step, quiet: y.random.IntN(2) == 0}
	d.at = d.at.Add(time.Duration(y.random.IntN(3_600_000)) * time.Millisecond)
	if len(y.duesOf(k)) >= parley.MaxScheduled-1 {
		return "schedules nothing more"
	}
	s, err := y.node().later.Schedule(y.t.Context(), y.by(who.id), k.id, later.NewScheduled{Content: d.content, SendAt: d.at, IfQuiet: d.quiet})
	y.must(err)
	d.id, y.dues = s.ID, append(y.dues, d)
	return d.content + " at " + d.at.Format(time.DateTime)
}

func (y *year) duesOf(k *talk) (all []*due) {
	for _, d := range y.dues {
		if d.talk == k.id {
			all = append(all, d)
		}
	}
	return all
}

// reschedules has an owner send, put off or delete a scheduled message.
func (y *year) reschedules(k *talk, who colleague) string {
	all := y.duesOf(k)
	if len(all) == 0 {
		return "finds nothing scheduled"
	}
	d, ctx := all[y.random.IntN(len(all))], y.t.Context()
	switch y.random.IntN(3) {
	case 0:
		_, err := y.node().later.SendNow(ctx, y.owner(), d.id)
		y.must(err)
		y.send(k, d, y.home.Owner.ID)
		return d.content + " is sent now"
	case 1:
		_, err := y.node().later.Delete(ctx, y.owner(), d.id)
		y.must(err)
		y.drop(d)
		return d.content + " is deleted"
	}
	d.at, d.held, d.step = y.nine(who.zone, 2), "", y.step
	_, err := y.node().later.Update(ctx, y.owner(), d.id, later.Change{SendAt: parley.Some(d.at)})
	y.must(err)
	return d.content + " moves to " + d.at.Format(time.DateTime)
}

func (y *year) send(k *talk, d *due, by parley.UserID) {
	k.said, k.wokeAt = append(k.said, d.content), time.Time{}
	y.heeds(k, by)
	y.drop(d)
}

func (y *year) drop(d *due) { y.dues = slices.DeleteFunc(y.dues, func(o *due) bool { return o == d }) }

func (y *year) writes(k *talk, who colleague) string {
	ctx, n, at := y.t.Context(), y.node(), k.id.String()+" "+string(who.id)
	now, err := n.drafts.Draft(y.owner().Visibility(), who.id, k.id).Now(ctx)
	y.must(err)
	if now.Content != y.written[at] {
		y.t.Fatalf("the draft is %q, want %q", now.Content, y.written[at])
	}
	content := []string{"", fmt.Sprint("half a word ", y.step)}[y.random.IntN(2)]
	_, err = n.drafts.PutDraft(ctx, y.by(who.id), parley.Draft{ConversationID: k.id, Content: content, Version: now.Version})
	y.must(err)
	if y.written[at] = content; content == "" {
		delete(y.written, at)
	}
	return "drafts " + content
}

func (y *year) runsMacro(k *talk, who colleague) string {
	_, err := y.node().macros.RunMacro(y.t.Context(), y.by(who.id), macros.Run{Conversation: k.id, Macro: y.macro})
	y.must(err)
	k.said, k.assignee, k.wokeAt = append(k.said, "Your money is on its way."), who.id, time.Time{}
	y.heeds(k, who.id)
	k.label("refund", true)
	k.leaves(parley.Resolved)
	return "refunds"
}

// leavesTeam removes a member, rather one who has something to be sent, whom another one
// follows.
func (y *year) leavesTeam(_ *talk, who colleague) string {
	if y.random.IntN(2) > 0 {
		return "stays"
	}
	if len(y.dues) > 0 {
		if at := slices.IndexFunc(y.team, func(c colleague) bool { return c.id == y.dues[0].author }); at >= 0 {
			who = y.team[at]
		}
	}
	_, err := y.node().access.RemoveMember(y.t.Context(), y.owner(), who.id)
	y.must(err)
	y.team = slices.DeleteFunc(y.team, func(o colleague) bool { return o.id == who.id })
	y.forgets(func(at named) bool { return at.member == who.id })
	for _, k := range y.talks {
		delete(y.written, k.id.String()+" "+string(who.id))
	}
	y.joins()
	return "leaves"
}

// invites mails a link, to a mail server that hangs at times.
func (y *year) invites(_ *talk, _ colleague) string {
	y.hangs.Store(y.random.IntN(3) == 0)
	y.invited++
	n := y.node()
	_, err := n.access.Invite(y.t.Context(), y.owner(), access.Invitee{Email: fmt.Sprintf("member%d@acme.example", y.invited), Role: parley.Agent},
		func(t *desk.Tx, made access.NewInvitation) error {
			return n.mail.QueueLink(t, &made.Invitation, made.Token, "en")
		})
	y.must(err)
	return fmt.Sprint("invites somebody, the mail server hangs: ", y.hangs.Load())
}

func (y *year) erases(k *talk, _ colleague) string {
	if y.random.IntN(2) == 0 {
		_, err := y.node().erasure.EraseContact(y.t.Context(), y.owner(), k.contact)
		y.must(err)
	} else {
		_, err := y.node().erasure.DeleteConversation(y.t.Context(), y.owner(), k.id)
		y.must(err)
	}
	for _, d := range y.duesOf(k) {
		y.drop(d)
	}
	for _, who := range y.team {
		delete(y.written, k.id.String()+" "+string(who.id))
	}
	y.talks = slices.DeleteFunc(y.talks, func(o *talk) bool { return o == k })
	y.forgets(func(at named) bool { return at.talk == k.id })
	y.run()
	return "is erased"
}

// sleep lets time pass until a moment: the clock stops wherever something is due.
func (y *year) sleep(until time.Time) {
	for {
		next := until
		for _, k := range y.talks {
			if !k.until.IsZero() && k.until.Before(next) {
				next = k.until
			}
		}
		for _, d := range y.dues {
			if d.held == "" && d.at.Before(next) {
				next = d.at
			}
		}
		y.clock.Store(next.UnixMilli())
		y.run()
		y.due()
		if !next.Before(until) {
			return
		}
	}
}

// due is what is to happen at this moment.
func (y *year) due() {
	for _, k := range y.talks {
		if !k.until.IsZero() && !k.until.After(y.now()) {
			k.leaves(parley.Open)
			k.wokeAt = y.now()
			y.woke++
		}
	}
	for _, d := range slices.Clone(y.dues) {
		if d.held != "" || d.at.After(y.now()) {
			continue
		}
		k := y.talks[slices.IndexFunc(y.talks, func(k *talk) bool { return k.id == d.talk })]
		switch {
		case !slices.ContainsFunc(y.team, func(c colleague) bool { return c.id == d.author }):
			d.held = parley.HeldAuthorLeft
		case d.quiet && k.wrote > d.step:
			d.held = parley.HeldCustomerWrote
		default:
			y.send(k, d, d.author)
		}
	}
}

// TestAYearOfADesk lets twenty members in twenty zones work for a year with snoozed
// conversations, scheduled messages, drafts, macros, teams, selections, notes that name each
// other and mails, while members leave, persons are erased, the mail server hangs and nodes die. After each week everything is as it
// should be, to the millisecond.
func TestAYearOfADesk(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		t.Parallel()
		y := newYear(newWorld(t, o))
		for week := 0; week < 52 && !t.Failed(); week++ {
			y.did = nil
			monday := y.now().Add(7 * 24 * time.Hour)
			for range 12 {
				y.did = append(y.did, y.work())
				y.sleep(y.now().Add(time.Duration(y.random.IntN(27*3600_000)) * time.Millisecond))
			}
			if y.now().Before(monday) {
				y.sleep(monday)
			}
			y.sweep()
			y.check()
		}
		t.Logf("%d things were done, %d conversations woke, %d mails came", y.step, y.woke, len(y.mailbox.Mails()))
	})
}
