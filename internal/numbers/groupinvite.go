package numbers

import (
	"context"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
)

// inviteLink returns the invite link of a group, or "" if the network gives
// none: a group without a link is better than no group.
func (g *groupMaker) inviteLink(ctx context.Context, network chatapp.Groups, host chatapp.Host, jid string) string {
	ctx, cancel := reserveTime(ctx)
	defer cancel()
	link, err := retryTimeout(ctx, func() (string, error) { return network.InviteLink(ctx, host, jid) })
	if err != nil {
		g.service.log.Warn("groups: network returned no invite link", "group", jid, "error", err)
	}
	return link
}

// invitations are the people to invite to a group, among the results of a
// request.
type invitations struct {
	number  parley.Number
	group   parley.Group
	name    string // of the group
	asked   string // distinguishes the messages of this request from those of others
	results []chatapp.MemberResult
}

// invited returns those who must join by themselves.
func (in invitations) invited() []chatapp.MemberResult {
	var all []chatapp.MemberResult
	for _, r := range in.results {
		if r.Outcome == chatapp.NeedsInvite || r.Outcome == chatapp.Refused {
			all = append(all, r)
		}
	}
	return all
}

// message returns the invite for one of them, as the network's own card if it
// issued one. Its id is the same however often it is sent for this request.
func (in invitations) message(r chatapp.MemberResult) chatapp.Message {
	return chatapp.Message{
		ID: "invite-" + in.asked + "-" + string(r.Phone), JID: in.group.JID, Phone: r.Phone,
		Text: in.group.InviteLink, Invite: r.Invite, GroupName: in.name,
	}
}

// sendInvites sends the link to those who must join by it, and returns those it
// reached. A refusal, an exhausted budget or a timeout leaves numbers out
// without failing the request: a number that writes to strangers as fast as it
// can is soon banned.
func (g *groupMaker) sendInvites(ctx context.Context, network chatapp.Sender, host chatapp.Host, in invitations) []parley.Phone {
	if in.group.InviteLink == "" {
		return nil
	}
	ctx, cancel := reserveTime(ctx)
	defer cancel()
	var sent []parley.Phone
	for i, r := range in.invited() {
		if i > 0 && !g.waitForInvite(ctx, in.number) {
			break
		}
		refund, err := g.service.spend(ctx, host.Workspace, in.number, spendInvites, 1)
		if err != nil {
			g.service.log.Warn("groups: no budget for further invites", "number", in.number.ID, "error", err)
			break
		}
		_, err = retryTimeout(ctx, func() (struct{}, error) { return struct{}{}, network.Send(ctx, host, in.message(r)) })
		if nothingDone(err) {
			refund()
		}
		if err != nil {
			g.service.log.Warn("groups: sending an invite failed", "group", in.group.JID, "error", err)
			continue
		}
		sent = append(sent, r.Phone)
	}
	return sent
}

// inviteReserve is the time that one more invite and storing its result need at
// the end of a request.
const inviteReserve = 5 * time.Second

// reserveTime reserves inviteReserve at the end of a request's time.
func reserveTime(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, deadline.Add(-inviteReserve))
}

// waitForInvite waits like a person between two messages, if the network is a
// real one. It reports whether there is time for another message.
func (g *groupMaker) waitForInvite(ctx context.Context, n parley.Number) bool {
	if _, runs := g.service.connectors[n.Driver].(chatapp.Runner); !runs {
		return true
	}
	gap := g.service.inviteGap()
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < gap+inviteReserve {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(gap):
		return true
	}
}

// askedBy names a request, and thereby the messages that it sends. A request
// that is repeated with its Idempotency-Key after a crash has the same name.
func (g *groupMaker) askedBy(by desk.Caller) string {
	if by.Once == nil {
		return g.service.ids.New(g.service.clock.Now()).String()
	}
	return by.Once.Route + " " + by.Once.Key
}
