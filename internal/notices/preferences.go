package notices

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/calendar"
	"parley/internal/desk"
	"parley/internal/store"
)

// shownAhead is how many days of silence a page learns.
const shownAhead = 8

// When returns the earliest time at which a notice of a time may leave by a channel, and
// whether it ever may. In silence nothing leaves: a push waits for its end, and so does a
// digest, but a page does not show late what it did not show in time. A digest also waits
// for as long as the member has chosen.
func When(p *parley.NoticePreferences, kind parley.NoticeKind, channel parley.NoticeChannel, at time.Time) (time.Time, bool) {
	if !slices.Contains(p.Kinds[kind], channel) {
		return time.Time{}, false
	}
	if channel == parley.NoticeByMail {
		at = digestAfter(p, at)
	}
	loud, ok := Loud(p, at)
	if channel == parley.NoticeByDesktop && !loud.Equal(at) {
		return time.Time{}, false
	}
	return loud, ok
}

// digestAfter returns when a notice of a time is due in a digest, but for silence.
func digestAfter(p *parley.NoticePreferences, at time.Time) time.Time {
	if p.MailDelay != parley.MailDaily {
		return at.Add(p.MailDelay.Duration())
	}
	// Some hours and not a minute, because the clocks may skip the minute.
	daily := calendar.Hours{Zone: zoneOf(p)}
	for day := range daily.Week {
		daily.Week[day] = []calendar.Interval{{From: p.MailAt, To: min(p.MailAt+12*60, 24*60)}}
	}
	if past, ok := daily.Past(at); ok {
		at = past
	}
	next, _ := daily.Next(at)
	return next
}

// Loud returns the first moment from a time on that is in no silence, and whether there is
// one.
func Loud(p *parley.NoticePreferences, at time.Time) (time.Time, bool) {
	if at.Before(p.AwayUntil) {
		at = p.AwayUntil
	}
	if len(p.Quiet) == 0 {
		return at, true
	}
	quiet := quietHours(p)
	return quiet.Past(at)
}

// Silences returns the silences that a member has chosen for the coming days.
func Silences(p *parley.NoticePreferences, now time.Time) []calendar.Span {
	quiet := quietHours(p)
	spans := quiet.Upcoming(now, shownAhead)
	if !now.Before(p.AwayUntil) {
		return spans
	}
	away := calendar.Span{Begin: now.UTC(), End: p.AwayUntil.UTC()}
	if past, ok := quiet.Past(away.End); ok {
		away.End = past
	}
	spans = slices.DeleteFunc(spans, func(s calendar.Span) bool { return !s.End.After(away.End) })
	return append([]calendar.Span{away}, spans...)
}

// zoneOf returns a member's zone. One that the zone database does not have any more is UTC.
func zoneOf(p *parley.NoticePreferences) *time.Location {
	zone, err := calendar.Zone(p.Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// quietHours returns the quiet periods as the calendar computes with them: those that
// overlap are joined.
func quietHours(p *parley.NoticePreferences) calendar.Hours {
	h := calendar.Hours{Zone: zoneOf(p)}
	add := func(day time.Weekday, from, to int) {
		if from < to {
			h.Week[day] = append(h.Week[day], calendar.Interval{From: from, To: to})
		}
	}
	for _, period := range p.Quiet {
		for _, day := range period.Days {
			if period.To > period.From {
				add(day, period.From, period.To)
				continue
			}
			add(day, period.From, 24*60)
			add((day+1)%7, 0, period.To)
		}
	}
	for day := range h.Week {
		h.Week[day] = united(h.Week[day])
	}
	return h
}

// united returns the intervals of a day in order, with those that overlap or touch as one.
func united(day []calendar.Interval) []calendar.Interval {
	slices.SortFunc(day, func(a, b calendar.Interval) int { return cmp.Compare(a.From, b.From) })
	var all []calendar.Interval
	for _, i := range day {
		if last := len(all) - 1; last >= 0 && i.From <= all[last].To {
			all[last].To = max(all[last].To, i.To)
		} else {
			all = append(all, i)
		}
	}
	return all
}

// PreferencesOf returns the preferences of a member in a transaction.
func PreferencesOf(v store.Reader, ws parley.WorkspaceID, member parley.UserID) (parley.NoticePreferences, error) {
	found, err := SelectPreferences(v, ws, []parley.UserID{member})
	if err != nil || len(found) == 0 {
		return parley.NewNoticePreferences(member), err
	}
	return found[0], nil
}

// A PreferencesChange is an update of preferences. Absent fields stay unchanged, and so do
// kinds that are missing.
type PreferencesChange struct {
	Kinds     map[parley.NoticeKind][]parley.NoticeChannel
	Zone      parley.Optional[string]
	Quiet     parley.Optional[[]parley.QuietPeriod]
	AwayUntil parley.Optional[time.Time]
	MailDelay parley.Optional[parley.MailDelay]
	MailAt    parley.Optional[int]
	Language  parley.Optional[string] // a tag that there are words in
}

// ChangePreferences changes the preferences of a member in a transaction.
func ChangePreferences(t *desk.Tx, member parley.UserID, in PreferencesChange) (parley.NoticePreferences, error) {
	p, err := PreferencesOf(t, t.WS, member)
	if err != nil {
		return p, err
	}
	if until := in.AwayUntil; until.Has() && (!until.Value.After(t.Now) || until.Value.After(t.Now.Add(parley.MaxAway))) {
		return p, parley.InvalidField("awayUntil", "be in the future, at most 400 days ahead, or null")
	}
	for kind, channels := range in.Kinds {
		p.Kinds[kind] = slices.DeleteFunc(ChannelsOf(kind), func(c parley.NoticeChannel) bool { return !slices.Contains(channels, c) })
	}
	p.Zone, p.Quiet, p.AwayUntil, p.Language = in.Zone.Or(p.Zone), in.Quiet.Or(p.Quiet), in.AwayUntil.Or(p.AwayUntil), in.Language.Or(p.Language)
	p.MailDelay, p.MailAt, p.UpdatedAt = in.MailDelay.Or(p.MailDelay), in.MailAt.Or(p.MailAt), t.Now
	return p, PutPreferences(t, t.WS, &p)
}

// ChannelsOf returns the channels that a kind may leave by.
func ChannelsOf(kind parley.NoticeKind) []parley.NoticeChannel {
	if kind == parley.NoticeUnassigned {
		return []parley.NoticeChannel{parley.NoticeByDesktop}
	}
	return slices.Clone(parley.NoticeChannels)
}

// QuietRule is the rule for a quiet period.
const QuietRule = "have days such as monday, and the times from and to, such as 22:00 and 07:00"

// week are the days from Monday.
var week = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}

// NewQuietPeriod returns a period of the names of days and of times such as "22:00", and
// whether it is one.
func NewQuietPeriod(days []string, from, to string) (parley.QuietPeriod, bool) {
	p := parley.QuietPeriod{}
	var ok, ends bool
	p.From, ok = calendar.Minute(from)
	p.To, ends = calendar.Minute(to)
	for _, day := range week {
		if slices.Contains(days, strings.ToLower(day.String())) {
			p.Days = append(p.Days, day)
		}
	}
	return p, ok && ends && len(p.Days) > 0 && len(p.Days) == len(days)
}
