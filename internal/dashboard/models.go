package dashboard

import (
	"context"
	"encoding/json"
	"time"

	"parley"
	"parley/internal/bot/simulating"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/model"
	"parley/internal/providers"
	"parley/internal/wire"
)

// spendDays is how many days of spend are shown.
const spendDays = 90

// maxHost is the most characters of a host.
const maxHost = 255

// modelRoutes manage what uses language models.
func modelRoutes() []Route {
	const admin = parley.Admin
	return []Route{
		{"listModelProviders", methodGet, base + "model-providers", admin, false, listModelProviders},
		{"createModelProvider", methodPost, base + "model-providers", admin, false, createModelProvider},
		{"updateModelProvider", methodPatch, base + "model-providers/{id}", admin, false, updateModelProvider},
		{"deleteModelProvider", methodDelete, base + "model-providers/{id}", admin, false, deleteModelProvider},
		{"testModelProvider", methodPost, base + "model-providers/{id}/test", admin, false, testModelProvider},
		{"getProductAgent", methodGet, base + "products/{id}/agent", admin, false, getProductAgent},
		{"updateProductAgent", methodPatch, base + "products/{id}/agent", admin, false, updateProductAgent},
		{"simulateProductAgent", methodPost, base + "products/{id}/agent/simulation", admin, false, simulateProductAgent},
		{"listModelSpend", methodGet, base + "model-spend", admin, false, listModelSpend},
	}
}

func modelProviderReply(p parley.ModelProvider) httpjson.Reply {
	return httpjson.OK(wire.AppendModelProvider(nil, &p))
}

// price is the rule for the price of a million tokens.
func price(raw json.RawMessage) (int64, error) {
	n, err := httpjson.Whole(0, parley.MaxTokenPrice)(raw)
	return int64(n), err
}

func listModelProviders(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(all []parley.ModelProvider) []byte { return wire.AppendData(nil, all, wire.AppendModelProvider) }, d.providers.Providers(c.ws()))
}

func createModelProvider(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := providers.NewProvider{
		Name:           httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxName)),
		BaseURL:        httpjson.Required(c.Reader, "baseUrl", httpjson.Filled(model.MaxBaseURL)),
		Key:            httpjson.ChangeOrNull(c.Reader, "key", httpjson.Filled(model.MaxKey)).Value,
		Model:          httpjson.Required(c.Reader, "model", httpjson.Filled(model.MaxName)),
		EmbeddingModel: httpjson.ChangeOrNull(c.Reader, "embeddingModel", httpjson.Filled(model.MaxName)).Value,
		Currency:       httpjson.Default(c.Reader, "currency", httpjson.Text(3), ""),
		InputPrice:     httpjson.Default(c.Reader, "inputPrice", price, 0),
		OutputPrice:    httpjson.Default(c.Reader, "outputPrice", price, 0),
	}
	return do(c, func(p parley.ModelProvider) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendModelProvider(nil, &p))
	}, func(ctx context.Context, by desk.Caller) (parley.ModelProvider, error) {
		return d.providers.CreateProvider(ctx, by, in)
	})
}

func updateModelProvider(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := providers.ProviderChange{
		Name:           httpjson.Change(c.Reader, "name", httpjson.Filled(parley.MaxName)),
		BaseURL:        httpjson.Change(c.Reader, "baseUrl", httpjson.Filled(model.MaxBaseURL)),
		Key:            httpjson.ChangeOrNull(c.Reader, "key", httpjson.Filled(model.MaxKey)),
		Model:          httpjson.Change(c.Reader, "model", httpjson.Filled(model.MaxName)),
		EmbeddingModel: httpjson.ChangeOrNull(c.Reader, "embeddingModel", httpjson.Filled(model.MaxName)),
		Currency:       httpjson.Change(c.Reader, "currency", httpjson.Text(3)),
		InputPrice:     httpjson.Change(c.Reader, "inputPrice", price),
		OutputPrice:    httpjson.Change(c.Reader, "outputPrice", price),
		Main:           httpjson.Change(c.Reader, "main", httpjson.Bool),
	}
	return do(c, modelProviderReply, func(ctx context.Context, by desk.Caller) (parley.ModelProvider, error) {
		return d.providers.UpdateProvider(ctx, by, id, in)
	})
}

