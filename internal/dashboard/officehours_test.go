package dashboard_test

import (
	"strings"
	"testing"
)

func TestOfficeHours(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/v1/dashboard/inboxes/" + w.webInbox().String() + "/office-hours"
		w.Get(path).Want(200).Is("zone", `"UTC"`, "hours", "[]", "holidays", "[]", "shown", "false")
		w.Patch(path, `{"zone":"Europe/Berlin","hours":["friday 13:00-17:00","monday 12:00-24:00","monday 09:00-12:00"],"holidays":["2026-12-26","2026-12-25","2026-12-26"]}`).
			Want(200).Is("hours", `["monday 09:00-24:00","friday 13:00-17:00"]`, "holidays", `["2026-12-25","2026-12-26"]`, "shown", "false")
		w.Patch(path, `{"shown":true}`).Want(200)
		w.Get(path).Want(200).Is("zone", `"Europe/Berlin"`, "hours", `["monday 09:00-24:00","friday 13:00-17:00"]`, "shown", "true")
		w.Patch(path, `{"hours":[],"holidays":[]}`).Want(200).Is("hours", "[]", "holidays", "[]")
		const item, overlap = "hours: must be an array of 0 to 28 items; item 1 must be a weekday and two times such as monday 09:00-17:00",
			"hours: must have at most four intervals a day, which do not overlap"
		for body, message := range map[string]string{
			`{"zone":"Local"}`:                                      "zone: must be the name of a time zone, such as Europe/Berlin",
			`{"zone":"../../etc/passwd"}`:                           "zone: must be the name of a time zone, such as Europe/Berlin",
			`{"zone":"` + strings.Repeat("a", 65) + `"}`:            "zone: must be the name of a time zone, such as Europe/Berlin",
			`{"hours":["Monday 09:00-17:00"]}`:                      item,
			`{"hours":["monday 09:00-09:00"]}`:                      item,
			`{"hours":["monday 9:00-17:00"]}`:                       item,
			`{"hours":["monday 09:00-25:00"]}`:                      item,
			`{"hours":["monday"]}`:                                  item,
			`{"hours":[7]}`:                                         item,
			`{"hours":["monday 09:00-17:00","monday 16:59-18:00"]}`: overlap,
			`{"hours":["monday 01:00-02:00","monday 03:00-04:00","monday 05:00-06:00","monday 07:00-08:00","monday 09:00-10:00"]}`: overlap,
			`{"holidays":["2026-02-30"]}`: "holidays: must be an array of 0 to 100 items; item 1 must be a date such as 2026-12-25",
		} {
			w.Patch(path, body).Refused(400, message)
		}
		const none = "the inbox has no widget; only those for the web have"
		api := "/v1/dashboard/inboxes/" + w.Home.Inbox.ID.String() + "/office-hours"
		w.Get(api).Refused(404, none)
		w.Patch(api, `{}`).Refused(404, none)
	})
}
