package access_test

import (
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/store"
	"parley/internal/vault"
)

const password = "a good password"

// noLink is the refusal of a link, whatever the reason.
const noLink = "this link is not valid any more; ask for another one"

// newcomer is another address for each call.
func newcomer() string { return string(parley.NewIDs(nil).NewUserID()) + "@home.example" }

func invite(w *desktest.World, by desk.Caller, email string, role parley.Role) access.NewInvitation {
	w.T.Helper()
	made, err := w.Access.Invite(w.T.Context(), by, access.Invitee{Email: email, Role: role})
	w.Must(err)
	return made
}

// closed requires that a link shows and admits nobody.
func closed(w *desktest.World, token parley.Token) {
	w.T.Helper()
	_, _, err := w.Access.OpenInvitation(w.T.Context(), token)
	w.Refused(err, parley.NotFound, noLink)
	_, err = w.Access.AcceptInvitation(w.T.Context(), access.Acceptance{Token: token, Name: "Nobody", Password: password})
	w.Refused(err, parley.NotFound, noLink)
}

// TestInvitation follows a link from its making to its use: it admits one
// member, once, with the role of the invitation.
func TestInvitation(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		email := newcomer()
		made := invite(w, w.By(), email, parley.Admin)
		open, ws, err := w.Access.OpenInvitation(t.Context(), made.Token)
		if err != nil || open.Email != email || open.Role != parley.Admin || ws.ID != w.Home.Workspace.ID {
			t.Errorf("the link shows %+v of %+v, %v", open, ws, err)
		}
		_, err = w.Access.AcceptInvitation(t.Context(), access.Acceptance{Token: made.Token, Name: "Ada", Password: "short"})
		w.Refused(err, parley.Invalid, "password: must be 12 to 128 characters, not blank")
		w.Tells(func() {
			in, err := w.Access.AcceptInvitation(t.Context(), access.Acceptance{Token: made.Token, Name: "Ada", Password: password})
			if m := in.SignedIn.Member; err != nil || m.Email != email || m.Role != parley.Admin || m.Name != "Ada" {
				t.Errorf("the link makes %+v, %v", m, err)
			}
		}, "member.created")
		closed(w, made.Token)
		if _, err := w.Access.SignIn(t.Context(), access.SignIn{Email: email, Password: password}); err != nil {
			t.Errorf("the new member's password: %v", err)
		}
		_, err = w.Access.Invite(t.Context(), w.By(), access.Invitee{Email: email, Role: parley.Agent})
		w.Refused(err, parley.Conflict, "email: must not belong to a member already")
	})
}

// TestGuessablePasswords refuses passwords that others guess early, wherever a
// member chooses one; those of before still sign in.
func TestGuessablePasswords(t *testing.T) {
	const (
		common   = "must not be a common password, also doubled or with digits or other characters around it"
		pattern  = "must not be a sequence or a repetition of a few characters"
		personal = "must not be mostly your name, your e-mail address or the name of the workspace"
	)
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		w.Home = w.Found("HarbourLights")
		accept := func(token parley.Token, password string) error {
			_, err := w.Access.AcceptInvitation(t.Context(), access.Acceptance{Token: token, Name: "Ada Lovelace", Password: password})
			return err
		}
		made := invite(w, w.By(), "countess@home.example", parley.Agent)
		reset := func() parley.Token {
			m := w.Home.Owner
			_, err := w.Access.UpdateMember(t.Context(), w.By(), m.ID, access.MemberChange{Name: parley.Some("Charles Babbage")})
			w.Must(err)
			link, err := w.Access.ResetPassword(t.Context(), w.By(), m.ID)
			w.Must(err)
			return link.Token
		}
		w.Refused(accept(made.Token, "Password2026"), parley.Invalid, "password: "+common)
		w.Refused(accept(made.Token, "elevenchars"), parley.Invalid, "password: must be 12 to 128 characters, not blank")
		for _, password := range []string{"Ada.Lovelace7", "countess-home", "harbourlights1"} {
			w.Refused(accept(made.Token, password), parley.Invalid, "password: "+personal)
		}
		w.Refused(accept(reset(), "abcabcabcabc"), parley.Invalid, "password: "+pattern)
		w.Refused(accept(reset(), "charlesbabbage"), parley.Invalid, "password: "+personal)
		w.Must(accept(reset(), "babel fish and tea"))
		change := func(next string) error {
			_, err := w.Access.ChangePassword(t.Context(), w.By(), access.PasswordChange{Current: "babel fish and tea", Next: next})
			return err
		}
		w.Refused(change("monkeymonkey"), parley.Invalid, "next: "+common)
		w.Refused(change("charles.babbage"), parley.Invalid, "next: "+personal)
		w.Refused(change("harbour lights"), parley.Invalid, "next: "+personal)
		w.Must(accept(made.Token, "twelve chars"))

		hash, err := vault.Cost{Memory: 8, Passes: 1}.Hash("password")
		w.Must(err)
		w.Must(w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			m, err := tx.Member(w.Home.Workspace.ID, w.Home.Owner.ID)
			if err != nil {
				return err
			}
			m.PasswordHash = hash
			return tx.UpdateMember(w.Home.Workspace.ID, &m)
		}))
		if _, err := w.Access.SignIn(t.Context(), access.SignIn{Email: w.Home.Owner.Email, Password: "password"}); err != nil {
			t.Errorf("a password from before gives %v", err)
		}
	})
}

