package erasure_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// backup returns all bytes of a backup that is made now, unpacked.
func (w *world) backup() []byte {
	w.T.Helper()
	return []byte(unpack(w.T, bytes.NewReader(w.packed())))
}

// unpack returns what is in a backup.
func unpack(t testing.TB, packed io.Reader) string {
	t.Helper()
	reader, err := zstd.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	content, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
