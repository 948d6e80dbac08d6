package numbers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
)

// A spendKind is what budgets count.
type spendKind string

const (
	spendGroups  spendKind = "groups"
	spendAdds    spendKind = "adds"
	spendInvites spendKind = "invites"
	spendSends   spendKind = "sends"
)

// A budgetRule says what a budget counts, over which window, and its default
// limit.
type budgetRule struct {
	budget parley.Budget
	kind   spendKind
	window time.Duration
	usual  int
}

// budgetRules are far below the levels that got numbers banned according to
// reports; the application publishes no limits.
func budgetRules() []budgetRule {
	return []budgetRule{
		{parley.GroupsPerHour, spendGroups, time.Hour, 5},
		{parley.GroupsPerDay, spendGroups, 24 * time.Hour, 20},
		{parley.AddsPerHour, spendAdds, time.Hour, 20},
		{parley.InvitesPerHour, spendInvites, time.Hour, 5},
		{parley.SendsPerMinute, spendSends, time.Minute, 20},
	}
}

// Spending is counted in slots of time. A slot counts until all of it is
// outside the window, so the limit holds in every window.
func slotOf(kind spendKind) time.Duration {
	if kind == spendSends {
		return 5 * time.Second
	}
	return 5 * time.Minute
}

// longestWindow is how long spending is remembered.
const longestWindow = 25 * time.Hour

// inviteGap is the time that a person needs between two messages.
func inviteGap() time.Duration { return 5*time.Second + rand.N(15*time.Second) }

// Budgets returns the budgets of a number and their present use.
func (s *Service) Budgets(ws parley.WorkspaceID, number parley.ID) desk.Read[[]parley.BudgetUse] {
	return desk.Snapshot(s.desk, func(v *store.View) ([]parley.BudgetUse, error) {
		n, err := v.Number(ws, number)
		if err != nil {
			return nil, err
		}
		return s.budgetsOf(v, ws, n, s.clock.Now())
	})
}

func (s *Service) budgetsOf(v *store.View, ws parley.WorkspaceID, n parley.Number, now time.Time) ([]parley.BudgetUse, error) {
	set, err := SelectNumberBudgets(v, ws, n.ID)
	if err != nil {
		return nil, err
	}
	var uses []parley.BudgetUse
	for _, rule := range budgetRules() {
		use := parley.BudgetUse{Budget: rule.budget, Default: s.usualLimit(n, rule)}
		use.Limit = use.Default
		if limit, ok := set[rule.budget]; ok {
			use.Limit = limit
		}
		spends, err := SelectSpends(v, ws, n.ID, string(rule.kind), now.Add(-rule.window-slotOf(rule.kind)))
		if err != nil {
			return nil, err
		}
		for _, s := range spends {
			use.Used += s.Count
		}
		uses = append(uses, use)
	}
	return uses, nil
}

// usualLimit is the default limit of a budget. Without a real network there is
// none.
func (s *Service) usualLimit(n parley.Number, rule budgetRule) int {
	if _, runs := s.connectors[n.Driver].(chatapp.Runner); runs {
		return rule.usual
	}
	return parley.NoBudget
}

