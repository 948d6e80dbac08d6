package digest_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/digest"
	"parley/internal/mail/mailsim"
	"parley/internal/timer"
)

// TestExactlyOnce has two nodes mail what random notes tell and Bo does not read. Nodes die in
// the middle of digests, and the mail server hangs after mails. Each conversation is mailed at
// most once until Bo reads it, and exactly once if he does not. A mail arrives twice only if
// its end was unknown, and then under the same id.
func TestExactlyOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := digest.New(digest.Options{Desk: w.Desk, Mail: w.mail, PublicURL: "https://support.example"})
		nodes := [2]*timer.Runner{w.timers, timer.New(w.Desk, other.Kinds())}
		random := rand.New(rand.NewPCG(7, 11))
		m := model{world: w, mailed: map[string]map[string]int{}}
		for range 4 {
			m.talks = append(m.talks, w.talk("Ann"))
			m.eras = append(m.eras, 0)
			m.named = append(m.named, false)
		}
		for range 100 {
			switch i := random.IntN(len(m.talks)); random.IntN(4) {
			case 0, 1:
				w.names(m.talks[i], m.text(i))
				m.named[i] = true
			case 2:
				_, err := w.Desk.ReadConversation(t.Context(), w.asBo(), m.talks[i])
				w.Must(err)
				m.eras[i]++
				m.named[i] = false
			}
			w.Must(w.notices.CatchUp(t.Context()))
			w.Advance(time.Duration(random.IntN(50)) * time.Minute)
			m.digests(random, nodes)
			m.send(random)
		}
		w.misbehave(mailsim.Fault{})
		for range 10 {
			w.Advance(time.Hour)
			w.Must(nodes[0].RunDue(t.Context(), true))
			m.hear(w.sent())
		}
		m.check()
	})
}

// A model knows what was told in which era of a conversation, and which mails said it. An era
// ends when Bo reads the conversation.
type model struct {
	*world
	talks  []parley.ID
	eras   []int
	named  []bool
	mailed map[string]map[string]int // ids of mails, and how often they arrived, by era
	hung   int                       // mails after which the server said nothing
}

func (m *model) text(i int) string { return fmt.Sprintf("(talk %d, era %d)", i, m.eras[i]) }

// digests runs what is due on both nodes at once. One may die.
func (m *model) digests(random *rand.Rand, nodes [2]*timer.Runner) {
	ctx, kill := context.WithCancel(m.T.Context())
	defer kill()
	dies, after := random.IntN(3) == 0, time.Duration(random.IntN(3000))*time.Microsecond
	var both sync.WaitGroup
	for i, n := range nodes {
		both.Go(func() {
			if i == 0 && dies {
				defer time.AfterFunc(after, kill).Stop()
				_ = n.RunDue(ctx, true) // fails if it was killed
				return
			}
			if err := n.RunDue(m.T.Context(), true); err != nil {
				m.T.Error(err)
			}
		})
	}
	both.Wait()
}

// send sends what waits. The server may say nothing after a mail, whether it took it or not.
func (m *model) send(random *rand.Rand) {
	reached := make(chan struct{}, 100)
	m.misbehave(mailsim.Fault{})
	if random.IntN(2) == 0 {
		m.misbehave(mailsim.Fault{At: mailsim.End, Do: mailsim.Hang, Taken: random.IntN(2) == 0, Reached: reached})
	}
	m.hear(m.sent())
	m.hung += len(reached)
}

func (m *model) hear(all []mailsim.Letter) {
	for _, l := range all {
		for _, era := range told.FindAllString(l.Plain, -1) {
			if m.mailed[era] == nil {
				m.mailed[era] = map[string]int{}
			}
			m.mailed[era][l.Headers.Get("Message-Id")]++
		}
	}
}

func (m *model) check() {
	copies := map[string]int{}
	for era, ids := range m.mailed {
		if len(ids) > 1 {
			m.T.Errorf("%s was mailed in %d mails", era, len(ids))
		}
		maps.Copy(copies, ids)
	}
	repeated := 0
	for _, n := range copies {
		repeated += n - 1
	}
	if repeated > m.hung {
		m.T.Errorf("%d mails were repeated, and the server hung after %d", repeated, m.hung)
	}
	for i := range m.talks {
		if m.named[i] && len(m.mailed[m.text(i)]) != 1 {
			m.T.Errorf("%s was mailed in %d mails, want one", m.text(i), len(m.mailed[m.text(i)]))
		}
	}
	if m.hung == 0 || len(copies) < 3 {
		m.T.Errorf("the test is too kind: %d mails, and the server hung after %d", len(copies), m.hung)
	}
}

var told = regexp.MustCompile(`\(talk \d+, era \d+\)`)
