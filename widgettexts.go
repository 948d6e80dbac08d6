package parley

// WidgetTexts are what a company says in its own words in the chat of an inbox, in one
// language.
type WidgetTexts struct {
	InboxID  ID
	Language string            // one of words.Languages
	Texts    map[string]string // by the keys of words.Chat
}

// The limits of a language's texts.
const (
	MaxWidgetText  = 300     // characters of one
	MaxWidgetTexts = 8 << 10 // bytes of all with their keys
)
