package assist

import (
	"slices"
	"strings"
	"unicode/utf8"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/bot/language"
)

// The limits of what a model reads of a conversation, in characters. The latest
// counts.
const (
	maxMessage    = 2000
	maxTranscript = 24_000
)

// A talk is a conversation as a model may read it.
type talk struct {
	workspace parley.WorkspaceID
	product   parley.ID
	messages  []parley.Message // the oldest first
}

// spoken reports whether a message has a text that somebody wrote.
func spoken(m *parley.Message) bool {
	return (m.ContentType == parley.Text || m.ContentType == parley.Markdown) && m.Sender.Type != parley.SenderSystem && strings.TrimSpace(m.Content) != ""
}

// question is what the customer wants to know, without notes. What the team
// wrote after the customer's last message is left out.
func (t *talk) question() answering.Question {
	turns := answering.TurnsOf(t.messages)
	end := len(turns)
	for end > 0 && turns[end-1].From != answering.Customer {
		end--
	}
	return answering.Question{Workspace: t.workspace, Product: t.product, Turns: turns[:end]}
}

// asked is what the customer wrote since somebody answered, or "".
func (t *talk) asked() string {
	var texts []string
	for _, turn := range slices.Backward(t.question().Turns) {
		if turn.From != answering.Customer {
			break
		}
		texts = append(texts, turn.Text)
	}
	slices.Reverse(texts)
	return cut(strings.TrimSpace(strings.Join(texts, "\n")), MaxText)
}

// language is that of the customer, "" if it is unknown.
func (t *talk) language() parley.Language {
	if of := language.Of(t.asked()); of != "" {
		return parley.Language(of)
	}
	var all strings.Builder
	for _, turn := range slices.Backward(t.question().Turns) {
		if turn.From == answering.Customer && all.Len() < MaxText {
			all.WriteString(turn.Text + "\n")
		}
	}
	return parley.Language(language.Of(all.String()))
}

// transcript is the conversation as text, the latest messages if it is long. It
// has no names.
func (t *talk) transcript(notes bool) string {
	var lines []string
	left := maxTranscript
	for i := range slices.Backward(t.messages) {
		m := &t.messages[i]
		if m.Private && !notes || !spoken(m) {
			continue
		}
		who := "team"
		switch {
		case m.Private:
			who = "private note"
		case m.Sender.Type == parley.SenderContact:
			who = "customer"
		}
		line := m.CreatedAt.UTC().Format("2006-01-02 15:04 ") + who + ": " + cut(strings.Join(strings.Fields(m.Content), " "), maxMessage)
		if left -= utf8.RuneCountInString(line); left < 0 {
			break
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// cut returns at most that many characters of a text.
func cut(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}
