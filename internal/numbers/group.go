package numbers

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
)

// networkTime is how long all calls of the network for one group may take. They
// continue if the caller has left, so that nothing stays half done.
const networkTime = 60 * time.Second

// NewGroup is a group to be created.
type NewGroup struct {
	Name             string
	Participants     []parley.Phone
	HostID           parley.ID    // integrationId: the host by id; takes precedence over From
	From             parley.Phone // the host by phone
	SendInviteLink   bool
	ShopName         parley.Optional[string]
	CustomAttributes parley.Attributes
	Message          string // the opening message; "" for none
	Key              string // the Idempotency-Key; "" for none
	// Fault is the error of the inputs. It is returned if a group would be
	// created, and has no effect if the Key already has one.
	Fault error
}

// CreateGroup creates a group in the messaging application and its
// conversation. With a Key that was used before, it returns the group created
// then, and Created is false; while that group is being created, it waits.
//
// The row of the key is inserted before the network is called. After a crash
// between the network's answer and our commit, the next call with the key finds
// the group on the network and adopts it; after a later crash, it sends the
// invites.
func (s *Service) CreateGroup(ctx context.Context, by desk.Caller, in NewGroup) (desk.Saved[parley.GroupOutcome], error) {
	var made desk.Saved[parley.GroupOutcome]
	ws := by.Workspace
	number, err := s.groups.chooseHost(ctx, by, in)
	if err != nil {
		return made, err
	}
	if by.Sight.Own != nil && !by.Visibility().IncludesPlace(parley.Place{InboxID: number.InboxID}) {
		return made, parley.FieldErrorf(parley.Forbidden, "from", "must be the number of one of your inboxes")
	}
	in.Participants = without(desk.Unique(in.Participants), number.Phone)
	if len(in.Participants) == 0 && in.Fault == nil {
		in.Fault = parley.InvalidField("participants", "hold at least one number that is not the host's own")
	}
	if in.Key == "" && in.Fault != nil {
		return made, in.Fault
	}
	work := context.WithoutCancel(ctx)
	work, cancel := context.WithTimeout(work, networkTime)
	defer cancel()
	if in.Key == "" {
		made.Created = true
		made.Record, err = s.groups.makeGroup(work, ws, groupWork{NewGroup: in, number: number, by: by})
		return made, in.aboutHost(err)
	}
	claim, err := s.groups.claimGroup(ctx, by, in, number)
	if err != nil {
		return made, err
	}
	if !claim.mine {
		made.Record, err = unpackOutcome(claim.request.Answer)
		return made, err
	}
	stop := s.groups.holdGroup(work, ws, claim.request)
	job := groupWork{NewGroup: claim.asked, number: number, by: by, request: claim.request, retry: claim.retry}
	if made.Created = claim.request.Answer == ""; made.Created {
		made.Record, err = s.groups.makeGroup(work, ws, job)
	} else {
		made.Record, err = s.groups.finishGroup(work, ws, job)
	}
	stop()
	if err != nil {
		return made, errors.Join(in.aboutHost(err), s.groups.dropGroup(work, ws, claim, err))
	}
	return made, nil
}

// aboutHost names the input that chose the host in the Conflict for a host that
// is not connected.
func (in NewGroup) aboutHost(err error) error {
	var conflict *parley.Error
	if !errors.As(err, &conflict) || !errors.Is(err, chatapp.ErrNotConnected) {
		return err
	}
	field := "from" // also of the only number, which stands for it
	if !in.HostID.IsZero() {
		field = "integrationId"
	}
	return parley.FieldErrorf(parley.Conflict, field, "must be a connected number; %s", conflict.Message)
}

// A groupMaker creates groups and changes their members.
type groupMaker struct {
	service *Service
	hosts   numberLocks // held by numbers that are creating a group
}

// groupWork is a group creation in progress.
type groupWork struct {
	NewGroup
	number  parley.Number
	by      desk.Caller
	request GroupRequest // with an Idempotency-Key
	retry   bool         // an earlier try may have created the group
	results []chatapp.MemberResult
}

