package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

// maxDescription is the most characters of a product's description.
const maxDescription = 10000

func (d *Dashboard) createProduct(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	name := httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxName))
	description := httpjson.Default(c.Reader, "description", httpjson.Text(maxDescription), "")
	return do(c, func(p parley.Product) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendProduct(nil, &p))
	}, func(ctx context.Context, by desk.Caller) (parley.Product, error) {
		return d.desk.CreateProduct(ctx, by, name, description)
	})
}

func (d *Dashboard) updateProduct(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := desk.ProductChange{
		Name:        httpjson.Change(c.Reader, "name", httpjson.Filled(parley.MaxName)),
		Description: httpjson.Change(c.Reader, "description", httpjson.Text(maxDescription)),
		Archived:    httpjson.Change(c.Reader, "archived", httpjson.Bool),
	}
	return do(c, func(p parley.Product) httpjson.Reply {
		return httpjson.OK(wire.AppendProduct(nil, &p))
	}, func(ctx context.Context, by desk.Caller) (parley.Product, error) {
		return d.desk.UpdateProduct(ctx, by, id, in)
	})
}
