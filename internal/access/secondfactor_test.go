package access_test

import (
	"encoding/base32"
	"errors"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/access/factor"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/store"
)

const (
	wrongCode = "code: must be the code that your app shows now, or a recovery code that was not used"
	noHalf    = "your sign-in has expired; start again with your password"
	overSetUp = "setUp: must be from a set-up of your own that began at most 10 minutes ago"
)

// nowhere is the client of requests of which no test reads from where they came.
var nowhere entry.Client

// A phone is the app of a member who has a second factor.
type phone struct {
	w      *desktest.World
	secret factor.Secret
	codes  []string // for recovery
	entry  access.Entry
}

func secretOf(w *desktest.World, made access.FactorSetUp) factor.Secret {
	w.T.Helper()
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(made.Secret)
	w.Must(err)
	if !strings.Contains(made.Address, "secret="+made.Secret) {
		w.T.Errorf("the address is %s, and the secret %s", made.Address, made.Secret)
	}
	return secret
}

// setUp sets up a second factor.
func setUp(w *desktest.World, by desk.Caller, password string) phone {
	w.T.Helper()
	made, err := w.Access.SecondFactors().Begin(w.T.Context(), by, password)
	w.Must(err)
	p := phone{w: w, secret: secretOf(w, made)}
	done, err := w.Access.SecondFactors().Set(w.T.Context(), by, access.FactorChange{SetUp: made.SetUp, Code: p.code()})
	w.Must(err)
	p.codes, p.entry = done.RecoveryCodes, done.Entry
	return p
}

// code is what the phone shows now.
func (p phone) code() string { return p.secret.Code(factor.Step(p.w.Now())) }

// next is the code after one that was used.
func (p phone) next() string {
	p.w.Advance(30 * time.Second)
	return p.code()
}

// half signs in with the owner's password, which must lead to a step.
func half(w *desktest.World, step access.Step) access.Half {
	w.T.Helper()
	entry, err := signIn(w, w.Home.OwnerPassword, "192.0.2.1", "")
	w.Must(err)
	if entry.Step != step || entry.Half == "" || entry.Token != "" || entry.Tickets != "" || entry.SignedIn.Workspace.ID != w.Home.Workspace.ID {
		w.T.Fatalf("the password leads to %+v, want the step %s", entry, step)
	}
	return entry.Half
}

func second(w *desktest.World, half access.Half, code string) (access.Entry, error) {
	return w.Access.SignInByCode(w.T.Context(), access.SecondStep{Half: half, Code: code, Address: "192.0.2.1"})
}

// TestSecondFactor sets one up, signs in by it, and turns it off.
func TestSecondFactor(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		_, before, err := w.Access.StartSession(t.Context(), w.By(), w.Home.Owner.ID, "before")
		w.Must(err)
		_, err = w.Access.SecondFactors().Begin(t.Context(), w.By(), "wrong")
		w.Refused(err, parley.Invalid, "current: must be your password")
		p := setUp(w, w.By(), w.Home.OwnerPassword)
		_, err = w.Access.AuthenticateSession(t.Context(), before)
		w.Refused(err, parley.Unauthenticated, "you are signed out; sign in again")
		_, err = w.Access.AuthenticateSession(t.Context(), p.entry.Token)
		w.Must(err)
		own, err := w.Access.SecondFactors().Own(w.Home.Workspace.ID, w.Home.Owner.ID).Now(t.Context())
		if err != nil || own != (access.OwnFactor{Since: w.Now(), RecoveryCodes: 10}) {
			t.Errorf("the owner's second factor is %+v, %v", own, err)
		}

		h := half(w, access.StepCode)
		_, err = w.Access.AuthenticateSession(t.Context(), parley.Token(h))
		w.Refused(err, parley.Unauthenticated, "you are signed out; sign in again")
		_, err = second(w, h, p.code())
		w.Refused(err, parley.Invalid, wrongCode) // it was used for setting up
		code := p.next()
		in, err := second(w, h, code[:3]+" "+code[3:])
		if err != nil || in.SignedIn.Member.ID != w.Home.Owner.ID || in.Tickets == "" {
			t.Errorf("a code gives %+v, %v", in, err)
		}
		_, err = w.Access.AuthenticateSession(t.Context(), in.Token)
		w.Must(err)
		_, err = second(w, h, code)
		w.Refused(err, parley.Invalid, wrongCode)
		for range 2 {
			w.Advance(30 * time.Second)
		}
		_, err = second(w, h, code)
		w.Refused(err, parley.Invalid, wrongCode)

		_, err = w.Access.SecondFactors().TurnOff(t.Context(), w.By(), access.FactorEnd{Password: "wrong"})
		w.Refused(err, parley.Invalid, "current: must be your password")
		off, err := w.Access.SecondFactors().TurnOff(t.Context(), w.By(), access.FactorEnd{Password: w.Home.OwnerPassword})
		w.Must(err)
		_, err = w.Access.AuthenticateSession(t.Context(), in.Token)
		w.Refused(err, parley.Unauthenticated, "you are signed out; sign in again")
		_, err = w.Access.AuthenticateSession(t.Context(), off.Token)
		w.Must(err)
		if entry, err := signIn(w, w.Home.OwnerPassword, "192.0.2.1", ""); err != nil || entry.Step != "" {
			t.Errorf("without a second factor the password leads to %+v, %v", entry, err)
		}
		_, err = second(w, h, p.next())
		w.Refused(err, parley.Unauthenticated, noHalf)
		_, err = w.Access.SecondFactors().TurnOff(t.Context(), w.By(), access.FactorEnd{Password: w.Home.OwnerPassword})
		w.Refused(err, parley.Conflict, "there is no second factor")
		_, err = w.Access.SecondFactors().RenewRecoveryCodes(t.Context(), w.By(), w.Home.OwnerPassword)
		w.Refused(err, parley.Conflict, "there is no second factor")
	})
}

