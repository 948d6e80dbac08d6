package reseal_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/numbers"
	"parley/internal/pgtest"
	"parley/internal/reseal"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func key(t *testing.T, fill byte) *vault.Vault {
	t.Helper()
	v, err := vault.FromBase64(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{fill}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A secret is one that a test stored, with what it is bound to.
type secret struct {
	ws     parley.WorkspaceID
	record string
	plain  string
}

// A world is a store with secrets of every kind.
type world struct {
	t       *testing.T
	store   *store.Store
	ids     *parley.IDs
	secrets []secret
}

func (w *world) write(ws parley.WorkspaceID, fn func(*store.Tx) error) {
	w.t.Helper()
	if err := w.store.Write(w.t.Context(), ws, fn); err != nil {
		w.t.Fatal(err)
	}
}

// fill makes a workspace with two identity secrets, one that was revoked, a
// public key, a mail with the key of its address, a key for pushes, a second factor, a client secret, and a pairing,
// sealed under a key.
func (w *world) fill(v *vault.Vault) {
	w.t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	ws := parley.WorkspaceID(w.ids.New(now))
	inbox := parley.Inbox{ID: w.ids.New(now), Name: "Inbox", Channel: parley.ChannelAPI, CreatedAt: now, UpdatedAt: now}
	number := parley.Number{ID: w.ids.New(now), Phone: "4930555001", Driver: parley.DriverSandbox, Status: parley.NumberPairing, InboxID: inbox.ID, CreatedAt: now, UpdatedAt: now}
	seal := func(record, plain string) []byte {
		sealed, err := v.Seal([]byte(plain), ws.String(), record)
		if err != nil {
			w.t.Fatal(err)
		}
		w.secrets = append(w.secrets, secret{ws, record, plain})
		return sealed
	}
	w.write(ws, func(tx *store.Tx) error {
		if err := tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "W", Epoch: "e", CreatedAt: now}); err != nil {
			return err
		}
		for _, kid := range []string{"idk_a" + w.ids.NewText(10), "idk_b" + w.ids.NewText(10)} {
			k := parley.IdentityKey{KID: kid, Kind: parley.SecretKey, CreatedAt: now}
			if err := tx.InsertIdentityKey(ws, &k, seal(kid, "secret of "+kid)); err != nil {
				return err
			}
		}
		for _, kind := range []parley.IdentityKeyKind{parley.SecretKey, parley.PublicKey} {
			k := parley.IdentityKey{KID: "idk_" + w.ids.NewText(10), Kind: kind, CreatedAt: now, RevokedAt: now}
			if err := tx.InsertIdentityKey(ws, &k, nil); err != nil {
				return err
			}
		}
		if err := tx.InsertInbox(ws, &inbox); err != nil {
			return err
		}
		if _, err := tx.InsertNumber(ws, &number); err != nil {
			return err
		}
		p := parley.Pairing{NumberID: number.ID, By: "qr", Kind: "qr_code", UpdatedAt: now}
		if err := store.Exec(tx, ws, "INSERT INTO push_keys (workspace_id, sealed) VALUES ($1, $2)", seal("push key", "push key of "+ws.String())); err != nil {
			return err
		}
		m := parley.Member{ID: w.ids.NewUserID(), Email: "bo@x.example", Name: "Bo", Role: parley.Agent, CreatedAt: now, UpdatedAt: now}
		if _, err := tx.InsertMember(ws, &m); err != nil {
			return err
		}
		if err := store.Exec(tx, ws, "INSERT INTO second_factors (workspace_id, member_id, sealed, used_step, created_at) VALUES ($1, $2, $3, 0, 0)",
			string(m.ID), seal("second factor "+string(m.ID), "factor of "+string(m.ID))); err != nil {
			return err
		}
		if err := store.Exec(tx, ws, `INSERT INTO sign_in_providers (workspace_id, issuer, client_id, sealed, groups_claim, group_roles, join_role, join_domains,
			required, trusts_factor, exempt, created_at, updated_at) VALUES ($1, '', '', $2, '', '', '', '', FALSE, FALSE, '', 0, 0)`,
			seal("sign-in provider", "client secret of "+ws.String())); err != nil {
			return err
		}
		mail := w.ids.New(now)
		if err := store.Exec(tx, ws, "INSERT INTO mail_keys (workspace_id, sealed) VALUES ($1, $2)", seal("mail addresses", "key of "+ws.String())); err != nil {
			return err
		}
		if err := store.Exec(tx, ws, `INSERT INTO mails (workspace_id, mail_id, kind, subject_key, to_key, member_id, state, once, attempts, unknowns, problem, sealed,
			epoch, created_at, queued_at, ended_at) VALUES ($1, $2, '', '', '', '', '', FALSE, 0, 0, '', $3, '', 0, 0, 0)`, mail, seal("mail "+mail.String(), "mail "+mail.String())); err != nil {
			return err
		}
		return numbers.UpsertPairing(tx, ws, &p, seal("pairing "+number.ID.String(), "code of "+number.ID.String()))
	})
}

