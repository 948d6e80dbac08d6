package customers

import (
	"context"
	"slices"
	"sync"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// Welcome returns how far the guided start of a workspace is.
func (svc *Service) Welcome(ws parley.WorkspaceID) desk.Read[parley.Welcome] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Welcome, error) { return welcomeOf(v, ws) })
}

func welcomeOf(v *store.View, ws parley.WorkspaceID) (w parley.Welcome, err error) {
	if w.FinishedAt, err = SelectWelcomed(v, ws); err != nil {
		return w, err
	}
	w.Views, err = SelectWidgetViews(v, ws)
	return w, err
}

// FinishWelcome ends the guided start of a workspace. It stays ended.
func (svc *Service) FinishWelcome(ctx context.Context, by desk.Caller) (parley.Welcome, error) {
	return write(ctx, svc, by, func(t *tx) (parley.Welcome, error) {
		if err := UpdateWelcomed(t, t.WS, t.Now); err != nil {
			return parley.Welcome{}, err
		}
		return welcomeOf(&t.View, t.WS)
	})
}

// A viewed remembers the views that are stored, and the inboxes that have as
// many as they may, so that a page costs a write the first time only. A full
// one is emptied.
type viewed struct {
	mu    sync.Mutex
	known map[viewKey]struct{}
}

type viewKey struct {
	inbox  parley.ID
	origin string
	full   bool
}

// maxViewed limits the memory of a viewed to a few megabytes.
const maxViewed = 10000

func (v *viewed) has(keys ...viewKey) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.ContainsFunc(keys, func(key viewKey) bool { _, known := v.known[key]; return known })
}

func (v *viewed) add(key viewKey) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known == nil || len(v.known) >= maxViewed {
		v.known = map[viewKey]struct{}{}
	}
	v.known[key] = struct{}{}
}

// RecordView records that a page of a website shows a widget: page is the
// address that the browser named, or "". The first [parley.MaxWidgetViews]
// websites of an inbox are stored. If the widget lists websites, others do not
// count, because browsers refuse to show it there.
func (svc *Service) RecordView(ctx context.Context, w *Widget, page string) error {
	origin := originOf(page)
	if listed := w.Settings.Origins; len(listed) > 0 && !slices.ContainsFunc(listed, func(one string) bool { return withoutDefaultPort(one) == origin }) {
		return nil
	}
	key, full := viewKey{inbox: w.Inbox.ID, origin: origin}, viewKey{inbox: w.Inbox.ID, full: true}
	if svc.viewed.has(key, full) {
		return nil
	}
	many, err := write(ctx, svc, desk.Caller{Workspace: w.Workspace.ID}, func(t *tx) (bool, error) {
		known, err := SelectViewsOfInbox(t, t.WS, w.Inbox.ID)
		if err != nil || len(known) >= parley.MaxWidgetViews {
			return true, err
		}
		return false, InsertWidgetView(t, t.WS, &parley.WidgetView{InboxID: w.Inbox.ID, Origin: origin, FirstAt: t.Now})
	})
	switch {
	case err != nil:
		return err
	case many:
		svc.viewed.add(full)
	default:
		svc.viewed.add(key)
	}
	return nil
}
