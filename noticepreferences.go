package parley

import "time"

// NoticeUnassigned is a message of a customer in a conversation that nobody has. No
// notice is stored of it: the open pages of the members show it.
const NoticeUnassigned NoticeKind = "unassigned"

// NoticeKinds are the kinds of what members choose about.
var NoticeKinds = []NoticeKind{NoticeMentioned, NoticeAssigned, NoticeAnswered, NoticeNote, NoticeWoke, NoticeUnassigned}

// A NoticeChannel is a way by which a notice leaves the list in the dashboard.
type NoticeChannel string

// The channels of notices.
const (
	NoticeByDesktop NoticeChannel = "desktop" // a page that is open: the browser's notification and a sound
	NoticeByPush    NoticeChannel = "push"    // the browser or phone, also without a page
	NoticeByMail    NoticeChannel = "mail"    // in a digest, if the member is not there
)

// NoticeChannels are all channels.
var NoticeChannels = []NoticeChannel{NoticeByDesktop, NoticeByPush, NoticeByMail}

// A MailDelay is when a member who is away gets a digest of unread notices.
type MailDelay string

// The delays of digests.
const (
	MailAfterQuarter MailDelay = "15m"
	MailAfterHour    MailDelay = "1h"
	MailAfterFour    MailDelay = "4h"
	MailDaily        MailDelay = "daily" // at the same time each day
)

// MailDelays are all delays.
var MailDelays = []MailDelay{MailAfterQuarter, MailAfterHour, MailAfterFour, MailDaily}

// Duration returns how long a notice waits; 0 for a daily digest.
func (d MailDelay) Duration() time.Duration {
	switch d {
	case MailAfterQuarter:
		return 15 * time.Minute
	case MailAfterHour:
		return time.Hour
	case MailAfterFour:
		return 4 * time.Hour
	default:
		return 0
	}
}

// A QuietPeriod recurs on some days. It ends on the day after them unless To is later
// than From; so equal minutes are a whole day.
type QuietPeriod struct {
	Days     []time.Weekday // from Monday to Sunday, each at most once
	From, To int            // minutes of the day, 0 to 1439
}

// NoticePreferences are what a member has chosen about notices.
type NoticePreferences struct {
	MemberID  UserID
	Kinds     map[NoticeKind][]NoticeChannel // every kind; channels in the order of NoticeChannels
	Zone      string                         // name in the IANA database, such as Europe/Berlin
	Quiet     []QuietPeriod                  // while nothing leaves the dashboard
	AwayUntil time.Time                      // the same until a moment; zero for none
	MailDelay MailDelay
	MailAt    int    // minute of the day of a daily digest
	Language  string // of digests, a tag of RFC 5646
	UpdatedAt time.Time
}

// The limits of preferences.
const (
	MaxQuietPeriods = 3
	// MaxAway is how far ahead a member may be away.
	MaxAway = 400 * 24 * time.Hour
)

// NewNoticePreferences returns what holds for a member who has chosen nothing: what is
// said to the member gets a mail if it stays unread, what merely happens does not.
func NewNoticePreferences(member UserID) NoticePreferences {
	p := NoticePreferences{MemberID: member, Kinds: map[NoticeKind][]NoticeChannel{}, Zone: "UTC", MailDelay: MailAfterHour, MailAt: 9 * 60, Language: "en"}
	for _, kind := range NoticeKinds {
		p.Kinds[kind] = usualChannels(kind)
	}
	return p
}

func usualChannels(kind NoticeKind) []NoticeChannel {
	switch kind {
	case NoticeMentioned, NoticeAssigned:
		return []NoticeChannel{NoticeByDesktop, NoticeByPush, NoticeByMail}
	case NoticeAnswered, NoticeWoke:
		return []NoticeChannel{NoticeByDesktop, NoticeByPush}
	case NoticeUnassigned:
		return []NoticeChannel{NoticeByDesktop}
	default:
		return nil
	}
}
