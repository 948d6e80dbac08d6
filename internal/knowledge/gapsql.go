package knowledge

import (
	"math"
	"time"

	"parley"
	"parley/internal/store"
)

const gapColumns = "week, product, language, source, words, sample, questions, last_at"

func scanGap(r store.Row, g *parley.KnowledgeGap) error {
	var week int64
	var product string
	err := r.Scan(&week, &product, (*string)(&g.Language), (*string)(&g.Source), &g.Words, &g.Sample, &g.Count, &g.LastAt)
	g.Week = dayStart(week)
	g.ProductID, _ = parley.ParseID(product) // "" is none
	return err
}

// productText is a product as a text, "" for none.
func productText(product parley.ID) string {
	if product.IsZero() {
		return ""
	}
	return product.String()
}

// InsertKnowledgeGap stores a new gap.
func InsertKnowledgeGap(tx store.Writer, ws parley.WorkspaceID, g *parley.KnowledgeGap) error {
	return store.Exec(tx, ws, "INSERT INTO knowledge_gaps (workspace_id, "+gapColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
		dayOf(g.Week), productText(g.ProductID), string(g.Language), string(g.Source), g.Words, g.Sample, g.Count, g.LastAt)
}

// UpdateKnowledgeGap adds questions to those of a gap, whose sample stays, and
// reports whether there is such a gap.
func UpdateKnowledgeGap(tx store.Writer, ws parley.WorkspaceID, g *parley.KnowledgeGap) (bool, error) {
	return store.Affected(tx, ws, `UPDATE knowledge_gaps SET questions = questions + $7, last_at = $8
		WHERE workspace_id = $1 AND week = $2 AND product = $3 AND language = $4 AND source = $5 AND words = $6 RETURNING 1`,
		dayOf(g.Week), productText(g.ProductID), string(g.Language), string(g.Source), g.Words, g.Count, g.LastAt)
}

// CountKnowledgeGaps returns the number of gaps of a week.
func CountKnowledgeGaps(v store.Reader, ws parley.WorkspaceID, week time.Time) (int, error) {
	return store.One(v, ws, "count", store.Only[int], "SELECT count(*) FROM knowledge_gaps WHERE workspace_id = $1 AND week = $2", dayOf(week))
}

// SelectKnowledgeGaps returns the gaps of the weeks from since on, those with
// the most questions first.
func SelectKnowledgeGaps(v store.Reader, ws parley.WorkspaceID, f GapFilter, limit int) ([]parley.KnowledgeGap, error) {
	return store.Many(v, ws, scanGap, "SELECT "+gapColumns+` FROM knowledge_gaps WHERE workspace_id = $1 AND week >= $2
			AND ($3 = 0 OR product = $4) AND week <= $5
		ORDER BY questions DESC, last_at DESC, week DESC LIMIT $6`,
		dayOf(f.Since), mode(f.ProductID), productText(f.ProductID.Value), lastDay(f.Until), limit)
}

// lastDay is the day of a time, the last of all days for none.
func lastDay(at time.Time) int64 {
	if at.IsZero() {
		return math.MaxInt64
	}
	return dayOf(at)
}

// DeleteKnowledgeGaps deletes the gaps of a question and returns how many there
// were.
func DeleteKnowledgeGaps(tx store.Writer, ws parley.WorkspaceID, q Question) (int, error) {
	gone, err := store.Many(tx, ws, store.Only[int64], `DELETE FROM knowledge_gaps
		WHERE workspace_id = $1 AND product = $2 AND language = $3 AND words = $4 RETURNING week`, productText(q.ProductID), string(q.Language), q.Words)
	return len(gone), err
}

// DeleteKnowledgeGapsBefore deletes the gaps of the weeks before a time.
func DeleteKnowledgeGapsBefore(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM knowledge_gaps WHERE workspace_id = $1 AND week < $2", dayOf(before))
}
