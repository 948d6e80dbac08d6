package wire_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/wire"
)

// hostileName is a file name that tries to escape from every context.
const hostileName = `a"b','\"url":"/v1/files/ ?x=1#y&z%41<script>ü😀` + "\u2028" + `.png`

func withFiles() parley.Message {
	m := messages()[0]
	m.Content = `"url":"/v1/files/00000000-0000-0000-0000-000000000001/x" \"url\":\"/v1/files/`
	m.Attachments = []parley.Attachment{
		{ID: id(7), FileName: hostileName, ContentType: "image/png", Size: 12, Width: 3, Height: 4, CreatedAt: at(1)},
		{ID: id(8), FileName: "b.mp3", ContentType: "audio/mpeg", Size: 1 << 40, Duration: 1500 * time.Millisecond, CreatedAt: at(1)},
	}
	return m
}

// query names the file in its signature, with a character that JSON escapes.
func query(file parley.ID) string { return "e=1&s=<" + file.String() + ">" }

// signers are one without the server's public address, and one with it.
var signers = []wire.Signer{{Query: query}, {Query: query, Origin: `https://support.example:8443/<"`}}

type shownMessage struct {
	Content     string
	Attachments []struct {
		ID, FileName, URL string
		Width, Duration   *float64
	}
}

func parseMessage(t *testing.T, b []byte) shownMessage {
	t.Helper()
	var m shownMessage
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return m
}

// TestSignFiles compares a message that is signed while it is written with one
// that is signed afterwards.
func TestSignFiles(t *testing.T) {
	for _, sign := range signers {
		m := withFiles()
		kept := wire.AppendMessage(nil, &m)
		before := slices.Clone(kept)
		signed := wire.SignFiles(kept, sign)
		if want := wire.AppendSignedMessage(nil, &m, sign); string(signed) != string(want) {
			t.Errorf("signed afterwards: %s\nwhile written: %s", signed, want)
		}
		if string(kept) != string(before) {
			t.Error("what is kept was changed")
		}
		for _, other := range signers {
			if again := wire.SignFiles(signed, other); string(again) != string(signed) {
				t.Errorf("signed twice: %s", again)
			}
		}
		checkAddresses(t, &m, signed, sign)
		one := wire.SignFiles(wire.AppendAttachment(nil, &m.Attachments[0], wire.Signer{}), sign)
		if want := wire.AppendAttachment(nil, &m.Attachments[0], sign); string(one) != string(want) {
			t.Errorf("a file alone is %s, want %s", one, want)
		}
		plain := messages()[0]
		if b := wire.AppendMessage(nil, &plain); string(wire.SignFiles(b, sign)) != string(b) {
			t.Error("a message without files was changed")
		}
	}
}

// checkAddresses reads a signed message back.
func checkAddresses(t *testing.T, m *parley.Message, signed []byte, sign wire.Signer) {
	t.Helper()
	shown := parseMessage(t, signed)
	if shown.Content != m.Content {
		t.Errorf("the content became %q", shown.Content)
	}
	for i, a := range shown.Attachments {
		address, query, _ := strings.Cut(a.URL, "?")
		path, ok := strings.CutPrefix(address, sign.Origin)
		if a.FileName != m.Attachments[i].FileName || query != sign.Query(m.Attachments[i].ID) || !ok ||
			!strings.HasPrefix(path, wire.FilesPath) || strings.Count(path, "/") != 4 {
			t.Errorf("the file is %q at %q", a.FileName, a.URL)
		}
	}
	if a := shown.Attachments; *a[0].Width != 3 || a[0].Duration != nil || a[1].Width != nil || *a[1].Duration != 1.5 {
		t.Errorf("the sizes are wrong: %s", signed)
	}
}

// FuzzSignFiles puts arbitrary text into members that others choose.
func FuzzSignFiles(f *testing.F) {
	f.Add(`"url":"/v1/files/`, hostileName, "image/png")
	f.Add(`\`, `\"`, `"`)
	f.Fuzz(func(t *testing.T, content, name, kind string) {
		m := withFiles()
		m.Content, m.Sender.Name, m.Sender.Image = content, name, content
		m.Attachments[0].FileName, m.Attachments[1].ContentType = name, kind
		for _, sign := range signers {
			signed := wire.SignFiles(wire.AppendMessage(nil, &m), sign)
			if want := wire.AppendSignedMessage(nil, &m, sign); string(signed) != string(want) {
				t.Errorf("signed afterwards: %s\nwhile written: %s", signed, want)
			}
			if !json.Valid(signed) {
				t.Errorf("no JSON: %s", signed)
			}
		}
	})
}
