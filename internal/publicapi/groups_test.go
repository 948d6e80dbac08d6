package publicapi_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/store"
)

func TestGroups(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.number("4930555001")
		known := map[string]string{"number": number, "contact": w.conversation()}
		created := []string{"contact.created", "conversation.created"}
		play(t, w, known, []step{
			{name: "outcomes", path: "/chatapp/groups", status: 201, events: created,
				body: `{"name":"Project","participants":["+49 151-0000 0077","4915100000000","4915100000001","4915100000002","4915100000003","4915100000004","4915100000077","4930555001"],
					"shopName":"Shop 1","customAttributes":{"deal":7},"sendInviteLink":false}`,
				is: []string{"added", `["4915100000077","4915100000003","4915100000004"]`, "invited", `["4915100000001","4915100000002"]`,
					"invites_sent", "[]", "not_on_chatapp", `["4915100000000"]`}},
			{name: "conversation", method: "GET", path: "/conversations?limit=1", status: 200, is: []string{
				"data.0.contact.name", `"Project"`, "data.0.inbox.channelType", `"chatapp"`, "data.0.customAttributes", `{"deal":7,"shopName":"Shop 1"}`}},
			{name: "invites sent", path: "/chatapp/groups", body: `{"name":"P","participants":["4915100000001","4915100000077"],"sendInviteLink":true,"integrationId":"{number}"}`,
				status: 201, events: created, is: []string{"invites_sent", `["4915100000001"]`}},
			{name: "opening message", path: "/chatapp/groups", body: `{"name":"P","participants":["4915100000077"],"from":"+49 30 555001","message":"Welcome"}`,
				status: 201, events: append(slices.Clone(created), "message.created")},
			{name: "opening message first", method: "GET", path: "/conversations?limit=1", status: 200},
			{name: "nobody there", path: "/chatapp/groups", body: `{"name":"P","participants":["4915100000000"]}`, status: 400,
				error: "participants: must hold at least one number that is on the messaging application"},
			{name: "only the host", path: "/chatapp/groups", body: `{"name":"P","participants":["4930555001"]}`, status: 400,
				error: "participants: must hold at least one number that is not the host's own"},
			{name: "mistakes", path: "/chatapp/groups", body: `{"name":"","participants":[],"from":"x","sendInviteLink":1}`, status: 400,
				error: "name: must be a string of 1 to 255 characters, not blank; participants: must be an array of 1 to 1024 items; " +
					"from: must be a phone number: country code plus number, 7 to 15 digits, not starting with 0; sendInviteLink: must be true or false"},
			{name: "wrong participant", path: "/chatapp/groups", body: `{"name":"P","participants":["4915100000077","0151 1234567"]}`, status: 400,
				error: "participants: must be an array of 1 to 1024 items; item 2 must be a phone number: country code plus number, 7 to 15 digits, not starting with 0"},
			{name: "unknown from", path: "/chatapp/groups", body: `{"name":"P","participants":["4915100000077"],"from":"4930555999"}`, status: 404, error: "from: no such number in this workspace"},
		})
	})
}

// TestGroupMessage posts to a group and looks at the network.
func TestGroupMessage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.number("4930555001")
		group := w.post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"],"message":"Welcome"}`).want(201)
		path := "/v1/public/conversations/" + group.text("conversation_id")
		w.post(path+"/messages", `{"content":"Second"}`).want(201).is("status", `"queued"`)
		w.post(path+"/messages", `{"content":"Note","isPrivate":true}`).want(201).is("status", `"sent"`)
		w.post(path+"/messages", `{"content":"Old","createdAt":"2020-01-01T00:00:00Z"}`).want(201).is("status", `"sent"`)
		w.post(path+"/messages", `{"content":"Incoming","role":"incoming"}`).want(201)
		position := ""
		w.events(&position)
		if err := w.numbers.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		id, _ := parley.ParseID(number)
		host := chatapp.Host{Workspace: w.home.Workspace.ID, NumberID: id, Phone: "4930555001"}
		sent, err := w.network.Sent(t.Context(), host, group.text("group_jid"))
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, m := range sent {
			texts = append(texts, m.Text)
		}
		if !slices.Equal(texts, []string{"Welcome", "Second"}) {
			t.Errorf("the network got %q", texts)
		}
		if told := w.events(&position); !slices.Equal(told, []string{"message.updated status", "message.updated status"}) {
			t.Errorf("the events are %q", told)
		}
		w.get(path).is("messages.data.1.content", `"Welcome"`, "messages.data.1.status", `"sent"`, "messages.data.1.senderType", `"bot"`)
	})
}

