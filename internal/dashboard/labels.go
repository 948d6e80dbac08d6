package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func labelReply(l parley.Label) httpjson.Reply { return httpjson.OK(wire.AppendLabel(nil, &l)) }

func (d *Dashboard) listLabels(c *call) (httpjson.Reply, error) {
	return get(c, func(labels []parley.Label) []byte { return wire.AppendData(nil, labels, wire.AppendLabel) }, d.settings.Labels(c.ws()))
}

func (d *Dashboard) createLabel(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	name := httpjson.Required(c.Reader, "name", httpjson.Label)
	color := httpjson.Required(c.Reader, "color", httpjson.OneOf(parley.LabelColors))
	return do(c, func(l parley.Label) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendLabel(nil, &l))
	}, func(ctx context.Context, by desk.Caller) (parley.Label, error) {
		return d.settings.CreateLabel(ctx, by, name, color)
	})
}

func (d *Dashboard) updateLabel(c *call) (httpjson.Reply, error) {
	name := c.PathText("name")
	c.ReadBody()
	color := httpjson.Change(c.Reader, "color", httpjson.OneOf(parley.LabelColors))
	return do(c, labelReply, func(ctx context.Context, by desk.Caller) (parley.Label, error) {
		return d.settings.UpdateLabel(ctx, by, name, color)
	})
}

func (d *Dashboard) deleteLabel(c *call) (httpjson.Reply, error) {
	name := c.PathText("name")
	return do(c, labelReply, func(ctx context.Context, by desk.Caller) (parley.Label, error) {
		return d.settings.DeleteLabel(ctx, by, name)
	})
}
