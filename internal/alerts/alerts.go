// Package alerts mails members what happened to their accounts: another password or second
// factor, new recovery codes, and a sign-in from a browser that never signed in to the account
// before. Whoever did not do that themselves can act on it (ADR 119).
//
// An alert is queued in the transaction of what it tells, by the entry of the audit log that
// is written there: what is undone is not told, and what is told happened. Nobody can stop
// these mails. A mail has no secret, and no link that does anything by itself.
//
// It stands over the desk, and may import the vocabulary, the store, the desk, the words of
// the audit log, calendar, mail, the preferences of notices, and words.
package alerts

import (
	"slices"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/calendar"
	"parley/internal/desk"
	"parley/internal/mail"
	"parley/internal/notices"
	"parley/internal/words"
)

const (
	// window is the time in which a member gets at most a few alerts of a kind, so that a
	// flood of sign-ins is none of mails. What they would tell is in the audit log.
	window = 24 * time.Hour
	// maxBrowsers is the most alerts about unknown browsers, and maxOthers of each other kind.
	maxBrowsers, maxOthers = 3, 10
)

// A Service queues alerts. A nil Service queues none.
type Service struct {
	mail      *mail.Service
	publicURL string // the origin under which the server is reached
}

// New returns a Service.
func New(m *mail.Service, publicURL string) *Service { return &Service{m, publicURL} }

// Tell queues the alert about an entry of the audit log in the entry's transaction, if it has
// one. A member who is gone, and one whose address gets no mail, are no error.
func (svc *Service) Tell(t *desk.Tx, e *entry.Entry) error {
	text, ok := kindOf(e)
	if svc == nil || !ok || !svc.mail.On() || e.SubjectType != entry.SubjectMember {
		return nil
	}
	m, err := t.Member(t.WS, parley.UserID(e.SubjectID))
	if parley.KindOf(err) == parley.NotFound || err == nil && !parley.ValidEmail(m.Email) {
		return nil
	}
	if err != nil {
		return err
	}
	most, like := maxOthers, "%"
	if e.Action == entry.SignedIn {
		most, like = maxBrowsers, `%"`+entry.BrowserField+`"%`
	}
	recent, err := selectRecent(t, t.WS, recentEntries{action: e.Action, member: m.ID, like: like, since: t.Now.Add(-window), limit: most + 1})
	if err != nil || recent > most { // the entry itself is one of them
		return err
	}
	content, err := svc.content(t, e, &m, text)
	if err != nil {
		return err
	}
	_, err = svc.mail.Queue(t, mail.Draft{Kind: parley.MailAccount, To: m.Email, Member: m.ID, Content: content})
	return err
}

// kindOf returns what an entry is for its member; false if that is not told.
func kindOf(e *entry.Entry) (func(*catalogue) string, bool) {
	switch e.Action {
	case entry.PasswordChanged, entry.PasswordReset:
		return func(c *catalogue) string { return c.password }, true
	case entry.FactorSet:
		return func(c *catalogue) string { return c.factorSet }, true
	case entry.FactorTurnedOff, entry.FactorReset:
		return func(c *catalogue) string { return c.factorGone }, true
	case entry.CodesRenewed:
		return func(c *catalogue) string { return c.codes }, true
	case entry.SignedIn:
		return func(c *catalogue) string { return c.browser }, slices.ContainsFunc(e.Changes, func(ch entry.Change) bool { return ch.Field == entry.BrowserField })
	default:
		return nil, false
	}
}

// content is what the mail says: what, when, with what and from where, or who, and what to do.
func (svc *Service) content(t *desk.Tx, e *entry.Entry, m *parley.Member, text func(*catalogue) string) (mail.Content, error) {
	w, err := t.Workspace(t.WS)
	if err != nil {
		return mail.Content{}, err
	}
	p, err := notices.PreferencesOf(t, t.WS, m.ID)
	if err != nil {
		return mail.Content{}, err
	}
	c := in(p.Language)
	by, err := actorOf(t, e, c)
	if err != nil {
		return mail.Content{}, err
	}
	what := words.Fill(text(c), "workspace", mail.Name(w.Name))
	facts := words.Fill(c.when, "time", timeIn(p.Zone, e.At))
	end := c.notYou
	if by != "" {
		facts, end = facts+"\n"+words.Fill(c.who, "name", by), c.notExpected
	} else {
		facts += "\n" + words.Fill(c.with, "device", c.device(e.UserAgent)) + "\n" + words.Fill(c.from, "address", addressOf(e, c))
	}
	return mail.Content{
		Language: c.language, Subject: what, Paragraphs: []string{what + ".", facts}, Action: c.action,
		Link: svc.publicURL + "/settings/profile", After: []string{c.you, end, c.why},
	}, nil
}

// actorOf returns the name of who else did it, "" if it was the member.
func actorOf(t *desk.Tx, e *entry.Entry, c *catalogue) (string, error) {
	if e.ActorID == e.SubjectID {
		return "", nil
	}
	if e.ActorType != entry.Member {
		return c.operator, nil
	}
	m, err := t.Member(t.WS, parley.UserID(e.ActorID))
	if parley.KindOf(err) == parley.NotFound {
		return c.operator, nil
	}
	return mail.Name(m.Name), err
}

func addressOf(e *entry.Entry, c *catalogue) string {
	if e.Address == "" {
		return c.unknown
	}
	return e.Address
}

// timeIn returns a time in a zone, and in UTC, which everybody can compare with a log.
func timeIn(name string, at time.Time) string {
	zone, err := calendar.Zone(name)
	if err != nil || name == "" || zone == time.UTC || zone.String() == "UTC" {
		return mail.Time(at)
	}
	return at.In(zone).Format("2006-01-02 15:04") + " (" + zone.String() + "), " + mail.Time(at)
}
