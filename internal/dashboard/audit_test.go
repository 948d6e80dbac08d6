package dashboard_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/customers"
	"parley/internal/dashboard"
	"parley/internal/desk"
	"parley/internal/store"
)

func auditSamples() map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"listAudit":         func() apitest.Sample { return apitest.NewSample("/v1/dashboard/audit", "", 200) },
		"listAuditActors":   func() apitest.Sample { return apitest.NewSample("/v1/dashboard/audit/actors", "", 200) },
		"exportAuditCsv":    func() apitest.Sample { return apitest.NewSample("/v1/dashboard/audit.csv", "", 200) },
		"exportAuditNdjson": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/audit.ndjson", "", 200) },
	}
}

// recorded are the actions that operations leave in the audit log.
var recorded = map[string][]entry.Action{
	"signIn": {entry.SignedIn}, "signOut": {entry.SignedOut}, "signOutEverywhere": {entry.SessionsEnded},
	"endSession": {entry.SignedOut}, "endOtherSessions": {entry.SessionsEnded}, "endMemberSessions": {entry.SessionsEnded},
	"changePassword": {entry.PasswordChanged}, "acceptInvitation": {entry.SignedIn, entry.InvitationAccepted},
	"confirmSession": {entry.Confirmed}, "signInByCode": {entry.SignedIn}, "setSecondFactor": {entry.FactorSet}, "setRequiredSecondFactor": {entry.FactorSet, entry.SignedIn},
	"turnOffSecondFactor": {entry.FactorTurnedOff}, "renewRecoveryCodes": {entry.CodesRenewed}, "resetSecondFactor": {entry.FactorReset},
	"finishProviderSignIn": {entry.SignedIn}, "logOutByProvider": {entry.SessionsEnded}, "disconnectMember": {entry.PersonUnbound},
	"updateSignInProvider": {entry.OpenIDUpdated}, "deleteSignInProvider": {entry.OpenIDDeleted},
	"createInvitation": {entry.Invited}, "deleteInvitation": {entry.InvitationDeleted}, "resetMember": {entry.ResetCreated},
	"updateMember": {entry.MemberUpdated}, "deleteMember": {entry.MemberRemoved}, "updateWorkspace": {entry.WorkspaceUpdated},
	"createKey": {entry.KeyCreated}, "updateKey": {entry.KeyUpdated}, "revokeKey": {entry.KeyRevoked},
	"createIdentityKey": {entry.IdentityCreated}, "retireIdentityKey": {entry.IdentityRetired}, "revokeIdentityKey": {entry.IdentityRevoked},
	"createProduct": {entry.ProductCreated}, "updateProduct": {entry.ProductUpdated}, "updateProductAgent": {entry.AgentUpdated},
	"createInbox": {entry.InboxCreated}, "updateInbox": {entry.InboxUpdated}, "setRetention": {entry.RetentionUpdated},
	"createTeam": {entry.TeamCreated}, "updateTeam": {entry.TeamUpdated}, "deleteTeam": {entry.TeamDeleted},
	"createModelProvider": {entry.ProviderCreated}, "updateModelProvider": {entry.ProviderUpdated}, "deleteModelProvider": {entry.ProviderDeleted},
	"connectNumber": {entry.NumberCreated, entry.InboxCreated}, "disconnectNumber": {entry.NumberUpdated}, "reconnectNumber": nil,
	"logOutNumber": {entry.NumberUpdated}, "pairNumber": {entry.NumberPaired}, "endPairing": {entry.NumberUpdated}, "setBudgets": {entry.BudgetUpdated},
	"eraseContact": {entry.Erased}, "deleteConversation": {entry.ConversationErased},
	"updateWidgetSettings": {entry.WidgetUpdated}, "updateOfficeHours": {entry.HoursUpdated}, "updateWidgetTexts": {entry.TextsUpdated},
	"exportAuditCsv": {entry.Exported}, "exportAuditNdjson": {entry.Exported},
	"requireSecondFactor": nil, // of a change: TestRequiredSecondFactor
	"signOutContact":      nil, // of one with a session: TestAuditOfPeople
}

