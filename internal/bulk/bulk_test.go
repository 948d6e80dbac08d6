package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/bulk"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/teams"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// filterOf reads the queries of these tests: a status, or a label.
func filterOf(query string, _ parley.UserID) (desk.ConversationFilter, error) {
	switch kind, value, _ := strings.Cut(query, "="); kind {
	case "status":
		return desk.ConversationFilter{Status: parley.Status(value)}, nil
	case "label":
		return desk.ConversationFilter{Labels: []string{value}}, nil
	}
	return desk.ConversationFilter{}, errors.New("no filter")
}

// A world has a few conversations and jobs that change three of them at a time.
type world struct {
	*desktest.World
	bulk          *bulk.Service
	random        *rand.Rand
	conversations []parley.ID
	told          parley.BulkJob // what the member of the last portion heard
	fails         bool           // the next portion fails after it has changed everything
	absent        parley.ID      // of no conversation
}

func newWorld(t *testing.T, w *desktest.World, count int) *world {
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	x := &world{World: w, bulk: bulk.New(w.Desk, filterOf), random: rand.New(rand.NewPCG(seed, 0))}
	x.absent = parley.FirstID(w.Now())
	x.bulk.SetPortion(3)
	contact := w.Contact(w.By(), "Ann")
	for range count {
		x.conversations = append(x.conversations, w.Conversation(w.By(), contact.ID).ID)
	}
	return x
}

func (x *world) node() *timer.Runner {
	kinds := x.bulk.Kinds(func(_ context.Context, _ parley.WorkspaceID, job *parley.BulkJob) { x.told = *job })
	do := kinds[0].Do
	kinds[0].Do = func(t *desk.Tx, due desk.Timer) (time.Time, error) {
		next, err := do(t, due)
		if x.fails {
			err = errors.Join(err, errors.New("the process ended"))
		}
		return next, err
	}
	return timer.New(x.Desk, kinds)
}

func (x *world) start(in bulk.Request) parley.BulkJob {
	x.T.Helper()
	job, err := x.bulk.Start(x.T.Context(), x.By(), in)
	x.Must(err)
	return job
}

func (x *world) job(id parley.ID) parley.BulkJob {
	x.T.Helper()
	job, err := x.bulk.Job(x.By(), id).Now(x.T.Context())
	x.Must(err)
	return job
}

// run runs jobs until they have ended.
func (x *world) run() {
	x.T.Helper()
	x.Must(x.node().RunDue(x.T.Context(), false))
}

// change changes a conversation as somebody else.
func (x *world) change(id parley.ID, in desk.ConversationChange) {
	x.T.Helper()
	_, err := x.Desk.UpdateConversation(x.T.Context(), desk.Caller{Workspace: x.Home.Workspace.ID}, id, in)
	x.Must(err)
}

// A record is what a job may change of a conversation.
type record struct {
	status   parley.Status
	snoozed  int64
	priority parley.Priority
	assignee parley.UserID
	label    bool
	spam     bool
	merged   bool
}

// records returns the conversations of the world.
func (x *world) records() map[parley.ID]record {
	x.T.Helper()
	all := map[parley.ID]record{}
	_, err := desk.View(x.Desk, func(v *store.View) (bool, error) {
		found, err := v.ConversationsOf(x.By().Visibility(), x.conversations)
		for _, c := range found {
			r := record{c.Status, 0, c.Priority, c.Assignee.ID, slices.Contains(c.Labels, "vip"), c.Spam, !c.MergedInto.IsZero()}
			if at := c.Snoozed(); !at.IsZero() {
				r.snoozed = at.UnixMilli()
			}
			all[c.ID] = r
		}
		return true, err
	}).Now(x.T.Context())
	x.Must(err)
	return all
}

// portion returns the conversations that a job changes next.
func (x *world) portion(job parley.ID) []parley.ID {
	x.T.Helper()
	batches, err := desk.View(x.Desk, func(v *store.View) ([]bulk.Batch, error) {
		return bulk.SelectBatches(v, x.Home.Workspace.ID, job, 1)
	}).Now(x.T.Context())
	x.Must(err)
	if len(batches) == 0 {
		return nil
	}
	return batches[0].IDs
}

