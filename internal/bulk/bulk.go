// Package bulk changes many conversations at once. A member names them or a filter of
// the list; their ids are collected when the job starts, and a timer (kind "bulk") changes
// them in portions, each in a transaction, so that other writes come in between.
//
// Between the start and a portion everything may change. So each portion reads its
// conversations again, as the job's member sees them now, and skips those that the
// member would not want to change any more; the job counts them by reason. A job can be
// cancelled between two portions and, when it has ended, undone by another job.
//
// The package stands over the desk. It may import the vocabulary, the store, the desk
// and timers.
package bulk

import (
	"context"
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// Timer is the kind of the timers, each of which is named by the id of its job. The
	// store keeps the name.
	Timer = "bulk"
	// usualPortion is how many conversations change in one transaction. Other writes of the
	// workspace wait for it.
	usualPortion = 25
	// page is how many ids are collected at a time.
	page = 1000
)

// A FilterOf returns the filter of a query of the list of conversations, as a member
// sees it. Anything else is Invalid.
type FilterOf func(query string, member parley.UserID) (desk.ConversationFilter, error)

// A Service has the verbs of jobs. Its methods may be called by many goroutines.
type Service struct {
	desk    *desk.Desk
	filter  FilterOf
	portion int
}

// New returns a Service over a desk.
func New(d *desk.Desk, filter FilterOf) *Service { return &Service{d, filter, usualPortion} }

// A Request has the inputs of a job.
type Request struct {
	IDs    []parley.ID // at most parley.MaxBulkIDs; nil: by Query
	Query  string      // of the list of conversations
	Except []parley.ID // that match Query, but must not change
	Do     Action
}

// Start starts a job of the calling member. More than parley.MaxBulk conversations are
// Invalid. A member whose job still runs gets a Conflict, as in a workspace with
// parley.MaxBulkOfWorkspace of them.
func (svc *Service) Start(ctx context.Context, by desk.Caller, in Request) (parley.BulkJob, error) {
	ids := desk.Unique(in.IDs)
	if in.IDs == nil {
		var err error
		if ids, err = svc.collect(by, in).Now(ctx); err != nil {
			return parley.BulkJob{}, err
		}
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.BulkJob, error) {
		if err := check(t, &in.Do.Change); err != nil {
			return parley.BulkJob{}, err
		}
		return svc.begin(t, &Job{Query: in.Query, Do: in.Do, BulkJob: parley.BulkJob{Member: by.Member, Action: in.Do.word()}}, ids)
	})
}

// collect returns the ids of the conversations that match a filter.
func (svc *Service) collect(by desk.Caller, in Request) desk.Read[[]parley.ID] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.ID, error) {
		filter, err := svc.filter(in.Query, by.Member)
		if err != nil {
			return nil, parley.InvalidField("filter", "be a filter of the list of conversations")
		}
		except := make(map[parley.ID]bool, len(in.Except))
		for _, id := range in.Except {
			except[id] = true
		}
		var ids []parley.ID
		for after := (parley.Position{}); ; {
			p, err := v.ConversationIDs(by.Visibility(), filter, after, page)
			if err != nil {
				return nil, err
			}
			for _, id := range p.Items {
				if !except[id] {
					ids = append(ids, id)
				}
			}
			if len(ids) > parley.MaxBulk {
				return nil, parley.InvalidField("filter", "match at most 10000 conversations")
			}
			if !p.HasMore {
				return ids, nil
			}
			after = p.Next
		}
	})
}

// check refuses a change that no conversation can take, so that it does not fail for
// each of them.
func check(t *desk.Tx, v *desk.ConversationValues) error {
	if v.AssigneeID.Has() {
		if _, err := t.Member(t.WS, v.AssigneeID.Value); err != nil {
			return desk.Reference("change.assigneeId", err)
		}
	}
	if v.ProductID.Has() {
		product, err := t.Product(t.WS, v.ProductID.Value)
		if err != nil {
			return desk.Reference("change.productId", err)
		}
		if product.Archived() {
			return parley.InvalidField("change.productId", "be an active product; this one is archived")
		}
	}
	if until := v.SnoozedUntil; until.Has() {
		switch {
		case v.Status.Set && v.Status.Value != parley.Pending:
			return parley.InvalidField("change.status", "be pending or absent beside snoozedUntil")
		case !until.Value.After(t.Now) || until.Value.After(t.Now.Add(desk.MaxSnooze)):
			return parley.InvalidField("change.snoozedUntil", "be in the future, at most 400 days ahead")
		}
	}
	return nil
}

