package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/fulltext"
	"parley/internal/store"
)

const (
	// searchRanked is how many of the newest matches are ranked; older ones
	// follow in order of age.
	searchRanked = 200
	// searchBeside is the most contacts, and the most companies, that precede
	// the messages in a search without a kind.
	searchBeside = 20
	// searchSnippet is the most characters of a snippet.
	searchSnippet = 160
)

// A Search asks for records that contain words, or for messages by operators.
type Search struct {
	By   parley.UserID // for "me" in the text
	Text string
	Kind parley.SearchKind // "": all kinds: the best contacts and companies, then the messages
	// ConversationID limits the search to the messages of a conversation, newest first.
	ConversationID parley.ID
	After          parley.Position // an offset
	Limit          int
}

// Search returns the records that contain all words of a text, the last one
// also as a prefix. Contacts and companies are ordered by how well their names
// match, messages with adjacent words come first, and otherwise newest first.
// It returns at most MaxSearchHits.
//
// Operators (see parseQuery) limit it to messages; without words they find the newest.
// A filtered search examines the newest 20,000 messages that have the words. A text
// without words and operators, and an operator with a value that it cannot have, is
// Invalid.
//
// Changes of the last second may not be found yet.
func (svc *Service) Search(vis parley.Visibility, in Search) desk.Read[parley.Page[parley.SearchHit]] {
	typed := parseQuery(in.Text)
	query, ok := fulltext.Parse(typed.words)
	if !ok && len(typed.operators) == 0 {
		return desk.Refused[parley.Page[parley.SearchHit]](parley.InvalidField("q", "contain a letter or a digit"))
	}
	limits, err := filterOf(typed.operators)
	if err != nil {
		return desk.Refused[parley.Page[parley.SearchHit]](err)
	}
	filtered := len(typed.operators) > 0 || !in.ConversationID.IsZero()
	found := desk.Snapshot(svc.desk, func(v *store.View) (page parley.Page[finding], err error) {
		s := searcher{v: v, visibility: vis, query: query}
		var found []finding
		if filtered {
			found, err = s.findMessages(in, limits)
		} else {
			found, err = s.find(in.Kind)
		}
		if err != nil {
			return page, err
		}
		from := min(in.After.Offset, len(found))
		to := min(from+in.Limit, len(found))
		page.HasMore = to < len(found)
		if page.HasMore {
			page.Next = parley.Position{Offset: to}
		}
		page.Items, err = s.load(found[from:to])
		return page, err
	})
	// Snippets take time and need nothing from the store.
	return desk.Then(found, func(ctx context.Context, found parley.Page[finding]) (parley.Page[parley.SearchHit], error) {
		page := parley.Page[parley.SearchHit]{HasMore: found.HasMore, Next: found.Next}
		for i := range found.Items {
			if ctx.Err() != nil {
				return parley.Page[parley.SearchHit]{}, ctx.Err()
			}
			page.Items = append(page.Items, found.Items[i].hit(query))
		}
		return page, nil
	})
}

// SearchContacts returns the contacts that contain all words of a text, like
// [Service.Search]. The position is an offset. A text without words finds none.
func (svc *Service) SearchContacts(vis parley.Visibility, text string, after parley.Position, limit int) desk.Read[parley.Page[parley.Contact]] {
	query, ok := fulltext.Parse(text)
	return desk.Snapshot(svc.desk, func(v *store.View) (page parley.Page[parley.Contact], err error) {
		if !ok {
			return page, nil
		}
		s := searcher{v: v, visibility: vis, query: query}
		found, err := s.findKind(parley.SearchContact)
		if err != nil {
			return page, err
		}
		from := min(after.Offset, len(found))
		to := min(from+limit, len(found))
		if page.HasMore = to < len(found); page.HasMore {
			page.Next = parley.Position{Offset: to}
		}
		if from == to {
			return page, nil
		}
		ids := make([]parley.ID, 0, to-from)
		for _, f := range found[from:to] {
			ids = append(ids, f.ID)
		}
		contacts, taken, err := v.ContactsByID(vis.Workspace(), ids)
		page.Items = contacts
		if taken < len(ids) {
			page.HasMore, page.Next = true, parley.Position{Offset: from + taken}
		}
		return page, err
	})
}

// A searcher executes one search.
type searcher struct {
	v          *store.View
	visibility parley.Visibility
	query      fulltext.Query
	names      names // of what operators name, read when one does
}

// A finding is a matching record, loaded or not yet.
type finding struct {
	store.SearchRef
	loaded  bool
	title   string
	text    string // the text of the snippet
	contact parley.ContactRef
	at      time.Time
	rank    int
}

// find returns the matching records in the order of the result.
func (s *searcher) find(kind parley.SearchKind) ([]finding, error) {
	kinds := []parley.SearchKind{kind}
	if kind == "" {
		kinds = []parley.SearchKind{parley.SearchContact, parley.SearchCompany, parley.SearchMessage}
	}
	var all []finding
	for _, k := range kinds {
		found, err := s.findKind(k)
		if err != nil {
			return nil, err
		}
		if kind == "" && k != parley.SearchMessage {
			found = found[:min(len(found), searchBeside)]
		}
		all = append(all, found...)
	}
	return all[:min(len(all), parley.MaxSearchHits)], nil
}

// findMessages returns the messages that match the words and the filter. Those of one
// conversation are in the order of time.
func (s *searcher) findMessages(in Search, f filter) ([]finding, error) {
	if in.Kind != "" && in.Kind != parley.SearchMessage {
		return nil, nil
	}
	conditions, err := s.conditions(f, in.By)
	if err != nil {
		return nil, err
	}
	refs, err := s.v.SearchMessages(s.visibility, store.MessageSearch{
		Alternatives: s.messageWords().Alternatives, ConversationID: in.ConversationID,
		After: f.after, Before: f.before, Conditions: conditions,
	}, parley.MaxSearchHits)
	if err != nil {
		return nil, err
	}
	if !in.ConversationID.IsZero() || len(s.query.Alternatives) == 0 {
		return unloaded(refs), nil
	}
	return s.ranked(refs)
}

