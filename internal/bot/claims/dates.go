package claims

import (
	"bytes"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/fulltext"
)

var (
	isoDate     = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b`)
	numericDate = regexp.MustCompile(`\b\d{1,2}(?:\.[ \x{a0}]?\d{1,2}\.(?:[ \x{a0}]?\d{4}\b|\d{2}\b)?|/\d{1,2}(?:/\d{4}|/\d{2})?\b|-\d{1,2}-(?:\d{4}|\d{2})\b)`)
	dayMonth    = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th|\.|er|º|°|:e|\.e)?[ \x{a0}]*(?:of |de |d'|d’)?(\p{L}{3,12})\.?(?:,?[ \x{a0}](?:de |del )?(\d{4})\b)?`)
	monthDay    = regexp.MustCompile(`(\p{L}{3,12})\.?[ \x{a0}](\d{1,2})(?:st|nd|rd|th)?\b(?:,?[ \x{a0}](\d{4})\b)?`)
	monthYear   = regexp.MustCompile(`(\p{L}{3,12})\.?[ \x{a0}](?:de |del )?(\d{4})\b`)
)

// dates takes dates, and months.
func (p *page) dates() {
	for _, at := range isoDate.FindAllIndex(p.rest, -1) {
		text := string(p.rest[at[0]:at[1]])
		if d, ok := day(text[8:], text[5:7], text[:4]); ok {
			p.date(at[0], at[1], d)
		}
	}
	for _, at := range numericDate.FindAllIndex(p.rest, -1) {
		p.numeric(at[0], at[1])
	}
	named := func(pattern *regexp.Regexp, month, dayOf, year int) {
		for _, at := range pattern.FindAllSubmatchIndex(p.rest, -1) {
			group := func(i int) string {
				if i == 0 || at[2*i] < 0 {
					return ""
				}
				return string(p.rest[at[2*i]:at[2*i+1]])
			}
			number, ok := months[fulltext.Fold(group(month))]
			if !ok {
				continue
			}
			if d, ok := day(group(dayOf), strconv.Itoa(number), group(year)); ok {
				p.date(at[0], at[1], d)
			}
		}
	}
	named(dayMonth, 2, 1, 3)
	named(monthDay, 1, 2, 3)
	named(monthYear, 1, 0, 2)
}

// A calendarDay is a date. Parts that were not named are 0.
type calendarDay struct{ year, month, day int }

// day returns the date of three numbers, of which the day and the year can be
// missing.
func day(dayText, month, year string) (calendarDay, bool) {
	var d calendarDay
	for _, part := range []struct {
		to   *int
		text string
	}{{&d.year, year}, {&d.month, month}, {&d.day, dayText}} {
		n, err := strconv.Atoi(part.text)
		if err != nil && part.text != "" {
			return d, false
		}
		*part.to = n
	}
	if len(year) == 2 {
		d.year += 2000
	}
	return d, d.month >= 1 && d.month <= 12 && (d.day >= 1 || dayText == "") && d.day <= 31
}

// key returns the reading of a date.
func (d calendarDay) key() string { return fmt.Sprintf("date %d-%d-%d", d.year, d.month, d.day) }

// parts are what a source says that contains a date.
func (d calendarDay) parts() []string {
	all := []string{fmt.Sprintf("month %d", d.month), numberKey(strconv.Itoa(d.day)), numberKey(strconv.Itoa(d.year))}
	if d.day > 0 {
		all = append(all, calendarDay{0, d.month, d.day}.key())
	}
	if d.year > 0 {
		all = append(all, calendarDay{d.year, d.month, 0}.key())
	}
	return all
}

// date takes a date.
func (p *page) date(from, to int, readings ...calendarDay) {
	c := Claim{Kind: Date}
	for _, d := range readings {
		c.keys = append(c.keys, d.key())
		c.more = append(c.more, d.parts()...)
	}
	p.take(from, from+len(strings.TrimRight(string(p.rest[from:to]), ".")), c)
}

