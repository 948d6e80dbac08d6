package customers

import (
	"context"
	"encoding/json"
	"slices"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/words"
)

// WidgetTexts returns the texts of an inbox in all languages that have some. An inbox
// that is not for the web is NotFound.
func (svc *Service) WidgetTexts(ws parley.WorkspaceID, inbox parley.ID) desk.Read[[]parley.WidgetTexts] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.WidgetTexts, error) {
		if _, err := webInbox(v, ws, inbox); err != nil {
			return nil, err
		}
		return SelectWidgetTexts(v, ws, inbox)
	})
}

// UpdateWidgetTexts replaces the texts of an inbox in a language. Texts that are what
// the chat says anyway are not stored. A key that the chat does not have, a text without
// the places of the chat's, or too many texts are Invalid.
func (svc *Service) UpdateWidgetTexts(ctx context.Context, by desk.Caller, in parley.WidgetTexts) ([]parley.WidgetTexts, error) {
	own, err := ownTexts(&in)
	if err != nil {
		return nil, err
	}
	return write(ctx, svc, by, func(t *tx) ([]parley.WidgetTexts, error) {
		if _, err := webInbox(&t.View, t.WS, in.InboxID); err != nil {
			return nil, err
		}
		var err error
		if len(own.Texts) == 0 {
			err = DeleteWidgetTexts(t, t.WS, own.InboxID, own.Language)
		} else {
			err = PutWidgetTexts(t, t.WS, &own, t.Now)
		}
		if err == nil {
			err = t.Audit.Record(entry.Entry{
				Action: entry.TextsUpdated, SubjectType: entry.SubjectInbox, SubjectID: in.InboxID.String(),
				Changes: []entry.Change{{Field: "language", To: in.Language}},
			})
		}
		if err != nil {
			return nil, err
		}
		return SelectWidgetTexts(t, t.WS, in.InboxID)
	})
}

// ownTexts returns the texts that differ from those of the chat.
func ownTexts(in *parley.WidgetTexts) (parley.WidgetTexts, error) {
	own := parley.WidgetTexts{InboxID: in.InboxID, Language: in.Language, Texts: map[string]string{}}
	chat := words.Chat(in.Language)
	for key, text := range in.Texts {
		usual, known := chat[key]
		if !known {
			return own, parley.InvalidField("texts", "have only keys of the chat's texts")
		}
		if !samePlaces(usual, text) {
			return own, parley.InvalidField("texts", "have the places of the chat's texts")
		}
		if text != usual {
			own.Texts[key] = text
		}
	}
	if all, err := json.Marshal(own.Texts); err != nil || len(all) > parley.MaxWidgetTexts {
		return own, parley.InvalidField("texts", "have at most 8192 bytes together")
	}
	return own, nil
}

// samePlaces reports whether a text has the places of another. A number may be left out,
// as in "one article".
func samePlaces(usual, text string) bool {
	wanted, _ := words.Places(usual)
	given, ok := words.Places(text)
	withoutNumber := func(name string) bool { return name == "n" }
	return ok && (slices.Equal(wanted, given) || slices.Equal(slices.DeleteFunc(wanted, withoutNumber), given))
}
