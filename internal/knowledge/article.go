package knowledge

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// Articles returns articles with the heads of their texts, oldest first.
func (svc *Service) Articles(ws parley.WorkspaceID, f ArticleFilter, after parley.Position, limit int) desk.Read[parley.Page[parley.Article]] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Page[parley.Article], error) {
		return articles(v, ws, f, after, limit)
	})
}

func articles(v store.Reader, ws parley.WorkspaceID, f ArticleFilter, after parley.Position, limit int) (parley.Page[parley.Article], error) {
	page, err := SelectArticles(v, ws, f, after, limit)
	if err != nil || len(page.Items) == 0 {
		return page, err
	}
	ids := make([]parley.ID, len(page.Items))
	for i, a := range page.Items {
		ids[i] = a.ID
	}
	heads, err := selectHeads(v, ws, ids)
	for i := range page.Items {
		page.Items[i].Texts = heads[ids[i]]
	}
	return page, err
}

// Article returns an article with the heads of its texts.
func (svc *Service) Article(ws parley.WorkspaceID, id parley.ID) desk.Read[parley.Article] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Article, error) { return articleOf(v, ws, id) })
}

// ArticleByImportKey returns the article that was imported with a key for a
// product, or for all products if it is zero.
func (svc *Service) ArticleByImportKey(ws parley.WorkspaceID, product parley.ID, key string) desk.Read[parley.Article] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Article, error) {
		a, err := SelectArticleByImportKey(v, ws, product, key)
		if err != nil {
			return a, err
		}
		return withTexts(v, ws, a)
	})
}

func articleOf(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.Article, error) {
	a, err := SelectArticle(v, ws, id)
	if err != nil {
		return a, err
	}
	return withTexts(v, ws, a)
}

func withTexts(v store.Reader, ws parley.WorkspaceID, a parley.Article) (parley.Article, error) {
	heads, err := selectHeads(v, ws, []parley.ID{a.ID})
	a.Texts = heads[a.ID]
	return a, err
}

// NewArticle has the inputs of a new article with its first text.
type NewArticle struct {
	ProductID  parley.ID // zero: for all products
	CategoryID parley.ID // zero: none
	Slug       string    // "": made from the title
	ImportKey  string    // at most 255 characters; "" for none
	Language   parley.Language
	parley.ArticleContent
}

// CreateArticle adds a draft. A slug that is in use is a Conflict, and so are an
// import key that is in use for the product, and more than parley.MaxArticles
// articles.
func (svc *Service) CreateArticle(ctx context.Context, by desk.Caller, in NewArticle) (parley.Article, error) {
	var c checker
	in.Language = c.language("language", in.Language)
	in.ArticleContent = c.content(in.ArticleContent)
	in.ImportKey = c.line("importKey", in.ImportKey, 0, parley.MaxName)
	if in.Slug != "" && !parley.WellFormedSlug(in.Slug) {
		c.fault("slug", parley.SlugRule)
	}
	if err := c.err(); err != nil {
		return parley.Article{}, err
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Article, error) { return addArticle(t, in, in.Title) })
}

// addArticle adds an article with its first text, and makes its slug from a title
// unless it has one.
func addArticle(t *desk.Tx, in NewArticle, title string) (parley.Article, error) {
	a := parley.Article{
		ID: t.IDs.New(t.Now), Slug: in.Slug, ProductID: in.ProductID, CategoryID: in.CategoryID, State: parley.ArticleDraft, ImportKey: in.ImportKey,
		CreatedAt: t.Now, UpdatedAt: t.Now,
	}
	if in.ImportKey != "" {
		a.ImportProductID = in.ProductID
	}
	if err := checkNewArticle(t, &a); err != nil {
		return a, err
	}
	if err := InsertArticle(t, t.WS, &a); err != nil {
		return a, err
	}
	if err := takeSlug(t, &a, title); err != nil {
		return a, err
	}
	head, err := addVersion(t, a.ID, parley.ArticleHead{Language: in.Language}, newVersion{in.ArticleContent, t.Now})
	if err != nil {
		return a, err
	}
	a.Texts = []parley.ArticleHead{head}
	t.Announce(parley.ArticleCreated, parley.ID{}, nil, wire.AppendArticle(nil, &a))
	return a, nil
}

// checkNewArticle checks what a new article refers to, and that there is room
// for it.
func checkNewArticle(t *desk.Tx, a *parley.Article) error {
	if err := checkPlace(t, a); err != nil {
		return err
	}
	count, err := CountArticles(t, t.WS)
	if err != nil {
		return err
	}
	if count >= parley.MaxArticles {
		return parley.Errorf(parley.Conflict, "the workspace has %d articles already; delete one first", count)
	}
	if a.ImportKey == "" {
		return nil
	}
	_, err = SelectArticleByImportKey(t, t.WS, a.ImportProductID, a.ImportKey)
	switch {
	case err == nil:
		return parley.FieldErrorf(parley.Conflict, "importKey", "must not be that of another article")
	case parley.KindOf(err) != parley.NotFound:
		return err
	}
	return nil
}

