package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types"

	"parley"
	"parley/internal/chatapp"
)

// How long a session waits before it connects again. After an interruption the
// library itself comes back at once; these are for what it gives up on.
const (
	firstPause    = time.Second // doubles up to lastPause while connecting fails
	lastPause     = time.Minute
	replacedPause = 30 * time.Second // another process had the number
	refusedPause  = 5 * time.Minute  // the network refused for an unknown reason
	outdatedPause = time.Hour        // for a newer client only an update helps
)

// returnTime is how long the library has for coming back after an interruption.
// It comes back in a second or two, with two exceptions: a connection that ends
// while its handshake does is noticed by nobody, and the news of an interruption
// can arrive behind the news that the connection is back.
const returnTime = 15 * time.Second

// patience is how long calls wait for a number that was cut off, from then on.
const patience = 5 * time.Second

// unreachable is what people read where no connection comes about. What exactly
// failed names addresses and servers of the operator's, and is logged alone.
const unreachable = "the messaging application cannot be reached"

// A session is the client of one number in this process, from Open to Close.
type session struct {
	driver *Driver
	host   chatapp.Host
	in     chatapp.Inbound
	cli    *whatsmeow.Client

	ctx  context.Context // ends with the session; also the connection's
	stop context.CancelFunc
	done chan struct{}      // closed when nothing connects any more
	next chan time.Duration // asks to connect again after a pause

	hearing sync.Mutex // the Inbound is called by one at a time

	mu         sync.Mutex
	jid, lid   types.JID     // own names; the client's copy must not be read while it runs
	connected  bool          // logged in, and ready to work
	hopeUntil  time.Time     // calls wait for the connection until then
	changed    chan struct{} // closed when connected changes
	limit      *chatapp.LimitError
	restricted time.Time // until when it may not write to strangers
	told       chatapp.State
	states     int                                   // that there was to tell so far
	groups     map[types.JID]string                  // what groups are called; "" where it could not be learned on this connection
	cuts       map[*context.CancelCauseFunc]struct{} // what must not outlive the connection
	failures   int                                   // of the Inbound, in a row
	asked      bool                                  // to send again what the Inbound did not keep
}

