package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/chatapp/chatsim"
	"parley/internal/identity"
	"parley/internal/pgtest"
	"parley/internal/publicapi"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestMain runs the tests or, in a process that they started, a node.
func TestMain(m *testing.M) {
	if os.Getenv(nodeMain) != "" {
		main()
	}
	if listen := os.Getenv(nodeListen); listen != "" {
		os.Exit(runNode(listen))
	}
	chatsim.Trust(chatsim.DefaultSeed)
	pgtest.Main(m)
}

// A server is the program on a free port, as main starts it.
type server struct {
	t    *testing.T
	cli  *cli
	url  string
	http *http.Client
}

// serve starts the program over a store and stops it when the test ends.
func serve(t *testing.T, c *cli) *server {
	t.Helper()
	return serveAt(t, c, "")
}

// serveAt is serve with the public address of the server.
func serveAt(t *testing.T, c *cli, publicURL string) *server {
	t.Helper()
	return serveWith(t, c, programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour, publicURL: publicURL,
	})
}

// serveWith is serve with all settings.
func serveWith(t *testing.T, c *cli, o programOptions) *server {
	t.Helper()
	p, err := c.newProgram(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return serveProgram(t, c, p)
}

// serveProgram is serve with a program.
func serveProgram(t *testing.T, c *cli, p *program) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.serve(ctx, listener, nil) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
		if err := p.app.close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &server{t: t, cli: c, url: "http://" + listener.Addr().String(), http: &http.Client{Transport: apitest.Gate().Transport(t, http.DefaultTransport)}}
}

// each runs a test over a new store of each engine.
func each(t *testing.T, test func(t *testing.T, c *cli)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		data := o.Dir
		if data == "" {
			data = t.TempDir()
		}
		test(t, &cli{data: data, database: o.Database, logLevel: "error"})
	})
}

// command runs a command line over the same store and returns its JSON.
func (c *cli) command(t *testing.T, args ...string) map[string]any {
	t.Helper()
	status, stdout, stderr := c.run2(t, args...)
	if status != 0 {
		t.Fatalf("parley %s: status %d: %s", strings.Join(args, " "), status, stderr)
	}
	var object map[string]any
	decoder := json.NewDecoder(strings.NewReader(stdout))
	if err := decoder.Decode(&object); err != nil {
		t.Fatalf("parley %s printed %q: %v", strings.Join(args, " "), stdout, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Errorf("parley %s printed more than one object: %q", strings.Join(args, " "), stdout)
	}
	return object
}

func (c *cli) run2(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	args = append(args, "--json", "--data", c.data)
	if c.database != "" {
		args = append(args, "--database", c.database)
	}
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &out, &errs)
	return status, out.String(), errs.String()
}

func (s *server) get(path, key string) (*http.Response, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	client := s.http
	if strings.HasPrefix(path, "/docs") {
		client = http.DefaultClient // pages for people are not in the document
	}
	res, err := client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res, string(body)
}

func (s *server) want(path, key string, status int) string {
	s.t.Helper()
	res, body := s.get(path, key)
	if res.StatusCode != status {
		s.t.Fatalf("%s: status %d, want %d: %s", path, res.StatusCode, status, body)
	}
	return body
}

// until waits until a key change by a command is known to the server. How soon
// that must be is tested in internal/cache.
func (s *server) until(path, key string, status int) {
	s.t.Helper()
	deadline := time.Now().Add(40 * time.Second)
	for {
		res, body := s.get(path, key)
		if res.StatusCode == status {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%s: the status stays %d, want %d: %s", path, res.StatusCode, status, body)
		}
		time.Sleep(10 * time.Millisecond) // the other process sends no signal
	}
}

