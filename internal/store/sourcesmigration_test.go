package store_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

// olderSubjects is a store in which customers signed in before their sources
// were recorded. Times are milliseconds.
type olderSubjects struct {
	ws, inbox parley.ID
	private   map[string]*ecdsa.PrivateKey // by kid
	contacts  map[string]parley.ID         // by subject
}

func (o *olderSubjects) key(tx *store.Tx, kid, kind, issuer string, created, used int64) error {
	public := ""
	if kind == "public" {
		private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return err
		}
		if public, err = identity.PublicPEM(private.Public()); err != nil {
			return err
		}
		o.private[kid] = private
	}
	return tx.Exec(`INSERT INTO identity_keys (workspace_id, kid, algorithm, sealed, created_at, kind, public_key, issuer, last_used_at)
		VALUES ($1, $2, 'ES256', $3, $4, $5, $6, $7, $8)`, o.ws, kid, []byte{}, created, kind, public, issuer, used)
}

func (o *olderSubjects) contact(tx *store.Tx, subject string, signed int64) error {
	id := ids.New(at(0))
	o.contacts[subject] = id
	return tx.Exec(`INSERT INTO contacts (workspace_id, contact_id, name, email, email_key, phone_number, phone_key, shop_name, avatar_url,
		identifier, custom_attributes, created_at, updated_at, last_activity_at, signed_at)
		VALUES ($1, $2, '', '', '', '', '', '', '', $3, '', 1, 1, 1, $4)`, o.ws, id, subject, signed)
}

func (o *olderSubjects) session(tx *store.Tx, subject, kid string, created int64) error {
	id := ids.New(at(0))
	return tx.Exec(`INSERT INTO customer_sessions (workspace_id, session_id, contact_id, inbox_id, kid, token_hash, created_at, seen_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 9000)`, o.ws, id, o.contacts[subject], o.inbox, kid, id[:], created)
}

// merged records that a contact with a subject was merged into another.
func (o *olderSubjects) merged(tx *store.Tx, subject, into string) error {
	return tx.Exec("INSERT INTO merged_contacts (workspace_id, contact_id, into_id, merged_at, identifier) VALUES ($1, $2, $3, 1, $4)",
		o.ws, ids.New(at(0)), o.contacts[into], subject)
}

// olderSubjectSources is the source of each subject after the migration. The
// workspace's first secret was tried once; the key acme was used last.
var olderSubjectSources = map[string]string{
	"ada":     "iss https://acme.example/", // her newest verified session
	"bo":      "kid bare",
	"cy":      "own",
	"merged":  "iss https://acme.example/", // including the sessions of Bo; the key that was used last
	"kept":    "kid bare",                  // of a contact that absorbed a merged one, and its identifier
	"dee":     "iss https://acme.example/", // no session; the key that was used last
	"late":    "iss https://acme.example/", // signed before any key existed, by a wrong clock
	"unknown": "",                          // created by the API, never signed
	"bound":   "kid other",                 // signed since, and bound
	"deleted": "iss https://acme.example/", // by a deleted key
}

func (o *olderSubjects) write(tx *store.Tx) error {
	return errors.Join(
		tx.Exec("INSERT INTO workspaces (workspace_id, name, epoch, seq, created_at) VALUES ($1, 'x', 'e', 0, 1)", o.ws),
		tx.Exec("INSERT INTO inboxes (workspace_id, inbox_id, name, channel, created_at, updated_at) VALUES ($1, $2, 'Web', 'web', 1, 1)", o.ws, o.inbox),
		o.key(tx, "unused", "public", "", 100, 0), o.key(tx, "secret", "secret", "https://me.example/", 200, 700),
		o.key(tx, "acme", "public", "https://acme.example/", 400, 900), o.key(tx, "bare", "public", "", 300, 900),
		o.key(tx, "other", "public", "", 500, 800),
		o.contact(tx, "ada", 600), o.contact(tx, "bo", 600), o.contact(tx, "cy", 600), o.contact(tx, "dee", 600), o.contact(tx, "kept", 600),
		o.contact(tx, "late", 50), o.contact(tx, "unknown", 0), o.contact(tx, "bound", 600), o.contact(tx, "deleted", 600),
		o.session(tx, "ada", "secret", 610), o.session(tx, "ada", "acme", 630), o.session(tx, "ada", "other", 620), o.session(tx, "ada", "", 640),
		o.session(tx, "bo", "bare", 620), o.session(tx, "cy", "secret", 620), o.session(tx, "bound", "bare", 620),
		o.session(tx, "deleted", "gone", 620), o.session(tx, "kept", "bare", 620),
		o.merged(tx, "merged", "bo"), o.merged(tx, "kept", "kept"), o.merged(tx, "kept", "ada"),
		tx.Exec("INSERT INTO identity_sources (workspace_id, subject, source, previous) VALUES ($1, 'bound', 'kid other', '')", o.ws),
	)
}