// TestSetUps tries set-ups that are over, another member's, or without the right
// code.
func TestSetUps(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		made, err := w.Access.SecondFactors().Begin(t.Context(), w.By(), w.Home.OwnerPassword)
		w.Must(err)
		p := phone{w: w, secret: secretOf(w, made)}
		set := func(by desk.Caller, setUp, code string) error {
			_, err := w.Access.SecondFactors().Set(t.Context(), by, access.FactorChange{SetUp: setUp, Code: code})
			return err
		}
		w.Refused(set(w.By(), made.SetUp, p.secret.Code(1)), parley.Invalid, "code: must be the code that your app shows now; if it is, check the clock of the phone")
		for _, odd := range []string{"", "x", "=", made.SetUp[1:], strings.Repeat("A", 400)} {
			w.Refused(set(w.By(), odd, p.code()), parley.Invalid, overSetUp)
		}
		w.Refused(set(member(w, parley.Agent), made.SetUp, p.code()), parley.Invalid, overSetUp)
		w.Advance(10*time.Minute - time.Second)
		w.Must(set(w.By(), made.SetUp, p.code()))
		w.Advance(time.Second)
		w.Refused(set(w.By(), made.SetUp, p.code()), parley.Invalid, overSetUp)

		other := setUp(w, w.By(), w.Home.OwnerPassword) // another phone
		h := half(w, access.StepCode)
		_, err = second(w, h, "0000-0000-0000-0000")
		w.Refused(err, parley.Invalid, wrongCode)
		_, err = second(w, h, p.next())
		w.Refused(err, parley.Invalid, wrongCode)
		_, err = second(w, h, other.code())
		w.Must(err)
	})
}

// TestSetUpEndsWithThePassword begins a set-up with a password that is changed then:
// whoever knew the password must not complete it.
func TestSetUpEndsWithThePassword(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		made, err := w.Access.SecondFactors().Begin(t.Context(), w.By(), w.Home.OwnerPassword)
		w.Must(err)
		_, err = w.Access.ChangePassword(t.Context(), w.By(), access.PasswordChange{Current: w.Home.OwnerPassword, Next: password})
		w.Must(err)
		_, err = w.Access.SecondFactors().Set(t.Context(), w.By(), access.FactorChange{SetUp: made.SetUp, Code: secretOf(w, made).Code(factor.Step(w.Now()))})
		w.Refused(err, parley.Invalid, overSetUp)
		setUp(w, w.By(), password)
	})
}

// TestLongNames sets up a second factor in a workspace whose name is as long as it may be.
func TestLongNames(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		_, err := w.Access.RenameWorkspace(t.Context(), w.By(), strings.Repeat("株", 255))
		w.Must(err)
		made, err := w.Access.SecondFactors().Begin(t.Context(), w.By(), w.Home.OwnerPassword)
		w.Must(err)
		if len(made.Address) > 800 || !strings.Contains(made.Address, url.QueryEscape(strings.Repeat("株", 30))) {
			t.Errorf("the address of the QR code has %d bytes: %s", len(made.Address), made.Address)
		}
	})
}

