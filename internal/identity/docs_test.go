package identity

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
)

// A recipe runs the example of a language with two files: the example, and code
// that prints a token of the customer.
type recipe struct {
	needs   string // the required program
	always  bool   // it must run if CI is set; otherwise a missing program skips it
	example string // file name
	caller  string // file name; "" for lines behind the example
	call    string
	command []string
}

var recipes = map[string]recipe{
	"js": {needs: "node", always: true, example: "example.mjs", command: []string{"node", "example.mjs"},
		call: `console.log(identityToken({id: "u_18", email: "ann@acme.example", name: %s, companyId: "org_7", companyName: %s}));`},
	"python": {needs: "python3", always: true, example: "example.py", command: []string{"python3", "example.py"},
		call: `print(identity_token({"id": "u_18", "email": "ann@acme.example", "name": %s, "company_id": "org_7", "company_name": %s}))`},
	"ruby": {needs: "ruby", example: "example.rb", command: []string{"ruby", "example.rb"},
		call: `puts identity_token({id: "u_18", email: "ann@acme.example", name: %s, company_id: "org_7", company_name: %s})`},
	"php": {needs: "php", example: "example.php", command: []string{"php", "example.php"},
		call: `echo identity_token(['id' => 'u_18', 'email' => 'ann@acme.example', 'name' => %s, 'company_id' => 'org_7', 'company_name' => %s]);`},
	"go": {needs: "go", always: true, example: "example.go", caller: "main.go", command: []string{"go", "run", "example.go", "main.go"},
		call: "package main\n\nimport \"fmt\"\n\nfunc main() {\n" +
			`	fmt.Println(IdentityToken(User{ID: "u_18", Email: "ann@acme.example", Name: %s, CompanyID: "org_7", CompanyName: %s}))` + "\n}\n"},
	"java": {needs: "javac", example: "Identity.java", caller: "Main.java",
		command: []string{"sh", "-c", "javac -encoding UTF-8 *.java && java Main"},
		call: "class Main {\n    public static void main(String[] args) throws Exception {\n" +
			`        System.out.println(Identity.token("u_18", "ann@acme.example", %s, "org_7", %s));` + "\n    }\n}\n"},
}

// The names contain what breaks an example that writes JSON carelessly.
const (
	customerName     = `Ann "Lee" \ O'Neil <ü>`
	organizationName = `Acme "& Sons"`
)

// TestExamples runs the examples of docs/identity.md in the installed
// languages, and verifies their tokens.
func TestExamples(t *testing.T) {
	text, err := os.ReadFile("../../docs/identity.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)\n```([a-z]+)\n(.*?)\n```\n").FindAllStringSubmatch(string(text), -1)
	var languages []string
	for _, b := range blocks {
		languages = append(languages, b[1])
	}
	if want := []string{"js", "python", "ruby", "php", "go", "java"}; !slices.Equal(languages, want) {
		t.Fatalf("the guide has examples in %v, want %v", languages, want)
	}
	for _, b := range blocks {
		t.Run(b[1], func(t *testing.T) {
			r := recipes[b[1]]
			if _, err := exec.LookPath(r.needs); err != nil {
				if r.always && os.Getenv("CI") != "" {
					t.Fatal(err)
				}
				t.Skipf("SKIPPED: %s is missing, so nobody runs this example", r.needs)
			}
			t.Parallel()
			checkExample(t, r, b[2]+"\n")
		})
	}
}

func checkExample(t *testing.T, r recipe, code string) {
	t.Helper()
	const secret, kid = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "idk_k3v9q2m7x4t8b6n1z5w0"
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	call := fmt.Sprintf(r.call, literal(r, customerName), literal(r, organizationName))
	if r.caller == "" {
		code += call + "\n"
	} else {
		write(r.caller, call)
	}
	write(r.example, code)
	cmd := exec.CommandContext(t.Context(), r.command[0], r.command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PARLEY_IDENTITY_KID="+kid, "PARLEY_IDENTITY_SECRET="+secret, "GO111MODULE=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	keys := Keys{Workspace: ring().ws, All: []Key{{KID: kid, Kind: parley.SecretKey, Algorithm: HS256, Secret: []byte(secret)}}}
	at := time.Now()
	got, err := Verify(t.Context(), strings.TrimSpace(string(out)), keys, at)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if left := got.ExpiresAt.Sub(at); left < 58*time.Minute || left > time.Hour {
		t.Errorf("the token is valid for %v", left)
	}
	if made := at.Sub(got.IssuedAt); made < -time.Second || made > 2*time.Minute {
		t.Errorf("the token was made %v ago", made)
	}
	got.IssuedAt, got.ExpiresAt = time.Time{}, time.Time{}
	want := Claims{
		Subject: "u_18", Email: "ann@acme.example", EmailVerified: true, Name: customerName, KID: kid,
		Organization: parley.Some(Organization{ID: "org_7", Name: organizationName}),
	}
	if got != want {
		t.Errorf("the token says %+v, want %+v", got, want)
	}
}

// literal writes a text as the language does.
func literal(r recipe, text string) string {
	if r.needs == "php" {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// TestGuideIsComplete requires that the guide names each reason and each claim
// that Sign writes.
func TestGuideIsComplete(t *testing.T) {
	raw, err := os.ReadFile("../../docs/identity.md")
	if err != nil {
		t.Fatal(err)
	}
	_, reasons, found := strings.Cut(string(raw), "## When a token is refused")
	if !found {
		t.Fatal("the guide has no such part")
	}
	all := []Reason{NoKeys, SignedOut}
	for _, h := range hostileTokens() {
		all = append(all, h.reason)
	}
	for _, reason := range all {
		if !regexp.MustCompile("(?m)^\\|.*`" + string(reason) + "`.*\\|.*\\|$").MatchString(reasons) {
			t.Errorf("the guide does not explain the reason %q", reason)
		}
	}
	for _, claim := range []string{"sub", "exp", "iat", "nbf", "email", "email_verified", "name", "phone", "picture", "organization", "attributes", "aud", "iss"} {
		if !regexp.MustCompile("(?m)^\\| .*`" + claim + "`.* \\|.*\\|.*\\|$").MatchString(string(raw)) {
			t.Errorf("the guide does not explain the claim %q", claim)
		}
	}
}
