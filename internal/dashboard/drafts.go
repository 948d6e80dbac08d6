package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/drafts"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/wire"
)

func draftRoutes() []Route {
	return []Route{
		{"listDrafts", methodGet, base + "drafts", parley.Agent, false, listDrafts},
		{"getDraft", methodGet, base + "conversations/{id}/draft", parley.Agent, false, getDraft},
		{"putDraft", methodPut, base + "conversations/{id}/draft", parley.Agent, false, putDraft},
	}
}

func listDrafts(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(m drafts.Marks) []byte { return wire.AppendDraftMarks(nil, m.Own, m.Others) },
		d.work.Drafts.Drafts(c.visibility(), c.in.Member.ID))
}

func getDraft(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(draft parley.Draft) []byte { return wire.AppendDraft(nil, &draft) },
		d.work.Drafts.Draft(c.visibility(), c.in.Member.ID, c.PathID("id")))
}

// putDraft tells all members that a draft has begun or ended, and the author's other
// tabs of each change. A tab that misses a signal lists the drafts when it reconnects.
func putDraft(d *Dashboard, c *call) (httpjson.Reply, error) {
	in := parley.Draft{ConversationID: c.PathID("id")}
	c.ReadBody()
	in.Content = httpjson.Required(c.Reader, "content", httpjson.Writing(parley.MaxContent))
	in.Private = httpjson.Default(c.Reader, "isPrivate", httpjson.Bool, false)
	in.AttachmentIDs = httpjson.Default(c.Reader, "attachmentIds", httpjson.ListOf(0, parley.MaxAttachments, httpjson.ID), nil)
	in.BegunID = httpjson.ChangeOrNull(c.Reader, "begunId", httpjson.ID).Value
	in.Version = httpjson.Required(c.Reader, "version", httpjson.Version)
	return do(c, func(change drafts.Change) httpjson.Reply {
		signal := live.Signal{Name: "draft", Data: wire.AppendDraftSignal(nil, &change.Draft), Places: []parley.Place{change.Place}}
		if !change.Shown {
			signal.Member = c.in.Member.ID
		}
		d.live.Signal(c.Context(), c.ws(), signal)
		return httpjson.OK(wire.AppendDraft(nil, &change.Draft))
	}, func(ctx context.Context, by desk.Caller) (drafts.Change, error) {
		return d.work.Drafts.PutDraft(ctx, by, in)
	})
}
