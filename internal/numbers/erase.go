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

// ErasePhones deletes what is known about a person's phones in groups and chats.
// [Service.EraseRequests] does the rest, before and after it.
func ErasePhones(t *desk.Tx, phones []parley.Phone) error {
	if err := deletePhonesOfGroups(t, t.WS, phones); err != nil {
		return err
	}
	return deleteChatsByPhone(t, t.WS, phones)
}

// requestsRead is how many stored requests for groups one read returns.
const requestsRead = 200

// EraseRequests removes phones from the stored requests for groups and their answers,
// and all members from the answers about groups whose conversations were deleted. An
// answer itself stays: without it, a repeated request would create a second group. It
// reads outside of transactions, because there may be many, and changes one at a time.
func (s *Service) EraseRequests(ctx context.Context, ws parley.WorkspaceID, phones []parley.Phone, deleted []parley.ID) error {
	if len(phones)+len(deleted) == 0 {
		return nil
	}
	change := requestEraser(phones, deleted)
	for after := ""; ; {
		page, err := desk.View(s.desk, func(v *store.View) ([]GroupRequest, error) { return selectGroupRequests(v, ws, after, requestsRead) }).Now(ctx)
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			after = page[i].Key
			concerned, err := change(&page[i])
			if err != nil {
				return err
			}
			if !concerned {
				continue
			}
			if _, err := write(ctx, s, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) { return struct{}{}, t.changeRequest(after, change) }); err != nil {
				return err
			}
		}
	}
}

// requestEraser returns what changes a request, and reports whether it did.
func requestEraser(phones []parley.Phone, deleted []parley.ID) func(*GroupRequest) (bool, error) {
	return func(r *GroupRequest) (bool, error) {
		asked, err := removeAsked(r, phones)
		if err != nil {
			return false, err
		}
		answered, err := changeAnswer(r, func(o *parley.GroupOutcome) bool {
			changed := removePhones(o, phones)
			if !slices.Contains(deleted, o.Group.ConversationID) || len(o.Added)+len(o.Invited)+len(o.InvitesSent)+len(o.NotOnChatapp) == 0 {
				return changed
			}
			o.Added, o.Invited, o.InvitesSent, o.NotOnChatapp = nil, nil, nil, nil
			return true
		})
		return asked || answered, err
	}
}

// changeRequest changes a stored request as it is now.
func (t *tx) changeRequest(key string, change func(*GroupRequest) (bool, error)) error {
	r, err := SelectGroupRequest(t, t.WS, key)
	if parley.KindOf(err) == parley.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	changed, err := change(&r)
	if err != nil || !changed {
		return err
	}
	return UpsertGroupRequest(t, t.WS, &r)
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
