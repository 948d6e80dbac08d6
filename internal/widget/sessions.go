package widget

import (
	"context"
	"net/http"

	"parley"
	"parley/internal/customers"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

// Limits of the inputs that start a session, in characters. Longer inputs
// cannot be right.
const (
	maxIdentity = 16384
	maxToken    = 200
	maxPage     = 2048
)

func (a *API) getWidget(c *call) (httpjson.Reply, error) {
	id, language := c.PathID("id"), c.queryLanguage()
	return do(c, func(w wire.Widget) httpjson.Reply {
		return httpjson.OK(wire.AppendWidget(nil, &w))
	}, func(ctx context.Context) (wire.Widget, error) {
		if err := c.page.enter(id); err != nil {
			return wire.Widget{}, err
		}
		w, err := a.customers.ShownWidget(ctx, id)
		if err != nil {
			return wire.Widget{}, err
		}
		articles, err := a.hasArticles(ctx, &w)
		return wire.Widget{
			Company: w.Workspace.Name, Settings: &w.Settings, Team: w.Team, Articles: articles, Upcoming: a.upcoming(&w), Texts: w.TextsIn(language),
		}, err
	})
}

// upcoming returns the times in which somebody answers, from now; nil if the
// widget does not show them.
func (a *API) upcoming(w *customers.Widget) []wire.OfficeSpan {
	if w.Hours == nil {
		return nil
	}
	spans := []wire.OfficeSpan{}
	for _, span := range w.Hours.Upcoming(a.clock.Now(), customers.UpcomingDays) {
		spans = append(spans, wire.OfficeSpan{Begin: span.Begin, End: span.End})
	}
	return spans
}

func appendEntry(e customers.CustomerEntry) []byte {
	return wire.AppendCustomerSession(nil, &e.Session, &e.Contact, e.Token)
}

func (a *API) startSession(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	inbox := httpjson.Required(c.Reader, "inboxId", httpjson.ID)
	in := customers.NewCustomerSession{
		Identity: httpjson.ChangeOrNull(c.Reader, "identity", httpjson.Text(maxIdentity)),
		Visitor:  parley.Token(httpjson.Default(c.Reader, "visitor", httpjson.Text(maxToken), "")),
		Page:     httpjson.Default(c.Reader, "page", httpjson.Text(maxPage), ""),
	}
	if in.Identity.Null { // a page that failed to sign must not turn its customers into visitors
		c.Refuse("identity", "be a token; leave it out for a visitor")
	}
	return do(c, func(e customers.CustomerEntry) httpjson.Reply {
		return httpjson.Saved(true, appendEntry(e))
	}, func(ctx context.Context) (customers.CustomerEntry, error) {
		if err := c.page.enter(inbox); err != nil {
			return customers.CustomerEntry{}, err
		}
		w, err := a.customers.Widget(ctx, inbox)
		if err != nil {
			return customers.CustomerEntry{}, err
		}
		if w.Settings.Identity == parley.IdentityOff && in.Identity.Has() {
			c.Ignore("identity")
		}
		e, err := a.customers.StartCustomerSession(ctx, w, in)
		if parley.KindOf(err) == parley.Unauthenticated {
			if limited := throttle(a.limits.rejected, http.Header{}, a.clients.Address(c.Request())); limited != nil {
				err = limited
			}
		}
		return e, err
	})
}

func (a *API) getSession(c *call) (httpjson.Reply, error) {
	return get(c, appendEntry, a.customers.Customer(c.session))
}

func (a *API) endSession(c *call) (httpjson.Reply, error) {
	return do(c, func(ended int) httpjson.Reply { return httpjson.OK(wire.AppendEnded(nil, ended)) },
		func(ctx context.Context) (int, error) { return a.customers.EndCustomerSession(ctx, c.session) })
}