// sealed returns all that stands in the columns of sealed secrets.
func (w *world) sealed() [][]byte {
	w.t.Helper()
	var all [][]byte
	err := w.store.View(w.t.Context(), func(v *store.View) error {
		scan := func(r store.Row, b *[]byte) error { return r.Scan(b) }
		for _, s := range w.secrets {
			secrets, err := store.Many(v, s.ws, scan, "SELECT sealed FROM identity_keys WHERE workspace_id = $1")
			if err != nil {
				return err
			}
			codes, err := store.Many(v, s.ws, scan, "SELECT sealed FROM number_pairings WHERE workspace_id = $1")
			if err != nil {
				return err
			}
			mails, err := store.Many(v, s.ws, scan, "SELECT sealed FROM mails WHERE workspace_id = $1")
			if err != nil {
				return err
			}
			keys, err := store.Many(v, s.ws, scan, "SELECT sealed FROM mail_keys WHERE workspace_id = $1")
			if err != nil {
				return err
			}
			pushes, err := store.Many(v, s.ws, scan, "SELECT sealed FROM push_keys WHERE workspace_id = $1")
			if err != nil {
				return err
			}
			factors, err := store.Many(v, s.ws, scan, "SELECT sealed FROM second_factors WHERE workspace_id = $1")
			if err != nil {
				return err
			}
			clients, err := store.Many(v, s.ws, scan, "SELECT sealed FROM sign_in_providers WHERE workspace_id = $1")
			if err != nil {
				return err
			}
			all = slices.Concat(all, secrets, codes, mails, keys, pushes, factors, clients)
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(b []byte) bool { return len(b) == 0 })
}

// opens counts the secrets that a key opens to what they were.
func (w *world) opens(v *vault.Vault) (n int) {
	w.t.Helper()
	all := w.sealed()
	for _, s := range w.secrets {
		if slices.ContainsFunc(all, func(sealed []byte) bool {
			plain, err := v.Open(sealed, s.ws.String(), s.record)
			return err == nil && string(plain) == s.plain
		}) {
			n++
		}
	}
	return n
}

func newWorld(t *testing.T, s *store.Store) *world {
	return &world{t: t, store: s, ids: parley.NewIDs(nil)}
}

// TestRun moves secrets of every kind from one key to another.
func TestRun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		former, next := key(t, 1), key(t, 2)
		w := newWorld(t, s)
		for range 3 {
			w.fill(former)
		}
		if err := s.KeepMasterKey(t.Context(), former.Fingerprint(), ""); err != nil {
			t.Fatal(err)
		}
		if was, is := w.opens(former), w.opens(next); was != 24 || is != 0 {
			t.Fatalf("before, %d secrets open with the former key and %d with the next", was, is)
		}
		for _, want := range []reseal.Result{{Resealed: 24, Secrets: 24}, {Secrets: 24}} { // the second time, nothing is left
			if got, err := reseal.Run(t.Context(), s, next.Besides(former)); got != want || err != nil {
				t.Errorf("Run gave %+v, %v, want %+v", got, err, want)
			}
		}
		if was, is := w.opens(former), w.opens(next); was != 0 || is != 24 {
			t.Errorf("afterwards, %d secrets open with the former key and %d with the next", was, is)
		}
		if kept, err := s.MasterKey(t.Context()); kept != next.Fingerprint() || err != nil {
			t.Errorf("the store's key is %s, %v", kept, err)
		}
	})
}