// daily, begins and others say why the operations leave nothing in the audit log that are
// not in recorded.
const (
	daily  = "the daily work of members, which the history of the conversation or its record shows, and another change undoes"
	own    = "the member's own: nobody else sees it, and it opens nothing"
	begins = "begins what has an entry when it is completed"
	asks   = "changes nothing"
)

// unrecorded are the operations that change something, and leave nothing in the audit log.
var unrecorded = map[string]string{
	"beginSecondFactor": begins, "beginRequiredSecondFactor": begins, "beginProviderSignIn": begins, "connectProviderAccount": begins,
	"forgotPassword": "answers first; the link has an entry: TestAuditOfForgotten", "openInvitation": asks,
	"createCannedAnswer": daily, "updateCannedAnswer": daily, "deleteCannedAnswer": daily, "createLabel": daily, "updateLabel": daily, "deleteLabel": daily,
	"createMacro": daily, "updateMacro": daily, "deleteMacro": daily, "runMacro": daily, "createView": daily, "updateView": daily, "deleteView": daily,
	"startBulk": daily, "cancelBulk": daily, "undoBulk": daily, "createScheduled": daily, "updateScheduled": daily, "deleteScheduled": daily, "sendScheduledNow": daily,
	"linkConversations": daily, "unlinkConversations": daily, "mergeConversations": daily, "splitConversation": daily, "unmergeConversation": daily,
	"mergeContacts": daily, "dismissContactDuplicate": daily, "setArticleOrigin": daily, "addArticlePicture": daily, "dismissKnowledgeGap": daily,
	"putDraft": own, "setPresence": own, "readConversation": own, "unreadConversation": own, "readNotices": own, "followConversation": own, "unfollowConversation": own,
	"updateNoticePreferences": own, "addPushDevice": own, "removePushDevice": own, "testPushDevice": own, "finishWelcome": own,
	"previewArticle": asks, "testModelProvider": asks, "simulateProductAgent": asks, "assist": "its cost is in the report of the agent",
	"resendMail": "the list of mails shows it", "testMail": "the list of mails shows it",
}

// TestAuditIsDecided requires an action or a reason for each operation that is no read.
func TestAuditIsDecided(t *testing.T) {
	for _, route := range dashboard.Routes() {
		_, does := recorded[route.Operation]
		why, doesNot := unrecorded[route.Operation]
		if read := route.Method == "GET"; does && doesNot || !read && !does && !doesNot || read && doesNot || doesNot && why == "" {
			t.Errorf("%s %s needs a row in recorded, or a reason in unrecorded", route.Method, route.Operation)
		}
		delete(unrecorded, route.Operation)
	}
	if len(unrecorded) > 0 {
		t.Errorf("there are no operations %v", unrecorded)
	}
}

