package push_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/notices"
	"parley/internal/outward"
	"parley/internal/pgtest"
	"parley/internal/push"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world is a workspace whose owner is told things, with two nodes that push.
type world struct {
	*desktest.World
	t       *testing.T
	service *fakeService
	nodes   [2]*push.Service
	talk    parley.ID
}

func each(t *testing.T, test func(w *world)) {
	desktest.Each(t, func(t *testing.T, made *desktest.World) {
		w := &world{World: made, t: t, service: newService(t, made.Now)}
		for i := range w.nodes {
			w.nodes[i] = push.New(push.Options{Desk: w.Desk, Network: w.service.network(), Contact: "https://support.example"})
		}
		key, err := w.nodes[1].PublicKey(t.Context(), w.Home.Workspace.ID)
		w.Must(err)
		w.service.key = func() string { return key }
		w.talk = w.Conversation(w.By(), w.Contact(w.By(), "Dee").ID).ID
		test(w)
	})
}

// by is the owner as a signed-in member.
func (w *world) by() desk.Caller {
	return desk.Caller{Workspace: w.Home.Workspace.ID, Member: w.Home.Owner.ID}
}

// device signs the owner in on a browser and adds it.
func (w *world) device(name string) (parley.PushDevice, parley.Session) {
	w.t.Helper()
	in, _, err := w.Access.StartSession(w.t.Context(), w.by(), w.Home.Owner.ID, name)
	w.Must(err)
	d, err := w.nodes[0].AddDevice(w.t.Context(), w.by(), in.Session, w.service.subscribe(name))
	w.Must(err)
	return d, in.Session
}

// tell stores a notice of the owner as the follower does, and queues it.
func (w *world) tell(kind parley.NoticeKind) parley.MemberNotice {
	w.t.Helper()
	n, err := desk.Write(w.t.Context(), w.Desk, desk.Caller{Workspace: w.Home.Workspace.ID}, func(t *desk.Tx) (parley.MemberNotice, error) {
		n, err := notices.PutNotice(t, t.WS, &parley.MemberNotice{
			ID: t.IDs.New(t.Now), MemberID: w.Home.Owner.ID, ConversationID: w.talk, Kind: kind, Count: 1, CreatedAt: t.Now, UpdatedAt: t.Now,
			Actor: parley.Actor{Type: parley.ActorMember, ID: "usr_bo", Name: "Bo"},
		}, "")
		if err != nil {
			return n, err
		}
		return n, w.nodes[0].Told(t, &n)
	})
	w.Must(err)
	return n
}

func (w *world) read(kind parley.NoticeKind) {
	w.t.Helper()
	storetest.Write(w.t, w.Store, w.Home.Workspace.ID, func(tx *store.Tx) error {
		return store.Exec(tx, w.Home.Workspace.ID, "UPDATE notices SET read_at = 7 WHERE workspace_id = $1 AND kind = $2", string(kind))
	})
}

// deliver has a node push what is due after a time, and returns what browsers got, as
// "browser kind count".
func (w *world) deliver(node int, after time.Duration) []string {
	w.t.Helper()
	w.Advance(after)
	w.Must(w.nodes[node].Deliver(w.t.Context()))
	var all []string
	for _, g := range w.service.takes() {
		all = append(all, fmt.Sprintf("%s %s %d", g.browser, g.Kind, g.Count))
	}
	slices.Sort(all)
	return all
}

func (w *world) want(got []string, want ...string) {
	w.t.Helper()
	if !slices.Equal(got, want) {
		w.t.Errorf("browsers got %q, want %q", got, want)
	}
}

func (w *world) devices() int {
	w.t.Helper()
	all, err := w.nodes[0].Devices(w.Home.Workspace.ID, w.Home.Owner.ID).Now(w.t.Context())
	w.Must(err)
	return len(all)
}

