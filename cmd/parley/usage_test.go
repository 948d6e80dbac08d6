package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/internal/pgtest"
)

const someID = "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"

// rightValues are valid values of flags.
var rightValues = map[string]string{
	"workspace": someID, "id": someID, "product": someID, "name": "x", "owner-email": "x@x.example", "email": "x@x.example",
	"scopes": "contacts:read", "phone": "4930555001", "driver": "sandbox", "channel": "api",
	"to": "/nowhere/x.backup", "from": "/nowhere/x.backup",
}

// wrongValues are values that are never valid, with the expected message.
var wrongValues = map[string]map[string]string{
	"workspace":     {"x": "must be a UUID", "": "must be a UUID"},
	"id":            {"": "must be", "\n": "must be"},
	"product":       {"x": "must be a UUID", "": "must be a UUID"},
	"name":          {"": "must be 1 to 255 characters", " ": "must be", strings.Repeat("x", 256): "must be"},
	"owner-email":   {"x": "must be an e-mail address", "": "must be"},
	"email":         {"x": "must be an e-mail address", "X <x@x.example>": "must be"},
	"role":          {"boss": "must be owner, admin or agent", "": "must be"},
	"access":        {"some": "must be all or own", "": "must be"},
	"inboxes":       {"x": "must be ids of inboxes", "": "must be", someID + ",": "must be"},
	"scopes":        {"nope": "must be of conversations:read", "": "must be of", "contacts:read,": "must be of"},
	"expires-at":    {"soon": "must be a time", "2020-01-01T00:00:00Z": "must be in the future"},
	"otlp-endpoint": {"x": "must be an http or https address", "http://u:p@127.0.0.1:4318": "must be an http or https address"},
	"channel":       {"fax": "must be api, web or chatapp"},
	"phone":         {"x": "must be a phone number"},
	"driver":        {"nope": "must be sandbox or whatsapp"},
	"pair-by":       {"voice": "must be qr or code"},
	"chatapp-sim":   {"127.0.0.1:1": "is for development"},
	"org-id":        {"": "must be", "a\nb": "on one line"},
	"org-name":      {"x": "needs --org-id too", " ": "must be"},
	"ttl":           {"25h": "must be from 1s to 24h", "0s": "must be", "x": "must be a time such as 1h30m"},
	"status":        {"x": "must be true or false"},
	"demo":          {"x": "must be true or false"},
	"push":          {"x": "must be on or off", "": "must be", "true": "must be"},
	"trust-proxy":   {"x": "must be true, false, how many", "17": "must be", "-1": "must be", "10.0.0.0/8,": "must be", "": "must be", "10.0.0.0/33": "must be"},
	"allow-networks": {
		"x": "must be networks, such as", "10.0.0.0/7": "must be", "0.0.0.0/0": "must be", "::/0": "must be", "10.0.0.1/8": "must be", "10.1.0.0/16,": "must be",
	},
	"model-hosts": {
		"http://localhost": "must be hosts, such as", "localhost:0": "must be", "localhost:11434,": "must be", "127.1": "must be", "10.0.0.0/7": "must be", "*": "must be",
	},
	"listen": {"nonsense": "must be an address and a port", "127.0.0.1:nope": "must be", "127.0.0.1:99999": "must be"},
	"public-url": {
		"support.example": "must be an http or https address", "//support.example": "must be", "ftp://support.example": "must be",
		"https://": "must be", "https://:443": "must be", "https://support.example/": "without a path", "https://support.example/desk": "must be",
		"https://support.example?": "must be", "https://support.example?x=1": "must be", "https://support.example#": "must be",
		"https://ann@support.example": "must be", "https://ann:pw@support.example": "must be", "https://support.example:x": "must be",
		"https://support.example:70000": "must be", "https://a b.example": "must be", "https://a\"b.example": "must be", "https:support.example": "must be",
		"https://support.example, https://b.example": "must be", "https://support.example:": "must be",
		"https://[::1": "must be", "https://[support.example]": "must be", "https://a:b:1": "must be",
	},
	"smtp-url": {
		"x": "must be an address such as smtps://", "smtp://x?tls=no": "must have tls=starttls or tls=off", "smtp://u:p@x?tls=off": "must not send a password", "smtp://u@x": "a user and a password",
	},
	"smtp-from":         {"x": "must be an address such as", "a@b.example, c@d.example": "must be"},
	"metrics-listen":    {"nonsense": "must be an address and a port"},
	"stores-sunset":     {"soon": "must be a time", "2026-02-15T23:59:59Z": "must not be before the deprecation"},
	"audit-retention":   {"719h": "must be 720h", "x": "must be a time such as 1h30m"},
	"event-retention":   {"1h": "must be 168h", "x": "must be a time such as 1h30m"},
	"drain-wait":        {"-1s": "must be 0s or more", "x": "must be a time such as 1h30m"},
	"shutdown-timeout":  {"999ms": "must be 1s or more", "x": "must be a time such as 1h30m"},
	"rate-limit":        {"fast": "must be"},
	"tls-cert":          {"/nowhere/cert.pem": ""}, // of serve: needs a key; of healthcheck: is not there
	"ready":             {"x": "must be true or false"},
	"tls-key":           {"/nowhere/key.pem": "needs --tls-cert too"},
	"upload-quota":      {"0": "must be from 1 to", "x": "must be a whole number"},
	"max-upload":        {"0": "must be from 1 to", "x": "must be a whole number"},
	"database":          {"mysql://x": "must be a postgres:// URL"},
	"master-key":        {"x": "must be 32 bytes in base64"},
	"master-key-other":  {"x": "must be 32 bytes in base64"},
	"log-level":         {"loud": "must be debug, info, warn or error"},
	"encrypt-to":        {"x": "must be an age recipient", "": "must be", "age1,": "must be"},
	"identity":          {"/nowhere/key.txt": "must be a file with an age identity", "": "must be", "AGE-SECRET-KEY-1QQ": "not the identity itself"},
	"lost-files":        {"-1": "must be 0 or more", "x": "must be 0 or more"},
	"backup-lost-files": {"-1": "must be 0 or more", "x": "must be 0 or more"},
	"without-secrets":   {"x": "must be true or false"},
	"replace":           {"x": "must be true or false"},
	"verify":            {"x": "must be true or false"},
	"migration-copies":  {"-1": "must be from 0 to 100", "x": "must be"},
	"backup-every":      {"59m": "must be 1h or more", "x": "must be a time such as 1h30m"},
	"backup-keep":       {"0": "must be a number of backups", "": "must be", "7y": "must be"},
	"backup-encrypt-to": {"x": "must be an age recipient"},
	"json":              {"x": "must be true or false"},
	"preview":           {"x": "must be true or false"},
	"yes":               {"x": "must be true or false"},
	"dry-run":           {"x": "must be true or false"},
	"publish":           {"x": "must be true or false"},
	"language":          {"english": "must be a language such as pt-BR or en", "": "must be a language"},
	"since":             {"90": "must be an age such as 90d", "0d": "must be", "4000d": "must be"},
	"limit":             {"0": "must be from 1 to", "x": "must be"},
	"max-tokens":        {"-1": "must be 0 or more", "x": "must be"},
	"no-model":          {"x": "must be true or false"},
	"baseline":          {"/nowhere/before.json": "no such file", "usage_test.go": "is not the result of a simulation"},
	"version":           {"x": "must be true or false"},
	"config":            {"/nowhere/parley.toml": "no such file"},
}