// TestGroupDeliveryFails has the network refuse: a message is tried again and
// given up in the end.
func TestGroupDeliveryFails(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	group := w.post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"]}`).want(201)
	path := "/v1/public/conversations/" + group.text("conversation_id")
	deliver := func() {
		t.Helper()
		if err := w.numbers.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.post(path+"/messages", `{"content":"first"}`).want(201)
	w.post(path+"/messages", `{"content":"second"}`).want(201)
	w.network.fail(chatapp.ErrTimeout)
	deliver()
	w.get(path).is("messages.data.0.status", `"queued"`, "messages.data.1.status", `"queued"`)
	w.network.fail(nil)
	deliver()
	w.get(path).is("messages.data.0.status", `"queued"`) // its time has not come
	w.advance(2 * time.Second)
	deliver()
	w.get(path).is("messages.data.0.status", `"sent"`, "messages.data.1.status", `"sent"`)
	w.post(path+"/messages", `{"content":"third"}`).want(201)
	w.network.fail(errors.New("the network is gone"))
	for range 10 {
		deliver()
		w.advance(time.Hour)
	}
	w.get(path).is("messages.data.2.status", `"failed"`, "messages.data.2.error", `"the network did not take it, though it was asked 10 times"`)
	w.network.fail(nil)
	w.post(path+"/messages", `{"content":"fourth"}`).want(201)
	w.network.fail(chatapp.ErrNotMember)
	deliver()
	w.get(path).is("messages.data.3.status", `"failed"`)
}

// TestNoPhone writes to a contact whom the messaging application cannot reach.
func TestNoPhone(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	inbox := w.get("/v1/public/chatapp/numbers").want(200).text("data.0.inboxId")
	c := w.post("/v1/public/conversations", `{"contactId":"`+w.contact(`{"name":"Ann"}`)+`","inboxId":"`+inbox+`"}`).want(201).text("id")
	w.post("/v1/public/conversations/"+c+"/messages", `{"content":"hi"}`).
		blames("id", 400, "id: must be a conversation whose contact has a phone number that the messaging application could reach")
	w.post("/v1/public/conversations/"+c+"/messages", `{"content":"hi","isPrivate":true}`).want(201)
}

func TestGroupHosts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		body := `{"name":"P","participants":["4915100000077"]`
		w.post("/v1/public/chatapp/groups", body+`}`).blames("from", 400, "from: must be a connected number of the messaging application; the workspace has none")
		w.post("/v1/public/chatapp/groups", `{"name":"P"}`).blames("participants", 400, "participants: must be given")
		first := w.number("4930555001")
		group := w.post("/v1/public/chatapp/groups", body+`}`).want(201).text("conversation_id")
		w.post("/v1/public/chatapp/groups/"+group+"/admins", `{"phone":"x","admin":true}`).blames("phone", 400, "phone: must "+parley.PhoneRule)
		id, _ := parley.ParseID(first)
		if _, err := w.numbers.DisconnectNumber(t.Context(), w.by(), id); err != nil {
			t.Fatal(err)
		}
		w.post("/v1/public/chatapp/groups", body+`}`).blames("from", 409, "from: must be a connected number; the number +4930555001 is not connected") // the only one
		if _, err := w.numbers.ReconnectNumber(t.Context(), w.by(), id); err != nil {
			t.Fatal(err)
		}
		second := w.number("4930555009")
		w.post("/v1/public/chatapp/groups", body+`}`).refused(400, "from: must be given, for the workspace has several connected numbers")
		// integrationId goes before from.
		w.post("/v1/public/chatapp/groups", body+`,"from":"4930555999","integrationId":"`+second+`"}`).want(201)
		if _, err := w.numbers.DisconnectNumber(t.Context(), w.by(), id); err != nil {
			t.Fatal(err)
		}
		w.post("/v1/public/chatapp/groups", body+`,"from":"4930555001"}`).blames("from", 409, "from: must be a connected number; the number +4930555001 is not connected")
		w.post("/v1/public/chatapp/groups", body+`,"integrationId":"`+first+`"}`).
			blames("integrationId", 409, "integrationId: must be a connected number; the number +4930555001 is not connected")
		w.post("/v1/public/chatapp/groups/"+group+"/participants", `{"participants":["4915100000078"]}`).refused(409, "the number +4930555001 is not connected")
		w.post("/v1/public/chatapp/groups/"+group+"/admins", `{"phone":"4915100000077","admin":true}`).want(409)
		w.post("/v1/public/chatapp/groups", body+`}`).want(201) // the other is the only connected one now
		w.get("/v1/public/chatapp/numbers").want(200).is("data.0.status", `"disconnected"`, "data.1.status", `"connected"`, "data.0.phone", `"+4930555001"`)
	})
}

