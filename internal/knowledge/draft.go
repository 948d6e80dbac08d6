package knowledge

import (
	"strings"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// draftMessages is how many messages of a conversation, from its start, are
	// read for a draft, and draftMembers how many members' names are struck.
	draftMessages = 200
	draftMembers  = 200
	// maxDraftBody is the most bytes of a draft's body.
	maxDraftBody = parley.MaxArticleBody / 2
)

// A Draft is what a conversation proposes for an article. Nothing is stored.
type Draft struct {
	Title     string // may be empty
	Body      string // Markdown; may be empty
	ProductID parley.ID
}

// DraftOf proposes an article from a conversation: the customer's first question
// as title, and the members' answers as body. Names of the customer and of
// members, addresses, links with a query, long numbers, greetings and signatures
// are left out; an author must still read it, because nothing tells other names
// from words. Private notes are not read. A conversation that is not visible is
// NotFound.
func (svc *Service) DraftOf(vis parley.Visibility, conversation parley.ID) desk.Read[Draft] {
	return desk.Snapshot(svc.desk, func(v *store.View) (Draft, error) {
		c, err := desk.ConversationNow(v, vis, conversation)
		if err != nil {
			return Draft{}, err
		}
		contact, err := v.Contact(vis.Workspace(), c.Contact.ID)
		if err != nil {
			return Draft{}, err
		}
		members, err := v.Members(vis.Workspace(), parley.Position{}, draftMembers)
		if err != nil {
			return Draft{}, err
		}
		page, err := v.MessagesInOrder(vis, store.MessageQuery{ConversationID: c.ID, Order: parley.Ascending, Limit: draftMessages})
		if err != nil {
			return Draft{}, err
		}
		names := []string{contact.Name}
		for i := range members.Items {
			names = append(names, members.Items[i].Name)
		}
		for i := range page.Items {
			names = append(names, page.Items[i].Sender.Name)
		}
		d := draftOf(page.Items, newRedactor(names))
		d.ProductID = c.Product.ID
		return d, nil
	})
}

func draftOf(messages []parley.Message, r *redactor) Draft {
	var d Draft
	var body strings.Builder
	for i := range messages {
		m := &messages[i]
		if m.Private || m.ContentType == parley.Notice {
			continue
		}
		switch m.Sender.Type {
		case parley.SenderContact:
			if d.Title == "" {
				d.Title = questionIn(r.redact(m.Content))
			}
		case parley.SenderAgent:
			text := r.redact(m.Content)
			if text == "" || body.Len()+len(text) > maxDraftBody {
				continue
			}
			if body.Len() > 0 {
				body.WriteString("\n\n")
			}
			body.WriteString(text)
		}
	}
	d.Body = body.String()
	return d
}

// questionIn returns the first question of a text, or else its first line, as a
// title.
func questionIn(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if question, _, asked := strings.Cut(text, "?"); asked {
		if at := strings.LastIndexAny(question, ".!\n"); at >= 0 {
			question = question[at+1:]
		}
		line = question + "?"
	}
	line = parley.OneLine(line)
	n := 0
	for i := range line {
		if n == parley.MaxArticleTitle {
			return line[:i]
		}
		n++
	}
	return line
}
