//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/model/modelsim"
)

// haltMark is the part of a question that tells a haltingModel where to halt.
var haltMark = regexp.MustCompile(`halt-([a-z]+)-\d+`)

// A haltingModel is a fake server of models that halts when it is first asked a
// question: at "think" before it answers, at "stream" in the midst of its answer, at
// "last" before the last piece. It halts at "twice" like "think", also when it is asked
// again. "slow" takes seconds when it is first asked.
type haltingModel struct {
	sim   *modelsim.Server
	mu    sync.Mutex
	calls map[string][]*modelCall // by the mark of their question
}

// A modelCall is a question that a model got.
type modelCall struct {
	step                  string
	halt                  sync.Once
	halted, resume, ended chan struct{}
}

func newHaltingModel() *haltingModel {
	return &haltingModel{sim: modelsim.New(modelsim.Options{}), calls: map[string][]*modelCall{}}
}

func (m *haltingModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the node is gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	mark := haltMark.FindStringSubmatch(string(body))
	if mark == nil || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		m.sim.ServeHTTP(w, r)
		return
	}
	call := m.begin(mark[0], mark[1])
	defer close(call.ended)
	if call.step == "think" {
		call.wait(r)
	}
	m.sim.ServeHTTP(&haltingWriter{ResponseWriter: w, request: r, call: call}, r)
}

// begin records a call.
func (m *haltingModel) begin(question, step string) *modelCall {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case step == "twice":
		step = "think"
	case len(m.calls[question]) > 0:
		step = ""
	}
	call := &modelCall{step: step, halted: make(chan struct{}), resume: make(chan struct{}), ended: make(chan struct{})}
	m.calls[question] = append(m.calls[question], call)
	return call
}

// wait halts until the test resumes the call, or the node is gone.
func (c *modelCall) wait(r *http.Request) {
	c.halt.Do(func() {
		close(c.halted)
		select {
		case <-c.resume:
		case <-r.Context().Done():
		}
	})
}

// A haltingWriter halts before it writes some piece.
type haltingWriter struct {
	http.ResponseWriter

	request *http.Request
	call    *modelCall
	pieces  int
}

// middle is a piece in the midst of all answers.
const middle = 10

// Write writes a piece.
func (w *haltingWriter) Write(piece []byte) (int, error) {
	w.pieces++
	switch {
	case w.call.step == "slow":
		pause := time.Duration(rand.IntN(40)) * time.Millisecond
		if w.pieces == 1 {
			pause = time.Second + 75*pause
		}
		select {
		case <-time.After(pause):
		case <-w.request.Context().Done():
		}
	case w.call.step == "stream" && w.pieces == middle, w.call.step == "last" && bytes.Contains(piece, []byte("[DONE]")):
		w.call.wait(w.request)
	}
	return w.ResponseWriter.Write(piece)
}

// Unwrap returns what can flush.
func (w *haltingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// asked returns how often a question was asked.
func (m *haltingModel) asked(question string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.calls[question])
}

// call returns the nth call with a question.
func (m *haltingModel) call(question string, nth int) *modelCall {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls[question][nth-1]
}

// A mortalAgent is an agent whose nodes are processes that can be killed.
type mortalAgent struct {
	t     *testing.T
	cli   *cli
	model *haltingModel
	url   string // of the model
	host  string
	look  *pgx.Conn // nil on SQLite
	lock  pgx.Tx    // of the test
}

func newMortalAgent(t *testing.T, engine string) *mortalAgent {
	t.Helper()
	x := &mortalAgent{t: t, cli: migrated(t, engine), model: newHaltingModel()}
	x.url, _, x.host = serveModels(t, x.model)
	if x.cli.database == "" {
		return x
	}
	x.look = x.connect()
	x.begin(x.connect())
	return x
}

func (x *mortalAgent) connect() *pgx.Conn {
	x.t.Helper()
	conn, err := pgx.Connect(x.t.Context(), x.cli.database)
	x.must(err)
	x.t.Cleanup(func() { _ = conn.Close(context.Background()) }) // it holds nothing that matters
	return conn
}

