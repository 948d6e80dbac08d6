package wire_test

import (
	"strings"
	"time"

	"parley"
	"parley/internal/wire"
)

// memberShapes are those of signing in and of members.
func memberShapes() map[string][]byte {
	m := parley.Member{ID: "usr_a", Email: "bo@acme.example", Name: "Bo", Role: parley.Agent, CreatedAt: at(1), UpdatedAt: at(1)}
	w := parley.Workspace{ID: parley.WorkspaceID(id(7)), Name: "Acme", Epoch: "never shown", Seq: 17, CreatedAt: at(1)}
	s := parley.Session{ID: id(8), Workspace: w.ID, MemberID: m.ID, UserAgent: `B/1 "x"`, Address: "203.0.113.7", CreatedAt: at(1), SeenAt: at(2), ExpiresAt: at(3)}
	joining := parley.Invitation{
		ID: id(9), Workspace: w.ID, Email: "cy@acme.example", Role: parley.Admin, InvitedBy: parley.MemberRef{ID: m.ID, Name: "Bo", Image: "not shown"},
		CreatedAt: at(1), ExpiresAt: at(2),
	}
	reset := joining
	reset.MemberID, reset.InvitedBy = m.ID, parley.MemberRef{}
	device := parley.PushDevice{ID: id(8), SessionID: s.ID, UserAgent: "Firefox", CreatedAt: at(1), UsedAt: at(2)}
	return map[string][]byte{
		"workspace":         wire.AppendWorkspace(nil, &w),
		"workspace_choice":  wire.AppendWorkspaces(nil, []parley.Workspace{w, w}),
		"me":                wire.AppendMe(nil, &m, &w, &s, parley.PasswordReset{}),
		"me_reset":          wire.AppendMe(nil, &m, &w, &s, parley.PasswordReset{At: at(1), By: parley.MemberActor(&m)}),
		"sign_in_step":      wire.AppendStep(nil, "setUp", &w),
		"factor_set_up":     wire.AppendFactorSetUp(nil, "GEZDGNBV", "otpauth://totp/Parley%20Acme:bo%40acme.example?secret=GEZDGNBV&issuer=Parley%20Acme", []string{"101", "010"}, "Aa-_"),
		"factor_own":        wire.AppendOwnFactor(nil, at(1), 9, true),
		"factor_none":       wire.AppendOwnFactor(nil, time.Time{}, 0, false),
		"factor_all":        wire.AppendAllFactors(nil, true, []parley.UserID{"usr_a", "usr_b"}),
		"recovery_codes":    wire.AppendRecoveryCodes(nil, []string{"abcd-efgh-jkmn-pqrs", "0000-1111-2222-3333"}),
		"session":           wire.AppendSession(nil, &s, false),
		"push_devices":      wire.AppendPushDevices(nil, "BP4z", []parley.PushDevice{device, {ID: id(9)}}, s.ID),
		"push_devices_off":  wire.AppendPushDevices(nil, "", nil, s.ID),
		"push_outcome":      wire.AppendPushOutcome(nil, parley.PushAccepted),
		"backups":           wire.AppendBackups(nil, 24*time.Hour, at(1), false),
		"backups_none":      wire.AppendBackups(nil, 0, time.Time{}, false),
		"session_ended":     wire.AppendEnded(nil, 2),
		"invitation":        wire.AppendInvitation(nil, &joining),
		"invitation_reset":  wire.AppendInvitation(nil, &reset),
		"invitation_new":    wire.AppendNewInvitation(nil, &joining, "pi_"+parley.Token(strings.Repeat("a", 43))),
		"invitation_opened": wire.AppendOpenInvitation(nil, &joining, &w),
		"reset_opened":      wire.AppendOpenInvitation(nil, &reset, &w),
	}
}
