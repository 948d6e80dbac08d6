package model

import (
	"context"
	"slices"
)

const (
	// maxBatch is how many texts one exchange embeds.
	maxBatch = 32
	// maxDimension is the most numbers of a vector.
	maxDimension = 8192
	// maxModels is how many names of models are taken from a server.
	maxModels = 1000
)

// Embed returns the vectors of texts, in their order, all of one dimension. A
// vector may be zero. With an error, the usage is what the server may count.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	var all [][]float32
	var used Usage
	for batch := range slices.Chunk(texts, maxBatch) {
		vectors, more, err := c.embed(ctx, batch)
		used = used.Add(more)
		if err != nil {
			return nil, used, err
		}
		if all = append(all, vectors...); len(all[0]) != len(vectors[0]) {
			return nil, used, &Error{Fault: Broken, Status: 200}
		}
	}
	return all, used, nil
}

func (c *Client) embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	used := EstimateTexts(texts)
	x, err := c.open(ctx, "/embeddings", struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{c.server.EmbeddingModel, texts}, c.times.Whole)
	if err != nil {
		return nil, spent(err, used.In), err
	}
	defer x.end()
	var body struct {
		Data few[struct {
			Index  int       `json:"index"`
			Vector []float32 `json:"embedding"`
		}] `json:"data"`
		Usage *usageBody `json:"usage"`
	}
	if err := x.whole(&body); err != nil {
		return nil, used, err
	}
	if body.Usage != nil && body.Usage.In > 0 && body.Usage.In <= maxTokens {
		used = Usage{In: body.Usage.In}
	}
	vectors := make([][]float32, len(texts))
	for _, one := range body.Data {
		if one.Index < 0 || one.Index >= len(texts) || vectors[one.Index] != nil {
			return nil, used, &Error{Fault: Broken, Status: 200}
		}
		vectors[one.Index] = one.Vector
	}
	dimension := len(vectors[0])
	for _, vector := range vectors {
		if len(vector) != dimension || dimension == 0 || dimension > maxDimension {
			return nil, used, &Error{Fault: Broken, Status: 200}
		}
	}
	return vectors, used, nil
}

// Models returns the names of the server's models, sorted. Servers need not have
// such a list.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	x, err := c.open(ctx, "/models", nil, c.times.Whole)
	if err != nil {
		return nil, err
	}
	defer x.end()
	var body struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := x.whole(&body); err != nil {
		return nil, err
	}
	var names []string
	for _, one := range body.Data {
		if CheckName(one.ID) == nil && len(names) < maxModels {
			names = append(names, one.ID)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
