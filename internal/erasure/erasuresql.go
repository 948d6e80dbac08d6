package erasure

import (
	"time"

	"parley"
	"parley/internal/merging"
	"parley/internal/store"
)

const erasureColumns = "erasure_id, kind, subject_id, subjects, asked_by, step, working, counts, created_at, finished_at"

func scanErasure(r store.Row, e *Erasure) error {
	var subjects, working, counts string
	err := r.Scan(&e.ID, (*string)(&e.Kind), &e.SubjectID, &subjects, (*string)(&e.AskedBy), &e.step, &working, &counts, &e.CreatedAt, &e.FinishedAt)
	if err != nil {
		return err
	}
	return e.unpack(subjects, working, counts)
}

// insertErasure inserts a new erasure.
func insertErasure(tx store.Writer, ws parley.WorkspaceID, e *Erasure) error {
	subjects, working, counts, err := e.pack()
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, "INSERT INTO erasures (workspace_id, "+erasureColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
		e.ID, string(e.Kind), e.SubjectID, subjects, string(e.AskedBy), e.step, working, counts, e.CreatedAt, e.FinishedAt)
}

// updateErasure stores the progress of an erasure.
func updateErasure(tx store.Writer, ws parley.WorkspaceID, e *Erasure) error {
	subjects, working, counts, err := e.pack()
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, `UPDATE erasures SET subjects = $3, step = $4, working = $5, counts = $6, finished_at = $7
		WHERE workspace_id = $1 AND erasure_id = $2`, e.ID, subjects, e.step, working, counts, e.FinishedAt)
}

// deleteErasure deletes an erasure that no restored store needs to repeat.
func deleteErasure(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM erasures WHERE workspace_id = $1 AND erasure_id = $2", id)
}

// selectErasure returns an erasure.
func selectErasure(v store.Reader, ws parley.WorkspaceID, id parley.ID) (Erasure, error) {
	return store.One(v, ws, "erasure", scanErasure, "SELECT "+erasureColumns+" FROM erasures WHERE workspace_id = $1 AND erasure_id = $2", id)
}

// selectUnfinished returns the running erasure of a record.
func selectUnfinished(v store.Reader, ws parley.WorkspaceID, subject parley.ID) (Erasure, error) {
	return store.One(v, ws, "erasure", scanErasure, "SELECT "+erasureColumns+
		" FROM erasures WHERE workspace_id = $1 AND subject_id = $2 AND finished_at = 0", subject)
}

// selectAllUnfinished returns the erasures that run.
func selectAllUnfinished(v store.Reader, ws parley.WorkspaceID) ([]Erasure, error) {
	return store.Many(v, ws, scanErasure, "SELECT "+erasureColumns+" FROM erasures WHERE workspace_id = $1 AND finished_at = 0 ORDER BY erasure_id")
}

// selectAll returns erasures of all kinds after one of them.
func selectAll(v store.Reader, ws parley.WorkspaceID, after parley.ID, limit int) ([]Erasure, error) {
	return store.Many(v, ws, scanErasure, "SELECT "+erasureColumns+" FROM erasures WHERE workspace_id = $1 AND erasure_id > $2 ORDER BY erasure_id LIMIT $3",
		place{after, limit}.first(), limit)
}

// selectErasures returns a page of the erasures that somebody asked for, newest first.
func selectErasures(v store.Reader, ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[Erasure], error) {
	page := store.ListPage[Erasure]{Limit: limit, Scan: scanErasure, Next: func(last *Erasure) parley.Position { return parley.Position{ID: last.ID} }}
	if after.IsZero() {
		return store.Page(v, ws, page, "SELECT "+erasureColumns+" FROM erasures WHERE workspace_id = $1 AND subject_id IS NOT NULL ORDER BY erasure_id DESC LIMIT $2")
	}
	return store.Page(v, ws, page, "SELECT "+erasureColumns+
		" FROM erasures WHERE workspace_id = $1 AND subject_id IS NOT NULL AND erasure_id < $2 ORDER BY erasure_id DESC LIMIT $3", after.ID)
}

// selectMerged returns the contacts that were merged into another one, with what they
// left behind.
func selectMerged(v store.Reader, ws parley.WorkspaceID, into parley.ID) ([]merging.Merged, error) {
	return store.Many(v, ws, func(r store.Row, m *merging.Merged) error { return r.Scan(&m.ID, &m.Identifier, &m.PhoneKey) },
		"SELECT contact_id, identifier, phone_key FROM merged_contacts WHERE workspace_id = $1 AND into_id = $2", into)
}

