package claims

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/fulltext"
)

var figures = regexp.MustCompile(`\d{1,3}(?:[ \x{a0}]\d{3})+(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*`)

// A figure is a number in a text.
type figure struct {
	from, to int    // of its digits
	end      int    // of its unit
	start    int    // of a currency before it
	unit     string // "" for none
	money    bool
	code     bool
	word     string // the value, if it is written as a word
}

// numbers takes numbers with what they count.
func (p *page) numbers() {
	var all []figure
	for _, at := range figures.FindAllIndex(p.rest, -1) {
		if f := (figure{from: at[0], to: at[1], start: at[0], end: at[1]}); !p.listItem(f) {
			p.units(&f)
			all = append(all, f)
		}
	}
	for i := len(all) - 2; i >= 0; i-- { // 3–5 days, €5–10
		a, b := &all[i], &all[i+1]
		if a.code || b.code || !p.joins(a.end, b.start) {
			continue
		}
		if a.unit == "" {
			a.unit, a.money = b.unit, b.money
		}
		if b.unit == "" {
			b.unit, b.money = a.unit, a.money
		}
	}
	for _, f := range all {
		p.figure(f)
	}
}

// figure takes a number.
func (p *page) figure(f figure) {
	text := f.word
	if text == "" {
		text = string(p.rest[f.from:f.to])
	}
	if f.code {
		p.take(f.start, f.end, Claim{Kind: Code, raw: "code " + fulltext.Fold(string(p.rest[f.start:f.end]))})
		return
	}
	values := p.values(text, f.money)
	c := Claim{Kind: Number}
	for _, value := range values {
		c.keys = append(c.keys, unitKey(f, value))
		c.more = append(c.more, numberKey(value))
		for _, other := range alsoUnits[f.unit] {
			c.more = append(c.more, unitKey(figure{unit: other, money: f.money}, value))
		}
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\u00a0' }) {
		c.more = append(c.more, numberKey(strings.Join(p.values(part, false), "|"))) // 12 345 may be two numbers
	}
	switch {
	case f.money:
		c.Kind = Price
	case f.unit != "":
		c.Kind = Quantity
	}
	c.raw = unitKey(f, "raw "+text)
	p.take(f.start, f.end, c)
}

func numberKey(value string) string { return "number " + value }

// unitKey is the reading of a number with its unit.
func unitKey(f figure, value string) string {
	if f.unit == "" {
		return numberKey(value)
	}
	return f.unit + " " + value
}

// values returns the possible values of a number: with two separators, the last
// one is the decimal's; one alone before three digits is a matter of the
// language, unless it is a price.
func (p *page) values(text string, money bool) []string {
	text = strings.NewReplacer(" ", "", nbsp, "", "'", "", "’", "").Replace(text)
	last := strings.LastIndexAny(text, ".,")
	if last < 0 {
		return []string{canonical(text, "")}
	}
	whole, rest := text[:last], text[last+1:]
	mark := text[last : last+1]
	other := map[string]string{".": ",", ",": "."}[mark]
	switch {
	case strings.Contains(whole, mark) && strings.Contains(whole, other), !grouped(whole, mark+other):
		return []string{text} // a version, or a list
	case strings.Contains(whole, other):
		return []string{canonical(strings.ReplaceAll(whole, other, ""), rest)}
	case strings.Contains(whole, mark):
		if len(rest) != 3 {
			return []string{text}
		}
		return []string{canonical(strings.ReplaceAll(text, mark, ""), "")}
	case len(rest) != 3 || len(whole) > 3 || strings.HasPrefix(whole, "0"):
		return []string{canonical(whole, rest)}
	}
	thousands, decimal := canonical(whole+rest, ""), canonical(whole, rest)
	english := p.language == "en"
	switch {
	case money:
		return []string{thousands}
	case p.language == "":
		return []string{thousands, decimal}
	case english == (mark == ","):
		return []string{thousands}
	}
	return []string{decimal}
}

// grouped reports whether the digits of a number are in groups of three.
func grouped(whole, marks string) bool {
	groups := strings.FieldsFunc(whole, func(r rune) bool { return strings.ContainsRune(marks, r) })
	return len(groups) == 1 || len(groups) > 1 && len(groups[0]) <= 3 && !slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 })
}

// canonical returns a number without zeros that mean nothing.
func canonical(whole, rest string) string {
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if rest = strings.TrimRight(rest, "0"); rest != "" {
		whole += "." + rest
	}
	return whole
}

// listItem reports whether a number only counts the lines of a list.
func (p *page) listItem(f figure) bool {
	before := bytes.TrimRight(p.rest[:f.from], " *#>-"+nbsp)
	after := string(p.rest[f.to:min(len(p.rest), f.to+20)])
	if len(before) > 0 && before[len(before)-1] != '\n' || f.to-f.from > 2 || len(after) < 3 || after[0] != '.' && after[0] != ')' || after[1] != ' ' {
		return false
	}
	word := firstWord(after)
	_, unit := unitNames[fulltext.Fold(word)]
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(after[2:], "* "))
	return !unit && unicode.IsLetter(first)
}

