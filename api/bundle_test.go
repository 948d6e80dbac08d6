package api_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"parley/api"
	"parley/internal/contracttest"
)

// documents are the documents that the server serves, by name.
func documents() map[string]api.Document {
	return map[string]api.Document{"public": api.Public(), "dashboard": api.Dashboard(), "widget": api.Widget()}
}

// TestDocumentsStandAlone requires that each document resolves all of its
// references, has the same content as YAML and as JSON, and keeps its
// operations.
func TestDocumentsStandAlone(t *testing.T) {
	written := map[string][]byte{"public": api.YAML(), "dashboard": api.DashboardYAML(), "widget": api.WidgetYAML()}
	for name, d := range documents() {
		t.Run(name, func(t *testing.T) {
			asYAML, asJSON := texts(t, d)
			if bytes.Contains(asYAML, []byte("openapi.yaml#")) {
				t.Error("it refers to another file")
			}
			var fromYAML, fromJSON, root any
			for text, into := range map[*[]byte]*any{&asYAML: &fromYAML, &asJSON: &fromJSON} {
				if err := yaml.Unmarshal(*text, into); err != nil {
					t.Fatal(err)
				}
			}
			a, errA := json.Marshal(fromYAML)
			b, errB := json.Marshal(fromJSON)
			if errA != nil || errB != nil || !bytes.Equal(a, b) {
				t.Errorf("YAML and JSON are two documents (%v, %v)", errA, errB)
			}
			if err := json.Unmarshal(asJSON, &root); err != nil {
				t.Fatal(err)
			}
			refs := 0
			eachRef(root, func(ref string) {
				refs++
				if pointed(root, ref) == nil {
					t.Errorf("nothing is at %s", ref)
				}
			})
			if refs < 50 {
				t.Errorf("only %d references were found", refs)
			}
			gate, err := contracttest.New(asYAML)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := len(gate.Operations()), strings.Count(string(written[name]), "operationId:"); got != want || want == 0 {
				t.Errorf("it has %d operations, want %d", got, want)
			}
		})
	}
}

// texts returns a document as YAML and as JSON.
func texts(t *testing.T, d api.Document) (asYAML, asJSON []byte) {
	t.Helper()
	asYAML, err := d.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if asJSON, err = d.JSON(); err != nil {
		t.Fatal(err)
	}
	return asYAML, asJSON
}

// eachRef visits the references of a value.
func eachRef(value any, visit func(ref string)) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if ref, ok := inner.(string); ok && name == "$ref" {
				visit(ref)
			} else {
				eachRef(inner, visit)
			}
		}
	case []any:
		for _, inner := range v {
			eachRef(inner, visit)
		}
	}
}

// pointed returns the target of a reference into the document, nil for none.
func pointed(root any, ref string) any {
	at, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	for name := range strings.SplitSeq(at, "/") {
		object, _ := root.(map[string]any)
		root = object[strings.ReplaceAll(name, "~1", "/")]
	}
	return root
}
