package numbers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// callPoll is how often a caller checks for the answer.
	callPoll = 100 * time.Millisecond
	// callPatience is how long a call waits to be started: longer than another
	// node needs to take over a number.
	callPatience = 15 * time.Second
	// callRetention is how long a call without a waiting caller is stored.
	callRetention = 2 * time.Minute
	// callNotice tells other nodes that a call waits.
	callNotice = `{"number":"called"}`
)

// A knownError is an error of the network that must be recognizable on another
// node. Nodes of other versions know it by its name, so the name must not
// change; the text of the error may.
type knownError struct {
	name string
	err  error
}

func knownErrors() []knownError {
	return []knownError{
		{"none of the numbers is on the messaging application", chatapp.ErrNobody},
		{"there is no such group", chatapp.ErrNoGroup},
		{"the host is not an admin of the group", chatapp.ErrNotAdmin},
		{"the number is not a member of the group", chatapp.ErrNotMember},
		{"the number is not on the messaging application", chatapp.ErrNotOnChatapp},
		{"the host is not connected", chatapp.ErrNotConnected},
		{"the group is full", chatapp.ErrFull},
		{"the network refuses the name", chatapp.ErrName},
		{"the network did not answer in time", chatapp.ErrTimeout},
		{"the network refuses the message", chatapp.ErrRefused},
		{"the network does not have the file any more", chatapp.ErrGone},
		{"the file is not what its sender sent", chatapp.ErrBroken},
		{"the number is paired already", chatapp.ErrPaired},
		{"the number is not paired with this server", chatapp.ErrNotPaired},
		{"the number was paired on another network", chatapp.ErrOtherNetwork},
	}
}

func packError(err error) *callError {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		err = chatapp.ErrTimeout
	}
	packed := &callError{Text: err.Error()}
	var limit *chatapp.LimitError
	if errors.As(err, &limit) {
		packed.Limit = (*callLimit)(limit)
	}
	for _, known := range knownErrors() {
		if errors.Is(err, known.err) {
			packed.Known = known.name
		}
	}
	return packed
}

func (e *callError) unpack() error {
	if e == nil {
		return nil
	}
	if e.Limit != nil {
		return (*chatapp.LimitError)(e.Limit)
	}
	for _, known := range knownErrors() {
		if known.name == e.Known {
			return known.err
		}
	}
	return errors.New(e.Text)
}

// A remoteConnector is the connector of a number that another node holds, or is
// about to hold.
type remoteConnector struct {
	chatapp.Connector // for what needs no connection
	service           *Service
}

func (r remoteConnector) CreateGroup(ctx context.Context, host chatapp.Host, name string, participants []parley.Phone) (chatapp.Group, []chatapp.MemberResult, error) {
	a, err := r.call(ctx, host, callRequest{Method: "CreateGroup", Name: name, Phones: participants})
	return chatapp.Group(a.Group), a.results(), err
}

func (r remoteConnector) FindGroups(ctx context.Context, host chatapp.Host, name string, since time.Time) ([]chatapp.Group, error) {
	a, err := r.call(ctx, host, callRequest{Method: "FindGroups", Name: name, Since: since})
	return a.groups(), err
}

func (r remoteConnector) AddMembers(ctx context.Context, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	a, err := r.call(ctx, host, callRequest{Method: "AddMembers", JID: jid, Phones: participants})
	return a.results(), err
}

func (r remoteConnector) SetAdmin(ctx context.Context, host chatapp.Host, jid string, member parley.Phone, admin bool) error {
	_, err := r.call(ctx, host, callRequest{Method: "SetAdmin", JID: jid, Phones: []parley.Phone{member}, Admin: admin})
	return err
}

func (r remoteConnector) InviteLink(ctx context.Context, host chatapp.Host, jid string) (string, error) {
	a, err := r.call(ctx, host, callRequest{Method: "InviteLink", JID: jid})
	return a.Link, err
}

// Send only carries text: files are sent by the node that holds the number.
func (r remoteConnector) Send(ctx context.Context, host chatapp.Host, m chatapp.Message) error {
	_, err := r.call(ctx, host, callRequest{Method: "Send", ID: m.ID, JID: m.JID, Phones: []parley.Phone{m.Phone}, Text: m.Text, Invite: callInvite(m.Invite), Name: m.GroupName})
	return err
}

func (r remoteConnector) unpair(ctx context.Context, host chatapp.Host) error {
	_, err := r.call(ctx, host, callRequest{Method: "Unpair"})
	return err
}

