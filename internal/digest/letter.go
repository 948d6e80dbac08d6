package digest

import (
	"cmp"
	"strconv"
	"strings"

	"parley"
	"parley/internal/mail"
	"parley/internal/words"
)

const (
	// shownConversations is the most conversations in a digest.
	shownConversations = 20
	// shownCharacters is the most characters of a message in it.
	shownCharacters = 140
)

// A group is what happened in a conversation.
type group struct {
	conversation parley.ID
	notices      []Pending
}

// groups returns notices by their conversations, the latest first.
func groups(pending []Pending) []group {
	var all []group
	places := map[parley.ID]int{}
	for i := range pending {
		p := &pending[i]
		place, known := places[p.ConversationID]
		if !known {
			place = len(all)
			places[p.ConversationID], all = place, append(all, group{conversation: p.ConversationID})
		}
		all[place].notices = append(all[place].notices, *p)
	}
	return all
}

// content returns what a digest says: an item for each conversation, the latest first.
func (svc *Service) content(p *parley.NoticePreferences, workspace string, pending []Pending) mail.Content {
	c := words.In(p.Language)
	all := groups(pending)
	count := strconv.Itoa(len(all))
	content := mail.Content{
		Language: c.Language, Subject: words.Fill(c.DigestSubject, "count", count, "workspace", workspace),
		Paragraphs: []string{words.Fill(c.DigestText, "workspace", workspace)},
		Action:     c.DigestAction, Link: svc.publicURL + "/inbox",
	}
	for i := range all {
		if i == shownConversations {
			content.After = append(content.After, words.Fill(c.DigestMore, "count", strconv.Itoa(len(all)-i)))
			break
		}
		content.Items = append(content.Items, svc.item(&c, &all[i]))
	}
	content.After = append(content.After, words.Fill(c.DigestEnd, "link", svc.publicURL+"/settings/notifications"))
	return content
}

// item says what happened in a conversation.
func (svc *Service) item(c *words.Catalogue, g *group) mail.Item {
	lines := []string{cmp.Or(mail.Name(g.notices[0].ContactName), c.DigestNobody)}
	for i := range g.notices {
		lines = append(lines, sentence(c, &g.notices[i]))
	}
	return mail.Item{Text: strings.Join(lines, "\n"), Link: svc.publicURL + "/inbox/" + g.conversation.String()}
}

// sentence says what a notice says, with the first words of its message.
func sentence(c *words.Catalogue, p *Pending) string {
	text := map[parley.NoticeKind]string{
		parley.NoticeMentioned: c.DigestMentioned, parley.NoticeAssigned: c.DigestAssigned, parley.NoticeAnswered: c.DigestAnswered,
		parley.NoticeNote: c.DigestNote, parley.NoticeWoke: c.DigestWoke,
	}[p.Kind]
	name := mail.Name(p.Actor.Name)
	if p.Actor.Type == parley.ActorCustomer {
		name = mail.Name(p.ContactName)
	}
	said := words.Fill(text, "name", cmp.Or(name, c.DigestNobody))
	if p.Count > 1 {
		said += " (" + strconv.Itoa(p.Count) + "×)"
	}
	if first := mail.Beginning(p.Text, shownCharacters); first != "" {
		said += " “" + first + "”"
	}
	return "– " + said
}
