package erasure

import (
	"fmt"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/numbers"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/wire"
)

// stepWork is about how many rows one transaction of an erasure touches.
// conversationWork is how many rows the deletion of one conversation counts as.
const (
	stepWork         = 500
	conversationWork = 10
)

// A step is a part of an erasure. Its name is stored.
type step struct {
	name string
	// run does a bounded part of the step.
	run func(*tx, *Erasure) (progress, error)
}

// A progress is what remains of a step.
type progress int

const (
	more progress = iota // there is more to do
	wait                 // something else has to happen first
	done
)

// filesStep is the step that waits until files are deleted.
const filesStep = "files"

// steps returns the steps in their order. A step must not delete what a later one
// reads: the phones of a person are known until the contact is deleted. The steps for
// events and answers come after the records, because they look for what no longer
// exists.
func steps() []step {
	return []step{
		{"sessions", (*tx).endSessions},
		{"groups", (*tx).leaveGroups},
		{"conversations", (*tx).deleteConversations},
		{"contact", (*tx).deleteContact},
		{"log", (*tx).eraseLog},
		{"answers", (*tx).eraseAnswers},
		{filesStep, (*tx).awaitFiles},
	}
}

// A tx is the transaction of a step.
type tx struct {
	*desk.Tx
	batch int // about how many rows it may touch
	work  int // about how many it has touched
}

// do runs the next part of an erasure.
func (svc *Service) do(t *desk.Tx, due desk.Timer) (next time.Time, err error) {
	id, ok := parley.ParseID(due.Name)
	if !ok {
		return next, fmt.Errorf("the timer %q names no erasure", due.Name)
	}
	e, err := selectErasure(t, t.WS, id)
	if parley.KindOf(err) == parley.NotFound || err == nil && !e.FinishedAt.IsZero() {
		return next, nil
	}
	if err != nil {
		return next, err
	}
	state, err := svc.advance(&tx{Tx: t, batch: svc.batch}, &e)
	switch {
	case err != nil || state == done:
		return time.Time{}, err
	case state == wait:
		return t.Now.Add(waitPause), nil
	}
	return t.Now, nil
}

// advance runs steps until the transaction has done enough, and stores the progress.
func (svc *Service) advance(t *tx, e *Erasure) (progress, error) {
	for t.work < t.batch {
		at := slices.IndexFunc(svc.steps, func(s step) bool { return s.name == e.step })
		if at < 0 {
			return done, fmt.Errorf("an erasure has no step %q", e.step)
		}
		t.work++
		state, err := svc.steps[at].run(t, e)
		if err != nil {
			return state, err
		}
		if state == wait {
			return wait, updateErasure(t, t.WS, e)
		}
		if state == more {
			continue
		}
		if at++; at == len(svc.steps) {
			return done, t.finish(e)
		}
		e.step = svc.steps[at].name
	}
	return more, updateErasure(t, t.WS, e)
}

// finish ends an erasure. The row of a rule's erasure stays too, unless it deleted
// nothing: a backup may be older than the rule.
func (t *tx) finish(e *Erasure) error {
	if len(e.Subjects.Contacts)+len(e.Subjects.Conversations) == 0 {
		return deleteErasure(t, t.WS, e.ID)
	}
	e.step, e.working, e.FinishedAt = "", working{}, t.Now
	if err := updateErasure(t, t.WS, e); err != nil {
		return err
	}
	return keepList(t.Tx)
}

// endSessions ends the person's sessions in the widget, so that nobody writes while
// the rest is deleted.
func (t *tx) endSessions(e *Erasure) (progress, error) {
	return done, t.signOut(e.Subjects.Contacts)
}

func (t *tx) signOut(contacts []parley.ID) error {
	if len(contacts) == 0 {
		return nil
	}
	ended, err := deleteSessions(t, t.WS, contacts)
	if err != nil || !ended {
		return err
	}
	return t.UpdateAccess(t.WS)
}

// leaveGroups deletes what the person wrote in groups, and the notes of these groups
// about who joined and left, because they contain names, perhaps former ones. What
// others wrote stays.
func (t *tx) leaveGroups(e *Erasure) (progress, error) {
	if len(e.Subjects.Contacts) == 0 {
		return done, nil
	}
	if _, err := desk.SelectTimer(t, t.WS, surveyTimer, e.ID.String()); parley.KindOf(err) != parley.NotFound {
		return wait, err
	}
	w := &e.working
	if w.Group >= len(w.Groups) {
		return done, nil
	}
	group := w.Groups[w.Group]
	messages, err := selectMessagesOf(t, t.WS, group, place{w.After, t.batch}, e.Subjects.Contacts)
	if err != nil {
		return more, err
	}
	if len(messages) == 0 {
		w.Group, w.After = w.Group+1, parley.ID{}
		return more, t.leaveGroup(group, e.Subjects.Contacts)
	}
	w.After = messages[len(messages)-1].ID
	return more, t.deleteGroupMessages(e, group, messages)
}

// leaveGroup removes contacts from the history of a group, and announces a change of
// the group: otherwise a program that polls by updatedSince would keep the messages.
func (t *tx) leaveGroup(group parley.ID, contacts []parley.ID) error {
	if err := clearHistory(t, t.WS, group, texts(contacts)); err != nil {
		return err
	}
	c, err := t.Conversation(t.Visibility, group)
	if parley.KindOf(err) == parley.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if err := t.UpdateConversation(t.WS, &c, t.Now); err != nil {
		return err
	}
	t.Announce(parley.ConversationUpdated, group, []string{"updatedAt"}, wire.AppendConversation(nil, &c))
	return nil
}

