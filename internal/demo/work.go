package demo

import (
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/drafts"
	"parley/internal/later"
	"parley/internal/macros"
	"parley/internal/notices"
	"parley/internal/threads"
	"parley/internal/views"
)

// customerPause is how long before the end of the demo's past the last conversations pause.
// The work of the desk follows: a message that was to be sent then, and the customer who
// writes before, take their minute.
const customerPause = 2 * time.Minute

// deskWork leaves work on the desk that goes on after the demo's past has ended: snoozed
// conversations, messages to be sent later, a draft, and what the members made for it.
func (x *filler) deskWork(end time.Time) error {
	x.now = end.Add(-customerPause + time.Second)
	for _, step := range []func() error{x.macros, x.views, x.snoozes, x.schedules, x.drafts, x.links, x.notices} {
		if err := step(); err != nil {
			return err
		}
	}
	x.now = end
	return nil
}

// take returns the latest conversation whose customer has an answer and that no other
// part of the work has taken.
func (x *filler) take() *conversation {
	last := len(x.answered) - 1
	c := x.answered[last]
	x.answered = x.answered[:last]
	return c
}

func (x *filler) macros() error {
	service := macros.New(x.desk)
	for _, m := range []parley.Macro{
		{Name: "Refunded", Shortcut: "refunded", Actions: parley.MacroActions{
			Reply:     "Hello {{contact.name}}, I have refunded the amount. It takes three to five working days to arrive.",
			AddLabels: []string{"billing"}, Status: parley.Resolved, Assignee: parley.MacroMe,
		}},
		{Name: "To the carrier", Shortcut: "carrier", Actions: parley.MacroActions{
			Note: "Asked the carrier about the parcel.", AddLabels: []string{"delivery"}, Priority: string(parley.High), Assignee: parley.MacroMe,
		}},
	} {
		m.Scope = parley.MacroAll
		if _, err := service.CreateMacro(x.ctx, x.as(&x.members[0]), m); err != nil {
			return err
		}
	}
	return nil
}

func (x *filler) views() error {
	service := views.New(x.desk)
	for _, v := range []parley.SavedView{
		{Name: "Billing", Scope: parley.ViewAll, Query: "label=billing&status=open", Pinned: true},
		{Name: "My parcels", Scope: parley.ViewOwn, Query: "assigneeId=me&label=delivery&status=open", Pinned: true},
	} {
		if _, err := service.CreateView(x.ctx, x.as(&x.members[0]), v); err != nil {
			return err
		}
	}
	return nil
}

// snoozes puts conversations off. Some are due when the demo's past has ended, so that
// they come back when the server starts.
func (x *filler) snoozes() error {
	for i, d := range []time.Duration{time.Minute, time.Minute, 3 * time.Hour, 20 * time.Hour, 44 * time.Hour, 6 * 24 * time.Hour} {
		c := x.take()
		_, err := x.desk.UpdateConversation(x.ctx, x.as(&x.members[i%2]), c.id, desk.ConversationChange{SnoozedUntil: parley.Some(x.now.Add(d))})
		if err != nil {
			return err
		}
	}
	return nil
}

// schedules has members send messages later. The customer of the first one writes before
// it is due, so the server holds it.
func (x *filler) schedules() error {
	service, begin := later.New(x.desk), x.now
	for i, d := range []time.Duration{time.Minute, 4 * time.Hour, 26 * time.Hour} {
		c := x.take()
		_, err := service.Schedule(x.ctx, x.as(&x.members[i%2]), c.id, later.NewScheduled{
			Content: pick(x, []string{"Did everything arrive as it should?", "I have looked again: all is in order with your account."}),
			SendAt:  begin.Add(d), IfQuiet: true,
		})
		if err != nil {
			return err
		}
		if i == 0 {
			x.now = x.now.Add(20 * time.Second)
			if _, err := x.desk.PostMessage(x.ctx, x.by, c.id, desk.NewMessage{Content: "One more thing: could you send me the invoice as well?", Direction: parley.Incoming}); err != nil {
				return err
			}
		}
	}
	return nil
}

// drafts leaves an answer that a member has begun.
func (x *filler) drafts() error {
	_, err := drafts.New(x.desk).PutDraft(x.ctx, x.as(&x.members[1]), parley.Draft{
		ConversationID: x.take().id, Content: "I have just spoken with the warehouse, and",
	})
	return err
}

// links joins two conversations that concern each other.
func (x *filler) links() error {
	_, err := threads.New(x.desk).Link(x.ctx, x.as(&x.members[0]), x.take().id, x.take().id)
	return err
}

// notices has members name the owner in a note, give them a conversation, and write in one
// that they follow, so that the bell of whoever looks at the demo has something to say.
func (x *filler) notices() error {
	service := notices.New(notices.Options{Desk: x.desk, Tell: func(context.Context, parley.WorkspaceID, parley.UserID) {}})
	if err := service.CatchUp(x.ctx); err != nil { // what happened before is not told
		return err
	}
	owner, colleague, other := &x.members[0], &x.members[1], &x.members[2]
	named, given, followed := x.take().id, x.take().id, x.take().id
	for _, step := range []func() error{
		func() error {
			return x.note(colleague, named, "@"+owner.Name+" the customer asks for you by name. Can you have a look?", owner.ID)
		},
		func() error {
			_, err := x.desk.UpdateConversation(x.ctx, now(x.as(other)), given, desk.ConversationChange{AssigneeID: parley.Some(owner.ID)})
			return err
		},
		func() error {
			_, err := service.Follow(x.ctx, now(x.as(owner)), followed, true)
			return err
		},
		func() error {
			return x.note(owner, followed, "@"+other.Name+" this one is yours, I keep an eye on it.", other.ID)
		},
		func() error {
			_, err := x.desk.PostMessage(x.ctx, now(x.by), followed, desk.NewMessage{Content: "Is there any news?", Direction: parley.Incoming})
			return err
		},
	} {
		x.now = x.now.Add(5 * time.Second)
		if err := step(); err != nil {
			return err
		}
	}
	return service.CatchUp(x.ctx)
}

// now returns a caller whose acts are told, unlike those of the past.
func now(by desk.Caller) desk.Caller {
	by.Imported = false
	return by
}

func (x *filler) note(by *parley.Member, conversation parley.ID, text string, named parley.UserID) error {
	_, err := x.desk.PostMessage(x.ctx, now(x.as(by)), conversation, desk.NewMessage{
		Content: text, Direction: parley.Outgoing, Private: true, AgentID: by.ID, Mentions: []parley.UserID{named},
	})
	return err
}
