package widget_test

import (
	"testing"

	"parley/internal/apitest"
)

func TestDocumentIsKept(t *testing.T) {
	w := onSQLite(t)
	apitest.KeepsDocument(t, w.World, "/v1/widget/openapi.json")
	apitest.KeepsDocument(t, w.World, "/v1/widget/openapi.yaml")
}