// anyText are the flags that accept any text.
var anyText = []string{"help", "data", "description", "attachments", "to", "from", "erasures", "backup-to"}

// commands returns each command that does something, with its words.
func commands(cmd *cobra.Command) map[*cobra.Command][]string {
	found := map[*cobra.Command][]string{}
	for _, sub := range cmd.Commands() {
		for leaf, words := range commands(sub) {
			found[leaf] = append([]string{sub.Name()}, words...)
		}
	}
	if !cmd.HasSubCommands() && cmd.Name() != "help" {
		found[cmd] = nil
	}
	return found
}

// rightLine is a command line with a value for each required flag, except one.
func rightLine(t *testing.T, cmd *cobra.Command, words []string, but string) []string {
	t.Helper()
	args := slices.Clone(words)
	switch _, argument, takesOne := strings.Cut(cmd.Use, " "); {
	case argument == "ADDRESS":
		args = append(args, "somebody@nowhere.example")
	case takesOne:
		args = append(args, "/nowhere")
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == but || f.Annotations[cobra.BashCompOneRequiredFlag] == nil {
			return
		}
		value, ok := rightValues[f.Name]
		if !ok {
			t.Errorf("parley %s: rightValues lacks --%s", strings.Join(words, " "), f.Name)
		}
		if strings.Contains(f.Usage, "parley member list") {
			value = "usr_" + strings.Repeat("a", 20)
		}
		args = append(args, "--"+f.Name+"="+value)
	})
	return args
}

