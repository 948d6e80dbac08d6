package ranking

// likely reports whether a document probably answers the question.
func (b *base) likely(q *question, t *tally, all []tally) bool {
	if q.total == 0 {
		return false
	}
	return unit*t.found/q.total >= 600
}
