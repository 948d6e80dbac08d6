package fulltext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley"
)

// A span is a place of a text, in bytes, and which term stands there.
type span struct{ start, end, term int }

// Snippet returns the part of a text in which most words of the query are, in
// at most limit characters, cut into segments. Blank space becomes single
// spaces, and "…" stands where text was left out. Where nothing matches it is
// the beginning of the text; of a blank text it is empty.
func (q Query) Snippet(text string, limit int) []parley.Segment {
	text = strings.Join(strings.FieldsFunc(normal(text), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	spans := q.spans(text)
	from, lead := 0, limit/4 // what stands before the first match
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

// spans returns where words of the query stand, from left to right.
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

// best returns the span from which on most different terms are within reach.
func best(spans []span, reach int) int {
	best, most := 0, 0
	for i := range spans[:min(len(spans), 500)] {
		var seen uint64
		count := 0
		for _, s := range spans[i:] {
			if s.end > spans[i].start+reach { // bytes for characters: near enough
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

// backwards returns the place count characters before at, or a little later
// where a word begins.
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

// window returns the part of a text that begins at from, or earlier where the
// text ends before limit, and leaves room for the "…" on either side.
func window(text string, from, limit int) (start, end int) {
	rest := utf8.RuneCountInString(text[from:])
	room := limit
	if from > 0 {
		room--
	}
	if rest <= room {
		if from > 0 {
			from = backwards(text, from, room-rest)
		}
		return from, len(text)
	}
	end = from
	for range room - 1 {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return from, end
}
