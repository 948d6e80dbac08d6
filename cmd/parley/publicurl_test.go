package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPublicURL serves one store under several public addresses, one after the
// other. Everything shows a file at the present address, whatever it was when
// the file was uploaded, because nothing stored contains the address.
func TestPublicURL(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		key := made["apiKey"].(string)
		for i, origin := range []string{"https://support.example", "http://other.example:8443", "", "https://[2001:db8::1]"} {
			t.Run(origin, func(t *testing.T) {
				s := &poster{server: serveAt(t, c, origin), key: key, replayed: i > 0}
				s.checkAddresses(origin)
			})
		}
	})
}

// A poster sends the same requests each time: the first server executes them,
// and others answer with the stored answers.
type poster struct {
	*server
	key      string
	replayed bool
}

// checkAddresses requests a file in every way.
func (s *poster) checkAddresses(origin string) {
	s.t.Helper()
	contact := s.id(s.post("contacts", `{"name":"Ann","email":"ann@shop.example"}`))
	conversation := s.id(s.post("conversations", `{"contactId":"`+contact+`"}`))
	uploaded := s.post("attachments?fileName=page.html", "<html>hello")
	file := s.id(uploaded)
	sent := s.post("conversations/"+conversation+"/messages", `{"attachmentIds":["`+file+`"]}`)
	var page struct {
		Next string `json:"next_cursor"`
	}
	if err := json.Unmarshal([]byte(s.want("/v1/public/events?limit=1", s.key, 200)), &page); err != nil {
		s.t.Fatal(err)
	}
	for name, body := range map[string]string{
		"the upload":       uploaded,
		"the message":      sent,
		"the attachment":   s.want("/v1/public/attachments/"+file, s.key, 200),
		"the conversation": s.want("/v1/public/conversations/"+conversation, s.key, 200),
		"the page":         s.want("/v1/public/events?types=message.created", s.key, 200),
		"the stream":       s.streamed("/v1/public/events?types=message.created&after=" + page.Next),
	} {
		_, rest, _ := strings.Cut(body, `"url":`)
		var address string
		if err := json.NewDecoder(strings.NewReader(rest)).Decode(&address); err != nil {
			s.t.Fatalf("%s: %v: %s", name, err, body)
		}
		path, ok := strings.CutPrefix(address, origin)
		if !ok || !strings.HasPrefix(path, "/v1/files/"+file+"/page.html?") {
			s.t.Errorf("%s has the file at %q, want it at %q", name, address, origin)
		} else if content := s.want(path, "", 200); content != "<html>hello" {
			s.t.Errorf("%s leads to %q", name, content)
		}
	}
}

// post sends a body with an Idempotency-Key for the path.
func (s *poster) post(path, body string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/v1/public/"+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Idempotency-Key", path)
	req.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, "attachments") {
		req.Header.Set("Content-Type", "text/html")
	}
	res, err := s.http.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 201 || (res.Header.Get("Idempotent-Replayed") == "true") != s.replayed {
		s.t.Fatalf("POST %s: status %d, %v, %v: %s", path, res.StatusCode, res.Header, err, answer)
	}
	return string(answer)
}

// id returns the id of a record.
func (s *poster) id(body string) string {
	s.t.Helper()
	var record struct{ ID string }
	if err := json.Unmarshal([]byte(body), &record); err != nil || record.ID == "" {
		s.t.Fatalf("%v: %s", err, body)
	}
	return record.ID
}

// streamed returns the first event of a stream.
func (s *poster) streamed(path string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Accept", "text/event-stream")
	res, err := streamClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && strings.Contains(data, "message.created") {
			return data
		}
	}
	s.t.Fatalf("status %d: the stream ended", res.StatusCode)
	return ""
}

// A leaver is the output of a server, which stops at the first write.
type leaver struct {
	bytes.Buffer
	stop context.CancelFunc
}

func (l *leaver) Write(p []byte) (int, error) {
	l.stop()
	return l.Buffer.Write(p)
}

// TestGreetingNamesThePublicURL founds a workspace and serves it again, with
// the setting from every source.
func TestGreetingNamesThePublicURL(t *testing.T) {
	file := filepath.Join(t.TempDir(), "parley.toml")
	if err := os.WriteFile(file, []byte("public-url = \"https://file.example\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	greeting := func(more ...string) string {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		printed := &leaver{stop: stop}
		var stderr bytes.Buffer
		args := append([]string{"serve", "--listen", "127.0.0.1:0", "--data", data, "--log-level", "error"}, more...)
		if status := run(ctx, args, printed, &stderr); status != 0 {
			t.Fatalf("parley %v: status %d: %s", args, status, stderr.String())
		}
		return printed.String()
	}
	for _, c := range []struct {
		more []string
		want []string
	}{
		{[]string{"--config", file}, []string{"Parley serves on  https://file.example\n", "API reference     https://file.example/docs\n"}},
		{nil, []string{"Parley serves on https://variable.example\n"}},
		{[]string{"--public-url", "https://flag.example"}, []string{"Parley serves on https://flag.example\n"}},
		{[]string{"--public-url", ""}, []string{"Parley serves on http://127.0.0.1:"}},
	} {
		text := greeting(c.more...)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%v prints %q, want %q in it", c.more, text, want)
			}
		}
		t.Setenv("PARLEY_PUBLIC_URL", "https://variable.example")
	}
}
