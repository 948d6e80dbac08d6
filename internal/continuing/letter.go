package continuing

import (
	"cmp"
	"net/url"
	"strings"
	"unicode/utf8"

	"parley"
	"parley/internal/mail"
	"parley/internal/words"
)

// toldCharacters is the most characters of a message in a mail.
const toldCharacters = 2000

// A letter is what a customer is mailed about messages. If the address was only typed, no
// part of it comes from the visitor but the choice of a language.
type letter struct {
	conversation parley.ID
	company      string
	link         string // back into the conversation; "" for the website
	place        place
	to           recipient
	messages     []parley.Message // one more than told says that there are more
	last         parley.ID        // the last one that was missed, which need not be among them
}

// content returns what the mail says.
func (l *letter) content() mail.Content {
	c := words.In(words.Choose(l.to.language))
	host, link := website(l.place.origin)
	values := []string{"company", l.company, "host", host, "date", mail.Time(l.to.typedAt)}
	content := mail.Content{Language: c.Language, Subject: words.Fill(c.MissedSubject, values...), After: []string{c.MissedEnd}}
	opening, openingHere := c.MissedText, c.MissedTextHere
	if l.to.typed() {
		opening, openingHere = c.TypedText, c.TypedTextHere
		content.After = append(content.After, c.TypedEnd)
	}
	if host == "" {
		opening = openingHere
	}
	if content.Link = cmp.Or(l.link, link); content.Link != "" {
		content.Action = c.MissedAction
	}
	content.Paragraphs = []string{words.Fill(opening, values...)}
	for i := range l.messages {
		if i == told {
			content.Paragraphs = append(content.Paragraphs, c.MissedMore)
			break
		}
		content.Paragraphs = append(content.Paragraphs, text(&l.messages[i]))
	}
	return content
}

// website returns the host of a website and its address, if it is one of the web.
func website(origin string) (host, link string) {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", ""
	}
	return u.Host, origin + "/"
}

// text returns a message as a mail shows it, with the names of its files.
func text(m *parley.Message) string {
	shown := strings.TrimSpace(strings.ReplaceAll(m.Content, "\r", ""))
	if utf8.RuneCountInString(shown) > toldCharacters {
		shown = string([]rune(shown)[:toldCharacters-1]) + "…"
	}
	lines := []string{shown}
	if shown == "" {
		lines = nil
	}
	for _, file := range m.Attachments {
		lines = append(lines, "📎 "+mail.Name(file.FileName))
	}
	return strings.Join(lines, "\n")
}
