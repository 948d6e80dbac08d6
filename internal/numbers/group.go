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
	// Fault is what is wrong with the fields above: the answer where a group
	// would be made of them, and without effect where the Key has one already.
	Fault error
}

// CreateGroup creates a group in the messaging application and the
// conversation for it. With a Key that was used before, it returns the group
// made then, and Created is false; while that one is being made, it waits.
//
// The key's row is written before the network is asked. After a crash behind
// the network's answer, the next call with the key finds the group there and
// adopts it; after one behind our commit, it sends the invites.
func (s *Service) CreateGroup(ctx context.Context, by desk.Caller, in NewGroup) (desk.Saved[parley.GroupOutcome], error) {
	var made desk.Saved[parley.GroupOutcome]
	ws := by.Workspace
	number, err := s.groups.chooseHost(ctx, by, in)
	if err != nil {
		return made, err
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
	job := groupWork{NewGroup: claim.asked, number: number, by: by, request: claim.request, again: claim.again}
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

// aboutHost names the input that chose the host in the Conflict of one that is
// not connected.
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

// A groupMaker makes groups and changes who is in them.
type groupMaker struct {
	service *Service
	hosts   turns // numbers that create a group
}

// groupWork is the creation of a group on its way.
type groupWork struct {
	NewGroup
	number  parley.Number
	by      desk.Caller
	request GroupRequest // with an Idempotency-Key
	again   bool         // an earlier try may have made the group already
	results []chatapp.MemberResult
}

// chooseHost finds the number that hosts a new group: by its id, by its
// phone, else the workspace's only connected one (contract, section 4), else its
// only one, of which the caller learns why it cannot. A key that was used
// before decides, whatever the body says. It refuses a caller who may not create
// groups any more, before the network makes one.
func (g *groupMaker) chooseHost(ctx context.Context, by desk.Caller, in NewGroup) (parley.Number, error) {
	return desk.View(ctx, g.service.desk, func(v *store.View) (parley.Number, error) {
		ws := by.Workspace
		if err := desk.May(v, by); err != nil {
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
	})
}

// makeGroup asks the network, stores the group and its conversation, and
// invites who could not be added.
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

// makeAndStore makes the group and stores it. A host makes one group at a time
// on this node, so that a group found on the network without a conversation is
// the one looked for.
func (g *groupMaker) makeAndStore(ctx context.Context, network chatapp.Groups, host chatapp.Host, in groupWork) (parley.GroupOutcome, []chatapp.MemberResult, error) {
	var outcome parley.GroupOutcome
	leave, err := g.hosts.enter(ctx, in.number.ID)
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

// createOnNetwork makes the group, or adopts the one that an earlier try made:
// one whose answer was lost now, for the network timed out, or before, in a
// crash.
func (g *groupMaker) createOnNetwork(ctx context.Context, network chatapp.Groups, host chatapp.Host, in groupWork) (chatapp.Group, []chatapp.MemberResult, error) {
	since := g.service.clock.Now()
	if in.again {
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
		return group, nil, err // whether there is a group, nobody knows
	}
	return found, results, nil
}

// adopt finds the group that was made for this request: of those of its name that
// have no conversation yet, or got one because somebody wrote in it, the one made
// nearest to when the request began, so that two requests that died find each
// their own. It asks for the participants once more, which tells what became of
// each. Without such a group the error is ErrNoGroup.
func (g *groupMaker) adopt(ctx context.Context, network chatapp.Groups, host chatapp.Host, in groupWork, since time.Time) (chatapp.Group, []chatapp.MemberResult, error) {
	groups, err := network.FindGroups(ctx, host, in.Name, since)
	if err != nil {
		return chatapp.Group{}, nil, err
	}
	slices.SortStableFunc(groups, func(a, b chatapp.Group) int {
		return cmp.Compare(a.CreatedAt.Sub(since).Abs(), b.CreatedAt.Sub(since).Abs())
	})
	for _, group := range groups {
		known, err := desk.View(ctx, g.service.desk, func(v *store.View) (parley.Group, error) {
			return SelectGroupByJID(v, host.Workspace, host.NumberID, group.JID)
		})
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

// addMembers adds people; whom it finds there is there.
func addMembers(ctx context.Context, network chatapp.Groups, host chatapp.Host, jid string, participants []parley.Phone) ([]chatapp.MemberResult, error) {
	return again(ctx, func() ([]chatapp.MemberResult, error) { return network.AddMembers(ctx, host, jid, participants) })
}

// again asks a second time where the network timed out, or the process died that
// held the number. It is for what does no harm when it is done twice.
func again[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	answer, err := ask()
	if errors.Is(err, chatapp.ErrTimeout) && ctx.Err() == nil {
		answer, err = ask()
	}
	return answer, err
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

// AddParticipants adds numbers to a group.
func (s *Service) AddParticipants(ctx context.Context, by desk.Caller, conversation parley.ID, participants []parley.Phone, sendLink bool) (parley.GroupOutcome, error) {
	return desk.Guard(ctx, s.desk, by, func() (parley.GroupOutcome, error) {
		at, err := s.groups.groupAndHost(ctx, by.Workspace, conversation)
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

// An addition is who is to be added to which group.
type addition struct {
	hostedGroup
	participants []parley.Phone
	sendLink     bool
	asked        string // see invitations
}

// addToGroup asks the network, stores who is in the group, and invites who could
// not be added: in this order, for invites take their time, in which members
// come and go.
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

// SetGroupAdmin promotes or demotes a member of a group. The host stays an admin
// (Invalid): without its rights, nobody could be promoted by us again.
func (s *Service) SetGroupAdmin(ctx context.Context, by desk.Caller, conversation parley.ID, phone parley.Phone, admin bool) (GroupAdmin, error) {
	return desk.Guard(ctx, s.desk, by, func() (GroupAdmin, error) {
		at, err := s.groups.groupAndHost(ctx, by.Workspace, conversation)
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
		if errors.Is(err, chatapp.ErrFull) { // of admins: nobody is to be added, so no participants are to blame
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
				err = nil // who joined without our hearing of it
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
func (g *groupMaker) groupAndHost(ctx context.Context, ws parley.WorkspaceID, conversation parley.ID) (hostedGroup, error) {
	return desk.Snapshot(ctx, g.service.desk, func(v *store.View) (h hostedGroup, err error) {
		if h.group, err = v.Group(ws, conversation); err != nil {
			return h, err
		}
		c, err := v.Conversation(ws, conversation)
		if err != nil {
			return h, err
		}
		h.name = c.Contact.Name
		h.number, err = v.Number(ws, h.group.NumberID)
		return h, err
	})
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
