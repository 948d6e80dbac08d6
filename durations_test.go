package parley_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley"
)

// TestDurations counts random durations and compares the quantiles with those
// of the durations themselves.
func TestDurations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Lengths of every order, from a millisecond to years.
		lengths := rapid.SliceOf(rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(math.Pow(10, rapid.Float64Range(6, 17.5).Draw(t, "power")))
		})).Draw(t, "lengths")
		var all, first, second parley.Durations
		for i, length := range lengths {
			all.Add(length)
			if i%2 == 0 {
				first.Add(length)
			} else {
				second.Add(length)
			}
		}
		if all.Count() != len(lengths) {
			t.Fatalf("counted %d of %d", all.Count(), len(lengths))
		}
		slices.Sort(lengths)
		for _, q := range []float64{0.01, 0.5, 0.9, 1} {
			got, ok := all.Quantile(q)
			if ok != (len(lengths) > 0) {
				t.Fatalf("the quantile %g of %d durations is there: %t", q, len(lengths), ok)
			}
			if !ok {
				continue
			}
			want := lengths[max(0, int(math.Ceil(q*float64(len(lengths))))-1)]
			if off := math.Abs(float64(got-want)) / float64(want); off > 0.05 && (got != 0 || want >= time.Second) {
				t.Fatalf("the quantile %g is %s, want %s", q, got, want)
			}
		}
		var read parley.Durations
		if err := read.AddText(all.String()); err != nil || read.String() != all.String() {
			t.Fatalf("%q is read as %q, %v", all.String(), read.String(), err)
		}
		first.AddAll(second)
		if first.String() != all.String() {
			t.Fatalf("the halves are %q together, want %q", first.String(), all.String())
		}
	})
}

func TestDurationsEnds(t *testing.T) {
	var d parley.Durations
	if d.String() != "" || d.Count() != 0 {
		t.Errorf("nothing counted is %q, %d", d.String(), d.Count())
	}
	d.Add(-time.Hour) // a clock that went back
	d.Add(time.Second - 1)
	d.Add(time.Second)
	d.Add(math.MaxInt64)
	if got := d.String(); got != "0:2,1:1,241:1" {
		t.Errorf("the ends are counted as %q", got)
	}
	for _, text := range []string{"x", "1", "1:x", "-1:1", "1:-1", "1001:1", ",", "0:1,,1:1"} {
		if err := new(parley.Durations).AddText(text); parley.KindOf(err) != parley.Internal || err == nil {
			t.Errorf("%q gave %v, want an internal error", text, err)
		}
	}
}

func TestDays(t *testing.T) {
	for text, want := range map[string]parley.Day{"1970-01-01": 0, "1970-01-02": 1, "2000-02-29": 11016, "9999-12-31": 2932896} {
		day, ok := parley.ParseDay(text)
		if !ok || day != want || day.String() != text {
			t.Errorf("%s is the day %d, %t, want %d; and back %s", text, day, ok, want, day)
		}
		last := time.Unix(int64(want+1)*86400, 0).Add(-time.Millisecond)
		if got := parley.DayOf(last); got != want {
			t.Errorf("the end of %s is on the day %d", text, got)
		}
	}
	for _, text := range []string{"", "1969-12-31", "2026-02-30", "2026-1-1", "2026-11-21T00:00:00Z", "20261121"} {
		if day, ok := parley.ParseDay(text); ok {
			t.Errorf("%q is the day %d, want none", text, day)
		}
	}
}
