package calendar_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"parley/internal/calendar"
)

// zones change their clocks at many hours, by half an hour and by an hour, at midnight,
// on both halves of the earth, during Ramadan, or never.
var zones = []string{
	"Africa/Cairo", "Africa/Casablanca", "America/Havana", "America/New_York", "America/Nuuk", "America/Santiago", "America/Sao_Paulo",
	"America/St_Johns", "Asia/Beirut", "Asia/Gaza", "Asia/Kathmandu", "Asia/Tokyo", "Atlantic/Azores", "Australia/Adelaide",
	"Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin", "Pacific/Apia", "Pacific/Chatham", "UTC",
}

// A walker knows hours minute by minute, from clocks that it only reads.
type walker struct {
	begin time.Time
	open  []bool // of each minute
}

// walk goes through the minutes of some days. An interval begins at the first minute at
// which the clocks show its begin or more, and ends likewise.
func walk(h *calendar.Hours, begin time.Time, days int) walker {
	type wall struct {
		date   calendar.Date
		minute int
	}
	w := walker{begin, make([]bool, days*24*60)}
	reached := func(now, wanted wall) bool {
		c := now.date.Compare(wanted.date)
		return c > 0 || c == 0 && now.minute >= wanted.minute
	}
	type part struct{ from, to wall }
	var parts []part
	for day := -2; day <= days+2; day++ {
		at := begin.AddDate(0, 0, day)
		date := calendar.Date{Year: at.Year(), Month: at.Month(), Day: at.Day()}
		if slices.Contains(h.Holidays, date) {
			continue
		}
		for _, i := range h.Week[at.Weekday()] {
			parts = append(parts, part{wall{date, i.From}, wall{date, i.To}})
		}
	}
	for i := range parts { // minute 1440 is minute 0 of the next day
		if to := &parts[i].to; to.minute == 24*60 {
			next := time.Date(to.date.Year, to.date.Month, to.date.Day+1, 0, 0, 0, 0, time.UTC)
			*to = wall{calendar.Date{Year: next.Year(), Month: next.Month(), Day: next.Day()}, 0}
		}
	}
	began, ended := make([]bool, len(parts)), make([]bool, len(parts))
	for minute := -3 * 24 * 60; minute < len(w.open); minute++ {
		at := begin.Add(time.Duration(minute) * time.Minute).In(h.Zone)
		now := wall{calendar.Date{Year: at.Year(), Month: at.Month(), Day: at.Day()}, at.Hour()*60 + at.Minute()}
		for i, p := range parts {
			began[i], ended[i] = began[i] || reached(now, p.from), ended[i] || reached(now, p.to)
			if minute >= 0 && began[i] && !ended[i] {
				w.open[minute] = true
			}
		}
	}
	return w
}

// TestCalendarAgainstWalker compares hours with a walk through all their minutes, around
// the changes of the clocks of twenty zones and on other days.
func TestCalendarAgainstWalker(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	whole := os.Getenv("PARLEY_TORTURE") != ""
	for _, name := range zones {
		zone, err := calendar.Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		var begins []time.Time
		from, to := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
		if whole {
			for at := from; at.Before(to); at = at.AddDate(0, 0, 4) {
				begins = append(begins, at)
			}
		} else {
			changes := changesOf(zone, from, to)
			for range min(2, len(changes)) {
				begins = append(begins, changes[random.IntN(len(changes))].Truncate(24*time.Hour).AddDate(0, 0, -2))
			}
			begins = append(begins, from.AddDate(0, 0, random.IntN(2500)))
		}
		for _, begin := range begins {
			h := calendar.Hours{Week: anyWeek(random), Zone: zone}
			if random.IntN(3) == 0 {
				day := begin.AddDate(0, 0, random.IntN(5))
				h.Holidays = []calendar.Date{{Year: day.Year(), Month: day.Month(), Day: day.Day()}}
			}
			if err := h.Week.Check(); err != nil {
				t.Fatal(err)
			}
			if fault := walk(&h, begin, 5).differs(&h); fault != "" {
				t.Fatalf("%s from %s with %v but %v: %s", name, begin.Format(time.DateOnly), h.Week, h.Holidays, fault)
			}
		}
	}
}

