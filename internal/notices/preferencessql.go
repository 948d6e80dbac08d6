package notices

import (
	"strings"
	"time"

	"parley"
	"parley/internal/calendar"
	"parley/internal/store"
)

// SelectPreferences returns what some members have chosen. Those who have chosen nothing
// are left out.
func SelectPreferences(v store.Reader, ws parley.WorkspaceID, members []parley.UserID) ([]parley.NoticePreferences, error) {
	return store.Many(v, ws, func(r store.Row, p *parley.NoticePreferences) error {
		var channels, quiet string
		*p = parley.NewNoticePreferences("")
		err := r.Scan((*string)(&p.MemberID), &channels, &p.Zone, &quiet, &p.AwayUntil, (*string)(&p.MailDelay), &p.MailAt, &p.Language, &p.UpdatedAt)
		readChannels(channels, p.Kinds)
		p.Quiet = readPeriods(quiet)
		return err
	}, `SELECT member_id, channels, zone, quiet, away_until, mail_delay, mail_at, language, updated_at FROM notice_preferences
		WHERE workspace_id = $1 AND member_id IN ($2...) ORDER BY member_id`, store.ListOf(members))
}

// PutPreferences inserts or replaces the preferences of a member.
func PutPreferences(tx store.Writer, ws parley.WorkspaceID, p *parley.NoticePreferences) error {
	return store.Exec(tx, ws, `INSERT INTO notice_preferences (workspace_id, member_id, channels, zone, quiet, away_until, mail_delay, mail_at, updated_at, language)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (workspace_id, member_id) DO UPDATE SET channels = $3, zone = $4, quiet = $5,
		away_until = $6, mail_delay = $7, mail_at = $8, updated_at = $9, language = $10`,
		p.MemberID, channelsText(p.Kinds), p.Zone, periodsText(p.Quiet), p.AwayUntil, string(p.MailDelay), p.MailAt, p.UpdatedAt, p.Language)
}

// DeleteForsakenPreferences deletes what members chose who have left. Servers of the
// version before leave it.
func DeleteForsakenPreferences(tx store.Writer, ws parley.WorkspaceID) error {
	return store.Exec(tx, ws, `DELETE FROM notice_preferences WHERE workspace_id = $1 AND
		NOT EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = $1 AND m.member_id = notice_preferences.member_id AND m.removed_at = 0)`)
}

// channelsText encodes the channels of kinds in lines such as "mentioned=desktop,mail".
// The form is stored, so it must not change. Kinds that a later version adds have no line.
func channelsText(kinds map[parley.NoticeKind][]parley.NoticeChannel) string {
	var lines []string
	for _, kind := range parley.NoticeKinds {
		var names []string
		for _, channel := range kinds[kind] {
			names = append(names, string(channel))
		}
		lines = append(lines, string(kind)+"="+strings.Join(names, ","))
	}
	return strings.Join(lines, "\n")
}

// readChannels reads a text of channelsText into kinds. Kinds without a line stay as they
// are, and unknown ones are left out.
func readChannels(text string, kinds map[parley.NoticeKind][]parley.NoticeChannel) {
	for line := range strings.Lines(text) {
		kind, names, _ := strings.Cut(strings.TrimSpace(line), "=")
		if _, known := kinds[parley.NoticeKind(kind)]; !known {
			continue
		}
		var channels []parley.NoticeChannel
		for name := range strings.SplitSeq(names, ",") {
			if name != "" {
				channels = append(channels, parley.NoticeChannel(name))
			}
		}
		kinds[parley.NoticeKind(kind)] = channels
	}
}

// periodsText encodes quiet periods in lines such as "monday,friday 22:00-07:00". The form
// is stored, so it must not change.
func periodsText(periods []parley.QuietPeriod) string {
	var lines []string
	for _, p := range periods {
		lines = append(lines, strings.Join(DayNames(p.Days), ",")+" "+calendar.Clock(p.From)+"-"+calendar.Clock(p.To))
	}
	return strings.Join(lines, "\n")
}

// readPeriods reads a text of periodsText. Lines that are no period are left out.
func readPeriods(text string) []parley.QuietPeriod {
	var periods []parley.QuietPeriod
	for line := range strings.Lines(text) {
		days, times, _ := strings.Cut(strings.TrimSpace(line), " ")
		from, to, _ := strings.Cut(times, "-")
		if p, ok := NewQuietPeriod(strings.Split(days, ","), from, to); ok {
			periods = append(periods, p)
		}
	}
	return periods
}

// DayNames returns the names of days, such as "monday".
func DayNames(days []time.Weekday) []string {
	names := make([]string, 0, len(days))
	for _, day := range days {
		names = append(names, strings.ToLower(day.String()))
	}
	return names
}
