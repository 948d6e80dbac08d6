// Package claims checks what an answer claims against the texts that it cites:
// each number, price, date, time, address and link of the answer must stand in
// one of them, in whatever way its language writes it. €1,299.00 is 1.299,00 €,
// and 24 December is 24.12.
//
// The check is not about meaning: "not within 30 days" and "within 30 days"
// have the same claims. It stops what harms most, which are invented figures,
// addresses and promises, and it depends on no model. Two of its limits:
// quantities without a number ("a day") and numbers written in words without a
// unit ("two of them") are no claims.
//
// In doubt a claim is unsupported: then a member reads the answer before a
// customer does. The package is pure; it imports internal/fulltext for folding
// letters.
package claims

import (
	"bytes"
	"slices"
	"strings"

	"parley/internal/fulltext"
)

// A Kind is the kind of a claim.
type Kind string

// The kinds of claims.
const (
	Number   Kind = "number"
	Quantity Kind = "quantity" // a number with a unit, such as 14 days or 20 %
	Price    Kind = "price"
	Date     Kind = "date" // also a month or a day of the week
	Time     Kind = "time" // of the day
	Link     Kind = "link"
	Email    Kind = "email"
	Phone    Kind = "phone"
	Code     Kind = "code"    // letters with digits, such as a model or an order
	Promise  Kind = "promise" // of something that the answer does not do
)

// A Claim is a part of a text that must stand in a source.
type Claim struct {
	Kind Kind
	Text string // as it is written, at most 200 bytes

	at   int      // where it begins in the text
	raw  string   // the same wherever it is written in the same way
	keys []string // its readings; a claim is supported if all are facts
	host string   // of a link
	more []string // what else a source with this claim says
}

// A Source is a text that an answer cites.
type Source struct {
	Text     string // title and body
	Language string // BCP 47, "" if unknown
	URL      string // its own address, which answers may contain; "" for none
}

// Facts are what sources say. They may be read by many goroutines.
type Facts struct {
	keys  map[string]bool
	own   map[string]bool // links to the sources themselves
	texts []string        // folded
}

// Collect reads sources.
func Collect(sources []Source) *Facts {
	f := &Facts{keys: map[string]bool{}, own: map[string]bool{}}
	for _, source := range sources {
		for _, c := range Read(source.Text, source.Language) {
			f.keys[c.raw] = true
			for _, key := range slices.Concat(c.keys, c.more) {
				f.keys[key] = true
			}
		}
		if source.URL != "" {
			c := linkClaim(source.URL)
			f.own[c.raw] = true
		}
		f.texts = append(f.texts, plain(source.Text))
	}
	return f
}

// Rules are how an answer is checked.
type Rules struct {
	Language string // BCP 47, "" if unknown
	// Hosts are those to which links may lead, besides the sources' own
	// addresses: a name, or "*." and a name for all names below it. None: to
	// wherever the sources link.
	Hosts []string
}

// Check returns the claims of a text that no source supports, in the order of
// the text. The text can be a part of an answer, such as a sentence.
func (f *Facts) Check(text string, r Rules) []Claim {
	var unsupported []Claim
	for _, c := range slices.Concat(Read(text, r.Language), promises(text)) {
		if !f.support(c, r) {
			unsupported = append(unsupported, c)
		}
	}
	slices.SortStableFunc(unsupported, func(a, b Claim) int { return a.at - b.at })
	return unsupported
}

// support reports whether a claim stands in a source.
func (f *Facts) support(c Claim, r Rules) bool {
	switch c.Kind {
	case Promise:
		return slices.ContainsFunc(f.texts, func(text string) bool { return strings.Contains(text, c.raw) })
	case Link:
		if c.raw == "" {
			return false
		}
		return f.own[c.raw] || f.keys[c.raw] && allowed(c.host, r.Hosts)
	case Number, Quantity, Price, Date, Time, Email, Phone, Code:
	}
	if f.keys[c.raw] {
		return true
	}
	return len(c.keys) > 0 && !slices.ContainsFunc(c.keys, func(key string) bool { return !f.keys[key] })
}

// allowed reports whether links may lead to a host.
func allowed(host string, hosts []string) bool {
	if len(hosts) == 0 {
		return true
	}
	return slices.ContainsFunc(hosts, func(one string) bool {
		one = strings.ToLower(one)
		if below, ok := strings.CutPrefix(one, "*."); ok {
			return strings.HasSuffix(host, "."+below)
		}
		return host == one
	})
}

// Read returns the claims of a text but for its promises, in no particular
// order.
func Read(text, language string) []Claim {
	p := &page{text: normal(text), language: primary(language)}
	p.rest = []byte(p.text)
	p.links()
	if p.has("0123456789") {
		p.phones()
		p.dates()
		p.times()
		p.numbers()
	}
	p.numberWords()
	p.words()
	return p.claims
}

// A page is a text of which parts were read already.
type page struct {
	text     string
	rest     []byte // the text, with spaces instead of what was read
	language string // primary subtag
	claims   []Claim
}

// has reports whether one of some characters is left.
func (p *page) has(chars string) bool { return bytes.ContainsAny(p.rest, chars) }

// take adds the claim between two places, and marks them as read.
func (p *page) take(from, to int, c Claim) {
	c.at, c.Text = from, p.text[from:min(to, from+200)]
	if c.raw == "" && c.Kind != Link {
		c.raw = string(c.Kind) + " " + spaced(c.Text)
	}
	p.claims = append(p.claims, c)
	for i := from; i < to; i++ {
		p.rest[i] = ' '
	}
}

// primary returns the first subtag of a language.
func primary(language string) string {
	first, _, _ := strings.Cut(strings.ToLower(language), "-")
	return first
}

// spaced returns a text folded, with single spaces.
func spaced(text string) string { return strings.Join(strings.Fields(fulltext.Fold(text)), " ") }
