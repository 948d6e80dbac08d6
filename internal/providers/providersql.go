package providers

import (
	"encoding/json"

	"parley"
	"parley/internal/store"
)

// capabilities are those of a server as they are stored.
type capabilities struct {
	MaxTokensName string `json:"maxTokensName"`
	Temperature   bool   `json:"temperature"`
	Streaming     bool   `json:"streaming"`
	Usage         bool   `json:"usage"`
	StreamUsage   bool   `json:"streamUsage"`
	JSONSchema    bool   `json:"jsonSchema"`
	JSONObject    bool   `json:"jsonObject"`
	Tools         bool   `json:"tools"`
	Dimension     int    `json:"dimension"`
}

func stored(c parley.ModelCapabilities) (string, error) {
	text, err := json.Marshal(capabilities(c))
	return string(text), err
}

const providerColumns = `provider_id, name, base_url, length(sealed) > 0, model, embedding_model, capabilities, problem, tested_at, currency,
	input_price, output_price, main, created_at, updated_at`

func scanProvider(r store.Row, p *parley.ModelProvider) error {
	var can string
	err := r.Scan(&p.ID, &p.Name, &p.BaseURL, &p.HasKey, &p.Model, &p.EmbeddingModel, &can, &p.Problem, &p.TestedAt, &p.Currency,
		&p.InputPrice, &p.OutputPrice, &p.Main, &p.CreatedAt, &p.UpdatedAt)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(can), (*capabilities)(&p.Capabilities))
}

// A sealedProvider is a provider with its encrypted key.
type sealedProvider struct {
	parley.ModelProvider

	Sealed []byte
}

func scanSealedProvider(r store.Row, p *sealedProvider) error {
	return scanProvider(r.Behind(&p.Sealed), &p.ModelProvider)
}

// InsertProvider stores a new provider.
func InsertProvider(tx store.Writer, ws parley.WorkspaceID, p *parley.ModelProvider, sealed []byte) error {
	can, err := stored(p.Capabilities)
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, `INSERT INTO model_providers (workspace_id, provider_id, name, base_url, sealed, model, embedding_model, capabilities,
		problem, tested_at, currency, input_price, output_price, main, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		p.ID, p.Name, p.BaseURL, sealed, p.Model, p.EmbeddingModel, can, p.Problem, p.TestedAt, p.Currency, p.InputPrice, p.OutputPrice, p.Main,
		p.CreatedAt, p.UpdatedAt)
}

// UpdateProvider stores the fields of a provider that can change, but for
// whether it is the main one.
func UpdateProvider(tx store.Writer, ws parley.WorkspaceID, p *parley.ModelProvider, sealed []byte) error {
	can, err := stored(p.Capabilities)
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, `UPDATE model_providers SET name = $3, base_url = $4, sealed = $5, model = $6, embedding_model = $7, capabilities = $8,
		problem = $9, tested_at = $10, currency = $11, input_price = $12, output_price = $13, updated_at = $14
		WHERE workspace_id = $1 AND provider_id = $2`,
		p.ID, p.Name, p.BaseURL, sealed, p.Model, p.EmbeddingModel, can, p.Problem, p.TestedAt, p.Currency, p.InputPrice, p.OutputPrice, p.UpdatedAt)
}

// UpdateProviderTest stores what a test found.
func UpdateProviderTest(tx store.Writer, ws parley.WorkspaceID, p *parley.ModelProvider) error {
	can, err := stored(p.Capabilities)
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, "UPDATE model_providers SET capabilities = $3, problem = $4, tested_at = $5 WHERE workspace_id = $1 AND provider_id = $2",
		p.ID, can, p.Problem, p.TestedAt)
}

// UpdateMainProvider makes a provider the main one, and no other.
func UpdateMainProvider(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "UPDATE model_providers SET main = (provider_id = $2) WHERE workspace_id = $1", id)
}

// DeleteProvider deletes a provider.
func DeleteProvider(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM model_providers WHERE workspace_id = $1 AND provider_id = $2", id)
}

// SelectProvider returns a provider.
func SelectProvider(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.ModelProvider, error) {
	return store.One(v, ws, "model provider", scanProvider,
		"SELECT "+providerColumns+" FROM model_providers WHERE workspace_id = $1 AND provider_id = $2", id)
}

// SelectProviders returns the providers, oldest first.
func SelectProviders(v store.Reader, ws parley.WorkspaceID) ([]parley.ModelProvider, error) {
	return store.Many(v, ws, scanProvider, "SELECT "+providerColumns+" FROM model_providers WHERE workspace_id = $1 ORDER BY created_at, provider_id")
}

// selectSealedProvider returns a provider with its encrypted key.
func selectSealedProvider(v store.Reader, ws parley.WorkspaceID, id parley.ID) (sealedProvider, error) {
	return store.One(v, ws, "model provider", scanSealedProvider,
		"SELECT sealed, "+providerColumns+" FROM model_providers WHERE workspace_id = $1 AND provider_id = $2", id)
}

// selectMainProvider returns the main provider with its encrypted key.
func selectMainProvider(v store.Reader, ws parley.WorkspaceID) (sealedProvider, error) {
	return store.One(v, ws, "model provider", scanSealedProvider,
		"SELECT sealed, "+providerColumns+" FROM model_providers WHERE workspace_id = $1 AND main")
}
