package desk

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"parley"
	"parley/internal/store"
)

// A process that creates a group with an Idempotency-Key holds the key's row
// by a lease. When it dies, the lease runs out, and the next call with the key
// takes over.
const (
	groupLease     = 15 * time.Second
	groupLeaseStep = 5 * time.Second        // how often the lease is renewed
	groupPoll      = 100 * time.Millisecond // how often a waiting call looks
)

// A groupClaim says whose a key is.
type groupClaim struct {
	request store.GroupRequest
	mine    bool // this call creates the group; else it waits, or
	done    bool // the request has its answer
	again   bool // an earlier call began to and did not come to an end
}

// claimGroup takes the key for this call, or returns the answer of the call
// that had it before. While another call holds it, it waits for that one.
func (d *Desk) claimGroup(ctx context.Context, ws parley.WorkspaceID, in NewGroup, number parley.Number) (groupClaim, error) {
	for {
		claim, err := write(ctx, d, Caller{Workspace: ws}, func(t *tx) (groupClaim, error) {
			return t.claimGroup(in, number, d.process)
		})
		if err != nil || claim.mine || claim.done {
			return claim, err
		}
		select {
		case <-ctx.Done():
			return claim, parley.Errorf(parley.Conflict, "Idempotency-Key: the first request with this key is still running; try again")
		case <-time.After(groupPoll):
		}
	}
}

func (t *tx) claimGroup(in NewGroup, number parley.Number, process string) (groupClaim, error) {
	claim := groupClaim{mine: true}
	request, err := t.GroupRequest(t.ws, in.Key)
	switch {
	case err == nil && t.now.Before(request.LeaseUntil):
		return groupClaim{request: request}, nil
	case err == nil && request.Answer != "":
		return groupClaim{request: request, done: true}, nil
	case err == nil:
		request.Owner, claim.again = process, true
	case parley.KindOf(err) == parley.NotFound:
		request = store.GroupRequest{Key: in.Key, NumberID: number.ID, Name: in.Name, StartedAt: t.now, Owner: process}
	default:
		return groupClaim{}, err
	}
	request.LeaseUntil = t.now.Add(groupLease)
	claim.request = request
	return claim, t.UpsertGroupRequest(t.ws, &request)
}

// holdGroup renews the lease until stop is called.
func (d *Desk) holdGroup(ctx context.Context, ws parley.WorkspaceID, request store.GroupRequest) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		ticker := time.NewTicker(groupLeaseStep)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if err := d.leaseGroup(ctx, ws, request, groupLease); err != nil && ctx.Err() == nil {
				d.log.Warn("the lease of a group's creation was not renewed", "error", err)
			}
		}
	})
	return func() {
		cancel()
		renewing.Wait()
	}
}

// leaseGroup sets how long the key is held from now on, unless it is held no
// more or has been taken over.
func (d *Desk) leaseGroup(ctx context.Context, ws parley.WorkspaceID, request store.GroupRequest, lease time.Duration) error {
	_, err := write(ctx, d, Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		current, err := t.GroupRequest(t.ws, request.Key)
		if err != nil || current.Owner != request.Owner || current.LeaseUntil.IsZero() {
			return struct{}{}, err
		}
		current.LeaseUntil = t.now.Add(lease)
		return struct{}{}, t.UpsertGroupRequest(t.ws, &current)
	})
	return err
}

// dropGroup gives the key back after a failure. Where the network may have
// made the group after all, the row stays, so that the next call looks for it.
func (d *Desk) dropGroup(ctx context.Context, ws parley.WorkspaceID, request store.GroupRequest, failure error) error {
	switch parley.KindOf(failure) {
	case parley.UpstreamTimeout, parley.BadUpstream, parley.Unavailable, parley.Internal:
		return d.leaseGroup(ctx, ws, request, 0)
	}
	_, err := write(ctx, d, Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		return struct{}{}, t.DeleteGroupRequest(t.ws, request.Key)
	})
	return err
}

