package numbers

import (
	"context"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
)

// inviteLink returns the link by which to join, or "" where the network gives
// none: a group without it is better than none.
func (g *groupMaker) inviteLink(ctx context.Context, network chatapp.Groups, host chatapp.Host, jid string) string {
	ctx, cancel := sparing(ctx)
	defer cancel()
	link, err := again(ctx, func() (string, error) { return network.InviteLink(ctx, host, jid) })
	if err != nil {
		g.service.log.Warn("the messaging application gave no invite link", "group", jid, "error", err)
	}
	return link
}

// invitations are who is to be invited to a group, among all that was asked of
// the network.
type invitations struct {
	number  parley.Number
	group   parley.Group
	name    string // of the group
	asked   string // tells the messages of this request from those of others
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

// message is what one of them is sent, on the network's own card where it made
// one for them. It has the same id however often it is sent for this request.
func (in invitations) message(r chatapp.MemberResult) chatapp.Message {
	return chatapp.Message{
		ID: "invite-" + in.asked + "-" + string(r.Phone), JID: in.group.JID, Phone: r.Phone,
		Text: in.group.InviteLink, Invite: r.Invite, GroupName: in.name,
	}
}

// sendInvites sends the link to those who must join by it and returns whom it
// reached. A refusal leaves a number out and fails nothing, and so does a budget
// or a time that is used up: a number that writes to strangers as fast as it can
// is soon banned.
func (g *groupMaker) sendInvites(ctx context.Context, network chatapp.Sender, host chatapp.Host, in invitations) []parley.Phone {
	if in.group.InviteLink == "" {
		return nil
	}
	ctx, cancel := sparing(ctx)
	defer cancel()
	var sent []parley.Phone
	for i, r := range in.invited() {
		if i > 0 && !g.waitForInvite(ctx, in.number) {
			break
		}
		refund, err := g.service.spend(ctx, host.Workspace, in.number, spendInvites, 1)
		if err != nil {
			g.service.log.Warn("no more invite links are sent for now", "number", in.number.ID, "error", err)
			break
		}
		_, err = again(ctx, func() (struct{}, error) { return struct{}{}, network.Send(ctx, host, in.message(r)) })
		if nothingDone(err) {
			refund()
		}
		if err != nil {
			g.service.log.Warn("an invite link could not be sent", "group", in.group.JID, "error", err)
			continue
		}
		sent = append(sent, r.Phone)
	}
	return sent
}

// inviteSpare is what is left of a request's time for one more invite, and then
// to store what came of it.
const inviteSpare = 5 * time.Second

// sparing leaves that time of a request's.
func sparing(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, deadline.Add(-inviteSpare))
}

// waitForInvite waits as a person would between two messages, where a real
// network looks on. It reports whether there is time for another one.
func (g *groupMaker) waitForInvite(ctx context.Context, n parley.Number) bool {
	if _, runs := g.service.connectors[n.Driver].(chatapp.Runner); !runs {
		return true
	}
	gap := g.service.inviteGap()
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < gap+inviteSpare {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(gap):
		return true
	}
}

// askedBy names a request, and with it the messages that it sends: a request that
// comes again with its Idempotency-Key, after a crash, has the same name.
func (g *groupMaker) askedBy(by desk.Caller) string {
	if by.Once == nil {
		return g.service.ids.New(g.service.clock.Now()).String()
	}
	return by.Once.Route + " " + by.Once.Key
}
