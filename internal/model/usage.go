package model

import (
	"errors"
	"unicode/utf8"
)

// perMessage are the tokens that a message costs besides its text.
const perMessage = 4

// estimate returns about how many tokens a text has, rather too many than too
// few: four ASCII characters in a token, one of any other script.
func estimate(text string) int {
	ascii, others := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			others++
		}
	}
	return (ascii+3)/4 + others
}

// Estimate returns about how many tokens a request costs at most, with an
// answer of MaxTokens, to take it from a budget in advance.
func (r Request) Estimate() Usage {
	return Usage{In: r.estimate(), Out: r.MaxTokens, Estimated: true}
}

func (r Request) estimate() int {
	sum := 0
	for _, message := range r.Messages {
		sum += perMessage + estimate(message.Content)
	}
	for _, tool := range r.Tools {
		sum += perMessage + estimate(tool.Name) + estimate(tool.Description) + estimate(string(tool.Parameters))
	}
	if r.Schema != nil {
		sum += estimate(string(r.Schema.JSON))
	}
	return max(sum, 1)
}

// EstimateTexts returns about how many tokens it costs at most to embed texts, to
// take it from a budget in advance.
func EstimateTexts(texts []string) Usage {
	used := Usage{Estimated: true}
	for _, text := range texts {
		used.In += max(estimate(text), 1)
	}
	return used
}

// spent returns what a request cost whose answer did not begin: nothing if the
// server refused it, else possibly all that was sent.
func spent(err error, sent int) Usage {
	var e *Error
	if errors.As(err, &e) && (e.Fault == Unreachable || e.Status >= 300) {
		return Usage{}
	}
	return Usage{In: sent, Estimated: true}
}
