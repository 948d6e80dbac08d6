package parley

import "time"

// A HistoryEntry tells of one change of a conversation, and who made it. Entries
// outlive the event log.
type HistoryEntry struct {
	ID             ID // entries of a conversation are in the order of their ids
	ConversationID ID
	Type           EventType // ConversationCreated or ConversationUpdated
	CreatedAt      time.Time
	Origin         Origin
	Changes        []byte // what the changed members became, in JSON
}
