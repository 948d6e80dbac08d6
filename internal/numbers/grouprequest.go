package numbers

import (
	"context"
	"encoding/json"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
)

// A process that creates a group with an Idempotency-Key holds the key's row by
// a lease. If it dies, the lease expires, and the next call with the key takes
// over.
const (
	groupLease     = 15 * time.Second
	groupLeaseStep = 5 * time.Second        // how often the lease is renewed
	groupPoll      = 100 * time.Millisecond // how often a waiting call checks
)

// A groupClaim is the state of a key after claimGroup.
type groupClaim struct {
	request GroupRequest
	asked   NewGroup // the inputs of the first call
	mine    bool     // this call creates the group; else it waits, or
	done    bool     // the request already has its answer
	retry   bool     // an earlier call was interrupted
}

// claimGroup claims the key for this call, or returns the answer of the call
// that had it before. While another call holds it, it waits for that call.
func (g *groupMaker) claimGroup(ctx context.Context, by desk.Caller, in NewGroup, number parley.Number) (groupClaim, error) {
	for {
		claim, err := write(ctx, g.service, by, func(t *tx) (groupClaim, error) {
			return t.claimGroup(in, number, g.service.process)
		})
		if err != nil || claim.mine || claim.done {
			return claim, err
		}
		select {
		case <-ctx.Done():
			return claim, desk.StillRunning()
		case <-time.After(groupPoll):
		}
	}
}

func (t *tx) claimGroup(in NewGroup, number parley.Number, process string) (groupClaim, error) {
	claim := groupClaim{mine: true, asked: in}
	request, err := SelectGroupRequest(t, t.WS, in.Key)
	switch {
	case err == nil && leased(request.LeaseUntil, t.Now, groupLease):
		return groupClaim{request: request}, nil
	case err == nil && request.Answer != "" && request.LeaseUntil.IsZero():
		return groupClaim{request: request, done: true}, nil
	case err == nil && request.Asked == "" && request.Answer == "" && in.Fault != nil: // from a version that did not store the inputs
		return groupClaim{}, in.Fault
	case err == nil:
		request.Owner, claim.retry = process, true
		claim.asked.Name = request.Name
		if request.Asked != "" {
			if claim.asked, err = unpackRequest(request.Asked); err != nil {
				return groupClaim{}, err
			}
		}
	case parley.KindOf(err) == parley.NotFound && in.Fault != nil: // the call that had the key has since failed
		return groupClaim{}, in.Fault
	case parley.KindOf(err) == parley.NotFound:
		asked, err := packRequest(&in)
		if err != nil {
			return groupClaim{}, err
		}
		request = GroupRequest{Key: in.Key, NumberID: number.ID, Name: in.Name, StartedAt: t.Now, Owner: process, Asked: asked}
	default:
		return groupClaim{}, err
	}
	request.LeaseUntil = t.Now.Add(groupLease)
	claim.request = request
	return claim, UpsertGroupRequest(t, t.WS, &request)
}

// holdGroup renews the lease until stop is called.
func (g *groupMaker) holdGroup(ctx context.Context, ws parley.WorkspaceID, request GroupRequest) (stop func()) {
	return every(ctx, groupLeaseStep, func(ctx context.Context) {
		if err := g.leaseGroup(ctx, ws, request, groupLease); err != nil && ctx.Err() == nil {
			g.service.log.Warn("groups: lease of a creation not renewed", "error", err)
		}
	})
}

// leaseGroup sets how much longer the key is held, unless it is no longer held
// or has been taken over.
func (g *groupMaker) leaseGroup(ctx context.Context, ws parley.WorkspaceID, request GroupRequest, lease time.Duration) error {
	_, err := write(ctx, g.service, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		current, err := SelectGroupRequest(t, t.WS, request.Key)
		if err != nil || current.Owner != request.Owner || current.LeaseUntil.IsZero() {
			return struct{}{}, err
		}
		current.LeaseUntil = t.Now.Add(lease)
		return struct{}{}, UpsertGroupRequest(t, t.WS, &current)
	})
	return err
}

