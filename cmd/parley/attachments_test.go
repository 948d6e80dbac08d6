package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestFilesOnTwoNodes uploads a file on one node and reads it on another: they
// share a database and a place of files.
func TestFilesOnTwoNodes(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		one := serve(t, c)
		key := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["apiKey"].(string)
		address := one.upload(key, strings.NewReader("<html>hello"))
		other := one
		if c.database != "" {
			other = serve(t, c)
		}
		res, body := other.get(address, "")
		if res.StatusCode != 200 || body != "<html>hello" || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "attachment;") {
			t.Errorf("the file comes back with %d, %v: %s", res.StatusCode, res.Header, body)
		}
		other.want(address[:len(address)-4]+"AAAA", "", 403)
		if folders, err := os.ReadDir(filepath.Join(c.data, "attachments")); err != nil || len(folders) != 1 {
			t.Errorf("the folder of files holds %v, %v", folders, err)
		}
	})
}

// upload sends a file as a body of unknown length and returns its address.
func (s *server) upload(key string, content io.Reader) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/v1/public/attachments?fileName=page.html", io.MultiReader(content))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := s.http.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var made struct{ URL, Error string }
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || res.StatusCode != 201 {
		s.t.Fatalf("an upload is answered with %d, %v: %s", res.StatusCode, err, made.Error)
	}
	return made.URL
}

// TestFilesInABucket serves with files in a bucket.
func TestFilesInABucket(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	backend := s3mem.New()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	bucket := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(bucket.Close)
	c := &cli{data: t.TempDir(), logLevel: "error"}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
		attachments: attachmentFlags{place: "s3://files/parley?region=eu-central-1&path-style=true&endpoint=" + bucket.URL, maxUpload: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.app.close(); err != nil {
			t.Error(err)
		}
	})
	listener := httptest.NewServer(p.handler)
	t.Cleanup(listener.Close)
	s := &server{t: t, cli: c, url: listener.URL, http: http.DefaultClient}
	key := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["apiKey"].(string)
	content := strings.Repeat("0123456789", 100_000)
	if body := s.want(s.upload(key, strings.NewReader(content)), "", 200); body != content {
		t.Errorf("%d bytes come back, want %d", len(body), len(content))
	}
	list, err := backend.ListBucket("files", nil, gofakes3.ListBucketPage{})
	if err != nil || len(list.Contents) != 1 || !strings.HasPrefix(list.Contents[0].Key, "parley/") {
		t.Errorf("the bucket holds %v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Join(c.data, "attachments")); !os.IsNotExist(err) {
		t.Errorf("there is a folder of files beside the bucket: %v", err)
	}
}

// TestSlowUpload sends a file that arrives after the server's time for other
// requests is over.
func TestSlowUpload(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	content, arrives := io.Pipe()
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			if err := http.NewResponseController(w).SetReadDeadline(time.Now()); err != nil {
				t.Error(err)
			}
			go func() {
				_, err := io.WriteString(arrives, "er")
				_ = arrives.CloseWithError(err) // never fails
			}()
		}
		p.handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		listener.Close()
		if err := p.app.close(); err != nil {
			t.Error(err)
		}
	})
	s := &server{t: t, cli: c, url: listener.URL, http: http.DefaultClient}
	key := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")["apiKey"].(string)
	if body := s.want(s.upload(key, io.MultiReader(strings.NewReader("slow"), content)), "", 200); body != "slower" {
		t.Errorf("the file is %q", body)
	}
}

// TestWrongPlaces starts with places that cannot store files.
func TestWrongPlaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"ftp://files", "s3://", filepath.Join(file, "x")} {
		c := &cli{data: t.TempDir(), logLevel: "error"}
		status, _, stderr := c.run2(t, "serve", "--attachments", place)
		if status != 1 || !strings.Contains(stderr, "--attachments: ") {
			t.Errorf("%s: status %d: %s", place, status, stderr)
		}
	}
}
