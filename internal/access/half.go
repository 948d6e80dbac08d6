package access

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/access/factor"
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
)

// A Half is the token of a half session: it shows that a member's password, or
// a link, was right a moment ago, and that the second step is missing. It has
// the time of its end, the workspace, the member, and a signature over these
// and the hash of the password, so another password ends it. Nothing of it is
// stored, and it opens nothing but the second step (ADR 107).
type Half string

const (
	halfSeal = "password that was right"
	halfHead = 8 + len(parley.WorkspaceID{}) // the end in Unix seconds, and the workspace
	maxHalf  = 300                           // in characters
)

// errNoHalf is the error for a half session that has ended, whatever the reason.
func errNoHalf() error {
	return parley.Errorf(parley.Unauthenticated, "your sign-in has expired; start again with your password")
}

// newHalf returns the token of a half session for a member.
func (svc *Service) newHalf(ws parley.WorkspaceID, m *parley.Member) Half {
	body := binary.BigEndian.AppendUint64(nil, uint64(svc.clock.Now().Add(HalfLife).Unix()))
	body = append(append(body, ws[:]...), m.ID...)
	return Half(base64.RawURLEncoding.EncodeToString(body) + "." +
		base64.RawURLEncoding.EncodeToString(svc.vault.Sign(halfSeal, halfStatement(body, m))))
}

// halfStatement is what the signature covers. The hash of the password has no
// NUL character.
func halfStatement(body []byte, m *parley.Member) []byte {
	return slices.Concat([]byte(m.PasswordHash), []byte{0}, body)
}

// A halfSession is an open half session.
type halfSession struct {
	workspace parley.Workspace
	member    parley.Member
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
	ws := parley.WorkspaceID(body[8:halfHead])
	h, err := desk.View(svc.desk, func(v *store.View) (h halfSession, err error) {
		if h.member, err = v.Member(ws, parley.UserID(body[halfHead:])); err == nil {
			h.workspace, err = v.Workspace(ws)
		}
		return h, err
	}).Now(ctx)
	if parley.KindOf(err) == parley.NotFound || err == nil && !svc.vault.Signed(halfSeal, halfStatement(body, &h.member), signature) {
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
