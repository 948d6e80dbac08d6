package continuing

import (
	"bytes"
	"time"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/mail"
	"parley/internal/visitors"
)

const (
	// quiet is the least time between two mails to a customer who has not been back.
	quiet = 24 * time.Hour
	// patience is how old a message may be that is mailed, such as after an outage.
	patience = 72 * time.Hour
	// ceiling is how many times as long as usual a mail waits for a team that goes on
	// writing.
	ceiling = 3
	// told is the most messages in a mail.
	told = 10
	// typedHourly is the most mails of an inbox in an hour to addresses that were only
	// typed; typedPause is how long others wait.
	typedHourly = 30
	typedPause  = 10 * time.Minute
)

// missedAfter returns the message after which the customer has missed something.
func (p *place) missedAfter(now time.Time) parley.ID {
	last := parley.FirstID(now.Add(-patience))
	for _, id := range []parley.ID{p.seen, p.written, p.mailed} {
		if later(id, last) {
			last = id
		}
	}
	return last
}

// later reports whether a message is after another one.
func later(a, b parley.ID) bool { return bytes.Compare(a[:], b[:]) > 0 }

// back reports whether the customer has been there since the last mail.
func (p *place) back() bool { return !later(p.mailed, p.seen) || later(p.written, p.mailed) }

// ready returns when the team has been quiet for long enough.
func (p *place) ready(first, last *parley.Message) time.Time {
	ready, latest := last.CreatedAt.Add(p.after), first.CreatedAt.Add(ceiling*p.after)
	if latest.Before(ready) {
		return latest
	}
	return ready
}

// do mails what the customer of a conversation has missed, if anything, and returns when to
// look again.
func (svc *Service) do(t *desk.Tx, due desk.Timer) (time.Time, error) {
	id, epoch := readTimerName(due.Name)
	w, err := t.Workspace(t.WS)
	if err != nil || w.Epoch != epoch {
		return time.Time{}, err
	}
	p, err := selectPlace(t, t.Visibility, id)
	if parley.KindOf(err) == parley.NotFound { // erased
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	if !p.merged.IsZero() {
		return time.Time{}, desk.AdvanceTimer(t, t.WS, Timer, timerName(p.merged, epoch), t.Now)
	}
	if p.spam || p.after == 0 || p.channel != parley.ChannelWeb {
		return time.Time{}, nil
	}
	to, err := recipientOf(t, p.contact)
	if err != nil || to.address == "" {
		return time.Time{}, err
	}
	a := absence{conversation: id, after: p.missedAfter(t.Now), membersOnly: to.typed()}
	messages, err := selectMissed(t, t.Visibility, a, told+1)
	if err != nil || len(messages) == 0 {
		return time.Time{}, err
	}
	last, err := selectLastMissed(t, t.Visibility, a)
	if err != nil {
		return time.Time{}, err
	}
	if next := p.mailedAt.Add(quiet); !p.mailed.IsZero() && !p.back() && t.Now.Before(next) {
		return next, nil
	}
	if ready := p.ready(&messages[0], &last); t.Now.Before(ready) {
		return ready, nil
	}
	l := letter{conversation: id, company: mail.Name(w.Name), place: p, to: to, messages: messages, last: last.ID}
	if to.typed() {
		return svc.tellTyped(t, &l)
	}
	_, err = svc.tell(t, &l)
	return time.Time{}, err
}

// An absence is the time since a message, in which a customer missed others.
type absence struct {
	conversation, after parley.ID
	membersOnly         bool // counts messages of members alone
}

// A recipient is whom a conversation's mails go to.
type recipient struct {
	contact  parley.ID
	address  string    // "" if none is known
	typedAt  time.Time // when the visitor typed the address; zero for one that is confirmed
	language string    // as the website says it
}

func (r *recipient) typed() bool { return !r.typedAt.IsZero() }

// recipientOf returns the recipient of a contact. The address of a contact is confirmed: it
// comes from a signed identity, a member or a program. What a visitor typed is not.
func recipientOf(t *desk.Tx, id parley.ID) (recipient, error) {
	contact, err := desk.ContactNow(&t.View, t.WS, id)
	if err != nil {
		return recipient{}, err
	}
	visit, err := visitors.VisitOf(&t.View, t.WS, contact.ID)
	if err != nil {
		return recipient{}, err
	}
	to := recipient{contact: contact.ID, address: contact.Email, language: visit.Language}
	if to.address != "" {
		return to, nil
	}
	typed, err := customers.TypedOf(t, t.WS, contact.ID)
	to.address, to.typedAt = typed.Email, typed.UpdatedAt
	return to, err
}

// tellTyped queues the only mail to an address that a visitor typed. It returns when to try
// again, if the mail must wait.
func (svc *Service) tellTyped(t *desk.Tx, l *letter) (time.Time, error) {
	key, err := svc.mail.AddressKey(t, l.to.address)
	if err != nil {
		return time.Time{}, err
	}
	if done, err := selectTyped(t, t.WS, key); err != nil || done {
		return time.Time{}, err
	}
	switch n, err := countTyped(t, t.WS, l.place.inbox, t.Now.Add(-time.Hour), typedHourly); {
	case err != nil:
		return time.Time{}, err
	case n >= typedHourly:
		return t.Now.Add(typedPause), nil
	}
	queued, err := svc.tell(t, l)
	if err != nil || !queued {
		return time.Time{}, err
	}
	return time.Time{}, insertTyped(t, t.WS, key, l.place.inbox, t.Now)
}

// content returns what a mail says, with its link. If the inbox requires identities, the mail
// leads to the website, which has them.
func (svc *Service) content(t *desk.Tx, l *letter) (content mail.Content, err error) {
	if l.place.identity != parley.IdentityRequired {
		l.link, err = svc.newLink(t, l)
	}
	return l.content(), err
}

// tell queues a mail, and stores up to which message it tells. It reports false if the
// address gets no such mails.
func (svc *Service) tell(t *desk.Tx, l *letter) (bool, error) {
	content, err := svc.content(t, l)
	if err != nil {
		return false, err
	}
	d := mail.Draft{Kind: parley.MailMissed, To: l.to.address, Contact: l.to.contact, Conversation: l.conversation, Content: content}
	if l.to.typed() {
		d.Kind, d.Once = parley.MailConfirm, true
	}
	id, err := svc.mail.Queue(t, d)
	if err != nil || id.IsZero() {
		return false, err
	}
	return true, putContinuation(t, t.WS, continuation{conversation: l.conversation, message: l.last, mail: id, at: t.Now})
}
