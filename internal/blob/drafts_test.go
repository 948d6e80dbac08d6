package blob_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/blob"
)

// A crash leaves a draft beside a file that is whole; only the draft goes.
func TestDeleteDrafts(t *testing.T) {
	root := t.TempDir()
	p := blob.NewFolder(root)
	ws, id := ids(t)
	if err := p.Put(t.Context(), ws, id, strings.NewReader("whole")); err != nil {
		t.Fatal(err)
	}
	name := id.String()
	draft := filepath.Join(root, ws.String(), name[len(name)-2:], ".draft-"+name)
	if err := os.WriteFile(draft, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.DeleteDrafts(); err != nil {
		t.Fatal(err)
	}
	if left := countFiles(t, root); left != 1 {
		t.Errorf("%d files are left, want 1", left)
	}
}
