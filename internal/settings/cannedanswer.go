package settings

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// CannedAnswers returns the canned answers, sorted by shortcut.
func (svc *Service) CannedAnswers(ws parley.WorkspaceID) desk.Read[[]parley.CannedAnswer] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.CannedAnswer, error) { return SelectCannedAnswers(v, ws) })
}

// errShortcut is the error for a shortcut that is in use.
func errShortcut() error {
	return parley.FieldErrorf(parley.Conflict, "shortcut", "must not be that of another canned answer")
}

// CreateCannedAnswer adds a canned answer. A shortcut that is in use is a
// Conflict, and so are more than parley.MaxCatalogue answers.
func (svc *Service) CreateCannedAnswer(ctx context.Context, by desk.Caller, shortcut, content string) (parley.CannedAnswer, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.CannedAnswer, error) {
		a := parley.CannedAnswer{ID: t.IDs.New(t.Now), Shortcut: shortcut, Content: content, CreatedAt: t.Now, UpdatedAt: t.Now}
		free, err := InsertCannedAnswer(t, t.WS, &a)
		if err != nil {
			return a, err
		}
		if !free {
			return a, errShortcut()
		}
		answers, err := SelectCannedAnswers(t, t.WS)
		if err != nil {
			return a, err
		}
		if err := fits("canned answers", len(answers)); err != nil {
			return a, err
		}
		t.Announce(parley.CannedAnswerCreated, parley.ID{}, nil, wire.AppendCannedAnswer(nil, &a))
		return a, nil
	})
}

// CannedAnswerChange is an update of a canned answer. Absent fields stay
// unchanged.
type CannedAnswerChange struct {
	Shortcut parley.Optional[string]
	Content  parley.Optional[string]
}

// UpdateCannedAnswer changes a canned answer. A shortcut that is in use is a
// Conflict.
func (svc *Service) UpdateCannedAnswer(ctx context.Context, by desk.Caller, id parley.ID, in CannedAnswerChange) (parley.CannedAnswer, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.CannedAnswer, error) {
		a, err := SelectCannedAnswer(t, t.WS, id)
		if err != nil {
			return a, err
		}
		other, err := SelectCannedAnswerByShortcut(t, t.WS, in.Shortcut.Or(a.Shortcut))
		switch {
		case err != nil && parley.KindOf(err) != parley.NotFound:
			return a, err
		case err == nil && other.ID != id:
			return a, errShortcut()
		}
		var changed []string
		desk.Set(&changed, "shortcut", &a.Shortcut, in.Shortcut)
		desk.Set(&changed, "content", &a.Content, in.Content)
		if len(changed) == 0 {
			return a, nil
		}
		a.UpdatedAt = t.Now
		if err := UpdateCannedAnswer(t, t.WS, &a); err != nil {
			return a, err
		}
		t.Announce(parley.CannedAnswerUpdated, parley.ID{}, changed, wire.AppendCannedAnswer(nil, &a))
		return a, nil
	})
}

// DeleteCannedAnswer deletes a canned answer and returns it.
func (svc *Service) DeleteCannedAnswer(ctx context.Context, by desk.Caller, id parley.ID) (parley.CannedAnswer, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.CannedAnswer, error) {
		a, err := SelectCannedAnswer(t, t.WS, id)
		if err != nil {
			return a, err
		}
		t.Announce(parley.CannedAnswerDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
		return a, DeleteCannedAnswer(t, t.WS, id)
	})
}
