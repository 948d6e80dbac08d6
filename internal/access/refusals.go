package access

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"parley"
	"parley/internal/access/admission"
	"parley/internal/access/openid"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// A Refusal is why a credential was refused.
type Refusal string

// The reasons. An ended session is also one that never was, or whose member has left.
const (
	BadPassword    Refusal = "bad_password"
	UnknownAddress Refusal = "unknown_address"
	BadCode        Refusal = "bad_code" // of the second factor
	Throttled      Refusal = "throttled"
	EndedSession   Refusal = "ended_session"
	ExpiredSession Refusal = "expired_session"
	UnknownKey     Refusal = "unknown_key"
	ExpiredKey     Refusal = "expired_key"
	RevokedKey     Refusal = "revoked_key"
	BadLink        Refusal = "bad_link"
)

// Refusals lists the reasons.
var Refusals = []Refusal{
	BadPassword, UnknownAddress, BadCode, Throttled, EndedSession, ExpiredSession, UnknownKey, ExpiredKey, RevokedKey, BadLink,
	Refusal(openid.Unreachable), Refusal(openid.BadAnswer), Refusal(openid.BadCode), Refusal(openid.BadToken), Refusal(openid.Declined),
	Refusal(admission.NotMember), Refusal(admission.NoGroup), Refusal(admission.Unverified), Refusal(admission.Taken), Refusal(admission.Unbound),
}

const (
	// refusalWindow is for how long refused sign-ins are counted before the audit log
	// gets a line about them. Wrong passwords and codes of members have a line at the next flush:
	// the throttle limits them.
	refusalWindow = 15 * time.Minute
	// maxRefused is how many counts are kept, and maxWaiting how many of those that strangers can cause.
	// More are only in the metrics.
	maxRefused = 10_000
	maxWaiting = 1_000
)

// A refused is what refused sign-ins are counted by. Attempts for addresses that nobody
// has count together, so that strangers cannot fill the audit log.
type refused struct {
	ws      parley.WorkspaceID // zero if none was named, and nobody has the address
	member  parley.UserID      // "" for an unknown address
	client  entry.Client       // zero unless the member was tried by a wrong password or code
	why     Refusal
	waiting bool // until the window ends
	// signedIn says that a signed-in member gave a wrong password or code.
	signedIn bool
}

type refusedCount struct {
	since time.Time
	count int
}

// refusals count what is refused, in memory: an answer must not take longer because an
// address is known. The zero value is usable.
type refusals struct {
	mu      sync.Mutex
	totals  map[Refusal]uint64
	flushed map[Refusal]uint64 // as last logged
	signIns map[refused]refusedCount
	waiting int // counts that wait for the end of their window
}

// add counts a refusal for the metrics.
func (r *refusals) add(why Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.totals == nil {
		r.totals = map[Refusal]uint64{}
	}
	r.totals[why]++
}

// signIn counts a refused sign-in for the audit log.
func (r *refusals) signIn(of refused, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.signIns == nil {
		r.signIns = map[refused]refusedCount{}
	}
	c, known := r.signIns[of]
	if !known {
		if len(r.signIns) >= maxRefused || of.waiting && r.waiting >= maxWaiting {
			return
		}
		if of.waiting {
			r.waiting++
		}
		c.since = now
	}
	c.count++
	r.signIns[of] = c
}

// take returns the counts whose window has ended, or all, and forgets them.
func (r *refusals) take(now time.Time, all bool) map[refused]refusedCount {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := map[refused]refusedCount{}
	for of, c := range r.signIns {
		if all || !of.waiting || now.Sub(c.since) >= refusalWindow {
			taken[of] = c
			delete(r.signIns, of)
			if of.waiting {
				r.waiting--
			}
		}
	}
	return taken
}

// unlogged returns how often requests were refused since the last call.
func (r *refusals) unlogged() map[Refusal]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	more := map[Refusal]uint64{}
	for _, why := range []Refusal{EndedSession, ExpiredSession, UnknownKey, ExpiredKey, RevokedKey, BadLink} {
		if n := r.totals[why] - r.flushed[why]; n > 0 {
			more[why] = n
		}
	}
	r.flushed = maps.Clone(r.totals)
	return more
}

