package desk

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/store"
)

// networkTime is how long the work on one group may take, all of the
// network's answers together. It goes on when the caller has left, so that
// nothing stays half done.
const networkTime = 60 * time.Second

// NewGroup is a group to be created.
type NewGroup struct {
	Name             string
	Participants     []parley.Phone
	HostID           parley.ID    // integrationId: the host by id; goes before From
	From             parley.Phone // the host by its phone
	SendInviteLink   bool
	ShopName         parley.Optional[string]
	CustomAttributes parley.Attributes
	Message          string // the opening message; "" for none
	Key              string // the Idempotency-Key; "" for none
}

// CreateGroup creates a group in the messaging application and the
// conversation for it. With a Key that was used before, it returns the group
// made then, and Created is false; while that one is being made, it waits.
//
// The key's row is written before the network is asked. After a crash behind
// the network's answer, the next call with the key finds the group there and
// adopts it.
func (d *Desk) CreateGroup(ctx context.Context, ws parley.WorkspaceID, in NewGroup) (Saved[parley.GroupOutcome], error) {
	var made Saved[parley.GroupOutcome]
	number, err := d.chooseHost(ctx, ws, in)
	if err != nil {
		return made, err
	}
	in.Participants = without(unique(in.Participants), number.Phone)
	if len(in.Participants) == 0 {
		return made, parley.InvalidField("participants", "hold at least one number that is not the host's own")
	}
	work := context.WithoutCancel(ctx)
	work, cancel := context.WithTimeout(work, networkTime)
	defer cancel()
	if in.Key == "" {
		made.Created = true
		made.Record, err = d.makeGroup(work, ws, groupWork{NewGroup: in, number: number})
		return made, err
	}
	claim, err := d.claimGroup(ctx, ws, in, number)
	if err != nil {
		return made, err
	}
	if !claim.mine {
		return made, json.Unmarshal([]byte(claim.request.Answer), &made.Record)
	}
	stop := d.holdGroup(work, ws, claim.request)
	made.Created = true
	made.Record, err = d.makeGroup(work, ws, groupWork{NewGroup: in, number: number, request: claim.request, again: claim.again})
	stop()
	if err != nil {
		return made, errors.Join(err, d.dropGroup(work, ws, claim.request, err))
	}
	return made, nil
}

// groupWork is the creation of a group on its way.
type groupWork struct {
	NewGroup
	number  parley.Number
	request store.GroupRequest // with an Idempotency-Key
	again   bool               // an earlier try may have made the group already
}

// chooseHost finds the number that hosts a new group: by its id, by its
// phone, else the workspace's only connected one (contract, section 4).
func (d *Desk) chooseHost(ctx context.Context, ws parley.WorkspaceID, in NewGroup) (parley.Number, error) {
	return view(ctx, d, func(v *store.View) (parley.Number, error) {
		switch {
		case !in.HostID.IsZero():
			n, err := v.Number(ws, in.HostID)
			return n, reference("integrationId", err)
		case in.From != "":
			n, err := v.NumberByPhone(ws, in.From)
			return n, reference("from", err)
		}
		connected, err := v.ConnectedNumbers(ws, 2)
		switch {
		case err != nil:
			return parley.Number{}, err
		case len(connected) == 0:
			return parley.Number{}, parley.Errorf(parley.Invalid, "the workspace has no connected number of the messaging application")
		case len(connected) > 1:
			return parley.Number{}, parley.Errorf(parley.Invalid, "from: must be given, for the workspace has several connected numbers")
		}
		return connected[0], nil
	})
}

// makeGroup asks the network, stores the group and its conversation, and
// invites who could not be added. A host makes one group at a time on this
// node, so that a group found on the network without a conversation is the one
// looked for.
func (d *Desk) makeGroup(ctx context.Context, ws parley.WorkspaceID, in groupWork) (parley.GroupOutcome, error) {
	network, host, err := d.host(ws, in.number)
	if err != nil {
		return parley.GroupOutcome{}, err
	}
	leave := d.hosts.enter(in.number.ID)
	defer leave()
	group, results, err := d.createOnNetwork(ctx, network, host, in)
	if err != nil {
		return parley.GroupOutcome{}, networkError(d.clock.Now(), err)
	}
	outcome := sortResults(results)
	outcome.Group = parley.Group{NumberID: in.number.ID, JID: group.JID}
	outcome.Group.InviteLink = d.inviteLink(ctx, network, host, group.JID)
	outcome, err = d.storeGroup(ctx, ws, in, outcome)
	if err != nil {
		return outcome, err
	}
	d.wakeOutbox()
	if !in.SendInviteLink {
		return outcome, nil
	}
	outcome.InvitesSent = d.sendInvites(ctx, network, host, outcome)
	if in.Key != "" {
		err = d.answerGroup(ctx, ws, in.request, outcome)
	}
	return outcome, err
}

