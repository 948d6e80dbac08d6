package audit

import (
	"slices"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/store"
)

// namers return the names of the records of a kind. Contacts and conversations have none
// here: the log tells nothing about persons.
var namers = map[entry.Subject]func(store.Reader, parley.WorkspaceID, store.List) ([]named, error){
	entry.SubjectMember:     selectMemberNames,
	entry.SubjectKey:        selectKeyNames,
	entry.SubjectInbox:      selectInboxNames,
	entry.SubjectProduct:    selectProductNames,
	entry.SubjectTeam:       selectTeamNames,
	entry.SubjectProvider:   selectProviderNames,
	entry.SubjectHelpCenter: selectHelpCenterNames,
	entry.SubjectNumber:     selectNumberNames,
}

// addNames adds the present names of actors and subjects.
func addNames(v store.Reader, ws parley.WorkspaceID, entries []entry.Entry) error {
	wanted := map[entry.Subject][]string{}
	want := func(kind entry.Subject, id string) {
		if id != "" && namers[kind] != nil && !slices.Contains(wanted[kind], id) {
			wanted[kind] = append(wanted[kind], id)
		}
	}
	for i := range entries {
		want(kindOf(entries[i].ActorType), entries[i].ActorID)
		want(entries[i].SubjectType, entries[i].SubjectID)
	}
	type record struct {
		kind entry.Subject
		id   string
	}
	names := map[record]string{}
	for kind, ids := range wanted {
		found, err := namers[kind](v, ws, listOf(kind, ids))
		if err != nil {
			return err
		}
		for _, n := range found {
			names[record{kind, n.id}] = n.name
		}
	}
	for i := range entries {
		e := &entries[i]
		e.ActorName = names[record{kindOf(e.ActorType), e.ActorID}]
		e.SubjectName = names[record{e.SubjectType, e.SubjectID}]
		if phone := parley.Phone(e.SubjectName); e.SubjectType == entry.SubjectNumber && phone != "" {
			e.SubjectName = phone.Display()
		}
	}
	return nil
}

func kindOf(actor entry.Actor) entry.Subject {
	switch actor {
	case entry.Member:
		return entry.SubjectMember
	case entry.Key:
		return entry.SubjectKey
	}
	return ""
}

// listOf returns ids as the column of their kind has them.
func listOf(kind entry.Subject, texts []string) store.List {
	if kind == entry.SubjectMember {
		return store.ListOf(texts)
	}
	ids := make([]parley.ID, len(texts))
	for i, text := range texts {
		ids[i], _ = parley.ParseID(text) // what is none has no name
	}
	return store.ListOf(ids)
}
