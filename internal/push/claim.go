package push

import (
	"context"
	"net/url"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/notices"
)

// A claim is a device that a run holds, with what it sends.
type claim struct {
	ws         parley.WorkspaceID
	device     Device
	owner      string
	sealedKey  []byte
	pushes     []Push
	deliveries []delivery // of the pushes
	unneeded   int        // pushes that were due and are not sent
}

func hostOf(s Subscription) string {
	u, err := url.Parse(s.Endpoint)
	if err != nil {
		return ""
	}
	return u.Host
}

// host is that of the push service, for the log.
func (c *claim) host() string { return hostOf(c.deliveries[0].subscription) }

// took counts the answer to a push that needs no repetition.
func (c *claim) took(r result, now time.Time) {
	c.device.Failures = 0
	if r.outcome == parley.PushAccepted {
		c.device.Refusals, c.device.UsedAt = 0, now
	} else {
		c.device.Refusals++
	}
}

// claim takes the lease of a device for which something is due, and returns what is to be
// sent to it, perhaps nothing; nil if nothing is due.
func (svc *Service) claim(ctx context.Context, ws parley.WorkspaceID) (*claim, error) {
	owner := svc.base.IDs.NewText(20)
	c, err := desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (*claim, error) {
		found, err := SelectDueDevices(t, t.WS, t.Now, 1)
		if err != nil || len(found) == 0 {
			return nil, err
		}
		c := &claim{ws: ws, device: found[0], owner: owner}
		live, err := SelectLive(t, t.WS, c.device.SessionID, t.Now)
		if err != nil {
			return nil, err
		}
		subscription, err := svc.subscription(c)
		if !live || err != nil { // a browser whose row is damaged is added again by its next page
			return c, DeleteDevice(t, t.WS, c.device.ID)
		}
		if err := svc.look(t, c, subscription); err != nil {
			return nil, err
		}
		before := c.device.Owner
		c.device.Owner, c.device.PausedUntil = owner, t.Now.Add(lease)
		if len(c.pushes) == 0 {
			c.device.Owner, c.device.PausedUntil = "", time.Time{}
		}
		_, err = UpdateDevice(t, t.WS, &c.device, before)
		return c, err
	})
	if err != nil || c == nil {
		return nil, err
	}
	svc.counts.unneeded.Add(int64(c.unneeded))
	return c, nil
}

// look finds what is due for a device and is still wanted, and deletes the rest.
func (svc *Service) look(t *desk.Tx, c *claim, subscription Subscription) error {
	due, err := SelectDuePushes(t, t.WS, c.device.ID, t.Now, inTurn)
	if err != nil {
		return err
	}
	if c.sealedKey, err = SelectKey(t, t.WS); err != nil {
		return err
	}
	signer, err := svc.signer(c.ws, c.sealedKey)
	if err != nil {
		return err
	}
	shown, err := svc.unread(t, c, due)
	if err != nil {
		return err
	}
	preferences, err := notices.PreferencesOf(t, t.WS, c.device.MemberID)
	if err != nil {
		return err
	}
	for _, p := range due {
		at := slices.IndexFunc(shown, func(n parley.ShownNotice) bool { return n.ID == p.Notice })
		age := t.Now.Sub(p.DueAt)
		if at < 0 || age > shelfLife {
			c.unneeded++
			err = DeletePush(t, t.WS, c.device.ID, p)
		} else if loud, wanted := notices.When(&preferences, shown[at].Kind, parley.NoticeByPush, t.Now); !wanted {
			c.unneeded++
			err = DeletePush(t, t.WS, c.device.ID, p)
		} else if loud.After(t.Now) {
			err = UpdatePush(t, t.WS, c.device.ID, p, loud)
		} else {
			c.pushes = append(c.pushes, p)
			c.deliveries = append(c.deliveries, delivery{
				subscription: subscription, signer: signer, message: messageOf(&shown[at]), urgent: urgent(shown[at].Kind), life: shelfLife - age,
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unread returns the notices of pushes that are unread and that their member may see.
func (svc *Service) unread(t *desk.Tx, c *claim, due []Push) ([]parley.ShownNotice, error) {
	m, err := t.Member(t.WS, c.device.MemberID)
	if err != nil || !m.RemovedAt.IsZero() {
		return nil, err
	}
	ids := make([]parley.ID, len(due))
	for i, p := range due {
		ids[i] = p.Notice
	}
	vis, err := notices.VisibilityOf(t, &m)
	if err != nil {
		return nil, err
	}
	return SelectUnread(t, vis, m.ID, ids)
}

// urgent reports whether a phone that saves power shows a kind at once: what somebody
// expects of the member.
func urgent(kind parley.NoticeKind) bool {
	return kind == parley.NoticeMentioned || kind == parley.NoticeAssigned || kind == parley.NoticeAnswered
}

// finish stores what became of a claim, unless its lease has ended: what was sent or refused
// leaves the queue, and the device is free, pauses, or is deleted.
func (svc *Service) finish(ctx context.Context, c *claim, done []Push, last result) error {
	_, err := desk.Write(ctx, svc.desk, desk.Caller{Workspace: c.ws}, func(t *desk.Tx) (struct{}, error) {
		d := c.device
		d.Owner, d.PausedUntil = "", time.Time{}
		if last.outcome == parley.PushLater {
			d.Failures++
			d.PausedUntil = t.Now.Add(max(pauseAfter(d.Failures), last.after))
		}
		held, err := UpdateDevice(t, t.WS, &d, c.owner)
		if err != nil || !held {
			return struct{}{}, err
		}
		if last.outcome == parley.PushGone || d.Refusals >= maxRefusals {
			svc.base.Log.Info("push: device deleted", "device", d.ID, "host", c.host(), "status", last.status)
			return struct{}{}, DeleteDevice(t, t.WS, d.ID)
		}
		for _, p := range done {
			if err := DeletePush(t, t.WS, d.ID, p); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	})
	return err
}
