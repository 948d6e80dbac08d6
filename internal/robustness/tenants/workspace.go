package tenants

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	// markStart begins the mark of each workspace, which all of its texts have.
	markStart = "tenant-"
	// revokedWithin is how long a stream may live on after its key or member, which is a
	// second, and more on a busy machine.
	revokedWithin = 5 * time.Second
	// settleTime is how long a stream may take to tell the last events.
	settleTime = time.Minute
)

// scopes are what the changing key of a workspace may read, in turn.
var scopes = [][]string{
	{"contacts:read"},
	{"conversations:read"},
	{"companies:read", "knowledge:read"},
	{"conversations:read", "contacts:read"},
	{"products:read"},
}

// opens says which scope opens events, by the first part of their type. Those of others need
// conversations:read.
var opens = map[string]string{
	"contact": "contacts:read", "contact_duplicate": "contacts:read", "company": "companies:read", "product": "products:read",
	"article": "knowledge:read", "article_category": "knowledge:read", "help_center": "knowledge:read",
}

// A workspace is one of a fleet.
type workspace struct {
	fleet    *Fleet
	mark     string
	email    string // of the owner
	password string
	key      caller // with every scope
	owner    caller
	other    *workspace
	signedIn time.Time

	contact, conversation string
	streams               []*stream
	changing              *stream // by a key that is revoked now and then
	agent                 *stream // by a member who is removed now and then
	generation            int
}

// Mark returns the mark of a fleet's next workspace, which its name and the address of its
// owner must have.
func (f *Fleet) Mark() string { return fmt.Sprintf("%s%03d", markStart, len(f.workspaces)) }

// Add adds a workspace with its key and the password of its owner.
func (f *Fleet) Add(key, email, password string) {
	f.workspaces = append(f.workspaces, &workspace{fleet: f, mark: f.Mark(), email: email, password: password, key: caller{key: key}})
}

// begin signs the owner in and opens the streams: of the key with every scope, of the owner, of
// a key with fewer scopes, and of another member.
func (w *workspace) begin(ctx context.Context, other *workspace) (err error) {
	w.other = other
	if err := w.signIn(ctx); err != nil {
		return err
	}
	var contact, conversation struct{ ID string }
	if _, err := w.fleet.send(ctx, w.key, http.MethodPost, "/v1/public/contacts", map[string]any{"name": w.mark, "email": "first@" + w.mark + ".example"}, &contact); err != nil {
		return err
	}
	if _, err := w.fleet.send(ctx, w.key, http.MethodPost, "/v1/public/conversations", map[string]any{"contactId": contact.ID}, &conversation); err != nil {
		return err
	}
	w.contact, w.conversation = contact.ID, conversation.ID
	start, _, err := w.log(ctx)
	if err != nil {
		return err
	}
	w.follow(ctx, "a key with every scope", publicEvents, w.key, start, nil)
	w.follow(ctx, "the owner", dashboardEvents, w.owner, start, nil)
	w.changing = w.follow(ctx, "a key with some scopes", publicEvents, caller{}, start, []string{"none"})
	w.agent = w.follow(ctx, "an agent", dashboardEvents, caller{}, start, nil)
	return errors.Join(w.newKey(ctx), w.newAgent(ctx))
}

func (w *workspace) signIn(ctx context.Context) error {
	cookie, err := w.cookie(ctx, "/v1/dashboard/session", map[string]any{"email": w.email, "password": w.password})
	w.owner, w.signedIn = caller{cookie: cookie}, time.Now()
	return err
}

// cookie posts something that starts a session, and returns its cookie.
func (w *workspace) cookie(ctx context.Context, path string, body map[string]any) (string, error) {
	header, err := w.fleet.send(ctx, caller{}, http.MethodPost, path, body, nil)
	if err != nil {
		return "", err
	}
	res := http.Response{Header: header}
	for _, c := range res.Cookies() {
		if c.Value != "" { // the others are deleted
			return c.Name + "=" + c.Value, nil
		}
	}
	return "", fmt.Errorf("%s starts no session", path)
}

// write posts messages, and now and then something else, until it is done.
func (w *workspace) write(ctx context.Context, done <-chan struct{}) {
	for n := 1; !isDone(done); n++ {
		method, path, body := http.MethodPost, "/v1/public/conversations/"+w.conversation+"/messages", map[string]any{"content": fmt.Sprint(w.mark, " ", n), "role": "incoming"}
		switch n % 10 {
		case 3:
			path, body = "/v1/public/contacts", map[string]any{"name": w.mark, "email": fmt.Sprintf("%d@%s.example", n, w.mark)}
		case 6:
			method, path, body = http.MethodPatch, "/v1/public/contacts/"+w.contact, map[string]any{"name": fmt.Sprint(w.mark, " ", n)}
		case 8:
			path, body = "/v1/public/companies", map[string]any{"name": fmt.Sprint(w.mark, " ", n)}
		case 9:
			method, path, body = http.MethodPatch, "/v1/public/conversations/"+w.conversation, map[string]any{"customAttributes": map[string]any{"n": fmt.Sprint(w.mark, n)}}
		}
		if n%500 == 0 { // so that no conversation gets too long to be one
			path, body = "/v1/public/conversations", map[string]any{"contactId": w.contact}
			method = http.MethodPost
		}
		var made struct{ ID string }
		if _, err := w.fleet.send(ctx, w.key, method, path, body, &made); err != nil && ctx.Err() == nil {
			w.fleet.faultf("%v", err)
			return
		}
		if n%500 == 0 && made.ID != "" {
			w.conversation = made.ID
		}
		w.fleet.written.Add(1)
	}
}

