package demo

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/assets"
	"parley/internal/chatapp/chatsim"
	"parley/internal/desk"
	"parley/internal/httpjson"
)

//go:embed phone
var phoneFiles embed.FS

// phonePolicy lets the page load only its own files and pictures.
const phonePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// Limits of the page's requests, which need no sign-in.
const (
	mostPolls   = 32               // waiting requests at a time
	pollTime    = 20 * time.Second // how long each waits
	mostKept    = 2000             // messages on a phone
	maxText     = 4096             // bytes of a message
	maxPicture  = 2 << 20          // bytes
	maxPictures = 40               // on a phone, each in memory
)

// Handler returns the handler for /phone, a page with the phones, and /phone/…,
// its files and requests. It answers 404 without the demo's workspace, because
// anyone who reaches it may use the phones.
func (p *Phones) Handler() (http.Handler, error) {
	routes := []httpjson.Route{
		{Method: http.MethodGet, Path: "/phone", Handler: p.here(p.servePage)},
		{Method: http.MethodGet, Path: "/phone/state", Handler: p.here(p.serveState)},
		{Method: http.MethodGet, Path: "/phone/files/{phone}/{id}", Handler: p.here(p.serveFile)},
	}
	for path, act := range map[string]action{
		"messages": p.write, "pictures": p.sendPicture, "read": p.markRead, "join": p.join, "accept": p.accept, "leave": p.leave,
		"scan": p.scan, "network": p.change, "person": p.changePerson,
	} {
		routes = append(routes, httpjson.Route{Method: http.MethodPost, Path: "/phone/" + path, Handler: p.here(act.serve)})
	}
	for _, name := range []string{"phone.css", "phone.js", "icon.svg"} {
		text, err := phoneFiles.ReadFile("phone/" + name)
		if err != nil {
			return nil, fmt.Errorf("read the phones' files: %w", err)
		}
		routes = append(routes, httpjson.Route{
			Method: http.MethodGet, Path: "/phone/" + name, Handler: http.HandlerFunc(assets.New(name, text).Serve),
		})
	}
	return httpjson.CleanPaths(httpjson.PageHeaders(httpjson.NewMux(routes))), nil
}

// here calls a handler with the demo's workspace, only for requests of the page
// itself.
func (p *Phones) here(serve func(http.ResponseWriter, *http.Request, parley.WorkspaceID) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := httpjson.SameSite(r)
		var ws parley.WorkspaceID
		if err == nil {
			ws, err = demoWorkspace(r.Context(), p.Desk)
		}
		if err == nil {
			err = serve(w, r, ws)
		}
		if err != nil {
			httpjson.WriteError(w, r, p.Log, err)
		}
	})
}

func (p *Phones) servePage(w http.ResponseWriter, _ *http.Request, _ parley.WorkspaceID) error {
	h := w.Header()
	h.Set("Content-Security-Policy", phonePolicy)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	_, _ = w.Write(p.page) // a caller who has left needs no page
	return nil
}

// serveState answers with the state as soon as it differs from the caller's, or
// after pollTime.
func (p *Phones) serveState(w http.ResponseWriter, r *http.Request, ws parley.WorkspaceID) error {
	in := httpjson.NewReader(r)
	after, _ := in.Query("after")
	if err := in.Err(); err != nil {
		return err
	}
	select {
	case p.polls <- struct{}{}:
		defer func() { <-p.polls }()
	default:
		return &parley.Error{Kind: parley.Limited, Message: "too many pages wait for the phones", RetryAfter: time.Second}
	}
	end := time.NewTimer(pollTime)
	defer end.Stop()
	ticker := time.NewTicker(pollInterval) // groups and numbers have no change signal
	defer ticker.Stop()
	for over := false; ; {
		s, changed, err := p.state(r.Context(), ws)
		if err != nil {
			return err
		}
		body, err := versioned(&s)
		if err != nil {
			return err
		}
		if over || s.Version != after {
			httpjson.OK(body).Write(w)
			return nil
		}
		select {
		case <-changed:
		case <-ticker.C:
		case <-end.C:
			over = true
		case <-r.Context().Done():
			return nil // the caller has left
		}
	}
}

// versioned renders a state with a version derived from its content.
func versioned(s *phonesState) ([]byte, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	s.Version = hex.EncodeToString(sum[:12])
	return json.Marshal(s)
}

// serveFile answers with the file of a message.
func (p *Phones) serveFile(w http.ResponseWriter, r *http.Request, _ parley.WorkspaceID) error {
	none := parley.NotFoundf("there is no such file")
	one := p.phone(r.PathValue("phone"))
	if one == nil {
		return none
	}
	all := one.Messages()
	i := slices.IndexFunc(all, func(m chatsim.Message) bool {
		return m.ID == r.PathValue("id") && m.Media != nil && m.Media.Data != nil
	})
	if i < 0 {
		return none
	}
	media := all[i].Media
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, max-age=86400, immutable")
	h.Set("Content-Type", "application/octet-stream")
	if isPicture(media.ContentType) {
		h.Set("Content-Type", media.ContentType)
	} else {
		h.Set("Content-Disposition", "attachment")
	}
	_, _ = w.Write(media.Data) // a caller who has left needs no file
	return nil
}

// An action is an action of the owner of a phone.
type action func(context.Context, *httpjson.Reader, parley.WorkspaceID) error

// serve answers 204 after the action.
func (act action) serve(w http.ResponseWriter, r *http.Request, ws parley.WorkspaceID) error {
	ctx, cancel := context.WithTimeout(r.Context(), phoneTime)
	defer cancel()
	if err := act(ctx, httpjson.NewReader(r), ws); err != nil {
		return err
	}
	httpjson.Reply{Status: http.StatusNoContent}.Write(w)
	return nil
}