// TestRecoveryCodes signs in by each once, and renews them.
func TestRecoveryCodes(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		p := setUp(w, w.By(), w.Home.OwnerPassword)
		h := half(w, access.StepCode)
		in, err := second(w, h, strings.ToUpper(strings.ReplaceAll(p.codes[3], "-", " ")))
		if err != nil || in.Token == "" {
			t.Errorf("a recovery code gives %+v, %v", in, err)
		}
		_, err = second(w, h, p.codes[3])
		w.Refused(err, parley.Invalid, wrongCode)
		left := func(want int) {
			t.Helper()
			if own, err := w.Access.SecondFactors().Own(w.Home.Workspace.ID, w.Home.Owner.ID).Now(t.Context()); err != nil || own.RecoveryCodes != want {
				t.Errorf("%d codes are left, %v, want %d", own.RecoveryCodes, err, want)
			}
		}
		left(9)
		_, err = w.Access.SecondFactors().RenewRecoveryCodes(t.Context(), w.By(), "wrong")
		w.Refused(err, parley.Invalid, "current: must be your password")
		renewed, err := w.Access.SecondFactors().RenewRecoveryCodes(t.Context(), w.By(), w.Home.OwnerPassword)
		w.Must(err)
		left(10)
		_, err = second(w, h, p.codes[4])
		w.Refused(err, parley.Invalid, wrongCode)
		_, err = second(w, h, renewed[9])
		w.Must(err)
	})
}

// TestCodesAreUsedOnce gives one code many times at once.
func TestCodesAreUsedOnce(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		p := setUp(w, w.By(), w.Home.OwnerPassword)
		h := half(w, access.StepCode)
		for what, code := range map[string]string{"a code": p.next(), "a recovery code": p.codes[0]} {
			var all sync.WaitGroup
			var entered atomic.Int64
			for range 8 {
				all.Go(func() {
					if _, err := second(w, h, code); err == nil {
						entered.Add(1)
					}
				})
			}
			all.Wait()
			if entered.Load() != 1 {
				t.Errorf("%s opened %d sessions", what, entered.Load())
			}
		}
	})
}

// TestHalfSessionsEnd tries half sessions that must open nothing any more.
func TestHalfSessionsEnd(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		p := setUp(w, w.By(), w.Home.OwnerPassword)
		closed := func(what string, h access.Half) {
			t.Helper()
			if _, err := second(w, h, p.next()); parley.KindOf(err) != parley.Unauthenticated || err.Error() != noHalf {
				t.Errorf("%s gives %v", what, err)
			}
			_, err := w.Access.SecondFactors().BeginRequired(t.Context(), h)
			w.Refused(err, parley.Unauthenticated, noHalf)
		}
		h := half(w, access.StepCode)
		for _, odd := range []access.Half{"", ".", "a.b", h[1:], h[:len(h)-2], h + "x", access.Half(strings.Repeat("A", 1000))} {
			closed(string(odd), odd)
		}
		flipped := []byte(h)
		flipped[3] ^= 1
		closed("another time", access.Half(flipped))

		h = half(w, access.StepCode)
		w.Advance(access.HalfLife)
		closed("one that expired", h)

		h = half(w, access.StepCode)
		_, err := w.Access.ChangePassword(t.Context(), w.By(), access.PasswordChange{Current: w.Home.OwnerPassword, Next: password})
		w.Must(err)
		closed("one of another password", h)
	})
}

// TestHalfSessionsSetUpNothing lets nobody who knows a password alone replace
// the second factor.
func TestHalfSessionsSetUpNothing(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		p := setUp(w, w.By(), w.Home.OwnerPassword)
		h := half(w, access.StepCode)
		_, err := w.Access.SecondFactors().BeginRequired(t.Context(), h)
		w.Refused(err, parley.Unauthenticated, noHalf)
		made, err := w.Access.SecondFactors().Begin(t.Context(), w.By(), w.Home.OwnerPassword)
		w.Must(err)
		_, err = w.Access.SecondFactors().SetRequired(t.Context(), h, nowhere, access.FactorChange{
			SetUp: made.SetUp, Code: secretOf(w, made).Code(factor.Step(w.Now())),
		})
		w.Refused(err, parley.Unauthenticated, noHalf)
		_, err = second(w, h, p.next())
		w.Must(err)
	})
}