// TestAuditOfPeople signs a customer out everywhere, and deletes articles: both are recorded,
// by members and by keys, and without an effect they are not.
func TestAuditOfPeople(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		leaves := func(r apitest.Request, status int, want ...entry.Action) {
			t.Helper()
			before := w.lines()
			w.Send(r).Want(status)
			if got := w.linesAfter(before); !slices.Equal(got, want) {
				t.Errorf("%s %s leaves %v, want %v", r.Method, r.Path, got, want)
			}
		}
		contact := w.Contact(`{"name":"Ann"}`)
		out := apitest.Request{Method: "POST", Path: "/v1/dashboard/contacts/" + contact + "/sign-out"}
		leaves(out, 200)
		id, _ := parley.ParseID(contact)
		w.write(func(tx *store.Tx, ws parley.WorkspaceID) error {
			s := parley.CustomerSession{
				ID: parley.NewIDs(nil).New(w.Now()), Workspace: ws, ContactID: id, InboxID: w.Home.Inbox.ID, CreatedAt: w.Now(), SeenAt: w.Now(), ExpiresAt: w.Now().Add(time.Hour),
			}
			return customers.InsertCustomerSession(tx, ws, &s, [32]byte{1})
		})
		leaves(out, 200, entry.CustomerSignedOut)

		const articles = "/v1/public/articles"
		for _, by := range []apitest.Request{{Session: w.Owner}, {Bearer: string(w.Home.Secret)}} {
			article := w.Send(apitest.Request{Method: "POST", Path: articles, Body: `{"language":"en","title":"Tents"}`, Session: w.Owner}).Want(201).Text("id")
			w.Send(apitest.Request{Method: "PUT", Path: articles + "/" + article + "/texts/de", Body: `{"title":"Zelte"}`, Session: w.Owner}).Want(200)
			by.Method = "DELETE"
			for _, path := range []string{"/texts/de", ""} {
				by.Path = articles + "/" + article + path
				leaves(by, 200, entry.ArticleDeleted)
			}
			w.Get("/v1/dashboard/audit?action=article.deleted").Want(200).Is("data.1.changes.0.to", `"de"`, "data.0.subject.type", `"article"`, "data.0.subject.id", quote(article))
		}
	})
}

// TestAuditOfForgotten asks for a link for a new password, and signs in by it: the session
// has an entry, of the member, unless the second step is missing.
func TestAuditOfForgotten(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, second := range []bool{false, true} {
			m, _ := w.member(parley.Agent)
			if second {
				w.hasFactor(m.ID)
			}
			before := w.lines()
			w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/members/" + string(m.ID) + "/reset"}).Want(201)
			link, err := w.Access.ResetPassword(t.Context(), desk.Caller{Workspace: w.Home.Workspace.ID}, m.ID)
			if err != nil {
				t.Fatal(err)
			}
			if got := w.linesAfter(before); !slices.Equal(got, []entry.Action{entry.ResetCreated, entry.ResetCreated}) {
				t.Errorf("the links leave %v", got)
			}
			before = w.lines()
			want, status := []entry.Action{entry.SignedIn, entry.PasswordReset}, 201
			if second {
				want, status = want[1:], 202
			}
			w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/invitations/accept", Body: `{"token":"` + string(link.Token) + `","password":"` + newPassword + `"}`, Session: apitest.None}).Want(status)
			if got := w.linesAfter(before); !slices.Equal(got, want) {
				t.Errorf("with a second factor (%t), the link leaves %v", second, got)
			}
			for _, e := range w.lines()[:len(want)] {
				if e.ActorType != entry.Member || e.ActorID != string(m.ID) || e.SubjectID != string(m.ID) {
					t.Errorf("the entry %+v is not the member's", e)
				}
			}
		}
	})
}

// lines returns the newest entries of the audit log.
func (w *world) lines() []entry.Entry {
	w.T.Helper()
	page, err := audit.New(w.Desk).Entries(w.Home.Workspace.ID, audit.Filter{}, parley.Position{}, parley.MaxLimit).Now(w.T.Context())
	if err != nil {
		w.T.Fatal(err)
	}
	return page.Items
}

// linesAfter returns the actions of the entries since some were read, newest first.
func (w *world) linesAfter(before []entry.Entry) (actions []entry.Action) {
	w.T.Helper()
	for _, e := range w.lines() {
		if slices.ContainsFunc(before, func(b entry.Entry) bool { return b.ID == e.ID }) {
			break
		}
		actions = append(actions, e.Action)
	}
	return actions
}

