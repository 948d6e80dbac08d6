package whatsapp_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/chatapp/whatsapp"
	"parley/internal/pgtest"
)

// TestKeysMove copies the keys of a number that has sent and received to another
// store, from and to each engine: the copy has the same rows, and the number works
// with it.
func TestKeysMove(t *testing.T) {
	stores := map[string]func(*testing.T) whatsapp.KeyStore{
		"sqlite": func(t *testing.T) whatsapp.KeyStore {
			return whatsapp.KeyStore{SQLite: filepath.Join(t.TempDir(), "a file?.db")}
		},
		"postgres": func(t *testing.T) whatsapp.KeyStore {
			return whatsapp.KeyStore{Postgres: pgtest.URL(t), Schema: "keys_of_numbers"}
		},
	}
	for from, source := range stores {
		for to, target := range stores {
			t.Run(from+" to "+to, func(t *testing.T) {
				first, second := source(t), target(t)
				first.Schema = ""
				w := newWorldOn(t, whatsapp.Options{SQLite: first.SQLite, Postgres: first.Postgres})
				w.pair()
				w.open()
				w.conversation()
				w.shutdown()
				copied := export(t, first)
				if !strings.Contains(copied, hostPhone) || strings.Count(copied, "\n") < 50 {
					t.Fatalf("the copy has %d lines, so the test sees nothing", strings.Count(copied, "\n"))
				}
				if err := whatsapp.ImportKeys(t.Context(), second, strings.NewReader(copied)); err != nil {
					t.Fatal(err)
				}
				if got := export(t, second); sorted(got) != sorted(copied) {
					t.Errorf("the keys are\n%.2000s\nwant\n%.2000s", sorted(got), sorted(copied))
				}
				w.options.SQLite, w.options.Postgres = second.SQLite, second.Postgres
				if second.Schema != "" {
					w.options.Postgres += "&search_path=" + second.Schema
				}
				w.start()
				w.open()
				w.conversation()
			})
		}
	}
}

func export(t *testing.T, from whatsapp.KeyStore) string {
	t.Helper()
	var out bytes.Buffer
	if err := whatsapp.ExportKeys(t.Context(), from, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func sorted(text string) string {
	return strings.Join(slices.Sorted(strings.Lines(text)), "")
}

// TestNoKeys copies stores that never had a number: nothing is written, and no file
// is created.
func TestNoKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.db")
	for _, from := range []whatsapp.KeyStore{{SQLite: path}, {Postgres: pgtest.URL(t)}} {
		if got := export(t, from); got != "" {
			t.Errorf("the copy is %q", got)
		}
	}
	if files, err := filepath.Glob(path + "*"); err != nil || len(files) > 0 {
		t.Errorf("there are the files %v, %v", files, err)
	}
}

// TestKeysRefused imports copies that this program cannot use: nothing is stored.
func TestKeysRefused(t *testing.T) {
	for content, want := range map[string]string{
		`{"version":3}`: "another version of the messaging library",
		"":              "EOF",
		"nonsense":      "invalid character",
	} {
		into := whatsapp.KeyStore{SQLite: filepath.Join(t.TempDir(), "new.db")}
		if err := whatsapp.ImportKeys(t.Context(), into, strings.NewReader(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", content, err, want)
		}
	}
	var out bytes.Buffer
	into := whatsapp.KeyStore{SQLite: filepath.Join(t.TempDir(), "first.db")}
	w := newWorldOn(t, whatsapp.Options{SQLite: into.SQLite})
	w.pair()
	w.shutdown()
	if err := whatsapp.ExportKeys(t.Context(), into, &out); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(out.String(), "\n")
	for _, c := range []struct{ content, want string }{
		{head + `{"table":{"name":"contacts; DROP TABLE x","columns":[]}}`, "there is no table"},
		{head + `{"row":["x"]}`, "does not fit"},
		{out.String()[:out.Len()/2], "EOF"},
	} {
		into.SQLite = filepath.Join(t.TempDir(), "second.db")
		if err := whatsapp.ImportKeys(t.Context(), into, strings.NewReader(c.content)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: %v, want %q", c.content, err, c.want)
		}
	}
	if !errors.Is(whatsapp.ImportKeys(t.Context(), into, strings.NewReader(`{"version":99}`)), whatsapp.ErrOtherLibrary) {
		t.Error("another version is not reported")
	}
}
