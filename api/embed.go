// Package api holds the contract of the public API as an OpenAPI 3.1 document,
// written by hand, and hands out its text. The document is part of the binary,
// so that a server, its reference and its tests speak of the same version. A
// second document, for what only the dashboard needs, and a third for the chat
// widget are there for the tests.
//
// It imports nothing of this module.
package api

import (
	"bytes"
	_ "embed" // for the document
	"fmt"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed openapi.yaml
var document string

//go:embed dashboard.yaml
var dashboardDocument string

//go:embed widget.yaml
var widgetDocument string

// asJSON converts once: the conversion takes a thousand times as long as the
// copy that a caller gets.
var asJSON = sync.OnceValues(func() ([]byte, error) {
	text, err := yaml.YAMLToJSON([]byte(document))
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document is not YAML: %w", err)
	}
	return bytes.TrimSpace(text), nil
})

// YAML returns the document as it was written.
func YAML() []byte { return []byte(document) }

// DashboardYAML returns the document of what only the dashboard needs, as it was
// written. It refers to the public document as openapi.yaml.
func DashboardYAML() []byte { return []byte(dashboardDocument) }

// WidgetYAML returns the document of what the chat widget asks for, as it was
// written. It refers to the public document as openapi.yaml.
func WidgetYAML() []byte { return []byte(widgetDocument) }

// JSON returns the document as JSON, its members in the order in which they
// were written. It fails where the document is not YAML.
func JSON() ([]byte, error) {
	text, err := asJSON()
	return bytes.Clone(text), err
}