// refused returns the error for an action that the network or the client
// refused.
func refused(err error) error {
	if err == nil {
		return nil
	}
	return &parley.Error{Kind: parley.Conflict, Message: "the phone says: " + err.Error(), Cause: err}
}

// holder returns the phone named in the body.
func (p *Phones) holder(in *httpjson.Reader) (*phone, error) {
	number := httpjson.Required(in, "phone", httpjson.Phone)
	if err := in.Err(); err != nil {
		return nil, err
	}
	return p.mustPhone(string(number))
}

func (p *Phones) mustPhone(number string) (*phone, error) {
	if one := p.phone(number); one != nil {
		return one, nil
	}
	return nil, parley.NotFoundf("this phone is not on")
}

func (p *Phones) write(ctx context.Context, in *httpjson.Reader, _ parley.WorkspaceID) error {
	in.ReadBody()
	to := httpjson.Required(in, "chat", httpjson.Filled(100))
	text := httpjson.Required(in, "text", httpjson.Content(maxText))
	one, err := p.holder(in)
	if err != nil {
		return err
	}
	if len(one.Messages()) >= mostKept {
		return parley.Errorf(parley.Conflict, "the phone is full; the demo's next start empties it")
	}
	_, err = one.Send(ctx, to, text)
	return refused(err)
}

// sendPicture sends the body as a picture; phone and chat are in the query.
func (p *Phones) sendPicture(ctx context.Context, in *httpjson.Reader, _ parley.WorkspaceID) error {
	number, _ := in.Query("phone")
	to, _ := in.Query("chat")
	if err := in.Err(); err != nil {
		return err
	}
	one, err := p.mustPhone(number)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(in.Request().Body, maxPicture+1))
	kind := http.DetectContentType(data)
	switch {
	case err != nil:
		return parley.InvalidField("body", "be sent whole")
	case len(data) > maxPicture:
		return parley.Errorf(parley.TooLarge, "a picture may have 2 MB")
	case !isPicture(kind):
		return parley.InvalidField("body", "be a picture: PNG, JPEG, GIF or WebP")
	}
	kept := 0
	for _, m := range one.Messages() {
		if m.Media != nil {
			kept++
		}
	}
	if kept >= maxPictures {
		return parley.Errorf(parley.Conflict, "the phone has no room for more pictures; the demo's next start empties it")
	}
	_, err = one.SendMedia(ctx, to, chatsim.Media{ContentType: kind, Data: data})
	return refused(err)
}

func (p *Phones) markRead(ctx context.Context, in *httpjson.Reader, _ parley.WorkspaceID) error {
	in.ReadBody()
	chat := httpjson.Required(in, "chat", httpjson.Filled(100))
	one, err := p.holder(in)
	if err != nil {
		return err
	}
	for _, m := range one.unread(chat) {
		if err := one.Read(ctx, m); err != nil {
			return refused(err)
		}
	}
	p.wake()
	return nil
}

func (p *Phones) join(ctx context.Context, in *httpjson.Reader, _ parley.WorkspaceID) error {
	in.ReadBody()
	link := httpjson.Required(in, "link", httpjson.Filled(300))
	one, err := p.holder(in)
	if err != nil {
		return err
	}
	_, err = one.Join(ctx, strings.TrimSpace(link))
	return refused(err)
}

// accept joins the group of a personal invitation.
func (p *Phones) accept(ctx context.Context, in *httpjson.Reader, _ parley.WorkspaceID) error {
	in.ReadBody()
	id := httpjson.Required(in, "message", httpjson.Filled(100))
	one, err := p.holder(in)
	if err != nil {
		return err
	}
	all := one.Messages()
	i := slices.IndexFunc(all, func(m chatsim.Message) bool { return m.ID == id && !m.FromMe && m.Invited() })
	if i < 0 {
		return parley.NotFoundf("the phone has no such invitation")
	}
	return refused(one.Accept(ctx, all[i]))
}

func (p *Phones) leave(ctx context.Context, in *httpjson.Reader, _ parley.WorkspaceID) error {
	in.ReadBody()
	chat := httpjson.Required(in, "chat", httpjson.Filled(100))
	one, err := p.holder(in)
	if err != nil {
		return err
	}
	return refused(one.Leave(ctx, chat))
}

// scan pairs a number: with the text of a QR code, with a code that was typed,
// or with what the dashboard currently shows. The page itself never receives
// the codes.
func (p *Phones) scan(ctx context.Context, in *httpjson.Reader, ws parley.WorkspaceID) error {
	in.ReadBody()
	id := httpjson.Required(in, "numberId", httpjson.ID)
	code := strings.TrimSpace(httpjson.Default(in, "code", httpjson.Text(1000), ""))
	if err := in.Err(); err != nil {
		return err
	}
	all, err := p.Numbers.Numbers(ws, parley.Position{}, mostNumbers).Now(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all.Items, func(n parley.Number) bool { return n.ID == id && p.hasAccount(n.Phone) })
	if i < 0 {
		return parley.NotFoundf("there is no such number")
	}
	number := string(all.Items[i].Phone)
	if code == "" {
		step, err := p.Numbers.Pairing(desk.Caller{Workspace: ws}, id).Now(ctx)
		if err != nil {
			return err
		}
		if code = step.Code; code == "" || step.Over() {
			return parley.Errorf(parley.Conflict, "the dashboard shows no code for this number")
		}
	}
	if strings.Contains(code, ",") {
		err = p.Network.ScanQR(number, code)
	} else {
		err = p.Network.EnterCode(number, code)
	}
	if errors.Is(err, chatsim.ErrNotShown) {
		return parley.Errorf(parley.Conflict, "no code like this is shown for +%s; has it been replaced?", number)
	}
	return refused(err)
}