// TestCommandsBesideTheServer runs every command while the server serves the
// same store, and checks what the server sees.
func TestCommandsBesideTheServer(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		s := serve(t, c)
		s.want("/healthz", "", 200)
		s.want("/readyz", "", 200)
		made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		for _, name := range []string{"id", "name", "ownerId", "ownerEmail", "ownerPassword", "apiKey", "identitySecret", "identityKid"} {
			if text, _ := made[name].(string); text == "" {
				t.Errorf("workspace create does not print %s: %v", name, made)
			}
		}
		ws, key := made["id"].(string), made["apiKey"].(string)
		s.want("/v1/public/contacts", key, 200)
		if list := c.command(t, "workspace", "list"); !strings.Contains(asJSON(t, list), ws) {
			t.Errorf("workspace list prints %v", list)
		}
		member := c.command(t, "member", "create", "--workspace", ws, "--email", "bo@acme.example", "--name", "Bo")
		if member["role"] != "agent" || member["password"] == "" {
			t.Errorf("member create prints %v", member)
		}
		product := c.command(t, "product", "create", "--workspace", ws, "--name", "Shop")
		c.command(t, "inbox", "create", "--workspace", ws, "--name", "Help", "--channel", "web", "--product", product["id"].(string))
		for path, part := range map[string]string{
			"product list": `"name":"Shop"`, "inbox list": `"channelType":"web"`, "member list": `"email":"bo@acme.example"`, "key list": `"name":"First key"`,
		} {
			if list := asJSON(t, c.command(t, append(strings.Fields(path), "--workspace", ws)...)); !strings.Contains(list, part) {
				t.Errorf("%s does not show %s: %s", path, part, list)
			}
		}
		if archived := c.command(t, "product", "archive", "--workspace", ws, "--product", product["id"].(string)); archived["archived"] != true {
			t.Errorf("product archive prints %v", archived)
		}
		number := c.command(t, "number", "create", "--workspace", ws, "--phone", "+49 30 555001", "--driver", "sandbox")
		if list := asJSON(t, c.command(t, "number", "list", "--workspace", ws)); !strings.Contains(list, `"phone":"+4930555001"`) {
			t.Errorf("number list prints %s", list)
		}
		if off := c.command(t, "number", "disconnect", "--workspace", ws, "--id", number["id"].(string)); off["status"] != "disconnected" {
			t.Errorf("number disconnect prints %v", off)
		}
		for path, part := range map[string]string{
			"/v1/public/members": "bo@acme.example", "/v1/public/inboxes": `"Help"`, "/v1/public/chatapp/numbers": "+4930555001",
			"/v1/public/products?include_archived=true": `"archived":true`, "/v1/public/events": "number.updated",
		} {
			if body := s.want(path, key, 200); !strings.Contains(body, part) {
				t.Errorf("%s does not show %s: %s", path, part, body)
			}
		}
		second := c.command(t, "key", "create", "--workspace", ws, "--name", "CRM", "--scopes", "contacts:read", "--expires-at", "2099-01-01T00:00:00Z")
		s.want("/v1/public/contacts", second["key"].(string), 200)
		s.want("/v1/public/products", second["key"].(string), 403)
		scoped := c.command(t, "key", "scope", "--workspace", ws, "--id", second["id"].(string), "--scopes", "products:read")
		if !slices.Equal(scoped["scopes"].([]any), []any{"products:read"}) {
			t.Errorf("key scope prints %v", scoped)
		}
		s.until("/v1/public/products", second["key"].(string), 200)
		s.want("/v1/public/contacts", second["key"].(string), 403)
		if revoked := c.command(t, "key", "revoke", "--workspace", ws, "--id", second["id"].(string)); revoked["revokedAt"] == nil {
			t.Errorf("key revoke prints %v", revoked)
		}
		s.until("/v1/public/contacts", second["key"].(string), 401)
		keys := asJSON(t, c.command(t, "key", "list", "--workspace", ws))
		if strings.Contains(keys, key) || strings.Contains(keys, second["key"].(string)) {
			t.Error("key list shows a secret")
		}
		signed := c.command(t, "identity", "sign", "--workspace", ws, "--id", "u_1", "--email", "cy@shop.example", "--org-id", "org_7", "--ttl", "2h")
		checkIdentity(t, signed["token"].(string), made)
		if at := c.command(t, "migrate", "--status"); at["from"] != at["to"] {
			t.Errorf("migrate --status prints %v", at)
		}
	})
}

