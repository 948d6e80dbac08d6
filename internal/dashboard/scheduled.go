package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/later"
	"parley/internal/wire"
)

func scheduledRoutes() []Route {
	const of, one = base + "conversations/{id}/scheduled", base + "scheduled/{id}"
	return []Route{
		{"listScheduled", methodGet, of, parley.Agent, false, listScheduled},
		{"createScheduled", methodPost, of, parley.Agent, false, createScheduled},
		{"updateScheduled", methodPatch, one, parley.Agent, false, updateScheduled},
		{"deleteScheduled", methodDelete, one, parley.Agent, false, deleteScheduled},
		{"sendScheduledNow", methodPost, one + "/send", parley.Agent, false, sendScheduledNow},
	}
}

func listScheduled(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.Files = true
	return get(c, func(all []parley.ScheduledMessage) []byte {
		return wire.AppendData(nil, all, wire.AppendScheduledMessage)
	}, d.work.Later.List(c.visibility(), id))
}

func createScheduled(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := later.NewScheduled{
		AttachmentIDs: httpjson.Default(c.Reader, "attachmentIds", httpjson.ListOf(0, parley.MaxAttachments, httpjson.ID), nil),
		ContentType:   httpjson.Default(c.Reader, "contentType", httpjson.OneOf(parley.PostedContentTypes), ""),
		Private:       httpjson.Default(c.Reader, "isPrivate", httpjson.Bool, false),
		Mentions:      httpjson.Default(c.Reader, "mentions", httpjson.ListOf(0, parley.MaxMentions, httpjson.User), nil),
		SendAt:        httpjson.Required(c.Reader, "sendAt", httpjson.Time),
		IfQuiet:       httpjson.Default(c.Reader, "ifQuiet", httpjson.Bool, true),
	}
	if len(in.AttachmentIDs) > 0 {
		in.Content = httpjson.Default(c.Reader, "content", httpjson.ContentOrNothing(parley.MaxContent), "")
	} else {
		in.Content = httpjson.Required(c.Reader, "content", httpjson.Content(parley.MaxContent))
	}
	c.Files = true
	return do(c, func(s parley.ScheduledMessage) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendScheduledMessage(nil, &s))
	}, func(ctx context.Context, by desk.Caller) (parley.ScheduledMessage, error) {
		return d.work.Later.Schedule(ctx, by, id, in)
	})
}

func scheduledReply(s parley.ScheduledMessage) httpjson.Reply {
	return httpjson.OK(wire.AppendScheduledMessage(nil, &s))
}

func updateScheduled(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := later.Change{
		Content: httpjson.Change(c.Reader, "content", httpjson.ContentOrNothing(parley.MaxContent)),
		SendAt:  httpjson.Change(c.Reader, "sendAt", httpjson.Time),
		IfQuiet: httpjson.Change(c.Reader, "ifQuiet", httpjson.Bool),
		Version: httpjson.Change(c.Reader, "version", httpjson.Version),
	}
	c.Files = true
	return do(c, scheduledReply, func(ctx context.Context, by desk.Caller) (parley.ScheduledMessage, error) {
		return d.work.Later.Update(ctx, by, id, in)
	})
}

func deleteScheduled(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.Files = true
	return do(c, scheduledReply, func(ctx context.Context, by desk.Caller) (parley.ScheduledMessage, error) {
		return d.work.Later.Delete(ctx, by, id)
	})
}

func sendScheduledNow(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.Files = true
	return do(c, func(m parley.Message) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendMessage(nil, &m))
	}, func(ctx context.Context, by desk.Caller) (parley.Message, error) {
		return d.work.Later.SendNow(ctx, by, id)
	})
}
