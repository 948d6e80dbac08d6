package parley

import "time"

// A ReportBy is what the rows of a report stand for.
type ReportBy string

// What rows can stand for.
const (
	ByDay     ReportBy = "day"
	ByProduct ReportBy = "product"
	ByInbox   ReportBy = "inbox"
	ByMember  ReportBy = "member" // who answered first, who resolved, who opened
	ByCompany ReportBy = "company"
)

// ReportBys lists what rows can stand for.
var ReportBys = []ReportBy{ByDay, ByProduct, ByInbox, ByMember, ByCompany}

// Limits of a report.
const (
	DefaultReportDays = 30
	MaxReportDays     = 366
	// MaxReportRows is how many companies a report shows at most, those that
	// opened the most conversations. Its total is that of all.
	MaxReportRows = 1000
)

// A Day is a day in UTC: the number of days since 1 January 1970.
type Day int

const secondsOfDay = 24 * 60 * 60

// DayOf returns the day of a time that is not before 1970.
func DayOf(at time.Time) Day { return Day(at.Unix() / secondsOfDay) }

// ParseDay reads a day of the form 2026-11-21, not before 1970.
func ParseDay(text string) (Day, bool) {
	at, err := time.Parse(time.DateOnly, text)
	return DayOf(at), err == nil && at.Unix() >= 0
}

// String returns the day in the form 2026-11-21.
func (d Day) String() string {
	return time.Unix(int64(d)*secondsOfDay, 0).UTC().Format(time.DateOnly)
}

// A Report tells how many conversations were opened and resolved, and how long
// that took, from a day to a day, both included.
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
	// Opened counts conversations that began or were opened again.
	Opened int
	// FirstResponses are the times from the beginning of a conversation to the
	// first answer of a member.
	FirstResponses Durations
	// Resolutions are the times from the beginning of a conversation, or from
	// when it was last opened again, until it was resolved.
	Resolutions Durations
}
