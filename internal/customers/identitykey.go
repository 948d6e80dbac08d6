package customers

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/store"
)

// IdentityKeys returns the keys by which the identities of customers are
// signed, oldest first, revoked ones too.
func (svc *Service) IdentityKeys(ctx context.Context, ws parley.WorkspaceID) ([]parley.IdentityKey, error) {
	return desk.View(ctx, svc.desk, func(v *store.View) ([]parley.IdentityKey, error) { return SelectIdentityKeys(v, ws) })
}

// NewIdentityKey is what an identity key is made of. What its kind does not use
// must be empty.
type NewIdentityKey struct {
	Kind      parley.IdentityKeyKind
	Algorithm string // "" for the usual one of the key
	Secret    string // of a secret; "" has one made
	PublicKey string // of a public key: PEM, or a JWK
	JWKSURL   string // of a set
	Issuer    string // what a token's iss must be; a set needs one
	Audience  string // what a token's aud must hold; a set needs one
}

// CreateIdentityKey adds such a key and returns it with the secret that was
// made for it, which is shown this once; "" where none was. The older ones stay
// valid, so that a company changes over without a moment in which nobody can
// sign in. One more than parley.MaxIdentityKeys is a Conflict.
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
		made.Key.CreatedAt = t.Now
		return made.Key, t.InsertIdentityKey(t.WS, &made.Key, made.Sealed)
	})
	return key, made.Made, err
}

// forgetIdentityKeys deletes the keys that ended, but for the last ones.
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
// parley.MaxRetireDays, and no longer: one that retires already ends at the
// earlier of both times. Customers who came by it before stay.
// The last active key, and one that is revoked, is a Conflict.
func (svc *Service) RetireIdentityKey(ctx context.Context, by desk.Caller, kid string, days int) (parley.IdentityKey, error) {
	return write(ctx, svc, by, func(t *tx) (parley.IdentityKey, error) {
		key, err := t.replaceable(kid)
		if err != nil {
			return key, err
		}
		if key.State(t.Now) == parley.KeyRevoked {
			return key, parley.Errorf(parley.Conflict, "the identity key verifies nothing any more, so it cannot retire")
		}
		if at := t.Now.AddDate(0, 0, days); key.RetireAt.IsZero() || at.Before(key.RetireAt) {
			key.RetireAt = at
		}
		return key, UpdateIdentityKeyRetire(t, t.WS, kid, key.RetireAt)
	})
}

// RevokeIdentityKey ends an identity key and, within a second, the sessions of
// the customers who came by it. Its secret is forgotten. Revoking it again
// changes nothing. The last active key is a Conflict, for without any nobody
// could sign in.
func (svc *Service) RevokeIdentityKey(ctx context.Context, by desk.Caller, kid string) (parley.IdentityKey, error) {
	key, err := write(ctx, svc, by, func(t *tx) (parley.IdentityKey, error) {
		key, err := t.replaceable(kid)
		if err != nil || !key.RevokedAt.IsZero() {
			return key, err
		}
		key.RevokedAt = t.Now
		if err := UpdateIdentityKeyRevoked(t, t.WS, kid, key.RevokedAt); err != nil {
			return key, err
		}
		return key, t.UpdateAccess(t.WS)
	})
	svc.customers.Forget()
	return key, err
}

// replaceable returns an identity key, and a Conflict where it is the only one
// that is active.
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

// alone refuses what belongs to another kind of keys, so that nobody takes a
// secret for kept that is not looked at.
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

// publicKey returns a public key in the form in which it is kept, and what it
// verifies.
func publicKey(text string) (string, []string, error) {
	key, err := identity.ParsePublicKey(text)
	if err != nil {
		return "", nil, parley.InvalidField("publicKey", err.Error())
	}
	pem, err := identity.PublicPEM(key)
	return pem, identity.Algorithms(key), err
}

// checkSet demands what a set of keys needs. The keys of a sign-in service sign
// tokens for many applications, so issuer and audience must say which are meant.
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