// chooseHost returns the number that hosts a new group: by its id, by its
// phone, else the workspace's only connected one (contract, section 4), else
// its only one, whose error then tells the caller what is wrong. A key that was
// used before decides, whatever the body says. A caller who may no longer
// create groups is refused before the network creates one.
func (g *groupMaker) chooseHost(ctx context.Context, by desk.Caller, in NewGroup) (parley.Number, error) {
	return desk.View(g.service.desk, func(v *store.View) (parley.Number, error) {
		ws := by.Workspace
		if _, err := desk.May(v, by); err != nil {
			return parley.Number{}, err
		}
		if in.Key != "" {
			request, err := SelectGroupRequest(v, ws, in.Key)
			if err == nil {
				return v.Number(ws, request.NumberID)
			}
			if parley.KindOf(err) != parley.NotFound {
				return parley.Number{}, err
			}
		}
		switch {
		case in.Fault != nil:
			return parley.Number{}, in.Fault
		case !in.HostID.IsZero():
			n, err := v.Number(ws, in.HostID)
			return n, desk.Reference("integrationId", err)
		case in.From != "":
			n, err := SelectNumberByPhone(v, ws, in.From)
			return n, desk.Reference("from", err)
		}
		connected, err := v.ConnectedNumbers(ws, 2)
		if err == nil && len(connected) == 0 {
			var all parley.Page[parley.Number]
			if all, err = v.Numbers(ws, parley.Position{}, 2); len(all.Items) == 1 {
				connected = all.Items
			}
		}
		switch {
		case err != nil:
			return parley.Number{}, err
		case len(connected) == 0:
			return parley.Number{}, parley.InvalidField("from", "be a connected number of the messaging application; the workspace has none")
		case len(connected) > 1:
			return parley.Number{}, parley.FieldErrorf(parley.Invalid, "from", "must be given, for the workspace has several connected numbers")
		}
		return connected[0], nil
	}).Now(ctx)
}

// makeGroup creates the group on the network, stores it with its conversation,
// and invites those who could not be added.
func (g *groupMaker) makeGroup(ctx context.Context, ws parley.WorkspaceID, in groupWork) (parley.GroupOutcome, error) {
	network, host, err := g.service.newChats(ws, in.number)
	if err != nil {
		return parley.GroupOutcome{}, err
	}
	outcome, results, err := g.makeAndStore(ctx, network, host, in)
	if err != nil {
		return outcome, err
	}
	if !in.SendInviteLink {
		return outcome, nil
	}
	outcome.InvitesSent = g.sendInvites(ctx, network, host, invitations{
		number: in.number, group: outcome.Group, name: in.Name, asked: outcome.Group.ConversationID.String(), results: results,
	})
	if in.Key != "" {
		err = g.answerGroup(ctx, ws, in.request, outcome)
	}
	return outcome, err
}

// makeAndStore creates the group and stores it. A host creates one group at a
// time on this node, so that a group on the network that no creation has stored
// is the one in question.
func (g *groupMaker) makeAndStore(ctx context.Context, network chatapp.Groups, host chatapp.Host, in groupWork) (parley.GroupOutcome, []chatapp.MemberResult, error) {
	var outcome parley.GroupOutcome
	leave, err := g.hosts.lock(ctx, in.number.ID)
	if err != nil {
		return outcome, nil, networkError(g.service.clock.Now(), err)
	}
	defer leave()
	group, results, err := g.createOnNetwork(ctx, network, host, in)
	if err != nil {
		return outcome, nil, networkError(g.service.clock.Now(), err)
	}
	in.results = results
	outcome = sortResults(results)
	outcome.Group = parley.Group{NumberID: in.number.ID, JID: group.JID}
	outcome.Group.InviteLink = g.inviteLink(ctx, network, host, group.JID)
	outcome, err = g.storeGroup(ctx, host.Workspace, in, outcome)
	return outcome, results, err
}