func (x *world) items(job parley.ID, of []parley.ID) map[parley.ID]bulk.Item {
	x.T.Helper()
	found, err := desk.View(x.Desk, func(v *store.View) ([]bulk.Item, error) {
		return bulk.SelectItems(v, x.Home.Workspace.ID, job, of)
	}).Now(x.T.Context())
	x.Must(err)
	items := map[parley.ID]bulk.Item{}
	for _, item := range found {
		items[item.ConversationID] = item
	}
	return items
}

// An act is an action with what it does to a record.
type act struct {
	action bulk.Action
	puts   bool
	to     func(r record) record
}

func (x *world) act() act {
	owner, until := x.Home.Owner.ID, x.Now().Add(time.Hour)
	acts := []act{
		{bulk.Action{Change: desk.ConversationValues{Status: parley.Some(parley.Resolved)}}, true, func(r record) record {
			r.status, r.snoozed = parley.Resolved, 0
			return r
		}},
		{bulk.Action{Change: desk.ConversationValues{Status: parley.Some(parley.Open)}}, false, func(r record) record {
			r.status, r.snoozed = parley.Open, 0
			return r
		}},
		{bulk.Action{Change: desk.ConversationValues{SnoozedUntil: parley.Some(until)}}, true, func(r record) record {
			r.status, r.snoozed = parley.Pending, until.UnixMilli()
			return r
		}},
		{bulk.Action{Change: desk.ConversationValues{AssigneeID: parley.Some(owner), Priority: parley.Null[parley.Priority]()}}, false, func(r record) record {
			r.assignee, r.priority = owner, ""
			return r
		}},
		{bulk.Action{Change: desk.ConversationValues{AssigneeID: parley.Null[parley.UserID](), Priority: parley.Some(parley.Urgent)}}, false, func(r record) record {
			r.assignee, r.priority = "", parley.Urgent
			return r
		}},
		{bulk.Action{Change: desk.ConversationValues{Spam: parley.Some(true)}}, true, func(r record) record {
			r.spam, r.snoozed = true, 0
			return r
		}},
		{bulk.Action{Label: "vip"}, false, func(r record) record { r.label = true; return r }},
		{bulk.Action{Unlabel: "vip"}, false, func(r record) record { r.label = false; return r }},
	}
	return acts[x.random.IntN(len(acts))]
}

// meddle does something to a conversation while a job runs, and reports whether its
// customer wrote.
func (x *world) meddle(id parley.ID) (wrote bool) {
	x.T.Helper()
	switch x.random.IntN(6) {
	case 0:
		_, err := x.Desk.PostMessage(x.T.Context(), desk.Caller{Workspace: x.Home.Workspace.ID}, id, desk.NewMessage{Content: "?", Direction: parley.Incoming})
		x.Must(err)
		return true
	case 1:
		x.change(id, desk.ConversationChange{Status: parley.Some(parley.Statuses[x.random.IntN(3)])})
	case 2:
		x.change(id, desk.ConversationChange{Labels: parley.Some([]string{"vip", "a"}[x.random.IntN(2):])})
	case 3:
		x.change(id, desk.ConversationChange{Spam: parley.Some(x.random.IntN(2) == 0)})
	case 4:
		x.change(id, desk.ConversationChange{AssigneeID: parley.Null[parley.UserID](), Priority: parley.Some(parley.Low)})
	case 5:
		x.change(id, desk.ConversationChange{SnoozedUntil: parley.Some(x.Now().Add(2 * time.Hour))})
	}
	return false
}

