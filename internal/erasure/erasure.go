// Package erasure permanently deletes persons and conversations: the rows, what was
// derived from them, what the log says about them, and their files. An erasure is a
// row of ids and a timer. Its steps run one after the other, each in small
// transactions, so it continues after a crash and no writer waits long. The rows stay,
// so that erasures can be repeated in a restored backup; see [Service.Replay].
//
// inventory.go says whose data each column of the store holds, and what an erasure
// does with it; a test compares it with the schema.
//
// The package is above the desk. It may import the vocabulary, the store, the
// JSON shapes, the networks' interface, the desk, numbers, search and timer.
package erasure

import (
	"context"
	"encoding/json"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/timer"
)

// Subjects are the records that an erasure deletes. They are stored.
type Subjects struct {
	Contacts      []parley.ID `json:"contacts"`
	Conversations []parley.ID `json:"conversations"`
}

// An Erasure is a running or finished erasure.
type Erasure struct {
	parley.Erasure
	Subjects Subjects

	step    string
	working working
}

// storedCounts are parley.ErasureCounts as they are stored.
type storedCounts struct {
	Conversations int `json:"conversations"`
	Messages      int `json:"messages"`
	GroupMessages int `json:"groupMessages"`
	Files         int `json:"files"`
	Events        int `json:"events"`
}

// working is the state of the current step. It is stored, and cleared at the end.
type working struct {
	// Phones are those of the person, in the spellings of the networks. The contact
	// and its chats, which have them, are deleted before the last step that needs them.
	Phones []string `json:"phones,omitempty"`
	// JIDs are those of the person's chats.
	JIDs []string `json:"jids,omitempty"`
	// Groups are those with data of the person, Group counts those that are done, and
	// After is the last message read in the next one.
	Groups []parley.ID `json:"groups,omitempty"`
	Group  int         `json:"group,omitempty"`
	After  parley.ID   `json:"after,omitzero"`
	// At counts the named conversations that are deleted, and Deleted is the last one.
	At      int       `json:"at,omitempty"`
	Deleted parley.ID `json:"deleted,omitzero"`
	// Begun is the last event before the erasure began.
	Begun int64 `json:"begun,omitempty"`
	// WereGroups are the deleted conversations that were groups.
	WereGroups []parley.ID `json:"wereGroups,omitempty"`
	// Parts are the conversations of which a rule deleted the first messages alone. They
	// may have changed since, and stay.
	Parts []parley.ID `json:"parts,omitempty"`
	// Traced says that a pass over events and answers was asked for, and Read that it is
	// over. Seq is the last event that it has read, and Last the one at which it ends.
	// Route and Key name the last stored answer that it has read.
	Traced bool   `json:"traced,omitempty"`
	Read   bool   `json:"read,omitempty"`
	Seq    int64  `json:"seq,omitempty"`
	Last   int64  `json:"last,omitempty"`
	Route  string `json:"route,omitempty"`
	Key    string `json:"key,omitempty"`
	// Since is the latest last change among the conversations that a rule deletes.
	Since time.Time `json:"since,omitzero"`
	// Origins are conversations from which deleted ones were split, and Oldest is when the
	// first message of those was written: answers and events name the origins.
	Origins []parley.ID `json:"origins,omitempty"`
	Oldest  time.Time   `json:"oldest,omitzero"`
	// Repeated says that a restore brought the erasure; see [Service.FinishRepeated].
	Repeated bool `json:"repeated,omitempty"`
	// Files are those uploaded so recently that the answers to their uploads are still
	// stored.
	Files []parley.ID `json:"files,omitempty"`
}

func (e *Erasure) pack() (subjects, work, counts string, err error) {
	var texts [3][]byte
	for i, part := range []any{e.Subjects, e.working, storedCounts(e.Counts)} {
		if texts[i], err = json.Marshal(part); err != nil {
			return "", "", "", err
		}
	}
	if !e.FinishedAt.IsZero() {
		texts[1] = nil
	}
	return string(texts[0]), string(texts[1]), string(texts[2]), nil
}

func (e *Erasure) unpack(subjects, work, counts string) error {
	if err := json.Unmarshal([]byte(subjects), &e.Subjects); err != nil {
		return err
	}
	if work != "" {
		if err := json.Unmarshal([]byte(work), &e.working); err != nil {
			return err
		}
	}
	if e.step == answersStepBefore {
		e.step = tracesStep
	}
	var stored storedCounts
	err := json.Unmarshal([]byte(counts), &stored)
	e.Counts = parley.ErasureCounts(stored)
	return err
}

// A Service erases persons and conversations.
type Service struct {
	desk    *desk.Desk
	numbers *numbers.Service
	steps   []step
	batch   int // about how many rows one transaction touches
	pages   int // of the log and the answers that one run reads
	// keptUntil knows how long this node keeps backups.
	keptUntil KeptUntil
}

// New returns a Service.
func New(d *desk.Desk, n *numbers.Service, kept KeptUntil) *Service {
	return &Service{desk: d, numbers: n, steps: steps(), batch: stepWork, pages: tracesPages, keptUntil: kept}
}

