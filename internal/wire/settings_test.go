package wire_test

import (
	"testing"
	"time"

	"parley"
	"parley/internal/wire"
)

func day(n int) time.Time { return time.Date(2026, time.November, n, 0, 0, 0, 0, time.UTC) }

// settingShapes are the shapes of what a workspace is set up with.
func settingShapes() map[string][]byte {
	label := parley.Label{Name: `<"vip">`, Color: "teal", CreatedAt: at(1), UpdatedAt: at(2)}
	answer := parley.CannedAnswer{ID: id(7), Shortcut: "thanks", Content: "Thank you,\n<you>", CreatedAt: at(1), UpdatedAt: at(2)}
	fresh := parley.Key{ID: id(8), Name: "Bot", Scopes: parley.Scopes[:2], Prefix: "pk_AbCd", LastFour: "wxyz", CreatedAt: at(1)}
	used := fresh
	used.ExpiresAt, used.RevokedAt, used.LastUsedAt = at(3), at(4), at(5)
	used.CreatedBy = parley.Actor{Type: parley.ActorMember, ID: "usr_a", Name: "Bo"}
	secret := parley.IdentityKey{KID: "idk_a", Algorithm: "HS256", Kind: parley.SecretKey, CreatedAt: at(1)}
	set := parley.IdentityKey{
		KID: "idk_b", Algorithm: "ES256", Kind: parley.KeySet, JWKSURL: "https://login.acme.example/jwks.json", CreatedAt: at(1),
		Issuer: "https://login.acme.example/", Audience: "parley", RetireAt: at(3), LastUsedAt: at(2),
	}
	public, revoked := set, secret
	public.Kind, public.JWKSURL = parley.PublicKey, ""
	revoked.RevokedAt = at(2)
	rejected := parley.RejectedIdentity{
		ID: id(9), At: at(4), InboxID: id(3), KID: "idk_a", Reason: "expired: the token ended 2m0s ago", Subject: `<"u1">`, Origin: "https://acme.example",
	}
	uses := []parley.StoresUse{{
		Key: fresh, Calls: 15, LastAt: at(6), Days: []parley.DayCalls{{Day: day(18), Calls: 3}, {Day: day(20), Calls: 12}},
	}}
	return map[string][]byte{
		"label":            wire.AppendLabel(nil, &label),
		"label_deleted":    wire.AppendLabelName(nil, label.Name),
		"canned_answer":    wire.AppendCannedAnswer(nil, &answer),
		"record_deleted":   wire.AppendID(nil, answer.ID),
		"contact_merged":   wire.AppendMerge(nil, id(1), id(2)),
		"key":              wire.AppendKey(nil, &fresh),
		"key_used":         wire.AppendKey(nil, &used),
		"key_new":          wire.AppendNewKey(nil, &fresh, "pk_secret"),
		"stores_use":       wire.AppendStoresUse(nil, day(30), at(1), uses),
		"identity_key":     wire.AppendIdentityKey(nil, &secret, at(2)),
		"identity_key_new": wire.AppendNewIdentityKey(nil, &secret, "secret", at(1)),

		"identity_key_public_new": wire.AppendNewIdentityKey(nil, &public, "", at(1)),
		"identity_key_retiring":   wire.AppendIdentityKey(nil, &set, at(2)),
		"identity_key_retired":    wire.AppendIdentityKey(nil, &set, at(3)),
		"identity_key_revoked":    wire.AppendIdentityKey(nil, &revoked, at(2)),
		"identity_rejected":       wire.AppendRejectedIdentity(nil, &rejected),
		"identity_rejected_plain": wire.AppendRejectedIdentity(nil, &parley.RejectedIdentity{At: at(4), Reason: "too large"}),
	}
}

// TestDaysLeft counts down to the sunset: a day that has begun is a day left.
func TestDaysLeft(t *testing.T) {
	sunset := day(20)
	for before, want := range map[time.Duration]string{
		48 * time.Hour: "2", 48*time.Hour - time.Millisecond: "2", 24*time.Hour + time.Millisecond: "2",
		time.Millisecond: "1", 0: "0", -time.Millisecond: "0", -72 * time.Hour: "0",
	} {
		got := string(wire.AppendStoresUse(nil, sunset, sunset.Add(-before), nil))
		if expected := `{"sunset":"2026-11-20T00:00:00.000Z","daysLeft":` + want + `,"data":[]}`; got != expected {
			t.Errorf("%v before the sunset: %s, want %s", before, got, expected)
		}
	}
}
