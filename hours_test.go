package parley_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley"
)

// TestHours writes and reads what happened at random times.
func TestHours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var hours parley.Hours
		var want [24][3]int
		for range rapid.IntRange(0, 40).Draw(t, "count") {
			at := time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "at"), 0).In(time.FixedZone("", 5*3600))
			c, kind := hours.At(at), rapid.IntRange(0, 2).Draw(t, "kind")
			want[at.UTC().Hour()][kind]++
			switch kind {
			case 0:
				c.Opened++
			case 1:
				c.FirstResponses.Add(time.Hour)
			default:
				c.Resolutions.Add(time.Minute)
			}
		}
		var read parley.Hours
		if err := read.AddText(hours.String()); err != nil || read.String() != hours.String() {
			t.Fatalf("%q is read as %q, %v", hours.String(), read.String(), err)
		}
		for hour := range read {
			c := &read[hour]
			if got := [3]int{c.Opened, c.FirstResponses.Count(), c.Resolutions.Count()}; got != want[hour] {
				t.Fatalf("hour %d of %q has %v, want %v", hour, hours.String(), got, want[hour])
			}
		}
	})
}

// TestHoursText keeps the written form, which is stored, and refuses others.
func TestHoursText(t *testing.T) {
	const written = "9=2//0:1;14=1/37:1,40:2/;23=0/1:1/2:3"
	var hours parley.Hours
	if err := hours.AddText(written); err != nil || hours.String() != written {
		t.Errorf("%q is read as %q, %v", written, hours.String(), err)
	}
	if err := hours.AddText("9=1/2:1/0:1"); err != nil || hours[9].Opened != 3 || hours[9].Resolutions.Count() != 2 {
		t.Errorf("texts do not add up: %q, %v", hours.String(), err)
	}
	for _, bad := range []string{"x", "24=1//", "-1=1//", "9", "9=1", "9=1/", "9=1///", "9=x//", "9=-1//", "9=1/x/", "9=1//x", ";"} {
		if err := new(parley.Hours).AddText(bad); parley.KindOf(err) != parley.Internal {
			t.Errorf("%q is read: %v", bad, err)
		}
	}
}
