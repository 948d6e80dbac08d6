package knowledge

import (
	"context"
	"errors"
	"maps"
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/wire"
)

// An ImportedText is a text of an article that was written elsewhere.
type ImportedText struct {
	Key       string    // texts with the same key and product belong to one article
	ProductID parley.ID // zero: all products
	// Category has the names of its category, by language; none: that of the article.
	Category map[parley.Language]string
	Language parley.Language
	parley.ArticleContent
	Publish bool
	DryRun  bool // store nothing
}

// An ImportOutcome says what an import did to a text.
type ImportOutcome string

// The outcomes of an import.
const (
	ImportCreated   ImportOutcome = "created"
	ImportUpdated   ImportOutcome = "updated"
	ImportUnchanged ImportOutcome = "unchanged"
)

// A dryRun undoes a transaction, and has its outcome.
type dryRun struct{ outcome ImportOutcome }

func (dryRun) Error() string { return "dry run" }

// Check returns the text in its stored form, or one error for all its faults.
func (in ImportedText) Check() (ImportedText, error) {
	var c checker
	in.Key = c.line("key", in.Key, 1, parley.MaxName)
	if len(in.Category) > 0 {
		in.Category = c.names("category", in.Category)
	}
	in.Language = c.language("language", in.Language)
	in.ArticleContent = c.content(in.ArticleContent)
	return in, c.err()
}

// ImportText saves a text in the article that was imported with its key for its
// product, or in a new one, whose slug is made from the key. A category that does
// not exist is added. A text of an archived article is a Conflict.
func (svc *Service) ImportText(ctx context.Context, by desk.Caller, in ImportedText) (ImportOutcome, error) {
	in, err := in.Check()
	if err != nil {
		return "", err
	}
	outcome, err := desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (ImportOutcome, error) {
		outcome, err := importText(t, &in)
		if err == nil && in.DryRun {
			err = dryRun{outcome}
		}
		return outcome, err
	})
	if dry, ok := errors.AsType[dryRun](err); ok {
		return dry.outcome, nil
	}
	return outcome, err
}

func importText(t *desk.Tx, in *ImportedText) (ImportOutcome, error) {
	a, err := SelectArticleByImportKey(t, t.WS, in.ProductID, in.Key)
	switch {
	case parley.KindOf(err) == parley.NotFound:
		return importArticle(t, in)
	case err != nil:
		return "", err
	case a.State == parley.ArticleArchived:
		return "", parley.FieldErrorf(parley.Conflict, "key", "must not be that of an archived article")
	}
	if a, err = withTexts(t, t.WS, a); err != nil {
		return "", err
	}
	head, had := a.Text(in.Language)
	changed, err := importPlace(t, &a, in)
	if err != nil {
		return "", err
	}
	if err := announceUpdate(t, &a, changed); err != nil {
		return "", err
	}
	text, err := textNow(t, TextID{a.ID, in.Language})
	if err != nil {
		return "", err
	}
	if text, err = saveContent(t, &a, text, in.ArticleContent); err != nil {
		return "", err
	}
	published, err := publishImported(t, &a, in)
	switch {
	case err != nil:
		return "", err
	case !had:
		return ImportCreated, nil
	case len(changed) > 0 || text.Version != head.Version || published:
		return ImportUpdated, nil
	}
	return ImportUnchanged, nil
}

// importArticle adds an article with its first text.
func importArticle(t *desk.Tx, in *ImportedText) (ImportOutcome, error) {
	a := parley.Article{ProductID: in.ProductID}
	if len(in.Category) > 0 {
		category, err := importedCategory(t, &a, in)
		if err != nil {
			return "", err
		}
		a.CategoryID = category
	}
	title := in.Key
	if parley.SlugOf(title) == parley.SlugOf("") {
		title = in.Title // the key has no letters that an address can have
	}
	a, err := addArticle(t, NewArticle{
		ProductID: a.ProductID, CategoryID: a.CategoryID, ImportKey: in.Key, Language: in.Language, ArticleContent: in.ArticleContent,
	}, title)
	if err != nil {
		return "", err
	}
	_, err = publishImported(t, &a, in)
	return ImportCreated, err
}

func publishImported(t *desk.Tx, a *parley.Article, in *ImportedText) (bool, error) {
	var changed []string
	if in.Publish {
		if err := publish(t, a, []parley.Language{in.Language}, &changed); err != nil {
			return false, err
		}
	}
	return len(changed) > 0, announceUpdate(t, a, changed)
}

// importPlace moves an article to the product and the category of a text.
func importPlace(t *desk.Tx, a *parley.Article, in *ImportedText) ([]string, error) {
	var changed []string
	if !in.ProductID.IsZero() {
		desk.Set(&changed, "productId", &a.ProductID, parley.Some(in.ProductID))
	}
	if len(in.Category) > 0 {
		category, err := importedCategory(t, a, in)
		if err != nil {
			return nil, err
		}
		desk.Set(&changed, "categoryId", &a.CategoryID, parley.Some(category))
	}
	if len(changed) == 0 {
		return nil, nil
	}
	return changed, checkPlace(t, a)
}

// importedCategory returns the category that has a name of the imported category and
// can have the article: its present one, or else the one with most of the names. It
// gets the names in languages that it has none in, up to parley.MaxArticleLanguages.
// If there is none, it is added.
func importedCategory(t *desk.Tx, a *parley.Article, in *ImportedText) (parley.ID, error) {
	all, err := SelectArticleCategories(t, t.WS)
	if err != nil {
		return parley.ID{}, err
	}
	var best *parley.ArticleCategory
	most := 0
	for i := range all {
		c := &all[i]
		shared := sharedNames(c.Names, in.Category)
		if shared == 0 || c.ProductID != a.ProductID && !c.ProductID.IsZero() {
			continue
		}
		if c.ID == a.CategoryID || shared > most && (best == nil || best.ID != a.CategoryID) {
			best, most = c, shared
		}
	}
	if best == nil {
		made, err := addCategory(t, NewCategory{ProductID: a.ProductID, Names: in.Category})
		return made.ID, err
	}
	known := len(best.Names)
	for _, language := range slices.Sorted(maps.Keys(in.Category)) {
		if best.Names[language] == "" && len(best.Names) < parley.MaxArticleLanguages {
			best.Names[language] = in.Category[language]
		}
	}
	if len(best.Names) == known {
		return best.ID, nil
	}
	best.UpdatedAt = t.Now
	if err := UpdateArticleCategory(t, t.WS, best); err != nil {
		return parley.ID{}, err
	}
	t.Announce(parley.ArticleCategoryUpdated, parley.ID{}, []string{"names"}, wire.AppendArticleCategory(nil, best))
	return best.ID, nil
}

// sharedNames counts the languages in which two categories have the same name.
func sharedNames(a, b map[parley.Language]string) int {
	n := 0
	for language, name := range a {
		if b[language] == name {
			n++
		}
	}
	return n
}
