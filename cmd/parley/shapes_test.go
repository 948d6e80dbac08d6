package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/mail/mailsim"
	"parley/internal/store/storetest"
)

// TestShapes compares the output of the commands with the table in
// docs/operating.md.
func TestShapes(t *testing.T) {
	documented := map[string][]string{}
	_, table, _ := strings.Cut(readDocument(t, "docs/operating.md"), "| Command | `--json` prints |")
	table, _, _ = strings.Cut(table, "\n\n")
	quoted, remarks := regexp.MustCompile("`([^`]+)`"), regexp.MustCompile(`\([^)]*\)`)
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		var noun string
		for _, command := range quoted.FindAllStringSubmatch(cells[1], -1) {
			words := strings.Fields(command[1])
			if len(words) == 1 && noun != "" {
				words = []string{noun, words[0]}
			}
			noun = words[0]
			for _, member := range quoted.FindAllStringSubmatch(remarks.ReplaceAllString(cells[2], ""), -1) {
				name := strings.Join(words, " ")
				documented[name] = append(documented[name], member[1])
			}
		}
	}
	c := &cli{data: t.TempDir(), logLevel: "error"}
	made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	ws := "--workspace=" + made["id"].(string)
	product := c.command(t, "product", "create", ws, "--name", "Shop")["id"].(string)
	number := c.command(t, "number", "create", ws, "--phone", "4930555001", "--driver", "sandbox")["id"].(string)
	key := c.command(t, "key", "create", ws, "--name", "CRM")["id"].(string)
	scoped := c.command(t, "key", "create", ws, "--name", "Reports")["id"].(string)
	contact, erased := c.newContact(t, made["id"].(string)), c.newContact(t, made["id"].(string))
	c.command(t, "contact", "erase", ws, "--id", erased, "--yes")
	sim, err := mailsim.Start("127.0.0.1:0", mailsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	more := map[string][]string{
		"mail test": {"ann@acme.example", "--smtp-url", "smtp://" + sim.Addr() + "?tls=off", "--smtp-from", "Acme <support@acme.example>", "--public-url", "https://support.example"},
		"migrate":   nil, "version": nil, "workspace list": nil, "master-key rotate": nil,
		"healthcheck":         {"--listen", serveAlone(t, &cli{data: t.TempDir()}, "--log-level=error").address},
		"workspace create":    {"--name", "B", "--owner-email", "b@b.example"},
		"member create":       {ws, "--email", "bo@acme.example", "--name", "Bo"},
		"member reset":        {ws, "--id", made["ownerId"].(string)},
		"member reset-factor": {ws, "--id", made["ownerId"].(string)},
		"key create":          {ws, "--name", "CRM"},
		"key scope":           {ws, "--id", scoped, "--scopes", "contacts:read"},
		"key revoke":          {ws, "--id", key},
		"product create":      {ws, "--name", "Shop 2"},
		"product archive":     {ws, "--id", product},
		"inbox create":        {ws, "--name", "Help", "--channel", "api"},
		"number create":       {ws, "--phone", "4930555002", "--driver", "sandbox"},
		"number disconnect":   {ws, "--id", number},
		"identity sign":       {ws, "--id", "u_1"},
		"contact export":      {ws, "--id", contact, "--to", filepath.Join(t.TempDir(), "ann.zip")},
		"contact erase":       {ws, "--id", contact, "--yes"},
		"contact replay":      {ws, "--from", "testdata/erasures.json"},
		"articles import":     {ws, t.TempDir()},
		"bot simulate":        {ws, "--product", product},
		"compact":             nil,
	}
	file := filepath.Join(t.TempDir(), "a.backup")
	more["backup"] = []string{"--to", file}
	for _, words := range commands(newRoot(nil, nil)) {
		name := strings.Join(words, " ")
		args, ok := more[name]
		if !ok {
			args = []string{ws}
		}
		if name == "serve" || name == "restore" {
			continue
		}
		if printed := c.members(t, append(words, args...)); !slices.Equal(printed, documented[name]) {
			t.Errorf("parley %s prints %q, and docs/operating.md says %q", name, printed, documented[name])
		}
	}
	empty, last := &cli{data: t.TempDir(), logLevel: "error"}, file+".last" // another key may have taken over since
	c.command(t, "backup", "--to", last)
	copyKey(t, c.data, empty.data)
	if printed := empty.members(t, []string{"restore", "--from", last}); !slices.Equal(printed, documented["restore"]) {
		t.Errorf("parley restore prints %q, and docs/operating.md says %q", printed, documented["restore"])
	}
}

// newContact makes a contact and returns its id.
func (c *cli) newContact(t *testing.T, workspace string) string {
	t.Helper()
	ws, ok := parley.ParseWorkspaceID(workspace)
	if !ok {
		t.Fatalf("%q is no id", workspace)
	}
	a, err := c.open(t.Context(), appOptions{log: storetest.Quiet(), clock: time.Now, existing: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.close() }()
	saved, err := a.desk.SaveContact(t.Context(), desk.Caller{Workspace: ws}, desk.ContactFields{Name: parley.Some("Ann")})
	if err != nil {
		t.Fatal(err)
	}
	return saved.Record.ID.String()
}

// members returns the names in the output of a command, in order; of a list,
// those of its first record.
func (c *cli) members(t *testing.T, args []string) []string {
	t.Helper()
	status, stdout, stderr := c.run2(t, args...)
	if status != 0 {
		t.Fatalf("parley %v: status %d: %s", args, status, stderr)
	}
	stdout = strings.TrimPrefix(stdout, `{"data":[`)
	decoder := json.NewDecoder(strings.NewReader(stdout))
	var names []string
	for depth, atName := 0, false; ; {
		token, err := decoder.Token()
		if err != nil {
			t.Fatalf("parley %v printed %s: %v", args, stdout, err)
		}
		switch delim, isDelim := token.(json.Delim); {
		case isDelim && (delim == '{' || delim == '['):
			depth++
			atName = depth == 1
			continue
		case isDelim:
			if depth--; depth == 0 {
				return names
			}
			atName = depth == 1
			continue
		case depth == 1 && atName:
			names = append(names, token.(string))
		}
		atName = depth == 1 && !atName
	}
}