// TestAuditOfOperations sends every operation as an owner, and again as one who is removed
// while the request waits. The first leaves exactly the entries of the table, the second
// none.
func TestAuditOfOperations(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		elsewhere := access.New(w.Desk) // another node: this one does not forget its sessions
		everyRoute(t, w, func(t *testing.T, route dashboard.Route, sample func() apitest.Sample) {
			_, token := w.member(parley.Owner)
			s := sample()
			request := w.request(route.Method, s, token)
			before := w.lines()
			answer := w.Send(request).Want(s.Status)
			if got := w.linesAfter(before); !slices.Equal(got, recorded[route.Operation]) {
				t.Errorf("it leaves %v, want %v: %s", got, recorded[route.Operation], answer.Body)
			}
			if len(recorded[route.Operation]) == 0 || route.Open {
				return
			}
			m, token := w.member(parley.Owner)
			s = sample()
			request = w.request(route.Method, s, token)
			w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/labels", Session: token}).Want(200)
			if _, err := elsewhere.RemoveMember(t.Context(), w.By(), m.ID); err != nil {
				t.Fatal(err)
			}
			before = w.lines()
			w.Send(request).Want(401)
			if got := w.linesAfter(before); len(got) != 0 {
				t.Errorf("refused, it leaves %v", got)
			}
		})
		for operation := range recorded {
			if !slices.ContainsFunc(dashboard.Routes(), func(r dashboard.Route) bool { return r.Operation == operation }) {
				t.Errorf("there is no operation %s", operation)
			}
		}
	})
}

// TestAuditOfNoChange repeats changes that change nothing.
func TestAuditOfNoChange(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		inbox := w.NewInbox(desk.NewInbox{Name: "Web", Channel: parley.ChannelWeb}).String()
		contact := w.Contact(`{"name":"Ann"}`)
		key := w.apiKey().id
		for _, change := range []struct{ method, path, body string }{
			{"PATCH", "members/" + string(w.Home.Owner.ID), `{"name":"Ann","role":"owner"}`},
			{"PATCH", "keys/" + key, `{"name":"Other","scopes":["contacts:read"]}`},
			{"DELETE", "keys/" + key, ""},
			{"PUT", "inboxes/" + inbox + "/retention", `{"days":30}`},
			{"PATCH", "inboxes/" + inbox, `{"name":"Website"}`},
			{"PATCH", "inboxes/" + inbox + "/widget", `{"title":"Hello"}`},
			{"POST", "contacts/" + contact + "/erasure", ""},
			{"PATCH", "workspace", `{"name":"Acme"}`},
		} {
			send := func() []entry.Action {
				before := w.lines()
				if got := w.Send(apitest.Request{Method: change.method, Path: "/v1/dashboard/" + change.path, Body: change.body}); got.Status >= 300 {
					t.Fatalf("%s %s: %s", change.method, change.path, got.Body)
				}
				return w.linesAfter(before)
			}
			if first := send(); len(first) != 1 {
				t.Errorf("%s %s leaves %v, want one entry", change.method, change.path, first)
			}
			if again := send(); len(again) != 0 {
				t.Errorf("%s %s, repeated, leaves %v", change.method, change.path, again)
			}
		}
	})
}

