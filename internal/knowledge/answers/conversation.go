package answers

import (
	"strings"
	"unicode/utf8"

	"parley"
	"parley/internal/bot/language"
	"parley/internal/desk"
	"parley/internal/store"
)

// questionMessages is how many of the newest messages are searched for what the
// customer asked.
const questionMessages = 20

// A ConversationQuery asks for the articles that help to answer a conversation;
// see [Service.ForConversation].
type ConversationQuery struct {
	ConversationID parley.ID
	// Text is what to look for. If it is blank, the question is what the customer
	// wrote last: all messages in a row, as far as [parley.MaxArticleQuestion]
	// allows.
	Text string
	// Language overrides the one that the customer writes in.
	Language parley.Language
	Limit    int // at most [parley.MaxArticleHits]
}

// ForConversation returns what to search for a conversation: the articles of its
// product, in the language of its customer or, if that is not clear, in the default
// one. Without a question, nothing is found. A conversation that the reader may not
// see is NotFound.
func (svc *Service) ForConversation(vis parley.Visibility, q ConversationQuery) desk.Read[Query] {
	return desk.Snapshot(svc.desk, func(v *store.View) (Query, error) {
		c, err := desk.ConversationNow(v, vis, q.ConversationID)
		if err != nil {
			return Query{}, err
		}
		found := Query{ProductID: c.Product.ID, Language: q.Language, Text: q.Text, Limit: q.Limit}
		if strings.TrimSpace(q.Text) != "" && q.Language != "" {
			return found, nil
		}
		p, err := v.Messages(vis, c.ID, parley.Position{}, questionMessages)
		if err != nil {
			return Query{}, err
		}
		question := lastQuestion(p.Items)
		if strings.TrimSpace(q.Text) == "" {
			found.Text = question
		}
		if q.Language == "" {
			found.Language = languageOf(question, p.Items)
		}
		return found, nil
	})
}

// asks reports whether a customer wrote a message with words.
func asks(m *parley.Message) bool {
	return m.Direction == parley.Incoming && m.ContentType != parley.Notice && strings.TrimSpace(m.Content) != ""
}

// lastQuestion joins what the customer wrote last, up to an answer. Messages are
// ordered by time. If they are too long together, the newest count.
func lastQuestion(messages []parley.Message) string {
	question, left := "", parley.MaxArticleQuestion
	for i := len(messages) - 1; i >= 0; i-- {
		m := &messages[i]
		if !asks(m) {
			if question != "" && m.Direction == parley.Outgoing && !m.Private {
				break
			}
			continue
		}
		part := firstCharacters(m.Content, left)
		if question == "" {
			question = part
		} else {
			question = part + "\n" + question
		}
		if left -= utf8.RuneCountInString(part) + 1; left <= 0 {
			break
		}
	}
	return question
}

func firstCharacters(s string, n int) string {
	for at := range s {
		if n == 0 {
			return s[:at]
		}
		n--
	}
	return s
}

// languageOf returns the language of a question. If it is too short to tell, an
// earlier message of the customer decides.
func languageOf(question string, messages []parley.Message) parley.Language {
	found := language.Of(question)
	for i := len(messages) - 1; found == "" && i >= 0; i-- {
		if asks(&messages[i]) {
			found = language.Of(messages[i].Content)
		}
	}
	return parley.Language(found)
}
