package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/desk"
)

// recordedCommands are the actions that commands leave in the audit log.
var recordedCommands = map[string][]entry.Action{
	"workspace create": nil,                                                                                      // of the new workspace; see TestAuditOfCommands
	"member create":    {entry.MemberCreated}, "member reset": {entry.PasswordReset}, "member reset-factor": nil, // without one: TestAuditOfOperations has one
	"key create": {entry.KeyCreated}, "key scope": {entry.KeyUpdated}, "key revoke": {entry.KeyRevoked},
	"inbox create": {entry.InboxCreated}, "product create": {entry.ProductCreated}, "product archive": {entry.ProductUpdated},
	"number create": {entry.NumberCreated, entry.InboxCreated}, "number disconnect": {entry.NumberUpdated},
	"contact export": {entry.PersonExported}, "contact erase": {entry.Erased}, "contact replay": {entry.Erased},
	"backup": {entry.BackedUp}, "restore": {entry.Restored}, "master-key rotate": {entry.KeyRotated},
}

// unrecordedCommands are those that leave nothing there, and why.
var unrecordedCommands = map[string]string{
	"articles import": "writes articles, which their versions show",
	"bot simulate":    "changes nothing", "contact erasures": "changes nothing", "healthcheck": "changes nothing", "identity sign": "changes nothing",
	"inbox list": "changes nothing", "key list": "changes nothing", "member list": "changes nothing", "number list": "changes nothing",
	"product list": "changes nothing", "workspace list": "changes nothing", "version": "changes nothing",
	"mail test": "sends one mail to an address, and changes nothing",
	"compact":   "rewrites the files, and changes no record",
	"migrate":   "changes the schema, which the store itself tells; nobody of a workspace does it",
	"serve":     "what it does has entries of its own",
}

// TestAuditOfCommands requires a decision for each command, and runs those that are
// recorded: each leaves exactly its entries, of the operator.
func TestAuditOfCommands(t *testing.T) {
	for _, words := range commands(newRoot(nil, nil)) {
		name := strings.Join(words, " ")
		_, does := recordedCommands[name]
		if why := unrecordedCommands[name]; does == (why != "") {
			t.Errorf("parley %s needs a row in recordedCommands, or a reason in unrecordedCommands", name)
		}
	}
	c := &cli{data: t.TempDir(), logLevel: "error"}
	b := newBackedUp(t, c)
	file := func(name string) string { return filepath.Join(t.TempDir(), name) }
	lines := func() (all []entry.Entry) {
		b.in(func(a *app) {
			page, err := audit.New(a.desk).Entries(b.ws, audit.Filter{}, parley.Position{}, parley.MaxLimit).Now(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all = page.Items
		})
		return all
	}
	left := map[string]bool{}
	runs := func(words string, args ...string) map[string]any {
		t.Helper()
		left[words] = true
		before := lines()
		line := append(strings.Fields(words), args...)
		if words != "restore" && words != "backup" && words != "master-key rotate" && words != "workspace create" {
			line = append(line, "--workspace", b.ws.String())
		}
		out := c.command(t, line...)
		var got []entry.Action
		for _, e := range lines() {
			if slices.ContainsFunc(before, func(b entry.Entry) bool { return b.ID == e.ID }) {
				break
			}
			if e.ActorType != entry.Operator {
				t.Errorf("parley %s: the entry is of %s", words, e.ActorType)
			}
			got = append(got, e.Action)
		}
		if want := recordedCommands[words]; !slices.Equal(got, want) {
			t.Errorf("parley %s leaves %v, want %v", words, got, want)
		}
		return out
	}
	id := func(out map[string]any) string { return "--id=" + out["id"].(string) }
	found := runs("workspace create", "--name", "Other", "--owner-email", "bo@other.example")
	b.in(func(a *app) {
		ws, _ := parley.ParseID(found["id"].(string))
		page, err := audit.New(a.desk).Entries(parley.WorkspaceID(ws), audit.Filter{Action: entry.WorkspaceCreated}, parley.Position{}, 10).Now(t.Context())
		if err != nil || len(page.Items) != 1 {
			t.Errorf("the new workspace has the entries %v, %v", page.Items, err)
		}
	})
	member := runs("member create", "--email", "bo@acme.example", "--name", "Bo")
	runs("member reset", id(member))
	runs("member reset-factor", id(member))
	key := runs("key create", "--name", "Till")
	runs("key scope", id(key), "--scopes", "contacts:read")
	runs("key revoke", id(key))
	runs("inbox create", "--name", "Shop", "--channel", "api")
	product := runs("product create", "--name", "Shop")
	runs("product archive", "--product="+product["id"].(string))
	runs("number disconnect", id(runs("number create", "--phone", "4930555001", "--driver", "sandbox")))
	runs("contact export", "--id", b.contact.String(), "--to", file("person.zip"))
	backup := file("store.backup")
	runs("backup", "--to", backup)
	runs("contact erase", "--id", b.contact.String(), "--yes")
	runs("restore", "--from", backup, "--replace", "--erasures", "none")
	if last := lines()[0].Changes; len(last) != 1 || last[0].Field != "madeAt" || len(last[0].To) != len("2026-11-21T10:00:00Z") {
		t.Errorf("the restore's entry says %v", last)
	}
	erased := file("erasures.json")
	b.in(func(a *app) {
		saved, err := a.desk.SaveContact(t.Context(), desk.Caller{Workspace: b.ws}, desk.ContactFields{Name: parley.Some("Bo")})
		if err == nil {
			err = os.WriteFile(erased, []byte(`{"data":[{"id":"`+someID+`","contacts":["`+saved.Record.ID.String()+`"]}]}`), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	runs("contact replay", "--from", erased)
	runs("master-key rotate")
	for name := range recordedCommands {
		if !left[name] {
			t.Errorf("parley %s is not run", name)
		}
	}
}
