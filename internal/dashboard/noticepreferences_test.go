package dashboard_test

import (
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
)

// TestNoticePreferences lets a member choose, and tells the member's other pages alone.
func TestNoticePreferences(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ann, annToken := w.member(parley.Agent)
		bo, boToken := w.member(parley.Agent)
		const path = "/v1/dashboard/notice-preferences"
		as := func(who parley.Token, method, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: who})
		}
		usual := []string{"zone", `"UTC"`, "quietHours", "[]", "awayUntil", "null", "mailDelay", `"1h"`, "mailAt", `"09:00"`, "mailWorks", "true", "mailStopped", "false", "language", `"en"`, "silences", "[]",
			"kinds", `{"answered":["desktop","push"],"assigned":["desktop","push","mail"],"mentioned":["desktop","push","mail"],"note":[],"unassigned":["desktop"],"woke":["desktop","push"]}`}
		as(annToken, "GET", "").Want(200).Is(usual...)
		stream := w.follow(t, s, "/v1/dashboard/events?types=contact.created", string(annToken))
		w.Joined(stream, ann.ID)
		others := w.follow(t, s, "/v1/dashboard/events?types=contact.created", string(boToken))
		w.Joined(others, bo.ID)
		now := w.Now()
		until := now.Add(time.Hour).Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z07:00")
		as(annToken, "PUT", `{"kinds":{"note":["mail","desktop","mail"],"assigned":[]},"zone":"Asia/Tokyo","quietHours":[{"days":["sunday","monday"],"from":"22:00","to":"07:00"}],
			"awayUntil":"`+until+`","mailDelay":"daily","mailAt":"08:30"}`).Want(200).Is("kinds.note", `["desktop","mail"]`, "kinds.assigned", "[]", "kinds.mentioned", `["desktop","push","mail"]`,
			"zone", `"Asia/Tokyo"`, "quietHours", `[{"days":["monday","sunday"],"from":"22:00","to":"07:00"}]`, "awayUntil", `"`+until+`"`, "mailDelay", `"daily"`, "mailAt", `"08:30"`)
		stream.Is("notice_preferences")
		as(annToken, "PUT", `{"kinds":{"woke":[]}}`).Want(200).Is("kinds.note", `["desktop","mail"]`, "kinds.woke", "[]", "zone", `"Asia/Tokyo"`, "awayUntil", `"`+until+`"`)
		as(annToken, "GET", "").Want(200).Is("silences.0.begin", `"`+now.Format("2006-01-02T15:04:05.000Z07:00")+`"`, "silences.0.end", `"`+until+`"`)
		w.Advance(2 * time.Hour)
		as(annToken, "GET", "").Want(200).Is("awayUntil", "null")
		as(boToken, "GET", "").Want(200).Is(usual...)
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/notices/read", Body: `{"all":true}`, Session: boToken}).Want(200)
		others.Is("notice")
		as(annToken, "PUT", `{"language":"de","mailStopped":false}`).Want(200).Is("language", `"de"`, "mailStopped", "false")
		const period = `quietHours: must be an array of 0 to 3 items; item 1 must have days such as monday, and the times from and to, such as 22:00 and 07:00`
		const away = "awayUntil: must be in the future, at most 400 days ahead, or null"
		for body, message := range map[string]string{
			`{"kinds":{"mentioned":["fax"]}}`:      "kinds.mentioned: must be an array of 0 to 3 items; item 1 must be one of desktop, push, mail",
			`{"kinds":{"unassigned":["mail"]}}`:    "kinds.unassigned: must be an array of 0 to 1 items; item 1 must be one of desktop",
			`{"kinds":{"lunch":[]}}`:               "kinds: must not have the member lunch, which has no effect",
			`{"language":"xx"}`:                    "language: must be one of en, de, fr, es, it, pt, nl, pl, tr, sv, da, cs, ar, he",
			`{"mailStopped":true}`:                 "mailStopped: must be false, to get mails again",
			`{"kinds":7}`:                          "kinds: must be an object",
			`{"zone":"Mars/Olympus"}`:              "zone: must be the name of a time zone, such as Europe/Berlin",
			`{"awayUntil":"2020-01-01T00:00:00Z"}`: away,
			`{"awayUntil":"` + w.Now().Add(401*24*time.Hour).Format(time.RFC3339) + `"}`: away,
			`{"awayUntil":"soon"}`:   "awayUntil: must be a time such as 2026-11-20T08:15:30Z, not before 1970, or null",
			`{"mailDelay":"weekly"}`: "mailDelay: must be one of 15m, 1h, 4h, daily",
			`{"mailAt":"9:00"}`:      "mailAt: must be a time of the day such as 09:30",
			`{"mailAt":"24:00"}`:     "mailAt: must be a time of the day such as 09:30",
			`{"quietHours":[{"days":["monday"],"from":"22:00"}]}`:                                      period,
			`{"quietHours":[{"days":[],"from":"22:00","to":"07:00"}]}`:                                 period,
			`{"quietHours":[{"days":["monday","monday"],"from":"22:00","to":"07:00"}]}`:                period,
			`{"quietHours":[{"days":["Monday"],"from":"22:00","to":"07:00"}]}`:                         period,
			`{"quietHours":[{"days":["monday"],"from":"22:00","to":"24:00"}]}`:                         period,
			`{"quietHours":[{"days":["monday"],"from":"22:00","to":"07:00","zone":"UTC"}]}`:            period,
			`{"quietHours":["monday"]}`:                                                                period,
			`{"quietHours":[` + strings.Repeat(`{"days":["monday"],"from":"1","to":"2"},`, 3) + `{}]}`: "quietHours: must be an array of 0 to 3 items",
		} {
			as(annToken, "PUT", body).Refused(400, message)
		}
	})
}
