package providers

import (
	"cmp"
	"slices"

	"parley"
	"parley/internal/bot/results"
	"parley/internal/desk"
	"parley/internal/store"
)

// An AgentReportQuery asks what the automated agent did and cost.
type AgentReportQuery struct {
	From, To parley.Optional[parley.Day] // see [parley.ReportDays]
	Product  parley.ID                   // zero: all
	Costs    bool                        // with spend and budgets
}

// AgentReport returns what the automated agent did and what language models cost. The
// figures of the products add up to the total, and so do those of the days. An unknown
// product gives an empty report. A reader who does not see all conversations is Forbidden.
func (svc *Service) AgentReport(vis parley.Visibility, q AgentReportQuery) desk.Read[parley.AgentReport] {
	today := parley.DayOf(svc.base.Clock.Now())
	from, to, err := parley.ReportDays(q.From, q.To, today)
	if err == nil {
		err = vis.NeedsAll()
	}
	if err != nil {
		return desk.Refused[parley.AgentReport](err)
	}
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.AgentReport, error) {
		ws := vis.Workspace()
		r := report{AgentReport: parley.AgentReport{From: from, To: to, Costs: q.Costs}, only: q.Product}
		if err := r.readProducts(v, ws); err != nil {
			return r.AgentReport, err
		}
		if err := r.readResults(v, ws); err != nil {
			return r.AgentReport, err
		}
		if q.Costs {
			if err := r.readCosts(v, ws, today); err != nil {
				return r.AgentReport, err
			}
		}
		r.finish()
		return r.AgentReport, nil
	})
}

// A report is an AgentReport in the making.
type report struct {
	parley.AgentReport

	only  parley.ID                 // zero: all
	at    map[parley.ID]int         // of Products
	cells map[cell]*parley.AgentDay // of Cells
	days  map[parley.Day]*parley.AgentDay
}

type cell struct {
	day     parley.Day
	product parley.ID
}

// productsAtOnce is how many products one statement reads.
const productsAtOnce = 200

// readProducts reads all products that the report is about.
func (r *report) readProducts(v *store.View, ws parley.WorkspaceID) error {
	r.at, r.cells, r.days = map[parley.ID]int{}, map[cell]*parley.AgentDay{}, map[parley.Day]*parley.AgentDay{}
	for after, more := (parley.Position{}), true; more; {
		page, err := v.Products(ws, true, after, productsAtOnce)
		if err != nil {
			return err
		}
		for _, p := range page.Items {
			if r.only.IsZero() || r.only == p.ID {
				r.at[p.ID] = len(r.Products)
				mode := cmp.Or(p.Agent, parley.AgentOff)
				if !p.ArchivedAt.IsZero() {
					mode = parley.AgentOff
				}
				r.Products = append(r.Products, parley.AgentProduct{ID: p.ID, Name: p.Name, Mode: mode})
			}
		}
		after, more = page.Next, page.HasMore
	}
	return nil
}

// add adds something to the product, the day, the cell and the total, so that they add
// up.
func (r *report) add(product parley.ID, day parley.Day, something func(f *parley.AgentFigures)) {
	i, ok := r.at[product]
	if !ok {
		return
	}
	of := r.cells[cell{day, product}]
	if of == nil {
		of = &parley.AgentDay{Day: day, Product: product, Name: r.Products[i].Name}
		r.cells[cell{day, product}] = of
	}
	whole := r.days[day]
	if whole == nil {
		whole = &parley.AgentDay{Day: day}
		r.days[day] = whole
	}
	for _, f := range []*parley.AgentFigures{&r.Products[i].AgentFigures, &of.AgentFigures, &whole.AgentFigures, &r.Total} {
		something(f)
	}
}

func (r *report) readResults(v *store.View, ws parley.WorkspaceID) error {
	counts, err := results.Counts(v, ws, r.From, r.To)
	for _, c := range counts {
		if c.Count != 0 {
			r.add(c.ProductID, c.Day, func(f *parley.AgentFigures) { f.Count(c.Result, c.Reason, c.Count) })
		}
	}
	return err
}

// readCosts reads what models cost, and the budgets of today.
func (r *report) readCosts(v *store.View, ws parley.WorkspaceID, today parley.Day) error {
	spend, err := SelectSpend(v, ws, r.From, r.To)
	if err != nil {
		return err
	}
	for i := range spend {
		if s := &spend[i]; s.Reserved+s.Calls > 0 {
			r.add(s.ProductID, parley.DayOf(s.Day), func(f *parley.AgentFigures) { f.Spent(s) })
		}
	}
	return r.readBudgets(v, ws, today)
}

func (r *report) readBudgets(v *store.View, ws parley.WorkspaceID, today parley.Day) error {
	agents, err := SelectAgents(v, ws)
	if err != nil {
		return err
	}
	all, err := SelectProviders(v, ws)
	if err != nil {
		return err
	}
	spent, err := SelectSpend(v, ws, today, today)
	if err != nil {
		return err
	}
	for i := range r.Products {
		p := &r.Products[i]
		agent := parley.NewProductAgent(p.ID)
		if at := slices.IndexFunc(agents, func(a parley.ProductAgent) bool { return a.ProductID == p.ID }); at >= 0 {
			agent = agents[at]
		}
		p.Budget = parley.AgentBudget{DailyTokens: agent.DailyTokens, TokensLeft: agent.DailyTokens, DailyCost: agent.DailyCost, CostLeft: agent.DailyCost}
		if at := slices.IndexFunc(all, func(m parley.ModelProvider) bool {
			return m.ID == agent.ProviderID || agent.ProviderID.IsZero() && m.Main
		}); at >= 0 {
			p.Budget.Currency = all[at].Currency
		}
		for _, s := range spent {
			if s.ProductID != p.ID {
				continue
			}
			p.Budget.TokensLeft -= s.Reserved + s.TokensIn + s.TokensOut
			if s.Currency == p.Budget.Currency {
				p.Budget.CostLeft -= s.ReservedCost + s.Cost
			}
		}
		p.Budget.TokensLeft, p.Budget.CostLeft = max(0, p.Budget.TokensLeft), max(0, p.Budget.CostLeft)
	}
	return nil
}

// finish sorts what was read, and leaves out products without the agent and without
// figures.
func (r *report) finish() {
	r.Products = slices.DeleteFunc(r.Products, func(p parley.AgentProduct) bool {
		return !p.Mode.On() && p.Met() == 0 && len(p.Spend) == 0
	})
	slices.SortStableFunc(r.Products, func(a, b parley.AgentProduct) int {
		return cmp.Or(cmp.Compare(b.Met(), a.Met()), cmp.Compare(a.Name, b.Name))
	})
	byDay := func(a, b parley.AgentDay) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Product.String(), b.Product.String()))
	}
	for _, d := range r.days {
		r.Days = append(r.Days, *d)
	}
	for _, c := range r.cells {
		r.Cells = append(r.Cells, *c)
	}
	slices.SortFunc(r.Days, byDay)
	slices.SortFunc(r.Cells, byDay)
}
