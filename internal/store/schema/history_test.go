package schema_test

import (
	"strings"
	"testing"

	"parley/internal/store/schema"
)

// TestCheck compares histories with those of a program that knows two steps.
func TestCheck(t *testing.T) {
	steps := []schema.Step{
		schema.NewStep(1, "0001_people.sql", "CREATE TABLE people (id uuid NOT NULL PRIMARY KEY)"),
		schema.NewStep(2, "0002_name.sql", "-- compatible: nobody reads it\nALTER TABLE people ADD COLUMN name text"),
	}
	first, second := schema.Applied{Version: 1, Hash: steps[0].Hash}, schema.Applied{Version: 2, Hash: steps[1].Hash, Compatible: true}
	for name, c := range map[string]struct {
		applied []schema.Applied
		unnamed int
		refused string
	}{
		"an empty store":                     {nil, 0, ""},
		"an older store":                     {[]schema.Applied{first}, 0, ""},
		"this version":                       {[]schema.Applied{first, second}, 0, ""},
		"a first step without a hash":        {[]schema.Applied{{Version: 1}, second}, 1, ""},
		"no hashes":                          {[]schema.Applied{{Version: 1}, {Version: 2}}, 2, ""},
		"a compatible step more":             {[]schema.Applied{first, second, {Version: 3, Compatible: true}}, 0, ""},
		"a step more":                        {[]schema.Applied{first, second, {Version: 3}}, 0, "schema version 3, and this program knows 2"},
		"two compatible steps more":          {[]schema.Applied{first, second, {Version: 3, Compatible: true}, {Version: 4, Compatible: true}}, 0, "schema version 4"},
		"without the first step":             {[]schema.Applied{second}, 0, "lacks schema step 1"},
		"a second step made by another text": {[]schema.Applied{first, {Version: 2, Hash: steps[0].Hash}}, 0, "another text than this program's 0002_name.sql"},
	} {
		unnamed, err := schema.Check(c.applied, steps)
		if unnamed != c.unnamed || (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: unnamed up to %d, %v", name, unnamed, err)
		}
	}
	columns := map[string]bool{"people.id": true, "people.name": true, "shops.id": true}
	if err := schema.CheckColumns(columns, steps); err != nil {
		t.Error(err)
	}
	delete(columns, "people.name")
	if err := schema.CheckColumns(columns, steps[:1]); err != nil {
		t.Error(err)
	}
	if err := schema.CheckColumns(columns, steps); err == nil || !strings.Contains(err.Error(), "it lacks people.name") {
		t.Errorf("a store without a column is accepted: %v", err)
	}
}

// TestStep reads the parts of a step for one engine, and its hash.
func TestStep(t *testing.T) {
	step := schema.NewStep(1, "0001_x.sql", "CREATE TABLE x (id uuid)/*sqlite: STRICT*//*postgres:;\nCREATE INDEX y ON x (id)*/")
	if got := step.SQLite(); got != "CREATE TABLE x (id uuid) STRICT" {
		t.Errorf("SQLite reads %q", got)
	}
	if got := step.Postgres(); got != "CREATE TABLE x (id uuid)/*sqlite: STRICT*/;\nCREATE INDEX y ON x (id)" {
		t.Errorf("PostgreSQL reads %q", got)
	}
	if schema.HashOf("a\r\nb") != schema.HashOf("a\nb") || schema.HashOf("a b") == schema.HashOf("a\nb") {
		t.Error("the hash depends on the checkout, or not on the text")
	}
}