// createOnNetwork makes the group, or adopts the one that an earlier try made:
// one whose answer was lost now, for the network timed out, or before, in a
// crash.
func (d *Desk) createOnNetwork(ctx context.Context, network chatapp.Groups, host chatapp.Host, in groupWork) (chatapp.Group, []chatapp.MemberResult, error) {
	since := d.clock.Now()
	if in.again {
		since = in.request.StartedAt
		group, results, err := d.adopt(ctx, network, host, in, since)
		if !errors.Is(err, chatapp.ErrNoGroup) {
			return group, results, err
		}
	}
	group, results, err := network.CreateGroup(ctx, host, in.Name, in.Participants)
	if !errors.Is(err, chatapp.ErrTimeout) {
		return group, results, err
	}
	group, results, adoptErr := d.adopt(ctx, network, host, in, since)
	if errors.Is(adoptErr, chatapp.ErrNoGroup) {
		return group, nil, err
	}
	return group, results, adoptErr
}

// adopt finds the group that was made for this request: the newest of its name
// that has no conversation yet. It asks for the participants once more, which
// tells what became of each. Without such a group the error is ErrNoGroup.
func (d *Desk) adopt(ctx context.Context, network chatapp.Groups, host chatapp.Host, in groupWork, since time.Time) (chatapp.Group, []chatapp.MemberResult, error) {
	groups, err := network.FindGroups(ctx, host, in.Name, since)
	if err != nil {
		return chatapp.Group{}, nil, err
	}
	for _, group := range groups {
		_, err := view(ctx, d, func(v *store.View) (parley.Group, error) {
			return v.GroupByJID(host.Workspace, host.NumberID, group.JID)
		})
		if err == nil {
			continue
		}
		if parley.KindOf(err) != parley.NotFound {
			return group, nil, err
		}
		results, err := addMembers(ctx, network, host, group.JID, in.Participants)
		return group, results, err
	}
	return chatapp.Group{}, nil, chatapp.ErrNoGroup
}

// addMembers asks a second time where the network timed out: asking again does
// no harm.
func addMembers(ctx context.Context, network chatapp.Groups, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	results, err := network.AddMembers(ctx, host, jid, participants)
	if errors.Is(err, chatapp.ErrTimeout) {
		results, err = network.AddMembers(ctx, host, jid, participants)
	}
	return results, err
}

// sortResults puts each number where the answer shows it. Whoever was a member
// already counts as added, so that asking again gives the same answer.
func sortResults(results []chatapp.MemberResult) parley.GroupOutcome {
	var o parley.GroupOutcome
	for _, r := range results {
		switch r.Outcome {
		case chatapp.Added, chatapp.Already:
			o.Added = append(o.Added, r.Phone)
		case chatapp.NotFound:
			o.NotOnChatapp = append(o.NotOnChatapp, r.Phone)
		case chatapp.NeedsInvite, chatapp.Refused:
			o.Invited = append(o.Invited, r.Phone)
		}
	}
	return o
}

// inviteLink returns the link by which to join, or "" where the network gives
// none: a group without it is better than none.
func (d *Desk) inviteLink(ctx context.Context, network chatapp.Groups, host chatapp.Host, jid string) string {
	link, err := network.InviteLink(ctx, host, jid)
	if err != nil {
		d.log.Warn("the messaging application gave no invite link", "group", jid, "error", err)
	}
	return link
}

// sendInvites sends the link to those who must join by it and returns whom it
// reached. A refusal leaves a number out and fails nothing.
func (d *Desk) sendInvites(ctx context.Context, network chatapp.Sender, host chatapp.Host, o parley.GroupOutcome) []parley.Phone {
	var sent []parley.Phone
	if o.Group.InviteLink == "" {
		return nil
	}
	for _, phone := range o.Invited {
		err := network.Send(ctx, host, chatapp.Message{
			ID: "invite-" + o.Group.ConversationID.String() + "-" + string(phone), JID: o.Group.JID, Phone: phone, Text: o.Group.InviteLink,
		})
		if err != nil {
			d.log.Warn("an invite link could not be sent", "group", o.Group.JID, "error", err)
			continue
		}
		sent = append(sent, phone)
	}
	return sent
}

