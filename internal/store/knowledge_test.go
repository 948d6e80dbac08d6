package store_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/knowledge"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// learned is what a world has of articles.
type learned struct {
	category parley.ArticleCategory
	article  parley.Article
	head     parley.ArticleHead
	versions []parley.ArticleVersion // newest first; the second is published
	picture  parley.ArticlePicture
	forsaken parley.ArticlePicture // of an article that was deleted
	feedback parley.ArticleFeedback
	center   parley.HelpCenter
	gap      parley.KnowledgeGap
	deleted  int64 // the last version of a text that was deleted
}

func newLearned(w *world, text string, full bool) learned {
	week := at(50).Truncate(24 * time.Hour)
	l := learned{
		category: parley.ArticleCategory{ID: ids.New(at(50)), Names: map[parley.Language]string{"de": text, "en": text}, Position: 1 << 20, CreatedAt: at(50), UpdatedAt: at(51)},
		article:  parley.Article{ID: ids.New(at(52)), Slug: text, State: parley.ArticlePublished, ImportKey: text, CreatedAt: at(52), UpdatedAt: at(53), PublishedAt: at(54)},
		head:     parley.ArticleHead{Language: "en", Title: text, Description: text, Version: 1 << 40, PublishedVersion: 7, UpdatedAt: at(55), PublishedAt: at(54)},
		picture:  parley.ArticlePicture{ID: ids.New(at(56)), ContentType: text, Size: 1 << 40, CreatedAt: at(56)},
		forsaken: parley.ArticlePicture{ID: ids.New(at(57)), ContentType: text, CreatedAt: at(57)},
		center:   parley.HelpCenter{ProductID: w.product.ID, Slug: text, Title: text, Languages: []parley.Language{"en", "pt-BR"}, Color: text, CreatedAt: at(58), UpdatedAt: at(59)},
		gap:      parley.KnowledgeGap{Week: week, Language: "en", Words: text, Source: parley.GapBot, Sample: text, Count: 1 << 40, LastAt: at(60)},
	}
	l.picture.ArticleID, l.deleted = l.article.ID, 1<<41
	l.feedback = parley.ArticleFeedback{ArticleID: l.article.ID, Language: "en", Day: week, Shown: 1 << 40, Helped: 3, NotHelped: 2}
	content := parley.ArticleContent{Title: text, Description: text, Body: text}
	if full {
		content.Keywords = []string{strings.Join(strings.Fields(text), " "), "second"}
		l.category.ProductID, l.article.ProductID, l.article.CategoryID = w.product.ID, w.product.ID, l.category.ID
		l.article.ImportProductID = w.product.ID
		l.center.Enabled, l.gap.ProductID = true, w.product.ID
		l.picture.Width, l.picture.Height = 1<<31-1, 7
	}
	earlier := content
	earlier.Title = "earlier " + text
	author := parley.Actor{Type: parley.ActorMember, ID: text, Name: text}
	l.versions = []parley.ArticleVersion{
		{ArticleID: l.article.ID, Language: "en", Version: l.head.Version, ArticleContent: content, Author: author, CreatedAt: at(55)},
		{ArticleID: l.article.ID, Language: "en", Version: 7, ArticleContent: earlier, Author: author, CreatedAt: at(52), PublishedAt: at(54)},
	}
	return l
}

// shorten limits indexed values, as [world.shortenKeys].
func (l *learned) shorten() {
	l.article.Slug, l.article.ImportKey, l.center.Slug, l.gap.Words = "s", "t", "u", "v"
}

func (l *learned) insert(tx *store.Tx, ws parley.WorkspaceID) error {
	arriving := l.picture
	arriving.ArticleID = parley.ID{}
	return errors.Join(
		knowledge.InsertArticleCategory(tx, ws, &l.category),
		knowledge.InsertArticle(tx, ws, &l.article),
		inserted(knowledge.InsertArticleSlug(tx, ws, l.article.Slug, l.article.ID)),
		knowledge.UpdateDeletedVersion(tx, ws, l.article.ID, l.deleted),
		knowledge.PutArticleHead(tx, ws, l.article.ID, &l.head),
		knowledge.InsertArticleVersion(tx, ws, &l.versions[0]),
		knowledge.InsertArticleVersion(tx, ws, &l.versions[1]),
		knowledge.InsertArticlePicture(tx, ws, &arriving),
		inserted(knowledge.UpdateArticlePicture(tx, ws, &l.picture)),
		knowledge.InsertArticlePicture(tx, ws, &l.forsaken),
		knowledge.AddArticleFeedback(tx, ws, &l.feedback),
		knowledge.PutHelpCenter(tx, ws, &l.center, l.center.CreatedAt),
		knowledge.InsertKnowledgeGap(tx, ws, &l.gap),
	)
}