// TestGroupKeyDecides has a key that was used return its group where the body
// alone would not say which number is meant.
func TestGroupKeyDecides(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	create := func() answer {
		return w.send(request{
			method: "POST", path: "/v1/public/chatapp/groups", body: `{"name":"P","participants":["4915100000077"]}`,
			header: map[string][]string{"Idempotency-Key": {"k"}},
		})
	}
	first := create().want(201).text("group_jid")
	w.number("4930555002")
	if again := create().want(200).text("group_jid"); again != first {
		t.Errorf("the key returns %s, want %s", again, first)
	}
}

func TestGroupMembers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.number("4930555001")
		made := w.post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"]}`).want(201)
		group := "/v1/public/chatapp/groups/" + made.text("conversation_id")
		link := `"` + made.text("invite_link") + `"`
		w.post(group+"/participants", `{"participants":["4915100000077","4915100000078","4915100000001","4915100000003","4915100000000"],"sendInviteLink":true}`).want(200).is(
			"added", `["4915100000077","4915100000078","4915100000003"]`, "invited", `["4915100000001"]`, "invites_sent", `["4915100000001"]`,
			"not_on_chatapp", `["4915100000000"]`, "invite_link", link, "group_jid", `"`+made.text("group_jid")+`"`)
		w.post(group+"/participants", `{"participants":[]}`).refused(400, "participants: must be an array of 1 to 1024 items")
		for _, admin := range []string{"true", "false"} {
			w.post(group+"/admins", `{"phone":"+49 151 00000078","admin":`+admin+`}`).want(200).is("phone", `"4915100000078"`, "is_admin", admin)
		}
		w.post(group+"/admins", `{"phone":"4915100000099","admin":true}`).refused(404, "phone: no such member in this group")
		w.post(group+"/admins", `{"phone":"4915100000078"}`).refused(400, "admin: must be given")
		w.post(group+"/admins", `{"phone":"+49 30 555001","admin":false}`).
			refused(400, "phone: must not be the host's own number, which has to stay an admin")
		w.post(group+"/admins", `{"phone":"4930555001","admin":true}`).want(200)
		w.post(group+"/admins", `{"phone":"4915100000078","admin":true}`).want(200) // the host can still do it
		plain := w.conversation()
		w.post("/v1/public/chatapp/groups/"+plain+"/participants", `{"participants":["4915100000077"]}`).refused(404, "no such group in this workspace")

		w.number("4930555009") // its digits say that it is no admin
		powerless := w.post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"],"from":"4930555009"}`).want(201)
		w.post("/v1/public/chatapp/groups/"+powerless.text("conversation_id")+"/admins", `{"phone":"4915100000077","admin":true}`).
			refused(403, "the connected number is not an admin of the group")
	})
}

