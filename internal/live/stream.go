package live

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"parley"
)

var errWorkspaceGone = errors.New("the workspace is gone")

// A stream is one open connection.
type stream struct {
	hub        *Hub
	out        outlet
	credential parley.Credential
	quotas     []quota   // that it counts against
	until      time.Time // expiry of the credential; zero: never
	filter     *filter   // nil: every event
	visibility parley.Visibility
	audience   parley.Audience // of the visibility
	member     parley.UserID   // "" unless the client is one member
	signals    bool

	// Guarded by the feed's mu, except that position belongs to the stream's
	// goroutine while the stream is behind.
	feed     *feed
	index    int  // in the feed; -1 outside
	keepsUp  bool // the feed writes to it
	position parley.LogPosition
	wroteAt  time.Time // by the system clock
}

// A filter passes some types of events, reduced to what its reader may read.
type filter struct {
	name   string
	types  []parley.EventType // nil: all
	reader parley.LogReader
}

// textOf returns the text of a signal for the stream, or nil. A signal without an
// audience is for the team.
func (s *stream) textOf(g *signalText) []byte {
	switch {
	case s.audience != g.to || s.visibility.Team() != g.to.IsZero() || g.member != "" && g.member != s.member:
		return nil
	case s.audience.IsZero() && slices.ContainsFunc(g.places, func(p parley.Place) bool { return !s.visibility.IncludesPlace(p) }):
		return g.hidden
	}
	return g.text
}

// offer writes as much of a text as the connection takes without blocking. If
// some is left, the stream falls behind. The caller holds the feed's mu.
func (s *stream) offer(text []byte) {
	if len(text) == 0 {
		return
	}
	n, err := s.out.offer(text)
	switch {
	case err != nil:
		s.keepsUp = false
		s.hub.spawn(s.cut) // cut locks the feed
	case n < len(text):
		s.hub.slowed.Add(1)
		s.fallBehind(slices.Clone(text[n:]))
	default:
		s.wroteAt = time.Now()
	}
}

// expired reports whether the credential has expired at a time.
func (s *stream) expired(now time.Time) bool { return !s.until.IsZero() && !now.Before(s.until) }

// start sends the position of the stream and starts reading from there.
func (s *stream) start() {
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	s.fallBehind(appendPosition([]byte("retry: 2000\n"), s.position))
}

// fallBehind detaches the stream from the feed and catches up in a goroutine,
// which first writes rest. The caller holds the feed's mu.
func (s *stream) fallBehind(rest []byte) {
	s.keepsUp = false
	if !s.hub.spawn(func() { s.catchUp(rest) }) {
		s.out.close()
	}
}

// cut ends the stream. The client resumes.
func (s *stream) cut() {
	s.out.close()
	s.hub.leave(s)
}

// catchUp reads from the stream's position to the head of the log, and returns
// the stream to its feed.
func (s *stream) catchUp(rest []byte) {
	if !s.write(rest) {
		return
	}
	for s.mustRead() {
		text, err := s.next()
		if err != nil {
			if s.hub.ctx.Err() == nil {
				s.hub.logger.Warn("live: read of event log failed, stream cut", "error", err)
			}
			s.cut()
			return
		}
		if !s.write(text) {
			return
		}
	}
}

// mustRead returns the stream to its feed if it has reached the head of the
// feed, and otherwise reports whether it must read on. A stream that is ahead
// advances the feed; one that was cut is done.
func (s *stream) mustRead() bool {
	f := s.feed
	f.mu.Lock()
	there := s.index >= 0
	joined := there && s.position == f.head && !s.mustReload()
	// If the same sequence number has different checks, one of the two is in a
	// history that has ended, and reading shows which.
	ahead := there && !joined && !s.mustReload() && s.position.Epoch == f.head.Epoch && s.position.Seq >= f.head.Seq
	if joined {
		s.keepsUp, s.wroteAt = true, time.Now()
		if s.signals {
			for _, signal := range f.signals {
				if s.keepsUp {
					s.offer(s.textOf(&signal.signalText))
				}
			}
		}
	}
	f.mu.Unlock()
	if ahead {
		// An error will recur when the stream reads.
		_ = f.advance()
	}
	return there && !joined
}

// next reads the events after the stream's position and advances it.
func (s *stream) next() ([]byte, error) {
	places := s.hub.readers
	if !s.audience.IsZero() {
		places = s.hub.customerReaders
		if there := s.feed.position(); s.position.Epoch == there.Epoch && there.Seq-s.position.Seq > maxBehind {
			s.position = there
			return s.hub.appendReset(nil, s.position), nil
		}
	}
	select {
	case places <- struct{}{}:
		defer func() { <-places }()
	case <-s.hub.ctx.Done():
		return nil, s.hub.ctx.Err()
	}
	if s.mustReload() {
		return s.reset()
	}
	p, err := s.hub.log.Events(s.hub.ctx, s.feed.ws, parley.Some(s.position), page)
	if err != nil {
		return nil, err
	}
	if p.Reset {
		// A client that must reload has no use for the events of the page.
		return s.reset()
	}
	batch := newRendering(s.hub, p.Next.Epoch, p.Events)
	if !s.audience.IsZero() {
		if err := batch.loadShown(s.hub.ctx, s.feed.ws); err != nil {
			return nil, err
		}
	}
	if err := s.checkAccess(p.Events); err != nil {
		return nil, err
	}
	s.position = p.Next
	batch.render(s)
	s.hub.written.Add(int64(len(p.Events)))
	return batch.textFor(s), nil
}

// mustReload reports whether the client's state may be from before the member saw what
// the member sees now.
func (s *stream) mustReload() bool { return s.position.Seq < s.visibility.Since() }

// reset moves the stream to the end of the log and tells the client to reload.
func (s *stream) reset() ([]byte, error) {
	heads, err := s.hub.log.LogHeads(s.hub.ctx, []parley.WorkspaceID{s.feed.ws})
	if err != nil {
		return nil, err
	}
	if len(heads) == 0 {
		return nil, errWorkspaceGone
	}
	s.position = heads[0].LogPosition
	return s.hub.appendReset(nil, s.position), nil
}

// checkAccess cuts the stream if its access ended before the last of some events.
// What is then written to it is lost.
func (s *stream) checkAccess(events []parley.Event) error {
	if len(events) == 0 {
		return nil
	}
	if s.expired(s.hub.clock.Now()) {
		s.cut()
		return nil
	}
	heads, err := s.hub.log.LogHeads(s.hub.ctx, []parley.WorkspaceID{s.feed.ws})
	if err != nil || len(heads) == 0 {
		return cmp.Or(err, errWorkspaceGone)
	}
	return s.feed.cutEnded(heads[0].Access)
}

// write writes a whole text, blocking, and reports whether the stream
// continues. A client that is too slow is cut.
func (s *stream) write(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	if err := s.out.write(text); err != nil {
		s.cut()
		return false
	}
	return true
}

// heartbeat is a comment. If events may be filtered out, it includes the
// position, so that the client resumes after them. The caller holds the feed's
// mu.
func (s *stream) heartbeat() []byte {
	if s.filter == nil && s.audience.IsZero() {
		return []byte(":\n\n")
	}
	return appendPosition([]byte(":\n"), s.position)
}
