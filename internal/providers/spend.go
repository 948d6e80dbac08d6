package providers

import (
	"cmp"
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/model"
	"parley/internal/store"
)

// dayLength is the length of a day in UTC.
const dayLength = 24 * time.Hour

func dayOf(at time.Time) int64 { return at.UnixMilli() / dayLength.Milliseconds() }

func dayStart(day int64) time.Time { return time.UnixMilli(day * dayLength.Milliseconds()).UTC() }

// A Reservation is a part of a product's budgets that a call may use. If nobody
// settles it, because the process died, it counts until its day ends.
type Reservation struct {
	workspace parley.WorkspaceID
	spend     parley.ModelSpend // with its key, and the tokens in Reserved
	provider  parley.ModelProvider
}

// Reserve takes tokens, and what they cost, from the budgets of a product's day,
// before a model is called. If too little is left, it is Limited until the next
// day.
func (svc *Service) Reserve(ctx context.Context, ws parley.WorkspaceID, chosen Chosen, usage model.Usage) (Reservation, error) {
	return desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (Reservation, error) {
		r := Reservation{workspace: ws, provider: chosen.Provider, spend: parley.ModelSpend{
			ProductID: chosen.Agent.ProductID, Day: dayStart(dayOf(t.Now)), Currency: chosen.Provider.Currency,
			Feature: cmp.Or(chosen.Feature, parley.FeatureAgent), Reserved: int64(usage.In + usage.Out),
			ReservedCost: chosen.Provider.Cost(int64(usage.In), int64(usage.Out)),
		}}
		agent, err := agentOf(t, ws, r.spend.ProductID) // the limit of this moment
		if err != nil {
			return r, err
		}
		used, err := SelectSpent(t, ws, r.spend.ProductID, r.spend.Day, r.spend.Currency)
		if err != nil {
			return r, err
		}
		tomorrow := r.spend.Day.Add(dayLength).Sub(t.Now)
		switch {
		case used.Tokens+r.spend.Reserved > agent.DailyTokens:
			return r, &parley.Error{Kind: parley.Limited, Message: "the product has used its tokens for today", RetryAfter: tomorrow}
		case agent.DailyCost > 0 && used.Cost+r.spend.ReservedCost > agent.DailyCost:
			return r, &parley.Error{Kind: parley.Limited, Message: "the product has used its money for today", RetryAfter: tomorrow}
		}
		return r, AddSpend(t, ws, &r.spend)
	})
}

// Settle replaces a reservation with what the call has really used, also if the
// context has ended. A call that used nothing does not count.
func (svc *Service) Settle(ctx context.Context, r Reservation, usage model.Usage) error {
	in, out := int64(usage.In), int64(usage.Out)
	settled := parley.ModelSpend{
		ProductID: r.spend.ProductID, Day: r.spend.Day, Currency: r.spend.Currency, Feature: r.spend.Feature,
		Reserved: -r.spend.Reserved, ReservedCost: -r.spend.ReservedCost,
		TokensIn: in, TokensOut: out, Cost: r.provider.Cost(in, out),
	}
	if in+out > 0 {
		settled.Calls = 1
	}
	_, err := desk.Write(context.WithoutCancel(ctx), svc.desk, desk.Caller{Workspace: r.workspace}, func(t *desk.Tx) (struct{}, error) {
		return struct{}{}, AddSpend(t, t.WS, &settled)
	})
	return err
}

// Spend returns what the products used on each day since a time, newest first.
func (svc *Service) Spend(ws parley.WorkspaceID, since time.Time) desk.Read[[]parley.ModelSpend] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.ModelSpend, error) {
		return SelectSpend(v, ws, parley.DayOf(since), parley.DayOf(svc.base.Clock.Now()))
	})
}

// Expire deletes the spend of the transaction's workspace that is past its
// retention.
func Expire(t *desk.Tx) error {
	return DeleteSpendBefore(t, t.WS, t.Now.Add(-parley.ModelSpendRetention))
}