// published is what the public reads of the world's article.
func (l *learned) published() parley.PublishedText {
	return parley.PublishedText{
		ArticleID: l.article.ID, Slug: l.article.Slug, ProductID: l.article.ProductID, CategoryID: l.article.CategoryID, Language: "en", Version: 7,
		PublishedAt: l.head.PublishedAt, ArticleContent: l.versions[1].ArticleContent,
	}
}

// learnedReads are the rows of reads about articles.
func learnedReads(w *world) map[string]read {
	l := &w.learned
	a, text := l.article.ID, knowledge.TextID{ArticleID: l.article.ID, Language: "en"}
	public := knowledge.PublishedFilter{ProductID: w.product.ID, Language: "en"}
	whole, start := l.published(), parley.Position{}
	head := whole
	head.Body, head.Keywords = "", nil
	counts := l.feedback
	counts.Day = time.Time{}
	working := parley.ArticleText{ArticleID: a, ArticleHead: l.head, Body: l.versions[0].Body, Keywords: l.versions[0].Keywords}
	all := map[string]read{
		"Article": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return knowledge.SelectArticle(v, ws, a) }, l.article},
		"ArticleBySlug": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectArticleBySlug(v, ws, l.article.Slug)
		}, l.article},
		"ArticleByImportKey": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectArticleByImportKey(v, ws, l.article.ImportProductID, l.article.ImportKey)
		}, l.article},
		"DeletedVersion": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectDeletedVersion(v, ws, a)
		}, l.deleted},
		"CountArticles": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return knowledge.CountArticles(v, ws) }, 1},
		"Articles": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return items(knowledge.SelectArticles(v, ws, knowledge.ArticleFilter{Language: "en", State: parley.ArticlePublished, UpdatedSince: l.article.UpdatedAt}, start, 9))
		}, []parley.Article{l.article}},
		"LanguageUsed": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectLanguageUsed(v, ws, "en")
		}, true},
		"CountLanguages": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return knowledge.CountLanguages(v, ws) }, 1},
		"ArticleText": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectArticleText(v, ws, a, "en")
		}, working},
		"ArticleVersion": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectArticleVersion(v, ws, a, "en", 7)
		}, l.versions[1]},
		"ArticleVersions": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return items(knowledge.SelectArticleVersions(v, ws, text, start, 9))
		}, l.versions},
		"OpenVersion": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectOpenVersion(v, ws, text, at(54))
		}, l.versions[0]},
		"PublishedHeads": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return items(knowledge.SelectPublishedHeads(v, ws, public, start, 9))
		}, []parley.PublishedText{head}},
		"Published": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return items(knowledge.SelectPublished(v, ws, public, start, 9))
		}, []parley.PublishedText{whole}},
		"PublishedTexts": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectPublishedTexts(v, ws, a)
		}, []parley.PublishedText{whole}},
		"PublishedByID": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectPublishedByID(v, ws, public, []parley.ID{a, w.product.ID})
		}, []parley.PublishedText{head}},
		"PublishedLanguages": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectPublishedLanguages(v, ws, w.product.ID)
		}, []parley.Language{"en"}},
		"ArticleFeedback": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectArticleFeedback(v, ws, a, at(0))
		}, []parley.ArticleFeedback{counts}},
		"PopularArticles": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectPopularArticles(v, ws, public, at(0), 9)
		}, []parley.ID{a}},
	}
	total := counts
	total.Language = ""
	all["FeedbackOf"] = read{func(v *store.View, ws parley.WorkspaceID) (any, error) {
		return knowledge.SelectFeedbackOf(v, ws, []parley.ID{a, w.product.ID}, at(0))
	}, []parley.ArticleFeedback{total}}
	all["TextAuthors"] = read{func(v *store.View, ws parley.WorkspaceID) (any, error) {
		return knowledge.SelectTextAuthors(v, ws, []parley.ID{a, w.product.ID})
	}, []knowledge.TextAuthor{{ArticleID: a, Language: "en", UpdatedAt: l.head.UpdatedAt, Author: l.versions[0].Author}}}
	maps.Copy(all, settingsLearned(w))
	return all
}

