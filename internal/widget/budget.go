package widget

import (
	"errors"
	"time"

	"parley"
	"parley/internal/httpjson"
)

// The most bytes that visitors may store on this server, counted on each node.
// Sessions are free to create, and what they write is stored for good.
const (
	textOfVisitorAnHour = 8 << 20
	textOfVisitorADay   = 32 << 20
	textOfAddressAnHour = 64 << 20
	textOfAddressADay   = 256 << 20
	// filesOfVisitorADay and filesOfAddressADay allow at least four and eight
	// of the largest files. Bytes that arrive from an address in an hour have a
	// separate limit.
	filesOfVisitorADay = 256 << 20
	filesOfAddressADay = 1 << 30
	day                = 24 * time.Hour
)

// A message takes at most about five times its content in JSON on the disk: the
// message, its event, the words of the search index, and the answer stored for
// an Idempotency-Key.
const (
	keptOfContent = 5
	keptBeside    = 1 << 10
)

// A budget limits what may be stored in a window of time, per visitor and per
// address.
type budget struct {
	window  string // in words for the visitor
	visitor *httpjson.Limiter
	address *httpjson.LimiterOf[string]
}

type budgetSize struct {
	window           string
	length           time.Duration
	visitor, address int64
}

func newBudget(size budgetSize, clock parley.Clock) budget {
	return budget{
		window:  size.window,
		visitor: httpjson.NewLimiter(httpjson.Rate{Quota: int(size.visitor), Window: size.length}, clock),
		address: httpjson.NewLimiterOf[string](httpjson.Rate{Quota: int(size.address), Window: size.length}, clock),
	}
}

func textBudgets(clock parley.Clock) []budget {
	return []budget{
		newBudget(budgetSize{"an hour", time.Hour, textOfVisitorAnHour, textOfAddressAnHour}, clock),
		newBudget(budgetSize{"a day", day, textOfVisitorADay, textOfAddressADay}, clock),
	}
}

func fileBudgets(maxUpload int64, clock parley.Clock) []budget {
	return []budget{newBudget(budgetSize{
		"a day", day, max(filesOfVisitorADay, 4*maxUpload), max(filesOfAddressADay, 8*maxUpload),
	}, clock)}
}

// A spender is a visitor and their network address.
type spender struct {
	visitor parley.ID
	address string
}

// spend charges n bytes. Over a budget the error is Limited.
func (s spender) spend(budgets []budget, n int) error {
	for _, b := range budgets {
		err := b.visitor.Spend(s.visitor, n)
		if err == nil {
			err = b.address.Spend(s.address, n)
		}
		var limited *parley.Error
		if errors.As(err, &limited) {
			limited.Message = "you sent more than fits into " + b.window + "; try again later"
			return limited
		}
	}
	return nil
}

// keep charges what storing a message of the call's visitor takes. Customers
// with an identity belong to the company and are not counted.
func (a *API) keep(c *call, content string) error {
	if c.session.Signed() || c.Err() != nil { // a refused message is not stored
		return nil //nolint:nilerr // the caller reports c.Err
	}
	by := spender{c.session.ContactID, a.clients.Address(c.Request())}
	return by.spend(a.limits.text, keptOfContent*parley.JSONSize(content)+keptBeside)
}
