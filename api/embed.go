// Package api holds the contract of the public API as an OpenAPI 3.1 document,
// written by hand, and hands out its text. It imports nothing of this module.
package api

import (
	_ "embed" // for the document
	"fmt"

	"github.com/goccy/go-yaml"
)

//go:embed openapi.yaml
var document string

// YAML returns the document as it was written.
func YAML() []byte { return []byte(document) }

// JSON returns the document as JSON.
func JSON() ([]byte, error) {
	text, err := yaml.YAMLToJSON([]byte(document))
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document is not YAML: %w", err)
	}
	return text, nil
}
