package demo

import (
	"math"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
)

// An act happens at a time.
type act struct {
	at time.Time
	do func() error
}

// talk creates the conversations, spread over the time until end. They overlap,
// so all acts are planned first and then performed in order.
func (x *filler) talk(end time.Time) error {
	for _, begin := range x.beginnings(end) {
		x.plan(begin, end)
	}
	slices.SortStableFunc(x.acts, func(a, b act) int { return a.at.Compare(b.at) })
	for _, a := range x.acts {
		x.now = a.at
		if err := a.do(); err != nil {
			return err
		}
	}
	return nil
}

// beginnings are the times at which customers first write: rarely at night,
// less often at weekends.
func (x *filler) beginnings(end time.Time) []time.Time {
	var times []time.Time
	for len(times) < conversations {
		at := x.now.Add(time.Duration(x.random.Int64N(int64(end.Sub(x.now))))).Truncate(time.Millisecond)
		likely := 1.0
		if hour := at.Hour(); hour < 7 || hour > 20 {
			likely = 0.15
		}
		if day := at.Weekday(); day == time.Saturday || day == time.Sunday {
			likely *= 0.4
		}
		if x.random.Float64() < likely {
			times = append(times, at)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	return times
}

// A conversation is a planned conversation; id is set when it begins.
type conversation struct {
	id       parley.ID
	agent    parley.Member
	exchange exchange
	said     int // lines of the exchange so far
}

// plan plans the acts of a conversation that begins at a time, up to end.
func (x *filler) plan(begin, end time.Time) {
	agent := x.random.IntN(len(x.members))
	c := &conversation{agent: x.members[agent], exchange: pick(x, exchanges())}
	usual := 6*time.Minute + time.Duration(agent)*4*time.Minute // members differ in speed
	contact, inbox := pick(x, x.contacts).ID, pick(x, x.inboxes).ID
	x.act(begin, func() error {
		made, err := x.desk.CreateConversation(x.ctx, x.by, desk.NewConversation{ContactID: contact, InboxID: inbox})
		c.id = made.ID
		return err
	})
	lines := len(c.exchange.lines)
	if recent := end.Sub(begin) < 5*24*time.Hour; recent && x.random.IntN(3) > 0 || x.random.IntN(20) == 0 {
		lines = 1 + x.random.IntN(lines) // still in progress
	}
	x.planned++
	paper, has := fileOf(c.exchange.label)
	has = has && x.planned%fileEvery == 0
	at := begin
	for ; c.said < lines && !at.After(end); c.said++ {
		line := desk.NewMessage{Content: c.exchange.lines[c.said], Direction: parley.Incoming}
		if c.said%2 == 1 {
			line.Direction, line.AgentID = parley.Outgoing, c.agent.ID
		}
		said := c.said
		x.act(at, func() error {
			if has && said == paper.line {
				if err := x.attach(&line, paper); err != nil {
					return err
				}
			}
			_, err := x.desk.PostMessage(x.ctx, x.by, c.id, line)
			return err
		})
		at = at.Add(x.pause(usual))
	}
	if at.After(end) {
		at = end
	}
	x.settle(c, at)
}

// settle plans the act that labels and assigns a conversation after its last
// message, and resolves it at the end of its exchange.
func (x *filler) settle(c *conversation, at time.Time) {
	change := desk.ConversationChange{Labels: parley.Some([]string{c.exchange.label})}
	if c.said > 1 {
		change.AssigneeID = parley.Some(c.agent.ID)
	}
	if c.said == len(c.exchange.lines) {
		change.Status = parley.Some(parley.Resolved)
	} else if x.random.IntN(6) == 0 {
		change.Status = parley.Some(parley.Pending)
	}
	if x.random.IntN(4) == 0 {
		change.Priority = parley.Some(pick(x, parley.Priorities))
	}
	x.act(at, func() error {
		changed, err := x.desk.UpdateConversation(x.ctx, x.as(&c.agent), c.id, change)
		if changed.Status == parley.Open && c.said > 1 && c.said%2 == 0 {
			x.answered = append(x.answered, c)
		}
		return err
	})
}

func (x *filler) act(at time.Time, do func() error) { x.acts = append(x.acts, act{at, do}) }

// pause is a random time before the next message: half of all pauses are
// shorter than usual, some many times longer.
func (x *filler) pause(usual time.Duration) time.Duration {
	return time.Duration(float64(usual) * math.Exp(x.random.NormFloat64()))
}