// dropGroup releases the key after a failure. If the network may have created
// the group after all, for this or an earlier call, the row stays, so that the
// next call looks for it. If the network refuses the request itself, no group
// exists: it does so only after the search for the group of an earlier call.
func (g *groupMaker) dropGroup(ctx context.Context, ws parley.WorkspaceID, claim groupClaim, failure error) error {
	request, stays := claim.request, claim.retry
	switch parley.KindOf(failure) {
	case parley.UpstreamTimeout, parley.BadUpstream, parley.Unavailable, parley.Internal:
		stays = true
	case parley.Invalid:
		stays = false
	}
	if stays {
		return g.leaseGroup(ctx, ws, request, 0)
	}
	_, err := write(ctx, g.service, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		return struct{}{}, DeleteGroupRequest(t, t.WS, request.Key)
	})
	return err
}

// storeGroup stores a new group with its conversation, and the answer to the
// Idempotency-Key. It requires no role, because the network has already created
// the group.
func (g *groupMaker) storeGroup(ctx context.Context, ws parley.WorkspaceID, in groupWork, o parley.GroupOutcome) (parley.GroupOutcome, error) {
	by := in.by
	by.Role = ""
	return write(ctx, g.service, by, func(t *tx) (parley.GroupOutcome, error) {
		made := o
		c, err := t.groupNow(in, &made.Group)
		if err != nil {
			return made, err
		}
		host := GroupMember{Phone: in.number.Phone, Network: in.number.NetworkPhone, Joined: true, Admin: true}
		if err := UpsertGroupMember(t, t.WS, c.ID, host); err != nil {
			return made, err
		}
		if err := t.saveMembers(c.ID, in.results); err != nil {
			return made, err
		}
		if in.Message != "" {
			m, err := t.NewMessage(&c, desk.NewMessage{Content: in.Message, ContentType: parley.Text, Direction: parley.Outgoing})
			if err != nil {
				return made, err
			}
			if err := t.Post(&c, &m, false); err != nil {
				return made, err
			}
		}
		if in.Key == "" {
			return made, nil
		}
		request := in.request
		if request.LeaseUntil = t.Now.Add(groupLease); !in.SendInviteLink {
			request.LeaseUntil = time.Time{} // nothing remains to be done
		}
		return made, t.keepGroupAnswer(request, made)
	})
}

// groupNow stores a group with its conversation. If somebody has already
// written in the group, it takes over the conversation that began then.
func (t *tx) groupNow(in groupWork, group *parley.Group) (parley.Conversation, error) {
	found, err := SelectGroupByJID(t, t.WS, in.number.ID, group.JID)
	if parley.KindOf(err) == parley.NotFound {
		c, err := t.groupConversation(in.number, in.NewGroup, *group)
		if err != nil {
			return c, err
		}
		group.ConversationID = c.ID
		return c, InsertGroup(t, t.WS, group)
	}
	if err != nil {
		return parley.Conversation{}, err
	}
	group.ConversationID = found.ConversationID
	c, err := t.Conversation(t.Visibility, found.ConversationID)
	if err != nil {
		return c, err
	}
	if _, err := t.renameGroup(&c, in.Name); err != nil {
		return c, err
	}
	attributes, err := groupAttributes(in.NewGroup)
	if err != nil {
		return c, err
	}
	var changed []string
	if err := desk.MergeAttributes(&changed, &c.CustomAttributes, attributes); err != nil {
		return c, err
	}
	if len(changed) > 0 {
		if err := t.UpdateConversation(t.WS, &c, t.Now); err != nil {
			return c, err
		}
		t.AnnounceChange(&c, c.Place(), changed...)
	}
	return c, UpdateGroup(t, t.WS, group)
}

