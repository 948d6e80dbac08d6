package macros

import (
	"context"
	"slices"
	"strings"

	"parley"
	"parley/internal/desk"
)

// A Run says where a macro runs.
type Run struct {
	Conversation, Macro parley.ID
	// IfLast must be the conversation's last message; zero: any.
	IfLast parley.ID
}

// RunMacro does what a macro says in a conversation: all of it in one transaction, or
// nothing. Its note and its reply are the caller's. What the conversation has already is
// not done again. It returns the conversation afterwards.
func (svc *Service) RunMacro(ctx context.Context, by desk.Caller, run Run) (parley.Conversation, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Conversation, error) {
		c, err := desk.ConversationNow(&t.View, t.Visibility, run.Conversation)
		if err != nil {
			return c, err
		}
		macro, err := ownMacro(t, by, run.Macro)
		if err != nil {
			return c, err
		}
		me, err := t.Member(t.WS, by.Member)
		if err != nil {
			return c, err
		}
		do := &macro.Actions
		ifLast := run.IfLast
		for _, text := range []struct {
			content string
			private bool
		}{{do.Note, true}, {do.Reply, false}} {
			if text.content == "" {
				continue
			}
			content := fill(text.content, &c, &me)
			if strings.TrimSpace(content) == "" || len(content) > parley.MaxContent {
				return c, parley.Errorf(parley.Conflict, "a text of the macro would be empty here, or too long for a message")
			}
			m, err := t.PostAs(&c, desk.NewMessage{
				Content: content, Direction: parley.Outgoing, AgentID: me.ID, Private: text.private, IfLast: ifLast,
			})
			if err != nil {
				return c, err
			}
			if !ifLast.IsZero() {
				ifLast = m.ID
			}
		}
		change, err := changeOf(do, &c, me.ID)
		if err != nil {
			return c, err
		}
		err = t.Change(&c, change)
		if kind := parley.KindOf(err); kind == parley.Invalid || kind == parley.NotFound { // of the macro, not of the request
			err = parley.Errorf(parley.Conflict, "the macro cannot run any more: %v", err)
		}
		return c, err
	})
}

// changeOf returns the changes that a macro makes in a conversation.
func changeOf(do *parley.MacroActions, c *parley.Conversation, me parley.UserID) (desk.ConversationChange, error) {
	var in desk.ConversationChange
	if do.Status != "" {
		in.Status = parley.Some(do.Status)
	}
	switch do.Priority {
	case "":
	case parley.MacroNone:
		in.Priority = parley.Null[parley.Priority]()
	default:
		in.Priority = parley.Some(parley.Priority(do.Priority))
	}
	switch do.Assignee {
	case "":
	case parley.MacroNone:
		in.AssigneeID = parley.Null[parley.UserID]()
	case parley.MacroMe:
		in.AssigneeID = parley.Some(me)
	default:
		in.AssigneeID = parley.Some(parley.UserID(do.Assignee))
	}
	if !do.ProductID.IsZero() {
		in.ProductID = parley.Some(do.ProductID)
	}
	labels, err := labelled(do, c.Labels)
	if err != nil {
		return in, err
	}
	in.Labels = parley.Some(labels)
	return in, nil
}

// labelled returns the labels of a conversation after a macro.
func labelled(do *parley.MacroActions, labels []string) ([]string, error) {
	after := slices.DeleteFunc(slices.Clone(labels), func(label string) bool {
		return slices.ContainsFunc(do.RemoveLabels, func(gone string) bool { return parley.LabelName(gone) == parley.LabelName(label) })
	})
	for _, label := range do.AddLabels {
		if !slices.ContainsFunc(after, func(other string) bool { return parley.LabelName(other) == parley.LabelName(label) }) {
			after = append(after, label)
		}
	}
	if len(after) > max(len(labels), parley.MaxLabels) {
		return nil, parley.Errorf(parley.Conflict, "the conversation would have more than %d labels", parley.MaxLabels)
	}
	return after, nil
}
