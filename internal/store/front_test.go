package store_test

import (
	"errors"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/macros"
	"parley/internal/store"
	"parley/internal/views"
	"parley/internal/visitors"
)

// A front is what a world has of customers in front of a widget.
type front struct {
	session  parley.CustomerSession
	settings parley.WidgetSettings
	move     parley.CompanyMove
	left     string // identifier that the merged contact left behind
	source   parley.IdentitySource
	visit    parley.Visit
	typed    parley.Typed
	view     parley.WidgetView
	hours    parley.OfficeHours
	macro    parley.Macro
	saved    parley.SavedView
	texts    parley.WidgetTexts
}

func newFront(w *world, text string, full bool) front {
	f := front{left: "left " + text}
	if letters := []rune(f.left); len(letters) > 100 {
		f.left = string(letters[:100]) // as much as an index can take
	}
	f.source = parley.IdentitySource{Subject: f.left, Source: text}
	f.session = parley.CustomerSession{
		ID: ids.New(at(40)), Workspace: w.ws, InboxID: w.inbox.ID, ContactID: w.contact.ID, CreatedAt: at(40), SeenAt: at(41), ExpiresAt: at(99),
	}
	f.settings = parley.WidgetSettings{
		InboxID: w.inbox.ID, Identity: parley.IdentityRequired, Title: text, Greeting: text, ReplyTime: text, Color: text, Position: "left", Ask: parley.AskNever,
	}
	f.hours = parley.OfficeHours{InboxID: w.inbox.ID, Zone: text}
	f.texts = parley.WidgetTexts{InboxID: w.inbox.ID, Language: "de", Texts: map[string]string{"a": text}}
	f.view = parley.WidgetView{InboxID: w.inbox.ID, FirstAt: at(46)}
	f.move = parley.CompanyMove{ID: ids.New(at(44)), ContactID: w.contact.ID, MovedAt: at(44)}
	f.visit = parley.Visit{ContactID: w.contact.ID, Device: text, UpdatedAt: at(46)}
	f.saved = parley.SavedView{ID: ids.New(at(49)), Name: text, Scope: parley.ViewOwn, Owner: w.member.ID, Query: text, Position: 7, CreatedAt: at(49), UpdatedAt: at(50)}
	f.macro = parley.Macro{
		ID: ids.New(at(47)), Name: text, Scope: parley.MacroOwn, Owner: w.member.ID, Shortcut: text, Version: 1 << 40, CreatedAt: at(47), UpdatedAt: at(48),
	}
	f.typed = parley.Typed{ContactID: w.contact.ID, Times: 1, UpdatedAt: at(47)}
	if full {
		f.saved.Pinned = true
		f.macro.Actions = parley.MacroActions{Note: text, Reply: text, Priority: text, ProductID: w.product.ID, AddLabels: []string{text, "b"}}
		f.typed.Name, f.typed.Email = text, text
		f.settings.Ask, f.settings.AskFields, f.settings.AskRequired = parley.AskBefore, parley.AskFields, true
		f.settings.ContinueAfter = 15
		f.visit.Page, f.visit.Title, f.visit.Referrer, f.visit.Language, f.visit.Zone = text, text, text, text, text
		f.visit.Facts = parley.Attributes(text)
		f.saved.Scope, f.saved.Team = parley.ViewTeam, w.team.ID
		f.settings.ShowTeam, f.source.Previous = true, text
		f.view.Origin = f.left
		f.texts.Texts["b"] = "two"
		f.hours.Shown, f.hours.Hours, f.hours.Holidays = true, []string{"monday 09:00-17:00", "friday 09:00-12:00"}, []string{"2026-12-25"}
		f.settings.Origins = []string{"https://a.example", "https://b.example"}
		f.move.From, f.move.To = parley.CompanyRef{ID: w.company.ID, Name: text}, parley.CompanyRef{ID: w.product.ID} // which is none
	}
	return f
}

