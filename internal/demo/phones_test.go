package demo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatsim"
	"parley/internal/chatapp/whatsapp"
	"parley/internal/demo"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

func TestMain(m *testing.M) {
	chatsim.Trust(chatsim.DefaultSeed)
	os.Exit(m.Run())
}

// devices stores the driver's pairings, like the server.
type devices struct{ store *store.Store }

func (d devices) Device(ctx context.Context, host chatapp.Host) (string, error) {
	return d.store.NumberDevice(ctx, host.Workspace, host.NumberID)
}

func (d devices) SetDevice(ctx context.Context, host chatapp.Host, jid string) error {
	return d.store.SetNumberDevice(ctx, host.Workspace, host.NumberID, jid)
}

// A phoneWorld is a workspace and the phones on the other side.
type phoneWorld struct {
	t       *testing.T
	desk    *desk.Desk
	numbers *numbers.Service
	ws      parley.WorkspaceID
	handler http.Handler
	run     func(context.Context)
}

// phonesOf returns the phones of a workspace, not yet running.
func phonesOf(t *testing.T, owner string) *phoneWorld {
	t.Helper()
	o := storetest.MigratedSQLite(t)
	secrets, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	kept := storetest.Open(t, o)
	network := chatsim.New(chatsim.Options{Seed: chatsim.DefaultSeed})
	t.Cleanup(func() { _ = network.Close() })
	driver, err := whatsapp.New(t.Context(), whatsapp.Options{
		SQLite: filepath.Join(t.TempDir(), "whatsapp.db"), Devices: devices{kept}, HTTPClient: network.HTTPClient(),
		Clock: time.Now, Logger: storetest.Quiet(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = driver.Shutdown() })
	connectors := map[parley.Driver]chatapp.Connector{parley.DriverWhatsApp: driver}
	d := desk.New(desk.Options{
		Store: kept, Vault: secrets, Clock: time.Now, IDs: parley.NewIDs(nil), Log: storetest.Quiet(),
		Capabilities: numbers.CapabilitiesOf(connectors),
	})
	n := numbers.New(numbers.Options{Desk: d, Connectors: connectors})
	f, err := access.New(d).CreateWorkspace(t.Context(), demo.Company, owner)
	if err != nil {
		t.Fatal(err)
	}
	phones, err := demo.NewPhones(demo.PhonesOptions{Desk: d, Numbers: n, Network: network, Clock: time.Now, Log: storetest.Quiet()})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := phones.Handler()
	if err != nil {
		t.Fatal(err)
	}
	h := httpjson.Envelope{Log: storetest.Quiet(), IDs: parley.NewIDs(nil), Timeout: time.Minute}.Wrap(pages)
	return &phoneWorld{t: t, desk: d, numbers: n, ws: f.Workspace.ID, handler: h, run: phones.Run}
}

// start runs the phones and the server's background work until the test ends.
func (w *phoneWorld) start() {
	ctx, cancel := context.WithCancel(w.t.Context())
	var tasks sync.WaitGroup
	w.t.Cleanup(func() {
		cancel()
		tasks.Wait()
	})
	for _, task := range []func(context.Context){w.run, w.numbers.RunNumbers, w.numbers.RunOutbox} {
		tasks.Go(func() { task(ctx) })
	}
}

func (w *phoneWorld) ask(method, path string, body []byte, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	return rec
}

// do is an action that must succeed.
func (w *phoneWorld) do(path, format string, args ...any) {
	w.t.Helper()
	if rec := w.ask(http.MethodPost, "/phone/"+path, fmt.Appendf(nil, format, args...)); rec.Code != http.StatusNoContent {
		w.t.Fatalf("%s: %d %s", path, rec.Code, rec.Body)
	}
}

// until reads states until one satisfies a condition.
func (w *phoneWorld) until(what string, wanted func(state string) bool) string {
	w.t.Helper()
	var version string
	for end := time.Now().Add(40 * time.Second); time.Now().Before(end); {
		rec := w.ask(http.MethodGet, "/phone/state?after="+version, nil)
		var head struct{ Version string }
		if err := json.Unmarshal(rec.Body.Bytes(), &head); err != nil || rec.Code != http.StatusOK {
			w.t.Fatalf("state: %d %s %v", rec.Code, rec.Body, err)
		}
		if version = head.Version; wanted(rec.Body.String()) {
			return rec.Body.String()
		}
	}
	w.t.Fatalf("it never came to: %s\n%s", what, w.ask(http.MethodGet, "/phone/state", nil).Body)
	return ""
}

// eventually polls a condition that the phones' state does not show.
func (w *phoneWorld) eventually(what string, so func() bool) {
	w.t.Helper()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for end := time.Now().Add(40 * time.Second); time.Now().Before(end); <-ticker.C {
		if so() {
			return
		}
	}
	w.t.Fatalf("it never came to: %s", what)
}

const (
	miaPhone  = "4917655501"
	noorPhone = "4917655503"
)

func TestPhonesPlayTheOtherSide(t *testing.T) {
	w := phonesOf(t, demo.Owner)
	w.start()
	w.until("all phones on", func(s string) bool {
		return strings.Count(s, `"number":`) == 4 && strings.Contains(s, "simulated phone")
	})

	// The welcome has arrived, as a customer's conversation.
	c := w.conversation("Mia Sommer")
	if _, err := w.desk.PostMessage(t.Context(), desk.Caller{Workspace: w.ws}, c.ID, desk.NewMessage{
		Content: "Yes, we do", ContentType: parley.Text, Direction: parley.Outgoing,
	}); err != nil {
		t.Fatal(err)
	}
	w.until("the answer on the phone, unread", func(s string) bool {
		return strings.Contains(s, "Yes, we do") && strings.Contains(s, `"unread":1`)
	})
	w.do("read", `{"phone":"%s","chat":"%s"}`, miaPhone, demo.ChatPhone)
	w.until("the answer read", func(s string) bool { return !strings.Contains(s, `"unread":1`) })
	w.do("messages", `{"phone":"%s","chat":"%s","text":"Great"}`, miaPhone, demo.ChatPhone)

	// A picture is sent to another phone, whose page can show it.
	picture := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{0}, 64)...)
	path := "/phone/pictures?phone=" + miaPhone + "&chat=" + noorPhone
	if rec := w.ask(http.MethodPost, path, picture, "Content-Type", "image/png"); rec.Code != http.StatusNoContent {
		t.Fatalf("picture: %d %s", rec.Code, rec.Body)
	}
	state := w.until("the picture", func(s string) bool { return strings.Contains(s, "/phone/files/"+noorPhone) })
	address := state[strings.Index(state, "/phone/files/"+noorPhone):]
	address = address[:strings.IndexByte(address, '"')]
	if rec := w.ask(http.MethodGet, address, nil); !bytes.Equal(rec.Body.Bytes(), picture) || rec.Header().Get("Content-Type") != "image/png" {
		t.Errorf("the picture: %d %v", rec.Code, rec.Header())
	}

	// A group: joined by its link, and left.
	made, err := w.numbers.CreateGroup(t.Context(), desk.Caller{Workspace: w.ws}, numbers.NewGroup{
		Name: "Order 7", Participants: []parley.Phone{miaPhone}, From: demo.ChatPhone,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.do("join", `{"phone":"%s","link":"%s"}`, noorPhone, made.Record.Group.InviteLink)
	w.until("three members", func(s string) bool {
		return strings.Contains(s, `"members":["Northwind Outfitters","Mia Sommer","Noor Haddad"]`)
	})
	w.do("leave", `{"phone":"%s","chat":"%s"}`, noorPhone, made.Record.Group.JID)
	w.until("two members", func(s string) bool { return strings.Contains(s, `"members":["Northwind Outfitters","Mia Sommer"]`) })
}

// conversation waits for the conversation with a contact.
func (w *phoneWorld) conversation(contact string) (found parley.Conversation) {
	w.t.Helper()
	w.eventually("a conversation with "+contact, func() bool {
		page, err := w.desk.Conversations(parley.WholeWorkspace(w.ws), desk.ConversationFilter{}, parley.Position{}, 10).Now(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		for _, c := range page.Items {
			if c.Contact.Name == contact {
				found = c
				return true
			}
		}
		return false
	})
	return found
}

// The company's phone pairs another number with the code in the dashboard; the
// page's state does not contain the codes.
func TestCompanyPhoneScans(t *testing.T) {
	w := phonesOf(t, demo.Owner)
	w.start()
	w.until("the first number", func(s string) bool { return strings.Contains(s, `"status":"connected"`) })
	by := desk.Caller{Workspace: w.ws}
	second, err := w.numbers.ConnectNumber(t.Context(), by, "4930555021", parley.DriverWhatsApp)
	if err != nil {
		t.Fatal(err)
	}
	id := second.Record.ID
	w.until("the second number", func(s string) bool { return strings.Contains(s, id.String()) })
	if rec := w.ask(http.MethodPost, "/phone/scan", fmt.Appendf(nil, `{"numberId":%q}`, id)); rec.Code != http.StatusNotFound && rec.Code != http.StatusConflict {
		t.Errorf("a scan of nothing: %d %s", rec.Code, rec.Body)
	}
	if _, err := w.numbers.PairNumber(t.Context(), by, id, chatapp.PairByCode); err != nil {
		t.Fatal(err)
	}
	state := w.until("a code", func(s string) bool { return strings.Contains(s, `"pairing":"phone_code"`) })
	step, err := w.numbers.Pairing(by, id).Now(t.Context())
	if err != nil || step.Code == "" || strings.Contains(state, step.Code) {
		t.Fatalf("the page knows the code %q (%v)", step.Code, err)
	}
	if rec := w.ask(http.MethodPost, "/phone/scan", fmt.Appendf(nil, `{"numberId":%q,"code":"1@nothing,a,b,c,d"}`, id)); rec.Code != http.StatusConflict {
		t.Errorf("a wrong code: %d %s", rec.Code, rec.Body)
	}
	w.do("scan", `{"numberId":%q}`, id)
	w.until("both connected", func(s string) bool { return strings.Count(s, `"status":"connected"`) == 2 })
}

func TestPhonesRefuse(t *testing.T) {
	w := phonesOf(t, demo.Owner)
	w.start()
	w.until("a phone", func(s string) bool { return strings.Contains(s, miaPhone) })
	text := fmt.Appendf(nil, `{"phone":%q,"chat":%q,"text":"Hi"}`, miaPhone, demo.ChatPhone)
	picture := "/phone/pictures?phone=" + miaPhone + "&chat=" + noorPhone
	for name, tc := range map[string]struct {
		path    string
		body    []byte
		headers []string
		want    int
	}{
		"another site":       {"/phone/messages", text, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, http.StatusForbidden},
		"a form":             {"/phone/messages", text, []string{"Content-Type", "text/plain"}, http.StatusUnsupportedMediaType},
		"no text":            {"/phone/messages", fmt.Appendf(nil, `{"phone":%q,"chat":"1","text":" "}`, miaPhone), nil, http.StatusBadRequest},
		"a phone of nobody":  {"/phone/messages", []byte(`{"phone":"4915100000000","chat":"1","text":"Hi"}`), nil, http.StatusNotFound},
		"a chat of nobody":   {"/phone/messages", fmt.Appendf(nil, `{"phone":%q,"chat":"no@such@jid","text":"Hi"}`, miaPhone), nil, http.StatusConflict},
		"a wrong link":       {"/phone/join", fmt.Appendf(nil, `{"phone":%q,"link":"https://example.org/"}`, miaPhone), nil, http.StatusConflict},
		"a script":           {picture, []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), []string{"Content-Type", "image/svg+xml"}, http.StatusBadRequest},
		"a large picture":    {picture, bytes.Repeat([]byte{1}, 2<<20+1), []string{"Content-Type", "image/png"}, http.StatusRequestEntityTooLarge},
		"a number of nobody": {"/phone/scan", []byte(`{"numberId":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e06"}`), nil, http.StatusNotFound},
	} {
		if rec := w.ask(http.MethodPost, tc.path, tc.body, tc.headers...); rec.Code != tc.want {
			t.Errorf("%s: %d %s, want %d", name, rec.Code, rec.Body, tc.want)
		}
	}
	if rec := w.ask(http.MethodGet, "/phone/files/"+miaPhone+"/none", nil); rec.Code != http.StatusNotFound {
		t.Errorf("a file of nothing: %d", rec.Code)
	}
}

// Anybody may use the phones, so there are none beside data of real people.
func TestPhonesAreOfTheDemoAlone(t *testing.T) {
	w := phonesOf(t, "owner@parley.example")
	w.run(t.Context()) // returns at once
	for _, path := range []string{"/phone", "/phone/state", "/phone/files/" + miaPhone + "/x"} {
		if rec := w.ask(http.MethodGet, path, nil); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
		}
	}
	if page, err := w.numbers.Numbers(w.ws, parley.Position{}, 10).Now(t.Context()); err != nil || len(page.Items) != 0 {
		t.Errorf("numbers: %v %v", page.Items, err)
	}
}

func TestFilesOfThePhones(t *testing.T) {
	w := phonesOf(t, demo.Owner)
	for path, want := range map[string]int{
		"/phone": http.StatusOK, "/phone/phone.css": http.StatusOK, "/phone/phone.js": http.StatusOK, "/phone/icon.svg": http.StatusOK,
		"/phone/phone.html": http.StatusNotFound, "/phone/": http.StatusNotFound,
	} {
		if rec := w.ask(http.MethodGet, path, nil); rec.Code != want {
			t.Errorf("%s: %d, want %d", path, rec.Code, want)
		}
	}
	if policy := w.ask(http.MethodGet, "/phone", nil).Header().Get("Content-Security-Policy"); strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("policy: %s", policy)
	}
}
