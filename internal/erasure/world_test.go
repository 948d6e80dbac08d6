package erasure_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/apitest"
	"parley/internal/blob"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/identity"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const (
	host  = "4930555001"    // a number of the workspace on the network
	box   = "4930555002"    // one of the sandbox
	anna  = "4915799887764" // the person's phone
	bob   = "4915799887765" // somebody else's
	twice = "4915799887766" // of another contact of the person, which is merged
	token = "zq7planted"    // begins every text of the person
	other = "xw8bystander"  // begins every text of others
)

// A world is a workspace with a person who has left texts everywhere.
type world struct {
	*apitest.World
	options store.Options
	place   string // of the files
	network *chatapptest.World
	driver  *chatapptest.Driver
	web     parley.ID
	planted int

	anna, bob string // ids of contacts
	own       []string
	group     string // the conversation of a group on the network
	groups    []string
}

func newWorld(t *testing.T, o store.Options) *world {
	t.Helper()
	w := &world{options: o, place: filepath.Join(t.TempDir(), "files")}
	w.World = apitest.New(t, apitest.Options{
		Store: o, Files: blob.NewFolder(w.place),
		Connect: func(made *apitest.World) map[parley.Driver]chatapp.Connector {
			w.network = chatapptest.NewWorld(made.Now)
			w.driver = w.network.Driver("here", made.Store)
			return map[parley.Driver]chatapp.Connector{parley.DriverSandbox: made.Sandbox(), parley.DriverWhatsApp: w.driver}
		},
	})
	w.Sign = func(r *http.Request) { apitest.SignSession(r, w.Owner) }
	t.Cleanup(func() { w.Numbers.GiveNumbersBack(context.Background()) })
	w.web = w.NewInbox(desk.NewInbox{Name: "Web", Channel: parley.ChannelWeb})
	w.connect(parley.DriverSandbox, box)
	w.pair(w.connect(parley.DriverWhatsApp, host))
	return w
}

func (w *world) must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

func (w *world) connect(driver parley.Driver, phone parley.Phone) parley.ID {
	w.T.Helper()
	saved, err := w.Numbers.ConnectNumber(w.T.Context(), w.By(), phone, driver)
	w.must(err)
	return saved.Record.ID
}

// pair pairs a number of the network and opens it.
func (w *world) pair(number parley.ID) {
	w.T.Helper()
	_, err := w.Numbers.PairNumber(w.T.Context(), w.By(), number, chatapp.PairByQR)
	w.must(err)
	w.step(number, "qr_code")
	w.must(w.driver.Scan(w.T.Context(), chatapp.PairStep{Kind: chatapp.Paired, Phone: host}))
	w.step(number, "paired")
	w.must(w.Numbers.TendNumbers(w.T.Context()))
}

func (w *world) step(number parley.ID, kind string) {
	w.T.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		p, err := w.Numbers.Pairing(w.By(), number).Now(w.T.Context())
		w.must(err)
		if p.Kind == kind {
			return
		}
		if time.Now().After(deadline) {
			w.T.Fatalf("the pairing is %s, want %s", p.Kind, kind)
		}
	}
}

// text returns a new text of the person.
func (w *world) text() string {
	w.planted++
	return fmt.Sprintf("%s%d", token, w.planted)
}

// send sends a request with an Idempotency-Key, which contains a text of the person too.
// The key of a new group identifies the group and stays, so it contains none.
func (w *world) send(method, path string, body any) apitest.Answer {
	w.T.Helper()
	key := w.text()
	if path == "/v1/public/chatapp/groups" {
		key = "group " + strconv.Itoa(len(w.groups))
	}
	raw, err := json.Marshal(body)
	w.must(err)
	r := apitest.Request{Method: method, Path: path, Body: string(raw)}
	if method == "POST" {
		r.Header = http.Header{"Idempotency-Key": {key}}
	}
	return w.Send(r)
}

type object = map[string]any

