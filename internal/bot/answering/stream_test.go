package answering

import (
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/bot/prompt"
)

// A script is a reply of a model with S1 and S2 for the marks of two sources.
type script struct {
	reply  string
	kind   Kind
	reason Reason
	text   string // what the customer reads
	shown  string // what was shown before
	wrong  string // the kinds of the claims that are not supported
}

var given = []prompt.Source{
	{
		ID: parley.ID{1}.String(), Title: "Delivery", Language: "en", URL: "https://help.example/help/shop/en/delivery",
		Text: "A parcel within Germany takes 2 to 3 working days and costs €4.90. From €59.00 it is free. Follow it at https://track.example/parcels.",
	},
	{ID: parley.ID{2}.String(), Title: "Returns", Language: "en", Text: "Send articles back within 30 days. We pay for the label. Refunds take 5 days."},
}

var scripts = map[string]script{
	"an answer": {
		reply: `{"action":"answer","sources":["S1"],"answer":"A parcel takes 2 to 3 working days. It costs €4.90 within Germany. See https://help.example/help/shop/en/delivery."}`,
		kind:  Answer, text: "A parcel takes 2 to 3 working days. It costs €4.90 within Germany. See https://help.example/help/shop/en/delivery.", shown: "all",
	},
	"with marks in the text": {
		reply: `{"action":"answer","sources":["S1","S2"],"answer":"A **parcel** costs €4.90 [S1]. Refunds take 5 days (S2)."}`,
		kind:  Answer, text: "A parcel costs €4.90. Refunds take 5 days.", shown: "all",
	},
	"an invented price": {
		reply: `{"action":"answer","sources":["S1"],"answer":"A parcel takes 2 to 3 working days. It costs €3.90 within Germany. From €59.00 it is free."}`,
		kind:  Suggestion, reason: Unchecked, shown: "A parcel takes 2 to 3 working days.", wrong: "price",
	},
	"of a source that it does not cite": {
		reply: `{"action":"answer","sources":["S2"],"answer":"The parcel label costs €4.90."}`,
		kind:  Suggestion, reason: Unchecked, wrong: "price",
	},
	"another host": {
		reply: `{"action":"answer","sources":["S1"],"answer":"Follow your parcel at https://track.example/parcels."}`,
		kind:  Suggestion, reason: Unchecked, wrong: "link",
	},
	"an unknown source": {
		reply: `{"action":"answer","sources":["S1","s00000000"],"answer":"A parcel takes 2 to 3 working days."}`,
		kind:  Suggestion, reason: Unchecked, wrong: "uncited",
	},
	"no source": {reply: `{"action":"answer","sources":[],"answer":"Parcels take long."}`, kind: Suggestion, reason: Unchecked, wrong: "uncited"},
	"the product's name": {
		reply: `{"action":"answer","sources":["S2"],"answer":"Send articles of the Blue Harbor Outdoor School Shop back within 30 days."}`,
		kind:  Answer, text: "Send articles of the Blue Harbor Outdoor School Shop back within 30 days.", shown: "all",
	},
	"plain words": {reply: "Parcels take long.", kind: Suggestion, reason: Unchecked, wrong: "uncited"},
	"something else": {
		reply: `{"action":"answer","sources":["S1"],"answer":"Elephants usually prefer swimming through tropical rivers together."}`,
		kind:  Suggestion, reason: Unchecked, wrong: "ungrounded",
	},
	"its key":            {reply: `{"action":"answer","sources":["S1"],"answer":"The block is KEY."}`, kind: Suggestion, reason: Unchecked, wrong: "code internal"},
	"its rules":          {reply: `{"action":"answer","sources":["S1"],"answer":"A parcel takes long, so promise nothing, and claim no action."}`, kind: Suggestion, reason: Unchecked, wrong: "internal"},
	"broken off":         {reply: `{"action":"answer","sources":["S1"],"answer":"A parcel takes 2 to 3 working days. It`, kind: Suggestion, reason: Unchecked, shown: "A parcel takes 2 to 3 working days.", wrong: "overlong"},
	"no end":             {reply: `{"action":"answer","sources":["S1"],"answer":"` + strings.Repeat("The parcel is free. ", 200) + `"}`, kind: Suggestion, reason: Unchecked, shown: "some", wrong: "overlong"},
	"a question":         {reply: `{"action":"clarify","sources":[],"answer":"Is it about order 4711?"}`, kind: Clarify, reason: Unclear, text: "Is it about order 4711?"},
	"a strange question": {reply: `{"action":"clarify","sources":[],"answer":"Is it about order 9999?"}`, kind: Suggestion, reason: Unchecked, wrong: "number"},
	"no answer":          {reply: `{"action":"handover","sources":[],"answer":""}`, kind: HandOver, reason: Declined},
	"an unknown action":  {reply: `{"action":"refund","sources":["S1"],"answer":"Done."}`, kind: HandOver, reason: Declined},
	"nothing":            {reply: `{}`, kind: HandOver, reason: ModelDown},
	"a promise":          {reply: `{"action":"answer","sources":["S1"],"answer":"I have refunded your parcel."}`, kind: Suggestion, reason: Unchecked, wrong: "promise"},
}

