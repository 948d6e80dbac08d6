package chatapptest_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
)

// A counter is a connector that only counts what it was asked to do.
type counter struct{ asked int }

func (c *counter) Capabilities() chatapp.Capabilities { return chatapp.Capabilities{MaxMembers: 8} }

func (c *counter) CreateGroup(context.Context, chatapp.Host, string, []parley.Phone) (chatapp.Group, []chatapp.MemberResult, error) {
	c.asked++
	return chatapp.Group{JID: "g"}, []chatapp.MemberResult{{Phone: "15550150"}}, nil
}

func (c *counter) FindGroups(context.Context, chatapp.Host, string, time.Time) ([]chatapp.Group, error) {
	c.asked++
	return []chatapp.Group{{JID: "g"}}, nil
}

func (c *counter) AddMembers(context.Context, chatapp.Host, string, []parley.Phone) ([]chatapp.MemberResult, error) {
	c.asked++
	return []chatapp.MemberResult{{Phone: "15550150"}}, nil
}

func (c *counter) SetAdmin(context.Context, chatapp.Host, string, parley.Phone, bool) error {
	c.asked++
	return nil
}

func (c *counter) InviteLink(context.Context, chatapp.Host, string) (string, error) {
	c.asked++
	return "link", nil
}

func (c *counter) Send(context.Context, chatapp.Host, chatapp.Message) error {
	c.asked++
	return nil
}

// ask calls one step and reports whether the answer came with it.
func ask(ctx context.Context, n chatapp.Connector, step chatapptest.Step) (answered bool, err error) {
	var host chatapp.Host
	switch step {
	case chatapptest.CreateGroup:
		g, results, err := n.CreateGroup(ctx, host, "", nil)
		return g.JID == "g" && len(results) == 1, err
	case chatapptest.FindGroups:
		groups, err := n.FindGroups(ctx, host, "", time.Time{})
		return len(groups) == 1, err
	case chatapptest.AddMembers:
		results, err := n.AddMembers(ctx, host, "", nil)
		return len(results) == 1, err
	case chatapptest.SetAdmin:
		err := n.SetAdmin(ctx, host, "", "", true)
		return err == nil, err
	case chatapptest.InviteLink:
		link, err := n.InviteLink(ctx, host, "")
		return link == "link", err
	default:
		err := n.Send(ctx, host, chatapp.Message{})
		return err == nil, err
	}
}

func TestFaults(t *testing.T) {
	refused := errors.New("refused")
	for _, step := range chatapptest.Steps() {
		inner := &counter{}
		n := chatapptest.Wrap(inner)
		n.Before(step, chatapptest.Fail(refused))
		n.Before(step, chatapptest.Kill)
		n.After(step, chatapptest.Fail(nil)) // goes with the first call, which does not come to it
		n.After(step, chatapptest.Fail(nil))
		n.After(step, chatapptest.Fail(chatapp.ErrTimeout))
		if answered, err := ask(t.Context(), n, step); answered || !errors.Is(err, refused) || inner.asked != 0 {
			t.Errorf("%s, failed before: %v, %v, asked %d times", step, answered, err, inner.asked)
		}
		killed := chatapptest.Survive(func() { _, _ = ask(t.Context(), n, step) })
		if !killed || inner.asked != 0 {
			t.Errorf("%s, killed before: %v, asked %d times", step, killed, inner.asked)
		}
		if answered, err := ask(t.Context(), n, step); answered || !errors.Is(err, chatapp.ErrTimeout) || inner.asked != 1 {
			t.Errorf("%s, answer lost: %v, %v, asked %d times", step, answered, err, inner.asked)
		}
		if answered, err := ask(t.Context(), n, step); !answered || err != nil || inner.asked != 2 {
			t.Errorf("%s, without a fault: %v, %v, asked %d times", step, answered, err, inner.asked)
		}
		if got := n.Calls(); !slices.Equal(got, []chatapptest.Step{step, step, step, step}) {
			t.Errorf("calls %v", got)
		}
	}
}

func TestHang(t *testing.T) {
	inner := &counter{}
	n := chatapptest.Wrap(inner)
	n.Before(chatapptest.Send, chatapptest.Hang)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ask(ctx, n, chatapptest.Send); !errors.Is(err, context.Canceled) || inner.asked != 0 {
		t.Errorf("%v, asked %d times", err, inner.asked)
	}
	if n.Capabilities().MaxMembers != 8 {
		t.Error("not the capabilities of the connector behind")
	}
}

func TestSurviveLetsOtherPanicsPass(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the panic was swallowed")
		}
	}()
	chatapptest.Survive(func() { panic("another") })
}