// begin begins the transaction in which the test locks.
func (x *mortalAgent) begin(conn *pgx.Conn) {
	x.t.Helper()
	var err error
	x.lock, err = conn.Begin(x.t.Context())
	x.must(err)
}

func (x *mortalAgent) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// node starts a node.
func (x *mortalAgent) node() *node {
	x.t.Helper()
	return serveAlone(x.t, x.cli, "--model-hosts="+x.host, "--log-level=error")
}

// until polls a condition, because other processes send no signal. A session may read
// ten times in a second.
func (x *mortalAgent) until(what string, done func() bool) {
	x.t.Helper()
	for deadline := time.Now().Add(45 * time.Second); !done(); time.Sleep(150 * time.Millisecond) {
		if time.Now().After(deadline) {
			x.t.Fatalf("%s did not come", what)
		}
	}
}

// A questioner is a customer of a team whose agent can answer.
type questioner struct {
	*customer

	agent   *mortalAgent
	product string
	threads map[string]string // conversations by the marks of their questions
}

// team founds a team whose agent can answer, with a customer.
func (x *mortalAgent) team(url, name string) *questioner {
	x.t.Helper()
	s := newSupportTeam(x.t, x.cli, url, name)
	p := s.product("Tents", x.url, "quote")
	s.publishOthers()
	keywords := []string{"halt", "think", "stream", "last", "none", "twice", "slow"}
	for n := range 90 {
		keywords = append(keywords, fmt.Sprint(n))
	}
	s.publish(p.id, article{"How long is my tent covered", "Your tent is covered for as long as you own it, whatever breaks.", keywords})
	return &questioner{customer: s.visit(p.inbox, "", ""), agent: x, product: p.id, threads: map[string]string{}}
}

// ask begins a conversation with a question.
func (q *questioner) ask(mark string) {
	q.team.t.Helper()
	q.threads[mark] = q.begin("How long is my tent covered if something breaks? " + mark)
}

// shown returns how many messages of the agent a customer sees after a question.
func (q *questioner) shown(mark string) int {
	q.agent.t.Helper()
	var t thread
	q.want(200, "GET", "conversations/"+q.threads[mark], "", &t)
	return len(t.fromAgent())
}

// halted waits until the model halts at a question that it is asked for the nth time.
func (q *questioner) halted(mark string, nth int) *modelCall {
	q.agent.t.Helper()
	q.agent.until("the question "+mark, func() bool { return q.agent.model.asked(mark) >= nth })
	call := q.agent.model.call(mark, nth)
	select {
	case <-call.halted:
	case <-time.After(time.Minute):
		q.agent.t.Fatalf("the model does not halt at %s", mark)
	}
	return call
}

// answered waits for the answers to all questions, and checks that each has one answer
// or one hand-over.
func (q *questioner) answered() {
	q.agent.t.Helper()
	for mark, conversation := range q.threads {
		var t thread
		q.agent.until("the answer to "+mark, func() bool {
			t = thread{}
			q.want(200, "GET", "conversations/"+conversation, "", &t)
			return t.Agent != "answering"
		})
		var all struct{ Data []struct{ IsPrivate bool } }
		q.team.want(200, "GET", "/v1/public/conversations/"+conversation+"/messages", "", &all)
		notes := 0
		for _, m := range all.Data {
			if m.IsPrivate {
				notes++
			}
		}
		if said := t.fromAgent(); len(said) != 1 || t.Agent != "waiting" && t.Agent != "handed_over" || notes != map[string]int{"handed_over": 1}[t.Agent] {
			q.agent.t.Errorf("%s: the agent is %s, said %+v, and wrote %d notes", mark, t.Agent, said, notes)
		}
	}
	var spend struct {
		Data []struct{ TokensIn, Calls int64 }
	}
	q.team.want(200, "GET", "/v1/dashboard/model-spend", "", &spend)
	if len(spend.Data) != 1 || spend.Data[0].TokensIn == 0 || spend.Data[0].Calls == 0 {
		q.agent.t.Errorf("the answers cost %+v", spend.Data)
	}
}

