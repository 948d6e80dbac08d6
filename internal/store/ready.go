package store

import (
	"context"
	"sync"
	"time"

	"parley"
)

const (
	// freshTime is how long a commit shows that the next one may succeed.
	freshTime = 5 * time.Second
	// watchPause is how often Watch looks.
	watchPause = 10 * time.Second
	// watchTime is how long the store may take to answer Watch.
	watchTime = 3 * time.Second
)

// An outcome is how the newest transaction of the writers ended.
type outcome struct {
	mu        sync.Mutex
	committed time.Time // of the newest that succeeded; zero where a later one failed
	failures  int64     // how many failed, tries apart
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

// Ready reports whether reads and writes can succeed; the error is Unavailable.
// Where no transaction was committed lately, or the newest one failed, it
// commits a small one. A damaged file is not ready until a server is started on
// another one; everything else recovers by itself.
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

// Watch reads the whole file of an embedded store once, and looks every
// watchPause whether the store is ready, until the context ends. It logs what
// changes; what it found last is in Stats.
func (s *Store) Watch(ctx context.Context) {
	begun := time.Now()
	switch err := s.engine.inspect(ctx); {
	case ctx.Err() != nil:
		return
	case err != nil && !isDamage(err): // damage is logged where it is found
		s.log.Warn("store: the inspection of the file was given up", "error", err)
	case err == nil:
		s.log.Debug("store: the file is sound", "seconds", time.Since(begun).Seconds())
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
