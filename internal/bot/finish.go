package bot

import (
	"slices"
	"time"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/bot/results"
	"parley/internal/desk"
	"parley/internal/knowledge"
)

// finish stores the outcome of a run, if the run still holds its job and nobody else
// took the conversation.
func finish(t *desk.Tx, held desk.AgentJob, a *asked, out *answering.Outcome) error {
	job, err := current(t, t.WS, held)
	if err != nil {
		return err
	}
	c, err := t.Conversation(t.Visibility, held.ConversationID)
	if err != nil {
		return err
	}
	newest, err := t.PublicMessages(t.Visibility, c.ID, parley.Position{}, 1)
	if err != nil {
		return err
	}
	// A node of an earlier version stores messages without touching jobs.
	theirs := len(newest.Items) == 1 && (newest.Items[0].Direction == parley.Incoming || newest.Items[0].Agent != "")
	switch {
	case !a.wanted || !theirs || !desk.AgentMayAnswer(&c):
		return leave(t, &c)
	case c.Product.ID != a.question.Product || (c.Product.Agent == parley.AgentCards) != a.question.NoModel:
		job.Owner, job.DueAt = "", t.Now // the answer was made from other articles
		return desk.UpdateAgentJob(t, t.WS, &job)
	case out.HandsOver():
		if err := countMiss(t, &c, a, out); err != nil {
			return err
		}
		return handOver(t, &c, handing{reason: parley.HandOverReason(out.Reason), text: out.Text, record: record(out), note: out.Summary})
	}
	if err := say(t, &c, out.Text, record(out)); err != nil {
		return err
	}
	if err := results.Said(t, t.WS, c.ID, kindOf(out), out.Reason == answering.Greeting); err != nil || job.MessageID == held.MessageID {
		return err
	}
	return resume(t, &c, job, held.MessageID)
}

// countMiss counts a question that no article answers as a gap. The first one of a chat
// is counted by the widget, which looks for articles while it is typed; not so in a chat
// that is opened again.
func countMiss(t *desk.Tx, c *parley.Conversation, a *asked, out *answering.Outcome) error {
	first := !slices.ContainsFunc(a.question.Turns, func(turn answering.Turn) bool { return turn.From != answering.Customer })
	if out.Missed == nil || first && c.Inbox.Channel == parley.ChannelWeb && c.OpenedAt.Equal(c.CreatedAt) {
		return nil
	}
	return knowledge.CountMiss(t, out.Missed)
}

// leave ends the agent's part in a conversation that somebody else has, or that it
// is no longer to answer.
func leave(t *desk.Tx, c *parley.Conversation) error {
	before := c.Agent
	next := parley.AgentPart{State: parley.AgentTaken}
	if !c.Product.Agent.On() || c.Spam {
		next = parley.AgentPart{}
	}
	if err := t.LeaveAgent(c, next); err != nil {
		return err
	}
	return keep(t, c, before)
}

// keep stores a conversation in which the agent's part was another.
func keep(t *desk.Tx, c *parley.Conversation, before parley.AgentPart) error {
	if err := t.UpdateConversation(t.WS, c, t.Now); err != nil {
		return err
	}
	t.AnnounceAgent(c, before)
	return nil
}

// resume gives the agent the messages that the customer wrote during a run that had
// begun anew before. The agent's answer to those up to answered is the newest message.
func resume(t *desk.Tx, c *parley.Conversation, job desk.AgentJob, answered parley.ID) error {
	m, err := t.Message(t.Visibility, c.ID, answered)
	if err != nil {
		return err
	}
	before := c.Agent
	c.Agent = parley.AgentPart{State: parley.AgentAnswering}
	next := desk.NewAgentJob(c.ID, job.MessageID, t.Now)
	next.FirstAt = m.CreatedAt.Add(time.Millisecond)
	if err := desk.InsertAgentJob(t, t.WS, next); err != nil {
		return err
	}
	return keep(t, c, before)
}

// say stores a message of the agent to the customer. Its part follows from the kind
// of the message.
func say(t *desk.Tx, c *parley.Conversation, text string, record parley.AgentRecord) error {
	m, err := t.NewMessage(c, desk.NewMessage{Content: text, ContentType: parley.Text, Direction: parley.Outgoing})
	if err != nil {
		return err
	}
	m.Agent = record
	return t.Post(c, &m, false)
}

// A handing is a hand-over.
type handing struct {
	reason parley.HandOverReason
	text   string // to the customer; "" for none
	record parley.AgentRecord
	note   string // to the members
}

// handOver gives a conversation to the members: the agent is silent until it is
// resolved. The customer goes on waiting, and nobody is assigned, so that it shows
// among the conversations that need somebody.
func handOver(t *desk.Tx, c *parley.Conversation, h handing) error {
	before := c.Agent
	if err := t.LeaveAgent(c, parley.AgentPart{State: parley.AgentHandedOver, Reason: h.reason}); err != nil {
		return err
	}
	if h.text != "" {
		if err := say(t, c, h.text, h.record); err != nil {
			return err
		}
	}
	m, err := t.NewMessage(c, desk.NewMessage{Content: h.note, ContentType: parley.Text, Direction: parley.Outgoing, Private: true})
	if err != nil {
		return err
	}
	if err := t.Post(c, &m, false); err != nil {
		return err
	}
	if err := results.HandOver(t, t.WS, c.ID, h.reason); err != nil {
		return err
	}
	t.AnnounceAgent(c, before)
	return nil
}
