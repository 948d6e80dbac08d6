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
	rival                                        float64 // how much of the best other score a document has to lead by
	floor                                        float64 // certainty from which a document is likely
	phrase                                       float64 // bonus for a keyword of several words, to 1 of its words
}

var standard = tuning{
	title: 4, keywords: 3, headings: 2, description: 2, body: 1,
	saturation: 3, length: 0.25,
	common: 0.2, part: 0.6, related: 0.35, typo: 0.8, filler: 0.1, phrase: 1,
	rival: 0.2, floor: 0.18,
}