// TestNetworkErrors has the network fail in every way.
func TestNetworkErrors(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	group := "/v1/public/chatapp/groups/" + w.post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"]}`).want(201).text("conversation_id")
	position := ""
	w.events(&position)
	for _, x := range []struct {
		err    error
		status int
	}{
		{chatapp.ErrTimeout, 504}, {errors.New("nonsense"), 502}, {chatapp.ErrNotConnected, 409}, {chatapp.ErrFull, 409},
		{&chatapp.LimitError{Reason: chatapp.RateLimited, Until: w.now().Add(90 * time.Second)}, 429},
	} {
		w.network.fail(x.err)
		for path, body := range map[string]string{
			"/v1/public/chatapp/groups": `{"name":"P","participants":["4915100000077"]}`,
			group + "/participants":     `{"participants":["4915100000078"]}`,
			group + "/admins":           `{"phone":"4915100000077","admin":true}`,
		} {
			got := w.post(path, body).want(x.status)
			if x.status == 429 && got.header.Get("Retry-After") != "90" {
				t.Errorf("Retry-After is %q", got.header.Get("Retry-After"))
			}
			if strings.Contains(got.text("error"), "nonsense") {
				t.Errorf("the error shows the network's own words: %s", got.body)
			}
		}
	}
	if told := w.events(&position); len(told) != 0 {
		t.Errorf("failures wrote %v", told)
	}
}

func TestGroupIdempotency(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.number("4930555001")
		create := func(key, name string) answer {
			return w.send(request{method: "POST", path: "/v1/public/chatapp/groups", header: withKey(key),
				body: `{"name":"` + name + `","participants":["4915100000077","4915100000001"],"sendInviteLink":true}`})
		}
		first := create("k", "P").want(201)
		w.advance(365 * 24 * time.Hour / 10) // kept for good
		again := create(`"k"`, "Another name").want(200)
		if string(again.body) != string(first.body) || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the second answer is %s, the first was %s", again.body, first.body)
		}
		if other := create("k2", "P").want(201); other.text("group_jid") == first.text("group_jid") {
			t.Error("another key gave the same group")
		}
		create(strings.Repeat("k", 201), "P").want(400)
		broken := func(key, body string) answer {
			return w.send(request{method: "POST", path: "/v1/public/chatapp/groups", header: withKey(key), body: body})
		}
		for _, body := range []string{`{"name":"","participants":[]}`, `{}`, `{"participants":["4930555001"]}`, `{"from":"4915199999999"}`, `{"name":1,"colour":2}`} {
			if got := broken("k", body).want(200); string(got.body) != string(first.body) || got.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("%s: the answer is %s, the first was %s", body, got.body, first.body)
			}
			broken("new key", body).want(400)
		}
		broken("k", `{"name":`).want(400)
		broken("k", ``).want(400)
		before := w.network.creates
		var all sync.WaitGroup
		var mu sync.Mutex
		bodies := map[string]int{}
		for range 20 {
			all.Go(func() {
				got := create("parallel", "Q")
				mu.Lock()
				defer mu.Unlock()
				bodies[string(got.body)]++
			})
		}
		all.Wait()
		if len(bodies) != 1 || w.network.creates != before+1 {
			t.Errorf("20 calls gave %d answers and %d groups", len(bodies), w.network.creates-before)
		}
	})
}

// TestGroupAfterCrash loses the answer of the network, as a crash behind it
// would: the next call with the key must find the group and not make another.
func TestGroupAfterCrash(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.number("4930555001")
		create := func() answer {
			return w.send(request{method: "POST", path: "/v1/public/chatapp/groups", header: withKey("k"), body: `{"name":"P","participants":["4915100000077","4915100000001"]}`})
		}
		// A group of the same name that is not the one looked for.
		w.post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"]}`).want(201)
		w.network.after = errors.New("the answer is lost")
		create().want(502)
		made := w.network.creates
		w.advance(time.Second)
		got := create().want(201).is("added", `["4915100000077"]`, "invited", `["4915100000001"]`)
		if w.network.creates != made {
			t.Error("a second group was made")
		}
		if again := create().want(200); string(again.body) != string(got.body) {
			t.Errorf("the answers differ: %s, %s", got.body, again.body)
		}
	})
}

