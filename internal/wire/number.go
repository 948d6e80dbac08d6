package wire

import "parley"

// AppendPairing appends the latest step of a number's pairing. matrix has the
// rows of the QR code for Code, or is nil.
func AppendPairing(b []byte, p *parley.Pairing, matrix []string) []byte {
	o := open(b)
	o.id("numberId", p.NumberID)
	o.text("by", p.By)
	o.text("kind", p.Kind)
	o.text("code", p.Code)
	texts(&o, "matrix", matrix)
	o.timeOrNull("until", p.Until)
	o.text("reason", p.Reason)
	o.time("updatedAt", p.UpdatedAt)
	return o.close()
}

// AppendPairingNews appends that a number's pairing has advanced, without its
// code, which members who may see it request.
func AppendPairingNews(b []byte, p *parley.Pairing) []byte {
	o := open(b)
	o.id("numberId", p.NumberID)
	o.text("kind", p.Kind)
	o.timeOrNull("until", p.Until)
	return o.close()
}

// AppendBudget appends a budget of a number.
func AppendBudget(b []byte, u *parley.BudgetUse) []byte {
	o := open(b)
	o.text("budget", string(u.Budget))
	limitOrNull(&o, "limit", u.Limit)
	limitOrNull(&o, "default", u.Default)
	o.integer("used", int64(u.Used))
	return o.close()
}

func limitOrNull(o *object, name string, limit int) {
	if limit == parley.NoBudget {
		o.null(name)
		return
	}
	o.integer(name, int64(limit))
}
