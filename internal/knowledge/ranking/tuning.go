package ranking

// A tuning is every number that was chosen by measuring (ADR 82).
type tuning struct {
	title, keywords, headings, description, body float64 // weights of the fields
	saturation                                   float64 // k1 of BM25: how soon repetitions stop counting
	length                                       float64 // b of BM25 for the body: how much long texts lose
	common                                       float64 // worth of a common word, to 1 of a rare one
	part                                         float64 // worth of a compound's part
	related                                      float64 // worth of a word with the same beginning
	typo                                         float64 // worth of a word that differs in one letter
	filler                                       float64 // worth of a stop word within a keyword that the question contains as written
	silent                                       float64 // words that nobody knows and every question has, for the floor
	bonus                                        float64 // the most that a phrase counts for the floor, to 1 of a word that nobody knows
	floor                                        float64 // certainty from which the best document is likely
	beside                                       float64 // share of the best score from which another document is likely too
	phrase                                       float64 // bonus for a keyword of several words, to 1 of its words
}

var standard = tuning{
	title: 4, keywords: 3, headings: 2, description: 2, body: 1,
	saturation: 3, length: 0.25,
	common: 0.2, part: 0.6, related: 0.35, typo: 0.8, filler: 0.2, phrase: 1,
	silent: 2, bonus: 0.4, floor: 0.25, beside: 0.5,
}
