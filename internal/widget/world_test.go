package widget_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/widget"
)

func TestMain(m *testing.M) { apitest.Main(m, apitest.Coverage{Operations: surface(nil).Operations()}) }

// A world has an inbox for the web, an agent, who is the owner, and customers.
type world struct {
	*apitest.World
	inbox parley.ID
	shown []string // sentences of the automated agent, before its message is stored
}

// maxUpload is the most bytes of a file in a world.
const maxUpload = 64 << 10

// uploadedAnHour is how many bytes may arrive from an address in a world.
const uploadedAnHour = 8 * maxUpload

// publicURL is the server's public address.
const publicURL = "https://support.example"

// each runs a test in a new world on each engine, in parallel.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { test(t, newWorld(t, o)) })
}

// onSQLite returns a world for tests in which the engine does not matter.
func onSQLite(t *testing.T) *world {
	t.Helper()
	return newWorld(t, storetest.MigratedSQLite(t))
}

func newWorld(t testing.TB, o store.Options) *world {
	t.Helper()
	w := &world{World: apitest.New(t, apitest.Options{
		Store: o, MaxUpload: maxUpload, UploadedAnHour: uploadedAnHour, PublicURL: publicURL,
	})}
	w.inbox = w.webInbox(w.Home)
	return w
}

// surface is the widget's API, called by new visitors of a world, which is nil
// if no request is sent.
func surface(w *world) apitest.Surface {
	s := apitest.Surface{
		Prefix: "/v1/widget/", Cheap: "/v1/widget/session",
		// A stream's HEAD reads nothing, and the documents are part of the binary.
		Storeless: []string{"streamCustomerEvents", "getWidgetOpenapiJson", "getWidgetOpenapiYaml"},
	}
	for _, r := range widget.Routes() {
		s.Rows = append(s.Rows, apitest.Row{Operation: r.Operation, Method: r.Method, Path: r.Path, Open: r.Open})
	}
	s.Good = func(t *testing.T, row apitest.Row) (apitest.Request, int) {
		sample, ok := samples(w)[row.Operation]
		if !ok {
			t.Fatalf("the operation %s has no row in samples", row.Operation)
		}
		c := w.visitor()
		good := sample(c)
		return apitest.Request{
			Method: method(row.Operation, row.Method), Path: good.Path, Body: good.Body, Bearer: string(c.token), Address: w.address(),
		}, good.Status
	}
	return s
}

// method is the method of a route. A stream is requested with HEAD, which ends.
func method(operation, method string) string {
	if operation == "streamCustomerEvents" {
		return http.MethodHead
	}
	return method
}

func (w *world) webInbox(of access.Founding) parley.ID {
	w.T.Helper()
	inbox, err := w.Desk.CreateInbox(w.T.Context(), desk.Caller{Workspace: of.Workspace.ID}, desk.NewInbox{Name: "Web", Channel: parley.ChannelWeb})
	if err != nil {
		w.T.Fatal(err)
	}
	return inbox.ID
}

// signed returns an identity of the workspace, valid for an hour.
func (w *world) signed(c identity.Claims) string {
	w.T.Helper()
	if c.ExpiresAt.IsZero() {
		c.ExpiresAt = w.Now().Add(time.Hour)
	}
	token, err := w.Customers.SignIdentity(w.T.Context(), w.Home.Workspace.ID, c)
	if err != nil {
		w.T.Fatal(err)
	}
	return token
}

// claims are those of a customer with a verified e-mail address.
func claims(subject, email string) identity.Claims {
	return identity.Claims{Subject: subject, Email: email, EmailVerified: true}
}

// of returns claims with an organization.
func of(c identity.Claims, id, name string) identity.Claims {
	c.Organization = parley.Some(identity.Organization{ID: id, Name: name})
	return c
}

// A customer is a person in front of the widget.
type customer struct {
	w     *world
	token parley.Token
	id    string // of the contact
	// address is the customer's network address, which nobody else has.
	address string
}

// start sends what starts a session.
func (w *world) start(body map[string]string) apitest.Answer {
	w.T.Helper()
	if body["inboxId"] == "" {
		body["inboxId"] = w.inbox.String()
	}
	raw, err := json.Marshal(body)
	if err != nil {
		w.T.Fatal(err)
	}
	return w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/sessions", Body: string(raw), Address: w.address()})
}

// address returns an unused address, so that no throttle counts it.
func (w *world) address() string {
	n := w.Tick()
	return fmt.Sprintf("10.%d.%d.%d:1", n>>16&255, n>>8&255, n&255)
}

func (w *world) customer(body map[string]string) *customer {
	w.T.Helper()
	made := w.start(body).Want(201)
	return &customer{w, parley.Token(made.Text("token")), made.Text("customer.id"), w.address()}
}

func (w *world) visitor() *customer {
	w.T.Helper()
	return w.customer(map[string]string{})
}

func (w *world) login(c identity.Claims) *customer {
	w.T.Helper()
	return w.customer(map[string]string{"identity": w.signed(c)})
}

func (c *customer) get(path string) apitest.Answer {
	c.w.T.Helper()
	return c.w.Send(apitest.Request{Method: "GET", Path: "/v1/widget/" + path, Bearer: string(c.token), Address: c.address})
}

func (c *customer) post(path, body string) apitest.Answer {
	c.w.T.Helper()
	return c.w.Send(apitest.Request{Method: "POST", Path: "/v1/widget/" + path, Body: body, Bearer: string(c.token), Address: c.address})
}

// begin starts a conversation and returns its id.
func (c *customer) begin(content string) string {
	c.w.T.Helper()
	return c.post("conversations", `{"content":"`+content+`"}`).Want(201).Text("conversation.id")
}

// contact returns the customer's contact in the form for agents.
func (c *customer) contact() apitest.Answer {
	c.w.T.Helper()
	return c.w.agentGet("/v1/public/contacts/" + c.id).Want(200)
}

func (w *world) agentGet(path string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{Method: "GET", Path: path, Session: w.Owner})
}

func (w *world) agentPost(path, body string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{Method: "POST", Path: path, Body: body, Session: w.Owner})
}

func (w *world) agentPatch(path, body string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{Method: "PATCH", Path: path, Body: body, Session: w.Owner})
}

// settings changes the settings of the widget.
func (w *world) settings(body string) apitest.Answer {
	w.T.Helper()
	return w.agentPatch("/v1/dashboard/inboxes/"+w.inbox.String()+"/widget", body).Want(200)
}

// events returns the events since the last call, as "type changed…".
func (w *world) events(after *string) string {
	w.T.Helper()
	return strings.Join(apitest.Texts(w.EventsAfter(after, apitest.Request{Session: w.Owner})), "; ")
}
