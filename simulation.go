package parley

import "time"

const (
	// MaxSimulatedText is the most characters of a question, of what members
	// wrote, and of an answer in a SimulatedAnswer.
	MaxSimulatedText = 1000
	// MaxSimulationStep is how many conversations one step of a simulation
	// reads.
	MaxSimulationStep = 50
	// MaxSimulationTokens is the most tokens that a step may be allowed to use.
	MaxSimulationTokens = 10_000_000
)

// A SimulatedAnswer is what the automated agent would do about the first question
// of a past conversation, beside what members did.
type SimulatedAnswer struct {
	ConversationID ID
	AskedAt        time.Time
	Question       string
	Human          string // the first answer of members; "" if there was none
	Kind           string // answer, cards, clarify, hand_over or suggestion
	Reason         string // "" of an answer
	Text           string // what the customer would have read
	Draft          string // the rejected answer of a suggestion
	Sources        []SimulatedSource
	Tokens         int64
}

// A SimulatedSource is an article that an answer would rest on.
type SimulatedSource struct {
	ArticleID ID
	Language  Language
	Title     string
	Slug      string
	Linked    bool // the member's answer leads to it too
}
