// Package importing reads a folder of help articles from Markdown with front matter, and
// from the HTML pages of other help centers, and saves them as articles.
//
// A [Folder] yields one [File] at a time, in the order of paths. What it reads is written
// by strangers: every file is bounded in size, folders in depth and number, and nothing
// outside the folder is opened. A file that breaks a rule names it and is not saved; the
// others are.
package importing

import (
	"errors"
	"path"
	"strings"

	"parley"
	"parley/internal/knowledge"
	"parley/internal/knowledge/markdown"
)

// Options complete what files do not say.
type Options struct {
	Language parley.Language // of files that name none; "" for none
	Product  parley.ID       // of all files, which may name no other one; zero: the one that a file names
	Publish  bool            // publish drafts too
	DryRun   bool            // save nothing
}

// ParseLanguage is parley.ParseLanguage with the error for a flag.
func ParseLanguage(text string) (parley.Language, error) {
	language, ok := parley.ParseLanguage(text)
	if !ok {
		return "", errors.New("must " + parley.LanguageRule)
	}
	return language, nil
}

// A File is a text of an article, in one language. Its fields keep the limits of
// [parley.ArticleText].
type File struct {
	Path string // within the folder, with slashes
	Err  error  // why the file was refused

	Key         string // texts with the same key and product belong to one article
	Product     string // the name of a product; "" for none
	Category    string // the name of a category, in the file's language; "" for none
	Language    parley.Language
	Title       string
	Description string
	Keywords    []string
	Body        string // Markdown
	Published   bool
	Ignored     []string // names of the front matter that mean nothing here
	// LinksAsText and PicturesAsText count the links and pictures of the body that
	// pages show as text alone, because of their addresses.
	LinksAsText, PicturesAsText int
}

// named returns what the name of a file says: KEY.md, or KEY.LANGUAGE.md.
func named(name string) File {
	key := strings.TrimSuffix(path.Base(name), path.Ext(name))
	f := File{Key: key}
	if before, after, ok := cutLast(key, "."); ok && before != "" {
		if language, ok := parley.ParseLanguage(after); ok {
			f.Key, f.Language = before, language
		}
	}
	return f
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// complete adds what the options say, and checks the rules of an article's text.
func (f *File) complete(o Options) error {
	if f.Language == "" {
		f.Language = o.Language
	}
	if f.Language == "" {
		return errors.New("language: must be given in the file, in its name as in key.en.md, or by --language")
	}
	f.Published = f.Published || o.Publish
	in := f.imported()
	if f.Category != "" {
		in.Category = map[parley.Language]string{f.Language: f.Category}
	}
	in, err := in.Check()
	f.Key, f.Category = in.Key, in.Category[f.Language]
	f.LinksAsText, f.PicturesAsText = markdown.AsText(in.Body)
	return err
}

// imported returns the text as the workspace's articles take it, without what other files
// and the workspace say of it.
func (f *File) imported() knowledge.ImportedText {
	return knowledge.ImportedText{
		Key: f.Key, Language: f.Language, Publish: f.Published,
		ArticleContent: parley.ArticleContent{Title: f.Title, Description: f.Description, Body: f.Body, Keywords: f.Keywords},
	}
}
