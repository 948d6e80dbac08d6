package knowledge

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRedacted is the most bytes of one message that are read.
const maxRedacted = 64 << 10

var (
	// greeting is the beginning of a text that addresses somebody, up to its comma.
	greeting = regexp.MustCompile(`(?i)^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|moin|liebe[rs]?|` +
		`sehr geehrte[rs]?|bonjour|bonsoir|salut|ch[eè]re?|hola|buen[oa]s (?:d[ií]as|tardes|noches)|estimad[oa])\b(?:[ \t]+[^\s,!.:?]+){0,5}[ \t]*[,!.:]?[ \t]*(?:\n|$|\b)?`)
	// farewell is a line that begins a signature.
	farewell = regexp.MustCompile(`(?i)^\s*(?:--+\s*$|(?:with )?(?:best|kind|warm)(?:est)? (?:regards|wishes)|regards|best|cheers|sincerely|yours|thanks(?:,| and|!?\s*$)|` +
		`thank you(?:,|!?\s*$)|(?:viele|beste|liebe|freundliche|herzliche|sch[oö]ne) gr[uü](?:ß|ss)e|mit (?:freundlichen|besten) gr[uü](?:ß|ss)en|gru(?:ß|ss)|vg|lg|mfg|` +
		`cordialement|bien [aà] vous|(?:un )?saludos?|atentamente|un abrazo)\b.{0,80}$`)
	// street is a postal address.
	street = regexp.MustCompile(`(?i)\b[\p{L}-]*(?:straße|strasse|str\.|gasse|allee|platz|weg)\s+\d+\s?[a-z]?\b|` +
		`\b\d{1,5}[a-z]?,?\s+(?:[\p{L}'.-]+\s+){1,3}(?:street|st|road|rd|avenue|ave|lane|drive)\b|\b\d{1,5},?\s+(?:rue|avenue|boulevard|place)(?:\s+[\p{L}'-]+){1,4}|\b(?:calle|avenida|plaza)(?:\s+[\p{L}'-]+){1,4},?\s+\d+`)
	// account is the beginning of an account number (ISO 13616), written in groups.
	account = regexp.MustCompile(`^[A-Z]{2}\d{2}$`)
	// mark is what begins a line of a list or heading.
	mark = regexp.MustCompile(`^\s*(?:[-*+>]|#{1,6}|\d{1,2}[.)])\s+`)
)

// particles are parts of names that are words of their own.
var particles = []string{"van", "von", "der", "den", "de", "la", "le", "di", "da", "del", "bin", "al", "el", "the", "and", "und", "et", "y"}

// ambiguous are names that are also words: they are struck if they begin with a
// capital letter.
var ambiguous = []string{"will", "may", "mark", "april", "june", "rose", "grace", "hope", "art", "bill", "sue", "pat", "rich", "frank", "max", "drew", "chase", "automated", "agent", "visitor", "phone"}

// A redactor leaves out of texts what could identify a person.
type redactor struct{ names map[string]bool }

// newRedactor returns a redactor that knows some people's names.
func newRedactor(names []string) *redactor {
	r := &redactor{names: map[string]bool{}}
	for _, name := range names {
		for _, part := range strings.FieldsFunc(strings.ToLower(name), notInName) {
			if utf8.RuneCountInString(part) > 1 && !slices.Contains(particles, part) {
				r.names[part] = true
			}
		}
	}
	return r
}

func notInName(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) }

// redact returns a text without greeting, signature, names, addresses, and numbers
// of orders, accounts and phones, which are replaced by [Struck].
func (r *redactor) redact(text string) string {
	text = strings.ReplaceAll(cut(text, maxRedacted), "\r\n", "\n")
	if at := greeting.FindStringIndex(text); at != nil {
		text = text[at[1]:]
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if farewell.MatchString(line) && len(lines) > 0 {
			break
		}
		lines = append(lines, r.line(line))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func (r *redactor) line(line string) string {
	start := mark.FindString(line)
	line = street.ReplaceAllString(line[len(start):], Struck)
	words := strings.Fields(line)
	kept := make([]string, 0, len(words))
	for i := 0; i < len(words); {
		digits, end := numberAt(words, i)
		switch {
		case digits > maxPlainDigits:
			kept = append(kept, Struck)
			i = end
		default:
			kept = append(kept, r.word(words[i]))
			i++
		}
		if n := len(kept); n > 1 && kept[n-1] == Struck && kept[n-2] == Struck {
			kept = kept[:n-1]
		}
	}
	return start + strings.Join(kept, " ")
}

// word returns a word, or Struck with the punctuation around it.
func (r *redactor) word(word string) string {
	core := strings.TrimFunc(word, func(c rune) bool { return unicode.IsPunct(c) && c != '#' && c != '@' })
	if core == "" || !r.personal(word, core) {
		return word
	}
	before, after, _ := strings.Cut(word, core)
	return before + Struck + after
}

func (r *redactor) personal(word, core string) bool {
	if strings.Contains(word, "://") || strings.HasPrefix(strings.ToLower(core), "www.") {
		return strings.ContainsAny(word, "?@#=")
	}
	if strings.ContainsRune(word, '@') {
		return true
	}
	if digits := countDigits(core); digits > 0 {
		letters := strings.ContainsFunc(core, unicode.IsLetter)
		year := digits == 4 && len(core) == 4 && (strings.HasPrefix(core, "19") || strings.HasPrefix(core, "20"))
		return core[0] == '#' || account.MatchString(core) || letters && digits > 2 || digits > 3 && !year && !strings.ContainsAny(core, ".,")
	}
	first, _ := utf8.DecodeRuneInString(core)
	for _, part := range strings.FieldsFunc(core, notInName) {
		folded := strings.ToLower(part)
		if r.names[folded] && (!slices.Contains(ambiguous, folded) || unicode.IsUpper(first)) {
			return true
		}
	}
	return false
}
