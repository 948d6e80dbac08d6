// Package mail sends the server's mails: invitations, links for new passwords, and what
// members and customers have missed.
//
// A verb queues a mail in its own transaction ([Service.Queue]), as a row and a timer.
// The run of the timer hands it to the operator's mail server, and stores what became of
// it. The rule is "never twice knowingly": before the first byte of its contents leaves,
// the row says that the mail is being sent, so that a process which dies leaves a mail
// whose end is unknown, never one that seems to wait. Such a mail is sent again after a
// pause, with the same Message-ID, and after two such ends it stays unknown until a
// member decides. A mail that must not arrive twice is not sent again at all.
//
// Address and contents are sealed by the vault, and deleted when they are not needed any
// more. What remains are ids, states and a keyed hash of the address.
//
// The package stands over the desk. It may import the vocabulary, the store, the desk,
// timers, the vault, words, and the client of mail servers.
package mail

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/mail/smtp"
	"parley/internal/store"
	"parley/internal/words"
)

// Timer is the kind of a mail's timer. The store keeps the name.
const Timer = "mail"

// Options configure a Service.
type Options struct {
	Desk   *desk.Desk
	Client *smtp.Client // nil: mail is off
	From   mail.Address
	// PublicURL is the origin under which the server is reached.
	PublicURL string
}

// A Service has the verbs of mail. Its methods may be called by many goroutines.
type Service struct {
	desk      *desk.Desk
	base      desk.Base
	client    *smtp.Client
	from      mail.Address
	publicURL string
	host      string
	rest      breaker
}

// New returns a Service over a desk.
func New(o Options) *Service {
	svc := &Service{desk: o.Desk, base: o.Desk.Base(), client: o.Client, from: o.From, publicURL: o.PublicURL}
	if u, err := url.Parse(o.PublicURL); err == nil {
		svc.host = cmp.Or(u.Hostname(), "localhost")
	}
	return svc
}

// On reports whether mails can be sent.
func (svc *Service) On() bool { return svc.client != nil }

// From returns the sender as mails show it; "" if mail is off.
func (svc *Service) From() string {
	if !svc.On() {
		return ""
	}
	return strings.TrimSpace(svc.from.Name + " <" + svc.from.Address + ">")
}

// errNoServer is the refusal of a mail that somebody sends by hand, without a mail server.
func errNoServer() *parley.Error {
	return parley.Errorf(parley.Conflict, "this server sends no mail")
}

// errOff is the refusal of a mail that belongs to something else, without a mail server.
func errOff() *parley.Error {
	return parley.FieldErrorf(parley.Conflict, "mail", "must not be set, because this server sends no mail")
}

// A Draft is a mail that is to be sent.
type Draft struct {
	Kind parley.MailKind
	To   string // an address of [parley.ValidEmail]
	// Subject names what the mail is about, such as "reset usr_1"; a mail about the same
	// that still waits is replaced. "" replaces none. It contains no address.
	Subject string
	// Whom and what it is about, as far as it is known. If one of them is gone when the
	// mail is due, the mail is not sent.
	Member       parley.UserID
	Contact      parley.ID
	Conversation parley.ID
	Invitation   parley.ID
	// Once says that the mail is not sent again if its end is unknown.
	Once    bool
	ReplyTo string // "" for the sender
	Content Content
}

// sealedMail is a mail as it is sealed: the names are those in the store.
type sealedMail struct {
	To      string `json:"to"`
	Content []byte `json:"content"`
}

// Queue inserts a mail in a verb's transaction. It returns the zero ID if the address
// gets no mails of this kind, which is no error. Without a mail server the error is
// a Conflict.
func (svc *Service) Queue(t *desk.Tx, d Draft) (parley.ID, error) {
	if !svc.On() {
		return parley.ID{}, errOff()
	}
	if !parley.ValidEmail(d.To) || d.ReplyTo != "" && !parley.ValidEmail(d.ReplyTo) {
		return parley.ID{}, parley.InvalidField("email", parley.EmailRule)
	}
	key, err := svc.key(t)
	if err != nil {
		return parley.ID{}, err
	}
	m := row{
		Mail: parley.Mail{
			ID: t.IDs.New(t.Now), Kind: d.Kind, State: parley.MailWaiting, MemberID: d.Member, ContactID: d.Contact,
			ConversationID: d.Conversation, InvitationID: d.Invitation, CreatedAt: t.Now,
		},
		subjectKey: d.Subject, toKey: key.of(d.To), once: d.Once, queuedAt: t.Now,
	}
	l := Letter{Content: d.Content, ID: m.ID, From: svc.from, ReplyTo: d.ReplyTo, To: d.To, At: t.Now, Host: svc.host}
	if d.Kind.Stoppable() {
		reason, err := selectStopped(t, t.WS, m.toKey)
		if err != nil || reason != "" {
			return parley.ID{}, err
		}
		l.StopLink = svc.publicURL + stopPath + key.token(t.WS, m.toKey)
	}
	if err := svc.supersede(t, d.Subject); err != nil {
		return m.ID, err
	}
	w, err := t.Workspace(t.WS)
	if err != nil {
		return m.ID, err
	}
	m.epoch = w.Epoch
	plain, err := json.Marshal(sealedMail{To: d.To, Content: Render(l)})
	if err != nil {
		return m.ID, err
	}
	if m.sealed, err = svc.base.Vault.Seal(plain, t.WS.String(), record(m.ID)); err != nil {
		return m.ID, err
	}
	return m.ID, errors.Join(insertMail(t, t.WS, &m), desk.SetTimer(t, t.WS, Timer, m.ID.String(), t.Now))
}

