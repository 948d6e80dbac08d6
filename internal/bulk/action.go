package bulk

import (
	"encoding/json"
	"fmt"
	"time"

	"parley"
	"parley/internal/desk"
)

// An Action is what happens to each conversation of a job. The zero Action is none; an
// Action of a job is one of Change, Label, Unlabel and Read.
type Action struct {
	// If is what a conversation must have before. Only inverses have it.
	If desk.ConversationValues
	// Change is what it gets, without labels.
	Change         desk.ConversationValues
	Label, Unlabel string
	Read           bool
}

// word names an action.
func (a *Action) word() parley.BulkAction {
	switch {
	case a.Label != "":
		return parley.BulkLabel
	case a.Unlabel != "":
		return parley.BulkUnlabel
	case a.Read:
		return parley.BulkRead
	}
	return parley.BulkChange
}

// A stored is an action as JSON. Its names must not change while jobs have them.
type stored struct {
	If      *values `json:"if,omitempty"`
	Change  *values `json:"change,omitempty"`
	Label   string  `json:"label,omitempty"`
	Unlabel string  `json:"unlabel,omitempty"`
	Read    bool    `json:"read,omitempty"`
}

// values are those of a conversation. A missing one does not count, an empty one is none.
type values struct {
	Status       *parley.Status   `json:"status,omitempty"`
	SnoozedUntil *time.Time       `json:"snoozedUntil,omitempty"`
	Priority     *parley.Priority `json:"priority,omitempty"`
	AssigneeID   *parley.UserID   `json:"assigneeId,omitempty"`
	TeamID       *parley.ID       `json:"teamId,omitempty"`
	ProductID    *parley.ID       `json:"productId,omitempty"`
	Spam         *bool            `json:"spam,omitempty"`
}

func storedValues(v *desk.ConversationValues) *values {
	s := values{
		pointer(v.Status), pointer(v.SnoozedUntil), pointer(v.Priority), pointer(v.AssigneeID), pointer(v.TeamID), pointer(v.ProductID), pointer(v.Spam),
	}
	if s == (values{}) {
		return nil
	}
	return &s
}

func pointer[T any](o parley.Optional[T]) *T {
	if !o.Set {
		return nil
	}
	return &o.Value
}

func (s *values) optional() (v desk.ConversationValues) {
	if s == nil {
		return v
	}
	if s.Spam != nil {
		v.Spam = parley.Some(*s.Spam)
	}
	v.Status, v.SnoozedUntil, v.Priority = valueOrNull(s.Status), valueOrNull(s.SnoozedUntil), valueOrNull(s.Priority)
	v.AssigneeID, v.TeamID, v.ProductID = valueOrNull(s.AssigneeID), valueOrNull(s.TeamID), valueOrNull(s.ProductID)
	return v
}

// valueOrNull is the value at p, null if it is the zero value, or absent.
func valueOrNull[T comparable](p *T) parley.Optional[T] {
	var none T
	switch {
	case p == nil:
		return parley.Optional[T]{}
	case *p == none:
		return parley.Null[T]()
	}
	return parley.Some(*p)
}

// text returns the action as it is stored, "" for none.
func (a *Action) text() (string, error) {
	s := stored{storedValues(&a.If), storedValues(&a.Change), a.Label, a.Unlabel, a.Read}
	if s == (stored{}) {
		return "", nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("encode an action: %w", err)
	}
	return string(text), nil
}

func parseAction(text string) (Action, error) {
	if text == "" {
		return Action{}, nil
	}
	var s stored
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return Action{}, fmt.Errorf("read an action: %w", err)
	}
	return Action{If: s.If.optional(), Change: s.Change.optional(), Label: s.Label, Unlabel: s.Unlabel, Read: s.Read}, nil
}

// puts reports whether the action puts a conversation away. It must not be put away if
// the customer has written something that its member cannot have read.
func (a *Action) puts() bool {
	status := a.Change.Status.Or(parley.Open)
	return status != parley.Open || a.Change.SnoozedUntil.Has() || a.Change.Spam.Or(false)
}

// change returns how the action changes a conversation, at a time.
func (a *Action) change(c *parley.Conversation, now time.Time) (in desk.ConversationChange, err error) {
	v := &a.Change
	in = desk.ConversationChange{
		If: a.If, Status: v.Status, SnoozedUntil: v.SnoozedUntil, Priority: v.Priority, AssigneeID: v.AssigneeID,
		TeamID: v.TeamID, ProductID: v.ProductID, Spam: v.Spam,
	}
	if a.If.SnoozedUntil.Set && in.SnoozedUntil.Has() && !in.SnoozedUntil.Value.After(now) { // it would have opened by now
		in.Status, in.SnoozedUntil = parley.Some(parley.Open), parley.Null[time.Time]()
	}
	switch {
	case a.Label != "":
		in.Labels.Value, err = desk.Labelled(c.Labels, a.Label, true)
		in.Labels.Set = true
	case a.Unlabel != "":
		in.Labels.Value, err = desk.Labelled(c.Labels, a.Unlabel, false)
		in.Labels.Set = true
	}
	return in, err
}

// inverse returns the action that takes back what this one did.
func (a *Action) inverse(before, after *parley.Conversation) Action {
	switch {
	case a.Label != "":
		return Action{Unlabel: a.Label}
	case a.Unlabel != "":
		return Action{Label: a.Unlabel}
	}
	return Action{If: valuesOf(after, &a.Change), Change: valuesOf(before, &a.Change)}
}

// valuesOf returns the values of a conversation that a change may have changed. Status,
// sleep and the mark as spam go together, because each may end another; so do product and
// team, because a product may lead to one.
func valuesOf(c *parley.Conversation, of *desk.ConversationValues) (v desk.ConversationValues) {
	if of.Status.Set || of.SnoozedUntil.Set || of.Spam.Set {
		until := c.Snoozed()
		v.Status, v.SnoozedUntil, v.Spam = parley.Some(c.Status), valueOrNull(&until), parley.Some(c.Spam)
	}
	if of.Priority.Set {
		v.Priority = valueOrNull(&c.Priority)
	}
	if of.AssigneeID.Set {
		v.AssigneeID = valueOrNull(&c.Assignee.ID)
	}
	if of.ProductID.Set || of.TeamID.Set {
		v.ProductID, v.TeamID = valueOrNull(&c.Product.ID), valueOrNull(&c.Team.ID)
	}
	return v
}