// createOnNetwork creates the group, or adopts one from an earlier try whose
// answer was lost: because the network timed out just now, or in a crash
// before.
func (g *groupMaker) createOnNetwork(ctx context.Context, network chatapp.Groups, host chatapp.Host, in groupWork) (chatapp.Group, []chatapp.MemberResult, error) {
	since := g.service.clock.Now()
	if in.retry {
		since = in.request.StartedAt
		group, results, err := g.adopt(ctx, network, host, in, since)
		if !errors.Is(err, chatapp.ErrNoGroup) {
			return group, results, err
		}
	}
	refund, err := g.service.spend(ctx, host.Workspace, in.number, spendGroups, 1)
	if err != nil {
		return chatapp.Group{}, nil, err
	}
	group, results, err := network.CreateGroup(ctx, host, in.Name, in.Participants)
	if nothingDone(err) {
		refund()
	}
	if !errors.Is(err, chatapp.ErrTimeout) {
		return group, results, err
	}
	found, results, adoptErr := g.adopt(ctx, network, host, in, since)
	if adoptErr != nil {
		return group, nil, err // it is unknown whether the group exists
	}
	return found, results, nil
}

// adopt finds the group that was created for this request. Candidates are
// groups with its name that no creation has stored, although an incoming
// message may have. It takes the one created closest to the start of the
// request, so that two interrupted requests each find their own, and adds the
// participants once more, which tells the result for each. Without such a group
// the error is ErrNoGroup.
func (g *groupMaker) adopt(ctx context.Context, network chatapp.Groups, host chatapp.Host, in groupWork, since time.Time) (chatapp.Group, []chatapp.MemberResult, error) {
	groups, err := network.FindGroups(ctx, host, in.Name, since)
	if err != nil {
		return chatapp.Group{}, nil, err
	}
	slices.SortStableFunc(groups, func(a, b chatapp.Group) int {
		return cmp.Compare(a.CreatedAt.Sub(since).Abs(), b.CreatedAt.Sub(since).Abs())
	})
	for _, group := range groups {
		known, err := desk.View(g.service.desk, func(v *store.View) (parley.Group, error) {
			return SelectGroupByJID(v, host.Workspace, host.NumberID, group.JID)
		}).Now(ctx)
		if err == nil && !known.Found {
			continue
		}
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return group, nil, err
		}
		results, err := addMembers(ctx, network, host, group.JID, in.Participants)
		return group, results, err
	}
	return chatapp.Group{}, nil, chatapp.ErrNoGroup
}

// addMembers adds people. Adding an existing member has no effect.
func addMembers(ctx context.Context, network chatapp.Groups, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	return retryTimeout(ctx, func() ([]chatapp.MemberResult, error) { return network.AddMembers(ctx, host, jid, participants) })
}

// retryTimeout repeats a call once if the network timed out or the process that
// held the number died. It is for calls that may be repeated.
func retryTimeout[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	answer, err := ask()
	if errors.Is(err, chatapp.ErrTimeout) && ctx.Err() == nil {
		answer, err = ask()
	}
	return answer, err
}

// sortResults assigns each result to its list in the answer. Existing members
// count as added, so that a repeated request gets the same answer.
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

// AddParticipants adds numbers to a group.
func (s *Service) AddParticipants(ctx context.Context, by desk.Caller, conversation parley.ID, participants []parley.Phone, sendLink bool) (parley.GroupOutcome, error) {
	return desk.Guard(ctx, s.desk, by, func() (parley.GroupOutcome, error) {
		at, err := s.groups.groupAndHost(ctx, by, conversation)
		if err != nil {
			return parley.GroupOutcome{}, err
		}
		participants := without(desk.Unique(participants), at.number.Phone)
		if len(participants) == 0 {
			return parley.GroupOutcome{}, parley.InvalidField("participants", "hold at least one number that is not the host's own")
		}
		work, cancel := context.WithTimeout(context.WithoutCancel(ctx), networkTime)
		defer cancel()
		outcome, err := s.groups.addToGroup(work, by.Workspace, addition{at, participants, sendLink, s.groups.askedBy(by)})
		if err != nil {
			return outcome, err
		}
		return commit(work, s, by, func(*tx) (parley.GroupOutcome, error) { return outcome, nil })
	})
}

// An addition is a request to add people to a group.
type addition struct {
	hostedGroup
	participants []parley.Phone
	sendLink     bool
	asked        string // see invitations
}

