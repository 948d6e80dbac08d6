// Package recording writes the entries of the audit log, in the transaction of what they
// record. So a change has exactly one entry, and a refused one has none.
//
// It is below the desk, whose transaction has a [Recorder] for all packages over it. What
// the event log tells anyway, such as a changed inbox, the desk passes to
// [Recorder.Announced]; the verbs record the rest. [parley/internal/audit] reads the log.
//
// It may import the vocabulary and the store.
package recording

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/store"
)

// A Recorder records what one transaction does.
type Recorder struct {
	Tx     *store.Tx
	WS     parley.WorkspaceID
	IDs    *parley.IDs
	Now    time.Time
	Actor  parley.Actor
	Client entry.Client
	// Tell are told of each entry that was written, in the transaction.
	Tell []func(*entry.Entry) error
}

// announced are the events that are recorded, if a member, a key or an operator caused
// them. Their changed fields are names of the API.
var announced = map[parley.EventType]entryKind{
	parley.WorkspaceUpdated:  {entry.WorkspaceUpdated, entry.SubjectWorkspace},
	parley.InboxCreated:      {entry.InboxCreated, entry.SubjectInbox},
	parley.InboxUpdated:      {entry.InboxUpdated, entry.SubjectInbox},
	parley.ProductCreated:    {entry.ProductCreated, entry.SubjectProduct},
	parley.ProductUpdated:    {entry.ProductUpdated, entry.SubjectProduct},
	parley.TeamCreated:       {entry.TeamCreated, entry.SubjectTeam},
	parley.TeamUpdated:       {entry.TeamUpdated, entry.SubjectTeam},
	parley.TeamDeleted:       {entry.TeamDeleted, entry.SubjectTeam},
	parley.NumberCreated:     {entry.NumberCreated, entry.SubjectNumber},
	parley.NumberUpdated:     {entry.NumberUpdated, entry.SubjectNumber},
	parley.HelpCenterCreated: {entry.HelpCenterCreated, entry.SubjectHelpCenter},
	parley.HelpCenterUpdated: {entry.HelpCenterUpdated, entry.SubjectHelpCenter},
	parley.HelpCenterDeleted: {entry.HelpCenterDeleted, entry.SubjectHelpCenter},
	parley.ArticleDeleted:    {entry.ArticleDeleted, entry.SubjectArticle},
}

type entryKind struct {
	action  entry.Action
	subject entry.Subject
}

// Announced records an event of the transaction, if it is of a kind that is recorded and
// did not happen by itself. The transaction fails if its statement does.
func (r *Recorder) Announced(e *parley.Event) {
	kind, ok := announced[e.Type]
	if r == nil || !ok || r.actor() == entry.Server {
		return
	}
	var of struct{ ID, ProductID, Status string } // a help center is known by its product
	if err := json.Unmarshal(e.Data, &of); err != nil || of.Status == string(parley.NumberPairing) {
		return // the verb records that somebody pairs a number
	}
	changes := make([]entry.Change, len(e.Changed))
	for i, field := range e.Changed {
		changes[i].Field = field
	}
	// The writer fails the transaction for a failed statement, whatever its closure returns.
	_ = r.Record(entry.Entry{Action: kind.action, SubjectType: kind.subject, SubjectID: cmp.Or(of.ID, of.ProductID), Changes: changes})
}

// Record writes an entry. Its id, its time and the client are those of the transaction, and
// so is the actor, unless the entry names one. Without a count it is 1.
func (r *Recorder) Record(e entry.Entry) error {
	e.ID, e.At, e.Address, e.UserAgent = r.IDs.New(r.Now), r.Now, r.Client.Address, shorten(r.Client.UserAgent)
	if e.ActorType == "" {
		e.ActorType = r.actor()
		if e.ActorType == entry.Member || e.ActorType == entry.Key {
			e.ActorID = r.Actor.ID
		}
	}
	e.Count = max(e.Count, 1)
	err := InsertEntry(r.Tx, r.WS, &e)
	for _, tell := range r.Tell {
		if err == nil {
			err = tell(&e)
		}
	}
	return err
}

// Changed records a change of a record's fields, and nothing if there is none.
func (r *Recorder) Changed(action entry.Action, subject entry.Subject, id string, fields ...string) error {
	if len(fields) == 0 {
		return nil
	}
	return r.Record(entry.Entry{Action: action, SubjectType: subject, SubjectID: id, Changes: Fields(fields...)})
}

// Of records an action on a record.
func (r *Recorder) Of(action entry.Action, subject entry.Subject, id string) error {
	return r.Record(entry.Entry{Action: action, SubjectType: subject, SubjectID: id})
}

// Fields returns changes of fields without values.
func Fields(names ...string) []entry.Change {
	changes := make([]entry.Change, len(names))
	for i, name := range names {
		changes[i].Field = name
	}
	return changes
}

// WithValues adds the values before and after to the change of a field.
func WithValues(changes []entry.Change, field, from, to string) []entry.Change {
	i := slices.IndexFunc(changes, func(c entry.Change) bool { return c.Field == field })
	if i >= 0 {
		changes[i].From, changes[i].To = from, to
	}
	return changes
}

func (r *Recorder) actor() entry.Actor {
	switch r.Actor.Type {
	case parley.ActorMember:
		return entry.Member
	case parley.ActorKey:
		return entry.Key
	}
	if r.Client.Operator {
		return entry.Operator
	}
	return entry.Server
}

// shorten returns the beginning of a User-Agent, in a form that both engines store.
func shorten(agent string) string {
	clean := make([]rune, 0, entry.MaxAgent)
	for _, r := range agent {
		if len(clean) == entry.MaxAgent {
			break
		}
		if r >= ' ' && r != 0x7f && r != utf8.RuneError {
			clean = append(clean, r)
		}
	}
	return string(clean)
}
