package parley

import "time"

// Limits of what uses language models.
const (
	// MaxModelProviders is the most servers of models of a workspace.
	MaxModelProviders = 20
	// MaxAgentInstructions is the most characters of a product's instructions.
	MaxAgentInstructions = 8000
	// MaxAgentTone is the most characters of a product's tone.
	MaxAgentTone = 200
	// MaxAgentHosts is the most hosts to which links of answers may lead.
	MaxAgentHosts = 50
	// MaxAgentTurns is the most answers of the agent in a row.
	MaxAgentTurns = 20
	// MaxDailyTokens is the most tokens that a product may use on a day.
	MaxDailyTokens = 1_000_000_000
	// MaxDailyCost is the highest cost that a product may have on a day, in
	// millionths of a currency.
	MaxDailyCost = 1_000_000 * 1_000_000
	// MaxTokenPrice is the highest price of a million tokens, in millionths.
	MaxTokenPrice = 100_000 * 1_000_000
	// ModelSpendRetention is how long the spend of a day is kept.
	ModelSpendRetention = 2 * 365 * 24 * time.Hour
)

// ToyModelURL is the address of the demo's toy model, which quotes sentences of
// articles. It leads into the process of a demo and, as a name that cannot be
// registered (RFC 6761), nowhere else.
const ToyModelURL = "http://toy.invalid/v1"

// A ModelProvider is a server of language models with one of its models. Its key
// is stored encrypted, and never shown.
type ModelProvider struct {
	ID             ID
	Name           string
	BaseURL        string // of the interface, such as https://api.example/v1
	HasKey         bool
	Model          string
	EmbeddingModel string // "" for none
	Capabilities   ModelCapabilities
	Problem        string    // why the last test failed, for people; "" if it did not
	TestedAt       time.Time // zero: never, since the server was entered or changed
	Currency       string    // of the prices, such as EUR
	InputPrice     int64     // of a million tokens, in millionths of the currency; 0 if unknown
	OutputPrice    int64
	Main           bool // products without a provider of their own use it
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Toy reports whether the provider is the demo's toy model.
func (p *ModelProvider) Toy() bool { return p.BaseURL == ToyModelURL }

// Cost returns the price of tokens, in millionths of the currency.
func (p *ModelProvider) Cost(in, out int64) int64 {
	return (in*(p.InputPrice/1000) + out*(p.OutputPrice/1000)) / 1000
}

// ModelCapabilities are what a test found that a server can. The zero value asks
// for nothing that any server lacks.
type ModelCapabilities struct {
	MaxTokensName string // the name of the limit of an answer, "" if the server takes none
	Temperature   bool
	Streaming     bool
	Usage         bool // it tells what an answer cost; otherwise the cost is estimated
	StreamUsage   bool
	JSONSchema    bool
	JSONObject    bool
	Tools         bool
	Dimension     int // of embeddings; 0 for none
}

// A ProductAgent is what the automated agent is told for a product, and its
// limits.
type ProductAgent struct {
	ProductID    ID
	Mode         AgentMode
	ProviderID   ID         // zero: the workspace's main one
	Instructions string     // at most MaxAgentInstructions characters
	Tone         string     // at most MaxAgentTone characters
	Languages    []Language // in which it answers; none: in every one
	Hosts        []string   // to which links of answers may lead; none: to where the articles link
	DailyTokens  int64      // that may be used for the product on a day (UTC)
	DailyCost    int64      // what may be spent on a day, in millionths of the provider's currency; 0: as the tokens allow
	MaxTurns     int        // how many answers it may give in a row, 1 to MaxAgentTurns
	CreatedAt    time.Time  // zero: nobody has changed anything yet
	UpdatedAt    time.Time
}

// NewProductAgent returns the context of a product that nobody has changed.
func NewProductAgent(product ID) ProductAgent {
	return ProductAgent{ProductID: product, Mode: AgentOff, DailyTokens: 500_000, MaxTurns: 6}
}

// A ModelFeature is what a model is used for.
type ModelFeature string

// The features. All but the first help members.
const (
	FeatureAgent     ModelFeature = "agent"
	FeatureDraft     ModelFeature = "draft"
	FeatureSummary   ModelFeature = "summary"
	FeatureRewrite   ModelFeature = "rewrite"
	FeatureTranslate ModelFeature = "translate"
)

// ModelSpend is what a feature used for a product on a day.
type ModelSpend struct {
	ProductID    ID
	Day          time.Time // its start in UTC
	Currency     string
	Feature      ModelFeature
	Reserved     int64 // tokens of calls without an end
	ReservedCost int64 // what they cost at most
	TokensIn     int64
	TokensOut    int64
	Calls        int64
	Cost         int64 // in millionths of the currency
}