// SetBudgets changes limits of a number. Null restores the default.
func (s *Service) SetBudgets(ctx context.Context, by desk.Caller, number parley.ID, limits map[parley.Budget]parley.Optional[int]) ([]parley.BudgetUse, error) {
	defer s.outbox.wakeUp()
	return write(ctx, s, by, func(t *tx) ([]parley.BudgetUse, error) {
		n, err := t.Number(t.WS, number)
		if err != nil {
			return nil, err
		}
		var changed []string
		for _, budget := range parley.Budgets {
			limit := limits[budget]
			if limit.Null || limit.Set {
				changed = append(changed, string(budget))
			}
			switch {
			case limit.Null:
				err = DeleteNumberBudget(t, t.WS, number, budget)
			case limit.Set:
				err = UpsertNumberBudget(t, t.WS, number, budget, limit.Value)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := t.Audit.Changed(entry.BudgetUpdated, entry.SubjectNumber, number.String(), changed...); err != nil {
			return nil, err
		}
		return s.budgetsOf(&t.View, t.WS, n, t.Now)
	})
}

// An allowance says how much of a kind a number may do now and, if that is not
// enough, when it may do more at the latest.
type allowance struct {
	left    int       // NoBudget if unlimited
	most    int       // the limit of any one window, likewise
	retryAt time.Time // when one more than left is allowed
}

// allowanceFor returns how much of a kind a number may do now.
func (t *tx) allowanceFor(s *Service, n parley.Number, kind spendKind) (allowance, error) {
	r := allowance{left: parley.NoBudget, most: parley.NoBudget}
	set, err := SelectNumberBudgets(t, t.WS, n.ID)
	if err != nil {
		return r, err
	}
	for _, rule := range budgetRules() {
		limit, ok := set[rule.budget]
		if !ok {
			limit = s.usualLimit(n, rule)
		}
		if rule.kind != kind || limit == parley.NoBudget {
			continue
		}
		slot := slotOf(kind)
		spends, err := SelectSpends(t, t.WS, n.ID, string(kind), t.Now.Add(-rule.window-slot))
		if err != nil {
			return r, err
		}
		used := 0
		for _, s := range spends {
			used += s.Count
		}
		left := max(0, limit-used)
		retryAt := t.Now.Add(rule.window)
		if len(spends) > 0 {
			retryAt = spends[0].Slot.Add(slot + rule.window)
		}
		if r.left == parley.NoBudget || left < r.left || left == r.left && retryAt.After(r.retryAt) {
			r.left, r.retryAt = left, retryAt
		}
		if r.most == parley.NoBudget || limit < r.most {
			r.most = limit
		}
	}
	return r, nil
}

// spend charges what a number does now.
func (t *tx) spend(n parley.Number, kind spendKind, count int) error {
	return t.spendAt(t.Now, n, kind, count)
}

// spendAt charges what a number did at a time. A refund goes to the slot of the
// charge.
func (t *tx) spendAt(at time.Time, n parley.Number, kind spendKind, count int) error {
	return UpsertSpend(t, t.WS, n.ID, string(kind), Spend{Slot: at.Truncate(slotOf(kind)), Count: count})
}

// spend charges count to a number's budgets, all or nothing, and returns a
// function that refunds what did not take place. Too little left is a Limited
// error.
func (s *Service) spend(ctx context.Context, ws parley.WorkspaceID, n parley.Number, kind spendKind, count int) (refund func(), err error) {
	spent, err := write(ctx, s, desk.Caller{Workspace: ws}, func(t *tx) (time.Time, error) {
		r, err := t.allowanceFor(s, n, kind)
		if err != nil || r.left == parley.NoBudget {
			return time.Time{}, err
		}
		if r.most > 0 && count > r.most {
			return t.Now, parley.InvalidField("participants", fmt.Sprintf("be at most %d numbers, which is the number's budget of %s", r.most, kind))
		}
		if count > r.left {
			return t.Now, &parley.Error{
				Kind: parley.Limited, RetryAfter: max(time.Second, r.retryAt.Sub(t.Now)),
				Message: fmt.Sprintf("the budget of %s of the number %s is used up for now", kind, n.Phone.Display()),
			}
		}
		return t.Now, t.spend(n, kind, count)
	})
	return func() {
		if spent.IsZero() {
			return
		}
		_, err := write(ctx, s, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
			return struct{}{}, t.spendAt(spent, n, kind, -count)
		})
		if err != nil {
			s.log.Warn("numbers: budget not refunded", "number", n.ID, "error", err)
		}
	}, err
}

// nothingDone reports whether a network's error means that the operation had no
// effect.
func nothingDone(err error) bool {
	var limit *chatapp.LimitError
	var words failedFor // the network was not called
	return errors.As(err, &limit) || errors.As(err, &words) || errors.Is(err, chatapp.ErrNobody) || errors.Is(err, chatapp.ErrName) ||
		errors.Is(err, chatapp.ErrNotConnected) || errors.Is(err, chatapp.ErrNoGroup) || errors.Is(err, chatapp.ErrNotAdmin)
}
