package search

import (
	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// Forget deletes records from the index, in the transaction that deletes them.
func Forget(t *desk.Tx, refs []store.SearchRef) error { return t.DeleteSearchDocuments(t.WS, refs) }

// followSplit leads the index to the messages that a split has put into a new conversation.
// Those that were moved on since have an event of their own.
func followSplit(t *desk.Tx, e *parley.Event) error {
	for after := (parley.ID{}); ; {
		ids, err := selectMovedTo(t, t.Visibility, place{conversation: e.ConversationID, id: after}, e.CreatedAt)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := t.MoveSearchDocuments(t.WS, e.ConversationID, ids); err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// storeDocuments adds documents to the index, except those whose record was deleted
// after the turn had read it: nothing would delete them later.
func storeDocuments(t *desk.Tx, docs []store.SearchDocument) error {
	there := map[parley.ID]bool{}
	for kind, read := range map[parley.SearchKind]func(store.Reader, parley.WorkspaceID, []parley.ID) ([]parley.ID, error){
		parley.SearchMessage: selectMessagesThere, parley.SearchContact: selectContactsThere,
	} {
		var ids []parley.ID
		for i := range docs {
			if docs[i].Kind == kind {
				ids = append(ids, docs[i].ID)
			}
		}
		if len(ids) == 0 {
			continue
		}
		found, err := read(t, t.WS, ids)
		if err != nil {
			return err
		}
		for _, id := range found {
			there[id] = true
		}
	}
	kept := make([]store.SearchDocument, 0, len(docs))
	var gone []store.SearchRef
	for i := range docs {
		if docs[i].Kind == parley.SearchCompany || there[docs[i].ID] {
			kept = append(kept, docs[i])
		} else {
			gone = append(gone, docs[i].SearchRef)
		}
	}
	if len(gone) > 0 { // such as a contact that was merged
		if err := t.DeleteSearchDocuments(t.WS, gone); err != nil {
			return err
		}
	}
	return t.UpsertSearchDocuments(t.WS, kept)
}
