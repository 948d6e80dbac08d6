package mail

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/mail/smtp"
	"parley/internal/store"
	"parley/internal/timer"
	"parley/internal/tracing"
)

const (
	// lease is how long a run holds a mail. The exchange ends before, in at most 80 seconds.
	lease = 90 * time.Second
	// unknownPause is how long a mail waits whose end is unknown, and maxUnknowns how
	// often that may happen before a member has to decide.
	unknownPause = 10 * time.Minute
	maxUnknowns  = 2
	longestPause = 4 * time.Hour
	// restAfter is how many runs in a row may find no mail server before all mails rest.
	restAfter = 3
	restTime  = time.Minute
	// stopTime is how long a server that stops waits for the answer to a mail.
	stopTime = 3 * time.Second
)

// pauses are those after the first failures; later ones are longestPause.
var pauses = []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

func pauseAfter(attempts int) time.Duration {
	if attempts >= 1 && attempts <= len(pauses) {
		return pauses[attempts-1]
	}
	return longestPause
}

// Kinds returns the kind of timer that sends mails; none if mail is off, so that mails
// wait for a node that sends them.
func (svc *Service) Kinds() []timer.Kind {
	if !svc.On() {
		return nil
	}
	return []timer.Kind{{Name: Timer, Run: svc.run, Lease: lease, Farthest: longestPause}}
}

// A breaker rests all mails of a process while the mail server does not answer.
type breaker struct {
	mu     sync.Mutex
	failed int
	until  time.Time
}

// wait returns how long a mail must rest; zero lets it try. While the server does not
// answer, one mail a minute may.
func (b *breaker) wait(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed < restAfter {
		return 0
	}
	if rest := b.until.Sub(now); rest > 0 && rest <= restTime {
		return rest
	}
	b.until = now.Add(restTime)
	return 0
}

func (b *breaker) report(connected bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if connected {
		b.failed = 0
		return
	}
	if b.failed++; b.failed >= restAfter {
		b.until = now.Add(restTime)
	}
}

// errLost says that a run does not hold its mail any more: it was replaced, or another run
// took it over.
var errLost = errors.New("the mail is not this run's any more")

// run hands over a mail, and returns what became of it.
func (svc *Service) run(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) (timer.Finish, error) {
	if rest := svc.rest.wait(svc.base.Clock.Now()); rest > 0 {
		return func(t *desk.Tx) (time.Time, error) { return t.Now.Add(rest), nil }, nil
	}
	id, _ := parley.ParseID(due.Name) // as Queue wrote it
	m, over, err := svc.due(ctx, ws, id)
	if err != nil {
		return nil, err
	}
	if over != nil {
		return svc.finish(id, over), nil
	}
	plain, err := svc.base.Vault.Open(m.sealed, ws.String(), record(id))
	var letter sealedMail
	if err == nil {
		err = json.Unmarshal(plain, &letter)
	}
	if err != nil {
		return nil, err
	}
	sending, cancel := timer.Graceful(ctx, stopTime)
	defer cancel()
	sending, span := tracing.Start(sending, "mail.send")
	err = svc.client.Send(sending, smtp.Mail{From: svc.from.Address, To: letter.To, Content: letter.Content, Ready: func(context.Context) error {
		return svc.begin(ctx, ws, due, id) // not once the server stops
	}})
	span.End(err)
	var failure *smtp.Error
	if err != nil && !errors.As(err, &failure) {
		return nil, err
	}
	svc.rest.report(failure == nil || failure.Connected, svc.base.Clock.Now())
	done := svc.finish(id, func(t *desk.Tx, m *row) (time.Time, error) { return outcome(t, m, failure) })
	if ctx.Err() != nil {
		return done, svc.settle(context.WithoutCancel(ctx), ws, due, done)
	}
	return done, nil
}

// settle stores the outcome of a run while the server stops, when the timers' Runner stores
// nothing any more.
func (svc *Service) settle(ctx context.Context, ws parley.WorkspaceID, due desk.Timer, done timer.Finish) error {
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	_, err := desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) {
		if err := holds(t, due); err != nil {
			return struct{}{}, err
		}
		next, err := done(t)
		if err != nil || next.IsZero() {
			return struct{}{}, errors.Join(err, desk.DeleteTimer(t, ws, Timer, due.Name))
		}
		return struct{}{}, desk.SetTimer(t, ws, Timer, due.Name, next)
	})
	return err
}

// holds returns errLost unless a run still holds its timer.
func holds(t *desk.Tx, due desk.Timer) error {
	held, err := desk.SelectTimer(t, t.WS, Timer, due.Name)
	if parley.KindOf(err) == parley.NotFound || err == nil && (held.Owner != due.Owner || !held.DueAt.Equal(due.DueAt)) {
		return errLost
	}
	return err
}

// An effect changes a mail and returns when it is due again; zero for never.
type effect func(t *desk.Tx, m *row) (time.Time, error)

