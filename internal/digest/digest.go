// Package digest mails members what they were told while they were not there.
//
// A stored notice sets its member's timer, in the transaction that stores it. When the
// timer is due, a rule looks at the member as they are now: what they have chosen, whether
// they are at the page, and which notices are unread and may be seen. It waits, ends, or
// queues one mail with everything unread, and marks the notices as mailed, in one
// transaction. So each notice is mailed at most once, whichever node dies when. A
// conversation of which the member was mailed is not mailed again until they read it.
//
// The package stands over the desk, notices and mail. It may import the vocabulary, the
// store, timers and words.
package digest

import (
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/mail"
	"parley/internal/notices"
	"parley/internal/store"
	"parley/internal/timer"
)

// Timer is the kind of the members' timers, which are named by their ids. The store keeps
// the name.
const Timer = "digest"

const (
	// presence is how long a member counts as being at the page after a request. The store
	// knows it within five minutes.
	presence = 10 * time.Minute
	// patience is how long a digest waits for a member who is at the page and does not read.
	patience = 2 * time.Hour
	// oldest is how old a notice may be that is mailed, such as after a time without a mail
	// server. It is more than a weekend and a daily digest.
	oldest = 7 * 24 * time.Hour
)

// Options configure a Service.
type Options struct {
	Desk *desk.Desk
	Mail *mail.Service
	// PublicURL is the origin under which the server is reached.
	PublicURL string
}

// A Service mails members what they have not seen. Its methods may be called by many
// goroutines.
type Service struct {
	desk      *desk.Desk
	mail      *mail.Service
	publicURL string
}

// New returns a Service over a desk.
func New(o Options) *Service {
	return &Service{desk: o.Desk, mail: o.Mail, publicURL: o.PublicURL}
}

// Kinds returns the kind of timer that mails digests; none if mail is off, so that timers
// wait for a node that sends mails.
func (svc *Service) Kinds() []timer.Kind {
	if !svc.mail.On() {
		return nil
	}
	return []timer.Kind{{Name: Timer, Do: svc.do, Farthest: parley.MaxAway + 8*24*time.Hour}}
}

// Told sets the timer of a notice that was stored; see [notices.Options].
func (svc *Service) Told(t *desk.Tx, n *parley.MemberNotice) error {
	p, err := notices.PreferencesOf(t, t.WS, n.MemberID)
	if err != nil {
		return err
	}
	if due, ever := notices.When(&p, n.Kind, parley.NoticeByMail, n.UpdatedAt); ever {
		return desk.AdvanceTimer(t, t.WS, Timer, string(n.MemberID), due)
	}
	return nil
}

// Choices are what a member has chosen about notices, and whether mails reach them.
type Choices struct {
	parley.NoticePreferences
	MailWorks bool // the server sends mails
	// MailStopped says that the member's address gets no digests: by a link in one, or
	// because a mail server said that there is no such mailbox.
	MailStopped bool
}

// Choices returns what a member has chosen.
func (svc *Service) Choices(ws parley.WorkspaceID, member parley.UserID) desk.Read[Choices] {
	return desk.Snapshot(svc.desk, func(v *store.View) (Choices, error) { return svc.choices(v, ws, member) })
}

func (svc *Service) choices(v *store.View, ws parley.WorkspaceID, member parley.UserID) (c Choices, err error) {
	c.MailWorks = svc.mail.On()
	if c.NoticePreferences, err = notices.PreferencesOf(v, ws, member); err != nil {
		return c, err
	}
	m, err := v.Member(ws, member)
	if err != nil {
		return c, err
	}
	c.MailStopped, err = svc.mail.Stopped(v, ws, m.Email)
	return c, err
}

// Choose changes what the caller has chosen. resume lets mails reach the caller's address
// again.
func (svc *Service) Choose(ctx context.Context, by desk.Caller, in notices.PreferencesChange, resume bool) (Choices, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (Choices, error) {
		m, err := t.Actor(by)
		if err != nil {
			return Choices{}, err
		}
		if resume {
			if err := svc.mail.Resume(t, m.Email); err != nil {
				return Choices{}, err
			}
		}
		if _, err := notices.ChangePreferences(t, by.Member, in); err != nil {
			return Choices{}, err
		}
		// The timer finds out what holds from now on.
		if err := desk.SetTimer(t, t.WS, Timer, string(by.Member), t.Now); err != nil {
			return Choices{}, err
		}
		return svc.choices(&t.View, t.WS, by.Member)
	})
}

// do mails a member what is unread, if anything, and returns when to look again.
func (svc *Service) do(t *desk.Tx, due desk.Timer) (time.Time, error) {
	member, err := t.Member(t.WS, parley.UserID(due.Name))
	if parley.KindOf(err) == parley.NotFound { // removed
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	p, err := notices.PreferencesOf(t, t.WS, member.ID)
	if err != nil {
		return time.Time{}, err
	}
	w, err := t.Workspace(t.WS)
	if err != nil {
		return time.Time{}, err
	}
	vis, err := notices.VisibilityOf(t, &member)
	if err != nil {
		return time.Time{}, err
	}
	pending, err := SelectPending(t, vis, Wanted{Member: member.ID, Epoch: w.Epoch, Since: t.Now.Add(-oldest)})
	if err != nil {
		return time.Time{}, err
	}
	pending, first := wanted(&p, pending)
	if len(pending) == 0 {
		return time.Time{}, nil
	}
	next, err := svc.next(t, &p, first)
	if err != nil || !next.Equal(t.Now) {
		return next, err
	}
	draft := mail.Draft{Kind: parley.MailDigest, To: member.Email, Member: member.ID, Content: svc.content(&p, mail.Name(w.Name), pending)}
	if _, err := svc.mail.Queue(t, draft); err != nil { // an address that gets none is no error
		return time.Time{}, err
	}
	return time.Time{}, MarkMailed(t, t.WS, member.ID, pending, t.Now)
}

// wanted returns the notices that the member wants by mail, and when the first of them is
// due.
func wanted(p *parley.NoticePreferences, pending []Pending) (left []Pending, first time.Time) {
	for i := range pending {
		at, ever := notices.When(p, pending[i].Kind, parley.NoticeByMail, pending[i].CreatedAt)
		if !ever {
			continue
		}
		left = append(left, pending[i])
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return left, first
}

// next returns when the digest may leave whose first notice is due, zero for never: not in a
// silence that was chosen later, and not while the member is at the page.
func (svc *Service) next(t *desk.Tx, p *parley.NoticePreferences, first time.Time) (time.Time, error) {
	if first.After(t.Now) {
		return first, nil
	}
	if loud, ever := notices.Loud(p, t.Now); !ever || loud.After(t.Now) {
		return loud, nil
	}
	seen, err := SelectSeen(t, t.WS, p.MemberID)
	if back := seen.Add(presence); err == nil && t.Now.Before(back) && t.Now.Before(first.Add(patience)) {
		return back, nil
	}
	return t.Now, err
}