// wantAsked requires how often the model was asked each question.
func (x *mortalAgent) wantAsked(want map[string]int) {
	x.t.Helper()
	for question, count := range want {
		if got := x.model.asked(question); got != count {
			x.t.Errorf("the model was asked %s %d times, want %d", question, got, count)
		}
	}
}

// exec runs a statement in the transaction of the test, whose locks nodes wait for.
func (x *mortalAgent) exec(sql string, args ...any) {
	x.t.Helper()
	_, err := x.lock.Exec(x.t.Context(), sql, args...)
	x.must(err)
}

// waiting waits until so many transactions of nodes wait for a lock.
func (x *mortalAgent) waiting(count int) {
	x.t.Helper()
	x.until("a node that waits", func() bool {
		var got int
		x.must(x.look.QueryRow(x.t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&got))
		return got >= count
	})
}

// release ends the locks of the test.
func (x *mortalAgent) release() {
	x.t.Helper()
	x.must(x.lock.Rollback(x.t.Context()))
	x.begin(x.lock.Conn())
}

// holdJob lets the nodes wait that want to change the job of a conversation.
func (x *mortalAgent) holdJob(conversation string) {
	x.t.Helper()
	x.exec("SELECT 1 FROM agent_jobs WHERE conversation_id = $1 FOR UPDATE", conversation)
}

// holdBudget lets the nodes wait that want to reserve tokens of a product.
func (x *mortalAgent) holdBudget(q *questioner) {
	x.t.Helper()
	today := time.Now().UnixMilli() / (24 * time.Hour).Milliseconds()
	for _, day := range []int64{today, today + 1} {
		x.exec(`INSERT INTO model_spend (workspace_id, product_id, day, currency, feature, reserved, reserved_cost, tokens_in, tokens_out, calls, cost)
			SELECT workspace_id, $1::uuid, $2::bigint, currency, $3::text, 0, 0, 0, 0, 0, 0 FROM model_providers WHERE workspace_id = $4`,
			q.product, day, string(parley.FeatureAgent), q.team.ws.String())
	}
}

// TestAgentKilledAtEachStep kills a node that answers at each step that can be seen
// from outside: when it has the job and the model was not asked, while the model
// thinks, in the midst of its answer, after its last piece, and after the answer was
// stored. The other node, or on SQLite the next process, gives each conversation one
// answer or one hand-over, when the lease has run out.
func TestAgentKilledAtEachStep(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for leases to run out")
	}
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			x := newMortalAgent(t, engine)
			first := x.node()
			url := "http://" + first.address
			q := x.team(url, "acme")
			teams := []*questioner{q}
			for _, mark := range []string{"halt-think-1", "halt-stream-1", "halt-last-1", "halt-none-1"} {
				q.ask(mark)
			}
			want := map[string]int{"halt-think-1": 2, "halt-stream-1": 2, "halt-none-1": 1}
			if x.look != nil {
				early := x.otherWriter(q, url)
				x.holdBudget(early)
				early.ask("halt-none-2")
				x.waiting(1)
				teams, want["halt-none-2"] = append(teams, early), 1
			}
			q.halted("halt-think-1", 1)
			q.halted("halt-stream-1", 1)
			last := q.halted("halt-last-1", 1)
			x.until("the first answer", func() bool { return q.shown("halt-none-1") == 1 })
			var second *node
			if x.look != nil {
				second = x.node()
				x.holdJob(q.threads["halt-last-1"])
			}
			close(last.resume)
			<-last.ended
			if x.look != nil {
				x.waiting(2)
			}
			first.kill()
			killed := time.Now()
			if x.look != nil {
				x.release()
				first = second
			} else {
				first.start()
			}
			for _, one := range teams {
				one.team.url = "http://" + first.address
				one.answered()
			}
			t.Logf("all was answered %s after the kill", time.Since(killed).Round(time.Millisecond))
			x.wantAsked(want)
		})
	}
}