// selectConversationOf returns a conversation of contacts, or NotFound.
func selectConversationOf(v store.Reader, ws parley.WorkspaceID, contacts []parley.ID) (parley.ID, error) {
	return store.One(v, ws, "conversation", store.Only[parley.ID],
		"SELECT conversation_id FROM conversations WHERE workspace_id = $1 AND contact_id IN ($2...) ORDER BY conversation_id LIMIT 1", store.ListOf(contacts))
}

// maxReadBytes is about how much text one step reads.
const maxReadBytes = 1 << 20

// selectMessages returns the oldest messages of a conversation.
func selectMessages(v store.Reader, ws parley.WorkspaceID, conversation parley.ID, limit int) ([]parley.Message, error) {
	return store.ManyWithin(v, ws, maxReadBytes, store.ScanMessage, "SELECT "+store.MessageColumns+store.MessageTables+
		" WHERE g.workspace_id = $1 AND g.conversation_id = $2 ORDER BY g.message_id LIMIT $3", conversation, limit)
}

// selectGroups returns conversations of groups after one of them.
func selectGroups(v store.Reader, ws parley.WorkspaceID, after parley.ID, limit int) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], `SELECT conversation_id FROM chatapp_groups
		WHERE workspace_id = $1 AND conversation_id > $2 ORDER BY conversation_id LIMIT $3`, place{after, limit}.first(), limit)
}

// selectWroteIn reports whether contacts wrote in a conversation.
func selectWroteIn(v store.Reader, ws parley.WorkspaceID, conversation parley.ID, contacts []parley.ID) (bool, error) {
	found, err := store.Many(v, ws, store.Only[int], `SELECT 1 FROM messages WHERE workspace_id = $1 AND conversation_id = $2
		AND sender_contact_id IN ($3...) LIMIT 1`, conversation, store.ListOf(contacts))
	return len(found) > 0, err
}

// selectIsMember reports whether one of the phones is a member of a group.
func selectIsMember(v store.Reader, ws parley.WorkspaceID, conversation parley.ID, phones []string) (bool, error) {
	found, err := store.Many(v, ws, store.Only[int], `SELECT 1 FROM group_members WHERE workspace_id = $1 AND conversation_id = $2
		AND (phone IN ($3...) OR network_phone IN ($3...)) LIMIT 1`, conversation, store.ListOf(phones))
	return len(found) > 0, err
}

// A place is where a list goes on: after an id, with at most limit items.
type place struct {
	after parley.ID
	limit int
}

// first returns the id after which the list goes on. The zero id comes before all
// others; as an ID it would be NULL.
func (p place) first() parley.WorkspaceID { return parley.WorkspaceID(p.after) }

// selectMessagesOf returns messages of a group that contacts wrote, and notes of the
// group.
func selectMessagesOf(v store.Reader, ws parley.WorkspaceID, conversation parley.ID, from place, contacts []parley.ID) ([]parley.Message, error) {
	return store.ManyWithin(v, ws, maxReadBytes, store.ScanMessage, "SELECT "+store.MessageColumns+store.MessageTables+
		` WHERE g.workspace_id = $1 AND g.conversation_id = $2 AND g.message_id > $3 AND (g.sender_type = $4 OR g.sender_contact_id IN ($6...))
		ORDER BY g.message_id LIMIT $5`, conversation, from.first(), string(parley.SenderSystem), from.limit, store.ListOf(contacts))
}

// selectNotes returns notes of a group.
func selectNotes(v store.Reader, ws parley.WorkspaceID, conversation parley.ID, after parley.ID, limit int) ([]parley.Message, error) {
	from := place{after, limit}
	return store.ManyWithin(v, ws, maxReadBytes, store.ScanMessage, "SELECT "+store.MessageColumns+store.MessageTables+
		" WHERE g.workspace_id = $1 AND g.conversation_id = $2 AND g.message_id > $3 AND g.sender_type = $4 ORDER BY g.message_id LIMIT $5",
		conversation, from.first(), string(parley.SenderSystem), from.limit)
}

// clearHistory removes contacts from the history of a conversation of others.
func clearHistory(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, contacts []string) error {
	return store.Exec(tx, ws, `UPDATE conversation_history SET actor_id = '', actor_name = ''
		WHERE workspace_id = $1 AND conversation_id = $2 AND actor_type = $3 AND actor_id IN ($4...)`,
		conversation, string(parley.ActorCustomer), store.ListOf(contacts))
}