// begin stores a job with its conversations. One without any has ended.
func (svc *Service) begin(t *desk.Tx, j *Job, ids []parley.ID) (parley.BulkJob, error) {
	runners, err := SelectRunners(t, t.WS)
	if err != nil {
		return j.BulkJob, err
	}
	if slices.Contains(runners, j.Member) {
		return j.BulkJob, parley.Errorf(parley.Conflict, "you change many conversations already; wait until that has ended, or cancel it")
	}
	if len(runners) >= parley.MaxBulkOfWorkspace {
		return j.BulkJob, parley.Errorf(parley.Conflict, "other members change many conversations now; wait until one of them is done")
	}
	j.ID, j.CreatedAt, j.State, j.Total, j.Reasons = t.IDs.New(t.Now), t.Now, parley.BulkRunning, len(ids), map[parley.BulkReason]int{}
	if len(ids) == 0 {
		j.State, j.EndedAt = parley.BulkDone, t.Now
		return j.BulkJob, PutJob(t, t.WS, j)
	}
	if err := PutJob(t, t.WS, j); err != nil {
		return j.BulkJob, err
	}
	for place := 0; place < len(ids); place += svc.portion {
		batch := Batch{Place: place, IDs: ids[place:min(place+svc.portion, len(ids))]}
		if err := InsertBatch(t, t.WS, j.ID, batch); err != nil {
			return j.BulkJob, err
		}
	}
	return j.BulkJob, desk.InsertTimer(t, t.WS, Timer, j.ID.String(), t.Now)
}

// Jobs returns the newest jobs of the caller, at most parley.MaxBulkJobs.
func (svc *Service) Jobs(by desk.Caller) desk.Read[[]parley.BulkJob] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.BulkJob, error) {
		found, err := SelectJobs(v, by.Workspace, by.Member, parley.MaxBulkJobs)
		jobs := make([]parley.BulkJob, len(found))
		for i := range found {
			jobs[i] = found[i].BulkJob
		}
		return jobs, err
	})
}

// Job returns a job of the caller or, to an admin, of any member.
func (svc *Service) Job(by desk.Caller, id parley.ID) desk.Read[parley.BulkJob] {
	return desk.View(svc.desk, func(v *store.View) (parley.BulkJob, error) {
		j, err := find(v, by, id)
		return j.BulkJob, err
	})
}

// find returns a job that the caller may see. Another one is NotFound.
func find(v *store.View, by desk.Caller, id parley.ID) (Job, error) {
	j, err := SelectJob(v, by.Workspace, id)
	if err != nil || j.Member == by.Member {
		return j, err
	}
	who, err := desk.Actor(v, by)
	if err == nil && !who.Role.Includes(parley.Admin) {
		err = parley.NotFoundf("no such bulk job in this workspace")
	}
	return j, err
}

// Cancel ends a job of the caller or, by an admin, of any member. What it has changed
// stays changed. A job that has ended stays as it is.
func (svc *Service) Cancel(ctx context.Context, by desk.Caller, id parley.ID) (parley.BulkJob, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.BulkJob, error) {
		j, err := find(&t.View, by, id)
		if err != nil || j.State != parley.BulkRunning {
			return j.BulkJob, err
		}
		if err := desk.DeleteTimer(t, t.WS, Timer, id.String()); err != nil {
			return j.BulkJob, err
		}
		return j.BulkJob, end(t, &j, parley.BulkCancelled)
	})
}

// end stores that a job has ended.
func end(t *desk.Tx, j *Job, state parley.BulkState) error {
	j.State, j.EndedAt = state, t.Now
	if err := DeleteBatches(t, t.WS, j.ID); err != nil {
		return err
	}
	return PutJob(t, t.WS, j)
}

// Undo starts a job of the caller that takes back what an ended job did, wherever that is
// still as the job left it. An undo can be undone too. What marks conversations as read
// cannot.
func (svc *Service) Undo(ctx context.Context, by desk.Caller, id parley.ID) (parley.BulkJob, error) {
	ids, err := desk.View(svc.desk, func(v *store.View) ([]parley.ID, error) {
		if _, err := find(v, by, id); err != nil {
			return nil, err
		}
		return SelectChanged(v, by.Workspace, id)
	}).Now(ctx)
	if err != nil {
		return parley.BulkJob{}, err
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.BulkJob, error) {
		j, err := find(&t.View, by, id)
		switch {
		case err != nil:
			return j.BulkJob, err
		case j.State == parley.BulkRunning:
			return j.BulkJob, parley.Errorf(parley.Conflict, "the job still runs; cancel it first, or wait until it has ended")
		case j.Action == parley.BulkRead:
			return j.BulkJob, parley.Errorf(parley.Conflict, "that conversations were read cannot be undone")
		}
		return svc.begin(t, &Job{BulkJob: parley.BulkJob{Member: by.Member, Action: parley.BulkUndo, Undoes: id}}, ids)
	})
}

// Expire deletes what is older than parley.BulkRetention, at most limit records of
// conversations, and returns how many of these.
func Expire(t *desk.Tx, limit int) (int, error) {
	before := parley.FirstID(t.Now.Add(-parley.BulkRetention))
	items, err := DeleteOldItems(t, t.WS, before, limit)
	if err != nil || items == limit {
		return items, err
	}
	return items, DeleteOldJobs(t, t.WS, before)
}
