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
	"parley/internal/apitest"
	"parley/internal/chatapp"
	"parley/internal/numbers"
	"parley/internal/store"
)

func TestGroups(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.number("4930555001")
		known := map[string]string{"number": number, "contact": w.Conversation()}
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

// TestGroupMessage posts to a group and checks the network.
func TestGroupMessage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number := w.number("4930555001")
		group := w.Post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"],"message":"Welcome"}`).Want(201)
		path := "/v1/public/conversations/" + group.Text("conversation_id")
		w.Post(path+"/messages", `{"content":"Second"}`).Want(201).Is("status", `"queued"`)
		w.Post(path+"/messages", `{"content":"Note","isPrivate":true}`).Want(201).Is("status", `"sent"`)
		w.Post(path+"/messages", `{"content":"Old","createdAt":"2020-01-01T00:00:00Z"}`).Want(201).Is("status", `"sent"`)
		w.Post(path+"/messages", `{"content":"Incoming","role":"incoming"}`).Want(201)
		position := ""
		w.events(&position)
		if err := w.Numbers.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		id, _ := parley.ParseID(number)
		host := chatapp.Host{Workspace: w.Home.Workspace.ID, NumberID: id, Phone: "4930555001"}
		sent, err := w.network.Sent(t.Context(), host, group.Text("group_jid"))
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
		w.Get(path).Is("messages.data.1.content", `"Welcome"`, "messages.data.1.status", `"sent"`, "messages.data.1.senderType", `"bot"`)
	})
}

// TestGroupDeliveryFails makes the network refuse: a message is retried and
// finally fails.
func TestGroupDeliveryFails(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	group := w.Post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"]}`).Want(201)
	path := "/v1/public/conversations/" + group.Text("conversation_id")
	deliver := func() {
		t.Helper()
		if err := w.Numbers.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w.Post(path+"/messages", `{"content":"first"}`).Want(201)
	w.Post(path+"/messages", `{"content":"second"}`).Want(201)
	w.network.fail(chatapp.ErrTimeout)
	deliver()
	w.Get(path).Is("messages.data.0.status", `"queued"`, "messages.data.1.status", `"queued"`)
	w.network.fail(nil)
	deliver()
	w.Get(path).Is("messages.data.0.status", `"queued"`) // its time has not come
	w.Advance(2 * time.Second)
	deliver()
	w.Get(path).Is("messages.data.0.status", `"sent"`, "messages.data.1.status", `"sent"`)
	w.Post(path+"/messages", `{"content":"third"}`).Want(201)
	w.network.fail(errors.New("the network is gone"))
	for range 10 {
		deliver()
		w.Advance(time.Hour)
	}
	w.Get(path).Is("messages.data.2.status", `"failed"`, "messages.data.2.error", `"the network did not take it, though it was asked 10 times"`)
	w.network.fail(nil)
	w.Post(path+"/messages", `{"content":"fourth"}`).Want(201)
	w.network.fail(chatapp.ErrNotMember)
	deliver()
	w.Get(path).Is("messages.data.3.status", `"failed"`)
}

// TestNoPhone writes to a contact whom the messaging application cannot reach.
func TestNoPhone(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	inbox := w.Get("/v1/public/chatapp/numbers").Want(200).Text("data.0.inboxId")
	c := w.Post("/v1/public/conversations", `{"contactId":"`+w.Contact(`{"name":"Ann"}`)+`","inboxId":"`+inbox+`"}`).Want(201).Text("id")
	w.Post("/v1/public/conversations/"+c+"/messages", `{"content":"hi"}`).
		Blames("id", 400, "id: must be a conversation whose contact has a phone number that the messaging application could reach")
	w.Post("/v1/public/conversations/"+c+"/messages", `{"content":"hi","isPrivate":true}`).Want(201)
}

func TestGroupHosts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		body := `{"name":"P","participants":["4915100000077"]`
		w.Post("/v1/public/chatapp/groups", body+`}`).Blames("from", 400, "from: must be a connected number of the messaging application; the workspace has none")
		w.Post("/v1/public/chatapp/groups", `{"name":"P"}`).Blames("participants", 400, "participants: must be given")
		first := w.number("4930555001")
		group := w.Post("/v1/public/chatapp/groups", body+`}`).Want(201).Text("conversation_id")
		w.Post("/v1/public/chatapp/groups/"+group+"/admins", `{"phone":"x","admin":true}`).Blames("phone", 400, "phone: must "+parley.PhoneRule)
		id, _ := parley.ParseID(first)
		if _, err := w.Numbers.DisconnectNumber(t.Context(), w.by(), id); err != nil {
			t.Fatal(err)
		}
		w.Post("/v1/public/chatapp/groups", body+`}`).Blames("from", 409, "from: must be a connected number; the number +4930555001 is not connected") // the only one
		if _, err := w.Numbers.ReconnectNumber(t.Context(), w.by(), id); err != nil {
			t.Fatal(err)
		}
		second := w.number("4930555009")
		w.Post("/v1/public/chatapp/groups", body+`}`).Refused(400, "from: must be given, for the workspace has several connected numbers")
		// integrationId takes precedence over from.
		w.Post("/v1/public/chatapp/groups", body+`,"from":"4930555999","integrationId":"`+second+`"}`).Want(201)
		if _, err := w.Numbers.DisconnectNumber(t.Context(), w.by(), id); err != nil {
			t.Fatal(err)
		}
		w.Post("/v1/public/chatapp/groups", body+`,"from":"4930555001"}`).Blames("from", 409, "from: must be a connected number; the number +4930555001 is not connected")
		w.Post("/v1/public/chatapp/groups", body+`,"integrationId":"`+first+`"}`).
			Blames("integrationId", 409, "integrationId: must be a connected number; the number +4930555001 is not connected")
		w.Post("/v1/public/chatapp/groups/"+group+"/participants", `{"participants":["4915100000078"]}`).Refused(409, "the number +4930555001 is not connected")
		w.Post("/v1/public/chatapp/groups/"+group+"/admins", `{"phone":"4915100000077","admin":true}`).Want(409)
		w.Post("/v1/public/chatapp/groups", body+`}`).Want(201) // the other is the only connected one now
		w.Get("/v1/public/chatapp/numbers").Want(200).Is("data.0.status", `"disconnected"`, "data.1.status", `"connected"`, "data.0.phone", `"+4930555001"`)
	})
}

