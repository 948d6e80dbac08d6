package store_test

import (
	"errors"
	"time"

	"parley"
	"parley/internal/providers"
	"parley/internal/store"
)

// modelling is what a world has of language models.
type modelling struct {
	provider parley.ModelProvider
	sealed   []byte
	agent    parley.ProductAgent
	spend    parley.ModelSpend
}

func newModelling(w *world, text string, full bool) modelling {
	m := modelling{
		provider: parley.ModelProvider{
			ID: ids.New(at(90)), Name: text, BaseURL: text, HasKey: full, Model: text, EmbeddingModel: text, Problem: text, Currency: text,
			CreatedAt: at(90), UpdatedAt: at(91),
		},
		agent: parley.ProductAgent{ProductID: w.product.ID, Instructions: text, Tone: text, DailyTokens: 1 << 40, DailyCost: 1 << 41, MaxTurns: 1 << 20, CreatedAt: at(92), UpdatedAt: at(93)},
		spend: parley.ModelSpend{ProductID: w.product.ID, Day: at(94).Truncate(24 * time.Hour), Currency: text, Feature: parley.ModelFeature(text), Reserved: 1 << 40, ReservedCost: 1 << 41, TokensIn: 1, TokensOut: 2, Calls: 3, Cost: 1 << 40},
	}
	if full {
		m.sealed = []byte(text)
		m.provider.Capabilities = parley.ModelCapabilities{MaxTokensName: "max_tokens", Temperature: true, Streaming: true, Tools: true, Dimension: 1 << 20}
		m.provider.TestedAt, m.provider.InputPrice, m.provider.OutputPrice, m.provider.Main = at(95), 1<<40, 7, true
		m.agent.ProviderID, m.agent.Languages, m.agent.Hosts = m.provider.ID, []parley.Language{"en", "pt-BR"}, []string{"shop.example"}
	}
	return m
}

func (m *modelling) insert(tx *store.Tx, ws parley.WorkspaceID) error {
	return errors.Join(providers.InsertProvider(tx, ws, &m.provider, m.sealed), providers.PutAgent(tx, ws, &m.agent), providers.AddSpend(tx, ws, &m.spend))
}

// modelReads are the rows of reads about language models.
func modelReads(w *world) map[string]read {
	m := &w.models
	users := []parley.ID(nil)
	if !m.agent.ProviderID.IsZero() {
		users = append(users, m.agent.ProductID)
	}
	return map[string]read{
		"Provider": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return providers.SelectProvider(v, ws, m.provider.ID)
		}, m.provider},
		"Providers": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return providers.SelectProviders(v, ws) }, []parley.ModelProvider{m.provider}},
		"Agent": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return providers.SelectAgent(v, ws, w.product.ID)
		}, m.agent},
		"Agents": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return providers.SelectAgents(v, ws)
		}, []parley.ProductAgent{m.agent}},
		"ProductsOfProvider": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return providers.SelectProductsOfProvider(v, ws, m.provider.ID)
		}, users},
		"Spent": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return providers.SelectSpent(v, ws, w.product.ID, m.spend.Day, m.spend.Currency)
		}, providers.Spent{Tokens: m.spend.Reserved + m.spend.TokensIn + m.spend.TokensOut, Cost: m.spend.ReservedCost + m.spend.Cost}},
		"Spend": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return providers.SelectSpend(v, ws, parley.DayOf(m.spend.Day), parley.DayOf(m.spend.Day))
		}, []parley.ModelSpend{m.spend}},
	}
}

// like is [world.like] for language models.
func (m *modelling) like(of *modelling) {
	changed := *of
	changed.provider.Name, changed.provider.BaseURL, changed.provider.HasKey, changed.provider.Model, changed.provider.Currency = odd, odd, true, odd, odd
	changed.provider.Capabilities, changed.provider.Problem, changed.provider.TestedAt, changed.provider.UpdatedAt = parley.ModelCapabilities{Usage: true}, "", at(96), at(97)
	changed.provider.InputPrice, changed.provider.Main = 8, true
	changed.sealed = []byte(odd)
	changed.agent.ProviderID, changed.agent.Instructions, changed.agent.Languages, changed.agent.Hosts = parley.ID{}, odd, []parley.Language{"fr"}, nil
	changed.agent.DailyTokens, changed.agent.DailyCost, changed.agent.UpdatedAt = 0, 0, at(98)
	changed.spend.Reserved, changed.spend.ReservedCost, changed.spend.Calls = of.spend.Reserved-5, of.spend.ReservedCost-6, of.spend.Calls+1
	*m = changed
}

// update gives the records of the world the values of m.
func (m *modelling) update(tx *store.Tx, ws parley.WorkspaceID) error {
	added := parley.ModelSpend{ProductID: m.spend.ProductID, Day: m.spend.Day, Currency: m.spend.Currency, Feature: m.spend.Feature, Reserved: -5, ReservedCost: -6, Calls: 1}
	return errors.Join(
		providers.UpdateProvider(tx, ws, &m.provider, m.sealed),
		providers.UpdateProviderTest(tx, ws, &m.provider),
		providers.UpdateMainProvider(tx, ws, m.provider.ID),
		providers.PutAgent(tx, ws, &m.agent),
		providers.AddSpend(tx, ws, &added),
	)
}

// modelsRemoved are the reads that find nothing after [modelling.remove].
var modelsRemoved = []string{"Provider", "Providers", "Spend"}

func (m *modelling) remove(tx *store.Tx, ws parley.WorkspaceID) error {
	free := m.agent
	free.ProviderID = parley.ID{}
	return errors.Join(providers.PutAgent(tx, ws, &free), providers.DeleteProvider(tx, ws, m.provider.ID), providers.DeleteSpendBefore(tx, ws, m.spend.Day.Add(24*time.Hour)))
}
