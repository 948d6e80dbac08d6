package demo

import (
	"cmp"
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/chatapp/chatsim"
	"parley/internal/httpjson"
)

// A networkAction is an action of the network on a number that the page offers.
type networkAction string

const (
	drop       networkAction = "drop"    // cuts the connection; clients come back
	offline    networkAction = "offline" // until online
	online     networkAction = "online"
	ban        networkAction = "ban"        // for some time, with a code of the network
	unban      networkAction = "unban"      // before its time
	restrict   networkAction = "restrict"   // for some time, not to write to strangers
	unrestrict networkAction = "unrestrict" // before its time
	logout     networkAction = "logout"     // the phone removes its linked devices
	outdated   networkAction = "outdated"   // refuses clients as too old, until current
	current    networkAction = "current"
	refuse     networkAction = "refuse" // the next requests of a kind, with a code
	lose       networkAction = "lose"   // does them, and cuts the line in place of an answer
)

func networkActions() []networkAction {
	return []networkAction{drop, offline, online, ban, unban, restrict, unrestrict, logout, outdated, current, refuse, lose}
}

// A request is a kind of request of numbers to the network.
type request string

const (
	groupRequests   request = "groups"   // that a group is made
	memberRequests  request = "members"  // that somebody is added to one
	messageRequests request = "messages" // that a message is carried
)

// kindOf returns the kind of a request; "" for requests for which the page has
// no faults.
func kindOf(r chatsim.Request) request {
	switch r.Kind {
	case "w:g2 create":
		return groupRequests
	case "w:g2 add":
		return memberRequests
	case "message":
		if ag := r.Node.AttrGetter(); ag.OptionalString("category") != "peer" { // peer: from a device to its own phone
			return messageRequests
		}
	}
	return ""
}

// Limits and defaults of the network's actions.
const (
	maxDuration     = 24 * time.Hour
	defaultDuration = 10 * time.Minute
	maxFaults       = 100
	banCode         = 103 // too many groups
	firstBanCode    = 101
	lastBanCode     = 199
	refusalCode     = 429
	notAllowed      = 403 // adding somebody whose settings do not allow it
	firstRefusal    = 400
	lastRefusal     = 599
)

// A faultPlan has the faults that the page has set for a number, in addition to
// the conditions that the network itself stores.
type faultPlan struct {
	faults map[faultKey]fault
	// stale: the company's own phone has stopped trying and must be linked
	// again.
	stale bool
}

// A faultKey names an action and the requests that it affects.
type faultKey struct {
	do   networkAction // refuse or lose
	what request
}

type fault struct{ times, code int }

// shut reports whether the network refuses all clients of a number.
func (p *Phones) shut(number string) bool {
	f := p.Network.Conditions(number)
	return f.Offline || f.Outdated || p.Clock.Now().Before(f.Banned)
}

// faultPlan returns the fault plan of a number. The caller holds the lock.
func (p *Phones) faultPlan(number string) *faultPlan {
	f := p.plans[number]
	if f == nil {
		f = &faultPlan{faults: map[faultKey]fault{}}
		p.plans[number] = f
	}
	return f
}

// hooks make the planned faults happen.
func (p *Phones) hooks() chatsim.Hooks {
	return chatsim.Hooks{
		Before: func(r chatsim.Request) chatsim.Fault {
			if f, found := p.takeFault(r, refuse); found {
				return chatsim.Fault{Code: f.code}
			}
			return chatsim.Fault{}
		},
		After: func(r chatsim.Request) chatsim.Fault {
			_, found := p.takeFault(r, lose)
			return chatsim.Fault{Cut: found}
		},
	}
}

