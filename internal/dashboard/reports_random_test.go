package dashboard_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/reports"
	"parley/internal/store"
)

// A fact is something that a report counts, recorded by the test itself.
type fact struct {
	kind   string // opened, answered or resolved
	day    string
	hour   int
	items  map[parley.ReportBy]string
	counts reports.Items // the same as ids
	length time.Duration
}

// A past is a random history of some conversations, performed through the desk
// and recorded.
type past struct {
	w        *world
	random   *rand.Rand
	members  []parley.UserID // the first is none
	products []parley.ID     // so here
	inboxes  []parley.ID
	contacts []parley.ID
	company  map[parley.ID]parley.ID // of a contact
	firms    []parley.ID             // the first is none
	talks    []*told
	facts    []fact
}

// told is what the test knows about a conversation.
type told struct {
	talk
	contact, inbox, product parley.ID
	status                  parley.Status
	created, opened         time.Time
	answered                bool
}

func newPast(w *world, seed uint64) *past {
	w.T.Helper()
	p := &past{
		w: w, random: rand.New(rand.NewPCG(seed, 1)), members: []parley.UserID{""}, products: []parley.ID{{}},
		inboxes: []parley.ID{w.Home.Inbox.ID}, firms: []parley.ID{{}}, company: map[parley.ID]parley.ID{},
	}
	ctx, by := w.T.Context(), w.By()
	for _, name := range []string{"One", "Two"} {
		member, _ := w.member(parley.Agent)
		product, err := w.Desk.CreateProduct(ctx, by, name, "")
		if err != nil {
			w.T.Fatal(err)
		}
		inbox, err := w.Desk.CreateInbox(ctx, by, desk.NewInbox{Name: name, Channel: parley.ChannelAPI})
		if err != nil {
			w.T.Fatal(err)
		}
		firm, err := w.Desk.SaveCompany(ctx, by, desk.CompanyFields{Name: parley.Some(name)})
		if err != nil {
			w.T.Fatal(err)
		}
		contact, err := w.Desk.SaveContact(ctx, by, desk.ContactFields{Name: parley.Some(name)})
		if err != nil {
			w.T.Fatal(err)
		}
		p.members = append(p.members, member.ID)
		p.products = append(p.products, product.ID)
		p.inboxes = append(p.inboxes, inbox.ID)
		p.firms = append(p.firms, firm.Record.ID)
		p.contacts = append(p.contacts, contact.Record.ID)
	}
	return p
}

func oneOf[T any](p *past, from []T) T { return from[p.random.IntN(len(from))] }

// note records a fact.
func (p *past) note(kind string, c *told, member parley.UserID, length time.Duration) {
	text := func(id parley.ID) string {
		if id.IsZero() {
			return ""
		}
		return id.String()
	}
	day := p.w.Now().Format(time.DateOnly)
	items := reports.Items{Product: c.product, Inbox: c.inbox, Company: p.company[c.contact], Member: member}
	p.facts = append(p.facts, fact{kind: kind, day: day, hour: p.w.Now().Hour(), length: length, counts: items, items: map[parley.ReportBy]string{
		parley.ByDay: day, parley.ByProduct: text(c.product), parley.ByInbox: text(c.inbox),
		parley.ByCompany: text(p.company[c.contact]), parley.ByMember: string(member),
	}})
}

// step lets time pass and performs one change.
func (p *past) step() {
	p.w.T.Helper()
	p.w.Advance(time.Duration(math.Pow(10, 2+6*p.random.Float64())) * time.Millisecond) // up to a day
	if len(p.talks) == 0 || p.random.IntN(6) == 0 {
		p.start()
		return
	}
	c := oneOf(p, p.talks)
	switch p.random.IntN(5) {
	case 0:
		p.message(c)
	case 1:
		p.answer(c)
	case 2, 3:
		p.change(c, oneOf(p, parley.Statuses))
	default:
		p.rearrange(c)
	}
}

