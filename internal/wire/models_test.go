package wire_test

import (
	"parley"
	"parley/internal/wire"
)

// modelShapes are the shapes of what uses language models.
func modelShapes() map[string][]byte {
	provider := parley.ModelProvider{
		ID: id(1), Name: "Example <1>", BaseURL: "https://api.example/v1", HasKey: true, Model: "large", EmbeddingModel: "small",
		Capabilities: parley.ModelCapabilities{
			MaxTokensName: "max_tokens", Temperature: true, Streaming: true, Usage: true, StreamUsage: true, JSONSchema: true, JSONObject: true, Tools: true, Dimension: 1024,
		},
		TestedAt: at(2), Currency: "EUR", InputPrice: 2_500_000, OutputPrice: 10_000_000, Main: true, CreatedAt: at(1), UpdatedAt: at(3),
	}
	broken := parley.ModelProvider{ID: id(2), Name: "B", BaseURL: "http://localhost:11434/v1", Model: "m", Problem: "The server did not answer in time.", TestedAt: at(1), Currency: "USD", CreatedAt: at(1), UpdatedAt: at(1)}
	agent := parley.ProductAgent{
		ProductID: id(4), ProviderID: id(1), Instructions: "Be kind.\n", Tone: "warm", Languages: []parley.Language{"en", "pt-BR"}, Hosts: []string{"shop.example"},
		DailyTokens: 1000, DailyCost: 2000, MaxTurns: 3, CreatedAt: at(1), UpdatedAt: at(2),
	}
	plain := parley.NewProductAgent(id(4))
	spend := parley.ModelSpend{ProductID: id(4), Day: at(1), Currency: "EUR", Feature: parley.FeatureDraft, Reserved: 1, ReservedCost: 6, TokensIn: 2, TokensOut: 3, Calls: 4, Cost: 5}
	helped := wire.AssistResult{
		Text: "It costs <€5>.\n", Language: "en", Sources: []wire.AssistSource{{ArticleID: id(5), Language: "en", Title: "Prices"}},
		Unchecked: []wire.AssistClaim{{Kind: "price", Text: "€5"}},
	}
	return map[string][]byte{
		"assist_result":          wire.AppendAssistResult(nil, &helped),
		"assist_problem":         wire.AppendAssistResult(nil, &wire.AssistResult{Problem: "No."}),
		"assist_piece":           wire.AppendAssistPiece(nil, "It <costs>\n"),
		"assist_available":       wire.AppendAssistAvailable(nil, true),
		"model_provider":         wire.AppendModelProvider(nil, &provider),
		"model_provider_problem": wire.AppendModelProvider(nil, &broken),
		"model_spend":            wire.AppendModelSpend(nil, &spend),
		"product_agent":          wire.AppendProductAgent(nil, &agent),
		"product_agent_plain":    wire.AppendProductAgent(nil, &plain),
	}
}
