package identity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/outward"
)

const (
	// fetchTime is how long fetching a set may take, from the DNS query to the
	// last byte.
	fetchTime = 5 * time.Second
	// maxSet is the most bytes of a set.
	maxSet = 256 << 10
)

// A Fetch returns the content of an https address. It must never connect to an
// address that is neither public nor allowed by the operator.
type Fetch func(ctx context.Context, address string) ([]byte, error)

// A fetcher fetches over https. Its client decides which addresses may be
// reached.
type fetcher struct {
	client *http.Client
	check  func(address string) error
}

// NewFetch returns a Fetch that uses a dialer. It takes at most 5 seconds and
// 256 KiB, and follows no redirects.
func NewFetch(dialer *outward.Dialer) Fetch {
	f := fetcher{client: dialer.Client(outward.Limits{Time: fetchTime, Bytes: maxSet}), check: CheckSetURL}
	return f.fetch
}

// A failure is a reason that the owners of a workspace may see: the form of the
// address, or the answer of a public server.
type failure string

func (f failure) Error() string { return string(f) }

// errNotFetched is what they see for every other reason. A more precise error
// would reveal what names resolve to in the server's own network.
const errNotFetched failure = "they could not be fetched from a public address; the operator's log says more"

// shownFailure returns what the owners of a workspace see of an error.
func shownFailure(err error) failure {
	var shown failure
	if errors.As(err, &shown) {
		return shown
	}
	return errNotFetched
}

func (f fetcher) fetch(ctx context.Context, address string) ([]byte, error) {
	if err := f.check(address); err != nil {
		return nil, failure("the address must " + err.Error())
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/jwk-set+json, application/json")
	r.Header.Set("User-Agent", "parley")
	answer, err := f.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }() // everything needed was read
	if answer.StatusCode != http.StatusOK {
		return nil, failure(fmt.Sprintf("the status of the answer is %d; it must be 200", answer.StatusCode))
	}
	text, err := io.ReadAll(answer.Body)
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return nil, failure(fmt.Sprintf("the answer has more than %d bytes", large.Limit))
	}
	return text, err
}

// CheckSetURL returns what is wrong with the address of a set; the text
// completes "must …". The name is resolved only when the set is fetched.
func CheckSetURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" || utf8.RuneCountInString(address) > maxURL {
		return fmt.Errorf("be an https address of at most %d characters, without a user and a fragment", maxURL)
	}
	if port := u.Port(); port != "" && port != "443" {
		return errors.New("be an address at port 443")
	}
	if strings.Contains(u.Host, "[") || endsInNumber(u.Hostname()) {
		return errors.New("have a name for a host that everybody on the internet can reach")
	}
	return nil
}

// endsInNumber reports whether the last label of a host is a number, which some
// parsers take for an address in any spelling: 127.1, 0x7f.1, 2130706433 (URL
// standard, section 3.5).
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	digits := "0123456789"
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		last, digits = hex, "0123456789abcdef"
	}
	return strings.Trim(last, digits) == ""
}