// TestInvitationsEnd makes links that must not admit anybody any more.
func TestInvitationsEnd(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		withdrawn := invite(w, w.By(), newcomer(), parley.Agent)
		_, err := w.Access.WithdrawInvitation(t.Context(), w.By(), withdrawn.Invitation.ID)
		w.Must(err)
		closed(w, withdrawn.Token)

		email := newcomer()
		earlier := invite(w, w.By(), email, parley.Agent)
		later := invite(w, w.By(), email, parley.Admin)
		if life := later.Invitation.ExpiresAt.Sub(w.Now()); life != parley.InvitationLife {
			t.Errorf("the link lives for %v", life)
		}
		closed(w, earlier.Token)

		inviter := member(w, parley.Admin)
		theirs := invite(w, inviter, newcomer(), parley.Agent)
		role := access.MemberChange{Role: parley.Some(parley.Agent)}
		_, err = w.Access.UpdateMember(t.Context(), w.By(), inviter.Member, role)
		w.Must(err)
		closed(w, theirs.Token)

		w.Advance(later.Invitation.ExpiresAt.Sub(w.Now()) - time.Millisecond)
		if _, _, err := w.Access.OpenInvitation(t.Context(), later.Token); err != nil {
			t.Errorf("a millisecond before its end the link gives %v", err)
		}
		w.Advance(time.Millisecond)
		closed(w, later.Token)
		for _, odd := range []parley.Token{"", "pi_", later.Token + "x", "ps" + later.Token[2:]} {
			closed(w, odd)
		}
	})
}

// TestReset sets a member's password by a link: the sessions from before end,
// and a link made for another role opens nothing.
func TestReset(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		m := member(w, parley.Agent)
		_, token, err := w.Access.StartSession(t.Context(), m, m.Member, "before")
		w.Must(err)
		first, err := w.Access.ResetPassword(t.Context(), w.By(), m.Member)
		w.Must(err)
		second, err := w.Access.ResetPassword(t.Context(), w.By(), m.Member)
		w.Must(err)
		closed(w, first.Token)
		in, err := w.Access.AcceptInvitation(t.Context(), access.Acceptance{Token: second.Token, Password: password})
		if err != nil || in.SignedIn.Member.ID != m.Member {
			t.Fatalf("the link signs in %+v, %v", in.SignedIn.Member, err)
		}
		_, err = w.Access.AuthenticateSession(t.Context(), token)
		w.Refused(err, parley.Unauthenticated, "you are signed out; sign in again")
		_, err = w.Access.AuthenticateSession(t.Context(), in.Token)
		w.Must(err)

		third, err := w.Access.ResetPassword(t.Context(), w.By(), m.Member)
		w.Must(err)
		_, err = w.Access.UpdateMember(t.Context(), w.By(), m.Member, access.MemberChange{Role: parley.Some(parley.Admin)})
		w.Must(err)
		closed(w, third.Token)
	})
}
