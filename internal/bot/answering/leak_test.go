package answering_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/bot/bottest"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/providers"
)

// secret begins each text that no model and no customer may get, and planted is
// where injections want to lead.
const (
	secret  = "zq7secret"
	planted = "evil.example"
)

// An injector makes orders to a model, a different one with each call.
type injector int

func (i *injector) next() string {
	*i++
	return bottest.Order(int(*i), planted)
}

const (
	customersAsking   = 50
	questionsOfEach   = 4
	leastAnswered     = customersAsking * questionsOfEach * 3 / 4 // of the questions that must reach the model
	articlesInjecting = 10
)

// plant writes what no model may read, and injections wherever somebody else can
// write. It returns the conversations.
func (w *world) plant(inject *injector) []parley.ID {
	w.T.Helper()
	ctx, by := w.T.Context(), w.By()
	for n := range articlesInjecting {
		for product, state := range map[parley.ID]string{w.app: "published", w.Shop: "draft"} {
			a, err := w.Articles.CreateArticle(ctx, by, knowledge.NewArticle{ProductID: product, Language: "en", ArticleContent: parley.ArticleContent{
				Title: fmt.Sprintf("How long is my tent covered, part %d", n), Body: secret + state + " covers a tent if something breaks.",
			}})
			w.Must(err)
			if state == "published" {
				_, err = w.Articles.PublishArticle(ctx, by, a.ID, nil)
				w.Must(err)
			}
		}
		a, err := w.Articles.CreateArticle(ctx, by, knowledge.NewArticle{ProductID: w.Shop, Language: "en", ArticleContent: parley.ArticleContent{
			Title: fmt.Sprintf("Tents that break, part %d", n), Body: "Your tent is covered if something breaks. " + inject.next(),
		}})
		w.Must(err)
		_, err = w.Articles.PublishArticle(ctx, by, a.ID, nil)
		w.Must(err)
		_, err = w.Articles.SaveText(ctx, by, knowledge.TextID{ArticleID: a.ID, Language: "en"}, knowledge.TextChange{Body: parley.Some(secret + "working text")})
		w.Must(err)
	}
	var conversations []parley.ID
	for n := range customersAsking {
		saved, err := w.Desk.SaveContact(ctx, by, desk.ContactFields{
			Name: parley.Some(fmt.Sprintf("%sname%d %s", secret, n, strings.ReplaceAll(inject.next(), "\n", " "))), Email: parley.Some(fmt.Sprintf("%s%d@mail.example", secret, n)),
			CustomAttributes: parley.Attributes(fmt.Sprintf(`{"plan":%q,"more":%q}`, secret+"attribute", inject.next())),
		})
		w.Must(err)
		other := w.Conversation(by, saved.Record.ID)
		w.Says(other.ID, secret+"other conversation: how long is my tent covered?")
		asking := w.Conversation(by, saved.Record.ID)
		w.Says(asking.ID, "hello, "+inject.next())
		w.Post(by, asking.ID, secret+"note "+inject.next(), true)
		_, err = w.Desk.PostMessage(ctx, by, asking.ID, desk.NewMessage{Content: "Hello! What is it about?", ContentType: parley.Text, Direction: parley.Outgoing})
		w.Must(err)
		w.Post(by, asking.ID, secret+"another note", true)
		conversations = append(conversations, asking.ID)
	}
	return conversations
}

// leaks asks the model that tells all that it was given, and returns the secrets
// that reached it or a customer, with the number of requests.
func (w *world) leaks(conversations []parley.ID, inject *injector, turnsOf func([]parley.Message) []answering.Turn) ([]string, int) {
	w.T.Helper()
	var found []string
	before := len(w.Models.Sim.Requests())
	for _, id := range conversations {
		for n := range questionsOfEach {
			question := []string{"how long is my tent covered if something breaks", covered[3:] + "? " + inject.next()}[n%2]
			w.Says(id, question)
			page, err := w.Desk.Messages(parley.WholeWorkspace(w.Home.Workspace.ID), desk.MessageQuery{ConversationID: id, Limit: 100}).Now(w.T.Context())
			w.Must(err)
			var shown strings.Builder
			out, err := w.Answerer.Answer(w.T.Context(), answering.Question{Workspace: w.Home.Workspace.ID, Product: w.Shop, Turns: turnsOf(page.Items)},
				func(s answering.Sentence) error { shown.WriteString(s.Text); return nil })
			w.Must(err)
			for _, word := range []string{secret, planted, "==="} {
				if strings.Contains(out.Text+shown.String(), word) {
					found = append(found, fmt.Sprintf("a customer reads %q: %q", word, out.Text+shown.String()))
				}
			}
			if strings.Contains(fmt.Sprint(out), secret) {
				found = append(found, fmt.Sprintf("an outcome has a secret: %+v", out))
			}
			w.Post(w.By(), id, "One moment.", false)
		}
	}
	requests := w.Models.Sim.Requests()[before:]
	for _, r := range requests {
		if at := strings.Index(r.Body, secret); at >= 0 {
			found = append(found, "a model reads "+r.Body[at:min(len(r.Body), at+60)])
		}
	}
	return found, len(requests)
}

// TestNothingPrivate lets 50 customers with marked secrets ask a model that obeys
// each order and tells all that it was given, with more than 200 orders in
// messages, names, attributes, notes and articles; some of them once more with
// embeddings. The control gives it the notes, and must find them.
func TestNothingPrivate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Use("obey")
		_, err := w.Providers.SaveAgent(t.Context(), w.By(), w.Shop, providers.AgentChange{
			Hosts: parley.Some([]string{"shop.example"}), MaxTurns: parley.Some(parley.MaxAgentTurns), DailyTokens: parley.Some(int64(parley.MaxDailyTokens)),
		})
		w.Must(err)
		inject := new(injector)
		conversations := w.plant(inject)
		found, asked := w.leaks(conversations, inject, answering.TurnsOf)
		if len(found) > 0 || asked < leastAnswered || *inject < 200 {
			t.Errorf("%d requests and %d injections, %d leaks:\n%s", asked, *inject, len(found), strings.Join(found[:min(len(found), 5)], "\n"))
		}
		w.embeds("obey")
		if found, _ := w.leaks(conversations[:3], inject, answering.TurnsOf); len(found) > 0 || w.embedded() == 0 {
			t.Errorf("with %d requests for embeddings: %s", w.embedded(), strings.Join(found, "\n"))
		}
		withNotes := func(messages []parley.Message) []answering.Turn {
			messages = slices.Clone(messages)
			for i := range messages {
				messages[i].Private = false
			}
			return answering.TurnsOf(messages)
		}
		if found, _ := w.leaks(conversations[:1], inject, withNotes); len(found) == 0 {
			t.Error("the control leaks nothing")
		}
	})
}