// upload uploads a file with a text of the person in name and content.
func (w *world) upload(bearer string) string {
	w.T.Helper()
	r := apitest.Request{Method: "POST", Path: "/v1/public/attachments?fileName=" + w.text() + ".txt", Body: w.text(), Bearer: bearer}
	if bearer != "" {
		r.Path = strings.Replace(r.Path, "public", "widget", 1)
	}
	r.Header = http.Header{"Content-Type": {"text/plain"}, "Idempotency-Key": {w.text()}}
	return w.Send(r).Want(201).Text("id")
}

// hear delivers a message from the network.
func (w *world) hear(m chatapp.Incoming) {
	w.T.Helper()
	m.At = w.Now()
	w.must(w.network.Tell(w.T.Context(), host, func(ctx context.Context, h chatapp.Host, in chatapp.Inbound) error {
		return in.Message(ctx, h, m)
	}))
}

func (w *world) change(c chatapp.MemberChange) {
	w.T.Helper()
	w.must(w.network.Tell(w.T.Context(), host, func(ctx context.Context, h chatapp.Host, in chatapp.Inbound) error {
		return in.Membership(ctx, h, c)
	}))
}

// plant leaves texts of the person wherever that is possible, and texts of others in
// the same places.
func (w *world) plant() {
	w.T.Helper()
	w.plantContacts()
	w.plantConversations()
	w.plantWidget()
	w.plantNumbers()
	w.must(w.Search.IndexSearch(w.T.Context()))
}

func (w *world) plantContacts() {
	w.T.Helper()
	w.bob = w.Contact(`{"name":"` + other + `","email":"` + other + `@x.example","phoneNumber":"+` + bob + `"}`)
	person := func() object {
		return object{
			"name": w.text(), "email": w.text() + "@x.example", "shopName": w.text(), "avatarUrl": "https://x.example/" + w.text(),
			"identifier": w.text(), "customAttributes": object{w.text(): w.text()},
		}
	}
	first, second := person(), person()
	first["phoneNumber"] = "+" + twice
	merged := w.send("POST", "/v1/public/contacts", first).Want(201).Text("id")
	w.anna = w.send("POST", "/v1/public/contacts", second).Want(201).Text("id")
	w.send("PATCH", "/v1/public/contacts/"+w.anna, object{"name": w.text(), "phoneNumber": "+" + anna}).Want(200)
	w.send("POST", "/v1/public/conversations", object{"contactId": merged, "customAttributes": object{"a": w.text()}}).Want(201)
	w.send("POST", "/v1/dashboard/contacts/"+merged+"/merge", object{"intoId": w.anna}).Want(200)
}

// plantConversations creates ten conversations with the person, with answers by
// members, and one with somebody else.
func (w *world) plantConversations() {
	w.T.Helper()
	for range 10 {
		c := w.send("POST", "/v1/public/conversations", object{
			"contactId": w.anna, "labels": []string{w.text()}, "customAttributes": object{w.text(): w.text()},
		}).Want(201).Text("id")
		w.own = append(w.own, c)
		path := "/v1/public/conversations/" + c
		w.send("POST", path+"/messages", object{"content": w.text(), "role": "incoming"}).Want(201)
		w.send("POST", path+"/messages", object{"content": w.text(), "attachmentIds": []string{w.upload("")}}).Want(201)
		w.send("POST", path+"/messages", object{"content": w.text(), "isPrivate": true}).Want(201)
		w.Send(apitest.Request{Method: "PUT", Path: path + "/labels/" + w.text()}).Want(200)
		w.send("PATCH", path, object{"status": "resolved", "customAttributes": object{"b": w.text()}}).Want(200)
		w.send("POST", path+"/read", object{}).Want(200)
		w.send("PUT", "/v1/dashboard/conversations/"+c+"/draft", object{"content": w.text(), "version": 0}).Want(200)
		w.send("POST", "/v1/dashboard/conversations/"+c+"/scheduled", object{
			"content": w.text(), "attachmentIds": []string{w.upload("")}, "sendAt": w.Now().Add(24 * time.Hour).Format(time.RFC3339),
		}).Want(201)
		w.Send(apitest.Request{Method: "PUT", Path: "/v1/dashboard/conversations/" + c + "/links/" + w.own[max(0, len(w.own)-2)]})
	}
	c := w.Post("/v1/public/conversations", `{"contactId":"`+w.bob+`","labels":["`+other+`"]}`).Want(201).Text("id")
	w.Post("/v1/public/conversations/"+c+"/messages", `{"content":"`+other+`","role":"incoming"}`).Want(201)
}

