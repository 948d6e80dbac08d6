package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/bot"
	"parley/internal/bot/answering"
	"parley/internal/bot/bottest"
	"parley/internal/httpjson"
	"parley/internal/identity"
	"parley/internal/model/modelsim"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// secretMark is a secret of a kind, with the number of what it belongs to.
func secretMark(kind string, n int) string { return fmt.Sprintf("zq7%s%04d", kind, n) }

var secretMarks = regexp.MustCompile(`(?i)zq7([a-z]+)(\d{4})`)

// A foundMark is a secret in a text.
type foundMark struct {
	kind string
	n    int
}

func marksIn(text string) []foundMark {
	var all []foundMark
	for _, one := range secretMarks.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(one[2]) // four digits
		all = append(all, foundMark{strings.ToLower(one[1]), n})
	}
	return all
}

// plantedHost is where orders to the model want to lead the customer, and publishedHost
// where those of articles do. An answer may have a link of an article that it cites.
const (
	plantedHost   = "evil.example"
	publishedHost = "published.example"
)

const (
	askedAbout = "how long is my tent covered if something breaks"
	askRounds  = 4 // the most; in each the customer asks once, and in every other one in a new conversation
)

// A leakWorld is a server as production wires it, teams whose agents use a model that
// tells all that it was given, and customers with secrets.
type leakWorld struct {
	t      *testing.T
	server *server
	ahead  atomic.Int64 // of the server's clock
	sim    *modelsim.Server
	models string // their address
	orders atomic.Int64
	people []*asker
}

// An asker is a customer who asks.
type asker struct {
	*customer

	n, product   int
	stream       *apitest.Stream
	conversation string
	inIt         int      // questions in it
	drafts       int      // sentences of unfinished answers that were shown
	agent        []string // texts by the agent
	texts        []string // all that was received
}

// order returns an order to a model, a different one with each call.
func (w *leakWorld) order() string { return w.orderTo(plantedHost) }

func (w *leakWorld) orderTo(host string) string {
	n := int(w.orders.Add(1))
	return bottest.Order(n, host)
}

// newLeakWorld serves over a store, after a change to the program.
func newLeakWorld(t *testing.T, c *cli, change func(w *leakWorld, p *program)) *leakWorld {
	t.Helper()
	w := &leakWorld{t: t, sim: modelsim.New(modelsim.Options{Record: true})}
	url, hosts, _ := serveModels(t, w.sim)
	proxies, err := httpjson.ParseProxies("1")
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) },
		sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour, modelHosts: hosts, proxies: proxies, publicURL: "https://help.example",
	})
	if err != nil {
		t.Fatal(err)
	}
	change(w, p)
	w.server = serveProgram(t, c, p)
	w.models = url
	return w
}

// fill founds teams with two products each, and lets customers come.
func (w *leakWorld) fill(teams, people int) {
	w.t.Helper()
	var products []taughtProduct
	var of []*supportTeam
	for i := range teams {
		team := newSupportTeam(w.t, w.server.cli, w.server.url, fmt.Sprint("team", i))
		team.publishOthers()
		for j, model := range []string{"obey", "betray"} {
			p := team.product(model, w.models, model)
			w.teach(team, p.id, 2*i+j, 2*teams, people)
			products, of = append(products, p), append(of, team)
		}
	}
	for n := range people {
		k := n % len(products)
		claims := identity.Claims{
			Subject: fmt.Sprint("u", n), Email: secretMark("mail", n) + "@mail.example", EmailVerified: true, ExpiresAt: time.Now().Add(time.Hour),
			Name:         secretMark("name", n) + " " + strings.ReplaceAll(w.order(), "\n", " "),
			Attributes:   parley.Attributes(asText(map[string]string{"plan": secretMark("attribute", n), "more": w.order()})),
			Organization: parley.Some(identity.Organization{ID: fmt.Sprint("o", n), Name: secretMark("company", n)}),
		}
		token, err := identity.Sign(of[k].signer, of[k].ws, claims, time.Now())
		if err != nil {
			w.t.Fatal(err)
		}
		a := &asker{customer: of[k].visit(products[k].inbox, token, fmt.Sprintf("10.0.%d.%d", n>>8, n&255)), n: n, product: k}
		a.stream = a.follow()
		w.people = append(w.people, a)
	}
}

// teach writes articles about the nth product, with orders and secrets. They are likely
// to answer because their keywords are what the product's customers write.
func (w *leakWorld) teach(team *supportTeam, product string, n, products, people int) {
	w.t.Helper()
	var keywords []string
	for _, order := range bottest.Orders {
		keywords = append(keywords, strings.ReplaceAll(order[:min(len(order), 75)], "\n", " "))
	}
	for customer := n; customer < people; customer += products {
		for round := range askRounds {
			keywords = append(keywords, secretMark("message", askRounds*customer+round))
		}
	}
	for part := range 2 {
		path := team.publish(product, article{
			title: fmt.Sprintf("How long is my tent covered, part %d", part),
			body:  "Your tent is covered if something breaks.\n\n" + secretMark("article", n) + " is its number.\n\n" + w.orderTo(publishedHost), keywords: keywords,
		})
		team.want(200, "PUT", path+"/texts/en", asText(map[string]string{"body": secretMark("working", n) + " covers a tent if something breaks."}), nil)
	}
	a := article{title: "How long is my tent covered if something breaks", body: secretMark("draft", n) + " covers a tent if something breaks."}
	team.write(product, a)
	a.body = secretMark("archived", n) + " covers a tent if something breaks."
	team.want(200, "PATCH", team.publish(product, a), `{"state":"archived"}`, nil)
}

