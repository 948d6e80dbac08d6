package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func (d *Dashboard) createInbox(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	// Inboxes of the messaging application are created with their numbers.
	channels := []parley.Channel{parley.ChannelAPI, parley.ChannelWeb}
	in := desk.NewInbox{
		Name:      httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxName)),
		Channel:   httpjson.Required(c.Reader, "channelType", httpjson.OneOf(channels)),
		ProductID: httpjson.ChangeOrNull(c.Reader, "productId", httpjson.ID).Value,
	}
	return do(c, func(i parley.Inbox) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendInbox(nil, &i))
	}, func(ctx context.Context, by desk.Caller) (parley.Inbox, error) {
		return d.desk.CreateInbox(ctx, by, in)
	})
}

func (d *Dashboard) updateInbox(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := desk.InboxChange{
		Name:      httpjson.Change(c.Reader, "name", httpjson.Filled(parley.MaxName)),
		ProductID: httpjson.ChangeOrNull(c.Reader, "productId", httpjson.ID),
	}
	return do(c, func(i parley.Inbox) httpjson.Reply {
		return httpjson.OK(wire.AppendInbox(nil, &i))
	}, func(ctx context.Context, by desk.Caller) (parley.Inbox, error) {
		return d.desk.UpdateInbox(ctx, by, id, in)
	})
}
