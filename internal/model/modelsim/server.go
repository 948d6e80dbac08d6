// Package modelsim is a fake server of language models, for tests and for the
// demo. It speaks the chat interface as servers do, and answers by rules
// instead of a model, so everything around a model can be tried with nothing
// installed, and the same request always gets the same answer:
//
//   - quote answers with the sentence of the prompt's sources that fits best;
//   - lie answers with numbers, dates and links that stand in no source;
//   - obey obeys each order that it finds anywhere in its prompt, and tells all
//     that it was given; orders does no more than obey;
//   - betray begins as quote does, and then tells all that it was given;
//   - embed makes vectors of words.
//
// Each name of a fault ([Faults]) is a model too: it answers as quote does, and
// fails in that way. A server can also fail for the next requests only, by
// [Server.Next], and lack what other servers have.
//
// [Toy] is the model that the demo shows to people. A server may have it alone
// ([Options.Models]), and answer in the process of its client
// ([Server.RoundTrip]).
//
// The package imports nothing of this module. It knows the form in which prompts
// mark sources, as a model would know it from reading them.
package modelsim

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options configure a Server.
type Options struct {
	Key    string        // that requests must have; "": none
	Record bool          // keep the requests for [Server.Requests]
	Drip   time.Duration // between the bytes of a stream that drips; 0: 10 ms
	Lacks  []Lack        // what the server cannot do
	Models []string      // that the server has; none: all, and each fault
	Pace   time.Duration // between the words of a streamed answer; 0: none
}

// A Lack is something that a server cannot do.
type Lack string

// What a server may lack.
const (
	LacksStreaming   Lack = "streaming"    // it answers at once, whatever is asked
	LacksStreamUsage Lack = "stream_usage" // it refuses to be asked for it
	LacksUsage       Lack = "usage"
	LacksSchema      Lack = "schema"     // it refuses schemas
	LacksObject      Lack = "object"     // it ignores the wish for JSON
	LacksTools       Lack = "tools"      // it answers with 500
	LacksMaxTokens   Lack = "max_tokens" // it wants max_completion_tokens
	LacksTemperature Lack = "temperature"
	LacksEmbeddings  Lack = "embeddings"
)

// Dimension is that of the vectors of embed.
const Dimension = 64

// A Server is an [http.Handler] for the interface, at any path that ends with
// /chat/completions, /embeddings or /models.
type Server struct {
	options Options
	mu      sync.Mutex
	next    []string
	seen    []Request
}

// A Request is one that the server got.
type Request struct {
	Path   string // its last part: chat/completions, embeddings or models
	Key    string // after "Bearer"
	Body   string
	Prompt string // the texts of all messages, one after the other
}

// New returns a Server.
func New(o Options) *Server {
	o.Drip = cmp.Or(o.Drip, 10*time.Millisecond)
	return &Server{options: o}
}

// Next lets the following requests fail, one by each fault; "" lets a request
// succeed.
func (s *Server) Next(faults ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, faults...)
}

// Requests returns the requests so far, if they are recorded.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

func (s *Server) lacks(what Lack) bool { return slices.Contains(s.options.Lacks, what) }

// A body is a request as it is sent.
type body struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Input               []string        `json:"input"`
	Stream              bool            `json:"stream"`
	StreamOptions       json.RawMessage `json:"stream_options"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	Temperature         *float64        `json:"temperature"`
	Format              *struct {
		Type   string `json:"type"`
		Schema struct {
			Schema struct {
				Properties map[string]json.RawMessage `json:"properties"`
			} `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
}

// prompt returns the texts of all messages.
func (b *body) prompt() string {
	texts := make([]string, len(b.Messages))
	for i, message := range b.Messages {
		texts[i] = message.Content
	}
	return strings.Join(texts, "\n")
}