// TestWrongValues gives every flag of every command an invalid value: the exit
// status is 2, the flag is named, and nothing is created, whether there is a
// store or not.
func TestWrongValues(t *testing.T) {
	c := &cli{data: filepath.Join(t.TempDir(), "none")}
	for cmd, words := range commands(newRoot(nil, nil)) {
		check := func(f *pflag.Flag) {
			wrong, ok := wrongValues[f.Name]
			if !ok && !slices.Contains(anyText, f.Name) {
				t.Errorf("parley %s: wrongValues lacks --%s", strings.Join(words, " "), f.Name)
			}
			for value, says := range wrong {
				args := append(rightLine(t, cmd, words, f.Name), "--"+f.Name+"="+value)
				status, stdout, stderr := c.run2(t, args...)
				if status != 2 || !strings.Contains(stderr, "--"+f.Name+": ") || !strings.Contains(stderr, says) || stdout != "" {
					t.Errorf("parley %q: status %d, want 2; says %q, want %q", args, status, stderr, says)
				}
			}
		}
		cmd.LocalFlags().VisitAll(check)
		cmd.InheritedFlags().VisitAll(check)
	}
	if _, err := os.Stat(c.data); err == nil {
		t.Error("wrong usage made a store")
	}
}

// TestWrongValueElsewhere gives a wrong value through the environment, which
// the error then names.
func TestWrongValueElsewhere(t *testing.T) {
	c := &cli{data: t.TempDir()}
	t.Setenv("PARLEY_ROLE", "boss")
	status, _, stderr := c.run2(t, "member", "create", "--workspace", someID, "--email", "x@x.example", "--name", "x")
	if status != 2 || !strings.Contains(stderr, "PARLEY_ROLE: must be owner, admin or agent") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestRefusedByTheDesk gives values that only the store can refuse: the error
// names the flag all the same.
func TestRefusedByTheDesk(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	ws := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["id"].(string)
	for _, x := range []struct {
		status int
		says   string
		args   []string
	}{
		{1, "--workspace: there is no workspace", []string{"key", "list", "--workspace", someID}},
		{1, "--email: must not belong to another member", []string{"member", "create", "--workspace", ws, "--email", "ann@acme.example", "--name", "A"}},
		{1, "--product: no such product", []string{"inbox", "create", "--workspace", ws, "--name", "x", "--channel", "api", "--product", someID}},
		{1, "--id: no such member", []string{"member", "reset", "--workspace", ws, "--id", "usr_" + strings.Repeat("a", 20)}},
		{1, "no such product", []string{"product", "archive", "--workspace", ws, "--id", someID}},
		{1, "no such key", []string{"key", "revoke", "--workspace", ws, "--id", someID}},
		{1, "no such key", []string{"key", "scope", "--workspace", ws, "--id", someID, "--scopes", "contacts:read"}},
		{2, "scopes", []string{"key", "scope", "--workspace", ws, "--id", someID}},
	} {
		status, stdout, stderr := c.run2(t, x.args...)
		if status != x.status || !strings.Contains(stderr, x.says) || stdout != "" {
			t.Errorf("parley %v: status %d, want %d; says %q, want %q", x.args, status, x.status, stderr, x.says)
		}
	}
}

// TestUnknownCommands calls unknown commands, in every way.
func TestUnknownCommands(t *testing.T) {
	c := &cli{data: t.TempDir()}
	for _, x := range []struct {
		status int
		args   []string
		says   string
	}{
		{2, []string{"nonsense"}, `unknown command "nonsense" for "parley"`},
		{2, []string{"nonsense", "--to", "x"}, `unknown command "nonsense"`},
		{2, []string{"nonsense", "--help"}, `unknown command "nonsense"`},
		{2, []string{"--data", "x", "nonsense", "--help"}, `unknown command "nonsense"`},
		{2, []string{"--help", "nonsense"}, `unknown command "nonsense"`},
		{2, []string{"member", "nonsense", "--workspace", someID}, `unknown command "nonsense" for "parley member"`},
		{2, []string{"member", "--data", "x", "nonsense", "--help"}, `unknown command "nonsense" for "parley member"`},
		{2, []string{"help", "nonsense"}, `unknown command "nonsense"`},
		{2, []string{"help", "member", "nonsense"}, `unknown command "nonsense"`},
		{2, []string{"member"}, "name one of its commands"},
		{2, []string{"serve", "--nonsense"}, "unknown flag"},
		{2, []string{"workspace", "create", "--name", "x"}, "owner-email"},
		{0, []string{"help", "member", "create"}, ""},
		{0, []string{"member", "--help"}, ""},
		{0, []string{"--help"}, ""},
		{0, []string{"--version"}, ""},
		{0, []string{"version"}, ""},
	} {
		status, stdout, stderr := c.run2(t, x.args...)
		if status != x.status || !strings.Contains(stderr, x.says) || (status == 0) == (stdout == "") {
			t.Errorf("parley %v: status %d, want %d; says %q, want %q; prints %q", x.args, status, x.status, stderr, x.says, stdout)
		}
	}
}

// TestHelp requests the help of every command, which must show an example that
// is a command line of it.
func TestHelp(t *testing.T) {
	for cmd, words := range commands(newRoot(nil, nil)) {
		var out, errs bytes.Buffer
		line := "parley " + strings.Join(words, " ")
		if status := run(t.Context(), append(words, "--help"), &out, &errs); status != 0 || !strings.Contains(out.String(), cmd.Example) {
			t.Errorf("%s --help: status %d: %s", line, status, errs.String())
		}
		if !strings.Contains(cmd.Example, line) {
			t.Errorf("the example of %q is %q", line, cmd.Example)
		}
	}
}

// makers are the commands that create a store if there is none.
var makers = []string{"serve", "migrate", "restore", "workspace create"}

// storeless are the commands that open no store.
var storeless = []string{"version", "healthcheck", "mail test"}

// TestOnlyMakersMakeAStore runs every command without a store.
func TestOnlyMakersMakeAStore(t *testing.T) {
	for engine, database := range map[string]func(testing.TB) string{
		"sqlite": func(testing.TB) string { return "" }, "postgres": pgtest.URL,
	} {
		t.Run(engine, func(t *testing.T) {
			c := &cli{data: filepath.Join(t.TempDir(), "typo"), database: database(t)}
			for cmd, words := range commands(newRoot(nil, nil)) {
				line := strings.Join(words, " ")
				if slices.Contains(makers, line) || slices.Contains(storeless, line) {
					continue
				}
				status, stdout, stderr := c.run2(t, rightLine(t, cmd, words, "")...)
				if status != 1 || !strings.Contains(stderr, "there is no store in") || stdout != "" {
					t.Errorf("parley %s: status %d: %s", line, status, stderr)
				}
			}
			if from := c.command(t, "migrate", "--status")["from"]; from != float64(0) {
				t.Errorf("there is a store of version %v", from)
			}
			if _, err := os.Stat(c.data); err == nil {
				t.Error("a folder was made")
			}
		})
	}
}

// TestMemberReset gives a member another password.
func TestMemberReset(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		reset := c.command(t, "member", "reset", "--workspace", made["id"].(string), "--id", made["ownerId"].(string))
		password, _ := reset["password"].(string)
		if password == "" || password == made["ownerPassword"] {
			t.Errorf("it prints %v", reset)
		}
		s := serve(t, c)
		for given, want := range map[string]int{password: 201, made["ownerPassword"].(string): 401} {
			if got := s.signIn("ann@acme.example", given); got != want {
				t.Errorf("signing in is answered %d, want %d", got, want)
			}
		}
	})
}

