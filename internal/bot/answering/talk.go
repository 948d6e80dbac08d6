package answering

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"parley"
	"parley/internal/bot/language"
	"parley/internal/bot/prompt"
)

// maxRead is how many bytes of a burst are read: its beginning, and as much of
// its end.
const maxRead = 16 << 10

// errNoQuestion is the fault of whoever asks.
var errNoQuestion = errors.New("answering: the last turn is not the customer's")

// A talk is what the turns of a question say.
type talk struct {
	burst    []string // what the customer wrote last
	former   []string // what the customer wrote in the burst before
	earlier  []Turn   // all turns before the burst
	answered bool     // the burst follows the agent
	language parley.Language
}

// readTalk splits the turns of a question.
func readTalk(q Question) (talk, error) {
	var t talk
	end := len(q.Turns)
	t.burst, end = burst(q.Turns, end)
	if len(t.burst) == 0 {
		return t, errNoQuestion
	}
	t.earlier = q.Turns[:end]
	t.answered = end > 0 && q.Turns[end-1].From == Bot
	for end > 0 && q.Turns[end-1].From != Customer {
		end--
	}
	t.former, _ = burst(q.Turns, end)
	t.language = t.spoken(q)
	return t, nil
}

// burst returns the messages of the customer that end before a turn, and where
// they begin.
func burst(turns []Turn, end int) ([]string, int) {
	start := end
	for start > 0 && turns[start-1].From == Customer {
		start--
	}
	texts := make([]string, 0, end-start)
	for _, turn := range turns[start:end] {
		texts = append(texts, turn.Text)
	}
	return texts, start
}

// spoken returns the language of the burst, or else of the customer's other
// messages, or else of the customer's page; "" if none is known.
func (t *talk) spoken(q Question) parley.Language {
	same := func(of string) parley.Language {
		if primary(q.Language) == of {
			return q.Language // which may have a region
		}
		return parley.Language(of)
	}
	if of := language.Of(t.text()); of != "" {
		return same(of)
	}
	var all strings.Builder
	for _, turn := range t.earlier {
		if turn.From == Customer && all.Len() < maxRead {
			all.WriteString(turn.Text + "\n")
		}
	}
	if of := language.Of(all.String()); of != "" {
		return same(of)
	}
	if of := greetingLanguage(t.text()); of != "" && q.Language == "" && t.query() == "" {
		return of
	}
	return q.Language
}

// text is the burst as one text.
func (t *talk) text() string { return bounded(strings.Join(t.burst, "\n")) }

// query is the burst without the messages that only greet.
func (t *talk) query() string { return queryOf(t.burst) }

// followUp is the former burst and this one, for a question that makes sense
// only after another; "" if there is no former one.
func (t *talk) followUp() string {
	former := queryOf(t.former)
	if former == "" {
		return ""
	}
	return strings.TrimSpace(former + "\n" + t.query())
}

func queryOf(texts []string) string {
	var kept []string
	greeted := slices.ContainsFunc(texts, greets)
	for _, text := range texts {
		if !greets(text) && !(greeted && idle(text)) {
			kept = append(kept, strings.TrimSpace(text))
		}
	}
	return characters(bounded(strings.Join(kept, "\n")), parley.MaxArticleQuestion)
}

// turns are the earlier turns as a model reads them.
func (t *talk) turns() []prompt.Turn {
	turns := make([]prompt.Turn, len(t.earlier))
	for i, turn := range t.earlier {
		turns[i] = prompt.Turn{From: prompt.Team, Text: turn.Text}
		if turn.From == Customer {
			turns[i].From = prompt.Customer
		}
	}
	return turns
}

// bounded returns the beginning and the end of a long text.
func bounded(text string) string {
	if len(text) <= 2*maxRead {
		return text
	}
	return strings.ToValidUTF8(text[:maxRead], "") + "\n" + strings.ToValidUTF8(text[len(text)-maxRead:], "")
}

// characters returns at most that many characters of a text.
func characters(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}

// primary returns the first subtag of a language.
func primary(l parley.Language) string {
	first, _, _ := strings.Cut(strings.ToLower(string(l)), "-")
	return first
}

// TurnsOf returns messages of a conversation, the oldest first, as the customer
// saw them: without notes, notices, and what was never delivered.
func TurnsOf(messages []parley.Message) []Turn {
	turns := make([]Turn, 0, len(messages))
	for i := range messages {
		m := &messages[i]
		if m.Private || m.ContentType == parley.Notice || m.Status == parley.Failed {
			continue
		}
		turn := Turn{Text: m.Content, At: m.CreatedAt}
		switch {
		case m.Direction == parley.Incoming:
			turn.From = Customer
		case m.Sender.Type == parley.SenderBot:
			turn.From = Bot
		default:
			turn.From = Member
		}
		turns = append(turns, turn)
	}
	return turns
}