// The kinds of timers, each with the id of an erasure as its name. The store keeps
// these names.
const (
	stepsTimer    = "erase"
	networksTimer = "erase on networks"
	surveyTimer   = "erase: find groups"
	tracesTimer   = "erase: read log and answers"
	// retentionTimer is of a workspace that has rules, and has no name.
	retentionTimer = "apply retention"
)

// waitPause is how long a step waits for something else; networksLease is how long the
// networks may take, surveyLease how long the search for groups may take, and
// tracesLease how long a run over the log and the answers may take: others wait that
// long for a process that ended.
const (
	waitPause     = 2 * time.Second
	networksLease = time.Minute
	surveyLease   = 10 * time.Minute
	tracesLease   = 30 * time.Second
)

// Kinds returns the kinds of timers that carry out erasures.
func (svc *Service) Kinds() []timer.Kind {
	return []timer.Kind{
		{Name: stepsTimer, Farthest: waitPause, Do: svc.do},
		{Name: networksTimer, Lease: networksLease, Run: svc.forget},
		{Name: surveyTimer, Lease: surveyLease, Run: svc.survey},
		{Name: tracesTimer, Farthest: waitPause, Lease: tracesLease, Run: svc.traces},
		{Name: retentionTimer, Deletes: true, Farthest: retentionPause, Do: svc.applyRules},
	}
}

// EraseContact begins to erase a person: the contact, those that were merged into it,
// their conversations, what they wrote in groups, and everything else known about
// them. It returns the erasure of the person that is already running, if there is one.
// A contact that stands for a group is a Conflict.
func (svc *Service) EraseContact(ctx context.Context, by desk.Caller, id parley.ID) (Erasure, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (Erasure, error) {
		c, err := desk.ContactNow(&t.View, t.WS, id)
		if err != nil {
			return Erasure{}, err
		}
		if err := isPerson(&t.View, t.WS, c.ID); err != nil {
			return Erasure{}, err
		}
		asked := t.IDs.New(t.Now)
		e, err := begin(t, Erasure{
			Erasure:  parley.Erasure{ID: asked, Kind: parley.ErasureOfContact, SubjectID: c.ID, AskedBy: by.Member},
			Subjects: Subjects{Contacts: []parley.ID{c.ID}},
		})
		if err == nil && e.ID == asked { // else another one is running
			err = t.Audit.Of(entry.Erased, entry.SubjectContact, c.ID.String())
		}
		if err == nil {
			err = svc.tellBackups(t, &e)
		}
		return e, err
	})
}

// isPerson returns a Conflict for a contact that stands for a group.
func isPerson(v *store.View, ws parley.WorkspaceID, contact parley.ID) error {
	groups, err := desk.CountGroups(v, ws, contact)
	if err == nil && groups > 0 {
		err = parley.Errorf(parley.Conflict, "the contact stands for a group; delete its conversation instead")
	}
	return err
}

// DeleteConversation begins to delete a conversation with its parts. A merged one is a
// Conflict. A short one is deleted when it
// returns; events and stored answers about it follow soon after, by a timer.
func (svc *Service) DeleteConversation(ctx context.Context, by desk.Caller, id parley.ID) (Erasure, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (Erasure, error) {
		c, err := t.Conversation(t.Visibility, id)
		if err != nil {
			return Erasure{}, err
		}
		if !c.MergedInto.IsZero() {
			refused := parley.Errorf(parley.Conflict, "the conversation was merged into %s; delete that one, or undo the merge first", c.MergedInto)
			refused.IDs = []parley.ID{c.MergedInto}
			return Erasure{}, refused
		}
		parts, err := t.Parts(t.Visibility, id)
		if err != nil {
			return Erasure{}, err
		}
		asked := t.IDs.New(t.Now)
		e, err := begin(t, Erasure{
			Erasure:  parley.Erasure{ID: asked, Kind: parley.ErasureOfConversation, SubjectID: id, AskedBy: by.Member},
			Subjects: Subjects{Conversations: append(parts, id)},
		})
		if err == nil && e.ID == asked { // else another one is running
			err = t.Audit.Of(entry.ConversationErased, entry.SubjectConversation, id.String())
		}
		if err == nil && e.step == svc.steps[0].name {
			_, err = svc.advance(&tx{Tx: t, batch: svc.batch}, &e)
		}
		if err == nil {
			err = svc.tellBackups(t, &e)
		}
		return e, err
	})
}

