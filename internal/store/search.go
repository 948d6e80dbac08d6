package store

import (
	"encoding/base32"
	"encoding/binary"
	"slices"
	"strings"

	"parley"
)

// The table search_words is the full-text index: an FTS5 table without content
// on SQLite, text-search vectors with a GIN index on PostgreSQL. Both receive
// words that are already folded and split. Each word starts with a tag for its
// kind and workspace, so that a lookup reads the records of one workspace only,
// however common the word is elsewhere. Every query filters by workspace as
// well.

// A searchForm describes how the engines differ in their search syntax.
type searchForm struct {
	match  string // the search condition; "?" stands for the query
	and    string // joins terms
	or     string // joins alternatives
	quote  string // around a word
	prefix string // after a word that is only a prefix
	// newest is the ORDER BY for newest first.
	newest string
	// perWorkspaceRows says that rowids are unique per workspace only.
	perWorkspaceRows bool
}

func (s *sqliteSession) searchForm() searchForm {
	return searchForm{
		match: "search_words MATCH ?", and: " AND ", or: " OR ", quote: `"`, prefix: "*",
		newest: "rowid DESC", // the order of the index, so the scan stops at the limit
	}
}

// The plus keeps PostgreSQL from scanning all records in their order: it should
// take the matches from the index and sort them.
func (s *postgresSession) searchForm() searchForm {
	return searchForm{
		match: "words @@ CAST(? AS tsquery)", and: " & ", or: " | ", quote: "'", prefix: ":*",
		newest: "+rowid DESC", perWorkspaceRows: true,
	}
}

// query builds a query of alternatives, each a list of terms that must all
// match.
func (f *searchForm) query(tag string, alternatives [][]parley.SearchTerm) string {
	anyOf := make([]string, len(alternatives))
	for i, terms := range alternatives {
		allOf := make([]string, len(terms))
		for j, term := range terms {
			allOf[j] = f.quote + tag + term.Word + f.quote
			if term.Prefix {
				allOf[j] += f.prefix
			}
		}
		anyOf[i] = "(" + strings.Join(allOf, f.and) + ")"
	}
	return strings.Join(anyOf, f.or)
}

// tagEncoding uses letters and digits only, so that no engine splits a tag.
var tagEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)

// searchTag returns the tag in front of a word: a letter for the kind, and 40
// random bits of the workspace's id. Workspaces with equal bits only slow each
// other down.
func searchTag(ws parley.WorkspaceID, kind parley.SearchKind) string {
	letter := map[parley.SearchKind]string{parley.SearchMessage: "m", parley.SearchContact: "p", parley.SearchCompany: "o"}[kind]
	return letter + strings.ToLower(tagEncoding.EncodeToString(ws[11:]))
}

// A SearchRef names a record in the index.
type SearchRef struct {
	Kind           parley.SearchKind
	ID             parley.ID
	ConversationID parley.ID // of a message
}

// A SearchDocument is a record with its words. No search finds a document
// without words.
type SearchDocument struct {
	SearchRef
	Words []string // folded letters, digits and marks, and "@._+-"
}

// text encodes the words for both engines: the quotes are syntax in PostgreSQL,
// and FTS5 ignores them.
func (d *SearchDocument) text(ws parley.WorkspaceID) string {
	tag := searchTag(ws, d.Kind)
	var b strings.Builder
	for _, word := range d.Words {
		b.WriteString("'" + tag + word + "' ")
	}
	return b.String()
}

// searchRow is the preferred rowid of a record: the time in its id and 20
// random bits. It may be taken.
func searchRow(id parley.ID) int64 {
	const years = 1<<43 - 1 // until 2248
	ms := int64(binary.BigEndian.Uint64(id[:8])>>16) & years
	return ms<<20 | int64(binary.BigEndian.Uint32(id[12:])&(1<<20-1))
}

// Search returns at most limit records of a kind, newest first, that match all
// terms of at least one alternative.
func (v *View) Search(vis parley.Visibility, kind parley.SearchKind, alternatives [][]parley.SearchTerm, limit int) ([]SearchRef, error) {
	form := v.session.searchForm()
	var c clause
	c.and(form.match, form.query(searchTag(vis.Workspace(), kind), alternatives))
	if kind != parley.SearchMessage && vis.Team() {
		vis = parley.WholeWorkspace(vis.Workspace()) // the team sees all contacts and companies
	}
	c.conditions = append(c.conditions, c.visibleOf(vis, "search_words"))
	c.and("kind = ?", string(kind))
	return many(v, scanSearchRef, "SELECT kind, record_id, conversation_id FROM search_words"+c.where()+
		" ORDER BY "+form.newest+" LIMIT "+c.arg(limit), c.args...)
}

func scanSearchRef(r row, s *SearchRef) error {
	return r.scan((*string)(&s.Kind), &s.ID, &s.ConversationID)
}