// deleteDeliveries deletes the deliveries of messages of a conversation.
func deleteDeliveries(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, messages []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM deliveries WHERE workspace_id = $1 AND conversation_id = $2 AND message_id IN ($3...)",
		conversation, store.ListOf(messages))
}

// deleteNetworkMessages deletes what the network calls messages of a conversation.
func deleteNetworkMessages(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, messages []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM chatapp_messages WHERE workspace_id = $1 AND conversation_id = $2 AND message_id IN ($3...)",
		conversation, store.ListOf(messages))
}

// deleteMessages deletes messages of a conversation.
func deleteMessages(tx store.Writer, ws parley.WorkspaceID, conversation parley.ID, messages []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM messages WHERE workspace_id = $1 AND conversation_id = $2 AND message_id IN ($3...)",
		conversation, store.ListOf(messages))
}

// forsakenAt is the time of a file that the purge is to delete, in milliseconds since
// 1970: earlier than every real time.
const forsakenAt = 1

// forsakeFiles leaves files to the purge of unattached files.
func forsakeFiles(tx store.Writer, ws parley.WorkspaceID, files []parley.ID) error {
	return store.Exec(tx, ws, `UPDATE attachments SET contact_id = NULL, conversation_id = NULL, message_id = NULL, scheduled_id = NULL, file_name = '',
		stored = $2, created_at = $3 WHERE workspace_id = $1 AND attachment_id IN ($4...)`, false, forsakenAt, store.ListOf(files))
}

// selectUploads returns unattached files of contacts.
func selectUploads(v store.Reader, ws parley.WorkspaceID, contacts []parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID],
		"SELECT attachment_id FROM attachments WHERE workspace_id = $1 AND message_id IS NULL AND contact_id IN ($2...)", store.ListOf(contacts))
}

// selectScheduledFiles returns the files that wait for scheduled messages of a
// conversation.
func selectScheduledFiles(v store.Reader, ws parley.WorkspaceID, conversation parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], `SELECT attachment_id FROM attachments WHERE workspace_id = $1 AND message_id IS NULL AND scheduled_id IN (
		SELECT scheduled_id FROM scheduled_messages WHERE workspace_id = $1 AND conversation_id = $2)`, conversation)
}

// countForsaken returns how many files the purge has not deleted yet.
func countForsaken(v store.Reader, ws parley.WorkspaceID) (int, error) {
	return store.One(v, ws, "count", store.Only[int],
		"SELECT count(*) FROM attachments WHERE workspace_id = $1 AND message_id IS NULL AND created_at = $2", forsakenAt)
}

// hurryTimer makes a waiting timer without a name due.
func hurryTimer(tx store.Writer, ws parley.WorkspaceID, kind string, now int64) error {
	return store.Exec(tx, ws, "UPDATE timers SET due_at = $3 WHERE workspace_id = $1 AND kind = $2 AND name = '' AND owner = '' AND due_at > $3", kind, now)
}