// takeFault uses up one fault for a request, if there is one.
func (p *Phones) takeFault(r chatsim.Request, do networkAction) (fault, bool) {
	what := kindOf(r)
	if what == "" {
		return fault{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	plan := p.plans[r.Phone]
	if plan == nil {
		return fault{}, false
	}
	key := faultKey{do, what}
	f, found := plan.faults[key]
	if f.times--; f.times > 0 {
		plan.faults[key] = f
	} else {
		delete(plan.faults, key)
	}
	return f, found
}

// A networkChange is the body of POST /phone/network.
type networkChange struct {
	do    networkAction
	what  request // for refuse and lose
	lasts time.Duration
	code  int // 0: the default
	times int
}

func readNetworkChange(in *httpjson.Reader) networkChange {
	o := networkChange{do: httpjson.Required(in, "do", httpjson.OneOf(networkActions()))}
	switch o.do {
	case ban:
		o.code = httpjson.Default(in, "code", httpjson.Whole(firstBanCode, lastBanCode), banCode)
	case refuse:
		o.code = httpjson.Default(in, "code", httpjson.Whole(firstRefusal, lastRefusal), refusalCode)
	}
	switch o.do {
	case ban, restrict:
		seconds := httpjson.Default(in, "seconds", httpjson.Whole(1, int(maxDuration/time.Second)), int(defaultDuration/time.Second))
		o.lasts = time.Duration(seconds) * time.Second
	case refuse, lose:
		o.what = httpjson.Required(in, "what", httpjson.OneOf([]request{groupRequests, memberRequests, messageRequests}))
		o.times = httpjson.Default(in, "times", httpjson.Whole(0, maxFaults), 1)
	}
	return o
}

// change makes the network act on a number of the company, which numberId or
// phone names.
func (p *Phones) change(ctx context.Context, in *httpjson.Reader, ws parley.WorkspaceID) error {
	in.ReadBody()
	id := httpjson.Default(in, "numberId", httpjson.ID, parley.ID{})
	phone := httpjson.Default(in, "phone", httpjson.Phone, "")
	o := readNetworkChange(in)
	for _, name := range in.Ignored() {
		in.Refuse(name, "be left out, for it has no effect here") // a change other than the intended one would mislead
	}
	if err := in.Err(); err != nil {
		return err
	}
	all, err := p.Numbers.Numbers(ws, parley.Position{}, mostNumbers).Now(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all.Items, func(n parley.Number) bool {
		return (n.ID == id || n.Phone == phone) && p.hasAccount(n.Phone)
	})
	if i < 0 {
		return parley.NotFoundf("there is no such number on the network: numberId or phone must name one")
	}
	p.apply(string(all.Items[i].Phone), o)
	p.wake()
	return nil
}

// apply performs a change on a number.
func (p *Phones) apply(number string, o networkChange) {
	now := p.Clock.Now()
	end := now.Add(o.lasts) // now, for an action without a duration, which ends the condition
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.faultPlan(number)
	switch o.do {
	case drop:
		p.Network.Drop(number)
	case offline, online:
		p.Network.Offline(number, o.do == offline)
	case ban, unban:
		f.stale = true
		p.Network.Ban(number, cmp.Or(o.code, banCode), end)
	case restrict, unrestrict:
		p.Network.Restrict(number, end)
	case logout:
		f.stale = true
		p.Network.Logout(number)
	case outdated, current:
		f.stale = true
		p.Network.Outdated(number, o.do == outdated)
	case refuse, lose:
		key := faultKey{o.do, o.what}
		delete(f.faults, key)
		if o.times > 0 {
			f.faults[key] = fault{times: o.times, code: o.code}
		}
	}
}

// changePerson sets who may add a person to groups, and whether their phone is
// online.
func (p *Phones) changePerson(_ context.Context, in *httpjson.Reader, _ parley.WorkspaceID) error {
	in.ReadBody()
	refuses := httpjson.Change(in, "refuse", httpjson.Bool)
	away := httpjson.Change(in, "offline", httpjson.Bool)
	one, err := p.holder(in)
	if err != nil {
		return err
	}
	if one.company {
		return parley.InvalidField("phone", "be a customer's; what becomes of a number of the company is at /phone/network")
	}
	if refuses.Set {
		p.Network.AddAccount(one.Number(), accountOf(one.name, refuses.Value))
	}
	if away.Set {
		p.Network.Offline(one.Number(), away.Value)
	}
	p.wake()
	return nil
}

// accountOf returns the options of a person, who may refuse to be added to
// groups.
func accountOf(name string, refuses bool) chatsim.AccountOptions {
	o := chatsim.AccountOptions{Name: name}
	if refuses {
		o.Refuse = notAllowed
	}
	return o
}

// keepCompanyOn links the company's own phone again once the condition at which
// it gave up has ended. Other clients reconnect by themselves, or are paired in
// the dashboard.
func (p *Phones) keepCompanyOn(ctx context.Context) error {
	p.mu.Lock()
	f := p.faultPlan(string(ChatPhone))
	due := f.stale && !p.shut(string(ChatPhone))
	i := slices.IndexFunc(p.phones, func(one *phone) bool { return one.company })
	var old *phone
	if due && i >= 0 {
		old, f.stale = p.phones[i], false
	}
	p.mu.Unlock()
	if old == nil {
		return nil
	}
	starting, cancel := context.WithTimeout(ctx, phoneTime)
	defer cancel()
	on, err := old.Relink(starting, p.Network)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		f.stale = true // retried later
		return err
	}
	p.phones[i] = old.with(on)
	go p.listen(ctx, p.phones[i])
	return nil
}
