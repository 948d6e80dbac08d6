package parley

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the vocabulary's texts.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"ParsePhone"}, Run: func(text string) { ParsePhone(text) }},
		{Functions: []string{"PhoneKey", "E164"}, Run: func(text string) { PhoneKey(text); E164(text) }},
		{Functions: []string{"OneLine", "LabelName", "LabelSpellings", "Composed"}, Run: func(text string) { _, _, _, _ = OneLine(text), LabelName(text), LabelSpellings(text), Composed(text) }},
		{Functions: []string{"JSONSize"}, Run: func(text string) { _ = JSONSize(text) }},
		{Functions: []string{"Merge"}, Run: func(text string) {
			value, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = Attributes(`{"a":1}`).Merge(Attributes(`{"b":` + string(value) + `}`)) // only its cost counts
			_, _ = Attributes(`{"a":1}`).Merge(Attributes(text))
		}},
		{Functions: []string{"asciiLetters", "slugCharacters", "SlugOf"}, Run: func(text string) {
			SlugOf(text)
			asciiLetters(text)
			slugCharacters(text)
		}},
		{Functions: []string{"WellFormedShortcut"}, Run: func(text string) { WellFormedShortcut(text) }},
		{Functions: []string{"ValidEmail", "validDomain", "notInAddress", "StoredEmail"}, Run: func(text string) { ValidEmail(text); StoredEmail(text); ValidEmail("a@" + text); validDomain(text) }},
		{Functions: []string{"ParseID", "EmailKey"}, Run: func(text string) { ParseID(text); EmailKey(text) }},
		{Functions: []string{"AddText"}, Run: func(text string) {
			_, _ = new(Durations).AddText(text), new(Hours).AddText(text) // only their cost counts
			_ = new(Hours).AddText("1=1/" + text + "/")
		}},
	}, map[string]string{
		"encodeBase62": "writes a key of this server",
		"SplitScopes":  "reads what this server stored",
	})
}

// TestEveryScannerIsMeasured finds packages that loop over texts and have no
// table of scanners.
func TestEveryScannerIsMeasured(t *testing.T) {
	none := map[string]string{
		"api":                               "reads the documents of this server",
		"internal/backup":                   "reads files that the operator names",
		"internal/backup/schedule":          "reads the operator's flags",
		"internal/blob":                     "opens what the operator names",
		"internal/certificates":             "reads files that the operator names",
		"internal/chatapp/chatsim":          "plays the network",
		"internal/chatapp/sandbox":          "plays the network",
		"internal/demo":                     "shows the demo's own texts",
		"internal/lineartest":               "checks this",
		"internal/access/openid/openidtest": "plays a provider in tests",
		"internal/live":                     "sends events as they are",
		"internal/mail/mailsim":             "plays a mail server",
		"internal/merging":                  "goes through the fields of a contact",
		"internal/metrics":                  "registers counts of this server",
		"internal/outward":                  "reads the operator's flags",
		"internal/outward/outwardtest":      "plays servers in tests",
		"internal/qr":                       "draws codes of one length",
		"internal/reports":                  "goes through the rows of a report",
		"internal/store":                    "keeps what the desk has checked",
		"internal/store/datafolder":         "waits for a lock",
		"internal/store/oldcopy":            "reads the names of its own files",
		"internal/store/parting":            "connects to the operator's database",
		"internal/store/schema":             "reads the steps of this program",
		"internal/store/sqlitefile":         "opens the files of a store",
		"internal/tracing/otlp":             "reads the operator's settings",
		"internal/timer":                    "reads the names of this server's kinds",
		"internal/pgtest":                   "starts servers for tests",
		"internal/apitest":                  "reads answers in tests",
		"internal/contracttest":             "checks the contract in tests",
		"internal/faultfs":                  "plays a disk in tests",
		"internal/robustness/distributed":   "plays a database in tests",
		"internal/robustness/failover":      "starts clusters in tests",
		"internal/robustness/server":        "starts the server in tests",
		"internal/robustness/histories":     "plays clients in tests",
		"internal/robustness/tenants":       "plays clients in tests",
		"internal/robustness/workload":      "plays clients in tests",
		"internal/chatapp/chatapptest":      "plays the network in tests",
		"cmd/parley":                        "reads the operator's flags",
		"scripts/notices":                   "reads licences",
	}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); name == "node_modules" || name == "testdata" || name == "web" || len(path) > 1 && name[0] == '.' {
			return filepath.SkipDir
		}
		loops, err := lineartest.Loops(path)
		if err != nil || len(loops) == 0 || none[filepath.ToSlash(path)] != "" {
			return err
		}
		if table, err := os.ReadFile(filepath.Join(path, "linear_test.go")); err != nil || !strings.Contains(string(table), "lineartest.Check(") {
			t.Errorf("%s loops over texts in %v and has no table of scanners in linear_test.go", path, loops)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
