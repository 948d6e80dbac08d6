package push

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"parley"
	"parley/internal/outward"
	"parley/internal/push/webpush"
)

const (
	// exchangeTime is how long a push service has for its answer, and maxAnswer how many
	// bytes of it are read.
	exchangeTime = 10 * time.Second
	maxAnswer    = 8 << 10
	// shelfLife is how long after its time a push is worth something.
	shelfLife = 12 * time.Hour
	// longestAfter limits what a service asks for by Retry-After.
	longestAfter = shelfLife
	// maxName is how many characters of a name are sent.
	maxName = 100
)

// A message is what the service worker reads. Its names are those of the dashboard.
type message struct {
	ID           string `json:"id"` // of the notice and its state, so that a copy is recognized
	Kind         string `json:"kind"`
	Conversation string `json:"conversationId"`
	Actor        string `json:"actor"` // the member who caused it; "" for others
	Contact      string `json:"contact"`
	Text         string `json:"text"`
	Count        int    `json:"count"`
}

// testKind is the kind of a message that a member asks for.
const testKind = "test"

func messageOf(n *parley.ShownNotice) message {
	m := message{
		ID: n.ID.String() + ":" + strconv.Itoa(n.Count), Kind: string(n.Kind), Conversation: n.ConversationID.String(),
		Contact: nameOf(n.ContactName), Text: n.Text, Count: n.Count,
	}
	if n.Actor.Type == parley.ActorMember {
		m.Actor = nameOf(n.Actor.Name)
	}
	return m
}

// nameOf returns the first characters of a name.
func nameOf(name string) string {
	if runes := []rune(name); len(runes) > maxName {
		return string(runes[:maxName])
	}
	return name
}

// A delivery is a message for a device.
type delivery struct {
	subscription Subscription
	signer       webpush.Signer
	message      message
	urgent       bool
	life         time.Duration // how long the service may keep it
}

// A result is what became of a delivery.
type result struct {
	outcome parley.PushOutcome
	after   time.Duration // what the service asks for by Retry-After; 0 for nothing
	status  int           // 0: no answer
	err     error         // for the log; without the address
}

// deliver hands a message to a push service.
func (svc *Service) deliver(ctx context.Context, d delivery) result {
	request, err := svc.request(ctx, d)
	if err != nil {
		return result{outcome: parley.PushRefused, err: err}
	}
	answer, err := svc.client.Do(request)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // without the address, which is a secret
		}
		if errors.Is(err, outward.ErrNotAllowed) {
			return result{outcome: parley.PushRefused, err: err}
		}
		return result{outcome: parley.PushLater, err: err}
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, answer.Body) // bounded by the client; what it says does not matter
	return resultOf(answer, svc.base.Clock.Now())
}

// request returns the request of RFC 8030, section 5.
func (svc *Service) request(ctx context.Context, d delivery) (*http.Request, error) {
	plain, err := json.Marshal(d.message)
	if err != nil {
		return nil, err
	}
	body, err := webpush.Encrypt(d.subscription.keys(), plain)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.subscription.Endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address is malformed")
	}
	authorization, err := d.signer.Authorization("https://"+request.URL.Host, svc.contact, svc.base.Clock.Now())
	if err != nil {
		return nil, err
	}
	h := request.Header
	h.Set("Authorization", authorization)
	h.Set("Content-Encoding", "aes128gcm")
	h.Set("Content-Type", "application/octet-stream")
	h.Set("TTL", strconv.Itoa(int(d.life.Seconds())))
	h.Set("Topic", topicOf(d))
	h.Set("Urgency", "normal")
	if d.urgent {
		h.Set("Urgency", "high")
	}
	return request, nil
}

// topicOf returns the name under which a later message of a conversation replaces one that
// the service still has. It is a hash, so that the service cannot compare devices by it.
func topicOf(d delivery) string {
	sum := sha256.Sum256([]byte(d.subscription.Endpoint + "\x00" + d.message.Conversation))
	return base64.RawURLEncoding.EncodeToString(sum[:24]) // 32 characters (RFC 8030, section 5.4)
}

// resultOf reads the answer of a push service.
func resultOf(answer *http.Response, now time.Time) result {
	r := result{status: answer.StatusCode, outcome: parley.PushRefused}
	switch status := answer.StatusCode; {
	case status >= 200 && status < 300:
		r.outcome = parley.PushAccepted
	case status == http.StatusNotFound || status == http.StatusGone:
		r.outcome = parley.PushGone
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500:
		r.outcome, r.after = parley.PushLater, outward.RetryAfter(answer.Header, now, longestAfter)
	}
	return r
}