// insertFront stores what a world has of customers.
func (w *world) insertFront(tx *store.Tx) error {
	f := &w.front
	return errors.Join(
		customers.InsertCustomerSession(tx, w.ws, &f.session, w.hash),
		customers.PutWidgetSettings(tx, w.ws, &f.settings, at(45)),
		customers.InsertWidgetView(tx, w.ws, &f.view),
		customers.PutOfficeHours(tx, w.ws, &f.hours, at(48)),
		customers.PutWidgetTexts(tx, w.ws, &f.texts, at(49)),
		customers.UpdateWelcomed(tx, w.ws, at(47)),
		customers.InsertCompanyMove(tx, w.ws, &f.move),
		customers.UpsertIdentitySource(tx, w.ws, parley.IdentitySource{Subject: f.left}),
		customers.UpsertIdentitySource(tx, w.ws, f.source),
		visitors.PutVisit(tx, w.ws, &f.visit),
		macros.PutMacro(tx, w.ws, &f.macro),
		customers.PutTyped(tx, w.ws, &f.typed),
		views.PutView(tx, w.ws, &f.saved),
		store.Exec(tx, w.ws, "INSERT INTO continuations (workspace_id, conversation_id, message_id, mail_id, mailed_at) VALUES ($1, $2, $3, $4, 1)",
			w.conversation.ID, w.message.ID, w.mail.ID),
		store.Exec(tx, w.ws, "INSERT INTO return_links (workspace_id, token_hash, conversation_id, contact_id, to_key, expires_at) VALUES ($1, $2, $3, $4, 'd', 1)",
			[]byte("hash"), w.conversation.ID, w.contact.ID),
		store.Exec(tx, w.ws, "INSERT INTO typed_mails (workspace_id, to_key, inbox_id, mailed_at) VALUES ($1, 'd', $2, 1)", w.inbox.ID),
	)
}

// frontReads are the rows of reads about customers.
func frontReads(w *world) map[string]read {
	c, f := w.conversation.ID, w.front
	seen, _ := w.customerView()
	owner := parley.CustomerConversation{ID: c, ContactID: w.contact.ID, InboxID: w.inbox.ID}
	return map[string]read{
		"CustomerSession": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectCustomerSession(v, ws, f.session.ID, at(98))
		}, f.session},
		"CustomerConversationsByID": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectCustomerConversationsByID(v, ws, []parley.ID{c})
		}, []parley.CustomerConversation{seen}},
		"ConversationOwners": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectConversationOwners(v, ws, []parley.ID{c})
		}, []parley.CustomerConversation{owner}},
		"WidgetSettings": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectWidgetSettings(v, ws, w.inbox.ID)
		}, f.settings},
		"OfficeHours": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectOfficeHours(v, ws, w.inbox.ID)
		}, f.hours},
		"WidgetTexts": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectWidgetTexts(v, ws, w.inbox.ID)
		}, []parley.WidgetTexts{f.texts}},
		"WidgetViews": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectWidgetViews(v, ws)
		}, []parley.WidgetView{f.view}},
		"ViewsOfInbox": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectViewsOfInbox(v, ws, w.inbox.ID)
		}, []parley.WidgetView{f.view}},
		"Welcomed": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectWelcomed(v, ws)
		}, at(47)},
		"InboxesReaching": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectInboxesReaching(v, ws, w.contact.ID, at(0), 9)
		}, []parley.InboxRef(nil)},
		"CompanyMoves": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectCompanyMoves(v, ws, w.contact.ID, 9)
		}, []parley.CompanyMove{f.move}},
		"MergedContactByIdentifier": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectMergedContactByIdentifier(v, ws, f.left)
		}, w.contact},
		"IdentitySource": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectIdentitySource(v, ws, f.left)
		}, f.source},
		"View": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return views.SelectView(v, ws, f.saved.ID)
		}, f.saved},
		"Views": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return views.SelectViews(v, ws, w.member.ID)
		}, []parley.SavedView{f.saved}},
		"ViewsOfAdmin": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return views.SelectViewsOfAdmin(v, ws, w.member.ID)
		}, []parley.SavedView{f.saved}},
		"InTeam": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return views.SelectInTeam(v, ws, w.team.ID, w.member.ID)
		}, len(w.staff.MemberIDs) > 0},
		"Macro": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return macros.SelectMacro(v, ws, f.macro.ID)
		}, f.macro},
		"Macros": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return macros.SelectMacros(v, ws, w.member.ID)
		}, []parley.Macro{f.macro}},
		"Visit": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return visitors.SelectVisit(v, ws, w.contact.ID)
		}, f.visit},
		"Typed": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectTyped(v, ws, w.contact.ID)
		}, f.typed},
	}
}
