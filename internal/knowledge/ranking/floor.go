package ranking

// certainty is how probably the best document answers the question, in
// thousandths: its score, by the subject of the question. In the subject, each
// word counts by the square of its worth, so that the few words that a question
// is about outweigh the many with which it is told. Words that the base does
// not know count twice, because they may be what the question is about. A
// question has the given number of further words that nobody knows: a match in
// a single word proves little.
//
// The bonus for a phrase is bounded, so that a phrase alone decides nothing.
// The result has no unit and does not grow with the base.
func (b *base) certainty(q *question, best *tally) int {
	unknown := int64(b.unknown)
	score := int64(best.score) + min(int64(best.phrase), int64(b.by.bonus*float64(unknown)))
	return int(unit * score * unknown / (int64(b.by.silent*float64(unknown))*unknown + q.subject))
}
