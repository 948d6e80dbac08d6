package notices_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	_ "time/tzdata"

	"parley"
	"parley/internal/calendar"
	"parley/internal/notices"
)

// zones change their clocks at many hours, by half an hour and by an hour, at midnight,
// on both halves of the earth, during Ramadan, or never.
var zones = []string{
	"Africa/Cairo", "Africa/Casablanca", "America/Havana", "America/New_York", "America/Nuuk", "America/Santiago", "America/Sao_Paulo",
	"America/St_Johns", "Asia/Beirut", "Asia/Gaza", "Asia/Kathmandu", "Asia/Tokyo", "Atlantic/Azores", "Australia/Adelaide",
	"Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin", "Pacific/Apia", "Pacific/Chatham", "UTC",
}

// A wall is what clocks show.
type wall struct {
	date   calendar.Date
	minute int
}

func (w wall) reaches(other wall) bool {
	return cmp.Or(w.date.Compare(other.date), cmp.Compare(w.minute, other.minute)) >= 0
}

// A walker knows minute by minute when a member wants silence and daily digests, from clocks
// that it only reads.
type walker struct {
	begin  time.Time
	quiet  []bool
	digest []bool // whether the time of a daily digest comes
}

// margin are the days that are walked before begin, because silence may have begun there.
const margin = 3

func walk(p *parley.NoticePreferences, zone *time.Location, begin time.Time, days int) walker {
	w := walker{begin, make([]bool, days*24*60), make([]bool, days*24*60)}
	type part struct {
		from, to     wall
		began, ended bool
	}
	var parts []part
	date := func(at time.Time) calendar.Date {
		return calendar.Date{Year: at.Year(), Month: at.Month(), Day: at.Day()}
	}
	var daily []part
	for day := -margin; day <= days+margin; day++ {
		at := time.Date(begin.Year(), begin.Month(), begin.Day()+day, 0, 0, 0, 0, time.UTC)
		daily = append(daily, part{from: wall{date(at), p.MailAt}, to: wall{date(at.AddDate(0, 0, 1)), 0}})
		for _, q := range p.Quiet {
			if !slices.Contains(q.Days, at.Weekday()) {
				continue
			}
			to := wall{date(at), q.To}
			if q.To <= q.From {
				to.date = date(at.AddDate(0, 0, 1))
			}
			parts = append(parts, part{from: wall{date(at), q.From}, to: to})
		}
	}
	for minute := -margin * 24 * 60; minute < len(w.quiet); minute++ {
		at := begin.Add(time.Duration(minute) * time.Minute)
		local := at.In(zone)
		now := wall{date(local), local.Hour()*60 + local.Minute()}
		for i := range parts {
			parts[i].began, parts[i].ended = parts[i].began || now.reaches(parts[i].from), parts[i].ended || now.reaches(parts[i].to)
			if minute >= 0 && parts[i].began && !parts[i].ended {
				w.quiet[minute] = true
			}
		}
		for i := range daily {
			d := &daily[i]
			d.ended = d.ended || now.reaches(d.to)
			if !d.began && now.reaches(d.from) {
				d.began = true
				if minute >= 0 && !d.ended { // the clocks may skip all of a day
					w.digest[minute] = true
				}
			}
		}
		if minute >= 0 && at.Before(p.AwayUntil) {
			w.quiet[minute] = true
		}
	}
	return w
}

// when says by walking when a notice of a minute may leave. known is false if that is after
// what was walked.
func (w walker) when(p *parley.NoticePreferences, kind parley.NoticeKind, channel parley.NoticeChannel, minute int) (at int, ever, known bool) {
	if !slices.Contains(p.Kinds[kind], channel) {
		return 0, false, true
	}
	at = minute
	if channel == parley.NoticeByMail {
		at += int(p.MailDelay.Duration() / time.Minute)
		if p.MailDelay == parley.MailDaily {
			for at++; at < len(w.digest) && !w.digest[at]; {
				at++
			}
		}
	}
	loud := at
	for loud < len(w.quiet) && w.quiet[loud] {
		loud++
	}
	if channel == parley.NoticeByDesktop {
		return at, loud == at, true
	}
	return loud, true, loud < len(w.quiet)
}

