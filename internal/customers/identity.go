package customers

import (
	"context"
	"sync"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/store"
)

// An IdentityAttempt says where an identity was used.
type IdentityAttempt struct {
	InboxID parley.ID
	Origin  string // of the page; "" if it is not known
}

// VerifyIdentity returns the claims of a customer's signed identity. A refused
// one is Unauthenticated, whatever the reason; the reason is stored for the
// company's developers, see [Service.RejectedIdentities]. A key that cannot be
// used, such as one encrypted under another master key, only affects its own
// tokens.
func (svc *Service) VerifyIdentity(ctx context.Context, ws parley.WorkspaceID, token string, seen IdentityAttempt) (identity.Claims, error) {
	now := svc.clock.Now()
	records, err := svc.verifyingKeys(ctx, ws, now)
	if err != nil {
		return identity.Claims{}, err
	}
	keys := identity.Keys{Workspace: ws, Sets: svc.identitySets}
	broken := map[string]error{}
	for i := range records {
		key, err := svc.verifyingKey(ws, &records[i])
		if err != nil {
			svc.log.Warn("identity: key unusable", "workspace", ws, "kid", records[i].KID, "error", err)
			broken[records[i].KID] = err
			continue
		}
		keys.All = append(keys.All, key)
	}
	claims, err := identity.Verify(ctx, token, keys, now)
	if refused, ok := identity.AsRejected(err); ok {
		if err := broken[refused.KID]; err != nil && refused.Reason == identity.UnknownKey {
			return identity.Claims{}, err
		}
		svc.keepRejected(ctx, ws, refused, seen)
		return identity.Claims{}, errIdentityRefused()
	}
	if err == nil {
		svc.noteIdentityKeyUse(ctx, ws, claims.KID, records)
	}
	return claims, err
}

// SignIdentity signs an identity with the newest active secret, for trying out
// the widget. The claims' KID and IssuedAt are ignored. Claims that
// VerifyIdentity would refuse are Invalid, and a workspace without such a
// secret is a Conflict.
func (svc *Service) SignIdentity(ctx context.Context, ws parley.WorkspaceID, claims identity.Claims) (string, error) {
	now := svc.clock.Now()
	records, err := svc.verifyingKeys(ctx, ws, now)
	if err != nil {
		return "", err
	}
	for i := len(records) - 1; i >= 0; i-- {
		if r := &records[i]; r.Kind == parley.SecretKey && r.State(now) == parley.KeyActive {
			key, err := svc.verifyingKey(ws, r)
			if err != nil {
				return "", err
			}
			return identity.Sign(key, ws, claims, now)
		}
	}
	return "", parley.Errorf(parley.Conflict, "the workspace has no active identity secret to sign with")
}

func (svc *Service) verifyingKeys(ctx context.Context, ws parley.WorkspaceID, now time.Time) ([]SealedIdentityKey, error) {
	return desk.View(svc.desk, func(v *store.View) ([]SealedIdentityKey, error) { return SelectVerifyingIdentityKeys(v, ws, now) }).Now(ctx)
}

// verifyingKey decrypts a stored key.
func (svc *Service) verifyingKey(ws parley.WorkspaceID, r *SealedIdentityKey) (identity.Key, error) {
	key := identity.Key{
		KID: r.KID, Kind: r.Kind, Algorithm: r.Algorithm, SetURL: r.JWKSURL, Issuer: r.Issuer, Audience: r.Audience,
	}
	switch r.Kind {
	case parley.SecretKey:
		secret, err := svc.vault.Open(r.Sealed, ws.String(), r.KID)
		if err != nil {
			return key, err
		}
		key.Secret = []byte(access.SecretText(secret))
	case parley.PublicKey:
		public, err := identity.ParsePublicKey(r.PublicPEM)
		if err != nil {
			return key, parley.Errorf(parley.Internal, "the identity key %s cannot be read: it must %v", r.KID, err)
		}
		key.Public = public
	case parley.KeySet:
	}
	return key, nil
}

// identityKeyPrecision is the least time between two updates of an identity
// key's last use.
const identityKeyPrecision = time.Minute

// noteIdentityKeyUse records the use of a key, unless the stored time is recent
// enough. If that cannot be written, the identity is still accepted.
func (svc *Service) noteIdentityKeyUse(ctx context.Context, ws parley.WorkspaceID, kid string, records []SealedIdentityKey) {
	for _, r := range records {
		if r.KID != kid || svc.clock.Now().Sub(r.LastUsedAt) < identityKeyPrecision {
			continue
		}
		_, err := write(ctx, svc, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
			return struct{}{}, UpdateIdentityKeyUsed(t, t.WS, kid, t.Now, t.Now.Add(-identityKeyPrecision))
		})
		if err != nil {
			svc.log.Warn("identity: use of key not stored", "workspace", ws, "kid", kid, "error", err)
		}
	}
}

// RejectedIdentities returns the most recently refused identities, newest
// first.
func (svc *Service) RejectedIdentities(ws parley.WorkspaceID) desk.Read[[]parley.RejectedIdentity] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.RejectedIdentity, error) { return SelectRejectedIdentities(v, ws) })
}

// keepRejected stores a refused identity for the company's developers. The
// customer's answer does not depend on it.
func (svc *Service) keepRejected(ctx context.Context, ws parley.WorkspaceID, refused *identity.Rejected, seen IdentityAttempt) {
	if !svc.rejections.take(ws, svc.clock.Now()) {
		return
	}
	_, err := write(context.WithoutCancel(ctx), svc, desk.Caller{Workspace: ws}, func(t *tx) (struct{}, error) {
		err := InsertRejectedIdentity(t, t.WS, &parley.RejectedIdentity{
			ID: t.IDs.New(t.Now), At: t.Now, InboxID: seen.InboxID, KID: refused.KID, Reason: refused.Error(), Subject: refused.Subject,
			Origin: seen.Origin,
		})
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, DeleteOldRejectedIdentities(t, t.WS, parley.MaxRejectedIdentities)
	})
	if err != nil {
		svc.log.Warn("identity: refused identity not stored", "workspace", ws, "reason", refused, "error", err)
	}
}

// rejectionsPerMinute is how many refused identities of a workspace a node
// stores in a minute. A flood of them must not become a flood of writes, and
// only the last parley.MaxRejectedIdentities are kept anyway.
const rejectionsPerMinute = 2 * parley.MaxRejectedIdentities

// A rejections counts the refused identities of a minute. The zero value is
// usable.
type rejections struct {
	mu     sync.Mutex
	minute time.Time
	counts map[parley.WorkspaceID]int
}

// take reports whether one more may be stored.
func (r *rejections) take(ws parley.WorkspaceID, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if minute := now.Truncate(time.Minute); !minute.Equal(r.minute) || r.counts == nil {
		r.minute, r.counts = minute, map[parley.WorkspaceID]int{}
	}
	r.counts[ws]++
	return r.counts[ws] <= rejectionsPerMinute
}
