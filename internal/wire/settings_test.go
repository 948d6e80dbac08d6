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
	identity := parley.IdentityKey{KID: "idk_a", Algorithm: "HS256", CreatedAt: at(1)}
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
		"identity_key":     wire.AppendIdentityKey(nil, &identity),
		"identity_key_new": wire.AppendNewIdentityKey(nil, &identity, "secret"),
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
