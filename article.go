package parley

import (
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Limits of articles. Characters are code points.
const (
	// MaxArticles is the most articles of a workspace.
	MaxArticles = 10_000
	// MaxArticleCategories is the most categories of a workspace. Their list is
	// always read as a whole.
	MaxArticleCategories = 500
	// MaxArticleLanguages is the most languages in which a workspace has articles.
	MaxArticleLanguages = 20
	// MaxArticleTitle and MaxArticleDescription are in characters.
	MaxArticleTitle       = 200
	MaxArticleDescription = 300
	// MaxArticleBody is the most bytes of a body.
	MaxArticleBody = 256 << 10
	// MaxArticleHeadings is the most headings of a body.
	MaxArticleHeadings = 1_000
	// MaxArticleKeywords is the most keywords of a text, each of at most
	// MaxArticleKeyword characters.
	MaxArticleKeywords = 100
	MaxArticleKeyword  = 100
	// MaxArticleHits is the most hits of a search for articles, and
	// MaxArticleQuestion the most characters of its question.
	MaxArticleHits     = 20
	MaxArticleQuestion = 1000
	// MaxArticleSlug is the most characters of a slug.
	MaxArticleSlug = 80
	// MaxCategoryName is the most characters of a category's name.
	MaxCategoryName = 100
	// MaxCategoryPosition is the largest position of a category.
	MaxCategoryPosition = 1_000_000
	// MaxDraftVersions is the most versions of a text that were never published.
	// Older ones are deleted.
	MaxDraftVersions = 100
	// MaxArticlePictures is the most pictures of an article.
	MaxArticlePictures = 200
	// MaxArticlePicture is the most bytes of a picture.
	MaxArticlePicture = 5 << 20
)

// VersionMerge is how long after a version was begun its author's next change
// replaces it, instead of adding a version.
const VersionMerge = 10 * time.Minute

// A Language is a language tag of BCP 47: a language in lower case, and a
// region if needed, such as "en" or "pt-BR". The empty Language means "none".
type Language string

// ParseLanguage returns the tag in its canonical case. Tags with a script or a
// variant are not supported.
func ParseLanguage(s string) (Language, bool) {
	language, region, hasRegion := strings.Cut(s, "-")
	if len(language) < 2 || len(language) > 3 || !asciiLetters(language) {
		return "", false
	}
	language = strings.ToLower(language)
	if !hasRegion {
		return Language(language), true
	}
	digits := len(region) == 3 && strings.Trim(region, "0123456789") == ""
	if !digits && (len(region) != 2 || !asciiLetters(region)) {
		return "", false
	}
	return Language(language + "-" + strings.ToUpper(region)), true
}

func asciiLetters(s string) bool {
	for _, c := range []byte(s) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}

// Base returns the language without its region.
func (l Language) Base() Language {
	base, _, _ := strings.Cut(string(l), "-")
	return Language(base)
}

// LanguageRule completes "must …" for a field that holds a language.
const LanguageRule = "be a language such as pt-BR or en"

// An ArticleState says whether an article can be read in public.
type ArticleState string

// The states of an article.
const (
	ArticleDraft     ArticleState = "draft"     // no text is published
	ArticlePublished ArticleState = "published" // the published texts can be read in public
	ArticleArchived  ArticleState = "archived"  // nothing can be read in public; the texts stay published for later
)

// ArticleStates lists the states.
var ArticleStates = []ArticleState{ArticleDraft, ArticlePublished, ArticleArchived}

// An Article answers a question of customers, in one or more languages.
type Article struct {
	ID         ID
	Slug       string // its name in addresses, unique in the workspace; see WellFormedSlug
	ProductID  ID     // zero: for all products
	CategoryID ID     // zero: none
	State      ArticleState
	// ImportKey identifies the article in the imported folders of a product, or of
	// all products if ImportProductID is zero; "" if it was not imported. Both
	// never change, also if the article gets another product.
	ImportKey       string
	ImportProductID ID
	Texts           []ArticleHead // at least one, sorted by language
	CreatedAt       time.Time
	UpdatedAt       time.Time
	PublishedAt     time.Time // when a text was last published; zero: never
}

// Text returns the head of the article's text in a language.
func (a *Article) Text(language Language) (ArticleHead, bool) {
	for _, t := range a.Texts {
		if t.Language == language {
			return t, true
		}
	}
	return ArticleHead{}, false
}

// An ArticleHead is what lists and events show of an article's text. Title and
// Description are those of the working text.
type ArticleHead struct {
	Language         Language
	Title            string
	Description      string
	Version          int64 // of the working text; it increases with each change, also if the text is deleted and added again
	PublishedVersion int64 // the version that the public reads; 0: none
	UpdatedAt        time.Time
	PublishedAt      time.Time // zero while no version is published
}

// ArticleContent is what authors write in a language.
type ArticleContent struct {
	Title       string
	Description string // what the article answers, in one sentence; may be empty
	Body        string // Markdown
	// Keywords are words and phrases that customers use and the text does not.
	Keywords []string
}

// An ArticleText is an article's working text in a language.
type ArticleText struct {
	ArticleID ID
	ArticleHead
	Body     string
	Keywords []string
}

// Content returns the content of the text.
func (t *ArticleText) Content() ArticleContent {
	return ArticleContent{Title: t.Title, Description: t.Description, Body: t.Body, Keywords: t.Keywords}
}

// An ArticleVersion is one version of an article's text. Numbers have gaps,
// because a version that is replaced soon after it was written gets a new one.
type ArticleVersion struct {
	ArticleID ID
	Language  Language
	Version   int64
	ArticleContent
	Author      Actor
	CreatedAt   time.Time // when the version was begun
	PublishedAt time.Time // zero: it was never published
}

// A PublishedText is a version of an article that the public may read.
type PublishedText struct {
	ArticleID   ID
	Slug        string
	ProductID   ID // zero: for all products
	CategoryID  ID // zero: none
	Language    Language
	Version     int64
	PublishedAt time.Time
	ArticleContent
}

// An ArticleHit is a published text that has words of a question.
type ArticleHit struct {
	PublishedText // without body and keywords
	// Score orders the hits of one search and compares with no other.
	Score int
	// Coverage is the share of the question that the text's words cover, in
	// thousandths.
	Coverage int
	// Likely reports that the article probably answers the question.
	Likely bool
}

// An ArticleCategory groups articles of a product, or of all products.
type ArticleCategory struct {
	ID        ID
	ProductID ID // zero: for all products
	Names     map[Language]string
	Position  int // categories are shown by ascending position
	CreatedAt time.Time
	UpdatedAt time.Time
}

// SlugRule completes "must …" for a field that holds the slug of an article.
const SlugRule = "be 1 to 80 of a-z and 0-9 with single hyphens between them, and not a reserved word"

// WellFormedSlug reports whether a slug satisfies SlugRule.
func WellFormedSlug(s string) bool {
	if len(s) == 0 || len(s) > MaxArticleSlug || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") || ReservedSlug(s) {
		return false
	}
	return slugCharacters(s)
}