func startSession(d *Driver, host chatapp.Host, device *store.Device, in chatapp.Inbound) *session {
	s := &session{
		driver: d, host: host, in: in, cli: d.client(device),
		done: make(chan struct{}), next: make(chan time.Duration, 1),
		jid: device.GetJID().ToNonAD(), lid: device.GetLID().ToNonAD(),
		changed: make(chan struct{}), cuts: map[*context.CancelCauseFunc]struct{}{},
		groups:    map[types.JID]string{},
		hopeUntil: time.Now().Add(patience),
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.cli.BackgroundEventCtx = s.ctx
	s.cli.AddEventHandlerWithSuccessStatus(s.handle)
	go s.run()
	return s
}

// run connects, and again when handle asks for it through next.
func (s *session) run() {
	defer close(s.done)
	defer s.cli.Disconnect()
	failed := 0
	for {
		var pause time.Duration
		err := s.cli.ConnectContext(s.ctx)
		switch {
		case s.ctx.Err() != nil, errors.Is(err, store.ErrDeviceDeleted):
			return
		case err != nil && !errors.Is(err, whatsmeow.ErrAlreadyConnected):
			pause = min(firstPause<<min(failed, 10), lastPause)
			level := slog.LevelDebug // the first failure says it all
			if failed == 0 {
				level = slog.LevelWarn
			}
			failed++
			s.driver.log.Log(s.ctx, level, "the network cannot be reached", "number", s.host.NumberID, "error", err)
			s.tellState(chatapp.State{Status: parley.NumberDisconnected, Reason: unreachable})
		default:
			failed = 0
			pause = s.rest()
		}
		timer := time.NewTimer(pause)
		select {
		case <-s.ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// rest returns when run is to connect again, and after which pause: when handle
// asks for it, or when the number has not been logged in for the returnTime.
func (s *session) rest() time.Duration {
	late := time.NewTimer(s.driver.returnTime)
	defer late.Stop()
	for {
		s.mu.Lock()
		connected, changed := s.connected, s.changed
		s.mu.Unlock()
		if connected {
			late.Stop()
		} else {
			late.Reset(s.driver.returnTime)
		}
		select {
		case <-s.ctx.Done():
			return 0
		case pause := <-s.next:
			return pause
		case <-changed:
		case <-late.C:
			s.driver.log.Warn("the number did not log in again, connecting anew", "number", s.host.NumberID)
			s.cli.Disconnect()
			return 0
		}
	}
}

// connectAfter makes run connect again. Nobody waits for that.
func (s *session) connectAfter(pause time.Duration) {
	s.mu.Lock()
	s.hopeUntil = time.Time{}
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	select {
	case s.next <- pause:
	default: // it is asked already
	}
}

// close ends the session and returns when the Inbound is called no more.
func (s *session) close() {
	s.stop()
	<-s.done
	s.hearing.Lock() // waits for a call that is still on
	defer s.hearing.Unlock()
}

// ended reports whether the session is over by itself, because the number was
// logged out.
func (s *session) ended() bool { return s.ctx.Err() != nil }

// own returns the number's own two names.
func (s *session) own() (jid, lid types.JID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.jid, s.lid
}

// setConnected says whether calls can go out now. Whatever must not be sent
// again on another connection ends, see once.
func (s *session) setConnected(connected bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for cut := range s.cuts {
		(*cut)(errCut)
	}
	clear(s.cuts)
	if connected {
		s.limit = nil
	}
	if s.connected != connected {
		s.connected, s.hopeUntil = connected, time.Now().Add(patience)
		close(s.changed)
		s.changed = make(chan struct{})
	}
}

// ban keeps the number from being used until then.
func (s *session) ban(until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = &chatapp.LimitError{Reason: chatapp.Banned, Until: until}
}

// waitConnected waits until the number is connected, as long as there is hope.
func (s *session) waitConnected(ctx context.Context) error {
	for {
		s.mu.Lock()
		connected, changed, limit, hope := s.connected, s.changed, s.limit, time.Until(s.hopeUntil)
		s.mu.Unlock()
		switch {
		case connected:
			return nil
		case limit != nil:
			return limit
		case hope <= 0, s.ctx.Err() != nil:
			return chatapp.ErrNotConnected
		}
		timer := time.NewTimer(hope)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-s.ctx.Done():
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// errCut ends what must not outlive its connection.
var errCut = errors.New("the connection ended")

// once returns a context that ends with the connection. The library sends a
// query again on the next connection, which would make a second group; under
// this context it does not.
func (s *session) once(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cut := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.connected {
		cut(errCut)
	}
	s.cuts[&cut] = struct{}{}
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cuts, &cut)
		cut(nil)
	}
}

// ask asks the network with a limit of time. What has no answer by then is an
// ErrTimeout, as long as the caller's own time is not over.
func ask[T any](ctx context.Context, s *session, question func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, s.driver.askTime)
	defer cancel()
	answer, err := question(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("%w: %w", chatapp.ErrTimeout, err)
	}
	return answer, err
}

// tell calls the Inbound, unless the session is over, and reports whether it
// kept what it heard. What it did not keep is asked for again.
func (s *session) tell(what string, call func(context.Context) error) bool {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	err := call(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.failures = 0
		return true
	}
	s.driver.log.Warn("what the network told was not kept", "what", what, "number", s.host.NumberID, "error", err)
	if !s.asked {
		s.asked = true
		time.AfterFunc(min(firstPause<<min(s.failures, 10), lastPause), s.askAgain)
		s.failures++
	}
	return false
}

// askAgain lets the network send again what was not acknowledged. It does so
// at a new connection.
func (s *session) askAgain() {
	s.mu.Lock()
	s.asked = false
	s.mu.Unlock()
	if s.ctx.Err() == nil {
		s.cli.ResetConnection()
	}
}

// tellState tells of the number itself, where it is news. What is not kept is
// told again, unless there is other news by then.
func (s *session) tellState(state chatapp.State) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	if s.ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	if state.Status == parley.NumberConnected && s.driver.clock.Now().Before(s.restricted) {
		state.RestrictedUntil = s.restricted
	}
	news := state != s.told
	s.told = state
	s.states++
	mine := s.states
	s.mu.Unlock()
	if !news {
		return
	}
	if err := s.in.State(s.ctx, s.host, state); err != nil {
		s.driver.log.Warn("the state of a number was not kept", "number", s.host.NumberID, "status", state.Status, "error", err)
		s.mu.Lock()
		s.told = chatapp.State{}
		s.mu.Unlock()
		time.AfterFunc(firstPause, func() {
			s.mu.Lock()
			newest := s.states == mine
			s.mu.Unlock()
			if newest {
				s.tellState(state)
			}
		})
	}
}
