package answering

import (
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/bot/claims"
	"parley/internal/bot/prompt"
	"parley/internal/bot/reply"
)

// What is wrong with an answer besides the claims of package claims.
const (
	Uncited    claims.Kind = "uncited"    // it cites no source that was given
	Ungrounded claims.Kind = "ungrounded" // a sentence about what the sources do not mention
	Overlong   claims.Kind = "overlong"   // or without an end
	Internal   claims.Kind = "internal"   // it tells parts of the prompt
)

const (
	// ends are the characters after which a sentence may end.
	ends = ".!?…。！？\n"
	// haste and patience are after how many bytes a reply is read again, with and
	// without the end of a sentence.
	haste, patience = 40, 400
)

// A stream is a reply on its way. It checks sentences while they arrive.
type stream struct {
	*work

	prompt prompt.Prompt
	hosts  []string
	all    []Source // that the model was given

	text    strings.Builder
	read    int  // bytes of text that were read
	ended   bool // what was not read, or the piece before, may have the end of a sentence
	checked int  // bytes of the answer that were checked
	stopped bool
	refused error // of emit
	cited   []Source
	basis   *basis // of the cited sources, nil before they are known
}

// take takes a piece of the reply.
func (s *stream) take(piece string) error {
	s.text.WriteString(piece)
	if s.text.Len() > maxReply {
		return errTooLong
	}
	ends := strings.ContainsAny(piece, ends)
	s.ended = s.ended || ends
	wait := patience
	if s.ended {
		wait = haste
	}
	if s.emit == nil || s.stopped || s.text.Len()-s.read < wait {
		return nil
	}
	s.read, s.ended = s.text.Len(), ends // a sentence ends where the next one begins
	r, ok := reply.Partial(s.text.String())
	if !ok || r.Action != reply.Answer || utf8.RuneCountInString(r.Text) > maxAnswer {
		return nil
	}
	if s.basis == nil && !s.cite(r.Sources) {
		s.stopped = true
		return nil
	}
	return s.show(r.Text, r.Complete)
}

// show emits the sentences that have arrived, until one is not supported.
func (s *stream) show(text string, complete bool) error {
	for !s.stopped && s.checked < len(text) {
		sentence := next(text[s.checked:], complete)
		if sentence == "" {
			return nil
		}
		clean := s.cleaned(sentence)
		if len(s.basis.check(clean, s)) > 0 {
			s.stopped = true
			return nil
		}
		if s.refused = s.emit(Sentence{Text: clean, Sources: s.cited}); s.refused != nil {
			return s.refused
		}
		s.checked += len(sentence)
	}
	return nil
}

// rest emits what was not shown of a verified answer.
func (s *stream) rest(r reply.Reply) error {
	if s.emit == nil {
		return nil
	}
	for s.checked < len(r.Text) {
		sentence := next(r.Text[s.checked:], true)
		s.checked += len(sentence)
		if err := s.emit(Sentence{Text: s.cleaned(sentence), Sources: s.cited}); err != nil {
			return err
		}
	}
	return nil
}

// cite takes the sources that a reply names. It reports false if there are none,
// or one was not given.
func (s *stream) cite(marks []string) bool {
	s.cited = nil
	var given []prompt.Source
	for _, mark := range marks {
		source, ok := s.prompt.Sources[mark]
		if !ok {
			return false
		}
		given = append(given, source)
		at := slices.IndexFunc(s.all, func(one Source) bool { return one.ArticleID.String() == source.ID })
		s.cited = append(s.cited, s.all[at])
	}
	s.basis = newBasis(given)
	return len(given) > 0
}

// verify checks a whole reply. It returns the text as a customer may read it,
// and what speaks against sending it.
func (s *stream) verify(r reply.Reply) (string, []claims.Claim) {
	most := maxAnswer
	if r.Action == reply.Clarify {
		most = maxQuestion
		s.question()
	} else if !s.cite(r.Sources) {
		return s.cleaned(r.Text), []claims.Claim{{Kind: Uncited}}
	}
	if !r.Complete || utf8.RuneCountInString(r.Text) > most {
		return s.cleaned(r.Text), []claims.Claim{{Kind: Overlong}}
	}
	var text strings.Builder
	var unchecked []claims.Claim
	for at := 0; at < len(r.Text); {
		sentence := next(r.Text[at:], true)
		at += len(sentence)
		sentence = s.cleaned(sentence)
		text.WriteString(sentence)
		unchecked = append(unchecked, s.basis.check(sentence, s)...)
	}
	if len(unchecked) == 0 { // claims that span sentences
		unchecked = s.basis.facts.Check(text.String(), claims.Rules{Language: string(s.talk.language), Hosts: s.hosts})
	}
	return strings.TrimSpace(text.String()), unchecked
}