func settingsLearned(w *world) map[string]read {
	l := &w.learned
	return map[string]read{
		"ArticleCategory": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectArticleCategory(v, ws, l.category.ID)
		}, l.category},
		"ArticleCategories": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectArticleCategories(v, ws)
		}, []parley.ArticleCategory{l.category}},
		"HelpCenter": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectHelpCenter(v, ws, w.product.ID)
		}, l.center},
		"HelpCenters": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return knowledge.SelectHelpCenters(v, ws) }, []parley.HelpCenter{l.center}},
		"CountArticlePictures": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.CountArticlePictures(v, ws, l.article.ID)
		}, 1},
		"ArticlePictures": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectArticlePictures(v, ws, l.article.ID)
		}, []parley.ArticlePicture{l.picture}},
		"ForsakenPictures": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectForsakenPictures(v, ws, at(58), 9)
		}, []parley.ID{l.forsaken.ID}},
		"OldestForsakenPicture": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectOldestForsakenPicture(v, ws)
		}, l.forsaken.CreatedAt},
		"CountKnowledgeGaps": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.CountKnowledgeGaps(v, ws, l.gap.Week)
		}, 1},
		"KnowledgeGaps": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return knowledge.SelectKnowledgeGaps(v, ws, knowledge.GapFilter{Since: l.gap.Week}, 9)
		}, []parley.KnowledgeGap{l.gap}},
	}
}

// deleted requires that something was.
func deleted(n int, err error) error { return storetest.Did(n > 0, err) }

// heavyLearned stores an article with a large title, and a large version of the
// world's article.
func heavyLearned(tx *store.Tx, w *world, text string, i int) error {
	now := at(int64(1000 + i))
	a := parley.Article{ID: ids.New(now), Slug: now.String(), State: parley.ArticlePublished}
	h := parley.ArticleHead{Language: "en", Title: text, Version: 1, PublishedVersion: 1}
	g := parley.ArticleVersion{ArticleID: a.ID, Language: "en", Version: 1, ArticleContent: parley.ArticleContent{Title: text}}
	more := w.learned.versions[0]
	more.Version, more.Body = int64(1000+i), text
	return errors.Join(knowledge.InsertArticle(tx, w.ws, &a), knowledge.PutArticleHead(tx, w.ws, a.ID, &h),
		knowledge.InsertArticleVersion(tx, w.ws, &g), knowledge.InsertArticleVersion(tx, w.ws, &more))
}

// heavyArticles are the lists of articles whose items are large.
func heavyArticles(w *world) map[string]func(*store.View, parley.Position) (heavyPage, error) {
	public := knowledge.PublishedFilter{ProductID: w.product.ID, Language: "en"}
	ofText := func(p *parley.PublishedText) (string, int) { return p.ArticleID.String(), len(p.Title) }
	return map[string]func(*store.View, parley.Position) (heavyPage, error){
		"Articles": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := knowledge.SelectArticles(v, w.ws, knowledge.ArticleFilter{}, p, 200)
			return pageOf(page, err, func(a *parley.Article) (string, int) { return a.ID.String(), heavySize })
		},
		"PublishedHeads": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := knowledge.SelectPublishedHeads(v, w.ws, public, p, 200)
			return pageOf(page, err, ofText)
		},
		"Published": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := knowledge.SelectPublished(v, w.ws, public, p, 200)
			return pageOf(page, err, ofText)
		},
		"ArticleVersions": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := knowledge.SelectArticleVersions(v, w.ws, knowledge.TextID{ArticleID: w.learned.article.ID, Language: "en"}, p, 200)
			return pageOf(page, err, func(g *parley.ArticleVersion) (string, int) {
				return g.CreatedAt.String() + time.Duration(g.Version).String(), len(g.Body)
			})
		},
	}
}