func (p *past) start() {
	member := oneOf(p, p.members)
	c := &told{
		contact: oneOf(p, p.contacts), inbox: oneOf(p, p.inboxes), product: oneOf(p, p.products),
		status: parley.Open, created: p.w.Now(), opened: p.w.Now(),
	}
	product := parley.Some(c.product)
	if c.product.IsZero() {
		product = parley.Null[parley.ID]()
	}
	c.talk = p.w.begin(member, desk.NewConversation{ContactID: c.contact, InboxID: c.inbox, ProductID: product})
	p.talks = append(p.talks, c)
	p.note("opened", c, member, 0)
}

// message posts messages that are not counted, except that a customer reopens a
// resolved conversation.
func (p *past) message(c *told) {
	m := desk.NewMessage{Direction: parley.Incoming}
	switch p.random.IntN(5) {
	case 0:
		m.Direction = parley.Outgoing
	case 1:
		m.Direction, m.AgentID, m.Private = parley.Outgoing, p.members[1], true
	case 2:
		m.Direction, m.AgentID, m.CreatedAt = parley.Outgoing, p.members[1], apitest.Start()
	case 3:
		m.CreatedAt = apitest.Start()
	}
	c.post(m)
	if m.Direction == parley.Incoming && m.CreatedAt.IsZero() && c.status == parley.Resolved {
		c.status, c.opened = parley.Open, p.w.Now()
		p.note("opened", c, "", 0)
	}
}

func (p *past) answer(c *told) {
	member := oneOf(p, p.members[1:])
	c.post(desk.NewMessage{Direction: parley.Outgoing, AgentID: member})
	if !c.answered {
		c.answered = true
		p.note("answered", c, member, p.w.Now().Sub(c.created))
	}
}

func (p *past) change(c *told, status parley.Status) {
	member := oneOf(p, p.members)
	c.talk.status(member, status)
	switch {
	case c.status != parley.Resolved && status == parley.Resolved:
		p.note("resolved", c, member, p.w.Now().Sub(c.opened))
	case c.status == parley.Resolved && status != parley.Resolved:
		c.opened = p.w.Now()
		p.note("opened", c, member, 0)
	}
	c.status = status
}

// rearrange changes what later facts are counted under, but no earlier fact.
func (p *past) rearrange(c *told) {
	if p.random.IntN(2) == 0 {
		c.product = oneOf(p, p.products[1:])
		c.talk.change("", desk.ConversationChange{ProductID: parley.Some(c.product)})
		return
	}
	firm := oneOf(p, p.firms)
	value := parley.Some(firm)
	if firm.IsZero() {
		value = parley.Null[parley.ID]()
	}
	if _, err := p.w.Desk.UpdateContact(p.w.T.Context(), p.w.By(), c.contact, desk.ContactFields{CompanyID: value}); err != nil {
		p.w.T.Fatal(err)
	}
	p.company[c.contact] = firm
}

type shownTimes struct {
	Count                     int
	MedianSeconds, P90Seconds *float64
}

type shownRow struct {
	Key, Label                string
	Opened, Resolved          int
	FirstResponse, Resolution shownTimes
}

// TestReportRecount performs a random history and compares every report with a
// count of all facts: numbers exactly, durations within 5 %.
func TestReportRecount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		seed := uint64(time.Now().UnixNano())
		t.Log("seed", seed)
		p := newPast(w, seed)
		for range 400 {
			p.step()
		}
		p.compareHours()
		w.Owner = w.signIn(w.Home.Owner.ID) // the first session has ended
		today := w.Now().Format(time.DateOnly)
		middle := w.Now().Add(-w.Now().Sub(apitest.Start()) / 2).Format(time.DateOnly)
		for _, days := range [][2]string{{"2026-11-01", today}, {middle, today}, {middle, middle}} {
			for _, by := range parley.ReportBys {
				p.compare(by, days, "", "")
				for _, fact := range p.facts[len(p.facts)-3:] {
					if by != parley.ByDay {
						p.compare(parley.ByDay, days, by, fact.items[by])
						p.compare(by, days, by, fact.items[by])
					}
				}
			}
		}
	})
}

