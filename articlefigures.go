package parley

import "time"

// FiguresPeriod is the time whose readers the figures of articles count.
const FiguresPeriod = 90 * 24 * time.Hour

// ArticleFigures are what a list of articles shows besides the articles.
type ArticleFigures struct {
	ArticleID ID
	UpdatedBy Actor // who wrote the text that was changed last
	// How often the article was shown, helped and did not help, in all languages
	// during FiguresPeriod.
	Shown     int64
	Helped    int64
	NotHelped int64
}
