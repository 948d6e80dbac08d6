package claims

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"parley/internal/fulltext"
)

// nbsp is what remains of spaces that do not break: they group digits.
const nbsp = "\u00a0"

// normal returns a text with one spelling of what has several: compatible forms
// of letters, digits of all scripts, spaces that do not break. Invisible
// characters go, so that they cannot split a number.
func normal(text string) string {
	var b strings.Builder
	for i, piece := range strings.FieldsFunc(nbsp+text+nbsp, func(r rune) bool { return strings.ContainsRune("\u00a0\u202f\u2007\u2009", r) }) {
		if i > 0 {
			b.WriteString(nbsp)
		}
		for _, r := range compatible(piece) {
			switch {
			case unicode.Is(unicode.Cf, r):
			case r > unicode.MaxASCII && unicode.Is(unicode.Nd, r):
				b.WriteByte('0' + digit(r))
			default:
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// compatible returns a text in the form NFKC.
func compatible(text string) string {
	if norm.NFKC.IsNormalString(text) && utf8.ValidString(text) {
		return text
	}
	return norm.NFKC.String(strings.ToValidUTF8(text, " "))
}

// digit returns the value of a digit. Digits of a script are in order, and begin
// where the ten before them end.
func digit(r rune) byte {
	for _, one := range unicode.Nd.R16 {
		if rune(one.Lo) <= r && r <= rune(one.Hi) {
			return byte((r - rune(one.Lo)) % 10)
		}
	}
	for _, one := range unicode.Nd.R32 {
		if rune(one.Lo) <= r && r <= rune(one.Hi) {
			return byte((r - rune(one.Lo)) % 10)
		}
	}
	return 0
}

var (
	schemes = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]{0,20}://[^\s<>"]*|\b(?:mailto|tel|sms|javascript|data|vbscript|file|blob|skype|whatsapp):[^\s<>"]+`)
	emails  = regexp.MustCompile(`[^\s@<>()\[\]{}"',;:!?]*@[^\s@<>()\[\]{}"',;:!?/]+`)
	domains = regexp.MustCompile(`(?:[\p{L}\d][\p{L}\p{M}\d-]*\.)+\p{L}[\p{L}\p{M}\d-]+(?:[:/?#][^\s<>"]*)?|[A-Za-z\d][A-Za-z\d.-]*。[A-Za-z\d][A-Za-z\d.。-]*|\b(?i:localhost)\b(?:[:/][^\s<>"]*)?|\b[A-Za-z][A-Za-z\d-]*:\d{2,5}/[^\s<>"]*`)
	images  = regexp.MustCompile(`!\[[^\]\n]{0,200}\]`)
)

// abbreviations look like names of hosts, and are none.
const abbreviations = " f.eks f.kr e.kr fr.o.m m.in n.chr o.fl p.ej p.ex t.ex t.zn u.dgl v.chr z.bsp "

// links takes links, addresses of e-mail, and pictures, which no answer has.
func (p *page) links() {
	if !p.has(".:!@。") && !strings.Contains(strings.ToLower(p.text), "localhost") {
		return
	}
	for _, at := range images.FindAllIndex(p.rest, -1) {
		p.take(at[0], at[1], Claim{Kind: Link})
	}
	if p.has(":") {
		for _, at := range schemes.FindAllIndex(p.rest, -1) {
			p.link(at[0], at[1])
		}
	}
	if p.has("@") {
		p.emails()
	}
	for _, at := range domains.FindAllSubmatchIndex(p.rest, -1) {
		text := string(p.rest[at[0]:at[1]])
		name := text
		if end := strings.IndexAny(text, ":/?#"); end >= 0 {
			name = text[:end]
		}
		if len(name) < len(text) || !nameless(name) {
			p.link(at[0], at[1])
		}
	}
}

// nameless reports whether a text with the form of a host's name is none: an
// abbreviation, or a day with its month. There are too many endings of names to
// know, so a sentence that begins without a space counts as a name.
func nameless(name string) bool {
	name = strings.ToLower(name)
	first, last, _ := strings.Cut(name, ".")
	return among(abbreviations, name) || strings.Trim(first, "0123456789") == "" && months[fulltext.Fold(last)] != 0
}

// emails takes addresses of e-mail, and names in networks such as @shop.
func (p *page) emails() {
	for _, at := range emails.FindAllIndex(p.rest, -1) {
		text := strings.TrimRight(string(p.rest[at[0]:at[1]]), ".*_")
		if !strings.HasSuffix(text, "@") {
			p.take(at[0], at[0]+len(text), Claim{Kind: Email, raw: emailKey(text)})
		}
	}
}

// link takes a link without the punctuation after it.
func (p *page) link(from, to int) {
	text := strings.TrimRight(p.text[from:to], ".,;:!?)]}'\"»“”*_…")
	if text != "" {
		p.take(from, from+len(text), linkClaim(text))
	}
}

func emailKey(text string) string { return "email " + strings.ToLower(text) }

// linkClaim returns the claim of a link. Its raw text is empty if no answer may
// contain it: it is malformed, has a user, or a scheme other than http, https,
// mailto and tel.
func linkClaim(text string) Claim {
	c := Claim{Kind: Link}
	if !strings.Contains(text, ":") || schemes.FindString(text) == "" {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil {
		return c
	}
	switch u.Scheme {
	case "mailto":
		if address := u.RequestURI(); !strings.Contains(address, "?") { // which would write the mail
			return Claim{Kind: Email, raw: emailKey(address)}
		}
	case "tel":
		return Claim{Kind: Phone, raw: phoneKey(u.Opaque)}
	case "http", "https":
		host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
		if port := u.Port(); port != "" && port != "80" && port != "443" {
			host += ":" + port
		}
		path, query, _ := strings.Cut(u.RequestURI(), "?")
		if host != "" {
			c.host = host
			c.raw = "link " + host + strings.TrimRight(path, "/") + "?" + query + "#" + u.EscapedFragment()
		}
	}
	return c
}

var phones = regexp.MustCompile(`(?:\+|\b00?|\(0?)\d(?:[ \x{a0}()/.–-]{0,3}\d){5,18}\b|\b\d{3}-\d{3}-\d{4}\b`)

// phones takes phone numbers: those that begin with "+", "0" or "(", or have the
// form of America.
func (p *page) phones() {
	for _, at := range phones.FindAllIndex(p.rest, -1) {
		text := string(p.rest[at[0]:at[1]])
		if date := numericDate.FindStringIndex(text); date != nil && date[0] == 0 || isoDate.MatchString(text) || len(text) > 1 && text[0] == '0' && strings.Trim(text, "0123456789") == "." {
			continue // 0.1234567 is a number, 01.02.2026 a date
		}
		p.take(at[0], at[1], Claim{Kind: Phone, raw: phoneKey(text)})
	}
}

// phoneKey returns the digits of a phone number, without the zeros before a
// country's code.
func phoneKey(text string) string {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, strings.Replace(text, "(0)", "", 1))
	return "phone " + strings.TrimPrefix(digits, "00")
}

// promises returns the promises of a text.
func promises(text string) []Claim {
	folded := plain(text)
	var all []Claim
	for _, phrase := range promised {
		at := strings.Index(folded, phrase)
		if at < 0 || slices.ContainsFunc(all, func(c Claim) bool { return strings.Contains(c.raw, phrase) }) {
			continue
		}
		all = append(all, Claim{Kind: Promise, Text: phrase, raw: phrase, at: at})
	}
	return all
}

// plain returns a text in which promises are looked for.
func plain(text string) string {
	return " " + spaced(strings.NewReplacer("’", "'", "`", "'").Replace(text)) + " "
}
