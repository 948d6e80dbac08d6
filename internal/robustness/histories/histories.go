// Package histories lets clients change and read the same records through several nodes at
// once, while the lines to nodes and from nodes to the database break, and asks a checker
// whether what each was answered could have happened one after another: whether the history
// is linearizable.
//
// It is only for tests and imports nothing of this module.
package histories

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	// patience is how long a client waits for an answer. What happened to a change is then
	// unknown: it may take effect at any later time, or never.
	patience = 3 * time.Second
	// checkTime is how long the checker may take for one history.
	checkTime = time.Minute
	clients   = 6
	threads   = 4 // conversations of a history
	addresses = 8 // of contacts, which several clients create at once
)

// Options is what a history does.
type Options struct {
	Nodes []string // base URLs, which clients reach by lines
	Key   string   // of the API
	Lines []*Line  // to the nodes and from them to the database
	Size  int      // operations
	// Stale makes each client now and then return what it read before, as a cache would.
	Stale bool
}

// A Result is what the checker says of a history.
type Result struct {
	Verdict    porcupine.CheckResult // Ok: linearizable
	Operations int
	Unknown    int // changes of which no client knows whether they took effect
	Unread     int // reads that failed
	Faults     int // cuts and pauses of lines
}

// A history is one run.
type history struct {
	Options

	begun   time.Time
	http    *http.Client
	name    string
	threads []string // ids of conversations

	mu         sync.Mutex
	operations []porcupine.Operation
	result     Result
}

// Run makes a history and has it checked.
func Run(ctx context.Context, o Options) (Result, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	h := &history{
		Options: o, begun: time.Now(), name: fmt.Sprintf("h%08x", rand.Uint32()),
		http: &http.Client{Transport: transport, Timeout: patience},
	}
	if err := h.begin(ctx); err != nil {
		return Result{}, err
	}
	var running sync.WaitGroup
	for n := range clients {
		running.Go(func() { h.client(ctx, n) })
	}
	ended := make(chan struct{})
	go func() { running.Wait(); close(ended) }()
	h.disturb(ended)
	if err := h.readAll(ctx); err != nil {
		return Result{}, err
	}
	h.result.Operations = len(h.operations)
	h.result.Verdict = porcupine.CheckOperationsTimeout(model, h.operations, checkTime)
	return h.result, nil
}

// disturb breaks lines by turns until the history has ended.
func (h *history) disturb(ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		case <-time.After(time.Duration(100+rand.IntN(300)) * time.Millisecond):
		}
		line := h.Lines[rand.IntN(len(h.Lines))]
		h.result.Faults++
		if rand.IntN(2) == 0 {
			line.Cut()
			continue
		}
		line.Pause()
		time.Sleep(time.Duration(50+rand.IntN(250)) * time.Millisecond) // a pause, not a wait for something
		line.Resume()
	}
}

// client does its share of the operations, each on any node.
func (h *history) client(ctx context.Context, id int) {
	last := map[string]output{} // by key, for a stale client
	for n := range h.Size / clients {
		in := input{key: fmt.Sprint("thread ", rand.IntN(len(h.threads))), value: fmt.Sprintf("%s-%d-%d", h.name, id, n)}
		switch rand.IntN(10) {
		case 0, 1:
			in.what, in.key, in.value = create, fmt.Sprint("contact ", rand.IntN(addresses)), ""
		case 2:
			in.what, in.key, in.value = find, fmt.Sprint("contact ", rand.IntN(addresses)), ""
		case 3, 4:
			in.what = patch
		case 5, 6:
			in.what = post
		case 7:
			in.what = messages
		default:
			in.what = read
		}
		h.do(ctx, id, in, last)
		time.Sleep(time.Duration(rand.IntN(15)) * time.Millisecond) // so that lines break within a history
	}
}

// do does an operation and notes when it began and ended, and what came out.
func (h *history) do(ctx context.Context, id int, in input, last map[string]output) {
	call := time.Since(h.begun)
	out := h.ask(ctx, in)
	back := time.Since(h.begun)
	h.mu.Lock()
	defer h.mu.Unlock()
	if out.unknown {
		if in.reads() {
			h.result.Unread++
			return
		}
		h.result.Unknown++
		back = forever
	}
	if h.Stale && in.reads() && last != nil {
		key := fmt.Sprint(in.what, in.key)
		if old, ok := last[key]; ok && rand.IntN(3) == 0 {
			out = old
		} else {
			last[key] = out
		}
	}
	h.operations = append(h.operations, porcupine.Operation{ClientId: id, Input: in, Call: int64(call), Output: out, Return: int64(back)})
}

// forever is after all of a history.
const forever = 24 * time.Hour

// readAll reads every record once more, when all is well again.
func (h *history) readAll(ctx context.Context) error {
	for n := range h.threads {
		for _, what := range []kind{read, messages} {
			h.do(ctx, clients, input{what: what, key: fmt.Sprint("thread ", n)}, nil)
		}
	}
	for n := range addresses {
		h.do(ctx, clients, input{what: find, key: fmt.Sprint("contact ", n)}, nil)
	}
	return ctx.Err()
}

// What an operation does.
type kind int

const (
	create   kind = iota // a contact, if there is none with the address
	find                 // the contact with an address
	patch                // an attribute of a conversation
	post                 // a message
	read                 // a conversation: its attribute, and how many messages it has
	messages             // which messages it has
)

// An input is what a client asks for.
type input struct {
	what  kind
	key   string // of the record
	value string
}

func (i input) reads() bool { return i.what == find || i.what == read || i.what == messages }

// An output is an answer.
type output struct {
	unknown bool
	there   bool   // the contact, before or when it was looked for
	value   string // of the attribute
	count   int
	sum     uint64 // of the messages
}

// A state is that of a record: of a contact, or of a conversation.
type state struct {
	there bool
	value string
	count int
	sum   uint64
}

// model is what the server promises.
var model = porcupine.Model{
	Partition: func(all []porcupine.Operation) (parts [][]porcupine.Operation) {
		of := map[string]int{}
		for _, o := range all {
			key := o.Input.(input).key
			n, ok := of[key]
			if !ok {
				n = len(parts)
				of[key], parts = n, append(parts, nil)
			}
			parts[n] = append(parts[n], o)
		}
		slices.SortFunc(parts, func(a, b []porcupine.Operation) int { return cmp.Compare(len(a), len(b)) })
		return parts
	},
	Init: func() any { return state{} },
	Step: func(before, in, out any) (bool, any) { return step(before.(state), in.(input), out.(output)) },
}

// step does an operation on a record, and reports whether the answer can be right.
func step(s state, in input, out output) (bool, any) {
	switch in.what {
	case create:
		ok := out.unknown || out.there == s.there
		s.there = true
		return ok, s
	case find:
		return out.there == s.there, s
	case patch:
		s.value = in.value
		return true, s
	case post:
		s.count, s.sum = s.count+1, s.sum+sumOf(in.value)
		return true, s
	case messages:
		return out.count == s.count && out.sum == s.sum, s
	default:
		return out.value == s.value && out.count == s.count, s
	}
}
