package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/chatapp/chatsim"
)

// TestNumbersFromOutside uses numbers only through HTTP and the command line of
// real processes, while the network does to them everything that networks do.
func TestNumbersFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for clients to come back")
	}
	t.Parallel()
	x := newSimulatedNetwork(t)
	var running sync.WaitGroup
	defer running.Wait()
	for i, one := range []struct {
		name string
		test func(t *testing.T, x *simulatedNetwork, c *cli, phone string)
	}{
		{"talk", talking}, {"refusals", refusals}, {"away", away}, {"ban", ban}, {"logout", logout}, {"two numbers", twoNumbers},
	} {
		phone := fmt.Sprint(4930555301 + i)
		running.Go(func() { t.Run(one.name, func(t *testing.T) { one.test(t, x, onSQLite(t), phone) }) })
	}
	running.Go(func() { t.Run("talk on PostgreSQL", func(t *testing.T) { talking(t, x, onPostgres(t), "4930555401") }) })
}

// said sends a person's message to a chat.
func (o *office) said(p *chatsim.Phone, chat, text string) (id string) {
	o.t.Helper()
	id, err := p.Send(o.t.Context(), chat, text)
	if err != nil {
		o.t.Fatal(err)
	}
	return id
}

// untilLine waits for a message of a conversation.
func (o *office) untilLine(conversation, line string) {
	o.t.Helper()
	o.until(line, func() bool { return slices.Contains(o.lines(conversation), line) })
}

// read marks what came to a chat as read by a person.
func (o *office) read(p *chatsim.Phone, chat, text string) {
	o.t.Helper()
	var found chatsim.Message
	o.until(text, func() bool {
		all := p.Messages()
		i := slices.IndexFunc(all, func(m chatsim.Message) bool { return m.Chat == chat && m.Text == text })
		if i >= 0 {
			found = all[i]
		}
		return i >= 0
	})
	if err := p.Read(o.t.Context(), found); err != nil {
		o.t.Fatal(err)
	}
}

// begun starts the first conversation with a number as Ann, and returns it.
func (o *office) begun(phone string) string {
	o.t.Helper()
	o.said(o.simulatedNetwork.ann, phone, "hello")
	o.until("Ann's message", func() bool { return len(o.conversations()) == 1 })
	id := o.conversations()[0]
	o.untilLine(id, "contact delivered: hello")
	return id
}

// count returns how often a phone has a text of the number.
func (o *office) count(p *chatsim.Phone, text string) int {
	return len(slices.DeleteFunc(texts(p, o.phone), func(one string) bool { return one != text }))
}

func (o *office) isAdmin(jid, phone string) bool {
	group, _ := o.simulatedNetwork.network.Group(jid)
	return slices.ContainsFunc(group.Members, func(m chatsim.Member) bool { return m.Phone == phone && m.Admin })
}

// talking pairs a number by code, creates a group, and sends and receives in it
// and outside.
func talking(t *testing.T, x *simulatedNetwork, c *cli, phone string) {
	o := newOffice(t, x, c, phone)
	var number struct{ ID string }
	o.want(201, "POST", "/v1/dashboard/numbers", `{"phone":"`+phone+`","driver":"whatsapp"}`, &number)
	o.number = number.ID
	o.pair("code")

	var made groupMade
	o.want(201, "POST", "/v1/public/chatapp/groups", fmt.Sprintf(`{"name":"Project","participants":[%q,%q,%q],"message":"Welcome"}`,
		annPhone, bobPhone, nobodysPhone), &made)
	if !slices.Equal(made.Added, []string{annPhone}) || !slices.Equal(made.Invited, []string{bobPhone}) ||
		!slices.Equal(made.Absent, []string{nobodysPhone}) || len(made.Sent) != 0 {
		t.Errorf("the group is %+v", made)
	}
	o.read(x.ann, made.JID, "Welcome")
	o.untilLine(made.Conversation, "bot read: Welcome")
	heard := o.said(x.ann, made.JID, "Thanks")
	o.untilLine(made.Conversation, "contact delivered: Thanks")
	o.until("Ann's receipt", func() bool { return x.ann.HasReceipt(heard, chatsim.Delivered) })
	if _, err := x.bob.Join(t.Context(), made.Link); err != nil {
		t.Fatal(err)
	}
	o.until("Bob in the group", func() bool {
		return slices.ContainsFunc(o.lines(made.Conversation), func(line string) bool {
			return strings.HasPrefix(line, "system ") && strings.Contains(line, bobPhone)
		})
	})

	admins := "/v1/public/chatapp/groups/" + made.Conversation + "/admins"
	o.want(200, "POST", admins, `{"phone":"`+annPhone+`","admin":true}`, nil)
	if !o.isAdmin(made.JID, annPhone) {
		t.Error("Ann was not promoted")
	}
	o.want(200, "POST", admins, `{"phone":"`+annPhone+`","admin":false}`, nil)
	if o.isAdmin(made.JID, annPhone) {
		t.Error("Ann was not demoted")
	}

	o.said(x.bob, phone, "Just between us")
	o.until("Bob's own conversation", func() bool { return len(o.conversations()) == 2 })
	private := o.conversations()[0]
	o.untilLine(private, "contact delivered: Just between us")
	o.post(private, "Of course")
	o.read(x.bob, phone, "Of course")
	o.untilLine(private, "bot read: Of course")
}

