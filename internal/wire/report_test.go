package wire_test

import (
	"time"

	"parley"
	"parley/internal/wire"
)

// report is a report with a row of times and one without.
func report() []byte {
	r := parley.Report{
		From: 20_000, To: 20_001, By: parley.ByProduct, Total: parley.ReportRow{Label: "Total", Opened: 3},
		Rows: []parley.ReportRow{{Key: id(4).String(), Label: "App", Opened: 2}, {Label: "No product", Opened: 1}},
	}
	for i := range 10 {
		r.Rows[0].FirstResponses.Add(time.Duration(i) * time.Minute)
	}
	r.Rows[0].Resolutions.Add(36 * time.Hour)
	r.Total.FirstResponses, r.Total.Resolutions = r.Rows[0].FirstResponses, r.Rows[0].Resolutions
	return wire.AppendReport(nil, &r)
}

// agentReports are reports on the automated agent, with and without costs.
func agentReports() map[string][]byte {
	figures := parley.AgentFigures{
		Unfinished: 1, Answered: 5, Confirmed: 3, Cards: 2, AskedBack: 1, Taken: 1,
		HandOvers: []parley.HandOvers{{Reason: "no_article", Count: 4}, {Reason: "asked", Count: 2}},
		Spend:     []parley.AgentSpend{{Currency: "EUR", Calls: 9, AgentTokens: 41_200, MemberTokens: 3_800, ReservedTokens: 1, AgentCost: 141_000, MemberCost: 9_000, ReservedCost: 2}},
	}
	r := parley.AgentReport{
		From: 20_000, To: 20_001, Total: figures, Costs: true, Days: []parley.AgentDay{{Day: 20_001, AgentFigures: figures}},
		Products: []parley.AgentProduct{
			{ID: id(4), Mode: parley.AgentAnswers, Budget: parley.AgentBudget{DailyTokens: 500_000, TokensLeft: 1, Currency: "EUR", DailyCost: 2_000_000}, AgentFigures: figures},
			{ID: id(5), Mode: parley.AgentCards, Budget: parley.AgentBudget{DailyTokens: 500_000, TokensLeft: 500_000}},
		},
	}
	whole := wire.AppendAgentReport(nil, &r)
	r.Costs = false
	return map[string][]byte{"agent_report": whole, "agent_report_costless": wire.AppendAgentReport(nil, &r)}
}
