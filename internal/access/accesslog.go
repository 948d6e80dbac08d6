package access

import (
	"parley"
	"parley/internal/desk"
)

// logAccess writes one line of what somebody did to an account, a role or a key,
// for whoever investigates later: ids and the network address, never an e-mail
// address, a name or a secret.
func (svc *Service) logAccess(what string, by desk.Caller, member parley.UserID, more ...any) {
	svc.log.Info("access: "+what, append([]any{
		"workspace", by.Workspace.String(), "member", string(member), "by", string(by.Member), "address", by.Address,
	}, more...)...)
}

// logRefused writes of a wrong password. What was typed as e-mail address is not
// written: it may be a password. Where nobody has the address, the member is
// empty.
func (svc *Service) logRefused(in SignIn, logins []Login, g guess) {
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
