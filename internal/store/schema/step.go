// Package schema is the schema of a store: its steps, the tables that they make,
// and what SQLite's planner is told about their indexes. It imports only the
// files of the steps.
//
// A store records the steps that were applied to it. [Check] compares them with
// those of this program; the store runs the missing ones, in one transaction. The
// tables of a version are read from a database in memory that has just been
// given its steps ([Tables]).
package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"zombiezen.com/go/sqlite"

	"parley/internal/store/migrations"
)

// A Step is one step of the schema: a file NNNN_name.sql of package migrations.
type Step struct {
	Version    int    // 1 for the first, 2 for the next
	Name       string // of the file
	Hash       string // of the text
	Compatible bool   // the previous version of Parley can still serve the store

	text string
}

// compatibleMark starts a step after which the previous version can still serve
// the store; see CONTRIBUTING.md.
const compatibleMark = "-- compatible:"

// NewStep returns the step that a text makes.
func NewStep(version int, name, text string) Step {
	return Step{Version: version, Name: name, text: text, Hash: HashOf(text), Compatible: strings.HasPrefix(text, compatibleMark)}
}

// HashOf identifies the text of a step. It ignores line endings, which depend on
// the checkout.
func HashOf(text string) string {
	sum := sha256.Sum256([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
	return hex.EncodeToString(sum[:])
}

// Parts of a step that are for one engine only.
var (
	sqliteOnly   = regexp.MustCompile(`/\*sqlite:(.*?)\*/`)
	postgresOnly = regexp.MustCompile(`(?s)/\*postgres:(.*?)\*/`)
)

// SQLite returns the script of the step for SQLite.
func (s Step) SQLite() string {
	return sqliteOnly.ReplaceAllString(postgresOnly.ReplaceAllString(s.text, ""), "$1")
}

// Postgres returns the script of the step for PostgreSQL.
func (s Step) Postgres() string { return postgresOnly.ReplaceAllString(s.text, "$1") }

// Steps returns the steps that this program knows, the first one first.
func Steps() ([]Step, error) {
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		return nil, err
	}
	steps := make([]Step, len(names))
	for i, name := range names {
		text, err := migrations.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("migration %s: versions must be numbered 0001, 0002, … without a gap", name)
		}
		steps[i] = NewStep(version, name, string(text))
	}
	return steps, nil
}

// Latest returns the latest schema version that this program knows.
func Latest() (int, error) {
	steps, err := Steps()
	return len(steps), err
}

// VersionsTable is the table of the applied steps.
const VersionsTable = "schema_versions"

// Statements on the table of the applied steps. WidenVersions upgrades that of an
// older program.
const (
	CreateVersions = `CREATE TABLE IF NOT EXISTS schema_versions (version bigint NOT NULL PRIMARY KEY, applied_at bigint NOT NULL,
	hash text NOT NULL DEFAULT '', compatible boolean NOT NULL DEFAULT false)`
	WidenVersions = `ALTER TABLE schema_versions ADD COLUMN hash text NOT NULL DEFAULT '';
	ALTER TABLE schema_versions ADD COLUMN compatible boolean NOT NULL DEFAULT false;`
	InsertVersion = "INSERT INTO schema_versions (version, applied_at, hash, compatible) VALUES ($1, $2, $3, $4)"
)

// Execute runs the statements of a script one by one, in the open transaction or
// in one transaction each.
func Execute(conn *sqlite.Conn, script string) error {
	for strings.TrimSpace(script) != "" {
		stmt, rest, err := conn.PrepareTransient(script)
		if err != nil {
			return err
		}
		script = script[len(script)-rest:]
		if stmt == nil {
			return nil // only comments were left
		}
		_, err = stmt.Step()
		if finalizeErr := stmt.Finalize(); err == nil {
			err = finalizeErr
		}
		if err != nil {
			return err
		}
	}
	return nil
}
