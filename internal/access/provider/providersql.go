package provider

import (
	"encoding/json"
	"time"

	"parley"
	"parley/internal/store"
)

const columns = `issuer, client_id, sealed, groups_claim, group_roles, join_role, join_domains, required, trusts_factor, exempt,
	created_at, updated_at`

func scan(r store.Row, s *Settings) error {
	var groups, domains, exempt string
	err := r.Scan(&s.Issuer, &s.ClientID, &s.Sealed, &s.GroupsClaim, &groups, (*string)(&s.Policy.JoinRole), &domains, &s.Required, &s.TrustsFactor,
		&exempt, &s.CreatedAt, &s.UpdatedAt)
	for _, field := range []struct {
		text string
		into any
	}{{groups, &s.Policy.Groups}, {domains, &s.Policy.Domains}, {exempt, &s.Exempt}} {
		if err == nil {
			err = json.Unmarshal([]byte(field.text), field.into)
		}
	}
	return err
}

// SelectSettings returns the provider of a workspace. None is NotFound.
func SelectSettings(v store.Reader, ws parley.WorkspaceID) (Settings, error) {
	return store.One(v, ws, "sign-in provider", scan, "SELECT "+columns+" FROM sign_in_providers WHERE workspace_id = $1")
}

// PutSettings inserts or replaces the provider of a workspace.
func PutSettings(tx store.Writer, ws parley.WorkspaceID, s *Settings) error {
	var texts [3]string
	for i, value := range []any{s.Policy.Groups, s.Policy.Domains, s.Exempt} {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		texts[i] = string(text)
	}
	return store.Exec(tx, ws, "INSERT INTO sign_in_providers (workspace_id, "+columns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (workspace_id) DO UPDATE SET issuer = $2, client_id = $3, sealed = $4, groups_claim = $5, group_roles = $6, join_role = $7,
			join_domains = $8, required = $9, trusts_factor = $10, exempt = $11, updated_at = $13`,
		s.Issuer, s.ClientID, s.Sealed, s.GroupsClaim, texts[0], string(s.Policy.JoinRole), texts[1], s.Required, s.TrustsFactor, texts[2],
		s.CreatedAt, s.UpdatedAt)
}

// DeleteSettings deletes the provider of a workspace, and reports whether there was one.
func DeleteSettings(tx store.Writer, ws parley.WorkspaceID) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM sign_in_providers WHERE workspace_id = $1 RETURNING 1")
}

// SelectWorkspaces returns at most two workspaces that have a provider.
func SelectWorkspaces(v store.Reader) ([]parley.WorkspaceID, error) {
	return store.ManyAcross(v, store.Only[parley.WorkspaceID], "SELECT workspace_id FROM sign_in_providers ORDER BY workspace_id LIMIT 2")
}

const identityColumns = "issuer, subject, member_id, created_at"

func scanIdentity(r store.Row, i *Identity) error {
	return r.Scan(&i.Issuer, &i.Subject, (*string)(&i.Member), &i.Since)
}

// SelectIdentity returns the person of an issuer and a subject.
func SelectIdentity(v store.Reader, ws parley.WorkspaceID, issuer, subject string) (Identity, error) {
	return store.One(v, ws, "person of a provider", scanIdentity,
		"SELECT "+identityColumns+" FROM provider_identities WHERE workspace_id = $1 AND issuer = $2 AND subject = $3", issuer, subject)
}

// SelectIdentityOf returns the person who a member is.
func SelectIdentityOf(v store.Reader, ws parley.WorkspaceID, member parley.UserID) (Identity, error) {
	return store.One(v, ws, "person of a provider", scanIdentity,
		"SELECT "+identityColumns+" FROM provider_identities WHERE workspace_id = $1 AND member_id = $2", string(member))
}

// SelectIdentities returns the persons who are current members, in the order of these.
func SelectIdentities(v store.Reader, ws parley.WorkspaceID) ([]Identity, error) {
	return store.Many(v, ws, scanIdentity, `SELECT i.issuer, i.subject, i.member_id, i.created_at FROM provider_identities i
		JOIN members m ON m.workspace_id = i.workspace_id AND m.member_id = i.member_id
		WHERE i.workspace_id = $1 AND m.removed_at = 0 ORDER BY i.member_id`)
}

// InsertIdentity binds a member to a person. It reports false, and changes nothing, if
// either has another already.
func InsertIdentity(tx store.Writer, ws parley.WorkspaceID, i *Identity) (bool, error) {
	return store.Affected(tx, ws, "INSERT INTO provider_identities (workspace_id, "+identityColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT DO NOTHING RETURNING 1`, i.Issuer, i.Subject, string(i.Member), i.Since)
}

// DeleteIdentityOf makes a member nobody of a provider, and reports whether they were.
func DeleteIdentityOf(tx store.Writer, ws parley.WorkspaceID, member parley.UserID) (bool, error) {
	return store.Affected(tx, ws, "DELETE FROM provider_identities WHERE workspace_id = $1 AND member_id = $2 RETURNING 1", string(member))
}

// InsertUse uses something up, and reports false if it was used before.
func InsertUse(tx store.Writer, ws parley.WorkspaceID, use [32]byte, until time.Time) (bool, error) {
	return store.Affected(tx, ws, "INSERT INTO provider_uses (workspace_id, use_hash, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1",
		use[:], until)
}

// PutUse is InsertUse that counts from anew if it was used before.
func PutUse(tx store.Writer, ws parley.WorkspaceID, use [32]byte, until time.Time) error {
	return store.Exec(tx, ws, `INSERT INTO provider_uses (workspace_id, use_hash, until) VALUES ($1, $2, $3)
		ON CONFLICT (workspace_id, use_hash) DO UPDATE SET until = $3`, use[:], until)
}

// SelectUsedUntil returns until when a use is remembered; zero if it is not.
func SelectUsedUntil(v store.Reader, ws parley.WorkspaceID, use [32]byte) (time.Time, error) {
	found, err := store.Many(v, ws, store.Only[time.Time], "SELECT until FROM provider_uses WHERE workspace_id = $1 AND use_hash = $2", use[:])
	if err != nil || len(found) == 0 {
		return time.Time{}, err
	}
	return found[0], nil
}

// SelectUsed reports whether something was used up.
func SelectUsed(v store.Reader, ws parley.WorkspaceID, use [32]byte) (bool, error) {
	until, err := SelectUsedUntil(v, ws, use)
	return !until.IsZero(), err
}

// DeleteUses forgets what is refused anyway after a time.
func DeleteUses(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM provider_uses WHERE workspace_id = $1 AND until < $2", before)
}

// SelectPasswordOwners returns the owners who have a password, in order.
func SelectPasswordOwners(v store.Reader, ws parley.WorkspaceID) ([]parley.UserID, error) {
	return store.Many(v, ws, func(r store.Row, member *parley.UserID) error { return r.Scan((*string)(member)) },
		"SELECT member_id FROM members WHERE workspace_id = $1 AND role = $2 AND removed_at = 0 AND password_hash <> '' ORDER BY member_id",
		string(parley.Owner))
}