// begin inserts an erasure with its timers, or returns the running one of the same
// record.
func begin(t *desk.Tx, e Erasure) (Erasure, error) {
	if !e.SubjectID.IsZero() {
		running, err := selectUnfinished(t, t.WS, e.SubjectID)
		if parley.KindOf(err) != parley.NotFound {
			return running, err
		}
	}
	if e.ID.IsZero() {
		e.ID = t.IDs.New(t.Now)
	}
	e.CreatedAt, e.step = t.Now, steps()[0].name
	for _, ids := range []*[]parley.ID{&e.Subjects.Contacts, &e.Subjects.Conversations} {
		if *ids == nil {
			*ids = []parley.ID{} // an array in JSON, not null
		}
	}
	if err := findPerson(&t.View, t.WS, &e); err != nil {
		return e, err
	}
	w, err := t.Workspace(t.WS)
	if err != nil {
		return e, err
	}
	e.working.Begun = w.Seq
	if err := insertTimers(t, &e); err != nil {
		return e, err
	}
	if err := insertErasure(t, t.WS, &e); err != nil {
		return e, err
	}
	return e, keepList(t)
}

// insertTimers inserts the timers of an erasure.
func insertTimers(t *desk.Tx, e *Erasure) error {
	kinds := []string{stepsTimer}
	if len(e.Subjects.Contacts) > 0 {
		kinds = append(kinds, networksTimer, surveyTimer)
	}
	for _, kind := range kinds {
		if err := desk.InsertTimer(t, t.WS, kind, e.ID.String(), t.Now); err != nil {
			return err
		}
	}
	return nil
}

// findPerson adds the merged contacts to an erasure, and what networks know the person
// by.
func findPerson(v *store.View, ws parley.WorkspaceID, e *Erasure) error {
	for _, id := range e.Subjects.Contacts {
		merged, err := selectMerged(v, ws, id)
		if err != nil {
			return err
		}
		for _, m := range merged {
			e.Subjects.Contacts = append(e.Subjects.Contacts, m.ID)
			if m.PhoneKey != "" {
				e.working.Phones = append(e.working.Phones, m.PhoneKey)
			}
		}
		c, err := v.Contact(ws, id)
		if err != nil && parley.KindOf(err) != parley.NotFound { // a restored store may lack it
			return err
		}
		if phone := parley.PhoneKey(c.PhoneNumber); phone != "" {
			e.working.Phones = append(e.working.Phones, phone)
		}
		chats, err := desk.SelectChatsWith(v, ws, id)
		if err != nil {
			return err
		}
		for i := range chats {
			if chats[i].Phone != "" {
				e.working.Phones = append(e.working.Phones, string(chats[i].Phone))
			}
			e.working.JIDs = append(e.working.JIDs, chats[i].JID)
		}
	}
	e.Subjects.Contacts, e.working.Phones, e.working.JIDs = desk.Unique(e.Subjects.Contacts), desk.Unique(e.working.Phones), desk.Unique(e.working.JIDs)
	return nil
}

// Erasures returns a page of the erasures of persons and of conversations, newest
// first.
func (svc *Service) Erasures(ws parley.WorkspaceID, after parley.Position, limit int) desk.Read[parley.Page[Erasure]] {
	return desk.View(svc.desk, func(v *store.View) (parley.Page[Erasure], error) {
		page, err := selectErasures(v, ws, after, limit)
		if err != nil {
			return page, err
		}
		listed := make([]*Erasure, len(page.Items))
		for i := range page.Items {
			listed[i] = &page.Items[i]
		}
		err = svc.tellBackups(v, listed...)
		return page, err
	})
}

// Erasure returns an erasure.
func (svc *Service) Erasure(ws parley.WorkspaceID, id parley.ID) desk.Read[Erasure] {
	return desk.View(svc.desk, func(v *store.View) (Erasure, error) {
		e, err := selectErasure(v, ws, id)
		if err == nil {
			err = svc.tellBackups(v, &e)
		}
		return e, err
	})
}

// An Erased is an erasure in another state of a workspace. Without an id it is a new
// one.
type Erased struct {
	ID parley.ID `json:"id"`
	Subjects
}

// entry is what the audit log says of a repeated erasure.
func (e *Erased) entry() entry.Entry {
	if len(e.Contacts) > 0 {
		return entry.Entry{Action: entry.Erased, SubjectType: entry.SubjectContact, SubjectID: e.Contacts[0].String()}
	}
	return entry.Entry{Action: entry.ConversationErased, SubjectType: entry.SubjectConversation, SubjectID: e.Conversations[0].String()}
}

// Replay begins the erasures that this state of a workspace, restored from an older
// backup, does not have. They keep their ids, so a second call has no effect. It
// returns how many it began.
func (svc *Service) Replay(ctx context.Context, by desk.Caller, erased []Erased) (int, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (int, error) {
		begun := 0
		for _, one := range erased {
			began, err := replay(t, one)
			if err != nil {
				return begun, err
			}
			if began {
				begun++
				err = t.Audit.Record(one.entry())
			}
			if err != nil {
				return begun, err
			}
		}
		return begun, nil
	})
}

// All returns all erasures of persons and of conversations, newest first.
func (svc *Service) All(ctx context.Context, ws parley.WorkspaceID) ([]Erasure, error) {
	var all []Erasure
	for page := (parley.Page[Erasure]{HasMore: true}); page.HasMore; {
		var err error
		if page, err = svc.Erasures(ws, page.Next, parley.MaxLimit).Now(ctx); err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
	}
	return all, nil
}