// record is what the contents of a mail are bound to in the vault.
func record(id parley.ID) string { return "mail " + id.String() }

// supersede ends a mail about a subject that waits.
func (svc *Service) supersede(t *desk.Tx, subject string) error {
	if subject == "" {
		return nil
	}
	waiting, err := selectWaiting(t, t.WS, subject)
	for i := range waiting {
		m := &waiting[i]
		m.end(parley.MailSuperseded, t.Now, "")
		err = errors.Join(err, updateMail(t, t.WS, m), desk.DeleteTimer(t, t.WS, Timer, m.ID.String()))
	}
	return err
}

// end ends a mail. One that may have arrived before stays unknown: nobody can say that
// it was refused or replaced.
func (m *row) end(state parley.MailState, at time.Time, problem string) {
	if m.unknowns > 0 && state != parley.MailSent {
		state = parley.MailUnknown
	}
	m.State, m.EndedAt = state, at
	if problem != "" || state == parley.MailSent {
		m.Problem = problem
	}
	if state == parley.MailSent || state == parley.MailSuperseded {
		m.sealed = []byte{}
	}
}

// Mails returns a page of the mails in a state, or of all if it is "", newest first.
func (svc *Service) Mails(ws parley.WorkspaceID, state parley.MailState, after parley.Position, limit int) desk.Read[parley.Page[parley.Mail]] {
	return desk.View(svc.desk, func(v *store.View) (parley.Page[parley.Mail], error) { return SelectMails(v, ws, state, after, limit) })
}

// Resend sends a mail again that has ended without being sent, or may not have been. Whoever
// calls it accepts that it may arrive twice.
func (svc *Service) Resend(ctx context.Context, by desk.Caller, id parley.ID) (parley.Mail, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Mail, error) {
		if !svc.On() {
			return parley.Mail{}, errNoServer()
		}
		if _, err := t.Actor(by); err != nil {
			return parley.Mail{}, err
		}
		m, err := selectRow(t, t.WS, id)
		if err != nil {
			return m.Mail, err
		}
		if !m.Resendable {
			return m.Mail, parley.Errorf(parley.Conflict, "the mail has not failed, or its contents were deleted")
		}
		if err := svc.supersede(t, m.subjectKey); err != nil {
			return m.Mail, err
		}
		w, err := t.Workspace(t.WS)
		if err != nil {
			return m.Mail, err
		}
		m.State, m.epoch, m.queuedAt, m.EndedAt, m.Problem, m.Resendable = parley.MailWaiting, w.Epoch, t.Now, time.Time{}, "", false
		m.Attempts, m.unknowns = 0, 0
		return m.Mail, errors.Join(updateMail(t, t.WS, &m), desk.SetTimer(t, t.WS, Timer, m.ID.String(), t.Now))
	})
}

// Expire deletes the contents of mails that ended, later the mails, and ends those that no
// node sends.
func Expire(t *desk.Tx) error {
	return errors.Join(
		deleteEndedMails(t, t.WS, t.Now.Add(-parley.MailRetention)),
		emptyEndedMails(t, t.WS, t.Now.Add(-parley.MailContents)),
		failForgottenMails(t, t.WS, t.Now.Add(-parley.MailPatience-longestPause-time.Hour), t.Now, "no server that sends mail has run"),
	)
}

// Test returns the mail that tests the mail server.
func Test(workspace, language string) Content {
	c := words.In(language)
	return Content{
		Language: c.Language, Subject: words.Fill(c.TestSubject, "workspace", workspace), Paragraphs: []string{words.Fill(c.TestText, "workspace", workspace)},
	}
}

// Counts returns how many mails of all workspaces are in each state.
func (svc *Service) Counts() desk.Read[[]StateCount] {
	return desk.View(svc.desk, func(v *store.View) ([]StateCount, error) { return SelectStatesAcross(v) })
}
