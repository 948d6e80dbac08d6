package providers

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/desk"
	"parley/internal/store"
)

// agentOf returns the context of a product, or that of a product that nobody has
// changed.
func agentOf(v store.Reader, ws parley.WorkspaceID, product parley.ID) (parley.ProductAgent, error) {
	a, err := SelectAgent(v, ws, product)
	if parley.KindOf(err) == parley.NotFound {
		return parley.NewProductAgent(product), nil
	}
	return a, err
}

// Agent returns what the automated agent is told for a product.
func (svc *Service) Agent(ws parley.WorkspaceID, product parley.ID) desk.Read[parley.ProductAgent] {
	return desk.View(svc.desk, func(v *store.View) (parley.ProductAgent, error) {
		p, err := v.Product(ws, product)
		if err != nil {
			return parley.ProductAgent{}, err
		}
		a, err := agentOf(v, ws, product)
		a.Mode = cmp.Or(p.Agent, parley.AgentOff)
		return a, err
	})
}

// AgentChange is an update of a product's context. Absent fields stay unchanged.
type AgentChange struct {
	Mode         parley.Optional[parley.AgentMode]
	ProviderID   parley.Optional[parley.ID] // null: the main one
	Instructions parley.Optional[string]
	Tone         parley.Optional[string]
	Languages    parley.Optional[[]parley.Language]
	Hosts        parley.Optional[[]string]
	DailyTokens  parley.Optional[int64]
	DailyCost    parley.Optional[int64] // 0: as the tokens allow
	MaxTurns     parley.Optional[int]
}

// SaveAgent changes what the automated agent is told for a product.
func (svc *Service) SaveAgent(ctx context.Context, by desk.Caller, product parley.ID, in AgentChange) (parley.ProductAgent, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ProductAgent, error) {
		p, err := t.Product(t.WS, product)
		if err != nil {
			return parley.ProductAgent{}, err
		}
		a, err := agentOf(t, t.WS, product)
		if err != nil {
			return a, err
		}
		a.Mode = cmp.Or(p.Agent, parley.AgentOff)
		before := a
		a.Mode = in.Mode.Or(a.Mode)
		if err := change(&a, in); err != nil {
			return a, err
		}
		if !a.ProviderID.IsZero() {
			if _, err := SelectProvider(t, t.WS, a.ProviderID); err != nil {
				return a, err
			}
		}
		if a.CreatedAt.IsZero() {
			a.CreatedAt = t.Now
		}
		a.UpdatedAt = t.Now
		if p.Agent != a.Mode { // the row of the product has it, which every new message reads anyway
			p.Agent = a.Mode
			if err := t.UpdateProduct(t.WS, &p); err != nil {
				return a, err
			}
		}
		if err := recordAgent(t, &before, &a); err != nil {
			return a, err
		}
		return a, PutAgent(t, t.WS, &a)
	})
}

// recordAgent records which settings of a product changed.
func recordAgent(t *desk.Tx, before, after *parley.ProductAgent) error {
	var changed []string
	for _, field := range []struct {
		name    string
		changed bool
	}{
		{"mode", before.Mode != after.Mode}, {"providerId", before.ProviderID != after.ProviderID},
		{"instructions", before.Instructions != after.Instructions}, {"tone", before.Tone != after.Tone},
		{"languages", !slices.Equal(before.Languages, after.Languages)}, {"hosts", !slices.Equal(before.Hosts, after.Hosts)},
		{"dailyTokens", before.DailyTokens != after.DailyTokens}, {"dailyCost", before.DailyCost != after.DailyCost},
		{"maxTurns", before.MaxTurns != after.MaxTurns},
	} {
		if field.changed {
			changed = append(changed, field.name)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return t.Audit.Record(entry.Entry{
		Action: entry.AgentUpdated, SubjectType: entry.SubjectProduct, SubjectID: after.ProductID.String(),
		Changes: recording.WithValues(recording.Fields(changed...), "mode", string(before.Mode), string(after.Mode)),
	})
}

// change applies a change.
func change(a *parley.ProductAgent, in AgentChange) error {
	a.ProviderID = in.ProviderID.Or(a.ProviderID)
	a.Instructions = strings.TrimSpace(in.Instructions.Or(a.Instructions))
	a.Tone = parley.OneLine(in.Tone.Or(a.Tone))
	a.DailyTokens, a.DailyCost, a.MaxTurns = in.DailyTokens.Or(a.DailyTokens), in.DailyCost.Or(a.DailyCost), in.MaxTurns.Or(a.MaxTurns)
	var faults []parley.Fault
	fault := func(wrong bool, field, rule string) {
		if wrong {
			faults = append(faults, parley.Fault{Field: field, Rule: rule})
		}
	}
	fault(utf8.RuneCountInString(a.Instructions) > parley.MaxAgentInstructions, "instructions", "be at most 8000 characters")
	fault(utf8.RuneCountInString(a.Tone) > parley.MaxAgentTone, "tone", "be at most 200 characters")
	fault(a.DailyTokens < 0 || a.DailyTokens > parley.MaxDailyTokens, "dailyTokens", "be from 0 to 1000000000")
	fault(a.DailyCost < 0 || a.DailyCost > parley.MaxDailyCost, "dailyCost", "be from 0 to 1000000000000")
	fault(a.MaxTurns < 1 || a.MaxTurns > parley.MaxAgentTurns, "maxTurns", "be from 1 to 20")
	if in.Languages.Set {
		a.Languages = nil
		for _, given := range in.Languages.Value {
			language, ok := parley.ParseLanguage(string(given))
			fault(!ok, "languages", "have only languages such as en or pt-BR")
			a.Languages = append(a.Languages, language)
		}
		a.Languages = desk.Unique(a.Languages)
		fault(len(a.Languages) > parley.MaxArticleLanguages, "languages", "be at most 20 languages")
	}
	if in.Hosts.Set {
		a.Hosts = nil
		for _, given := range in.Hosts.Value {
			host := strings.ToLower(strings.TrimSpace(given))
			fault(!wellFormedHost(host), "hosts", "have only hosts such as shop.example or *.shop.example")
			a.Hosts = append(a.Hosts, host)
		}
		a.Hosts = desk.Unique(a.Hosts)
		fault(len(a.Hosts) > parley.MaxAgentHosts, "hosts", "be at most 50 hosts")
	}
	if len(faults) == 0 {
		return nil
	}
	return parley.InvalidFields(slices.CompactFunc(faults, func(x, y parley.Fault) bool { return x.Field == y.Field }))
}

// wellFormedHost reports whether links may lead to a host of that name: a name,
// or "*." and a name for all below it.
func wellFormedHost(host string) bool {
	host = strings.TrimPrefix(host, "*.")
	if len(host) > 253 || !strings.Contains(host, ".") {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return true
}