// Refused returns how many credentials were refused since the process began, by reason.
func (svc *Service) Refused() map[Refusal]uint64 {
	svc.refusals.mu.Lock()
	defer svc.refusals.mu.Unlock()
	all := map[Refusal]uint64{}
	for _, why := range Refusals {
		all[why] = svc.refusals.totals[why]
	}
	return all
}

// refuse counts a refused credential and returns the error for it.
func (svc *Service) refuse(why Refusal, err error) error {
	svc.refusals.add(why)
	return err
}

// refuseSignIn counts and logs a refused sign-in, for each account of the address. It logs
// no e-mail address as typed, which may be a password.
func (svc *Service) refuseSignIn(in SignIn, logins []Login, why Refusal, locked bool) {
	if len(logins) == 0 && why == BadPassword {
		why = UnknownAddress
	}
	svc.refusals.add(why)
	if len(logins) == 0 {
		logins = []Login{{Workspace: in.Workspace}}
	}
	now := svc.clock.Now()
	for _, login := range logins {
		of := refused{ws: login.Workspace, member: login.Member.ID, why: why, waiting: why != BadPassword && why != BadCode}
		by := desk.Caller{Workspace: login.Workspace, Client: entry.Client{Address: in.Address, UserAgent: in.UserAgent}}
		if !of.waiting {
			of.client = by.Client
		}
		svc.refusals.signIn(of, now)
		svc.logAccess("sign-in refused", by, login.Member.ID, "reason", string(why))
		if locked {
			svc.logAccess("sign-in locked", by, login.Member.ID)
		}
	}
}

// FlushRefusals writes what was refused into the audit log: wrong passwords of members
// since the last call, and the other sign-ins whose window has ended, or all of them.
// What cannot be written is dropped; the log of the process has it.
func (svc *Service) FlushRefusals(ctx context.Context, all bool) {
	for why, count := range svc.refusals.unlogged() {
		svc.log.Info("access: requests refused", "reason", string(why), "count", count)
	}
	byWorkspace := map[parley.WorkspaceID]map[refused]refusedCount{}
	for of, c := range svc.refusals.take(svc.clock.Now(), all) {
		if of.ws.IsZero() {
			of.ws = svc.onlyWorkspace(ctx)
		}
		if of.ws.IsZero() {
			continue // of none; the metrics count it
		}
		if byWorkspace[of.ws] == nil {
			byWorkspace[of.ws] = map[refused]refusedCount{}
		}
		c.count += byWorkspace[of.ws][of].count
		byWorkspace[of.ws][of] = c
	}
	for ws, counts := range byWorkspace {
		if _, err := desk.View(svc.desk, func(v *store.View) (parley.Workspace, error) { return v.Workspace(ws) }).Now(ctx); parley.KindOf(err) == parley.NotFound {
			continue // a request made it up
		}
		if err := svc.recordRefused(ctx, ws, counts); err != nil {
			svc.log.Warn("access: refused sign-ins not recorded", "workspace", ws, "error", err)
		}
	}
}

// onlyWorkspace returns the workspace of a server that has one. A stranger's attempt on a
// server with several is on none of them.
func (svc *Service) onlyWorkspace(ctx context.Context) parley.WorkspaceID {
	all, err := desk.View(svc.desk, func(v *store.View) ([]parley.Workspace, error) { return v.Workspaces() }).Now(ctx)
	if err != nil || len(all) != 1 {
		return parley.WorkspaceID{}
	}
	return all[0].ID
}

// action is what the audit log calls it.
func (of refused) action() entry.Action {
	if of.signedIn {
		return entry.NotConfirmed
	}
	return entry.SignInRefused
}

func (svc *Service) recordRefused(ctx context.Context, ws parley.WorkspaceID, counts map[refused]refusedCount) error {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b refused) int { return counts[a].since.Compare(counts[b].since) })
	_, err := write(ctx, svc, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		for _, of := range keys {
			t.Audit.Client = of.client
			e := entry.Entry{
				Action: of.action(), Count: counts[of].count, Changes: []entry.Change{{Field: "reason", To: string(of.why)}},
			}
			if of.member != "" {
				e.SubjectType, e.SubjectID = entry.SubjectMember, string(of.member)
			}
			if err := t.Audit.Record(e); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	})
	return err
}
