package customers

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/store"
)

// IdentityKeys returns the keys that verify the identities of customers, oldest
// first, including revoked ones.
func (svc *Service) IdentityKeys(ws parley.WorkspaceID) desk.Read[[]parley.IdentityKey] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.IdentityKey, error) { return SelectIdentityKeys(v, ws) })
}

// NewIdentityKey has the inputs of a new identity key. Fields that its kind
// does not use must be empty.
type NewIdentityKey struct {
	Kind      parley.IdentityKeyKind
	Algorithm string // "" for the usual one of the key
	Secret    string // of a secret; "" has one made
	PublicKey string // of a public key: PEM, or a JWK
	JWKSURL   string // of a set
	Issuer    string // what a token's iss must be; a set needs one
	Audience  string // what a token's aud must hold; a set needs one
}

// CreateIdentityKey adds an identity key and returns it with the secret
// generated for it, which is shown only this once, or "". Existing keys stay
// valid, so that a company can change over without interruption. More than
// parley.MaxIdentityKeys are a Conflict.
func (svc *Service) CreateIdentityKey(ctx context.Context, by desk.Caller, in NewIdentityKey) (parley.IdentityKey, string, error) {
	made, err := svc.identityKey(by.Workspace, in)
	if err != nil {
		return parley.IdentityKey{}, "", err
	}
	key, err := write(ctx, svc, by, func(t *tx) (parley.IdentityKey, error) {
		keys, err := SelectIdentityKeys(t, t.WS)
		if err != nil {
			return parley.IdentityKey{}, err
		}
		verifying := slices.DeleteFunc(slices.Clone(keys), func(k parley.IdentityKey) bool { return k.State(t.Now) == parley.KeyRevoked })
		if len(verifying) >= parley.MaxIdentityKeys {
			return parley.IdentityKey{}, parley.Errorf(parley.Conflict,
				"the workspace has %d identity keys already; revoke one first", parley.MaxIdentityKeys)
		}
		if err := t.forgetIdentityKeys(keys); err != nil {
			return parley.IdentityKey{}, err
		}
		key := made.Key
		key.CreatedAt = t.Now
		if err := t.Audit.Of(entry.IdentityCreated, entry.SubjectIdentityKey, key.KID); err != nil {
			return key, err
		}
		return key, t.InsertIdentityKey(t.WS, &key, made.Sealed)
	})
	return key, made.Made, err
}

// forgetIdentityKeys deletes ended keys, except the most recent ones.
func (t *tx) forgetIdentityKeys(keys []parley.IdentityKey) error {
	ended := slices.DeleteFunc(keys, func(k parley.IdentityKey) bool { return k.State(t.Now) != parley.KeyRevoked })
	if len(ended) <= parley.MaxRevokedIdentityKeys {
		return nil
	}
	end := func(k parley.IdentityKey) time.Time {
		if k.RevokedAt.IsZero() {
			return k.RetireAt
		}
		return k.RevokedAt
	}
	slices.SortStableFunc(ended, func(a, b parley.IdentityKey) int { return end(a).Compare(end(b)) })
	for _, k := range ended[:len(ended)-parley.MaxRevokedIdentityKeys] {
		if err := DeleteIdentityKey(t, t.WS, k.KID); err != nil {
			return err
		}
	}
	return t.UpdateAccess(t.WS)
}

// RetireIdentityKey lets an identity key verify for some more days, 0 to
// parley.MaxRetireDays, and no longer. A key that is already retiring ends at
// the earlier time. Customers who signed in with it before stay signed in. The
// last active key and a revoked one are a Conflict.
func (svc *Service) RetireIdentityKey(ctx context.Context, by desk.Caller, kid string, days int) (parley.IdentityKey, error) {
	return write(ctx, svc, by, func(t *tx) (parley.IdentityKey, error) {
		key, err := t.replaceable(kid)
		if err != nil {
			return key, err
		}
		if key.State(t.Now) == parley.KeyRevoked {
			return key, parley.Errorf(parley.Conflict, "the identity key verifies nothing any more, so it cannot retire")
		}
		at := t.Now.AddDate(0, 0, days)
		if !key.RetireAt.IsZero() && !at.Before(key.RetireAt) {
			return key, nil
		}
		key.RetireAt = at
		if err := t.Audit.Of(entry.IdentityRetired, entry.SubjectIdentityKey, kid); err != nil {
			return key, err
		}
		return key, UpdateIdentityKeyRetire(t, t.WS, kid, key.RetireAt)
	})
}

