package access

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/desk"
	"parley/internal/store"
)

// NewKey are the inputs of a new key.
type NewKey struct {
	Name      string
	Scopes    []parley.Scope
	ExpiresAt time.Time // zero: never
}

// CreateKey creates a key and returns its secret, which is shown only this
// once.
func (svc *Service) CreateKey(ctx context.Context, by desk.Caller, in NewKey) (parley.Key, parley.Secret, error) {
	if err := svc.checkKey(in); err != nil {
		return parley.Key{}, "", err
	}
	secret, err := parley.NewSecret(rand.Reader)
	if err != nil {
		return parley.Key{}, "", err
	}
	key, err := write(ctx, svc, by, func(t *tx) (parley.Key, error) {
		if _, err := t.Workspace(t.WS); err != nil {
			return parley.Key{}, err
		}
		k, err := t.insertKey(in, secret)
		if err != nil {
			return k, err
		}
		return k, t.Audit.Record(entry.Entry{
			Action: entry.KeyCreated, SubjectType: entry.SubjectKey, SubjectID: k.ID.String(),
			Changes: []entry.Change{{Field: "scopes", To: parley.JoinScopes(k.Scopes)}},
		})
	})
	if err == nil {
		svc.logAccess("key created", by, by.Member, "key", key.ID.String())
	}
	return key, secret, err
}

func (svc *Service) checkKey(in NewKey) error {
	if err := desk.CheckName("name", in.Name); err != nil {
		return err
	}
	if err := checkScopes(in.Scopes); err != nil {
		return err
	}
	if !in.ExpiresAt.IsZero() && !in.ExpiresAt.After(svc.clock.Now()) {
		return parley.InvalidField("expiresAt", "be in the future")
	}
	return nil
}

func checkScopes(scopes []parley.Scope) error {
	if len(scopes) == 0 {
		return parley.InvalidField("scopes", "name at least one scope")
	}
	for _, scope := range scopes {
		if !slices.Contains(parley.Scopes, scope) {
			names := make([]string, len(parley.Scopes))
			for i, s := range parley.Scopes {
				names[i] = string(s)
			}
			return parley.InvalidField("scopes", "be of "+strings.Join(names, ", "))
		}
	}
	return nil
}

func (t *tx) insertKey(in NewKey, secret parley.Secret) (parley.Key, error) {
	k := parley.Key{
		ID: t.IDs.New(t.Now), Workspace: t.WS, Name: in.Name, Scopes: desk.Unique(in.Scopes), ExpiresAt: in.ExpiresAt, CreatedAt: t.Now,
		CreatedBy: parley.Actor{ID: string(t.MemberID)},
	}
	k.Prefix, k.LastFour = secret.Display()
	if err := credential.InsertKey(t, t.WS, &k, secret.Hash()); err != nil {
		return k, err
	}
	return credential.SelectKey(t, t.WS, k.ID) // with the name of its creator
}

// Keys returns the keys of a workspace, newest first, including revoked ones.
func (svc *Service) Keys(ws parley.WorkspaceID) desk.Read[[]parley.Key] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.Key, error) { return credential.SelectKeys(v, ws) })
}

// RevokeKey ends a key on every node within a second. Revoking a revoked key
// has no effect.
func (svc *Service) RevokeKey(ctx context.Context, by desk.Caller, id parley.ID) (parley.Key, error) {
	key, err := write(ctx, svc, by, func(t *tx) (parley.Key, error) {
		k, err := credential.SelectKey(t, t.WS, id)
		if err != nil || !k.RevokedAt.IsZero() {
			return k, err
		}
		k.RevokedAt = t.Now
		if err := credential.UpdateKeyRevoked(t, t.WS, id, k.RevokedAt); err != nil {
			return k, err
		}
		if err := t.Audit.Of(entry.KeyRevoked, entry.SubjectKey, id.String()); err != nil {
			return k, err
		}
		return k, t.UpdateAccess(t.WS)
	})
	if err == nil {
		svc.logAccess("key revoked", by, by.Member, "key", id.String())
	}
	return key, err
}

// KeyChange is an update of a key. Absent fields stay unchanged.
type KeyChange struct {
	Name   parley.Optional[string]
	Scopes parley.Optional[[]parley.Scope]
}

// UpdateKey changes the name and the scopes of a key; new scopes apply on every
// node within a second. A revoked key is a Conflict.
func (svc *Service) UpdateKey(ctx context.Context, by desk.Caller, id parley.ID, in KeyChange) (parley.Key, error) {
	if in.Scopes.Set {
		if err := checkScopes(in.Scopes.Value); err != nil {
			return parley.Key{}, err
		}
	}
	key, err := write(ctx, svc, by, func(t *tx) (parley.Key, error) {
		k, err := credential.SelectKey(t, t.WS, id)
		if err != nil {
			return k, err
		}
		if !k.RevokedAt.IsZero() {
			return k, parley.Errorf(parley.Conflict, "the key is revoked and cannot be changed")
		}
		before := parley.JoinScopes(k.Scopes)
		var changed []string
		desk.Set(&changed, "name", &k.Name, in.Name)
		k.Scopes = desk.Unique(in.Scopes.Or(k.Scopes))
		after := parley.JoinScopes(k.Scopes)
		if after != before {
			changed = append(changed, "scopes")
		}
		if len(changed) == 0 {
			return k, nil
		}
		e := entry.Entry{
			Action: entry.KeyUpdated, SubjectType: entry.SubjectKey, SubjectID: id.String(),
			Changes: recording.WithValues(recording.Fields(changed...), "scopes", before, after),
		}
		if err := t.Audit.Record(e); err != nil {
			return k, err
		}
		if err := credential.UpdateKey(t, t.WS, &k); err != nil || after == before {
			return k, err
		}
		return k, t.UpdateAccess(t.WS)
	})
	if err == nil {
		svc.logAccess("key changed", by, by.Member, "key", id.String(), "scopes", parley.JoinScopes(key.Scopes))
	}
	return key, err
}

// Authenticate returns the key of a secret. A malformed or unknown secret, and
// an expired or revoked key, is Unauthenticated.
func (svc *Service) Authenticate(ctx context.Context, secret parley.Secret) (parley.Key, error) {
	refused := parley.Errorf(parley.Unauthenticated, "the API key is not valid")
	if !secret.WellFormed() {
		return parley.Key{}, svc.refuse(UnknownKey, refused)
	}
	hash := secret.Hash()
	key, known := svc.keys.Get(hash)
	if !known {
		var err error
		key, err = desk.View(svc.desk, func(v *store.View) (parley.Key, error) { return credential.SelectKeyByHash(v, hash) }).Now(ctx)
		if err != nil {
			if parley.KindOf(err) == parley.NotFound {
				err = svc.refuse(UnknownKey, refused)
			}
			return parley.Key{}, err
		}
		svc.keys.Put(hash, key)
	}
	now := svc.clock.Now()
	if !key.Valid(now) {
		why := ExpiredKey
		if !key.RevokedAt.IsZero() {
			why = RevokedKey
		}
		return parley.Key{}, svc.refuse(why, refused)
	}
	svc.use.seen(key, now)
	return key, nil
}
