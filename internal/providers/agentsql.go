package providers

import (
	"strings"

	"parley"
	"parley/internal/store"
)

const agentColumns = "product_id, provider_id, instructions, tone, languages, hosts, daily_tokens, daily_cost, max_turns, created_at, updated_at"

func scanAgent(r store.Row, a *parley.ProductAgent) error {
	var languages, hosts string
	err := r.Scan(&a.ProductID, &a.ProviderID, &a.Instructions, &a.Tone, &languages, &hosts, &a.DailyTokens, &a.DailyCost, &a.MaxTurns, &a.CreatedAt, &a.UpdatedAt)
	for name := range strings.FieldsSeq(languages) {
		a.Languages = append(a.Languages, parley.Language(name))
	}
	a.Hosts = append(a.Hosts, strings.Fields(hosts)...)
	return err
}

// PutAgent inserts or replaces the context of a product.
func PutAgent(tx store.Writer, ws parley.WorkspaceID, a *parley.ProductAgent) error {
	languages := make([]string, len(a.Languages))
	for i, l := range a.Languages {
		languages[i] = string(l)
	}
	return store.Exec(tx, ws, "INSERT INTO product_agents (workspace_id, "+agentColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		ON CONFLICT (workspace_id, product_id) DO UPDATE SET provider_id = $3, instructions = $4, tone = $5, languages = $6, hosts = $7,
			daily_tokens = $8, daily_cost = $9, max_turns = $10, updated_at = $12`,
		a.ProductID, a.ProviderID, a.Instructions, a.Tone, strings.Join(languages, " "), strings.Join(a.Hosts, " "), a.DailyTokens, a.DailyCost, a.MaxTurns,
		a.CreatedAt, a.UpdatedAt)
}

// SelectAgent returns the context of a product.
func SelectAgent(v store.Reader, ws parley.WorkspaceID, product parley.ID) (parley.ProductAgent, error) {
	return store.One(v, ws, "product agent", scanAgent,
		"SELECT "+agentColumns+" FROM product_agents WHERE workspace_id = $1 AND product_id = $2", product)
}

// SelectAgents returns the contexts of all products that have one.
func SelectAgents(v store.Reader, ws parley.WorkspaceID) ([]parley.ProductAgent, error) {
	return store.Many(v, ws, scanAgent, "SELECT "+agentColumns+" FROM product_agents WHERE workspace_id = $1 ORDER BY product_id")
}

// SelectProductsOfProvider returns the products that use a provider of their own
// choice.
func SelectProductsOfProvider(v store.Reader, ws parley.WorkspaceID, provider parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID],
		"SELECT product_id FROM product_agents WHERE workspace_id = $1 AND provider_id = $2 ORDER BY product_id", provider)
}