// expected returns what happens to a conversation.
func expected(r record, here, matches, wrote bool, do act) (parley.BulkReason, record) {
	switch after := do.to(r); {
	case !here:
		return parley.BulkGone, r
	case r.merged:
		return parley.BulkMerged, r
	case !matches:
		return parley.BulkMoved, r
	case do.puts && wrote:
		return parley.BulkWrote, r
	case after == r:
		return parley.BulkUnchanged, r
	default:
		return "", after
	}
}

// TestBulkModel runs random jobs, portion by portion, while somebody else changes the
// conversations, portions fail and jobs are cancelled: each portion does exactly what it
// should, its items say so, and no other conversation changes. Undoing a job whose
// conversations nobody touched restores them.
func TestBulkModel(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		x := newWorld(t, w, 11)
		ctx := t.Context()
		_, err := desk.Write(ctx, w.Desk, w.By(), func(t *desk.Tx) (bool, error) {
			c, err := t.Conversation(t.Visibility, x.conversations[0])
			into, of := t.Conversation(t.Visibility, x.conversations[1])
			err = errors.Join(err, of)
			c.MergedInto, c.MergedAt, c.Assignee = into.ID, t.Now, into.Assignee
			return true, errors.Join(err, t.UpdateConversation(t.WS, &c, t.Now))
		})
		w.Must(err)
		for range 14 {
			w.Advance(time.Minute)
			x.job1(ctx, x.act())
		}
	})
}

// job1 runs one job of the model, and perhaps undoes it.
func (x *world) job1(ctx context.Context, do act) {
	x.T.Helper()
	in := bulk.Request{Do: do.action}
	matches := func(record) bool { return true }
	begun := x.records()
	switch x.random.IntN(3) {
	case 0:
		in.IDs = append(slices.Clone(x.conversations), x.absent)
	case 1:
		in.Query, matches = "status=open", func(r record) bool { return r.status == parley.Open && !r.spam && !r.merged }
	case 2:
		in.Query, matches = "label=vip", func(r record) bool { return r.label && !r.spam && !r.merged }
	}
	if in.Query != "" {
		in.Except = x.conversations[5:6]
	}
	job := x.start(in)
	want, wrote, meddled := parley.BulkJob{Reasons: map[parley.BulkReason]int{}}, map[parley.ID]bool{}, false
	if in.Query != "" {
		for id, r := range begun {
			if matches(r) && id != x.conversations[5] {
				want.Total++
			}
		}
	} else {
		want.Total = len(in.IDs)
	}
	node := x.node()
	for ids := x.portion(job.ID); ids != nil; ids = x.portion(job.ID) {
		if x.random.IntN(2) == 0 {
			id := x.conversations[1+x.random.IntN(len(x.conversations)-1)]
			wrote[id], meddled = x.meddle(id) || wrote[id], true
		}
		before := x.records()
		if x.fails = x.random.IntN(5) == 0; x.fails {
			if _, err := node.Round(ctx, false); err == nil || !maps.Equal(before, x.records()) {
				x.T.Fatalf("a portion that failed left its changes, or no error: %v", err)
			}
			x.fails, node = false, x.node() // the next process
			x.Advance(time.Minute)
		}
		after := maps.Clone(before)
		for _, id := range ids {
			r, here := before[id]
			var reason parley.BulkReason
			if reason, after[id] = expected(r, here, matches(r), wrote[id], do); !here {
				delete(after, id)
			}
			if reason == "" {
				want.Changed++
			} else {
				want.Reasons[reason]++
			}
		}
		merged := after[x.conversations[0]] // stands where what shows it does
		merged.assignee = after[x.conversations[1]].assignee
		after[x.conversations[0]] = merged
		_, err := node.Round(ctx, false)
		x.Must(err)
		if got := x.records(); !maps.Equal(got, after) {
			x.T.Fatalf("after %+v of %v\nthe conversations are %v,\nwant %v,\nbefore %v", do.action, ids, got, after, before)
		}
		now := x.job(job.ID)
		if fmt.Sprint(now.Total, now.Changed, now.Reasons) != fmt.Sprint(want.Total, want.Changed, want.Reasons) {
			x.T.Fatalf("the job is %+v, want %+v", now, want)
		}
		if fmt.Sprint(now) != fmt.Sprint(x.told) || now.Skipped()+now.Failed()+now.Changed > now.Total {
			x.T.Fatalf("the job is %+v, and its member heard %+v", now, x.told)
		}
		if x.random.IntN(12) == 0 {
			_, err := x.bulk.Cancel(ctx, x.By(), job.ID)
			x.Must(err)
		}
	}
	ended := x.job(job.ID)
	reached := ended.Changed + ended.Skipped() + ended.Failed()
	if ended.EndedAt.IsZero() || ended.State == parley.BulkDone != (reached == ended.Total && x.told.State == parley.BulkDone || ended.Total == 0) {
		x.T.Fatalf("the job ended as %+v after %+v", ended, x.told)
	}
	if !meddled {
		x.undone(ctx, job.ID, begun)
	}
}

