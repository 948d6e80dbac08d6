package customers

import (
	"cmp"
	"context"
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/merging"
	"parley/internal/store"
)

// TypedOf returns what a contact typed as a visitor, or the zero Typed.
func TypedOf(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (parley.Typed, error) {
	typed, err := SelectTyped(v, ws, contact)
	if parley.KindOf(err) == parley.NotFound {
		err = nil
	}
	return typed, err
}

// An Answer is what a visitor answers to a widget that asks. An absent field is "".
type Answer struct{ Name, Email string }

// check refuses an answer that a widget did not ask for, or that lacks what it requires.
func (a Answer) check(s *parley.WidgetSettings) error {
	given := map[parley.AskField]string{parley.AskName: a.Name, parley.AskEmail: a.Email}
	for _, field := range parley.AskFields {
		asked := s.Ask != parley.AskNever && slices.Contains(s.AskFields, field)
		if given[field] != "" && !asked {
			return parley.FieldErrorf(parley.Conflict, string(field), "must not be set, because the widget does not ask for it")
		}
		if given[field] == "" && asked && s.AskRequired {
			return parley.InvalidField(string(field), "be given")
		}
	}
	if a == (Answer{}) {
		return parley.InvalidField("email", "be given, or name")
	}
	return nil
}

// Say stores what a visitor types about themselves, and returns their contact, which the
// visitor becomes now. A name becomes the contact's if nobody else gave one. An address
// finds no contact and becomes nobody's: if it is that of another contact, the two are
// proposed as duplicates. What the widget does not ask for is a Conflict, and so are an
// answer of a signed customer and a fourth answer.
func (svc *Service) Say(ctx context.Context, s parley.CustomerSession, in Answer) (parley.ID, error) {
	return write(ctx, svc, desk.Caller{Workspace: s.Workspace}, func(t *tx) (parley.ID, error) {
		s, err := t.ownSession(svc, s)
		if err != nil {
			return parley.ID{}, err
		}
		if s.Limited() {
			return parley.ID{}, parley.Errorf(parley.Conflict, "a link in a mail says who the customer is")
		}
		if s.Signed() {
			return parley.ID{}, parley.Errorf(parley.Conflict, "the identity says who the customer is")
		}
		settings, err := widgetSettings(&t.View, t.WS, s.InboxID)
		if err != nil {
			return parley.ID{}, err
		}
		if err := in.check(&settings); err != nil {
			return parley.ID{}, err
		}
		contact, err := t.customer(&s)
		if err != nil {
			return parley.ID{}, err
		}
		return contact.ID, t.say(contact, in)
	})
}

func (t *tx) say(contact parley.Contact, in Answer) error {
	before, err := TypedOf(t, t.WS, contact.ID)
	if err != nil {
		return err
	}
	if before.Times >= parley.MaxTyped {
		return parley.Errorf(parley.Conflict, "the visitor has said a name or an address %d times", parley.MaxTyped)
	}
	typed := parley.Typed{
		ContactID: contact.ID, Name: cmp.Or(in.Name, before.Name), Email: cmp.Or(in.Email, before.Email), Times: before.Times + 1, UpdatedAt: t.Now,
	}
	if err := PutTyped(t, t.WS, &typed); err != nil {
		return err
	}
	if in.Name != "" && (contact.Name == desk.VisitorName || contact.Name == before.Name) {
		if contact, err = t.ChangeContact(contact, desk.ContactFields{Name: parley.Some(in.Name)}); err != nil {
			return err
		}
	}
	if in.Email == "" {
		return nil
	}
	other, err := t.ContactByEmail(t.WS, in.Email)
	if parley.KindOf(err) == parley.NotFound || err == nil && other.ID == contact.ID {
		return nil
	}
	if err != nil {
		return err
	}
	return merging.NoteDuplicate(t.Tx, contact.ID, parley.ContactDuplicate{Other: desk.ContactRef(&other), Email: in.Email})
}

// asked returns an error if a visitor must say something before a conversation in an inbox.
func (t *tx) asked(s parley.CustomerSession) error {
	if s.Signed() {
		return nil
	}
	settings, err := widgetSettings(&t.View, t.WS, s.InboxID)
	if err != nil || settings.Ask != parley.AskBefore || !settings.AskRequired {
		return err
	}
	typed, err := TypedOf(t, t.WS, s.ContactID)
	if err == nil && typed.Times == 0 {
		err = parley.Errorf(parley.Forbidden, "the widget asks visitors who they are before the first message")
	}
	return err
}
