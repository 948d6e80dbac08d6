package knowledge

import (
	"context"
	"errors"
	"hash/maphash"
	"log/slog"
	"strings"
	"sync"
	"time"

	"parley"
)

const (
	// flushInterval is how often counts are stored, and lastFlush how long storing
	// them may take at the end.
	flushInterval = time.Minute
	lastFlush     = 5 * time.Second
	// maxFlushWait is how long somebody who reads counts waits for them to be stored.
	maxFlushWait = 2 * time.Second
	// settleTime is how long after a question its asker may still be typing it.
	settleTime = 20 * time.Second
	// missesAnHour is how many questions without an answer count of one asker.
	missesAnHour = 30
	// maxAskers, maxMisses and maxReaders limit the memory. What exceeds them is not
	// counted until the next flush.
	maxAskers  = 10_000
	maxMisses  = 10_000
	maxReaders = 20_000
	// missesAWrite is the most misses that are stored in one transaction.
	missesAWrite = 200
)

// A Recorder counts what readers do: the questions that found nothing, and the
// articles that were read. Counting is in memory and never fails or waits, so
// that no reader waits for a write. [Recorder.Run] stores the counts every
// minute, and [Recorder.FlushWorkspace] before somebody reads them; a crash loses
// those of the last minute. Its methods may be called by many goroutines.
type Recorder struct {
	svc   *Service
	clock parley.Clock
	log   *slog.Logger
	seed  maphash.Seed

	mu      sync.Mutex
	askers  map[uint64]*asker
	misses  map[missKey]*Miss
	readers map[readKey]*parley.ArticleFeedback
}

// An asker is somebody who asked lately.
type asker struct {
	ws      parley.WorkspaceID
	pending *Miss // the last question, if nothing answered it
	at      time.Time
	since   time.Time // when the hour began in which counted is counted
	counted int
}

type missKey struct {
	ws       parley.WorkspaceID
	product  parley.ID
	language parley.Language
	source   parley.GapSource
	words    string
}

type readKey struct {
	ws       parley.WorkspaceID
	article  parley.ID
	language parley.Language
}

// NewRecorder returns a Recorder of a service. It stores nothing unless Run runs.
func NewRecorder(svc *Service, log *slog.Logger) *Recorder {
	return &Recorder{
		svc: svc, clock: svc.base.Clock, log: log, seed: maphash.MakeSeed(),
		askers: map[uint64]*asker{}, misses: map[missKey]*Miss{}, readers: map[readKey]*parley.ArticleFeedback{},
	}
}

// Asked takes note of a question, and of whether an article probably answers it.
// From identifies the asker, such as a network address; only a hash of it is kept.
// While somebody types, each text is a question: one that continues the question
// before replaces it, even if it has an answer, and one that is only shorter
// changes nothing. At most 30 questions of an asker count in an hour.
func (r *Recorder) Asked(ws parley.WorkspaceID, from string, q Miss, answered bool) {
	key := maphash.Comparable(r.seed, struct {
		ws   parley.WorkspaceID
		from string
	}{ws, from})
	now := r.clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.askers[key]
	if a == nil {
		if answered || len(r.askers) >= maxAskers {
			return
		}
		a = &asker{ws: ws, since: now}
		r.askers[key] = a
	}
	if a.pending != nil {
		before, text := folded(a.pending.Question), folded(q.Question)
		switch {
		case now.Sub(a.at) >= settleTime:
			r.settle(a)
		case len(text) < len(before) && strings.HasPrefix(before, text):
			a.at = now // deleted to ask something else
			return
		case !continues(before, text):
			r.settle(a)
		}
	}
	a.pending, a.at = nil, now
	if !answered && q.Words != "" {
		a.pending = &q
	}
}

// settle counts the last question of an asker.
func (r *Recorder) settle(a *asker) {
	miss := a.pending
	a.pending = nil
	if miss == nil {
		return
	}
	if a.at.Sub(a.since) >= time.Hour {
		a.since, a.counted = a.at, 0
	}
	if a.counted++; a.counted > missesAnHour {
		return
	}
	miss.Count = 1
	r.add(a.ws, miss)
}

// add adds to the counts of a question. The first sample stays.
func (r *Recorder) add(ws parley.WorkspaceID, miss *Miss) {
	key := missKey{ws, miss.ProductID, miss.Language, miss.Source, cut(miss.Words, maxGapWords)}
	if known := r.misses[key]; known != nil {
		known.Count += miss.Count
	} else if len(r.misses) < maxMisses {
		r.misses[key] = miss
	}
}