// TestLinksKeepTheFactor resets passwords: the second step stays.
func TestLinksKeepTheFactor(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		p := setUp(w, w.By(), w.Home.OwnerPassword)
		link, err := w.Access.ResetPassword(t.Context(), desk.Caller{Workspace: w.Home.Workspace.ID}, w.Home.Owner.ID)
		w.Must(err)
		entry, err := w.Access.AcceptInvitation(t.Context(), access.Acceptance{Token: link.Token, Password: password})
		if err != nil || entry.Step != access.StepCode || entry.Token != "" || entry.Tickets != "" {
			t.Errorf("the link gives %+v, %v", entry, err)
		}
		_, err = w.Access.AuthenticateSession(t.Context(), p.entry.Token)
		w.Refused(err, parley.Unauthenticated, "you are signed out; sign in again")
		_, err = second(w, entry.Half, p.next())
		w.Must(err)

		_, w.Home.OwnerPassword, err = w.Access.SetRandomPassword(t.Context(), desk.Caller{Workspace: w.Home.Workspace.ID}, w.Home.Owner.ID)
		w.Must(err)
		_, err = second(w, half(w, access.StepCode), p.next())
		w.Must(err)
	})
}

// TestRequiredFactor has an owner require second factors: members without one
// are signed out, and can only set one up.
func TestRequiredFactor(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		_, err := w.Access.SecondFactors().Require(t.Context(), w.By(), true)
		w.Refused(err, parley.Conflict, "set up your own second factor first")
		p := setUp(w, w.By(), w.Home.OwnerPassword)
		m, password, err := w.Access.CreateMember(t.Context(), w.By(), access.NewMember{Email: "bo@home.example", Name: "Bo", Role: parley.Agent})
		w.Must(err)
		bo := desk.Caller{Workspace: w.Home.Workspace.ID, Member: m.ID}
		_, token, err := w.Access.StartSession(t.Context(), bo, m.ID, "before")
		w.Must(err)
		all, err := w.Access.SecondFactors().Require(t.Context(), w.By(), true)
		if err != nil || !all.Required || len(all.Members) != 1 || all.Members[0] != w.Home.Owner.ID {
			t.Errorf("the second factors are %+v, %v", all, err)
		}
		_, err = w.Access.AuthenticateSession(t.Context(), token)
		w.Refused(err, parley.Unauthenticated, "you are signed out; sign in again")
		_, err = w.Access.AuthenticateSession(t.Context(), p.entry.Token)
		w.Must(err)
		_, err = w.Access.SecondFactors().TurnOff(t.Context(), w.By(), access.FactorEnd{Password: w.Home.OwnerPassword})
		w.Refused(err, parley.Conflict, "the workspace requires a second factor; set up another one instead")

		entry, err := w.Access.SignIn(t.Context(), access.SignIn{Email: m.Email, Password: password})
		if err != nil || entry.Step != access.StepSetUp || entry.Token != "" {
			t.Fatalf("the password leads to %+v, %v", entry, err)
		}
		_, err = second(w, entry.Half, "123456")
		w.Refused(err, parley.Unauthenticated, noHalf)
		made, err := w.Access.SecondFactors().BeginRequired(t.Context(), entry.Half)
		w.Must(err)
		change := access.FactorChange{SetUp: made.SetUp, Code: secretOf(w, made).Code(factor.Step(w.Now()))}
		_, err = w.Access.SecondFactors().SetRequired(t.Context(), entry.Half+"x", nowhere, change)
		w.Refused(err, parley.Unauthenticated, noHalf)
		done, err := w.Access.SecondFactors().SetRequired(t.Context(), entry.Half, nowhere, change)
		w.Must(err)
		if in, err := w.Access.AuthenticateSession(t.Context(), done.Entry.Token); err != nil || in.Member.ID != m.ID || len(done.RecoveryCodes) != 10 {
			t.Errorf("the set-up gives %+v, %v", done, err)
		}

		link := invite(w, w.By(), "cy@home.example", parley.Agent)
		entry, err = w.Access.AcceptInvitation(t.Context(), access.Acceptance{Token: link.Token, Name: "Cy", Password: "a good password"})
		if err != nil || entry.Step != access.StepSetUp || entry.Token != "" {
			t.Errorf("an invitation gives %+v, %v", entry, err)
		}
		_, err = w.Access.SecondFactors().Require(t.Context(), w.By(), false)
		w.Must(err)
		if entry, err := w.Access.SignIn(t.Context(), access.SignIn{Email: "cy@home.example", Password: "a good password"}); err != nil || entry.Token == "" {
			t.Errorf("when it is not required any more, the password leads to %+v, %v", entry, err)
		}
	})
}

