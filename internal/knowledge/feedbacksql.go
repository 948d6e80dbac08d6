package knowledge

import (
	"time"

	"parley"
	"parley/internal/store"
)

// dayLength is the length of a day in UTC.
const dayLength = 24 * time.Hour

// dayOf returns the number of a time's day since 1970, in UTC.
func dayOf(at time.Time) int64 { return at.UnixMilli() / dayLength.Milliseconds() }

// dayStart returns the start of a day in UTC.
func dayStart(day int64) time.Time { return time.UnixMilli(day * dayLength.Milliseconds()).UTC() }

// AddArticleFeedback adds counts to those of an article, a language and a day. If
// there is no such article, it has no effect.
func AddArticleFeedback(tx store.Writer, ws parley.WorkspaceID, f *parley.ArticleFeedback) error {
	return store.Exec(tx, ws, `INSERT INTO article_feedback (workspace_id, article_id, language, day, shown, helped, not_helped)
		SELECT a.workspace_id, a.article_id, x.language, CAST($4 AS bigint), CAST($5 AS bigint), CAST($6 AS bigint), CAST($7 AS bigint)
		FROM articles a JOIN article_texts x ON x.workspace_id = a.workspace_id AND x.article_id = a.article_id
		WHERE a.workspace_id = $1 AND a.article_id = $2 AND x.language = $3
		ON CONFLICT (workspace_id, article_id, language, day) DO UPDATE SET shown = article_feedback.shown + $5,
			helped = article_feedback.helped + $6, not_helped = article_feedback.not_helped + $7`,
		f.ArticleID, string(f.Language), dayOf(f.Day), f.Shown, f.Helped, f.NotHelped)
}

// SelectArticleFeedback returns the counts of an article's readers since a time,
// by language.
func SelectArticleFeedback(v store.Reader, ws parley.WorkspaceID, article parley.ID, since time.Time) ([]parley.ArticleFeedback, error) {
	return store.Many(v, ws, func(r store.Row, f *parley.ArticleFeedback) error {
		return r.Scan(&f.ArticleID, (*string)(&f.Language), &f.Shown, &f.Helped, &f.NotHelped)
	}, `SELECT article_id, language, CAST(SUM(shown) AS bigint), CAST(SUM(helped) AS bigint), CAST(SUM(not_helped) AS bigint)
		FROM article_feedback WHERE workspace_id = $1 AND article_id = $2 AND day >= $3 GROUP BY article_id, language`, article, dayOf(since))
}

// SelectPopularArticles returns the articles of a product, or for all products,
// that the public read most in a language since a time, most read first.
func SelectPopularArticles(v store.Reader, ws parley.WorkspaceID, f PublishedFilter, since time.Time, limit int) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], `SELECT b.article_id FROM article_feedback b
		JOIN articles a ON a.workspace_id = b.workspace_id AND a.article_id = b.article_id
		JOIN article_texts x ON x.workspace_id = b.workspace_id AND x.article_id = b.article_id AND x.language = b.language
		WHERE b.workspace_id = $1 AND b.day >= $2 AND b.language = $3 AND a.state = 'published' AND x.published_version > 0
			AND (a.product_id IS NULL OR a.product_id = $4)
		GROUP BY b.article_id ORDER BY SUM(b.shown) DESC, b.article_id LIMIT $5`, dayOf(since), string(f.Language), f.ProductID, limit)
}

// DeleteArticleFeedback deletes the counts of an article.
func DeleteArticleFeedback(tx store.Writer, ws parley.WorkspaceID, article parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM article_feedback WHERE workspace_id = $1 AND article_id = $2", article)
}

// DeleteTextFeedback deletes the counts of an article's text in a language.
func DeleteTextFeedback(tx store.Writer, ws parley.WorkspaceID, article parley.ID, language parley.Language) error {
	return store.Exec(tx, ws, "DELETE FROM article_feedback WHERE workspace_id = $1 AND article_id = $2 AND language = $3", article, string(language))
}

// DeleteFeedbackBefore deletes the counts of the days before a time.
func DeleteFeedbackBefore(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM article_feedback WHERE workspace_id = $1 AND day < $2", dayOf(before))
}
