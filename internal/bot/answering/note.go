package answering

import (
	"fmt"
	"slices"
	"strings"

	"parley/internal/bot/claims"
	"parley/internal/desk"
)

// A Note is what members read when a person takes a conversation over. It needs no
// model.
type Note struct {
	Reason Reason
	Turns  []Turn // the oldest first
	// Answers are the messages of the agent among the turns, of which Failures did
	// not help.
	Answers, Failures int
	Articles          []string // titles of those that were shown or read
	Draft             string   // that was not sent, "" for none
	Unchecked         []claims.Claim
}

// whys are the reasons to hand over as members read them.
var whys = map[Reason]string{
	Asked:       "The customer asks for a person.",
	NoArticle:   "No published article is likely to answer the question.",
	FailedTwice: "Two answers did not help.",
	Turns:       "The limit of answers in a row is reached.",
	OtherTongue: "The agent does not answer in the customer’s language.",
	Budget:      "The product has used its tokens for today.",
	ModelDown:   "The language model could not be used.",
	Declined:    "The model found no answer in the articles.",
	Unchecked:   "The model’s answer has claims that no article supports, so it was not sent.",
	Broken:      "It could not answer, for a technical reason.",
}

// Limits of a note, in characters.
const (
	maxQuoted = 600
	maxFirst  = 300
)

// String returns the note as a text of several lines. It tells the customer's first
// question only if that is not also the last message.
func (n *Note) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Handed over by the automated agent: %s\n", whys[n.Reason])
	last, begins := burst(n.Turns, n.lastAsked())
	if len(last) > 0 {
		first, _ := burst(n.Turns, n.firstAsked())
		if question := quoted(queryOf(first), maxFirst); question != "" && begins > 0 {
			fmt.Fprintf(&b, "First question: %s\n", question)
		}
		fmt.Fprintf(&b, "Last message: %s\n", quoted(bounded(strings.Join(last, "\n")), maxQuoted))
	}
	if n.Answers > 0 {
		fmt.Fprintf(&b, "Messages of the agent: %d, of which %d did not help.\n", n.Answers, n.Failures)
	}
	if titles := desk.Unique(n.Articles); len(titles) > 0 {
		fmt.Fprintf(&b, "Articles: %s\n", strings.Join(titles, "; "))
	}
	if n.Draft != "" {
		fmt.Fprintf(&b, "Suggested answer, not sent: %s\n", n.Draft)
		claimed := make([]string, len(n.Unchecked))
		for i, claim := range n.Unchecked {
			claimed[i] = claim.Text
		}
		if len(claimed) > 0 {
			fmt.Fprintf(&b, "Check: %s\n", strings.Join(claimed, "; "))
		}
	}
	return strings.TrimSpace(b.String())
}

// firstAsked returns where the customer's first burst ends, and lastAsked where the
// last one does.
func (n *Note) firstAsked() int {
	end := slices.IndexFunc(n.Turns, func(t Turn) bool { return t.From == Customer })
	for end >= 0 && end < len(n.Turns) && n.Turns[end].From == Customer {
		end++
	}
	return end
}

func (n *Note) lastAsked() int {
	end := len(n.Turns)
	for end > 0 && n.Turns[end-1].From != Customer {
		end--
	}
	return end
}

func quoted(text string, most int) string {
	return characters(strings.Join(strings.Fields(text), " "), most)
}
