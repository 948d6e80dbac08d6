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
	count  int
	period func(time.Time) string
}

// periods are the suffixes of rules, and how they name the period of a time.
var periods = map[string]func(time.Time) string{
	"":  func(at time.Time) string { return at.Format(time.RFC3339) }, // each backup
	"d": func(at time.Time) string { return at.Format(time.DateOnly) },
	"w": func(at time.Time) string {
		year, week := at.ISOWeek()
		return fmt.Sprintf("%d-%02d", year, week)
	},
	"m": func(at time.Time) string { return at.Format("2006-01") },
}

// maxKept is the most backups that one rule keeps.
const maxKept = 1000

// ParseKeep parses rules such as "7d,4w,6m" or "14".
func ParseKeep(text string) (Keep, error) {
	var k Keep
	for word := range strings.SplitSeq(text, ",") {
		number := strings.TrimRight(word, "dwm")
		count, err := strconv.Atoi(number)
		period := periods[word[len(number):]]
		if err != nil || period == nil || count < 1 || count > maxKept {
			return nil, errors.New("must be a number of backups, such as 14, or 7d,4w,6m for one of each of 7 days, 4 weeks and 6 months")
		}
		k = append(k, keepRule{count, period})
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
			if name := rule.period(at.UTC()); !seen[name] && len(seen) < rule.count {
				seen[name], kept[at] = true, true
			}
		}
	}
	return slices.DeleteFunc(newest, func(at time.Time) bool { return kept[at] })
}