// groupConversation starts the conversation of a group. Its contact stands for
// the whole group: it has the group's name, and the network's id as identifier.
func (t *tx) groupConversation(n parley.Number, in NewGroup, group parley.Group) (parley.Conversation, error) {
	attributes, err := groupAttributes(in)
	if err != nil {
		return parley.Conversation{}, err
	}
	contact, err := t.ContactByIdentifier(t.WS, group.JID)
	if parley.KindOf(err) == parley.NotFound { // otherwise another number of the workspace is also in the group
		contact = parley.Contact{
			ID: t.IDs.New(t.Now), Name: in.Name, Identifier: group.JID, ShopName: in.ShopName.Or(""),
			CreatedAt: t.Now, UpdatedAt: t.Now, LastActivityAt: t.Now,
		}
		err = t.AddContact(&contact)
	}
	if err != nil {
		return parley.Conversation{}, err
	}
	return t.StartConversation(n.InboxID, &contact, attributes)
}

// groupAttributes adds the shop's name to the custom attributes of the
// conversation (contract, section 4).
func groupAttributes(in NewGroup) (parley.Attributes, error) {
	attributes, err := parley.Attributes("").Merge(in.CustomAttributes)
	if err != nil || !in.ShopName.Has() {
		return attributes, err
	}
	shop, err := json.Marshal(struct {
		ShopName string `json:"shopName"`
	}{in.ShopName.Value})
	if err != nil {
		return "", err
	}
	return attributes.Merge(parley.Attributes(shop))
}

// saveMembers stores the members of a group and those who were invited.
func (t *tx) saveMembers(conversation parley.ID, results []chatapp.MemberResult) error {
	for _, r := range results {
		member := GroupMember{Phone: r.Phone, Network: r.Network}
		switch r.Outcome {
		case chatapp.NotFound:
			continue
		case chatapp.Added, chatapp.Already:
			member.Joined = true
		case chatapp.NeedsInvite, chatapp.Refused:
		}
		if err := UpsertGroupMember(t, t.WS, conversation, member); err != nil {
			return err
		}
	}
	return nil
}

// finishGroup completes a call that stored the group and died while sending
// invites. It is unknown how far it came, so all invites are sent again with
// the same ids, and nobody sees two. The network's own cards were lost with the
// call.
func (g *groupMaker) finishGroup(ctx context.Context, ws parley.WorkspaceID, in groupWork) (parley.GroupOutcome, error) {
	outcome, err := unpackOutcome(in.request.Answer)
	if err != nil {
		return outcome, err
	}
	network, host, err := g.service.newChats(ws, in.number)
	if err != nil {
		g.service.log.Warn("groups: invites not sent", "group", outcome.Group.JID, "error", err)
		return outcome, g.answerGroup(ctx, ws, in.request, outcome)
	}
	var waiting []chatapp.MemberResult
	for _, phone := range outcome.Invited {
		waiting = append(waiting, chatapp.MemberResult{Phone: phone, Outcome: chatapp.NeedsInvite})
	}
	outcome.InvitesSent = g.sendInvites(ctx, network, host, invitations{
		number: in.number, group: outcome.Group, name: in.request.Name, asked: outcome.Group.ConversationID.String(), results: waiting,
	})
	return outcome, g.answerGroup(ctx, ws, in.request, outcome)
}

// answerGroup stores the answer again after the invites were sent, and releases
// the key.
func (g *groupMaker) answerGroup(ctx context.Context, ws parley.WorkspaceID, request GroupRequest, o parley.GroupOutcome) error {
	request.LeaseUntil = time.Time{}
	_, err := write(ctx, g.service, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		return struct{}{}, t.keepGroupAnswer(request, o)
	})
	return err
}

// keepGroupAnswer stores the answer for the key, forever (contract, section 4).
func (t *tx) keepGroupAnswer(request GroupRequest, o parley.GroupOutcome) error {
	answer, err := packOutcome(&o)
	if err != nil {
		return err
	}
	request.Asked, request.Answer = "", answer
	return UpsertGroupRequest(t, t.WS, &request)
}
