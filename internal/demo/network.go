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

// A deed is what the page can have the network do to a number.
type deed string

const (
	drop       deed = "drop"    // cuts the connection; clients come back
	offline    deed = "offline" // until online
	online     deed = "online"
	ban        deed = "ban"        // for some time, with a code of the network
	unban      deed = "unban"      // before its time
	restrict   deed = "restrict"   // for some time, not to write to strangers
	unrestrict deed = "unrestrict" // before its time
	logout     deed = "logout"     // the phone removes its linked devices
	outdated   deed = "outdated"   // refuses clients as too old, until current
	current    deed = "current"
	refuse     deed = "refuse" // the next requests of a kind, with a code
	lose       deed = "lose"   // does them, and cuts the line in place of an answer
)

func deeds() []deed {
	return []deed{drop, offline, online, ban, unban, restrict, unrestrict, logout, outdated, current, refuse, lose}
}

// A request is a kind of what numbers ask of the network.
type request string

const (
	groupRequests   request = "groups"   // that a group is made
	memberRequests  request = "members"  // that somebody is added to one
	messageRequests request = "messages" // that a message is carried
)

// kindOf sorts what was asked; "" is what the page has no fate for.
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

// Bounds and usual values of what the network is asked to do.
const (
	longestFate  = 24 * time.Hour
	usualFate    = 10 * time.Minute
	mostFaults   = 100
	banCode      = 103 // too many groups
	firstBanCode = 101
	lastBanCode  = 199
	refusalCode  = 429
	notAllowed   = 403 // to add somebody whose settings are against it
	firstRefusal = 400
	lastRefusal  = 599
)

// A fate is what the page has in store for a number, beside what the network
// itself keeps of it.
type fate struct {
	faults map[faultKey]fault
	// stale: the company's own phone has given up and needs to be linked anew.
	stale bool
}

// A faultKey names what goes wrong with which requests.
type faultKey struct {
	do   deed // refuse or lose
	what request
}

type fault struct{ times, code int }

// shut reports whether no client of a number gets in.
func (p *Phones) shut(number string) bool {
	f := p.Network.Fate(number)
	return f.Offline || f.Outdated || p.Clock.Now().Before(f.Banned)
}

// fate returns what is in store for a number. The caller holds the lock.
func (p *Phones) fate(number string) *fate {
	f := p.fates[number]
	if f == nil {
		f = &fate{faults: map[faultKey]fault{}}
		p.fates[number] = f
	}
	return f
}

// hooks let the page's faults happen.
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

// takeFault uses up one fault of a request, if there is one.
func (p *Phones) takeFault(r chatsim.Request, do deed) (fault, bool) {
	what := kindOf(r)
	if what == "" {
		return fault{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fated := p.fates[r.Phone]
	if fated == nil {
		return fault{}, false
	}
	key := faultKey{do, what}
	f, found := fated.faults[key]
	if f.times--; f.times > 0 {
		fated.faults[key] = f
	} else {
		delete(fated.faults, key)
	}
	return f, found
}

// An order is what the body of POST /phone/network asks for.
type order struct {
	do    deed
	what  request // of refuse and lose
	lasts time.Duration
	code  int // 0: the usual one
	times int
}

func readOrder(in *httpjson.Reader) order {
	o := order{do: httpjson.Required(in, "do", httpjson.OneOf(deeds()))}
	switch o.do {
	case ban:
		o.code = httpjson.Default(in, "code", httpjson.Whole(firstBanCode, lastBanCode), banCode)
	case refuse:
		o.code = httpjson.Default(in, "code", httpjson.Whole(firstRefusal, lastRefusal), refusalCode)
	}
	switch o.do {
	case ban, restrict:
		seconds := httpjson.Default(in, "seconds", httpjson.Whole(1, int(longestFate/time.Second)), int(usualFate/time.Second))
		o.lasts = time.Duration(seconds) * time.Second
	case refuse, lose:
		o.what = httpjson.Required(in, "what", httpjson.OneOf([]request{groupRequests, memberRequests, messageRequests}))
		o.times = httpjson.Default(in, "times", httpjson.Whole(0, mostFaults), 1)
	}
	return o
}

// change has the network do something to a number of the company, which
// numberId or phone names.
func (p *Phones) change(ctx context.Context, in *httpjson.Reader, ws parley.WorkspaceID) error {
	in.ReadBody()
	id := httpjson.Default(in, "numberId", httpjson.ID, parley.ID{})
	phone := httpjson.Default(in, "phone", httpjson.Phone, "")
	o := readOrder(in)
	for _, name := range in.Ignored() {
		in.Refuse(name, "be left out, for it has no effect here") // a fate other than the one meant would mislead
	}
	if err := in.Err(); err != nil {
		return err
	}
	all, err := p.Numbers.Numbers(ctx, ws, parley.Position{}, mostNumbers)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all.Items, func(n parley.Number) bool {
		return (n.ID == id || n.Phone == phone) && p.hasAccount(n.Phone)
	})
	if i < 0 {
		return parley.NotFoundf("there is no such number on the network: numberId or phone must name one")
	}
	p.ordain(string(all.Items[i].Phone), o)
	p.wake()
	return nil
}

// ordain does what was ordered to a number.
func (p *Phones) ordain(number string, o order) {
	now := p.Clock.Now()
	end := now.Add(o.lasts) // now, where a thing has no length: so it ends
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.fate(number)
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

// changePerson sets who may add a person to groups, and whether the phone is
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

// accountOf are the options of somebody who refuses to be added to groups, or
// does not.
func accountOf(name string, refuses bool) chatsim.AccountOptions {
	o := chatsim.AccountOptions{Name: name}
	if refuses {
		o.Refuse = notAllowed
	}
	return o
}

// keepCompanyOn links the company's own phone anew when what it gave up at is
// over. Other clients come back by themselves, or are paired in the dashboard.
func (p *Phones) keepCompanyOn(ctx context.Context) error {
	p.mu.Lock()
	f := p.fate(string(ChatPhone))
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
	on, err := old.Again(starting, p.Network)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		f.stale = true // it is tried again
		return err
	}
	p.phones[i] = old.with(on)
	go p.listen(ctx, p.phones[i])
	return nil
}
