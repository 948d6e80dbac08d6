package parley

import "time"

// Limits of help centers.
const (
	// MaxHelpCenterSlug and MaxHelpCenterTitle are in characters.
	MaxHelpCenterSlug  = 40
	MaxHelpCenterTitle = 100
)

// A HelpCenter is the public pages of a product's articles, and of the articles
// for all products. A product has at most one.
type HelpCenter struct {
	ProductID ID
	Slug      string     // its name in addresses, unique on the server
	Title     string     // at most MaxHelpCenterTitle characters
	Languages []Language // the first is the default; at least one
	Enabled   bool       // whether its pages can be read
	Color     string     // "#rrggbb", in lower case
	CreatedAt time.Time
	UpdatedAt time.Time
}

// HelpCenterSlugRule completes "must …" for a field that holds the slug of a
// help center.
const HelpCenterSlugRule = "be 1 to 40 of a-z, 0-9 and hyphens, and not a reserved word"

// WellFormedHelpCenterSlug reports whether a slug satisfies HelpCenterSlugRule.
func WellFormedHelpCenterSlug(s string) bool {
	switch s {
	case "", "pictures", "assets", "static":
		return false
	}
	return len(s) <= MaxHelpCenterSlug && slugCharacters(s)
}

// An ArticlePicture is a picture in the text of an article. Everybody who knows
// its id can read it.
type ArticlePicture struct {
	ID          ID
	ArticleID   ID     // zero: its content has not arrived, or its article was deleted
	ContentType string // image/png, image/jpeg, image/gif or image/webp
	Size        int64  // in bytes
	Width       int    // in pixels; 0 if unknown
	Height      int
	CreatedAt   time.Time
}

// ArticleFeedback is how often an article was shown in a language, and how many
// readers said whether it helped, on one day or in a period.
type ArticleFeedback struct {
	ArticleID ID
	Language  Language
	Day       time.Time // its start in UTC; zero for a period
	Shown     int64
	Helped    int64
	NotHelped int64
}

// FeedbackRetention is how long the counts of a day are kept.
const FeedbackRetention = 2 * 365 * 24 * time.Hour

// A GapSource says where a question was asked that no article answers.
type GapSource string

// The sources of gaps.
const (
	GapHelpCenter GapSource = "help_center"
	GapWidget     GapSource = "widget"
	GapBot        GapSource = "bot"
	GapAgent      GapSource = "agent"
)

// GapSources lists the sources.
var GapSources = []GapSource{GapHelpCenter, GapWidget, GapBot, GapAgent}

const (
	// GapRetention is how long gaps are kept.
	GapRetention = 180 * 24 * time.Hour
	// MaxGapSample is the most characters of a gap's sample.
	MaxGapSample = 200
	// MaxGaps is the most gaps of a workspace in one week. Further questions are
	// only counted if they belong to one of them.
	MaxGaps = 2000
)

// A KnowledgeGap is a question that no article answers, as it was asked in one
// week.
type KnowledgeGap struct {
	ProductID ID        // zero: none
	Week      time.Time // the start of its Monday in UTC
	Language  Language  // "" if unknown
	Words     string    // the stems of the question's words, by which equal questions are found
	Source    GapSource
	Sample    string // the first such question, without addresses and numbers
	Count     int64
	LastAt    time.Time
}
