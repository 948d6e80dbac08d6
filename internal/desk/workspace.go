package desk

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/mail"
	"slices"
	"strings"
	"unicode/utf8"

	"parley"
	"parley/internal/store"
	"parley/internal/vault"
	"parley/internal/wire"
)

// Workspaces returns all workspaces, oldest first.
func (d *Desk) Workspaces(ctx context.Context) ([]parley.Workspace, error) {
	return view(ctx, d, func(v *store.View) ([]parley.Workspace, error) { return v.Workspaces() })
}

// Workspace returns a workspace.
func (d *Desk) Workspace(ctx context.Context, ws parley.WorkspaceID) (parley.Workspace, error) {
	return view(ctx, d, func(v *store.View) (parley.Workspace, error) { return v.Workspace(ws) })
}

// A Founding is a new workspace with the secrets that are shown this once.
type Founding struct {
	Workspace      parley.Workspace
	Owner          parley.Member
	OwnerPassword  string
	Inbox          parley.Inbox
	Key            parley.Key
	Secret         parley.Secret
	IdentitySecret string
}

// CreateWorkspace founds a workspace with its owner, a first inbox of the
// channel api, a key with every scope, and a secret by which to sign the
// identities of customers.
func (d *Desk) CreateWorkspace(ctx context.Context, name, ownerEmail string) (Founding, error) {
	if err := checkName("name", name); err != nil {
		return Founding{}, err
	}
	ws := parley.WorkspaceID(d.ids.New(d.clock.Now()))
	owner, password, err := newMember(NewMember{Email: ownerEmail, Name: nameOf(ownerEmail), Role: parley.Owner})
	if err != nil {
		return Founding{}, err
	}
	secret, err := parley.NewSecret(rand.Reader)
	if err != nil {
		return Founding{}, err
	}
	identity, sealed, err := d.newIdentitySecret(ws)
	if err != nil {
		return Founding{}, err
	}
	return write(ctx, d, Caller{Workspace: ws}, func(t *tx) (Founding, error) {
		f := Founding{
			Workspace: parley.Workspace{ID: ws, Name: name, Epoch: t.ids.NewText(8), CreatedAt: t.now},
			Owner:     owner, OwnerPassword: password, Secret: secret, IdentitySecret: identity,
		}
		if err := t.InsertWorkspace(&f.Workspace); err != nil {
			return f, err
		}
		if err := t.insertMember(&f.Owner); err != nil {
			return f, err
		}
		var err error
		if f.Inbox, err = t.createInbox(NewInbox{Name: "API", Channel: parley.ChannelAPI}); err != nil {
			return f, err
		}
		sealed.CreatedAt = t.now
		if err := t.InsertIdentityKey(ws, &sealed); err != nil {
			return f, err
		}
		f.Key, err = t.insertKey(NewKey{Name: "First key", Scopes: parley.Scopes}, secret)
		return f, err
	})
}

// newIdentitySecret makes a secret for HS256 and its sealed form.
func (d *Desk) newIdentitySecret(ws parley.WorkspaceID) (string, store.IdentityKey, error) {
	raw := make([]byte, 32)
	if _, err := rand.Read(raw); err != nil {
		return "", store.IdentityKey{}, err
	}
	key := store.IdentityKey{KID: "idk_" + d.ids.NewText(20), Algorithm: "HS256"}
	sealed, err := d.vault.Seal(raw, ws.String(), key.KID)
	key.Sealed = sealed
	return base64.RawURLEncoding.EncodeToString(raw), key, err
}

// NewMember is what a member is made of.
type NewMember struct {
	Email string
	Name  string
	Role  parley.Role
}

// CreateMember adds a member and returns the password that is shown this once.
func (d *Desk) CreateMember(ctx context.Context, by Caller, in NewMember) (parley.Member, string, error) {
	m, password, err := newMember(in)
	if err != nil {
		return m, "", err
	}
	m, err = write(ctx, d, by, func(t *tx) (parley.Member, error) {
		made := m
		return made, t.insertMember(&made)
	})
	return m, password, err
}

// newMember checks a member and makes a password. Hashing takes its time on
// purpose, so it happens before the transaction.
func newMember(in NewMember) (parley.Member, string, error) {
	if err := checkEmail(in.Email); err != nil {
		return parley.Member{}, "", err
	}
	if err := checkName("name", in.Name); err != nil {
		return parley.Member{}, "", err
	}
	if !slices.Contains(parley.Roles, in.Role) {
		return parley.Member{}, "", parley.InvalidField("role", "be owner, admin or agent")
	}
	password, err := vault.RandomPassword()
	if err != nil {
		return parley.Member{}, "", err
	}
	hash, err := vault.HashPassword(password)
	return parley.Member{Email: in.Email, Name: in.Name, Role: in.Role, PasswordHash: hash}, password, err
}

func (t *tx) insertMember(m *parley.Member) error {
	m.ID, m.CreatedAt, m.UpdatedAt = t.ids.NewUserID(), t.now, t.now
	free, err := t.InsertMember(t.ws, m)
	if err == nil && !free {
		err = parley.Errorf(parley.Conflict, "email: must not belong to another member")
	}
	if err != nil {
		return err
	}
	t.emit(parley.MemberCreated, parley.ID{}, nil, wire.AppendMember(nil, m))
	return nil
}

// Members returns members, oldest first.
func (d *Desk) Members(ctx context.Context, ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Member], error) {
	return view(ctx, d, func(v *store.View) (parley.Page[parley.Member], error) { return v.Members(ws, after, limit) })
}

// nameOf makes a first name for the owner of an e-mail address.
func nameOf(email string) string {
	local, _, _ := strings.Cut(email, "@")
	return local
}

func checkName(field, name string) error {
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > parley.MaxName {
		return parley.InvalidField(field, "be 1 to 255 characters, not blank")
	}
	return nil
}

func checkEmail(email string) error {
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email {
		return parley.InvalidField("email", "be an e-mail address")
	}
	return nil
}
