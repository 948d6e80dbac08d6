package modelsim_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/bot/prompt"
	"parley/internal/model"
	"parley/internal/model/modelsim"
	"parley/internal/model/modelsim/modelsimtest"
)

const address = "http://toy.invalid/v1"

// toy returns a client of a server with the toy model alone, in this process.
func toy(t *testing.T, name string, o modelsim.Options) *model.Client {
	t.Helper()
	o.Models = []string{modelsim.Toy}
	network := model.NewNetwork(nil, modelsimtest.Times()).WithInside(address, modelsim.New(o))
	c, err := network.Client(model.Server{BaseURL: address, Model: name, Capabilities: modelsimtest.Able()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// quoted asks a question about sources, and returns the indexes of those that
// the toy cites, and its answer.
func quoted(t *testing.T, c *model.Client, question string, sources ...prompt.Source) (cited []int, text string) {
	t.Helper()
	p, err := prompt.Build(prompt.Question{Product: "Shop", Sources: sources, Text: question}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Stream(t.Context(), model.Request{MaxTokens: 500, Messages: p.Messages, Schema: prompt.Schema()}, func(string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	var said struct {
		Action, Answer string
		Sources        []string
	}
	if err := json.Unmarshal([]byte(a.Text), &said); err != nil || said.Action != "answer" {
		t.Fatalf("%s: %v", a.Text, err)
	}
	for _, mark := range said.Sources {
		cited = append(cited, slices.IndexFunc(sources, func(s prompt.Source) bool { return s.Title == p.Sources[mark].Title }))
	}
	return cited, said.Answer
}

// TestPassages asks about two articles, in several languages.
func TestPassages(t *testing.T) {
	c := toy(t, modelsim.Toy, modelsim.Options{})
	track := prompt.Source{Title: "Track your order", Text: "Find out where your parcel is.\nAs soon as your parcel leaves our warehouse, we e-mail you a link. It shows each stop.\n" +
		"See the status\n1. Sign in and open Account > Orders.\n2. Choose the order.\n- Select Track parcel.\n\nThe courier’s page\nThe courier calls from 7 a.m. at the earliest, i.e. not at night. It rings twice!"}
	refund := prompt.Source{Title: "Refunds", Text: "When you get your money back.\nWe repay within 5 days."}
	german := prompt.Source{Title: "Rücksendung", Text: "Wie Sie etwas zurücksenden.\nBis zum 24. Dezember bestellte Geschenke dürfen Sie z. B. bis Januar zurücksenden. Das Porto zahlen wir."}
	japanese := prompt.Source{Title: "返品", Text: "返品について。\n三十日以内に返品できます。送料は無料です。"}
	for _, x := range []struct {
		question string
		sources  []prompt.Source
		cited    int
		says     string
	}{
		{"Where is my parcel?", []prompt.Source{track, refund}, 0, "As soon as your parcel leaves our warehouse, we e-mail you a link. It shows each stop."},
		{"How do I choose an order?", []prompt.Source{track, refund}, 0, "Choose the order. Select Track parcel."},
		{"Does the courier ring?", []prompt.Source{track, refund}, 0, "The courier calls from 7 a.m. at the earliest, i.e. not at night. It rings twice!"},
		{"When do you repay me?", []prompt.Source{track, refund}, 1, "We repay within 5 days."},
		{"Kann ich Geschenke zurückschicken?", []prompt.Source{refund, german}, 1, "Bis zum 24. Dezember bestellte Geschenke dürfen Sie z. B. bis Januar zurücksenden. Das Porto zahlen wir."},
		{"返品できますか", []prompt.Source{japanese}, 0, "三十日以内に返品できます。 送料は無料です。"},
		{"xyzzy", []prompt.Source{refund, track}, 0, "We repay within 5 days."},
		{"xyzzy", []prompt.Source{{Title: "Empty", Text: "Only a description."}}, 0, "Only a description."},
	} {
		if cited, text := quoted(t, c, x.question, x.sources...); !slices.Equal(cited, []int{x.cited}) || text != x.says {
			t.Errorf("%s: %v, %s", x.question, cited, text)
		}
	}
	long := prompt.Source{Title: "Long", Text: "About parcels.\n" + strings.Repeat("A parcel is a parcel, and this sentence about it is long enough to fill a passage soon, if not at once, and so on. ", 50)}
	if _, text := quoted(t, c, "parcel", long); len(text) > 500 || len(text) < 200 {
		t.Errorf("a passage of a long text has %d bytes", len(text))
	}
}

// TestToyWrites lets the toy write anew what it is given, and sum up a talk.
func TestToyWrites(t *testing.T) {
	c := toy(t, modelsim.Toy, modelsim.Options{})
	for kind, x := range map[string][2]string{
		"text":         {"Your parcel is late. We are sorry.", "Your parcel is late. We are sorry."},
		"conversation": {"2026-11-20 08:15 customer: Hello\n2026-11-20 08:16 team: Hi\n2026-11-20 08:17 customer: Where is it?\n2026-11-20 08:18 team: On its way.", "Customer: Hello\nCustomer: Where is it?\nTeam: On its way."},
	} {
		blocks, err := prompt.NewBlocks(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Chat(t.Context(), model.Request{MaxTokens: 500, Messages: []model.Message{{Role: model.System, Content: "Do it."}, {Role: model.User, Content: blocks.Block(kind, x[0])}}})
		if err != nil || a.Text != x[1] {
			t.Errorf("%s: %q, %v", kind, a.Text, err)
		}
	}
}

// TestInside reaches a server in this process: by its own address alone, with
// its models alone, until the caller has enough.
func TestInside(t *testing.T) {
	c := toy(t, modelsim.Toy, modelsim.Options{})
	can, err := c.Probe(t.Context())
	if want := modelsimtest.Able(); err != nil || can.Dimension != 0 || !can.Streaming || !can.JSONSchema || !can.Usage || can.MaxTokensName != want.MaxTokensName {
		t.Errorf("the test found %+v, %v", can, err)
	}
	ask := model.Request{MaxTokens: 50, Messages: []model.Message{{Role: model.User, Content: "One two three four five."}}}
	var failed *model.Error
	if _, err := toy(t, "lie", modelsim.Options{}).Chat(t.Context(), ask); !errors.As(err, &failed) || failed.Status != http.StatusNotFound {
		t.Errorf("a model that the server does not have gives %v", err)
	}
	paced := toy(t, modelsim.Toy, modelsim.Options{Pace: time.Millisecond})
	ended, end := context.WithCancel(t.Context())
	if _, err := paced.Stream(ended, ask, func(string) error { end(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that gives up gets %v", err)
	}
	if a, err := paced.Stream(t.Context(), ask, func(string) error { return nil }); err != nil || a.Text != "One two three four five." {
		t.Errorf("a paced answer is %+v, %v", a, err)
	}
	network := model.NewNetwork(nil, modelsimtest.Times()).WithInside(address, modelsim.New(modelsim.Options{}))
	for _, other := range []string{address + "/", "http://toy.invalid/v2", "https://toy.invalid/v1", "http://toy.invalid:80/v1"} {
		c, err := network.Client(model.Server{BaseURL: other, Model: modelsim.Toy})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Chat(t.Context(), ask); !errors.As(err, &failed) || failed.Fault != model.Unreachable || network.Inside(other) {
			t.Errorf("%s leads to %v", other, err)
		}
	}
}

// TestInsideBreaks gets answers that break, and those that nobody reads.
func TestInsideBreaks(t *testing.T) {
	s := modelsim.New(modelsim.Options{})
	get := func(ctx context.Context, name string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/chat/completions", strings.NewReader(`{"model":"`+name+`","stream":true,"messages":[{"role":"user","content":"One two. Three."}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return s.RoundTrip(r)
	}
	if _, err := get(t.Context(), "reset"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an answer that breaks before it begins gives %v", err)
	}
	for name, want := range map[string]error{"cut": io.ErrUnexpectedEOF, "endless": context.Canceled, "quote": nil} {
		of, leave := context.WithCancel(t.Context())
		answer, err := get(of, name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "endless" {
			leave()
		}
		if _, err := io.Copy(io.Discard, answer.Body); !errors.Is(err, want) {
			t.Errorf("reading %s gives %v", name, err)
		}
		_ = answer.Body.Close()
		leave()
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := get(ctx, "hang"); !errors.Is(err, context.Canceled) {
		t.Errorf("an answer that nobody waits for gives %v", err)
	}
}