// TestPush pushes a notice to two browsers once, and says what a phone shows.
func TestPush(t *testing.T) {
	each(t, func(w *world) {
		w.device("phone")
		n := w.tell(parley.NoticeMentioned)
		w.device("later") // was not there
		w.want(w.deliver(0, 0))
		w.Advance(3 * time.Second)
		w.Must(w.nodes[0].Deliver(t.Context()))
		all := w.service.takes()
		if len(all) != 1 {
			t.Fatalf("browsers got %+v", all)
		}
		g := all[0]
		if g.browser != "phone" || g.ID != n.ID.String()+":1" || g.Kind != "mentioned" || g.Actor != "Bo" || g.ConversationID != w.talk.String() || g.urgency != "high" ||
			g.ttl != 12*60*60 || g.audience != w.service.server.URL || g.by != "https://support.example" || len(g.topic) != 32 {
			t.Errorf("the phone got %+v", g)
		}
		w.want(w.deliver(1, time.Hour))

		// What happens to an unread notice is gathered for a minute; a topic stays.
		w.tell(parley.NoticeMentioned)
		w.Advance(30 * time.Second)
		w.tell(parley.NoticeMentioned)
		w.want(w.deliver(0, 29*time.Second))
		w.want(w.deliver(0, time.Second), "later mentioned 3", "phone mentioned 3")
		w.tell(parley.NoticeWoke)
		w.Advance(3 * time.Second)
		w.Must(w.nodes[0].Deliver(t.Context()))
		for _, next := range w.service.takes() {
			if next.browser == "phone" && (next.topic != g.topic || next.urgency != "normal") {
				t.Errorf("another notice of the conversation is %+v", next)
			}
		}
	})
}

// TestUnneeded pushes nothing that was read, is out of sight, or is too old, and nothing to
// a browser that has signed out.
func TestUnneeded(t *testing.T) {
	each(t, func(w *world) {
		_, session := w.device("phone")
		w.tell(parley.NoticeAssigned)
		w.read(parley.NoticeAssigned)
		w.want(w.deliver(0, time.Minute))

		w.tell(parley.NoticeAnswered)
		storetest.Write(t, w.Store, w.Home.Workspace.ID, func(tx *store.Tx) error {
			return store.Exec(tx, w.Home.Workspace.ID, "UPDATE conversations SET spam = TRUE WHERE workspace_id = $1")
		})
		w.want(w.deliver(0, time.Minute))
		storetest.Write(t, w.Store, w.Home.Workspace.ID, func(tx *store.Tx) error {
			return store.Exec(tx, w.Home.Workspace.ID, "UPDATE conversations SET spam = FALSE WHERE workspace_id = $1")
		})

		w.tell(parley.NoticeWoke)
		w.want(w.deliver(0, 13*time.Hour))
		if s := w.nodes[0].Stats(); s.Unneeded != 3 || s.Accepted != 0 {
			t.Errorf("the counts are %+v", s)
		}

		w.tell(parley.NoticeMentioned)
		_, err := w.Access.EndSession(t.Context(), w.by(), session.ID)
		w.Must(err)
		if n := w.devices(); n != 0 {
			t.Errorf("%d devices outlive the session", n)
		}
		w.want(w.deliver(0, time.Minute))

		w.device("tablet")
		w.tell(parley.NoticeAnswered)
		w.want(w.deliver(0, 15*24*time.Hour)) // the session has expired
		if n := w.devices(); n != 0 {
			t.Errorf("%d devices outlive an expired session", n)
		}
		if w.service.asked != 0 {
			t.Errorf("the service was asked %d times", w.service.asked)
		}
	})
}

// TestWishes pushes what its member has chosen, and after a silence.
func TestWishes(t *testing.T) {
	each(t, func(w *world) {
		w.device("phone")
		w.tell(parley.NoticeNote) // nobody gets these by push unless they want
		w.want(w.deliver(0, time.Minute))
		change := func(in notices.PreferencesChange) {
			_, err := desk.Write(t.Context(), w.Desk, w.by(), func(t *desk.Tx) (parley.NoticePreferences, error) {
				return notices.ChangePreferences(t, w.Home.Owner.ID, in)
			})
			w.Must(err)
		}
		change(notices.PreferencesChange{AwayUntil: parley.Some(w.Now().Add(20 * time.Hour))})
		w.tell(parley.NoticeMentioned)
		w.want(w.deliver(0, time.Minute))
		w.tell(parley.NoticeMentioned)
		w.want(w.deliver(1, 19*time.Hour))
		w.want(w.deliver(1, time.Hour), "phone mentioned 2")
		change(notices.PreferencesChange{Kinds: map[parley.NoticeKind][]parley.NoticeChannel{parley.NoticeMentioned: {}, parley.NoticeNote: {parley.NoticeByPush}}})
		w.tell(parley.NoticeMentioned)
		w.tell(parley.NoticeNote)
		w.want(w.deliver(0, time.Minute), "phone note 2")
	})
}

