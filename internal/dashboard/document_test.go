package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
)

func documentSamples() map[string]func() sample {
	return map[string]func() sample{
		"getDashboardOpenapiJson": func() sample { return sample{"/v1/dashboard/openapi.json", "", 200} },
		"getDashboardOpenapiYaml": func() sample { return sample{"/v1/dashboard/openapi.yaml", "", 200} },
	}
}

// withoutStore reports whether an operation answers while the store is away.
func withoutStore(operation string) bool {
	return operation == "setPresence" || strings.HasPrefix(operation, "getDashboardOpenapi")
}

func TestDocumentIsKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, path := range []string{"/v1/dashboard/openapi.json", "/v1/dashboard/openapi.yaml"} {
			tag := w.get(path).want(200).header.Get("ETag")
			w.send(request{method: "GET", path: path, token: "none", header: http.Header{"If-None-Match": {tag}}}).want(304)
		}
	})
}