func folded(text string) string { return strings.ToLower(parley.OneLine(text)) }

// continues reports whether a text is another after somebody typed or corrected
// a few words: it begins with it, or has most of its words.
func continues(before, text string) bool {
	if strings.HasPrefix(text, before) {
		return true
	}
	words := map[string]bool{}
	for word := range strings.FieldsSeq(before) {
		words[word] = true
	}
	all, same := 0, 0
	for word := range strings.FieldsSeq(text) {
		all++
		if words[word] {
			same++
		}
	}
	return 2*same > min(all, len(words))
}

// Read adds to the counts of an article's readers.
func (r *Recorder) Read(ws parley.WorkspaceID, f parley.ArticleFeedback) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := readKey{ws, f.ArticleID, f.Language}
	known := r.readers[key]
	switch {
	case known != nil:
		known.Shown += f.Shown
		known.Helped += f.Helped
		known.NotHelped += f.NotHelped
	case len(r.readers) < maxReaders:
		r.readers[key] = &f
	}
}

// Run stores the counts every minute, and once more when the context ends.
func (r *Recorder) Run(ctx context.Context) {
	ticker := time.NewTicker(flushInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			r.Flush(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastFlush)
			defer cancel()
			r.settleAll(0)
			r.Flush(last)
			return
		}
	}
}

// Flush stores what was counted until now, without questions that may still be
// typed. What cannot be stored waits for the next time.
func (r *Recorder) Flush(ctx context.Context) {
	r.settleAll(settleTime)
	r.store(ctx, r.take(func(parley.WorkspaceID) bool { return true }))
}

// FlushWorkspace does the same for one workspace, so that a read that follows
// returns what this node has counted. It writes only if something was counted
// since the last time. It gives up after two seconds; other nodes store what they
// counted within a minute.
func (r *Recorder) FlushWorkspace(ctx context.Context, ws parley.WorkspaceID) {
	r.settleAll(settleTime)
	// A caller that leaves in the midst of a commit would make it count twice.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxFlushWait)
	defer cancel()
	r.store(ctx, r.take(func(of parley.WorkspaceID) bool { return of == ws }))
}

// store stores counts. What cannot be stored is counted again.
func (r *Recorder) store(ctx context.Context, c counts) {
	for ws, all := range c.misses {
		for len(all) > 0 {
			some := all[:min(len(all), missesAWrite)]
			all = all[len(some):]
			if r.failed(ws, r.svc.AddMisses(ctx, ws, some)) {
				r.giveBack(ws, some, nil)
			}
		}
	}
	for ws, all := range c.readers {
		if r.failed(ws, r.svc.AddFeedback(ctx, ws, all)) {
			r.giveBack(ws, nil, all)
		}
	}
}

// failed reports whether counts must be stored again. Those of a workspace that
// is gone are dropped.
func (r *Recorder) failed(ws parley.WorkspaceID, err error) bool {
	if err == nil || parley.KindOf(err) == parley.NotFound {
		return false
	}
	if !errors.Is(err, context.Canceled) {
		r.log.Warn("knowledge: counts of readers not stored, retrying", "workspace", ws, "error", err)
	}
	return true
}

// settleAll counts the questions that are old enough, and drops askers that have
// been silent for an hour.
func (r *Recorder) settleAll(age time.Duration) {
	now := r.clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, a := range r.askers {
		if now.Sub(a.at) >= age {
			r.settle(a)
		}
		if now.Sub(a.at) >= time.Hour {
			delete(r.askers, key)
		}
	}
}

// counts are what was counted, by workspace.
type counts struct {
	misses  map[parley.WorkspaceID][]Miss
	readers map[parley.WorkspaceID][]parley.ArticleFeedback
}

// take returns the counts of some workspaces since the last time.
func (r *Recorder) take(of func(parley.WorkspaceID) bool) counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := counts{map[parley.WorkspaceID][]Miss{}, map[parley.WorkspaceID][]parley.ArticleFeedback{}}
	for key, miss := range r.misses {
		if of(key.ws) {
			taken.misses[key.ws] = append(taken.misses[key.ws], *miss)
			delete(r.misses, key)
		}
	}
	for key, f := range r.readers {
		if of(key.ws) {
			taken.readers[key.ws] = append(taken.readers[key.ws], *f)
			delete(r.readers, key)
		}
	}
	return taken
}

func (r *Recorder) giveBack(ws parley.WorkspaceID, misses []Miss, readers []parley.ArticleFeedback) {
	for _, f := range readers {
		r.Read(ws, f)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range misses {
		r.add(ws, &misses[i])
	}
}