// units finds the unit or the currency of a number, or that it is part of a
// code.
func (p *page) units(f *figure) {
	if p.inCode(f) {
		return
	}
	rest := string(p.rest[f.to:min(len(p.rest), f.to+60)])
	after := strings.TrimLeft(rest, " "+nbsp)
	for _, decoration := range []string{",-", ",–", ".-", ".–", ",—", "-"} {
		if cut, ok := strings.CutPrefix(after, decoration); ok && (decoration != "-" || cut != "" && unicode.IsLetter(rune(cut[0]))) {
			after = strings.TrimLeft(cut, " "+nbsp)
			break
		}
	}
	for symbol, currency := range symbols {
		if strings.HasPrefix(after, symbol) {
			f.unit, f.money, f.end = currency, true, f.to+len(rest)-len(after)+len(symbol)
			return
		}
	}
	if strings.HasPrefix(after, "%") {
		f.unit, f.end = percent, f.to+len(rest)-len(after)+1
		return
	}
	if length, unit := unitAt(after); unit != "" {
		f.unit, f.end = unit, f.to+len(rest)-len(after)+length
		_, f.money = currencyNames[unit]
		return
	}
	p.currencyBefore(f)
}

// unitAt returns the unit at the beginning of a text, and how long it is.
func unitAt(text string) (int, string) {
	var at [][2]int
	for from, to := range words([]byte(text)) {
		if at = append(at, [2]int{from, to}); len(at) == 3 {
			break
		}
	}
	if len(at) == 0 || at[0][0] != 0 {
		return 0, ""
	}
	word := func(i int) string {
		if i >= len(at) || strings.Trim(text[at[i-1][1]:at[i][0]], " -"+nbsp) != "" {
			return ""
		}
		return fulltext.Fold(text[at[i][0]:at[i][1]])
	}
	first := fulltext.Fold(text[at[0][0]:at[0][1]])
	unit := unitNames[first]
	switch {
	case unit == "day" && among(ofBusiness, word(1)):
		return at[1][1], "business day"
	case unit != "":
		return at[0][1], unit
	case among(" business working is pracovnich pracovni ", first) && unitNames[word(1)] == "day":
		return at[1][1], "business day"
	case among(" pour por per ", first) && among(" cent ciento cento ", word(1)):
		return at[1][1], percent
	}
	return 0, ""
}

// currencyBefore finds a currency before a number: €5, CHF 5, US$ 5.
func (p *page) currencyBefore(f *figure) {
	before := strings.TrimRight(string(p.rest[max(0, f.from-12):f.from]), " "+nbsp)
	start := f.from - len(string(p.rest[max(0, f.from-12):f.from])) + len(before)
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) && r != '$' && r != '.' })+1:]
	unit := unitNames[fulltext.Fold(strings.Trim(word, "."))]
	if _, money := currencyNames[unit]; money && word != "" {
		f.unit, f.money, f.start = unit, true, start-len(word)
		return
	}
	for symbol, currency := range symbols {
		if strings.HasSuffix(before, symbol) {
			f.unit, f.money, f.start = currency, true, start-len(symbol)
		}
	}
}

// inCode finds out whether a number is glued to letters that are no unit, such
// as A4 or NW-10442.
func (p *page) inCode(f *figure) bool {
	from, to := f.from, f.to
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
	for from > 0 {
		r, size := utf8.DecodeLastRune(p.rest[:from])
		if !part(r) || f.from-from > 40 {
			break
		}
		from -= size
	}
	for to < len(p.rest) {
		r, size := utf8.DecodeRune(p.rest[to:])
		if !part(r) || to-f.to > 40 {
			break
		}
		to += size
	}
	before, after := strings.TrimLeft(string(p.rest[from:f.from]), "-_0123456789"), strings.TrimRight(string(p.rest[f.to:to]), "-_")
	if _, money := currencyNames[unitNames[fulltext.Fold(strings.Trim(before, "-"))]]; money || !strings.ContainsFunc(before, unicode.IsLetter) {
		before = ""
	}
	tail := strings.TrimLeft(after, "-")
	word := firstWord(tail)
	ordinal := among(" st nd rd th er e a o x ", strings.ToLower(tail))
	known := unitNames[fulltext.Fold(word)] != "" && strings.HasPrefix(tail, word)
	if known || ordinal || !strings.ContainsFunc(after, unicode.IsLetter) || strings.HasPrefix(after, "-") {
		after = ""
	}
	if before == "" && after == "" {
		return false
	}
	f.code, f.start, f.end = true, from, to
	return true
}

// joins reports whether what stands between two numbers makes them a range.
func (p *page) joins(from, to int) bool {
	if to < from || to-from > 12 {
		return false
	}
	between := fulltext.Fold(strings.Trim(string(p.rest[from:to]), " "+nbsp))
	return among(" - – — to bis a al tot do till til az ila or and oder und ou et o y e of en eller och og lub i nebo veya ve ", between)
}

// numberWords takes numbers that are written as words and have a unit.
func (p *page) numberWords() {
	for from, to := range words(p.rest) {
		value, ok := wordValues[fulltext.Fold(string(p.rest[from:to]))]
		if !ok || value.only != "" && value.only != p.language {
			continue
		}
		rest := string(p.rest[to:min(len(p.rest), to+60)])
		after := strings.TrimLeft(rest, " -"+nbsp)
		if length, unit := unitAt(after); unit != "" {
			_, money := currencyNames[unit]
			p.figure(figure{from: from, to: to, start: from, end: to + len(rest) - len(after) + length, unit: unit, money: money, word: value.value})
		}
	}
}

// firstWord returns the first word of a text.
func firstWord(text string) string {
	for from, to := range words([]byte(text)) {
		return text[from:to]
	}
	return ""
}