// like is [world.like] for articles.
func (l *learned) like(of *learned) {
	changed := *of
	changed.category.Names, changed.category.Position, changed.category.UpdatedAt = map[parley.Language]string{"fr": odd}, 0, at(80)
	changed.article.Slug, changed.article.ProductID, changed.article.CategoryID = odd, parley.ID{}, parley.ID{}
	changed.article.UpdatedAt, changed.article.PublishedAt = at(81), at(82)
	changed.head.Title, changed.head.Description, changed.head.UpdatedAt, changed.head.PublishedAt = odd, "", at(83), at(84)
	changed.versions = slices.Clone(of.versions)
	changed.versions[1].PublishedAt = at(84)
	changed.picture.ContentType, changed.picture.Size, changed.picture.Width, changed.picture.Height = odd, 7, 0, 1
	changed.feedback.Shown, changed.feedback.Helped, changed.feedback.NotHelped = of.feedback.Shown+1, of.feedback.Helped+2, of.feedback.NotHelped+3
	changed.center.Slug, changed.center.Title, changed.center.Languages = odd, odd, []parley.Language{"de"}
	changed.center.Enabled, changed.center.Color, changed.center.UpdatedAt = false, odd, at(85)
	changed.gap.Count, changed.gap.LastAt = of.gap.Count+4, at(86)
	*l = changed
}

// update gives the records of the world the values of l.
func (l *learned) update(tx *store.Tx, ws parley.WorkspaceID) error {
	added, more, public := l.feedback, l.gap, l.head
	added.Shown, added.Helped, added.NotHelped = 1, 2, 3
	more.Count = 4
	public.Version = public.PublishedVersion
	return errors.Join(
		knowledge.UpdateArticleCategory(tx, ws, &l.category),
		knowledge.UpdateArticle(tx, ws, &l.article),
		inserted(knowledge.InsertArticleSlug(tx, ws, l.article.Slug, l.article.ID)),
		knowledge.PutArticleHead(tx, ws, l.article.ID, &l.head),
		knowledge.UpdateVersionPublished(tx, ws, l.article.ID, &public),
		inserted(knowledge.UpdateArticlePicture(tx, ws, &l.picture)),
		knowledge.AddArticleFeedback(tx, ws, &added),
		knowledge.PutHelpCenter(tx, ws, &l.center, at(85)),
		inserted(knowledge.UpdateKnowledgeGap(tx, ws, &more)),
	)
}

// learnedRemoved are the reads that find nothing after [learned.remove].
var learnedRemoved = []string{
	"Article", "ArticleBySlug", "Articles", "ArticleText", "ArticleVersions", "Published", "ArticleFeedback", "ArticlePictures", "ForsakenPictures",
	"ArticleCategories", "HelpCenters", "KnowledgeGaps", "ArticleOrigin", "ArticlesDrafted",
}

func (l *learned) remove(tx *store.Tx, ws parley.WorkspaceID) error {
	return errors.Join(
		knowledge.DeleteArticleVersion(tx, ws, l.article.ID, "en", 7),
		knowledge.DeleteTextVersions(tx, ws, l.article.ID, "en"),
		knowledge.DeleteTextFeedback(tx, ws, l.article.ID, "en"),
		knowledge.DeleteArticleHead(tx, ws, l.article.ID, "en"),
		inserted(knowledge.UpdatePicturesForsaken(tx, ws, l.article.ID)),
		knowledge.DeleteArticlePicture(tx, ws, l.picture.ID),
		knowledge.DeleteArticlePicture(tx, ws, l.forsaken.ID),
		knowledge.DeleteArticleSlugs(tx, ws, l.article.ID),
		knowledge.DeleteArticleOrigin(tx, ws, l.article.ID),
		knowledge.DeleteArticle(tx, ws, l.article.ID),
		knowledge.DeleteArticleCategory(tx, ws, l.category.ID),
		knowledge.DeleteHelpCenter(tx, ws, l.center.ProductID),
		deleted(knowledge.DeleteKnowledgeGaps(tx, ws, knowledge.Question{ProductID: l.gap.ProductID, Language: "en", Words: l.gap.Words})),
		knowledge.DeleteKnowledgeGapsBefore(tx, ws, l.gap.Week.Add(24*time.Hour)),
	)
}