// ReservedSlug reports whether an address of a help center needs the word for
// another page.
func ReservedSlug(s string) bool {
	switch s {
	case "search", "category", "feedback":
		return true
	}
	return false
}

func slugCharacters(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// maxMadeSlug is the most characters of a slug that is made from a title, so
// that a number fits behind it.
const maxMadeSlug = 60

// SlugOf makes a slug from a title: Latin letters lose their marks, everything
// else separates words. A title without Latin letters and digits gives
// "article".
func SlugOf(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(title) {
		part := slugPart(unicode.ToLower(r))
		switch {
		case part == "" && (unicode.Is(unicode.Mn, r) || r == '\'' || r == '’'):
			continue // a mark of the letter before, or an elision
		case part == "":
			gap = b.Len() > 0
			continue
		}
		if gap {
			part = "-" + part
		}
		if b.Len()+len(part) > maxMadeSlug {
			break
		}
		b.WriteString(part)
		gap = false
	}
	if b.Len() == 0 {
		return "article"
	}
	return b.String()
}

// slugPart returns what a letter or digit becomes in a slug, or "".
func slugPart(r rune) string {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return string(r)
	}
	switch r { // letters that have no decomposition
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'ı':
		return "i"
	case 'þ':
		return "th"
	}
	return ""
}