// TestAnswers has the push service answer everything that it may.
func TestAnswers(t *testing.T) {
	each(t, func(w *world) {
		w.device("phone")
		says := func(status int, header ...string) {
			a := answer{status: status, header: map[string]string{}}
			if len(header) > 0 {
				a.header["Retry-After"] = header[0]
			}
			w.service.answer("phone", a)
		}
		w.tell(parley.NoticeMentioned)
		says(429, "90")
		w.want(w.deliver(0, 3*time.Second))
		w.want(w.deliver(1, 89*time.Second))
		says(503)
		w.want(w.deliver(1, time.Second)) // pauses double: 20 seconds after the second failure
		w.want(w.deliver(0, 19*time.Second))
		w.want(w.deliver(0, time.Second), "phone mentioned 1")

		// What is refused is not repeated; five in a row end the device.
		for i, status := range []int{400, 403, 413, 301} {
			says(status)
			w.tell(parley.NoticeWoke)
			w.want(w.deliver(0, time.Minute+time.Duration(i)*time.Second))
		}
		w.tell(parley.NoticeWoke)
		w.want(w.deliver(0, time.Minute), "phone woke 5") // which begins the count anew
		for range 5 {
			says(401)
			w.tell(parley.NoticeWoke)
			w.want(w.deliver(0, time.Minute))
		}
		if n := w.devices(); n != 0 {
			t.Errorf("%d devices are left after five refusals", n)
		}
		for _, status := range []int{404, 410} {
			w.device("phone")
			says(status)
			w.tell(parley.NoticeAnswered)
			w.want(w.deliver(0, time.Minute))
			if n := w.devices(); n != 0 {
				t.Errorf("%d devices are left after %d", n, status)
			}
		}
		if s := w.nodes[0].Stats(); s.Gone != 2 || s.Refused != 9 || s.Later+w.nodes[1].Stats().Later != 2 {
			t.Errorf("the counts are %+v", s)
		}
	})
}

// TestSlow has one browser's service hang: the others get theirs, and the hanging one is
// asked again after its pause.
func TestSlow(t *testing.T) {
	each(t, func(w *world) {
		for _, name := range []string{"slow", "a", "b", "c", "d", "e"} {
			w.device(name)
		}
		others := make(chan struct{})
		w.service.answer("slow", answer{status: 500, do: func() { <-others }})
		w.tell(parley.NoticeMentioned)
		w.Advance(3 * time.Second)
		done := make(chan error, 1)
		go func() { done <- w.nodes[0].Deliver(context.WithoutCancel(t.Context())) }()
		var all []got
		for len(all) < 5 {
			all = append(all, w.service.takes()...)
			// The hanging one may hold its node's turn; another node goes on.
			w.Must(w.nodes[1].Deliver(t.Context()))
		}
		close(others)
		w.Must(<-done)
		if len(all) != 5 || slices.ContainsFunc(all, func(g got) bool { return g.browser == "slow" }) {
			t.Errorf("browsers got %+v", all)
		}
		w.want(w.deliver(1, 10*time.Second), "slow mentioned 1")
	})
}

// TestInside refuses addresses of the server's own network.
func TestInside(t *testing.T) {
	each(t, func(w *world) {
		d, _ := w.device("phone")
		guarded := push.New(push.Options{Desk: w.Desk, Network: outward.Options{TLS: w.service.network().TLS}})
		if outcome, err := guarded.Test(t.Context(), w.by(), d.ID); outcome != parley.PushRefused || err != nil {
			t.Errorf("a test gives %s, %v", outcome, err)
		}
		if w.service.asked != 0 {
			t.Error("the address was reached")
		}
		for status, want := range map[int]parley.PushOutcome{201: parley.PushAccepted, 500: parley.PushLater, 400: parley.PushRefused, 410: parley.PushGone} {
			d, _ = w.device("phone")
			w.service.answer("phone", answer{status: status})
			if outcome, err := w.nodes[0].Test(t.Context(), w.by(), d.ID); outcome != want || err != nil {
				t.Errorf("after %d a test gives %s, %v", status, outcome, err)
			}
		}
		if outcome, err := w.nodes[0].Test(t.Context(), w.by(), parley.NewIDs(nil).New(w.Now())); outcome != parley.PushGone || err != nil {
			t.Errorf("a test of no device gives %s, %v", outcome, err)
		}
		_, err := push.New(push.Options{Desk: w.Desk, Off: true}).AddDevice(t.Context(), w.by(), parley.Session{}, push.Subscription{})
		w.Refused(err, parley.Conflict, "this server pushes no notices")
	})
}

