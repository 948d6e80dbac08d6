package dashboard_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
)

const reportPath = "/v1/dashboard/reports"

// A talk is a conversation that a test performs through the desk.
type talk struct {
	w  *world
	id parley.ID
}

// caller is a signed-in member, or an API key for "".
func (w *world) caller(member parley.UserID) desk.Caller {
	return desk.Caller{Workspace: w.Home.Workspace.ID, Member: member}
}

// begin begins a conversation as a member, or by the API for "".
func (w *world) begin(member parley.UserID, in desk.NewConversation) talk {
	w.T.Helper()
	if in.ContactID.IsZero() {
		saved, err := w.Desk.SaveContact(w.T.Context(), w.By(), desk.ContactFields{Name: parley.Some("Ann")})
		if err != nil {
			w.T.Fatal(err)
		}
		in.ContactID = saved.Record.ID
	}
	c, err := w.Desk.CreateConversation(w.T.Context(), w.caller(member), in)
	if err != nil {
		w.T.Fatal(err)
	}
	return talk{w, c.ID}
}

func (c talk) post(m desk.NewMessage) {
	c.w.T.Helper()
	m.Content, m.ContentType = "hello", parley.Text
	if _, err := c.w.Desk.PostMessage(c.w.T.Context(), c.w.caller(""), c.id, m); err != nil {
		c.w.T.Fatal(err)
	}
}

func (c talk) change(member parley.UserID, change desk.ConversationChange) {
	c.w.T.Helper()
	if _, err := c.w.Desk.UpdateConversation(c.w.T.Context(), c.w.caller(member), c.id, change); err != nil {
		c.w.T.Fatal(err)
	}
}

func (c talk) status(member parley.UserID, status parley.Status) {
	c.w.T.Helper()
	c.change(member, desk.ConversationChange{Status: parley.Some(status)})
}

// TestReport follows one conversation and reads its report.
func TestReport(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, _ := w.member(parley.Agent)
		w.MoveTo(apitest.Start())
		empty := `{"count":0,"medianSeconds":null,"p90Seconds":null}`
		w.Get(reportPath).Want(200).Is("from", `"2026-10-23"`, "to", `"2026-11-21"`, "by", `"day"`,
			"rows.0.key", `"2026-10-23"`, "total.key", `""`, "total.label", `"Total"`, "rows.29",
			`{"firstResponse":`+empty+`,"key":"2026-11-21","label":"2026-11-21","opened":0,"resolution":`+empty+`,"resolved":0}`)
		c := w.begin("", desk.NewConversation{})
		w.Advance(4 * time.Minute)
		c.post(desk.NewMessage{Direction: parley.Incoming})
		c.post(desk.NewMessage{Direction: parley.Outgoing}) // the automated agent
		c.post(desk.NewMessage{Direction: parley.Outgoing, AgentID: ann.ID, Private: true})
		c.post(desk.NewMessage{Direction: parley.Outgoing, AgentID: ann.ID, CreatedAt: apitest.Start()})
		w.Get(reportPath).Is("total.opened", "1", "rows.29.opened", "1", "total.firstResponse", empty)
		w.Advance(time.Minute)
		c.post(desk.NewMessage{Direction: parley.Outgoing, AgentID: ann.ID}) // after 5 minutes
		c.post(desk.NewMessage{Direction: parley.Outgoing, AgentID: w.Home.Owner.ID})
		w.Advance(5 * time.Minute)
		c.status(ann.ID, parley.Pending)
		c.status(ann.ID, parley.Resolved) // after 10 minutes
		c.status(ann.ID, parley.Resolved)
		w.Get(reportPath).Is("total.opened", "1", "total.resolved", "1",
			"total.firstResponse", `{"count":1,"medianSeconds":289.983,"p90Seconds":289.983}`,
			"total.resolution", `{"count":1,"medianSeconds":621.603,"p90Seconds":621.603}`)
		w.Advance(25 * time.Hour)
		c.post(desk.NewMessage{Direction: parley.Incoming, CreatedAt: apitest.Start()}) // history, which reopens nothing
		w.Get(reportPath).Is("total.opened", "1")
		c.post(desk.NewMessage{Direction: parley.Incoming})
		w.Advance(20 * time.Second)
		c.status("", parley.Resolved)
		w.Get(reportPath+"?from=2026-11-22").Is("rows.0.key", `"2026-11-22"`, "total.opened", "1", "total.resolved", "1",
			"total.firstResponse", empty, "total.resolution.medianSeconds", "20.108")
		c.status(ann.ID, parley.Pending)
		w.Get(reportPath+"?by=member").Is(
			"rows.0.key", `""`, "rows.0.label", `"Customers and API"`, "rows.0.opened", "2", "rows.0.resolved", "1",
			"rows.0.firstResponse.count", "0",
			"rows.1.key", `"`+string(ann.ID)+`"`, "rows.1.label", `"The agent"`, "rows.1.opened", "1", "rows.1.resolved", "1",
			"rows.1.firstResponse.count", "1", "total.opened", "3", "total.resolved", "2", "total.firstResponse.count", "1")
	})
}

