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

// TestOwnTexts reads what the company says in its own words: in the language that is
// asked for, whatever its region, and in no other.
func TestOwnTexts(t *testing.T) {
	w := onSQLite(t)
	own := parley.WidgetTexts{InboxID: w.inbox, Language: "pt", Texts: map[string]string{"home.write": "Fale com a gente <b>"}}
	if _, err := w.Customers.UpdateWidgetTexts(t.Context(), w.By(), own); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"": "{}", "?language=de": "{}", "?language=pt": `{"home.write":"Fale com a gente \u003cb\u003e"}`, "?language=pt-BR": `{"home.write":"Fale com a gente \u003cb\u003e"}`} {
		w.reader("GET", query, "").Want(200).Is("texts", want)
	}
	w.reader("GET", "?language=%3Cb%3E", "").Refused(400, "language: must be "+parley.LanguageRule[len("be "):])
}