// TestDevices bounds the devices of a member, and gives an address to who had it last.
func TestDevices(t *testing.T) {
	each(t, func(w *world) {
		first, _ := w.device("0")
		for i := range parley.MaxPushDevices {
			w.Advance(time.Second)
			w.device(fmt.Sprint(i + 1))
		}
		all, err := w.nodes[0].Devices(w.Home.Workspace.ID, w.Home.Owner.ID).Now(t.Context())
		w.Must(err)
		if len(all) != parley.MaxPushDevices || slices.ContainsFunc(all, func(d parley.PushDevice) bool { return d.ID == first.ID }) {
			t.Errorf("there are %d devices", len(all))
		}
		left, err := w.nodes[0].RemoveDevice(t.Context(), w.by(), all[0].ID)
		w.Must(err)
		if len(left) != parley.MaxPushDevices-1 {
			t.Errorf("%d devices are left", len(left))
		}
		_, session := w.device("again")
		for range 2 {
			_, err = w.nodes[0].AddDevice(t.Context(), w.by(), session, w.service.subscribe("again"))
			w.Must(err)
		}
		if n := w.devices(); n != parley.MaxPushDevices {
			t.Errorf("the same browser is there twice: %d devices", n)
		}
		for name, c := range map[string][3]string{
			"endpoint: must be an https address":                 {"http://push.example/x", "", ""},
			"auth: must be 16 bytes in base64url":                {"https://push.example/x", "", "AAAA"},
			"p256dh: must be a public key of P-256 in base64url": {"https://push.example/x", "AAAA", "MDEyMzQ1Njc4OWFiY2RlZg"},
			"endpoint: must be an https address ":                {"https://ann:secret@push.example/x", "", ""},
			"endpoint: must be an https address  ":               {"https:///x", "", ""},
		} {
			if _, err := push.NewSubscription(c[0], c[1], c[2]); err == nil || err.Error() != strings.TrimSpace(name) {
				t.Errorf("%q gives %v, want %s", c[0], err, name)
			}
		}
	})
}

// TestOnce has two nodes push random notices to random browsers, some of which die after
// the service has accepted: each state of a notice arrives, and twice only where a node
// died or something happened meanwhile.
func TestOnce(t *testing.T) {
	each(t, func(w *world) {
		const seeds, steps = 4, 12
		kinds := []parley.NoticeKind{parley.NoticeMentioned, parley.NoticeAssigned, parley.NoticeAnswered, parley.NoticeWoke}
		w.device("a")
		w.device("b")
		for seed := range uint64(seeds) {
			random := rand.New(rand.NewPCG(seed, 3))
			counts := map[parley.NoticeKind]int{}
			seen := map[string]int{}
			died := 0
			for range steps {
				kind := kinds[random.IntN(len(kinds))]
				counts[kind] = w.tell(kind).Count
				w.Advance(time.Duration(1+random.IntN(90)) * time.Second)
				node := random.IntN(2)
				ctx, kill := context.WithCancel(t.Context())
				if random.IntN(3) == 0 {
					// The process dies after the service has taken the push.
					died++
					w.service.answer([]string{"a", "b"}[random.IntN(2)], answer{status: http.StatusCreated, do: kill})
				}
				_ = w.nodes[node].Deliver(ctx) // fails if it was killed
				kill()
				for _, g := range w.service.takes() {
					seen[fmt.Sprintf("%s %s %d", g.browser, g.Kind, g.Count)]++
				}
			}
			for range 3 { // leases end, and everything is due
				w.Advance(2 * time.Minute)
				for i := range w.nodes {
					w.Must(w.nodes[i].Deliver(t.Context()))
				}
			}
			for _, g := range w.service.takes() {
				seen[fmt.Sprintf("%s %s %d", g.browser, g.Kind, g.Count)]++
			}
			repeated := 0
			for _, n := range seen {
				repeated += n - 1
			}
			for kind, count := range counts {
				for _, browser := range []string{"a", "b"} {
					if seen[fmt.Sprintf("%s %s %d", browser, kind, count)] == 0 {
						t.Errorf("seed %d: %s never got the last %s (%d): %v", seed, browser, kind, count, seen)
					}
				}
				w.read(kind)
			}
			if repeated > died {
				t.Errorf("seed %d: %d pushes were repeated, and %d nodes died: %v", seed, repeated, died, seen)
			}
			if n, err := w.nodes[0].Waiting(t.Context()); n != 0 || err != nil {
				t.Errorf("seed %d: %d pushes wait, %v", seed, n, err)
			}
		}
	})
}
