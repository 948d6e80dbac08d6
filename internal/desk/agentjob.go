package desk

import (
	"time"

	"parley"
	"parley/internal/bot/results"
)

// The automated agent answers outside transactions: internal/bot does, from the row
// of a job. Like a delivery, the row is all that the desk leaves it. It is stored in
// the transaction of the customer's message, and deleted in the one in which somebody
// else takes the conversation.

const (
	// agentQuiet is how long a customer must have written nothing before the
	// agent answers, and agentBurst how long after the first message it no longer
	// waits for that.
	agentQuiet = 3 * time.Second
	agentBurst = 15 * time.Second
)

// AgentMayAnswer reports whether the automated agent answers in a conversation: its
// product wants that, and nobody else has the conversation.
func AgentMayAnswer(c *parley.Conversation) bool {
	free := c.Agent.State == parley.AgentNone || c.Agent.State == parley.AgentAnswering || c.Agent.State == parley.AgentWaiting
	answered := !c.FirstResponseAt.IsZero() && !c.FirstResponseAt.Before(c.OpenedAt)
	return free && !answered && c.Product.Agent.On() && c.Assignee.ID == "" && !c.Spam
}

// askAgent gives the automated agent a message of a customer to answer, if it
// answers in this conversation. It must run before the activity is stored.
func (t *Tx) askAgent(c *parley.Conversation, m *parley.Message) error {
	asked := *c
	if c.Status == parley.Resolved { // the message reopens it
		asked.Agent, asked.OpenedAt = parley.AgentPart{}, t.Now
		c.Agent = asked.Agent
	}
	if !AgentMayAnswer(&asked) {
		if c.Agent.State != parley.AgentWaiting {
			return nil
		}
		c.Agent = parley.AgentPart{} // the product no longer wants it, so a person must answer
		return results.Take(t, t.WS, c.ID, parley.AgentAnswering)
	}
	if c.Inbox.Channel == parley.ChannelChatapp {
		_, err := t.Group(t.WS, c.ID)
		if parley.KindOf(err) != parley.NotFound {
			return err // several persons talk in a group
		}
	}
	if c.Agent.State == parley.AgentNone {
		if err := results.Begin(t, t.WS, c, t.Now); err != nil {
			return err
		}
	}
	c.Agent = parley.AgentPart{State: parley.AgentAnswering}
	job, err := SelectAgentJob(t, t.WS, c.ID)
	if parley.KindOf(err) == parley.NotFound {
		return InsertAgentJob(t, t.WS, NewAgentJob(c.ID, m.ID, t.Now))
	}
	if err != nil {
		return err
	}
	job.next(m.ID, t.Now)
	return UpdateAgentJob(t, t.WS, &job)
}

// LeaveAgent ends what the automated agent does in a conversation, whose part in it
// becomes next. The caller must store the conversation.
func (t *Tx) LeaveAgent(c *parley.Conversation, next parley.AgentPart) error {
	before := c.Agent.State
	end := endAgent(c, next)
	if end.counts {
		if err := results.Take(t, t.WS, c.ID, before); err != nil {
			return err
		}
	}
	if !end.job {
		return nil
	}
	return DeleteAgentJob(t, t.WS, c.ID)
}

// An agentEnd is what the end of the automated agent's part changes besides the
// conversation.
type agentEnd struct {
	counts bool // somebody took the conversation from it
	job    bool // its job is to be deleted
}

func endAgent(c *parley.Conversation, next parley.AgentPart) agentEnd {
	answering := c.Agent.State == parley.AgentAnswering
	c.Agent = next
	return agentEnd{counts: next.State == parley.AgentTaken || next.State == parley.AgentNone && answering, job: answering}
}

// takeFromAgent records that somebody else has a conversation. A run of the agent
// that has begun stores nothing.
func (t *Tx) takeFromAgent(c *parley.Conversation) error {
	return t.LeaveAgent(c, parley.AgentPart{State: parley.AgentTaken})
}

// agentAfter updates the automated agent's part after an answer to the customer.
func (t *Tx) agentAfter(c *parley.Conversation, m *parley.Message) error {
	if m.Agent == "" {
		return t.takeFromAgent(c)
	}
	return t.LeaveAgent(c, parley.AgentPart{State: parley.AgentWaiting})
}

// agentAfterChange updates the automated agent's part after a change of a
// conversation, of which status and assignee are the former ones.
func agentAfterChange(c *parley.Conversation, status parley.Status, assignee parley.UserID) agentEnd {
	switch {
	case c.Status == parley.Resolved && status != parley.Resolved, c.Spam && c.Agent.State == parley.AgentAnswering:
		return endAgent(c, parley.AgentPart{})
	case c.Assignee.ID != assignee && c.Assignee.ID != "", c.Status == parley.Pending && status != parley.Pending:
		return endAgent(c, parley.AgentPart{State: parley.AgentTaken})
	}
	return agentEnd{}
}

// AnnounceAgent adds an event to the log if the automated agent's part in a
// conversation, as the API shows it, is no longer the former one.
func (t *Tx) AnnounceAgent(c *parley.Conversation, before parley.AgentPart) {
	if c.Agent.Shown() != before.Shown() {
		t.AnnounceChange(c, c.Place(), "agent")
	}
}

// An AgentJob is a conversation in which the automated agent is to answer.
type AgentJob struct {
	ConversationID parley.ID
	MessageID      parley.ID // the customer's latest one
	FirstAt        time.Time // when the first of these messages was stored
	// DueAt is when the agent is to begin or, if there is an Owner, when the lease of
	// that run ends.
	DueAt     time.Time
	Attempts  int    // runs that failed, and the one that holds the job
	Restarted bool   // the customer wrote during a run, which then began anew
	Owner     string // the run that holds the job; "" for none
}

// NewAgentJob returns a job that begins with a message.
func NewAgentJob(conversation, message parley.ID, now time.Time) *AgentJob {
	return &AgentJob{ConversationID: conversation, MessageID: message, FirstAt: now, DueAt: now.Add(agentQuiet)}
}

// next adds a message to a job. A run that has begun loses the job, so that one
// answer serves all messages. That happens once: whoever writes without a pause gets
// the answer to the earlier messages first.
func (j *AgentJob) next(message parley.ID, now time.Time) {
	j.MessageID = message
	switch {
	case j.Owner != "" && j.Restarted:
		return
	case j.Owner != "":
		j.Owner, j.Restarted, j.Attempts = "", true, 0
	case j.Attempts > 0:
		return // it waits for its next attempt
	}
	j.DueAt = now.Add(agentQuiet)
	if latest := j.FirstAt.Add(agentBurst); latest.Before(j.DueAt) {
		j.DueAt = latest
	}
}