// otherWriter founds a team whose changes do not wait for those of another one.
func (x *mortalAgent) otherWriter(than *questioner, url string) *questioner {
	x.t.Helper()
	for n := range 40 {
		if q := x.team(url, fmt.Sprint("other", n)); q.team.ws[15]%2 != than.team.ws[15]%2 {
			return q
		}
	}
	x.t.Fatal("all teams share a writer")
	return nil
}

// TestAgentClaimsOnce has two nodes take the same job at the same time: one gets it.
func TestAgentClaimsOnce(t *testing.T) {
	t.Parallel()
	x := newMortalAgent(t, "postgres")
	first := x.node()
	x.node()
	q := x.team("http://"+first.address, "acme")
	q.ask("halt-none-1")
	x.holdJob(q.threads["halt-none-1"])
	x.waiting(2) // both read that it is due
	x.release()
	q.answered()
	x.wantAsked(map[string]int{"halt-none-1": 1})
}

// TestAgentPaused stops a node while the model thinks. Meanwhile the customer writes
// more, so that the other node begins anew. The first one goes on too late.
func TestAgentPaused(t *testing.T) {
	t.Parallel()
	x := newMortalAgent(t, "postgres")
	paused := x.node()
	q := x.team("http://"+paused.address, "acme")
	q.ask("halt-twice-1")
	before := q.halted("halt-twice-1", 1)
	x.must(paused.cmd.Process.Signal(syscall.SIGSTOP))
	q.team.url = "http://" + x.node().address
	q.write(q.threads["halt-twice-1"], "And if it was my fault?")
	after := q.halted("halt-twice-1", 2)
	reserved := x.reserved()
	x.must(paused.cmd.Process.Signal(syscall.SIGCONT))
	close(before.resume)
	<-before.ended
	x.until("the end of the paused run", func() bool { return x.reserved() < reserved })
	for looks := 0; looks < 50 && q.shown("halt-twice-1") == 0; looks++ {
		time.Sleep(lookPause * 200) // what it must not store would be there soon
	}
	close(after.resume)
	q.answered()
	x.wantAsked(map[string]int{"halt-twice-1": 2})
}

// reserved is how many tokens are reserved.
func (x *mortalAgent) reserved() (tokens int64) {
	x.t.Helper()
	x.must(x.look.QueryRow(x.t.Context(), "SELECT CAST(sum(reserved) AS bigint) FROM model_spend").Scan(&tokens))
	return tokens
}

// TestAgentKilledAtRandom kills nodes at random moments, while a slow model answers
// many questions. Each has one answer or one hand-over in the end.
func TestAgentKilledAtRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for leases to run out")
	}
	t.Parallel()
	x := newMortalAgent(t, "postgres")
	balancer := &balancer{nodes: []*node{x.node(), x.node()}}
	url := "http://" + balancer.serve(t)
	kills, questions := points(2, 60), 0
	var all []*questioner
	ask := func() {
		for range 2 {
			q := x.team(url, fmt.Sprint("acme", questions))
			all = append(all, q)
			for range 6 {
				questions++
				q.ask(fmt.Sprintf("halt-slow-%d", questions))
			}
		}
	}
	ask()
	x.until("a question", x.model.anyAsked)
	for kill := range kills {
		if kill%5 == 4 {
			ask()
		}
		<-time.After(time.Duration(rand.IntN(700)) * time.Millisecond)
		victim := balancer.nodes[kill%2]
		victim.kill()
		victim.start()
	}
	killed := time.Now()
	for _, q := range all {
		q.answered()
	}
	more := 0
	for n := range questions {
		more += x.model.asked(fmt.Sprintf("halt-slow-%d", n+1)) - 1
	}
	t.Logf("%d kills, %d questions, which the model was asked %d times more; all was answered %s after the last kill",
		kills, questions, more, time.Since(killed).Round(time.Millisecond))
	if more < 1 {
		t.Error("no kill met an answer, so the test sees nothing")
	}
}

// anyAsked reports whether the model was asked anything.
func (m *haltingModel) anyAsked() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.calls) > 0
}
