package modelsim

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Toy is the name of the model that the demo shows to people. It answers with a
// passage of the source that fits best: the sentence that shares the rarest
// words with the question, and up to two that follow it. It repeats a text that
// it is to write anew, and understands nothing.
const Toy = "toy-quoting"

const (
	// maxQuoted is the most sentences of a passage, and maxPassage the most bytes
	// to which another one is added.
	maxQuoted  = 3
	maxPassage = 400
	// maxScanned is the most bytes of a source or of a question that the toy
	// reads.
	maxScanned = 32 << 10
)

// passage answers as Toy does.
func (p prompt) passage() reply {
	switch {
	case len(p.sources) == 0 && p.kind == "text":
		return reply{Action: "answer", Answer: p.question}
	case len(p.sources) == 0 && p.kind == "conversation":
		return reply{Action: "answer", Answer: recap(p.question)}
	case len(p.sources) == 0:
		return p.quote()
	}
	all := make([][]section, len(p.sources))
	for i, source := range p.sources {
		all[i] = sectionsOf(head(source.text))
	}
	weights, lead := p.weigh(all)
	found, best := reply{Action: "handover", Sources: []string{}}, -1.0
	for i, sections := range all {
		// Sources come in the order of a search, whose first hit is usually right.
		prior := 1 / (1 + float64(i)/4)
		title, _, _ := strings.Cut(p.sources[i].text, "\n")
		named := weights.of(title)
		for k, s := range sections {
			for at, sentence := range s {
				score := (weights.of(sentence) + named) * prior
				if k == 0 && at == 0 { // what an article begins with is often the answer
					score += lead * prior
				}
				if score > best {
					best, found = score, reply{Action: "answer", Sources: []string{p.sources[i].id}, Answer: s.from(at)}
				}
			}
		}
	}
	return found
}

// recap repeats the first message of a customer, and the last two of anybody.
func recap(transcript string) string {
	lines := strings.Split(strings.TrimSpace(transcript), "\n")
	for i, line := range lines {
		if _, after, ok := strings.Cut(line, " customer: "); ok {
			lines[i] = "Customer: " + after
		} else if _, after, ok := strings.Cut(line, " team: "); ok {
			lines[i] = "Team: " + after
		}
	}
	if len(lines) > 3 {
		lines = append(lines[:1], lines[len(lines)-2:]...)
	}
	return strings.Join(lines, "\n")
}

// head returns the beginning of a text.
func head(text string) string {
	if len(text) > maxScanned {
		text = strings.ToValidUTF8(text[:maxScanned], "")
	}
	return text
}

// A section is the sentences of a source between two headings.
type section []string

// from returns a passage that begins with a sentence.
func (s section) from(at int) string {
	quoted := s[at]
	for _, next := range s[at+1 : min(at+maxQuoted, len(s))] {
		if len(quoted)+len(next) > maxPassage {
			break
		}
		quoted += " " + next
	}
	return quoted
}

// sectionsOf returns the sections of a source, without its title, and without
// the description below it unless there is nothing else: it says what an
// article answers, not the answer.
func sectionsOf(text string) []section {
	_, text, _ = strings.Cut(text, "\n")
	description, text, _ := strings.Cut(text, "\n")
	var all []section
	begin := true
	for line := range strings.Lines(text) {
		line = unmarked(strings.TrimSpace(line))
		if last, _ := utf8.DecodeLastRuneInString(line); !strings.ContainsRune(".!?…:。！？", last) {
			begin = true // a heading, or a link
			continue
		}
		if begin {
			all = append(all, nil)
			begin = false
		}
		all[len(all)-1] = append(all[len(all)-1], split(line)...)
	}
	if len(all) == 0 && description != "" {
		all = []section{{description}}
	}
	return all
}

// unmarked returns a line without the mark of a list.
func unmarked(line string) string {
	line = strings.TrimLeft(line, "#*-•> ")
	rest := strings.TrimLeft(line, "0123456789")
	if after, ok := strings.CutPrefix(rest, ". "); ok && rest != line {
		return strings.TrimSpace(after)
	}
	return line
}

// split returns the sentences of a line. A point inside one, as in "z. B.",
// "i.e. not" and "3. March", ends none.
func split(line string) []string {
	var all []string
	begin, word := 0, 0 // where the sentence and its last word begin
	before := ' '
	for at, r := range line {
		if r == ' ' && strings.ContainsRune(".!?…", before) && !(before == '.' && inside(line[word:at-1], line[at+1:])) || strings.ContainsRune("。！？", before) {
			if sentence := strings.TrimSpace(line[begin:at]); sentence != "" {
				all = append(all, sentence)
			}
			begin = at
		}
		if before == ' ' {
			word = at
		}
		before = r
	}
	if sentence := strings.TrimSpace(line[begin:]); sentence != "" {
		all = append(all, sentence)
	}
	return all
}

// inside reports whether a point between a word and the rest of a line belongs
// to the word.
func inside(word, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLower(next) || utf8.RuneCountInString(word) < 2 || strings.Trim(word, "0123456789") == ""
}

// weights are how much the words of a question tell, by stem: the rarer a word is
// in the sources, the more.
type weights map[string]float64

// weigh weighs the words of the question, and the place at the beginning of a
// source.
func (p prompt) weigh(all [][]section) (asked weights, lead float64) {
	asked = weights{}
	for stem := range stems(head(p.question)) {
		asked[stem] = 0
	}
	sentences := 0
	for _, sections := range all {
		for _, s := range sections {
			for _, sentence := range s {
				sentences++
				for stem := range stems(sentence) {
					if _, ok := asked[stem]; ok {
						asked[stem]++
					}
				}
			}
		}
	}
	for stem, n := range asked {
		asked[stem] = math.Log1p(float64(sentences) / (1 + n))
		if utf8.RuneCountInString(stem) < 5 { // often a word such as "with"
			asked[stem] /= 4
		}
	}
	return asked, math.Log1p(float64(sentences)) / 2
}

// of returns the weight of a text.
func (w weights) of(text string) float64 {
	sum := 0.0
	for stem := range stems(text) {
		sum += w[stem]
	}
	return sum
}

// stems returns the stems of the words of a text that have three letters or
// more.
func stems(text string) map[string]bool {
	found := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(word) >= 3 {
			found[stem(word)] = true
		}
	}
	return found
}
