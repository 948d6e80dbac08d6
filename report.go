package parley

import (
	"fmt"
	"time"
)

// A ReportBy is a dimension of reports: what each row stands for.
type ReportBy string

// The dimensions of reports.
const (
	ByDay     ReportBy = "day"
	ByProduct ReportBy = "product"
	ByInbox   ReportBy = "inbox"
	ByMember  ReportBy = "member" // who answered first, resolved or opened
	ByCompany ReportBy = "company"
)

// ReportBys lists the dimensions.
var ReportBys = []ReportBy{ByDay, ByProduct, ByInbox, ByMember, ByCompany}

// Limits of a report.
const (
	DefaultReportDays = 30
	MaxReportDays     = 366
	// MaxReportRows is the most companies in a report. It shows those with the
	// most opened conversations; its total covers all.
	MaxReportRows = 1000
)

// A Day is a day in UTC: the number of days since 1 January 1970.
type Day int

const secondsOfDay = 24 * 60 * 60

// DayOf returns the day of a time, which must not be before 1970.
func DayOf(at time.Time) Day { return Day(at.Unix() / secondsOfDay) }

// ParseDay parses a day in the form 2026-11-21, not before 1970.
func ParseDay(text string) (Day, bool) {
	at, err := time.Parse(time.DateOnly, text)
	return DayOf(at), err == nil && at.Unix() >= 0
}

// String returns the day in the form 2026-11-21.
func (d Day) String() string {
	return time.Unix(int64(d)*secondsOfDay, 0).UTC().Format(time.DateOnly)
}

// ReportDays returns the days of a report, both included: by default the 30 days until
// to, or until today. An order or a length that is wrong is Invalid.
func ReportDays(from, to Optional[Day], today Day) (first, last Day, err error) {
	last = to.Or(today)
	first = from.Or(max(0, last-DefaultReportDays+1))
	switch {
	case first > last && to.Set:
		return 0, 0, InvalidField("to", "not be before from")
	case first > last:
		return 0, 0, InvalidField("from", "not be after today, unless to is given")
	case last-first >= MaxReportDays:
		return 0, 0, InvalidField("from", fmt.Sprintf("be at most %d days before to", MaxReportDays-1))
	}
	return first, last, nil
}

// A Report says how many conversations were opened and resolved between two
// days, both included, and how long that took.
type Report struct {
	From, To Day
	By       ReportBy
	Rows     []ReportRow
	Total    ReportRow // its key is empty
}

// A ReportRow is one day, product, inbox, member or company in a report.
type ReportRow struct {
	Key   string // the day or the id; "" for none
	Label string // the day or the name
	// Opened counts conversations that were created or reopened.
	Opened int
	// FirstResponses are the times from the start of a conversation to a
	// member's first answer.
	FirstResponses Durations
	// Resolutions are the times from the start of a conversation, or from its
	// last reopening, until it was resolved.
	Resolutions Durations
}