// TestGroupKeyDecides uses a key again: it returns its group, although the body
// alone would be ambiguous about the number.
func TestGroupKeyDecides(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	create := func() apitest.Answer {
		return w.Send(apitest.Request{
			Method: "POST", Path: "/v1/public/chatapp/groups", Body: `{"name":"P","participants":["4915100000077"]}`,
			Header: map[string][]string{"Idempotency-Key": {"k"}},
		})
	}
	first := create().Want(201).Text("group_jid")
	w.number("4930555002")
	if again := create().Want(200).Text("group_jid"); again != first {
		t.Errorf("the key returns %s, want %s", again, first)
	}
}

func TestGroupMembers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.number("4930555001")
		made := w.Post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"]}`).Want(201)
		group := "/v1/public/chatapp/groups/" + made.Text("conversation_id")
		link := `"` + made.Text("invite_link") + `"`
		w.Post(group+"/participants", `{"participants":["4915100000077","4915100000078","4915100000001","4915100000003","4915100000000"],"sendInviteLink":true}`).Want(200).Is(
			"added", `["4915100000077","4915100000078","4915100000003"]`, "invited", `["4915100000001"]`, "invites_sent", `["4915100000001"]`,
			"not_on_chatapp", `["4915100000000"]`, "invite_link", link, "group_jid", `"`+made.Text("group_jid")+`"`)
		w.Post(group+"/participants", `{"participants":[]}`).Refused(400, "participants: must be an array of 1 to 1024 items")
		for _, admin := range []string{"true", "false"} {
			w.Post(group+"/admins", `{"phone":"+49 151 00000078","admin":`+admin+`}`).Want(200).Is("phone", `"4915100000078"`, "is_admin", admin)
		}
		w.Post(group+"/admins", `{"phone":"4915100000099","admin":true}`).Refused(404, "phone: no such member in this group")
		w.Post(group+"/admins", `{"phone":"4915100000078"}`).Refused(400, "admin: must be given")
		w.Post(group+"/admins", `{"phone":"+49 30 555001","admin":false}`).
			Refused(400, "phone: must not be the host's own number, which has to stay an admin")
		w.Post(group+"/admins", `{"phone":"4930555001","admin":true}`).Want(200)
		w.Post(group+"/admins", `{"phone":"4915100000078","admin":true}`).Want(200) // the host can still do it
		plain := w.Conversation()
		w.Post("/v1/public/chatapp/groups/"+plain+"/participants", `{"participants":["4915100000077"]}`).Refused(404, "no such group in this workspace")

		w.number("4930555009") // its digits say that it is no admin
		powerless := w.Post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"],"from":"4930555009"}`).Want(201)
		w.Post("/v1/public/chatapp/groups/"+powerless.Text("conversation_id")+"/admins", `{"phone":"4915100000077","admin":true}`).
			Refused(403, "the connected number is not an admin of the group")
	})
}

