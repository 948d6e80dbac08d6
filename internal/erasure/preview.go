package erasure

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// previewing is a preview that is being counted, and who it is of.
type previewing struct {
	parley.ErasurePreview
	e   Erasure
	who person
}

// Preview counts what the erasure of a person would delete. It returns the errors of
// [Service.EraseContact]. Groups are counted as the erasure finds them, in views of their
// own: with thousands of them, one view would end before.
func (svc *Service) Preview(ws parley.WorkspaceID, contact parley.ID) desk.Read[parley.ErasurePreview] {
	return desk.Then(svc.previewOwn(ws, contact), func(ctx context.Context, p previewing) (parley.ErasurePreview, error) {
		err := p.countInGroups(ws, svc.views(ctx))
		return p.ErasurePreview, err
	})
}

// previewOwn counts all but what is in groups.
func (svc *Service) previewOwn(ws parley.WorkspaceID, contact parley.ID) desk.Read[previewing] {
	return desk.Snapshot(svc.desk, func(v *store.View) (previewing, error) {
		c, err := desk.ContactNow(v, ws, contact)
		if err != nil {
			return previewing{}, err
		}
		if err := isPerson(v, ws, c.ID); err != nil {
			return previewing{}, err
		}
		p := previewing{ErasurePreview: parley.ErasurePreview{ContactID: c.ID}, e: Erasure{Subjects: Subjects{Contacts: []parley.ID{c.ID}}}}
		if err := findPerson(v, ws, &p.e); err != nil {
			return p, err
		}
		p.Merged = len(p.e.Subjects.Contacts) - 1
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
		if p.who, err = personOf(v, ws, &p.e); err != nil {
			return p, err
		}
		err = svc.tellBackups(v, &p.e)
		p.Backups = p.e.Backups
		return p, err
	})
}

// countInGroups counts what an erasure would delete in groups.
func (p *previewing) countInGroups(ws parley.WorkspaceID, read reading) error {
	groups, err := p.who.findGroups(ws, read)
	if err != nil {
		return err
	}
	p.Groups = len(groups)
	for _, group := range groups {
		if err := read(func(v *store.View) error {
			messages, err := countMessagesOf(v, ws, group, p.who.contacts)
			p.GroupMessages += messages
			return err
		}); err != nil {
			return err
		}
		if err := p.countFilesIn(ws, group, read); err != nil {
			return err
		}
	}
	return nil
}

// countFilesIn adds the files of the person's messages in a group.
func (p *previewing) countFilesIn(ws parley.WorkspaceID, group parley.ID, read reading) error {
	for after := (parley.ID{}); ; {
		var messages []parley.Message
		if err := read(func(v *store.View) (err error) {
			messages, err = selectMessagesWithFiles(v, ws, group, place{after, stepWork}, p.who.contacts)
			return err
		}); err != nil || len(messages) == 0 {
			return err
		}
		for i := range messages {
			p.Files += len(messages[i].Attachments)
		}
		after = messages[len(messages)-1].ID
	}
}