func anyPreferences(random *rand.Rand, begin time.Time, zone string) parley.NoticePreferences {
	p := parley.NewNoticePreferences("usr_1")
	p.Zone = zone
	for _, kind := range parley.NoticeKinds {
		p.Kinds[kind] = slices.DeleteFunc(notices.ChannelsOf(kind), func(parley.NoticeChannel) bool { return random.IntN(3) == 0 })
	}
	// Clocks change at some quarters of the first hours.
	quarter := func() int {
		return []int{random.IntN(16), random.IntN(96)}[random.IntN(2)] * 15
	}
	for range random.IntN(parley.MaxQuietPeriods + 1) {
		q := parley.QuietPeriod{From: quarter(), To: quarter()}
		for _, day := range random.Perm(7)[:1+random.IntN(7)] {
			q.Days = append(q.Days, time.Weekday(day))
		}
		p.Quiet = append(p.Quiet, q)
	}
	if random.IntN(4) == 0 {
		p.AwayUntil = begin.Add(time.Duration(random.IntN(3*24*60)) * time.Minute)
	}
	p.MailDelay, p.MailAt = parley.MailDelays[random.IntN(len(parley.MailDelays))], quarter()
	return p
}

// TestWhenAgainstWalker compares when notices may leave with a walk through all minutes,
// around the changes of the clocks of twenty zones and on other days.
func TestWhenAgainstWalker(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 2))
	verdicts := map[string]int{}
	for _, name := range zones {
		zone, err := calendar.Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		begins := []time.Time{time.Date(2024, 1, 1+random.IntN(2500), 0, 0, 0, 0, time.UTC)}
		for at := begins[0].In(zone); len(begins) < 4; {
			if _, at = at.ZoneBounds(); at.IsZero() {
				break
			}
			begins = append(begins, at.UTC().Truncate(24*time.Hour).AddDate(0, 0, -2))
		}
		for _, begin := range begins {
			p := anyPreferences(random, begin, name)
			w := walk(&p, zone, begin, 7)
			if fault := w.differs(&p, random, verdicts); fault != "" {
				t.Fatalf("%s from %s with %+v: %s", name, begin.Format(time.DateOnly), p, fault)
			}
		}
	}
	for _, verdict := range []string{"now", "later", "never"} {
		if verdicts[verdict] < 300 {
			t.Errorf("%d notices may leave %s, so this test proves little", verdicts[verdict], verdict)
		}
	}
}

func (w walker) differs(p *parley.NoticePreferences, random *rand.Rand, verdicts map[string]int) string {
	for minute := 0; minute < 5*24*60; minute += 1 + random.IntN(90) {
		at := w.begin.Add(time.Duration(minute) * time.Minute)
		kind := parley.NoticeKinds[random.IntN(len(parley.NoticeKinds))]
		for _, channel := range parley.NoticeChannels {
			got, ever := notices.When(p, kind, channel, at)
			want, wantEver, known := w.when(p, kind, channel, minute)
			if !known {
				continue
			}
			is := w.begin.Add(time.Duration(want) * time.Minute)
			if ever != wantEver || ever && !got.Equal(is) {
				return fmt.Sprintf("%s by %s at %s may leave %v (%t), want %v (%t)", kind, channel, at, got, ever, is, wantEver)
			}
			switch {
			case !ever:
				verdicts["never"]++
			case got.Equal(at):
				verdicts["now"]++
			default:
				verdicts["later"]++
			}
		}
	}
	// What a page is told is the same silence.
	shown := make([]bool, len(w.quiet))
	for _, span := range notices.Silences(p, w.begin) {
		for at := span.Begin; at.Before(span.End); at = at.Add(time.Minute) {
			if minute := int(at.Sub(w.begin) / time.Minute); minute >= 0 && minute < len(shown) {
				shown[minute] = true
			}
		}
	}
	if !slices.Equal(shown, w.quiet) {
		return "Silences has other minutes"
	}
	return ""
}

// TestAlwaysQuiet lets nothing leave for a member who is never to be disturbed, and tells
// this from a zone that is unknown.
func TestAlwaysQuiet(t *testing.T) {
	p := parley.NewNoticePreferences("usr_1")
	at := time.Date(2026, 3, 28, 23, 30, 0, 0, time.UTC)
	p.Quiet = []parley.QuietPeriod{{Days: []time.Weekday{0, 1, 2, 3, 4, 5, 6}}}
	for _, channel := range parley.NoticeChannels {
		if when, ever := notices.When(&p, parley.NoticeMentioned, channel, at); ever {
			t.Errorf("a notice leaves by %s at %v", channel, when)
		}
	}
	p.Quiet, p.Zone = nil, "Mars/Olympus"
	if when, ever := notices.When(&p, parley.NoticeMentioned, parley.NoticeByPush, at); !ever || !when.Equal(at) {
		t.Errorf("on Mars a notice leaves at %v (%t)", when, ever)
	}
}