// plantTyped lets the person type name and address as a visitor.
func (w *world) plantTyped() {
	w.T.Helper()
	w.send("PATCH", "/v1/dashboard/inboxes/"+w.web.String()+"/widget", object{"ask": "after", "askFields": []string{"email", "name"}}).Want(200)
	made := w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/sessions", Body: `{"inboxId":"` + w.web.String() + `"}`, Bearer: apitest.None}).Want(201)
	w.Send(apitest.Request{
		Method: "POST", Path: "/v1/widget/session/address", Body: `{"name":"` + w.text() + `","email":"` + w.text() + `@home.example"}`, Bearer: made.Text("token"),
	}).Want(200)
	w.send("POST", "/v1/dashboard/contacts/"+made.Text("customer.id")+"/merge", object{"intoId": w.anna}).Want(200)
}

// plantWidget signs the person in on a website. The identity has another subject than
// the contact, so it is a contact of its own at first.
func (w *world) plantWidget() {
	w.T.Helper()
	sign := func(c identity.Claims) string {
		if c.ExpiresAt.IsZero() {
			c.ExpiresAt = w.Now().Add(time.Hour)
		}
		signed, err := w.Customers.SignIdentity(w.T.Context(), w.Home.Workspace.ID, c)
		w.must(err)
		return signed
	}
	subject := w.text()
	enter := func(token string) apitest.Answer {
		return w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/sessions", Body: `{"inboxId":"` + w.web.String() + `","identity":"` + token + `"}`, Bearer: apitest.None})
	}
	start := func(claims identity.Claims) apitest.Answer { return enter(sign(claims)) }
	made := start(identity.Claims{Subject: subject, Name: w.text(), Email: w.text() + "@y.example", EmailVerified: true}).Want(201)
	bearer, contact := made.Text("token"), made.Text("customer.id")
	body := `{"content":"` + w.text() + `","attachmentIds":["` + w.upload(bearer) + `"]}`
	w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/conversations", Body: body, Bearer: bearer, Header: http.Header{"Idempotency-Key": {w.text()}}}).Want(201)
	w.upload(bearer) // and no message takes it
	visit := fmt.Sprintf(`{"page":"https://x.example/%s","title":"%s","referrer":"https://x.example/%s","language":"%s","zone":"%s","facts":{"%s":"%s"}}`,
		w.text(), w.text(), w.text(), w.text(), w.text(), w.text(), w.text())
	w.Send(apitest.Request{Method: "PUT", Path: "/v1/widget/session/visit", Body: visit, Bearer: bearer}).Want(200)
	w.send("POST", "/v1/dashboard/contacts/"+contact+"/merge", object{"intoId": w.anna}).Want(200)
	w.plantTyped()
	late := sign(identity.Claims{Subject: subject, ExpiresAt: w.Now().Add(time.Second)})
	w.Advance(10 * time.Minute)
	enter(late).Want(401)
	start(identity.Claims{Subject: subject, Email: other + "@x.example", EmailVerified: true}).Want(201) // a possible duplicate of Bob
}

