package numbers

import "parley/internal/desk"

// Expire deletes what is past its retention in the transaction's workspace: budget
// slots, and at most limit ids of network messages. It returns the number of deleted
// ids.
func Expire(t *desk.Tx, limit int) (int, error) {
	if err := DeleteSpends(t, t.WS, t.Now.Add(-longestWindow)); err != nil {
		return 0, err
	}
	return DeleteNetworkMessages(t, t.WS, t.Now.Add(-networkRetention), limit)
}

// ExpireCalls deletes the calls between nodes whose callers have timed out, of all
// workspaces.
func ExpireCalls(t *desk.Tx) error { return DeleteNumberCalls(t, t.Now.Add(-callRetention)) }