// RevokeIdentityKey ends an identity key and, within a second, the sessions of
// customers who signed in with it. Its secret is deleted. Revoking a revoked
// key has no effect. The last active key is a Conflict, because without any
// nobody could sign in.
func (svc *Service) RevokeIdentityKey(ctx context.Context, by desk.Caller, kid string) (parley.IdentityKey, error) {
	key, err := write(ctx, svc, by, func(t *tx) (parley.IdentityKey, error) {
		key, err := t.replaceable(kid)
		if err != nil || !key.RevokedAt.IsZero() {
			return key, err
		}
		key.RevokedAt = t.Now
		if err := t.Audit.Of(entry.IdentityRevoked, entry.SubjectIdentityKey, kid); err != nil {
			return key, err
		}
		if err := UpdateIdentityKeyRevoked(t, t.WS, kid, key.RevokedAt); err != nil {
			return key, err
		}
		return key, t.UpdateAccess(t.WS)
	})
	svc.customers.Forget()
	return key, err
}

// replaceable returns an identity key, and a Conflict if it is the only active
// one.
func (t *tx) replaceable(kid string) (parley.IdentityKey, error) {
	key, err := SelectIdentityKey(t, t.WS, kid)
	if err != nil {
		return key, err
	}
	keys, err := SelectIdentityKeys(t, t.WS)
	if err != nil {
		return key, err
	}
	another := slices.ContainsFunc(keys, func(k parley.IdentityKey) bool {
		return k.KID != kid && k.State(t.Now) == parley.KeyActive
	})
	if key.State(t.Now) == parley.KeyActive && !another {
		return key, parley.Errorf(parley.Conflict, "the last active identity key must stay; make another one first")
	}
	return key, nil
}

func (svc *Service) identityKey(ws parley.WorkspaceID, in NewIdentityKey) (access.IdentitySecret, error) {
	made := access.NewIdentitySecret(svc.ids, in.Kind)
	made.Key.JWKSURL, made.Key.Issuer, made.Key.Audience = in.JWKSURL, in.Issuer, in.Audience
	if err := in.alone(); err != nil {
		return made, err
	}
	var err error
	algorithms := []string{identity.HS256}
	switch in.Kind {
	case parley.SecretKey:
		err = made.Seal(svc.vault, ws, in.Secret)
	case parley.PublicKey:
		made.Key.PublicPEM, algorithms, err = publicKey(in.PublicKey)
	case parley.KeySet:
		algorithms = []string{identity.RS256, identity.PS256, identity.ES256, identity.EdDSA}
		err = in.checkSet()
	}
	if err != nil {
		return made, err
	}
	made.Key.Algorithm = cmp.Or(in.Algorithm, algorithms[0])
	if !slices.Contains(algorithms, made.Key.Algorithm) {
		return made, parley.InvalidField("algorithm", "be one of "+strings.Join(algorithms, ", ")+" for this key")
	}
	return made, nil
}

// alone refuses fields that belong to other kinds of keys, so that nobody
// believes an unused secret to be stored.
func (in NewIdentityKey) alone() error {
	for _, part := range []struct {
		field, value string
		kind         parley.IdentityKeyKind
	}{
		{"secret", in.Secret, parley.SecretKey}, {"publicKey", in.PublicKey, parley.PublicKey}, {"jwksUrl", in.JWKSURL, parley.KeySet},
	} {
		if part.value != "" && part.kind != in.Kind {
			return parley.InvalidField(part.field, "be absent; it belongs to the kind "+string(part.kind))
		}
	}
	return nil
}

// publicKey returns a public key in its stored form, and the algorithms that it
// verifies.
func publicKey(text string) (string, []string, error) {
	key, err := identity.ParsePublicKey(text)
	if err != nil {
		return "", nil, parley.InvalidField("publicKey", err.Error())
	}
	pem, err := identity.PublicPEM(key)
	return pem, identity.Algorithms(key), err
}

// checkSet checks the fields that a set of keys requires. The keys of a sign-in
// service sign tokens for many applications, so issuer and audience must name
// the right ones.
func (in NewIdentityKey) checkSet() error {
	if err := identity.CheckSetURL(in.JWKSURL); err != nil {
		return parley.InvalidField("jwksUrl", err.Error())
	}
	if strings.TrimSpace(in.Issuer) == "" {
		return parley.InvalidField("issuer", "be given for a set of keys")
	}
	if strings.TrimSpace(in.Audience) == "" {
		return parley.InvalidField("audience", "be given for a set of keys")
	}
	return nil
}
