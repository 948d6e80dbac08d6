package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestArticlesImport saves the good file of a folder, names the bad one, and fails.
func TestArticlesImport(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	ws := "--workspace=" + c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["id"].(string)
	folder := t.TempDir()
	for name, content := range map[string]string{"a.md": "# A\n", "b.md": "# B\xff\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, outcome := range []string{"created", "unchanged"} {
		status, stdout, stderr := c.run2(t, "articles", "import", folder, ws, "--language=en", "--json")
		if status != exitFailed || !strings.Contains(stderr, "1 of 2 files were refused") || !strings.Contains(stdout, `"file":"a.md","outcome":"`+outcome+`"`) ||
			!strings.Contains(stdout, `"error":"must be UTF-8; byte 4 is not"`) {
			t.Errorf("status %d, prints %s, says %s", status, stdout, stderr)
		}
	}
	if status, _, stderr := c.run2(t, "articles", "import", ws, "--product=01a1fb68-2f6a-7000-87d8-89526ae1d0cd", folder); status != exitFailed || !strings.Contains(stderr, "--product: no such product") {
		t.Errorf("an unknown product: status %d, says %s", status, stderr)
	}
	if status, _, stderr := c.run2(t, "articles", "import", ws, filepath.Join(folder, "none")); status != exitFailed || !strings.Contains(stderr, "no such file") {
		t.Errorf("an unknown folder: status %d, says %s", status, stderr)
	}
}
