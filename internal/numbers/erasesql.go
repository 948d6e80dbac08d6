package numbers

import (
	"parley"
	"parley/internal/store"
)

// selectNumbers returns all numbers.
func selectNumbers(v store.Reader, ws parley.WorkspaceID) ([]parley.Number, error) {
	return store.Many(v, ws, store.ScanNumber, "SELECT "+store.NumberColumns+" FROM numbers WHERE workspace_id = $1 ORDER BY number_id")
}

// selectGroupRequests returns stored requests for groups after a key.
func selectGroupRequests(v store.Reader, ws parley.WorkspaceID, after string, limit int) ([]GroupRequest, error) {
	return store.Many(v, ws, scanGroupRequest, "SELECT "+groupRequestColumns+
		" FROM group_requests WHERE workspace_id = $1 AND idempotency_key > $2 ORDER BY idempotency_key LIMIT $3", after, limit)
}

// deletePhonesOfGroups deletes members of all groups by their phones, in either
// spelling.
func deletePhonesOfGroups(tx store.Writer, ws parley.WorkspaceID, phones []parley.Phone) error {
	return store.Exec(tx, ws, "DELETE FROM group_members WHERE workspace_id = $1 AND (phone IN ($2...) OR network_phone IN ($2...))", phoneList(phones))
}

// deleteChatsByPhone deletes the links between chats and conversations by the phones
// of the chats.
func deleteChatsByPhone(tx store.Writer, ws parley.WorkspaceID, phones []parley.Phone) error {
	return store.Exec(tx, ws, "DELETE FROM chatapp_chats WHERE workspace_id = $1 AND phone IN ($2...)", phoneList(phones))
}

func phoneList(phones []parley.Phone) store.List {
	texts := make([]string, len(phones))
	for i, phone := range phones {
		texts[i] = string(phone)
	}
	return store.ListOf(texts)
}
