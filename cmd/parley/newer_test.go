package main

import (
	"slices"
	"strings"
	"testing"

	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestNewerStore runs every command on a store that a later program has served:
// each refuses it with a clear word, and changes nothing.
func TestNewerStore(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		c.found(t, 1)
		s, err := store.Open(t.Context(), c.storeOptions(storetest.Quiet()))
		if err != nil {
			t.Fatal(err)
		}
		known := newestStep(t)
		err = s.View(t.Context(), func(v *store.View) error {
			all, err := v.Workspaces()
			if err != nil {
				return err
			}
			return s.Write(t.Context(), all[0].ID, func(tx *store.Tx) error {
				return store.Exec(tx, all[0].ID, `INSERT INTO schema_versions (version, applied_at, hash, compatible)
					SELECT $2, 1, 'later', false FROM workspaces WHERE workspace_id = $1`, known+1)
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for cmd, words := range commands(newRoot(nil, nil)) {
			if line := strings.Join(words, " "); line == "restore" || slices.Contains(storeless, line) {
				continue // they open no store, or put it aside
			}
			args := rightLine(t, cmd, words, "")
			switch words[0] {
			case "serve":
				args = append(args, "--listen=127.0.0.1:0")
			case "master-key":
				args = append(args, "--master-key="+keyOfBytes(1), "--master-key-other="+keyOfBytes(2))
			}
			status, stdout, stderr := c.run2(t, args...)
			if status != exitFailed || !strings.Contains(stderr, "use a newer program") || stdout != "" {
				t.Errorf("parley %v: status %d, prints %q, says %q", args, status, stdout, stderr)
			}
		}
		if from := c.command(t, "migrate", "--status")["from"]; from != float64(known+1) {
			t.Errorf("the store has version %v", from)
		}
	})
}