// checkPlace checks that the product and the category of an article exist, and
// that the category is for articles of the product.
func checkPlace(t *desk.Tx, a *parley.Article) error {
	if !a.ProductID.IsZero() {
		if _, err := t.Product(t.WS, a.ProductID); err != nil {
			return desk.Reference("productId", err)
		}
	}
	if a.CategoryID.IsZero() {
		return nil
	}
	c, err := SelectArticleCategory(t, t.WS, a.CategoryID)
	if err != nil {
		return desk.Reference("categoryId", err)
	}
	if !c.ProductID.IsZero() && c.ProductID != a.ProductID {
		return parley.InvalidField("categoryId", "be a category of the article's product or of all products")
	}
	return nil
}

// maxSlugTries is how many numbers are tried behind a slug that is in use. Then
// the article's own id follows it.
const maxSlugTries = 20

// takeSlug stores the slug of an article: its own, which must be free, or else
// one made from a title.
func takeSlug(t *desk.Tx, a *parley.Article, title string) error {
	if a.Slug != "" {
		free, err := InsertArticleSlug(t, t.WS, a.Slug, a.ID)
		if err == nil && !free {
			err = parley.FieldErrorf(parley.Conflict, "slug", "must not be that of another article, now or earlier")
		}
		return err
	}
	made := parley.SlugOf(title)
	for n := 1; ; n++ {
		a.Slug = made
		switch {
		case n > maxSlugTries:
			a.Slug = made[:min(len(made), parley.MaxArticleSlug-37)] + "-" + a.ID.String()
		case n > 1:
			a.Slug = made + "-" + strconv.Itoa(n)
		case parley.ReservedSlug(made):
			continue
		}
		free, err := InsertArticleSlug(t, t.WS, a.Slug, a.ID)
		if err != nil {
			return err
		}
		if free {
			return UpdateArticle(t, t.WS, a)
		}
		if n > maxSlugTries {
			return fmt.Errorf("the slug %s is in use", a.Slug)
		}
	}
}

// ArticleChange is an update of an article. Absent fields stay unchanged.
type ArticleChange struct {
	ProductID  parley.Optional[parley.ID] // null: for all products
	CategoryID parley.Optional[parley.ID] // null: none
	Slug       parley.Optional[string]
	// State publishes a draft in all its languages, takes everything back from the
	// public (draft), archives an article, or shows an archived one again
	// (published).
	State parley.Optional[parley.ArticleState]
}

// UpdateArticle changes an article. Addresses with its former slug still lead to
// it. A slug that another article has or had is a Conflict.
func (svc *Service) UpdateArticle(ctx context.Context, by desk.Caller, id parley.ID, in ArticleChange) (parley.Article, error) {
	var c checker
	if in.Slug.Set && !parley.WellFormedSlug(in.Slug.Value) {
		c.fault("slug", parley.SlugRule)
	}
	if in.State.Set && !slices.Contains(parley.ArticleStates, in.State.Value) {
		c.fault("state", "be draft, published or archived")
	}
	if err := c.err(); err != nil {
		return parley.Article{}, err
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Article, error) {
		a, err := articleOf(t, t.WS, id)
		if err != nil {
			return a, err
		}
		var changed []string
		desk.Set(&changed, "productId", &a.ProductID, in.ProductID)
		desk.Set(&changed, "categoryId", &a.CategoryID, in.CategoryID)
		if len(changed) > 0 {
			if err := checkPlace(t, &a); err != nil {
				return a, err
			}
		}
		desk.Set(&changed, "slug", &a.Slug, in.Slug)
		if in.Slug.Set {
			if err := takeSlug(t, &a, ""); err != nil {
				return a, err
			}
		}
		if err := setState(t, &a, in.State.Or(a.State), &changed); err != nil {
			return a, err
		}
		return a, announceUpdate(t, &a, changed)
	})
}

// announceUpdate stores an article and announces its changed fields, if there
// are any.
func announceUpdate(t *desk.Tx, a *parley.Article, changed []string) error {
	if len(changed) == 0 {
		return nil
	}
	a.UpdatedAt = t.Now
	if err := UpdateArticle(t, t.WS, a); err != nil {
		return err
	}
	t.Announce(parley.ArticleUpdated, parley.ID{}, changed, wire.AppendArticle(nil, a))
	return nil
}

// DeleteArticle deletes an article with all that belongs to it, and returns it.
// Its slugs become free.
func (svc *Service) DeleteArticle(ctx context.Context, by desk.Caller, id parley.ID) (parley.Article, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Article, error) {
		a, err := articleOf(t, t.WS, id)
		if err != nil {
			return a, err
		}
		had, err := UpdatePicturesForsaken(t, t.WS, id)
		if err == nil && had {
			err = desk.InsertTimer(t, t.WS, PicturesTimer, "", t.Now)
		}
		if err != nil {
			return a, err
		}
		for _, remove := range []func(store.Writer, parley.WorkspaceID, parley.ID) error{
			DeleteArticleVersions, DeleteArticleHeads, DeleteArticleSlugs, DeleteArticleFeedback, DeleteArticleOrigin, DeleteArticle,
		} {
			if err := remove(t, t.WS, id); err != nil {
				return a, err
			}
		}
		t.Announce(parley.ArticleDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
		return a, nil
	})
}
