package dashboard

import (
	"context"
	"net/http"
	"slices"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/mail"
	"parley/internal/wire"
	"parley/internal/words"
)

func mailRoutes() []Route {
	return []Route{
		{"listMails", methodGet, base + "mails", parley.Admin, false, listMails},
		{"resendMail", methodPost, base + "mails/{id}/again", parley.Admin, false, resendMail},
		{"testMail", methodPost, base + "mails/test", parley.Owner, false, testMail},
		{"forgotPassword", methodPost, base + "password/forgot", "", true, forgotPassword},
	}
}

// preferred returns the language of a mail that the caller causes: the one of the caller's
// pages.
func (c *call) preferred() string {
	if chosen, err := c.Request().Cookie(languageCookie); err == nil && slices.Contains(words.Languages, chosen.Value) {
		return chosen.Value
	}
	return words.Choose(c.Request().Header.Get("Accept-Language"))
}

func listMails(d *Dashboard, c *call) (httpjson.Reply, error) {
	limit := c.QueryInt("limit", parley.DefaultLimit, 1, parley.MaxLimit)
	state := httpjson.QueryOneOf(c.Reader, "state", parley.MailStates)
	list := httpjson.List{Workspace: c.ws(), Name: "mails " + string(state)}
	after := c.QueryCursor("cursor", list)
	return get(c, func(p parley.Page[parley.Mail]) []byte {
		return wire.AppendMails(nil, d.work.Mail.From(), p, list.Cursor(p.Next))
	}, d.work.Mail.Mails(c.ws(), state, after, limit))
}

func resendMail(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, func(m parley.Mail) httpjson.Reply { return httpjson.OK(wire.AppendMail(nil, &m)) },
		func(ctx context.Context, by desk.Caller) (parley.Mail, error) { return d.work.Mail.Resend(ctx, by, id) })
}

func testMail(d *Dashboard, c *call) (httpjson.Reply, error) {
	return do(c, func(t mail.Trial) httpjson.Reply { return httpjson.OK(wire.AppendMailTrial(nil, t.Sent, t.Steps)) },
		func(ctx context.Context, by desk.Caller) (mail.Trial, error) {
			return d.work.Mail.Try(ctx, by, c.preferred())
		})
}

// byMail returns what queues the mail with a link; nothing if it is not wanted.
func byMail(d *Dashboard, wanted bool, language string) []access.Also {
	if !wanted {
		return nil
	}
	return []access.Also{func(t *desk.Tx, made access.NewInvitation) error {
		return d.work.Mail.QueueLink(t, &made.Invitation, made.Token, language)
	}}
}

// forgottenTime is how long the work may take that a request for a new password causes.
const forgottenTime = 20 * time.Second

// forgotPassword answers before it looks for the address, so that neither the answer nor
// its time tells strangers who is a member.
func forgotPassword(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	email := httpjson.Required(c.Reader, "email", httpjson.Text(maxEmail))
	language, address := c.preferred(), c.address
	return do(c, func(struct{}) httpjson.Reply { return httpjson.Reply{Status: http.StatusAccepted, Body: []byte(`{}`)} },
		func(ctx context.Context, _ desk.Caller) (struct{}, error) {
			if !d.work.Mail.On() {
				return struct{}{}, parley.Errorf(parley.Conflict, "this server sends no mail; ask an admin of your workspace for a link")
			}
			d.forgotten.Go(func() {
				ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), forgottenTime)
				defer cancel()
				if err := d.access.Forgot(ctx, email, address, byMail(d, true, language)[0]); err != nil {
					d.log.Warn("dashboard: a request for a new password failed", "error", err)
				}
			})
			return struct{}{}, nil
		})
}

// Settle returns when the work that requests for new passwords caused is done.
func (d *Dashboard) Settle() { d.forgotten.Wait() }
