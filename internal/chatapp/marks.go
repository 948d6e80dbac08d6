package chatapp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marked returns a text in Markdown with the marks of the messaging application. It
// knows what web/shared/markup.ts knows: **bold**, *italic* and links with words become
// *bold*, _italic_ and the words followed by the address. Code, lists and quotes are
// written the same in both.
func Marked(text string) string {
	lines := strings.Split(text, "\n")
	last := len(lines) - 1 // the last line that can close a block of code
	for last >= 0 && !strings.HasPrefix(lines[last], codeFence) {
		last--
	}
	inside := false
	for i, line := range lines {
		switch fence := strings.HasPrefix(line, codeFence); {
		case fence && (inside || i < last):
			inside = !inside
		case !inside:
			lines[i] = markedLine(line)
		}
	}
	return strings.Join(lines, "\n")
}

const codeFence = "```"

// A mark is what begins or ends bold or italic text, and its place in a line.
type mark struct {
	text string
	at   int // the index of its part
}

// markedLine returns a line with the marks of the messaging application.
func markedLine(line string) string {
	var parts []string
	var open []mark
	plain := 0 // where the text begins that is in no part yet
	before := ' '
	for at := 0; at < len(line); {
		if text, size := verbatim(line[at:]); size > 0 {
			parts = append(parts, line[plain:at], text)
			at += size
			plain, before = at, '.'
			continue
		}
		text := markAt(line[at:], open)
		if text == "" {
			r, size := utf8.DecodeRuneInString(line[at:])
			at += size
			before = r
			continue
		}
		after := ' '
		if rest := line[at+len(text):]; rest != "" {
			after, _ = utf8.DecodeRuneInString(rest)
		}
		same := slices.IndexFunc(open, func(m mark) bool { return m.text == text })
		switch {
		case same >= 0 && !unicode.IsSpace(before) && !isWordRune(after):
			parts = append(parts, line[plain:at], applicationMarks[text])
			parts[open[same].at] = applicationMarks[text]
			open = open[:same]
		case same < 0 && !unicode.IsSpace(after) && !isWordRune(before):
			parts = append(parts, line[plain:at], text)
			open = append(open, mark{text, len(parts) - 1})
		default:
			parts = append(parts, line[plain:at], text)
		}
		at += len(text)
		plain, before = at, rune(text[0])
	}
	return strings.Join(append(parts, line[plain:]), "")
}

// applicationMarks are the marks of the messaging application for those of Markdown.
var applicationMarks = map[string]string{"**": "*", "*": "_", "_": "_"}

// markAt returns the mark at the beginning of a text, "" if there is none.
func markAt(text string, open []mark) string {
	if strings.HasPrefix(text, "**") {
		if strings.HasPrefix(text, "***") && len(open) > 0 && open[len(open)-1].text == "*" {
			return "*"
		}
		return "**"
	}
	if text[0] == '*' || text[0] == '_' {
		return text[:1]
	}
	return ""
}

// The longest parts of a link, and the longest code, that are understood. They bound the
// time for a text that begins many and ends none.
const (
	maxLinkWords   = 300
	maxLinkAddress = 2048
)

// verbatim returns what replaces the code, the address or the link at the beginning of a
// text, and the length of that.
func verbatim(text string) (replacement string, size int) {
	switch {
	case text[0] == '`':
		if end := strings.IndexByte(text[1:min(len(text), maxLinkAddress)], '`'); end > 0 {
			return text[:end+2], end + 2
		}
	case strings.HasPrefix(text, "https://"), strings.HasPrefix(text, "http://"):
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		return text[:end], end
	case text[0] == '[':
		words, rest, ok := strings.Cut(text[1:min(len(text), maxLinkWords+maxLinkAddress)], "](")
		if !ok || words == "" || strings.ContainsAny(words, "[]") {
			return "", 0
		}
		address, _, ok := strings.Cut(rest, ")")
		if ok && (strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")) && !strings.ContainsAny(address, " \t<>\"[]()") {
			return words + " (" + address + ")", len(words) + len(address) + len("[]()")
		}
	}
	return "", 0
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
