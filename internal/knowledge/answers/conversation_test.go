package answers_test

import (
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
)

// TestForConversation asks for the articles that fit what a customer wrote.
func TestForConversation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, by := t.Context(), w.By()
		shop, app := w.product("Shop"), w.product("App")
		returns := w.draft(shop, "Return a parcel")
		_, err := w.articles.SaveText(ctx, by, knowledge.TextID{ArticleID: returns.ID, Language: "de"}, knowledge.TextChange{Title: parley.Some("Ein Paket zurücksenden"), Body: parley.Some("So senden Sie ein Paket zurück.")})
		w.Must(err)
		w.publish(returns)
		w.publish(w.draft(parley.ID{}, "Delivery times"))
		w.publish(w.draft(app, "Return to the start page"))
		w.draft(shop, "A draft about parcels")

		c := w.Conversation(by, w.Contact(by, "Ann").ID)
		_, err = w.Desk.UpdateConversation(ctx, by, c.ID, desk.ConversationChange{ProductID: parley.Some(shop)})
		w.Must(err)
		writes := func(direction parley.Direction, content string, private bool) {
			w.Advance(time.Second)
			_, err := w.Desk.PostMessage(ctx, by, c.ID, desk.NewMessage{Content: content, ContentType: parley.Text, Direction: direction, Private: private})
			w.Must(err)
		}
		find := func(what, text string, language parley.Language, want string) {
			t.Helper()
			q, err := w.svc.ForConversation(parley.WholeWorkspace(by.Workspace), answers.ConversationQuery{ConversationID: c.ID, Text: text, Language: language, Limit: 3}).Now(ctx)
			w.Must(err)
			found, err := w.svc.Search(by.Workspace, q).Now(ctx)
			w.Must(err)
			var got []string
			for _, hit := range found.Hits {
				got = append(got, hit.Slug+"."+string(hit.Language))
			}
			w.want(what, strings.Join(got, " "), want)
		}
		find("no message", "", "", "")
		writes(parley.Outgoing, "How can we help with your parcel?", false)
		find("only an answer", "", "", "")
		writes(parley.Incoming, "Hello, I would like to return the parcel that I have here", false)
		find("a question", "", "", "return-a-parcel.en")
		writes(parley.Outgoing, "The delivery times are a note", true)
		writes(parley.Incoming, "thanks", false)
		find("a burst with a note between", "", "", "return-a-parcel.en")
		find("words of a member", "delivery", "", "delivery-times.en")
		find("another language", "Paket", "de", "return-a-parcel.de")
		writes(parley.Outgoing, "Yes.", false)
		find("the question before the answer", "", "", "return-a-parcel.en")
		writes(parley.Incoming, "Und was ist mit den Lieferzeiten?", false)
		find("another question", "", "", "")
		writes(parley.Incoming, "Ich möchte das Paket nicht behalten", false)
		find("in German", "", "", "return-a-parcel.de")
		find("the language of the customer", "paket", "", "return-a-parcel.de")
		writes(parley.Outgoing, "Gut.", false)
		writes(parley.Incoming, "Paket?", false)
		find("too short to tell its language", "", "", "return-a-parcel.de")
		writes(parley.Outgoing, "Ja.", false)
		writes(parley.Incoming, "parcel parcel "+strings.Repeat("x", 2000), false)
		find("long", "", "en", "return-a-parcel.en")

		other := w.Found("Other")
		_, err = w.svc.ForConversation(parley.WholeWorkspace(other.Workspace.ID), answers.ConversationQuery{ConversationID: c.ID, Limit: 3}).Now(ctx)
		w.Refused(err, parley.NotFound, "no such conversation in this workspace")
	})
}
