package customers

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley"
	"parley/internal/cache"
	"parley/internal/desk"
	"parley/internal/store"
)

// A listing caches for half a second the origins that the widgets of all
// workspaces list. Any page may ask, so a request must not cost a read each
// time.
type listing struct {
	now     func() time.Time // see cache.New
	reading sync.Mutex       // held by the goroutine that reads
	known   atomic.Pointer[listed]
}

type listed struct {
	inboxes map[string][]parley.ID // by origin
	read    time.Time
}

func (l *listing) fresh(known *listed) bool {
	return known != nil && cache.Fresh(l.now(), known.read)
}

// forget drops everything, so that a change made on this node takes effect at
// once.
func (l *listing) forget() { l.known.Store(nil) }

// InboxesOfOrigin returns the inboxes, in any workspace, whose widget lists an
// origin in the form of browsers. A change on another node takes effect within
// a second.
func (svc *Service) InboxesOfOrigin(ctx context.Context, origin string) ([]parley.ID, error) {
	known := svc.origins.known.Load()
	if !svc.origins.fresh(known) {
		var err error
		if known, err = svc.readOrigins(ctx, known); err != nil {
			return nil, err
		}
	}
	return slices.Clone(known.inboxes[origin]), nil
}

// readOrigins reads the origins again. If another goroutine is doing so, the
// previous result is returned.
func (svc *Service) readOrigins(ctx context.Context, before *listed) (*listed, error) {
	if before == nil {
		svc.origins.reading.Lock()
	} else if !svc.origins.reading.TryLock() {
		return before, nil
	}
	defer svc.origins.reading.Unlock()
	if known := svc.origins.known.Load(); svc.origins.fresh(known) {
		return known, nil
	}
	read := svc.origins.now()
	widgets, err := desk.View(svc.desk, func(v *store.View) ([]parley.WidgetSettings, error) { return SelectWidgetsWithOrigins(v) }).Now(ctx)
	if err != nil {
		return nil, err
	}
	known := &listed{inboxes: map[string][]parley.ID{}, read: read}
	for _, w := range widgets {
		for _, origin := range w.Origins {
			origin = withoutDefaultPort(origin)
			known.inboxes[origin] = append(known.inboxes[origin], w.InboxID)
		}
	}
	svc.origins.known.Store(known)
	return known, nil
}

// withoutDefaultPort returns an origin in the form of browsers (WHATWG HTML,
// section 7.1.1).
func withoutDefaultPort(origin string) string {
	if strings.HasPrefix(origin, "https:") {
		return strings.TrimSuffix(origin, ":443")
	}
	return strings.TrimSuffix(origin, ":80")
}