// TestReplies plays replies of models in pieces of all sizes.
func TestReplies(t *testing.T) {
	for name, one := range scripts {
		for _, size := range []int{1, 7, 64, 10_000} {
			var shown strings.Builder
			w := &work{
				Answerer: &Answerer{o: Options{Log: slog.New(slog.DiscardHandler)}},
				q:        Question{Turns: []Turn{{From: Customer, Text: "where is my parcel of order 4711?"}}},
				emit:     func(s Sentence) error { shown.WriteString(s.Text); return nil },
			}
			w.talk, _ = readTalk(w.q)
			p, err := prompt.Build(prompt.Question{Product: "The Blue Harbor Outdoor School Shop", Sources: given, Text: "?"}, rand.NewChaCha8([32]byte{}))
			if err != nil {
				t.Fatal(err)
			}
			s := &stream{work: w, prompt: p, hosts: []string{"shop.example"}, all: []Source{{ArticleID: parley.ID{1}}, {ArticleID: parley.ID{2}}}}
			reply := strings.ReplaceAll(one.reply, "KEY", p.Key)
			for mark, source := range p.Sources {
				reply = strings.ReplaceAll(reply, "S"+fmt.Sprint(1+slices.IndexFunc(given, func(g prompt.Source) bool { return g.ID == source.ID })), mark)
			}
			for len(reply) > 0 && err == nil {
				n := min(size, len(reply))
				err = s.take(reply[:n])
				reply = reply[n:]
			}
			out, failed := w.judge(s)
			if err != nil || failed != nil {
				t.Fatalf("%s: %v, %v", name, err, failed)
			}
			check(t, fmt.Sprintf("%s, %d bytes at a time", name, size), one, out, shown.String())
		}
	}
}

// TestSentenceAtOnce takes an answer word by word: a sentence is shown soon after
// the next one begins, long before that one ends.
func TestSentenceAtOnce(t *testing.T) {
	var shown strings.Builder
	w := &work{
		Answerer: &Answerer{o: Options{Log: slog.New(slog.DiscardHandler)}},
		q:        Question{Turns: []Turn{{From: Customer, Text: "where is my parcel?"}}},
		emit:     func(s Sentence) error { shown.WriteString(s.Text); return nil },
	}
	w.talk, _ = readTalk(w.q)
	p, err := prompt.Build(prompt.Question{Sources: given[:1], Text: "?"}, rand.NewChaCha8([32]byte{}))
	if err != nil {
		t.Fatal(err)
	}
	s := &stream{work: w, prompt: p, all: []Source{{ArticleID: parley.ID{1}}}}
	mark := slices.Collect(maps.Keys(p.Sources))[0]
	first, second := "A parcel within Germany takes 2 to 3 working days. ", "Follow it on the page of the courier, who takes it to each address within Germany"
	for piece := range strings.SplitAfterSeq(`{"action":"answer","sources":["`+mark+`"],"answer":"`+first+second, " ") {
		if err := s.take(piece); err != nil {
			t.Fatal(err)
		}
	}
	if strings.TrimSpace(shown.String()) != strings.TrimSpace(first) {
		t.Errorf("%q was shown", shown.String())
	}
}

// check compares an outcome with what a script must lead to. With large pieces
// nothing is shown of an answer that is not sent.
func check(t *testing.T, name string, want script, out Outcome, shown string) {
	t.Helper()
	wrong := map[string]bool{}
	for _, claim := range out.Unchecked {
		wrong[string(claim.Kind)] = true
	}
	if got := strings.Join(slices.Sorted(maps.Keys(wrong)), " "); out.Kind != want.kind || out.Reason != want.reason || got != want.wrong || want.text != "" && out.Text != want.text {
		t.Errorf("%s: %s %s %q, unsupported %s; want %s %s %q, unsupported %s", name, out.Kind, out.Reason, out.Text, got, want.kind, want.reason, want.text, want.wrong)
	}
	switch want.shown {
	case "all":
		if shown != out.Text {
			t.Errorf("%s: shown was %q of %q", name, shown, out.Text)
		}
	case "some":
	default:
		if !strings.HasPrefix(want.shown, shown) {
			t.Errorf("%s: shown was %q, want %q", name, shown, want.shown)
		}
	}
}

// TestSentences splits texts of several languages.
func TestSentences(t *testing.T) {
	for text, want := range map[string]int{
		"One. Two! Three? Four":                                4,
		"It costs 5. Then more.":                               1, // a number may go on
		"Am 24. Dezember um 10 Uhr. Danach nicht.":             2,
		"Das gilt z. B. für Zelte bzw. Schuhe. Mehr nicht.":    2,
		"See https://a.example/b.html. It says “Yes.” Then go": 3,
		"第一句。第二句！":                                             2,
		"First line\nsecond line":                              2,
		"approx. Five. Dr. Who came. ":                         2,
		"  \n a":                                               1,
		"¿Qué tal? ¡Bien! Sí.":                                 3,
	} {
		n, joined := 0, ""
		for rest := text; rest != ""; n++ {
			sentence := next(rest, true)
			rest = rest[len(sentence):]
			joined += sentence
			if early := next(sentence+rest, false); early != "" && early != sentence {
				t.Errorf("%q grows from %q to %q", text, early, sentence)
			}
		}
		if n != want || joined != text {
			t.Errorf("%q has %d sentences, want %d", text, n, want)
		}
	}
}
