package bot

import (
	"parley"
	"parley/internal/bot/answering"
	"parley/internal/bot/results"
	"parley/internal/desk"
	"parley/internal/wire"
)

// AskForPerson hands a conversation over because its customer asked for a person. If
// the agent has no part in it, a person has it already, and nothing happens.
func AskForPerson(t *desk.Tx, c *parley.Conversation) error {
	if c.Agent.State != parley.AgentAnswering && c.Agent.State != parley.AgentWaiting {
		return nil
	}
	page, err := t.PublicMessages(t.Visibility, c.ID, parley.Position{}, maxTurns)
	if err != nil {
		return err
	}
	if c.Status == parley.Pending { // an answer had helped, or so the customer thought
		changed := c.SetStatus(parley.Open)
		if err := t.UpdateConversation(t.WS, c, t.Now); err != nil {
			return err
		}
		t.AnnounceChange(c, c.Place(), changed...)
	}
	t.Origin.Actor = parley.Actor{Type: parley.ActorBot}
	return handOver(t, c, handing{reason: parley.AskedForPerson, note: noteOf(since(page.Items, c.OpenedAt))})
}

// noteOf describes to the members what a customer who asks for a person saw.
func noteOf(messages []parley.Message) string {
	var a asked
	var titles []string
	for i := range messages {
		a.add(&messages[i])
		for _, source := range messages[i].Agent.Answer().Sources {
			titles = append(titles, source.Title)
		}
	}
	note := a.note(answering.Asked)
	note.Articles = titles
	return note.String()
}

// Helped records that a message of the agent helped its customer. The conversation
// becomes pending, not resolved: nobody but the customer says that it is over, and the
// next message opens it again.
func Helped(t *desk.Tx, c *parley.Conversation, message parley.ID) error {
	m, err := t.Message(t.Visibility, c.ID, message)
	if err != nil {
		return err
	}
	answer := m.Agent.Answer()
	if m.Private || answer.Kind != parley.AnswerText && answer.Kind != parley.AnswerCards {
		return parley.NotFoundf("no such answer of the automated agent")
	}
	if answer.Helped {
		return nil
	}
	answer.Helped = true
	m.Agent = answer.Record()
	if err := UpdateMessageAgent(t, t.WS, &m); err != nil {
		return err
	}
	t.AnnounceOf(c, parley.MessageUpdated, []string{"agent"}, wire.AppendMessage(nil, &m))
	if m.CreatedAt.Before(c.OpenedAt) { // an answer of before the conversation was opened again
		return nil
	}
	if err := results.Confirm(t, t.WS, c.ID); err != nil {
		return err
	}
	if c.Status != parley.Open || c.Agent.State != parley.AgentWaiting {
		return nil
	}
	changed := c.SetStatus(parley.Pending)
	if err := t.UpdateConversation(t.WS, c, t.Now); err != nil {
		return err
	}
	t.AnnounceChange(c, c.Place(), changed...)
	return nil
}