// refusals are requests that the network refuses, with the expected results.
func refusals(t *testing.T, x *simulatedNetwork, c *cli, phone string) {
	o := pairedOffice(t, x, c, phone)
	theirs, err := x.ann.CreateGroup(t.Context(), "Ann's", phone)
	if err != nil {
		t.Fatal(err)
	}
	o.said(x.ann, theirs, "hello all")
	o.until("Ann's group", func() bool { return len(o.conversations()) == 1 })
	o.want(403, "POST", "/v1/public/chatapp/groups/"+o.conversations()[0]+"/admins", `{"phone":"`+annPhone+`","admin":false}`, nil)
	if !o.isAdmin(theirs, annPhone) {
		t.Error("Ann was demoted in her own group")
	}

	create := func(status int) (answer, groupMade) {
		t.Helper()
		var made groupMade
		a := o.want(status, "POST", "/v1/public/chatapp/groups",
			`{"name":"Project","participants":["`+annPhone+`","`+bobPhone+`"],"sendInviteLink":true}`, &made)
		return a, made
	}
	fail := func(kind string, code int) {
		x.watch(phone, chatsim.Hooks{Before: func(r chatsim.Request) chatsim.Fault {
			if r.Kind == kind {
				return chatsim.Fault{Code: code}
			}
			return chatsim.Fault{}
		}})
	}
	fail("w:g2 create", 429)
	refused, _ := create(429)
	if after, err := strconv.Atoi(refused.header.Get("Retry-After")); err != nil || after < 1 {
		t.Errorf("too many groups are refused with Retry-After %q", refused.header.Get("Retry-After"))
	}
	if made := x.groups(phone); len(made) != 0 {
		t.Errorf("the groups are %+v", made)
	}
	fail("message", 463)
	_, made := create(201)
	if !slices.Equal(made.Added, []string{annPhone}) || !slices.Equal(made.Invited, []string{bobPhone}) || len(made.Sent) != 0 {
		t.Errorf("where no stranger may be written to, the group is %+v", made)
	}
	if got := texts(x.bob, phone); len(got) != 0 {
		t.Errorf("Bob was sent %q", got)
	}
}

// away cuts off a number, and then the whole server.
func away(t *testing.T, x *simulatedNetwork, c *cli, phone string) {
	o := pairedOffice(t, x, c, phone)
	id := o.begun(phone)
	x.network.Offline(phone, true)
	o.untilStatus("disconnected")
	o.post(id, "while away")
	o.said(x.ann, phone, "are you there")
	if got := o.lines(id); !slices.Contains(got, "bot queued: while away") || o.count(x.ann, "while away") != 0 {
		t.Errorf("while the number is away the messages are %q", got)
	}
	x.network.Offline(phone, false)
	o.untilStatus("connected")
	o.untilLine(id, "contact delivered: are you there")
	o.untilLine(id, "bot delivered: while away")
	if got, want := o.statuses(), []string{"pairing", "disconnected", "connected", "disconnected", "connected"}; !slices.Equal(got, want) {
		t.Errorf("the events tell of %q, want %q", got, want)
	}

	o.process.stop()
	o.said(x.ann, phone, "while you were down")
	o.process.start()
	o.untilLine(id, "contact delivered: while you were down")
	o.post(id, "here again")
	o.untilLine(id, "bot delivered: here again")
	want := []string{
		"contact delivered: hello", "bot delivered: while away", "contact delivered: are you there",
		"contact delivered: while you were down", "bot delivered: here again",
	}
	if got := o.lines(id); !slices.Equal(got, want) {
		t.Errorf("the messages are %q, want %q", got, want)
	}
	if got := texts(x.ann, phone); !slices.Equal(got, []string{"while away", "here again"}) {
		t.Errorf("Ann sees %q", got)
	}
}

