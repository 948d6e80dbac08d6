// Package results counts what became of the conversations that the automated agent
// met. A conversation that the agent gets to answer has one result, which belongs to the
// product and the day of its first question. Whatever follows replaces the result, and
// moves the count with it, in the transaction in which it happens. So the results of a
// product's day add up to the conversations that the agent met.
//
// It stands below the desk, which calls it when somebody takes a conversation from the
// agent. It may import the vocabulary and the store.
package results

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A Result is what became of a conversation since the agent met it.
type Result struct {
	ConversationID parley.ID
	ProductID      parley.ID
	Day            parley.Day // of the first question, in UTC
	Result         parley.AgentResult
	Reason         parley.HandOverReason // of AgentHandedOverResult; else ""
}

// A Count is how many conversations of a product's day have a result.
type Count struct {
	ProductID parley.ID
	Day       parley.Day
	Result    parley.AgentResult
	Reason    parley.HandOverReason
	Count     int64
}

// Begin counts a conversation that the agent meets: the first question since it was
// opened, or since the agent was switched on again.
func Begin(tx store.Writer, ws parley.WorkspaceID, c *parley.Conversation, now time.Time) error {
	r := Result{ConversationID: c.ID, ProductID: c.Product.ID, Day: parley.DayOf(now), Result: parley.AgentUnfinished}
	if err := PutResult(tx, ws, &r); err != nil {
		return err
	}
	return AddCount(tx, ws, &r, 1)
}

// Said records what the agent said last: an answer, articles or a question. A mere
// greeting takes nothing back.
func Said(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, kind parley.AnswerKind, greeting bool) error {
	return move(tx, ws, conversation, func(r *Result) {
		switch {
		case greeting && r.Result != parley.AgentUnfinished:
		case kind == parley.AnswerText:
			r.Result = parley.AgentAnswered
		case kind == parley.AnswerCards:
			r.Result = parley.AgentShowedCards
		case kind == parley.AnswerQuestion:
			r.Result = parley.AgentAskedBack
		}
	})
}

// Confirm records that the customer said that an answer helped.
func Confirm(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID) error {
	return move(tx, ws, conversation, func(r *Result) {
		if r.Result != parley.AgentTakenOver {
			r.Result = parley.AgentConfirmed
		}
	})
}

// HandOver records that the agent handed the conversation over.
func HandOver(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, reason parley.HandOverReason) error {
	return move(tx, ws, conversation, func(r *Result) { r.Result, r.Reason = parley.AgentHandedOverResult, reason })
}

// Take records that somebody took the conversation from the agent, which was in a
// state. After a confirmation that only counts if the customer has written since. An
// agent that neither answered nor was about to had nothing to lose.
func Take(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, state parley.AgentState) error {
	return TakeAll(tx, ws, []Taken{{conversation, state}})
}

// A Taken is a conversation that somebody took from the agent, which was in a state.
type Taken struct {
	ConversationID parley.ID
	State          parley.AgentState
}

// TakeAll is [Take] for many conversations, each at most once. It reads once.
func TakeAll(tx store.Writer, ws parley.WorkspaceID, all []Taken) error {
	var ids []parley.ID
	states := map[parley.ID]parley.AgentState{}
	for _, t := range all {
		if t.State == parley.AgentAnswering || t.State == parley.AgentWaiting {
			ids, states[t.ConversationID] = append(ids, t.ConversationID), t.State
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := SelectResults(tx, ws, ids)
	if err != nil {
		return err
	}
	for i := range found {
		if err := moveFrom(tx, ws, &found[i], func(r *Result) {
			if r.Result != parley.AgentConfirmed || states[r.ConversationID] == parley.AgentAnswering {
				r.Result = parley.AgentTakenOver
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// Counts returns the counts of the days from one to another, both included, in order
// of days and products.
func Counts(v store.Reader, ws parley.WorkspaceID, from, to parley.Day) ([]Count, error) {
	return SelectCounts(v, ws, from, to)
}

// move changes the result of a conversation, and what is counted. A conversation that
// the agent met on a node of an earlier version has no result.
func move(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, change func(r *Result)) error {
	found, err := SelectResults(tx, ws, []parley.ID{conversation})
	if err != nil || len(found) == 0 {
		return err
	}
	return moveFrom(tx, ws, &found[0], change)
}

// moveFrom changes a result. What was handed over stays so.
func moveFrom(tx store.Writer, ws parley.WorkspaceID, before *Result, change func(r *Result)) error {
	if before.Result == parley.AgentHandedOverResult {
		return nil
	}
	after := *before
	change(&after)
	if after == *before {
		return nil
	}
	if err := AddCount(tx, ws, before, -1); err != nil {
		return err
	}
	if err := AddCount(tx, ws, &after, 1); err != nil {
		return err
	}
	return PutResult(tx, ws, &after)
}
