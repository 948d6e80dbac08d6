package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/fulltext"
	"parley/internal/store"
)

const (
	// searchPoll is how long a change waits at most whose wake-up was lost.
	searchPoll = time.Second
	// searchPause is how long the index waits for more behind a change: many
	// records in one transaction cost the writers less than many transactions.
	searchPause = 150 * time.Millisecond
	// One turn of a workspace reads searchBatch events or records and about
	// searchText bytes of their texts, and puts about searchWords words into the
	// index; each but for the last record. So whoever waits behind it waits for a
	// bounded piece of work, whatever was written.
	searchBatch = 500
	searchText  = 64 << 10
	searchWords = 20_000
)

// RunSearchIndex puts what changes into the index of the search until the
// context ends.
func (svc *Service) RunSearchIndex(ctx context.Context) {
	ticker := time.NewTicker(searchPoll)
	defer ticker.Stop()
	for {
		if err := svc.IndexSearch(ctx); err != nil && ctx.Err() == nil {
			svc.log.Warn("the index of the search stopped for a moment", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-svc.wake:
			pause(ctx, searchPause)
		}
	}
}

// IndexSearch puts into the index of the search what is not in it yet, in all
// workspaces, turn by turn.
func (svc *Service) IndexSearch(ctx context.Context) error {
	for {
		more, err := svc.IndexSearchRound(ctx)
		if err != nil || !more {
			return err
		}
	}
}

// IndexSearchRound gives each workspace that is behind one turn, those with the
// least to do first, and reports whether one of them needs another. Who is
// behind is asked anew in each round, so nobody waits for the queue of another
// workspace to end. The writers are given as much time behind a turn as it took.
func (svc *Service) IndexSearchRound(ctx context.Context) (bool, error) {
	workspaces, err := desk.View(ctx, svc.desk, func(v *store.View) ([]parley.WorkspaceID, error) {
		return v.UnindexedWorkspaces(fulltext.Version)
	})
	another := false
	for _, ws := range workspaces {
		begin := time.Now()
		more, failed := svc.indexBatch(ctx, ws)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("workspace %s: %w", ws, failed))
			continue // the others shall not wait for this one
		}
		if more {
			another = true
			pause(ctx, time.Since(begin))
		}
	}
	return another, err
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

// An indexRecord is a record as it was read, without words.
type indexRecord struct {
	store.SearchRef
	text fulltext.Document
	seq  int64 // of the event, where the log is read
}

// An indexStep is one turn: the records that were read, the documents made of
// them, and the position behind these.
type indexStep struct {
	to      store.SearchPosition
	records []indexRecord
	size    int // bytes of the records' texts
	docs    []store.SearchDocument
	more    bool // there is, or may be, another turn
}

// add puts a record into the step and reports whether there is room for more.
func (s *indexStep) add(r indexRecord) bool {
	s.records = append(s.records, r)
	s.size += r.text.Size()
	return s.size < searchText
}

// makeDocuments makes the words of the records, those of a record that was read
// twice from what was read last. It takes the time, so it is done while nothing
// of the store is held, and ends with the context.
func (s *indexStep) makeDocuments(ctx context.Context) error {
	places := map[store.SearchRef]int{}
	words := 0
	for i := range s.records {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r := &s.records[i]
		doc := store.SearchDocument{SearchRef: r.SearchRef, Words: r.text.Words()}
		words += len(doc.Words)
		if place, twice := places[r.SearchRef]; twice {
			s.docs[place] = doc
		} else {
			places[r.SearchRef] = len(s.docs)
			s.docs = append(s.docs, doc)
		}
		if words >= searchWords && i+1 < len(s.records) {
			s.endBehind(r)
			return nil
		}
	}
	return nil
}

// endBehind ends the step with a record that is not the last one read.
func (s *indexStep) endBehind(r *indexRecord) {
	s.more = true
	if s.to.Stage == store.SearchFollows {
		s.to.Log.Seq = r.seq
		return
	}
	s.to.After = r.SearchRef
	s.to.After.Kind = ""
}

// indexBatch gives a workspace its turn and reports whether it may need another.
// The transaction checks that nobody else, on whatever node, has moved the
// position meanwhile; so every record is put in once, and a crash loses nothing.
func (svc *Service) indexBatch(ctx context.Context, ws parley.WorkspaceID) (bool, error) {
	step, err := desk.Snapshot(ctx, svc.desk, func(v *store.View) (indexStep, error) { return nextIndexStep(v, ws) })
	if err != nil || step.to.Step == 0 {
		return false, err
	}
	if err := step.makeDocuments(ctx); err != nil {
		return false, err
	}
	overtaken := errors.New("another node put this into the index")
	err = svc.store.Write(ctx, ws, func(tx *store.Tx) error {
		moved, err := tx.MoveSearchPosition(ws, step.to)
		if err == nil && !moved {
			err = overtaken
		}
		if err != nil {
			return err
		}
		if step.to.Stage == store.SearchCompanies {
			if err := storeFolded(tx, ws, step.docs); err != nil {
				return err
			}
		}
		return tx.UpsertSearchDocuments(ws, step.docs)
	})
	if errors.Is(err, overtaken) {
		return false, nil // that node goes on
	}
	return step.more, err
}

