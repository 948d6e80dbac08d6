package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func (d *Dashboard) connectNumber(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	phone := httpjson.Required(c.Reader, "phone", httpjson.Phone)
	// Another driver's numbers are paired by a code, which takes more than a request.
	driver := httpjson.Required(c.Reader, "driver", httpjson.OneOf([]parley.Driver{parley.DriverSandbox}))
	return do(c, func(saved desk.Saved[parley.Number]) httpjson.Reply {
		return httpjson.Saved(saved.Created, wire.AppendNumber(nil, &saved.Record))
	}, func(ctx context.Context, by desk.Caller) (desk.Saved[parley.Number], error) {
		return d.desk.ConnectNumber(ctx, by, phone, driver)
	})
}
