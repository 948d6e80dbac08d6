// Package web holds the built files of the browser's side: the dashboard. Their
// sources are beside it; make web builds them, and they are committed, so that
// the Go tool alone makes a whole server.
//
// It imports nothing of this module.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dashboard/dist
var files embed.FS

// Dashboard returns the files of the dashboard, index.html at the top.
func Dashboard() (fs.FS, error) { return fs.Sub(files, "dashboard/dist") }