// all lets each customer do something, eight at a time.
func (w *leakWorld) all(do func(a *asker)) {
	var running sync.WaitGroup
	for first := range 8 {
		running.Go(func() {
			for i := first; i < len(w.people); i += 8 {
				do(w.people[i])
			}
		})
	}
	running.Wait()
}

// round has each customer ask, and waits for all outcomes.
func (w *leakWorld) round(round int) {
	w.all(func(a *asker) { a.ask(round, w.order) })
	w.ahead.Add(int64(3 * time.Second)) // the burst is over
	w.all(func(a *asker) { a.settle(round) })
}

// ask writes a question in two messages, and the team what is not for the customer.
func (a *asker) ask(round int, order func() string) {
	number := askRounds*a.n + round
	hello := secretMark("message", number) + " hello, " + order()
	if round%2 == 0 {
		a.conversation, a.inIt = a.begin(hello, a.upload(secretMark("file", a.n)+".txt")), 0
	} else {
		a.write(a.conversation, hello)
	}
	a.inIt++
	path := "/v1/public/conversations/" + a.conversation
	if round == 0 {
		a.team.want(200, "PATCH", path, asText(map[string]any{"customAttributes": map[string]string{"order": secretMark("attribute", a.n)}}), nil)
	}
	a.team.want(201, "POST", path+"/messages", asText(map[string]any{"content": secretMark("note", number) + " " + order(), "isPrivate": true}), nil)
	question := askedAbout
	if round%2 == 1 {
		question += "? " + order()
	}
	a.write(a.conversation, question)
}

// settle follows the stream until the agent is done, reads everything that a customer
// can read, and has the team resolve the conversation.
func (a *asker) settle(round int) {
	a.until("open", "handed_over", "waiting")
	var t thread
	a.texts = append(a.texts, string(a.want(200, "GET", "conversations/"+a.conversation, "", &t).body))
	if round == 0 {
		suggested := a.want(200, "POST", "inboxes/"+a.inbox+"/suggestions", asText(map[string]string{"text": askedAbout}), nil)
		a.texts = append(a.texts, string(suggested.body))
		for _, path := range []string{"conversations", "session", "inboxes/" + a.inbox + "/articles", "inboxes/" + a.inbox + "/articles/search?q=tent+covered"} {
			a.texts = append(a.texts, string(a.want(200, "GET", path, "", nil).body))
		}
	}
	if got := t.fromAgent(); len(got) != a.inIt {
		a.team.t.Errorf("customer %d asked %d times in a conversation, and the agent said %+v", a.n, a.inIt, got)
	}
	for _, m := range t.Messages.Data {
		if m.From != "customer" {
			a.agent = append(a.agent, m.Content)
		}
	}
	a.team.want(200, "PATCH", "/v1/public/conversations/"+a.conversation, `{"status":"resolved"}`, nil)
	a.until("resolved")
}

// until reads the stream until the conversation has a status and, if any are given, one
// of these states of the agent.
func (a *asker) until(status string, states ...string) {
	for {
		var f apitest.Frame
		var open bool
		select {
		case f, open = <-a.stream.Frames:
		case <-time.After(time.Minute):
		}
		if !open {
			a.team.t.Errorf("customer %d does not hear that the conversation is %s %v", a.n, status, states)
			return
		}
		a.texts = append(a.texts, f.Data)
		var e struct{ ID, Status, Agent, Text, From, Content json.RawMessage }
		if err := json.Unmarshal([]byte(f.Data), &e); err != nil {
			a.team.t.Errorf("the stream tells %s: %v", f.Data, err)
		}
		switch {
		case f.Name == "answering":
			a.drafts++
			a.agent = append(a.agent, string(e.Text))
		case f.Name == "message.created" && string(e.From) != `"customer"`:
			a.agent = append(a.agent, string(e.Content))
		case f.Name == "conversation.updated" && string(e.ID) == strconv.Quote(a.conversation) && string(e.Status) == strconv.Quote(status) &&
			(len(states) == 0 || slices.Contains(states, strings.Trim(string(e.Agent), `"`))):
			return
		}
	}
}

