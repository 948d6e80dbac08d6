package widget

import (
	"cmp"
	"io"
	"net/http"
	"time"

	"parley"
	"parley/internal/httpjson"
)

// What one browser and one network address may do in a minute, on each node. A
// session costs nothing, so whatever is counted by session is counted by address
// too; many people may share one.
const (
	sessionsAMinute   = 30 // by address
	rejectedAMinute   = 10 // identities that were refused, by address
	messagesAMinute   = 30
	uploadsAMinute    = 20
	typingAMinute     = 60
	readsAMinute      = 600
	throttledInterval = time.Minute
	// underWayOfSession is how many requests of a session are not answered, or their
	// answers not read: half of what its address may have, so that one visitor does
	// not shut out who shares it. A message's ten files arrive at once.
	underWayOfSession = 16

	messagesOfAddress = 300
	uploadsOfAddress  = 60
	streamsOfAddress  = 240 // that are opened
	// uploadsAtOnce is how many files of an address arrive at the same time.
	uploadsAtOnce = 10
	// uploadedAnHour is how many bytes may arrive from an address in an hour; see
	// Options.
	uploadedAnHour = 256 << 20
)

// RequestLimits returns what one network address may ask of the widget, its
// pages included: what a large office with one address does not reach.
func RequestLimits() httpjson.AddressLimits { return httpjson.AddressLimits{AMinute: 6000, AtOnce: 32} }

// limits counts what browsers do.
type limits struct {
	messages, uploads, typing, reads *httpjson.Limiter // by session

	// By network address.
	sessions, rejected, messagesFrom, uploadsFrom, streamsFrom, bytesFrom *httpjson.LimiterOf[string]

	arriving httpjson.InFlight[string]
	underWay httpjson.InFlight[parley.ID] // requests of sessions

	text, files []budget // of visitors
}

func newLimits(o *Options) *limits {
	clock := o.Clock
	bytes := cmp.Or(o.UploadedAnHour, max(uploadedAnHour, 2*o.Desk.MaxUpload()))
	byAddress := func(quota int) *httpjson.LimiterOf[string] {
		return httpjson.NewLimiterOf[string](httpjson.Rate{Quota: quota, Window: throttledInterval}, clock)
	}
	bySession := func(quota int) *httpjson.Limiter {
		return httpjson.NewLimiter(httpjson.Rate{Quota: quota, Window: throttledInterval}, clock)
	}
	return &limits{
		messages: bySession(messagesAMinute), uploads: bySession(uploadsAMinute), typing: bySession(typingAMinute),
		reads:    bySession(readsAMinute),
		sessions: byAddress(sessionsAMinute), rejected: byAddress(rejectedAMinute),
		messagesFrom: byAddress(messagesOfAddress), uploadsFrom: byAddress(uploadsOfAddress), streamsFrom: byAddress(streamsOfAddress),
		bytesFrom: httpjson.NewLimiterOf[string](httpjson.Rate{Quota: int(bytes), Window: time.Hour}, clock),
		text:      textBudgets(clock), files: fileBudgets(o.Desk.MaxUpload(), clock),
	}
}

// throttle counts a request. Over the quota the error is Limited.
func throttle[K comparable](l *httpjson.LimiterOf[K], h http.Header, key K) error {
	return httpjson.InAMoment(l.Take(h, key))
}

// throttled counts the request where its route is throttled: by address first,
// of which the headers tell nothing, for it is shared.
func (a *API) throttled(c *call, r *http.Request, by Throttle) error {
	h, session, address := c.Writer.Header(), c.session.ID, a.clients.Address(r)
	switch by {
	case bySessions:
		return throttle(a.limits.sessions, h, address)
	case byMessages:
		if err := throttle(a.limits.messagesFrom, http.Header{}, address); err != nil {
			return err
		}
		return throttle(a.limits.messages, h, session)
	case byUploads:
		if err := throttle(a.limits.uploadsFrom, http.Header{}, address); err != nil {
			return err
		}
		return throttle(a.limits.uploads, h, session)
	case byTyping:
		return throttle(a.limits.typing, h, session)
	case byReads:
		return throttle(a.limits.reads, http.Header{}, session)
	case byStreams:
		return throttle(a.limits.streamsFrom, http.Header{}, address)
	}
	return nil
}

// A metered reader counts what arrives, and stops it where that is too much.
type metered struct {
	io.Reader
	spend func(n int) error
}

// Read reads on as long as there may be more.
func (m *metered) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	if n > 0 {
		if limited := m.spend(n); limited != nil {
			return 0, limited
		}
	}
	return n, err
}

// meter counts the files of a customer by address, and those of a visitor by
// their budgets too.
func (a *API) meter(c *call, file io.Reader) io.Reader {
	by := spender{c.session.ContactID, a.clients.Address(c.Request())}
	return &metered{file, func(n int) error {
		if err := httpjson.InAMoment(a.limits.bytesFrom.Spend(by.address, n)); err != nil || c.session.Signed() {
			return err
		}
		return by.spend(a.limits.files, n)
	}}
}
