package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/identity"
	"parley/internal/outward"
	"parley/internal/store/storetest"
)

// migrated returns a new store of an engine with the latest schema.
func migrated(t *testing.T, engine string) *cli {
	t.Helper()
	if engine == "sqlite" {
		return &cli{data: storetest.MigratedSQLite(t).Dir, logLevel: "error"}
	}
	return &cli{data: t.TempDir(), database: storetest.MigratedPostgres(t).Database, logLevel: "error"}
}

// A supportTeam is a workspace in which the automated agent answers, used only over
// HTTP. Its methods may be called by many goroutines.
type supportTeam struct {
	t      testing.TB
	url    string // of a server
	http   *http.Client
	ws     parley.WorkspaceID
	signer identity.Key
	key    string
	cookie string
}

// newSupportTeam founds a workspace with the command line, and signs in at a server.
func newSupportTeam(t *testing.T, c *cli, url, name string) *supportTeam {
	t.Helper()
	made := c.command(t, "workspace", "create", "--name", name, "--owner-email", "owner@"+name+".example")
	ws, _ := parley.ParseWorkspaceID(made["id"].(string))
	s := &supportTeam{t: t, url: url, ws: ws, key: made["apiKey"].(string), signer: identity.Key{
		KID: made["identityKid"].(string), Kind: parley.SecretKey, Algorithm: identity.HS256, Secret: []byte(made["identitySecret"].(string)),
	}}
	s.http = &http.Client{Transport: apitest.Gate().Transport(t, &http.Transport{MaxIdleConnsPerHost: 16})}
	t.Cleanup(s.http.CloseIdleConnections)
	signed := s.want(201, "POST", "/v1/dashboard/session", asJSON(t, map[string]any{"email": made["ownerEmail"], "password": made["ownerPassword"]}), nil)
	s.cookie, _, _ = strings.Cut(signed.header.Get("Set-Cookie"), ";")
	return s
}

// send sends a request as the team or, with a token, as a customer.
func (s *supportTeam) send(method, path, body string, as *customer) (answer, error) {
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	switch {
	case as != nil:
		as.sign(req)
	case strings.HasPrefix(path, "/v1/dashboard/"):
		req.Header.Set("Cookie", s.cookie)
	default:
		apitest.SignBearer(req, s.key)
	}
	if strings.HasPrefix(body, "{") {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := s.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }() // it was read
	text, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, text}, err
}

// want sends a request as the team, requires a status and decodes the answer.
func (s *supportTeam) want(status int, method, path, body string, into any) answer {
	s.t.Helper()
	return s.wantAs(nil, status, method, path, body, into)
}

func (s *supportTeam) wantAs(as *customer, status int, method, path, body string, into any) answer {
	s.t.Helper()
	a, err := s.send(method, path, body, as)
	if err == nil && into != nil && a.status == status {
		err = json.Unmarshal(a.body, into)
	}
	if err != nil || a.status != status {
		s.t.Errorf("%s %s: %d, %v, want %d: %s", method, path, a.status, err, status, a.body)
	}
	return a
}

// A made record has an id.
type made struct{ ID string }

// A taughtProduct is a product whose agent answers, and an inbox for the web about it.
type taughtProduct struct {
	id, inbox string
}

// product creates a product whose agent uses a model of a fake server.
func (s *supportTeam) product(name, server, model string) taughtProduct {
	s.t.Helper()
	var p, provider, inbox made
	s.want(201, "POST", "/v1/dashboard/products", asText(map[string]any{"name": name}), &p)
	s.want(201, "POST", "/v1/dashboard/model-providers", asText(map[string]any{"name": name, "baseUrl": server, "model": model, "embeddingModel": "embed"}), &provider)
	var tested struct{ Problem string }
	s.want(200, "POST", "/v1/dashboard/model-providers/"+provider.ID+"/test", "", &tested)
	if tested.Problem != "" {
		s.t.Fatalf("the test of the model fails: %s", tested.Problem)
	}
	s.want(200, "PATCH", "/v1/dashboard/products/"+p.ID+"/agent", asText(map[string]any{
		"mode": "answer", "providerId": provider.ID, "dailyTokens": parley.MaxDailyTokens, "maxTurns": parley.MaxAgentTurns,
	}), nil)
	s.want(201, "POST", "/v1/dashboard/inboxes", asText(map[string]any{"name": name, "channelType": "web", "productId": p.ID}), &inbox)
	return taughtProduct{p.ID, inbox.ID}
}

// An article is what a product's agent may answer from, once it is published.
type article struct {
	title, body string
	keywords    []string
}

