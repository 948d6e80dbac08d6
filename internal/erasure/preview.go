package erasure

import (
	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// Preview counts what the erasure of a person would delete. It returns the errors of
// [Service.EraseContact].
func (svc *Service) Preview(ws parley.WorkspaceID, contact parley.ID) desk.Read[parley.ErasurePreview] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.ErasurePreview, error) {
		c, err := desk.ContactNow(v, ws, contact)
		if err != nil {
			return parley.ErasurePreview{}, err
		}
		if err := isPerson(v, ws, c.ID); err != nil {
			return parley.ErasurePreview{}, err
		}
		p := parley.ErasurePreview{ContactID: c.ID}
		e := Erasure{Subjects: Subjects{Contacts: []parley.ID{c.ID}}}
		if err := findPerson(v, ws, &e); err != nil {
			return p, err
		}
		p.Merged = len(e.Subjects.Contacts) - 1
		for _, count := range []struct {
			to   *int
			read func(store.Reader, parley.WorkspaceID, parley.ID) (int, error)
		}{
			{&p.Conversations, countConversations}, {&p.Messages, countMessages}, {&p.GroupMessages, countGroupMessages},
			{&p.Files, countFiles}, {&p.Sessions, countSessions},
		} {
			if *count.to, err = count.read(v, ws, c.ID); err != nil {
				return p, err
			}
		}
		p.Groups, err = countGroups(v, ws, c.ID, e.working.Phones)
		return p, err
	})
}
