package dashboard

import (
	"context"
	"net/http"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/numbers"
	"parley/internal/qr"
	"parley/internal/wire"
)

// numberRoutes manage the numbers of the messaging application.
func numberRoutes() []Route {
	const admin = parley.Admin
	return []Route{
		{"connectNumber", methodPost, base + "numbers", admin, false, (*Dashboard).connectNumber},
		{"disconnectNumber", methodPost, base + "numbers/{id}/disconnect", admin, false, (*Dashboard).disconnectNumber},
		{"reconnectNumber", methodPost, base + "numbers/{id}/reconnect", admin, false, (*Dashboard).reconnectNumber},
		{"logOutNumber", methodPost, base + "numbers/{id}/logout", admin, false, (*Dashboard).logOutNumber},

		{"pairNumber", methodPost, base + "numbers/{id}/pairing", admin, false, (*Dashboard).pairNumber},
		{"getPairing", methodGet, base + "numbers/{id}/pairing", admin, false, (*Dashboard).getPairing},
		{"endPairing", methodDelete, base + "numbers/{id}/pairing", admin, false, (*Dashboard).endPairing},

		{"getBudgets", methodGet, base + "numbers/{id}/budgets", admin, false, (*Dashboard).getBudgets},
		{"setBudgets", methodPatch, base + "numbers/{id}/budgets", admin, false, (*Dashboard).setBudgets},
	}
}

func numberReply(n parley.Number) httpjson.Reply { return httpjson.OK(wire.AppendNumber(nil, &n)) }

func (d *Dashboard) connectNumber(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	phone := httpjson.Required(c.Reader, "phone", httpjson.Phone)
	driver := httpjson.Required(c.Reader, "driver", httpjson.OneOf(parley.Drivers))
	return do(c, func(saved desk.Saved[parley.Number]) httpjson.Reply {
		return httpjson.Saved(saved.Created, wire.AppendNumber(nil, &saved.Record))
	}, func(ctx context.Context, by desk.Caller) (desk.Saved[parley.Number], error) {
		return d.numbers.ConnectNumber(ctx, by, phone, driver)
	})
}

// onNumber calls a verb with the number in the path.
func onNumber(c *call, verb func(context.Context, desk.Caller, parley.ID) (parley.Number, error)) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, numberReply, func(ctx context.Context, by desk.Caller) (parley.Number, error) { return verb(ctx, by, id) })
}

func (d *Dashboard) disconnectNumber(c *call) (httpjson.Reply, error) {
	return onNumber(c, d.numbers.DisconnectNumber)
}

func (d *Dashboard) reconnectNumber(c *call) (httpjson.Reply, error) {
	return onNumber(c, d.numbers.ReconnectNumber)
}

func (d *Dashboard) logOutNumber(c *call) (httpjson.Reply, error) {
	return onNumber(c, d.numbers.LogOutNumber)
}

func (d *Dashboard) endPairing(c *call) (httpjson.Reply, error) {
	return onNumber(c, d.numbers.EndPairing)
}

func (d *Dashboard) pairNumber(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadOptionalBody()
	way := httpjson.Default(c.Reader, "by", httpjson.OneOf(numbers.PairWays()), numbers.PairWays()[0])
	return do(c, func(p parley.Pairing) httpjson.Reply {
		reply := httpjson.OK(wire.AppendPairing(nil, &p, nil))
		reply.Status = http.StatusAccepted
		return reply
	}, func(ctx context.Context, by desk.Caller) (parley.Pairing, error) {
		return d.numbers.PairNumber(ctx, by, id, way)
	})
}

func (d *Dashboard) getPairing(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	type shown struct {
		pairing parley.Pairing
		matrix  []string
	}
	return get(c, func(s shown) []byte { return wire.AppendPairing(nil, &s.pairing, s.matrix) },
		desk.Then(d.numbers.Pairing(c.by(), id), func(_ context.Context, p parley.Pairing) (shown, error) {
			if !p.IsQR() {
				return shown{pairing: p}, nil
			}
			matrix, err := qr.Matrix(p.Code)
			return shown{p, matrix}, err
		}))
}

func budgetsBody(uses []parley.BudgetUse) []byte {
	return wire.AppendData(nil, uses, wire.AppendBudget)
}

func (d *Dashboard) getBudgets(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, budgetsBody, d.numbers.Budgets(c.ws(), id))
}

func (d *Dashboard) setBudgets(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	limits := map[parley.Budget]parley.Optional[int]{}
	for _, budget := range parley.Budgets {
		limits[budget] = httpjson.ChangeOrNull(c.Reader, string(budget), httpjson.Count(parley.MaxBudget))
	}
	return do(c, func(uses []parley.BudgetUse) httpjson.Reply { return httpjson.OK(budgetsBody(uses)) },
		func(ctx context.Context, by desk.Caller) ([]parley.BudgetUse, error) {
			return d.numbers.SetBudgets(ctx, by, id, limits)
		})
}

// pairingNewsTime is how long new streams receive the latest step of a pairing.
const pairingNewsTime = 20 * time.Second

// RunPairingNews tells the dashboards' streams about the steps of this
// process's pairings until the context ends. It does not send codes; members
// who may see them request them.
func (d *Dashboard) RunPairingNews(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case news := <-d.numbers.PairingNews():
			p := parley.Pairing{NumberID: news.NumberID, Kind: news.Kind, Until: news.Until}
			d.live.Signal(ctx, news.Workspace, live.Signal{
				Name: "pairing", Key: news.NumberID.String(), Data: wire.AppendPairingNews(nil, &p), Stays: pairingNewsTime,
			})
		}
	}
}
