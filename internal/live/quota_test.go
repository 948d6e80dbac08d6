package live_test

import (
	"testing"
	"time"

	"parley"
	"parley/internal/live"
)

// TestQuotas opens as many streams as each quota allows.
func TestQuotas(t *testing.T) {
	ids := parley.NewIDs(nil)
	id := func() parley.ID { return ids.New(time.UnixMilli(1)) }
	home, other := parley.WorkspaceID(id()), parley.WorkspaceID(id())
	ada := id()
	key := func(ws parley.WorkspaceID, address string) live.Subscription {
		return live.Subscription{Visibility: parley.WholeWorkspace(ws), Address: address, Credential: parley.Credential{Kind: parley.CredentialKey, ID: id()}}
	}
	customer := func(contact parley.ID, address string, known bool) live.Subscription {
		return live.Subscription{
			Visibility: parley.CustomerSession{Workspace: home, ContactID: contact, InboxID: ada}.Visibility(), Address: address, Known: known,
			Credential: parley.Credential{Kind: parley.CredentialCustomer, ID: id()},
		}
	}
	session, oneKey, anywhere := id(), id(), func() string { return id().String() }
	for name, test := range map[string]struct {
		one  func() live.Subscription
		most int
		free func() live.Subscription // one that another quota counts
	}{
		"a member's session": {func() live.Subscription {
			return live.Subscription{Visibility: parley.WholeWorkspace(home), Credential: parley.Credential{Kind: parley.CredentialMember, ID: session}}
		}, 200, func() live.Subscription {
			return live.Subscription{Visibility: parley.WholeWorkspace(home), Credential: parley.Credential{Kind: parley.CredentialMember, ID: id()}}
		}},
		"a key": {func() live.Subscription {
			s := key(home, anywhere())
			s.Credential.ID = oneKey
			return s
		}, 200, func() live.Subscription { return key(home, "a") }},
		"the address of keys":             {func() live.Subscription { return key(home, "a") }, 10_000, func() live.Subscription { return key(home, "b") }},
		"a workspace":                     {func() live.Subscription { return key(home, anywhere()) }, 20_000, func() live.Subscription { return key(other, "a") }},
		"a contact":                       {func() live.Subscription { return customer(ada, anywhere(), true) }, 60, func() live.Subscription { return customer(id(), "a", true) }},
		"the address of visitors":         {func() live.Subscription { return customer(id(), "a", false) }, 100, func() live.Subscription { return customer(id(), "a", true) }},
		"the address of signed customers": {func() live.Subscription { return customer(id(), "a", true) }, 1000, func() live.Subscription { return customer(id(), "a", false) }},
	} {
		t.Run(name, func(t *testing.T) {
			h := live.New(live.Options{})
			for i := range test.most {
				if most := live.Reserve(h, test.one()); most != 0 {
					t.Fatalf("stream %d is refused, for there are %d", i, most)
				}
			}
			last := test.one()
			if most := live.Reserve(h, last); most != test.most {
				t.Errorf("one more is told that there may be %d, want %d", most, test.most)
			}
			if most := live.Reserve(h, test.free()); most != 0 {
				t.Errorf("another one is refused, for there are %d", most)
			}
			live.Release(h, last)
			if most := live.Reserve(h, last); most != 0 {
				t.Errorf("where one has ended, another is refused, for there are %d", most)
			}
		})
	}
}

// TestQuotaOfTheNode fills a node with streams of different members, who share
// no other quota.
func TestQuotaOfTheNode(t *testing.T) {
	ids := parley.NewIDs(nil)
	h := live.New(live.Options{MaxStreams: 3})
	member := func() live.Subscription {
		return live.Subscription{
			Visibility: parley.WholeWorkspace(parley.WorkspaceID(ids.New(time.UnixMilli(1)))),
			Credential: parley.Credential{Kind: parley.CredentialMember, ID: ids.New(time.UnixMilli(1))},
		}
	}
	first := member()
	for i, sub := range []live.Subscription{first, member(), member()} {
		if most := live.Reserve(h, sub); most != 0 {
			t.Fatalf("stream %d is refused, for there are %d", i, most)
		}
	}
	if most := live.Reserve(h, member()); most != 3 {
		t.Errorf("one more is told that there may be %d, want 3", most)
	}
	live.Release(h, first)
	if most := live.Reserve(h, member()); most != 0 {
		t.Errorf("where one has ended, another is refused, for there are %d", most)
	}
}