// TestResetFactor resets second factors of members of every role as members of
// every role, and on the command line, and removes a member who has one.
func TestResetFactor(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		withFactor := func(role parley.Role) desk.Caller {
			m, password, err := w.Access.CreateMember(t.Context(), w.By(), access.NewMember{Email: newcomer(), Name: "M", Role: role})
			w.Must(err)
			by := desk.Caller{Workspace: w.Home.Workspace.ID, Member: m.ID}
			setUp(w, by, password)
			return by
		}
		for _, actor := range parley.Roles {
			by := member(w, actor)
			for _, role := range parley.Roles {
				of := withFactor(role)
				_, token, err := w.Access.StartSession(t.Context(), of, of.Member, "before")
				w.Must(err)
				may := actor == parley.Owner || actor == parley.Admin && role == parley.Agent
				_, err = w.Access.SecondFactors().Reset(t.Context(), by, of.Member)
				if may && err != nil || !may && parley.KindOf(err) != parley.Forbidden {
					t.Errorf("by an %s of an %s gives %v", actor, role, err)
				}
				if _, err := w.Access.AuthenticateSession(t.Context(), token); (err != nil) != may {
					t.Errorf("after a reset by an %s of an %s, the session gives %v", actor, role, err)
				}
			}
		}
		program := desk.Caller{Workspace: w.Home.Workspace.ID}
		of := withFactor(parley.Owner)
		_, err := w.Access.SecondFactors().Reset(t.Context(), of, of.Member)
		w.Refused(err, parley.Conflict, "turn off your own second factor in your settings")
		for range 2 {
			m, err := w.Access.SecondFactors().Reset(t.Context(), program, of.Member)
			if err != nil || m.ID != of.Member {
				t.Errorf("the command line gets %+v, %v", m, err)
			}
		}

		of = withFactor(parley.Agent)
		gone, err := w.Access.RemoveMember(t.Context(), w.By(), of.Member)
		w.Must(err)
		w.Must(w.Store.View(t.Context(), func(v *store.View) error {
			_, err := factor.SelectFactor(v, w.Home.Workspace.ID, of.Member)
			w.Refused(err, parley.NotFound, "no such second factor in this workspace")
			n, err := factor.CountRecoveryCodes(v, w.Home.Workspace.ID, of.Member)
			if n > 0 {
				t.Errorf("%d recovery codes stay", n)
			}
			return err
		}))
		link := invite(w, w.By(), gone.Email, parley.Agent)
		entry, err := w.Access.AcceptInvitation(t.Context(), access.Acceptance{Token: link.Token, Name: "M", Password: password})
		if err != nil || entry.SignedIn.Member.ID != of.Member || entry.Token == "" {
			t.Errorf("a former member comes back by %+v, %v", entry, err)
		}
	})
}

// TestCodesAreThrottled guesses codes with the right password: a right password
// in between does not clear the count, and a browser that signed in before is
// not delayed.
func TestCodesAreThrottled(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		p := setUp(w, w.By(), w.Home.OwnerPassword)
		step := func(address string, tickets access.Tickets, code string) error {
			entry, err := signIn(w, w.Home.OwnerPassword, address, tickets)
			w.Must(err)
			_, err = w.Access.SignInByCode(t.Context(), access.SecondStep{Half: entry.Half, Code: code, Address: address, Tickets: tickets})
			return err
		}
		for range 10 {
			w.Refused(step("192.0.2.9", "", "000000x"), parley.Invalid, wrongCode)
		}
		w.Advance(500 * time.Millisecond)
		limited(t, "the guessing address", step("192.0.2.9", "", p.code()), 15*time.Minute-500*time.Millisecond)
		limited(t, "another address", step("192.0.2.2", "", p.code()), 500*time.Millisecond)
		if got := w.Access.Refused(); got[access.BadCode] != 10 || got[access.Throttled] != 2 || got[access.BadPassword] != 0 {
			t.Errorf("the refusals are %v", got)
		}
		w.Must(step("192.0.2.9", p.entry.Tickets, p.next()))
		w.Must(step("192.0.2.2", "", p.next()))

		for range 10 { // strangers guess passwords, and delay no code
			_, err := signIn(w, "wrong", "192.0.2.66", "")
			w.Refused(err, parley.Unauthenticated, "email or password is wrong")
		}
		w.Advance(time.Second)
		entry, err := signIn(w, w.Home.OwnerPassword, "192.0.2.2", "")
		w.Must(err)
		_, err = w.Access.SignInByCode(t.Context(), access.SecondStep{Half: entry.Half, Code: p.next(), Address: "192.0.2.2"})
		w.Must(err)
		var refused *parley.Error
		if _, err := signIn(w, w.Home.OwnerPassword, "192.0.2.66", ""); !errors.As(err, &refused) || refused.Kind != parley.Limited {
			t.Errorf("the guessing address gets %v", err)
		}
	})
}
