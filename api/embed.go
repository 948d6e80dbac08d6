// Package api contains the contracts of the HTTP interfaces as OpenAPI 3.1
// documents, written by hand, and returns their text: the public API, and what
// only the dashboard and only the chat widget need. They are part of the
// binary, so that a server, its reference and its tests use the same version.
//
// It imports nothing of this module.
package api

import (
	"bytes"
	_ "embed" // for the documents
	"fmt"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/goccy/go-yaml"
)

//go:embed openapi.yaml
var document string

//go:embed dashboard.yaml
var dashboardDocument string

//go:embed widget.yaml
var widgetDocument string

// A Document is a contract whose references all lead into the document itself.
type Document struct {
	yaml func() ([]byte, error)
	json func() ([]byte, error)
}

// newDocument converts on first use: the conversion takes a thousand times as
// long as the copy that a caller gets.
func newDocument(text func() ([]byte, error)) Document {
	text = sync.OnceValues(text)
	return Document{
		yaml: text,
		json: sync.OnceValues(func() ([]byte, error) {
			text, err := text()
			if err != nil {
				return nil, err
			}
			converted, err := yaml.YAMLToJSON(text)
			if err != nil {
				return nil, fmt.Errorf("the OpenAPI document is not YAML: %w", err)
			}
			return bytes.TrimSpace(converted), nil
		}),
	}
}

// YAML returns the document as YAML.
func (d Document) YAML() ([]byte, error) {
	text, err := d.yaml()
	return bytes.Clone(text), err
}

// JSON returns the document as JSON, its members in the order in which they
// were written.
func (d Document) JSON() ([]byte, error) {
	text, err := d.json()
	return bytes.Clone(text), err
}

var (
	public    = newDocument(func() ([]byte, error) { return []byte(document), nil })
	dashboard = newDocument(func() ([]byte, error) { return bundle(dashboardDocument, document) })
	widget    = newDocument(func() ([]byte, error) { return bundle(widgetDocument, document) })
)

// Public returns the contract of the public API.
func Public() Document { return public }

// PublicUntil returns the contract of the public API, with another end date for
// the routes under /v1/public/stores than the written one.
func PublicUntil(sunset time.Time) Document {
	return newDocument(func() ([]byte, error) { return Until([]byte(document), sunset), nil })
}

// Until returns a text about the end of the stores routes, which was written
// for 16 February 2027, with another date in its place, even across line
// breaks.
func Until(text []byte, sunset time.Time) []byte {
	sunset = sunset.UTC()
	text = bytes.ReplaceAll(text, []byte("Tue, 16 Feb 2027 00:00:00 GMT"), []byte(sunset.Format(http.TimeFormat)))
	text = bytes.ReplaceAll(text, []byte("16 February 2027, 00:00 UTC"), []byte("16 February 2027, "+sunset.Format("15:04")+" UTC"))
	date := sunset.Format("2") + "${1}" + sunset.Format("January") + "${2}" + sunset.Format("2006")
	return regexp.MustCompile(`16(\s+)February(\s+)2027`).ReplaceAll(text, []byte(date))
}

// Dashboard returns the contract of what only the dashboard needs, with the
// parts of the public API that it refers to.
func Dashboard() Document { return dashboard }

// Widget returns the contract of what the chat widget needs, with the parts of
// the public API that it refers to.
func Widget() Document { return widget }

// YAML returns the public document as written.
func YAML() []byte { return []byte(document) }

// DashboardYAML returns the dashboard's document as written. It refers to the
// public document as openapi.yaml.
func DashboardYAML() []byte { return []byte(dashboardDocument) }

// WidgetYAML returns the widget's document as written. It refers to the public
// document as openapi.yaml.
func WidgetYAML() []byte { return []byte(widgetDocument) }