// ends returns an effect that ends a mail.
func ends(state parley.MailState, problem string) effect {
	return func(t *desk.Tx, m *row) (time.Time, error) {
		m.end(state, t.Now, problem)
		return time.Time{}, nil
	}
}

// due returns a mail that is to be sent, or an effect if it is not: it has ended, nobody
// needs it any more, or an earlier run may have sent it.
func (svc *Service) due(ctx context.Context, ws parley.WorkspaceID, id parley.ID) (row, effect, error) {
	type found struct {
		mail     row
		epoch    string
		unneeded bool
	}
	now := svc.base.Clock.Now()
	f, err := desk.Snapshot(svc.desk, func(v *store.View) (f found, err error) {
		if f.mail, err = selectRow(v, ws, id); err != nil {
			return f, err
		}
		if f.unneeded, err = selectUnneeded(v, ws, id, now); err != nil {
			return f, err
		}
		w, err := v.Workspace(ws)
		f.epoch = w.Epoch
		return f, err
	}).Now(ctx)
	none := func(*desk.Tx, *row) (time.Time, error) { return time.Time{}, nil }
	switch {
	case parley.KindOf(err) == parley.NotFound: // deleted with its contact
		return f.mail, none, nil
	case err != nil:
		return f.mail, nil, err
	case f.mail.State != parley.MailWaiting && f.mail.State != parley.MailSending:
		return f.mail, none, nil
	case f.mail.epoch != f.epoch:
		return f.mail, ends(parley.MailUnknown, "restored from a backup, after which it may have been sent"), nil
	case f.mail.State == parley.MailSending:
		return f.mail, func(t *desk.Tx, m *row) (time.Time, error) {
			return unknown(t, m, "the server stopped while it sent the mail")
		}, nil
	case f.unneeded:
		return f.mail, ends(parley.MailSuperseded, ""), nil
	default:
		return f.mail, nil, nil
	}
}

// begin stores that a mail's contents are about to be handed over, if this run still
// holds it.
func (svc *Service) begin(ctx context.Context, ws parley.WorkspaceID, due desk.Timer, id parley.ID) error {
	_, err := desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) {
		if err := holds(t, due); err != nil {
			return struct{}{}, err
		}
		m, err := selectRow(t, ws, id)
		if err != nil {
			return struct{}{}, err
		}
		unneeded, err := selectUnneeded(t, ws, id, t.Now)
		if err != nil {
			return struct{}{}, err
		}
		if m.State != parley.MailWaiting || unneeded {
			return struct{}{}, errLost
		}
		m.State = parley.MailSending
		return struct{}{}, updateMail(t, ws, &m)
	})
	return err
}

// finish stores an effect on a mail. If the mail is gone, its timer goes too.
func (svc *Service) finish(id parley.ID, do effect) timer.Finish {
	return func(t *desk.Tx) (time.Time, error) {
		m, err := selectRow(t, t.WS, id)
		if parley.KindOf(err) == parley.NotFound {
			return time.Time{}, nil
		}
		if err != nil {
			return time.Time{}, err
		}
		next, err := do(t, &m)
		if err != nil {
			return next, err
		}
		return next, updateMail(t, t.WS, &m)
	}
}

// outcome stores what became of a mail that was to be handed over.
func outcome(t *desk.Tx, m *row, failure *smtp.Error) (time.Time, error) {
	m.Attempts++
	switch {
	case failure == nil:
		return ends(parley.MailSent, "")(t, m)
	case failure.End == smtp.Unknown:
		return unknown(t, m, failure.Problem)
	case failure.End == smtp.NoMailbox:
		if err := insertStop(t, t.WS, m.toKey, stopBounced, t.Now); err != nil {
			return time.Time{}, err
		}
		return ends(parley.MailFailed, failure.Problem)(t, m)
	case failure.End == smtp.Refused:
		return ends(parley.MailFailed, failure.Problem)(t, m)
	}
	next := t.Now.Add(pauseAfter(m.Attempts))
	if next.After(m.queuedAt.Add(parley.MailPatience)) {
		return ends(parley.MailFailed, failure.Problem)(t, m)
	}
	return wait(t, m, failure.Problem, next)
}

// unknown stores that nobody knows whether a mail was sent.
func unknown(t *desk.Tx, m *row, problem string) (time.Time, error) {
	m.unknowns++
	if m.once || m.unknowns > maxUnknowns {
		return ends(parley.MailUnknown, problem)(t, m)
	}
	return wait(t, m, problem, t.Now.Add(unknownPause))
}

// wait makes a mail wait again, unless a later one about the same took its place while it
// was being sent.
func wait(t *desk.Tx, m *row, problem string, next time.Time) (time.Time, error) {
	if m.State != parley.MailWaiting && m.subjectKey != "" {
		waiting, err := selectWaiting(t, t.WS, m.subjectKey)
		if err != nil {
			return time.Time{}, err
		}
		if len(waiting) > 0 {
			return ends(parley.MailSuperseded, problem)(t, m)
		}
	}
	m.State, m.Problem = parley.MailWaiting, problem
	return next, nil
}
