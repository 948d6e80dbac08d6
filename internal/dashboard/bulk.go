package dashboard

import (
	"context"
	"net/http"

	"parley"
	"parley/internal/bulk"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/wire"
)

func bulkRoutes() []Route {
	const agent, path = parley.Agent, base + "bulk"
	return []Route{
		{"listBulks", methodGet, path, agent, false, listBulks},
		{"startBulk", methodPost, path, agent, false, startBulk},
		{"getBulk", methodGet, path + "/{id}", agent, false, getBulk},
		{"cancelBulk", methodPost, path + "/{id}/cancel", agent, false, cancelBulk},
		{"undoBulk", methodPost, path + "/{id}/undo", agent, false, undoBulk},
	}
}

// TellBulk returns what tells the streams of a job's member how far it is.
func TellBulk(hub *live.Hub) bulk.Tell {
	return func(ctx context.Context, ws parley.WorkspaceID, job *parley.BulkJob) {
		hub.Signal(ctx, ws, live.Signal{Name: "bulk", Member: job.Member, Data: wire.AppendBulkJob(nil, job)})
	}
}

func listBulks(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(jobs []parley.BulkJob) []byte { return wire.AppendData(nil, jobs, wire.AppendBulkJob) }, d.work.Bulk.Jobs(c.by()))
}

func getBulk(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(job parley.BulkJob) []byte { return wire.AppendBulkJob(nil, &job) }, d.work.Bulk.Job(c.by(), c.PathID("id")))
}

func startBulk(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	given := httpjson.Change(c.Reader, "ids", httpjson.ListOf(1, parley.MaxBulkIDs, httpjson.ID))
	query := httpjson.Change(c.Reader, "filter", viewQuery)
	in := bulk.Request{
		IDs: given.Value, Query: query.Value,
		Except: httpjson.Default(c.Reader, "except", httpjson.ListOf(0, parley.MaxBulkIDs, httpjson.ID), nil),
		Do:     bulkAction(c.Reader),
	}
	if given.Set == query.Set {
		c.Refuse("filter", "be given if ids are not, and only then")
	}
	return do(c, bulkReply(d, c, http.StatusAccepted), func(ctx context.Context, by desk.Caller) (parley.BulkJob, error) {
		return d.work.Bulk.Start(ctx, by, in)
	})
}

// bulkAction reads the one action of a job.
func bulkAction(in *httpjson.Reader) (do bulk.Action) {
	given := 0
	httpjson.Object(in, "change", func(in *httpjson.Reader) {
		do.Change = desk.ConversationValues{
			Status:       httpjson.Change(in, "status", httpjson.OneOf(parley.Statuses)),
			SnoozedUntil: httpjson.ChangeOrNull(in, "snoozedUntil", httpjson.Time),
			Priority:     httpjson.ChangeOrNull(in, "priority", httpjson.OneOf(parley.Priorities)),
			AssigneeID:   httpjson.ChangeOrNull(in, "assigneeId", httpjson.User),
			TeamID:       httpjson.ChangeOrNull(in, "teamId", httpjson.ID),
			ProductID:    httpjson.ChangeOrNull(in, "productId", httpjson.ID),
			Spam:         httpjson.Change(in, "spam", httpjson.Bool),
		}
		v := &do.Change
		if v.Status.Set || v.SnoozedUntil.Set || v.Priority.Set || v.AssigneeID.Set || v.TeamID.Set || v.ProductID.Set || v.Spam.Set {
			given++
		}
	})
	do.Label = httpjson.Default(in, "label", httpjson.Label, "")
	do.Unlabel = httpjson.Default(in, "unlabel", httpjson.Label, "")
	do.Read = httpjson.Default(in, "read", httpjson.Bool, false)
	for _, set := range []bool{do.Label != "", do.Unlabel != "", do.Read} {
		if set {
			given++
		}
	}
	if given != 1 {
		in.Refuse("change", "change something if there is no label, unlabel or read, and only then")
	}
	return do
}

func cancelBulk(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, bulkReply(d, c, http.StatusOK), func(ctx context.Context, by desk.Caller) (parley.BulkJob, error) {
		return d.work.Bulk.Cancel(ctx, by, id)
	})
}

func undoBulk(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, bulkReply(d, c, http.StatusAccepted), func(ctx context.Context, by desk.Caller) (parley.BulkJob, error) {
		return d.work.Bulk.Undo(ctx, by, id)
	})
}

// bulkReply answers with a job, and tells the member's other tabs of it.
func bulkReply(d *Dashboard, c *call, status int) func(parley.BulkJob) httpjson.Reply {
	return func(job parley.BulkJob) httpjson.Reply {
		TellBulk(d.live)(c.Context(), c.ws(), &job)
		return httpjson.Reply{Status: status, Body: wire.AppendBulkJob(nil, &job)}
	}
}
