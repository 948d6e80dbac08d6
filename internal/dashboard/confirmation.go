package dashboard

import (
	"context"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func confirmationRoutes() []Route {
	return []Route{
		{"getConfirmation", methodGet, base + "session/confirm", parley.Agent, false, getConfirmation},
		{"confirmSession", methodPost, base + "session/confirm", parley.Agent, false, confirmSession},
	}
}

// Demand returns what the operation demands of the session (ADR 105). Whatever makes,
// changes or shows a credential, lets somebody in or out, deletes for good or takes much
// data away needs a confirmation. What changes the member's own password or second factor
// asks for the password itself, and must not be completed after signing out everywhere.
// updateMember, createTeam and updateTeam need a confirmation where they change what a
// member may do or see.
func (r Route) Demand() access.Demand {
	switch r.Operation {
	case "createKey", "updateKey", "revokeKey",
		"createIdentityKey", "retireIdentityKey", "revokeIdentityKey",
		"createModelProvider", "updateModelProvider",
		"updateSignInProvider", "deleteSignInProvider", "disconnectMember",
		"createInvitation", "resetMember", "deleteMember", "endMemberSessions",
		"resetSecondFactor", "requireSecondFactor",
		"exportAuditCsv", "exportAuditNdjson",
		"eraseContact", "deleteConversation", "setRetention":
		return access.Confirmation
	case "changePassword", "beginSecondFactor", "setSecondFactor", "turnOffSecondFactor", "renewRecoveryCodes", "connectProviderAccount":
		return access.ProvenFactor
	case "confirmSession":
		return access.OpenSession
	default:
		return access.NoDemand
	}
}

func confirmations(d *Dashboard) access.Confirmations { return access.Confirmations{Service: d.access} }

func appendConfirming(how access.Confirming) []byte {
	return wire.AppendConfirming(nil, how.Until, how.Password, how.Code, how.ByProvider)
}

func getConfirmation(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, appendConfirming, confirmations(d).Read(&c.in.Session))
}

func confirmSession(d *Dashboard, c *call) (httpjson.Reply, error) {
	password := c.readOwnPassword()
	in := access.SecondQuestion{
		Session:  c.in.Session.ID,
		Password: password,
		Code:     httpjson.Default(c.Reader, "code", httpjson.Text(maxCode), ""),
	}
	return do(c, func(how access.Confirming) httpjson.Reply {
		return httpjson.OK(appendConfirming(how))
	}, func(ctx context.Context, by desk.Caller) (access.Confirming, error) {
		return confirmations(d).Confirm(ctx, by, in)
	})
}