// undone undoes a job whose conversations nobody changed.
func (x *world) undone(ctx context.Context, job parley.ID, want map[parley.ID]record) {
	x.T.Helper()
	undo, err := x.bulk.Undo(ctx, x.By(), job)
	x.Must(err)
	x.run()
	if got := x.records(); !maps.Equal(got, want) {
		x.T.Fatalf("after the undo of %+v\nthe conversations are %v,\nwant %v", x.job(job), got, want)
	}
	if done := x.job(undo.ID); done.State != parley.BulkDone || done.Changed != x.job(job).Changed || done.Changed != done.Total {
		x.T.Fatalf("the undo is %+v of %+v", done, x.job(job))
	}
}

// TestBulkWhileChanging labels conversations that match a filter on two nodes, while
// others take them out of it: each is labelled once or skipped, and the job counts them.
func TestBulkWhileChanging(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		x := newWorld(t, w, 24)
		ctx := t.Context()
		job := x.start(bulk.Request{Query: "status=open", Do: bulk.Action{Label: "vip"}})
		var running sync.WaitGroup
		for range 2 {
			running.Go(func() {
				if err := timer.New(w.Desk, x.bulk.Kinds(func(context.Context, parley.WorkspaceID, *parley.BulkJob) {})).RunDue(ctx, false); err != nil {
					t.Error(err)
				}
			})
		}
		for _, id := range x.conversations[:12] {
			running.Go(func() {
				if _, err := w.Desk.UpdateConversation(ctx, desk.Caller{Workspace: w.Home.Workspace.ID}, id, desk.ConversationChange{Status: parley.Some(parley.Resolved)}); err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		x.run()
		ended, items, after := x.job(job.ID), x.items(job.ID, x.conversations), x.records()
		if ended.State != parley.BulkDone || ended.Total != 24 || ended.Changed+ended.Reasons[parley.BulkMoved] != 24 || ended.Changed < 12 || len(items) != 24 {
			t.Errorf("the job is %+v with %d items", ended, len(items))
		}
		for id, item := range items {
			h, err := w.Desk.ConversationHistory(w.By().Visibility(), id, parley.Position{}, 200).Now(ctx)
			w.Must(err)
			labelled := 0
			for _, e := range h.Items {
				if strings.Contains(string(e.Changes), `"labels"`) && e.Type == parley.ConversationUpdated {
					labelled++
					if e.Origin.Actor != parley.MemberActor(&w.Home.Owner) {
						t.Errorf("the change is one of %+v", e.Origin.Actor)
					}
				}
			}
			if changed := item.Reason == ""; changed != after[id].label || changed != (labelled == 1) || labelled > 1 {
				t.Errorf("the item is %+v of %+v, labelled %d times", item, after[id], labelled)
			}
		}
	})
}

// TestBulkRules starts what cannot start, and ends jobs in every way.
func TestBulkRules(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		x := newWorld(t, w, 7)
		ctx := t.Context()
		var members []desk.Caller
		for i := range 4 {
			m, _, err := w.Access.CreateMember(ctx, w.By(), access.NewMember{Email: fmt.Sprint(i, "@home.example"), Name: "M", Role: parley.Agent})
			w.Must(err)
			members = append(members, desk.Caller{Workspace: w.Home.Workspace.ID, Member: m.ID, Actor: parley.MemberActor(&m)})
		}
		ann, bob := members[0], members[1]
		request := bulk.Request{Query: "status=open", Do: bulk.Action{Read: true}}
		first, err := x.bulk.Start(ctx, ann, request)
		w.Must(err)
		_, err = x.bulk.Start(ctx, ann, request)
		w.Refused(err, parley.Conflict, "you change many conversations already; wait until that has ended, or cancel it")
		_, err = x.bulk.Undo(ctx, ann, first.ID)
		w.Refused(err, parley.Conflict, "the job still runs; cancel it first, or wait until it has ended")
		for _, other := range members[1:3] {
			_, err = x.bulk.Start(ctx, other, request)
			w.Must(err)
		}
		_, err = x.bulk.Start(ctx, members[3], request)
		w.Refused(err, parley.Conflict, "other members change many conversations now; wait until one of them is done")
		_, err = x.bulk.Cancel(ctx, bob, first.ID)
		w.Refused(err, parley.NotFound, "no such bulk job in this workspace")

		// A member leaves: the job ends with the next portion. An admin may cancel one.
		_, err = x.bulk.Cancel(ctx, w.By(), first.ID)
		w.Must(err)
		_, err = w.Access.RemoveMember(ctx, w.By(), bob.Member)
		w.Must(err)
		for _, id := range x.conversations {
			_, err := w.Desk.PostMessage(ctx, desk.Caller{Workspace: w.Home.Workspace.ID}, id, desk.NewMessage{Content: "?", Direction: parley.Incoming})
			w.Must(err)
		}
		x.run()
		for i, want := range []string{"cancelled 0", "cancelled 0", "done 7"} {
			jobs, err := x.bulk.Jobs(members[i]).Now(ctx)
			w.Must(err)
			if got := fmt.Sprint(jobs[0].State, " ", jobs[0].Changed); len(jobs) != 1 || got != want {
				t.Errorf("the job of member %d is %s", i, got)
			}
		}
		unread, err := w.Desk.Unread(w.By().Visibility(), members[2].Member).Now(ctx)
		w.Must(err)
		if len(unread.New) > 0 {
			t.Errorf("the member has not read %v", unread)
		}
		_, err = x.bulk.Undo(ctx, w.By(), x.told.ID)
		w.Refused(err, parley.Conflict, "that conversations were read cannot be undone")

		// Each conversation refuses the label.
		x.change(x.conversations[0], desk.ConversationChange{Labels: parley.Some(many(parley.MaxLabels))})
		job := x.start(bulk.Request{IDs: x.conversations[:1], Do: bulk.Action{Label: "more"}})
		x.run()
		if job = x.job(job.ID); job.Failed() != 1 || job.State != parley.BulkDone {
			t.Errorf("the job is %+v", job)
		}

		// A fault of the server ends a job after some tries.
		x.start(bulk.Request{IDs: x.conversations[:1], Do: bulk.Action{Unlabel: "1"}})
		node := x.node()
		x.fails = true
		for range 5 {
			_ = node.RunDue(ctx, false) // fails on purpose
			w.Advance(time.Hour)
		}
		x.fails = false
		w.Must(node.RunDue(ctx, false))
		if x.told.State != parley.BulkFailed || x.told.Changed != 0 {
			t.Errorf("the job is %+v", x.told)
		}

		w.Advance(parley.BulkRetention + time.Minute)
		_, err = desk.Write(ctx, w.Desk, w.By(), func(t *desk.Tx) (int, error) { return bulk.Expire(t, 100) })
		w.Must(err)
		_, err = x.bulk.Job(w.By(), job.ID).Now(ctx)
		w.Refused(err, parley.NotFound, "no such bulk job in this workspace")
	})
}

