package demo_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/demo"
	"parley/internal/desk"
	"parley/internal/numbers"
)

// change makes the network act on the demo's number.
func (w *phoneWorld) change(format string, args ...any) {
	w.t.Helper()
	w.do("network", `{"phone":"%s",%s}`, demo.ChatPhone, fmt.Sprintf(format, args...))
}

// status waits until the demo's number has a status.
func (w *phoneWorld) status(wanted parley.NumberStatus) {
	w.t.Helper()
	w.until(string(wanted), func(s string) bool { return strings.Contains(s, fmt.Sprintf(`"status":%q`, wanted)) })
}

// running starts the phones and waits until all of them are online.
func (w *phoneWorld) running() {
	w.t.Helper()
	w.start()
	w.until("all phones on", func(s string) bool {
		return strings.Count(s, `"number":`) == 4 && strings.Contains(s, "simulated phone")
	})
}

// reconnect connects the number like a member who does not wait for the end of
// its pause.
func (w *phoneWorld) reconnect() {
	w.t.Helper()
	by := desk.Caller{Workspace: w.ws}
	if _, err := w.numbers.DisconnectNumber(w.t.Context(), by, w.number().ID); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.numbers.ReconnectNumber(w.t.Context(), by, w.number().ID); err != nil {
		w.t.Fatal(err)
	}
	w.status(parley.NumberConnected)
}

func (w *phoneWorld) group(name string, participants ...parley.Phone) (desk.Saved[parley.GroupOutcome], error) {
	return w.numbers.CreateGroup(w.t.Context(), desk.Caller{Workspace: w.ws}, numbers.NewGroup{Name: name, Participants: participants, From: demo.ChatPhone})
}

func TestNetworkCutsRefusesAndComesBack(t *testing.T) {
	w := phonesOf(t, demo.Owner)
	w.running()
	w.status(parley.NumberConnected)

	w.change(`"do":"offline"`)
	w.until("offline", func(s string) bool {
		return strings.Contains(s, `"status":"disconnected"`) && strings.Contains(s, `"offline":true,"outdated"`)
	})
	w.change(`"do":"online"`)
	w.status(parley.NumberConnected)

	w.change(`"do":"ban","seconds":600`)
	w.status(parley.NumberBanned)
	banned := w.number()
	if banned.Until.IsZero() {
		t.Error("a ban without an end")
	}
	w.change(`"do":"unban"`)
	w.until("no ban", func(s string) bool { return strings.Contains(s, `"bannedUntil":null`) })
	w.reconnect()

	// The company's own phone has not reconnected by itself.
	w.eventually("the company's phone writes", func() bool {
		text := fmt.Appendf(nil, `{"phone":%q,"chat":%q,"text":"We are back"}`, demo.ChatPhone, miaPhone)
		return w.ask(http.MethodPost, "/phone/messages", text).Code == http.StatusNoContent
	})

	w.change(`"do":"restrict","seconds":600`)
	w.eventually("restricted", func() bool { return !w.number().RestrictedUntil.IsZero() })
	w.change(`"do":"unrestrict"`)
	w.eventually("free", func() bool { return w.number().RestrictedUntil.IsZero() })

	w.change(`"do":"logout"`)
	w.status(parley.NumberLoggedOut)
}

func TestNetworkFindsTheClientTooOld(t *testing.T) {
	w := phonesOf(t, demo.Owner)
	w.running()
	w.status(parley.NumberConnected)
	w.change(`"do":"outdated"`)
	w.status(parley.NumberOutdated)
	w.change(`"do":"current"`)
	w.until("current", func(s string) bool { return strings.Contains(s, `"outdated":false`) })
	w.reconnect()
}

func TestNetworkRefusesAndLosesRequests(t *testing.T) {
	w := phonesOf(t, demo.Owner)
	w.running()
	w.status(parley.NumberConnected)

	w.change(`"do":"refuse","what":"groups"`)
	w.until("the fault", func(s string) bool {
		return strings.Contains(s, `"faults":[{"do":"refuse","what":"groups","times":1,"code":429}]`)
	})
	if _, err := w.group("Refused", miaPhone); parley.KindOf(err) != parley.Limited {
		t.Errorf("a refused group: %v, want that it is limited", err)
	}
	w.until("the fault used up", func(s string) bool { return strings.Contains(s, `"faults":[]`) })

	// The number pauses after a refusal, but not after a lost answer.
	w = phonesOf(t, demo.Owner)
	w.running()
	w.status(parley.NumberConnected)
	w.change(`"do":"lose","what":"groups"`)
	made, err := w.group("Lost", miaPhone)
	if err != nil {
		t.Fatal(err)
	}
	state := w.until("one group", func(s string) bool { return strings.Contains(s, made.Record.Group.JID) })
	if n := strings.Count(state, `"name":"Lost"`); n != 2 { // on Mia's phone and on the company's
		t.Errorf("the group is on %d phones, want on 2: it was made more than once\n%s", n, state)
	}

	w.status(parley.NumberConnected)
	w.change(`"do":"lose","what":"messages","times":2`)
	c := w.conversation("Mia Sommer")
	if _, err := w.desk.PostMessage(t.Context(), desk.Caller{Workspace: w.ws}, c.ID, desk.NewMessage{
		Content: "Only once", ContentType: parley.Text, Direction: parley.Outgoing,
	}); err != nil {
		t.Fatal(err)
	}
	w.until("the faults used up", func(s string) bool { return strings.Contains(s, `"faults":[]`) })
	w.eventually("the message delivered", func() bool {
		thread, err := w.desk.Thread(parley.WholeWorkspace(w.ws), c.ID, parley.Position{}, 10).Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(thread.Messages.Items, func(m parley.Message) bool {
			return m.Content == "Only once" && m.Status == parley.Delivered
		})
	})

	state = w.until("the message on both phones", func(s string) bool { return strings.Count(s, `"text":"Only once"`) >= 2 }) // Mia's and the company's own
	if strings.Count(state, `"text":"Only once"`) != 2 {
		t.Errorf("the message is on a phone twice: %s", state)
	}

	w.change(`"do":"refuse","what":"messages","times":3`)
	w.change(`"do":"refuse","what":"messages","times":0`)
	w.until("no fault", func(s string) bool { return strings.Contains(s, `"faults":[]`) })
}