// runCall executes a call on a connector of this process.
func runCall(ctx context.Context, c chatapp.Connector, host chatapp.Host, q callRequest) callAnswer {
	var a callAnswer
	var results []chatapp.MemberResult
	var err error
	phone := parley.Phone("")
	if len(q.Phones) > 0 {
		phone = q.Phones[0]
	}
	switch q.Method {
	case "CreateGroup":
		var group chatapp.Group
		group, results, err = c.CreateGroup(ctx, host, q.Name, q.Phones)
		a.Group = callGroup(group)
	case "FindGroups":
		var groups []chatapp.Group
		groups, err = c.FindGroups(ctx, host, q.Name, q.Since)
		a.Groups = packGroups(groups)
	case "AddMembers":
		results, err = c.AddMembers(ctx, host, q.JID, q.Phones)
	case "SetAdmin":
		err = c.SetAdmin(ctx, host, q.JID, phone, q.Admin)
	case "InviteLink":
		a.Link, err = c.InviteLink(ctx, host, q.JID)
	case "Send":
		err = c.Send(ctx, host, chatapp.Message{ID: q.ID, JID: q.JID, Phone: phone, Text: q.Text, Invite: chatapp.Invite(q.Invite), GroupName: q.Name})
	case "Unpair":
		if linker, ok := c.(chatapp.Linker); ok {
			err = linker.Unpair(ctx, host)
		}
	default:
		err = errors.New("a newer node asks for " + q.Method) // during an upgrade of the nodes
	}
	a.Results, a.Error = packResults(results), packError(err)
	return a
}

// call asks the node that holds the number and waits for its answer.
func (r remoteConnector) call(ctx context.Context, host chatapp.Host, q callRequest) (callAnswer, error) {
	s := r.service
	var none callAnswer
	text, err := json.Marshal(q)
	if err != nil {
		return none, err
	}
	c := NumberCall{ID: s.ids.New(s.clock.Now()), NumberID: host.NumberID, Request: string(text)}
	_, err = write(ctx, s, desk.Caller{Workspace: host.Workspace}, func(t *tx) (struct{}, error) {
		c.CreatedAt = t.Now
		return struct{}{}, InsertNumberCall(t, t.WS, &c)
	})
	if err != nil {
		return none, err
	}
	if err := s.store.Tell(ctx, callNotice); err != nil && ctx.Err() == nil {
		s.log.Warn("calls: wake-up of other nodes failed, they will poll", "error", err)
	}
	patience := time.NewTimer(callPatience)
	defer patience.Stop()
	poll := time.NewTicker(callPoll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return none, s.endCall(ctx, host, c.ID)
		case <-patience.C:
			if err := s.endCallNotBegun(ctx, host, c.ID); err != nil {
				return none, err
			}
		case <-poll.C:
		}
		answer, done, err := s.lookForAnswer(ctx, host, c.ID)
		if done || err != nil && ctx.Err() == nil {
			return answer, err
		}
	}
}

// lookForAnswer reads the state of a call. If the holder lost the number before
// it answered, the result is unknown.
func (s *Service) lookForAnswer(ctx context.Context, host chatapp.Host, id parley.ID) (answer callAnswer, done bool, err error) {
	type state struct {
		call  NumberCall
		lease NumberLease
	}
	found, err := desk.Snapshot(s.desk, func(v *store.View) (found state, err error) {
		if found.call, err = SelectNumberCall(v, host.Workspace, id); err != nil {
			return found, err
		}
		found.lease, err = SelectNumberLease(v, host.Workspace, host.NumberID)
		return found, err
	}).Now(ctx)
	switch {
	case parley.KindOf(err) == parley.NotFound:
		return answer, true, chatapp.ErrTimeout // it took too long
	case err != nil:
		return answer, false, err
	case found.call.Answer != "":
		if err := json.Unmarshal([]byte(found.call.Answer), &answer); err != nil {
			return answer, true, err
		}
		s.deleteCall(ctx, host.Workspace, id)
		return answer, true, answer.Error.unpack()
	case found.call.BegunBy != "" && (found.call.BegunBy != leaseName(found.lease) || !leased(found.lease.Until, s.clock.Now(), numberLease)):
		s.deleteCall(ctx, host.Workspace, id)
		return answer, true, chatapp.ErrTimeout
	}
	return answer, false, nil
}

// endCall abandons a call whose caller has timed out. If it was started, its
// result is unknown.
func (s *Service) endCall(ctx context.Context, host chatapp.Host, id parley.ID) error {
	over := ctx.Err()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), numberLeaseSpare)
	defer cancel()
	if err := s.endCallNotBegun(ctx, host, id); err != nil {
		return err
	}
	s.deleteCall(ctx, host.Workspace, id)
	return over
}