func deleteModelProvider(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, modelProviderReply, func(ctx context.Context, by desk.Caller) (parley.ModelProvider, error) {
		return d.providers.DeleteProvider(ctx, by, id)
	})
}

func testModelProvider(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, modelProviderReply, func(ctx context.Context, by desk.Caller) (parley.ModelProvider, error) {
		return d.providers.TestProvider(ctx, by, id)
	})
}

func appendProductAgent(a parley.ProductAgent) []byte { return wire.AppendProductAgent(nil, &a) }

func getProductAgent(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, appendProductAgent, d.providers.Agent(c.ws(), c.PathID("id")))
}

func updateProductAgent(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	language := func(raw json.RawMessage) (parley.Language, error) {
		text, err := httpjson.Filled(maxHost)(raw)
		return parley.Language(text), err
	}
	tokens := func(raw json.RawMessage) (int64, error) {
		n, err := httpjson.Whole(0, parley.MaxDailyTokens)(raw)
		return int64(n), err
	}
	cost := func(raw json.RawMessage) (int64, error) {
		n, err := httpjson.Whole(1, parley.MaxDailyCost)(raw)
		return int64(n), err
	}
	in := providers.AgentChange{
		Mode:         httpjson.Change(c.Reader, "mode", httpjson.OneOf(parley.AgentModes)),
		ProviderID:   httpjson.ChangeOrNull(c.Reader, "providerId", httpjson.ID),
		Instructions: httpjson.Change(c.Reader, "instructions", httpjson.ContentOrNothing(parley.MaxAgentInstructions)),
		Tone:         httpjson.Change(c.Reader, "tone", httpjson.Text(parley.MaxAgentTone)),
		Languages:    httpjson.Change(c.Reader, "languages", httpjson.ListOf(0, parley.MaxArticleLanguages, language)),
		Hosts:        httpjson.Change(c.Reader, "hosts", httpjson.ListOf(0, parley.MaxAgentHosts, httpjson.Filled(maxHost))),
		DailyTokens:  httpjson.Change(c.Reader, "dailyTokens", tokens),
		DailyCost:    httpjson.ChangeOrNull(c.Reader, "dailyCost", cost),
		MaxTurns:     httpjson.Change(c.Reader, "maxTurns", httpjson.Whole(1, parley.MaxAgentTurns)),
	}
	return do(c, func(a parley.ProductAgent) httpjson.Reply { return httpjson.OK(appendProductAgent(a)) },
		func(ctx context.Context, by desk.Caller) (parley.ProductAgent, error) {
			return d.providers.SaveAgent(ctx, by, id, in)
		})
}

func simulateProductAgent(d *Dashboard, c *call) (httpjson.Reply, error) {
	list := httpjson.List{Workspace: c.ws(), Name: "simulation " + c.PathID("id").String()}
	after := c.QueryCursor("cursor", list)
	c.ReadBody()
	plan := simulating.Plan{
		Workspace: c.ws(), Product: c.PathID("id"),
		Since:     httpjson.Required(c.Reader, "since", httpjson.Time),
		NoModel:   httpjson.Default(c.Reader, "noModel", httpjson.Bool, false),
		MaxTokens: httpjson.Default(c.Reader, "maxTokens", httpjson.Whole(0, parley.MaxSimulationTokens), 0),
	}
	limit := httpjson.Default(c.Reader, "limit", httpjson.Whole(1, parley.MaxSimulationStep), parley.MaxSimulationStep)
	return do(c, func(s simulating.Step) httpjson.Reply {
		return httpjson.OK(wire.AppendPage(nil, s.Answers, s.HasMore, list.Cursor(s.Next), wire.AppendSimulatedAnswer))
	}, func(ctx context.Context, _ desk.Caller) (simulating.Step, error) {
		return d.simulating.Step(ctx, plan, after, limit)
	})
}

func listModelSpend(d *Dashboard, c *call) (httpjson.Reply, error) {
	since := d.clock.Now().Add(-spendDays * 24 * time.Hour)
	return get(c, func(all []parley.ModelSpend) []byte { return wire.AppendData(nil, all, wire.AppendModelSpend) }, d.providers.Spend(c.ws(), since))
}
