package macros

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// Macros returns the macros that the caller has, sorted by name.
func (svc *Service) Macros(by desk.Caller) desk.Read[[]parley.Macro] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.Macro, error) {
		found, err := SelectMacros(v, by.Workspace, by.Member)
		slices.SortFunc(found, func(a, b parley.Macro) int {
			return strings.Compare(strings.ToLower(a.Name)+a.ID.String(), strings.ToLower(b.Name)+b.ID.String())
		})
		return found, err
	})
}

// ownMacro returns a macro that the caller has. One of another member is NotFound.
func ownMacro(t *desk.Tx, by desk.Caller, id parley.ID) (parley.Macro, error) {
	m, err := SelectMacro(t, t.WS, id)
	if err == nil && m.Scope == parley.MacroOwn && m.Owner != by.Member {
		return parley.Macro{}, parley.NotFoundf("no such macro in this workspace")
	}
	return m, err
}

// changeable refuses to change what every member has, unless the caller is an admin.
func changeable(t *desk.Tx, by desk.Caller, scope parley.MacroScope) error {
	if scope == parley.MacroOwn {
		return nil
	}
	member, err := t.Member(t.WS, by.Member)
	if err != nil {
		return err
	}
	if !member.Role.Includes(parley.Admin) {
		return parley.Errorf(parley.Forbidden, "your role is %s; macros of everybody need %s", member.Role, parley.Admin)
	}
	return nil
}

// CreateMacro adds a macro of the caller or, by an admin, of everybody. More than
// parley.MaxMacros are a Conflict.
func (svc *Service) CreateMacro(ctx context.Context, by desk.Caller, in parley.Macro) (parley.Macro, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Macro, error) {
		m := in // the closure may run more than once
		if err := changeable(t, by, m.Scope); err != nil {
			return m, err
		}
		there, err := SelectMacros(t, t.WS, by.Member)
		if err != nil {
			return m, err
		}
		if len(there) >= parley.MaxMacros {
			return m, parley.Errorf(parley.Conflict, "there are %d macros already", parley.MaxMacros)
		}
		m.ID, m.Owner, m.Version, m.CreatedAt, m.UpdatedAt = t.IDs.New(t.Now), by.Member, 1, t.Now, t.Now
		if err := save(t, &m); err != nil {
			return m, err
		}
		announce(t, parley.Macro{}, m)
		return m, nil
	})
}

// A Change is an update of a macro. Absent fields stay unchanged.
type Change struct {
	Name     parley.Optional[string]
	Scope    parley.Optional[parley.MacroScope]
	Shortcut parley.Optional[string]
	Actions  parley.Optional[parley.MacroActions]
	Version  int64 // the version that is changed; another one is a Conflict
}

// UpdateMacro changes a macro that the caller has.
func (svc *Service) UpdateMacro(ctx context.Context, by desk.Caller, id parley.ID, in Change) (parley.Macro, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Macro, error) {
		m, err := ownMacro(t, by, id)
		if err != nil {
			return m, err
		}
		for _, scope := range []parley.MacroScope{m.Scope, in.Scope.Or(m.Scope)} {
			if err := changeable(t, by, scope); err != nil {
				return m, err
			}
		}
		if m.Version != in.Version {
			return m, parley.FieldErrorf(parley.Conflict, "version", "must be that of the macro, which is %d", m.Version)
		}
		if m.Scope == parley.MacroAll && in.Scope.Or(m.Scope) == parley.MacroOwn {
			m.Owner = by.Member // who takes it from the others
		}
		before := m
		m.Name, m.Scope, m.Shortcut, m.Actions = in.Name.Or(m.Name), in.Scope.Or(m.Scope), in.Shortcut.Or(m.Shortcut), in.Actions.Or(m.Actions)
		m.Version, m.UpdatedAt = m.Version+1, t.Now
		if err := save(t, &m); err != nil {
			return m, err
		}
		announce(t, before, m)
		return m, nil
	})
}

// DeleteMacro deletes a macro that the caller has, and returns it.
func (svc *Service) DeleteMacro(ctx context.Context, by desk.Caller, id parley.ID) (parley.Macro, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Macro, error) {
		m, err := ownMacro(t, by, id)
		if err != nil {
			return m, err
		}
		if err := changeable(t, by, m.Scope); err != nil {
			return m, err
		}
		announce(t, m, parley.Macro{})
		return m, DeleteMacro(t, t.WS, id)
	})
}

// announce tells of a change of a macro that everybody has, or had. Nobody else hears of
// a member's own.
func announce(t *desk.Tx, before, after parley.Macro) {
	switch had, has := before.Scope == parley.MacroAll, after.Scope == parley.MacroAll; {
	case has && !had:
		t.Announce(parley.MacroCreated, parley.ID{}, nil, wire.AppendMacro(nil, &after))
	case had && !has:
		t.Announce(parley.MacroDeleted, parley.ID{}, nil, wire.AppendID(nil, before.ID))
	case had:
		t.Announce(parley.MacroUpdated, parley.ID{}, []string{"name", "shortcut", "actions", "version"}, wire.AppendMacro(nil, &after))
	}
}

// save stores a macro whose actions do something and are not too large.
func save(t *desk.Tx, m *parley.Macro) error {
	text, err := json.Marshal(&m.Actions)
	switch {
	case err != nil:
		return fmt.Errorf("encode the actions of a macro: %w", err)
	case string(text) == "{}":
		return parley.InvalidField("actions", "do something")
	case len(text) > parley.MaxMacroActions:
		return parley.InvalidField("actions", fmt.Sprintf("take at most %d bytes as JSON", parley.MaxMacroActions))
	}
	return PutMacro(t, t.WS, m)
}