// UpsertSearchDocuments inserts documents into the index, or replaces them.
// docs must not contain a record twice.
func (tx *Tx) UpsertSearchDocuments(ws parley.WorkspaceID, docs []SearchDocument) error {
	taken := map[int64]bool{} // by these documents
	for next := int64(0); len(docs) > 0; next++ {
		// The rowid may belong to another record of the same millisecond. Then
		// the record gets the next free one.
		rows := make([]any, len(docs))
		for i := range docs {
			rows[i] = searchRow(docs[i].ID) + next
		}
		there, err := tx.searchOccupants(ws, rows)
		if err != nil {
			return err
		}
		var displaced []SearchDocument
		for i := range docs {
			row := rows[i].(int64)
			occupant, occupied := there[row]
			same := occupied && occupant.ws == ws && occupant.Kind == docs[i].Kind && occupant.ID == docs[i].ID
			if taken[row] || occupied && !same {
				displaced = append(displaced, docs[i])
				continue
			}
			taken[row] = true
			if same {
				err = tx.exec("DELETE FROM search_words WHERE workspace_id = $1 AND rowid = $2", ws, row)
			}
			if err == nil {
				err = tx.insertSearchDocument(ws, row, &docs[i])
			}
			if err != nil {
				return err
			}
		}
		docs = displaced
	}
	return nil
}

// searchProbes is the number of rowids at which DeleteSearchDocuments looks for a
// record. A record is farther from its first rowid only if that many other records are
// of the same millisecond.
const searchProbes = 3

// DeleteSearchDocuments deletes records from the index.
func (tx *Tx) DeleteSearchDocuments(ws parley.WorkspaceID, refs []SearchRef) error {
	if len(refs) == 0 {
		return nil
	}
	ids, wanted := make([]parley.ID, len(refs)), make(map[SearchRef]bool, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
		ref.ConversationID = parley.ID{} // the message may have been in another one when it was indexed
		wanted[ref] = true
	}
	there, err := tx.searchOccupants(ws, probesOf(ids))
	if err != nil {
		return err
	}
	for row, occupant := range there {
		ref := occupant.SearchRef
		ref.ConversationID = parley.ID{}
		if occupant.ws != ws || !wanted[ref] {
			continue
		}
		if err := tx.exec("DELETE FROM search_words WHERE workspace_id = $1 AND rowid = $2", ws, row); err != nil {
			return err
		}
	}
	return nil
}

// MoveSearchDocuments leads the index to messages that are in another conversation now.
func (tx *Tx) MoveSearchDocuments(ws parley.WorkspaceID, conversation parley.ID, messages []parley.ID) error {
	there, err := tx.searchOccupants(ws, probesOf(messages))
	if err != nil {
		return err
	}
	for row, occupant := range there {
		if occupant.ws != ws || occupant.Kind != parley.SearchMessage || !slices.Contains(messages, occupant.ID) {
			continue
		}
		if err := tx.exec("UPDATE search_words SET conversation_id = $3 WHERE workspace_id = $1 AND rowid = $2", ws, row, conversation); err != nil {
			return err
		}
	}
	return nil
}

// probesOf returns the rowids at which records may be; see searchProbes.
func probesOf(ids []parley.ID) []any {
	rows := make([]any, 0, len(ids)*searchProbes)
	for _, id := range ids {
		for probe := range int64(searchProbes) {
			rows = append(rows, searchRow(id)+probe)
		}
	}
	return rows
}

func (tx *Tx) insertSearchDocument(ws parley.WorkspaceID, row int64, d *SearchDocument) error {
	return tx.exec(`INSERT INTO search_words (workspace_id, rowid, kind, record_id, conversation_id, words)
		VALUES ($1, $2, $3, $4, $5, $6)`, ws, row, string(d.Kind), d.ID, d.ConversationID, d.text(ws))
}

// A searchOccupant is the record that has a rowid.
type searchOccupant struct {
	row int64
	ws  parley.WorkspaceID
	SearchRef
}

// searchOccupants returns the records that have the rowids. On SQLite they may
// belong to another workspace, because all workspaces share one index.
func (tx *Tx) searchOccupants(ws parley.WorkspaceID, rows []any) (map[int64]searchOccupant, error) {
	var c clause
	if tx.session.searchForm().perWorkspaceRows {
		c.and("workspace_id = ?", ws)
	}
	c.conditions = append(c.conditions, "rowid IN ("+c.list(padded(rows))+")")
	found, err := many(&tx.View, func(r row, o *searchOccupant) error {
		return r.scan(&o.row, &o.ws, (*string)(&o.Kind), &o.ID, &o.ConversationID)
	}, "SELECT rowid, workspace_id, kind, record_id, conversation_id FROM search_words"+c.where(), c.args...)
	there := make(map[int64]searchOccupant, len(found))
	for _, o := range found {
		there[o.row] = o
	}
	return there, err
}

// padded repeats the last value until the length is a power of two. Each length
// is one prepared statement, so this keeps their number small.
func padded(list []any) []any {
	for len(list)&(len(list)-1) != 0 {
		list = append(list, list[len(list)-1])
	}
	return list
}
