package wire

import "parley"

// An AssistSource is an article that a text for a member rests on.
type AssistSource struct {
	ArticleID parley.ID
	Language  parley.Language
	Title     string
}

// An AssistClaim is a part of such a text that the member should check.
type AssistClaim struct{ Kind, Text string }

// An AssistResult is a text for a member.
type AssistResult struct {
	Text      string
	Language  parley.Language
	Sources   []AssistSource
	Unchecked []AssistClaim
	Problem   string
}

// AppendAssistPiece appends a piece of a text that arrives.
func AppendAssistPiece(b []byte, text string) []byte {
	o := open(b)
	o.text("text", text)
	return o.close()
}

// AppendAssistResult appends a text for a member.
func AppendAssistResult(b []byte, r *AssistResult) []byte {
	o := open(b)
	o.text("text", r.Text)
	o.textOrNull("language", string(r.Language))
	list(&o, "sources", r.Sources, func(b []byte, s *AssistSource) []byte {
		o := open(b)
		o.id("articleId", s.ArticleID)
		o.text("language", string(s.Language))
		o.text("title", s.Title)
		return o.close()
	})
	list(&o, "unchecked", r.Unchecked, func(b []byte, c *AssistClaim) []byte {
		o := open(b)
		o.text("kind", c.Kind)
		o.text("text", c.Text)
		return o.close()
	})
	o.textOrNull("problem", r.Problem)
	return o.close()
}

// AppendAssistAvailable appends whether a workspace has a model.
func AppendAssistAvailable(b []byte, available bool) []byte {
	o := open(b)
	o.boolean("available", available)
	return o.close()
}
