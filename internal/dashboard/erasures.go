package dashboard

import (
	"context"
	"fmt"
	"net/http"

	"parley"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func erasureRoutes() []Route {
	const admin = parley.Admin
	return []Route{
		{"previewErasure", methodGet, base + "contacts/{id}/erasure", admin, false, previewErasure},
		{"eraseContact", methodPost, base + "contacts/{id}/erasure", admin, false, eraseContact},
		{"deleteConversation", methodDelete, base + "conversations/{id}", admin, false, deleteConversation},
		{"listErasures", methodGet, base + "erasures", admin, false, listErasures},
		{"getErasure", methodGet, base + "erasures/{id}", admin, false, getErasure},
		{"getRetention", methodGet, base + "inboxes/{id}/retention", admin, false, getRetention},
		{"setRetention", methodPut, base + "inboxes/{id}/retention", admin, false, setRetention},
	}
}

func previewErasure(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(p parley.ErasurePreview) []byte { return wire.AppendErasurePreview(nil, &p) }, d.erasure.Preview(c.ws(), id))
}

func eraseContact(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, accepted, func(ctx context.Context, by desk.Caller) (erasure.Erasure, error) {
		return d.erasure.EraseContact(ctx, by, id)
	})
}

func deleteConversation(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, accepted, func(ctx context.Context, by desk.Caller) (erasure.Erasure, error) {
		return d.erasure.DeleteConversation(ctx, by, id)
	})
}

// accepted renders an erasure that goes on after the answer.
func accepted(e erasure.Erasure) httpjson.Reply {
	return httpjson.Reply{Status: http.StatusAccepted, Body: wire.AppendErasure(nil, &e.Erasure)}
}

func listErasures(d *Dashboard, c *call) (httpjson.Reply, error) {
	limit := c.QueryInt("limit", parley.DefaultLimit, 1, parley.MaxLimit)
	list := httpjson.List{Workspace: c.ws(), Name: "erasures"}
	after := c.QueryCursor("cursor", list)
	return get(c, func(p parley.Page[erasure.Erasure]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, list.Cursor(p.Next), appendErasure)
	}, d.erasure.Erasures(c.ws(), after, limit))
}

func appendErasure(b []byte, e *erasure.Erasure) []byte { return wire.AppendErasure(b, &e.Erasure) }

func getErasure(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(e erasure.Erasure) []byte { return appendErasure(nil, &e) }, d.erasure.Erasure(c.ws(), id))
}

func getRetention(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	days := c.QueryInt("days", 0, 1, erasure.MaxRetentionDays)
	return get(c, func(s parley.Retention) []byte { return wire.AppendRetention(nil, &s) }, d.erasure.Retention(c.ws(), id, days))
}

func setRetention(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	days := httpjson.ChangeOrNull(c.Reader, "days", httpjson.Whole(1, erasure.MaxRetentionDays))
	if !days.Set {
		c.Refuse("days", fmt.Sprintf("be a whole number from 1 to %d, or null", erasure.MaxRetentionDays))
	}
	return do(c, func(s parley.Retention) httpjson.Reply { return httpjson.OK(wire.AppendRetention(nil, &s)) },
		func(ctx context.Context, by desk.Caller) (parley.Retention, error) {
			return d.erasure.SetRetention(ctx, by, id, days.Value) // null is 0
		})
}
