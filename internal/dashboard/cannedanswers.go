package dashboard

import (
	"context"
	"encoding/json"
	"errors"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/settings"
	"parley/internal/wire"
)

// shortcut is the rule for the shortcut of a canned answer.
func shortcut(raw json.RawMessage) (string, error) {
	s, err := httpjson.Text(parley.MaxShortcut)(raw)
	if err != nil || !parley.WellFormedShortcut(s) {
		return "", errors.New("be 1 to 32 of a-z, 0-9, _ and -")
	}
	return s, nil
}

func cannedAnswerReply(a parley.CannedAnswer) httpjson.Reply {
	return httpjson.OK(wire.AppendCannedAnswer(nil, &a))
}

func (d *Dashboard) listCannedAnswers(c *call) (httpjson.Reply, error) {
	return get(c, func(answers []parley.CannedAnswer) []byte {
		return wire.AppendData(nil, answers, wire.AppendCannedAnswer)
	}, d.settings.CannedAnswers(c.ws()))
}

func (d *Dashboard) createCannedAnswer(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	name := httpjson.Required(c.Reader, "shortcut", shortcut)
	content := httpjson.Required(c.Reader, "content", httpjson.Content(parley.MaxContent))
	return do(c, func(a parley.CannedAnswer) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendCannedAnswer(nil, &a))
	}, func(ctx context.Context, by desk.Caller) (parley.CannedAnswer, error) {
		return d.settings.CreateCannedAnswer(ctx, by, name, content)
	})
}

func (d *Dashboard) updateCannedAnswer(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := settings.CannedAnswerChange{
		Shortcut: httpjson.Change(c.Reader, "shortcut", shortcut),
		Content:  httpjson.Change(c.Reader, "content", httpjson.Content(parley.MaxContent)),
	}
	return do(c, cannedAnswerReply, func(ctx context.Context, by desk.Caller) (parley.CannedAnswer, error) {
		return d.settings.UpdateCannedAnswer(ctx, by, id, in)
	})
}

func (d *Dashboard) deleteCannedAnswer(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, cannedAnswerReply, func(ctx context.Context, by desk.Caller) (parley.CannedAnswer, error) {
		return d.settings.DeleteCannedAnswer(ctx, by, id)
	})
}
