package erasure_test

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/zstd"

	"parley/internal/apitest"
	"parley/internal/backup"
	"parley/internal/blob"
)

// backup returns all bytes of a backup that is made now, unpacked.
func (w *world) backup() []byte {
	w.T.Helper()
	var packed bytes.Buffer
	from := backup.Source{Store: w.Store, Files: blob.NewFolder(w.place), Program: "test", Engine: "test", Now: w.Now(), Log: apitest.Log(w.T)}
	_, err := backup.Create(w.T.Context(), &packed, from, nil)
	w.must(err)
	reader, err := zstd.NewReader(&packed)
	w.must(err)
	defer reader.Close()
	content, err := io.ReadAll(reader)
	w.must(err)
	return content
}
