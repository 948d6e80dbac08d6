package wire

import "parley"

// agentAnswerOrNull writes what a message of the automated agent rests on, or null.
// Customers see the same, because the articles are public.
func agentAnswerOrNull(o *object, r parley.AgentRecord) {
	a := r.Answer()
	if a.Kind == "" {
		o.null("agent")
		return
	}
	answer := o.object("agent")
	answer.text("kind", string(a.Kind))
	answer.boolean("helped", a.Helped)
	list(&answer, "sources", a.Sources, func(b []byte, s *parley.AgentSource) []byte {
		source := open(b)
		source.id("articleId", s.ArticleID)
		source.text("language", string(s.Language))
		source.integer("version", s.Version)
		source.text("title", s.Title)
		source.text("url", s.URL)
		return source.close()
	})
	o.put(answer)
}

// AppendAgentSentence appends, for a customer, a part of an answer that the automated
// agent is writing. Parts are numbered from 0; a run that begins anew has another
// name. The message that is stored at the end replaces them all.
func AppendAgentSentence(b []byte, conversation parley.ID, run string, number int, text string) []byte {
	o := open(b)
	o.id("conversationId", conversation)
	o.text("run", run)
	o.integer("number", int64(number))
	o.text("text", text)
	return o.close()
}