// addToGroup adds people on the network, stores the members, and invites those
// who could not be added, in this order: invites take a while, during which
// members join and leave.
func (g *groupMaker) addToGroup(ctx context.Context, ws parley.WorkspaceID, in addition) (parley.GroupOutcome, error) {
	network, host, err := g.service.newChats(ws, in.number)
	if err != nil {
		return parley.GroupOutcome{}, err
	}
	refund, err := g.service.spend(ctx, ws, in.number, spendAdds, len(in.participants))
	if err != nil {
		return parley.GroupOutcome{}, err
	}
	results, err := addMembers(ctx, network, host, in.group.JID, in.participants)
	if err != nil {
		if nothingDone(err) {
			refund()
		}
		return parley.GroupOutcome{}, networkError(g.service.clock.Now(), err)
	}
	outcome := sortResults(results)
	outcome.Group = in.group
	if in.group.InviteLink == "" {
		outcome.Group.InviteLink = g.inviteLink(ctx, network, host, in.group.JID)
	}
	_, err = write(ctx, g.service, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		if err := UpdateGroup(t, t.WS, &outcome.Group); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, t.saveMembers(in.group.ConversationID, results)
	})
	if err != nil {
		return outcome, err
	}
	if in.sendLink {
		outcome.InvitesSent = g.sendInvites(ctx, network, host, invitations{
			number: in.number, group: outcome.Group, name: in.name, asked: in.asked, results: results,
		})
	}
	return outcome, nil
}

// A GroupAdmin says whether a member of a group is an admin.
type GroupAdmin struct {
	JID   string
	Phone parley.Phone
	Admin bool
}

// SetGroupAdmin promotes or demotes a member of a group. The host must stay an
// admin (Invalid), because without its rights we could no longer promote
// anybody.
func (s *Service) SetGroupAdmin(ctx context.Context, by desk.Caller, conversation parley.ID, phone parley.Phone, admin bool) (GroupAdmin, error) {
	return desk.Guard(ctx, s.desk, by, func() (GroupAdmin, error) {
		at, err := s.groups.groupAndHost(ctx, by, conversation)
		if err != nil {
			return GroupAdmin{}, err
		}
		if !admin && (phone == at.number.Phone || phone == at.number.NetworkPhone) {
			return GroupAdmin{}, parley.InvalidField("phone", "not be the host's own number, which has to stay an admin")
		}
		network, host, err := s.host(by.Workspace, at.number)
		if err != nil {
			return GroupAdmin{}, err
		}
		work, cancel := context.WithTimeout(context.WithoutCancel(ctx), networkTime)
		defer cancel()
		err = network.SetAdmin(work, host, at.group.JID, phone, admin)
		if errors.Is(err, chatapp.ErrFull) { // for admins: nobody is added, so no participants are at fault
			return GroupAdmin{}, parley.Errorf(parley.Conflict, "the group is full")
		}
		if err != nil {
			return GroupAdmin{}, networkError(s.clock.Now(), err)
		}
		return commit(work, s, by, func(t *tx) (GroupAdmin, error) {
			member, err := SelectGroupMember(t, t.WS, conversation, phone)
			if err == nil {
				err = UpdateGroupAdmin(t, t.WS, conversation, member.Phone, admin)
			}
			if parley.KindOf(err) == parley.NotFound {
				err = nil // somebody whose joining was not reported
			}
			return GroupAdmin{JID: at.group.JID, Phone: phone, Admin: admin}, err
		})
	})
}

// A hostedGroup is a group with the number that hosts it.
type hostedGroup struct {
	group  parley.Group
	name   string
	number parley.Number
}

// groupAndHost returns the group of a conversation and the number that hosts
// it.
func (g *groupMaker) groupAndHost(ctx context.Context, by desk.Caller, conversation parley.ID) (hostedGroup, error) {
	return desk.Snapshot(g.service.desk, func(v *store.View) (h hostedGroup, err error) {
		if h.group, err = v.Group(by.Workspace, conversation); err != nil {
			return h, err
		}
		c, err := v.Conversation(by.Visibility(), conversation)
		if err != nil {
			return h, err
		}
		h.name = c.Contact.Name
		h.number, err = v.Number(by.Workspace, h.group.NumberID)
		return h, err
	}).Now(ctx)
}

// without removes one phone from a list.
func without(phones []parley.Phone, drop parley.Phone) []parley.Phone {
	var kept []parley.Phone
	for _, phone := range phones {
		if phone != drop {
			kept = append(kept, phone)
		}
	}
	return kept
}