// write creates a draft in English, for all products if product is "", and returns its path.
func (s *supportTeam) write(product string, a article) string {
	s.t.Helper()
	var draft made
	fields := map[string]any{"language": "en", "title": a.title, "body": a.body, "keywords": append([]string{}, a.keywords...)}
	if product != "" {
		fields["productId"] = product
	}
	s.want(201, "POST", "/v1/public/articles", asText(fields), &draft)
	return "/v1/public/articles/" + draft.ID
}

// publish creates an article, publishes it and returns its path.
func (s *supportTeam) publish(product string, a article) string {
	s.t.Helper()
	path := s.write(product, a)
	s.want(200, "POST", path+"/publish", "", nil)
	return path
}

// publishOthers publishes articles for all products, about something else than the tests
// ask: an article is likely to answer if it has words that most do not have.
func (s *supportTeam) publishOthers() {
	s.t.Helper()
	for _, text := range []string{
		"Pay by card. We take cards and transfers.", "Parcels arrive in a few days. You get a link to follow yours.", "Send it back in the box in which it came.",
		"Change your password in the account.", "Our shop in the town opens in the morning.", "Write a review of what you bought.",
		"Vouchers are valid for years.", "Invoices are in your account.",
	} {
		s.publish("", article{title: text[:16], body: text})
	}
}

// asText is the JSON of a value.
func asText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the tests' values can always be written
	}
	return string(text)
}

// A customer is a person in front of the widget.
type customer struct {
	team    *supportTeam
	address string // of the network
	inbox   string
	token   string
}

// visit starts a session at an inbox, with a signed identity or "".
func (s *supportTeam) visit(inbox, identity, address string) *customer {
	s.t.Helper()
	c := &customer{team: s, address: address, inbox: inbox}
	body := map[string]any{"inboxId": inbox}
	if identity != "" {
		body["identity"] = identity
	}
	var session struct{ Token string }
	s.wantAs(c, 201, "POST", "/v1/widget/sessions", asText(body), &session)
	c.token = session.Token
	return c
}

func (c *customer) sign(r *http.Request) {
	if c.token != "" {
		apitest.SignBearer(r, c.token)
	}
	if c.address != "" {
		r.Header.Set("X-Forwarded-For", c.address)
	}
}

func (c *customer) want(status int, method, path, body string, into any) answer {
	c.team.t.Helper()
	return c.team.wantAs(c, status, method, "/v1/widget/"+path, body, into)
}

// begin starts a conversation and returns its id.
func (c *customer) begin(text string, files ...string) string {
	c.team.t.Helper()
	var started struct{ Conversation made }
	c.want(201, "POST", "conversations", asText(map[string]any{"content": text, "attachmentIds": append([]string{}, files...)}), &started)
	return started.Conversation.ID
}

// write adds a message to a conversation.
func (c *customer) write(conversation, text string) {
	c.team.t.Helper()
	c.want(201, "POST", "conversations/"+conversation+"/messages", asText(map[string]any{"content": text}), nil)
}

// upload stores a file for a message and returns its id.
func (c *customer) upload(name string) string {
	c.team.t.Helper()
	var file made
	c.want(201, "POST", "attachments?fileName="+name, "of a customer", &file)
	return file.ID
}

// follow opens the customer's stream from now on.
func (c *customer) follow() *apitest.Stream {
	c.team.t.Helper()
	after := c.want(200, "GET", "session", "", nil).header.Get("Parley-Position")
	return apitest.Follow(c.team.t, c.team.url+"/v1/widget/events?after="+after, c.sign)
}

// A seenMessage is a message as a customer sees it.
type seenMessage struct {
	ID, ConversationID, Content, From string
	Agent                             *struct{ Kind string }
}

// A thread is a conversation as its customer sees it.
type thread struct {
	Agent    string
	Messages struct{ Data []seenMessage }
}

// fromAgent returns the messages of the automated agent.
func (t *thread) fromAgent() []seenMessage {
	var all []seenMessage
	for _, m := range t.Messages.Data {
		if m.Agent != nil {
			all = append(all, m)
		}
	}
	return all
}

// serveModels serves a fake server of models until the test ends. It returns the
// address of its interface, and its host as --model-hosts names it.
func serveModels(t *testing.T, h http.Handler) (url string, hosts outward.Hosts, host string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	host = strings.TrimPrefix(server.URL, "http://")
	hosts, err := outward.ParseHosts(host)
	if err != nil {
		t.Fatal(err)
	}
	return server.URL + "/v1", hosts, host
}