// TestBuilds reads what each way to build leaves in the program.
func TestBuilds(t *testing.T) {
	const archive, none = "0123456789abcdef0123456789abcdef01234567\n", "$Format:%H$\n"
	stamp := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
	}
	for _, x := range []struct {
		module   string
		settings []debug.BuildSetting
		given    stamps
		want     build
	}{
		{"", nil, stamps{archive: none}, build{"development+f1f2f3", "unknown"}},
		{"(devel)", nil, stamps{archive: none}, build{"development+f1f2f3", "unknown"}},
		{"(devel)", nil, stamps{archive: archive}, build{"development", "0123456789abcdef0123456789abcdef01234567"}},
		{"(devel)", nil, stamps{archive: none, commit: "abc"}, build{"development", "abc"}},
		{"(devel)", nil, stamps{archive: none, version: "1.2.3"}, build{"1.2.3", "unknown"}},
		{"v1.2.3", stamp("abc", "false"), stamps{archive: none, version: "1.2.4", commit: "def"}, build{"1.2.4", "def"}},
		{"v1.2.3", nil, stamps{archive: none}, build{"v1.2.3", "unknown"}},
		{"v0.0.0-20261120081530-0123456789ab", nil, stamps{archive: none}, build{"v0.0.0-20261120081530-0123456789ab", "0123456789ab"}},
		{"v1.2.4-0.20261120081530-0123456789ab+dirty", nil, stamps{archive: none}, build{"v1.2.4-0.20261120081530-0123456789ab+dirty", "0123456789ab"}},
		{"(devel)", stamp("abc", "false"), stamps{archive: archive}, build{"development", "abc"}},
		{"(devel)", stamp("abc", "true"), stamps{archive: none}, build{"development", "abc+dirty"}},
	} {
		x.given.info = &debug.BuildInfo{Main: debug.Module{Version: x.module}, Settings: x.settings}
		if got := readBuild(x.given, func() string { return "f1f2f3" }); got != x.want {
			t.Errorf("%s, %+v: %+v, want %+v", x.module, x.given, got, x.want)
		}
	}
}

// TestFingerprint uses the test binary as the program: a build that knows
// nothing still has its own fingerprint.
func TestFingerprint(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256(file))[:12]; fingerprint() != want {
		t.Errorf("the fingerprint is %s, want %s", fingerprint(), want)
	}
}