// sign returns a token of a subject by a key.
func (o *olderSubjects) sign(t *testing.T, kid, issuer, subject string) string {
	t.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{
		"sub": subject, "iat": at(1000).Unix(), "exp": at(1000).Add(time.Hour).Unix(), "iss": issuer,
	})
	token.Header["kid"] = kid
	text, err := token.SignedString(o.private[kid])
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSubjectsOfOlderStores migrates a store whose customers signed in before
// their sources were recorded. Nobody else can take over their subjects.
func TestSubjectsOfOlderStores(t *testing.T) {
	empty(t, func(t *testing.T, o store.Options) {
		if err := store.MigrateTo(t.Context(), o, before(t, "sources_of_subjects")); err != nil {
			t.Fatal(err)
		}
		older := &olderSubjects{ws: ids.New(at(0)), inbox: ids.New(at(0)), private: map[string]*ecdsa.PrivateKey{}, contacts: map[string]parley.ID{}}
		s := storetest.Open(t, o)
		writeOlder(t, s, older.write)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := store.Migrate(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		s = storetest.Open(t, o)
		for subject, want := range olderSubjectSources {
			view(t, s, func(v *store.View) error {
				got, err := customers.SelectIdentitySource(v, parley.WorkspaceID(older.ws), subject)
				if want == "" && parley.KindOf(err) != parley.NotFound || want != "" && err != nil || got.Source != want || got.Previous != "" {
					t.Errorf("for %s vouches %+v, %v, want %q", subject, got, err, want)
				}
				return nil
			})
		}
		older.signIn(t, s)
	})
}

// signIn has each subject signed by each existing source.
func (o *olderSubjects) signIn(t *testing.T, s *store.Store) {
	t.Helper()
	keys, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	d := customers.New(customers.Options{Desk: desk.New(desk.Options{
		Store: s, Vault: keys, Clock: func() time.Time { return at(1000) }, IDs: ids, Log: storetest.Quiet(),
	})})
	w, err := d.Widget(t.Context(), o.inbox)
	if err != nil {
		t.Fatal(err)
	}
	issuers := map[string]string{"acme": "https://acme.example/", "bare": "", "other": "", "unused": ""}
	for subject, source := range olderSubjectSources {
		if source == "" {
			continue
		}
		for kid, issuer := range issuers {
			signer := parley.IdentityKey{KID: kid, Kind: parley.PublicKey, Issuer: issuer}
			entry, err := d.StartCustomerSession(t.Context(), w, customers.NewCustomerSession{Identity: parley.Some(o.sign(t, kid, issuer, subject))})
			switch mine := signer.Source() == source; {
			case !mine && parley.KindOf(err) != parley.Unauthenticated:
				t.Errorf("%s takes over %s of %s: %v", kid, subject, source, err)
			case mine && err != nil:
				t.Errorf("%s is refused by %s: %v", subject, kid, err)
			case mine && subject != "merged" && entry.Contact.ID != o.contacts[subject]:
				t.Errorf("%s by %s is another contact", subject, kid)
			}
		}
	}
}