// plantNumbers lets the person write to a number, and in groups.
func (w *world) plantNumbers() {
	w.T.Helper()
	w.hear(chatapp.Incoming{ID: w.text(), Chat: chatapp.Chat{JID: w.text() + "@chat", Phone: anna}, From: anna, FromName: w.text(), Text: w.text()})
	w.plantMerge()
	w.hear(chatapp.Incoming{ID: other, Chat: chatapp.Chat{JID: other + "@chat", Phone: bob}, From: bob, Text: other})
	for _, from := range []string{host, box} {
		w.group = w.send("POST", "/v1/public/chatapp/groups", object{
			"name": "Friends", "participants": []string{anna, bob}, "from": from, "message": "Welcome",
		}).Want(201).Text("conversation_id")
		w.groups = append(w.groups, w.group)
		w.send("POST", "/v1/public/chatapp/groups/"+w.group+"/participants", object{"participants": []string{anna}}).Want(200)
	}
	w.send("POST", "/v1/public/chatapp/groups/"+w.groups[1]+"/admins", object{"phone": anna, "admin": true}).Want(200)
	const jid = "1@g"
	w.hear(chatapp.Incoming{ID: w.text(), Chat: chatapp.Chat{JID: jid, Group: true}, From: anna, FromName: w.text(), Text: w.text()})
	w.hear(chatapp.Incoming{ID: other + "g", Chat: chatapp.Chat{JID: jid, Group: true}, From: bob, FromName: other, Text: other + " in the group"})
	w.change(chatapp.MemberChange{JID: jid, Kind: chatapp.Left, Phones: []parley.Phone{anna}, By: bob})
	w.send("PATCH", "/v1/public/contacts/"+w.anna, object{"name": w.text()}).Want(200)
	w.change(chatapp.MemberChange{JID: jid, Kind: chatapp.Joined, Phones: []parley.Phone{anna}, By: bob})
	const joined = "3@g" // the person is a member with the merged contact's phone
	w.hear(chatapp.Incoming{ID: other + "i", Chat: chatapp.Chat{JID: joined, Group: true}, From: bob, FromName: other, Text: other + " with both"})
	w.change(chatapp.MemberChange{JID: joined, Kind: chatapp.Joined, Phones: []parley.Phone{twice}, By: bob})
	const left = "2@g" // the person only joined and left
	w.hear(chatapp.Incoming{ID: other + "h", Chat: chatapp.Chat{JID: left, Group: true}, From: bob, FromName: other, Text: other + " alone"})
	w.change(chatapp.MemberChange{JID: left, Kind: chatapp.Joined, Phones: []parley.Phone{anna}, By: bob})
	w.change(chatapp.MemberChange{JID: left, Kind: chatapp.Left, Phones: []parley.Phone{anna}, By: anna})
}

// plantMerge merges the chat that the person wrote in last into another conversation.
func (w *world) plantMerge() {
	w.T.Helper()
	chat := w.Get("/v1/public/conversations?limit=1").Want(200)
	into := w.send("POST", "/v1/public/conversations", object{"contactId": w.anna, "inboxId": chat.Text("data.0.inbox.id")}).Want(201)
	w.send("POST", "/v1/dashboard/conversations/"+chat.Text("data.0.id")+"/merge", object{"intoId": into.Text("id")}).Want(200)
}

// erase erases the person and waits for the end.
func (w *world) erase(svc *erasure.Service) erasure.Erasure {
	w.T.Helper()
	e, ended := w.finish(svc, w.begin(svc))
	if !ended {
		w.T.Fatal("the erasure does not end")
	}
	return e
}

// begin begins to erase the person.
func (w *world) begin(svc *erasure.Service) parley.ID {
	w.T.Helper()
	id, ok := parley.ParseID(w.anna)
	if !ok {
		w.T.Fatal("no contact")
	}
	e, err := svc.EraseContact(w.T.Context(), w.By(), id)
	w.must(err)
	return e.ID
}

