package parley

// OfficeHours are the hours in which somebody answers in an inbox.
type OfficeHours struct {
	InboxID  ID
	Zone     string   // name in the IANA database, such as Europe/Berlin
	Hours    []string // such as "monday 09:00-17:00", in order
	Holidays []string // dates without hours, such as "2026-12-25", in order
	Shown    bool     // whether the chat widget says when somebody is back
}

// The limits of office hours.
const (
	MaxOfficeHours = 28 // four intervals a day
	MaxHolidays    = 100
	MaxZone        = 64 // characters of a name
)

// NewOfficeHours returns the hours of an inbox that has none: they are not shown.
func NewOfficeHours(inbox ID) OfficeHours { return OfficeHours{InboxID: inbox, Zone: "UTC"} }
