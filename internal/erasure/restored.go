package erasure

import (
	"context"
	"fmt"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/timer"
)

// Repeat begins, in the transaction that restores a backup, the erasures of lists that
// the backup does not have, and marks those that were running when it was made. The
// server carries them out before it serves anybody; see [Service.FinishRepeated].
// It skips workspaces that the backup does not have, and returns how many erasures are
// to be carried out.
func Repeat(tx *store.Tx, lists []List, ids *parley.IDs, now time.Time) (int, error) {
	workspaces, err := tx.Workspaces()
	begun := 0
	for i := range workspaces {
		if err != nil {
			break
		}
		t := &desk.Tx{Tx: tx, WS: workspaces[i].ID, Visibility: parley.WholeWorkspace(workspaces[i].ID), Now: now, IDs: ids}
		var erased []Erased
		for _, list := range lists {
			if list.Workspace == t.WS {
				erased = append(erased, list.Erased...)
			}
		}
		var n int
		if n, err = repeat(t, erased); err != nil {
			err = (&List{Workspace: t.WS}).describe(err)
		}
		begun += n
	}
	return begun, err
}

func repeat(t *desk.Tx, erased []Erased) (int, error) {
	for _, one := range erased {
		if _, err := replay(t, one); err != nil {
			return 0, err
		}
	}
	running, err := selectAllUnfinished(t, t.WS)
	if err != nil {
		return 0, err
	}
	for i := range running {
		running[i].working.Repeated = true
		if err := updateErasure(t, t.WS, &running[i]); err != nil {
			return 0, err
		}
	}
	return len(running), nil
}

// replay begins an erasure that this state of the workspace does not have. If it is
// running, or another one of the same record is, replay adds the records to that one.
func replay(t *desk.Tx, one Erased) (begun bool, err error) {
	e := Erasure{Erasure: parley.Erasure{ID: one.ID, Kind: parley.ErasureOfConversation}, Subjects: one.Subjects}
	switch {
	case len(one.Contacts) > 0:
		e.Kind, e.SubjectID = parley.ErasureOfContact, one.Contacts[0]
	case len(one.Conversations) > 0:
		e.SubjectID = one.Conversations[0]
	default:
		return false, nil
	}
	known, err := selectErasure(t, t.WS, one.ID)
	if parley.KindOf(err) == parley.NotFound {
		known, err = begin(t, e)
		begun = err == nil && known.ID == e.ID
	}
	if err != nil || begun || !known.FinishedAt.IsZero() {
		return begun, err
	}
	known.Subjects.join(one.Subjects)
	return false, updateErasure(t, t.WS, &known)
}

// FinishRepeated carries out the erasures that a restore brought, up to the deletion of
// files, which nothing leads to any more then. The server calls it before it serves
// anybody: it fails rather than show somebody who was erased. Several nodes may call
// it at the same time.
func (svc *Service) FinishRepeated(ctx context.Context) error {
	workspaces, err := desk.View(svc.desk, func(v *store.View) ([]parley.Workspace, error) { return v.Workspaces() }).Now(ctx)
	for i := range workspaces {
		ws := workspaces[i].ID
		var running []Erasure
		if err == nil {
			running, err = desk.View(svc.desk, func(v *store.View) ([]Erasure, error) { return selectAllUnfinished(v, ws) }).Now(ctx)
		}
		for j := range running {
			if err == nil && running[j].working.Repeated {
				err = svc.finishRepeated(ctx, ws, running[j].ID)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("carry out the erasures that a restore brought: %w", err)
	}
	return nil
}

func (svc *Service) finishRepeated(ctx context.Context, ws parley.WorkspaceID, id parley.ID) error {
	by := desk.Caller{Workspace: ws}
	for {
		if err := svc.runOutside(ctx, by, id); err != nil {
			return err
		}
		var at string
		state, err := desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (progress, error) {
			e, err := selectErasure(t, t.WS, id)
			if parley.KindOf(err) == parley.NotFound || err == nil && !e.FinishedAt.IsZero() {
				return done, nil
			}
			if err != nil {
				return more, err
			}
			state, err := svc.advance(&tx{Tx: t, batch: svc.batch}, &e)
			at = e.step
			return state, err
		})
		if err != nil || state == done || at == filesStep {
			return err
		}
	}
}

// runOutside does now what timers do later, outside of transactions.
func (svc *Service) runOutside(ctx context.Context, by desk.Caller, id parley.ID) error {
	kinds := svc.Kinds()
	for _, name := range []string{surveyTimer, networksTimer, tracesTimer} {
		due, err := desk.View(svc.desk, func(v *store.View) (desk.Timer, error) {
			return desk.SelectTimer(v, by.Workspace, name, id.String())
		}).Now(ctx)
		if parley.KindOf(err) == parley.NotFound {
			continue
		}
		if err != nil {
			return err
		}
		kind := kinds[slices.IndexFunc(kinds, func(k timer.Kind) bool { return k.Name == name })]
		finish, err := kind.Run(ctx, by.Workspace, due)
		if err != nil {
			return err
		}
		if _, err := desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (time.Time, error) {
			next, err := finish(t)
			if err == nil && next.IsZero() {
				err = desk.DeleteTimer(t, t.WS, name, id.String())
			}
			return next, err
		}); err != nil {
			return err
		}
	}
	return nil
}
