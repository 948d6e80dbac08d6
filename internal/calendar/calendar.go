// Package calendar computes with hours that recur every week, such as office hours and
// quiet hours, in the zone of those whose hours they are. It imports nothing of Parley
// and reads no clock.
//
// All of it rests on one rule: a time of day on a date is the first moment at which the
// zone's clocks show that time or a later one. So a time that the clocks skip is the
// moment at which they do, and one that they show twice is the first of the two.
package calendar

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

const (
	// dayIntervals is the most intervals of a day.
	dayIntervals = 4
	// dayMinutes is the end of a day.
	dayMinutes = 24 * 60
	// farthest is the number of days that are searched for a moment.
	farthest = 400
)

// An Interval is a part of a day, from the minute From until before the minute To. Both
// count from midnight by the clocks, 0 to 1440.
type Interval struct{ From, To int }

// A Week has the intervals of each day, by [time.Weekday], in order. Those of a day
// neither overlap nor touch.
type Week [7][]Interval

// A Date is a day of the calendar.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// Hours recur every week, but on holidays.
type Hours struct {
	Week     Week
	Holidays []Date
	Zone     *time.Location
}

// A Span is the time from Begin until before End, in UTC.
type Span struct{ Begin, End time.Time }

// Zone returns the zone of a name of the IANA database, such as "Europe/Berlin".
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "Local" { // of the server's machine
		return nil, fmt.Errorf("no zone is called %q", name)
	}
	return time.LoadLocation(name)
}

// Minute returns the minute of the day of a text such as "09:30", and whether it is one.
func Minute(text string) (int, bool) {
	at, err := time.Parse("15:04", text)
	return at.Hour()*60 + at.Minute(), err == nil && len(text) == len("09:30")
}

// Clock returns a minute of the day as a text such as "09:30".
func Clock(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }

// Check returns an error that names the first day whose intervals are out of order,
// overlap or are more than four.
func (w Week) Check() error {
	for day, intervals := range w {
		if len(intervals) > dayIntervals {
			return fmt.Errorf("%s has %d intervals, and may have %d", time.Weekday(day), len(intervals), dayIntervals)
		}
		end := -1
		for _, i := range intervals {
			if i.From <= end || i.To <= i.From || i.To > dayMinutes {
				return fmt.Errorf("%s has an interval from minute %d to %d after minute %d", time.Weekday(day), i.From, i.To, max(end, 0))
			}
			end = i.To
		}
	}
	return nil
}

// Open reports whether a moment is within the hours.
func (h *Hours) Open(at time.Time) bool {
	span, ok := h.next(at)
	return ok && !at.Before(span.Begin)
}

// Next returns the first moment within the hours that is not before another, and
// whether there is one within 400 days.
func (h *Hours) Next(at time.Time) (time.Time, bool) {
	span, ok := h.next(at)
	if ok && span.Begin.Before(at) {
		return at.UTC(), true
	}
	return span.Begin, ok
}

// Past returns the first moment outside the hours that is not before another, and
// whether there is one within 400 days. If the hours are quiet hours, this is when
// silence ends.
func (h *Hours) Past(at time.Time) (time.Time, bool) {
	limit := at.AddDate(0, 0, farthest)
	for past := at; past.Before(limit); {
		span, ok := h.next(past)
		if !ok || past.Before(span.Begin) {
			return past.UTC(), true
		}
		past = span.End
	}
	return time.Time{}, false
}

// Upcoming returns the hours from a moment until before the end of some days, joined
// where they touch. The first may have begun before.
func (h *Hours) Upcoming(at time.Time, days int) []Span {
	var spans []Span
	limit := at.AddDate(0, 0, days)
	for from := at; ; {
		span, ok := h.next(from)
		if !ok || !span.Begin.Before(limit) {
			return spans
		}
		if last := len(spans) - 1; last >= 0 && spans[last].End.Equal(span.Begin) {
			spans[last].End = span.End
		} else {
			spans = append(spans, span)
		}
		from = span.End
	}
}

// next returns the first interval that ends after a moment.
func (h *Hours) next(at time.Time) (Span, bool) {
	date := dateOf(at.In(h.Zone)).plus(-1) // the clocks may have been set back past midnight
	for range farthest + 1 {
		if !slices.Contains(h.Holidays, date) {
			for _, i := range h.Week[date.weekday()] {
				span := Span{date.moment(i.From, h.Zone), date.moment(i.To, h.Zone)}
				if span.End.After(at) && span.Begin.Before(span.End) { // the clocks may skip all of it
					return span, true
				}
			}
		}
		date = date.plus(1)
	}
	return Span{}, false
}

func dateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// plus returns the date some days later.
func (d Date) plus(days int) Date {
	return dateOf(time.Date(d.Year, d.Month, d.Day+days, 0, 0, 0, 0, time.UTC))
}

func (d Date) weekday() time.Weekday {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Weekday()
}

// Compare orders dates.
func (d Date) Compare(other Date) int {
	return cmp.Or(cmp.Compare(d.Year, other.Year), cmp.Compare(d.Month, other.Month), cmp.Compare(d.Day, other.Day))
}

// moment returns when the clocks of a zone first show a minute of the day or a later
// one, in UTC.
func (d Date) moment(minute int, zone *time.Location) time.Time {
	shown := time.Date(d.Year, d.Month, d.Day, 0, minute, 0, 0, time.UTC) // as if the clocks showed UTC
	at := time.Date(d.Year, d.Month, d.Day, 0, minute, 0, 0, zone)
	begin, end := at.ZoneBounds()
	switch clocks := clocksAt(at); {
	case clocks.Before(shown): // skipped, and at is before
		return end.UTC()
	case clocks.After(shown): // skipped, and at is after
		return begin.UTC()
	case begin.IsZero():
		return at.UTC()
	}
	_, offset := begin.Add(-time.Nanosecond).Zone()
	if first := shown.Add(-time.Duration(offset) * time.Second); first.Before(begin) {
		return first // shown twice, or the clocks were set back to exactly this time
	}
	return at.UTC()
}

// clocksAt returns what the clocks of a time's zone show, as if that were UTC.
func clocksAt(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second)
}