// TestRunMeetsUnreadable stops at a secret that no key opens: the store keeps its
// key, and a later run does the rest.
func TestRunMeetsUnreadable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		former, next := key(t, 1), key(t, 2)
		w := newWorld(t, s)
		w.fill(former)
		w.fill(former)
		if err := s.KeepMasterKey(t.Context(), former.Fingerprint(), ""); err != nil {
			t.Fatal(err)
		}
		bad := w.secrets[len(w.secrets)-8] // of the last workspace
		set := func(sealed []byte) {
			w.write(bad.ws, func(tx *store.Tx) error {
				return store.Exec(tx, bad.ws, "UPDATE identity_keys SET sealed = $3 WHERE workspace_id = $1 AND kid = $2", bad.record, sealed)
			})
		}
		set([]byte("damaged"))
		_, err := reseal.Run(t.Context(), s, next.Besides(former))
		if err == nil || !strings.Contains(err.Error(), "identity_keys.sealed of "+bad.record) {
			t.Errorf("a damaged secret gives %v", err)
		}
		if was, is := w.opens(former), w.opens(next); was != 7 || is != 8 {
			t.Errorf("in the middle, %d secrets open with the former key and %d with the next", was, is)
		}
		if kept, err := s.MasterKey(t.Context()); kept != former.Fingerprint() || err != nil {
			t.Errorf("the store's key is %s, %v", kept, err)
		}
		mended, err := former.Seal([]byte(bad.plain), bad.ws.String(), bad.record)
		if err != nil {
			t.Fatal(err)
		}
		set(mended)
		if got, err := reseal.Run(t.Context(), s, next.Besides(former)); got != (reseal.Result{Resealed: 8, Secrets: 16}) || err != nil {
			t.Errorf("the next run gives %+v, %v", got, err)
		}
		if was, is := w.opens(former), w.opens(next); was != 0 || is != 16 {
			t.Errorf("afterwards, %d secrets open with the former key and %d with the next", was, is)
		}
	})
}

// TestWhoMayStart tries the keys that a node may have while another takes over.
func TestWhoMayStart(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		steps := []struct {
			given, other string
			says         string // "" where it may start
		}{
			{"one", "", ""},
			{"two", "", "sealed under another master key"},
			{"one", "two", ""}, // knows the next key
			{"one", "", ""},    // does not, and nothing is sealed under it yet
			{"two", "one", ""}, // seals under the next key
			{"one", "", "a new master key takes over"},
			{"two", "", "sealed under another master key"},
			{"three", "one", "a new master key takes over"},
			{"one", "two", ""},
			{"two", "one", ""},
		}
		try := func(given, other, says string) {
			t.Helper()
			err := s.KeepMasterKey(t.Context(), given, other)
			if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
				t.Errorf("%s beside %q gives %v, want %q", given, other, err, says)
			}
		}
		for _, step := range steps {
			try(step.given, step.other, step.says)
		}
		if err := s.ReplaceMasterKey(t.Context(), "two"); err != nil {
			t.Fatal(err)
		}
		try("two", "", "")
		try("one", "", "sealed under another master key")
		try("two", "one", "")
		try("three", "two", "") // the next rotation
	})
}

// TestEveryColumn compares the columns that Run knows with those of the schema.
func TestEveryColumn(t *testing.T) {
	files, err := filepath.Glob("../store/migrations/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	table := regexp.MustCompile(`(?:CREATE|ALTER) TABLE (\w+)`)
	column := regexp.MustCompile(`\b(\w*sealed\w*) bytea`)
	var found []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in := ""
		for line := range strings.Lines(string(text)) {
			if m := table.FindStringSubmatch(line); m != nil {
				in = m[1]
			}
			if m := column.FindStringSubmatch(line); m != nil {
				found = append(found, in+"."+m[1])
			}
		}
	}
	slices.Sort(found)
	if known := reseal.Columns(); !slices.Equal(found, known) {
		t.Errorf("the schema seals %v, and Run knows %v", found, known)
	}
}
