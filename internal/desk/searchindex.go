package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"parley"
	"parley/internal/fulltext"
	"parley/internal/store"
)

const (
	// searchPoll is how long a change waits at most whose wake-up was lost.
	searchPoll = time.Second
	// searchPause is how long the index waits for more behind a change: many
	// records in one transaction cost the writers less than many transactions.
	searchPause = 150 * time.Millisecond
	// searchBatch is how many events or records one transaction puts into the
	// index at most, and searchWords how many words, but for those of its last
	// record: so nobody waits long behind it.
	searchBatch = 500
	searchWords = 20_000
)

// RunSearchIndex puts what changes into the index of the search until the
// context ends.
func (d *Desk) RunSearchIndex(ctx context.Context) {
	ticker := time.NewTicker(searchPoll)
	defer ticker.Stop()
	for {
		if err := d.IndexSearch(ctx); err != nil && ctx.Err() == nil {
			d.log.Warn("the index of the search stopped for a moment", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-d.searchWake:
			pause(ctx, searchPause)
		}
	}
}

// IndexSearch puts into the index of the search what is not in it yet, in all
// workspaces, batch by batch. It gives the writers as much time between two
// batches as one took.
func (d *Desk) IndexSearch(ctx context.Context) error {
	workspaces, err := view(ctx, d, func(v *store.View) ([]parley.WorkspaceID, error) {
		return v.UnindexedWorkspaces(fulltext.Version)
	})
	for err == nil && len(workspaces) > 0 {
		var left []parley.WorkspaceID
		for _, ws := range workspaces {
			begin := time.Now()
			more, failed := d.indexBatch(ctx, ws)
			if failed != nil {
				err = errors.Join(err, fmt.Errorf("workspace %s: %w", ws, failed))
				continue // the others shall not wait for this one
			}
			if more {
				left = append(left, ws)
				pause(ctx, time.Since(begin))
			}
		}
		workspaces = left
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return err
}

// pause waits, or until the context ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// An indexStep is one batch: the records to put into the index, and the
// position behind it.
type indexStep struct {
	to   store.SearchPosition
	docs []store.SearchDocument
	more bool // there is, or may be, another batch
}

// add puts a record into the batch, in place of what the batch has of it, and
// reports whether there is room for more.
func (s *indexStep) add(kind parley.SearchKind, id, conversation parley.ID, d fulltext.Document) bool {
	doc := store.SearchDocument{
		SearchRef: store.SearchRef{Kind: kind, ID: id, ConversationID: conversation}, Words: d.Words(),
	}
	s.docs = slices.DeleteFunc(s.docs, func(other store.SearchDocument) bool { return other.SearchRef == doc.SearchRef })
	s.docs = append(s.docs, doc)
	words := 0
	for i := range s.docs {
		words += len(s.docs[i].Words)
	}
	return words < searchWords
}

// indexBatch puts the next batch of a workspace into the index and reports
// whether there may be more. Words are made before the transaction, which
// checks that nobody else, on whatever node, has moved the position meanwhile;
// so every record is put in once, and a crash loses nothing.
func (d *Desk) indexBatch(ctx context.Context, ws parley.WorkspaceID) (bool, error) {
	step, err := snapshot(ctx, d, func(v *store.View) (indexStep, error) { return nextIndexStep(v, ws) })
	if err != nil || step.to.Step == 0 {
		return false, err
	}
	overtaken := errors.New("another node put this into the index")
	err = d.store.Write(ctx, ws, func(tx *store.Tx) error {
		moved, err := tx.MoveSearchPosition(ws, step.to)
		if err == nil && !moved {
			err = overtaken
		}
		if err != nil {
			return err
		}
		return tx.UpsertSearchDocuments(ws, step.docs)
	})
	if errors.Is(err, overtaken) {
		return false, nil // that node goes on
	}
	return step.more, err
}

// nextIndexStep reads the next batch of a workspace. Its position has no step
// where nothing is left to do.
func nextIndexStep(v *store.View, ws parley.WorkspaceID) (indexStep, error) {
	w, err := v.Workspace(ws)
	if err != nil {
		return indexStep{}, err
	}
	oldest, err := v.OldestEvent(ws)
	if err != nil {
		return indexStep{}, err
	}
	p, err := v.SearchPosition(ws)
	if err != nil && parley.KindOf(err) != parley.NotFound {
		return indexStep{}, err
	}
	// An index of another version, of another history of the log, behind what
	// is kept of it or ahead of it begins anew from the tables. What it has of
	// these records is replaced; of records that are gone it finds no record.
	anew := p.Step == 0 || p.Version != fulltext.Version || p.Log.Epoch != w.Epoch || p.Log.Seq+1 < oldest || p.Log.Seq > w.Seq
	step := indexStep{to: p}
	step.to.Step++
	switch {
	case anew:
		step.to = store.SearchPosition{
			Step: step.to.Step, Version: fulltext.Version, Stage: store.SearchContacts,
			Log: parley.LogPosition{Epoch: w.Epoch, Seq: w.Seq},
		}
		step.more = true
		return step, nil
	case p.Stage != store.SearchFollows:
		step.more = true
		return step, step.readTables(v, ws)
	case p.Log.Seq == w.Seq:
		return indexStep{}, nil
	}
	return step, step.readLog(v, ws, w.Seq)
}

// readTables reads the next records of the stage, or goes to the next stage
// where there are none.
func (s *indexStep) readTables(v *store.View, ws parley.WorkspaceID) error {
	next := map[store.SearchStage]store.SearchStage{
		store.SearchContacts: store.SearchCompanies, store.SearchCompanies: store.SearchMessages, store.SearchMessages: store.SearchFollows,
	}
	after, count, err := s.to.After, 0, error(nil)
	switch s.to.Stage {
	case store.SearchContacts:
		var contacts []parley.Contact
		contacts, err = v.SearchableContacts(ws, after.ID, searchBatch)
		count = len(contacts)
		s.takeAll(count, func(i int) bool { return s.addContact(&contacts[i]) })
	case store.SearchCompanies:
		var companies []parley.Company
		companies, err = v.SearchableCompanies(ws, after.ID, searchBatch)
		count = len(companies)
		s.takeAll(count, func(i int) bool { return s.addCompany(&companies[i]) })
	default:
		var messages []parley.Message
		messages, err = v.SearchableMessages(ws, after, searchBatch)
		count = len(messages)
		s.takeAll(count, func(i int) bool {
			return s.add(parley.SearchMessage, messages[i].ID, messages[i].ConversationID, fulltext.Document{Texts: []string{messages[i].Content}})
		})
	}
	if count == 0 {
		s.to.Stage, s.to.After = next[s.to.Stage], store.SearchRef{}
		return err
	}
	s.to.After = s.docs[len(s.docs)-1].SearchRef
	s.to.After.Kind = ""
	return err
}

// takeAll calls add for each of count records until there is no more room.
func (s *indexStep) takeAll(count int, add func(int) bool) {
	for i := range count {
		if !add(i) {
			return
		}
	}
}

func (s *indexStep) addContact(c *parley.Contact) bool {
	return s.add(parley.SearchContact, c.ID, parley.ID{}, fulltext.Document{
		Texts: []string{c.Name, c.Email, c.Identifier, c.ShopName, c.PhoneNumber}, Phone: c.PhoneNumber,
	})
}

func (s *indexStep) addCompany(c *parley.Company) bool {
	return s.add(parley.SearchCompany, c.ID, parley.ID{}, fulltext.Document{
		Texts: []string{c.Name, textOf(c.Website), c.ExternalID, textOf(c.Notes)},
	})
}

// textOf returns the text, "" where there is none.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// readLog reads the next events, up to the newest one.
func (s *indexStep) readLog(v *store.View, ws parley.WorkspaceID, newest int64) error {
	events, err := v.Events(ws, s.to.Log.Seq, searchBatch)
	if err != nil {
		return err
	}
	for i := range events {
		s.to.Log.Seq = events[i].Seq
		room, err := s.addEvent(&events[i])
		if err != nil {
			return fmt.Errorf("event %d: %w", events[i].Seq, err)
		}
		if !room {
			break
		}
	}
	s.more = s.to.Log.Seq < newest
	return nil
}

// A searchedRecord has those members of a record's JSON that are searched, of
// whichever kind it is.
type searchedRecord struct {
	ID             parley.ID `json:"id"`
	ConversationID parley.ID `json:"conversationId"`
	Content        string    `json:"content"`
	Name           string    `json:"name"`
	Email          string    `json:"email"`
	PhoneNumber    string    `json:"phoneNumber"`
	Identifier     string    `json:"identifier"`
	ShopName       string    `json:"shopName"`
	Website        *string   `json:"website"`
	Notes          *string   `json:"notes"`
	ExternalID     string    `json:"externalId"`
}

// addEvent puts the record of an event into the batch, if it is searched, and
// reports whether there is room for more.
func (s *indexStep) addEvent(e *parley.Event) (bool, error) {
	switch e.Type {
	case parley.MessageCreated, parley.ContactCreated, parley.ContactUpdated, parley.ContactMerged, parley.CompanyCreated, parley.CompanyUpdated:
	default:
		return true, nil
	}
	var r searchedRecord
	if err := json.Unmarshal(e.Data, &r); err != nil {
		return false, err
	}
	switch e.Type {
	case parley.MessageCreated:
		return s.add(parley.SearchMessage, r.ID, r.ConversationID, fulltext.Document{Texts: []string{r.Content}}), nil
	case parley.ContactMerged: // without words nothing finds it
		return s.add(parley.SearchContact, r.ID, parley.ID{}, fulltext.Document{}), nil
	case parley.CompanyCreated, parley.CompanyUpdated:
		return s.addCompany(&parley.Company{ID: r.ID, Name: r.Name, Website: r.Website, ExternalID: r.ExternalID, Notes: r.Notes}), nil
	}
	return s.addContact(&parley.Contact{
		ID: r.ID, Name: r.Name, Email: r.Email, PhoneNumber: r.PhoneNumber, Identifier: r.Identifier, ShopName: r.ShopName,
	}), nil
}
