package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"parley"
	"parley/internal/calendar"
	"parley/internal/desk"
	"parley/internal/digest"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/notices"
	"parley/internal/wire"
	"parley/internal/words"
)

func noticePreferenceRoutes() []Route {
	const agent, path = parley.Agent, base + "notice-preferences"
	return []Route{
		{"getNoticePreferences", methodGet, path, agent, false, getNoticePreferences},
		{"updateNoticePreferences", methodPut, path, agent, false, updateNoticePreferences},
	}
}

func getNoticePreferences(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(p digest.Choices) []byte { return shownPreferences(d, p) }, d.work.Digest.Choices(c.ws(), c.in.Member.ID))
}

// shownPreferences renders preferences with what follows from them now.
func shownPreferences(d *Dashboard, p digest.Choices) []byte {
	now := d.clock.Now()
	shown := wire.NoticePreferences{NoticePreferences: p.NoticePreferences, MailWorks: p.MailWorks, MailStopped: p.MailStopped}
	if !p.AwayUntil.After(now) {
		shown.AwayUntil = time.Time{}
	}
	for _, span := range notices.Silences(&p.NoticePreferences, now) {
		shown.Silences = append(shown.Silences, wire.Silence{Begin: span.Begin, End: span.End})
	}
	return wire.AppendNoticePreferences(nil, &shown)
}

// updateNoticePreferences tells the member's other tabs.
func updateNoticePreferences(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := notices.PreferencesChange{
		Kinds:     map[parley.NoticeKind][]parley.NoticeChannel{},
		Zone:      httpjson.Change(c.Reader, "zone", zone),
		Quiet:     httpjson.Change(c.Reader, "quietHours", httpjson.ListOf(0, parley.MaxQuietPeriods, quietPeriod)),
		AwayUntil: httpjson.ChangeOrNull(c.Reader, "awayUntil", httpjson.Time),
		MailDelay: httpjson.Change(c.Reader, "mailDelay", httpjson.OneOf(parley.MailDelays)),
		MailAt:    httpjson.Change(c.Reader, "mailAt", timeOfDay),
		Language:  httpjson.Change(c.Reader, "language", httpjson.OneOf(words.Languages)),
	}
	resume := httpjson.Change(c.Reader, "mailStopped", notStopped).Set
	httpjson.Object(c.Reader, "kinds", func(kinds *httpjson.Reader) {
		for _, kind := range parley.NoticeKinds {
			channels := notices.ChannelsOf(kind)
			if chosen := httpjson.Change(kinds, string(kind), httpjson.ListOf(0, len(channels), httpjson.OneOf(channels))); chosen.Set {
				in.Kinds[kind] = chosen.Value
			}
		}
	})
	return do(c, func(p digest.Choices) httpjson.Reply {
		d.live.Signal(c.Context(), c.ws(), live.Signal{Name: "notice_preferences", Member: c.in.Member.ID, Data: []byte("{}")})
		return httpjson.OK(shownPreferences(d, p))
	}, func(ctx context.Context, by desk.Caller) (digest.Choices, error) {
		return d.work.Digest.Choose(ctx, by, in, resume)
	})
}

// quietPeriod is an object with days and two times.
func quietPeriod(raw json.RawMessage) (parley.QuietPeriod, error) {
	var given map[string]json.RawMessage
	var days []string
	var from, to string
	err := json.Unmarshal(raw, &given)
	if err == nil {
		err = errors.Join(json.Unmarshal(given["days"], &days), json.Unmarshal(given["from"], &from), json.Unmarshal(given["to"], &to))
	}
	period, ok := notices.NewQuietPeriod(days, from, to)
	if err != nil || !ok || len(given) != 3 {
		return period, errors.New(notices.QuietRule)
	}
	return period, nil
}

// timeOfDay is a time such as "09:30", as a minute.
func timeOfDay(raw json.RawMessage) (int, error) {
	text, _ := httpjson.Text(len("09:30"))(raw)
	minute, ok := calendar.Minute(text)
	if !ok {
		return 0, errors.New("be a time of the day such as 09:30")
	}
	return minute, nil
}

// notStopped is false: mails begin again here, and end by the kinds that are chosen.
func notStopped(raw json.RawMessage) (bool, error) {
	if stopped, err := httpjson.Bool(raw); err != nil || stopped {
		return false, errors.New("be false, to get mails again")
	}
	return false, nil
}
