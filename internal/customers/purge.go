package customers

import "parley/internal/desk"

// Expire deletes the expired customer sessions of the transaction's workspace.
func Expire(t *desk.Tx) error { return DeleteExpiredCustomerSessions(t, t.WS, t.Now) }
