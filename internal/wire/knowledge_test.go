package wire_test

import (
	"parley"
	"parley/internal/wire"
)

// knowledgeShapes are the shapes of what a workspace knows.
func knowledgeShapes() map[string][]byte {
	head := parley.ArticleHead{Language: "en", Title: `Return <a> "parcel"`, Description: "How to send it back.", Version: 7, PublishedVersion: 5, UpdatedAt: at(3), PublishedAt: at(2)}
	draft := parley.ArticleHead{Language: "pt-BR", Title: "Devolver", Version: 1, UpdatedAt: at(4)}
	article := parley.Article{
		ID: id(1), Slug: "return-a-parcel", ProductID: id(4), CategoryID: id(2), State: parley.ArticlePublished, Texts: []parley.ArticleHead{head, draft},
		CreatedAt: at(1), UpdatedAt: at(4), PublishedAt: at(2),
	}
	plain := parley.Article{ID: id(1), Slug: "article", State: parley.ArticleDraft, CreatedAt: at(1), UpdatedAt: at(1)}
	text := parley.ArticleText{ArticleID: id(1), ArticleHead: head, Body: "# Steps\n\n1. <Pack> it.", Keywords: []string{"send back", "wrong size"}}
	version := parley.ArticleVersion{
		ArticleID: id(1), Language: "en", Version: 5, ArticleContent: text.Content(), CreatedAt: at(1), PublishedAt: at(2),
		Author: parley.Actor{Type: parley.ActorMember, ID: "usr_a", Name: "Bo"},
	}
	category := parley.ArticleCategory{
		ID: id(2), ProductID: id(4), Names: map[parley.Language]string{"en": "Returns", "de": "Rücksendungen"}, Position: 3, CreatedAt: at(1), UpdatedAt: at(2),
	}
	center := parley.HelpCenter{
		ProductID: id(4), Slug: "northwind", Title: "Northwind <Help>", Languages: []parley.Language{"en", "de"}, Enabled: true, Color: "#1d4ed8",
		CreatedAt: at(1), UpdatedAt: at(2),
	}
	picture := parley.ArticlePicture{ID: id(5), ArticleID: id(1), ContentType: "image/png", Size: 1234, Width: 640, Height: 480, CreatedAt: at(1)}
	hit := parley.ArticleHit{
		PublishedText: parley.PublishedText{
			ArticleID: id(1), Slug: "return-a-parcel", ProductID: id(4), CategoryID: id(2), Language: "en", Version: 5, PublishedAt: at(2), ArticleContent: text.Content(),
		},
		Score: 5120, Coverage: 870, Likely: true,
	}
	figures := parley.ArticleFigures{ArticleID: id(1), UpdatedBy: version.Author, Shown: 412, Helped: 37, NotHelped: 4}
	return map[string][]byte{
		"article_hit":           wire.AppendArticleHit(nil, &hit),
		"article_hits":          wire.AppendArticleHits(nil, "en", []parley.ArticleHit{hit}, []parley.Article{article}),
		"article_hits_none":     wire.AppendArticleHits(nil, "", nil, nil),
		"article_origin":        wire.AppendArticleOrigin(nil, id(7)),
		"article_origin_none":   wire.AppendArticleOrigin(nil, parley.ID{}),
		"article_published":     wire.AppendPublishedArticle(nil, &hit.PublishedText),
		"article":               wire.AppendArticle(nil, &article),
		"article_plain":         wire.AppendArticle(nil, &plain),
		"article_text":          wire.AppendArticleText(nil, &text),
		"article_text_draft":    wire.AppendArticleText(nil, &parley.ArticleText{ArticleID: id(1), ArticleHead: draft}),
		"article_version":       wire.AppendArticleVersion(nil, &version),
		"article_version_draft": wire.AppendArticleVersion(nil, &parley.ArticleVersion{ArticleID: id(1), Language: "en", Version: 1, CreatedAt: at(1)}),
		"article_category":      wire.AppendArticleCategory(nil, &category),
		"article_category_all":  wire.AppendArticleCategory(nil, &parley.ArticleCategory{ID: id(2), Names: map[parley.Language]string{"en": "Orders"}, CreatedAt: at(1), UpdatedAt: at(1)}),
		"article_figures":       wire.AppendArticleFigures(nil, &figures),
		"article_draft":         wire.AppendArticleDraft(nil, "How long may I send it back?", "30 days.", id(6)),
		"knowledge_gap": wire.AppendKnowledgeGap(nil, &parley.KnowledgeGap{
			ProductID: id(6), Week: at(1), Language: "en", Source: parley.GapWidget, Words: "gift wrap", Sample: "Do you wrap gifts?", Count: 7, LastAt: at(4),
		}),
		"knowledge_gap_plain": wire.AppendKnowledgeGap(nil, &parley.KnowledgeGap{Week: at(1), Source: parley.GapAgent, Words: "gift", Count: 1, LastAt: at(4)}),
		"article_preview":     wire.AppendArticlePreview(nil, "<p>1 < 2</p>\n"),
		"article_picture":     wire.AppendArticlePicture(nil, &picture),
		"help_center":         wire.AppendHelpCenter(nil, &center),
		"help_center_deleted": wire.AppendProductID(nil, center.ProductID),
	}
}
