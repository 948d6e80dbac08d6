package widget_test

import (
	"encoding/json"
	"testing"
	"time"

	"parley"
	"parley/internal/customers"
)

// TestUpcomingOfficeHours reads the hours that a widget shows: from now on, over
// a holiday and a change of the clocks, and none if they are not shown.
func TestUpcomingOfficeHours(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		type span struct{ Begin, End time.Time }
		upcoming := func() []span {
			t.Helper()
			var config struct{ Upcoming []span }
			if err := json.Unmarshal(w.reader("GET", "", "").Want(200).Body, &config); err != nil {
				t.Fatal(err)
			}
			return config.Upcoming
		}
		if spans := upcoming(); spans != nil {
			t.Errorf("without hours: %v", spans)
		}
		change := customers.OfficeHoursChange{
			Zone: parley.Some("Europe/Berlin"), Hours: parley.Some([]string{"monday 09:00-17:00", "tuesday 09:00-17:00"}), Shown: parley.Some(true),
		}
		set := func() {
			t.Helper()
			if _, err := w.Customers.UpdateOfficeHours(t.Context(), w.By(), w.inbox, change); err != nil {
				t.Fatal(err)
			}
		}
		set()
		now := w.Now()
		spans := upcoming()
		many := len(spans)
		if many != 4 && many != 5 { // the first of five has begun
			t.Fatalf("in 14 days: %v", spans)
		}
		berlin, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			t.Fatal(err)
		}
		for i, span := range spans {
			begin, end := span.Begin.In(berlin), span.End.In(berlin)
			if begin.Hour() != 9 || end.Hour() != 17 || !span.End.After(now) || i > 0 && !span.Begin.After(spans[i-1].End) {
				t.Errorf("%v to %v, now %v", begin, end, now)
			}
		}
		first := spans[1].Begin.In(berlin).Format(time.DateOnly)
		change = customers.OfficeHoursChange{Holidays: parley.Some([]string{first})}
		set()
		if spans := upcoming(); len(spans) != many-1 {
			t.Errorf("with a holiday on %s: %v", first, spans)
		}
		change = customers.OfficeHoursChange{Hours: parley.Some([]string{})}
		set()
		if spans := upcoming(); spans == nil || len(spans) != 0 {
			t.Errorf("never there: %v", spans)
		}
		change = customers.OfficeHoursChange{Shown: parley.Some(false)}
		set()
		if spans := upcoming(); spans != nil {
			t.Errorf("not shown: %v", spans)
		}
	})
}
