package numbers

import (
	"context"
	"errors"
	"slices"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
)

// ErasePhones deletes what is known about a person's phones: memberships of groups,
// chats, and entries in the stored answers to requests for groups. Such an answer still
// says which group the request created.
func ErasePhones(t *desk.Tx, phones []parley.Phone) error {
	if err := deletePhonesOfGroups(t, t.WS, phones); err != nil {
		return err
	}
	if err := deleteChatsByPhone(t, t.WS, phones); err != nil {
		return err
	}
	return changeRequests(t, func(r *GroupRequest) (bool, error) {
		asked, err := removeAsked(r, phones)
		if err != nil {
			return false, err
		}
		answered, err := changeAnswer(r, func(o *parley.GroupOutcome) bool { return removePhones(o, phones) })
		return asked || answered, err
	})
}

// EraseGroup removes the members of a group whose conversation is being deleted from
// the stored answer to its request. The answer itself stays: without it, a repeated
// request would create a second group.
func EraseGroup(t *desk.Tx, conversation parley.ID) error {
	if _, err := t.Group(t.WS, conversation); err != nil {
		if parley.KindOf(err) == parley.NotFound {
			return nil
		}
		return err
	}
	return changeRequests(t, func(r *GroupRequest) (bool, error) {
		return changeAnswer(r, func(o *parley.GroupOutcome) bool {
			if o.Group.ConversationID != conversation {
				return false
			}
			o.Added, o.Invited, o.InvitesSent, o.NotOnChatapp = nil, nil, nil, nil
			return true
		})
	})
}

// changeRequests applies a change to all stored requests for groups, and stores those
// that changed.
func changeRequests(t *desk.Tx, change func(*GroupRequest) (bool, error)) error {
	requests, err := selectGroupRequests(t, t.WS)
	if err != nil {
		return err
	}
	for i := range requests {
		changed, err := change(&requests[i])
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		if err := UpsertGroupRequest(t, t.WS, &requests[i]); err != nil {
			return err
		}
	}
	return nil
}

// changeAnswer changes the answer of a request that has one.
func changeAnswer(r *GroupRequest, change func(*parley.GroupOutcome) bool) (changed bool, err error) {
	if r.Answer == "" {
		return false, nil
	}
	outcome, err := unpackOutcome(r.Answer)
	if err != nil || !change(&outcome) {
		return false, err
	}
	r.Answer, err = packOutcome(&outcome)
	return true, err
}

// removeAsked removes phones from a request whose group does not exist yet.
func removeAsked(r *GroupRequest, phones []parley.Phone) (changed bool, err error) {
	if r.Asked == "" {
		return false, nil
	}
	asked, err := unpackRequest(r.Asked)
	if err != nil {
		return false, err
	}
	before := len(asked.Participants)
	asked.Participants = withoutPhones(asked.Participants, phones)
	if len(asked.Participants) == before {
		return false, nil
	}
	r.Asked, err = packRequest(&asked)
	return true, err
}

// removePhones removes phones from an outcome and reports whether there were any.
func removePhones(o *parley.GroupOutcome, phones []parley.Phone) (changed bool) {
	for _, list := range []*[]parley.Phone{&o.Added, &o.Invited, &o.InvitesSent, &o.NotOnChatapp} {
		before := len(*list)
		*list = withoutPhones(*list, phones)
		changed = changed || len(*list) < before
	}
	return changed
}

// withoutPhones returns a list without some phones.
func withoutPhones(list, phones []parley.Phone) []parley.Phone {
	return slices.DeleteFunc(slices.Clone(list), func(p parley.Phone) bool { return slices.Contains(phones, p) })
}

// Forget deletes what the networks of a workspace's numbers store here about a person.
// It calls them outside of a transaction.
func (s *Service) Forget(ctx context.Context, ws parley.WorkspaceID, who chatapp.Person) error {
	numbers, err := desk.View(s.desk, func(v *store.View) ([]parley.Number, error) { return selectNumbers(v, ws) }).Now(ctx)
	if err != nil {
		return err
	}
	var failures []error
	for i := range numbers {
		n := &numbers[i]
		if network, ok := s.connectors[n.Driver].(chatapp.Forgetter); ok {
			host := chatapp.Host{Workspace: ws, NumberID: n.ID, Phone: n.Phone}
			failures = append(failures, network.Forget(ctx, host, who))
		}
	}
	return errors.Join(failures...)
}