func TestPersonsChooseWhoMayAddThem(t *testing.T) {
	w := phonesOf(t, demo.Owner)
	w.running()
	w.status(parley.NumberConnected)
	made, err := w.numbers.CreateGroup(t.Context(), desk.Caller{Workspace: w.ws}, numbers.NewGroup{
		Name: "Order 8", Participants: []parley.Phone{miaPhone, noorPhone}, From: demo.ChatPhone, SendInviteLink: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(made.Record.Added, made.Record.Invited); got != "[4917655501] [4917655503]" {
		t.Errorf("added and invited: %s", got)
	}
	state := w.until("the invitation", func(s string) bool { return strings.Contains(s, `"invite":true`) })
	before, _, _ := strings.Cut(state, `","mine":false,"from":"Northwind Outfitters","text":`)
	w.do("accept", `{"phone":"%s","message":"%s"}`, noorPhone, before[strings.LastIndexByte(before, '"')+1:])
	w.until("three members", func(s string) bool {
		return strings.Contains(s, `"members":["Northwind Outfitters","Mia Sommer","Noor Haddad"]`)
	})

	w.do("person", `{"phone":"%s","refuse":false}`, noorPhone)
	w.do("person", `{"phone":"%s","refuse":true}`, miaPhone)
	if made, err = w.group("Order 9", miaPhone, noorPhone); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(made.Record.Added, made.Record.Invited); got != "[4917655503] [4917655501]" {
		t.Errorf("added and invited: %s", got)
	}
	w.do("person", `{"phone":"%s","offline":true}`, noorPhone)
	w.until("Noor away, and still free to be added", func(s string) bool {
		return strings.Contains(s, `"name":"Noor Haddad","company":false,"refuses":false,"offline":true`)
	})
}

func TestNetworkRefusesNonsense(t *testing.T) {
	w := phonesOf(t, demo.Owner)
	w.running()
	number := string(demo.ChatPhone)
	for name, tc := range map[string]struct {
		path, body string
		want       int
		says       string
	}{
		"nothing to do":       {"network", `{"phone":"` + number + `"}`, 400, "do: must"},
		"an unknown action":   {"network", `{"phone":"` + number + `","do":"flood"}`, 400, "do: must"},
		"a ban without end":   {"network", `{"phone":"` + number + `","do":"ban","seconds":86401}`, 400, "seconds: must"},
		"a code of nothing":   {"network", `{"phone":"` + number + `","do":"ban","code":7}`, 400, "code: must"},
		"a refusal of all":    {"network", `{"phone":"` + number + `","do":"refuse"}`, 400, "what: must"},
		"too many":            {"network", `{"phone":"` + number + `","do":"lose","what":"groups","times":101}`, 400, "times: must"},
		"an answer as fault":  {"network", `{"phone":"` + number + `","do":"refuse","what":"groups","code":200}`, 400, "code: must"},
		"minutes of a ban":    {"network", `{"phone":"` + number + `","do":"ban","minutes":5}`, 400, "minutes: must"},
		"a drop with a code":  {"network", `{"phone":"` + number + `","do":"drop","code":103}`, 400, "code: must"},
		"no number":           {"network", `{"do":"drop"}`, 404, "numberId or phone"},
		"a person's number":   {"network", `{"phone":"` + miaPhone + `","do":"drop"}`, 404, "numberId or phone"},
		"a sandbox of nobody": {"network", `{"numberId":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e06","do":"drop"}`, 404, "numberId or phone"},
		"a person of nobody":  {"person", `{"phone":"4915100000000","refuse":true}`, 404, "not on"},
		"a company":           {"person", `{"phone":"` + number + `","refuse":true}`, 400, "phone: must"},
		"perhaps":             {"person", `{"phone":"` + miaPhone + `","refuse":"perhaps"}`, 400, "refuse: must"},
		"no invitation":       {"accept", `{"phone":"` + miaPhone + `","message":"none"}`, 404, "no such invitation"},
	} {
		rec := w.ask(http.MethodPost, "/phone/"+tc.path, []byte(tc.body))
		if rec.Code != tc.want || !strings.Contains(rec.Body.String(), tc.says) {
			t.Errorf("%s: %d %s, want %d %q", name, rec.Code, rec.Body, tc.want, tc.says)
		}
	}
	if rec := w.ask(http.MethodPost, "/phone/network", []byte(`{"phone":"`+number+`","do":"drop"}`), "Sec-Fetch-Site", "cross-site"); rec.Code != http.StatusForbidden {
		t.Errorf("another site: %d %s", rec.Code, rec.Body)
	}
}

// number returns the demo's number.
func (w *phoneWorld) number() parley.Number {
	w.t.Helper()
	all, err := w.numbers.Numbers(w.ws, parley.Position{}, 10).Now(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, n := range all.Items {
		if n.Phone == demo.ChatPhone {
			return n
		}
	}
	w.t.Fatal("there is no number")
	return parley.Number{}
}