// endCallNotBegun abandons a call that was not started, so that it never is.
// The error is then ErrNotConnected, and the call had no effect.
func (s *Service) endCallNotBegun(ctx context.Context, host chatapp.Host, id parley.ID) error {
	begun, err := write(ctx, s, desk.Caller{Workspace: host.Workspace}, func(t *tx) (bool, error) {
		c, err := SelectNumberCall(t, t.WS, id)
		switch {
		case parley.KindOf(err) == parley.NotFound:
			return true, nil
		case err != nil || c.BegunBy != "":
			return true, err
		}
		return false, DeleteNumberCall(t, t.WS, id)
	})
	if err == nil && !begun {
		return chatapp.ErrNotConnected
	}
	return err
}

func (s *Service) deleteCall(ctx context.Context, ws parley.WorkspaceID, id parley.ID) {
	_, err := write(ctx, s, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) { return struct{}{}, DeleteNumberCall(t, t.WS, id) })
	if err != nil {
		s.log.Warn("calls: abandoned call not deleted, the purge will", "error", err)
	}
}

// leaseName identifies the lease under which a call was started.
func leaseName(l NumberLease) string { return fmt.Sprintf("%s %d", l.Owner, l.Generation) }

// listenForCalls listens for calls of other nodes. Lost notices are found by
// polling.
func (s *Service) listenForCalls(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.store.Listen(ctx, func(text string) {
			if text == callNotice {
				s.wakeNumbers()
			}
		})
		if ctx.Err() != nil {
			return
		}
		s.log.Warn("calls: listening to other nodes failed, polling", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (s *Service) wakeNumbers() {
	select {
	case s.numbersWake <- struct{}{}:
	default: // a wake-up is pending
	}
}

// serveCalls starts executing the waiting calls of numbers held here, one after
// the other per number.
func (s *Service) serveCalls(ctx context.Context) error {
	called, err := desk.View(s.desk, func(v *store.View) ([]CalledNumber, error) { return SelectCalledNumbers(v, s.process) }).Now(ctx)
	if err != nil {
		return err
	}
	for _, c := range called {
		n := s.held.get(c.NumberID)
		if n == nil || !s.held.beginCalling(n) {
			continue
		}
		s.held.work.Go(func() {
			defer s.held.endCalling(n)
			if err := s.serveCallsOf(context.WithoutCancel(ctx), n); err != nil {
				s.log.Warn("calls: executing calls failed, retrying", "number", n.host.NumberID, "error", err)
			}
		})
	}
	return nil
}

func (h *holding) beginCalling(n *heldNumber) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	began := !n.calling
	n.calling = true
	return began
}

func (h *holding) endCalling(n *heldNumber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n.calling = false
}

func (s *Service) serveCallsOf(ctx context.Context, n *heldNumber) error {
	for s.held.get(n.host.NumberID) == n {
		c, err := s.beginCall(ctx, n)
		if err != nil || c.ID.IsZero() {
			return err
		}
		var q callRequest
		if err := json.Unmarshal([]byte(c.Request), &q); err != nil {
			return err
		}
		connector, ok := n.runner.(chatapp.Connector)
		if !ok {
			return chatapp.ErrNotConnected
		}
		work, cancel := context.WithTimeout(ctx, networkTime)
		answer, err := json.Marshal(runCall(work, connector, n.host, q))
		cancel()
		if err != nil {
			return err
		}
		c.Answer = string(answer)
		_, err = write(ctx, s, desk.Caller{Workspace: n.ws}, func(t *tx) (struct{}, error) { return struct{}{}, UpdateNumberCall(t, t.WS, &c) })
		if err != nil {
			return err
		}
	}
	return nil
}

// beginCall takes the oldest waiting call of a number, if there is one.
func (s *Service) beginCall(ctx context.Context, n *heldNumber) (NumberCall, error) {
	return write(ctx, s, desk.Caller{Workspace: n.ws}, func(t *tx) (NumberCall, error) {
		if _, err := t.heldNow(n); err != nil {
			return NumberCall{}, err
		}
		waiting, err := SelectWaitingCalls(t, t.WS, n.host.NumberID, 1)
		if err != nil || len(waiting) == 0 {
			return NumberCall{}, err
		}
		waiting[0].BegunBy = leaseName(n.token)
		return waiting[0], UpdateNumberCall(t, t.WS, &waiting[0])
	})
}
