package desk

import (
	"context"
	"crypto/rand"
	"strings"

	"parley"
	"parley/internal/store"
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

// RenameWorkspace gives the workspace another name.
func (d *Desk) RenameWorkspace(ctx context.Context, by Caller, name string) (parley.Workspace, error) {
	if err := checkName("name", name); err != nil {
		return parley.Workspace{}, err
	}
	defer d.sessions.forget()
	return write(ctx, d, by, func(t *tx) (parley.Workspace, error) {
		w, err := t.Workspace(t.ws)
		if err != nil || w.Name == name {
			return w, err
		}
		w.Name = name
		if err := t.UpdateWorkspace(&w); err != nil {
			return w, err
		}
		t.emit(parley.WorkspaceUpdated, parley.ID{}, []string{"name"}, wire.AppendWorkspace(nil, &w))
		return w, nil
	})
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
	IdentityKID    string // the kid of that secret
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
	identity, err := d.identityKey(ws, NewIdentityKey{Kind: parley.SecretKey})
	if err != nil {
		return Founding{}, err
	}
	return write(ctx, d, Caller{Workspace: ws}, func(t *tx) (Founding, error) {
		f := Founding{
			Workspace: parley.Workspace{ID: ws, Name: name, Epoch: t.ids.NewText(8), CreatedAt: t.now},
			Owner:     owner, OwnerPassword: password, Secret: secret, IdentitySecret: identity.secret,
		}
		if err := t.InsertWorkspace(&f.Workspace); err != nil {
			return f, err
		}
		if err := t.insertMember(&f.Owner); err != nil {
			return f, err
		}
		if f.Inbox, err = t.createInbox(NewInbox{Name: "API", Channel: parley.ChannelAPI}); err != nil {
			return f, err
		}
		signing, err := t.insertIdentityKey(identity)
		if err != nil {
			return f, err
		}
		f.IdentityKID = signing.KID
		f.Key, err = t.insertKey(NewKey{Name: "First key", Scopes: parley.Scopes}, secret)
		return f, err
	})
}

// nameOf makes a first name for the owner of an e-mail address.
func nameOf(email string) string {
	local, _, _ := strings.Cut(email, "@")
	return local
}

func checkName(field, name string) error {
	if !parley.ValidName(name) {
		return parley.InvalidField(field, parley.NameRule)
	}
	return nil
}

func checkEmail(email string) error {
	if !parley.ValidEmail(email) {
		return parley.InvalidField("email", parley.EmailRule)
	}
	return nil
}