// churn revokes a key and removes a member in turn, gives the streams others, and asks for
// the log after a position of another workspace.
func (w *workspace) churn(ctx context.Context, done <-chan struct{}) {
	for n := 0; !isDone(done); n++ {
		err := w.turn(ctx, n)
		if err != nil && ctx.Err() == nil {
			w.fleet.faultf("%v", err)
			return
		}
		select {
		case <-done:
		case <-time.After(time.Second):
		}
	}
}

func (w *workspace) turn(ctx context.Context, n int) error {
	if time.Since(w.signedIn) > 10*time.Minute { // before what asks for it is refused
		if err := w.signIn(ctx); err != nil {
			return err
		}
	}
	if err := w.ask(ctx); err != nil {
		return err
	}
	old, revoked, next := w.changing, "/v1/dashboard/keys/", w.newKey
	if n%2 == 1 {
		old, revoked, next = w.agent, "/v1/dashboard/members/", w.newAgent
	}
	who, id := old.caller()
	if _, err := w.fleet.send(ctx, w.owner, http.MethodDelete, revoked+id, nil, nil); err != nil {
		return err
	}
	w.fleet.count(func(c *Counts) { c.Revoked++ })
	old.ends(ctx, who)
	return next(ctx)
}

// newKey gives the changing stream a new key with the next scopes.
func (w *workspace) newKey(ctx context.Context) error {
	w.generation++
	may := scopes[w.generation%len(scopes)]
	var made struct{ ID, Key string }
	_, err := w.fleet.send(ctx, w.owner, http.MethodPost, "/v1/dashboard/keys", map[string]any{"name": w.mark, "scopes": may}, &made)
	w.changing.become(caller{key: made.Key}, made.ID, may)
	return err
}

// newAgent gives the agent's stream a member, whose address may be that of the one before.
func (w *workspace) newAgent(ctx context.Context) error {
	var made struct{ Link string }
	email := "bo@" + w.mark + ".example"
	if _, err := w.fleet.send(ctx, w.owner, http.MethodPost, "/v1/dashboard/invitations", map[string]any{"email": email, "role": "agent"}, &made); err != nil {
		return err
	}
	_, token, _ := strings.Cut(made.Link, "#")
	cookie, err := w.cookie(ctx, "/v1/dashboard/invitations/accept", map[string]any{"token": token, "name": w.mark, "password": w.mark + " battery horse"})
	if err != nil {
		return err
	}
	var me struct{ Member struct{ ID string } }
	who := caller{cookie: cookie}
	_, err = w.fleet.send(ctx, who, http.MethodGet, "/v1/dashboard/session", nil, &me)
	w.agent.become(who, me.Member.ID, nil)
	return err
}

// ask asks for the log after a position of another workspace, which must be refused by a
// reset, and shows the workspace's own events.
func (w *workspace) ask(ctx context.Context) error {
	position := w.other.streams[0].at()
	if position == "" {
		return nil
	}
	var p struct {
		Data  []event
		Reset bool
	}
	_, err := w.fleet.send(ctx, w.key, http.MethodGet, "/v1/public/events?limit=3&after="+url.QueryEscape(position), nil, &p)
	if err == nil && !p.Reset {
		w.fleet.faultf("a position of another workspace is taken for one's own")
	}
	w.fleet.count(func(c *Counts) { c.Foreign++ })
	return err
}

// log reads the whole log with the key that has every scope.
func (w *workspace) log(ctx context.Context) (position string, all []event, err error) {
	for {
		var p struct {
			Data       []event
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
			Reset      bool
		}
		_, err := w.fleet.send(ctx, w.key, http.MethodGet, "/v1/public/events?limit=200&after="+position, nil, &p)
		if err != nil || p.Reset {
			return position, all, errors.Join(err, fmt.Errorf("reset: %t", p.Reset))
		}
		position, all = p.NextCursor, append(all, p.Data...)
		if !p.HasMore {
			return position, all, nil
		}
	}
}

// check compares what each stream was told with the log.
func (w *workspace) check(ctx context.Context) {
	position, all, err := w.log(ctx)
	if err != nil {
		w.fleet.faultf("%v", err)
		return
	}
	for n, e := range all {
		if e.Seq != int64(n+1) {
			w.fleet.faultf("event %d of the log has the number %d", n+1, e.Seq)
			return
		}
	}
	w.fleet.count(func(c *Counts) { c.Events += int64(len(all)) })
	for _, s := range w.streams {
		for deadline := time.Now().Add(settleTime); s.at() != position && time.Now().Before(deadline) && len(w.fleet.faults()) == 0; {
			time.Sleep(20 * time.Millisecond)
		}
		s.compare(all)
	}
}

// mayRead reports whether scopes open a type of events.
func mayRead(scopes []string, kind string) bool {
	first, _, _ := strings.Cut(kind, ".")
	need, ok := opens[first]
	if !ok {
		need = "conversations:read"
	}
	return scopes == nil || slices.Contains(scopes, need)
}

func isDone(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
