package publicapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"parley"
	"parley/api"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func (a *API) listProducts(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	archived := c.QueryBool("include_archived")
	list := "products " + strconv.FormatBool(archived)
	after := c.cursor("cursor", list)
	return get(c, func(p parley.Page[parley.Product]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), wire.AppendProduct)
	}, func(ctx context.Context) (parley.Page[parley.Product], error) {
		return a.desk.Products(ctx, c.ws, archived, after, limit)
	})
}

func (a *API) getProduct(c *call) (httpjson.Reply, error) {
	id, err := c.PathIDOrNotFound("id", "product")
	if err != nil {
		return httpjson.Reply{}, err
	}
	return get(c, func(p parley.Product) []byte { return wire.AppendProduct(nil, &p) },
		func(ctx context.Context) (parley.Product, error) { return a.desk.Product(ctx, c.ws, id) })
}

func (a *API) listInboxes(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	after := c.cursor("cursor", "inboxes")
	return get(c, func(p parley.Page[parley.Inbox]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor("inboxes", p.Next), wire.AppendInbox)
	}, func(ctx context.Context) (parley.Page[parley.Inbox], error) {
		return a.desk.Inboxes(ctx, c.ws, after, limit)
	})
}

func (a *API) listMembers(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	after := c.cursor("cursor", "members")
	return get(c, func(p parley.Page[parley.Member]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor("members", p.Next), wire.AppendMember)
	}, func(ctx context.Context) (parley.Page[parley.Member], error) {
		return a.desk.Members(ctx, c.ws, after, limit)
	})
}

// listEvents returns a page of the event log. Its cursor is a position of the
// log, not one of this API's cursors, so that it also resumes a stream.
func (a *API) listEvents(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	var after parley.Optional[parley.LogPosition]
	if text, ok := c.Query("after"); ok && text != "" {
		position, valid := parsePosition(text)
		if !valid {
			c.Refuse("after", "be a next_cursor of this list or an id of the event stream")
		}
		after = parley.Some(position)
	}
	return get(c, func(p parley.EventPage) []byte {
		for i := range p.Events {
			if e := &p.Events[i]; c.stores && (e.Type == parley.ContactCreated || e.Type == parley.ContactUpdated) {
				e.Data = wire.WithStoreID(e.Data)
			}
		}
		return wire.AppendEventPage(nil, &p, formatPosition(p.Next))
	}, func(ctx context.Context) (parley.EventPage, error) {
		return a.desk.Events(ctx, c.ws, after, limit)
	})
}

// formatPosition writes a position as "epoch.seq".
func formatPosition(p parley.LogPosition) string {
	return p.Epoch + "." + strconv.FormatInt(p.Seq, 10)
}

func parsePosition(text string) (parley.LogPosition, bool) {
	epoch, seq, ok := strings.Cut(text, ".")
	n, err := strconv.ParseInt(seq, 10, 64)
	valid := ok && err == nil && n >= 0 && epoch != "" && len(epoch) <= 40 && strconv.FormatInt(n, 10) == seq
	return parley.LogPosition{Epoch: epoch, Seq: n}, valid
}

func (a *API) openapiJSON(c *call) (httpjson.Reply, error) {
	document, err := api.JSON()
	return httpjson.OK(document), err
}

func (a *API) openapiYAML(*call) (httpjson.Reply, error) {
	reply := httpjson.OK(api.YAML())
	reply.Header = http.Header{"Content-Type": {"application/yaml"}}
	return reply, nil
}
