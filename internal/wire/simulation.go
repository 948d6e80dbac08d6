package wire

import "parley"

// AppendSimulatedAnswer appends what the automated agent would do about a
// question.
func AppendSimulatedAnswer(b []byte, a *parley.SimulatedAnswer) []byte {
	o := open(b)
	o.id("conversationId", a.ConversationID)
	o.time("askedAt", a.AskedAt)
	o.text("question", a.Question)
	o.textOrNull("human", a.Human)
	o.text("kind", a.Kind)
	o.textOrNull("reason", a.Reason)
	o.text("text", a.Text)
	o.textOrNull("draft", a.Draft)
	list(&o, "sources", a.Sources, appendSimulatedSource)
	o.integer("tokens", a.Tokens)
	return o.close()
}

func appendSimulatedSource(b []byte, s *parley.SimulatedSource) []byte {
	o := open(b)
	o.id("articleId", s.ArticleID)
	o.text("language", string(s.Language))
	o.text("title", s.Title)
	o.text("slug", s.Slug)
	o.boolean("linked", s.Linked)
	return o.close()
}
