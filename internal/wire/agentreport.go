package wire

import "parley"

// AppendAgentReport appends what the automated agent did, and what it cost if the
// report has costs.
func AppendAgentReport(b []byte, r *parley.AgentReport) []byte {
	o := open(b)
	o.text("from", r.From.String())
	o.text("to", r.To.String())
	list(&o, "products", r.Products, func(b []byte, p *parley.AgentProduct) []byte {
		row := open(b)
		row.id("productId", p.ID)
		row.text("mode", string(p.Mode))
		row.agentFigures("figures", &p.AgentFigures, r.Costs)
		row.agentBudget(&p.Budget, r.Costs)
		return row.close()
	})
	list(&o, "days", r.Days, func(b []byte, d *parley.AgentDay) []byte {
		row := open(b)
		row.text("day", d.Day.String())
		row.agentFigures("figures", &d.AgentFigures, r.Costs)
		return row.close()
	})
	o.agentFigures("total", &r.Total, r.Costs)
	return o.close()
}

// agentFigures writes figures, whose spend is null without costs.
func (o *object) agentFigures(name string, f *parley.AgentFigures, costs bool) {
	m := o.object(name)
	m.integer("met", f.Met())
	m.integer("resolved", f.Resolved())
	m.integer("confirmed", f.Confirmed)
	m.integer("answered", f.Answered)
	m.integer("cards", f.Cards)
	m.integer("askedBack", f.AskedBack)
	m.integer("handedOver", f.HandedOver())
	m.integer("unanswered", f.Unanswered())
	list(&m, "handOvers", f.HandOvers, func(b []byte, h *parley.HandOvers) []byte {
		row := open(b)
		row.text("reason", string(h.Reason))
		row.integer("count", h.Count)
		return row.close()
	})
	m.integer("taken", f.Taken)
	m.integer("unfinished", f.Unfinished)
	if costs {
		list(&m, "spend", f.Spend, appendAgentSpend)
	} else {
		m.null("spend")
	}
	o.put(m)
}

func appendAgentSpend(b []byte, s *parley.AgentSpend) []byte {
	o := open(b)
	o.text("currency", s.Currency)
	o.integer("calls", s.Calls)
	o.integer("agentTokens", s.AgentTokens)
	o.integer("memberTokens", s.MemberTokens)
	o.integer("reservedTokens", s.ReservedTokens)
	o.integer("agentCost", s.AgentCost)
	o.integer("memberCost", s.MemberCost)
	o.integer("reservedCost", s.ReservedCost)
	return o.close()
}

// agentBudget writes a budget, or null without costs.
func (o *object) agentBudget(budget *parley.AgentBudget, costs bool) {
	if !costs {
		o.null("budget")
		return
	}
	b := o.object("budget")
	b.integer("dailyTokens", budget.DailyTokens)
	b.integer("tokensLeft", budget.TokensLeft)
	b.textOrNull("currency", budget.Currency)
	b.integerOrNull("dailyCost", budget.DailyCost)
	if budget.DailyCost == 0 {
		b.null("costLeft")
	} else {
		b.integer("costLeft", budget.CostLeft)
	}
	o.put(b)
}
