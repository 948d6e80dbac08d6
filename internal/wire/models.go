package wire

import "parley"

// AppendModelProvider appends a server of language models, without its key.
func AppendModelProvider(b []byte, p *parley.ModelProvider) []byte {
	o := open(b)
	o.id("id", p.ID)
	o.text("name", p.Name)
	o.text("baseUrl", p.BaseURL)
	o.boolean("hasKey", p.HasKey)
	o.text("model", p.Model)
	o.textOrNull("embeddingModel", p.EmbeddingModel)
	c := o.object("capabilities")
	c.textOrNull("maxTokensName", p.Capabilities.MaxTokensName)
	c.boolean("temperature", p.Capabilities.Temperature)
	c.boolean("streaming", p.Capabilities.Streaming)
	c.boolean("usage", p.Capabilities.Usage)
	c.boolean("streamUsage", p.Capabilities.StreamUsage)
	c.boolean("jsonSchema", p.Capabilities.JSONSchema)
	c.boolean("jsonObject", p.Capabilities.JSONObject)
	c.boolean("tools", p.Capabilities.Tools)
	c.integerOrNull("dimension", int64(p.Capabilities.Dimension))
	o.put(c)
	o.textOrNull("problem", p.Problem)
	o.timeOrNull("testedAt", p.TestedAt)
	o.text("currency", p.Currency)
	o.integer("inputPrice", p.InputPrice)
	o.integer("outputPrice", p.OutputPrice)
	o.boolean("main", p.Main)
	o.boolean("toy", p.Toy())
	o.time("createdAt", p.CreatedAt)
	o.time("updatedAt", p.UpdatedAt)
	return o.close()
}

// AppendProductAgent appends what the automated agent is told for a product.
func AppendProductAgent(b []byte, a *parley.ProductAgent) []byte {
	o := open(b)
	o.id("productId", a.ProductID)
	o.text("mode", string(a.Mode))
	o.idOrNull("providerId", a.ProviderID)
	o.text("instructions", a.Instructions)
	o.text("tone", a.Tone)
	texts(&o, "languages", a.Languages)
	texts(&o, "hosts", a.Hosts)
	o.integer("dailyTokens", a.DailyTokens)
	o.integerOrNull("dailyCost", a.DailyCost)
	o.integer("maxTurns", int64(a.MaxTurns))
	o.timeOrNull("updatedAt", a.UpdatedAt)
	return o.close()
}

// AppendModelSpend appends what a product used on a day.
func AppendModelSpend(b []byte, s *parley.ModelSpend) []byte {
	o := open(b)
	o.id("productId", s.ProductID)
	o.text("day", day(s.Day))
	o.text("currency", s.Currency)
	o.text("feature", string(s.Feature))
	o.integer("reserved", s.Reserved)
	o.integer("reservedCost", s.ReservedCost)
	o.integer("tokensIn", s.TokensIn)
	o.integer("tokensOut", s.TokensOut)
	o.integer("calls", s.Calls)
	o.integer("cost", s.Cost)
	return o.close()
}