func (t *tx) deleteGroupMessages(e *Erasure, group parley.ID, messages []parley.Message) error {
	e.Counts.GroupMessages += len(messages)
	if err := t.deleteMessages(e, group, messages); err != nil {
		return err
	}
	t.tellDeleted(group, messages)
	return nil
}

// tellDeleted announces that messages were deleted from a conversation that may stay.
func (t *tx) tellDeleted(conversation parley.ID, messages []parley.Message) {
	for i := range messages {
		t.Announce(parley.MessageDeleted, conversation, nil, wire.AppendID(nil, messages[i].ID))
	}
}

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
		t.tellDeleted(id, parts)
	}
	return nil
}

// deleteEmptied deletes a conversation without messages.
func (t *tx) deleteEmptied(e *Erasure, id parley.ID) error {
	t.work += conversationWork
	if err := numbers.EraseGroup(t.Tx, id); err != nil {
		return err
	}
	c, err := t.Conversation(t.Visibility, id)
	if err != nil {
		return err
	}
	if err := deleteConversation(t, t.WS, id); err != nil {
		return err
	}
	e.Counts.Conversations, e.working.Deleted = e.Counts.Conversations+1, id
	t.Announce(parley.ConversationDeleted, id, nil, wire.AppendDeletedConversation(nil, id, c.Contact.ID))
	if slices.Contains(e.Subjects.Contacts, c.Contact.ID) {
		return nil
	}
	return t.retellContact(c.Contact.ID)
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

// deleteContact deletes the contact and what is known about the person elsewhere. If
// the person has begun another conversation, that is deleted first.
func (t *tx) deleteContact(e *Erasure) (progress, error) {
	contacts := e.Subjects.Contacts
	if len(contacts) == 0 {
		return done, nil
	}
	if _, err := desk.SelectTimer(t, t.WS, networksTimer, e.ID.String()); parley.KindOf(err) != parley.NotFound {
		return wait, err
	}
	if grown, err := t.followMerge(e); err != nil || grown {
		return more, err
	}
	if _, err := selectConversationOf(t, t.WS, contacts); parley.KindOf(err) != parley.NotFound {
		e.step = "conversations"
		return wait, err
	}
	there, err := selectContactsThere(t, t.WS, contacts)
	if err != nil {
		return more, err
	}
	identifiers, err := t.identifiers(contacts)
	if err != nil {
		return more, err
	}
	uploads, err := selectUploads(t, t.WS, contacts)
	if err != nil {
		return more, err
	}
	refs := make([]store.SearchRef, len(contacts))
	for i, id := range contacts {
		refs[i] = store.SearchRef{Kind: parley.SearchContact, ID: id}
	}
	for _, remove := range []func() error{
		func() error { return t.signOut(contacts) }, // a signed identity may have begun another session
		func() error { return t.forsake(e, uploads) },
		func() error { return search.Forget(t.Tx, refs) },
		func() error { return t.forgetPhones(e) },
		func() error { return t.forgetIdentifiers(identifiers) },
		func() error { return deleteAnswersOf(t, t.WS, contacts) },
		func() error { return deleteMoves(t, t.WS, contacts) },
		func() error { return deleteMerged(t, t.WS, contacts) },
		func() error { return t.forgetDuplicates(contacts) },
	} {
		if err := remove(); err != nil {
			return more, err
		}
	}
	if err := deleteContacts(t, t.WS, contacts); err != nil {
		return more, err
	}
	for _, id := range there {
		t.Announce(parley.ContactDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
	}
	return done, nil
}

// followMerge adds the contacts that were merged with the erased one since the erasure
// began, and starts over with them: the merge says that they are the same person. It
// reports whether there are any.
func (t *tx) followMerge(e *Erasure) (grown bool, err error) {
	before := len(e.Subjects.Contacts)
	now, err := desk.ContactNow(&t.View, t.WS, e.SubjectID)
	if parley.KindOf(err) == parley.NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	e.Subjects.Contacts = append(e.Subjects.Contacts, now.ID)
	if err := findPerson(&t.View, t.WS, e); err != nil || len(e.Subjects.Contacts) == before {
		return false, err
	}
	e.step, e.working.Group, e.working.After = steps()[0].name, 0, parley.ID{}
	return true, insertTimers(t.Tx, e)
}

// identifiers returns the identifiers of contacts and of those merged into them.
func (t *tx) identifiers(contacts []parley.ID) ([]string, error) {
	var identifiers []string
	for _, id := range contacts {
		merged, err := selectMerged(t, t.WS, id)
		if err != nil {
			return nil, err
		}
		for _, m := range merged {
			identifiers = append(identifiers, m.Identifier)
		}
		c, err := t.Contact(t.WS, id)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return nil, err
		}
		identifiers = append(identifiers, c.Identifier)
	}
	return slices.DeleteFunc(desk.Unique(identifiers), func(s string) bool { return s == "" }), nil
}

func (t *tx) forgetIdentifiers(identifiers []string) error {
	if len(identifiers) == 0 {
		return nil
	}
	if err := deleteSubjects(t, t.WS, identifiers); err != nil {
		return err
	}
	return deleteRejections(t, t.WS, identifiers)
}

func (t *tx) forgetPhones(e *Erasure) error {
	if len(e.working.Phones) == 0 {
		return nil
	}
	return numbers.ErasePhones(t.Tx, phonesOf(e))
}

func (t *tx) forgetDuplicates(contacts []parley.ID) error {
	for _, id := range contacts {
		if err := t.ForgetDuplicates(id); err != nil {
			return err
		}
	}
	return nil
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

func texts(ids []parley.ID) []string {
	written := make([]string, len(ids))
	for i, id := range ids {
		written[i] = id.String()
	}
	return written
}