// TestReportFilters requests rows of items, in order, and one item.
func TestReportFilters(t *testing.T) {
	w := onSQLite(t)
	shop, err := w.Desk.CreateProduct(t.Context(), w.By(), `=SUM("a")`, "")
	if err != nil {
		t.Fatal(err)
	}
	app, err := w.Desk.CreateProduct(t.Context(), w.By(), "App", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, product := range []parley.ID{shop.ID, app.ID, app.ID, {}, shop.ID} {
		in := desk.NewConversation{ProductID: parley.Some(product)}
		if product.IsZero() {
			in.ProductID = parley.Null[parley.ID]()
		}
		c := w.begin("", in)
		if product == shop.ID {
			c.status("", parley.Resolved)
		}
	}
	w.Get(reportPath+"?by=product").Is("rows.0.label", `"=SUM(\"a\")"`, "rows.0.opened", "2", "rows.0.resolved", "2",
		"rows.1.label", `"App"`, "rows.1.opened", "2", "rows.1.resolved", "0", "rows.2.key", `""`, "rows.2.label", `"No product"`)
	for query, want := range map[string]struct {
		rows   int
		opened string
	}{
		"productId=" + shop.ID.String():                    {30, "2"},
		"productId=" + strings.ToUpper(shop.ID.String()):   {30, "2"},
		"productId=none":                                   {30, "1"},
		"by=product&productId=" + app.ID.String():          {1, "2"},
		"by=product&productId=" + w.Home.Inbox.ID.String(): {0, "0"},
		"inboxId=" + w.Home.Inbox.ID.String():              {30, "5"},
		"companyId=none":                                   {30, "5"},
		"by=company":                                       {1, "5"},
		"memberId=none":                                    {30, "5"},
		"memberId=" + string(w.Home.Owner.ID):              {30, "0"},
		"memberId=usr_nobody":                              {30, "0"},
		"from=2026-11-21&to=2026-11-21":                    {1, "5"},
		"from=2025-11-21":                                  {366, "5"},
		"to=2026-11-20":                                    {30, "0"},
		"to=1970-01-02":                                    {2, "0"},
		"from=2026-11-21&to=2027-11-21":                    {366, "5"},
	} {
		got := w.Get(reportPath+"?"+query).Want(200).Is("total.opened", want.opened)
		if n := got.Count("rows"); n != want.rows {
			t.Errorf("%s gives %d rows, want %d", query, n, want.rows)
		}
	}
	if got := w.Get(reportPath + "?kind=x").Header.Get("Parley-Ignored"); got != "kind" {
		t.Errorf("Parley-Ignored is %q", got)
	}
}

// TestReportRefusals sends invalid inputs to both operations.
func TestReportRefusals(t *testing.T) {
	w := onSQLite(t)
	id := w.Home.Inbox.ID.String()
	for query, want := range map[string]string{
		"from=yesterday&to=":                        "from: must be a day of the form 2026-11-21, not before 1970; to: must be a day of the form 2026-11-21, not before 1970",
		"from=1969-12-31":                           "from: must be a day of the form 2026-11-21, not before 1970",
		"from=2026-11-21T00:00:00Z":                 "from: must be a day of the form 2026-11-21, not before 1970",
		"from=2026-11-02&to=2026-11-01":             "to: must not be before from",
		"from=2026-11-22":                           "from: must not be after today, unless to is given",
		"from=2025-11-20":                           "from: must be at most 365 days before to",
		"by=":                                       "by: must be one of day, product, inbox, member, company",
		"by=label":                                  "by: must be one of day, product, inbox, member, company",
		"by=inbox&productId=" + id:                  "by: must be day or product where productId is given",
		"by=company&memberId=none":                  "by: must be day or member where memberId is given",
		"inboxId=" + id + "&productId=" + id:        "inboxId: must be absent where productId is given",
		"companyId=" + id + "&memberId=usr_a":       "memberId: must be absent where companyId is given",
		"productId=x":                               "productId: must be a UUID or none",
		"inboxId=none":                              "inboxId: must be a UUID",
		"memberId=":                                 "memberId: must be 1 to 255 characters",
		"companyId=" + id + "&companyId=" + id:      "companyId: must be given once",
		"from=2026-11-21&from=2026-11-21&by=member": "from: must be given once",
	} {
		w.Get(reportPath+"?"+query).Refused(400, want)
		w.Get(reportPath+".csv?"+query).Refused(400, want)
	}
}

// TestReportCSV reads the table of a report with hostile names.
func TestReportCSV(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		names := map[string]string{
			"=1+1": "'=1+1", "+49": "'+49", "-x": "'-x", "@cmd": "'@cmd", "\ttab": "'\ttab", `a "b", c`: `a "b", c`,
			"two\r\nlines":  "two\r\nlines",
			"＝HYPERLINK(1)": "'＝HYPERLINK(1)", "＋1": "'＋1", "－1": "'－1", "＠x": "'＠x", "\ufffd": "\ufffd", "Ä 日本": "Ä 日本", "a=1": "a=1",
		}
		for name := range names {
			product, err := w.Desk.CreateProduct(t.Context(), w.By(), name, "")
			if err != nil {
				t.Fatal(err)
			}
			c := w.begin("", desk.NewConversation{ProductID: parley.Some(product.ID)})
			w.Advance(time.Minute)
			c.status("", parley.Resolved)
		}
		got := w.Get(reportPath + ".csv?by=product").Want(200)
		if kind := got.Header.Get("Content-Type"); kind != "text/csv; charset=utf-8; header=present" {
			t.Errorf("the type is %s", kind)
		}
		if name := got.Header.Get("Content-Disposition"); name != `attachment; filename="report-by-product-2026-10-23-to-2026-11-21.csv"` {
			t.Errorf("the file is %s", name)
		}
		if !strings.HasPrefix(string(got.Body), "product,label,opened,resolved,first_responses,first_response_median_seconds,"+
			"first_response_p90_seconds,resolution_median_seconds,resolution_p90_seconds\r\n") || !strings.HasSuffix(string(got.Body), "\r\n") {
			t.Errorf("the table is %s", got.Body)
		}
		table, err := csv.NewReader(strings.NewReader(string(got.Body))).ReadAll()
		if err != nil || len(table) != len(names)+1 {
			t.Fatalf("the table has %d lines, %v: %s", len(table), err, got.Body)
		}
		var labels, want []string
		for _, line := range table[1:] {
			labels = append(labels, line[1])
			if rest := strings.Join(line[2:], ","); rest != "1,1,0,,,57.371,57.371" {
				t.Errorf("the line of %q is %s", line[1], rest)
			}
		}
		for _, name := range names {
			want = append(want, strings.ReplaceAll(name, "\r\n", "\n")) // so the reader joins lines
		}
		slices.Sort(labels)
		slices.Sort(want)
		if !slices.Equal(labels, want) {
			t.Errorf("the labels are %q, want %q", labels, want)
		}
		if day := string(w.Get(reportPath + ".csv?from=2026-11-21").Body); !strings.HasPrefix(day, "day,label,") ||
			!strings.HasSuffix(day, "\r\n2026-11-21,2026-11-21,14,14,0,,,57.371,57.371\r\n") {
			t.Errorf("the table of a day is %s", day)
		}
	})
}

// TestReportTenancy requests reports from another workspace.
func TestReportTenancy(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.begin("", desk.NewConversation{})
		other, err := w.Access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
		if err != nil {
			t.Fatal(err)
		}
		_, token, err := w.Access.StartSession(t.Context(), desk.Caller{Workspace: other.Workspace.ID}, other.Owner.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{"?by=day", "?by=inbox", "?inboxId=" + w.Home.Inbox.ID.String()} {
			w.Send(apitest.Request{Method: "GET", Path: reportPath + query, Session: token}).Want(200).Is("total.opened", "0")
			w.Get(reportPath+query).Is("total.opened", "1")
		}
	})
}
