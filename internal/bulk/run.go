package bulk

import (
	"context"
	"fmt"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/timer"
)

const (
	// attempts is how often a portion is tried before its job fails.
	attempts = 5
	// rest ends each turn of a job. With the pause that follows a turn, as long as the turn, others'
	// requests find the writer and the processors free two thirds of the time rather than half. A
	// job of parley.MaxBulk conversations takes 2.4 s longer by it.
	rest = 3 * time.Millisecond
)

// A Tell tells the member of a job how far it is.
type Tell func(ctx context.Context, ws parley.WorkspaceID, job *parley.BulkJob)

// Kinds returns the kind of timer that runs jobs. tell is called after each portion.
func (svc *Service) Kinds(tell Tell) []timer.Kind {
	return []timer.Kind{{Name: Timer, Do: svc.run, Farthest: time.Minute, After: func(ctx context.Context, ws parley.WorkspaceID, ran desk.Timer) {
		id, _ := parley.ParseID(ran.Name)
		j, err := desk.View(svc.desk, func(v *store.View) (Job, error) { return SelectJob(v, ws, id) }).Now(ctx)
		if err == nil { // else the next portion tells it
			tell(ctx, ws, &j.BulkJob)
		}
		if err != nil || j.State == parley.BulkRunning {
			parley.Pause(ctx, rest)
		}
	}}}
}

// run changes the next portion of a job, in the name of its member.
func (svc *Service) run(t *desk.Tx, due desk.Timer) (next time.Time, err error) {
	id, ok := parley.ParseID(due.Name)
	if !ok {
		return next, fmt.Errorf("a timer is named %q", due.Name)
	}
	j, err := SelectJob(t, t.WS, id)
	if parley.KindOf(err) == parley.NotFound || err == nil && j.State != parley.BulkRunning {
		return next, nil
	}
	if err != nil {
		return next, err
	}
	member, err := t.Member(t.WS, j.Member)
	switch {
	case parley.KindOf(err) == parley.NotFound:
		return next, end(t, &j, parley.BulkCancelled)
	case err != nil:
		return next, err
	case due.Attempts >= attempts:
		return next, end(t, &j, parley.BulkFailed)
	}
	sight, err := t.SightOf(t.WS, &member)
	if err != nil {
		return next, err
	}
	by := desk.Caller{Workspace: t.WS, Member: member.ID, Actor: parley.MemberActor(&member), Sight: sight}
	t.Visibility, t.MemberID, t.Origin = by.Visibility(), by.Member, by.Origin() // as the member may see and do now
	batches, err := SelectBatches(t, t.WS, id, 2)
	if err != nil {
		return next, err
	}
	if len(batches) > 0 {
		if err := svc.change(t, &j, batches[0]); err != nil {
			return next, err
		}
	}
	if len(batches) < 2 {
		return next, end(t, &j, parley.BulkDone)
	}
	return t.Now, PutJob(t, t.WS, &j)
}

// change changes a portion of a job, stores what happened to each conversation, and adds
// that to the job.
func (svc *Service) change(t *desk.Tx, j *Job, b Batch) error {
	items, err := svc.items(t, j, b.IDs)
	if err != nil {
		return err
	}
	for i := range items {
		if items[i].Reason == "" {
			j.Changed++
		} else {
			j.Reasons[items[i].Reason]++
		}
		if err := InsertItem(t, t.WS, j.ID, &items[i]); err != nil {
			return err
		}
	}
	return DeleteBatch(t, t.WS, j.ID, b.Place)
}

// items changes conversations and returns what happened to each of them.
func (svc *Service) items(t *desk.Tx, j *Job, ids []parley.ID) ([]Item, error) {
	skipped, found, err := svc.skipped(t, j, ids)
	if err != nil {
		return nil, err
	}
	var rest []parley.ID
	items := make([]Item, 0, len(ids))
	for _, id := range ids {
		if reason := skipped[id]; reason != "" {
			items = append(items, Item{ConversationID: id, Reason: reason})
		} else {
			rest = append(rest, id)
		}
	}
	if len(rest) == 0 {
		return items, nil
	}
	if j.Action == parley.BulkRead {
		read, err := read(t, rest, found)
		return append(items, read...), err
	}
	actions, err := actionsOf(t, j, rest)
	if err != nil {
		return nil, err
	}
	outcomes, err := t.ChangeConversations(rest, func(c *parley.Conversation) (desk.ConversationChange, error) {
		return actions[c.ID].change(c, t.Now)
	})
	for i := range outcomes {
		items = append(items, itemOf(j, &outcomes[i], actions[outcomes[i].ID]))
	}
	return items, err
}

