// Package later sends messages later. A member schedules a message; it is a row and a
// timer (kind "send later"). When it is due, the timer's transaction posts it and
// deletes the row, so that it is sent exactly once.
//
// If something speaks against sending it, such as a customer who wrote in the
// meantime, the message is held: nothing is sent, and it waits for its author or an
// admin to decide.
//
// The package stands over the desk. It may import the vocabulary, the JSON shapes, the
// store, the desk and timers.
package later

import (
	"cmp"
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// Timer is the kind of the timers, each of which is named by the id of its scheduled
// message. The store keeps the name.
const Timer = "send later"

// A Service has the verbs of scheduled messages. Its methods may be called by many
// goroutines.
type Service struct{ desk *desk.Desk }

// New returns a Service over a desk.
func New(d *desk.Desk) *Service { return &Service{d} }

// NewScheduled has the inputs of a scheduled message.
type NewScheduled struct {
	Content       string
	ContentType   parley.ContentType // "": text, or that of the first file
	Private       bool
	AttachmentIDs []parley.ID     // of unattached files, at most parley.MaxAttachments
	Mentions      []parley.UserID // of a note: the members whom it names, at most parley.MaxMentions
	SendAt        time.Time
	IfQuiet       bool
}

// List returns the scheduled messages of a conversation, those first that are to be sent
// first.
func (svc *Service) List(vis parley.Visibility, conversation parley.ID) desk.Read[[]parley.ScheduledMessage] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.ScheduledMessage, error) {
		c, err := desk.ConversationNow(v, vis, conversation)
		if err != nil {
			return nil, err
		}
		found, err := SelectScheduledOf(v, vis, c.ID)
		if err != nil || len(found) == 0 {
			return nil, err
		}
		ids, all := make([]parley.ID, len(found)), make([]parley.ScheduledMessage, len(found))
		for i := range found {
			ids[i] = found[i].ID
		}
		files, err := selectFiles(v, vis.Workspace(), ids)
		for i := range found {
			found[i].take(files)
			all[i] = found[i].ScheduledMessage
		}
		return all, err
	})
}

// take gives s those of some files that wait for it.
func (s *Scheduled) take(files []desk.Attachment) {
	s.Attachments = nil
	for _, file := range files {
		if file.ScheduledID == s.ID && file.Stored {
			s.Attachments = append(s.Attachments, file.Attachment)
		}
	}
}

// Schedule stores a message of the calling member that is to be sent later. A
// conversation that has parley.MaxScheduled of them is a Conflict.
func (svc *Service) Schedule(ctx context.Context, by desk.Caller, conversation parley.ID, in NewScheduled) (parley.ScheduledMessage, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ScheduledMessage, error) {
		c, err := desk.ConversationNow(&t.View, t.Visibility, conversation)
		if err != nil {
			return parley.ScheduledMessage{}, err
		}
		s := Scheduled{Files: len(in.AttachmentIDs), ScheduledMessage: parley.ScheduledMessage{
			ID: t.IDs.New(t.Now), ConversationID: c.ID, Content: in.Content, ContentType: in.ContentType, Private: in.Private,
			Mentions: in.Mentions, IfQuiet: in.IfQuiet, Version: 1, CreatedAt: t.Now,
		}}
		author, err := t.Actor(by)
		if err != nil {
			return s.ScheduledMessage, err
		}
		s.Author = parley.MemberRef{ID: author.ID, Name: author.Name, Image: author.Image}
		others, err := SelectScheduledOf(t, t.Visibility, c.ID)
		if err != nil {
			return s.ScheduledMessage, err
		}
		if len(others) >= parley.MaxScheduled {
			return s.ScheduledMessage, parley.Errorf(parley.Conflict, "a conversation has at most %d scheduled messages; send or delete one first", parley.MaxScheduled)
		}
		if err := arm(t, &s, in.SendAt); err != nil {
			return s.ScheduledMessage, err
		}
		if err := mentionable(t, in); err != nil {
			return s.ScheduledMessage, err
		}
		if err := keepFiles(t, &s, in.AttachmentIDs); err != nil {
			return s.ScheduledMessage, err
		}
		if err := InsertScheduled(t, t.WS, &s); err != nil {
			return s.ScheduledMessage, err
		}
		announce(t, &c, parley.ScheduledMessageCreated, &s)
		return s.ScheduledMessage, nil
	})
}

// mentionable refuses mentions that a message with these inputs could not have now.
func mentionable(t *desk.Tx, in NewScheduled) error {
	if err := desk.CheckMentions(in.Mentions, in.Private); err != nil {
		return err
	}
	_, err := desk.MentionsOf(t, in.Mentions)
	return err
}

// arm makes s wait until a time, from what its author knows now.
func arm(t *desk.Tx, s *Scheduled, at time.Time) error {
	at = at.UTC().Truncate(time.Millisecond)
	if at.Before(t.Now.Add(parley.MinSchedule)) || at.After(t.Now.Add(parley.MaxSchedule)) {
		return parley.InvalidField("sendAt", "be 1 minute to 90 days ahead")
	}
	s.SendAt, s.State, s.Held = at, parley.ScheduledWaiting, ""
	if err := known(t, s); err != nil {
		return err
	}
	return desk.SetTimer(t, t.WS, Timer, s.ID.String(), at)
}

// known records what the author of a change knows: the messages up to now, and the
// history of the workspace.
func known(t *desk.Tx, s *Scheduled) error {
	last, err := t.LastMessage(t.Visibility, s.ConversationID)
	if err != nil && parley.KindOf(err) != parley.NotFound {
		return err
	}
	if s.LastID = last; last.IsZero() {
		s.LastID = s.ConversationID
	}
	w, err := t.Workspace(t.WS)
	s.Epoch = w.Epoch
	return err
}

