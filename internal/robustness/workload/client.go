// Package workload posts changes to a server by HTTP while tests destroy it, and
// remembers what was acknowledged. Afterwards it checks that all of that is there
// exactly once, that nothing is half done, and that a repetition with the same
// Idempotency-Key gets the same answer. Every exchange goes through the contract
// gate.
//
// It is only for tests.
package workload

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"parley/api"
	"parley/internal/contracttest"
)

// requestTime is how long a client waits for an answer: more than any server may
// take.
const requestTime = 30 * time.Second

var gate = sync.OnceValues(func() (*contracttest.Gate, error) {
	return contracttest.New(api.YAML(), api.DashboardYAML(), api.WidgetYAML())
})

// A Client sends requests to a server with a key of its API.
type Client struct {
	url, key string
	http     *http.Client
}

// NewClient returns a client. Its exchanges fail the test where they violate the
// contract.
func NewClient(t testing.TB, url, key string) *Client {
	t.Helper()
	g, err := gate()
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	return &Client{url, key, &http.Client{Transport: g.Transport(t, transport), Timeout: requestTime}}
}

// An Answer is the response to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// A request is what a client sends. Its body is JSON unless it has another type.
type request struct {
	method, path, body string
	key                string // Idempotency-Key
	kind               string // media type
	open               bool   // without the key of the API
	cookie             string
}

func (c *Client) send(ctx context.Context, r request) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, c.url+r.path, bytes.NewReader([]byte(r.body)))
	if err != nil {
		return Answer{}, err
	}
	if !r.open {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.kind != "" {
		req.Header.Set("Content-Type", r.kind)
	}
	if r.cookie != "" {
		req.Header.Set("Cookie", r.cookie)
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = res.Body.Close() }() // it is read below
	body, err := io.ReadAll(res.Body)
	return Answer{res.StatusCode, res.Header, body}, err
}

// check sends a request of a check, and repeats it as long as there were too many of them.
func (c *Client) check(ctx context.Context, r request) (Answer, error) {
	for {
		a, err := c.send(ctx, r)
		if err != nil || a.Status != http.StatusTooManyRequests {
			return a, err
		}
		seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
		if err != nil {
			return a, fmt.Errorf("%s is limited without Retry-After: %w", r.path, err)
		}
		select {
		case <-ctx.Done():
			return a, ctx.Err()
		case <-time.After(time.Duration(seconds) * time.Second):
		}
	}
}

// get reads a resource of the public API.
func (c *Client) get(ctx context.Context, path string, into any) error {
	a, err := c.check(ctx, request{method: http.MethodGet, path: public + path})
	if err != nil {
		return err
	}
	if a.Status != http.StatusOK {
		return fmt.Errorf("GET %s is answered %d: %.300s", path, a.Status, a.Body)
	}
	return json.Unmarshal(a.Body, into)
}

// A page is part of a list.
type page[T any] struct {
	Data       []T
	HasMore    bool   `json:"has_more"`
	NextCursor string `json:"next_cursor"`
	Reset      bool
}

// list reads all pages of a list. The path ends with its query.
func list[T any](ctx context.Context, c *Client, path string) (all []T, err error) {
	for cursor := ""; ; {
		var p page[T]
		if err := c.get(ctx, path+cursor, &p); err != nil {
			return nil, err
		}
		all = append(all, p.Data...)
		if !p.HasMore {
			return all, nil
		}
		cursor = "&cursor=" + p.NextCursor
	}
}

// Reads reads from a path of the public API and returns the answer, whatever it is.
func (c *Client) Reads(ctx context.Context, path string) (Answer, error) {
	return c.send(ctx, request{method: http.MethodGet, path: public + path})
}

// Visit begins a session in the chat of an inbox, as a visitor does, and returns the
// answer, whatever it is.
func (c *Client) Visit(ctx context.Context, inbox string) (Answer, error) {
	body := text(map[string]any{"inboxId": inbox})
	return c.send(ctx, request{method: http.MethodPost, path: "/v1/widget/sessions", body: body, open: true})
}

// Stream opens an event stream and returns the answer, whatever it is. The caller closes
// its body.
func (c *Client) Stream(ctx context.Context) (*http.Response, error) { return c.stream(ctx, "") }