// itemOf returns what happened to a conversation by an action.
func itemOf(j *Job, o *desk.Outcome, did *Action) Item {
	item := Item{ConversationID: o.ID}
	switch {
	case o.Err == nil && len(o.Changed) > 0:
		item.Inverse = did.inverse(&o.Before, &o.Conversation)
	case o.Err == nil:
		item.Reason = parley.BulkUnchanged
	case parley.KindOf(o.Err) == parley.Conflict && !j.Undoes.IsZero(): // it is not as the other job left it
		item.Reason = parley.BulkMoved
	default:
		item.Reason = parley.BulkRefused
	}
	return item
}

// skipped returns which of some conversations do not change, and why, and what it found.
func (svc *Service) skipped(t *desk.Tx, j *Job, ids []parley.ID) (map[parley.ID]parley.BulkReason, map[parley.ID]*parley.Conversation, error) {
	reasons, found := map[parley.ID]parley.BulkReason{}, make(map[parley.ID]*parley.Conversation, len(ids))
	present, err := t.ConversationsOf(t.Visibility, ids)
	if err != nil {
		return nil, nil, err
	}
	for i := range present {
		found[present[i].ID] = &present[i]
	}
	matching, err := svc.matching(t, j, ids)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		switch c := found[id]; {
		case c == nil:
			reasons[id] = parley.BulkGone
		case !c.MergedInto.IsZero():
			reasons[id] = parley.BulkMerged
		case matching != nil && !matching[id]:
			reasons[id] = parley.BulkMoved
		}
	}
	if j.Undoes.IsZero() && j.Do.puts() {
		wrote, err := SelectWrote(t, t.Visibility, ids, j.ID)
		if err != nil {
			return nil, nil, err
		}
		for _, id := range wrote {
			if reasons[id] == "" {
				reasons[id] = parley.BulkWrote
			}
		}
	}
	return reasons, found, nil
}

// matching returns which of some conversations match the filter of a job now; nil if it
// has none.
func (svc *Service) matching(t *desk.Tx, j *Job, ids []parley.ID) (map[parley.ID]bool, error) {
	if j.Query == "" {
		return nil, nil
	}
	filter, err := svc.filter(j.Query, j.Member)
	if err != nil {
		return nil, err
	}
	filter.IDs = ids
	p, err := t.ConversationIDs(t.Visibility, filter, parley.Position{}, len(ids))
	matching := make(map[parley.ID]bool, len(p.Items))
	for _, id := range p.Items {
		matching[id] = true
	}
	return matching, err
}

// actionsOf returns what a job does with each of some conversations.
func actionsOf(t *desk.Tx, j *Job, ids []parley.ID) (map[parley.ID]*Action, error) {
	actions := make(map[parley.ID]*Action, len(ids))
	if j.Undoes.IsZero() {
		for _, id := range ids {
			actions[id] = &j.Do
		}
		return actions, nil
	}
	did, err := SelectItems(t, t.WS, j.Undoes, ids)
	for i := range did {
		actions[did[i].ConversationID] = &did[i].Inverse
	}
	for _, id := range ids {
		if actions[id] == nil { // the record has expired
			actions[id] = &Action{}
		}
	}
	return actions, err
}

// read marks conversations as read by the team and by the member of the transaction.
func read(t *desk.Tx, ids []parley.ID, found map[parley.ID]*parley.Conversation) ([]Item, error) {
	previews, err := t.MessagePreviews(t.Visibility, ids)
	if err != nil {
		return nil, err
	}
	last := make(map[parley.ID]parley.ID, len(previews))
	for i := range previews {
		last[previews[i].ConversationID] = previews[i].ID
	}
	items := make([]Item, len(ids))
	for i, id := range ids {
		c := found[id]
		if items[i].ConversationID = id; c.UnreadCount == 0 {
			items[i].Reason = parley.BulkUnchanged
		}
		if err := t.ReadUpTo(c, last[id]); err != nil {
			return nil, err
		}
	}
	return items, nil
}
