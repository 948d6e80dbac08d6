package parley

import "encoding/json"

// An AgentMode says what the automated agent does in the conversations of a
// product.
type AgentMode string

// The modes.
const (
	AgentOff     AgentMode = "off"    // nothing
	AgentCards   AgentMode = "cards"  // it shows articles; no model is asked
	AgentAnswers AgentMode = "answer" // it answers from articles, by a model if there is one
)

// AgentModes lists the modes.
var AgentModes = []AgentMode{AgentOff, AgentCards, AgentAnswers}

// On reports whether the agent answers at all.
func (m AgentMode) On() bool { return m == AgentCards || m == AgentAnswers }

// An AgentState is where the automated agent stands in a conversation.
type AgentState string

// The states. Resolving a conversation makes it AgentNone again.
const (
	AgentNone       AgentState = ""
	AgentAnswering  AgentState = "answering"   // it works on the customer's latest messages; exactly then there is a job
	AgentWaiting    AgentState = "waiting"     // it answered, and the customer's turn it is
	AgentHandedOver AgentState = "handed_over" // a person must go on; the agent is silent
	AgentTaken      AgentState = "taken"       // a member or a program answers; the agent is silent
)

// ShownAgentStates lists the states as the API shows them, see [AgentPart.Shown].
var ShownAgentStates = []AgentState{"off", AgentAnswering, AgentWaiting, AgentHandedOver}

// A HandOverReason says why the automated agent handed a conversation over.
type HandOverReason string

// AskedForPerson is the reason of a hand-over that the customer asked for. The
// others come from whoever decides about answers.
const AskedForPerson HandOverReason = "asked"

// MaxHandOverReason is the most bytes of a reason.
const MaxHandOverReason = 40

// An AgentPart is the part that the automated agent has in a conversation.
type AgentPart struct {
	State  AgentState
	Reason HandOverReason // of AgentHandedOver; else ""
}

// Shown returns the part as the API shows it: whether nobody asked the agent or
// somebody else answers makes no difference there.
func (a AgentPart) Shown() AgentPart {
	if a.State == AgentNone || a.State == AgentTaken {
		return AgentPart{State: "off"}
	}
	return a
}

// An AnswerKind is the kind of a message by the automated agent.
type AnswerKind string

// The kinds.
const (
	AnswerText     AnswerKind = "answer"    // a text with its sources
	AnswerCards    AnswerKind = "cards"     // articles that may help
	AnswerQuestion AnswerKind = "question"  // it asks what the customer means
	AnswerHandOver AnswerKind = "hand_over" // it says that a person will go on
)

// An AgentSource is an article that a message of the automated agent rests on.
type AgentSource struct {
	ArticleID ID
	Language  Language
	Version   int64
	Title     string
	URL       string // of the public page, without the origin; "" if there is none
}

// An AgentAnswer is what a message of the automated agent has beside its text.
type AgentAnswer struct {
	Kind    AnswerKind
	Helped  bool // the customer said so
	Failed  bool // it answers the complaint that the one before did not help; not shown
	Sources []AgentSource
}

// An AgentRecord is an [AgentAnswer] as it is stored with its message; "" for
// messages that the automated agent did not write.
type AgentRecord string

// storedAnswer has the written names of an AgentAnswer.
type storedAnswer struct {
	Kind    AnswerKind     `json:"kind"`
	Helped  bool           `json:"helped,omitempty"`
	Failed  bool           `json:"failed,omitempty"`
	Sources []storedSource `json:"sources,omitempty"`
}

type storedSource struct {
	ArticleID ID       `json:"articleId"`
	Language  Language `json:"language"`
	Version   int64    `json:"version"`
	Title     string   `json:"title"`
	URL       string   `json:"url,omitempty"`
}

// Record returns the answer as it is stored.
func (a AgentAnswer) Record() AgentRecord {
	stored := storedAnswer{Kind: a.Kind, Helped: a.Helped, Failed: a.Failed}
	for _, s := range a.Sources {
		stored.Sources = append(stored.Sources, storedSource(s))
	}
	text, err := json.Marshal(stored)
	if err != nil {
		return "" // it has only texts and numbers
	}
	return AgentRecord(text)
}

// Answer returns what is stored. The zero AgentAnswer means that there is nothing,
// or nothing that this version can read.
func (r AgentRecord) Answer() AgentAnswer {
	if r == "" {
		return AgentAnswer{} // nearly every message, without an allocation
	}
	var stored storedAnswer
	if json.Unmarshal([]byte(r), &stored) != nil {
		return AgentAnswer{}
	}
	a := AgentAnswer{Kind: stored.Kind, Helped: stored.Helped, Failed: stored.Failed}
	for _, s := range stored.Sources {
		a.Sources = append(a.Sources, AgentSource(s))
	}
	return a
}