// compareHours compares the hours of every cell with the facts.
func (p *past) compareHours() {
	p.w.T.Helper()
	type place struct {
		by   parley.ReportBy
		day  string
		item string
	}
	want, got := map[place]*[24][3]int{}, map[place]*[24][3]int{}
	for _, f := range p.facts {
		kind := slices.Index([]string{"opened", "answered", "resolved"}, f.kind)
		day, _ := parley.ParseDay(f.day)
		err := p.w.Store.View(p.w.T.Context(), func(v *store.View) error {
			cells, err := reports.SelectReportCells(v, p.w.Home.Workspace.ID, day, []reports.Items{f.counts})
			for _, cell := range cells.All {
				at := place{cell.By, f.day, cell.Item}
				if want[at] == nil {
					want[at], got[at] = &[24][3]int{}, &[24][3]int{}
					p.readHours(cell.Hours, got[at])
				}
				want[at][f.hour][kind]++
			}
			return err
		})
		if err != nil {
			p.w.T.Fatal(err)
		}
	}
	for at := range want {
		if *got[at] != *want[at] {
			p.w.T.Errorf("the hours of %v are %v, want %v", at, *got[at], *want[at])
		}
	}
}

func (p *past) readHours(text string, counts *[24][3]int) {
	p.w.T.Helper()
	var hours parley.Hours
	if err := hours.AddText(text); err != nil {
		p.w.T.Fatal(err)
	}
	for i := range hours {
		counts[i] = [3]int{hours[i].Opened, hours[i].FirstResponses.Count(), hours[i].Resolutions.Count()}
	}
}

// compare compares a report with the facts; with a filter, only with those of
// its item.
func (p *past) compare(by parley.ReportBy, days [2]string, filter parley.ReportBy, item string) {
	p.w.T.Helper()
	query := "?by=" + string(by) + "&from=" + days[0] + "&to=" + days[1]
	if filter != "" {
		value := item
		if value == "" {
			value = "none"
		}
		query += "&" + string(filter) + "Id=" + value
	}
	var report struct {
		Rows  []shownRow
		Total shownRow
	}
	if err := json.Unmarshal(p.w.Get(reportPath+query).Want(200).Body, &report); err != nil {
		p.w.T.Fatal(err)
	}
	facts, all := map[string][]fact{}, []fact(nil)
	for _, f := range p.facts {
		if f.day >= days[0] && f.day <= days[1] && (filter == "" || f.items[filter] == item) {
			facts[f.items[by]] = append(facts[f.items[by]], f)
			all = append(all, f)
		}
	}
	for _, row := range report.Rows {
		p.holds(query, row, facts[row.Key])
		delete(facts, row.Key)
	}
	for key := range facts {
		p.w.T.Errorf("%s: there is no row of %q", query, key)
	}
	p.holds(query+" in total", report.Total, all)
}

func (p *past) holds(query string, row shownRow, facts []fact) {
	p.w.T.Helper()
	lengths := map[string][]time.Duration{}
	for _, f := range facts {
		lengths[f.kind] = append(lengths[f.kind], f.length)
	}
	if row.Opened != len(lengths["opened"]) || row.Resolved != len(lengths["resolved"]) || row.Resolution.Count != row.Resolved ||
		row.FirstResponse.Count != len(lengths["answered"]) {
		p.w.T.Errorf("%s: the row is %+v, want %d opened, %d resolved, %d answered", query, row,
			len(lengths["opened"]), len(lengths["resolved"]), len(lengths["answered"]))
		return
	}
	for kind, got := range map[string]shownTimes{"answered": row.FirstResponse, "resolved": row.Resolution} {
		near(p.w.T, query+" "+kind+" median", got.MedianSeconds, lengths[kind], 0.5)
		near(p.w.T, query+" "+kind+" p90", got.P90Seconds, lengths[kind], 0.9)
	}
}

// near requires that seconds are the quantile of the durations by the nearest
// rank, within 5 % or, below one second, 0.
func near(t testing.TB, what string, seconds *float64, lengths []time.Duration, q float64) {
	t.Helper()
	if len(lengths) == 0 {
		if seconds != nil {
			t.Errorf("%s is %g, want null", what, *seconds)
		}
		return
	}
	slices.Sort(lengths)
	want := lengths[int(math.Ceil(q*float64(len(lengths))))-1].Seconds()
	if seconds == nil || math.Abs(*seconds-want) > want*0.05 && (*seconds != 0 || want >= 1) {
		t.Errorf("%s is %v, want %g", what, seconds, want)
	}
}