// storeFolded folds the names of companies anew: an index that is made again may
// be so because they are folded in another way now.
func storeFolded(tx *store.Tx, ws parley.WorkspaceID, docs []store.SearchDocument) error {
	for i := range docs {
		company, err := tx.Company(ws, docs[i].ID)
		if err == nil {
			err = tx.UpdateCompanySearchKey(ws, &company)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nextIndexStep reads what a workspace's next turn puts into the index. Its
// position has no step where nothing is left to do.
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
	// The index lies in the store of the log and moves in its transactions, so a
	// store that is set back takes it along, and numbers suffice here.
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
		err = step.readTables(v, ws)
		return step, err
	case p.Log.Seq == w.Seq:
		return indexStep{}, nil
	}
	err = step.readLog(v, ws, w.Seq)
	return step, err
}

// readTables reads the next records of the stage, or goes to the next stage
// where there are none.
func (s *indexStep) readTables(v *store.View, ws parley.WorkspaceID) error {
	next := map[store.SearchStage]store.SearchStage{
		store.SearchContacts: store.SearchCompanies, store.SearchCompanies: store.SearchMessages, store.SearchMessages: store.SearchFollows,
	}
	records, err := tableRecords(v, ws, s.to)
	if len(records) == 0 {
		s.to.Stage, s.to.After = next[s.to.Stage], store.SearchRef{}
		return err
	}
	for i := range records {
		if !s.add(records[i]) {
			break
		}
	}
	s.to.After = s.records[len(s.records)-1].SearchRef
	s.to.After.Kind = ""
	return err
}

// tableRecords reads records of the table of a stage.
func tableRecords(v *store.View, ws parley.WorkspaceID, p store.SearchPosition) ([]indexRecord, error) {
	switch p.Stage {
	case store.SearchContacts:
		contacts, err := v.SearchableContacts(ws, p.After.ID, searchBatch)
		return indexRecords(contacts, contactRecord), err
	case store.SearchCompanies:
		companies, err := v.SearchableCompanies(ws, p.After.ID, searchBatch)
		return indexRecords(companies, companyRecord), err
	}
	messages, err := v.SearchableMessages(ws, p.After, searchBatch)
	return indexRecords(messages, func(m *parley.Message) indexRecord { return messageRecord(m.ID, m.ConversationID, m.Content) }), err
}

func indexRecords[T any](read []T, of func(*T) indexRecord) []indexRecord {
	records := make([]indexRecord, len(read))
	for i := range read {
		records[i] = of(&read[i])
	}
	return records
}

func messageRecord(id, conversation parley.ID, content string) indexRecord {
	return indexRecord{
		SearchRef: store.SearchRef{Kind: parley.SearchMessage, ID: id, ConversationID: conversation},
		text:      fulltext.Document{Texts: []string{content}},
	}
}

func contactRecord(c *parley.Contact) indexRecord {
	return indexRecord{
		SearchRef: store.SearchRef{Kind: parley.SearchContact, ID: c.ID},
		text:      fulltext.Document{Texts: []string{c.Name, c.Email, c.Identifier, c.ShopName, c.PhoneNumber}, Phone: c.PhoneNumber},
	}
}

func companyRecord(c *parley.Company) indexRecord {
	return indexRecord{
		SearchRef: store.SearchRef{Kind: parley.SearchCompany, ID: c.ID},
		text:      fulltext.Document{Texts: []string{c.Name, textOf(c.Website), c.ExternalID, textOf(c.Notes)}},
	}
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
		record, searched, err := eventRecord(&events[i])
		if err != nil {
			return fmt.Errorf("event %d: %w", events[i].Seq, err)
		}
		if searched && !s.add(record) {
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

// eventRecord returns the record of an event, if it is one that is searched.
func eventRecord(e *parley.Event) (record indexRecord, searched bool, err error) {
	switch e.Type {
	case parley.MessageCreated, parley.ContactCreated, parley.ContactUpdated, parley.ContactMerged, parley.CompanyCreated, parley.CompanyUpdated:
	default:
		return record, false, nil
	}
	var r searchedRecord
	if err := json.Unmarshal(e.Data, &r); err != nil {
		return record, false, err
	}
	switch e.Type {
	case parley.MessageCreated:
		record = messageRecord(r.ID, r.ConversationID, r.Content)
	case parley.ContactMerged: // without words nothing finds it
		record.SearchRef = store.SearchRef{Kind: parley.SearchContact, ID: r.ID}
	case parley.CompanyCreated, parley.CompanyUpdated:
		record = companyRecord(&parley.Company{ID: r.ID, Name: r.Name, Website: r.Website, ExternalID: r.ExternalID, Notes: r.Notes})
	default:
		record = contactRecord(&parley.Contact{
			ID: r.ID, Name: r.Name, Email: r.Email, PhoneNumber: r.PhoneNumber, Identifier: r.Identifier, ShopName: r.ShopName,
		})
	}
	record.seq = e.Seq
	return record, true, nil
}
