package search

import (
	"slices"
	"strings"

	"parley"
	"parley/internal/fulltext"
	"parley/internal/store"
)

// maxNamed is the most contacts whose messages "from:" finds. Contacts with the whole
// words in their names come first.
const maxNamed = 200

// me stands for the member who searches.
const me = "me"

// A filter is what the operators of a query say, without the names in it.
type filter struct {
	span
	named []operator // in their order
}

// filterOf checks the operators of a query.
func filterOf(operators []operator) (filter, error) {
	var f filter
	for _, op := range operators {
		switch op.name {
		case opBefore, opAfter:
			if err := f.limit(op); err != nil {
				return f, err
			}
			continue
		case opIs:
			op.value = strings.ToLower(op.value)
			if !slices.Contains(states, op.value) {
				return f, parley.InvalidField("q", "have one of "+strings.Join(states, ", ")+" after is:")
			}
		case opHas:
			if !strings.EqualFold(op.value, "file") {
				return f, parley.InvalidField("q", "have file after has:")
			}
		}
		f.named = append(f.named, op)
	}
	return f, nil
}

// conditions looks up the names of a filter and returns what a message must meet.
func (s *searcher) conditions(f filter, by parley.UserID) ([]store.MessageCondition, error) {
	conditions := make([]store.MessageCondition, 0, len(f.named))
	for _, op := range f.named {
		condition, err := s.condition(op, by)
		if err != nil {
			return nil, err
		}
		if op.not {
			condition = store.Not(condition)
		}
		conditions = append(conditions, condition)
	}
	return conditions, nil
}

func (s *searcher) condition(op operator, by parley.UserID) (store.MessageCondition, error) {
	switch op.name {
	case opFrom:
		return s.from(op.value, by)
	case opAssignee:
		return s.assignee(op.value, by)
	case opTeam:
		return s.team(op.value)
	case opIn:
		return s.in(op.value)
	case opLabel:
		return s.label(op.value)
	case opHas:
		return store.WithFiles(), nil
	}
	return stateCondition(op.value, by), nil
}

func stateCondition(state string, by parley.UserID) store.MessageCondition {
	switch state {
	case "unread":
		return store.Unread()
	case "waiting":
		return store.WaitingForAnswer()
	case "snoozed":
		return store.Snoozed()
	case "spam":
		return store.InSpam()
	case "note":
		return store.Noted()
	case "unassigned":
		return store.Unassigned()
	case "mine":
		return store.AssignedTo([]parley.UserID{by})
	}
	return store.InStatus(parley.Status(state))
}

// from selects messages by their sender.
func (s *searcher) from(value string, by parley.UserID) (store.MessageCondition, error) {
	switch strings.ToLower(value) {
	case me:
		return store.SentByMembers([]parley.UserID{by}), nil
	case "customer":
		return store.SentByType(parley.SenderContact), nil
	case "team":
		return store.SentByType(parley.SenderAgent), nil
	case "bot":
		return store.SentByType(parley.SenderBot), nil
	}
	members, err := s.membersNamed(value)
	if err != nil {
		return store.MessageCondition{}, err
	}
	contacts, err := s.contactsNamed(value)
	return store.AnyOf(store.SentByMembers(members), store.SentByContacts(contacts)), err
}

// assignee selects messages by the assignee of their conversation.
func (s *searcher) assignee(value string, by parley.UserID) (store.MessageCondition, error) {
	switch strings.ToLower(value) {
	case me:
		return store.AssignedTo([]parley.UserID{by}), nil
	case "none":
		return store.Unassigned(), nil
	}
	members, err := s.membersNamed(value)
	return store.AssignedTo(members), err
}

// in selects messages by the inbox, the product or the channel of their conversation.
func (s *searcher) in(value string) (store.MessageCondition, error) {
	if err := s.names.readPlaces(s.v, s.visibility.Workspace()); err != nil {
		return store.MessageCondition{}, err
	}
	is := namedLike(value)
	var inboxes, products []parley.ID
	for _, i := range s.names.inboxes {
		if is(i.Name) || strings.EqualFold(value, string(i.Channel)) {
			inboxes = append(inboxes, i.ID)
		}
	}
	for _, p := range s.names.products {
		if is(p.Name) {
			products = append(products, p.ID)
		}
	}
	return store.AnyOf(store.InInboxes(inboxes), store.InProducts(products)), nil
}

// team selects messages by the team of their conversation.
func (s *searcher) team(value string) (store.MessageCondition, error) {
	teams, err := selectTeams(s.v, s.visibility.Workspace())
	if err != nil {
		return store.MessageCondition{}, err
	}
	is := namedLike(value)
	none := strings.EqualFold(value, "none")
	var ids []parley.ID
	for _, t := range teams {
		if none || is(t.Name) {
			ids = append(ids, t.ID)
		}
	}
	if none { // a deleted team is none
		return store.Not(store.InTeams(ids)), nil
	}
	return store.InTeams(ids), nil
}

// label selects messages by a label of their conversation, ignoring the case of labels
// that the workspace has defined.
func (s *searcher) label(value string) (store.MessageCondition, error) {
	conditions := []store.MessageCondition{store.Labelled(value)}
	names, err := selectLabelNames(s.v, s.visibility.Workspace())
	folded := fulltext.Fold(parley.LabelName(value))
	for _, name := range names {
		if name != value && fulltext.Fold(name) == folded {
			conditions = append(conditions, store.Labelled(name))
		}
	}
	return store.AnyOf(conditions...), err
}

// membersNamed returns the members, present and removed, whose names contain the words
// of a text.
func (s *searcher) membersNamed(text string) ([]parley.UserID, error) {
	if err := s.names.readMembers(s.v, s.visibility.Workspace()); err != nil {
		return nil, err
	}
	is := namedLike(text)
	var ids []parley.UserID
	for _, m := range s.names.members {
		if is(m.Name) || strings.EqualFold(text, m.Email) {
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}

// contactsNamed returns the contacts that the index finds by the words of a text.
func (s *searcher) contactsNamed(text string) ([]parley.ID, error) {
	words, ok := fulltext.Parse(text)
	if !ok {
		return nil, nil
	}
	named := searcher{v: s.v, visibility: s.visibility, query: words}
	refs, err := named.candidates(parley.SearchContact)
	ids := make([]parley.ID, 0, min(len(refs), maxNamed))
	for _, ref := range refs[:min(len(refs), maxNamed)] {
		ids = append(ids, ref.ID)
	}
	return ids, err
}

// namedLike returns whether a name contains the words of a text, the last one also as
// the beginning of a word.
func namedLike(text string) func(name string) bool {
	words, ok := fulltext.Parse(text)
	return func(name string) bool { return ok && words.Closeness(name) > 0 }
}
