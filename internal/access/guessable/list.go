package guessable

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"
)

//go:embed list/passwords.txt.gz
var packed []byte

// list are the common passwords in small letters, sorted, read once.
var list = sync.OnceValue(func() []string {
	text, err := unpack(packed)
	if err != nil {
		panic("guessable: " + err.Error()) // a mistake in a file of this package, which a test finds
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
})

func unpack(packed []byte) (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

// listed reports whether a password in small letters is on the list.
func listed(password string) bool {
	_, found := slices.BinarySearchFunc(list(), password, strings.Compare)
	return found
}
