package access

import (
	"context"
	"slices"
	"sync"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// keyUsePause is how long the use of keys is counted in memory before it is
	// written. No request waits for the write, and a crash loses no more than
	// this.
	keyUsePause = 5 * time.Second
	// keyUsePrecision is the least time between two updates of a key's last
	// use.
	keyUsePrecision = time.Minute
)

// StoresCalls are the calls of older routes by a key.
type StoresCalls = credential.StoresCalls

// A keyUse counts in memory how keys are used. The zero value is usable.
type keyUse struct {
	mu     sync.Mutex
	lastAt map[usedKey]time.Time
	stores map[usedDay]storesCalls
}

type usedKey struct {
	ws parley.WorkspaceID
	id parley.ID
}

type usedDay struct {
	usedKey
	day time.Time
}

type storesCalls struct {
	calls  int64
	lastAt time.Time
}

// seen records the use of a key, unless the stored time is recent enough.
func (u *keyUse) seen(k parley.Key, now time.Time) {
	if now.Sub(k.LastUsedAt) < keyUsePrecision {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.lastAt == nil {
		u.lastAt = map[usedKey]time.Time{}
	}
	u.lastAt[usedKey{k.Workspace, k.ID}] = now
}

// called adds calls of a key under /v1/public/stores.
func (u *keyUse) called(day usedDay, more storesCalls) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.stores == nil {
		u.stores = map[usedDay]storesCalls{}
	}
	sum := u.stores[day]
	sum.calls += more.calls
	if more.lastAt.After(sum.lastAt) {
		sum.lastAt = more.lastAt
	}
	u.stores[day] = sum
}

// take returns the counts of each workspace and resets them.
func (u *keyUse) take() map[parley.WorkspaceID]*workspaceUse {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := map[parley.WorkspaceID]*workspaceUse{}
	of := func(ws parley.WorkspaceID) *workspaceUse {
		if all[ws] == nil {
			all[ws] = &workspaceUse{lastAt: map[usedKey]time.Time{}, stores: map[usedDay]storesCalls{}}
		}
		return all[ws]
	}
	for key, at := range u.lastAt {
		of(key.ws).lastAt[key] = at
	}
	for day, calls := range u.stores {
		of(day.ws).stores[day] = calls
	}
	u.lastAt, u.stores = nil, nil
	return all
}

// A workspaceUse has the counts of one workspace.
type workspaceUse struct {
	lastAt map[usedKey]time.Time
	stores map[usedDay]storesCalls
}

// CountStoresCall records that a key called a route under /v1/public/stores, so
// that owners see which callers must still migrate. It only counts in memory;
// see [Service.RunKeyUse].
func (svc *Service) CountStoresCall(k parley.Key) {
	now := svc.clock.Now()
	svc.use.called(usedDay{usedKey{k.Workspace, k.ID}, now.Truncate(24 * time.Hour)}, storesCalls{calls: 1, lastAt: now})
}

// RunKeyUse writes the use of keys every few seconds, and once more when the
// context ends. It does the same with what was refused; see [Service.FlushRefusals].
func (svc *Service) RunKeyUse(ctx context.Context) {
	ticker := time.NewTicker(keyUsePause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), keyUsePause)
			defer cancel()
			svc.FlushKeyUse(last)
			svc.FlushRefusals(last, true)
			return
		case <-ticker.C:
			svc.FlushKeyUse(ctx)
			svc.FlushRefusals(ctx, false)
		}
	}
}

// FlushKeyUse writes the use of keys since the last call, in one small
// transaction per workspace. Counts that cannot be written are kept for the
// next time, except the last use, which the next request records again.
func (svc *Service) FlushKeyUse(ctx context.Context) {
	for ws, use := range svc.use.take() {
		_, err := write(ctx, svc, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) { return struct{}{}, t.saveUse(use) })
		if err == nil {
			continue
		}
		svc.log.Warn("access: use of keys not stored, retrying", "workspace", ws, "error", err)
		for day, calls := range use.stores {
			svc.use.called(day, calls)
		}
	}
}

func (t *tx) saveUse(use *workspaceUse) error {
	for key, at := range use.lastAt {
		if err := credential.UpdateKeyUsed(t, t.WS, key.id, at, at.Add(-keyUsePrecision)); err != nil {
			return err
		}
	}
	for day, counted := range use.stores {
		calls := parley.DayCalls{Day: day.day, Calls: counted.calls}
		if err := credential.UpdateStoresCalls(t, t.WS, day.id, calls, counted.lastAt); err != nil {
			return err
		}
	}
	return nil
}

// StoresUse returns the active keys that called routes under /v1/public/stores,
// the most recent caller first, as far as written; see [Service.RunKeyUse].
func (svc *Service) StoresUse(ws parley.WorkspaceID) desk.Read[[]parley.StoresUse] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.StoresUse, error) {
		keys, err := credential.SelectKeys(v, ws)
		if err != nil {
			return nil, err
		}
		calls, err := credential.SelectStoresCalls(v, ws)
		if err != nil {
			return nil, err
		}
		var uses []parley.StoresUse
		for _, key := range keys {
			if use := useOf(key, calls); key.RevokedAt.IsZero() && use.Calls > 0 {
				uses = append(uses, use)
			}
		}
		slices.SortStableFunc(uses, func(a, b parley.StoresUse) int { return b.LastAt.Compare(a.LastAt) })
		return uses, nil
	})
}

func useOf(key parley.Key, calls []StoresCalls) parley.StoresUse {
	use := parley.StoresUse{Key: key}
	for _, c := range calls {
		if c.KeyID != key.ID {
			continue
		}
		use.Calls += c.Calls
		use.Days = append(use.Days, c.DayCalls)
		if c.LastAt.After(use.LastAt) {
			use.LastAt = c.LastAt
		}
	}
	return use
}