// TestNetworkErrors makes the network fail in every way.
func TestNetworkErrors(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	w.number("4930555001")
	group := "/v1/public/chatapp/groups/" + w.Post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"]}`).Want(201).Text("conversation_id")
	position := ""
	w.events(&position)
	for _, x := range []struct {
		err    error
		status int
	}{
		{chatapp.ErrTimeout, 504}, {errors.New("nonsense"), 502}, {chatapp.ErrNotConnected, 409}, {chatapp.ErrFull, 409},
		{&chatapp.LimitError{Reason: chatapp.RateLimited, Until: w.Now().Add(90 * time.Second)}, 429},
	} {
		w.network.fail(x.err)
		for path, body := range map[string]string{
			"/v1/public/chatapp/groups": `{"name":"P","participants":["4915100000077"]}`,
			group + "/participants":     `{"participants":["4915100000078"]}`,
			group + "/admins":           `{"phone":"4915100000077","admin":true}`,
		} {
			got := w.Post(path, body).Want(x.status)
			if x.status == 429 && got.Header.Get("Retry-After") != "90" {
				t.Errorf("Retry-After is %q", got.Header.Get("Retry-After"))
			}
			if strings.Contains(got.Text("error"), "nonsense") {
				t.Errorf("the error shows the network's own words: %s", got.Body)
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
		create := func(key, name string) apitest.Answer {
			return w.Send(apitest.Request{Method: "POST", Path: "/v1/public/chatapp/groups", Header: withKey(key),
				Body: `{"name":"` + name + `","participants":["4915100000077","4915100000001"],"sendInviteLink":true}`})
		}
		first := create("k", "P").Want(201)
		w.Advance(365 * 24 * time.Hour / 10) // kept for good
		again := create(`"k"`, "Another name").Want(200)
		if string(again.Body) != string(first.Body) || again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the second answer is %s, the first was %s", again.Body, first.Body)
		}
		if other := create("k2", "P").Want(201); other.Text("group_jid") == first.Text("group_jid") {
			t.Error("another key gave the same group")
		}
		create(strings.Repeat("k", 201), "P").Want(400)
		broken := func(key, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: "POST", Path: "/v1/public/chatapp/groups", Header: withKey(key), Body: body})
		}
		for _, body := range []string{`{"name":"","participants":[]}`, `{}`, `{"participants":["4930555001"]}`, `{"from":"4915199999999"}`, `{"name":1,"colour":2}`} {
			if got := broken("k", body).Want(200); string(got.Body) != string(first.Body) || got.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("%s: the answer is %s, the first was %s", body, got.Body, first.Body)
			}
			broken("new key", body).Want(400)
		}
		broken("k", `{"name":`).Want(400)
		broken("k", ``).Want(400)
		before := w.network.creates
		var all sync.WaitGroup
		var mu sync.Mutex
		bodies := map[string]int{}
		for range 20 {
			all.Go(func() {
				got := create("parallel", "Q")
				mu.Lock()
				defer mu.Unlock()
				bodies[string(got.Body)]++
			})
		}
		all.Wait()
		if len(bodies) != 1 || w.network.creates != before+1 {
			t.Errorf("20 calls gave %d answers and %d groups", len(bodies), w.network.creates-before)
		}
	})
}

