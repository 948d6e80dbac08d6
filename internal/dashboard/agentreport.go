package dashboard

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/providers"
	"parley/internal/wire"
)

// agentReportRoutes say what the automated agent did. Like the other reports they are
// for all members; what it cost is for those who manage the budgets.
func agentReportRoutes() []Route {
	return []Route{
		{"getAgentReport", methodGet, base + "agent-report", parley.Agent, false, getAgentReport},
		{"getAgentReportCsv", methodGet, base + "agent-report.csv", parley.Agent, false, getAgentReportCSV},
	}
}

// agentReportQuery reads the inputs of both operations.
func (c *call) agentReportQuery() providers.AgentReportQuery {
	return providers.AgentReportQuery{
		From: c.queryDay("from"), To: c.queryDay("to"), Product: c.QueryID("productId"), Costs: c.in.Member.Role.Includes(parley.Admin),
	}
}

func getAgentReport(d *Dashboard, c *call) (httpjson.Reply, error) {
	query := c.agentReportQuery()
	return get(c, func(r parley.AgentReport) []byte { return wire.AppendAgentReport(nil, &r) }, d.providers.AgentReport(c.visibility(), query))
}

func getAgentReportCSV(d *Dashboard, c *call) (httpjson.Reply, error) {
	query := c.agentReportQuery()
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	report, err := d.providers.AgentReport(c.visibility(), query).Now(c.Context())
	if err != nil {
		return httpjson.Reply{}, err
	}
	body, err := agentReportCSV(&report)
	return csvReply(body, "agent-report-"+report.From.String()+"-to-"+report.To.String()+".csv"), err
}

// agentReportCSV writes a line for each product's day after a header line (RFC 4180),
// with costs in whole units. A day with prices in several currencies has further lines
// with nothing but costs, so that each column can be summed up.
func agentReportCSV(r *parley.AgentReport) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	header := []string{
		"day", "product_id", "product", "met", "resolved", "confirmed", "answered", "cards", "asked_back", "handed_over", "unanswered", "taken", "unfinished",
	}
	if r.Costs {
		header = append(header, "currency", "calls", "agent_tokens", "member_tokens", "reserved_tokens", "agent_cost", "member_cost", "reserved_cost")
	}
	lines := [][]string{header}
	for i := range r.Cells {
		lines = append(lines, agentReportLines(&r.Cells[i], r.Costs)...)
	}
	err := w.WriteAll(lines)
	return b.Bytes(), err
}

// agentReportLines are the lines of a product's day.
func agentReportLines(c *parley.AgentDay, costs bool) [][]string {
	line := func(f *parley.AgentFigures) []string {
		fields := []string{c.Day.String(), c.Product.String(), csvText(c.Name)}
		for _, n := range []int64{f.Met(), f.Resolved(), f.Confirmed, f.Answered, f.Cards, f.AskedBack, f.HandedOver(), f.Unanswered(), f.Taken, f.Unfinished} {
			fields = append(fields, strconv.FormatInt(n, 10))
		}
		return fields
	}
	lines := [][]string{line(&c.AgentFigures)}
	if !costs {
		return lines
	}
	if len(c.Spend) == 0 {
		return [][]string{append(lines[0], "", "0", "0", "0", "0", "0", "0", "0")}
	}
	for i := range c.Spend {
		if i > 0 {
			lines = append(lines, line(&parley.AgentFigures{}))
		}
		s := &c.Spend[i]
		lines[i] = append(lines[i], csvText(s.Currency))
		for _, n := range []int64{s.Calls, s.AgentTokens, s.MemberTokens, s.ReservedTokens} {
			lines[i] = append(lines[i], strconv.FormatInt(n, 10))
		}
		for _, n := range []int64{s.AgentCost, s.MemberCost, s.ReservedCost} {
			lines[i] = append(lines[i], csvMillionths(n))
		}
	}
	return lines
}

// csvMillionths is an amount in whole units: 1500000 is 1.5.
func csvMillionths(n int64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%06d", n/1_000_000, n%1_000_000), "0"), ".")
}
