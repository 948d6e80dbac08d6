package dashboard

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/reports"
	"parley/internal/wire"
)

func reportRoutes() []Route {
	return []Route{
		{"getReport", methodGet, base + "reports", parley.Agent, false, (*Dashboard).getReport},
		{"getReportCsv", methodGet, base + "reports.csv", parley.Agent, false, (*Dashboard).getReportCSV},
	}
}

func (d *Dashboard) getReport(c *call) (httpjson.Reply, error) {
	query := c.reportQuery()
	return get(c, func(r parley.Report) []byte { return wire.AppendReport(nil, &r) },
		d.desk.Report(c.visibility(), query))
}

func (d *Dashboard) getReportCSV(c *call) (httpjson.Reply, error) {
	query := c.reportQuery()
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	report, err := d.desk.Report(c.visibility(), query).Now(c.Context())
	if err != nil {
		return httpjson.Reply{}, err
	}
	body, err := reportCSV(&report)
	return csvReply(body, "report-by-"+string(report.By)+"-"+report.From.String()+"-to-"+report.To.String()+".csv"), err
}

// csvReply is a table that is stored under a name.
func csvReply(body []byte, name string) httpjson.Reply {
	reply := httpjson.OK(body)
	reply.Header = http.Header{
		"Content-Type":        {"text/csv; charset=utf-8; header=present"},
		"Content-Disposition": {`attachment; filename="` + name + `"`},
	}
	return reply
}

// reportQuery reads the inputs of both operations.
func (c *call) reportQuery() reports.Query {
	q := reports.Query{From: c.queryDay("from"), To: c.queryDay("to"), By: parley.ByDay}
	if by := httpjson.QueryOneOf(c.Reader, "by", parley.ReportBys); by != "" {
		q.By = by
	}
	filter := func(by parley.ReportBy, id parley.Optional[parley.ID]) {
		switch {
		case id.Null:
			q.Filters = append(q.Filters, reports.Filter{By: by})
		case id.Set:
			q.Filters = append(q.Filters, reports.Filter{By: by, Item: id.Value.String()})
		}
	}
	filter(parley.ByProduct, c.QueryIDOrNone("productId"))
	filter(parley.ByCompany, c.QueryIDOrNone("companyId"))
	if inbox := c.QueryID("inboxId"); !inbox.IsZero() {
		filter(parley.ByInbox, parley.Some(inbox))
	}
	switch member := c.QueryText("memberId", parley.MaxName, false); member {
	case "":
	case "none":
		filter(parley.ByMember, parley.Null[parley.ID]())
	default:
		q.Filters = append(q.Filters, reports.Filter{By: parley.ByMember, Item: member})
	}
	return q
}

// queryDay returns a day, or none if absent.
func (c *call) queryDay(name string) parley.Optional[parley.Day] {
	text, ok := c.Query(name)
	if !ok {
		return parley.Optional[parley.Day]{}
	}
	day, valid := parley.ParseDay(text)
	if !valid {
		c.Refuse(name, "be a day of the form 2026-11-21, not before 1970")
	}
	return parley.Some(day)
}

// reportCSV writes the rows of a report after a header line (RFC 4180).
// Durations are in seconds, empty if there are none.
func reportCSV(r *parley.Report) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	lines := [][]string{{
		string(r.By), "label", "opened", "resolved", "first_responses", "first_response_median_seconds",
		"first_response_p90_seconds", "resolution_median_seconds", "resolution_p90_seconds",
	}}
	for i := range r.Rows {
		row := &r.Rows[i]
		lines = append(lines, []string{
			csvText(row.Key), csvText(row.Label), strconv.Itoa(row.Opened), strconv.Itoa(row.Resolutions.Count()),
			strconv.Itoa(row.FirstResponses.Count()), csvSeconds(&row.FirstResponses, 0.5), csvSeconds(&row.FirstResponses, 0.9),
			csvSeconds(&row.Resolutions, 0.5), csvSeconds(&row.Resolutions, 0.9),
		})
	}
	err := w.WriteAll(lines)
	return b.Bytes(), err
}

// csvText prevents a spreadsheet from reading a text as a formula. With East
// Asian settings, full-width signs start formulas too.
func csvText(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// csvSeconds is a quantile in seconds, "" if there are none.
func csvSeconds(times *parley.Durations, q float64) string {
	length, ok := times.Quantile(q)
	if !ok {
		return ""
	}
	return strconv.FormatFloat(float64(length)/float64(time.Second), 'f', -1, 64)
}
