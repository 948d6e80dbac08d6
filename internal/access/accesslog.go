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
		"workspace", by.Workspace.String(), "member", string(member), "by", string(by.Member), "address", by.Address,
	}, more...)...)
}

// logRefused logs a wrong password. It does not log the e-mail address as
// typed, which may be a password. If nobody has the address, the member is
// empty.
func (svc *Service) logRefused(in SignIn, logins []Login, g attempt) {
	if len(logins) == 0 {
		logins = []Login{{Workspace: in.Workspace}}
	}
	for _, login := range logins {
		by := desk.Caller{Workspace: login.Workspace, Address: in.Address}
		svc.logAccess("sign-in refused", by, login.Member.ID)
		if g.last {
			svc.logAccess("sign-in locked", by, login.Member.ID)
		}
	}
}
