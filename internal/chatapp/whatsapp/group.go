package whatsapp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"

	"parley"
	"parley/internal/chatapp"
)

const (
	// maxGroupName is the most characters of a group name. The network also
	// rejects some shorter names.
	maxGroupName = 100
	// clockSkew is how far the network's clock may be behind ours when a group
	// is looked up by its creation time.
	clockSkew = time.Minute
)

// Codes of the network for a number that is to join a group. All other codes
// are refusals.
const (
	joinDone       = 200
	joinPrivate    = 403 // only by invitation
	joinMissing    = 404 // not on the application, or not a member
	joinLeft       = 408 // left a short time ago
	joinMember     = 409
	joinNotAllowed = 401
)

// CreateGroup creates a group in which only admins can add members.
func (d *Driver) CreateGroup(ctx context.Context, host chatapp.Host, name string, participants []parley.Phone) (chatapp.Group, []chatapp.MemberResult, error) {
	var none chatapp.Group
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > maxGroupName {
		return none, nil, chatapp.ErrName
	}
	s, err := d.session(ctx, host)
	if err != nil {
		return none, nil, err
	}
	joining, err := s.joining(ctx, participants)
	if err != nil {
		return none, nil, err
	}
	if len(joining.jids) == 0 {
		return none, nil, chatapp.ErrNobody
	}
	once, done := s.once(ctx)
	defer done()
	info, err := request(once, s, func(ctx context.Context) (*types.GroupInfo, error) {
		return s.cli.CreateGroup(ctx, whatsmeow.ReqCreateGroup{
			Name: name, Participants: joining.jids, MemberAddMode: types.GroupMemberAddModeAdmin,
		})
	})
	if err != nil {
		if errors.Is(context.Cause(once), errCut) {
			err = fmt.Errorf("%w: %w", chatapp.ErrTimeout, errCut)
		}
		return none, nil, failure(err, d.clock.Now())
	}
	return shown(info), joining.results(info.Participants), nil
}

// FindGroups returns the groups with this name that the number created.
func (d *Driver) FindGroups(ctx context.Context, host chatapp.Host, name string, since time.Time) ([]chatapp.Group, error) {
	s, err := d.session(ctx, host)
	if err != nil {
		return nil, err
	}
	infos, err := request(ctx, s, s.cli.GetJoinedGroups)
	if err != nil {
		return nil, failure(err, d.clock.Now())
	}
	jid, lid := s.own()
	var found []chatapp.Group
	for _, info := range infos {
		mine := slices.ContainsFunc([]types.JID{info.OwnerJID, info.OwnerPN}, func(owner types.JID) bool {
			return !owner.IsEmpty() && (owner.ToNonAD() == jid || owner.ToNonAD() == lid)
		})
		if mine && info.Name == name && !info.GroupCreated.Before(since.Add(-clockSkew)) {
			found = append(found, shown(info))
		}
	}
	slices.SortFunc(found, func(a, b chatapp.Group) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(a.JID, b.JID))
	})
	return found, nil
}

func shown(info *types.GroupInfo) chatapp.Group {
	return chatapp.Group{JID: info.JID.String(), Name: info.Name, CreatedAt: info.GroupCreated.UTC()}
}

// AddMembers adds participants to a group.
func (d *Driver) AddMembers(ctx context.Context, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	s, group, err := d.group(ctx, host, jid)
	if err != nil {
		return nil, err
	}
	joining, err := s.joining(ctx, participants)
	if err != nil {
		return nil, err
	}
	var answers []types.GroupParticipant
	if len(joining.jids) > 0 {
		answers, err = s.updateMembers(ctx, group, joining.jids, whatsmeow.ParticipantChangeAdd)
		if err != nil {
			return nil, failure(err, d.clock.Now())
		}
	}
	return joining.results(answers), nil
}

func (s *session) updateMembers(ctx context.Context, group types.JID, members []types.JID, change whatsmeow.ParticipantChange) ([]types.GroupParticipant, error) {
	return request(ctx, s, func(ctx context.Context) ([]types.GroupParticipant, error) {
		return s.cli.UpdateGroupParticipants(ctx, group, members, change)
	})
}

// SetAdmin promotes or demotes a member. It first checks whether the host may
// do this, because the network's refusal does not give the reason.
func (d *Driver) SetAdmin(ctx context.Context, host chatapp.Host, jid string, member parley.Phone, admin bool) error {
	s, group, err := d.group(ctx, host, jid)
	if err != nil {
		return err
	}
	info, err := request(ctx, s, func(ctx context.Context) (*types.GroupInfo, error) { return s.cli.GetGroupInfo(ctx, group) })
	if err != nil {
		return groupGone(failure(err, d.clock.Now()))
	}
	own, lid := s.own()
	if me, ok := participant(info.Participants, own, lid); !ok || !me.IsAdmin {
		return chatapp.ErrNotAdmin
	}
	people, err := s.resolve(ctx, []parley.Phone{member})
	if err != nil {
		return err
	}
	one := people[member]
	target, ok := participant(info.Participants, one.jid, types.NewJID(string(cmp.Or(one.phone, member)), types.DefaultUserServer))
	if !ok {
		return chatapp.ErrNotMember
	}
	if target.IsAdmin == admin {
		return nil
	}
	change := whatsmeow.ParticipantChangeDemote
	if admin {
		change = whatsmeow.ParticipantChangePromote
	}
	answers, err := s.updateMembers(ctx, group, []types.JID{target.JID}, change)
	if err != nil {
		return failure(err, d.clock.Now())
	}
	for _, answer := range answers {
		switch answer.Error {
		case 0, joinDone:
		case joinMissing:
			return chatapp.ErrNotMember
		case joinNotAllowed, joinPrivate:
			return chatapp.ErrNotAdmin
		default:
			return fmt.Errorf("the network refuses the change of an admin with code %d", answer.Error)
		}
	}
	return nil
}