// TestBulkUndo undoes what somebody has changed since: that stays. An undo can be undone.
func TestBulkUndo(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		x := newWorld(t, w, 4)
		ctx := t.Context()
		x.change(x.conversations[0], desk.ConversationChange{SnoozedUntil: parley.Some(w.Now().Add(time.Hour))})
		x.change(x.conversations[1], desk.ConversationChange{SnoozedUntil: parley.Some(w.Now().Add(9 * time.Hour))})
		job := x.start(bulk.Request{IDs: x.conversations, Do: bulk.Action{Change: desk.ConversationValues{Status: parley.Some(parley.Resolved), Priority: parley.Some(parley.High)}}})
		x.run()
		resolved := x.records()
		x.change(x.conversations[3], desk.ConversationChange{Priority: parley.Some(parley.Low)})
		w.Advance(2 * time.Hour) // the first would have woken
		undo, err := x.bulk.Undo(ctx, w.By(), job.ID)
		w.Must(err)
		x.run()
		got := x.records()
		want := map[parley.ID]record{
			x.conversations[0]: {status: parley.Open}, x.conversations[1]: {status: parley.Pending, snoozed: w.Now().Add(7 * time.Hour).UnixMilli()},
			x.conversations[2]: {status: parley.Open}, x.conversations[3]: {status: parley.Resolved, priority: parley.Low},
		}
		if done := x.job(undo.ID); !maps.Equal(got, want) || done.Changed != 3 || done.Reasons[parley.BulkMoved] != 1 || done.Undoes != job.ID || done.Action != parley.BulkUndo {
			t.Errorf("after the undo %+v\nthe conversations are %v,\nwant %v", done, got, want)
		}
		_, err = x.bulk.Undo(ctx, w.By(), undo.ID)
		w.Must(err)
		x.run()
		resolved[x.conversations[3]] = want[x.conversations[3]]
		if got := x.records(); !maps.Equal(got, resolved) {
			t.Errorf("after the undo of the undo the conversations are %v, want %v", got, resolved)
		}
	})
}

