package backup

import (
	"parley"
	"parley/internal/store"
)

// selectStored reports whether a file is stored, according to its row.
func selectStored(v store.Reader, f file) (bool, error) {
	stored, err := store.One(v, f.ws, "attachment", store.Only[bool],
		`SELECT stored FROM attachments WHERE workspace_id = $1 AND attachment_id = $2
		UNION ALL SELECT stored FROM article_pictures WHERE workspace_id = $1 AND picture_id = $2`, f.id)
	if parley.KindOf(err) == parley.NotFound {
		err = nil
	}
	return stored, err
}

// selectPackedBytes returns the size of all uploaded files in compressed formats.
func selectPackedBytes(v store.Reader) (int64, error) {
	return store.OneAcross(v, "sum", store.Only[int64], `SELECT CAST(COALESCE(SUM(size), 0)
			+ (SELECT COALESCE(SUM(p.size), 0) FROM article_pictures p WHERE p.stored = $1) AS bigint) FROM attachments
		WHERE stored = $1 AND content_type IN ('image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic', 'image/avif',
			'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/webm', 'video/mp4', 'video/webm', 'video/ogg', 'video/quicktime')`, true)
}
