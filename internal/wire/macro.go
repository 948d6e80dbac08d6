package wire

import "parley"

// AppendMacro appends a macro.
func AppendMacro(b []byte, m *parley.Macro) []byte {
	o := open(b)
	o.id("id", m.ID)
	o.text("name", m.Name)
	o.text("scope", string(m.Scope))
	o.text("shortcut", m.Shortcut)
	actions := o.object("actions")
	for _, text := range []struct{ name, value string }{
		{"note", m.Actions.Note}, {"reply", m.Actions.Reply}, {"status", string(m.Actions.Status)},
		{"priority", m.Actions.Priority}, {"assigneeId", m.Actions.Assignee},
	} {
		if text.value != "" {
			actions.text(text.name, text.value)
		}
	}
	if !m.Actions.ProductID.IsZero() {
		actions.id("productId", m.Actions.ProductID)
	}
	texts(&actions, "addLabels", m.Actions.AddLabels)
	texts(&actions, "removeLabels", m.Actions.RemoveLabels)
	o.put(actions)
	o.integer("version", m.Version)
	return o.close()
}
