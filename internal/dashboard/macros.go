package dashboard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/macros"
	"parley/internal/wire"
)

func macroRoutes() []Route {
	const agent, path = parley.Agent, base + "macros"
	return []Route{
		{"listMacros", methodGet, path, agent, false, listMacros},
		{"createMacro", methodPost, path, agent, false, createMacro},
		{"updateMacro", methodPatch, path + "/{id}", agent, false, updateMacro},
		{"deleteMacro", methodDelete, path + "/{id}", agent, false, deleteMacro},
		{"runMacro", methodPost, base + "conversations/{id}/macros/{macroId}", agent, false, runMacro},
	}
}

func listMacros(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(found []parley.Macro) []byte { return wire.AppendData(nil, found, wire.AppendMacro) }, d.work.Macros.Macros(c.by()))
}

func createMacro(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := parley.Macro{
		Name:     httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxMacroName)),
		Scope:    httpjson.Default(c.Reader, "scope", httpjson.OneOf(parley.MacroScopes), parley.MacroOwn),
		Shortcut: httpjson.Default(c.Reader, "shortcut", shortcutOrNone, ""),
		Actions:  httpjson.Required(c.Reader, "actions", macroActions),
	}
	return do(c, func(m parley.Macro) httpjson.Reply { return httpjson.Saved(true, wire.AppendMacro(nil, &m)) },
		func(ctx context.Context, by desk.Caller) (parley.Macro, error) {
			return d.work.Macros.CreateMacro(ctx, by, in)
		})
}

func updateMacro(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := macros.Change{
		Name:     httpjson.Change(c.Reader, "name", httpjson.Filled(parley.MaxMacroName)),
		Scope:    httpjson.Change(c.Reader, "scope", httpjson.OneOf(parley.MacroScopes)),
		Shortcut: httpjson.Change(c.Reader, "shortcut", shortcutOrNone),
		Actions:  httpjson.Change(c.Reader, "actions", macroActions),
		Version:  httpjson.Required(c.Reader, "version", httpjson.Version),
	}
	return do(c, macroReply, func(ctx context.Context, by desk.Caller) (parley.Macro, error) {
		return d.work.Macros.UpdateMacro(ctx, by, id, in)
	})
}

func deleteMacro(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, macroReply, func(ctx context.Context, by desk.Caller) (parley.Macro, error) {
		return d.work.Macros.DeleteMacro(ctx, by, id)
	})
}

func macroReply(m parley.Macro) httpjson.Reply { return httpjson.OK(wire.AppendMacro(nil, &m)) }

func runMacro(d *Dashboard, c *call) (httpjson.Reply, error) {
	run := macros.Run{Conversation: c.PathID("id"), Macro: c.PathID("macroId")}
	c.ReadBody()
	run.IfLast = httpjson.Default(c.Reader, "ifLastMessageId", httpjson.ID, parley.ID{})
	return do(c, func(conversation parley.Conversation) httpjson.Reply {
		return httpjson.OK(wire.AppendConversation(nil, &conversation))
	}, func(ctx context.Context, by desk.Caller) (parley.Conversation, error) {
		return d.work.Macros.RunMacro(ctx, by, run)
	})
}

// shortcutOrNone is a shortcut, or "" for none.
func shortcutOrNone(raw json.RawMessage) (string, error) {
	if string(raw) == `""` {
		return "", nil
	}
	return shortcut(raw)
}

// macroActions is the rule for what a macro does.
func macroActions(raw json.RawMessage) (a parley.MacroActions, err error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if _, wrong := httpjson.Attributes(raw); wrong != nil || decoder.Decode(&a) != nil {
		return a, errors.New("be an object of note, reply, status, priority, assigneeId, productId, addLabels and removeLabels")
	}
	for _, one := range []struct {
		is   bool
		rule string
	}{
		{len(a.Note) <= parley.MaxMacroText && len(a.Reply) <= parley.MaxMacroText, "have texts of at most " + strconv.Itoa(parley.MaxMacroText) + " bytes"},
		{allowed(a.Status, parley.Statuses), "name one of the statuses open, pending and resolved"},
		{a.Priority == parley.MacroNone || allowed(parley.Priority(a.Priority), parley.Priorities), "name one of the priorities low, medium, high and urgent, or none"},
		{a.Assignee == parley.MacroMe || a.Assignee == parley.MacroNone || a.Assignee == "" || parley.UserID(a.Assignee).WellFormed(), "name a member as assigneeId, or me, or none"},
	} {
		if !one.is {
			return a, errors.New(one.rule)
		}
	}
	for _, text := range []string{a.Note, a.Reply} {
		if unknown := macros.UnknownVariable(text); unknown != "" {
			return a, errors.New("contain no variables but {{contact.name}}, {{me.name}} and {{conversation.id}}")
		}
	}
	for _, labels := range [][]string{a.AddLabels, a.RemoveLabels} {
		if err := macroLabels(labels); err != nil {
			return a, err
		}
	}
	return a, nil
}

func allowed[T comparable](value T, values []T) bool {
	var none T
	return value == none || slices.Contains(values, value)
}

// macroLabels checks labels like those of a conversation, and brings them into their stored form.
func macroLabels(labels []string) error {
	if len(labels) > parley.MaxMacroLabels {
		return errors.New("have at most " + strconv.Itoa(parley.MaxMacroLabels) + " labels of each kind")
	}
	for i, label := range labels {
		raw, err := json.Marshal(label)
		if err != nil {
			return err
		}
		if labels[i], err = httpjson.Label(raw); err != nil {
			return errors.New("have labels each of which must " + err.Error())
		}
	}
	return nil
}
