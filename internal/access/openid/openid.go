// Package openid is the protocol by which members sign in with an OpenID Connect
// provider: the code flow with PKCE (RFC 7636), and back-channel logout. It reads
// the provider's metadata and keys, makes the address to which a browser goes,
// exchanges the code that comes back, and says who the provider says it was.
//
// Whether that person is a member, and with which role, is decided elsewhere. The
// package stores nothing; its caller keeps an [Attempt] for the browser that began
// it, and uses it once.
//
// A provider's address was entered by a member, so that all connections go through
// the dialer of internal/outward, over https alone, follow no redirects, and take a
// limited time and size. Signatures are checked by go-oidc and go-jose, which also refuses headers with a member twice. No error
// has a token, a code, a secret, or a text of the provider.
//
// It may import the vocabulary and internal/outward.
package openid

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"parley"
	"parley/internal/outward"
)

const (
	// exchangeTime is how long one request to a provider may take, from the DNS
	// query to the last byte.
	exchangeTime = 8 * time.Second
	// maxAnswer is the most bytes of an answer: metadata, keys, or tokens.
	maxAnswer = 256 << 10
	// maxToken is the most characters of a token that is read.
	maxToken = 64 << 10
	// skew is how far the clock of a provider may differ.
	skew = time.Minute
	// maxProviders is how many providers are remembered. A new one replaces another.
	maxProviders = 1000
)

// A Reason is why signing in with a provider failed, for the metrics and the audit log.
type Reason string

// The reasons.
const (
	Unreachable Reason = "provider_unreachable" // the provider does not answer, or not as it must
	BadAnswer   Reason = "bad_provider_answer"  // the browser came back with what does not belong to its attempt
	BadCode     Reason = "bad_provider_code"    // the provider does not take the code
	BadToken    Reason = "bad_provider_token"   // the token is not valid, or not for this attempt
	Declined    Reason = "provider_declined"    // the provider says that it did not sign the person in
)

// A Failure is an error that members may see.
type Failure struct {
	Why   Reason
	Field string // the setting that is wrong; "" for none in particular
	Text  string // what is wrong, in words; without a text of the provider
	cause error  // for the operator's log
}

func (f *Failure) Error() string { return f.Text }

// Unwrap returns what the network said.
func (f *Failure) Unwrap() error { return f.cause }

func failed(why Reason, text string) *Failure { return &Failure{Why: why, Text: text} }

// Settings are those of a workspace's provider.
type Settings struct {
	Issuer       string // as the provider's metadata and tokens name it
	ClientID     string
	ClientSecret string
	RedirectURL  string // of this server, exactly as the provider knows it
	GroupsClaim  string // the claim with the person's groups; "" for none
}

// A Network talks to providers. It remembers their metadata and keys. Its methods
// may be called by many goroutines.
type Network struct {
	client *http.Client
	clock  parley.Clock

	mu        sync.Mutex
	providers map[string]*provider
}

// NewNetwork returns a Network that connects by a dialer.
func NewNetwork(dialer *outward.Dialer, clock parley.Clock) *Network {
	return &Network{
		client: dialer.Client(outward.Limits{Time: exchangeTime, Bytes: maxAnswer}), clock: clock, providers: map[string]*provider{},
	}
}

// A provider is what is remembered of one.
type provider struct {
	metadata *remembered[Metadata]
	keys     *remembered[keySet]
}

func (n *Network) provider(issuer string) *provider {
	n.mu.Lock()
	defer n.mu.Unlock()
	p, known := n.providers[issuer]
	if !known {
		p = newProvider()
		n.add(issuer, p)
	}
	return p
}

func newProvider() *provider {
	return &provider{metadata: remember[Metadata](metadataLife), keys: remember[keySet](keysLife)}
}

// remember replaces what is remembered of a provider.
func (n *Network) remember(issuer string, p *provider) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(issuer, p)
}

// add adds a provider while the lock is held.
func (n *Network) add(issuer string, p *provider) {
	if _, known := n.providers[issuer]; !known && len(n.providers) >= maxProviders {
		for other := range n.providers {
			delete(n.providers, other)
			break
		}
	}
	n.providers[issuer] = p
}

// get returns the body of an answer with status 200.
func (n *Network) get(ctx context.Context, address string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, failed(Unreachable, "its address is malformed")
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "parley")
	answer, err := n.client.Do(r)
	if err != nil {
		return nil, unreachable(err)
	}
	defer func() { _ = answer.Body.Close() }() // everything needed was read
	if answer.StatusCode != http.StatusOK {
		return nil, failed(Unreachable, "it does not answer with status 200; redirects are not followed")
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, unreachable(err)
	}
	return text, nil
}

// unreachable is the failure for an error of the network. What names resolve to in
// the server's own network is only for the operator.
func unreachable(err error) *Failure {
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return failed(Unreachable, "its answer is larger than 256 KiB")
	}
	return &Failure{Why: Unreachable, Text: "it does not answer at a public address in time; the operator's log says more", cause: err}
}
