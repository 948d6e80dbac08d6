package erasure

import (
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/wire"
)

// deleteConversations deletes the conversations that the erasure names, then those of
// the person, which it adds to the named ones.
func (t *tx) deleteConversations(e *Erasure) (progress, error) {
	if e.working.At < len(e.Subjects.Conversations) {
		id := e.Subjects.Conversations[e.working.At]
		there, err := t.isToDelete(e, id)
		switch {
		case err != nil:
			return more, err
		case there:
			return more, t.deleteConversation(e, id)
		case e.Kind == parley.ErasureByRule && e.working.Deleted != id:
			e.Subjects.Conversations = slices.Delete(e.Subjects.Conversations, e.working.At, e.working.At+1) // it stays
		default:
			e.working.At++
		}
		return more, nil
	}
	if len(e.Subjects.Contacts) == 0 {
		return done, nil
	}
	next, err := selectConversationOf(t, t.WS, e.Subjects.Contacts)
	if parley.KindOf(err) == parley.NotFound {
		return done, nil
	}
	if err == nil {
		e.Subjects.Conversations = append(e.Subjects.Conversations, next)
	}
	return more, err
}

// isToDelete reports whether a conversation still exists and, for a rule, whether the
// rule still deletes it: the conversation may have changed, and so may the rule.
func (t *tx) isToDelete(e *Erasure, id parley.ID) (bool, error) {
	read := selectConversationsThere
	if e.Kind == parley.ErasureByRule {
		read = selectStillDue
	}
	there, err := read(t, t.WS, []parley.ID{id})
	return len(there) > 0, err
}

// deleteConversation deletes a conversation with its messages or, if there are many,
// only the oldest of them. So a conversation of usual length is deleted in one piece.
// If a rule deletes one in parts, it may change between them and stay, so each deleted
// message is announced.
func (t *tx) deleteConversation(e *Erasure, id parley.ID) error {
	var parts []parley.Message
	for len(parts) < t.batch {
		messages, err := selectMessages(t, t.WS, id, t.batch)
		if err != nil {
			return err
		}
		if len(messages) == 0 {
			return t.deleteEmptied(e, id)
		}
		if err := t.deleteMessages(e, id, messages); err != nil {
			return err
		}
		parts = append(parts, messages...)
	}
	if e.Kind == parley.ErasureByRule {
		e.working.Parts = desk.Unique(append(e.working.Parts, id))
		t.tellDeleted(id, parts)
	}
	return nil
}

// deleteEmptied deletes a conversation without messages.
func (t *tx) deleteEmptied(e *Erasure, id parley.ID) error {
	t.work += conversationWork
	if _, err := t.Group(t.WS, id); err == nil {
		e.working.WereGroups = append(e.working.WereGroups, id)
	} else if parley.KindOf(err) != parley.NotFound {
		return err
	}
	c, err := t.Conversation(t.Visibility, id)
	if err != nil {
		return err
	}
	waiting, err := selectScheduledFiles(t, t.WS, id)
	if err != nil {
		return err
	}
	e.working.Files = append(e.working.Files, waiting...)
	if err := t.forsake(e, waiting); err != nil {
		return err
	}
	if err := deleteConversation(t, t.WS, id); err != nil {
		return err
	}
	e.Counts.Conversations, e.working.Deleted = e.Counts.Conversations+1, id
	if err := e.working.addOrigins(t, c); err != nil {
		return err
	}
	t.AnnounceOf(&c, parley.ConversationDeleted, nil, wire.AppendDeletedConversation(nil, id, c.Contact.ID))
	if slices.Contains(e.Subjects.Contacts, c.Contact.ID) {
		return nil
	}
	return t.retellContact(c.Contact.ID)
}

// maxOrigins bounds how far back addOrigins goes.
const maxOrigins = 20

// addOrigins adds where the messages of a deleted conversation came from, if it was split from
// another one: that one, and the one that it was split from, as far as they are there.
func (w *working) addOrigins(t *tx, c parley.Conversation) error {
	for range maxOrigins {
		if c.SplitFrom.IsZero() {
			return nil
		}
		w.Origins = desk.Unique(append(w.Origins, c.SplitFrom))
		if w.Oldest.IsZero() || c.CreatedAt.Before(w.Oldest) {
			w.Oldest = c.CreatedAt
		}
		origin, err := t.Conversation(t.Visibility, c.SplitFrom)
		if parley.KindOf(err) == parley.NotFound {
			return nil
		}
		if err != nil {
			return err
		}
		c = origin
	}
	return nil
}

// retellContact announces the present state of a contact that stays: only the events of
// the deleted messages, which are erased, had told when it was last active.
func (t *tx) retellContact(id parley.ID) error {
	c, err := t.Contact(t.WS, id)
	if err == nil {
		t.Announce(parley.ContactUpdated, parley.ID{}, []string{"lastActivityAt"}, wire.AppendContact(nil, &c, false))
	}
	return err
}

// answersKept is longer than the answer to an upload is stored.
const answersKept = 2 * desk.AnswerRetention

// deleteMessages deletes messages of a conversation with their deliveries, their
// words in the index, and their files.
func (t *tx) deleteMessages(e *Erasure, conversation parley.ID, messages []parley.Message) error {
	ids := make([]parley.ID, len(messages))
	refs := make([]store.SearchRef, len(messages))
	var files []parley.ID
	for i := range messages {
		ids[i] = messages[i].ID
		refs[i] = store.SearchRef{Kind: parley.SearchMessage, ID: ids[i], ConversationID: conversation}
		for _, file := range messages[i].Attachments {
			files = append(files, file.ID)
			if file.CreatedAt.After(t.Now.Add(-answersKept)) {
				e.working.Files = append(e.working.Files, file.ID)
			}
		}
	}
	t.work += len(ids)
	e.Counts.Messages += len(ids)
	if err := search.Forget(t.Tx, refs); err != nil {
		return err
	}
	for _, remove := range []func(store.Writer, parley.WorkspaceID, parley.ID, []parley.ID) error{
		deleteDeliveries, deleteNetworkMessages, deleteMessages,
	} {
		if err := remove(t, t.WS, conversation, ids); err != nil {
			return err
		}
	}
	return t.forsake(e, files)
}

// forsake leaves files to the purge of files, and makes the purge due.
func (t *tx) forsake(e *Erasure, files []parley.ID) error {
	if len(files) == 0 {
		return nil
	}
	e.Counts.Files += len(files)
	if err := forsakeFiles(t, t.WS, files); err != nil {
		return err
	}
	if err := desk.InsertTimer(t, t.WS, desk.UploadsTimer, "", t.Now); err != nil {
		return err
	}
	return hurryTimer(t, t.WS, desk.UploadsTimer, t.Now.UnixMilli())
}

// awaitFiles waits until the purge of files has deleted those of the erasure. An
// erasure by a rule does not wait, because nobody waits for its end.
func (t *tx) awaitFiles(e *Erasure) (progress, error) {
	if e.Kind == parley.ErasureByRule {
		return done, nil
	}
	left, err := countForsaken(t, t.WS)
	if err == nil && left > 0 {
		return wait, nil
	}
	return done, err
}
