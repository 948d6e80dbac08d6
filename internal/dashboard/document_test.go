package dashboard_test

import (
	"testing"

	"parley/internal/apitest"
)

func documentSamples() map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"getDashboardOpenapiJson": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/openapi.json", "", 200) },
		"getDashboardOpenapiYaml": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/openapi.yaml", "", 200) },
	}
}

func TestDocumentIsKept(t *testing.T) {
	w := onSQLite(t)
	apitest.KeepsDocument(t, w.World, "/v1/dashboard/openapi.json")
	apitest.KeepsDocument(t, w.World, "/v1/dashboard/openapi.yaml")
}
