package live

import (
	"errors"
	"net"
	"os"
	"slices"
	"syscall"
	"time"

	"parley"
)

// stalled is how long a stream may take for one write when it is behind.
const stalled = 15 * time.Second

// A stream is one open connection.
type stream struct {
	hub        *Hub
	conn       net.Conn
	raw        syscall.RawConn // nil where the connection is none of the system's own
	credential parley.Credential
	quotas     []quota   // by which it is counted
	until      time.Time // when the credential ends; zero: never
	filter     *filter   // nil: every event
	audience   parley.Audience
	member     parley.UserID // "" where no one member hears
	signals    bool

	// Guarded by the room's mu, but while the stream is behind: then at belongs
	// to its goroutine.
	room    *room
	index   int  // in the room; -1 outside
	keepsUp bool // the room writes to it
	at      parley.LogPosition
	wroteAt time.Time // of the system's clock
}

// A filter lets some types of events pass, and shows of them what its reader may
// read.
type filter struct {
	name   string
	types  []parley.EventType // nil: all
	reader parley.LogReader
}

// hears reports whether a signal for an audience, or for one member, is for this
// stream.
func (s *stream) hears(to parley.Audience, member parley.UserID) bool {
	return s.audience == to && (member == "" || member == s.member)
}

// offer writes a text as far as the connection takes it without waiting. Where
// that is not all, the stream is behind. The room's mu is held.
func (s *stream) offer(text []byte) {
	if len(text) == 0 {
		return
	}
	n, err := s.tryWrite(text)
	switch {
	case err != nil:
		s.keepsUp = false
		s.hub.spawn(s.cut) // which needs the room
	case n < len(text):
		s.hub.slowed.Add(1)
		s.fallBehind(slices.Clone(text[n:]))
	default:
		s.wroteAt = time.Now()
	}
}

// begin tells the stream's place and has it read from there.
func (s *stream) begin() {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	s.fallBehind(appendPosition([]byte("retry: 2000\n"), s.at))
}

// fallBehind takes the stream out of the room's care. What is left of a text
// goes first. The room's mu is held.
func (s *stream) fallBehind(rest []byte) {
	s.keepsUp = false
	if !s.hub.spawn(func() { s.catchUp(rest) }) {
		_ = s.conn.Close() // nothing more is written
	}
}

// cut ends the stream. Its other side resumes.
func (s *stream) cut() {
	_ = s.conn.Close() // nothing more is written
	s.hub.leave(s)
}

// catchUp brings a stream to the head of the log, reading from where it
// stands, and gives it back to its room.
func (s *stream) catchUp(rest []byte) {
	if !s.write(rest) {
		return
	}
	for s.waits() {
		text, err := s.next()
		if err != nil {
			if s.hub.ctx.Err() == nil {
				s.hub.logger.Warn("a stream is cut, for the event log could not be read", "error", err)
			}
			s.cut()
			return
		}
		if !s.write(text) {
			return
		}
	}
}

// waits gives the stream to its room if it stands at the room's head, and
// reports whether it has to read on instead. A stream that is further takes the
// room along; one that was cut has nothing to wait for.
func (s *stream) waits() bool {
	r := s.room
	r.mu.Lock()
	there := s.index >= 0
	joined := there && s.at == r.head
	// At the same number with another check, one of the two is in a history that
	// has ended, and reading tells which.
	ahead := there && !joined && s.at.Epoch == r.head.Epoch && s.at.Seq >= r.head.Seq
	if joined {
		s.keepsUp, s.wroteAt = true, time.Now()
		if s.signals {
			for _, signal := range r.signals {
				if s.keepsUp && s.hears(signal.to, signal.of) {
					s.offer(signal.text)
				}
			}
		}
	}
	r.mu.Unlock()
	if ahead {
		// An error shows again when the stream reads.
		_ = r.advance()
	}
	return there && !joined
}

// next reads what comes behind the stream's place and moves it there.
func (s *stream) next() ([]byte, error) {
	places := s.hub.readers
	if !s.audience.IsZero() {
		places = s.hub.crowd
		if there := s.room.place(); s.at.Epoch == there.Epoch && there.Seq-s.at.Seq > maxBehind {
			s.at = there
			return s.hub.appendReset(nil, s.at), nil
		}
	}
	select {
	case places <- struct{}{}:
		defer func() { <-places }()
	case <-s.hub.ctx.Done():
		return nil, s.hub.ctx.Err()
	}
	p, err := s.hub.log.Events(s.hub.ctx, s.room.ws, parley.Some(s.at), page)
	if err != nil {
		return nil, err
	}
	if p.Reset {
		// What the page holds instead is of no use to who must load anew.
		heads, err := s.hub.log.LogHeads(s.hub.ctx, []parley.WorkspaceID{s.room.ws})
		if err != nil {
			return nil, err
		}
		if len(heads) == 0 {
			return nil, errors.New("the workspace is gone")
		}
		s.at = heads[0].LogPosition
		return s.hub.appendReset(nil, s.at), nil
	}
	texts := newTexts(s.hub, p.Next.Epoch, p.Events)
	if !s.audience.IsZero() {
		if err := texts.show(s.hub.ctx, s.room.ws); err != nil {
			return nil, err
		}
	}
	s.at = p.Next
	texts.want(s)
	s.hub.written.Add(int64(len(p.Events)))
	return texts.of(s), nil
}

// write writes all of a text, waiting for the connection, and reports whether
// the stream goes on. One that does not take it in time is cut.
func (s *stream) write(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	err := s.conn.SetWriteDeadline(time.Now().Add(s.hub.stalled))
	if err == nil {
		_, err = s.conn.Write(text)
	}
	if err == nil {
		err = s.conn.SetWriteDeadline(time.Time{})
	}
	if err != nil {
		s.cut()
		return false
	}
	return true
}

// sign is a sign of life: a comment and, where a filter keeps events back, the
// position, so that the other side resumes behind them. The room's mu is held.
func (s *stream) sign() []byte {
	if s.filter == nil && s.audience.IsZero() {
		return []byte(":\n\n")
	}
	return appendPosition([]byte(":\n"), s.at)
}

// brief is how long a write may take where the system offers none that does
// not wait.
const brief = 20 * time.Millisecond

func (s *stream) writeBriefly(text []byte) (int, error) {
	if err := s.conn.SetWriteDeadline(time.Now().Add(brief)); err != nil {
		return 0, err
	}
	n, err := s.conn.Write(text)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	return n, errors.Join(err, s.conn.SetWriteDeadline(time.Time{}))
}
