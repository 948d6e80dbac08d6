package mail

import (
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/mail/smtp"
	"parley/internal/words"
)

// maxShownName is the most characters of a name in a subject.
const maxShownName = 60

// QueueLink queues the mail with the link of an invitation, or of a new password, in the
// transaction that makes it.
func (svc *Service) QueueLink(t *desk.Tx, i *parley.Invitation, token parley.Token, language string) error {
	w, err := t.Workspace(t.WS)
	if err != nil {
		return err
	}
	d := Draft{Kind: parley.MailInvitation, To: i.Email, Invitation: i.ID, Content: svc.invitation(i, w.Name, language)}
	if i.MemberID != "" {
		d.Kind, d.Member, d.Content = parley.MailReset, i.MemberID, svc.reset(i, w.Name, language)
	}
	d.Content.Link = svc.publicURL + "/invite#" + string(token)
	_, err = svc.Queue(t, d)
	return err
}

// Name returns the name of a workspace, or its like, as mails show it.
func Name(text string) string { return shortened(oneLine(text), maxShownName) }

// Beginning returns the first characters of a text on one line, as mails show it.
func Beginning(text string, characters int) string { return shortened(oneLine(text), characters) }

// Time returns a time as mails show it: every language reads it.
func Time(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

func (svc *Service) invitation(i *parley.Invitation, workspace, language string) Content {
	c, shown := words.In(language), Name(workspace)
	subject := words.Fill(c.InvitationSubjectUnnamed, "workspace", shown)
	if i.InvitedBy.Name != "" {
		subject = words.Fill(c.InvitationSubject, "name", Name(i.InvitedBy.Name), "workspace", shown)
	}
	return Content{
		Language: c.Language, Subject: subject,
		Paragraphs: []string{subject + ".", words.Fill(c.InvitationText, "workspace", shown, "date", Time(i.ExpiresAt))},
		Action:     words.Fill(c.InvitationAction, "workspace", shown), After: []string{c.InvitationEnd},
	}
}

func (svc *Service) reset(i *parley.Invitation, workspace, language string) Content {
	c, shown := words.In(language), Name(workspace)
	return Content{
		Language: c.Language, Subject: words.Fill(c.ResetSubject, "workspace", shown),
		Paragraphs: []string{words.Fill(c.ResetText, "workspace", shown, "date", Time(i.ExpiresAt))},
		Action:     c.ResetAction, After: []string{c.ResetEnd},
	}
}

// A Trial is what became of a mail that tests the mail server.
type Trial struct {
	Sent  bool
	Steps []string // of the exchange, without the password
}

// trialTime is how long a test may take. Requests of the dashboard may take 70 seconds.
const trialTime = 40 * time.Second

// Try sends a mail at once to the member who asks, and returns the steps of the exchange. Without
// a mail server the error is a Conflict.
func (svc *Service) Try(ctx context.Context, by desk.Caller, language string) (Trial, error) {
	if !svc.On() {
		return Trial{}, errNoServer()
	}
	return desk.Guard(ctx, svc.desk, by, func() (Trial, error) {
		type asked struct {
			member    parley.Member
			workspace parley.Workspace
		}
		a, err := desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (a asked, err error) {
			if a.member, err = t.Actor(by); err == nil {
				a.workspace, err = t.Workspace(t.WS)
			}
			return a, err
		})
		if err != nil {
			return Trial{}, err
		}
		var trial Trial
		client := *svc.client
		client.Trace = func(step string) { trial.Steps = append(trial.Steps, step) }
		limited, cancel := context.WithTimeout(ctx, trialTime)
		defer cancel()
		now := svc.base.Clock.Now()
		err = client.Send(limited, smtp.Mail{From: svc.from.Address, To: a.member.Email, Content: Render(Letter{
			Content: Test(Name(a.workspace.Name), language), ID: svc.base.IDs.New(now), From: svc.from, To: a.member.Email, At: now, Host: svc.host,
		})})
		trial.Sent = err == nil
		return trial, nil
	})
}
