package search

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/follow"
	"parley/internal/fulltext"
	"parley/internal/store"
)

const (
	// searchGather is how long the index waits for more changes after one.
	searchGather = 150 * time.Millisecond
	// One turn of a workspace reads searchBatch records and about searchText bytes of
	// their texts, and adds about searchWords words to the index, not counting the
	// last record. So a turn is a bounded piece of work, whatever was written.
	searchBatch = 500
	searchText  = 64 << 10
	searchWords = 20_000
)

// RunSearchIndex keeps the search index current until the context ends.
func (svc *Service) RunSearchIndex(ctx context.Context) { svc.index.Run(ctx) }

// IndexSearch brings the search index of all workspaces up to date, turn by turn.
func (svc *Service) IndexSearch(ctx context.Context) error { return svc.index.CatchUp(ctx) }

// IndexSearchRound gives one turn to each workspace that is behind and reports
// whether any of them needs another.
func (svc *Service) IndexSearchRound(ctx context.Context) (bool, error) { return svc.index.Round(ctx) }

// IndexStats returns counts of the index turns of this process.
func (svc *Service) IndexStats() follow.Stats { return svc.index.Stats() }

// follower is the index as a follower of the log. If the words are of another
// version, or the position in the log is gone, the index is rebuilt from the tables:
// its entries are replaced, and entries of deleted records lead to no record.
func follower() follow.Follower {
	return follow.Follower{
		Name: "search", Version: fulltext.Version, Gather: searchGather,
		Lost:   func(follow.Loss) follow.Start { return follow.FromTables },
		Events: indexEvents,
		Tables: &follow.Tables{First: place{table: contactsTable}.String(), Read: readTable},
		Moved:  func(t *desk.Tx, to store.FollowerPosition) error { return KeepLegacyPosition(t, t.WS, to) },
	}
}

// An indexRecord is a record as it was read, without words.
type indexRecord struct {
	store.SearchRef
	text fulltext.Document
	read int // how many events were read with this one, if it is from the log
}

// An indexBatch is what one turn adds to the index.
type indexBatch struct {
	records []indexRecord
	size    int // bytes of the records' texts
	docs    []store.SearchDocument
}

// add puts a record into the batch and reports whether more records fit.
func (b *indexBatch) add(r indexRecord) bool {
	b.records = append(b.records, r)
	b.size += r.text.Size()
	return b.size < searchText
}

// makeDocuments splits the records into words and drops the records that exceed
// searchWords. Of a record that was read twice, the last state counts. It is the
// slow part of a turn, so it ends with the context.
func (b *indexBatch) makeDocuments(ctx context.Context) error {
	places := map[store.SearchRef]int{}
	words := 0
	for i := range b.records {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r := &b.records[i]
		doc := store.SearchDocument{SearchRef: r.SearchRef, Words: r.text.Words()}
		words += len(doc.Words)
		if at, twice := places[r.SearchRef]; twice {
			b.docs[at] = doc
		} else {
			places[r.SearchRef] = len(b.docs)
			b.docs = append(b.docs, doc)
		}
		if words >= searchWords {
			b.records = b.records[:i+1]
			break
		}
	}
	return nil
}

// indexEvents prepares the documents of events.
func indexEvents(ctx context.Context, _ parley.WorkspaceID, events []parley.Event) (follow.Step, error) {
	var b indexBatch
	read := 0
	for i := range events {
		if events[i].Type == parley.ConversationSplit {
			if i > 0 {
				break // its messages must be in the index before
			}
			split := events[0]
			return follow.Step{Events: 1, Store: func(t *desk.Tx) error { return followSplit(t, &split) }}, nil
		}
		record, searched, err := eventRecord(&events[i])
		if err != nil {
			return follow.Step{}, fmt.Errorf("event %d: %w", events[i].Seq, err)
		}
		read = i + 1
		record.read = read
		if searched && !b.add(record) {
			break
		}
	}
	all := len(b.records)
	if err := b.makeDocuments(ctx); err != nil {
		return follow.Step{}, err
	}
	if n := len(b.records); n < all {
		read = b.records[n-1].read
	}
	return follow.Step{Events: read, Store: func(t *desk.Tx) error { return storeDocuments(t, b.docs) }}, nil
}

