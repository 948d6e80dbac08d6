package erasure

import (
	"context"
	"fmt"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/numbers"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/timer"
	"parley/internal/wire"
)

// stepWork is about how many rows one transaction of an erasure touches.
const stepWork = 500

// A step is a part of an erasure. Its name is stored.
type step struct {
	name string
	// run does a bounded piece of the step.
	run func(*tx, *Erasure) (progress, error)
}

// A progress says how far a step is.
type progress int

const (
	more progress = iota // there is more to do
	wait                 // something else has to happen first
	done
)

// steps returns the steps in their order. What is read by a later step must not be
// deleted by an earlier one: the phones of a person are known until the contact is
// deleted, and which events and answers are about erased records is decided by what
// is not there any more.
func steps() []step {
	return []step{
		{"sessions", (*tx).endSessions},
		{"groups", (*tx).leaveGroups},
		{"conversations", (*tx).deleteConversations},
		{"contact", (*tx).deleteContact},
		{"log", (*tx).eraseLog},
		{"answers", (*tx).eraseAnswers},
		{"files", (*tx).awaitFiles},
	}
}

// A tx is the transaction of a step.
type tx struct {
	*desk.Tx
	batch int // how many rows it touches, about
	work  int // rows that it has touched, about
}

// do runs the next piece of an erasure.
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

// advance runs steps until the transaction has done enough, and stores how far the
// erasure is.
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

// finish ends an erasure.
func (t *tx) finish(e *Erasure) error {
	if e.Kind == parley.ErasureByRule {
		return deleteErasure(t, t.WS, e.ID)
	}
	e.step, e.working, e.FinishedAt = "", working{}, t.Now
	return updateErasure(t, t.WS, e)
}

// forget lets the networks delete what they store here about the person. It needs
// the phones, so the contact waits for it.
func (svc *Service) forget(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) (timer.Finish, error) {
	id, ok := parley.ParseID(due.Name)
	if !ok {
		return nil, fmt.Errorf("the timer %q names no erasure", due.Name)
	}
	e, err := svc.Erasure(ws, id).Now(ctx)
	if err != nil && parley.KindOf(err) != parley.NotFound {
		return nil, err
	}
	finish := func(*desk.Tx) (time.Time, error) { return time.Time{}, nil }
	return finish, svc.numbers.Forget(ctx, ws, phonesOf(&e))
}

func phonesOf(e *Erasure) []parley.Phone {
	phones := make([]parley.Phone, len(e.working.Phones))
	for i, phone := range e.working.Phones {
		phones[i] = parley.Phone(phone)
	}
	return phones
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

// leaveGroups deletes what the person wrote in groups. Of these groups it also
// deletes the notes of who joined and left, because they hold names, perhaps former
// ones. What others wrote stays.
func (t *tx) leaveGroups(e *Erasure) (progress, error) {
	if len(e.Subjects.Contacts) == 0 {
		return done, nil
	}
	if !e.working.Inside {
		groups, err := selectGroups(t, t.WS, e.working.Conversation, 1)
		if err != nil || len(groups) == 0 {
			return done, err
		}
		e.working.Conversation = groups[0]
		concerned, err := t.isIn(e, groups[0])
		if err != nil || !concerned {
			return more, err
		}
		e.working.Inside = true
	}
	group := e.working.Conversation
	messages, err := selectMessagesOf(t, t.WS, group, t.batch, e.Subjects.Contacts)
	if err != nil {
		return more, err
	}
	if len(messages) == 0 {
		e.working.Inside = false
		return more, clearHistory(t, t.WS, group, texts(e.Subjects.Contacts))
	}
	return more, t.deleteGroupMessages(e, group, messages)
}

// isIn reports whether a person is or was in a group, as far as that is known.
func (t *tx) isIn(e *Erasure, group parley.ID) (bool, error) {
	wrote, err := selectWroteIn(t, t.WS, group, e.Subjects.Contacts)
	if err != nil || wrote || len(e.working.Phones) == 0 {
		return wrote, err
	}
	return selectIsMember(t, t.WS, group, e.working.Phones)
}

func (t *tx) deleteGroupMessages(e *Erasure, group parley.ID, messages []parley.Message) error {
	e.Counts.GroupMessages += len(messages)
	if err := t.deleteMessages(e, group, messages); err != nil {
		return err
	}
	for i := range messages {
		t.Announce(parley.MessageDeleted, group, nil, wire.AppendID(nil, messages[i].ID))
	}
	return nil
}

// deleteConversations deletes the conversations that the erasure names, and those of
// the person, which it then names.
func (t *tx) deleteConversations(e *Erasure) (progress, error) {
	if e.working.At < len(e.Subjects.Conversations) {
		id := e.Subjects.Conversations[e.working.At]
		there, err := t.isToDelete(e, id)
		if err != nil || there {
			if err == nil {
				err = t.deleteConversation(e, id)
			}
			return more, err
		}
		e.working.At++
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

// isToDelete reports whether a conversation that the erasure names is still there
// and, for a rule, has not changed since.
func (t *tx) isToDelete(e *Erasure, id parley.ID) (bool, error) {
	ids := []parley.ID{id}
	read := func() ([]parley.ID, error) { return selectConversationsThere(t, t.WS, ids) }
	if e.Kind == parley.ErasureByRule {
		read = func() ([]parley.ID, error) { return selectStillDue(t, t.WS, e.working.Since, ids) }
	}
	there, err := read()
	return len(there) > 0, err
}

// deleteConversation deletes messages of a conversation or, if there are none left,
// the conversation.
func (t *tx) deleteConversation(e *Erasure, id parley.ID) error {
	messages, err := selectMessages(t, t.WS, id, t.batch)
	if err != nil {
		return err
	}
	if len(messages) > 0 {
		return t.deleteMessages(e, id, messages)
	}
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
	e.Counts.Conversations++
	t.Announce(parley.ConversationDeleted, id, nil, wire.AppendID(nil, id))
	if slices.Contains(e.Subjects.Contacts, c.Contact.ID) {
		return nil
	}
	return t.retellContact(c.Contact.ID)
}

// retellContact tells of a contact that stays as it is now: the events of the deleted
// messages, which are erased, told when it was last active.
func (t *tx) retellContact(id parley.ID) error {
	c, err := t.Contact(t.WS, id)
	if err == nil {
		t.Announce(parley.ContactUpdated, parley.ID{}, []string{"lastActivityAt"}, wire.AppendContact(nil, &c, false))
	}
	return err
}

// answersKept is longer than the answer to an upload is kept.
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

// forsake leaves files to the purge of files, and makes that due.
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

// deleteContact deletes the contact and what is known of the person elsewhere. If
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

// followMerge adds the contacts that became one with the erased one since the erasure
// began, and begins anew with them: whoever merged them said that they are the same
// person. It reports whether there are any.
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
	e.step, e.working.Conversation, e.working.Inside = steps()[0].name, parley.ID{}, false
	if len(e.working.Phones) == 0 {
		return true, nil
	}
	return true, desk.InsertTimer(t, t.WS, networksTimer, e.ID.String(), t.Now)
}

// identifiers returns those of contacts, and of those that were merged into them.
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
	for _, phone := range e.working.Phones {
		if err := deleteAnswersWith(t, t.WS, phone); err != nil {
			return err
		}
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

// awaitFiles waits until the purge of files has deleted those of the erasure.
func (t *tx) awaitFiles(*Erasure) (progress, error) {
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