// TestAuditLog reads entries with all that they show, by filters and page by page.
func TestAuditLog(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const log = "/v1/dashboard/audit"
		m, token := w.member(parley.Agent)
		from := w.Now().Add(time.Hour)
		w.MoveTo(from.Add(-time.Minute))
		w.confirm("", w.Home.OwnerPassword, "").Want(200)
		w.MoveTo(from)
		w.Send(apitest.Request{
			Method: "PATCH", Path: "/v1/dashboard/members/" + string(m.ID), Body: `{"role":"admin"}`,
			Header: map[string][]string{"User-Agent": {"Browser\x01/1 " + strings.Repeat("ü", 300)}},
		}).Want(200)
		answer := w.Get(log).Want(200)
		answer.Is("data.0.action", `"member.updated"`, "data.0.actor.type", `"member"`, "data.0.actor.id", `"`+string(w.Home.Owner.ID)+`"`,
			"data.0.actor.name", `"`+w.Home.Owner.Name+`"`, "data.0.subject.type", `"member"`, "data.0.subject.id", `"`+string(m.ID)+`"`,
			"data.0.subject.name", `"The agent"`, "data.0.changes.0.field", `"role"`, "data.0.changes.0.from", `"agent"`,
			"data.0.changes.0.to", `"admin"`, "data.0.count", "1", "data.0.userAgent", `"Browser/1 `+strings.Repeat("ü", 190)+`"`)
		if answer.Text("data.0.address") == "" {
			t.Errorf("the entry has no address: %s", answer.Body)
		}
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/products", Body: `{"name":"=1+1"}`, Session: token}).Want(201)
		all := w.Get(log + "?limit=200").Want(200)
		time := func(at time.Time) string { return at.UTC().Format(time.RFC3339) }
		for filter, want := range map[string]int{
			"?action=product.created": 1, "?action=member.removed": 0, "?actor=" + string(m.ID): 1,
			"?actor=" + string(w.Home.Owner.ID) + "&action=member.updated": 1, "?actor=operator": 2,
			"?from=" + time(from): 2, "?to=" + time(from): all.Count("data") - 2, "?actor=nobody": 0,
		} {
			if got := w.Get(log + filter).Want(200).Count("data"); got != want {
				t.Errorf("%s has %d entries, want %d: %s", filter, got, want, w.Get(log+filter).Body)
			}
		}
		var ids []string
		for cursor := ""; ; {
			page := w.Get(log + "?limit=2&cursor=" + cursor).Want(200)
			for i := range page.Count("data") {
				ids = append(ids, page.Text("data."+string(rune('0'+i))+".id"))
			}
			if cursor = page.Text("next_cursor"); cursor == "" {
				break
			}
		}
		if len(ids) != all.Count("data") || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != len(ids) {
			t.Errorf("the pages have %d entries, the list %d", len(ids), all.Count("data"))
		}
		first := w.Get(log + "?limit=2").Want(200).Text("next_cursor")
		w.Get(log+"?limit=2&action=member.updated&cursor="+first).Refused(400, "cursor: must be a next_cursor of this list with the same filters")
		w.Get(log+"?from=x").Refused(400, "from: must be a time such as 2026-11-20T08:15:30Z, not before 1970")
	})
}

// TestAuditOfFormerActors finds what a removed member and a revoked key did by their names,
// which the list of actors has, in the list and in both downloads.
func TestAuditOfFormerActors(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Admin)
		key := w.apiKey()
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/products", Body: `{"name":"Tents"}`, Session: token}).Want(201)
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/products", Body: `{"name":"Stoves"}`}).Want(201)
		article := w.Send(apitest.Request{Method: "POST", Path: "/v1/public/articles", Body: `{"language":"en","title":"Tents"}`, Bearer: string(w.Home.Secret)}).Want(201).Text("id")
		w.Send(apitest.Request{Method: "DELETE", Path: "/v1/public/articles/" + article, Bearer: string(w.Home.Secret)}).Want(200)
		w.Delete("/v1/dashboard/members/" + string(m.ID)).Want(200)
		w.Delete("/v1/dashboard/keys/" + w.Home.Key.ID.String()).Want(200)

		var list struct {
			Data []struct {
				Type, ID, Name string
				Former         bool
			}
		}
		if err := json.Unmarshal(w.Get("/v1/dashboard/audit/actors").Want(200).Body, &list); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range list.Data {
			got = append(got, fmt.Sprint(a.Type, " ", a.ID, " ", a.Former))
		}
		want := []string{
			"member " + string(w.Home.Owner.ID) + " false", "key " + key.id + " false", "member " + string(m.ID) + " true", "key " + w.Home.Key.ID.String() + " true",
		}
		if !slices.Equal(got, want) {
			t.Errorf("the actors are %v, want %v", got, want)
		}
		for id, of := range map[string]struct{ name, action string }{
			string(m.ID): {m.Name, "product.created"}, w.Home.Key.ID.String(): {w.Home.Key.Name, "article.deleted"},
		} {
			const log = "/v1/dashboard/audit"
			filter := "?actor=" + id + "&action=" + of.action
			w.Get(log+filter).Want(200).Is("data.0.actor.name", quote(of.name), "data.0.actor.id", quote(id))
			rows, err := csv.NewReader(strings.NewReader(string(w.Get(log + ".csv" + filter).Want(200).Body))).ReadAll()
			if err != nil || len(rows) != 2 || rows[1][slices.Index(rows[0], "actor_name")] != of.name {
				t.Errorf("the table of %s is %v, %v", of.name, rows, err)
			}
			lines := string(w.Get(log + ".ndjson" + filter).Want(200).Body)
			if strings.Count(lines, "\n") != 1 || !strings.Contains(lines, quote(of.name)) {
				t.Errorf("the lines of %s are %s", of.name, lines)
			}
		}
	})
}

