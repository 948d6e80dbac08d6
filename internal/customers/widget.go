package customers

import (
	"context"
	"slices"
	"strings"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/calendar"
	"parley/internal/desk"
	"parley/internal/store"
)

// maxTeam is the most members that a widget shows.
const maxTeam = 3

// A Widget is the chat widget of an inbox.
type Widget struct {
	Workspace parley.Workspace
	Inbox     parley.Inbox
	Settings  parley.WidgetSettings
	Team      []parley.Member // some of those who answer; none if they are not shown
	Hours     *calendar.Hours // nil if they are not shown
	Texts     []parley.WidgetTexts
}

// TextsIn returns the texts of a language, whatever its region.
func (w *Widget) TextsIn(language parley.Language) map[string]string {
	primary, _, _ := strings.Cut(strings.ToLower(string(language)), "-")
	for _, one := range w.Texts {
		if one.Language == primary {
			return one.Texts
		}
	}
	return nil
}

// A shownWidget is a widget with the value of [desk.Desk.Writes] at which it
// was read.
type shownWidget struct {
	widget Widget
	writes uint64
}

// ShownWidget is [Service.Widget] for displaying a page. Unless this process
// has committed something since, the widget may be half a second old.
func (svc *Service) ShownWidget(ctx context.Context, inbox parley.ID) (Widget, error) {
	writes := svc.desk.Writes() // before the read, so that a change during it outdates the entry
	var key [32]byte
	copy(key[:], inbox[:])
	if shown, known := svc.widgets.Get(key); known && shown.writes == writes {
		return shown.widget, nil
	}
	w, err := svc.Widget(ctx, inbox)
	if err == nil {
		svc.widgets.Put(key, shownWidget{w, writes})
	}
	return w, err
}

// Widget returns the widget of an inbox in any workspace, because its page
// knows only the inbox. An inbox that is not for the web is NotFound.
func (svc *Service) Widget(ctx context.Context, inbox parley.ID) (Widget, error) {
	var w Widget
	err := svc.store.Snapshot(ctx, func(v *store.View) (err error) {
		w, err = widgetOf(v, inbox)
		return err
	})
	return w, err
}

func widgetOf(v *store.View, inbox parley.ID) (w Widget, err error) {
	none := parley.NotFoundf("no such widget")
	ws, err := SelectWorkspaceOfInbox(v, inbox)
	if parley.KindOf(err) == parley.NotFound {
		err = none
	}
	if err != nil {
		return w, err
	}
	if w.Inbox, err = v.Inbox(ws, inbox); err != nil {
		return w, err
	}
	if w.Inbox.Channel != parley.ChannelWeb {
		return Widget{}, none
	}
	if w.Workspace, err = v.Workspace(ws); err != nil {
		return w, err
	}
	if w.Settings, err = widgetSettings(v, ws, inbox); err != nil {
		return w, err
	}
	if w.Hours, err = shownHours(v, ws, inbox); err != nil {
		return w, err
	}
	if w.Texts, err = SelectWidgetTexts(v, ws, inbox); err != nil {
		return w, err
	}
	if !w.Settings.ShowTeam {
		return w, nil
	}
	team, err := v.Members(ws, parley.Position{}, maxTeam)
	w.Team = team.Items
	return w, err
}

// widgetSettings returns the settings of a widget, or the defaults.
func widgetSettings(v *store.View, ws parley.WorkspaceID, inbox parley.ID) (parley.WidgetSettings, error) {
	s, err := SelectWidgetSettings(v, ws, inbox)
	if parley.KindOf(err) == parley.NotFound {
		return parley.NewWidgetSettings(inbox), nil
	}
	return s, err
}

// webInbox returns an inbox that must be for the web.
func webInbox(v *store.View, ws parley.WorkspaceID, id parley.ID) (parley.Inbox, error) {
	inbox, err := v.Inbox(ws, id)
	if err == nil && inbox.Channel != parley.ChannelWeb {
		err = parley.NotFoundf("the inbox has no widget; only those for the web have")
	}
	return inbox, err
}

// WidgetSettings returns the settings of an inbox's widget. An inbox that is
// not for the web is NotFound.
func (svc *Service) WidgetSettings(ws parley.WorkspaceID, inbox parley.ID) desk.Read[parley.WidgetSettings] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.WidgetSettings, error) {
		if _, err := webInbox(v, ws, inbox); err != nil {
			return parley.WidgetSettings{}, err
		}
		return widgetSettings(v, ws, inbox)
	})
}