// finish runs the timers until an erasure has ended, and reports whether it does.
func (w *world) finish(svc *erasure.Service, id parley.ID) (e erasure.Erasure, ended bool) {
	w.T.Helper()
	for range 8 {
		w.Advance(3 * time.Second)
		w.ExpireWith(svc)
		var err error
		e, err = svc.Erasure(w.Home.Workspace.ID, id).Now(w.T.Context())
		w.must(err)
		if !e.FinishedAt.IsZero() {
			return e, true
		}
	}
	return e, false
}

// expire runs what is due, with a service that may fail.
func (w *world) expire(svc *erasure.Service) {
	w.T.Helper()
	if err := timer.New(w.Desk, svc.Kinds()).RunDue(w.T.Context(), true); err != nil {
		w.T.Logf("run: %v", err)
	}
}

// remains returns where a text is among all bytes that the server stores: the
// compacted file of an embedded store, the rows and a dump of a PostgreSQL database,
// the files, the log, and a backup that is made now.
func (w *world) remains(text string) []string {
	w.T.Helper()
	var found []string
	look := func(where string, content []byte) {
		spelled := hex.EncodeToString([]byte(text))
		for _, form := range []string{text, spelled} {
			if at := bytes.Index(content, []byte(form)); at >= 0 {
				found = append(found, fmt.Sprintf("%s: %q", where, content[max(0, at-60):min(len(content), at+60)]))
			}
		}
	}
	look("the log", []byte(w.Logged.String()))
	look("a backup", w.backup())
	w.must(filepath.WalkDir(w.place, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && entry.IsDir() {
			return nil
		}
		content, readErr := os.ReadFile(path)
		look("the file "+path, append(content, path...))
		return errors.Join(err, readErr)
	}))
	if w.options.Database == "" {
		w.must(store.Compact(w.T.Context(), w.options))
		for _, suffix := range []string{"", "-wal"} {
			content, err := os.ReadFile(filepath.Join(w.options.Dir, store.FileName+suffix))
			w.must(err)
			look("parley.db"+suffix, content)
		}
		return found
	}
	w.lookIntoPostgres(look)
	return found
}

// lookIntoPostgres passes the rows of all tables, and what pg_dump writes, to look.
func (w *world) lookIntoPostgres(look func(where string, content []byte)) {
	w.T.Helper()
	ctx := w.T.Context()
	conn, err := pgx.Connect(ctx, w.options.Database)
	w.must(err)
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
	w.must(err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	w.must(err)
	if len(tables) < 30 {
		w.T.Fatalf("there are %d tables", len(tables))
	}
	for _, table := range tables {
		rows, err := conn.Query(ctx, "SELECT CAST(t AS text) FROM "+pgx.Identifier{table}.Sanitize()+" t")
		w.must(err)
		texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
		w.must(err)
		look("the table "+table, []byte(strings.Join(texts, "\n")))
	}
	if dump := w.dump(); dump != nil {
		look("pg_dump", dump)
	}
}

// dump returns what pg_dump writes, or nil if there is no pg_dump.
func (w *world) dump() []byte {
	w.T.Helper()
	program, err := exec.LookPath("pg_dump")
	if err != nil {
		programs, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_dump")
		if len(programs) == 0 {
			w.T.Log("there is no pg_dump; the rows were read instead")
			return nil
		}
		program = slices.Max(programs)
	}
	config, err := pgx.ParseConfig(w.options.Database)
	w.must(err)
	command := exec.CommandContext(w.T.Context(), program, "--host", config.Host, "--port", fmt.Sprint(config.Port), "--username", config.User, config.Database)
	command.Env = append(os.Environ(), "PGPASSWORD="+config.Password)
	out, err := command.StdoutPipe()
	w.must(err)
	var failure bytes.Buffer
	command.Stderr = &failure
	w.must(command.Start())
	content, err := io.ReadAll(out)
	w.must(err)
	if err := command.Wait(); err != nil {
		w.T.Fatalf("pg_dump: %v: %s", err, failure.String())
	}
	return content
}
