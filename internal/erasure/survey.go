package erasure

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/timer"
)

// survey finds the groups with data of a person. It works outside of transactions,
// because it reads all messages of groups.
func (svc *Service) survey(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) (timer.Finish, error) {
	e, err := svc.named(ctx, ws, due)
	if err != nil || e.ID.IsZero() {
		return ended, err
	}
	who, err := desk.View(svc.desk, func(v *store.View) (person, error) { return personOf(v, ws, &e) }).Now(ctx)
	if err != nil {
		return nil, err
	}
	found, err := who.findGroups(ws, svc.views(ctx))
	if err != nil {
		return nil, err
	}
	return func(t *desk.Tx) (time.Time, error) {
		// Another node that starts after a restore may have done this.
		if _, err := desk.SelectTimer(t, t.WS, surveyTimer, due.Name); err != nil {
			return time.Time{}, unlessGone(err)
		}
		now, err := selectErasure(t, t.WS, e.ID)
		if err != nil {
			return time.Time{}, unlessGone(err)
		}
		now.working.Groups = found
		return time.Time{}, updateErasure(t, t.WS, &now)
	}, nil
}

// groupsRead is how many groups one read returns.
const groupsRead = 100

// named returns the erasure that a timer names, or one without an id if it is gone.
func (svc *Service) named(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) (Erasure, error) {
	id, ok := parley.ParseID(due.Name)
	if !ok {
		return Erasure{}, fmt.Errorf("the timer %q names no erasure", due.Name)
	}
	e, err := svc.Erasure(ws, id).Now(ctx)
	if parley.KindOf(err) == parley.NotFound {
		err = nil
	}
	return e, err
}

// unlessGone returns an error, except for that of a record that is not there.
func unlessGone(err error) error {
	if parley.KindOf(err) == parley.NotFound {
		return nil
	}
	return err
}

// ended deletes a timer.
func ended(*desk.Tx) (time.Time, error) { return time.Time{}, nil }

// A person is what the survey looks for in groups.
type person struct {
	contacts []parley.ID
	phones   []string
	names    []string
}

func personOf(v *store.View, ws parley.WorkspaceID, e *Erasure) (person, error) {
	who := person{contacts: e.Subjects.Contacts, phones: e.working.Phones}
	for _, id := range e.Subjects.Contacts {
		c, err := v.Contact(ws, id)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return who, err
		}
		if c.Name != "" {
			who.names = append(who.names, c.Name)
		}
	}
	return who, nil
}

// A reading runs a function on a view of the store, each time on another one.
type reading func(func(*store.View) error) error

func (svc *Service) views(ctx context.Context) reading {
	return func(fn func(*store.View) error) error {
		_, err := desk.View(svc.desk, func(v *store.View) (struct{}, error) { return struct{}{}, fn(v) }).Now(ctx)
		return err
	}
}

// findGroups returns the groups in which a person is or was. Each reading is short.
func (p *person) findGroups(ws parley.WorkspaceID, read reading) ([]parley.ID, error) {
	var found []parley.ID
	for after := (parley.ID{}); ; {
		var groups []parley.ID
		err := read(func(v *store.View) (err error) {
			groups, err = selectGroups(v, ws, after, groupsRead)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, group := range groups {
			concerned, err := p.isIn(ws, group, read)
			if err != nil {
				return nil, err
			}
			if concerned {
				found = append(found, group)
			}
			after = group
		}
		if len(groups) < groupsRead {
			return found, nil
		}
	}
}

// isIn reports whether a person is or was in a group: as an author, as a member, or in
// a note about who joined and left.
func (p *person) isIn(ws parley.WorkspaceID, group parley.ID, read reading) (known bool, err error) {
	err = read(func(v *store.View) (err error) {
		known, err = selectWroteIn(v, ws, group, p.contacts)
		if err == nil && !known && len(p.phones) > 0 {
			known, err = selectIsMember(v, ws, group, p.phones)
		}
		return err
	})
	for after := (parley.ID{}); err == nil && !known; {
		var notes []parley.Message
		err = read(func(v *store.View) (err error) {
			notes, err = selectNotes(v, ws, group, after, stepWork)
			return err
		})
		if len(notes) == 0 {
			break
		}
		for i := range notes {
			known = known || p.isNamed(notes[i].Content)
		}
		after = notes[len(notes)-1].ID
	}
	return known, err
}

// isNamed reports whether a text names a person.
func (p *person) isNamed(text string) bool {
	for _, name := range p.names {
		if strings.Contains(text, name) {
			return true
		}
	}
	return mentionsPhone(text, p.phones)
}

// mentionsPhone reports whether a text contains one of the phone numbers, as digits
// that no other digit precedes or follows.
func mentionsPhone(text string, phones []string) bool {
	if len(phones) == 0 {
		return false
	}
	isDigit := func(b byte) bool { return b >= '0' && b <= '9' }
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		for _, phone := range phones {
			if end > at && text[at:end] == phone {
				return true
			}
		}
		at = end + 1
	}
	return false
}

// who returns what networks know the person of an erasure by.
func (e *Erasure) who() chatapp.Person {
	return chatapp.Person{Phones: phonesOf(e), JIDs: e.working.JIDs}
}

// forget makes the networks delete what they store here about the person, and removes
// the person from the stored requests for groups. It needs the phones, so the contact is
// deleted afterwards: a repeated request must not add the person again then.
func (svc *Service) forget(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) (timer.Finish, error) {
	e, err := svc.named(ctx, ws, due)
	if err != nil {
		return nil, err
	}
	if err := svc.numbers.Forget(ctx, ws, e.who()); err != nil {
		return nil, err
	}
	return ended, svc.numbers.EraseRequests(ctx, ws, phonesOf(&e), nil)
}

func phonesOf(e *Erasure) []parley.Phone {
	phones := make([]parley.Phone, len(e.working.Phones))
	for i, phone := range e.working.Phones {
		phones[i] = parley.Phone(phone)
	}
	return phones
}
