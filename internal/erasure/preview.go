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
			{&p.Conversations, countConversations}, {&p.Messages, countMessages}, {&p.Files, countFiles}, {&p.Sessions, countSessions},
		} {
			if *count.to, err = count.read(v, ws, c.ID); err != nil {
				return p, err
			}
		}
		if err := countInGroups(v, ws, &e, &p); err != nil {
			return p, err
		}
		err = svc.tellBackups(v, &e)
		p.Backups = e.Backups
		return p, err
	})
}

// countInGroups counts what an erasure would delete in groups. It finds the groups and
// reads their messages as the erasure does.
func countInGroups(v *store.View, ws parley.WorkspaceID, e *Erasure, p *parley.ErasurePreview) error {
	who, err := personOf(v, ws, e)
	if err != nil {
		return err
	}
	groups, err := who.findGroups(ws, func(fn func(*store.View) error) error { return fn(v) })
	if err != nil {
		return err
	}
	p.Groups = len(groups)
	for _, group := range groups {
		for after := (parley.ID{}); ; {
			messages, err := selectMessagesOf(v, ws, group, place{after, stepWork}, e.Subjects.Contacts)
			if err != nil {
				return err
			}
			if len(messages) == 0 {
				break
			}
			p.GroupMessages += len(messages)
			for i := range messages {
				p.Files += len(messages[i].Attachments)
			}
			after = messages[len(messages)-1].ID
		}
	}
	return nil
}