// TestAuditExport downloads the log in both formats. The download is recorded, and is not
// in itself.
func TestAuditExport(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Post("/v1/dashboard/products", `{"name":"=HYPERLINK(\"x\")"}`).Want(201)
		w.Tick()
		before := w.lines()
		table := w.Get("/v1/dashboard/audit.csv").Want(200)
		if got := w.linesAfter(before); !slices.Equal(got, []entry.Action{entry.Exported}) {
			t.Errorf("the download leaves %v", got)
		}
		rows, err := csv.NewReader(strings.NewReader(string(table.Body))).ReadAll()
		if err != nil || len(rows) != len(before)+1 {
			t.Fatalf("the table has %d lines, want %d: %v", len(rows), len(before)+1, err)
		}
		if i := slices.Index(rows[0], "subject_name"); rows[1][i] != `'=HYPERLINK("x")` {
			t.Errorf("a formula is %q", rows[1][i])
		}
		w.Tick()
		lines := strings.Split(strings.TrimSuffix(string(w.Get("/v1/dashboard/audit.ndjson?action=audit.exported").Want(200).Body), "\n"), "\n")
		var one struct {
			Action  string
			Changes []struct{ Field, To string }
		}
		if err := json.Unmarshal([]byte(lines[0]), &one); err != nil || len(lines) != 1 || one.Action != "audit.exported" || one.Changes[0].To != "csv" {
			t.Errorf("the lines are %v: %v", lines, err)
		}
		w.Send(apitest.Request{Method: "HEAD", Path: "/v1/dashboard/audit.csv"}).Want(200)
		if got := w.Get("/v1/dashboard/audit?action=audit.exported").Want(200).Count("data"); got != 2 {
			t.Errorf("%d downloads are recorded, want 2", got)
		}
	})
}

// TestAuditOfRefusedSignIns counts what was refused: wrong passwords of a member at once,
// attempts for addresses that nobody has together.
func TestAuditOfRefusedSignIns(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		try := func(email string) apitest.Answer {
			return w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/session", Body: `{"email":"` + email + `","password":"wrong wrong"}`, Session: apitest.None})
		}
		for range 3 {
			try("owner@home.example").Want(401)
		}
		for range 5 {
			try("nobody@home.example").Want(401)
		}
		before := w.lines()
		w.Access.FlushRefusals(t.Context(), false)
		if got := w.linesAfter(before); !slices.Equal(got, []entry.Action{entry.SignInRefused}) {
			t.Fatalf("the flush leaves %v", got)
		}
		w.Get("/v1/dashboard/audit").Want(200).Is("data.0.count", "3", "data.0.subject.id", `"`+string(w.Home.Owner.ID)+`"`,
			"data.0.actor.type", `"server"`, "data.0.changes.0.to", `"bad_password"`)
		w.Access.FlushRefusals(t.Context(), false)
		w.Advance(16 * time.Minute)
		before = w.lines()
		w.Access.FlushRefusals(t.Context(), false)
		w.Access.FlushRefusals(t.Context(), true)
		if got := w.linesAfter(before); !slices.Equal(got, []entry.Action{entry.SignInRefused}) {
			t.Fatalf("the end of the window leaves %v", got)
		}
		w.Get("/v1/dashboard/audit").Want(200).Is("data.0.count", "5", "data.0.subject", "null", "data.0.address", `""`,
			"data.0.changes.0.to", `"unknown_address"`)
		if got := w.Access.Refused(); got[access.BadPassword] != 3 || got[access.UnknownAddress] != 5 {
			t.Errorf("the metrics are %v", got)
		}
	})
}