// differs says where hours are not as they were walked.
func (w walker) differs(h *calendar.Hours) string {
	end := w.begin.Add(time.Duration(len(w.open)) * time.Minute)
	shown := make([]bool, len(w.open))
	for _, span := range h.Upcoming(w.begin, len(w.open)/(24*60)) {
		for at := span.Begin; at.Before(span.End) && at.Before(end); at = at.Add(time.Minute) {
			if !at.Before(w.begin) {
				shown[int(at.Sub(w.begin)/time.Minute)] = true
			}
		}
	}
	if !slices.Equal(shown, w.open) {
		return "Upcoming has other minutes"
	}
	next, past := end, end // the first known moments that are open and closed
	for minute, open := range slices.Backward(w.open) {
		at := w.begin.Add(time.Duration(minute) * time.Minute)
		if open {
			next = at
		} else {
			past = at
		}
		if minute%7 != 0 && minute > 0 && open == w.open[minute-1] {
			continue // each change, and some moments between
		}
		if h.Open(at) != open {
			return "Open is wrong at " + at.String()
		}
		if got, _ := h.Next(at); next.Before(end) && !got.Equal(next) {
			return "Next of " + at.String() + " is " + got.String() + ", not " + next.String()
		}
		if got, _ := h.Past(at); past.Before(end) && !got.Equal(past) {
			return "Past of " + at.String() + " is " + got.String() + ", not " + past.String()
		}
	}
	return ""
}

// changesOf returns when a zone changes its clocks.
func changesOf(zone *time.Location, from, to time.Time) (changes []time.Time) {
	for at := from.In(zone); ; {
		_, at = at.ZoneBounds()
		if at.IsZero() || !at.Before(to) {
			return changes
		}
		changes = append(changes, at.UTC())
	}
}

// anyWeek returns a week with intervals of any length, many of them at the hours at which
// clocks change.
func anyWeek(random *rand.Rand) (w calendar.Week) {
	for day := range w {
		edges := []int{0, 24 * 60}[random.IntN(2):][:1]
		for range random.IntN(8) {
			edges = append(edges, random.IntN(16)*15, random.IntN(24*60+1))
		}
		slices.Sort(edges)
		edges = slices.Compact(edges)
		for i := 0; i+1 < len(edges) && len(w[day]) < 4; i += 2 {
			w[day] = append(w[day], calendar.Interval{From: edges[i], To: edges[i+1]})
		}
	}
	return w
}

// TestHours states the hours of an office, of one that is always open, and of one that
// never is.
func TestHours(t *testing.T) {
	berlin, err := calendar.Zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	office := calendar.Hours{Zone: berlin, Holidays: []calendar.Date{{Year: 2026, Month: time.December, Day: 25}}}
	always := calendar.Hours{Zone: berlin}
	for day := range always.Week {
		always.Week[day] = []calendar.Interval{{From: 0, To: 24 * 60}}
		if weekday := time.Weekday(day); weekday != time.Saturday && weekday != time.Sunday {
			office.Week[day] = []calendar.Interval{{From: 9 * 60, To: 12 * 60}, {From: 13 * 60, To: 17 * 60}}
		}
	}
	thursday := time.Date(2026, time.December, 24, 16, 30, 0, 0, time.UTC) // 17:30 in Berlin
	if next, ok := office.Next(thursday); !ok || !next.Equal(time.Date(2026, time.December, 28, 8, 0, 0, 0, time.UTC)) {
		t.Errorf("after Christmas the office opens at %v", next)
	}
	if !always.Open(thursday) {
		t.Error("an office that is always open is not")
	}
	if past, ok := always.Past(thursday); ok {
		t.Errorf("it closes at %v", past)
	}
	if spans := always.Upcoming(thursday, 14); len(spans) != 1 {
		t.Errorf("hours that touch are %v", spans)
	}
	never := calendar.Hours{Zone: berlin}
	if next, ok := never.Next(thursday); ok || never.Open(thursday) {
		t.Errorf("an office that is never open opens at %v", next)
	}
	if past, ok := never.Past(thursday); !ok || !past.Equal(thursday) {
		t.Errorf("outside its hours, the first moment outside is %v", past)
	}
}

// TestCheck names what a week must not have.
func TestCheck(t *testing.T) {
	for want, intervals := range map[string][]calendar.Interval{
		"":                {{From: 0, To: 60}, {From: 61, To: 24 * 60}},
		"after minute 60": {{From: 0, To: 60}, {From: 60, To: 90}},
		"to 1441":         {{From: 0, To: 24*60 + 1}},
		"to 5":            {{From: 5, To: 5}},
		"minute -1":       {{From: -1, To: 5}},
		"5 intervals":     {{From: 0, To: 1}, {From: 2, To: 3}, {From: 4, To: 5}, {From: 6, To: 7}, {From: 8, To: 9}},
	} {
		err := calendar.Week{time.Tuesday: intervals}.Check()
		if (err == nil) != (want == "") || err != nil && !(strings.HasPrefix(err.Error(), "Tuesday") && strings.Contains(err.Error(), want)) {
			t.Errorf("of %v the error is %v, want %q", intervals, err, want)
		}
	}
	for _, name := range []string{"", "Local", "Mars/Olympus"} {
		if zone, err := calendar.Zone(name); err == nil {
			t.Errorf("%q is the zone %v", name, zone)
		}
	}
}