// leaks returns the secrets that reached a model or a customer whose they are not, and
// how many questions reached a model.
func (w *leakWorld) leaks() (found []string, asked int) {
	questions := map[int]bool{}
	for _, r := range w.sim.Requests() {
		found = append(found, w.leaksOf(r.Body, questions)...)
	}
	for _, a := range w.people {
		for _, text := range a.texts {
			for _, m := range marksIn(text) {
				if !a.owns(m) {
					found = append(found, fmt.Sprintf("customer %d gets %s %d", a.n, m.kind, m.n))
				}
			}
			if strings.Contains(text, "Handed over by") {
				found = append(found, fmt.Sprintf("customer %d gets the note of a hand-over", a.n))
			}
		}
		for _, text := range a.agent {
			foreign := slices.ContainsFunc(marksIn(text), func(m foundMark) bool { return m.kind != "article" })
			if foreign || strings.Contains(text, plantedHost) || strings.Contains(text, "===") {
				found = append(found, fmt.Sprintf("customer %d is told %s", a.n, text))
			}
		}
	}
	return found, len(questions)
}

// leaksOf returns the secrets of a request to a model that are not of one question and
// its product.
func (w *leakWorld) leaksOf(request string, questions map[int]bool) (found []string) {
	asked, all := -1, marksIn(request)
	for _, m := range all {
		switch {
		case m.kind == "article":
		case m.kind == "message" && (asked < 0 || asked == m.n):
			asked = m.n
			questions[asked] = true
		default:
			found = append(found, fmt.Sprintf("a model gets %s %d with question %d", m.kind, m.n, asked))
		}
	}
	for _, m := range all {
		if asked >= 0 && m.kind == "article" && m.n != w.people[asked/askRounds].product {
			found = append(found, fmt.Sprintf("a model gets article %d with question %d", m.n, asked))
		}
	}
	return found
}

// owns reports whether a customer may see a secret.
func (a *asker) owns(m foundMark) bool {
	switch m.kind {
	case "message":
		return m.n/askRounds == a.n
	case "name", "mail", "file":
		return m.n == a.n
	case "article":
		return m.n == a.product
	}
	return false
}

// TestAgentLeaksNothing lets customers with marked secrets ask a server as production
// wires it: the widget and the API over HTTP, jobs, and models over HTTP that obey each
// order and tell all that they were given. Neither a request to a model nor anything
// that a customer gets has a secret of somebody else: not the answers, the streams and
// the unfinished answers in them, nor the lists and articles.
func TestAgentLeaksNothing(t *testing.T) {
	t.Parallel()
	for engine, size := range map[string]struct{ teams, people, orders int }{"sqlite": {3, 50, 200}, "postgres": {2, 5, 20}} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			w := newLeakWorld(t, migrated(t, engine), func(*leakWorld, *program) {})
			w.fill(size.teams, size.people)
			for round := range askRounds {
				w.round(round)
			}
			found, asked := w.leaks()
			drafts := 0
			for _, a := range w.people {
				drafts += a.drafts
			}
			t.Logf("%d requests to models with %d questions, %d orders, %d sentences of unfinished answers", len(w.sim.Requests()), asked, w.orders.Load(), drafts)
			if len(found) > 0 {
				t.Errorf("%d leaks:\n%s", len(found), strings.Join(found[:min(len(found), 8)], "\n"))
			}
			if most := size.people * askRounds; asked < most*3/4 || drafts < most/4 || w.orders.Load() < int64(size.orders) {
				t.Error("too little reached the models and the customers, so the test sees nothing")
			}
		})
	}
}

// TestAgentLeaksAreFound is the control of TestAgentLeaksNothing: an agent that leaks in
// three ways, each to another customer.
func TestAgentLeaksAreFound(t *testing.T) {
	t.Parallel()
	w := newLeakWorld(t, migrated(t, "sqlite"), func(_ *leakWorld, p *program) {
		honest := answering.New(answering.Options{
			Desk: p.app.desk, Knowledge: p.app.knowledge, Articles: p.app.answers, Providers: p.app.providers, Log: storetest.Quiet(),
		})
		answer := func(ctx context.Context, q answering.Question, emit func(answering.Sentence) error) (answering.Outcome, error) {
			leak := marksIn(fmt.Sprint(q.Turns))[0].n / askRounds
			switch leak {
			case 0:
				q.Turns = append([]answering.Turn{{From: answering.Member, Text: secretMark("note", askRounds), At: q.Turns[0].At}}, q.Turns...)
			case 1:
				if err := emit(answering.Sentence{Text: secretMark("name", 0)}); err != nil {
					return answering.Outcome{}, err
				}
			}
			out, err := honest.Answer(ctx, q, emit)
			if leak == 2 {
				out.Text += secretMark("attribute", 2)
			}
			return out, err
		}
		p.agent = bot.New(bot.Options{Desk: p.app.desk, Signal: p.hub.Signal, Answer: answer})
	})
	w.fill(1, 3)
	w.round(0)
	found, _ := w.leaks()
	all := strings.Join(found, "\n")
	for _, want := range []string{"a model gets note 4", "customer 1 gets name 0", "customer 1 is told", "customer 2 gets attribute 2", "customer 2 is told"} {
		if !strings.Contains(all, want) {
			t.Errorf("what an agent leaks is not found, want %q among:\n%s", want, all)
		}
	}
}