// question takes what a question to the customer may contain: all that the model
// was given of articles, and what the customer wrote.
func (s *stream) question() {
	var given []prompt.Source
	for _, source := range s.prompt.Sources {
		given = append(given, source)
	}
	for _, turn := range s.q.Turns {
		if turn.From == Customer {
			given = append(given, prompt.Source{Text: bounded(turn.Text), Language: string(s.talk.language)})
		}
	}
	s.basis, s.cited = newBasis(given), nil
	s.basis.words = nil
}

// cleaned returns a part of a reply without the marks of sources and of Markdown.
func (s *stream) cleaned(text string) string {
	text = strings.ReplaceAll(text, "**", "")
	for mark := range s.prompt.Sources {
		for _, form := range []string{" [" + mark + "]", " (" + mark + ")", "[" + mark + "]", "(" + mark + ")"} {
			text = strings.ReplaceAll(text, form, "")
		}
	}
	return text
}

// A basis is what cited sources say.
type basis struct {
	facts *claims.Facts
	texts []string
	words map[string]map[string]bool // the stems of their texts, by language; nil: not checked
}

func newBasis(given []prompt.Source) *basis {
	b := &basis{words: map[string]map[string]bool{}}
	sources := make([]claims.Source, len(given))
	for i, source := range given {
		text := source.Title + "\n" + source.Text
		b.texts = append(b.texts, text)
		sources[i] = claims.Source{Text: text, Language: source.Language, URL: source.URL}
		if b.words[source.Language] == nil {
			b.words[source.Language] = map[string]bool{}
		}
		for _, stem := range stems(text) {
			b.words[source.Language][stem] = true
		}
	}
	b.facts = claims.Collect(sources)
	return b
}

// check returns what speaks against a sentence.
func (b *basis) check(sentence string, s *stream) []claims.Claim {
	unchecked := b.facts.Check(sentence, claims.Rules{Language: string(s.talk.language), Hosts: s.hosts})
	if strings.Contains(sentence, s.prompt.Key) {
		unchecked = append(unchecked, claims.Claim{Kind: Internal})
	}
	for mark := range s.prompt.Sources {
		if strings.Contains(sentence, mark) {
			unchecked = append(unchecked, claims.Claim{Kind: Internal, Text: mark})
		}
	}
	if b.recites(sentence, s.prompt.Rules) {
		unchecked = append(unchecked, claims.Claim{Kind: Internal, Text: characters(strings.TrimSpace(sentence), 100)})
	}
	if b.strange(sentence, primary(s.talk.language)) {
		unchecked = append(unchecked, claims.Claim{Kind: Ungrounded, Text: characters(strings.TrimSpace(sentence), 100)})
	}
	return unchecked
}

// ruleRun is how many words in a row no sentence has from the rules by chance.
const ruleRun = 6

// recites reports whether a sentence has a run of words of a rule that no source
// has.
func (b *basis) recites(sentence string, rules []string) bool {
	said := wordsOf(sentence)
	for _, rule := range rules {
		ruled := spaced(rule)
		for at := 0; at+ruleRun <= len(said); at++ {
			run := " " + strings.Join(said[at:at+ruleRun], " ") + " "
			if strings.Contains(ruled, run) && !slices.ContainsFunc(b.texts, func(text string) bool { return strings.Contains(spaced(text), run) }) {
				return true
			}
		}
	}
	return false
}

// spaced returns the words of a text with a space before and after each.
func spaced(text string) string { return " " + strings.Join(wordsOf(text), " ") + " " }

// How much of a sentence the sources must have: a share of its longer words, if
// it has enough of them.
const (
	leastWords = 4
	leastShare = 4 // a quarter
)

// strange reports whether a sentence has almost no word of the sources. If they
// are in another language, nobody can say.
func (b *basis) strange(sentence, language string) bool {
	if len(b.words) != 1 {
		return false
	}
	for of, known := range b.words {
		said := stems(sentence)
		if primaryOf(of) != language || len(said) < leastWords {
			return false
		}
		shared := 0
		for _, stem := range said {
			if known[stem] {
				shared++
			}
		}
		return shared*leastShare < len(said)
	}
	return false
}

func primaryOf(language string) string { first, _, _ := strings.Cut(language, "-"); return first }

// stemLength is how many characters of a word make it equal to its other forms.
const stemLength = 5

// stems returns the beginnings of the longer words of a text.
func stems(text string) []string {
	var all []string
	for _, word := range wordsOf(text) {
		if runes := []rune(word); len(runes) >= stemLength {
			all = append(all, string(runes[:stemLength]))
		}
	}
	return all
}
