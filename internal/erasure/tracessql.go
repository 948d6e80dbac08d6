package erasure

import (
	"time"

	"parley"
	"parley/internal/store"
)

const loggedColumns = "seq, type, conversation_id, data, actor_type, actor_id"

func scanLogged(r store.Row, e *logged) error {
	return r.Scan(&e.seq, (*string)(&e.kind), &e.conversation, &e.data, (*string)(&e.actor.Type), &e.actor.ID)
}

// selectLogged returns the events in a part of the log, with what identifies their
// records.
func selectLogged(v store.Reader, ws parley.WorkspaceID, after, last int64, limit int) ([]logged, error) {
	return store.ManyWithin(v, ws, maxReadBytes, scanLogged, "SELECT "+loggedColumns+
		" FROM events WHERE workspace_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4", after, last, limit)
}

// selectLoggedAt returns some events of the log, with what identifies their records.
func selectLoggedAt(v store.Reader, ws parley.WorkspaceID, seqs []int64) ([]logged, error) {
	return store.Many(v, ws, scanLogged, "SELECT "+loggedColumns+" FROM events WHERE workspace_id = $1 AND seq IN ($2...) ORDER BY seq", store.ListOf(seqs))
}

// An age is the time of an event.
type age struct {
	seq int64
	at  time.Time
}

// selectNextAge returns the time of the first event in a part of the log, if there is one.
func selectNextAge(v store.Reader, ws parley.WorkspaceID, after, last int64) ([]age, error) {
	return store.Many(v, ws, func(r store.Row, a *age) error { return r.Scan(&a.seq, &a.at) },
		"SELECT seq, created_at FROM events WHERE workspace_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT 1", after, last)
}

// eraseEvents turns events into EventErased. Their numbers, times and checks stay.
func eraseEvents(tx store.Writer, ws parley.WorkspaceID, seqs []int64) error {
	return store.Exec(tx, ws, `UPDATE events SET type = $2, conversation_id = NULL, changed = '', data = '', moved = '', actor_type = '',
		actor_id = '', actor_name = '', cause_type = '', cause_id = NULL, imported = $3,
		inbox_id = NULL, team_id = NULL, assignee_id = '', before = '' WHERE workspace_id = $1 AND seq IN ($4...)`,
		string(parley.EventErased), false, store.ListOf(seqs))
}

// A keptAnswer is the stored answer to a request with an Idempotency-Key.
type keptAnswer struct{ route, key, body string }

// selectAnswers returns stored answers after one of them.
func selectAnswers(v store.Reader, ws parley.WorkspaceID, after keptAnswer, limit int) ([]keptAnswer, error) {
	return store.ManyWithin(v, ws, maxReadBytes, func(r store.Row, a *keptAnswer) error { return r.Scan(&a.route, &a.key, &a.body) },
		`SELECT route, idempotency_key, body FROM idempotency_keys WHERE workspace_id = $1 AND (route, idempotency_key) > ($2, $3)
		ORDER BY route, idempotency_key LIMIT $4`, after.route, after.key, limit)
}

// deleteAnswer deletes a stored answer that is still what was read.
func deleteAnswer(tx store.Writer, ws parley.WorkspaceID, a keptAnswer) error {
	return store.Exec(tx, ws, "DELETE FROM idempotency_keys WHERE workspace_id = $1 AND route = $2 AND idempotency_key = $3 AND body = $4", a.route, a.key, a.body)
}

// deleteAnswersOf deletes the stored answers to requests of contacts.
func deleteAnswersOf(tx store.Writer, ws parley.WorkspaceID, contacts []parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM idempotency_keys WHERE workspace_id = $1 AND contact_id IN ($2...)", store.ListOf(contacts))
}
