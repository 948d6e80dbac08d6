package wire

import (
	"fmt"
	"strings"
	"time"

	"parley"
)

// AppendNotices appends the notices of a member, how many are unread, and the
// conversations that the member follows.
func AppendNotices(b []byte, notices []parley.ShownNotice, unread int, following []parley.ID) []byte {
	o := open(b)
	list(&o, "data", notices, appendNotice)
	o.integer("unread", int64(unread))
	list(&o, "following", following, appendID)
	return o.close()
}

func appendNotice(b []byte, n *parley.ShownNotice) []byte {
	o := open(b)
	o.id("id", n.ID)
	o.text("kind", string(n.Kind))
	o.id("conversationId", n.ConversationID)
	o.idOrNull("contactId", n.ContactID)
	o.text("contactName", n.ContactName)
	actor(&o, "actor", n.Actor)
	o.idOrNull("messageId", n.MessageID)
	o.text("text", n.Text)
	o.integer("count", int64(n.Count))
	o.time("createdAt", n.CreatedAt)
	o.time("updatedAt", n.UpdatedAt)
	o.timeOrNull("readAt", n.ReadAt)
	return o.close()
}

// AppendUnreadNotices appends how many notices of a member are unread.
func AppendUnreadNotices(b []byte, unread int) []byte {
	o := open(b)
	o.integer("unread", int64(unread))
	return o.close()
}

// AppendFollowers appends who follows a conversation.
func AppendFollowers(b []byte, members []parley.UserID) []byte {
	o := open(b)
	texts(&o, "memberIds", members)
	return o.close()
}

// NoticePreferences are preferences with what follows from them now.
type NoticePreferences struct {
	parley.NoticePreferences
	MailWorks   bool // whether the server sends mails
	MailStopped bool // whether the member's address gets none
	Silences    []Silence
}

// A Silence is a time in which no notice leaves the dashboard.
type Silence struct{ Begin, End time.Time }

// AppendNoticePreferences appends what a member has chosen about notices.
func AppendNoticePreferences(b []byte, p *NoticePreferences) []byte {
	o := open(b)
	kinds := o.object("kinds")
	for _, kind := range parley.NoticeKinds {
		texts(&kinds, string(kind), p.Kinds[kind])
	}
	o.put(kinds)
	o.text("zone", p.Zone)
	list(&o, "quietHours", p.Quiet, func(b []byte, q *parley.QuietPeriod) []byte {
		one := open(b)
		var days []string
		for _, day := range q.Days {
			days = append(days, strings.ToLower(day.String()))
		}
		texts(&one, "days", days)
		one.text("from", clock(q.From))
		one.text("to", clock(q.To))
		return one.close()
	})
	o.timeOrNull("awayUntil", p.AwayUntil)
	o.text("mailDelay", string(p.MailDelay))
	o.text("mailAt", clock(p.MailAt))
	o.text("language", p.Language)
	o.boolean("mailWorks", p.MailWorks)
	o.boolean("mailStopped", p.MailStopped)
	list(&o, "silences", p.Silences, func(b []byte, s *Silence) []byte {
		one := open(b)
		one.time("begin", s.Begin)
		one.time("end", s.End)
		return one.close()
	})
	return o.close()
}

// clock writes a minute of the day as "09:30".
func clock(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
