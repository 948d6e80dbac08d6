package knowledge

import (
	"time"

	"parley"
	"parley/internal/store"
)

const pictureColumns = "picture_id, article_id, content_type, size, width, height, created_at"

func pictureFields(p *parley.ArticlePicture) []any {
	return []any{&p.ID, &p.ArticleID, &p.ContentType, &p.Size, &p.Width, &p.Height, &p.CreatedAt}
}

func scanPicture(r store.Row, p *parley.ArticlePicture) error { return r.Scan(pictureFields(p)...) }

// InsertArticlePicture records a picture before its content arrives. It belongs
// to no article until [UpdateArticlePicture].
func InsertArticlePicture(tx store.Writer, ws parley.WorkspaceID, p *parley.ArticlePicture) error {
	return store.Exec(tx, ws, "INSERT INTO article_pictures (workspace_id, "+pictureColumns+`, stored)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		p.ID, p.ArticleID, p.ContentType, p.Size, p.Width, p.Height, p.CreatedAt, false)
}

// UpdateArticlePicture gives a picture whose content has arrived to its article.
// It reports whether the picture still exists.
func UpdateArticlePicture(tx store.Writer, ws parley.WorkspaceID, p *parley.ArticlePicture) (bool, error) {
	return store.Affected(tx, ws, `UPDATE article_pictures SET article_id = $3, content_type = $4, size = $5, width = $6, height = $7, stored = $8
		WHERE workspace_id = $1 AND picture_id = $2 RETURNING 1`, p.ID, p.ArticleID, p.ContentType, p.Size, p.Width, p.Height, true)
}

// UpdatePicturesForsaken takes the pictures of an article from it, marks them as not
// stored, because their content is deleted next, and reports whether there was one.
func UpdatePicturesForsaken(tx store.Writer, ws parley.WorkspaceID, article parley.ID) (bool, error) {
	return store.Affected(tx, ws, `UPDATE article_pictures SET article_id = NULL, stored = $3
		WHERE workspace_id = $1 AND article_id = $2 RETURNING 1`, article, false)
}

// DeleteArticlePicture deletes the row of a picture whose content is deleted.
func DeleteArticlePicture(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM article_pictures WHERE workspace_id = $1 AND picture_id = $2", id)
}

// CountArticlePictures returns the number of pictures of an article.
func CountArticlePictures(v store.Reader, ws parley.WorkspaceID, article parley.ID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], "SELECT count(*) FROM article_pictures WHERE workspace_id = $1 AND article_id = $2", article)
}

// SelectForsakenPictures returns at most limit pictures without article that
// were created before a time, oldest first.
func SelectForsakenPictures(v store.Reader, ws parley.WorkspaceID, before time.Time, limit int) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], `SELECT picture_id FROM article_pictures
		WHERE workspace_id = $1 AND article_id IS NULL AND created_at < $2 ORDER BY created_at, picture_id LIMIT $3`, before, limit)
}

// SelectOldestForsakenPicture returns when the oldest picture without article
// was created; zero if there is none.
func SelectOldestForsakenPicture(v store.Reader, ws parley.WorkspaceID) (time.Time, error) {
	return store.One(v, ws, "picture", store.Only[time.Time],
		"SELECT COALESCE(min(created_at), 0) FROM article_pictures WHERE workspace_id = $1 AND article_id IS NULL")
}

// SelectPictureByID returns a picture of an article, of any workspace: a reader
// knows only its id.
func SelectPictureByID(v store.Reader, id parley.ID) (PublicPicture, error) {
	return store.OneAcross(v, "picture", func(r store.Row, p *PublicPicture) error {
		return r.Behind(&p.Workspace).Scan(pictureFields(&p.ArticlePicture)...)
	}, "SELECT workspace_id, "+pictureColumns+" FROM article_pictures WHERE picture_id = $1 AND article_id IS NOT NULL AND stored LIMIT 1", id)
}

// SelectArticlePictures returns the pictures of an article, oldest first.
func SelectArticlePictures(v store.Reader, ws parley.WorkspaceID, article parley.ID) ([]parley.ArticlePicture, error) {
	return store.Many(v, ws, scanPicture, "SELECT "+pictureColumns+` FROM article_pictures
		WHERE workspace_id = $1 AND article_id = $2 ORDER BY created_at, picture_id`, article)
}
