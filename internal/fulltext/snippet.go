package fulltext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley"
)

// A span is a range of a text, in bytes, that matches a term.
type span struct{ start, end, term int }

// Snippet returns the part of a text with the most words of the query, at most
// limit characters long, split into segments. White space becomes single
// spaces, and "…" marks omitted text. Without a match it is the beginning of
// the text; for a blank text it is empty.
func (q Query) Snippet(text string, limit int) []parley.Segment {
	text = strings.Join(strings.FieldsFunc(normal(text), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	spans := q.spans(text)
	from, lead := 0, limit/4 // context before the first match
	if len(spans) > 0 {
		from = backwards(text, spans[best(spans, limit-lead)].start, lead)
	}
	start, end := window(text, from, limit)
	var segments []parley.Segment
	add := func(part string, match bool) {
		switch last := len(segments) - 1; {
		case part == "":
		case last >= 0 && segments[last].Match == match:
			segments[last].Text += part
		default:
			segments = append(segments, parley.Segment{Text: part, Match: match})
		}
	}
	if start > 0 {
		add("…", false)
	}
	at := start
	for _, s := range spans {
		low, high := max(s.start, at), min(s.end, end)
		if low < high {
			add(text[at:low], false)
			add(text[low:high], true)
			at = high
		}
	}
	add(text[at:end], false)
	if end < len(text) {
		add("…", false)
	}
	return segments
}

// spans returns the matches of the query in a text, from left to right.
func (q Query) spans(text string) []span {
	var terms []parley.SearchTerm
	for _, alternative := range q.Alternatives {
		terms = append(terms, alternative...)
	}
	var spans []span
	scan(text, func(t token) {
		for i, term := range terms {
			if term.Finds(t.word) {
				spans = append(spans, span{t.start, t.end, i})
			}
		}
	})
	slices.SortFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.end - b.end
	})
	return spans
}

// best returns the span with the most different terms within reach after its
// start.
func best(spans []span, reach int) int {
	best, most := 0, 0
	for i := range spans[:min(len(spans), 500)] {
		var seen uint64
		count := 0
		for _, s := range spans[i:] {
			if s.end > spans[i].start+reach { // bytes instead of characters are close enough
				break
			}
			if bit := uint64(1) << (s.term % 64); seen&bit == 0 {
				seen |= bit
				count++
			}
		}
		if count > most {
			best, most = i, count
		}
	}
	return best
}

// backwards returns the position count characters before at, or a little later
// at the start of a word.
func backwards(text string, at, count int) int {
	from := at
	for range count {
		if from == 0 {
			return 0
		}
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	if space := strings.IndexByte(text[from:at], ' '); space >= 0 {
		from += space + 1
	}
	return from
}

// window returns the part of a text that starts at from, or earlier if the text
// ends before limit. It leaves space for the "…" on either side.
func window(text string, from, limit int) (start, end int) {
	rest := utf8.RuneCountInString(text[from:])
	space := limit
	if from > 0 {
		space--
	}
	if rest <= space {
		if from > 0 {
			from = backwards(text, from, space-rest)
		}
		return from, len(text)
	}
	end = from
	for range space - 1 {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return from, end
}
