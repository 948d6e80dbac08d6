package access

import (
	"parley"
	"parley/internal/desk"
)

// logAccess logs what a caller did to an account, a role or a key, for later
// investigation: ids and the network address, never an e-mail address, a name
// or a secret.
func (svc *Service) logAccess(what string, by desk.Caller, member parley.UserID, more ...any) {
	svc.log.Info("access: "+what, append([]any{
		"workspace", by.Workspace.String(), "member", string(member), "by", string(by.Member), "address", by.Client.Address,
	}, more...)...)
}
