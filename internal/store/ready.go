package store

import (
	"context"
	"sync"
	"time"

	"parley"
	"parley/internal/store/sqlitefile"
)

const (
	// freshTime is how long a successful commit counts as proof that writes
	// work.
	freshTime = 5 * time.Second
	// watchPause is the interval of Watch.
	watchPause = 10 * time.Second
	// watchTime is how long Watch waits for the store.
	watchTime = 3 * time.Second
)

// An outcome is the result of the latest transaction of the writers.
type outcome struct {
	mu        sync.Mutex
	committed time.Time // time of the latest commit; zero after a failure
	failures  int64     // groups that failed for good
}

func (o *outcome) succeeded() {
	now := time.Now()
	o.mu.Lock()
	o.committed = now
	o.mu.Unlock()
}

func (o *outcome) failed() {
	o.mu.Lock()
	o.committed = time.Time{}
	o.failures++
	o.mu.Unlock()
}

func (o *outcome) fresh() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return time.Since(o.committed) < freshTime
}

func (o *outcome) count() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failures
}

// Ready reports whether reads and writes succeed; its error is Unavailable. If
// the last commit is too old, or the last transaction failed, it commits a
// small one. A damaged file stays not ready until a server starts on another
// file; every other failure clears by itself.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.engine.sound(); err != nil {
		return err
	}
	if err := s.Ping(ctx); err != nil {
		return err
	}
	if s.outcome.fresh() {
		return nil
	}
	return s.Write(ctx, parley.WorkspaceID{}, func(tx *Tx) error {
		return tx.exec(`INSERT INTO writers (writer_id, commits, seen_at) VALUES ($1, 0, $2)
			ON CONFLICT (writer_id) DO UPDATE SET seen_at = excluded.seen_at`, s.prober, time.Now())
	})
}

// Watch reads the whole file of an embedded store once. Then it checks every
// watchPause whether the store is ready, until the context ends. It logs
// changes; the latest result is in Stats.
func (s *Store) Watch(ctx context.Context) {
	begun := time.Now()
	switch err := s.engine.inspect(ctx); {
	case ctx.Err() != nil:
		return
	case err != nil && !sqlitefile.IsDamage(err): // damage has already been logged
		s.log.Warn("store: file inspection failed", "error", err)
	case err == nil:
		s.log.Debug("store: file inspected, no damage found", "seconds", time.Since(begun).Seconds())
	}
	ticker := time.NewTicker(watchPause)
	defer ticker.Stop()
	for {
		s.watchOnce(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (s *Store) watchOnce(ctx context.Context) {
	trial, cancel := context.WithTimeout(ctx, watchTime)
	defer cancel()
	err := s.Ready(trial)
	if ctx.Err() != nil {
		return
	}
	switch was := s.unready.Swap(err != nil); {
	case err != nil && !was:
		s.log.Error("store: not ready", "error", err)
	case err == nil && was:
		s.log.Info("store: ready again")
	}
}
