package simulating

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/wire"
)

// A Run is a whole simulation for the command line.
type Run struct {
	Plan     Plan // MaxTokens is for the whole
	Limit    int  // of the conversations that are read
	JSON     bool // write one JSON object instead of a table
	Baseline Baseline
}

// A Result sums up a simulation.
type Result struct {
	Questions  int               `json:"questions"`
	Kinds      map[string]int    `json:"kinds"`
	Reasons    map[string]int    `json:"reasons"`
	Articles   map[string]int    `json:"articles"` // by slug, how often each was the first source
	Human      int               `json:"human"`    // questions that members answered
	Linked     int               `json:"linked"`   // how often they linked to one of the same articles
	Tokens     int64             `json:"tokens"`
	Comparison *Comparison       `json:"comparison"` // null without a baseline
	Answers    []json.RawMessage `json:"answers"`
}

// A Comparison counts what differs from a baseline, of the questions in both.
type Comparison struct {
	Questions int `json:"questions"`
	Gained    int `json:"gained"`  // an answer or articles only now
	Lost      int `json:"lost"`    // only in the baseline
	Changed   int `json:"changed"` // with another first article
}

// Write simulates and writes the result.
func (svc *Service) Write(ctx context.Context, out io.Writer, r Run) error {
	result := Result{Kinds: map[string]int{}, Reasons: map[string]int{}, Articles: map[string]int{}, Answers: []json.RawMessage{}}
	if r.Baseline != nil {
		result.Comparison = &Comparison{}
	}
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	plan, step := r.Plan, Step{HasMore: true}
	for read := 0; step.HasMore && read < r.Limit; read += step.Read {
		if plan.MaxTokens = max(r.Plan.MaxTokens-int(result.Tokens), 0); plan.MaxTokens == 0 && r.Plan.MaxTokens > 0 {
			plan.MaxTokens = 1 // so that the rest is handed over for the budget
		}
		next, err := svc.Step(ctx, plan, step.Next, min(r.Limit-read, parley.MaxSimulationStep))
		if err != nil {
			return err
		}
		step = next
		result.Tokens += step.Tokens
		for i := range step.Answers {
			a := &step.Answers[i]
			result.add(a, r.Baseline)
			if r.JSON {
				result.Answers = append(result.Answers, wire.AppendSimulatedAnswer(nil, a))
			} else {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", a.AskedAt.Format(time.DateOnly), verdict(a), slugs(a), oneLine(a.Question))
			}
		}
	}
	if r.JSON {
		return json.NewEncoder(out).Encode(result)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(out, result.text())
	return err
}

func verdict(a *parley.SimulatedAnswer) string {
	if a.Reason == "" || a.Kind == string(answering.Cards) {
		return a.Kind
	}
	return a.Kind + " (" + a.Reason + ")"
}

func slugs(a *parley.SimulatedAnswer) string {
	all := make([]string, len(a.Sources))
	for i, s := range a.Sources {
		all[i] = s.Slug
		if s.Linked {
			all[i] += "*"
		}
	}
	return cmp.Or(strings.Join(all, ","), "-")
}

// oneLine returns the beginning of a text as a terminal may show it.
func oneLine(text string) string {
	const most = 80
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, text)), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// add counts an answer.
func (r *Result) add(a *parley.SimulatedAnswer, baseline Baseline) {
	r.Questions++
	r.Kinds[a.Kind]++
	if a.Reason != "" {
		r.Reasons[a.Reason]++
	}
	if len(a.Sources) > 0 {
		r.Articles[a.Sources[0].Slug]++
	}
	r.Linked += number(slices.ContainsFunc(a.Sources, func(s parley.SimulatedSource) bool { return s.Linked }))
	r.Human += number(a.Human != "")
	before, ok := baseline[a.ConversationID.String()]
	if !ok {
		return
	}
	c, now, then := r.Comparison, helps(a.Kind), helps(before.Kind)
	c.Questions++
	c.Gained += number(now && !then)
	c.Lost += number(!now && then)
	c.Changed += number(now && then && before.first() != firstOf(a))
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// helps reports whether a customer gets an answer or articles at once.
func helps(kind string) bool {
	return kind == string(answering.Answer) || kind == string(answering.Cards)
}

func firstOf(a *parley.SimulatedAnswer) string {
	if len(a.Sources) == 0 {
		return ""
	}
	return a.Sources[0].ArticleID.String()
}

// text is the result in sentences.
func (r *Result) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d first questions: %s.\n", r.Questions, cmp.Or(counts(r.Kinds), "none"))
	if len(r.Reasons) > 0 {
		fmt.Fprintf(&b, "Reasons: %s.\n", counts(r.Reasons))
	}
	if len(r.Articles) > 0 {
		fmt.Fprintf(&b, "Articles: %s.\n", counts(r.Articles))
	}
	fmt.Fprintf(&b, "Members answered %d of them, and linked to one of the same articles in %d.\n", r.Human, r.Linked)
	fmt.Fprintf(&b, "The model used %d tokens.\n", r.Tokens)
	if c := r.Comparison; c != nil {
		fmt.Fprintf(&b, "Compared with the earlier result of %d of them: %d are helped only now, %d only then, %d by another article.\n", c.Questions, c.Gained, c.Lost, c.Changed)
	}
	return b.String()
}

// counts lists the most frequent names.
func counts(of map[string]int) string {
	const most = 10
	names := slices.Collect(maps.Keys(of))
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(of[b]-of[a], strings.Compare(a, b)) })
	all := make([]string, 0, len(names))
	for _, name := range names[:min(len(names), most)] {
		all = append(all, fmt.Sprintf("%d %s", of[name], name))
	}
	return strings.Join(all, ", ")
}