// ban bans a number for some seconds, and then for an hour.
func ban(t *testing.T, x *simulatedNetwork, c *cli, phone string) {
	o := pairedOffice(t, x, c, phone)
	id := o.begun(phone)
	until := time.Now().Add(8 * time.Second)
	x.network.Ban(phone, 103, until)
	o.post(id, "behind the ban")
	o.until("the end of the ban", func() bool {
		got := o.statuses()
		return slices.Contains(got, "banned") && got[len(got)-1] == "connected"
	})
	o.untilLine(id, "bot delivered: behind the ban")
	all := x.ann.Messages()
	i := slices.IndexFunc(all, func(m chatsim.Message) bool { return m.Chat == phone && !m.FromMe })
	if got := texts(x.ann, phone); !slices.Equal(got, []string{"behind the ban"}) || all[i].At.Before(until.Truncate(time.Second)) {
		t.Errorf("Ann sees %q at %s; the ban ended at %s", got, all[i].At, until)
	}
	if got := o.statuses(); !slices.Equal(got[len(got)-2:], []string{"banned", "connected"}) {
		t.Errorf("the events tell of %q", got)
	}

	until = time.Now().Add(time.Hour)
	x.network.Ban(phone, 103, until)
	o.untilStatus("banned")
	if n := o.listed(); n.Until == nil || n.Until.Sub(until).Abs() > time.Minute {
		t.Errorf("the end of the ban is %v, want %v", n.Until, until)
	}
	refused := o.want(429, "POST", "/v1/public/chatapp/groups", `{"name":"Project","participants":["`+annPhone+`"]}`, nil)
	if after, err := strconv.Atoi(refused.header.Get("Retry-After")); err != nil || after < 50*60 || after > 61*60 {
		t.Errorf("groups are refused with Retry-After %q", refused.header.Get("Retry-After"))
	}
}

// logout removes the number's device on its phone, pairs it again, and makes
// the network require a newer client.
func logout(t *testing.T, x *simulatedNetwork, c *cli, phone string) {
	o := pairedOffice(t, x, c, phone)
	id := o.begun(phone)
	x.network.Logout(phone)
	o.untilStatus("logged_out")
	o.post(id, "one moment")
	o.pair("qr")
	o.untilLine(id, "bot delivered: one moment")
	o.said(x.ann, phone, "same as before")
	o.untilLine(id, "contact delivered: same as before")

	x.network.Outdated(phone, true)
	o.untilStatus("outdated")
	if n := o.listed(); !strings.Contains(n.Reason, "newer version") {
		t.Errorf("the reason is %q", n.Reason)
	}
	o.post(id, "after the update")
	o.process.stop()
	x.network.Outdated(phone, false)
	o.process.start()
	o.untilLine(id, "bot delivered: after the update")
	if all := o.conversations(); len(all) != 1 {
		t.Errorf("the conversations are %q", all)
	}
	o.untilStatus("connected")
	want := []string{
		"pairing", "disconnected", "connected", "logged_out", "pairing", "disconnected", "connected",
		"disconnected", "outdated", "connected",
	}
	if got := o.statuses(); !slices.Equal(got, want) {
		t.Errorf("the events tell of %q, want %q", got, want)
	}
	if got := texts(x.ann, phone); !slices.Equal(got, []string{"one moment", "after the update"}) {
		t.Errorf("Ann sees %q", got)
	}
}

// twoNumbers pairs a second number with the command line, while the server
// runs.
func twoNumbers(t *testing.T, x *simulatedNetwork, c *cli, phone string) {
	o := pairedOffice(t, x, c, phone)
	const second = "4930555402"
	x.network.AddAccount(second, chatsim.AccountOptions{Name: "Acme"})
	created := exec.CommandContext(t.Context(), os.Args[0], c.arguments("number", "create", "--workspace="+o.ws, "--phone="+second,
		"--driver=whatsapp", "--pair-by=code", "--chatapp-sim="+x.address, "--log-level=error", "--json")...)
	created.Env = append(os.Environ(), nodeMain+"=yes", "PARLEY_DEV=1")
	var out bytes.Buffer
	var shown screen
	created.Stdout, created.Stderr = &out, &shown
	if err := created.Start(); err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`[A-Z0-9]{4}-[A-Z0-9]{4}`)
	o.until("a code", func() bool { return code.MatchString(shown.text()) })
	if err := x.network.EnterCode(second, code.FindString(shown.text())); err != nil {
		t.Fatal(err)
	}
	if err := created.Wait(); err != nil {
		t.Fatalf("%v: %s", err, shown.text())
	}
	var number struct{ ID string }
	if err := json.Unmarshal(out.Bytes(), &number); err != nil {
		t.Fatal(err)
	}
	first := o.number
	o.number = number.ID
	o.untilStatus("connected")
	if n := o.listed(); n.Phone != "+"+second {
		t.Errorf("the second number is %+v", n)
	}
	id := o.begun(second)
	o.post(id, "by the second")
	o.untilLine(id, "bot delivered: by the second")
	if len(texts(x.ann, phone)) != 0 || !slices.Equal(texts(x.ann, second), []string{"by the second"}) {
		t.Errorf("Ann sees %q and %q", texts(x.ann, phone), texts(x.ann, second))
	}
	project := func(status int, more string) {
		t.Helper()
		o.want(status, "POST", "/v1/public/chatapp/groups", `{"name":"Project","participants":["`+annPhone+`"]`+more+`}`, nil)
	}
	project(400, "") // one of the two
	project(201, `,"from":"+`+second+`"`)
	project(201, `,"integrationId":"`+first+`"`)
	if len(x.groups(phone)) != 1 || len(x.groups(second)) != 1 {
		t.Errorf("the groups are %+v and %+v", x.groups(phone), x.groups(second))
	}
}