// A table is one that the index is built from.
type table string

// The tables, in their order. The names are stored.
const (
	contactsTable  table = "contacts"
	companiesTable table = "companies"
	messagesTable  table = "messages"
)

// A place is after a record of a table, or before the first.
type place struct {
	table        table
	conversation parley.ID // of a message
	id           parley.ID
}

// String returns the stored form of a place: the table alone before the first
// record.
func (p place) String() string {
	switch {
	case p.id.IsZero():
		return string(p.table)
	case p.conversation.IsZero():
		return string(p.table) + " " + p.id.String()
	}
	return string(p.table) + " " + p.conversation.String() + " " + p.id.String()
}

func parsePlace(text string) (place, error) {
	name, ids, _ := strings.Cut(text, " ")
	p := place{table: table(name)}
	for field := range strings.FieldsSeq(ids) {
		id, ok := parley.ParseID(field)
		if !ok {
			return p, fmt.Errorf("the place %q names no record", text)
		}
		p.conversation, p.id = p.id, id
	}
	return p, nil
}

// readTable reads the next records after a place.
func readTable(v *store.View, ws parley.WorkspaceID, text string) (follow.Prepare, error) {
	from, err := parsePlace(text)
	if err != nil {
		return nil, err
	}
	records, err := tableRecords(v, ws, from)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (follow.Step, error) {
		if len(records) == 0 {
			next := map[table]place{contactsTable: {table: companiesTable}, companiesTable: {table: messagesTable}, messagesTable: {}}
			return follow.Step{Place: next[from.table].String()}, nil
		}
		var b indexBatch
		for i := range records {
			if !b.add(records[i]) {
				break
			}
		}
		if err := b.makeDocuments(ctx); err != nil {
			return follow.Step{}, err
		}
		last := b.records[len(b.records)-1].SearchRef
		return follow.Step{
			Place: place{table: from.table, conversation: last.ConversationID, id: last.ID}.String(),
			Store: func(t *desk.Tx) error {
				if from.table == companiesTable {
					if err := storeFolded(t.Tx, t.WS, b.docs); err != nil {
						return err
					}
				}
				return storeDocuments(t, b.docs)
			},
		}, nil
	}, nil
}

// storeFolded folds the names of companies again, because a rebuild may be due
// to a change of the folding.
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

// tableRecords reads the records of a table after a place.
func tableRecords(v *store.View, ws parley.WorkspaceID, p place) ([]indexRecord, error) {
	switch p.table {
	case contactsTable:
		contacts, err := SelectSearchableContacts(v, ws, p.id, searchBatch)
		return indexRecords(contacts, contactRecord), err
	case companiesTable:
		companies, err := SelectSearchableCompanies(v, ws, p.id, searchBatch)
		return indexRecords(companies, companyRecord), err
	case messagesTable:
		messages, err := SelectSearchableMessages(v, ws, store.SearchRef{ConversationID: p.conversation, ID: p.id}, searchBatch)
		return indexRecords(messages, func(m *parley.Message) indexRecord { return messageRecord(m.ID, m.ConversationID, m.Content) }), err
	}
	return nil, fmt.Errorf("the index is made from no table %q", p.table)
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

// textOf returns the text, or "" for nil.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// A searchedRecord has the members of a record's JSON that are searched, for
// all kinds.
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

// eventRecord returns the record of an event, if it is searchable.
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
	case parley.ContactMerged: // a record without words is never found
		record.SearchRef = store.SearchRef{Kind: parley.SearchContact, ID: r.ID}
	case parley.CompanyCreated, parley.CompanyUpdated:
		record = companyRecord(&parley.Company{ID: r.ID, Name: r.Name, Website: r.Website, ExternalID: r.ExternalID, Notes: r.Notes})
	default:
		record = contactRecord(&parley.Contact{
			ID: r.ID, Name: r.Name, Email: r.Email, PhoneNumber: r.PhoneNumber, Identifier: r.Identifier, ShopName: r.ShopName,
		})
	}
	return record, true, nil
}
