package importing

import (
	"errors"
	"fmt"
	"strings"

	"parley"
)

// maxFrontMatter bounds the front matter in bytes: a hundred keywords of a hundred
// characters fit.
const maxFrontMatter = 64 << 10

var errScalar = errors.New("no text")

// readMarkdown reads a file of Markdown. Without a title in the front matter, the first
// line may have it, as a heading of the first level.
func (f *File) readMarkdown(content string) error {
	matter, body, err := cutFrontMatter(content)
	if err != nil {
		return err
	}
	fields, err := fieldsOf(matter)
	if err != nil {
		return err
	}
	for i := range fields {
		if err := f.setField(&fields[i]); err != nil {
			return err
		}
	}
	f.Body = strings.TrimSpace(body)
	if first, rest, _ := strings.Cut(f.Body, "\n"); f.Title == "" && strings.HasPrefix(first, "# ") {
		f.Title, f.Body = strings.Trim(first, "# "), strings.TrimSpace(rest)
	}
	return nil
}

// cutFrontMatter splits a file into the lines between two lines "---", if it begins with
// one, and what follows.
func cutFrontMatter(content string) (matter, body string, err error) {
	first, rest, _ := strings.Cut(content, "\n")
	if strings.TrimRight(first, " ") != "---" {
		return "", content, nil
	}
	at := 0
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, " \n") == "---" {
			return rest[:at], rest[at+len(line):], nil
		}
		if at += len(line); at > maxFrontMatter {
			break
		}
	}
	return "", "", fmt.Errorf("front matter: must end with a line --- within %d bytes", maxFrontMatter)
}

func (f *File) setField(in *field) error {
	texts := map[string]*string{
		"key": &f.Key, "product": &f.Product, "category": &f.Category, "title": &f.Title, "description": &f.Description,
	}
	if to, ok := texts[in.name]; ok {
		text, err := in.text()
		*to = text
		return err
	}
	switch in.name {
	case "language":
		return f.setLanguage(in)
	case "keywords":
		list, err := in.list()
		f.addKeywords(list)
		return err
	case "state":
		text, _ := in.text()
		if text != string(parley.ArticleDraft) && text != string(parley.ArticlePublished) {
			return in.fault("be draft or published")
		}
		f.Published = text == string(parley.ArticlePublished)
	default:
		f.Ignored = append(f.Ignored, in.name)
	}
	return nil
}

func (f *File) setLanguage(in *field) error {
	text, _ := in.text()
	language, ok := parley.ParseLanguage(text)
	if !ok {
		return in.fault(parley.LanguageRule)
	}
	if f.Language != "" && f.Language != language {
		return in.fault("be " + string(f.Language) + ", as in the file's name")
	}
	f.Language = language
	return nil
}

func (f *File) addKeywords(words []string) {
	for _, word := range words {
		if word = strings.TrimSpace(word); word != "" {
			f.Keywords = append(f.Keywords, word)
		}
	}
}