// AddParticipants adds numbers to a group.
func (d *Desk) AddParticipants(ctx context.Context, by Caller, conversation parley.ID, participants []parley.Phone, sendLink bool) (parley.GroupOutcome, error) {
	return guard(ctx, d, by, func() (parley.GroupOutcome, error) {
		group, number, err := d.groupAndHost(ctx, by.Workspace, conversation)
		if err != nil {
			return parley.GroupOutcome{}, err
		}
		participants := without(unique(participants), number.Phone)
		if len(participants) == 0 {
			return parley.GroupOutcome{}, parley.InvalidField("participants", "hold at least one number that is not the host's own")
		}
		work, cancel := context.WithTimeout(context.WithoutCancel(ctx), networkTime)
		defer cancel()
		outcome, err := d.addOnNetwork(work, by.Workspace, number, group, participants, sendLink)
		if err != nil {
			return outcome, err
		}
		return commit(work, d, by, func(t *tx) (parley.GroupOutcome, error) {
			if err := t.UpdateGroupInviteLink(t.ws, &outcome.Group); err != nil {
				return outcome, err
			}
			return outcome, t.saveMembers(&outcome)
		})
	})
}

func (d *Desk) addOnNetwork(ctx context.Context, ws parley.WorkspaceID, number parley.Number, group parley.Group, participants []parley.Phone, sendLink bool) (parley.GroupOutcome, error) {
	network, host, err := d.host(ws, number)
	if err != nil {
		return parley.GroupOutcome{}, err
	}
	results, err := addMembers(ctx, network, host, group.JID, participants)
	if err != nil {
		return parley.GroupOutcome{}, networkError(d.clock.Now(), err)
	}
	outcome := sortResults(results)
	outcome.Group = group
	if group.InviteLink == "" {
		outcome.Group.InviteLink = d.inviteLink(ctx, network, host, group.JID)
	}
	if sendLink {
		outcome.InvitesSent = d.sendInvites(ctx, network, host, outcome)
	}
	return outcome, nil
}

// A GroupAdmin says whether a member of a group is an admin.
type GroupAdmin struct {
	JID   string
	Phone parley.Phone
	Admin bool
}

// SetGroupAdmin promotes or demotes a member of a group.
func (d *Desk) SetGroupAdmin(ctx context.Context, by Caller, conversation parley.ID, phone parley.Phone, admin bool) (GroupAdmin, error) {
	return guard(ctx, d, by, func() (GroupAdmin, error) {
		group, number, err := d.groupAndHost(ctx, by.Workspace, conversation)
		if err != nil {
			return GroupAdmin{}, err
		}
		network, host, err := d.host(by.Workspace, number)
		if err != nil {
			return GroupAdmin{}, err
		}
		work, cancel := context.WithTimeout(context.WithoutCancel(ctx), networkTime)
		defer cancel()
		if err := network.SetAdmin(work, host, group.JID, phone, admin); err != nil {
			return GroupAdmin{}, networkError(d.clock.Now(), err)
		}
		return commit(work, d, by, func(t *tx) (GroupAdmin, error) {
			return GroupAdmin{JID: group.JID, Phone: phone, Admin: admin}, t.UpdateGroupAdmin(t.ws, conversation, phone, admin)
		})
	})
}

// groupAndHost returns the group of a conversation and the number that hosts
// it.
func (d *Desk) groupAndHost(ctx context.Context, ws parley.WorkspaceID, conversation parley.ID) (parley.Group, parley.Number, error) {
	type pair struct {
		group  parley.Group
		number parley.Number
	}
	found, err := snapshot(ctx, d, func(v *store.View) (p pair, err error) {
		if p.group, err = v.Group(ws, conversation); err != nil {
			return p, err
		}
		p.number, err = v.Number(ws, p.group.NumberID)
		return p, err
	})
	return found.group, found.number, err
}

// without drops one phone.
func without(phones []parley.Phone, drop parley.Phone) []parley.Phone {
	var kept []parley.Phone
	for _, phone := range phones {
		if phone != drop {
			kept = append(kept, phone)
		}
	}
	return kept
}
