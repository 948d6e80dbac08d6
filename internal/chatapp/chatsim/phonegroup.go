package chatsim

import (
	"context"
	"errors"
	"fmt"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"
)

// Groups returns the groups of the person as the person sees them: without the
// codes of their links.
func (p *Phone) Groups(ctx context.Context) ([]Group, error) {
	infos, err := p.client.GetJoinedGroups(ctx)
	if err != nil {
		return nil, err
	}
	groups := make([]Group, 0, len(infos))
	for _, info := range infos {
		g := Group{
			JID: info.JID.String(), Name: info.Name, Creator: info.OwnerPN.User, CreatedAt: info.GroupCreated.UTC(),
			AdminAdds: info.MemberAddMode == types.GroupMemberAddModeAdmin,
		}
		for _, m := range info.Participants {
			g.Members = append(g.Members, Member{Phone: m.PhoneNumber.User, Admin: m.IsAdmin, Super: m.IsSuperAdmin})
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// Join joins a group by its link and returns its JID.
func (p *Phone) Join(ctx context.Context, link string) (string, error) {
	jid, err := p.client.JoinGroupWithLink(ctx, link)
	return jid.String(), err
}

// Accept joins the group of a personal invitation.
func (p *Phone) Accept(ctx context.Context, m Message) error {
	if !m.Invited() {
		return errors.New("the message is no invitation")
	}
	group, err := types.ParseJID(m.invite.GetGroupJID())
	if err != nil {
		return err
	}
	return p.client.JoinGroupWithInvite(ctx, group, m.sender.ToNonAD(), m.invite.GetInviteCode(), m.invite.GetInviteExpiration())
}

// Leave leaves a group.
func (p *Phone) Leave(ctx context.Context, jid string) error {
	parsed, err := types.ParseJID(jid)
	if err != nil {
		return err
	}
	return p.client.LeaveGroup(ctx, parsed)
}

// CreateGroup creates a group and returns its JID. It skips phones that cannot
// be added.
func (p *Phone) CreateGroup(ctx context.Context, name string, phones ...string) (string, error) {
	info, err := p.client.CreateGroup(ctx, whatsmeow.ReqCreateGroup{
		Name: name, Participants: jids(phones), MemberAddMode: types.GroupMemberAddModeAdmin,
	})
	if err != nil {
		return "", err
	}
	return info.JID.String(), nil
}

// Remove removes people from a group.
func (p *Phone) Remove(ctx context.Context, jid string, phones ...string) error {
	return p.change(ctx, jid, phones, whatsmeow.ParticipantChangeRemove)
}

// Promote makes members admins.
func (p *Phone) Promote(ctx context.Context, jid string, phones ...string) error {
	return p.change(ctx, jid, phones, whatsmeow.ParticipantChangePromote)
}

// Demote makes admins ordinary members.
func (p *Phone) Demote(ctx context.Context, jid string, phones ...string) error {
	return p.change(ctx, jid, phones, whatsmeow.ParticipantChangeDemote)
}

func (p *Phone) change(ctx context.Context, jid string, phones []string, what whatsmeow.ParticipantChange) error {
	parsed, err := types.ParseJID(jid)
	if err != nil {
		return err
	}
	results, err := p.client.UpdateGroupParticipants(ctx, parsed, jids(phones), what)
	if err != nil {
		return err
	}
	for _, r := range results {
		if r.Error != 0 {
			return fmt.Errorf("%s %s: code %d", what, number(r.JID, r.PhoneNumber), r.Error)
		}
	}
	return nil
}

func jids(phones []string) []types.JID {
	out := make([]types.JID, len(phones))
	for i, phone := range phones {
		out[i] = types.NewJID(phone, types.DefaultUserServer)
	}
	return out
}
