package dashboard

import (
	"context"

	"parley"
	"parley/internal/assist"
	"parley/internal/httpjson"
	"parley/internal/surface"
	"parley/internal/wire"
)

// assistRoutes help members to write.
func assistRoutes() []Route {
	return []Route{
		{"getAssist", methodGet, base + "assist", parley.Agent, false, getAssist},
		{"assist", methodPost, base + "conversations/{id}/assist", parley.Agent, false, runAssist},
	}
}

func getAssist(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(is bool) []byte { return wire.AppendAssistAvailable(nil, is) }, d.assist.Available(c.ws()))
}

// maxLanguage is the most characters of a language.
const maxLanguage = 35

func runAssist(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := assist.Request{
		Conversation: id,
		Task:         httpjson.Required(c.Reader, "task", httpjson.OneOf([]assist.Task{assist.Draft, assist.Summarize, assist.Rewrite, assist.Translate})),
		Style:        httpjson.Default(c.Reader, "style", httpjson.OneOf([]assist.Style{assist.Shorter, assist.Friendlier, assist.Formal, assist.Spelling}), ""),
		Reader:       httpjson.Default(c.Reader, "reader", httpjson.OneOf([]assist.Reader{assist.ForCustomer, assist.ForMember}), ""),
		Text:         httpjson.Default(c.Reader, "text", httpjson.ContentOrNothing(assist.MaxText), ""),
		Notes:        httpjson.Default(c.Reader, "notes", httpjson.Bool, false),
	}
	if text := httpjson.Default(c.Reader, "language", httpjson.Text(maxLanguage), ""); text != "" {
		language, ok := parley.ParseLanguage(text)
		if in.Language = language; !ok {
			c.Refuse("language", parley.LanguageRule)
		}
	}
	if in.Task == assist.Rewrite && in.Style == "" {
		c.Refuse("style", "be set to rewrite")
	}
	if in.Task == assist.Translate && in.Reader == "" {
		c.Refuse("reader", "be set to translate")
	}
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	job, err := d.assist.Prepare(c.Context(), c.visibility(), in)
	if err != nil {
		return httpjson.Reply{}, err
	}
	return c.Pieces(func(send func(surface.Piece) error) error { return assisted(c.Context(), job, send) })
}

// assisted runs a job, and sends what it makes.
func assisted(ctx context.Context, job *assist.Job, send func(surface.Piece) error) error {
	result, err := job.Run(ctx, func(text string) error {
		return send(surface.Piece{Event: "piece", Data: wire.AppendAssistPiece(nil, text)})
	})
	if err != nil {
		_ = send(surface.Piece{Event: "done", Data: wire.AppendAssistResult(nil, &wire.AssistResult{Problem: "Something went wrong. Try again."})})
		return err
	}
	shown := wire.AssistResult{Text: result.Text, Language: result.Language, Problem: result.Problem}
	for _, s := range result.Sources {
		shown.Sources = append(shown.Sources, wire.AssistSource{ArticleID: s.ArticleID, Language: s.Language, Title: s.Title})
	}
	for _, claim := range result.Unchecked {
		shown.Unchecked = append(shown.Unchecked, wire.AssistClaim{Kind: string(claim.Kind), Text: claim.Text})
	}
	return send(surface.Piece{Event: "done", Data: wire.AppendAssistResult(nil, &shown)})
}