// deleteConversation deletes a conversation that has no messages, with all that
// refers to it.
func deleteConversation(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	for _, table := range []func() error{
		func() error {
			return store.Exec(tx, ws, "DELETE FROM chatapp_chats WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM group_members WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM chatapp_groups WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM conversation_labels WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM conversation_history WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return deleteContinuation(tx, ws, id)
		},
		func() error {
			return deleteWork(tx, ws, id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM agent_jobs WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM agent_results WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM article_origins WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM conversations WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
	} {
		if err := table(); err != nil {
			return err
		}
	}
	return nil
}

// deleteWork deletes what members have in a conversation, and what they have begun there.
func deleteWork(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	for _, table := range []func() error{
		func() error {
			return store.Exec(tx, ws, "DELETE FROM read_marks WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM drafts WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM bulk_items WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM scheduled_messages WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM conversation_links WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM conversation_links WHERE workspace_id = $1 AND other_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM notices WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM follows WHERE workspace_id = $1 AND conversation_id = $2", id)
		},
		func() error {
			return store.Exec(tx, ws, "DELETE FROM conversation_merges WHERE workspace_id = $1 AND (conversation_id = $2 OR into_id = $2)", id)
		},
	} {
		if err := table(); err != nil {
			return err
		}
	}
	return nil
}

// deleteContinuation deletes what was mailed about a conversation, and the links that lead into it.
func deleteContinuation(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	if err := store.Exec(tx, ws, "DELETE FROM return_links WHERE workspace_id = $1 AND conversation_id = $2", id); err != nil {
		return err
	}
	return store.Exec(tx, ws, "DELETE FROM continuations WHERE workspace_id = $1 AND conversation_id = $2", id)
}

// deleteSessions ends the sessions of contacts in the widget and reports whether
// there were any.
func deleteSessions(tx store.Writer, ws parley.WorkspaceID, contacts []parley.ID) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM customer_sessions WHERE workspace_id = $1 AND contact_id IN ($2...) RETURNING 1", store.ListOf(contacts))
}

// deleteMails deletes the mails to contacts. A timer without its mail ends by itself.
func deleteMails(tx store.Writer, ws parley.WorkspaceID, contacts []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM mails WHERE workspace_id = $1 AND contact_id IN ($2...)", store.ListOf(contacts))
}

// deleteMoves deletes the moves of contacts between companies.
func deleteMoves(tx store.Writer, ws parley.WorkspaceID, contacts []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM company_moves WHERE workspace_id = $1 AND contact_id IN ($2...)", store.ListOf(contacts))
}

// deleteVisits deletes the visits of contacts.
func deleteVisits(tx store.Writer, ws parley.WorkspaceID, contacts []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM visits WHERE workspace_id = $1 AND contact_id IN ($2...)", store.ListOf(contacts))
}

// deleteTyped deletes what contacts typed as visitors.
func deleteTyped(tx store.Writer, ws parley.WorkspaceID, contacts []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM contact_addresses WHERE workspace_id = $1 AND contact_id IN ($2...)", store.ListOf(contacts))
}

// deleteMerged deletes the identifiers of contacts that were merged into these.
func deleteMerged(tx store.Writer, ws parley.WorkspaceID, contacts []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM merged_contacts WHERE workspace_id = $1 AND into_id IN ($2...)", store.ListOf(contacts))
}

// deleteSubjects deletes the sources of signed identities, by their subjects.
func deleteSubjects(tx store.Writer, ws parley.WorkspaceID, identifiers []string) error {
	return store.Exec(tx, ws, "DELETE FROM identity_sources WHERE workspace_id = $1 AND subject IN ($2...)", store.ListOf(identifiers))
}

// deleteRejections deletes the refused identities of subjects.
func deleteRejections(tx store.Writer, ws parley.WorkspaceID, identifiers []string) error {
	return store.Exec(tx, ws, "DELETE FROM identity_rejections WHERE workspace_id = $1 AND subject IN ($2...)", store.ListOf(identifiers))
}

// deleteContacts deletes contacts that no other row refers to.
func deleteContacts(tx store.Writer, ws parley.WorkspaceID, contacts []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM contacts WHERE workspace_id = $1 AND contact_id IN ($2...)", store.ListOf(contacts))
}

// selectConversationsThere returns which of the conversations exist.
func selectConversationsThere(v store.Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], "SELECT conversation_id FROM conversations WHERE workspace_id = $1 AND conversation_id IN ($2...)", store.ListOf(ids))
}

// selectMessagesThere returns which of the messages exist.
func selectMessagesThere(v store.Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], "SELECT message_id FROM messages WHERE workspace_id = $1 AND message_id IN ($2...)", store.ListOf(ids))
}

// selectContactsThere returns which of the contacts exist, or were merged into one that
// does.
func selectContactsThere(v store.Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.ID, error) {
	found, err := store.Many(v, ws, store.Only[parley.ID], "SELECT contact_id FROM contacts WHERE workspace_id = $1 AND contact_id IN ($2...)", store.ListOf(ids))
	if err != nil {
		return nil, err
	}
	merged, err := store.Many(v, ws, store.Only[parley.ID], "SELECT contact_id FROM merged_contacts WHERE workspace_id = $1 AND contact_id IN ($2...)", store.ListOf(ids))
	return append(found, merged...), err
}

// selectErasing returns the workspaces in which something was erased.
func selectErasing(v *store.View) ([]parley.WorkspaceID, error) {
	return store.ManyAcross(v, store.Only[parley.WorkspaceID], "SELECT DISTINCT workspace_id FROM erasures")
}

// selectScheduled returns the state of the backups that servers make by themselves, or
// the zero value if they make none.
func selectScheduled(v store.Reader) (scheduled, error) {
	found, err := store.ManyAcross(v, func(r store.Row, s *scheduled) error {
		var every, took int64
		err := r.Scan(&every, &s.plannedAt, &s.doneAt, &took)
		s.every, s.took = time.Duration(every)*time.Millisecond, time.Duration(took)*time.Millisecond
		return err
	}, "SELECT every, planned_at, done_at, took FROM backup_schedules LIMIT 1")
	if err != nil || len(found) == 0 {
		return scheduled{}, err
	}
	return found[0], nil
}