// TestGroupAfterCrash loses the answer of the network, like a crash after it:
// the next call with the key must find the group and not create another.
func TestGroupAfterCrash(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.number("4930555001")
		create := func() apitest.Answer {
			return w.Send(apitest.Request{Method: "POST", Path: "/v1/public/chatapp/groups", Header: withKey("k"), Body: `{"name":"P","participants":["4915100000077","4915100000001"]}`})
		}
		// Another group with the same name.
		w.Post("/v1/public/chatapp/groups", `{"name":"P","participants":["4915100000077"]}`).Want(201)
		w.network.after = errors.New("the answer is lost")
		create().Want(502)
		made := w.network.creates
		w.Advance(time.Second)
		got := create().Want(201).Is("added", `["4915100000077"]`, "invited", `["4915100000001"]`)
		if w.network.creates != made {
			t.Error("a second group was made")
		}
		if again := create().Want(200); string(again.Body) != string(got.Body) {
			t.Errorf("the answers differ: %s, %s", got.Body, again.Body)
		}
	})
}

// TestGroupKeyOfDeadProcess leaves the row of a process that died while
// creating a group: the next call waits for the lease to expire, then takes
// over.
func TestGroupKeyOfDeadProcess(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		number, _ := parley.ParseID(w.number("4930555001"))
		err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			return numbers.UpsertGroupRequest(tx, w.Home.Workspace.ID, &numbers.GroupRequest{
				Key: "k", NumberID: number, Name: "P", StartedAt: w.Now(), Owner: "dead", LeaseUntil: w.Now().Add(15 * time.Second),
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan int, 1)
		before := w.Store.Stats().Closures
		go func() {
			done <- w.Send(apitest.Request{Method: "POST", Path: "/v1/public/chatapp/groups", Header: withKey("k"), Body: `{"name":"P","participants":["4915100000077"]}`}).Status
		}()
		for w.Store.Stats().Closures < before+4 { // it asks for the key again and again
			select {
			case status := <-done:
				t.Fatalf("the call did not wait for the lease and gave %d", status)
			default:
				time.Sleep(time.Millisecond) // the store has no signal
			}
		}
		w.Advance(15 * time.Second)
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
	body := apitest.Request{Method: "POST", Path: "/v1/public/chatapp/groups", Header: withKey("k"), Body: `{"name":"P","participants":["4915100000077"]}`}
	var all sync.WaitGroup
	statuses := make(chan int, 2)
	for range 2 {
		all.Go(func() { statuses <- w.Send(body).Status })
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
		c := w.Conversation()
		all := w.Get("/v1/public/events?limit=200").Want(200).Is("has_more", "false", "reset", "false", "data.0.seq", "1", "data.0.type", `"member.created"`)
		end := all.Text("next_cursor")
		epoch, _, _ := strings.Cut(end, ".")
		count := len(all.Field("data").([]any))
		w.Get("/v1/public/events?after="+end).Want(200).Is("data", "[]", "reset", "false", "next_cursor", `"`+end+`"`)
		w.Post("/v1/public/conversations/"+c+"/messages", `{"content":"x"}`).Want(201)
		w.Get("/v1/public/events?after="+end).Want(200).Is("data.0.type", `"message.created"`, "data.0.conversationId", `"`+c+`"`, "data.0.data.content", `"x"`, "data.0.changed", "[]")
		var seqs []any
		for after := ""; ; {
			page := w.Get("/v1/public/events?limit=2&after=" + after).Want(200)
			for _, e := range page.Field("data").([]any) {
				seqs = append(seqs, e.(map[string]any)["seq"])
			}
			after = page.Text("next_cursor")
			if page.Field("has_more") == false {
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
			w.Get("/v1/public/events?after="+lost).Want(200).Is("reset", "true", "data.0.seq", "1")
		}
		w.Get("/v1/public/events?after="+epoch+".0").Want(200).Is("reset", "false", "data.0.seq", "1")
		for _, bad := range []string{"x", "3", epoch + ".", epoch + ".-1", epoch + ".01", epoch + ".9999999999999999999999", epoch + ".1.", epoch + ".1.A", epoch + ".1.a.b"} {
			w.Get("/v1/public/events?after="+bad).Refused(400, "after: must be a next_cursor of the events or an id of the event stream")
		}
		w.Advance(8 * 24 * time.Hour)
		w.Post("/v1/public/conversations/"+c+"/messages", `{"content":"new"}`).Want(201)
		w.Expire()
		w.Get("/v1/public/events?after="+epoch+".1").Want(200).Is("reset", "true", "data.0.data.content", `"new"`)
		w.Get("/v1/public/events").Want(200).Is("reset", "false", "data.0.data.content", `"new"`)
	})
}