// InviteLink returns the URL with which anyone can join the group.
func (d *Driver) InviteLink(ctx context.Context, host chatapp.Host, jid string) (string, error) {
	s, group, err := d.group(ctx, host, jid)
	if err != nil {
		return "", err
	}
	link, err := request(ctx, s, func(ctx context.Context) (string, error) { return s.cli.GetGroupInviteLink(ctx, group, false) })
	if errors.Is(err, whatsmeow.ErrNotInGroup) {
		return "", fmt.Errorf("%w: %w", chatapp.ErrNoGroup, err)
	}
	return link, failure(err, d.clock.Now())
}

// group returns the connected session of a number and the JID of a group.
func (d *Driver) group(ctx context.Context, host chatapp.Host, name string) (*session, types.JID, error) {
	jid, err := types.ParseJID(name)
	if err != nil || jid.Server != types.GroupServer || jid.User == "" {
		return nil, types.JID{}, chatapp.ErrNoGroup
	}
	s, err := d.session(ctx, host)
	return s, jid, err
}

// groupGone converts the error for a group that the number may not even read:
// for the caller it does not exist.
func groupGone(err error) error {
	if errors.Is(err, chatapp.ErrNotAdmin) {
		return fmt.Errorf("%w: %w", chatapp.ErrNoGroup, err)
	}
	return err
}

// participant finds the participant with any of the names.
func participant(all []types.GroupParticipant, names ...types.JID) (types.GroupParticipant, bool) {
	for _, p := range all {
		for _, name := range names {
			if !name.IsEmpty() && (p.JID == name || p.LID == name || p.PhoneNumber == name) {
				return p, true
			}
		}
	}
	return types.GroupParticipant{}, false
}

// A joining is the request to add participants to a group.
type joining struct {
	order  []parley.Phone // each once
	people map[parley.Phone]person
	jids   []types.JID // users of the application, each once
	own    []types.JID // the host's own names; it is already a member
}

// joining looks up the participants on the network.
func (s *session) joining(ctx context.Context, participants []parley.Phone) (joining, error) {
	people, err := s.resolve(ctx, participants)
	if err != nil {
		return joining{}, err
	}
	jid, lid := s.own()
	j := joining{people: people, own: []types.JID{jid, lid}}
	for _, phone := range participants {
		if slices.Contains(j.order, phone) {
			continue
		}
		j.order = append(j.order, phone)
		if one := people[phone]; !one.absent() && !slices.Contains(j.jids, one.jid) && !j.isHost(one) {
			j.jids = append(j.jids, one.jid)
		}
	}
	return j, nil
}

// isHost reports whether a person is the host, in either spelling.
func (j joining) isHost(one person) bool {
	return slices.Contains(j.own, one.jid) || j.own[0].User == string(one.phone)
}

// results returns one result for each participant.
func (j joining) results(answers []types.GroupParticipant) []chatapp.MemberResult {
	results := make([]chatapp.MemberResult, 0, len(j.order))
	for _, phone := range j.order {
		one := j.people[phone]
		r := chatapp.MemberResult{Phone: phone, Outcome: chatapp.NotFound}
		if one.phone != phone {
			r.Network = one.phone
		}
		if j.isHost(one) && !one.absent() {
			r.Outcome = chatapp.Already
		} else if !one.absent() {
			answer, ok := participant(answers, one.jid, types.NewJID(string(one.phone), types.DefaultUserServer))
			r.Outcome, r.Code, r.Invite = outcome(answer, ok)
		}
		results = append(results, r)
	}
	return results
}

// outcome converts the network's answer for one number. A number without an
// answer was not added.
func outcome(p types.GroupParticipant, answered bool) (chatapp.Outcome, int, chatapp.Invite) {
	var invite chatapp.Invite
	if p.AddRequest != nil {
		invite = chatapp.Invite{Code: p.AddRequest.Code, ExpiresAt: p.AddRequest.Expiration.UTC()}
	}
	switch {
	case !answered:
		return chatapp.Refused, 0, invite
	case p.Error == 0, p.Error == joinDone:
		return chatapp.Added, 0, invite
	case p.Error == joinMember:
		return chatapp.Already, 0, invite
	case p.Error == joinMissing:
		return chatapp.NotFound, 0, invite
	case p.Error == joinPrivate, p.Error == joinLeft, p.AddRequest != nil:
		return chatapp.NeedsInvite, p.Error, invite
	}
	return chatapp.Refused, p.Error, invite
}
