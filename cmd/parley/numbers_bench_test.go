//go:build !nodemo

package main

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp/chatsim"
	"parley/internal/desk"
	"parley/internal/numbers"
)

// roundSends is how many messages a round sends.
const roundSends = 50

// BenchmarkSendByNumber sends messages to a phone on the fake network: in turn
// with the client library alone, and posted to Parley, which stores and queues
// each message, sends it with the same library, and stores and announces its
// status. A round ends when the phone has all. "ratio" is Parley's rate over
// the library's.
func BenchmarkSendByNumber(b *testing.B) {
	x := newNumberBench(b)
	var alone, posted time.Duration
	for b.Loop() {
		alone += x.round(b, func(ctx context.Context, text string) error {
			_, err := x.other.Send(ctx, annPhone, text)
			return err
		})
		posted += x.round(b, func(ctx context.Context, text string) error {
			_, err := x.desk.PostMessage(ctx, x.by, x.conversation, desk.NewMessage{Content: text, Direction: parley.Outgoing})
			return err
		})
	}
	sends := float64(b.N) * roundSends
	b.ReportMetric(sends/alone.Seconds(), "library/s")
	b.ReportMetric(sends/posted.Seconds(), "parley/s")
	b.ReportMetric(alone.Seconds()/posted.Seconds(), "ratio")
	b.ReportMetric(0, "ns/op")
}

type numberBench struct {
	desk         *desk.Desk
	numbers      *numbers.Service
	by           desk.Caller
	conversation parley.ID
	network      *chatsim.Server
	ann, other   *chatsim.Phone
	sent         int
}

// newNumberBench pairs a number and has Ann begin a conversation.
func newNumberBench(b *testing.B) *numberBench {
	b.Helper()
	p, _ := newBenchProgram(b, &cli{data: b.TempDir(), logLevel: "error"}, simulated)
	x := &numberBench{desk: p.app.desk, numbers: p.app.numbers, network: p.app.real.fake}
	home, err := p.app.access.CreateWorkspace(b.Context(), "Bench", "bench@parley.example")
	must(b, err)
	x.by.Workspace = home.Workspace.ID
	x.network.AddAccount(hostPhone, chatsim.AccountOptions{Name: "Bench"})
	x.ann = x.person(b, annPhone)
	x.other = x.person(b, "4930555002")
	x.pair(b)
	_, err = x.ann.Send(b.Context(), hostPhone, "hello")
	must(b, err)
	x.until(b, func() bool {
		page, err := x.desk.Conversations(parley.WholeWorkspace(x.by.Workspace), desk.ConversationFilter{}, parley.Position{}, 1).Now(b.Context())
		must(b, err)
		if len(page.Items) > 0 {
			x.conversation = page.Items[0].ID
		}
		return len(page.Items) > 0
	})
	return x
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (x *numberBench) person(b *testing.B, phone string) *chatsim.Phone {
	b.Helper()
	x.network.AddAccount(phone, chatsim.AccountOptions{})
	p, err := chatsim.NewPhone(b.Context(), x.network, phone)
	must(b, err)
	b.Cleanup(p.Close)
	return p
}

func (x *numberBench) until(b *testing.B, done func() bool) {
	b.Helper()
	for !done() {
		must(b, b.Context().Err())
		time.Sleep(10 * time.Millisecond)
	}
}

// pair pairs the number and removes its limits.
func (x *numberBench) pair(b *testing.B) {
	b.Helper()
	number, err := x.numbers.ConnectNumber(b.Context(), x.by, hostPhone, parley.DriverWhatsApp)
	must(b, err)
	id := number.Record.ID
	_, err = x.numbers.PairNumber(b.Context(), x.by, id, numbers.PairWays()[0])
	must(b, err)
	x.until(b, func() bool {
		step, err := x.numbers.Pairing(x.by, id).Now(b.Context())
		must(b, err)
		return step.IsQR() && x.network.ScanQR(hostPhone, step.Code) == nil
	})
	x.until(b, func() bool {
		n, err := x.numbers.Number(b.Context(), x.by.Workspace, id)
		must(b, err)
		return n.Status == parley.NumberConnected
	})
	_, err = x.numbers.SetBudgets(b.Context(), x.by, id, map[parley.Budget]parley.Optional[int]{parley.SendsPerMinute: parley.Some(parley.NoBudget)})
	must(b, err)
}

// round sends messages and returns how long it took until Ann's phone had the
// last one.
func (x *numberBench) round(b *testing.B, send func(context.Context, string) error) time.Duration {
	b.Helper()
	began := time.Now()
	for range roundSends {
		x.sent++
		if err := send(b.Context(), strconv.Itoa(x.sent)); err != nil {
			b.Fatal(err)
		}
	}
	for last := fmt.Sprint(x.sent); ; {
		m, err := x.ann.Next(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if m.Text == last {
			return time.Since(began)
		}
	}
}
