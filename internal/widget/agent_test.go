package widget_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/bot"
	"parley/internal/bot/answering"
	"parley/internal/desk"
	"parley/internal/live"
	"parley/internal/store"
)

// enable lets the automated agent answer in the inbox, about a new product.
func (w *world) enable() {
	w.T.Helper()
	_, err := desk.Write(w.T.Context(), w.Desk, desk.Caller{Workspace: w.Home.Workspace.ID}, func(t *desk.Tx) (struct{}, error) {
		inbox, err := t.Inbox(t.WS, w.inbox)
		p := parley.Product{ID: t.IDs.New(t.Now), Name: "Shop", Agent: parley.AgentAnswers, CreatedAt: t.Now, UpdatedAt: t.Now}
		inbox.ProductID = p.ID
		return struct{}{}, errors.Join(err, t.InsertProduct(t.WS, &p), t.UpdateProduct(t.WS, &p), t.UpdateInbox(t.WS, &inbox))
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

// run lets the agent answer what is due, always the same.
func (w *world) run() {
	w.T.Helper()
	w.Advance(3 * time.Second)
	agent := bot.New(bot.Options{
		Desk: w.Desk, Signal: func(_ context.Context, _ parley.WorkspaceID, g live.Signal) {
			w.shown = append(w.shown, string(g.Data))
		},
		Answer: func(_ context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error) {
			return answering.Outcome{Kind: answering.Answer, Text: "Send it back.", Sources: []answering.Source{
				{ArticleID: q.Product, Language: "en", Version: 3, Title: "Return a parcel", Path: "/help/shop/en/return-a-parcel"},
			}}, emit(answering.Sentence{Text: "Send it back."})
		},
	})
	if err := agent.RunDue(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
}

// answer stores an answer of the agent in a conversation, and returns its id.
func (w *world) answer(conversation string) parley.ID {
	w.T.Helper()
	id, _ := parley.ParseID(conversation)
	m, err := desk.Write(w.T.Context(), w.Desk, desk.Caller{Workspace: w.Home.Workspace.ID}, func(t *desk.Tx) (parley.Message, error) {
		c, err := t.Conversation(t.Visibility, id)
		if err != nil {
			return parley.Message{}, err
		}
		m, err := t.NewMessage(&c, desk.NewMessage{Content: "Send it back.", Direction: parley.Outgoing})
		if err != nil {
			return m, err
		}
		m.Agent = parley.AgentAnswer{Kind: parley.AnswerText}.Record()
		return m, t.Post(&c, &m, false)
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return m.ID
}

// TestAgent has a customer ask, be answered with a source, say that it helped, ask
// again, and then ask for a person.
func TestAgent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.enable()
		c := w.visitor()
		id := c.begin("How do I return it?")
		path := "conversations/" + id
		if got := c.get(path).Want(200).Text("agent"); got != "answering" {
			t.Errorf("after the question the agent is %s", got)
		}
		w.run()
		thread := c.get(path).Want(200)
		if got := string(thread.Body); !strings.Contains(got, `"agent":"waiting"`) || !strings.Contains(got, `"agent":{"kind":"answer","helped":false,"sources":[{"articleId":"`) ||
			!strings.Contains(got, `"title":"Return a parcel","url":"/help/shop/en/return-a-parcel"`) {
			t.Errorf("the answer is shown as %s", got)
		}
		message := c.get(path).Want(200).Text("lastMessage.id")
		helped := path + "/messages/" + message + "/helped"
		for range 2 {
			if got := c.post(helped, "").Want(200); got.Text("status") != "pending" || !strings.Contains(string(got.Body), `"helped":true`) {
				t.Errorf("after it helped the conversation is %s", string(got.Body))
			}
		}
		c.post(path+"/messages/"+w.inbox.String()+"/helped", "").Refused(404, "no such message in this workspace")
		first := c.get(path).Want(200).Text("messages.data.0.id")
		c.post(path+"/messages/"+first+"/helped", "").Refused(404, "no such answer of the automated agent")

		c.post(path+"/messages", `{"content":"And by when?"}`).Want(201)
		for range 2 {
			if got := c.post(path+"/person", "").Want(200).Text("agent"); got != "handed_over" {
				t.Errorf("after the wish for a person the agent is %s", got)
			}
		}
		w.run()
		if got := string(c.get(path).Want(200).Body); strings.Count(got, "Send it back.") != 1 || strings.Contains(got, "Handed over") {
			t.Errorf("after the wish the customer sees %s", got)
		}
		note := notes(t, w, id)
		if note != "Handed over by the automated agent: The customer asks for a person.\nFirst question: How do I return it?\nLast message: And by when?\nMessages of the agent: 1, of which 0 did not help.\nArticles: Return a parcel" {
			t.Errorf("the members' note is %q", note)
		}
		other := w.visitor()
		other.post(path+"/person", "").Refused(404, "no such conversation")
	})
}

// notes returns the private messages of a conversation.
func notes(t *testing.T, w *world, conversation string) string {
	t.Helper()
	id, _ := parley.ParseID(conversation)
	texts, err := desk.View(w.Desk, func(v *store.View) (texts []string, err error) {
		page, err := v.Messages(parley.WholeWorkspace(w.Home.Workspace.ID), id, parley.Position{}, 50)
		for _, m := range page.Items {
			if m.Private {
				texts = append(texts, m.Content)
			}
		}
		return texts, err
	}).Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(texts, "|")
}