// TestBulkTeam gives conversations a product, which leads to a team, and takes both back.
func TestBulkTeam(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		x := newWorld(t, w, 2)
		ctx := t.Context()
		product, err := w.Desk.CreateProduct(ctx, w.By(), "Lamps", "")
		w.Must(err)
		service := teams.New(w.Desk)
		first, err := service.CreateTeam(ctx, w.By(), teams.Change{Name: parley.Some("Lamps"), ProductIDs: parley.Some([]parley.ID{product.ID})})
		w.Must(err)
		second, err := service.CreateTeam(ctx, w.By(), teams.Change{Name: parley.Some("Returns")})
		w.Must(err)
		x.change(x.conversations[1], desk.ConversationChange{TeamID: parley.Some(second.ID)})
		want := func(when string, team ...parley.ID) {
			t.Helper()
			for i, id := range x.conversations {
				thread, err := w.Desk.Thread(w.By().Visibility(), id, parley.Position{}, 1).Now(ctx)
				w.Must(err)
				if got := thread.Conversation.Team.ID; got != team[i] {
					t.Errorf("%s the conversation %d has the team %s, want %s", when, i, got, team[i])
				}
			}
		}
		job := x.start(bulk.Request{IDs: x.conversations, Do: bulk.Action{Change: desk.ConversationValues{ProductID: parley.Some(product.ID)}}})
		x.run()
		want("with the product", first.ID, second.ID)
		_, err = x.bulk.Undo(ctx, w.By(), job.ID)
		w.Must(err)
		x.run()
		want("after the undo", parley.ID{}, second.ID)
		x.start(bulk.Request{IDs: x.conversations, Do: bulk.Action{Change: desk.ConversationValues{TeamID: parley.Some(first.ID)}}})
		x.run()
		want("by hand", first.ID, first.ID)
	})
}

func many(n int) []string {
	labels := make([]string, n)
	for i := range labels {
		labels[i] = fmt.Sprint(i)
	}
	return labels
}
