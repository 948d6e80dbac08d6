package main

import (
	"context"
	"slices"
	"strings"

	"parley"
	"parley/internal/alerts"
	"parley/internal/bulk"
	"parley/internal/continuing"
	"parley/internal/dashboard"
	"parley/internal/digest"
	"parley/internal/drafts"
	"parley/internal/httpjson"
	"parley/internal/later"
	"parley/internal/live"
	"parley/internal/macros"
	"parley/internal/mail"
	"parley/internal/notices"
	"parley/internal/outward"
	"parley/internal/push"
	"parley/internal/snooze"
	"parley/internal/surface"
	"parley/internal/teams"
	"parley/internal/threads"
	"parley/internal/timer"
	"parley/internal/views"
	"parley/internal/visitors"
)

// A work has the services for how members share and order their work. The dashboard
// uses them, too.
type work struct {
	dashboard.Work
	hub        *live.Hub // of the streams, which it tells of notices and bulk jobs
	continuing *continuing.Service
	mailbox    *mailServer // of a demo; nil if there is none
	shown      byPrefix    // its pages
}

func newWork(a *app, o programOptions) (w work, err error) {
	if w.mailbox, w.shown, err = openMailbox(a, &o); err != nil {
		return w, err
	}
	w.hub = newHub(a, o)
	w.Work = dashboard.Work{
		Bulk:     bulk.New(a.desk, surface.ViewFilter),
		Drafts:   drafts.New(a.desk),
		Macros:   macros.New(a.desk),
		Teams:    teams.New(a.desk),
		Threads:  threads.New(a.desk),
		Views:    views.New(a.desk),
		Visitors: visitors.New(a.desk, a.customers),
		Later:    later.New(a.desk),
		Mail:     mail.New(mail.Options{Desk: a.desk, Client: o.mail.client(o.publicURL), From: o.mail.from, PublicURL: o.publicURL}),
	}
	if !o.demo {
		a.alerts = alerts.New(w.Mail, o.publicURL)
	}
	w.Push = push.New(push.Options{Desk: a.desk, Off: !o.push, Network: outward.Options{Allowed: o.allowed}, Contact: contactOf(o)})
	w.Digest = digest.New(digest.Options{Desk: a.desk, Mail: w.Mail, PublicURL: o.publicURL})
	w.Notices = notices.New(notices.Options{Desk: a.desk, Tell: tell(w.hub), Told: []notices.Told{w.Push.Told, w.Digest.Told}})
	w.continuing = continuing.New(continuing.Options{Desk: a.desk, Mail: w.Mail, PublicURL: o.publicURL})
	return w, nil
}

// kinds are the timers of these services.
func (w work) kinds() []timer.Kind {
	return slices.Concat(w.Mail.Kinds(), w.continuing.Kinds(), w.Digest.Kinds(), snooze.Kinds(), later.Kinds(), teams.Kinds(), w.Bulk.Kinds(dashboard.TellBulk(w.hub)))
}

// tasks are what runs in the background, such as followers of the log.
func (w work) tasks() []func(context.Context) {
	tasks := []func(context.Context){w.continuing.Run, w.Notices.Run, w.Push.Run}
	if w.mailbox == nil {
		return tasks
	}
	return append(tasks, func(ctx context.Context) {
		<-ctx.Done()
		_ = w.mailbox.Close()
	})
}

// contactOf returns how operators of push services reach this server's: by its address,
// or by that of its mails.
func contactOf(o programOptions) string {
	switch {
	case strings.HasPrefix(o.publicURL, "https://"):
		return o.publicURL
	case o.mail.from.Address != "":
		return "mailto:" + o.mail.from.Address
	}
	return ""
}

// tell returns what tells the pages of a member that there are other notices.
func tell(hub *live.Hub) func(context.Context, parley.WorkspaceID, parley.UserID) {
	return func(ctx context.Context, ws parley.WorkspaceID, member parley.UserID) {
		hub.Signal(ctx, ws, dashboard.NoticeSignal(member))
	}
}

// pages are those that are open to everybody.
func (w work) pages(open *httpjson.AddressLimiter, o programOptions) byPrefix {
	return append(w.shown, byPrefix{
		{"/m/stop", open.Wrap(httpjson.CleanPaths(w.Mail.Pages(o.log)))},
		{"/c", open.Wrap(httpjson.CleanPaths(w.continuing.Pages(o.log)))},
	}...)
}
