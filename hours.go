package parley

import (
	"strconv"
	"strings"
	"time"
)

// Hours split a day by the hour (UTC). They may add up to less than the day:
// older versions counted days only.
type Hours [24]HourCounts

// HourCounts count what happened in one hour; see [ReportRow].
type HourCounts struct {
	Opened         int
	FirstResponses Durations
	Resolutions    Durations
}

// At returns the counts of the hour of a time.
func (h *Hours) At(at time.Time) *HourCounts { return &h[at.UTC().Hour()] }

// String encodes the hours that are not empty: "9=2//0:1;14=1/37:1/" means two
// openings and one resolution in the hour from 9:00, and one opening and one
// first response in the hour from 14:00. The parts are Opened, FirstResponses
// and Resolutions. The form is stored, so it must not change.
func (h *Hours) String() string {
	var b []byte
	for hour := range h {
		c := &h[hour]
		first, resolved := c.FirstResponses.String(), c.Resolutions.String()
		if c.Opened == 0 && first == "" && resolved == "" {
			continue
		}
		if len(b) > 0 {
			b = append(b, ';')
		}
		b = append(strconv.AppendInt(b, int64(hour), 10), '=')
		b = append(strconv.AppendInt(b, int64(c.Opened), 10), '/')
		b = append(append(b, first...), '/')
		b = append(b, resolved...)
	}
	return string(b)
}

// AddText adds the counts of a text written by String. Its error is Internal:
// only a damaged store holds another text.
func (h *Hours) AddText(text string) error {
	for text != "" {
		var one string
		one, text, _ = strings.Cut(text, ";")
		left, counts, _ := strings.Cut(one, "=")
		hour, err := strconv.Atoi(left)
		parts := strings.Split(counts, "/")
		if err != nil || hour < 0 || hour >= len(h) || len(parts) != 3 {
			return Errorf(Internal, "counted hours: there is no hour %q", one)
		}
		opened, err := strconv.Atoi(parts[0])
		if err != nil || opened < 0 {
			return Errorf(Internal, "counted hours: %q is no count", parts[0])
		}
		c := &h[hour]
		c.Opened += opened
		if err := c.FirstResponses.AddText(parts[1]); err != nil {
			return err
		}
		if err := c.Resolutions.AddText(parts[2]); err != nil {
			return err
		}
	}
	return nil
}