func (s *searcher) findKind(kind parley.SearchKind) ([]finding, error) {
	refs, err := s.candidates(kind)
	if err != nil {
		return nil, err
	}
	return s.ranked(refs)
}

func unloaded(refs []store.SearchRef) []finding {
	found := make([]finding, len(refs))
	for i, ref := range refs {
		found[i].SearchRef = ref
	}
	return found
}

// ranked loads the first records and puts the best first.
func (s *searcher) ranked(refs []store.SearchRef) ([]finding, error) {
	found := unloaded(refs)
	ranked := min(len(found), searchRanked)
	best, err := s.load(found[:ranked])
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(best, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), b.at.Compare(a.at))
	})
	return append(best, found[ranked:]...), nil
}

// candidates returns the newest matching records of a kind. Contacts and
// companies that contain the whole words come first, because otherwise a short
// name would be lost among all that begin with it.
func (s *searcher) candidates(kind parley.SearchKind) ([]store.SearchRef, error) {
	const limit = parley.MaxSearchHits
	query := s.query
	if kind == parley.SearchMessage {
		query = s.messageWords()
	}
	refs, err := s.v.Search(s.visibility, kind, query.Alternatives, limit)
	if err != nil || kind == parley.SearchMessage || len(refs) <= searchRanked {
		return refs, err
	}
	whole, err := s.v.Search(s.visibility, kind, s.query.Whole().Alternatives, searchRanked)
	for _, ref := range refs {
		if !slices.Contains(whole, ref) {
			whole = append(whole, ref)
		}
	}
	return whole[:min(len(whole), limit)], err
}

// messageWords returns the query for messages: searching for every word with a letter
// would be slow and match everything.
func (s *searcher) messageWords() fulltext.Query {
	if len(s.query.Alternatives) > 0 && s.query.Short() {
		return s.query.Whole()
	}
	return s.query
}

// load loads the findings and drops those whose records are deleted.
func (s *searcher) load(found []finding) ([]finding, error) {
	missing := map[parley.SearchKind][]store.SearchRef{}
	for i := range found {
		if !found[i].loaded {
			missing[found[i].Kind] = append(missing[found[i].Kind], found[i].SearchRef)
		}
	}
	records := map[parley.ID]finding{} // ids are unique across kinds
	for _, kind := range parley.SearchKinds {
		if len(missing[kind]) == 0 {
			continue
		}
		loaded, err := s.loadKind(kind, missing[kind])
		if err != nil {
			return nil, err
		}
		for _, f := range loaded {
			records[f.ID] = f
		}
	}
	var there []finding
	for _, f := range found {
		record, ok := records[f.ID]
		switch {
		case f.loaded:
			there = append(there, f)
		case ok:
			record.SearchRef, record.loaded = f.SearchRef, true
			there = append(there, record)
		}
	}
	return there, nil
}

func (s *searcher) loadKind(kind parley.SearchKind, refs []store.SearchRef) ([]finding, error) {
	switch kind {
	case parley.SearchContact:
		contacts, err := SelectFoundContacts(s.v, s.visibility.Workspace(), refs)
		return findings(contacts, s.contact), err
	case parley.SearchCompany:
		companies, err := SelectFoundCompanies(s.v, s.visibility.Workspace(), refs)
		return findings(companies, s.company), err
	}
	messages, err := s.v.FoundMessages(s.visibility, refs)
	return findings(messages, s.message), err
}

func findings[T any](records []T, show func(*T) finding) []finding {
	found := make([]finding, len(records))
	for i := range records {
		found[i] = show(&records[i])
	}
	return found
}

func (s *searcher) contact(c *parley.Contact) finding {
	f := finding{title: cmp.Or(c.Name, c.Email, c.PhoneNumber, c.Identifier), at: c.UpdatedAt}
	f.ID, f.text, f.rank = c.ID, joinTexts(c.Email, c.PhoneNumber, c.Identifier, c.ShopName), s.query.Closeness(c.Name)
	return f
}

func (s *searcher) company(c *parley.Company) finding {
	f := finding{title: c.Name, at: c.UpdatedAt}
	f.ID, f.text, f.rank = c.ID, beginning(joinTexts(textOf(c.Website), c.ExternalID, textOf(c.Notes))), s.query.Closeness(c.Name)
	return f
}

func (s *searcher) message(m *store.FoundMessage) finding {
	f := finding{title: cmp.Or(m.Contact.Name, m.Contact.Email, m.Contact.PhoneNumber), at: m.Message.CreatedAt, contact: m.Contact}
	f.ID, f.text = m.Message.ID, beginning(m.Message.Content)
	if s.query.Phrase(f.text) {
		f.rank = 1
	}
	return f
}

// searchLooked is how many bytes of a text are examined for its rank and its
// snippet, so that long texts do not make a search slow.
const searchLooked = 8 << 10

// beginning returns the part of a text that is examined.
func beginning(content string) string {
	if len(content) <= searchLooked {
		return content
	}
	return strings.ToValidUTF8(content[:searchLooked], "")
}

// joinTexts joins the texts that are not empty with a dot.
func joinTexts(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), " · ")
}

func (f *finding) hit(query fulltext.Query) parley.SearchHit {
	return parley.SearchHit{
		Kind: f.Kind, ID: f.ID, ConversationID: f.ConversationID, Title: f.title,
		Snippet: query.Snippet(f.text, searchSnippet), Contact: f.contact, At: f.at,
	}
}
