package histories

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
)

const public = "/v1/public"

// sumOf is a number of a text. The sum of a set of texts tells it from others.
func sumOf(text string) uint64 {
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, text)
	return sum.Sum64()
}

// begin creates the conversations, before any line breaks.
func (h *history) begin(ctx context.Context) error {
	contact, status := h.call(ctx, http.MethodPost, "/contacts", map[string]any{"name": h.name, "email": h.name + "@begin.example"})
	for n := 0; n < threads && status == http.StatusCreated; n++ {
		var made struct{ ID string }
		if err := json.Unmarshal(contact, &made); err != nil {
			return err
		}
		var text []byte
		if text, status = h.call(ctx, http.MethodPost, "/conversations", map[string]any{"contactId": made.ID}); status != http.StatusCreated {
			break
		}
		if err := json.Unmarshal(text, &made); err != nil {
			return err
		}
		h.threads = append(h.threads, made.ID)
	}
	if len(h.threads) < threads {
		return fmt.Errorf("the records of a history cannot be made: %d", status)
	}
	return nil
}

// call sends a request to any node; its status is 0 if there is no answer.
func (h *history) call(ctx context.Context, method, path string, body any) ([]byte, int) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, 0
	}
	req, err := http.NewRequestWithContext(ctx, method, h.Nodes[rand.IntN(len(h.Nodes))]+public+path, bytes.NewReader(text))
	if err != nil {
		return nil, 0
	}
	req.Header.Set("Authorization", "Bearer "+h.Key)
	req.Header.Set("Content-Type", "application/json")
	res, err := h.http.Do(req)
	if err != nil {
		return nil, 0
	}
	defer func() { _ = res.Body.Close() }() // it is read below
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, 0
	}
	return answer, res.StatusCode
}

// ask does an operation. What is not answered by success is unknown.
func (h *history) ask(ctx context.Context, in input) (out output) {
	var thread, number int
	if n, _ := fmt.Sscanf(in.key, "thread %d", &thread); n == 0 {
		_, _ = fmt.Sscanf(in.key, "contact %d", &number)
	}
	path, email := "/conversations/"+h.threads[thread], fmt.Sprintf("%d@%s.example", number, h.name)
	var text []byte
	var status int
	switch in.what {
	case create:
		_, status = h.call(ctx, http.MethodPost, "/contacts", map[string]any{"name": "Ann", "email": email})
		out.there = status == http.StatusOK
	case find:
		var p struct{ Data []struct{ Email string } }
		text, status = h.call(ctx, http.MethodGet, "/contacts?email="+email, nil)
		out.unknown = json.Unmarshal(text, &p) != nil
		out.there = len(p.Data) > 0
	case patch:
		_, status = h.call(ctx, http.MethodPatch, path, map[string]any{"customAttributes": map[string]any{"n": in.value}})
	case post:
		_, status = h.call(ctx, http.MethodPost, path+"/messages", map[string]any{"content": in.value, "role": "incoming"})
	case messages:
		text, status = h.call(ctx, http.MethodGet, path+"/messages?limit=200", nil)
		out.unknown = out.list(text) != nil
	case read:
		var c struct {
			UnreadCount      int
			CustomAttributes map[string]any
		}
		text, status = h.call(ctx, http.MethodGet, path, nil)
		out.unknown = json.Unmarshal(text, &c) != nil
		out.count = c.UnreadCount
		out.value, _ = c.CustomAttributes["n"].(string)
	}
	out.unknown = out.unknown || status/100 != 2
	return out
}

// list takes the messages of a page, which must be all there are.
func (o *output) list(text []byte) error {
	var p struct {
		Data    []struct{ Content string }
		HasMore bool `json:"has_more"`
	}
	err := json.NewDecoder(strings.NewReader(string(text))).Decode(&p)
	for _, m := range p.Data {
		o.sum += sumOf(m.Content)
	}
	o.count = len(p.Data)
	if p.HasMore {
		return fmt.Errorf("a conversation has more than %d messages", len(p.Data))
	}
	return err
}
