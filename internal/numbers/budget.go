package numbers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"parley"
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

// A budgetRule says what a budget counts, in which time, and how much it allows
// unless somebody sets another limit.
type budgetRule struct {
	budget parley.Budget
	kind   spendKind
	window time.Duration
	usual  int
}

// budgetRules are far below what got numbers banned, by the reports of others;
// the application publishes no limits.
func budgetRules() []budgetRule {
	return []budgetRule{
		{parley.GroupsPerHour, spendGroups, time.Hour, 5},
		{parley.GroupsPerDay, spendGroups, 24 * time.Hour, 20},
		{parley.AddsPerHour, spendAdds, time.Hour, 20},
		{parley.InvitesPerHour, spendInvites, time.Hour, 5},
		{parley.SendsPerMinute, spendSends, time.Minute, 20},
	}
}

// What is spent is counted in slots of time. A slot counts until all of it is
// out of the window, so no window ever sees more than the limit.
func slotOf(kind spendKind) time.Duration {
	if kind == spendSends {
		return 5 * time.Second
	}
	return 5 * time.Minute
}

// longestWindow is how long what was spent is remembered.
const longestWindow = 25 * time.Hour

// inviteGap is the time that a person needs between two messages.
func inviteGap() time.Duration { return 5*time.Second + rand.N(15*time.Second) }

// Budgets returns the budgets of a number and what is used of them now.
func (s *Service) Budgets(ctx context.Context, ws parley.WorkspaceID, number parley.ID) ([]parley.BudgetUse, error) {
	return desk.Snapshot(ctx, s.desk, func(v *store.View) ([]parley.BudgetUse, error) {
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

// usualLimit is the limit of a budget unless somebody sets another. Where no
// real network is asked, there is none.
func (s *Service) usualLimit(n parley.Number, rule budgetRule) int {
	if _, runs := s.connectors[n.Driver].(chatapp.Runner); runs {
		return rule.usual
	}
	return parley.NoBudget
}

// SetBudgets changes limits of a number. Null is the usual limit.
func (s *Service) SetBudgets(ctx context.Context, by desk.Caller, number parley.ID, limits map[parley.Budget]parley.Optional[int]) ([]parley.BudgetUse, error) {
	defer s.outbox.wakeUp()
	return write(ctx, s, by, func(t *tx) ([]parley.BudgetUse, error) {
		n, err := t.Number(t.WS, number)
		if err != nil {
			return nil, err
		}
		for _, budget := range parley.Budgets {
			limit := limits[budget]
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
		return s.budgetsOf(&t.View, t.WS, n, t.Now)
	})
}

// A room says how much of a kind a number may do now, and when more at the
// latest where that is not enough.
type room struct {
	left  int       // NoBudget for as much as it likes
	most  int       // in any one window, for as much
	again time.Time // when there is room for one more than left
}

// roomFor finds out how much of a kind a number may do now.
func (t *tx) roomFor(s *Service, n parley.Number, kind spendKind) (room, error) {
	r := room{left: parley.NoBudget, most: parley.NoBudget}
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
		again := t.Now.Add(rule.window)
		if len(spends) > 0 {
			again = spends[0].Slot.Add(slot + rule.window)
		}
		if r.left == parley.NoBudget || left < r.left || left == r.left && again.After(r.again) {
			r.left, r.again = left, again
		}
		if r.most == parley.NoBudget || limit < r.most {
			r.most = limit
		}
	}
	return r, nil
}

// spend counts what a number does now.
func (t *tx) spend(n parley.Number, kind spendKind, count int) error {
	return t.spendAt(t.Now, n, kind, count)
}

// spendAt counts what a number did at a time. What is given back goes into the
// slot that it was taken from.
func (t *tx) spendAt(at time.Time, n parley.Number, kind spendKind, count int) error {
	return UpsertSpend(t, t.WS, n.ID, string(kind), Spend{Slot: at.Truncate(slotOf(kind)), Count: count})
}

// spend takes count out of a number's budgets, all or nothing, and returns how
// to give it back for what did not take place. Too little left is a Limited
// error.
func (s *Service) spend(ctx context.Context, ws parley.WorkspaceID, n parley.Number, kind spendKind, count int) (refund func(), err error) {
	spent, err := write(ctx, s, desk.Caller{Workspace: ws}, func(t *tx) (time.Time, error) {
		r, err := t.roomFor(s, n, kind)
		if err != nil || r.left == parley.NoBudget {
			return time.Time{}, err
		}
		if r.most > 0 && count > r.most {
			return t.Now, parley.InvalidField("participants", fmt.Sprintf("be at most %d numbers, which is the number's budget of %s", r.most, kind))
		}
		if count > r.left {
			return t.Now, &parley.Error{
				Kind: parley.Limited, RetryAfter: max(time.Second, r.again.Sub(t.Now)),
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
			s.log.Warn("a number's budget was not given back", "number", n.ID, "error", err)
		}
	}, err
}

// nothingDone reports whether a network's error says that nothing took place.
func nothingDone(err error) bool {
	var limit *chatapp.LimitError
	var words failedFor // it did not come to that
	return errors.As(err, &limit) || errors.As(err, &words) || errors.Is(err, chatapp.ErrNobody) || errors.Is(err, chatapp.ErrName) ||
		errors.Is(err, chatapp.ErrNotConnected) || errors.Is(err, chatapp.ErrNoGroup) || errors.Is(err, chatapp.ErrNotAdmin)
}