// WidgetChange is an update of a widget's settings. Absent fields stay
// unchanged.
type WidgetChange struct {
	Origins   parley.Optional[[]string]
	Identity  parley.Optional[parley.IdentityMode]
	Title     parley.Optional[string]
	Greeting  parley.Optional[string]
	ReplyTime parley.Optional[string]
	Color     parley.Optional[string]
	Position  parley.Optional[parley.WidgetPosition]
	ShowTeam  parley.Optional[bool]

	Ask         parley.Optional[parley.AskTime]
	AskFields   parley.Optional[[]parley.AskField]
	AskRequired parley.Optional[bool]

	ContinueAfter parley.Optional[int]
}

// UpdateWidget changes the settings of an inbox's widget. When identities
// become required, the sessions of visitors end; when they are switched off,
// all others do.
func (svc *Service) UpdateWidget(ctx context.Context, by desk.Caller, inbox parley.ID, in WidgetChange) (parley.WidgetSettings, error) {
	defer svc.customers.Forget()
	defer svc.origins.forget()
	return write(ctx, svc, by, func(t *tx) (s parley.WidgetSettings, err error) {
		if _, err = webInbox(&t.View, t.WS, inbox); err != nil {
			return s, err
		}
		if s, err = widgetSettings(&t.View, t.WS, inbox); err != nil {
			return s, err
		}
		before := s
		if in.Origins.Set {
			s.Origins = desk.Unique(slices.Clone(in.Origins.Value))
		}
		s.Identity, s.Title, s.Greeting = in.Identity.Or(s.Identity), in.Title.Or(s.Title), in.Greeting.Or(s.Greeting)
		s.ReplyTime, s.Color, s.Position = in.ReplyTime.Or(s.ReplyTime), in.Color.Or(s.Color), in.Position.Or(s.Position)
		s.ShowTeam = in.ShowTeam.Or(s.ShowTeam)
		s.Ask, s.AskFields, s.AskRequired = in.Ask.Or(s.Ask), desk.Unique(in.AskFields.Or(s.AskFields)), in.AskRequired.Or(s.AskRequired)
		s.ContinueAfter = in.ContinueAfter.Or(s.ContinueAfter)
		if s.Ask != parley.AskNever && len(s.AskFields) == 0 {
			return s, parley.InvalidField("askFields", "name what the widget asks for")
		}
		if err := PutWidgetSettings(t, t.WS, &s, t.Now); err != nil {
			return s, err
		}
		if err := t.Audit.Changed(entry.WidgetUpdated, entry.SubjectInbox, inbox.String(), changedFields(&before, &s)...); err != nil {
			return s, err
		}
		if s.Identity == before.Identity {
			return s, nil
		}
		return s, t.endSessionsFor(s.Identity, inbox)
	})
}

// endSessionsFor ends the sessions that a new mode of identities does not allow.
func (t *tx) endSessionsFor(mode parley.IdentityMode, inbox parley.ID) (err error) {
	ended := false
	switch mode {
	case parley.IdentityRequired:
		ended, err = DeleteVisitorSessionsOfInbox(t, t.WS, inbox)
	case parley.IdentityOff:
		ended, err = DeleteSignedSessionsOfInbox(t, t.WS, inbox)
	case parley.IdentityOptional:
	}
	if err != nil || !ended {
		return err
	}
	return t.UpdateAccess(t.WS)
}

// changedFields returns the names of the settings that differ.
func changedFields(a, b *parley.WidgetSettings) (names []string) {
	for _, field := range []struct {
		name    string
		changed bool
	}{
		{"origins", !slices.Equal(a.Origins, b.Origins)}, {"identity", a.Identity != b.Identity}, {"title", a.Title != b.Title},
		{"greeting", a.Greeting != b.Greeting}, {"replyTime", a.ReplyTime != b.ReplyTime}, {"color", a.Color != b.Color},
		{"position", a.Position != b.Position}, {"showTeam", a.ShowTeam != b.ShowTeam}, {"ask", a.Ask != b.Ask},
		{"askFields", !slices.Equal(a.AskFields, b.AskFields)}, {"askRequired", a.AskRequired != b.AskRequired},
		{"continueAfter", a.ContinueAfter != b.ContinueAfter},
	} {
		if field.changed {
			names = append(names, field.name)
		}
	}
	return names
}
