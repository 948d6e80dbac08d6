package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Keep is a set of rules for which backups to keep.
type Keep []keepRule

// A keepRule keeps the newest backup of each of the newest periods that have one.
type keepRule struct {
	count int
	period
}

// A period is a kind of spans of time, in UTC.
type period struct {
	name func(time.Time) string              // of the span with a time
	add  func(at time.Time, n int) time.Time // adds the length of n spans
}

// periods are the suffixes of rules.
var periods = map[string]period{
	"": { // each backup
		func(at time.Time) string { return at.Format(time.RFC3339) },
		func(at time.Time, _ int) time.Time { return at },
	},
	"d": {
		func(at time.Time) string { return at.Format(time.DateOnly) },
		func(at time.Time, n int) time.Time { return at.AddDate(0, 0, n) },
	},
	"w": {
		func(at time.Time) string {
			year, week := at.ISOWeek()
			return fmt.Sprintf("%d-%02d", year, week)
		},
		func(at time.Time, n int) time.Time { return at.AddDate(0, 0, 7*n) },
	},
	"m": {
		func(at time.Time) string { return at.Format("2006-01") },
		func(at time.Time, n int) time.Time { return at.AddDate(0, n, 0) },
	},
}

// maxKept is the most backups that one rule keeps.
const maxKept = 1000

// ParseKeep parses rules such as "7d,4w,6m" or "14".
func ParseKeep(text string) (Keep, error) {
	var k Keep
	for word := range strings.SplitSeq(text, ",") {
		number := strings.TrimRight(word, "dwm")
		count, err := strconv.Atoi(number)
		unit, known := periods[word[len(number):]]
		if err != nil || !known || count < 1 || count > maxKept {
			return nil, errors.New("must be a number of backups, such as 14, or 7d,4w,6m for one of each of 7 days, 4 weeks and 6 months")
		}
		k = append(k, keepRule{count, unit})
	}
	return k, nil
}

// Doomed returns the times of the backups that no rule keeps. The newest backup is
// never among them.
func (k Keep) Doomed(made []time.Time) []time.Time {
	newest := slices.SortedFunc(slices.Values(made), func(a, b time.Time) int { return b.Compare(a) })
	kept := map[time.Time]bool{}
	for i, at := range newest {
		kept[at] = i == 0
	}
	for _, rule := range k {
		seen := map[string]bool{}
		for _, at := range newest {
			if name := rule.name(at.UTC()); !seen[name] && len(seen) < rule.count {
				seen[name], kept[at] = true, true
			}
		}
	}
	return slices.DeleteFunc(newest, func(at time.Time) bool { return kept[at] })
}

// End returns about when the backup of a time is deleted: at the latest with the first
// one after that time, if each interval has a backup. Without rules it returns zero.
func (k Keep) End(made time.Time, every time.Duration) time.Time {
	var end time.Time
	for _, rule := range k {
		// Spans without a backup do not count, so with a longer interval it stays longer.
		for _, at := range []time.Time{rule.add(made.UTC(), rule.count), made.UTC().Add(time.Duration(rule.count) * every)} {
			if at.After(end) {
				end = at
			}
		}
	}
	return end
}
