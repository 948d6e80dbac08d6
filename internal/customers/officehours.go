package customers

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/calendar"
	"parley/internal/desk"
	"parley/internal/store"
)

// UpcomingDays is how many days of office hours a widget knows ahead.
const UpcomingDays = 14

// OfficeHours returns the office hours of an inbox. An inbox that is not for the
// web is NotFound.
func (svc *Service) OfficeHours(ws parley.WorkspaceID, inbox parley.ID) desk.Read[parley.OfficeHours] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.OfficeHours, error) {
		if _, err := webInbox(v, ws, inbox); err != nil {
			return parley.OfficeHours{}, err
		}
		return officeHours(v, ws, inbox)
	})
}

// officeHours returns the office hours of an inbox, or the default.
func officeHours(v *store.View, ws parley.WorkspaceID, inbox parley.ID) (parley.OfficeHours, error) {
	h, err := SelectOfficeHours(v, ws, inbox)
	if parley.KindOf(err) == parley.NotFound {
		return parley.NewOfficeHours(inbox), nil
	}
	return h, err
}

// OfficeHoursChange is an update of office hours. Absent fields stay unchanged.
// ParseOfficeInterval, ParseHoliday and calendar.Zone accept each of the values.
type OfficeHoursChange struct {
	Zone     parley.Optional[string]
	Hours    parley.Optional[[]string]
	Holidays parley.Optional[[]string]
	Shown    parley.Optional[bool]
}

// UpdateOfficeHours changes the office hours of an inbox. Intervals that overlap
// are Invalid; those that touch are joined.
func (svc *Service) UpdateOfficeHours(ctx context.Context, by desk.Caller, inbox parley.ID, in OfficeHoursChange) (parley.OfficeHours, error) {
	return write(ctx, svc, by, func(t *tx) (h parley.OfficeHours, err error) {
		if _, err = webInbox(&t.View, t.WS, inbox); err != nil {
			return h, err
		}
		if h, err = officeHours(&t.View, t.WS, inbox); err != nil {
			return h, err
		}
		before := h
		h.Zone, h.Shown = in.Zone.Or(h.Zone), in.Shown.Or(h.Shown)
		if in.Holidays.Set {
			h.Holidays = desk.Unique(slices.Sorted(slices.Values(in.Holidays.Value)))
		}
		if in.Hours.Set {
			h.Hours = in.Hours.Value
		}
		hours, err := calendarOf(&h)
		if err != nil {
			return h, err
		}
		h.Hours = intervalsOf(hours.Week)
		if !reflect.DeepEqual(before, h) {
			if err := t.Audit.Of(entry.HoursUpdated, entry.SubjectInbox, inbox.String()); err != nil {
				return h, err
			}
		}
		return h, PutOfficeHours(t, t.WS, &h, t.Now)
	})
}

// calendarOf returns office hours as the calendar computes with them. Texts that
// this package does not accept are Invalid.
func calendarOf(h *parley.OfficeHours) (calendar.Hours, error) {
	var hours calendar.Hours
	var err error
	if hours.Zone, err = calendar.Zone(h.Zone); err != nil {
		return hours, parley.InvalidField("zone", ZoneRule)
	}
	for _, text := range h.Hours {
		day, interval, err := ParseOfficeInterval(text)
		if err != nil {
			return hours, parley.InvalidField("hours", err.Error())
		}
		hours.Week[day] = append(hours.Week[day], interval)
	}
	for day := range hours.Week {
		hours.Week[day] = joined(hours.Week[day])
	}
	if hours.Week.Check() != nil {
		return hours, parley.InvalidField("hours", "have at most four intervals a day, which do not overlap")
	}
	for _, text := range h.Holidays {
		date, err := ParseHoliday(text)
		if err != nil {
			return hours, parley.InvalidField("holidays", err.Error())
		}
		hours.Holidays = append(hours.Holidays, date)
	}
	return hours, nil
}

// joined returns the intervals of a day in order, without ends at which the next
// one begins.
func joined(day []calendar.Interval) []calendar.Interval {
	slices.SortFunc(day, func(a, b calendar.Interval) int { return a.From - b.From })
	var all []calendar.Interval
	for _, i := range day {
		if last := len(all) - 1; last >= 0 && all[last].To == i.From {
			all[last].To = i.To
		} else {
			all = append(all, i)
		}
	}
	return all
}

// The rules of the texts in office hours.
const (
	ZoneRule     = "be the name of a time zone, such as Europe/Berlin"
	intervalRule = "be a weekday and two times such as monday 09:00-17:00"
	holidayRule  = "be a date such as 2026-12-25"
)

// ParseOfficeInterval reads a text such as "monday 09:00-17:00". The end may be
// 24:00.
func ParseOfficeInterval(text string) (time.Weekday, calendar.Interval, error) {
	wrong := errors.New(intervalRule)
	name, times, _ := strings.Cut(text, " ")
	from, to, _ := strings.Cut(times, "-")
	i := calendar.Interval{From: minuteOf(from), To: minuteOf(to)}
	for day := time.Sunday; day <= time.Saturday; day++ {
		if name == strings.ToLower(day.String()) && i.From >= 0 && i.To > i.From {
			return day, i, nil
		}
	}
	return 0, calendar.Interval{}, wrong
}

// minuteOf returns the minute of a day that a text such as "09:30" names, or -1.
func minuteOf(text string) int {
	if text == "24:00" {
		return 24 * 60
	}
	minute, ok := calendar.Minute(text)
	if !ok {
		return -1
	}
	return minute
}

// ParseHoliday reads a date such as "2026-12-25".
func ParseHoliday(text string) (calendar.Date, error) {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return calendar.Date{}, errors.New(holidayRule)
	}
	return calendar.Date{Year: at.Year(), Month: at.Month(), Day: at.Day()}, nil
}

// intervalsOf returns the texts of a week, from Monday.
func intervalsOf(week calendar.Week) []string {
	var all []string
	for i := range week {
		day := time.Weekday((i + 1) % len(week))
		for _, interval := range week[day] {
			all = append(all, strings.ToLower(day.String())+" "+calendar.Clock(interval.From)+"-"+calendar.Clock(interval.To))
		}
	}
	return all
}

// shownHours returns the office hours that a widget shows, or nil.
func shownHours(v *store.View, ws parley.WorkspaceID, inbox parley.ID) (*calendar.Hours, error) {
	h, err := officeHours(v, ws, inbox)
	if err != nil || !h.Shown {
		return nil, err
	}
	hours, err := calendarOf(&h)
	return &hours, err
}
