package dashboard

import (
	"context"
	"net/http"

	"parley"
	"parley/internal/access"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/qr"
	"parley/internal/wire"
)

// Limits of the inputs of second factors, in characters. Longer ones cannot be
// right.
const (
	maxCode  = 100
	maxSetUp = 1000
)

func secondFactorRoutes() []Route {
	return []Route{
		{"signInByCode", methodPost, base + "session/code", "", true, signInByCode},
		{"beginRequiredSecondFactor", methodPost, base + "session/second-factor", "", true, beginRequiredFactor},
		{"setRequiredSecondFactor", methodPut, base + "session/second-factor", "", true, setRequiredFactor},
		{"getSecondFactor", methodGet, base + "second-factor", parley.Agent, false, getSecondFactor},
		{"beginSecondFactor", methodPost, base + "second-factor", parley.Agent, false, beginSecondFactor},
		{"setSecondFactor", methodPut, base + "second-factor", parley.Agent, false, setSecondFactor},
		{"turnOffSecondFactor", methodPost, base + "second-factor/off", parley.Agent, false, turnOffSecondFactor},
		{"renewRecoveryCodes", methodPost, base + "second-factor/recovery-codes", parley.Agent, false, renewRecoveryCodes},
		{"listSecondFactors", methodGet, base + "second-factors", parley.Admin, false, listSecondFactors},
		{"requireSecondFactor", methodPatch, base + "second-factors", parley.Owner, false, requireSecondFactor},
		{"resetSecondFactor", methodDelete, base + "members/{id}/second-factor", parley.Admin, false, resetSecondFactor},
	}
}

// half returns the browser's half session.
func (c *call) half() access.Half { return access.Half(httpjson.Half(c.Request())) }

func signInByCode(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := access.SecondStep{
		Half: c.half(), Code: httpjson.Required(c.Reader, "code", httpjson.Text(maxCode)),
		UserAgent: c.Request().UserAgent(), Address: c.address, Tickets: c.tickets(),
	}
	return do(c, c.entered(http.StatusCreated), func(ctx context.Context, _ desk.Caller) (access.Entry, error) {
		return d.access.SignInByCode(ctx, in)
	})
}

// drawn is a second factor to set up, with its QR code.
type drawn struct {
	setUp access.FactorSetUp
	rows  []string
}

func draw(made access.FactorSetUp, err error) (drawn, error) {
	if err != nil {
		return drawn{}, err
	}
	rows, err := qr.Matrix(made.Address)
	return drawn{made, rows}, err
}

func (d drawn) reply() httpjson.Reply {
	return httpjson.OK(wire.AppendFactorSetUp(nil, d.setUp.Secret, d.setUp.Address, d.rows, d.setUp.SetUp))
}

func beginRequiredFactor(d *Dashboard, c *call) (httpjson.Reply, error) {
	half := c.half()
	return do(c, drawn.reply, func(ctx context.Context, _ desk.Caller) (drawn, error) {
		return draw(d.access.SecondFactors().BeginRequired(ctx, half))
	})
}

// readFactorChange reads what completes a set-up.
func (c *call) readFactorChange() access.FactorChange {
	c.ReadBody()
	return access.FactorChange{
		SetUp:   httpjson.Required(c.Reader, "setUp", httpjson.Text(maxSetUp)),
		Code:    httpjson.Required(c.Reader, "code", httpjson.Text(maxCode)),
		Tickets: c.tickets(),
	}
}

// factorReply renders the recovery codes of a new second factor, and sets the
// cookies of its session.
func (c *call) factorReply(status int) func(access.NewFactor) httpjson.Reply {
	return func(made access.NewFactor) httpjson.Reply {
		c.entered(status)(made.Entry)
		return httpjson.Reply{Status: status, Body: wire.AppendRecoveryCodes(nil, made.RecoveryCodes)}
	}
}

func setRequiredFactor(d *Dashboard, c *call) (httpjson.Reply, error) {
	half, in := c.half(), c.readFactorChange()
	client := entry.Client{Address: c.address, UserAgent: c.Request().UserAgent()}
	return do(c, c.factorReply(http.StatusCreated), func(ctx context.Context, _ desk.Caller) (access.NewFactor, error) {
		return d.access.SecondFactors().SetRequired(ctx, half, client, in)
	})
}

func getSecondFactor(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(own access.OwnFactor) []byte {
		return wire.AppendOwnFactor(nil, own.Since, own.RecoveryCodes, own.Required)
	}, d.access.SecondFactors().Own(c.ws(), c.in.Member.ID))
}

// readOwnPassword reads the password that confirms a change of the account.
func (c *call) readOwnPassword() string {
	c.ReadBody()
	return httpjson.Required(c.Reader, "current", httpjson.Text(maxPassword))
}

func beginSecondFactor(d *Dashboard, c *call) (httpjson.Reply, error) {
	password := c.readOwnPassword()
	return do(c, drawn.reply, func(ctx context.Context, by desk.Caller) (drawn, error) {
		return draw(d.access.SecondFactors().Begin(ctx, by, password))
	})
}

func setSecondFactor(d *Dashboard, c *call) (httpjson.Reply, error) {
	in := c.readFactorChange()
	in.Session = c.in.Session.ID
	return do(c, c.factorReply(http.StatusOK), func(ctx context.Context, by desk.Caller) (access.NewFactor, error) {
		return d.access.SecondFactors().Set(ctx, by, in)
	})
}

func turnOffSecondFactor(d *Dashboard, c *call) (httpjson.Reply, error) {
	in := access.FactorEnd{Session: c.in.Session.ID, Password: c.readOwnPassword(), Tickets: c.tickets()}
	return do(c, c.entered(http.StatusOK), func(ctx context.Context, by desk.Caller) (access.Entry, error) {
		return d.access.SecondFactors().TurnOff(ctx, by, in)
	})
}

func renewRecoveryCodes(d *Dashboard, c *call) (httpjson.Reply, error) {
	password := c.readOwnPassword()
	return do(c, func(codes []string) httpjson.Reply {
		return httpjson.OK(wire.AppendRecoveryCodes(nil, codes))
	}, func(ctx context.Context, by desk.Caller) ([]string, error) {
		return d.access.SecondFactors().RenewRecoveryCodes(ctx, by, password)
	})
}

func appendAllFactors(all access.AllFactors) []byte {
	return wire.AppendAllFactors(nil, all.Required, all.Members)
}

func listSecondFactors(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, appendAllFactors, d.access.SecondFactors().All(c.ws()))
}

func requireSecondFactor(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	required := httpjson.Required(c.Reader, "requireSecondFactor", httpjson.Bool)
	return do(c, func(all access.AllFactors) httpjson.Reply {
		return httpjson.OK(appendAllFactors(all))
	}, func(ctx context.Context, by desk.Caller) (access.AllFactors, error) {
		return d.access.SecondFactors().Require(ctx, by, required)
	})
}

func resetSecondFactor(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := parley.UserID(c.PathText("id"))
	return do(c, memberReply, func(ctx context.Context, by desk.Caller) (parley.Member, error) {
		return d.access.SecondFactors().Reset(ctx, by, id)
	})
}
