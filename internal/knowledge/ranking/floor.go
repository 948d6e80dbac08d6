package ranking

// certainty is how probably a document answers the question, in thousandths:
// its lead, as a share of what the words of the question are worth. The lead is
// its score less a part of the best other score, because a question whose words
// are everywhere is about none of the documents. Words that no document has
// count in full, and as if the question had one more of them: a match in a
// single word proves little.
func (b *base) certainty(q *question, at int, all []tally) int {
	other := 0
	switch {
	case at > 0:
		other = all[0].sum()
	case len(all) > 1:
		other = all[1].sum()
	}
	lead := unit*all[at].sum() - int(b.by.rival*unit)*other
	return lead / (q.total + int(b.unknown))
}