// storeGroup stores the conversation of a new group with all that belongs to
// it, and with it the answer to the Idempotency-Key.
func (d *Desk) storeGroup(ctx context.Context, ws parley.WorkspaceID, in groupWork, o parley.GroupOutcome) (parley.GroupOutcome, error) {
	return write(ctx, d, Caller{Workspace: ws}, func(t *tx) (parley.GroupOutcome, error) {
		made := o
		c, err := t.groupConversation(in, o.Group)
		if err != nil {
			return made, err
		}
		made.Group.ConversationID = c.ID
		if err := t.InsertGroup(t.ws, &made.Group); err != nil {
			return made, err
		}
		if err := t.UpsertGroupMember(t.ws, c.ID, store.GroupMember{Phone: in.number.Phone, Joined: true, Admin: true}); err != nil {
			return made, err
		}
		if err := t.saveMembers(&made); err != nil {
			return made, err
		}
		if in.Message != "" {
			m, err := t.newMessage(&c, NewMessage{Content: in.Message, ContentType: parley.Text, Direction: parley.Outgoing})
			if err != nil {
				return made, err
			}
			if err := t.post(&c, &m, false); err != nil {
				return made, err
			}
		}
		if in.Key == "" {
			return made, nil
		}
		request := in.request
		if request.LeaseUntil = t.now.Add(groupLease); !in.SendInviteLink {
			request.LeaseUntil = time.Time{} // nothing is left to do
		}
		return made, t.keepGroupAnswer(request, made)
	})
}

// groupConversation starts the conversation of a group. Its contact stands for
// the group as a whole: named like it, its identifier the network's name.
func (t *tx) groupConversation(in groupWork, group parley.Group) (parley.Conversation, error) {
	var c parley.Conversation
	attributes, err := groupAttributes(in.NewGroup)
	if err != nil {
		return c, err
	}
	inbox, err := t.Inbox(t.ws, in.number.InboxID)
	if err != nil {
		return c, err
	}
	product, err := t.productFor(inbox, parley.Optional[parley.ID]{})
	if err != nil {
		return c, err
	}
	contact := parley.Contact{
		ID: t.ids.New(t.now), Name: in.Name, Identifier: group.JID, ShopName: in.ShopName.Or(""),
		CreatedAt: t.now, UpdatedAt: t.now, LastActivityAt: t.now,
	}
	if err := t.insertContact(&contact); err != nil {
		return c, err
	}
	c = parley.Conversation{
		ID: t.ids.New(t.now), Status: parley.Open, Contact: contactRef(&contact), Product: product,
		Inbox:            parley.InboxRef{ID: inbox.ID, Name: inbox.Name, Channel: inbox.Channel},
		CustomAttributes: attributes, LastActivityAt: t.now, CreatedAt: t.now,
	}
	return c, t.insertConversation(&c, contact.Company.ID)
}

// groupAttributes puts the shop's name among the custom attributes of the
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

// saveMembers stores who is in a group and who was asked to join.
func (t *tx) saveMembers(o *parley.GroupOutcome) error {
	for _, phone := range o.Added {
		if err := t.UpsertGroupMember(t.ws, o.Group.ConversationID, store.GroupMember{Phone: phone, Joined: true}); err != nil {
			return err
		}
	}
	for _, phone := range o.Invited {
		if err := t.UpsertGroupMember(t.ws, o.Group.ConversationID, store.GroupMember{Phone: phone}); err != nil {
			return err
		}
	}
	return nil
}

// answerGroup stores the answer once more when the invites are sent, and gives
// the key back.
func (d *Desk) answerGroup(ctx context.Context, ws parley.WorkspaceID, request store.GroupRequest, o parley.GroupOutcome) error {
	request.LeaseUntil = time.Time{}
	_, err := write(ctx, d, Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		return struct{}{}, t.keepGroupAnswer(request, o)
	})
	return err
}

// keepGroupAnswer stores the answer to the key, for good (contract, section 4).
func (t *tx) keepGroupAnswer(request store.GroupRequest, o parley.GroupOutcome) error {
	answer, err := json.Marshal(o)
	if err != nil {
		return err
	}
	request.Answer = string(answer)
	return t.UpsertGroupRequest(t.ws, &request)
}