// TestRefusalsOfStrangers signs in to workspaces that do not exist: that writes nothing,
// and leaves room for the wrong passwords of members.
func TestRefusalsOfStrangers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		try := func(email, more string, address int) {
			w.Send(apitest.Request{
				Method: "POST", Path: "/v1/dashboard/session", Body: `{"email":"` + email + `","password":"wrong wrong"` + more + `}`,
				Session: apitest.None, Address: fmt.Sprintf("10.7.%d.%d:1", address>>8, address&255),
			})
		}
		for n := range 1100 {
			try("nobody@home.example", `,"workspaceId":"`+parley.NewIDs(nil).New(w.Now()).String()+`"`, n/20)
		}
		try("owner@home.example", "", 9999)
		before, failed := w.lines(), w.Store.Stats().Failures
		w.Access.FlushRefusals(t.Context(), true)
		if got := w.linesAfter(before); !slices.Equal(got, []entry.Action{entry.SignInRefused}) {
			t.Errorf("the flush leaves %v", got)
		}
		if got := w.Store.Stats().Failures; got != failed {
			t.Errorf("%d transactions failed", got-failed)
		}
	})
}

// TestRefusalsAreCounted refuses a credential for each reason, and counts it by that alone.
func TestRefusalsAreCounted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		public := func(secret string) apitest.Request {
			return apitest.Request{Method: "GET", Path: "/v1/public/products", Bearer: secret}
		}
		session := func(token parley.Token) apitest.Request {
			return apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: token}
		}
		revoked := w.apiKey()
		w.Delete("/v1/dashboard/keys/" + revoked.id).Want(200)
		_, secret, err := w.Access.CreateKey(t.Context(), w.By(), access.NewKey{Name: "K", Scopes: parley.Scopes, ExpiresAt: w.Now().Add(time.Minute)})
		if err != nil {
			t.Fatal(err)
		}
		_, ended := w.member(parley.Agent)
		w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/session", Session: ended}).Want(200)
		_, expires := w.member(parley.Agent)
		w.Advance(15 * 24 * time.Hour)
		w.Owner = w.signIn(w.Home.Owner.ID)
		for why, request := range map[access.Refusal]apitest.Request{
			access.UnknownKey: public("pk_wrong"), access.RevokedKey: public(revoked.secret), access.ExpiredKey: public(string(secret)),
			access.EndedSession: session(ended), access.ExpiredSession: session(expires),
			access.BadLink: {Method: "POST", Path: "/v1/dashboard/invitations/open", Body: `{"token":"pi_wrong"}`, Session: apitest.None},
		} {
			before := w.Access.Refused()
			if got := w.Send(request); got.Status != 401 && got.Status != 404 {
				t.Errorf("%s: the status is %d", why, got.Status)
			}
			before[why]++
			if after := w.Access.Refused(); !maps.Equal(after, before) {
				t.Errorf("%s: the counts are %v, want %v", why, after, before)
			}
		}
		for range 11 {
			w.enter("", login("owner@home.example", "wrong"))
		}
		if got := w.Access.Refused(); got[access.BadPassword] != 10 || got[access.Throttled] != 1 {
			t.Errorf("the counts are %v", got)
		}
	})
}

// TestRefusedSignInTakesNoWrite requires that an answer to a wrong password does not wait for
// the log: otherwise its time would tell whether the address is known.
func TestRefusedSignInTakesNoWrite(t *testing.T) {
	w := onSQLite(t)
	before := w.Desk.Writes()
	w.enter("", login("owner@home.example", "wrong")).Want(401)
	w.enter("", login("nobody@home.example", "wrong")).Want(401)
	if got := w.Desk.Writes() - before; got != 0 {
		t.Errorf("refused sign-ins wrote %d times", got)
	}
}
