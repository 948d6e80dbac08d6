package knowledge

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A TextAuthor is who wrote a working text, and when.
type TextAuthor struct {
	ArticleID parley.ID
	Language  parley.Language
	UpdatedAt time.Time
	Author    parley.Actor
}

// SelectTextAuthors returns the authors of the working texts of some articles, at
// least one.
func SelectTextAuthors(v store.Reader, ws parley.WorkspaceID, articles []parley.ID) ([]TextAuthor, error) {
	return store.Many(v, ws, func(r store.Row, a *TextAuthor) error {
		return r.Scan(&a.ArticleID, (*string)(&a.Language), &a.UpdatedAt, (*string)(&a.Author.Type), &a.Author.ID, &a.Author.Name)
	}, `SELECT x.article_id, x.language, x.updated_at, g.author_type, g.author_id, g.author_name FROM article_texts x
		JOIN article_versions g ON g.workspace_id = x.workspace_id AND g.article_id = x.article_id AND g.language = x.language AND g.version = x.version
		WHERE x.workspace_id = $1 AND x.article_id IN ($2...) ORDER BY x.article_id, x.language`, store.ListOf(articles))
}

// SelectFeedbackOf returns the counts of the readers of some articles, at least
// one, since a time, in all languages. Articles without any are missing.
func SelectFeedbackOf(v store.Reader, ws parley.WorkspaceID, articles []parley.ID, since time.Time) ([]parley.ArticleFeedback, error) {
	return store.Many(v, ws, func(r store.Row, f *parley.ArticleFeedback) error {
		return r.Scan(&f.ArticleID, &f.Shown, &f.Helped, &f.NotHelped)
	}, `SELECT article_id, CAST(SUM(shown) AS bigint), CAST(SUM(helped) AS bigint), CAST(SUM(not_helped) AS bigint)
		FROM article_feedback WHERE workspace_id = $1 AND day >= $2 AND article_id IN ($3...) GROUP BY article_id`, dayOf(since), store.ListOf(articles))
}
