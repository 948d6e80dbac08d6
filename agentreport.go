package parley

import (
	"cmp"
	"slices"
)

// An AgentResult is what became of a conversation that the automated agent met. Each
// has one at any time, counted for the product and the day (UTC) of its first question.
// A conversation that is reopened after it was resolved is met anew.
type AgentResult string

// The results.
const (
	AgentUnfinished       AgentResult = "unfinished"  // the agent has not said anything yet
	AgentAnswered         AgentResult = "answered"    // its last message is an answer, and nobody else was needed
	AgentConfirmed        AgentResult = "confirmed"   // the customer said that an answer or an article helped, and asked nothing more
	AgentShowedCards      AgentResult = "cards"       // it last showed articles, and nobody said that they helped
	AgentAskedBack        AgentResult = "asked_back"  // it last asked what the customer means
	AgentHandedOverResult AgentResult = "handed_over" // it handed over, for a reason
	AgentTakenOver        AgentResult = "taken"       // somebody took it without a hand-over
)

// NoArticleFound is the reason of a hand-over without an article that is likely to
// answer.
const NoArticleFound HandOverReason = "no_article"

// An AgentReport says what the automated agent did between two days, both included,
// and what language models cost.
type AgentReport struct {
	From, To Day
	Products []AgentProduct // with the agent, or with figures; those with most conversations first
	Days     []AgentDay     // with figures, in order
	Cells    []AgentDay     // the same by day and product
	Total    AgentFigures
	Costs    bool // whether it has spend and budgets
}

// An AgentProduct is a product in a report.
type AgentProduct struct {
	ID     ID
	Name   string
	Mode   AgentMode // now
	Budget AgentBudget
	AgentFigures
}

// An AgentDay is a day in a report, or a product's day.
type AgentDay struct {
	Day     Day
	Product ID     // of a cell
	Name    string // of the Product
	AgentFigures
}

// An AgentBudget is what a product may use on a day, and what is left of it today.
// Amounts are in millionths of the Currency.
type AgentBudget struct {
	DailyTokens, TokensLeft int64
	Currency                string // of the provider's prices, "" if there is none
	DailyCost, CostLeft     int64  // 0 without a limit
}

// AgentFigures are counts of conversations by result, and what models used.
type AgentFigures struct {
	Unfinished, Answered, Confirmed, Cards, AskedBack, Taken int64
	HandOvers                                                []HandOvers  // by reason, the most first
	Spend                                                    []AgentSpend // by currency
}

// HandOvers are hand-overs for a reason.
type HandOvers struct {
	Reason HandOverReason
	Count  int64
}

// AgentSpend is what language models used, at the prices of one currency. Costs are
// in its millionths. Reserved is what calls that never reported their end had taken
// from a budget.
type AgentSpend struct {
	Currency                                  string
	Calls                                     int64
	AgentTokens, MemberTokens, ReservedTokens int64
	AgentCost, MemberCost, ReservedCost       int64
}

// Met is how many conversations the agent met: the sum of all results.
func (f *AgentFigures) Met() int64 {
	return f.Unfinished + f.Resolved() + f.Cards + f.AskedBack + f.Taken + f.HandedOver()
}

// Resolved is how many conversations needed nobody but the agent: the customer
// confirmed that, or the agent's answer was the last word.
func (f *AgentFigures) Resolved() int64 { return f.Confirmed + f.Answered }

// HandedOver is how many conversations were handed over.
func (f *AgentFigures) HandedOver() int64 {
	n := int64(0)
	for _, h := range f.HandOvers {
		n += h.Count
	}
	return n
}

// Unanswered is how many of these no article was likely to answer.
func (f *AgentFigures) Unanswered() int64 {
	for _, h := range f.HandOvers {
		if h.Reason == NoArticleFound {
			return h.Count
		}
	}
	return 0
}

// Count adds conversations with a result. One that this version does not know counts
// as unfinished, so that the parts still add up.
func (f *AgentFigures) Count(result AgentResult, reason HandOverReason, n int64) {
	switch result {
	case AgentAnswered:
		f.Answered += n
	case AgentConfirmed:
		f.Confirmed += n
	case AgentShowedCards:
		f.Cards += n
	case AgentAskedBack:
		f.AskedBack += n
	case AgentTakenOver:
		f.Taken += n
	case AgentHandedOverResult:
		f.handOver(reason, n)
	default:
		f.Unfinished += n
	}
}

func (f *AgentFigures) handOver(reason HandOverReason, n int64) {
	if n == 0 {
		return
	}
	i := slices.IndexFunc(f.HandOvers, func(h HandOvers) bool { return h.Reason == reason })
	if i < 0 {
		i = len(f.HandOvers)
		f.HandOvers = append(f.HandOvers, HandOvers{Reason: reason})
	}
	f.HandOvers[i].Count += n
	slices.SortFunc(f.HandOvers, func(a, b HandOvers) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason))
	})
}

// Spent adds what a feature used.
func (f *AgentFigures) Spent(s *ModelSpend) {
	i, found := slices.BinarySearchFunc(f.Spend, s.Currency, func(have AgentSpend, currency string) int { return cmp.Compare(have.Currency, currency) })
	if !found {
		f.Spend = slices.Insert(f.Spend, i, AgentSpend{Currency: s.Currency})
	}
	sum := &f.Spend[i]
	sum.Calls += s.Calls
	sum.ReservedTokens += s.Reserved
	sum.ReservedCost += s.ReservedCost
	if s.Feature == FeatureAgent {
		sum.AgentTokens += s.TokensIn + s.TokensOut
		sum.AgentCost += s.Cost
	} else {
		sum.MemberTokens += s.TokensIn + s.TokensOut
		sum.MemberCost += s.Cost
	}
}
