package access

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/access/factor"
	"parley/internal/access/provider"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// HalfLife is how long a member whose password was right has for the second step.
const HalfLife = 10 * time.Minute

// A Step is what a member whose password was right must do before a session
// starts.
type Step string

// The steps.
const (
	StepCode  Step = "code"  // give a code of the second factor
	StepSetUp Step = "setUp" // set up a second factor, because the workspace requires one
	// StepProvider is to sign in with the provider, because the workspace requires it. There
	// is no half session for it: a password counts for nothing then.
	StepProvider Step = "provider"
)

// A Half is the token of a half session: it shows that a member's password, a
// link, or the provider was right a moment ago, and that the second step is missing. It has
// the time of its end, the workspace, the way, the member, and a signature over these,
// the hash of the password, the issuer of the provider, and how often all sessions of the
// member were ended: another password or provider ends it, and so does whatever ends all
// sessions, also of a member without a password. Nothing of it is
// stored, and it opens nothing but the second step (ADR 107).
type Half string

// A way is how a member showed the first factor.
type way struct {
	provider bool     // by the provider; else by a password or a link
	session  [32]byte // the hash of the provider's name for its session; zero if it has none
	// proven is when the person showed the provider who they are, in seconds; zero if the
	// provider does not say. For a password or a link it does not count.
	proven time.Time
}

// confirmedAt is when the member of a session that begins now proved who they are; zero if
// that is unknown. A provider may let a browser in that it knows, without asking anybody.
func (w way) confirmedAt(now time.Time) time.Time {
	if w.provider && w.proven.Before(now) {
		return w.proven
	}
	return now
}

// stored returns the hash of the provider's session as it is stored, "" for none.
func (w way) stored() string {
	if w.session == ([32]byte{}) {
		return ""
	}
	return hex.EncodeToString(w.session[:])
}

const (
	halfSeal = "password that was right"
	halfWay  = 8 + len(parley.WorkspaceID{})    // behind the end in Unix seconds, and the workspace
	halfTime = halfWay + 1 + len(way{}.session) // behind the way but for its time
	halfHead = halfTime + 8                     // behind that in Unix seconds, 0 for none
	maxHalf  = 300                              // in characters
)

// errNoHalf is the error for a half session that has ended, whatever the reason.
func errNoHalf() error {
	return parley.Errorf(parley.Unauthenticated, "your sign-in has expired; start again with your password")
}

// newHalf returns the token of a half session for a member who showed the first factor.
func (svc *Service) newHalf(h *halfSession) Half {
	body := binary.BigEndian.AppendUint64(nil, uint64(svc.clock.Now().Add(HalfLife).Unix()))
	body = append(body, h.workspace.ID[:]...)
	body = append(body, 0)
	if h.way.provider {
		body[halfWay] = 1
	}
	proven := uint64(0)
	if !h.way.proven.IsZero() {
		proven = uint64(h.way.proven.Unix())
	}
	body = binary.BigEndian.AppendUint64(append(body, h.way.session[:]...), proven)
	body = append(body, h.member.ID...)
	return Half(base64.RawURLEncoding.EncodeToString(body) + "." +
		base64.RawURLEncoding.EncodeToString(svc.vault.Sign(halfSeal, h.statement(body))))
}

// A halfSession is an open half session.
type halfSession struct {
	workspace parley.Workspace
	member    parley.Member
	way       way
	ended     int64  // how often all sessions of the member were ended
	issuer    string // of the provider by which it was opened; "" for none
}

// statement is what the signature covers. Neither the hash of the password nor the issuer
// has a NUL character.
func (h *halfSession) statement(body []byte) []byte {
	return fmt.Appendf(nil, "%s\x00%s\x00%d\x00%s", h.member.PasswordHash, h.issuer, h.ended, body)
}

// halfOf returns the half session that a member may have now. One that the workspace does
// not allow, because it requires its provider or has none any more, is Unauthenticated.
func halfOf(v *store.View, ws parley.WorkspaceID, member parley.UserID, by way) (h halfSession, err error) {
	h.way = by
	if h.member, err = v.Member(ws, member); err != nil {
		return h, err
	}
	if h.workspace, err = v.Workspace(ws); err != nil {
		return h, err
	}
	if h.ended, err = credential.SelectSessionsEnded(v, ws, member); err != nil {
		return h, err
	}
	s, err := provider.SettingsOf(v, ws)
	if err != nil {
		return h, err
	}
	if by.provider {
		h.issuer = s.Issuer
	}
	if err := stillThere(v, ws, by); err != nil {
		return h, err
	}
	if by.provider && s.Issuer == "" || !by.provider && s.Excludes(&h.member) {
		err = errNoHalf()
	}
	return h, err
}

func (h *halfSession) caller(client entry.Client) desk.Caller {
	return desk.Caller{Workspace: h.workspace.ID, Member: h.member.ID, Actor: parley.MemberActor(&h.member), Client: client}
}

// openHalf returns the half session of a token. One that is malformed, forged or
// expired, or whose member has another password or was removed, is
// Unauthenticated.
func (svc *Service) openHalf(ctx context.Context, half Half) (halfSession, error) {
	body, signature, ok := half.parts()
	if !ok || !svc.clock.Now().Before(time.Unix(int64(binary.BigEndian.Uint64(body)), 0)) {
		return halfSession{}, errNoHalf()
	}
	ws := parley.WorkspaceID(body[8:halfWay])
	by := way{provider: body[halfWay] == 1, session: [32]byte(body[halfWay+1:])}
	if proven := binary.BigEndian.Uint64(body[halfTime:]); proven != 0 {
		by.proven = time.Unix(int64(proven), 0).UTC()
	}
	h, err := desk.Snapshot(svc.desk, func(v *store.View) (halfSession, error) {
		return halfOf(v, ws, parley.UserID(body[halfHead:]), by)
	}).Now(ctx)
	if parley.KindOf(err) == parley.NotFound || err == nil && !svc.vault.Signed(halfSeal, h.statement(body), signature) {
		err = errNoHalf()
	}
	return h, err
}

// parts returns what a token says, and its signature.
func (h Half) parts() (body, signature []byte, ok bool) {
	if len(h) > maxHalf {
		return nil, nil, false
	}
	first, second, _ := strings.Cut(string(h), ".")
	body, bodyErr := base64.RawURLEncoding.Strict().DecodeString(first)
	signature, signatureErr := base64.RawURLEncoding.Strict().DecodeString(second)
	ok = bodyErr == nil && signatureErr == nil && len(body) > halfHead && parley.UserID(body[halfHead:]).WellFormed()
	return body, signature, ok
}

// missing returns what a member who showed the first factor must do before a session
// starts, or "".
func missing(v store.Reader, ws parley.WorkspaceID, m *parley.Member, by way) (Step, error) {
	s, err := provider.SettingsOf(v, ws)
	switch {
	case err != nil:
		return "", err
	case !by.provider && s.Excludes(m):
		return StepProvider, nil
	case by.provider && s.TrustsFactor:
		return "", nil
	}
	return nextStep(v, ws, m.ID)
}

// nextStep returns what a member must do before a session starts, or "".
func nextStep(v store.Reader, ws parley.WorkspaceID, member parley.UserID) (Step, error) {
	_, err := factor.SelectFactor(v, ws, member)
	if err == nil {
		return StepCode, nil
	}
	if parley.KindOf(err) != parley.NotFound {
		return "", err
	}
	required, err := factor.SelectRequired(v, ws)
	if err == nil && required {
		return StepSetUp, nil
	}
	return "", err
}
