package store

import (
	"encoding/base32"
	"encoding/binary"
	"strings"

	"parley"
)

// The table search_words is the index of the full-text search: on SQLite of
// FTS5 without the text, on PostgreSQL of texts' vectors under GIN. Both are
// given finished words. In front of each word stands a tag of its kind and
// workspace, so that a word leads to the records of one workspace alone,
// however many others have it too; every query names the workspace besides.

// A searchForm is what the engines differ in when they search.
type searchForm struct {
	match  string // the condition of a query; "?" stands for it
	and    string // joins terms
	or     string // joins alternatives
	quote  string // around a word
	prefix string // behind a word that is a beginning
	// newest is the order of the newest first.
	newest string
	// alone says that rowids are those of one workspace.
	alone bool
}

func (s *sqliteSession) searchForm() searchForm {
	return searchForm{
		match: "search_words MATCH ?", and: " AND ", or: " OR ", quote: `"`, prefix: "*",
		newest: "rowid DESC", // the order of the index, which is read no further than to the limit
	}
}

// The plus keeps PostgreSQL from walking through all records for the sake of
// the order: a query's matches come from the index and are sorted.
func (s *postgresSession) searchForm() searchForm {
	return searchForm{
		match: "words @@ CAST(? AS tsquery)", and: " & ", or: " | ", quote: "'", prefix: ":*",
		newest: "+rowid DESC", alone: true,
	}
}

// query writes a query of alternatives, each of terms that must all be found.
func (f *searchForm) query(tag string, alternatives [][]parley.SearchTerm) string {
	any := make([]string, len(alternatives))
	for i, terms := range alternatives {
		all := make([]string, len(terms))
		for j, term := range terms {
			all[j] = f.quote + tag + term.Word + f.quote
			if term.Prefix {
				all[j] += f.prefix
			}
		}
		any[i] = "(" + strings.Join(all, f.and) + ")"
	}
	return strings.Join(any, f.or)
}

// tagEncoding uses letters and digits alone, which no engine cuts.
var tagEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)

// searchTag returns what stands in front of a word: a letter for the kind and
// 40 random bits of the workspace's id. Two workspaces that share them cost each
// other time, nothing else.
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

// A SearchDocument is a record with its words. Without words nothing finds it.
type SearchDocument struct {
	SearchRef
	Words []string // folded letters, digits and marks, and "@._+-"
}

// text is how words are handed to either engine: the quotes are syntax to
// PostgreSQL and mean nothing to FTS5.
func (d *SearchDocument) text(ws parley.WorkspaceID) string {
	tag := searchTag(ws, d.Kind)
	var b strings.Builder
	for _, word := range d.Words {
		b.WriteString("'" + tag + word + "' ")
	}
	return b.String()
}

// searchRow is the rowid of a record, if that is free: the time in its id and
// 20 random bits.
func searchRow(id parley.ID) int64 {
	const years = 1<<43 - 1 // until 2248
	ms := int64(binary.BigEndian.Uint64(id[:8])>>16) & years
	return ms<<20 | int64(binary.BigEndian.Uint32(id[12:])&(1<<20-1))
}

// Search returns the newest records of a kind, at most limit, that have all
// terms of one of the alternatives.
func (v *View) Search(ws parley.WorkspaceID, kind parley.SearchKind, alternatives [][]parley.SearchTerm, limit int) ([]SearchRef, error) {
	form := v.session.searchForm()
	var c clause
	c.and(form.match, form.query(searchTag(ws, kind), alternatives))
	c.and("workspace_id = ?", ws)
	c.and("kind = ?", string(kind))
	return many(v, scanSearchRef, "SELECT kind, record_id, conversation_id FROM search_words"+c.where()+
		" ORDER BY "+form.newest+" LIMIT "+c.arg(limit), c.args...)
}

func scanSearchRef(r row, s *SearchRef) error {
	return r.scan((*string)(&s.Kind), &s.ID, &s.ConversationID)
}

// UpsertSearchDocuments puts documents into the index, each in place of what
// the index has of that record. No record may be in docs twice.
func (tx *Tx) UpsertSearchDocuments(ws parley.WorkspaceID, docs []SearchDocument) error {
	taken := map[int64]bool{} // by these documents
	for next := int64(0); len(docs) > 0; next++ {
		// A row may belong to another record of the same millisecond. The record
		// then has the first free one behind it.
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

func (tx *Tx) insertSearchDocument(ws parley.WorkspaceID, row int64, d *SearchDocument) error {
	return tx.exec(`INSERT INTO search_words (workspace_id, rowid, kind, record_id, conversation_id, words)
		VALUES ($1, $2, $3, $4, $5, $6)`, ws, row, string(d.Kind), d.ID, d.ConversationID, d.text(ws))
}

// A searchOccupant is who has a rowid.
type searchOccupant struct {
	row int64
	ws  parley.WorkspaceID
	SearchRef
}

// searchOccupants returns who has the rowids. On SQLite that may be another
// workspace: its index has one space of rowids.
func (tx *Tx) searchOccupants(ws parley.WorkspaceID, rows []any) (map[int64]searchOccupant, error) {
	var c clause
	if tx.session.searchForm().alone {
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

// padded fills a list up with its last value to a power of two: each count of
// placeholders is a statement to prepare and keep, so there are few of them.
func padded(list []any) []any {
	for len(list)&(len(list)-1) != 0 {
		list = append(list, list[len(list)-1])
	}
	return list
}