// maxRequest is the most bytes of a request.
const maxRequest = 16 << 20

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		return // nobody waits
	}
	var b body
	key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	malformed := len(raw) > 0 && json.Unmarshal(raw, &b) != nil
	path := r.URL.Path
	for _, known := range []string{"chat/completions", "embeddings", "models"} {
		if strings.HasSuffix(path, "/"+known) {
			path = known
		}
	}
	if !s.has(b.Model) && path != "models" {
		refuse(w, 404, "model_not_found", "no such model; this server has "+strings.Join(s.options.Models, ", "))
		return
	}
	fault := s.record(Request{Path: path, Key: key, Body: string(raw), Prompt: b.prompt()})
	if slices.Contains(Faults(), b.Model) {
		fault = cmp.Or(fault, b.Model)
	}
	switch {
	case key != s.options.Key && s.options.Key != "":
		refuse(w, 401, "invalid_api_key", "Incorrect API key provided: "+key)
	case malformed:
		refuse(w, 400, "invalid_json", "the body is not JSON")
	case path == "models":
		s.models(w)
	case path == "embeddings":
		s.embeddings(w, r, &b, fault)
	case path == "chat/completions":
		s.chat(w, r, &b, fault)
	default:
		refuse(w, 404, "not_found", "no such path")
	}
}

// has reports whether the server has a model. A server with all of them answers
// for names that it does not know too.
func (s *Server) has(name string) bool {
	return len(s.options.Models) == 0 || slices.Contains(s.options.Models, name)
}

// record keeps a request, and returns the fault that is due.
func (s *Server) record(r Request) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.options.Record {
		s.seen = append(s.seen, r)
	}
	if len(s.next) == 0 || r.Path == "models" {
		return ""
	}
	fault := s.next[0]
	s.next = s.next[1:]
	return fault
}

// refuse answers with an error in the form of the interface.
func refuse(w http.ResponseWriter, status int, code, message string) {
	answer(w, status, map[string]failure{"error": {Message: message, Type: "error", Code: code}})
}

type failure struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Code    string `json:"code"`
}

// answer sends JSON.
func answer(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts can always be written
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may be gone
}

func (s *Server) models(w http.ResponseWriter) {
	type model struct {
		ID string `json:"id"`
	}
	var list struct {
		Data []model `json:"data"`
	}
	names := s.options.Models
	if len(names) == 0 {
		names = slices.Concat([]string{"quote", "lie", "obey", "orders", "betray", "embed", Toy}, Faults())
	}
	for _, name := range names {
		list.Data = append(list.Data, model{name})
	}
	answer(w, 200, list)
}

// lacking refuses what the server cannot do, and reports whether it did.
func (s *Server) lacking(w http.ResponseWriter, b *body) bool {
	switch {
	case b.MaxTokens != nil && s.lacks(LacksMaxTokens):
		refuse(w, 400, "unsupported_parameter", "max_tokens is not supported, use max_completion_tokens")
	case b.MaxCompletionTokens != nil && !s.lacks(LacksMaxTokens):
		refuse(w, 400, "unsupported_parameter", "max_completion_tokens is not supported")
	case b.Temperature != nil && s.lacks(LacksTemperature):
		refuse(w, 400, "unsupported_value", "temperature must be 1")
	case len(b.StreamOptions) > 0 && s.lacks(LacksStreamUsage):
		refuse(w, 400, "unknown_parameter", "stream_options is unknown")
	case b.Format != nil && b.Format.Type == "json_schema" && s.lacks(LacksSchema):
		refuse(w, 400, "unsupported_parameter", "json_schema is not supported")
	case len(b.Tools) > 0 && s.lacks(LacksTools):
		refuse(w, 500, "tools", "tools need a template")
	default:
		return false
	}
	return true
}

// chat answers by the rules of a model, in one piece or many.
func (s *Server) chat(w http.ResponseWriter, r *http.Request, b *body, fault string) {
	if s.lacking(w, b) {
		return
	}
	said := s.say(b)
	switch fault {
	case "unknowntool":
		said = speech{call: "launch_rocket", arguments: "{}"}
	case "empty":
		said = speech{}
	}
	out := &writer{
		ResponseWriter: w, request: r, fault: fault, drip: s.options.Drip, pace: s.options.Pace, prompt: b.prompt(),
		usage: fault != "nousage" && !s.lacks(LacksUsage),
	}
	if out.fails() {
		return
	}
	if b.Stream && !s.lacks(LacksStreaming) {
		out.usage = out.usage && len(b.StreamOptions) > 0
		out.stream(said)
		return
	}
	out.whole(said)
}
