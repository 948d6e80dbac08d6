package erasure

import (
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/timer"
)

const (
	// tracesPages is how many pages of the log and the stored answers one run reads; the
	// next run goes on. A run must end within tracesLease.
	tracesPages = 100
	// clockSpare is how much later than its first event the time of an id may be, and how
	// far the times of events may be out of order: nodes have clocks of their own.
	clockSpare = 24 * time.Hour
)

// awaitTraces asks for a pass over the log and the stored answers, and waits for it.
func (t *tx) awaitTraces(e *Erasure) (progress, error) {
	w := &e.working
	if len(e.Subjects.Contacts)+len(e.Subjects.Conversations)+e.Counts.Messages == 0 {
		return done, nil // a rule deleted nothing
	}
	if !w.Traced && !w.Read {
		now, err := t.Workspace(t.WS)
		if err != nil {
			return more, err
		}
		if w.Last > 0 { // a program from before schema 24 had begun, and forgot which were groups
			w.WereGroups = e.Subjects.Conversations
		}
		w.Traced, w.Seq, w.Last, w.Route, w.Key = true, 0, now.Seq, "", ""
	}
	if !w.Read {
		return wait, desk.InsertTimer(t, t.WS, tracesTimer, e.ID.String(), t.Now)
	}
	w.Phones, w.JIDs, w.Files = nil, nil, nil // no longer needed
	return done, nil
}

// A pass reads the log and the stored answers of a workspace for all erasures that wait
// for it. It reads outside of the writer's transactions, page by page; a transaction
// checks what a page found, and writes that alone.
type pass struct {
	*Service
	ws parley.WorkspaceID
	of []Erasure
	// records are the erased ones, each with the index of its erasure, and groups those
	// whose notes are deleted, with the indexes of all erasures that delete some.
	records map[parley.ID]int
	groups  map[parley.ID][]int
	left    int // how many pages the run still reads
	// elsewhere says that another run does the same.
	elsewhere bool
}

// traces carries out a pass.
func (svc *Service) traces(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) (timer.Finish, error) {
	p, err := desk.View(svc.desk, func(v *store.View) (*pass, error) { return svc.newPass(v, ws, due) }).Now(ctx)
	if err != nil {
		return nil, err
	}
	if len(p.of) == 0 {
		return ended, svc.readFor(ctx, ws, due)
	}
	if p.elsewhere {
		return func(t *desk.Tx) (time.Time, error) { return t.Now.Add(waitPause), nil }, nil
	}
	at, err := p.readLog(ctx)
	if err != nil {
		return nil, err
	}
	answer, all := p.readTo(), false
	if at >= p.last() {
		if answer, all, err = p.readAnswers(ctx, answer); err != nil {
			return nil, err
		}
	}
	if !all {
		return func(t *desk.Tx) (time.Time, error) {
			return t.Now, p.change(t, func(e *Erasure) {
				w := &e.working
				w.Seq, w.Route, w.Key = at, answer.route, answer.key
			})
		}, nil
	}
	return p.end, p.readRequests(ctx)
}

// readFor reads the stored requests for an erasure that ended without its pass: a
// program from before schema 24 carried out the step, which reads no requests there.
func (svc *Service) readFor(ctx context.Context, ws parley.WorkspaceID, due desk.Timer) error {
	e, err := svc.named(ctx, ws, due)
	if err != nil || e.FinishedAt.IsZero() {
		return err
	}
	return svc.numbers.EraseRequests(ctx, ws, nil, e.Subjects.Conversations)
}

// readRequests removes the persons, and the members of deleted groups, from the stored
// requests for groups.
func (p *pass) readRequests(ctx context.Context) error {
	var phones []parley.Phone
	var groups []parley.ID
	for i := range p.of {
		phones, groups = append(phones, phonesOf(&p.of[i])...), append(groups, p.of[i].working.WereGroups...)
	}
	return p.numbers.EraseRequests(ctx, p.ws, phones, groups)
}

// newPass returns the pass of an erasure and of all those that are as far; without any
// if the erasure waits for none.
func (svc *Service) newPass(v *store.View, ws parley.WorkspaceID, due desk.Timer) (*pass, error) {
	p := &pass{Service: svc, ws: ws, records: map[parley.ID]int{}, groups: map[parley.ID][]int{}, left: svc.pages}
	running, err := selectAllUnfinished(v, ws)
	if err != nil {
		return p, err
	}
	running = slices.DeleteFunc(running, func(e Erasure) bool { return e.step != tracesStep || !e.working.Traced || e.working.Read })
	self := slices.IndexFunc(running, func(e Erasure) bool { return e.ID.String() == due.Name })
	if self < 0 {
		return p, nil
	}
	now := svc.desk.Base().Clock.Now()
	for i := range running {
		e := &running[i]
		if !e.working.isAsFarAs(&running[self].working) {
			continue
		}
		if i < self && due.Owner != "" && !p.elsewhere { // of two runs at the same time, that of the older erasure goes on
			held, err := desk.SelectTimer(v, ws, tracesTimer, e.ID.String())
			if err := unlessGone(err); err != nil {
				return p, err
			}
			p.elsewhere = held.Owner != "" && held.DueAt.After(now)
		}
		p.add(e)
	}
	return p, nil
}

func (p *pass) add(e *Erasure) {
	at := len(p.of)
	p.of = append(p.of, *e)
	for _, list := range [][]parley.ID{e.Subjects.Contacts, e.Subjects.Conversations, e.working.Parts} {
		for _, id := range list {
			p.records[id] = at
		}
	}
	for _, id := range e.working.Groups {
		p.groups[id] = append(p.groups[id], at)
	}
}

// isAsFarAs reports whether two erasures can go on with one pass.
func (w *working) isAsFarAs(other *working) bool {
	return w.Seq == other.Seq && w.Route == other.Route && w.Key == other.Key
}

// readTo returns the stored answer up to which the pass came.
func (p *pass) readTo() keptAnswer {
	w := &p.of[0].working
	return keptAnswer{route: w.Route, key: w.Key}
}

// last returns the event at which the pass ends.
func (p *pass) last() int64 {
	last := p.of[0].working.Last
	for i := range p.of {
		last = max(last, p.of[i].working.Last)
	}
	return last
}

// change changes the erasures of the pass.
func (p *pass) change(t *desk.Tx, change func(*Erasure)) error {
	for i := range p.of {
		e, err := selectErasure(t, t.WS, p.of[i].ID)
		if err == nil {
			change(&e)
			err = updateErasure(t, t.WS, &e)
		}
		if err := unlessGone(err); err != nil {
			return err
		}
	}
	return nil
}

// end lets the erasures go on.
func (p *pass) end(t *desk.Tx) (time.Time, error) {
	if err := p.change(t, func(e *Erasure) { e.working.Read = true }); err != nil {
		return time.Time{}, err
	}
	for i := range p.of {
		name := p.of[i].ID.String()
		if err := desk.DeleteTimer(t, t.WS, tracesTimer, name); err != nil {
			return time.Time{}, err
		}
		steps, err := desk.SelectTimer(t, t.WS, stepsTimer, name)
		if err == nil {
			steps.DueAt = t.Now
			err = desk.UpdateTimer(t, t.WS, &steps)
		}
		if err := unlessGone(err); err != nil {
			return time.Time{}, err
		}
	}
	return time.Time{}, nil
}
