package customers

import (
	"cmp"
	"context"
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// A CustomerEvent is an event as shown to the customer it belongs to.
type CustomerEvent struct {
	Event *parley.Event
	// Audience is the customer who sees it. Without an inbox, the contact sees
	// it in every inbox.
	Audience parley.Audience
	// Conversation is the present state of the event's conversation, if it has
	// one.
	Conversation parley.CustomerConversation
	// Reset says that the customer must reload all conversations, because those
	// of another contact were added, one was deleted, or messages are in another one now.
	Reset bool
}

// CustomerEvents selects the events that customers may see, in order, each with
// its audience: the customer who has the conversation now and may read all of
// it. Of a conversation it shows the start, changes of the status and of the
// automated agent's part, and that the customer has read it. Other changes are not shown. The caller must leave out
// private messages; see [wire.AppendCustomerMessageOf]. What happens in a merged
// conversation is shown in the one that shows its messages.
func (svc *Service) CustomerEvents(ctx context.Context, ws parley.WorkspaceID, events []parley.Event) ([]CustomerEvent, error) {
	var concerned, shown []parley.ID
	reloads := false
	for i := range events {
		e := &events[i]
		switch {
		case ofMessage(e):
			concerned = append(concerned, e.ConversationID)
		case ofConversation(e):
			concerned, shown = append(concerned, e.ConversationID), append(shown, e.ConversationID)
		case reshaped(e):
			concerned = append(concerned, e.ConversationID)
		case e.Type == parley.ContactMerged || e.Type == parley.ConversationDeleted:
			reloads = true
		}
	}
	if len(concerned) == 0 && !reloads {
		return nil, nil
	}
	return desk.Snapshot(svc.desk, func(v *store.View) ([]CustomerEvent, error) {
		owners, err := byID(v, ws, concerned, SelectConversationOwners)
		if err != nil {
			return nil, err
		}
		now, err := byID(v, ws, shown, SelectCustomerConversationsByID)
		if err != nil {
			return nil, err
		}
		var selected []CustomerEvent
		for i := range events {
			e := &events[i]
			switch {
			case e.Type == parley.ContactMerged:
				if into, ok := wire.MergeTarget(e.Data); ok {
					selected = append(selected, CustomerEvent{Event: e, Audience: parley.Audience{ContactID: into}, Reset: true})
				}
			case e.Type == parley.ConversationDeleted:
				if contact, ok := wire.DeletedConversationOf(e.Data); ok {
					selected = append(selected, CustomerEvent{Event: e, Audience: parley.Audience{ContactID: contact}, Reset: true})
				}
			case reshaped(e):
				if owner, ok := owners[e.ConversationID]; ok {
					selected = append(selected, CustomerEvent{Event: e, Audience: parley.Audience{ContactID: owner.ContactID}, Reset: true})
				}
			case ofMessage(e) || ofConversation(e):
				if owner, ok := owners[e.ConversationID]; ok && (ofMessage(e) || owner.MergedInto.IsZero()) {
					audience := parley.Audience{ContactID: owner.ContactID, InboxID: owner.InboxID, ConversationID: cmp.Or(owner.MergedInto, e.ConversationID)}
					selected = append(selected, CustomerEvent{Event: e, Audience: audience, Conversation: now[e.ConversationID]})
				}
			}
		}
		return selected, nil
	}).Now(ctx)
}

func ofMessage(e *parley.Event) bool {
	return e.Type == parley.MessageCreated || e.Type == parley.MessageUpdated
}

// reshaped reports whether an event moves messages to another conversation.
func reshaped(e *parley.Event) bool {
	return e.Type == parley.ConversationMerged || e.Type == parley.ConversationUnmerged || e.Type == parley.ConversationSplit
}

func ofConversation(e *parley.Event) bool {
	return e.Type == parley.ConversationCreated ||
		e.Type == parley.ConversationUpdated && (slices.Contains(e.Changed, "status") || slices.Contains(e.Changed, "agent") || slices.Contains(e.Changed, customerSeen))
}

// byID loads each conversation once, in batches that fit into a query.
func byID(v *store.View, ws parley.WorkspaceID, ids []parley.ID, ask func(store.Reader, parley.WorkspaceID, []parley.ID) ([]parley.CustomerConversation, error)) (map[parley.ID]parley.CustomerConversation, error) {
	known := make(map[parley.ID]parley.CustomerConversation, len(ids))
	for batch := range slices.Chunk(desk.Unique(ids), 100) {
		found, err := ask(v, ws, batch)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			known[c.ID] = c
		}
	}
	return known, nil
}