// keepFiles lets files wait for s.
func keepFiles(t *desk.Tx, s *Scheduled, files []parley.ID) error {
	if len(files) > parley.MaxAttachments || len(desk.Unique(files)) < len(files) {
		return parley.InvalidField("attachmentIds", "be at most 10 different ids")
	}
	found, err := desk.Unattached(t, desk.NewMessage{AttachmentIDs: files})
	if err != nil {
		return err
	}
	for _, file := range found {
		if err := updateFile(t, t.WS, file.ID, s.ID); err != nil {
			return err
		}
		s.Attachments = append(s.Attachments, file)
		s.ContentType = cmp.Or(s.ContentType, desk.ContentTypeOf(file.ContentType))
	}
	s.ContentType = cmp.Or(s.ContentType, parley.Text)
	return nil
}

// A Change is an update of a scheduled message. Absent fields stay unchanged.
type Change struct {
	Content parley.Optional[string]
	SendAt  parley.Optional[time.Time]
	IfQuiet parley.Optional[bool]
	// Version, if set, must be the present one.
	Version parley.Optional[int64]
}

// Update changes a scheduled message on behalf of its author or an admin. A held one
// waits again if it gets another time.
func (svc *Service) Update(ctx context.Context, by desk.Caller, id parley.ID, in Change) (parley.ScheduledMessage, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ScheduledMessage, error) {
		s, c, err := find(t, by, id)
		if err != nil {
			return s.ScheduledMessage, err
		}
		if in.Version.Set && in.Version.Value != s.Version {
			return s.ScheduledMessage, parley.FieldErrorf(parley.Conflict, "version", "must be that of the scheduled message, which is %d", s.Version)
		}
		if in.Content.Set && in.Content.Value == "" && s.Files == 0 {
			return s.ScheduledMessage, parley.InvalidField("content", "be a string of 1 to 65536 bytes of UTF-8, not blank")
		}
		before := s.ScheduledMessage
		if in.SendAt.Set {
			err = arm(t, &s, in.SendAt.Value)
		} else {
			err = known(t, &s)
		}
		if err != nil {
			return s.ScheduledMessage, err
		}
		var changed []string
		desk.Set(&changed, "content", &s.Content, in.Content)
		desk.Set(&changed, "ifQuiet", &s.IfQuiet, in.IfQuiet)
		if !s.SendAt.Equal(before.SendAt) {
			changed = append(changed, "sendAt")
		}
		if s.State != before.State {
			changed = append(changed, "state", "heldReason")
		}
		if len(changed) > 0 {
			s.Version++
			announce(t, &c, parley.ScheduledMessageUpdated, &s, changed...)
		}
		return s.ScheduledMessage, UpdateScheduled(t, t.WS, &s)
	})
}

// Delete deletes a scheduled message on behalf of its author or an admin, and returns
// it. Its files are unattached again.
func (svc *Service) Delete(ctx context.Context, by desk.Caller, id parley.ID) (parley.ScheduledMessage, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ScheduledMessage, error) {
		s, c, err := find(t, by, id)
		if err != nil {
			return s.ScheduledMessage, err
		}
		if len(s.Attachments) > 0 {
			if err := releaseFiles(t, t.WS, id, t.Now.UnixMilli()); err != nil {
				return s.ScheduledMessage, err
			}
			if err := desk.InsertTimer(t, t.WS, desk.UploadsTimer, "", t.Now.Add(parley.UploadRetention)); err != nil {
				return s.ScheduledMessage, err
			}
		}
		return s.ScheduledMessage, end(t, &c, id)
	})
}

// SendNow posts a scheduled message at once on behalf of its author or an admin, who is
// then its sender.
func (svc *Service) SendNow(ctx context.Context, by desk.Caller, id parley.ID) (parley.Message, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Message, error) {
		s, c, err := find(t, by, id)
		if err != nil {
			return parley.Message{}, err
		}
		return post(t, &c, &s, by.Member)
	})
}

// find returns a scheduled message, with its files and its conversation, that a caller
// may change.
func find(t *desk.Tx, by desk.Caller, id parley.ID) (s Scheduled, c parley.Conversation, err error) {
	if s, err = SelectScheduled(t, t.Visibility, id); err != nil {
		return s, c, err
	}
	who, err := t.Actor(by)
	if err != nil {
		return s, c, err
	}
	if who.ID != s.Author.ID && !who.Role.Includes(parley.Admin) {
		return s, c, parley.Errorf(parley.Forbidden, "your role is %s; this needs %s", who.Role, parley.Admin)
	}
	files, err := selectFiles(t, t.WS, []parley.ID{id})
	if err != nil {
		return s, c, err
	}
	s.take(files)
	c, err = t.Conversation(t.Visibility, s.ConversationID)
	return s, c, err
}

// end deletes a scheduled message with its timer.
func end(t *desk.Tx, c *parley.Conversation, id parley.ID) error {
	t.AnnounceOf(c, parley.ScheduledMessageDeleted, nil, wire.AppendID(nil, id))
	if err := desk.DeleteTimer(t, t.WS, Timer, id.String()); err != nil {
		return err
	}
	return DeleteScheduled(t, t.WS, id)
}

func announce(t *desk.Tx, c *parley.Conversation, kind parley.EventType, s *Scheduled, changed ...string) {
	t.AnnounceOf(c, kind, changed, wire.AppendScheduledMessage(nil, &s.ScheduledMessage))
}
