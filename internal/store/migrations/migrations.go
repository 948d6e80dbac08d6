// Package migrations embeds the steps of the schema, the files NNNN_name.sql of
// its folder. It imports nothing; package schema reads them.
package migrations

import "embed"

// Files are the steps. A released one never changes.
//
//go:embed *.sql
var Files embed.FS
