package widget

import (
	"cmp"
	"hash/maphash"
	"io"
	"net/http"
	"time"

	"parley"
	"parley/internal/httpjson"
)

// What one browser and one network address may do in a minute, on each node.
// Sessions are free to create, so whatever is counted per session is counted
// per address too, with higher limits, because many people may share one.
const (
	sessionsAMinute   = 30 // per address
	rejectedAMinute   = 10 // refused identities, per address
	messagesAMinute   = 30
	uploadsAMinute    = 20
	typingAMinute     = 60
	readsAMinute      = 600
	visitsAMinute     = 12
	throttledInterval = time.Minute
	// underWayOfSession is how many requests of a session may be without an
	// answer, or with an unread one: half of the limit of its address, so that
	// one visitor does not lock out others who share it. The ten files of a
	// message arrive at the same time.
	underWayOfSession = 16

	messagesOfAddress = 300
	uploadsOfAddress  = 60
	streamsOfAddress  = 240 // streams opened
	// questionsOfAddress is how many articles may be read, searched or suggested.
	// Typing asks at most twice a second.
	questionsOfAddress = 600
	// uploadsAtOnce is how many files may arrive from an address at the same
	// time.
	uploadsAtOnce = 10
	// uploadedAnHour is how many bytes may arrive from an address in an hour; see
	// Options.
	uploadedAnHour = 256 << 20
)

// RequestLimits returns the limits of one network address for requests to the
// widget and its pages. A large office behind one address does not reach them.
func RequestLimits() httpjson.AddressLimits { return httpjson.AddressLimits{AMinute: 6000, AtOnce: 32} }

// limits counts the actions of browsers.
type limits struct {
	messages, uploads, typing, reads, visits *httpjson.Limiter // per session

	// Per network address.
	sessions, rejected, messagesFrom, uploadsFrom, streamsFrom, bytesFrom, questions *httpjson.LimiterOf[string]

	// Per reader of an article; see readerOf.
	shown, rated *httpjson.LimiterOf[uint64]
	seed         maphash.Seed

	arriving httpjson.InFlight[string]
	underWay httpjson.InFlight[parley.ID] // requests per session

	text, files []budget // of visitors
}

func newLimits(o *Options) *limits {
	clock := o.Clock
	bytes := cmp.Or(o.UploadedAnHour, max(uploadedAnHour, 2*o.Desk.Attachments().MaxUpload()))
	byAddress := func(quota int) *httpjson.LimiterOf[string] {
		return httpjson.NewLimiterOf[string](httpjson.Rate{Quota: quota, Window: throttledInterval}, clock)
	}
	bySession := func(quota int) *httpjson.Limiter {
		return httpjson.NewLimiter(httpjson.Rate{Quota: quota, Window: throttledInterval}, clock)
	}
	return &limits{
		messages: bySession(messagesAMinute), uploads: bySession(uploadsAMinute), typing: bySession(typingAMinute),
		reads: bySession(readsAMinute), visits: bySession(visitsAMinute),
		sessions: byAddress(sessionsAMinute), rejected: byAddress(rejectedAMinute),
		messagesFrom: byAddress(messagesOfAddress), uploadsFrom: byAddress(uploadsOfAddress), streamsFrom: byAddress(streamsOfAddress),
		questions: byAddress(questionsOfAddress), shown: onceADay(clock), rated: onceADay(clock), seed: maphash.MakeSeed(),
		bytesFrom: httpjson.NewLimiterOf[string](httpjson.Rate{Quota: int(bytes), Window: time.Hour}, clock),
		text:      textBudgets(clock), files: fileBudgets(o.Desk.Attachments().MaxUpload(), clock),
	}
}

func onceADay(clock parley.Clock) *httpjson.LimiterOf[uint64] {
	return httpjson.NewLimiterOf[uint64](httpjson.Rate{Quota: 1, Window: day}, clock)
}

// throttle counts a request. Over the limit the error is Limited.
func throttle[K comparable](l *httpjson.LimiterOf[K], h http.Header, key K) error {
	return httpjson.InAMoment(l.Take(h, key))
}

// throttled counts the request if its route is throttled: first by address,
// whose count the headers do not show, because it is shared.
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
	case byVisits:
		return throttle(a.limits.visits, h, session)
	case byStreams:
		return throttle(a.limits.streamsFrom, http.Header{}, address)
	case byQuestions:
		return throttle(a.limits.questions, http.Header{}, address)
	}
	return nil
}

// A metered reader counts incoming bytes and stops when a limit is reached.
type metered struct {
	io.Reader
	spend func(n int) error
}

// Read reads until a limit is reached.
func (m *metered) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	if n > 0 {
		if limited := m.spend(n); limited != nil {
			return 0, limited
		}
	}
	return n, err
}

// meter counts the files of a customer by address, and those of a visitor also
// by their budgets.
func (a *API) meter(c *call, file io.Reader) io.Reader {
	by := spender{c.session.ContactID, a.clients.Address(c.Request())}
	return &metered{file, func(n int) error {
		if err := httpjson.InAMoment(a.limits.bytesFrom.Spend(by.address, n)); err != nil || c.session.Signed() {
			return err
		}
		return by.spend(a.limits.files, n)
	}}
}
