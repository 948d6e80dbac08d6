package parley

import "time"

// A HistoryEntry records one change of a conversation and who made it. Entries
// outlive the event log.
type HistoryEntry struct {
	ID             ID // entries of a conversation are ordered by id
	ConversationID ID
	Type           EventType // ConversationCreated or ConversationUpdated
	CreatedAt      time.Time
	Origin         Origin
	Changes        []byte // the new values of the changed members, as JSON
}
