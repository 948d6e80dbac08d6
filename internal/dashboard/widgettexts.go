package dashboard

import (
	"context"
	"encoding/json"
	"errors"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
	"parley/internal/words"
)

func widgetTextsRoutes() []Route {
	const texts = base + "inboxes/{id}/texts"
	return []Route{
		{"getWidgetTexts", methodGet, texts, parley.Agent, false, getWidgetTexts},
		{"updateWidgetTexts", methodPut, texts, parley.Admin, false, updateWidgetTexts},
	}
}

func getWidgetTexts(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(all []parley.WidgetTexts) []byte { return wire.AppendWidgetTexts(nil, id, all) }, d.customers.WidgetTexts(c.ws(), id))
}

func updateWidgetTexts(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := parley.WidgetTexts{
		InboxID:  id,
		Language: httpjson.Required(c.Reader, "language", httpjson.OneOf(words.Languages)),
		Texts:    httpjson.Required(c.Reader, "texts", chatTexts),
	}
	return do(c, func(all []parley.WidgetTexts) httpjson.Reply {
		return httpjson.OK(wire.AppendWidgetTexts(nil, id, all))
	}, func(ctx context.Context, by desk.Caller) ([]parley.WidgetTexts, error) {
		return d.customers.UpdateWidgetTexts(ctx, by, in)
	})
}

// chatTexts is an object of texts, stored as one line each.
func chatTexts(raw json.RawMessage) (map[string]string, error) {
	wrong := errors.New("be an object of texts of 1 to 300 characters, not blank")
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || members == nil {
		return nil, wrong
	}
	all := make(map[string]string, len(members))
	for key, member := range members {
		text, err := httpjson.Filled(parley.MaxWidgetText)(member)
		text = parley.OneLine(text)
		if err != nil || text == "" {
			return nil, wrong
		}
		all[key] = text
	}
	return all, nil
}
