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

// Pauses before a session reconnects. The library itself reconnects at once
// after an interruption; these pauses apply when it gives up.
const (
	firstPause    = time.Second // doubles up to lastPause while connecting fails
	lastPause     = time.Minute
	replacedPause = 30 * time.Second // another process connected the number
	refusedPause  = 5 * time.Minute  // the network refused for an unknown reason
	outdatedPause = time.Hour        // for a newer client only an update helps
)

// returnTime is how long the library has to reconnect. It normally takes a
// second or two, with two exceptions: it does not notice a connection that ends
// during the handshake, and the event of an interruption can arrive after the
// event of the new connection.
const returnTime = 15 * time.Second

// patience is how long calls wait for a number whose connection was lost.
const patience = 5 * time.Second

// unreachable is the displayed reason if no connection can be established. The
// actual error contains addresses of the operator's servers and is only logged.
const unreachable = "the messaging application cannot be reached"

// A session is the client of one number in this process, from Open to Close.
type session struct {
	driver *Driver
	host   chatapp.Host
	in     chatapp.Inbound
	cli    *whatsmeow.Client

	ctx  context.Context // ends with the session; also used by the connection
	stop context.CancelFunc
	done chan struct{}      // closed when run has ended
	next chan time.Duration // requests to reconnect after a pause

	hearing sync.Mutex // serializes calls of the Inbound

	mu         sync.Mutex
	jid, lid   types.JID     // own names; the client's copy must not be read while it runs
	connected  bool          // logged in, and ready to work
	hopeUntil  time.Time     // calls wait for the connection until then
	changed    chan struct{} // closed when connected changes
	limit      *chatapp.LimitError
	refused    bool      // the last connection was refused; see interrupted
	restricted time.Time // end of the limit on writing to strangers
	told       chatapp.State
	states     int                                   // number of states reported so far
	groups     map[types.JID]string                  // names of groups; "" if unavailable on this connection
	cuts       map[*context.CancelCauseFunc]struct{} // requests that must not outlive the connection
	failures   int                                   // consecutive failures of the Inbound
	asked      bool                                  // a resend of unacknowledged events was requested
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
	s.cli.SetWebsocketHTTPClient(s.cuttingClient(d.http))
	s.cli.AddEventHandlerWithSuccessStatus(s.handle)
	go s.run()
	return s
}

// run connects, and reconnects when handle requests it through next.
func (s *session) run() {
	defer close(s.done)
	defer s.cli.Disconnect()
	failed := 0
	for {
		var pause time.Duration
		s.mu.Lock()
		s.refused = false
		s.mu.Unlock()
		err := s.cli.ConnectContext(s.ctx)
		switch {
		case s.ctx.Err() != nil, errors.Is(err, store.ErrDeviceDeleted):
			return
		case err != nil && !errors.Is(err, whatsmeow.ErrAlreadyConnected):
			pause = min(firstPause<<min(failed, 10), lastPause)
			level := slog.LevelDebug // the first failure was logged as a warning
			if failed == 0 {
				level = slog.LevelWarn
			}
			failed++
			s.driver.log.Log(s.ctx, level, "whatsapp: network unreachable, reconnecting", "number", s.host.NumberID, "error", err)
			s.reportState(chatapp.State{Status: parley.NumberDisconnected, Reason: unreachable})
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

// rest blocks until run is to reconnect, and returns the pause before that:
// when handle requests it, or when the number has not been logged in for
// returnTime.
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
			s.driver.log.Warn("whatsapp: no login, reconnecting", "number", s.host.NumberID)
			s.cli.Disconnect()
			return 0
		}
	}
}

// connectAfter requests a reconnect. It does not block.
func (s *session) connectAfter(pause time.Duration) {
	s.mu.Lock()
	s.hopeUntil = time.Time{}
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	select {
	case s.next <- pause:
	default: // already requested
	}
}

// close ends the session. When it returns, the Inbound is not called any more.
func (s *session) close() {
	s.stop()
	<-s.done
	s.hearing.Lock() // waits for a running call
	defer s.hearing.Unlock()
}

// ended reports whether the session has ended by itself, because the number was
// logged out.
func (s *session) ended() bool { return s.ctx.Err() != nil }

// own returns the number's own two JIDs.
func (s *session) own() (jid, lid types.JID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.jid, s.lid
}

// setConnected records whether requests can be sent now, and ends the requests
// that must not be sent on another connection; see once.
func (s *session) setConnected(connected bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut()
	if connected {
		s.limit, s.refused = nil, false
	}
	if s.connected != connected {
		s.connected, s.hopeUntil = connected, time.Now().Add(patience)
		close(s.changed)
		s.changed = make(chan struct{})
	}
}

// ban records that the number cannot be used until a time.
func (s *session) ban(until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = &chatapp.LimitError{Reason: chatapp.Banned, Until: until}
}

// waitConnected waits until the number is connected, or until hopeUntil.
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

// request sends a request with a time limit. Without a response by then it
// returns ErrTimeout, unless the caller's own context has ended.
func request[T any](ctx context.Context, s *session, send func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, s.driver.requestTime)
	defer cancel()
	answer, err := send(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("%w: %w", chatapp.ErrTimeout, err)
	}
	return answer, err
}

// report calls the Inbound, unless the session is over, and reports whether the
// Inbound stored the event. If it did not, the network is asked to send the
// event again.
func (s *session) report(what string, call func(context.Context) error) bool {
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
	s.driver.log.Warn("whatsapp: event not stored, requesting it again", "what", what, "number", s.host.NumberID, "error", err)
	if !s.asked {
		s.asked = true
		time.AfterFunc(min(firstPause<<min(s.failures, 10), lastPause), s.requestResend)
		s.failures++
	}
	return false
}

// requestResend makes the network send unacknowledged events again, which it
// does on a new connection.
func (s *session) requestResend() {
	s.mu.Lock()
	s.asked = false
	s.mu.Unlock()
	if s.ctx.Err() == nil {
		s.cli.ResetConnection()
	}
}

// reportState reports the state of the number if it has changed. After an error
// it is reported again, unless it has changed by then.
func (s *session) reportState(state chatapp.State) {
	s.hearing.Lock()
	defer s.hearing.Unlock()
	s.reportInTurn(state)
}

// reportInTurn is reportState for a caller that holds hearing.
func (s *session) reportInTurn(state chatapp.State) {
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
		s.driver.log.Warn("whatsapp: number state not stored, retrying", "number", s.host.NumberID, "status", state.Status, "error", err)
		s.mu.Lock()
		s.told = chatapp.State{}
		s.mu.Unlock()
		time.AfterFunc(firstPause, func() {
			s.mu.Lock()
			newest := s.states == mine
			s.mu.Unlock()
			if newest {
				s.reportState(state)
			}
		})
	}
}
