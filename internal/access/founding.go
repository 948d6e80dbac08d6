package access

import (
	"context"
	"crypto/rand"
	"strings"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/wire"
)

// A Founding is a new workspace with its secrets, which are shown only this
// once.
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
// channel api, a key with every scope, and a secret for signing the identities
// of customers.
func (svc *Service) CreateWorkspace(ctx context.Context, name, ownerEmail string) (Founding, error) {
	if err := desk.CheckName("name", name); err != nil {
		return Founding{}, err
	}
	ws := parley.WorkspaceID(svc.ids.New(svc.clock.Now()))
	owner, password, err := svc.newMember(NewMember{Email: ownerEmail, Name: nameOf(ownerEmail), Role: parley.Owner})
	if err != nil {
		return Founding{}, err
	}
	secret, err := parley.NewSecret(rand.Reader)
	if err != nil {
		return Founding{}, err
	}
	signing := NewIdentitySecret(svc.ids, parley.SecretKey)
	signing.Key.Algorithm = identity.HS256
	if err := signing.Seal(svc.vault, ws, ""); err != nil {
		return Founding{}, err
	}
	return write(ctx, svc, desk.Caller{Workspace: ws, Client: entry.Client{Operator: true}}, func(t *tx) (Founding, error) {
		f := Founding{
			Workspace: parley.Workspace{ID: ws, Name: name, Epoch: t.IDs.NewText(8), CreatedAt: t.Now},
			Owner:     owner, OwnerPassword: password, Secret: secret, IdentitySecret: signing.Made, IdentityKID: signing.Key.KID,
		}
		if err := t.InsertWorkspace(&f.Workspace); err != nil {
			return f, err
		}
		if err := t.Audit.Of(entry.WorkspaceCreated, entry.SubjectWorkspace, ws.String()); err != nil {
			return f, err
		}
		if err := t.insertMember(&f.Owner); err != nil {
			return f, err
		}
		var err error
		if f.Inbox, err = t.CreateInbox(desk.NewInbox{Name: "API", Channel: parley.ChannelAPI}); err != nil {
			return f, err
		}
		key := signing.Key
		key.CreatedAt = t.Now
		if err := t.InsertIdentityKey(t.WS, &key, signing.Sealed); err != nil {
			return f, err
		}
		f.Key, err = t.insertKey(NewKey{Name: "First key", Scopes: parley.Scopes}, secret)
		return f, err
	})
}

// nameOf returns the initial name of an owner with an e-mail address.
func nameOf(email string) string {
	local, _, _ := strings.Cut(email, "@")
	return local
}

// RenameWorkspace renames the workspace.
func (svc *Service) RenameWorkspace(ctx context.Context, by desk.Caller, name string) (parley.Workspace, error) {
	if err := desk.CheckName("name", name); err != nil {
		return parley.Workspace{}, err
	}
	defer svc.sessions.Forget()
	return write(ctx, svc, by, func(t *tx) (parley.Workspace, error) {
		w, err := t.Workspace(t.WS)
		if err != nil || w.Name == name {
			return w, err
		}
		w.Name = name
		if err := t.UpdateWorkspace(&w); err != nil {
			return w, err
		}
		t.Announce(parley.WorkspaceUpdated, parley.ID{}, []string{"name"}, wire.AppendWorkspace(nil, &w))
		return w, nil
	})
}
