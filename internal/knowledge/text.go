package knowledge

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley"
)

// A checker collects the faults of inputs.
type checker struct{ faults []parley.Fault }

func (c *checker) fault(field, rule string) {
	c.faults = append(c.faults, parley.Fault{Field: field, Rule: rule})
}

// err returns one error for all faults.
func (c *checker) err() error {
	if len(c.faults) == 0 {
		return nil
	}
	return parley.InvalidFields(c.faults)
}

// maxCharacter is the most bytes that a character takes before it is composed. A
// text with more is too long, however it is written.
const maxCharacter = 32

// line returns a text of one line in its stored form: trimmed and composed. It
// must have minimum to maximum characters.
func (c *checker) line(field, text string, minimum, maximum int) string {
	if !utf8.ValidString(text) {
		c.fault(field, "be UTF-8")
		return ""
	}
	if len(text) <= maximum*maxCharacter {
		text = parley.Composed(strings.TrimSpace(text))
	}
	switch n := utf8.RuneCountInString(text); {
	case n < minimum || n > maximum:
		c.fault(field, "be "+strconv.Itoa(minimum)+" to "+strconv.Itoa(maximum)+" characters")
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }):
		c.fault(field, "be one line without control characters")
	}
	return text
}

// part is line for a part of a field, which the rule names.
func (c *checker) part(field, part, text string, least, most int) string {
	var one checker
	text = one.line(field, text, least, most)
	for _, fault := range one.faults {
		c.fault(field, "be correct; "+part+" must "+fault.Rule)
	}
	return text
}

// body returns a body in its stored form: lines end with "\n".
func (c *checker) body(field, text string) string {
	if !utf8.ValidString(text) {
		c.fault(field, "be UTF-8")
		return ""
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	switch {
	case len(text) > parley.MaxArticleBody:
		c.fault(field, "be at most "+strconv.Itoa(parley.MaxArticleBody)+" bytes")
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		c.fault(field, "have no control characters but tabs and line breaks")
	case headings(text) > parley.MaxArticleHeadings:
		c.fault(field, "have at most "+strconv.Itoa(parley.MaxArticleHeadings)+" headings")
	}
	return text
}

// keywords returns keywords in their stored form, without blank and repeated
// ones.
func (c *checker) keywords(field string, given []string) []string {
	if len(given) > parley.MaxArticleKeywords {
		c.fault(field, "be at most "+strconv.Itoa(parley.MaxArticleKeywords)+" words or phrases")
		return nil
	}
	var kept []string
	seen := map[string]bool{}
	for i, word := range given {
		word = c.part(field, "item "+strconv.Itoa(i+1), word, 0, parley.MaxArticleKeyword)
		if word != "" && !seen[word] {
			seen[word] = true
			kept = append(kept, word)
		}
	}
	return kept
}

// language returns a language in its canonical case.
func (c *checker) language(field string, given parley.Language) parley.Language {
	language, ok := parley.ParseLanguage(string(given))
	if !ok {
		c.fault(field, parley.LanguageRule)
	}
	return language
}

// content returns a content in its stored form.
func (c *checker) content(in parley.ArticleContent) parley.ArticleContent {
	return parley.ArticleContent{
		Title:       c.line("title", in.Title, 1, parley.MaxArticleTitle),
		Description: c.line("description", in.Description, 0, parley.MaxArticleDescription),
		Body:        c.body("body", in.Body),
		Keywords:    c.keywords("keywords", in.Keywords),
	}
}
