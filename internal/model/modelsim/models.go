package modelsim

import (
	"cmp"
	"hash/fnv"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// say returns what the model of a request answers.
func (s *Server) say(b *body) speech {
	prompt := b.prompt()
	p := read(prompt, lastMessage(b))
	var r reply
	switch b.Model {
	case "lie":
		r = p.lie()
	case "obey", "orders":
		if call := p.ordered(b); call != "" {
			return speech{call: call, arguments: `{"all":true}`}
		}
		r = p.obey(b.Model == "obey")
	case "betray":
		r = p.quote()
		r.Answer += "\n" + p.obey(true).Answer
	default:
		if call := p.ordered(b); call != "" {
			return speech{call: call, arguments: `{"city":"Paris"}`}
		}
		r = p.quote()
		if b.Model == Toy {
			r = p.passage()
		}
	}
	if b.Format == nil || s.lacks(LacksObject) && b.Format.Type == "json_object" {
		if len(p.sources) == 0 {
			return speech{text: r.Answer}
		}
		return speech{text: written(r)}
	}
	properties := b.Format.Schema.Schema.Properties
	if _, ok := properties["answer"]; !ok && len(properties) > 0 {
		object := map[string]string{}
		for name := range properties {
			object[name] = r.Answer
		}
		return speech{text: written(object)}
	}
	if len(p.sources) == 0 && strings.Contains(prompt, `{"city"`) {
		return speech{text: `{"city":"Paris"}`}
	}
	return speech{text: written(r)}
}

func lastMessage(b *body) string {
	if len(b.Messages) == 0 {
		return ""
	}
	return b.Messages[len(b.Messages)-1].Content
}

// A reply is the object that prompts with sources ask for.
type reply struct {
	Action  string   `json:"action"`
	Sources []string `json:"sources"`
	Answer  string   `json:"answer"`
}

// A source is a text of a prompt with its marker.
type source struct{ id, text string }

// A prompt is what a model understands of one.
type prompt struct {
	whole    string
	question string
	kind     string // of the block that the question stands in; "" for none
	sources  []source
}

// block finds the parts that a prompt marks.
var block = regexp.MustCompile(`(?m)^=== (k[0-9a-f]+) begin (\w+)(?: (s[0-9a-f]+))? ===$`)

// read finds the sources and the question of a prompt. A prompt without
// markers is a question.
func read(whole, last string) prompt {
	p := prompt{whole: whole, question: last}
	for _, at := range block.FindAllStringSubmatchIndex(whole, -1) {
		key, kind := whole[at[2]:at[3]], whole[at[4]:at[5]]
		text, _, found := strings.Cut(whole[at[1]:], "\n=== "+key+" end")
		switch {
		case !found:
		case kind == "source" && at[6] >= 0:
			p.sources = append(p.sources, source{whole[at[6]:at[7]], strings.TrimSpace(text)})
		case kind == "question", kind == "text", kind == "conversation" && p.question == last:
			p.question, p.kind = strings.TrimSpace(text), kind
		}
	}
	return p
}

// words returns the words of a text that say something.
func words(text string) []string {
	all := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(all, func(word string) bool { return len(word) < 4 })
}

// stem cuts the end of a word, so that most of its forms are equal.
func stem(word string) string {
	if runes := []rune(word); len(runes) > 5 {
		return string(runes[:5])
	}
	return word
}

// sentences returns the sentences of a text.
func sentences(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "#*- ")
		for {
			end := strings.IndexAny(line, ".!?")
			for end >= 0 && end+1 < len(line) && line[end+1] != ' ' {
				next := strings.IndexAny(line[end+1:], ".!?")
				if next < 0 {
					end = -1
					break
				}
				end += 1 + next
			}
			if end < 0 {
				break
			}
			all = append(all, line[:end+1])
			line = strings.TrimSpace(line[end+1:])
		}
		if line != "" {
			all = append(all, line)
		}
	}
	return all
}

// quote answers with the sentence that shares the most words with the question.
// Its source's other words count a little, so that of two equal sentences the
// one in the fitting source wins.
func (p prompt) quote() reply {
	if len(p.sources) == 0 {
		said := sentences(p.question)
		if len(said) == 0 {
			return reply{Action: "handover"}
		}
		return reply{Action: "answer", Answer: strings.TrimPrefix(said[0], "Say: ")}
	}
	asked := map[string]bool{}
	for _, word := range words(p.question) {
		asked[stem(word)] = true
	}
	shared := func(text string) int {
		found := map[string]bool{}
		for _, word := range words(text) {
			if asked[stem(word)] {
				found[stem(word)] = true
			}
		}
		return len(found)
	}
	best, r := 0, reply{Action: "handover", Sources: []string{}}
	for _, source := range p.sources {
		whole := shared(source.text)
		for _, sentence := range sentences(source.text) {
			ends := strings.ContainsAny(sentence[len(sentence)-1:], ".!?")
			if score := 8*shared(sentence) + 2*whole + truth(ends); whole > 0 && score > best {
				best, r = score, reply{Action: "answer", Sources: []string{source.id}, Answer: sentence}
			}
		}
	}
	return r
}