// numeric takes a date of numbers alone. In English, and in unknown languages,
// the month may come first.
func (p *page) numeric(from, to int) {
	text := string(p.rest[from:to])
	parts := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	year := ""
	if len(parts) > 2 {
		year = parts[2]
	}
	slashed := strings.Contains(text, "/")
	if !slashed && year == "" && p.language == "en" {
		return // 3.5. is a number at the end of a sentence
	}
	if glued(p.rest, from, to) || from > 0 && p.rest[from-1] == '.' {
		return // 1.2.3 is a version
	}
	var readings []calendarDay
	if d, ok := day(parts[0], parts[1], year); ok {
		readings = append(readings, d)
	}
	if p.language == "en" || p.language == "" {
		if d, ok := day(parts[1], parts[0], year); ok && !slices.Contains(readings, d) {
			readings = append(readings, d)
		}
	}
	if len(readings) > 0 {
		p.date(from, to, readings...)
	}
}

var clock = regexp.MustCompile(`(?i)\b(\d{1,2})(?:([:.h])([0-5]\d)(?::[0-5]\d)?)?[ \x{a0}]?(am\b|pm\b|a\.m\.|p\.m\.|uhr\b)?`)

// times takes times of the day: 17:30, 5.30 pm, 17h30, 9 Uhr.
func (p *page) times() {
	for _, at := range clock.FindAllSubmatchIndex(p.rest, -1) {
		text := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return strings.ToLower(string(p.rest[at[2*i]:at[2*i+1]]))
		}
		hour, _ := strconv.Atoi(text(1))    // two digits
		minutes, _ := strconv.Atoi(text(3)) // as many, or none
		half := strings.ReplaceAll(text(4), ".", "")
		if half == "" && text(2) != ":" && text(2) != "h" || hour > 24 || (half == "am" || half == "pm") && (hour > 12 || hour == 0) {
			continue
		}
		if glued(p.rest, at[0], at[1]) {
			continue
		}
		switch {
		case half == "am" && hour == 12:
			hour = 0
		case half == "pm" && hour < 12:
			hour += 12
		}
		end := at[0] + len(strings.TrimRight(string(p.rest[at[0]:at[1]]), " "+nbsp))
		p.take(at[0], end, Claim{
			Kind: Time, keys: []string{fmt.Sprintf("time %d:%d", hour, minutes)}, more: []string{numberKey(strconv.Itoa(hour)), numberKey(text(1)), numberKey(text(3))},
		})
	}
}

// glued reports whether a digit stands directly before or after a place.
func glued(text []byte, from, to int) bool {
	isDigit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	return isDigit(from-1) || isDigit(to)
}

// words takes months and days of the week.
func (p *page) words() {
	for from, to := range words(p.rest) {
		word := fulltext.Fold(string(p.rest[from:to]))
		first := bytes.HasPrefix(p.rest[to:], []byte("-")) // segunda-feira
		weekday, ok := weekdayNames[word]
		if !ok && first {
			weekday, ok = weekdayNames[word+"-"]
		}
		if ok {
			p.take(from, to, Claim{Kind: Date, raw: fmt.Sprintf("weekday %d", weekday)})
		} else if month, ok := months[word]; ok && len(word) > 4 && !among(alsoWords, word) {
			p.take(from, to, Claim{Kind: Date, raw: fmt.Sprintf("month %d", month)})
		}
	}
}

// maxWord is longer than all words of the tables, in bytes.
const maxWord = 40

// words returns where the words of a text begin and end. Words that are longer
// than those of the tables are left out.
func words(text []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		start := -1
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRune(text[i:])
			switch letter := unicode.IsLetter(r); {
			case letter && start < 0:
				start = i
			case !letter && start >= 0:
				if i-start <= maxWord && !yield(start, i) {
					return
				}
				start = -1
			}
			i += size
		}
		if start >= 0 && len(text)-start <= maxWord {
			yield(start, len(text))
		}
	}
}