// TestGroupKeyOfDeadProcess leaves the row of a process that died while it
// made a group: the next call waits for its lease to run out, then takes over.
func TestGroupKeyOfDeadProcess(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number, _ := parley.ParseID(w.number("4930555001"))
		err := w.store.Write(t.Context(), w.home.Workspace.ID, func(tx *store.Tx) error {
			return tx.UpsertGroupRequest(w.home.Workspace.ID, &store.GroupRequest{
				Key: "k", NumberID: number, Name: "P", StartedAt: w.now(), Owner: "dead", LeaseUntil: w.now().Add(15 * time.Second),
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan int, 1)
		go func() {
			done <- w.send(request{method: "POST", path: "/v1/public/chatapp/groups", header: withKey("k"), body: `{"name":"P","participants":["4915100000077"]}`}).status
		}()
		select {
		case status := <-done:
			t.Fatalf("the call did not wait for the lease and gave %d", status)
		case <-time.After(300 * time.Millisecond): // longer than it takes without a lease
		}
		w.advance(15 * time.Second)
		if status := <-done; status != http.StatusCreated {
			t.Errorf("after the lease the status is %d", status)
		}
	})
}

// TestGroupSecondCallWaits sends a second call while the first is on the
// network.
func TestGroupSecondCallWaits(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	w.network.hold, w.network.entered = make(chan struct{}), make(chan struct{}, 2)
	body := request{method: "POST", path: "/v1/public/chatapp/groups", header: withKey("k"), body: `{"name":"P","participants":["4915100000077"]}`}
	var all sync.WaitGroup
	statuses := make(chan int, 2)
	for range 2 {
		all.Go(func() { statuses <- w.send(body).status })
	}
	<-w.network.entered // one asks the network, the other waits for it
	close(w.network.hold)
	all.Wait()
	if a, b := <-statuses, <-statuses; a+b != http.StatusCreated+http.StatusOK {
		t.Errorf("the statuses are %d and %d, want 201 and 200", a, b)
	}
	if w.network.creates != 1 {
		t.Errorf("%d groups were made", w.network.creates)
	}
}

func TestEventPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.conversation()
		all := w.get("/v1/public/events?limit=200").want(200).is("has_more", "false", "reset", "false", "data.0.seq", "1", "data.0.type", `"member.created"`)
		end := all.text("next_cursor")
		epoch, _, _ := strings.Cut(end, ".")
		count := len(all.field("data").([]any))
		w.get("/v1/public/events?after="+end).want(200).is("data", "[]", "reset", "false", "next_cursor", `"`+end+`"`)
		w.post("/v1/public/conversations/"+c+"/messages", `{"content":"x"}`).want(201)
		w.get("/v1/public/events?after="+end).want(200).is("data.0.type", `"message.created"`, "data.0.conversationId", `"`+c+`"`, "data.0.data.content", `"x"`, "data.0.changed", "[]")
		var seqs []any
		for after := ""; ; {
			page := w.get("/v1/public/events?limit=2&after=" + after).want(200)
			for _, e := range page.field("data").([]any) {
				seqs = append(seqs, e.(map[string]any)["seq"])
			}
			after = page.text("next_cursor")
			if page.field("has_more") == false {
				break
			}
		}
		for i, seq := range seqs {
			if seq != float64(i+1) {
				t.Fatalf("event %d has the number %v", i+1, seq)
			}
		}
		if len(seqs) != count+1 {
			t.Errorf("there are %d events, want %d", len(seqs), count+1)
		}
		for _, lost := range []string{"other.3", epoch + ".99999", epoch + ".2", epoch + ".2.2222222", epoch + ".0.2222222"} {
			w.get("/v1/public/events?after="+lost).want(200).is("reset", "true", "data.0.seq", "1")
		}
		w.get("/v1/public/events?after="+epoch+".0").want(200).is("reset", "false", "data.0.seq", "1")
		for _, bad := range []string{"x", "3", epoch + ".", epoch + ".-1", epoch + ".01", epoch + ".9999999999999999999999", epoch + ".1.", epoch + ".1.A", epoch + ".1.a.b"} {
			w.get("/v1/public/events?after="+bad).refused(400, "after: must be a next_cursor of the events or an id of the event stream")
		}
		w.advance(8 * 24 * time.Hour)
		w.post("/v1/public/conversations/"+c+"/messages", `{"content":"new"}`).want(201)
		if err := w.desk.Purge(t.Context(), parley.EventRetention); err != nil {
			t.Fatal(err)
		}
		w.get("/v1/public/events?after="+epoch+".1").want(200).is("reset", "true", "data.0.data.content", `"new"`)
		w.get("/v1/public/events").want(200).is("reset", "false", "data.0.data.content", `"new"`)
	})
}
