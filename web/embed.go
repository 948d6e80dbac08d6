// Package web holds the built files of the browser's side: the dashboard and the
// chat widget. Their sources are beside it; make dashboard and make widget build
// them, and they are committed, so that the Go tool alone makes a whole server.
//
// It imports nothing of this module.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dashboard/dist all:widget/dist
var files embed.FS

// Dashboard returns the files of the dashboard, index.html at the top.
func Dashboard() (fs.FS, error) { return fs.Sub(files, "dashboard/dist") }

// Widget returns the files of the chat widget: widget.js, the script of the tag,
// and frame.html, the page in the frame.
func Widget() (fs.FS, error) { return fs.Sub(files, "widget/dist") }
