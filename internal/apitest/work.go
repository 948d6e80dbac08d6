package apitest

import (
	"context"
	netmail "net/mail"
	"slices"
	"sync/atomic"

	"parley"
	"parley/internal/alerts"
	"parley/internal/bulk"
	"parley/internal/dashboard"
	"parley/internal/digest"
	"parley/internal/drafts"
	"parley/internal/later"
	"parley/internal/macros"
	"parley/internal/mail"
	"parley/internal/mail/mailsim"
	"parley/internal/mail/smtp"
	"parley/internal/notices"
	"parley/internal/push"
	"parley/internal/snooze"
	"parley/internal/surface"
	"parley/internal/teams"
	"parley/internal/threads"
	"parley/internal/timer"
	"parley/internal/views"
	"parley/internal/visitors"
)

// A Work has the services for how members share and order their work. The dashboard
// uses them, too.
type Work struct {
	dashboard.Work
	Mailbox *mailsim.Server // takes all mails
	Refuses atomic.Bool     // whether it refuses them
	alerts  *alerts.Service
}

func (w *World) openWork(o Options) {
	var err error
	if w.Work.Mailbox, err = mailsim.Start("127.0.0.1:0", mailsim.Options{Fault: w.Work.fault}); err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { _ = w.Work.Mailbox.Close() })
	server, err := smtp.Parse("smtp://" + w.Work.Mailbox.Addr() + "?tls=off")
	if err != nil {
		w.T.Fatal(err)
	}
	w.Work.Bulk = bulk.New(w.Desk, surface.ViewFilter)
	w.Work.Drafts = drafts.New(w.Desk)
	w.Work.Later = later.New(w.Desk)
	w.Work.Macros = macros.New(w.Desk)
	w.Work.Push = push.New(push.Options{Desk: w.Desk, Off: o.NoPush, Network: o.Push, Contact: "https://support.example"})
	w.Work.Teams = teams.New(w.Desk)
	w.Work.Threads = threads.New(w.Desk)
	w.Work.Views = views.New(w.Desk)
	w.Work.Visitors = visitors.New(w.Desk, w.Customers)
	options := mail.Options{
		Desk: w.Desk, Client: &smtp.Client{Server: server, Local: "support.example"},
		From: netmail.Address{Name: "Acme", Address: "support@acme.example"}, PublicURL: "https://support.example",
	}
	if o.NoMail {
		options.Client = nil
	}
	w.Work.Mail = mail.New(options)
	w.Work.alerts = alerts.New(w.Work.Mail, options.PublicURL)
	w.Work.Digest = digest.New(digest.Options{Desk: w.Desk, Mail: w.Work.Mail, PublicURL: options.PublicURL})
	w.Work.Notices = notices.New(notices.Options{Desk: w.Desk, Told: []notices.Told{w.Work.Push.Told, w.Work.Digest.Told}, Tell: func(ctx context.Context, ws parley.WorkspaceID, member parley.UserID) {
		w.hub.Signal(ctx, ws, dashboard.NoticeSignal(member))
	}})
}

func (w *Work) fault() mailsim.Fault {
	if w.Refuses.Load() {
		return mailsim.Fault{At: mailsim.End, Do: mailsim.Refuse}
	}
	return mailsim.Fault{}
}

// kinds are the timers of these services.
func (w *World) kinds() []timer.Kind {
	return slices.Concat(w.Work.Mail.Kinds(), w.Work.Digest.Kinds(), snooze.Kinds(), later.Kinds(), teams.Kinds(), w.Work.Bulk.Kinds(dashboard.TellBulk(w.hub)))
}
