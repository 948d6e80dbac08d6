package access

import (
	"context"
	"errors"

	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// Forgot creates a link for a new password for each member with an e-mail address, which
// also is to send. An earlier link stops working. It does nothing for an unknown address,
// and after too many requests: neither is an error, because the answer must not tell
// strangers who is a member.
func (svc *Service) Forgot(ctx context.Context, email, address string, also Also) error {
	if !svc.forgotten.Allow(email, address, svc.clock.Now()) {
		svc.log.Warn("access: too many requests for a new password", "address", address)
		return nil
	}
	logins, err := desk.View(svc.desk, func(v *store.View) ([]Login, error) { return SelectLoginsByEmail(v, email, maxLogins) }).Now(ctx)
	for _, login := range logins {
		by := desk.Caller{Workspace: login.Workspace, Client: entry.Client{Address: address}}
		_, failed := svc.ResetPassword(ctx, by, login.Member.ID, also)
		err = errors.Join(err, failed)
	}
	return err
}
