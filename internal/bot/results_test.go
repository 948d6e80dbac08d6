package bot_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/bot"
	"parley/internal/bot/answering"
	"parley/internal/bot/results"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/store"
)

// obliging does what the customer's last message says.
func obliging(_ context.Context, q answering.Question, _ func(answering.Sentence) error) (answering.Outcome, error) {
	switch q.Turns[len(q.Turns)-1].Text {
	case "answer":
		return answering.Outcome{Kind: answering.Answer, Text: "It is so."}, nil
	case "cards":
		return answering.Outcome{Kind: answering.Cards, Text: "These may help."}, nil
	case "clarify":
		return answering.Outcome{Kind: answering.Clarify, Reason: answering.Unclear, Text: "Which one?"}, nil
	case "greet":
		return answering.Outcome{Kind: answering.Clarify, Reason: answering.Greeting, Text: "How can I help?"}, nil
	}
	missed := knowledge.Miss{ProductID: q.Product, Language: "en", Words: "kayak", Question: "Do you sell kayaks?", Source: parley.GapBot}
	return answering.Outcome{Kind: answering.HandOver, Reason: answering.NoArticle, Text: "A person will answer.", Summary: "why", Missed: &missed}, nil
}

// act makes one step of a story.
func (w *world) act(node *bot.Service, c parley.ID, step string) {
	w.t.Helper()
	verb := func(verb func(t *desk.Tx, c *parley.Conversation) error) {
		w.write(w.system(), func(t *desk.Tx) error {
			found, err := t.Conversation(t.Visibility, c)
			return errors.Join(err, verb(t, &found))
		})
	}
	switch step {
	case "write":
		w.must(w.says("c", c, "more"))
	case "member":
		w.must(w.says("m", c, "I am here"))
	case "note":
		w.must(w.says("n", c, "look"))
	case "assign":
		w.must(w.change(c, desk.ConversationChange{AssigneeID: parley.Some(w.member)}))
	case "resolve":
		w.must(w.change(c, desk.ConversationChange{Status: parley.Some(parley.Resolved)}))
	case "move":
		w.must(w.change(c, desk.ConversationChange{ProductID: parley.Null[parley.ID]()}))
	case "spam":
		w.must(w.change(c, desk.ConversationChange{Spam: parley.Some(true)}))
	case "tomorrow":
		w.advance(24 * time.Hour)
	case "person":
		verb(bot.AskForPerson)
	case "helped":
		verb(func(t *desk.Tx, c *parley.Conversation) error {
			page, err := t.PublicMessages(t.Visibility, c.ID, parley.Position{}, 50)
			last := slices.IndexFunc(page.Items, func(m parley.Message) bool { return speaker(&m) == "a" })
			return errors.Join(err, bot.Helped(t, c, page.Items[last].ID))
		})
	default:
		w.must(w.says("c", c, step))
		w.advance(3 * time.Second)
		w.must(node.RunDue(w.t.Context()))
	}
	w.advance(time.Second)
}

// TestResults tells stories of conversations, and what each counts as in the end, for
// the day and the product of its beginning. What no article answers is a gap.
func TestResults(t *testing.T) {
	stories := map[string]string{
		"write":                                "unfinished",
		"answer":                               "answered",
		"answer note resolve":                  "answered",
		"answer greet":                         "answered",
		"greet":                                "asked_back",
		"answer clarify":                       "asked_back",
		"clarify answer":                       "answered",
		"cards":                                "cards",
		"cards helped":                         "confirmed",
		"cards helped greet":                   "confirmed",
		"cards helped member":                  "confirmed",
		"cards helped resolve":                 "confirmed",
		"cards helped write member":            "taken",
		"answer helped answer":                 "answered",
		"answer helped none":                   "handed_over no_article",
		"none member resolve":                  "handed_over no_article",
		"answer tomorrow person":               "handed_over asked",
		"answer member":                        "taken",
		"answer assign":                        "taken",
		"answer move write":                    "taken",
		"write member":                         "taken",
		"write resolve":                        "taken",
		"write spam":                           "taken",
		"answer resolve none":                  "answered, handed_over no_article",
		"answer resolve tomorrow cards helped": "answered, tomorrow cards", // the first answer
		"none resolve tomorrow answer":         "handed_over no_article, tomorrow answered",
	}
	each(t, func(t *testing.T, w *world) {
		node, start, want := w.node(obliging), w.now(), map[string]int64{}
		for _, story := range slices.Sorted(maps.Keys(stories)) {
			w.clock.Store(start.UnixMilli())
			c := w.conversation()
			for step := range strings.FieldsSeq(story) {
				w.act(node, c, step)
			}
			all := strings.Split(stories[story], ", ")
			for _, result := range all {
				want[result]++
			}
			last, err := desk.View(w.desk, func(v *store.View) ([]results.Result, error) {
				return results.SelectResults(v, w.ws, []parley.ID{c})
			}).Now(t.Context())
			w.must(err)
			if got := strings.TrimSpace(string(last[0].Result) + " " + string(last[0].Reason)); got != strings.TrimPrefix(all[len(all)-1], "tomorrow ") {
				t.Errorf("%s: the result is %s", story, got)
			}
			w.must(w.change(c, desk.ConversationChange{Spam: parley.Some(true)})) // nothing more is due
		}
		today := parley.DayOf(start)
		counts, err := desk.View(w.desk, func(v *store.View) ([]results.Count, error) { return results.Counts(v, w.ws, today, today+1) }).Now(t.Context())
		w.must(err)
		got := map[string]int64{}
		for _, n := range counts {
			if n.ProductID != w.product {
				t.Errorf("counted for another product: %+v", n)
			}
			name := strings.TrimSpace(string(n.Result) + " " + string(n.Reason))
			if n.Day != today {
				name = "tomorrow " + name
			}
			if n.Count != 0 {
				got[name] += n.Count
			}
		}
		gaps, err := desk.View(w.desk, func(v *store.View) ([]parley.KnowledgeGap, error) {
			return knowledge.SelectKnowledgeGaps(v, w.ws, knowledge.GapFilter{Since: time.Unix(0, 0)}, 9)
		}).Now(t.Context())
		w.must(err)
		if len(gaps) != 1 || gaps[0].Source != parley.GapBot || gaps[0].Sample != "Do you sell kayaks?" || gaps[0].Count != 4 {
			t.Errorf("the gaps are %+v", gaps)
		}
		want["taken"]++ // "write" is marked as spam in the end
		delete(want, "unfinished")
		if !maps.Equal(got, want) {
			t.Errorf("the counts are %v, want %v", fmt.Sprint(got), fmt.Sprint(want))
		}
	})
}
