package erasure

import (
	"context"
	"strconv"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// MaxRetentionDays is the longest retention of a rule: a hundred years.
	MaxRetentionDays = 36_500
	// retentionPause is how long a workspace waits until the next check if there was
	// nothing to delete.
	retentionPause = time.Hour
	// retentionBatch is how many conversations one erasure by a rule deletes.
	retentionBatch = 200
	// longestTick is how far the time of a rule advances at most in a retentionPause. So
	// a clock that is ahead is noticed before much is deleted, and after a time without a
	// server, a rule catches up within hours.
	longestTick = 24 * time.Hour
)

// A Rule says how long the conversations of an inbox are kept.
type Rule struct {
	InboxID parley.ID
	Days    int // since a resolved conversation last changed
	// ClockAt is the time of the rule, and LookedAt is when it was last advanced.
	ClockAt  time.Time
	LookedAt time.Time
}

// tick advances the time of a rule, and reports whether it did.
func (r *Rule) tick(now time.Time) (moved bool) {
	if now.Before(r.LookedAt) { // the clock was ahead
		r.LookedAt, r.ClockAt = now, earlier(r.ClockAt, now)
		return true
	}
	if now.Sub(r.LookedAt) < retentionPause {
		return false
	}
	r.LookedAt, r.ClockAt = now, earlier(now, r.ClockAt.Add(longestTick))
	return true
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// before returns the time before which the last change of a conversation must be.
func (r *Rule) before() time.Time { return cut(r.ClockAt, r.Days) }

// SetRetention sets how many days the resolved conversations of an inbox are kept
// after their last change; 0 keeps them. They are deleted within an hour or so of
// becoming due, for good.
func (svc *Service) SetRetention(ctx context.Context, by desk.Caller, inbox parley.ID, days int) (parley.Retention, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Retention, error) {
		state := parley.Retention{InboxID: inbox, Days: days}
		if _, err := t.Inbox(t.WS, inbox); err != nil {
			return state, err
		}
		before, err := selectRule(t, t.WS, inbox)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return state, err
		}
		if before.Days != days {
			if err := t.Audit.Record(entry.Entry{
				Action: entry.RetentionUpdated, SubjectType: entry.SubjectInbox, SubjectID: inbox.String(),
				Changes: []entry.Change{{Field: "days", From: strconv.Itoa(before.Days), To: strconv.Itoa(days)}},
			}); err != nil {
				return state, err
			}
		}
		if days == 0 {
			return state, deleteRule(t, t.WS, inbox)
		}
		if err := upsertRule(t, t.WS, Rule{InboxID: inbox, Days: days, ClockAt: t.Now, LookedAt: t.Now}); err != nil {
			return state, err
		}
		if err := desk.InsertTimer(t, t.WS, retentionTimer, "", t.Now); err != nil {
			return state, err
		}
		if err := hurryTimer(t, t.WS, retentionTimer, t.Now.UnixMilli()); err != nil {
			return state, err
		}
		due, err := countDue(t, t.WS, inbox, cut(t.Now, days))
		state.Due = due
		return state, err
	})
}

// Retention returns the rule of an inbox, and how many conversations a rule with the
// given days would delete now; 0 days count for the existing rule.
func (svc *Service) Retention(ws parley.WorkspaceID, inbox parley.ID, days int) desk.Read[parley.Retention] {
	now := svc.desk.Base().Clock.Now()
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Retention, error) {
		state := parley.Retention{InboxID: inbox}
		if _, err := v.Inbox(ws, inbox); err != nil {
			return state, err
		}
		rule, err := selectRule(v, ws, inbox)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return state, err
		}
		state.Days = rule.Days
		if days == 0 {
			days = rule.Days
		}
		if days == 0 {
			return state, nil
		}
		state.Due, err = countDue(v, ws, inbox, cut(now, days))
		return state, err
	})
}

// cut returns the time before which the last change of a conversation must be.
func cut(now time.Time, days int) time.Time { return now.Add(-time.Duration(days) * 24 * time.Hour) }

// applyRules begins to delete the next conversations whose retention has ended.
func (svc *Service) applyRules(t *desk.Tx, _ desk.Timer) (next time.Time, err error) {
	rules, err := selectRules(t, t.WS)
	if err != nil || len(rules) == 0 {
		return next, err
	}
	running, err := selectRunsByRule(t, t.WS)
	if err != nil || running {
		return t.Now.Add(waitPause), err
	}
	e := Erasure{Erasure: parley.Erasure{Kind: parley.ErasureByRule}}
	for i := range rules {
		rule := &rules[i]
		if rule.tick(t.Now) {
			if err := upsertRule(t, t.WS, *rule); err != nil {
				return next, err
			}
		}
		due, err := selectDue(t, t.WS, rule.InboxID, rule.before(), retentionBatch-len(e.Subjects.Conversations))
		if err != nil {
			return next, err
		}
		for _, c := range due {
			e.Subjects.Conversations = append(e.Subjects.Conversations, c.ID)
			if c.At.After(e.working.Since) {
				e.working.Since = c.At
			}
		}
		if len(e.Subjects.Conversations) == retentionBatch {
			break
		}
	}
	if len(e.Subjects.Conversations) == 0 {
		return t.Now.Add(retentionPause), nil
	}
	_, err = begin(t, e)
	return t.Now.Add(waitPause), err
}
