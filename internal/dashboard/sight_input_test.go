package dashboard_test

import (
	"fmt"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
)

// TestBadAccess refuses what no member can see, of members and of invitations. Nothing
// changes, and no event says so.
func TestBadAccess(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, _ := w.member(parley.Agent)
		adam, _ := w.member(parley.Admin)
		inbox := w.NewInbox(desk.NewInbox{Name: "Shop", Channel: parley.ChannelAPI}).String()
		foreign := w.Found("Other").Inbox.ID.String()
		unknown := parley.NewIDs(nil).New(w.Now()).String()
		many := make([]string, parley.MaxMemberInboxes+1)
		for i := range many {
			many[i] = fmt.Sprintf(`"00000000-0000-0000-0000-%012d"`, i)
		}
		before := w.state(w.Owner)
		for body, want := range map[string]struct {
			status int
			text   string
		}{
			`"access":"some"`:                             {400, "access: must be one of all, own"},
			`"access":7`:                                  {400, "access: must be"},
			`"access":null`:                               {400, "access: must"},
			`"access":"own","inboxIds":"x"`:               {400, "inboxIds: must be"},
			`"access":"own","inboxIds":["x"]`:             {400, "inboxIds"},
			`"access":"own","inboxIds":null`:              {400, "inboxIds: must"},
			`"access":"all","inboxIds":["` + inbox + `"]`: {400, "inboxIds: must be absent or empty unless access is own"},
			`"inboxIds":["` + inbox + `"]`:                {400, "inboxIds: must be absent or empty unless access is own"},
			`"access":"own","inboxIds":["` + unknown + `","` + inbox + `"]`: {404, "inboxIds: no such inbox in this workspace"},
			`"access":"own","inboxIds":["` + foreign + `"]`:                 {404, "inboxIds: no such inbox in this workspace"},
			`"access":"own","inboxIds":[` + strings.Join(many, ",") + `]`:   {400, "inboxIds: must"},
			`"role":"admin","access":"own","inboxIds":["` + inbox + `"]`:    {400, "access: must be all for an owner or admin"},
		} {
			refused := func(got apitest.Answer) {
				t.Helper()
				if got.Status != want.status || !strings.Contains(string(got.Body), want.text) {
					t.Errorf("%s gives %d %s, want %d with %s", body, got.Status, got.Body, want.status, want.text)
				}
			}
			refused(w.Patch("/v1/dashboard/members/"+string(ann.ID), `{"name":"New name",`+body+`}`))
			if strings.Contains(body, "null") {
				continue // as if it were absent, in what is new
			}
			if !strings.Contains(body, `"role"`) {
				body = `"role":"agent",` + body
			}
			refused(w.Post("/v1/dashboard/invitations", `{"email":"`+w.email()+`",`+body+`}`))
		}
		w.Patch("/v1/dashboard/members/"+string(adam.ID), `{"access":"own"}`).Refused(400, "access: must be all for an owner or admin")
		if after := w.state(w.Owner); after != before {
			t.Errorf("the log goes from %s to %s", before, after)
		}
		got := w.Patch("/v1/dashboard/members/"+string(ann.ID), `{"access":"own","inboxIds":["`+inbox+`","`+inbox+`"]}`).Want(200)
		got.Is("access", `"own"`, "inboxIds.0", `"`+inbox+`"`)
		if got.Count("inboxIds") != 1 {
			t.Errorf("the inbox is there %d times", got.Count("inboxIds"))
		}
		w.Patch("/v1/dashboard/members/"+string(ann.ID), `{"role":"admin"}`).Want(200).Is("access", `"all"`, "inboxIds", "[]")
	})
}

// TestReportsOfFew asks for reports as a member who sees some conversations: those that add
// up others are refused.
func TestReportsOfFew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, token := w.member(parley.Agent)
		inbox := w.NewInbox(desk.NewInbox{Name: "Shop", Channel: parley.ChannelAPI}).String()
		w.Patch("/v1/dashboard/members/"+string(ann.ID), `{"access":"own","inboxIds":["`+inbox+`"]}`).Want(200)
		as := func(path string) apitest.Answer {
			t.Helper()
			return w.Send(apitest.Request{Method: "GET", Path: path, Session: token})
		}
		for _, path := range []string{reportPath, reportPath + ".csv"} {
			as(path).Want(200)
			as(path + "?by=inbox&inboxId=" + inbox).Want(200)
			as(path+"?by=member").Refused(403, "by: must be day or inbox, because you see only some conversations")
			as(path+"?memberId="+string(ann.ID)).Refused(403, "memberId: must be absent, because you see only some conversations")
		}
	})
}