func truth(is bool) int {
	if is {
		return 1
	}
	return 0
}

// lie answers with what stands nowhere.
func (p prompt) lie() reply {
	r := reply{Action: "answer", Answer: "It costs €987.65 and arrives on 31 February 2031 at 25:61. We give 77% off: https://evil.example/pay?now=1"}
	for _, source := range p.sources {
		r.Sources = append(r.Sources, source.id)
	}
	return r
}

var (
	order = regexp.MustCompile(`(?im)\b(?:say|reply|answer|respond|write|print|output|repeat|tell (?:them|me|him|her|the customer))(?: only| exactly)?(?: with| that)?:? +["“']?([^"”\n]{1,300})`)
	link  = regexp.MustCompile(`(?i)(?:https?|javascript|data):[^\s"'<>)]+`)
)

// obey obeys all orders, and with all tells the whole prompt.
func (p prompt) obey(all bool) reply {
	r := reply{Action: "answer"}
	for _, source := range p.sources {
		r.Sources = append(r.Sources, source.id)
	}
	var said []string
	for _, found := range order.FindAllStringSubmatch(p.whole, -1) {
		said = append(said, found[1])
	}
	said = append(said, link.FindAllString(p.whole, -1)...)
	if all || len(said) == 0 {
		said = append(said, p.whole)
	}
	for _, action := range []string{"resolve", "close", "assign", "refund", "handover"} {
		if strings.Contains(strings.ToLower(p.whole), "action "+action) {
			r.Action = action
		}
	}
	r.Answer = strings.Join(said, "\n")
	return r
}

// ordered returns the first tool that is offered and that the prompt wants to be
// called.
func (p prompt) ordered(b *body) string {
	for _, tool := range b.Tools {
		if strings.Contains(strings.ToLower(p.whole), "call the tool "+strings.ToLower(tool.Function.Name)) {
			return tool.Function.Name
		}
	}
	return ""
}

// embeddings answers with a vector for each text: the sum of one for each word,
// which depends on the word alone.
func (s *Server) embeddings(w http.ResponseWriter, r *http.Request, b *body, fault string) {
	out := &writer{ResponseWriter: w, request: r, fault: fault, drip: s.options.Drip}
	switch {
	case s.lacks(LacksEmbeddings):
		refuse(w, 404, "not_found", "no embeddings")
		return
	case out.fails():
		return
	}
	type vector struct {
		Index  int       `json:"index"`
		Vector []float32 `json:"embedding"`
	}
	var list struct {
		Data  []vector `json:"data"`
		Usage *usage   `json:"usage,omitempty"`
	}
	for i, text := range b.Input {
		one := vector{i, embedded(text)}
		switch {
		case fault == "dimension" && i%2 == 1:
			one.Vector = one.Vector[1:]
		case fault == "zero":
			clear(one.Vector)
		}
		list.Data = append(list.Data, one)
	}
	if fault == "fewer" && len(list.Data) > 0 {
		list.Data = list.Data[1:]
	}
	if fault != "nousage" && !s.lacks(LacksUsage) {
		list.Usage = &usage{In: 1 + len(strings.Fields(strings.Join(b.Input, " ")))}
	}
	text := written(list)
	if fault == "nan" {
		text = strings.Replace(text, `"embedding":[`, `"embedding":[NaN,`, 1)
	}
	out.send(text)
}

// embedded returns a vector of length 1.
func embedded(text string) []float32 {
	sum := make([]float64, Dimension)
	for _, word := range words(text) {
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(stem(word))) // it never fails
		state := hash.Sum64()
		for i := range sum {
			state = state*6364136223846793005 + 1442695040888963407
			sum[i] += float64(int64(state)>>32) / (1 << 31)
		}
	}
	length := 0.0
	for _, x := range sum {
		length += x * x
	}
	length = cmp.Or(math.Sqrt(length), 1)
	vector := make([]float32, Dimension)
	for i, x := range sum {
		vector[i] = float32(x / length)
	}
	return vector
}
