package erasure_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"parley"
	"parley/internal/erasure"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestExport exports a person with texts everywhere: the archive contains every message,
// label, attribute and file of the person, nothing of others, and the right checksums.
// After the erasure there is nothing to export.
func TestExport(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		w.plant()
		contact, _ := parley.ParseID(w.anna)
		var out bytes.Buffer
		done, err := w.Erasure.Export(t.Context(), w.Home.Workspace.ID, contact, &out)
		w.must(err)
		if done.Conversations != 14 || done.GroupMessages != 1 || done.Files != 11 || done.Gone != 0 {
			t.Errorf("exported %+v", done)
		}
		archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
		w.must(err)
		var sums erasure.ExportSums
		content := map[string][]byte{}
		for _, member := range archive.File {
			in, err := member.Open()
			w.must(err)
			content[member.Name], err = io.ReadAll(in)
			w.must(err)
		}
		w.must(json.Unmarshal(content["sums.json"], &sums))
		if len(sums.Members) != len(content)-1 {
			t.Errorf("%d members have sums, and there are %d", len(sums.Members), len(content))
		}
		planted := 0
		for _, member := range sums.Members {
			sum := sha256.Sum256(content[member.Name])
			if member.SHA256 != hex.EncodeToString(sum[:]) || member.Bytes != int64(len(content[member.Name])) {
				t.Errorf("the sum of %s is wrong", member.Name)
			}
			if bytes.Contains(content[member.Name], []byte(other)) {
				t.Errorf("%s tells of somebody else", member.Name)
			}
			if strings.HasSuffix(member.Name, ".json") && !json.Valid(content[member.Name]) {
				t.Errorf("%s is no JSON: %s", member.Name, content[member.Name])
			}
			planted += bytes.Count(content[member.Name], []byte(token))
		}
		if planted < 100 {
			t.Errorf("only %d texts are in the export", planted)
		}
		w.erase(w.Erasure)
		if _, err := w.Erasure.Export(t.Context(), w.Home.Workspace.ID, contact, io.Discard); parley.KindOf(err) != parley.NotFound {
			t.Errorf("after the erasure: %v", err)
		}
	})
}