// checkIdentity verifies the output of "identity sign" with the secret that
// "workspace create" printed.
func checkIdentity(t *testing.T, token string, workspace map[string]any) {
	t.Helper()
	header, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[0])
	if err != nil {
		t.Fatal(err)
	}
	var named struct {
		KID string `json:"kid"`
	}
	if err := json.Unmarshal(header, &named); err != nil {
		t.Fatal(err)
	}
	ws, _ := parley.ParseWorkspaceID(workspace["id"].(string))
	claims, err := identity.Verify(t.Context(), token, identity.Keys{Workspace: ws, All: []identity.Key{{
		KID: named.KID, Kind: parley.SecretKey, Algorithm: identity.HS256, Secret: []byte(workspace["identitySecret"].(string)),
	}}}, time.Now())
	if named.KID != workspace["identityKid"] {
		t.Errorf("it is signed by %s, and workspace create printed %v", named.KID, workspace["identityKid"])
	}
	if left := time.Until(claims.ExpiresAt); err != nil || claims.Subject != "u_1" || claims.Organization.Value.ID != "org_7" ||
		left > 2*time.Hour || left < 119*time.Minute {
		t.Errorf("identity sign gives %+v, %v", claims, err)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestNoSecretAtRest searches all files of a store for the secrets of a
// workspace.
func TestNoSecretAtRest(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	files, err := filepath.Glob(filepath.Join(c.data, "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, file := range files {
		text := readFile(t, file)
		found = found || strings.Contains(text, "ann@acme.example") // the control: the search finds what is there
		for _, name := range []string{"ownerPassword", "apiKey", "identitySecret"} {
			if strings.Contains(text, made[name].(string)) {
				t.Errorf("%s holds the %s in plain form", filepath.Base(file), name)
			}
		}
	}
	if !found {
		t.Error("the search does not even find the owner's address")
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSettings checks that a flag wins over the environment, which wins over
// the file.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "parley.toml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inFile, inEnv, inFlag := filepath.Join(dir, "file"), filepath.Join(dir, "env"), filepath.Join(dir, "flag")
	made := func(name string) bool {
		_, err := os.Stat(filepath.Join(name, store.FileName))
		return err == nil
	}
	migrate := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"migrate", "--config", file}, args...), &out, &errs)
		return status, errs.String()
	}
	write("data = \"" + inFile + "\"\nlisten = \"127.0.0.1:1\"\n") // listen belongs to another command
	if status, errs := migrate(); status != 0 || !made(inFile) {
		t.Errorf("the file is not read: %s", errs)
	}
	t.Setenv("PARLEY_DATA", inEnv)
	if migrate(); !made(inEnv) {
		t.Error("the environment does not win over the file")
	}
	if migrate("--data", inFlag); !made(inFlag) {
		t.Error("the flag does not win over the environment")
	}
	write("dta = \"x\"\n")
	if status, errs := migrate(); status != 2 || !strings.Contains(errs, `there is no setting "dta"`) {
		t.Errorf("a mistyped setting gives status %d: %s", status, errs)
	}
}

// TestMasterKey opens a store without a key, and with another key than the one
// that its secrets are encrypted under, such as a second node with its own data
// folder.
func TestMasterKey(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		path := filepath.Join(c.data, "master.key")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		refused := func(says string, args ...string) {
			t.Helper()
			if status, _, stderr := c.run2(t, args...); status != 1 || !strings.Contains(stderr, says) {
				t.Errorf("parley %v: status %d: %s", args, status, stderr)
			}
		}
		refused("there is no master key "+path, "workspace", "list")
		if _, err := os.Stat(path); err == nil {
			t.Error("a command that only reads made a master key")
		}
		refused("another master key", "workspace", "list", "--master-key", base64.StdEncoding.EncodeToString(make([]byte, 32)))
		refused("there is no master key "+path, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		if _, err := os.Stat(path); err == nil {
			t.Error("a master key was made for a store that has one")
		}
	})
}

// signIn returns the status of an attempt to sign in to the dashboard.
func (s *server) signIn(email, password string) int {
	s.t.Helper()
	body := strings.NewReader(asJSON(s.t, map[string]string{"email": email, "password": password}))
	res, err := http.Post(s.url+"/v1/dashboard/session", "application/json", body)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}
