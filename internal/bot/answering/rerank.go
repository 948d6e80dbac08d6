package answering

import (
	"context"

	"parley"
	"parley/internal/bot/reranking"
)

// maxShare is by what the tokens that a question may use are divided for those of
// its embeddings. The rest is for the answer.
const maxShare = 4

// rerank puts likely hits in order by words and by meaning, if the product may use
// a model and its provider has embeddings. It returns the same hits.
func (w *work) rerank(ctx context.Context, likely []parley.ArticleHit) ([]parley.ArticleHit, error) {
	if len(likely) < 2 || w.q.NoModel || w.q.Product.IsZero() {
		return likely, nil
	}
	chosen, err := w.choose(ctx)
	if parley.KindOf(err) == parley.NotFound || err == nil && !reranking.Able(&chosen.Provider) {
		return likely, nil
	}
	if err != nil {
		return nil, err
	}
	question := reranking.Question{Workspace: w.q.Workspace, Chosen: chosen, Text: w.asked, Articles: make([][]string, len(likely))}
	if w.q.MaxTokens > 0 {
		question.MaxTokens = max(w.q.MaxTokens/maxShare, 1)
	}
	for i := range likely {
		text, err := w.text(ctx, &likely[i])
		if err != nil {
			return nil, err
		}
		if text != nil {
			question.Articles[i] = passages(text, w.asked)
		}
	}
	order, used := w.reranker.Order(ctx, question)
	w.out.Usage = w.out.Usage.Add(used)
	hits := make([]parley.ArticleHit, len(likely))
	for place, i := range order {
		hits[place] = likely[i]
	}
	return hits, nil
}

// passages returns what of a text is compared with a question: its title with its
// description, and the sections that fit best by their words.
func passages(text *parley.PublishedText, question string) []string {
	parts, documents := partsOf(text)
	all := []string{text.Title + "\n" + text.Description}
	for _, i := range inOrder(documents, question, string(text.Language)) {
		if len(all) < reranking.MaxPassages {
			all = append(all, text.Title+"\n"+parts[i])
		}
	}
	return all
}
