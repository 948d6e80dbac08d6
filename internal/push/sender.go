package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/timer"
	"parley/internal/tracing"
)

const (
	// poll is the longest delay of a push that is due.
	poll = time.Second
	// atOnce is the most devices to which a process sends at a time, and ofWorkspace those
	// of one workspace. So a push service that does not answer holds up few.
	atOnce      = 16
	ofWorkspace = 4
	// inTurn is the most pushes of a device in one turn. With exchangeTime for each, they
	// end before the lease.
	inTurn = 5
	lease  = 70 * time.Second
	// stopTime is how long a server that stops waits for an answer, and for storing it.
	stopTime = 3 * time.Second
	// firstPause and longestPause bound the pause of a device whose service does not answer.
	firstPause, longestPause = 10 * time.Second, time.Hour
	// maxRefusals is how many pushes in a row a service may refuse before the device is
	// given up.
	maxRefusals = 5
)

// slots count the devices to which a process is sending. The zero value is empty.
type slots struct {
	mu  sync.Mutex
	all int
	of  map[parley.WorkspaceID]int
}

func (s *slots) enter(ws parley.WorkspaceID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= atOnce || s.of[ws] >= ofWorkspace {
		return false
	}
	if s.of == nil {
		s.of = map[parley.WorkspaceID]int{}
	}
	s.all++
	s.of[ws]++
	return true
}

func (s *slots) leave(ws parley.WorkspaceID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.of[ws]--; s.of[ws] == 0 {
		delete(s.of, ws)
	}
}

// Run sends what is due until the context ends.
func (svc *Service) Run(ctx context.Context) {
	if svc.off {
		return
	}
	var sending sync.WaitGroup
	defer sending.Wait()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		if err := svc.round(ctx, &sending); err != nil && ctx.Err() == nil {
			svc.base.Log.Warn("push: round failed, retrying", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Deliver sends what is due, and returns when that has ended.
func (svc *Service) Deliver(ctx context.Context) error {
	for {
		due, err := svc.due(ctx)
		if err != nil || len(due) == 0 {
			return err
		}
		var sending sync.WaitGroup
		err = svc.round(ctx, &sending)
		sending.Wait()
		if err != nil {
			return err
		}
	}
}

func (svc *Service) due(ctx context.Context) ([]parley.WorkspaceID, error) {
	now := svc.base.Clock.Now()
	return desk.View(svc.desk, func(v *store.View) ([]parley.WorkspaceID, error) { return SelectWorkspacesDueAcross(v, now) }).Now(ctx)
}

// round starts sending to the devices for which something is due, as far as there is
// room. Each workspace gets one device after another.
func (svc *Service) round(ctx context.Context, sending *sync.WaitGroup) error {
	due, err := svc.due(ctx)
	var failures []error
	for len(due) > 0 && ctx.Err() == nil {
		var more []parley.WorkspaceID
		for _, ws := range due {
			started, failed := svc.start(ctx, ws, sending)
			if started {
				more = append(more, ws)
			}
			failures = append(failures, failed)
		}
		due = more
	}
	return errors.Join(append(failures, err)...)
}

// start claims one device of a workspace and sends to it in a goroutine, and reports
// whether it did.
func (svc *Service) start(ctx context.Context, ws parley.WorkspaceID, sending *sync.WaitGroup) (bool, error) {
	if !svc.slots.enter(ws) {
		return false, nil
	}
	c, err := svc.claim(ctx, ws)
	if err != nil || c == nil {
		svc.slots.leave(ws)
		return false, err
	}
	if len(c.pushes) == 0 {
		svc.slots.leave(ws)
		return true, nil
	}
	sending.Go(func() {
		defer svc.slots.leave(ws)
		longer, cancel := timer.Graceful(ctx, stopTime)
		defer cancel()
		longer, span := svc.base.Tracer.Begin(longer, "push.send", tracing.Workspace(ws))
		err := svc.send(longer, c)
		span.End(err)
		if err != nil {
			svc.base.Log.Warn("push: result not stored, sent again after its lease", "device", c.device.ID, "error", err)
		}
	})
	return true, nil
}

// send sends what was claimed until the service does not take it, and stores the outcome.
func (svc *Service) send(ctx context.Context, c *claim) error {
	var last result
	var done []Push
	for i := range c.pushes {
		r := svc.deliver(ctx, c.deliveries[i])
		if ctx.Err() != nil {
			if len(done) == 0 {
				return nil // nobody knows whether it arrived, so the lease ends
			}
			break
		}
		last = r
		svc.count(last)
		if last.outcome == parley.PushLater || last.outcome == parley.PushGone {
			break
		}
		done = append(done, c.pushes[i])
		c.took(last, svc.base.Clock.Now())
		if last.outcome == parley.PushRefused {
			svc.base.Log.Warn("push: refused", "device", c.device.ID, "host", c.host(), "status", last.status, "error", last.err)
		}
	}
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	return svc.finish(storing, c, done, last)
}

func (svc *Service) count(r result) {
	switch r.outcome {
	case parley.PushAccepted:
		svc.counts.accepted.Add(1)
	case parley.PushLater:
		svc.counts.later.Add(1)
	case parley.PushGone:
		svc.counts.gone.Add(1)
	default:
		svc.counts.refused.Add(1)
	}
}

// pauseAfter returns how long a device waits after failures in a row, at least one.
func pauseAfter(failures int) time.Duration {
	return min(firstPause<<min(failures-1, 20), longestPause)
}

// Test sends a message to a device of the caller at once, and returns what became of it. A
// device that does not exist is gone.
func (svc *Service) Test(ctx context.Context, by desk.Caller, id parley.ID) (parley.PushOutcome, error) {
	if svc.off {
		return "", parley.Errorf(parley.Conflict, "this server pushes no notices")
	}
	c, err := desk.View(svc.desk, func(v *store.View) (c claim, err error) {
		if c.device, err = SelectDevice(v, by.Workspace, by.Member, id); err != nil {
			return c, err
		}
		c.sealedKey, err = SelectKey(v, by.Workspace)
		return c, err
	}).Now(ctx)
	if parley.KindOf(err) == parley.NotFound {
		return parley.PushGone, nil
	}
	if err != nil {
		return "", err
	}
	c.ws = by.Workspace
	subscription, err := svc.subscription(&c)
	if err != nil {
		return "", err
	}
	signer, err := svc.signer(c.ws, c.sealedKey)
	if err != nil {
		return "", err
	}
	r := svc.deliver(ctx, delivery{subscription: subscription, signer: signer, urgent: true, life: time.Minute, message: message{Kind: testKind}})
	svc.count(r)
	if r.outcome == parley.PushGone {
		_, err = desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (struct{}, error) { return struct{}{}, DeleteDevice(t, t.WS, id) })
	}
	if r.err != nil || r.outcome == parley.PushRefused {
		svc.base.Log.Warn("push: test failed", "device", id, "host", hostOf(subscription), "status", r.status, "error", r.err)
	}
	return r.outcome, err
}

// subscription opens the address and keys of a device.
func (svc *Service) subscription(c *claim) (s Subscription, err error) {
	plain, err := svc.base.Vault.Open(c.device.Sealed, c.ws.String(), deviceRecord(c.device.ID))
	if err == nil {
		err = json.Unmarshal(plain, &s)
	}
	if err != nil {
		return s, fmt.Errorf("push_devices.sealed of %s: %w", c.device.ID, err)
	}
	return s, nil
}
